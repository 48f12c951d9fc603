"""
Andrews' squeezing mechanism
============================

Seven bodies in three loops that meet in one point, a few centimetres large, driven by a motor against a spring: within
0.03 s the crank turns two and a half times. The reference is that of the Test Set for IVP Solvers (Hairer & Wanner's
problem VII.7), which has sixteen digits.
"""

import matplotlib.pyplot as plt
import numpy as np
from machines import ANDREWS, ANDREWS_NAMES, andrews

import jourdain as jd

model = andrews().compile()
start = model.state(q=dict(zip(ANDREWS_NAMES, ANDREWS["start"])))
gap = np.max(np.abs(model.constraints.residual(start)))
run = jd.simulate(model, model.assemble(start, hold=("beta",)), until=0.03, rtol=1e-11, atol=1e-13, output=1e-4)
final = np.array([float(run.q[name][-1]) for name in ANDREWS_NAMES])
off = np.abs(final - ANDREWS["end"])

# %%
# Of fifteen rows six count: planar loops closed by spatial hinges have rows that are zero.

mobility = model.mobility(run.state(0))
force = np.linalg.norm(run.constraint["E3"].force.values, axis=1)

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.8), layout="constrained")
for name, end in zip(ANDREWS_NAMES[2:], ANDREWS["end"][2:]):
    left.plot(1e3 * run.time, run.q[name], label=name)
    left.plot(30.0, end, "k.", ms=5)
left.set(xlabel="time [ms]", ylabel="[rad]", ylim=(-0.65, 1.75), title=f"off the reference by {np.max(off):.0e} rad")
left.legend(frameon=False, ncols=3, loc="upper center")
right.plot(1e3 * run.time, run.v["beta"], label="crank [rad/s]")
right.plot(1e3 * run.time, 10.0 * force, label="10 x force in the pin of body 3 [N]")
right.set(xlabel="time [ms]", title=f"{mobility.degrees} freedom")
right.legend(frameon=False)
plt.show()
