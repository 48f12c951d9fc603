"""
A four-bar with its loop cut at three joints
============================================

A loop is a tree that is closed again by a constraint. Where it is cut is a matter of taste: the motion must be the
same, and the force that the constraint carries is the force in the joint that was cut. The data and the numbers after
one second are those of a digest of Aghili & Piedboeuf's paper, computed there in minimal coordinates.
"""

import matplotlib.pyplot as plt
import numpy as np
from machines import four_bar, four_bar_start

import jourdain as jd

# %%
# The loop is cut between coupler and rocker, at the rocker's ground pivot, and at the crank's.

runs = {}
for cut in ("pin", "rocker", "crank"):
    model = four_bar(cut).compile()
    runs[cut] = jd.simulate(model, four_bar_start(model), until=2.0, rtol=1e-11, atol=1e-12, output=0.005)


def angle(run, body):
    """Absolute angle of a body about z, continuous."""
    w, _, _, z = run.frame(f"{body}.origin").quaternion.values.T
    return np.unwrap(2.0 * np.arctan2(z, w))


at = 200  # one second
crank = {cut: angle(run, "crank") for cut, run in runs.items()}
speed = float(runs["pin"].v["crank_angle"][at])
coupler, rocker = angle(runs["pin"], "coupler")[at], angle(runs["pin"], "rocker")[at]
apart = max(np.max(np.abs(crank[cut] - crank[cut][0] - crank["pin"] + crank["pin"][0])) for cut in runs)

# %%
# The forces of the ground, and the energy, which the paper's method keeps and so must ours.

on_crank = runs["crank"].constraint["pin"].force.values[at]
on_rocker = runs["rocker"].constraint["pin"].force.values[at]
energy = float(runs["pin"].energy["total"][at])
drift = np.ptp(runs["pin"].energy["total"].values)
gap = np.max(np.abs(runs["pin"].constraint["pin"].gap.values))

figure, (view, history) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained", width_ratios=(1, 1.2))
run = runs["pin"]
frames = ("crank.origin", "coupler.origin", "coupler.tip", "rocker.origin")
points = np.stack([run.frame(frame).position.values[:, :2] for frame in frames])
for i in range(0, 200, 20):
    view.plot(*points[:, i].T, "-o", color="C0", alpha=0.2 + 0.004 * i, lw=1.5, ms=3)
view.plot(*points[2].T, color="C1", lw=0.8)
view.set(aspect="equal", xlabel="x [m]", ylabel="y [m]", title="the first second, every 0.1 s")
for cut in ("crank", "rocker"):
    force = runs[cut].constraint["pin"].force.values
    history.plot(runs[cut].time, np.hypot(force[:, 0], force[:, 1]), label=f"ground on {cut}")
history.plot(1.0, np.hypot(-2.40180, 4.00815), "ko", ms=4, label="digest")
history.plot(1.0, np.hypot(-2.55988, 8.91096), "ko", ms=4)
history.set(xlabel="time [s]", ylabel="force [N]", title=f"three cuts agree to {apart:.0e} rad")
history.legend(frameon=False)
plt.show()
