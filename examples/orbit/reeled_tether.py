"""
Deployment and retrieval of a tether by a winch
===============================================

A satellite of 50 kg is let down on a tether of 2 km, from a winch on an orbit at 400 km, and fetched back. While the
length grows as l' = c l the tether leans back by sin 2 theta = -4 c / (3 n), n the rate of the orbit; while it is
wound in it leans forward, and its swing is pumped. The winch (`jd.Winch`) lets a cable of 4 kg pass through its outlet
with its mass and momentum; a straight line with the inertia J = m l^2 + rho l^3 / 3 swings as

    theta'' + (J' / J) (theta' + n) + 3/2 n^2 sin 2 theta = 0.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.integrate import cumulative_trapezoid, solve_ivp

import jourdain as jd

MASS, DENSITY, SHORT = 50.0, 2e-3, 200.0
n = np.sqrt(3.986004418e14 / 6778137.0**3)
orbit = 2.0 * np.pi / n

# %%
# The law of the length: l' = 0.3 n l until 2 km are out, a rest, and l' = -0.15 n l; rates change within 200 s.

times = np.linspace(0.0, 2.6 * orbit, 2001)
out = 200.0 + np.log(10.0) / (0.3 * n)
back = out + 0.4 * orbit


def ramp(t):
    return 0.5 * (1.0 + np.tanh(4.0 * t / 200.0))


rate = 0.3 * n * ramp(times - 200.0) * ramp(out - times) - 0.15 * n * ramp(times - back)
length = SHORT * np.exp(cumulative_trapezoid(rate, times, initial=0.0))
law = jd.Table(times, length - SHORT, speeds=(rate[0] * length[0], rate[-1] * length[-1]))

# %%
# The model: the outlet of the winch is on the orbit, x points outward along the local vertical.

system = jd.System("tethered", environment=jd.Orbit(altitude=400e3))
cable = jd.Cable("tether", 2100.0, DENSITY, EA=2e4, EI=1e-3, elements=4, root="pinned", damping=5.0)
tether = system.add(cable, jd.Winch("reel", axis="z", radius=1.0, deployed=SHORT))
system.add(jd.RigidBody("satellite", MASS), jd.Weld("clamp"), to="tether.tip")
model = system.compile()
state = model.state(q=tether.taut((SHORT * (1.0 + 1e-6), 0.0, 0.0)), v={"reel": float(rate[0] * SHORT)})
run = jd.simulate(
    model, state, until=float(times[-1]), method="radau", rtol=1e-5, atol=1e-7, output=20.0, motions={"reel": law},
    progress=False,
)  # fmt: skip

# %%
# Against the straight line.


def swing(t, x):
    l, c = np.interp(t, times, length), np.interp(t, times, rate)
    J, dJ = MASS * l**2 + DENSITY * l**3 / 3.0, c * (2.0 * MASS * l**2 + DENSITY * l**3)
    return x[1], -dJ / J * (x[1] + n) - 1.5 * n**2 * np.sin(2.0 * x[0])


seconds = run.time.values
theory = np.degrees(solve_ivp(swing, (0.0, times[-1]), (0.0, 0.0), t_eval=seconds, rtol=1e-8, atol=1e-10).y[0])
angle = np.degrees(np.arctan2(*run.frame("satellite.origin").position.values[:, [1, 0]].T))
off = np.abs(angle - theory).max()
print(f"angle: {angle.min():.2f} to {angle.max():.2f} deg, off the straight line by {off:.3f} deg")

fig, axes = plt.subplots(3, 1, figsize=(8, 7), sharex=True, layout="constrained")
axes[0].plot(seconds / orbit, jd.quantity(run, "length:tether").values / 1e3)
axes[1].plot(seconds / orbit, angle, label="cable on a winch")
axes[1].plot(seconds / orbit, theory, "k--", lw=1, label="straight line")
axes[1].axhline(-np.degrees(0.5 * np.arcsin(0.4)), color="0.6", lw=0.8)
axes[2].plot(seconds / orbit, run.tension("tether", [0.0]).values[:, 0])
for ax, label in zip(axes, ("out [km]", "angle [deg]", "tension at the winch [N]")):
    ax.set_ylabel(label)
axes[1].legend()
axes[2].set_xlabel("orbits")
plt.show()
