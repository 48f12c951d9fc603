"""
A flexible ellipsograph
=======================

Dmitrotchenko's example: the ends of a limp beam slide on two axes, a pendulum hangs at its middle, gravity pulls it
through. Twice: as eight beams in a row, with two functions across and one along each, and as twenty rigid pieces with
springs. Geometry and start of the paper are lost; the digest completes them, and has a table computed with twenty
elements in absolute coordinates. The beam stretches by half a percent as it is pulled through: without that the
strain energy at 0.4 s would be a third less.
"""

import matplotlib.pyplot as plt
import numpy as np
from machines import ellipsograph, ellipsograph_start

import jourdain as jd

TABLE = np.array(
    [
        (0.1, 0.741303, 0.666133, 0.346850, 0.306369, 0.002978, 0.033316),
        (0.2, 0.812831, 0.532612, 0.349101, 0.177597, 0.001951, 0.281786),
        (0.3, 0.895752, 0.282886, 0.401134, -0.005667, -0.021182, 0.607533),
        (0.4, 0.957999, -0.232389, 0.502167, -0.192190, -0.064728, 0.463253),
        (0.5, 0.610334, -0.785262, 0.332382, -0.411837, 0.013633, 0.156100),
    ]
)
"""t, x of A, y of B, middle (x, y), pendulum's angle, strain energy [s, m, rad, J]."""


def columns(run):
    """What the table has, at all times of a run."""
    w, _, _, z = run.frame("pendulum.origin").quaternion.values.T
    middle = run.frame("pendulum.origin").position.values
    angle = np.unwrap(2.0 * np.arctan2(z, w))
    strain = run.energy["strain"].values
    return np.column_stack([run.q["xA"], run.frame("hand.origin").position.values[:, 1], middle[:, :2], angle, strain])


models = {"8 beams": ellipsograph(beams=8).compile(), "20 pieces": ellipsograph(pieces=20).compile()}
runs = {
    name: jd.simulate(model, ellipsograph_start(model), until=0.5, rtol=1e-7, atol=1e-9, output=0.005)
    for name, model in models.items()
}
found = {name: columns(run) for name, run in runs.items()}
rows = np.round(TABLE[:, 0] / 0.005).astype(int)
off = {name: np.max(np.abs(one[rows] - TABLE[:, 1:]), axis=0) for name, one in found.items()}
energy = {name: np.ptp(run.energy["total"].values) for name, run in runs.items()}

figure, panels = plt.subplots(1, 3, figsize=(13, 3.9), layout="constrained")
for k, (name, one) in enumerate(found.items()):
    panels[0].plot(one[:, 2], one[:, 3], color=f"C{k}", label=f"middle, {name}")
    panels[1].plot(runs[name].time, one[:, 0], color=f"C{k}", label=f"x of A, {name}")
    panels[1].plot(runs[name].time, one[:, 1], "--", color=f"C{k}", label=f"y of B, {name}")
    panels[2].plot(runs[name].time, one[:, 5], color=f"C{k}", label=name)
panels[0].plot(TABLE[:, 3], TABLE[:, 4], "ko", ms=4, label="digest")
panels[0].set(aspect="equal", xlabel="x [m]", ylabel="y [m]", xlim=(0.2, 1.2), title="the middle")
panels[1].plot(TABLE[:, 0], TABLE[:, 1], "ko", ms=4)
panels[1].plot(TABLE[:, 0], TABLE[:, 2], "ko", ms=4)
panels[1].set(xlabel="time [s]", ylabel="[m]", title="where the ends are")
panels[2].plot(TABLE[:, 0], TABLE[:, 6], "ko", ms=4, label="digest")
panels[2].set(xlabel="time [s]", ylabel="[J]", title="strain energy")
for panel in panels:
    panel.legend(frameon=False)
plt.show()
