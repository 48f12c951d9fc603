"""
Capture of a payload by a flexible arm
======================================

The capture of S.-W. Kim's thesis (McGill 1999, section 6.4): the arm of section 6.3 meets the payload, with an antenna.
At first touch two spring-dashpots engage between grapple points (50 kN/m, 40 kN s/m) and hold back what would rebound;
after 3.5 ms a latch closes. Tool and payload are finite elements. The face is off by 0.02 degrees, so that one finger
strikes before the other and the tool rocks. Then the arm stretches until it is straight, and the payload turns back.
Grapple points, antenna and misalignment are chosen here; the thesis has five impacts and a straight arm at 50 s.
"""

import matplotlib.pyplot as plt
import numpy as np

import jourdain as jd

LENGTH, REACH, RADIUS, FACING, OFF = 8.13, 0.44, 2.5, np.radians(112.7), np.radians(0.02)
APOTHEM, STEP, LATCH, UNTIL = RADIUS * np.cos(np.pi / 8), 5e-6, 3.5e-3, 100.0

grid = jd.mesh.rectangle((0.5, REACH), (10, 11), start=(-0.25, 0.0))
middle = grid.points[grid.cells].mean(axis=1)
u_shape = jd.mesh.SolidMesh(grid.points, grid.cells[(np.abs(middle[:, 0]) > 0.1) | (middle[:, 1] < 0.2)]).tidied()
corners = RADIUS * np.exp(1j * (np.pi / 8 + np.pi / 4 * np.arange(8)))
octagon = jd.mesh.polygon(np.stack([corners.real, corners.imag], axis=1), size=0.2)
option = {"plane": "stress", "thickness": 1.0, "element": "linear", "modes": 20, "damping": 0.01}
grapples = {"left": -0.175, "right": 0.175}
tool = jd.Solid("tool", u_shape, jd.Material(E=7e10, nu=0.3, density=13.4), masters="tips",
                frames={name: (x, REACH, 0) for name, x in grapples.items()} | {"port": (0, 0.2, 0)},
                surfaces={"tips": lambda x: x[1] > REACH - 1e-9}, **option)  # fmt: skip
payload = jd.Solid("payload", octagon, jd.Material(E=7e10, nu=0.3, density=50.0), masters="face",
                   frames={name: (x, 0.02 - APOTHEM, 0) for name, x in grapples.items()}
                   | {"port": (0, -APOTHEM, 0), "corner": (corners[0].real, corners[0].imag, 0)},
                   surfaces={"face": lambda x: x[1] < 1e-6 - APOTHEM}, **option)  # fmt: skip
system, beam = jd.System("capture"), {"modes": jd.Modes(bending_y=1), "basis": "clamped-free", "damping": 0.01}
system.add(jd.RigidBody("craft", mass=1e5, inertia=(8e5, 8e5, 8e5), frames={"shoulder": (1, 0, 0)}),
           joint=jd.Revolute("attitude", axis="z"))  # fmt: skip
for i, to in ((1, "craft.shoulder"), (2, "link1.tip")):
    link = jd.Beam(f"link{i}", LENGTH, mass_per_length=163 / LENGTH, EA=1e8, EI=88.1e3, GJ=1e5, **beam)
    system.add(link, joint=jd.Revolute(f"joint{i}", axis="z"), to=to)
system.add(tool, joint=jd.Revolute("wrist", axis="z"), to="link2.tip")
system.add(payload, joint=jd.Planar("drift"))
system.add(jd.Beam("antenna", 5.0, mass_per_length=10.0, EA=1e8, EI=5e3, GJ=1e4, **beam), to="payload.corner",
           joint=jd.Revolute("hinge", axis="z"), rotation=(np.cos(np.pi / 16), 0, 0, np.sin(np.pi / 16)))  # fmt: skip
system.contact("touch", tool.surface("tips"), payload.surface("face"), normal=jd.contact.MultiplierContact(),
               friction=jd.CoulombFriction(static=0.2, kinetic=0.15))  # fmt: skip
for name in grapples:
    grapple = jd.constraints.Spring(f"{name} grapple", stiffness=5e4, damping=4e4, length=0.0)
    system.connect(grapple, f"tool.{name}", f"payload.{name}", active=False)
system.connect(jd.Weld("latch"), "tool.port", "payload.port", active=False)
model = system.compile()
pose = {"joint1": np.radians(67.3), "joint2": np.radians(45.4), "wrist": FACING - np.radians(202.7)}
rates = {"joint1": np.radians(0.911), "joint2": np.radians(-1.82), "wrist": np.radians(0.911)}
away = REACH + APOTHEM / np.cos(OFF) + 0.25 * np.tan(OFF) + 1e-6
x, y, _ = model.pose("tool.origin", model.state(pose)).position + away * np.array([np.cos(FACING), np.sin(FACING), 0])
state = model.state(pose | {"drift": (x, y, FACING - np.pi / 2 + OFF)}, rates)
engage = tuple(f"{name} grapple" for name in grapples)
events = [jd.Event(when=("touch", "touches"), connect=engage, name="grapples"),
          jd.Event(at=LATCH, connect="latch", disconnect=engage, name="latch")]  # fmt: skip
run = jd.simulate(model, state, until=0.02, step=STEP, method="generalized-alpha", events=events)
# what still vibrates in tool and payload is not resolved by steps of 10 ms
after = jd.simulate(run.model_at(), run.states[-1], until=0.02 + UNTIL, step=0.01, method="generalized-alpha",
                    output=0.1, energy_tolerance=0.1)  # fmt: skip
touch, side = run.contact["touch"], tool.nodes[run.contact["touch"].nodes, 0]
chosen = {"left": side < 0, "right": side > 0}
fingers = {name: np.linalg.norm(touch.forces[:, nodes].sum("node"), axis=1) for name, nodes in chosen.items()}
impacts = {name: run.record.time[1:][(force[1:] > 0) & (force[:-1] == 0)] for name, force in fingers.items()}
distance, energy = np.hypot(after.q["drift.x"], after.q["drift.y"]), after.record.energy[:, :4].sum(axis=1)
print("impacts [s]:", impacts, *(f"{event.name} at {event.time:.4g} s;" for event in run.events))

fig, (left, right) = plt.subplots(1, 2, figsize=(10, 3.6), layout="constrained")
for name, force in fingers.items():
    left.plot(1e3 * run.time, 1e-3 * force, label=f"{name} finger")
left.set(xlabel="time [ms]", ylabel="force [kN]", title="on the fingers", xlim=(0, 1e3 * LATCH))
left.legend()
turned, bent = np.degrees(after.q["drift.angle"] - after.q["drift.angle"][0]), np.degrees(after.q["joint2"])
right.plot(after.time, np.stack([bent, 10 * turned, 10 * (distance - distance[0])], axis=1))
right.set(xlabel="time [s]", title="after the capture")
right.legend(["elbow [deg]", "payload [0.1 deg]", "its way out [0.1 m]"])
plt.show()
