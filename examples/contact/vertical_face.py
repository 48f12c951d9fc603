"""
Spin of a struck payload: friction and the angle of its face
============================================================

In section 6.3.3 of S.-W. Kim's thesis (McGill 1999) the face of the payload that the arm strikes is turned to lie along
the local vertical, across the motion of the tool, and friction turns the payload clockwise, not counter-clockwise. The
leaning arm explains it: pushed back, its tip yields to the left. On a face across the motion there is no other slip;
on one across the second link (112.7 degrees) the tip comes from the left. Dotted: these two directions.
"""

import matplotlib.pyplot as plt
import numpy as np

import jourdain as jd

LENGTH, REACH, RADIUS, VERTICAL, INLINE, STEP, UNTIL = 8.13, 0.44, 2.5, 90.0, 112.7, 5e-6, 2e-3
APOTHEM, FACES = RADIUS * np.cos(np.pi / 8), (80.0, VERTICAL, 100.0, 106.0, INLINE, 120.0)

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


def arm(friction):
    system = jd.System("arm and payload")
    craft = jd.RigidBody("craft", mass=1e5, inertia=(8e5, 8e5, 8e5), frames={"shoulder": (1, 0, 0)})
    system.add(craft, joint=jd.Revolute("attitude", axis="z"))
    for i, to in ((1, "craft.shoulder"), (2, "link1.tip")):
        link = jd.Beam(f"link{i}", LENGTH, mass_per_length=163 / LENGTH, EA=1e8, EI=88.1e3, GJ=1e5, damping=0.01,
                       modes=jd.Modes(bending_y=1), basis="clamped-free")  # fmt: skip
        system.add(link, joint=jd.Revolute(f"joint{i}", axis="z"), to=to)
    system.add(tool, joint=jd.Revolute("wrist", axis="z"), to="link2.tip")
    system.add(payload, joint=jd.Planar("drift"))
    system.contact("touch", tool.surface("tips"), payload.surface("face"), normal=jd.contact.MultiplierContact(),
                   friction=friction)  # fmt: skip
    return system.compile()


def strike(model, facing):
    """Impulse across the face, spin of the payload, impulse of one point, and energy lost over that of the approach."""
    pose = {"joint1": np.radians(67.3), "joint2": np.radians(45.4), "wrist": np.radians(facing - 202.7)}
    rates = {"joint1": np.radians(0.911), "joint2": np.radians(-1.82), "wrist": np.radians(0.911)}
    out = np.array([np.cos(np.radians(facing)), np.sin(np.radians(facing)), 0.0])
    x, y, _ = model.pose("tool.origin", model.state(pose)).position + (REACH + APOTHEM + 1e-8) * out
    state = model.state(pose | {"drift": (x, y, np.radians(facing - 90.0))}, rates)
    run = jd.simulate(model, state, until=UNTIL, step=STEP, method="generalized-alpha")
    struck, end = np.array([name.startswith(("payload", "drift")) for name in model.names.v]), run.state(-1)
    impulse = out @ model.momentum(model.state(q=end.q, v=end.v * struck)).linear  # the payload was at rest
    own = [i for i, name in enumerate(model.names.v) if not name.startswith(("tool", "payload", "drift"))]
    J, mass = (out @ model.jacobian("tool.origin", state)[3:])[own], model.mass_matrix(state)[np.ix_(own, own)]
    point = 2.0 * J @ state.v[own] / (J @ np.linalg.solve(mass, J) + 1.0 / payload.mass)
    lost = run.record.energy[-1, 4] / (0.25 * point * J @ state.v[own])
    return impulse, run.v["drift.angle"].values[-200:].mean(), point, lost


found = {}
for name, friction in {"without": None, "with": jd.CoulombFriction(static=0.2, kinetic=0.15)}.items():
    model = arm(friction)
    found[name] = dict(zip(("across", "spin", "theory", "lost"), np.transpose([strike(model, f) for f in FACES])))
theory = found["without"]["theory"]
for facing, *values in zip(FACES, theory, found["without"]["across"], found["with"]["spin"]):
    print("{:6.1f} degrees: {:.1f} N s without loss, {:.1f} N s; with friction {:+.1e} rad/s".format(facing, *values))

fig, (left, right) = plt.subplots(1, 2, figsize=(10, 3.6), layout="constrained")
left.plot(FACES, theory, "k--", lw=1, label="of one point, no loss")
for name, one in found.items():
    left.plot(FACES, one["across"], "o-", label=f"{name} friction")
    right.plot(FACES, 1e3 * one["spin"], "o-")
left.set(xlabel="direction of the face [deg]", ylabel="[N s]", title="impulse across the face"), left.legend()
right.vlines((VERTICAL, INLINE), -3, 5, colors="k", lw=0.8, linestyles=":")
right.set(xlabel="direction of the face [deg]", ylabel="[mrad/s]", title="spin, counter-clockwise positive")
plt.show()
