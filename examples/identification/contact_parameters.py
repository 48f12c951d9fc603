"""
Contact parameters from a noisy record
======================================

An aluminium ball on an aluminium plate, pressed, dragged and lifted by a robot: the experiment of Gonthier 2007, 5.1.4,
with its stiffness, restitution and coefficients of friction, its noise of 2 um and 1 N, and bristles soft enough for
2 um to show. At 300 N, 2 um make 8 N, so the motion is an unknown of the fit as the parameters are. The first record
has everything. The second never slides: it shows the bristles, and says that it shows nothing of the rest.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.integrate import cumulative_trapezoid

import jourdain as jd
from jourdain.contact import ContactRecord, identify_contact, identify_friction

truth = {"stiffness": 2.5413e8, "restitution": 0.85, "static": 0.16, "kinetic": 0.10, "stribeck": 1e-2, "dwell": 0.3}
truth |= {"bristle_stiffness": 4e3, "bristle_damping": 40.0}
PRESS = [(0.1, 0.3, -2.05e-3), (2.9, 2.95, 1e-3), (3.4, 3.43, -2e-3), (8.0, 8.4, 1e-3)]
WIGGLE = [(0.9, 1.1, 1.5e-4), (1.4, 1.6, -1.5e-4)]
SLIDE = [(1.9, 2.3, 6e-3), (2.3, 2.7, 4e-2), (3.2, 3.6, -4e-2), (4.1, 4.5, 8e-3), (4.5, 4.8, 4e-2)]
SLIDE += [(6.1, 6.4, 1.2e-2), (6.4, 6.8, -4e-2), (7.2, 7.7, 1e-2)]


def profile(start, pieces):
    """Pieces of constant speed (from, to, speed), each reached in 0.3 s."""
    t = np.linspace(0.0, 9.0, 18001)
    speed = np.zeros_like(t)
    for begin, end, v in pieces:
        for at, change in ((begin, v), (end, -v)):
            x = np.clip((t - at) / 0.3, 0.0, 1.0)
            speed += change * (x - np.sin(2 * np.pi * x) / (2 * np.pi))
    return jd.Table(t[::20], start + cumulative_trapezoid(speed, t, initial=0.0)[::20])


rig = jd.System("rig", gravity=(0.0, 0.0, 0.0))
rig.add(jd.RigidBody("carriage", mass=1.0, inertia=(1, 1, 1)), joint=jd.Prismatic("drag", axis="x"))
ball = jd.RigidBody("ball", mass=1.0, inertia=(1, 1, 1))
rig.add(ball, joint=jd.Prismatic("press", axis="z"), to="carriage.origin")
normal = jd.HertzContact(stiffness=truth["stiffness"], restitution=truth["restitution"])
friction = jd.BristleFriction(0.16, 0.10, stiffness=4e3, damping=40.0, stribeck=1e-2, dwell=0.3)
plate = jd.Plane((0, 0, 1), offset=-0.05).at("world")
rig.contact("touch", jd.Sphere(0.05).at("ball.origin"), plate, normal=normal, friction=friction)
model = rig.compile()


def record(slides, seed, until=9.0):
    motions = {"press": profile(3e-4, PRESS), "drag": profile(0.0, slides)}
    run = jd.simulate(model, model.state(q={"press": 3e-4}), until=until, step=5e-5, output=2e-3, motions=motions)
    force = run.contact["touch"].force.values
    clean = ContactRecord(run.time.values, run.q["press"].values, force[:, 2], run.q["drag"].values, force[:, 0])
    return clean.noisy(np.random.default_rng(seed))


full = identify_contact(record(WIGGLE + SLIDE, seed=1), profile=False)
partial = identify_friction(record(WIGGLE, seed=2, until=2.6))
print(full, partial, sep="\n\n")
off = {name: (full[name].value - value) / full[name].error for name, value in truth.items()}

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 3.8), layout="constrained")
channel = full.channels[3]
left.plot(full.time, channel.measured, ".", markersize=2, color="0.6", label="measured")
left.plot(full.time, channel.fitted, label="fitted")
left.set(xlabel="time [s]", ylabel="tangential force [N]", title="slides and breakaways")
left.legend()
relative = [100 * full[name].error / value for name, value in truth.items()]
right.errorbar(np.array(list(off.values())) * relative, list(off), xerr=1.96 * np.array(relative), fmt="o", capsize=3)
right.axvline(0.0, color="k", linewidth=0.8)
right.set(xlabel="estimate less truth, with 95 % intervals [%]", title="what the record says")
plt.show()
