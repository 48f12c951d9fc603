"""
A ball that rolls in a cylinder
===============================

A ball of 2 kg falls into a horizontal cylinder, bounces three times, begins to roll and rocks for ever: point contact
has no resistance to rolling, and friction that sticks loses nothing. Given a push along the cylinder it spirals to and
fro, and spins about the vertical too (Gonthier 2007, section 5.1.3).
"""

import matplotlib.pyplot as plt
import numpy as np

import jourdain as jd

RADIUS = 0.1

system = jd.System("ball in a cylinder", gravity=(0, 0, -9.81))
system.add(jd.RigidBody("ball", mass=2.0, inertia=(0.008, 0.008, 0.008)), joint=jd.Free("free"))
along_y = [[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]]
system.contact(
    "touch",
    jd.Sphere(RADIUS).at("ball.origin"),
    jd.Cylinder(1.0, 20.0, inside=True).at("world", position=(0, 0, 1.0), rotation=np.array(along_y)),
    normal=jd.HertzContact(stiffness=1e6, restitution=0.5, slow_speed=1e-3),
    friction=jd.BristleFriction(static=0.45, kinetic=0.4, stiffness=1e5, damping=1e2, stribeck=0.1, dwell=0.01),
)
model = system.compile()
state = model.state(q={"free": jd.Pose((0.3, 0, 0.5))}, v={"free": (0, 0, 0, 0, 0.3, 0)})
run = jd.simulate(model, state, until=8.0)

# %%
# Energy goes in the impacts and stays from then on; the surface speed of the ball is that of its centre.
time, ball = run.record.time, run.frame("ball.origin")
position, spin = ball.position.values, ball.angular_velocity.values
on = run.contact["touch"].sites.values > 0
touchdowns = time[1:][on[1:] & ~on[:-1]]
rolling = time > 1.5
total = run.energy["total"].values
fastest = np.abs(spin[rolling]).max(axis=0)
slip = float(run.contact["touch"].slip.values[rolling].max())
lost = float(total[rolling][0] - total[-1])

fig, (left, middle, right) = plt.subplots(1, 3, figsize=(12, 4), layout="constrained")
left.plot(position[:, 0], position[:, 1])
left.set(xlabel="x [m]", ylabel="y, along the cylinder [m]")
for k, axis in enumerate("xyz"):
    middle.plot(time, spin[:, k], label=f"about {axis}")
middle.set(xlabel="time [s]", ylabel="spin [rad/s]")
middle.legend(loc="lower left", fontsize=8)
right.plot(time, total, label="total")
right.plot(time, run.energy["dissipated"], label="dissipated")
right.set(xlabel="time [s]", ylabel="energy [J]")
right.legend(fontsize=8)
plt.show()
