"""
A rolling disk
==============

A coin rolls on its edge in a circle, leaning inwards. Rolling binds its velocities and not its place: it has three
degrees of freedom, but can go anywhere. Of one lean and one radius of the track there is one speed at which it keeps
them, by Euler's equations,

    W^2 = m g r sin(b) / (cos(b) (m r (R - r sin b) + C (R / r - sin b) + A sin b))

with b the lean, R the radius of the track, A and C the moments of inertia about a diameter and the axis. Faster than a
critical speed it rolls straight on upright, and wobbles if pushed: that frequency has a formula too.
"""

import matplotlib.pyplot as plt
import numpy as np
from machines import DISK, rolling_disk

import jourdain as jd

r, m = DISK.values()
A, C, g = m * r**2 / 4.0, m * r**2 / 2.0, 9.81
model = rolling_disk().compile()

# %%
# The steady circle. At the start the track's centre is at the origin and the disk touches at (R, 0).

lean, R = np.radians(25.0), 1.0
inner = m * r * (R - r * np.sin(lean)) + C * (R / r - np.sin(lean)) + A * np.sin(lean)
W = np.sqrt(m * g * r * np.sin(lean) / (np.cos(lean) * inner))
axle, up = np.array([np.cos(lean), 0, np.sin(lean)]), np.array([-np.sin(lean), 0, np.cos(lean)])
turn = np.column_stack([np.cross(axle, up), axle, up])
centre = np.array([R, 0.0, 0.0]) + r * up
omega = np.array([0.0, 0.0, W]) - W * R / r * axle
speed = np.array([0.0, W * centre[0], 0.0])
q = {"pose": jd.Pose(centre - [0, 0, r], turn)}
start = model.state(q=q, v={"pose": np.concatenate([turn.T @ omega, turn.T @ speed])})
slip = np.max(np.abs(model.constraints.rate(start)))
period = 2.0 * np.pi / W
run = jd.simulate(model, start, until=2.0 * period, rtol=1e-11, atol=1e-12, output=period / 100)
track = run.frame("disk.origin").position.values
phase = W * run.time.values
circle = centre[0] * np.column_stack([np.cos(phase), np.sin(phase)])
off = np.max(np.abs(track[:, :2] - circle))
energy = np.ptp(run.energy["total"].values)

# %%
# The force of the floor: the weight, and what the circle takes.

force = run.constraint["floor"].force.values
across = np.hypot(force[:, 0], force[:, 1])
centripetal = m * W**2 * centre[0]

# %%
# Straight on and upright, at 1.5 times the critical speed, C (C + m r^2) w^2 = A m g r, the linear model wobbles at the
# frequency of theory (Neimark & Fufaev 1972). For that the pose is in angles: axes that roll with the disk would see
# gravity turn, and a linear model in them is periodic in time.

spin = 1.5 * np.sqrt(A * m * g * r / (C * (C + m * r**2)))
upright = rolling_disk(angles=True).compile()
modes = upright.frequencies(upright.state(v={"spin": spin, "x": spin * r}))
wobble = np.sqrt((C * (C + m * r**2) * spin**2 / A - m * g * r) / (A + m * r**2))

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
left.plot(*track[:, :2].T, label="centre of the disk")
left.plot(R * np.cos(phase), R * np.sin(phase), "k:", lw=0.8, label="track")
a = np.linspace(0.0, 2.0 * np.pi, 40)
rim = r * np.column_stack([np.cos(a), 0.0 * a, np.sin(a)])
for i in range(0, 100, 12):
    left.plot(*model.pose("disk.origin", run.state(i)).apply(rim)[:, :2].T, color="C1", lw=0.8)
left.set(aspect="equal", xlabel="x [m]", ylabel="y [m]", title=f"off the circle by {off:.0e} m after two rounds")
left.legend(frameon=False, loc="center")
right.plot(run.time, force[:, 2], label="upwards")
right.plot(run.time, across, label="sideways")
right.plot(run.time, 0 * across + centripetal, "k--", lw=0.8, label="what the circle takes")
title = f"wobble {modes.hz[0]:.4f} Hz, theory {wobble / 2 / np.pi:.4f}"
right.set(xlabel="time [s]", ylabel="force of the floor [N]", title=title)
right.legend(frameon=False)
plt.show()
