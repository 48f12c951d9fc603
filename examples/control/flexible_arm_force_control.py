"""
Force control of a flexible arm on a payload
============================================

Section 6.5 of S.-W. Kim's thesis (McGill 1999), in a reduced form: an arm of two flexible links on a spacecraft comes
up to a payload of 35 t, touches it, presses with 15 N and slides 0.5 m along its face. The tip is to behave as 80 kg on
a damper and a spring; its position is computed from the joints alone, so that the links' bending is not seen and takes
part of the force. A slow integral, the thesis's equation 6.9 applied all the time, gives it back. The regulator of the
vibrations, designed by singular perturbation, changes little: the impedance already feeds back rates through the
inertia of a rigid arm, far more than the joints feel at the links' frequencies.
"""

import matplotlib.pyplot as plt
import numpy as np

import jourdain as jd

LENGTH, START = 8.13, {"joint1": np.radians(30), "joint2": np.radians(120)}
ELBOW = 2 * np.arccos(np.hypot(0.5, 8.8175) / (2 * LENGTH))
FINAL = {"joint1": np.arctan2(8.8175, 0.5) - ELBOW / 2, "joint2": ELBOW}


def arm(name):
    system = jd.System(name)
    craft = jd.RigidBody("craft", mass=1e5, inertia=(8e5, 8e5, 8e5), frames={"shoulder": (1, 0, 0)})
    system.add(craft, joint=jd.Revolute("attitude", axis="z"))
    for i, to in ((1, "craft.shoulder"), (2, "link1.tip")):
        shape = {"modes": jd.Modes(bending_y=1), "basis": "clamped-free", "damping": 0.01}
        link = jd.Beam(f"link{i}", LENGTH, mass_per_length=163 / LENGTH, EA=1e8, EI=88.1e3, GJ=1e5, **shape)
        system.add(link, joint=jd.Revolute(f"joint{i}", axis="z"), to=to)
    system.add(jd.RigidBody("tip", mass=2.3), joint=jd.Weld("grip"), to="link2.tip")
    return system


plant, control = arm("arm and payload"), arm("arm").compile()
payload = jd.RigidBody("payload", mass=35530.0, inertia=(1.01e6, 1.01e6, 1.01e6))
plant.add(payload, joint=jd.Planar("drift", normal="z"), position=(1, 8.63, 0))
face = jd.Plane((0, -1, 0), offset=-0.05).at("payload.origin")
plant.contact("touch", jd.Sphere(0.05).at("tip.origin"), face, normal=jd.contact.LinearContact(stiffness=5e4))
plant = plant.compile()

# %%
# The reference moves with the payload. What force is wanted shifts it on by force / stiffness, 0.1875 m in the end.

ends = ((0, -0.5, 0), (0, 0.002, 0), (0, 0, 0), (0.5, 0, 0))  # 2 mm behind the face: a deliberate small impact
legs = zip(ends[:-1], ends[1:], (6.0, 8.0, 6.0))
path = jd.control.Sequence(*(jd.control.Line(here, there, duration=time) for here, there, time in legs))
task = {"directions": "xy", "contact": "touch", "frame": "payload.origin", "start": START}
task["force"] = {"y": jd.Cycloid(to=15.0, duration=8.0, start=6.0)}


def simulate(**more):
    slow = jd.control.Impedance(control, "tip.origin", 80.0, 100.0, 80.0, path, **task, **more)
    both = jd.control.Composite(slow, Q=1.0, R=0.01, scale=1e4, schedule=[FINAL])  # gains of the final pose
    return jd.simulate(plant, plant.state(START), until=35.0, step=1e-3, method="rk4", output=0.01, controller=both)


integral = {"correction": 0.3, "correction_from": 14.0, "correction_limit": 0.1}
runs = {"as designed": simulate(), "with the integral": simulate(**integral)}
force = {name: -run.contact["touch"].force.values[:, 1] for name, run in runs.items()}
held = {name: float(values[-1]) for name, values in force.items()}
run, time = runs["with the integral"], runs["with the integral"].time.values
bent = [float(run.q[f"link{i}.bending_y[0]"][-1]) for i in (1, 2)]

fig, (top, middle, bottom) = plt.subplots(3, 1, figsize=(9, 8), sharex=True, layout="constrained")
for name, values in force.items():
    top.plot(time, values, linewidth=1.2, label=f"{name}: {held[name]:.2f} N held")
x = np.clip((time - 6) / 8, 0, 1)
top.plot(time, 15 * (x - np.sin(2 * np.pi * x) / (2 * np.pi)), "k:", linewidth=0.8, label="wanted")
top.set(ylabel="[N]", title=f"force on the payload; the impacts reach {values.max():.0f} N", ylim=(-1, 24))
top.legend(loc="lower right", fontsize=8)
for name in ("link1", "link2"):
    middle.plot(time, 1e3 * run.q[f"{name}.bending_y[0]"], label=name)
middle.set(ylabel="[mm]", title="deflection of the links' tips")
for name in ("joint1", "joint2", "attitude"):
    bottom.plot(time, run.effort[name], linewidth=1.0, label=name)
bottom.set(xlabel="time [s]", ylabel="[N m]", title="torques")
for panel in (middle, bottom):
    panel.legend(fontsize=8)
plt.show()
