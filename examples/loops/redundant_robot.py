"""
Workspace maps and a Pareto front of redundant parallel robots
==============================================================

Sika, Valasek, Bauma and Vampola (NATO ASI, part B, section 9) design redundant parallel robots by maps over the
workspace. They report half as much stiffness again and a fifth more dynamic capability for one more leg, on circles of
0.3 and 0.6 m; their dimensions are lost. Here a platform on three and on four upright rails (rods of 1.5 m, circle of
0.5 m) with the same drives goes round them; it is another machine, and gains 44 and 58 %, 53 and 57 %. Then the
section of rods of 1 m and their circle are designed, stiff or light. Below, a planar robot on four legs: where it meets
a post, and how well its drives hold it.
"""

import matplotlib.pyplot as plt
import numpy as np

import jourdain as jd

m = jd.mechanism
AREA = {"x": np.linspace(-0.35, 0.35, 25), "y": np.linspace(-0.35, 0.35, 25)}
maps, trip = {}, {}
for legs in (3, 4):
    model = m.sliding_platform(legs, length=1.5).compile()
    drives = m.Drives([f"slide{i}" for i in range(legs)], stiffness=1e6, force=200.0, speed=1.0)
    maps[legs] = m.map(model, AREA, drives, model.state(), ("stiffness", "acceleration"), task=("x", "y", "z"))
    for radius in (0.3, 0.6):
        angles = np.linspace(0.0, 2 * np.pi, 49)
        way = {"x": radius * np.cos(angles), "y": radius * np.sin(angles), "z": np.zeros(49)}
        circle = m.positions(model, way, angles, model.assemble(model.state({"x": radius}), hold=("x", "y", "z")))
        at = [m.transmission(model, circle.state(i), drives.names, ("x", "y", "z")) for i in range(49)]
        fast = min(one.accelerations((-np.sin(a), np.cos(a), 0.0), drives.force)[0] for one, a in zip(at, angles))
        trip[legs, radius] = min(one.least_stiffness(drives.stiffness) for one in at), fast
gain = {r: np.divide(trip[4, r], trip[3, r]) - 1.0 for r in (0.3, 0.6)}

# %%
# Rods of steel, 1 m long: a section A makes them stiff, and half of their mass goes with the platform.


def judged(design):
    """Moving mass, least stiffness and least acceleration of a robot on four rails, over the workspace."""
    mass = 5.0 + 0.5 * 4 * 7800.0 * design["section"]
    model = m.sliding_platform(4, radius=design["radius"], mass=mass).compile()
    drives = m.Drives([f"slide{i}" for i in range(4)], stiffness=210e9 * design["section"], force=200.0)
    spots = {"x": [-0.2, 0.0, 0.2], "y": [-0.2, 0.0, 0.2]}
    found = m.map(model, spots, drives, model.state(), ("stiffness", "acceleration"), task=("x", "y", "z"))
    return mass, np.min(found["stiffness"]), np.min(found["acceleration"])


front = jd.study.pareto(
    lambda design: judged(design)[:2] * np.array([1, -1]),
    {"section": (1e-5, 4e-4), "radius": (0.3, 0.7)}, population=16, generations=10,
)  # fmt: skip
quick = np.array([judged({k: v[i] for k, v in front.values.items()})[2] for i in range(len(front.costs))])

# %%
# Links of a planar robot, and a post in its way, as boxes.

robot = m.planar_robot(4).compile()
rough = {f"drive{i}": np.pi / 2 * (i + 0.5) + 2.2 for i in range(4)} | {f"elbow{i}": 1.5 for i in range(4)}
start = robot.assemble(robot.state(rough | {"platform.angle": 0.5}), hold=("platform",))
links = [
    jd.Box((0.3, 0.05, 0.04)).at(f"{part}{i}.origin", (0.175, 0, 0)) for part in ("upper", "lower") for i in range(4)
]
links += [jd.Box((0.12, 0.12, 0.04)).at("platform.origin"), jd.Box((0.04, 0.04, 0.1)).at("world", (0.16, 0.1, 0))]
area = {name: np.linspace(-0.25, 0.25, 41) for name in ("platform.x", "platform.y")}
planar = m.map(robot, area, [f"drive{i}" for i in range(4)], start, ("clearance", "hold"), parts=links)

figure, panels = plt.subplots(2, 3, figsize=(13, 7.4), layout="constrained")
for legs, panel in zip((3, 4), panels[0]):
    maps[legs].plot("stiffness", panel, vmin=0, vmax=np.nanmax(maps[4]["stiffness"]))
    panel.set_title(f"{legs} legs: least stiffness [N/m]")
panels[0, 2].plot(front.costs[:, 0], -1e-6 * front.costs[:, 1], "o-", label="stiffness [MN/m]")
panels[0, 2].plot(front.costs[:, 0], quick, "s-", label="acceleration [m/s²]")
panels[0, 2].set(xlabel="moving mass [kg]", title="designs that none beats", ylim=(0, None))
panels[0, 2].legend()
maps[4].plot("acceleration", panels[1, 0])
planar.plot("clearance", panels[1, 1], cmap="RdBu", vmin=-0.06, vmax=0.06)
planar.plot("hold", panels[1, 2])
plt.show()
