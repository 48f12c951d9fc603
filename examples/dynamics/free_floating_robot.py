"""
Attitude change of a free-floating robot (nonholonomic)
=======================================================

A satellite with a two-link arm floats in a plane. Its arm goes round a closed loop in joint space and comes back to
where it was, but the satellite does not: the momentum is zero all along, and yet the attitude has changed. The
angle depends on the loop alone, not on how fast it is gone through. It is compared with a line integral of the momentum
equation. (The data are ours: a 100 kg satellite and links of 1 m and 10 kg.)
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.integrate import quad

import jourdain as jd

M, J, MOUNT, m, j = 100.0, 20.0, 0.5, 10.0, 10.0 / 12.0

robot = jd.System("planar free-floater")
satellite = jd.RigidBody("satellite", mass=M, inertia=(J, J, J), frames={"mount": (MOUNT, 0, 0)})
robot.add(satellite, joint=jd.Planar("base"))
link = {"mass": m, "com": (0.5, 0, 0), "inertia": (0.01, j, j), "frames": {"tip": (1.0, 0, 0)}}
robot.add(jd.RigidBody("upper", **link), joint=jd.Revolute("shoulder"), to="satellite.mount")
robot.add(jd.RigidBody("fore", **link), joint=jd.Revolute("elbow"), to="upper.tip")
model = robot.compile()


def loop(s):
    """The closed loop in joint space, once round as s goes from 0 to 1, and its derivative."""
    c, s = np.cos(2 * np.pi * s), np.sin(2 * np.pi * s)
    return np.array([1.0 - c, 0.5 + 1.2 * s]), 2 * np.pi * np.array([s, 1.2 * c])


# %%
# Three times round, 20 s each, at rest at the ends of each round. A table is a spline; steps that end on its knots
# keep the order of the method.

x = np.linspace(0, 1, 161)
rounds = np.concatenate([i + x[:-1] - np.sin(2 * np.pi * x[:-1]) / (2 * np.pi) for i in range(3)] + [[3.0]])
times, path = 20.0 * np.linspace(0, 3, len(rounds)), np.array([loop(s)[0] for s in rounds])
motions = {"shoulder": jd.Table(times, path[:, 0]), "elbow": jd.Table(times, path[:, 1])}
run = jd.simulate(model, model.state(q={"elbow": 0.5}), 60.0, step=0.025, method="rk5", output=0.25, motions=motions)
attitude = run.q["base.angle"].values
turned = attitude[80]
momentum = np.max(np.abs([np.concatenate(model.momentum(run.state(i))) for i in range(len(run))]))

# %%
# Independently: about the common centre of mass L = D(q) theta' + h(q, q') = 0, so theta' = -h / D, with all places
# and velocities as seen from the satellite.


def attitude_rate(s):
    (a, b), (da, db) = loop(s)
    along = np.array([[np.cos(a), np.sin(a)], [np.cos(a + b), np.sin(a + b)]])
    across = np.array([[-np.sin(a), np.cos(a)], [-np.sin(a + b), np.cos(a + b)]]) * [[da], [da + db]]
    r = np.array([[0, 0], [MOUNT, 0] + along[0] / 2, [MOUNT, 0] + along[0] + along[1] / 2])
    u = np.array([[0, 0], across[0] / 2, across[0] + across[1] / 2])
    masses = np.array([M, m, m])
    r, u = r - masses @ r / masses.sum(), u - masses @ u / masses.sum()
    D = J + 2 * j + masses @ np.sum(r**2, axis=1)
    return -(j * da + j * (da + db) + masses @ (r[:, 0] * u[:, 1] - r[:, 1] * u[:, 0])) / D


predicted = quad(attitude_rate, 0, 1, epsabs=1e-12)[0]

figure, (view, history) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained", width_ratios=(1.1, 1))
square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1], [-1, -1]]) * MOUNT
for k, i in enumerate((0, 30, 50, 240)):
    box = model.pose("satellite.origin", run.state(i)).apply(np.column_stack([square, np.zeros(5)]))
    arm = np.array([model.pose(f, run.state(i)).position for f in ("satellite.mount", "fore.origin", "fore.tip")])
    view.plot(box[:, 0], box[:, 1], color=f"C{k}")
    view.plot(arm[:, 0], arm[:, 1], "-o", color=f"C{k}", ms=3, label=f"{run.record.time[i]:g} s")
view.set(aspect="equal", xlabel="x [m]", ylabel="y [m]", title="during the first round, and after three")
view.legend(frameon=False)
history.plot(run.time, np.degrees(attitude), label="simulated attitude")
history.plot(20 * np.arange(4), np.degrees(predicted) * np.arange(4), "ko", label="line integral of the momentum")
history.set(xlabel="time [s]", ylabel="attitude of the satellite [deg]", title=f"{np.degrees(turned):.3f} deg a round")
history.legend(frameon=False)
plt.show()
