"""
The tippe-top
=============

A top made of two balls spins on the larger one, turns over and goes on spinning on its stem (Gonthier 2007, section
5.2.2). What lifts it is friction at a patch half a millimetre wide. The spinning torque of the thesis's model is
somewhat large, since its Contensou factors are: `contensou="integrated"` integrates friction over the patch instead.
"""

import matplotlib.pyplot as plt
import numpy as np

import jourdain as jd

FRICTION = jd.BristleFriction(0.3, 0.3, stiffness=1e5, damping=np.sqrt(1e5), stribeck=1e-3, dwell=0.01)


def top(spin: float, **words) -> jd.Run:
    system = jd.System("tippe-top", gravity=(0, 0, -9.81))
    system.add(jd.RigidBody("top", mass=6e-3, inertia=(8e-7, 8e-7, 7e-7)), joint=jd.Free("free"))
    normal = jd.VolumetricContact(stiffness=1.798e10, restitution=0.975, relaxation=1.0, normal="inertia", **words)
    for name, radius, height in (("body", 0.015, 0.003), ("stem", 0.005, 0.016)):
        ball = jd.Sphere(radius).at("top.origin", position=(0, 0, height))
        system.contact(name, ball, jd.Plane((0, 0, 1)).at("world"), normal=normal, friction=FRICTION)
    model = system.compile()
    c, s = np.cos(0.1), np.sin(0.1)
    tilted = jd.Pose((0, 0, 0.015 - 0.003 * c - 8.34e-6), [[1, 0, 0], [0, c, -s], [0, s, c]])
    state = model.state(q={"free": tilted}, v={"free": (0, 0, spin, 0, 0, 0)})
    return jd.simulate(model, state, until=2.5, step=4e-5, output=1e-3)


def tilt(run: jd.Run) -> np.ndarray:
    x, y = run.q["free.qx"].values, run.q["free.qy"].values
    return np.arccos(np.clip(1.0 - 2.0 * (x**2 + y**2), -1.0, 1.0))


runs = {
    "200 rad/s": top(200.0),
    "185 rad/s, 0.65 of the spinning torque": top(185.0, spin_factor=0.65),
    "185 rad/s, integrated": top(185.0, contensou="integrated"),
}
turned = {name: float(run.record.time[np.argmax(tilt(run) > 0.95 * np.pi)]) for name, run in runs.items()}

# %%
# While it turns over, the spin about the vertical falls: the energy that lifts the top is that of its rotation.
fig, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
for name, run in runs.items():
    left.plot(run.record.time, np.degrees(tilt(run)), label=name)
    right.plot(run.record.time, run.frame("top.origin").angular_velocity.values[:, 2], label=name)
left.set(xlabel="time [s]", ylabel="tilt [degrees]")
right.set(xlabel="time [s]", ylabel="spin about the vertical [rad/s]")
right.legend(fontsize=8)
plt.show()
