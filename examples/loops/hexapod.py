"""
Forward and inverse kinematics of a hexapod
===========================================

Six legs that change their lengths carry a platform. From the platform to the legs is a matter of six distances; the
other way has up to forty answers, and position analysis follows the one that the machine is in. The forces of the
legs come with it: for light legs they are those that balance the platform alone.
"""

import matplotlib.pyplot as plt
import numpy as np
from machines import HEXAPOD, hexapod, hexapod_points, leg_forces

import jourdain as jd

base, top = hexapod_points()
home = np.array([0.0, 0.0, HEXAPOD["height"]])
rest = np.linalg.norm(top + home - base, axis=1)
times = np.linspace(0.0, 2.0, 81)


def pose(t):
    """The platform's place and rotation on its path."""
    w = np.pi * t
    position = home + [0.08 * np.sin(w), 0.08 * (1.0 - np.cos(w)), 0.05 * np.sin(2.0 * w)]
    a = 0.2 * np.sin(w)
    return position, np.array([[np.cos(a), 0, np.sin(a)], [0, 1, 0], [-np.sin(a), 0, np.cos(a)]])


def lengths(t):
    position, turn = pose(t)
    return np.linalg.norm(top @ turn.T + position - base, axis=1) - rest


wanted = np.array([lengths(t) for t in times])
drivers = {f"leg{i}": wanted[:, i] for i in range(6)}

# %%
# The platform goes where it was wanted, though the analysis knows the legs only.

light = hexapod(mass=1e-6).compile()
found = jd.mechanism.positions(light, drivers, times, reactions=True)
off = max(np.linalg.norm(light.pose("platform.origin", q).position - pose(t)[0]) for q, t in zip(found.q, times))

# %%
# Six forces along the legs and the platform's weight and inertia: Newton and Euler on one body.

middle = range(10, 71, 10)
forces = np.array([leg_forces(light, found.state(i), found.a[i]) for i in middle])
agree = np.max(np.abs(forces - found.effort[list(middle)]) / np.max(np.abs(forces)))

# %%
# Legs of 1 kg a half take more.

heavy = jd.mechanism.positions(hexapod(mass=1.0).compile(), drivers, times, reactions=True)

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.4), layout="constrained")
left.remove()
left = figure.add_subplot(1, 2, 1, projection="3d")
for i in (0, 20, 40, 60):
    position, turn = pose(times[i])
    corners = top @ turn.T + position
    for k in range(6):
        left.plot(*np.stack([base[k], corners[k]]).T, color="C0", lw=1, alpha=0.3 + 0.01 * i)
    left.plot(*np.vstack([corners, corners[:1]]).T, color="C1", alpha=0.3 + 0.01 * i)
left.set(xlabel="x [m]", ylabel="y [m]", zlabel="z [m]", title=f"on its path to {off:.0e} m")
for k in range(6):
    right.plot(times, found.effort[:, k], color=f"C{k}", label=f"leg {k}")
    right.plot(times, heavy.effort[:, k], "--", color=f"C{k}", lw=0.8)
right.set(xlabel="time [s]", ylabel="force of the leg [N]", title="light legs, and (dashed) legs of 2 kg")
right.legend(frameon=False, ncols=2)
plt.show()
