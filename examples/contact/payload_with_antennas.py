"""
Impact on a payload with flexible antennas
==========================================

Section 6.3.3 of S.-W. Kim's thesis (McGill 1999): the payload that the arm strikes has two antennas, beams of 5 m and
50 kg, whose joints are free in case 1 and locked in case 2. To save time the thesis makes tool and payload soft (0.1
and 1 MPa), so that the impact lasts 0.3 s, and friction acts (0.2 at rest, 0.15 sliding). Free antennas vibrate much
faster, locked ones farther; locked, they hold the payload back; it turns counter-clockwise.

Antennas stand out of opposite corners (the drawing is lost), each with one clamped-free mode (three: 13.9, 14.0 rad/s).
"""

import matplotlib.pyplot as plt
import numpy as np

import jourdain as jd

LENGTH, REACH, RADIUS, FACING = 8.13, 0.44, 2.5, 112.7
APOTHEM, STEP, UNTIL = RADIUS * np.cos(np.pi / 8), 1e-3, 10.0

grid = jd.mesh.rectangle((0.5, REACH), (10, 11), start=(-0.25, 0.0))
middle = grid.points[grid.cells].mean(axis=1)
u_shape = jd.mesh.SolidMesh(grid.points, grid.cells[(np.abs(middle[:, 0]) > 0.1) | (middle[:, 1] < 0.2)]).tidied()
corners = RADIUS * np.exp(1j * np.radians(22.5 + 45.0 * np.arange(8)))
octagon = jd.mesh.polygon(np.stack([corners.real, corners.imag], axis=1), size=0.2)
option = {"plane": "stress", "thickness": 1.0, "element": "linear", "modes": 20, "damping": 0.01}
roots = {"right": -np.pi / 8, "left": 7 * np.pi / 8}  # angles of the corners, in axes of the payload
tool = jd.Solid("tool", u_shape, jd.Material(E=1e5, nu=0.3, density=13.4), masters="tips",
                surfaces={"tips": lambda x: x[1] > REACH - 1e-9}, **option)  # fmt: skip
payload = jd.Solid("payload", octagon, jd.Material(E=1e6, nu=0.3, density=50.0), masters="face",
                   frames={name: (RADIUS * np.cos(a), RADIUS * np.sin(a), 0) for name, a in roots.items()},
                   surfaces={"face": lambda x: x[1] < 1e-6 - APOTHEM}, **option)  # fmt: skip


def add_payload(system, joint):
    """The payload with its antennas on joints that are made by `joint`."""
    system.add(payload, joint=jd.Planar("drift"))
    for name, angle in roots.items():
        antenna = jd.Beam(name, 5.0, mass_per_length=10.0, EA=1e8, EI=5e3, GJ=1e4, **beam)
        turned = (np.cos(angle / 2), 0, 0, np.sin(angle / 2))
        system.add(antenna, joint=joint(f"{name} joint"), to=f"payload.{name}", rotation=turned)


beam = {"modes": jd.Modes(bending_y=1), "basis": "clamped-free", "damping": 0.01}
found = {}
for case, joint in {"free": lambda name: jd.Revolute(name, axis="z"), "locked": jd.Weld}.items():
    alone, system = jd.System("payload"), jd.System("arm and payload")
    craft = jd.RigidBody("craft", mass=1e5, inertia=(8e5, 8e5, 8e5), frames={"shoulder": (1, 0, 0)})
    system.add(craft, joint=jd.Revolute("attitude", axis="z"))
    for i, to in ((1, "craft.shoulder"), (2, "link1.tip")):
        link = jd.Beam(f"link{i}", LENGTH, mass_per_length=163 / LENGTH, EA=1e8, EI=88.1e3, GJ=1e5, **beam)
        system.add(link, joint=jd.Revolute(f"joint{i}", axis="z"), to=to)
    system.add(tool, joint=jd.Revolute("wrist", axis="z"), to="link2.tip")
    for one in (system, alone):
        add_payload(one, joint)
    system.contact("touch", tool.surface("tips"), payload.surface("face"), normal=jd.contact.MultiplierContact(),
                   friction=jd.CoulombFriction(static=0.2, kinetic=0.15))  # fmt: skip
    model, alone = system.compile(), alone.compile()
    pose = {"joint1": np.radians(67.3), "joint2": np.radians(45.4), "wrist": np.radians(FACING - 202.7)}
    rates = {"joint1": np.radians(0.911), "joint2": np.radians(-1.82), "wrist": np.radians(0.911)}
    out = np.array([np.cos(np.radians(FACING)), np.sin(np.radians(FACING)), 0.0])
    x, y, _ = model.pose("tool.origin", model.state(pose)).position + (REACH + APOTHEM + 1e-8) * out
    pose["drift"] = (x, y, np.radians(FACING - 90.0))
    run = jd.simulate(model, model.state(pose, rates), until=UNTIL, step=STEP, method="generalized-alpha", output=0.01)
    tips = {name: 1e3 * run.q[f"{name}.bending_y[0]"].values for name in roots}
    moved = [run.q[f"drift.{name}"].values - run.q[f"drift.{name}"].values[0] for name in ("x", "y", "angle")]
    found[case] = {"run": run, "tips": tips, "way": np.hypot(*moved[:2]), "turned": moved[2],
                   "rates": alone.frequencies(alone.state()).rad[:2]}  # fmt: skip
    print(f"{case}: {found[case]['rates'].round(3)} rad/s, tips {max(abs(one).max() for one in tips.values()):.1f} mm,",
          f"payload {1e3 * found[case]['way'][-1]:.0f} mm and {1e3 * moved[2][-1]:+.2f} mrad")  # fmt: skip

fig, panels = plt.subplots(1, 3, figsize=(12, 3.6), layout="constrained")
for case, one in found.items():
    for panel, values in zip(panels, (one["tips"]["right"], 1e3 * one["way"], 1e3 * one["turned"])):
        panel.plot(one["run"].time, values, label=f"joints {case}")
for panel, title in zip(panels, ("tip of the right antenna [mm]", "way of the payload [mm]", "its rotation [mrad]")):
    panel.set(xlabel="time [s]", title=title)
panels[0].legend()
plt.show()
