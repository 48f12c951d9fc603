"""
A suspension as one table joint (virtual axle)
==============================================

J. Tobolář (*Model reduction techniques for vehicle suspensions in real-time applications*, NATO ASI 2002) replaces the
loops of a suspension by one joint, whose frame follows tables of wheel travel and rack displacement: a "virtual axle".
Tables must be splines with two continuous derivatives, and accelerations need the term that is quadratic in the rates;
leaving that out was 15 % faster in the paper and half a metre off after 7 s. Here a double wishbone with a rack becomes
a table of 15 by 9 poses; the wheel drops onto its strut while the rack moves by 33 mm between 0.5 and 1 s. Where the
arm sits in rubber the table has a compliance too, and the joint yields to what it carried a step before.
"""

import matplotlib.pyplot as plt
import numpy as np
from suspension import cost, full, reduced, table, wheel

import jourdain as jd

loops = full()
poses = table(loops)
axle = reduced(poses)
rack = jd.Cycloid(to=0.033, start=0.5, duration=0.5)

# %%
# The same run with loops and with the table; arms weigh next to nothing, since a table knows of no masses.

start = loops.assemble(loops.state({"heave": 0.15}), hold=("heave", "steer"))
options = dict(until=2.0, output=0.01, rtol=1e-9, atol=1e-10)
with_loops = jd.simulate(loops, start, motions={"steer": rack}, **options)
with_table = jd.simulate(axle, axle.state({"axle.heave": 0.15}), motions={"axle.steer": rack}, **options)
(place, speed), (place_t, speed_t) = wheel(with_loops), wheel(with_table)
place_error, speed_error = np.abs(place - place_t).max(), np.abs(speed - speed_t).max()

# %%
# The lower arm in rubber, 2 kN/mm: with the rubber's own coordinates, and as a compliant joint, one step late. Its
# rubber is damped by 2 ms, which is the lag that the joint is given.

RUBBER, SOFT = 2e6, ("side", "along")
in_rubber = full(RUBBER)
gives = reduced(table(in_rubber, soft=SOFT))
late = jd.control.LaggedCompliance(1e-3, lag=2e-3)
soft_start = in_rubber.assemble(in_rubber.state({"heave": 0.15}), hold=("heave", "steer", *SOFT))
with_rubber = jd.simulate(in_rubber, soft_start, motions={"steer": rack}, **options)
way = dict(until=2.0, output=0.01, step=1e-3, motions={"axle.steer": rack})
with_late = jd.simulate(gives, gives.state({"axle.heave": 0.15}), controller=late, **way)
given = {name: 1e3 * (wheel(run)[0] - place_t) for name, run in (("rubber", with_rubber), ("a step late", with_late))}

# %%
# What the quadratic term amounts to, along that run: second differences of poses at constant rates of the inputs.

h = 1e-4
z, rates = (np.column_stack([one["axle.heave"], one["axle.steer"]]) for one in (with_table.q, with_table.v))
left_out = [
    sum(k * axle.pose("carrier.wheel", q + s * h * v).position for k, s in ((1, 1), (-2, 0), (1, -1))) / h**2
    for q, v in zip(z, rates, strict=True)
]
quadratic = np.linalg.norm(left_out, axis=1).max()

# %%
# What a step of 1 ms costs.

costs = {"loops": cost(loops, start, {"steer": rack})}
costs["table"] = cost(axle, axle.state({"axle.heave": 0.15}), {"axle.steer": rack})
costs["a step late"] = cost(gives, gives.state({"axle.heave": 0.15}), {"axle.steer": rack}, controller=late)
costs["rubber"] = cost(in_rubber, soft_start, {"steer": rack})

figure, (left, middle, right) = plt.subplots(1, 3, figsize=(13, 4), layout="constrained")
left.plot(with_loops.time, 1e3 * place[:, 2], label="with loops")
left.plot(with_table.time, 1e3 * place_t[:, 2], "k:", label="as one joint")
left.set(xlabel="time [s]", ylabel="height of the wheel [mm]", title=f"apart by {1e9 * place_error:.0f} nm at most")
left.legend(frameon=False)
for name, style in (("rubber", "-"), ("a step late", "k:")):
    middle.plot(with_rubber.time, given[name][:, :2], style, label=[f"{name}, {axis}" for axis in "xy"])
middle.set(xlabel="time [s]", ylabel="wheel against that without rubber [mm]")
middle.legend(frameon=False)
right.bar(list(costs), list(costs.values()), width=0.5)
right.set(ylabel="processor time of a step of 1 ms [µs]")
plt.show()
