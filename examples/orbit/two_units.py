"""
Deployment of two units of an orbiting manipulator
==================================================

The whole system of Y. Chen's thesis (University of British Columbia 1999) in one manoeuvre: the base travels along the
bending platform from 20 to 40 m, both units slew out of their fold and deploy to almost twice their length, and the
payload of 400 kg at the tip is carried to a place beside the platform, in ten minutes. Platform, units and joints are
elastic; the platform floats in its orbit and answers with its pitch. Motions are prescribed, and the torques that they
take are in the result; the ringing that is left when they end is that of the joints and the links. The scene is true to
scale.
"""

import matplotlib.pyplot as plt
import numpy as np
from orbiting_manipulator import LENGTH, ORBIT, manipulator, tips

import jourdain as jd

DURATION, UNTIL = 600.0, 900.0
FOLDED = {"base": 20.0, "slew1": np.radians(170.0), "slew2": np.radians(-160.0)}
FOLDED |= {"module1.length": 7.5, "module2.length": 7.5}
PLACED = {"base": 40.0, "slew1": np.radians(100.0), "slew2": np.radians(-20.0)}
PLACED |= {"module1.length": 14.5, "module2.length": 14.5}

model = manipulator(2, payload=400.0, damping=0.005, deploying=True, rail=True).compile()
motions = {name: jd.Cycloid(to=value, duration=DURATION) for name, value in PLACED.items()}
run = jd.simulate(model, model.state(q=FOLDED), until=UNTIL, output=0.25, motions=motions, rtol=1e-8)

t = run.time.values
pitch = np.degrees(run.q["platform.angle"].values)
platform, first, second = tips(run, 2)
twist = {name: np.degrees(run.q[name].values) for name in ("twist1", "twist2")}
balance = float(np.abs(run.energy["balance"].values).max())
exchanged = float(np.abs(run.energy["work"].values).max())
print(f"pitch {pitch.min():.3f} to {pitch.max():.3f} deg; platform's tip {1e3 * np.abs(platform).max():.2f} mm")
print(f"units' tips {1e3 * np.abs(first).max():.1f} and {1e3 * np.abs(second).max():.1f} mm; balance {balance:.1e} J")


def place(address, at):
    """Where a frame is at sample `at`, in the orbital frame: along the flight, and up [m]."""
    x, y, _ = run.frame(address).position.values[at]
    return y, x


figure = plt.figure(figsize=(9, 6.5), layout="constrained")
scene, slow, quick, paid = figure.subplot_mosaic([["scene", "slow"], ["scene", "quick"], ["scene", "paid"]]).values()
shades = plt.get_cmap("viridis")
for time in (0.0, 200.0, 300.0, 400.0, 600.0):
    at = int(np.argmin(np.abs(t - time)))
    shade = shades(time / 700.0)
    ends = [place(one, at) for one in ("cart.origin", "module1.tip", "module2.tip")]
    scene.plot(*zip(*ends), "-o", color=shade, markersize=3, linewidth=2, label=f"{time:.0f} s")
    scene.plot(*ends[-1], "s", color=shade, markersize=9)
for one in ("platform.root", "platform.tip"):
    scene.plot(*zip(place("platform.origin", -1), place(one, -1)), color="0.4", linewidth=6, solid_capstyle="butt")
scene.set(xlabel="along the flight [m]", ylabel="up, local vertical [m]", ylim=(-5.0, 0.5 * LENGTH + 8.0))
scene.set_aspect("equal")
scene.legend(loc="lower right")
slow.plot(t / 60.0, pitch, color="C3")
slow.set_ylabel("pitch [deg]")
for i in (1, 2):
    quick.plot(t / 60.0, twist[f"twist{i}"], linewidth=0.8, label=f"unit {i}")
    paid.plot(t / 60.0, run.effort[f"slew{i}"], linewidth=0.8)
quick.legend(loc="lower right")
quick.set_ylabel("twist of the joints [deg]")
paid.set_ylabel("torques [N m]")
paid.set_xlabel("minutes")
for panel in (scene, slow, quick, paid):
    panel.grid(alpha=0.3)
figure.suptitle(f"Two units unfold from a platform of {LENGTH:.0f} m, {DURATION / ORBIT.period:.2f} of an orbit")
plt.show()
