"""
A spatial loop from a table of Denavit-Hartenberg parameters
============================================================

Bernier, Dequidt and Valdes (NATO ASI, part A, section 4) describe mechanisms by tables of modified Denavit-Hartenberg
parameters, with joints of several degrees of freedom and with loops. Their example is the loop R-U-S-R: revolute,
universal, spherical and revolute joints, seven coordinates and six closure equations. They print no numbers; the
dimensions are those of the digest of the volume, which finds two outputs at a crank angle of 0.5 rad and the rate
there. (The link behind the universal joint can be put in two ways, turned by half a turn, for each: with turned=True
four modes.)
"""

import matplotlib.pyplot as plt
import numpy as np

import jourdain as jd

Pair, PI = jd.mechanism.Pair, np.pi


def bar(name):
    return jd.RigidBody(name, 1.0, inertia=(0.01, 0.01, 0.01))


table = [
    Pair(bar("1"), "revolute", joint="q1"),
    Pair(bar("2"), "universal", alpha=PI / 2, d=0.10, joint="q2"),
    Pair(bar("3"), "spherical", d=0.40, joint="q3"),
    Pair("4", "fixed", d=0.30),
    Pair(bar("5"), to="world", epsilon=0.0, gamma=0.0, alpha=PI / 3, d=0.45, r=0.05, joint="q5"),
]
system = jd.mechanism.from_dh("RUSR", table)
system.connect(jd.Weld("closure"), "4.origin", "5.origin")
model = system.compile()

# %%
# The ways to put it together at q1 = 0.5 rad, and the freedom that is left.

modes = jd.mechanism.assembly_modes(model, {"q1": 0.5})
q5 = [float(np.angle(np.exp(1j * one.state.q[model.index.q["q5"]]))) for one in modes]
mobility = model.mobility(modes[0].state)
counts = jd.mechanism.mobility_counts(system)
first = modes[int(np.argmin(np.abs(np.array(q5) - 1.176725)))].state
rate = jd.mechanism.transmission(model, first, ("q5",), ("q1",)).J[0, 0]

# %%
# Once around: the output comes back.

angles = 0.5 + np.linspace(0.0, 2 * PI, 121)
turns = [
    jd.mechanism.positions(model, {"q1": angles}, np.linspace(0, 1, 121), modes[k].state)
    for k in np.unique(np.round(q5, 6), return_index=True)[1]
]
outputs = [np.unwrap(turn.q[:, model.index.q["q5"]]) for turn in turns]
back = max(abs(float(np.angle(np.exp(1j * (one[-1] - one[0]))))) for one in outputs)

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
for one in outputs:
    left.plot(np.degrees(angles), np.degrees(one), label=f"q5 = {one[0]:.6f} rad at 0.5 rad")
left.set(xlabel="crank q1 [deg]", ylabel="output q5 [deg]", title=f"{mobility.degrees} freedom: 7 coordinates, 6 rows")
left.legend()
for turn in turns:
    right.plot(np.degrees(angles), turn.v[:, model.index.v["q5"]] / turn.v[:, model.index.v["q1"]])
right.plot(np.degrees(0.5), rate, "ko", label=f"{rate:.7f}")
right.set(xlabel="crank q1 [deg]", title="dq5 / dq1")
right.legend()
plt.show()
