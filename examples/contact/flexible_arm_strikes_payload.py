"""
Impact of a flexible arm on a payload
=====================================

Sections 6.3.1 and 6.3.2 of S.-W. Kim's thesis (McGill 1999): an arm of two links of 8.13 m, on a spacecraft whose
attitude is free, strikes a floating octagon of 884 kg with a U-shaped tool at 0.1 m/s, without friction and with (0.2
at rest, 0.15 sliding). Tool and payload are finite elements that touch by multipliers, links have one mode each.

The thesis's drawings are lost, but its numbers tell what they showed: the tool is in line with the second link, at
112.7 degrees, and the face that it strikes lies across it, 22.5 degrees from across the motion. Then an impact without
loss has 34 N s; as half a sine over the quoted 3.5e-4 s it peaks at the quoted 15e4 N; and friction turns the payload
counter-clockwise. The tool, 0.5 m by 0.44 m with a slot, is our guess of the right mass, inertia and stiffness.
"""

import matplotlib.pyplot as plt
import numpy as np

import jourdain as jd

LENGTH, REACH, RADIUS, FACING = 8.13, 0.44, 2.5, 112.7
APOTHEM, STEP, UNTIL, AFTER = RADIUS * np.cos(np.pi / 8), 5e-6, 1e-2, 10.0

grid = jd.mesh.rectangle((0.5, REACH), (10, 11), start=(-0.25, 0.0))
middle = grid.points[grid.cells].mean(axis=1)
u_shape = jd.mesh.SolidMesh(grid.points, grid.cells[(np.abs(middle[:, 0]) > 0.1) | (middle[:, 1] < 0.2)]).tidied()
corners = RADIUS * np.exp(1j * np.radians(22.5 + 45.0 * np.arange(8)))
octagon = jd.mesh.polygon(np.stack([corners.real, corners.imag], axis=1), size=0.2)
option = {"plane": "stress", "thickness": 1.0, "element": "linear", "modes": 20, "damping": 0.01}
tool = jd.Solid("tool", u_shape, jd.Material(E=7e10, nu=0.3, density=13.4), masters="tips",
                surfaces={"tips": lambda x: x[1] > REACH - 1e-9}, **option)  # fmt: skip
payload = jd.Solid("payload", octagon, jd.Material(E=7e10, nu=0.3, density=50.0), masters="face",
                   surfaces={"face": lambda x: x[1] < 1e-6 - APOTHEM}, **option)  # fmt: skip


def arm(**touch):
    """Arm and payload, which touch where it is said how."""
    system = jd.System("arm and payload")
    craft = jd.RigidBody("craft", mass=1e5, inertia=(8e5, 8e5, 8e5), frames={"shoulder": (1, 0, 0)})
    system.add(craft, joint=jd.Revolute("attitude", axis="z"))
    for i, to in ((1, "craft.shoulder"), (2, "link1.tip")):
        link = jd.Beam(f"link{i}", LENGTH, mass_per_length=163 / LENGTH, EA=1e8, EI=88.1e3, GJ=1e5, damping=0.01,
                       modes=jd.Modes(bending_y=1), basis="clamped-free")  # fmt: skip
        system.add(link, joint=jd.Revolute(f"joint{i}", axis="z"), to=to)
    system.add(tool, joint=jd.Revolute("wrist", axis="z"), to="link2.tip")
    system.add(payload, joint=jd.Planar("drift"))
    if touch:
        system.contact("touch", tool.surface("tips"), payload.surface("face"), **touch)
    return system.compile()


pose = {"joint1": np.radians(67.3), "joint2": np.radians(45.4), "wrist": np.radians(FACING - 202.7)}
rates = {"joint1": np.radians(0.911), "joint2": np.radians(-1.82), "wrist": np.radians(0.911)}
out, apart = np.array([np.cos(np.radians(FACING)), np.sin(np.radians(FACING)), 0.0]), arm()
x, y, _ = apart.pose("tool.origin", apart.state(pose)).position + (REACH + APOTHEM + 1e-8) * out
pose["drift"] = (x, y, np.radians(FACING - 90.0))
found = {}
for name, friction in {"without": None, "with": jd.CoulombFriction(static=0.2, kinetic=0.15)}.items():
    model = arm(normal=jd.contact.MultiplierContact(), friction=friction)
    run = jd.simulate(model, model.state(pose, rates), until=UNTIL, step=STEP, method="generalized-alpha")
    end = apart.state(run.record.q[-1], run.record.v[-1])  # the thesis has no second impact; the model would
    after = jd.simulate(apart, end, until=AFTER, step=1e-3, method="generalized-alpha", output=0.02)
    force = -run.contact["touch"].force.values @ np.array([out, (out[1], -out[0], 0.0)]).T
    impulse, energy = force.sum(axis=0) * STEP, run.record.energy.sum(axis=1)
    found[name] = {"run": run, "after": after, "force": force, "impulse": impulse, "kept": energy[-1] / energy[0] - 1.0,
                   "lasts": run.record.time[force[:, 0] > 0][-1], "speed": np.hypot(*impulse) / payload.mass,
                   "spin": float(after.v["drift.angle"].mean())}  # fmt: skip
    print(name, "friction:", {key: found[name][key] for key in ("impulse", "lasts", "speed", "spin", "kept")})

fig, (left, middle, right) = plt.subplots(1, 3, figsize=(12, 3.6), layout="constrained")
for name, one in found.items():
    left.plot(1e3 * one["run"].time, 1e-3 * one["force"], label=[f"across, {name} friction", f"along, {name} friction"])
    middle.plot(one["after"].time, 1e3 * one["after"].q["link2.bending_y[0]"], label=f"{name} friction")
    right.plot(one["after"].time, 1e3 * (one["after"].q["drift.angle"] - pose["drift"][2]))
left.set(xlabel="time [ms]", ylabel="force [kN]", title="on the face of the payload", xlim=(0, 1))
left.legend(fontsize=8)
middle.set(xlabel="time [s]", ylabel="[mm]", title="tip deflection of the second link")
middle.legend()
right.set(xlabel="time [s]", ylabel="[mrad]", title="rotation of the payload")
plt.show()
