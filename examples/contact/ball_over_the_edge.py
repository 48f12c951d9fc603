"""
Rolling and slipping over the edge of a table
=============================================

A spinning ball of 2 kg falls on a table, bounces twice, rolls ever slower, and creeps over the edge (Gonthier 2007,
section 5.2.1). Contact is volumetric: rolling resistance, the friction that stops the spin and the normal that tilts
over the edge come out of the overlap of ball and table; no parameter belongs to them.
"""

import matplotlib.pyplot as plt
import numpy as np

import jourdain as jd

system = jd.System("ball on a table", gravity=(0, 0, -9.81))
system.add(jd.RigidBody("ball", mass=2.0, inertia=(0.008, 0.008, 0.008)), joint=jd.Free("free"))
system.contact(
    "touch",
    jd.Sphere(0.1).at("ball.origin"),
    jd.shapes.Edge((0, 0, 1), (0, 1, 0)).at("world", position=(0, 0.3, 0)),
    normal=jd.VolumetricContact(stiffness=1e7, restitution=0.5, slow_speed=1e-3, relaxation=1.0, normal="inertia"),
    friction=jd.BristleFriction(0.08, 0.05, stiffness=1e5, damping=np.sqrt(1e5), stribeck=1e-3, dwell=0.3),
)
model = system.compile()
state = model.state(q={"free": jd.Pose((0, 0, 0.2))}, v={"free": (0, 0, 3.0, 0, 0.3, 0)})
run = jd.simulate(model, state, until=4.6, method="rk3", step=5e-5, output=1e-3)

# %%
# The spin decays evenly, the rolling exponentially. What the patch has taken up is not all that it gives back at the
# edge: the rest is a named term of the energy balance.
time, ball, touch = run.record.time, run.frame("ball.origin"), run.contact["touch"]
speed, spin = ball.velocity.values[:, 1], ball.angular_velocity.values[:, 2]
tilt = np.degrees(np.arccos(np.clip(touch.patch.normal.values[:, 2], -1, 1)))
landed = float(speed[np.searchsorted(time, 0.35 - 1e-9)])
stops = float(time[np.argmax(np.abs(spin) < 0.02)])  # all but stopped
leaves = float(time[np.flatnonzero(touch.sites.values > 0)[-1]])
remained = float(touch.remained[-1])
balance = run.energy.error

fig, (left, middle, right) = plt.subplots(1, 3, figsize=(12, 4), layout="constrained")
left.plot(time, speed, label="speed [m/s]")
left.plot(time, spin / 10, label="spin / 10 [rad/s]")
left.set(xlabel="time [s]", ylim=(-0.05, 0.55))
left.legend(fontsize=8)
middle.plot(ball.position.values[:, 1], tilt)
middle.set(xlabel="y [m]", ylabel="tilt of the normal [degrees]")
right.plot(time, run.energy["total"], label="total")
right.plot(time, run.energy["dissipated"], label="dissipated")
right.set(xlabel="time [s]", ylabel="energy [J]")
right.legend(fontsize=8)
plt.show()
