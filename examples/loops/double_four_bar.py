"""
Two four-bars through a singular configuration
==============================================

Five bars of 1 m and 1 kg make two windows. When all lie flat the mechanism has three degrees of freedom instead of one,
and the rows of the loops depend on each other; a method that needs them independent fails there, or leaves on another
branch. The reference after 10 s is that of the IFToMM library of benchmarks (A02, N = 2). The bars stay parallel, so
that one pendulum has the truth; the published digits are off it by 2e-6.
"""

import matplotlib.pyplot as plt
import numpy as np
from machines import four_bars, four_bars_start
from scipy.integrate import solve_ivp

import jourdain as jd

REFERENCE = {"position": (0.3284573768, 0.9445187937), "velocity": (1.423050003, -0.4948670827)}

model = four_bars(2).compile()
start = four_bars_start(model)
run = jd.simulate(model, start, until=10.0, step=5e-4, method="rk4", output=0.005)
top = run.frame("bar0.tip")
position, velocity = top.position.values[-1, :2], top.velocity.values[-1, :2]

# %%
# The pendulum: three bars of inertia 1/3 turn, two of mass 1 go along.

lean = solve_ivp(
    lambda t, y: [y[1], 9.81 * 3.5 / 3.0 * np.sin(y[0])], (0, 10), [0, 1], "DOP853", rtol=1e-13, atol=1e-14
)
angle, rate = lean.y[:, -1]
true = np.array([np.sin(angle), np.cos(angle), rate * np.cos(angle), -rate * np.sin(angle)])
off = np.max(np.abs(np.concatenate([position, velocity]) - true))
published = np.max(np.abs(np.concatenate([REFERENCE["position"], REFERENCE["velocity"]]) - true))
energy = run.energy["total"].values
drift = np.ptp(energy)

# %%
# How near to singular it is: the smallest singular value of the rows that count.

rows = [np.linalg.svd(model.constraints.jacobian(run.state(i)), compute_uv=False) for i in range(0, len(run), 4)]
nearness = np.array([one[3] for one in rows])

# %%
# The curve of closures crosses others in the flat position: pseudo-arclength continuation finds it on the way.

path = jd.mechanism.trace(model, {"b0": jd.Polynomial([0.0, 1.0])}, model.state(), until=2.0)
crossing = path.events[0]

figure, (view, history) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
view.plot(*top.position.values[:, :2].T, lw=0.6, label="top of the first bar")
view.plot(*REFERENCE["position"], "ko", ms=4, label="reference at 10 s")
view.set(aspect="equal", xlabel="x [m]", ylabel="y [m]", title=f"off by {off:.0e} after 10 s")
view.legend(frameon=False, loc="center")
history.semilogy(run.time[::4], nearness, label="smallest singular value of the rows")
history.semilogy(run.time[1:], np.maximum(np.abs(energy[1:] - energy[0]), 1e-16), label="energy error [J]", lw=0.8)
history.set(xlabel="time [s]", title=f"flat at {np.degrees(crossing.time):.6f} deg: {crossing.dofs} degrees of freedom")
history.legend(frameon=False)
plt.show()
