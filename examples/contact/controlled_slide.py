"""
Sliding along a payload under impedance control
===============================================

Section 6.5 of S.-W. Kim's thesis (McGill 1999) with bodies that deform: the flexible arm comes up to a payload of 35 t,
touches it after 5.3 s, presses with 15 N and slides 0.5 m along its face. The tool, here a round pad of 2.3 kg (0.1
MPa), and the payload, an octagon of the right mass and inertia (7 MPa), are finite elements that touch by multipliers,
with friction (0.2 at rest, 0.15 sliding). The impedance is that of 80 kg, 100 N s/m and 80 N/m, its tip computed from
the joints alone; a slow integral, the thesis's equation 6.9 applied all the time, makes up for the bending of the
links. Where it sticks, the force swings about 15 N. `examples/control/flexible_arm_force_control.py` has a rigid ball
on a smooth plane.
"""

import matplotlib.pyplot as plt
import numpy as np

import jourdain as jd

LENGTH, BALL, RADIUS, STEP, UNTIL = 8.13, 0.05, 7.934, 2e-3, 35.0
START, APOTHEM = {"joint1": np.radians(30), "joint2": np.radians(120)}, RADIUS * np.cos(np.pi / 8)
ELBOW = 2 * np.arccos(np.hypot(0.5, 8.8175) / (2 * LENGTH))
FINAL = {"joint1": np.arctan2(8.8175, 0.5) - ELBOW / 2, "joint2": ELBOW}

corners = RADIUS * np.exp(1j * (np.pi / 8 + np.pi / 4 * np.arange(8)))
octagon = jd.mesh.polygon(np.stack([corners.real, corners.imag], axis=1), size=0.7).moved((0.0, APOTHEM + BALL))
option = {"plane": "stress", "thickness": 1.0, "element": "linear", "damping": 0.01}
pad = jd.Solid("tip", jd.mesh.disc(BALL, 8, 3), jd.Material(E=1e5, nu=0.3, density=2.3 / (np.pi * BALL**2)),
               masters="rim", modes=4, surfaces={"rim": lambda x: np.hypot(*x[:2]) > 0.999 * BALL},
               **option)  # fmt: skip
payload = jd.Solid("payload", octagon, jd.Material(E=7e6, nu=0.3, density=35530.0 / (8**0.5 * RADIUS**2)),
                   masters="face", modes=6, surfaces={"face": lambda x: x[1] < BALL + 1e-6}, **option)  # fmt: skip


def arm(tip):
    system = jd.System("arm")
    craft = jd.RigidBody("craft", mass=1e5, inertia=(8e5, 8e5, 8e5), frames={"shoulder": (1, 0, 0)})
    system.add(craft, joint=jd.Revolute("attitude", axis="z"))
    for i, to in ((1, "craft.shoulder"), (2, "link1.tip")):
        link = jd.Beam(f"link{i}", LENGTH, mass_per_length=163 / LENGTH, EA=1e8, EI=88.1e3, GJ=1e5, damping=0.01,
                       modes=jd.Modes(bending_y=1), basis="clamped-free")  # fmt: skip
        system.add(link, joint=jd.Revolute(f"joint{i}", axis="z"), to=to)
    system.add(tip, joint=jd.Weld("grip"), to="link2.tip")
    return system


plant, control = arm(pad), arm(jd.RigidBody("tip", mass=2.3)).compile()
plant.add(payload, joint=jd.Planar("drift", normal="z"), position=(1, 8.63, 0))
plant.contact("touch", pad.surface("rim"), payload.surface("face"), normal=jd.contact.MultiplierContact(),
              friction=jd.CoulombFriction(static=0.2, kinetic=0.15))  # fmt: skip
plant = plant.compile()
ends = ((0, -0.5, 0), (0, 0.002, 0), (0, 0, 0), (0.5, 0, 0))  # 2 mm behind the face: a deliberate small impact
legs = zip(ends[:-1], ends[1:], (6.0, 8.0, 6.0))
path = jd.control.Sequence(*(jd.control.Line(here, there, duration=time) for here, there, time in legs))
slow = jd.control.Impedance(control, "tip.origin", 80.0, 100.0, 80.0, path, directions="xy", contact="touch",
                            frame="payload.origin", start=START, force={"y": jd.Cycloid(15.0, 8.0, start=6.0)},
                            correction=0.3, correction_from=14.0, correction_limit=0.1)  # fmt: skip
both = jd.control.Composite(slow, Q=1.0, R=0.01, scale=1e4, schedule=[FINAL])  # gains of the final pose
run = jd.simulate(plant, plant.state(START), until=UNTIL, step=STEP, method="generalized-alpha", output=0.01,
                  controller=both)  # fmt: skip
time, force = run.time.values, -run.contact["touch"].force.values
touched, pressed = time[np.argmax(force[:, 1] > 0)], force[:, 1] > 0
separations, held = int(np.sum(pressed[:-1] & ~pressed[1:])), float(force[time > UNTIL - 10.0, 1].mean())
moved = {name: run.q[f"drift.{name}"].values - run.q[f"drift.{name}"].values[0] for name in ("x", "y", "angle")}
print(f"touches at {touched:.2f} s, lets go {separations} times, {held:.2f} N in the mean of the last 10 s")

fig, (left, right) = plt.subplots(1, 2, figsize=(10, 3.6), layout="constrained")
left.plot(time, force[:, :2], lw=1, label=["on the payload, across its face", "along it"][::-1])
x = np.clip((time - 6) / 8, 0, 1)
left.plot(time, 15 * (x - np.sin(2 * np.pi * x) / (2 * np.pi)), "k:", label="wanted")
left.set(xlabel="time [s]", ylabel="[N]", title=f"force: {held:.2f} N in the end", ylim=(-5, 30))
left.legend()
right.plot(time, np.stack([1e3 * moved["x"], 1e3 * moved["y"], 1e4 * moved["angle"]], axis=1))
right.set(xlabel="time [s]", title="the payload")
right.legend(["x [mm]", "y [mm]", "rotation [0.1 mrad]"])
plt.show()
