"""
Forty four-bars
===============

The benchmark A02 with N = 40: 81 bars in forty loops, 20 s. The loops share bars with their neighbours only, so that
the system of the multipliers is banded, and the cost grows with the number of loops and not with its cube. No forces
but gravity act: the energy must stay.
"""

import matplotlib.pyplot as plt
import numpy as np
from machines import four_bars, four_bars_start

import jourdain as jd

COUNT, UNTIL = 40, 20.0

model = four_bars(COUNT).compile()
run = jd.simulate(model, four_bars_start(model), until=UNTIL, step=2e-3, method="rk4", output=0.02)
energy = run.energy["total"].values
drift = np.max(np.abs(energy - energy[0]))

# %%
# All bars stay parallel, so that one pendulum of one angle tells the whole truth: (N + 1)/3 + N bars' worth of inertia.

from scipy.integrate import solve_ivp

inertia, weight = (COUNT + 1) / 3.0 + COUNT, 9.81 * ((COUNT + 1) / 2.0 + COUNT)
truth = solve_ivp(
    lambda t, y: [y[1], weight / inertia * np.sin(y[0])],
    (0, UNTIL),
    [0.0, 1.0],
    "DOP853",
    run.time.values,
    rtol=1e-12,
    atol=1e-13,
)
leaning = -run.q["b0"].values
off = np.max(np.abs(leaning - truth.y[0]))

figure, (view, history) = plt.subplots(1, 2, figsize=(11, 3.8), layout="constrained", width_ratios=(1.3, 1))
for k, sample in enumerate((0, 25, 40, 55)):
    tops = np.stack([run.frame(f"bar{i}.tip").position.values[sample, :2] for i in range(6)])
    for i in range(6):
        view.plot([i, tops[i, 0]], [0.0, tops[i, 1]], color=f"C{k}", lw=1.5)
    view.plot(*tops.T, "-o", color=f"C{k}", ms=3, label=f"{float(run.time[sample]):.2g} s")
view.set(aspect="equal", xlabel="x [m]", ylabel="y [m]", ylim=(-1.3, 1.9), title="the first five of forty windows")
view.legend(frameon=False, ncols=4, loc="upper center")
history.semilogy(run.time[1:], np.maximum(np.abs(energy[1:] - energy[0]), 1e-15), label="energy error [J]")
history.semilogy(
    run.time[1:], np.maximum(np.abs(leaning - truth.y[0])[1:], 1e-15), label="angle against one pendulum [rad]"
)
history.set(xlabel="time [s]", title=f"energy kept to {drift:.0e} J of {0.5 * inertia:.0f} J")
history.legend(frameon=False)
plt.show()
