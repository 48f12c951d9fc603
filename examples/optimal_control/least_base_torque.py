"""
Trajectories of least base torque of a redundant arm
====================================================

Chapter 6 of Y. Chen's thesis (University of British Columbia 1999): a redundant arm carries its tip from (0, 15 m) to
(12.61, 5.12 m) in a minute, and what it does to its base is to be small. Direct collocation finds the trajectories for
three ratios of the modules' masses and two weights of the base's torque; the thesis's sequential conjugate
gradient-restoration algorithm finds those of the first ratio too. Gradient phases lower the cost, restoration phases
bring the constraints back. The thesis leaves the end configuration open and does not weigh the second joint's torque
and the extension's force, without which there is no optimum; here both are given.
"""

import matplotlib.pyplot as plt
import numpy as np
from planar_arm import RATIOS, problem

WEIGHTS = {"1:1": (1.0, 1.0, 1.0, 1000.0), "10:1": (10.0, 1.0, 1.0, 1000.0)}

collocated, descended, excursions = {}, {}, {}
for ratio in RATIOS:
    for name, weights in WEIGHTS.items():
        task = problem(ratio, weights)
        collocated[ratio, name] = best = task.solve("collocation", intervals=20, accuracy=1e-6)
        if ratio == "1":
            descended[ratio, name] = task.solve("scgra", intervals=20, scheme="hermite-simpson")
        force = np.hypot(best["reaction:beta1.force.x"], best["reaction:beta1.force.y"])
        excursions[ratio, name] = float(np.ptp(best["effort:beta1"])), float(np.max(force))
        torque, pull = excursions[ratio, name]
        print(f"R = {ratio}, {name}: cost {best.cost:.6g}; torque over {torque:.2f} N m, force up to {pull:.3f} N")

difference = max(abs(descended[key].cost / collocated[key].cost - 1.0) for key in descended)
print(f"largest difference of costs of the two methods {difference:.1e}")

figure, (lengths, torques) = plt.subplots(1, 2, figsize=(9, 3.8), layout="constrained")
for (ratio, name), best in collocated.items():
    t = np.linspace(0.0, 60.0, 301)
    style = dict(color=f"C{list(RATIOS).index(ratio)}", linestyle="-" if name == "1:1" else "--")
    start = 15.0 - RATIOS[ratio][1]
    lengths.plot(t, best.at("l2", t) / start, **style, label=f"R = {ratio}, {name}")
    torques.plot(t, best.at("effort:beta1", t), **style)
lengths.set(xlabel="time [s]", ylabel="length of module 2 over that at the start")
lengths.legend(fontsize=8)
torques.set(xlabel="time [s]", ylabel="torque of the base [N m]")
descended["1", "1:1"].plot_history()

plt.show()
