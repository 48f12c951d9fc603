"""
Singularities of mechanisms: turning points and branches
========================================================

What a mechanism can do is a curve, and time need not run along it. An arm whose tip is led beyond its reach locks up;
the curve turns back there and goes on with the other elbow. A parallelogram that lies flat can go on as one or fold
over: two branches cross. Continuation finds both, after Fraczek, and can change from one branch to the other.
"""

import matplotlib.pyplot as plt
import numpy as np
from machines import rod

import jourdain as jd

# %%
# The arm: two links of 1 m, its tip led along (t, 1/2). It reaches to t = sqrt(3.75).

reach = jd.System("reaching arm")
reach.add(rod("upper", 1.0, 1.0), joint=jd.Revolute("q1"))
reach.add(rod("fore", 1.0, 1.0), joint=jd.Revolute("q2"), to="upper.tip")
along_x = (jd.Polynomial(0.0, 1.0), None, None)
reach.connect(jd.Spherical("tip"), "fore.tip", "world", position=(0.0, 0.5, 0.0), moves=along_x)
arm = reach.compile()
elbow = np.arccos(1.25 / 2.0 - 1.0)
start = arm.state(q={"q1": np.arctan2(0.5, 1.0) - elbow / 2.0, "q2": elbow}, time=1.0)
try:
    jd.mechanism.positions(arm, None, np.linspace(1.0, 2.5, 16), start)
except jd.mechanism.LockUp as lock:
    locked = lock
path = jd.mechanism.trace(arm, None, start, until=1.0)
turning = path.events[0]

# %%
# The parallelogram: crank and rocker 1 m, coupler and ground 2 m.

flat = jd.System("parallelogram")
flat.add(rod("crank", 1.0, 1.0), joint=jd.Revolute("theta"))
flat.add(rod("coupler", 2.0, 1.0), joint=jd.Revolute("elbow"), to="crank.tip")
flat.add(rod("rocker", 1.0, 1.0), joint=jd.Revolute("psi"), position=(2.0, 0, 0))
flat.connect(jd.Revolute("pin"), "coupler.tip", "rocker.tip")
linkage = flat.compile()
begin = linkage.state(q={"theta": -1.5, "elbow": 1.5, "psi": -1.5}, time=-1.5)
straight = jd.mechanism.trace(linkage, {"theta": jd.Polynomial(0.0, 1.0)}, begin, until=1.5)
crossing = straight.events[0]
over = {side: jd.mechanism.switch_branch(crossing, direction=side, until=1.5 * side) for side in (1, -1)}
slopes = crossing.tangents[:, 2] / crossing.tangents[:, 0]

# %%
# With its crank held it can be put together in two ways, which the flat position connects.

modes = jd.mechanism.assembly_modes(linkage, {"theta": 1.0}, tries=30)

figure, (left, middle, right) = plt.subplots(1, 3, figsize=(12.5, 3.9), layout="constrained")
left.plot(path.time, path.q[:, 1])
left.plot(turning.time, turning.q[1], "C3o", label=f"turning point, t = {turning.time:.7f}")
left.set(xlabel="t: where the tip is led [m]", ylabel="elbow [rad]", title="the arm")
left.legend(frameon=False, loc="center left")
middle.plot(straight.q[:, 0], straight.q[:, 2], label="parallelogram")
for side, one in over.items():
    middle.plot(one.q[:, 0], one.q[:, 2], "C1", label="folded over" if side == 1 else None)
middle.plot(0, 0, "C3o", label=f"slopes {slopes[0]:.4f} and {slopes[1]:.4f}")
middle.set(xlabel="crank [rad]", ylabel="rocker [rad]", title="the parallelogram")
middle.legend(frameon=False)
for k, mode in enumerate(modes):
    places = [linkage.pose(frame, mode.state).position for frame in ("crank.origin", "coupler.origin", "coupler.tip")]
    right.plot(*np.array([*places, [2.0, 0.0, 0.0]])[:, :2].T, "-o", color=f"C{k}", label=f"circuit {mode.circuit}")
right.set(aspect="equal", xlabel="x [m]", ylabel="y [m]", title="its assembly modes")
right.legend(frameon=False)
plt.show()
