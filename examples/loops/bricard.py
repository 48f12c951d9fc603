"""
Bricard's mechanism: redundant constraints
==========================================

Five rods and six hinges, along the edges of a cube. Grübler's formula counts no freedom, yet it moves: one of the rows
always follows from the others. Their forces are then not unique, and those of least norm are given, with a remark.
Nothing but gravity acts for 10 s (IFToMM A04), so the energy must stay; and with one freedom, the speed at every
place follows from it.
"""

import warnings

import matplotlib.pyplot as plt
import numpy as np
from machines import bricard

import jourdain as jd

model = bricard().compile()
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # the remark on the redundant row; mobility says it too
    mobility = model.mobility(model.state())
    run = jd.simulate(model, model.state(), until=10.0, rtol=1e-11, atol=1e-12, output=0.01)
energy = run.energy["total"].values
drift = np.max(np.abs(energy - energy[0]))

# %%
# Its own truth: along the curve of closures the mechanism is a point mass on a rail. Inertia and height over the first
# angle come from kinematics alone, the time from a quadrature of the energy.

angle = run.q["hinge1"].values
turning = float(np.max(np.abs(angle)))
first = int(np.argmax(np.abs(np.diff(np.sign(run.v["hinge1"].values[1:]))) > 0)) + 1
sign = np.sign(angle[first // 2])
values = sign * np.linspace(0.0, 0.9 * turning, 61)
along = jd.mechanism.positions(model, {"hinge1": values}, np.arange(61.0), model.state())
inertia, height = [], []
for i in range(61):
    rate = along.v[i] / along.v[i, 0]
    inertia.append(rate @ model.mass_matrix(along.q[i]) @ rate)
    height.append(model.energy(model.state(q=along.q[i])).gravity)
inertia, height = np.array(inertia), np.array(height)
speed = np.sqrt(np.maximum(2.0 * (height[0] - height) / inertia, 0.0))
simulated = np.interp(np.abs(values), np.abs(angle[:first]), np.abs(run.v["hinge1"].values[:first]))
off = np.max(np.abs(simulated - speed)) / np.max(speed)

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.8), layout="constrained")
corner = run.frame("rod3.end").position.values
for k, name in enumerate("xyz"):
    left.plot(run.time, corner[:, k], label=name)
left.set(xlabel="time [s]", ylabel="end of the third rod [m]", title=f"energy kept to {drift:.0e} J")
left.legend(frameon=False)
right.plot(np.degrees(np.abs(angle[:first])), np.abs(run.v["hinge1"].values[:first]), label="simulated")
right.plot(np.degrees(np.abs(values)), speed, "k.", ms=4, label="from the energy, along the curve of closures")
right.set(
    xlabel="first hinge [deg]", ylabel="its speed [rad/s]", title=f"{mobility.degrees} freedom, {mobility.rows} rows"
)
right.legend(frameon=False)
plt.show()
