"""
A spinning tether and its internal damping
==========================================

Valverde, Escalona, Mayo and Dominguez (NATO ASI, part B, section 16) spin a tether of 30 m about its own axis, so
that it points along the orbit normal. Above its critical speed of 0.03 rad/s internal damping makes it unstable, as
any shaft: what it takes from the whirl in the turning axes, the spin gives back. Does the large motion stay bounded?

It does, and where it ends is a line that turns as one piece with the hub, an elastica. With damping of 5 % in its
first mode, the same in whatever axes, the nodal cable goes there. Beams with 5 % in the modes of each *substructure*,
which is the paper's way, damp the first mode of the whole the less the more of them there are: 1.4, 0.12 and 0.028 %
with 1, 3 and 6. That explains that the paper sees a slow growth with 3 of them and none with 6.
"""

import matplotlib.pyplot as plt
import numpy as np
from short_tether import ALIKE, ROUND, STIFF, L, bent, elastica, offset, spun_up, tether

import jourdain as jd


def radius(run):
    """Distance of the disk from the axis over the length."""
    return np.hypot(*run.frame("disk.origin").path[:, 1:3].T) / L


system = tether("cable", ROUND, ALIKE)
model = system.compile()
cable = {
    rate: jd.simulate(
        model, bent(model, system, offset(0.1)), until=3000.0, motions=spun_up(rate), method="generalized-alpha",
        step=0.5, output=5.0, progress=False, energy_tolerance=float("inf"),
    )
    for rate in (0.02, 0.1)
}  # fmt: skip
system = tether(3, STIFF, 0.05, drag=40e-6)
model = system.compile()
beams = {
    rate: jd.simulate(
        model, bent(model, system, offset(0.1)), until=1500.0, motions=spun_up(rate), rtol=1e-7, atol=1e-9, output=5.0,
        progress=False,
    )
    for rate in (0.02, 0.1)
}  # fmt: skip

# %%
# Where it ends, and how beams welded to each other come near that as there are more of them.

end = elastica(ROUND, 0.1)
found = {}
for count in (6, 10):
    system = tether(count, ROUND, (0.0, ALIKE))
    model = system.compile()
    turning = bent(model, system, end)
    turning.v[model.index.v["spin"]] = 0.1
    found[count] = model.equilibrium(turning, hold=["spin"]).state
    place = model.pose("disk.origin", found[count]).position
    print(f"{count} beams: r / L = {np.hypot(*place[1:]) / L:.4f}, elastica {end(L)[2] / L:.4f}")

fig, (left, right) = plt.subplots(1, 2, figsize=(11, 4), width_ratios=(2.2, 1), layout="constrained")
for rate, run in cable.items():
    left.plot(run.time, radius(run), label=f"cable, {rate} rad/s")
for rate, run in beams.items():
    left.plot(run.time, radius(run), "--", label=f"3 beams, damped as substructures, {rate} rad/s")
left.axhline(end(L)[2] / L, color="0.6", linewidth=0.8)
left.set(xlabel="time [s]", ylabel="disk from the axis / length")
left.legend(fontsize="small", loc="center right")
s = np.linspace(0.0, L, 101)
right.plot(end(s)[4], end(s)[2], color="0.7", linewidth=5, label="elastica")
last = cable[0.1].deflection("t0", s).values[-1]
right.plot(s + last[:, 0], np.hypot(last[:, 1], last[:, 2]), label="cable after 3000 s")
right.set(xlabel="along the axis [m]", ylabel="from the axis [m]", aspect="equal", xlim=(-1.0, 22.0))
right.legend(fontsize="small", loc="lower right")
plt.show()
