"""
The flyball governor: stiff springs and rigid rods
==================================================

Watt's governor (IFToMM A05): the links to the slider are springs of 8e5 N/m with dampers of 4e4 N s/m. The dampers make
it stiff: an explicit method must take steps of 0.1 ms, whatever the tolerance. With links of fixed length instead it is
a machine with two loops, and not stiff at all: the two hardly differ.
"""

import matplotlib.pyplot as plt
import numpy as np
from machines import governor, governor_start
from scipy.integrate import solve_ivp

import jourdain as jd

UNTIL = 10.0
OUTPUT = 0.01

closed = governor(rigid=True).compile()
rigid = jd.simulate(closed, governor_start(closed), until=UNTIL, rtol=1e-10, atol=1e-12, output=OUTPUT)

stiff_model = governor().compile()
stiff = jd.simulate(stiff_model, governor_start(stiff_model), until=UNTIL, rtol=1e-8, atol=1e-9, output=OUTPUT)

# %%
# Independently, from Lagrange's equations of spin, arms and slider, by SciPy's Radau.

shaft = 3000.0 * 1e-4
arm, middle = shaft + 5.0, (0.5 * shaft + 5.0) / (shaft + 5.0)
thin, long = shaft * 2e-4 / 12.0, shaft * (1.0 + 1e-4) / 12.0
across = long + shaft * (0.5 - middle) ** 2 + 5.0 * (1.0 - middle) ** 2
block = 3.0


def about_the_shaft(a):
    """Moment of inertia about the shaft, and its derivative by the arms' angle."""
    reach = 0.05 + middle * np.cos(a)
    J = thin + block * 0.02 / 12.0 + 2.0 * (arm * reach**2 + across * np.cos(a) ** 2 + thin * np.sin(a) ** 2)
    slope = 2.0 * (-2.0 * arm * reach * middle * np.sin(a) - 2.0 * (across - thin) * np.cos(a) * np.sin(a))
    return J, slope


MOMENTUM = about_the_shaft(np.radians(30.0))[0] * 2.0 * np.pi


def rates(t, y):
    a, s, da, ds = y
    J, slope = about_the_shaft(a)
    down = 1.0 - 0.5 * np.sin(a) - s
    L = np.hypot(0.5 * np.cos(a), down)
    by_a = (-0.25 * np.cos(a) * np.sin(a) - 0.5 * down * np.cos(a)) / L
    by_s = -down / L
    pull = 8e5 * (L - 0.5) + 4e4 * (by_a * da + by_s * ds)
    turn = 0.5 * slope * (MOMENTUM / J) ** 2 + 2.0 * arm * 9.81 * middle * np.cos(a) - 2.0 * pull * by_a
    return [da, ds, turn / (2.0 * (across + arm * middle**2)), -9.81 - 2.0 * pull * by_s / block]


times = OUTPUT * np.arange(round(UNTIL / OUTPUT) + 1)
truth = solve_ivp(rates, (0, UNTIL), [np.radians(30.0), 0.5, 0, 0], "Radau", times, rtol=1e-10, atol=1e-12)
off = np.max(np.abs(stiff.q["s"].values - truth.y[1]))
differ = np.max(np.abs(rigid.q["s"].values - truth.y[1]))
momentum = np.array([about_the_shaft(a)[0] * w for a, w in zip(rigid.q["right"].values, rigid.v["spin"].values)])

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.8), layout="constrained")
left.plot(stiff.time, stiff.q["s"], label="springs")
left.plot(rigid.time, rigid.q["s"], "--", label="links of fixed length")
left.plot(times[::25], truth.y[1][::25], "k.", ms=4, label="Lagrange's equations")
left.set(xlabel="time [s]", ylabel="slider [m]", ylim=(0.48, 0.84), title=f"off by {off:.0e} m")
left.legend(frameon=False, loc="upper center", ncols=2)
right.plot(rigid.time, rigid.v["spin"] / (2.0 * np.pi), label="speed [1/s]")
right.plot(
    rigid.time, rigid.constraint["link_right"].force.values[:, 2] / 100.0, label="vertical force of a link [100 N]"
)
right.set(xlabel="time [s]", title="links of fixed length")
right.legend(frameon=False)
plt.show()
