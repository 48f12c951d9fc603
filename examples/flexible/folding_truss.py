"""
Self-deployment of a folding truss with latches
===============================================

Sayapin (NATO ASI, part B, section 8): the mirror of a large antenna is a truss whose rods fold in the middle, with a
spring drive in each hinge and a latch that closes when the rod is straight. The springs scatter by 5 %. With every belt
of cells about the hub the rods get further out of step, until some do not latch at all; where friction comes near to
what the weakest spring has left at the end, a restrained truss stops before; and shaking its base sets it free again.
The paper has words and no equations; masses and springs here are our own (`folding.py`).
"""

import matplotlib.pyplot as plt
import numpy as np
from folding import belts, deployed, latching, truss

TRUSSES = {1: 20, 2: 10, 3: 8}  # belts, and how many trusses with other springs
RESTRAINED = [(0.0, 0.0), (0.10, 0.0), (0.13, 0.0), (0.13, 0.01), (0.15, 0.0), (0.15, 0.01)]  # friction, shaking

# %%
# Unrestrained: when the rods latch.

spread, complete, runs = {}, {}, {}
for count, samples in TRUSSES.items():
    shape = belts(count)
    runs[count] = deployed(truss(shape), shape, samples)
    at = latching(runs[count], shape)
    spread[count] = float(np.mean([np.ptp(one[np.isfinite(one)]) for one in at]))
    complete[count] = float(np.mean(np.all(np.isfinite(at), axis=1)))

# %%
# Restrained by a brake in every hinge, with friction, at rest or shaken by 1 cm at 4 Hz.

ring = belts(1)
latched = {}
for friction, shake in RESTRAINED:
    restrained = deployed(truss(ring, friction, brake=0.1), ring, 8, shake=shake)
    latched[friction, shake] = float(np.mean(np.isfinite(latching(restrained, ring))))

fig, axes = plt.subplots(1, 3, figsize=(13, 4.2), layout="constrained")
shape, many = belts(3), runs[3]
model, record = many.model, many.record


def places(sample):
    """Nodes and middle hinges of the truss in a sample of the first case."""
    poses = [
        model.pose(f"node{k}.origin" if k else "base.origin", record.q[0, sample]) for k in range(len(shape.places))
    ]
    bends = [model.pose(f"in{r}.end", record.q[0, sample]) for r in range(len(shape.rods))]
    return np.array([one.position for one in poses]), np.array([one.position for one in bends])


for when, shift in ((0.0, 0.0), (0.9, 3.2), (7.9, 9.0)):
    nodes, bends = places(int(np.searchsorted(many.time, when)))
    for (a, b), bend in zip(shape.rods, bends, strict=True):
        line = np.array([nodes[a], bend, nodes[b]])
        axes[0].plot(line[:, 0] + shift, line[:, 1], "k-", lw=0.7)
    axes[0].text(shift, -4.2, f"{when:g} s", ha="center")
axes[0].set(aspect="equal", xlabel="[m]", title="three belts")
for count in TRUSSES:
    at = latching(runs[count], belts(count)).ravel()
    grid = np.linspace(0.0, 6.0, 200)
    label = f"{count}: {100 * complete[count]:.0f} % complete, spread {spread[count]:.2f} s"
    axes[1].plot(grid, [np.mean(at <= t) for t in grid], label=label)
axes[1].set(xlabel="time [s]", ylabel="part of the rods latched", title="belts, nothing restrained")
axes[1].legend(loc="lower right")
names = [f"{f:g} N m" + (", shaken" if s else "") for f, s in RESTRAINED]
axes[2].bar(names, [latched[one] for one in RESTRAINED], color=["C0" if s == 0 else "C1" for _, s in RESTRAINED])
axes[2].tick_params(axis="x", rotation=60)
axes[2].set(ylabel="part of the rods latched", title="one belt, restrained, with friction")
plt.show()
