"""
The spatial slider-crank in mixed and Cartesian coordinates
===========================================================

Kuebler & Eberhard's example: a crank, a rod between two spherical joints, a slider. As one chain it has 7 velocities,
and 5 rows close it; as three free bodies it has 18 and needs 16. Both have two degrees of freedom, one of which is the
rod's idle spin. The paper reports 14.7 s against 66.2 s of computing; its dimensions are lost, so Haug's are taken, for
which the digest has a table.
"""

import time

import matplotlib.pyplot as plt
import numpy as np
from machines import spatial_slider_crank, spatial_slider_crank_start

import jourdain as jd

TABLE = {
    0.25: (1.796150, 15.329233, 0.2812218, 0.412618),
    0.5: (5.302540, 13.237923, 0.1876746, -0.248594),
    1.0: (10.567943, 10.035670, 0.2293542, -0.527405),
    2.0: (20.145712, 9.291075, 0.2634261, 0.402426),
    5.0: (51.680660, 10.363115, 0.2683856, 0.414081),
}
"""theta [rad], its rate, the slider's x [m], its rate."""

runs, cost = {}, {}
for coordinates in ("mixed", "cartesian"):
    model = spatial_slider_crank(coordinates).compile()
    start = spatial_slider_crank_start(model)
    options = {"rtol": 1e-11, "atol": 1e-12, "output": 0.01}
    jd.simulate(model, start, until=0.1, **options)
    begin = time.perf_counter()
    runs[coordinates] = jd.simulate(model, start, until=5.0, **options)
    cost[coordinates] = time.perf_counter() - begin

mixed, cartesian = runs["mixed"], runs["cartesian"]
slider = mixed.frame("slider.origin")
ours = np.column_stack(
    [mixed.q["crank_angle"], mixed.v["crank_angle"], slider.position.values[:, 0], slider.velocity.values[:, 0]]
)
rows = [round(t / 0.01) for t in TABLE]
off = np.max(np.abs(ours[rows] - np.array(list(TABLE.values()))), axis=0)
apart = np.max(np.abs(slider.position.values[:, 0] - cartesian.frame("slider.origin").position.values[:, 0]))
energy = mixed.energy["total"].values - 0.12 * 9.81 * 0.12  # the digest leaves the crank's weight out
mobility = {name: run.model.mobility(run.state(0)) for name, run in runs.items()}

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.8), layout="constrained")
left.plot(mixed.time, ours[:, 2], label="mixed")
left.plot(cartesian.time, cartesian.frame("slider.origin").position.values[:, 0], "k--", lw=0.7, label="Cartesian")
left.plot(list(TABLE), [one[2] for one in TABLE.values()], "C3o", ms=4, label="digest")
left.set(xlabel="time [s]", ylabel="slider [m]", ylim=(0.18, 0.31), title=f"the two agree to {apart:.0e} m")
left.legend(frameon=False, loc="upper center", ncols=3)
right.plot(mixed.time, ours[:, 1])
right.plot(list(TABLE), [one[1] for one in TABLE.values()], "C3o", ms=4)
right.set(
    xlabel="time [s]",
    ylabel="crank [rad/s]",
    title=f"Cartesian costs {cost['cartesian'] / cost['mixed']:.1f} times as much",
)
plt.show()
