"""
Intermediate axis theorem: Dzhanibekov's wing nut
=================================================

A body that spins about its middle axis of inertia does so steadily for a while, then turns over, and again, and again:
Dzhanibekov's wing nut. Its rates are Jacobi's elliptic functions (Landau and Lifshitz, Mechanics, section 37), so the
time between two turns is known: half of the period 4 K(m) / n.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.special import ellipj, ellipk, ellipkinc

import jourdain as jd

I1, I2, I3 = 1.0, 2.0, 3.0
nut = jd.System("wing nut")
nut.add(jd.RigidBody("nut", mass=1.0, inertia=(I1, I2, I3)), joint=jd.Free("free"))
model = nut.compile()
start = np.array([0.005, 2.0, 0.01])
state = model.state(v={"free": (*start, 0.0, 0.0, 0.0)})

# %%
# With twice the kinetic energy T2 and the square LL of the angular momentum, for LL > T2 I2:
# w1 = a1 cn, w2 = a2 sn, w3 = a3 dn of n t + phase, with the parameter m.

inertia = np.array([I1, I2, I3])
T2, LL = inertia @ start**2, inertia**2 @ start**2
a = np.sqrt([(T2 * I3 - LL) / (I1 * (I3 - I1)), (T2 * I3 - LL) / (I2 * (I3 - I2)), (LL - T2 * I1) / (I3 * (I3 - I1))])
n = np.sqrt((I3 - I2) * (LL - T2 * I1) / (I1 * I2 * I3))
m = (I2 - I1) * (T2 * I3 - LL) / ((I3 - I2) * (LL - T2 * I1))
phase = ellipkinc(np.arcsin(start[1] / a[1]), m)
period = 4.0 * ellipk(m) / n

run = jd.simulate(model, state, until=2.0 * period, output=period / 200, rtol=1e-13, atol=1e-13)
sn, cn, dn, _ = ellipj(n * run.record.time + phase, m)
rates = run.record.v[:, :3]
deviation = np.max(np.abs(rates - a * np.column_stack([cn, sn, dn])))

# %%
# Seen from outside, the angular momentum stands still and the middle axis turns over.

momentum = np.array([model.momentum(run.state(i)).angular for i in range(len(run))])
drift = np.max(np.abs(momentum - momentum[0])) / np.linalg.norm(momentum[0])
w, x, y, z = run.frame("nut.origin").quaternion.values.T
middle = np.column_stack([2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)])
along = middle @ momentum[0] / np.linalg.norm(momentum[0])
turns = run.record.time[1:][np.diff(np.sign(along)) != 0]

figure, (top, bottom) = plt.subplots(2, 1, figsize=(9, 5), layout="constrained", sharex=True)
for i, name in enumerate(("smallest", "middle", "largest")):
    top.plot(run.time, rates[:, i], label=name)
top.plot(run.record.time[::8], (a * np.column_stack([cn, sn, dn]))[::8], "k.", ms=3, label=["Jacobi", None, None])
top.set(ylabel="body rates [rad/s]", title=f"equal to Jacobi's functions within {deviation:.0e} rad/s")
top.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0), title="inertia about the axis")
bottom.plot(run.time, along, color="C1")
for turn in np.arange(4) * period / 2:
    bottom.axvline(turn + (ellipk(m) * 2 - phase) / n, color="0.7", lw=0.8, ls="--")
bottom.set(xlabel="time [s]", ylabel="middle axis along L", title="dashed: turns at half the period 4 K / n")
plt.show()
