"""
Attitude manoeuvre of a satellite with flexible panels
======================================================

A wheel inside a satellite spins up and stops: the satellite turns the other way, by an angle that momentum decides, and
its solar panels, elastic beams that wear the look of panels, ring on. The angular momentum of all stays zero.
"""

import matplotlib.pyplot as plt
import numpy as np

import jourdain as jd
from jourdain.describe.shapes import Looks, Paint

# %%
# A panel is a grid of cells on a frame: 6 x 2 boxes of one look, along the x of its beam. It bends with the beam.

CELL, GAP = (0.46, 0.55), 0.04
BLUE, GREY, GOLD = Paint((0.08, 0.14, 0.42, 1.0)), Paint((0.62, 0.64, 0.68, 1.0)), Paint((0.85, 0.62, 0.2, 1.0))


def look(pieces):
    """Boxes (size, middle, paint) as one look."""
    paints = list(dict.fromkeys(paint for _, _, paint in pieces))
    meshes = [jd.Box(size).to_mesh() for size, _, _ in pieces]
    vertices = np.concatenate([mesh[0] + middle for mesh, (_, middle, _) in zip(meshes, pieces)])
    starts = np.cumsum([0, *(len(mesh[0]) for mesh in meshes)])
    triangles = np.concatenate([mesh[1] + start for mesh, start in zip(meshes, starts)])
    return Looks(vertices, triangles, paints, np.repeat([paints.index(p) for _, _, p in pieces], 12))


places = [(0.25 + (i + 0.5) * (CELL[0] + GAP), side * 0.5 * (CELL[1] + GAP), 0.0) for i in range(6) for side in (-1, 1)]
cells = [((*CELL, 0.03), place, BLUE) for place in places]
panel = look([*cells, ((3.25, 0.05, 0.02), (1.625, 0.0, 0.0), GREY)])
bus = look([((1.0, 0.9, 1.2), (0, 0, 0), GOLD), ((0.5, 0.5, 0.08), (0, 0, 0.64), GREY)])

# %%
# The bus floats; the wheel is on its z axis, a panel on either side.

craft = jd.System("satellite with panels")
frames = {"left": (0.0, 0.45, 0.0), "right": (0.0, -0.45, 0.0)}
craft.add(jd.RigidBody("bus", 400.0, inertia=(70, 75, 60), frames=frames, shape=bus), jd.Free("float"))
wheel = jd.RigidBody("wheel", 20.0, inertia=(0.3, 0.3, 0.6), shape=jd.Cylinder(0.25, 0.1))
craft.add(wheel, jd.Revolute("spin"), to="bus.origin")
section = {"mass_per_length": 8.0, "EA": 1e6, "EI": (40.0, 4e3), "GJ": 60.0, "damping": 0.005, "shape": panel}
for name, turn in (("left", np.pi / 2), ("right", -np.pi / 2)):
    turned = (np.cos(turn / 2), 0.0, 0.0, np.sin(turn / 2))
    beam = jd.Beam(f"{name} panel", 3.25, modes=jd.Modes(bending=2, torsion=1), **section)
    craft.add(beam, jd.Weld(f"{name} hinge"), to=f"bus.{name}", rotation=turned)
model = craft.compile()

# %%
# A torque on the wheel, 6 s one way and 6 s the other, as a function of time.
SPIN, TORQUE, HALF = model.index.v["spin"], 4.0, 6.0


@jd.law
def shift(t, q, v, z, s, p, effort, dz):
    effort[SPIN] += p[0] if t < p[1] else -p[0] if t < 2.0 * p[1] else 0.0


options = {"until": 30.0, "step": 2e-3, "method": "rk4", "output": 0.05}
run = jd.simulate(model, model.state(), controller=shift(TORQUE, HALF), **options)
momentum = float(np.abs(model.momentum(run.states).angular).max())
turned = 2.0 * np.arctan2(run.q["float.qz"].values, run.q["float.qw"].values)

# %%
# Had the panels been stiff, the wheel's turns would give the angle: I_wheel spin + (I_all) angle = 0.

rest = 60.0 + 0.6 + 2.0 * 8.0 * 3.25 * ((0.45 + 3.25 / 2.0) ** 2 + 3.25**2 / 12.0)
predicted = -0.6 / rest * float(run.q["spin"][-1])
rung = turned[run.time > 2.0 * HALF] - predicted

fig, axes = plt.subplots(2, 1, sharex=True, figsize=(8, 5), layout="constrained")
axes[0].plot(run.time, np.degrees(turned))
axes[0].axhline(np.degrees(predicted), color="grey", linestyle=":")
axes[1].plot(run.time, 1e3 * run.q["left panel.bending_y[0]"], color="tab:orange")
axes[0].set(ylabel="turned [deg]"), axes[1].set(xlabel="time [s]", ylabel="panel, first shape [mm]")
plt.show()
