"""
Force accommodation of an arm that presses on a plate
=====================================================

Gonthier's experiment pressed a half-sphere of aluminium on a plate with a hydraulic arm under force accommodation:
beyond a dead band of 10 N the commanded velocity yields by 1 mm/s for each 10 N. So a command of 2 mm/s into the
plate must end at 30 N. Here a two-joint arm stands in for the robot, with the contact parameters identified there
(Gonthier 2007, Table 5.4): down at 2 mm/s, along the plate at 10 mm/s from 2.5 s on, up at 1 mm/s from 4 s on.
"""

import math

import matplotlib.pyplot as plt
import numpy as np

import jourdain as jd

UPPER, FORE, STIFFNESS, LOAD = 1.0, 0.8, 2.5413e8, 30.0
START = (0.9, -1.4)  # [rad]

arm = jd.System("stand-in arm")  # in the horizontal plane
for name, length, mass, to in (("upper", UPPER, 40.0, "world"), ("fore", FORE, 25.0, "upper.tip")):
    across = mass * length**2 / 12
    link = jd.RigidBody(name, mass, (length / 2, 0, 0), (0.5, across, across), frames={"tip": (length, 0, 0)})
    arm.add(link, joint=jd.Revolute(f"{name}_joint", axis="z"), to=to)
plate = UPPER * math.sin(START[0]) + FORE * math.sin(sum(START)) - 0.03 - 0.002  # 2 mm below the tip
arm.contact(
    "plate",
    jd.Sphere(0.03).at("fore.tip"),
    jd.Plane((0, 1, 0), plate).at("world"),
    normal=jd.HertzContact(stiffness=STIFFNESS, restitution=0.85, slow_speed=1e-3),
    friction=jd.BristleFriction(0.16, 0.10, stiffness=1e5 / LOAD, damping=300.0 / LOAD, stribeck=0.1, dwell=0.01),
)
model = arm.compile()


@jd.law(states=3, contacts=("plate",))
def accommodate(t, q, v, z, s, p, effort, dz):
    """The reference moves by z[0], z[1] at the commanded velocity, which yields to the filtered force z[2]."""
    one, two = START[0] + z[0], START[1] + z[1]
    dz[2] = (s[1] - z[2]) / 0.01
    x = 0.010 if 2.5 < t < 4.0 else 0.0
    y = (-0.002 if t < 4.0 else 0.001) + max(z[2] - 10.0, 0.0) * 1e-4
    b, d = -FORE * math.sin(one + two), FORE * math.cos(one + two)
    a, c = b - UPPER * math.sin(one), d + UPPER * math.cos(one)
    dz[0], dz[1] = (d * x - b * y) / (a * d - b * c), (a * y - c * x) / (a * d - b * c)
    effort[0] += p[0] * (one - q[0]) + p[1] * (dz[0] - v[0])
    effort[1] += 0.3 * (p[0] * (two - q[1]) + p[1] * (dz[1] - v[1]))


run = jd.simulate(model, model.state(q=START), until=5.0, step=1e-4, output=5e-3, controller=accommodate(2e6, 2e4))

# %%
# Depth and force agree with the law; friction stays near its static value, for 10 mm/s is a tenth of Stribeck's speed.
time, touch = run.record.time, run.contact["plate"]
force = touch.force.values
pressed = force[np.searchsorted(time, 2.4), 1]
depth = float(touch.depth.values[np.searchsorted(time, 2.4)])
rubbed = -force[np.searchsorted(time, 3.9), 0]
balance = run.energy.error

fig, (upper, lower) = plt.subplots(2, 1, figsize=(8, 6), sharex=True, layout="constrained")
upper.plot(time, force[:, 1], label="into the plate")
upper.plot(time, -force[:, 0], label="along it")
upper.set(ylabel="force [N]")
upper.legend(fontsize=8)
lower.plot(time, 1e6 * touch.depth)
lower.set(xlabel="time [s]", ylabel="depth [um]")
plt.show()
