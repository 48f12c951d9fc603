"""
Hunting of a wheelset and a bogie: critical speed
=================================================

V. N. Yazykov (*Some results of wheel-rail contact modelling*, NATO ASI 2002) takes the normal force of a wheel from the
dynamics, finds the patch that this load makes between two profiles, elliptic or not, and its creep forces by Kalker's
FASTSIM. The depth of overlap only shapes the patch, so that nothing stiff enters the motion. Here a cone of 1:20 rolls
on a rail's head of 0.3 m: creep forces on their way to saturation, and the speed above which a wheelset, and a bogie
with two, swing from side to side on a straight track: by linearisation, and from what runs do with a deviation of 20
µm.
"""

import matplotlib.pyplot as plt
import numpy as np
from railway import FRICTION, HEAD, LOAD, RADIUS, critical, growth, simulated_growth, vehicle

import jourdain as jd

# %%
# The patch of the paper's data, and its creep forces: digits are those of the digest's closed form.

FLEXIBILITY = 6.88657e-14
patch = jd.contact.rolling_patch(
    lambda y: y**2 / (2 * HEAD), RADIUS, LOAD, within=(-0.03, 0.03), flexibility=FLEXIBILITY, strips=48
)
KNOWN = {5e-4: 8269.8, 1e-3: 14310.2, 2e-3: 21221.5, 5e-3: 24000.0}
forces = {xi: patch.creep_force(xi, friction=FRICTION, steps=400)[0] for xi in KNOWN}
creepages = np.linspace(0.0, 6e-3, 61)
curves = {
    spin: [patch.creep_force(0.0, xi, spin, friction=FRICTION)[1] for xi in creepages] for spin in (0.0, 0.4, 0.8)
}

# %%
# Worn profiles touch in three zones: the patch is no ellipse.

worn = jd.contact.rolling_patch(
    lambda y: y**2 / 4.0 + 1.5e-4 * np.sin(np.pi * y / 0.012) ** 2, RADIUS, LOAD, within=(-0.04, 0.04)
)

# %%
# Critical speeds. Of runs the growth is known at three speeds around that of the linear model.

found = {}
figure, (left, middle, right) = plt.subplots(1, 3, figsize=(13, 4), layout="constrained")
for name, model, low, high in (("wheelset", vehicle(False), 100.0, 200.0), ("bogie", vehicle(True), 40.0, 100.0)):
    linear = critical(lambda v, model=model: growth(model, v)[0], low, high)
    speeds = linear * np.array([0.96, 1.0, 1.04])
    rates = [simulated_growth(model, v) for v in speeds]
    simulated = np.interp(0.0, rates, speeds)
    around = np.linspace(0.8, 1.2, 9) * linear
    found[name] = linear, simulated, growth(model, linear)[1]
    line = right.plot(around, [growth(model, v)[0] for v in around], label=f"{name}, linear model")[0]
    right.plot(speeds, rates, "o", color=line.get_color(), label=f"{name}, runs")

right.axhline(0.0, color="k", lw=0.5)
right.set(xlabel="speed [m/s]", ylabel="growth of hunting [1/s]")
right.legend(frameon=False)
for spin, curve in curves.items():
    left.plot(1e3 * creepages, 1e-3 * np.array(curve), label=f"spin {spin:g}/m")
left.plot(1e3 * np.array(list(KNOWN)), 1e-3 * np.array(list(KNOWN.values())), "k.", label="closed form")
left.set(xlabel="creepage [mm/m]", ylabel="force across [kN]")
left.legend(frameon=False)
for label, one in (("round head", patch), ("worn", worn)):
    for low, high in one.zones:
        y, _, a = 1e3 * one.strips[(one.strips[:, 0] > low) & (one.strips[:, 0] < high)].T
        middle.fill_between(y, -a, a, alpha=0.4, color="C0" if one is patch else "C1", label=label, lw=0)
        label = None
middle.set(xlabel="across [mm]", ylabel="along [mm]", title="patches under 80 kN")
middle.legend(frameon=False)
plt.show()
