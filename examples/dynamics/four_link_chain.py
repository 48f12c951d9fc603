"""
Recursive and Lagrangian equations of a chain of four links
===========================================================

A planar chain of four revolute joints falls under gravity. The recursion over its bodies never forms the equations that
Lagrange would write down; here they are written down, in absolute angles, and integrated by another program. (The data
are ours: uniform links that get shorter and lighter outwards.)
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.integrate import solve_ivp

import jourdain as jd

LENGTH, MASS, G = np.array([1.0, 0.8, 0.6, 0.5]), np.array([4.0, 3.0, 2.0, 1.0]), 9.81
N = len(LENGTH)

chain = jd.System("4R chain", gravity=(0, -G, 0))
for i, (l, m) in enumerate(zip(LENGTH, MASS)):
    inertia = m * l**2 / 12
    link = jd.RigidBody(f"link{i}", mass=m, com=(l / 2, 0, 0), inertia=(0, inertia, inertia), frames={"tip": (l, 0, 0)})
    chain.add(link, joint=jd.Revolute(f"q{i}", axis="z"), to=f"link{i - 1}.tip" if i else "world")
model = chain.compile()

# %%
# Lagrange in absolute angles f: sum_j A_ij cos(f_i - f_j) f_j'' + A_ij sin(f_i - f_j) f_j'^2 + B_i g cos f_i = 0.

outboard = np.array([MASS[i + 1 :].sum() for i in range(N)])
A = np.array(
    [[(outboard[max(i, k)] + MASS[max(i, k)] / 2) * LENGTH[i] * LENGTH[k] for k in range(N)] for i in range(N)]
)
A[np.diag_indices(N)] = (outboard + MASS / 3) * LENGTH**2
B = (outboard + MASS / 2) * LENGTH


def lagrange(f, df):
    """Accelerations of the absolute angles."""
    between = f[:, None] - f
    return np.linalg.solve(A * np.cos(between), -(A * np.sin(between)) @ df**2 - B * G * np.cos(f))


rng = np.random.default_rng(4)
residual = 0.0
for q, v in rng.normal(size=(100, 2, N)):
    absolute = lagrange(np.cumsum(q), np.cumsum(v))
    recursion = np.cumsum(model.forward_dynamics(model.state(q, v)))
    residual = max(residual, np.max(np.abs(recursion - absolute)) / np.max(np.abs(absolute)))

# %%
# The same motion twice, from the chain held out straight.

run = jd.simulate(model, model.state(), until=4.0, output=0.01, rtol=1e-12, atol=1e-12)
other = solve_ivp(
    lambda t, y: np.concatenate([y[N:], lagrange(y[:N], y[N:])]),
    (0, 4), np.zeros(2 * N), method="DOP853", t_eval=run.record.time, rtol=1e-12, atol=1e-12,
)  # fmt: skip
apart = np.max(np.abs(np.cumsum(run.record.q, axis=1) - other.y[:N].T), axis=1)
energy = np.abs(run.energy["total"].values - run.energy["total"].values[0])

figure, (view, errors) = plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
points = np.stack([run.frame(f"link{i}.{f}").position.values[:, :2] for i in range(N) for f in ("origin", "tip")])
view.plot(*points[-1].T, color="C1", lw=0.8, label="tip")
for i in range(0, 101, 10):
    view.plot(*points[:, i].T, "-o", color="C0", alpha=0.2 + 0.008 * i, lw=1.5, ms=3)
view.set(aspect="equal", xlabel="x [m]", ylabel="y [m]", title="the first second, every 0.1 s; path of the tip")
errors.semilogy(run.time[1:], apart[1:], label="angles: recursion less Lagrange [rad]")
errors.semilogy(run.time[1:], energy[1:] + 1e-17, label="change of the total energy [J]")
errors.set(xlabel="time [s]", ylim=(1e-15, 1e-5), title=f"accelerations agree to {residual:.0e}")
errors.legend(frameon=False, loc="upper left")
plt.show()
