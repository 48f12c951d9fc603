"""
Parametric study of an orbiting arm
===================================

Section 4.2 of Y. Chen's thesis (University of British Columbia 1999). An arm of 10 m on the platform turns by half a
circle in 0.005 orbit, 28 s. The twist of its joint depends on the payload far more than on the place of the base: the
manoeuvre, not the platform, shakes the arm. The platform feels the place: with the base near the node of its first
mode, 33 m from the centre, it hardly bends. One mode a body tells these amplitudes to some percent. A damping ratio of
0.001 in the link calms the link's own ringing in minutes, and the joint's, slower and stored in the undamped spring,
hardly.
"""

import matplotlib.pyplot as plt
import numpy as np
from orbiting_manipulator import ORBIT, manipulator, tips

import jourdain as jd

RISE = 0.005 * ORBIT.period


def slewed(payload=400.0, base=60.0, modes=1):
    """Half a circle along the thesis's profile; returns the run."""
    model = manipulator(1, base=base, payload=payload, modes=modes).compile()
    turn = {"slew1": jd.Cycloid(to=np.pi, duration=RISE)}
    return jd.simulate(model, model.state(), until=4.0 * RISE, output=0.05, motions=turn, rtol=1e-8)


def plucked(damping):
    """The tip let go at 0.1 m, the arm across the platform's tip; returns the run."""
    model = manipulator(1, damping=damping).compile()
    state = model.state(q={"slew1": 0.5 * np.pi, "module1.bending_y[0]": 0.1})
    held = {"slew1": jd.Polynomial([0.5 * np.pi])}
    return jd.simulate(model, state, until=0.03 * ORBIT.period, output=0.02, motions=held, rtol=1e-8)


def peaks(run, after=0.0):
    """Largest twist [deg], deflection of the arm's and of the platform's tip [m], from a time on."""
    late = run.time.values >= after
    e2, e3 = (float(np.max(np.abs(one[late]))) for one in tips(run, 1))
    return np.degrees(float(np.max(np.abs(run.q["twist1"].values[late])))), e3, e2


payloads = {f"payload {mass:g} kg": slewed(mass) for mass in (400.0, 800.0, 2000.0)}
bases = {f"base at {base:g} m": slewed(base=base) for base in (0.0, 30.0, 60.0)}
counts = {f"{modes} modes": slewed(2000.0, modes=modes) for modes in (1, 2, 3)}
dampings = {f"damping {ratio:g}": plucked(ratio) for ratio in (0.0, 0.001)}
found = {name: peaks(run) for group in (payloads, bases, counts, dampings) for name, run in group.items()}
left = {name: peaks(run, RISE) for name, run in bases.items()}
for name, (twist, arm, platform) in found.items():
    print(f"{name}: twist {twist:.2f} deg, tip of the arm {arm:.4f} m, of the platform {1e3 * platform:.2f} mm")
for name, (twist, arm, platform) in left.items():
    print(f"{name}, after the slew: {twist:.2f} deg, {arm:.4f} m, {1e3 * platform:.2f} mm")

figure, panels = plt.subplots(2, 2, figsize=(9, 6), layout="constrained")
for name, run in payloads.items():
    panels[0, 0].plot(run.time / ORBIT.period, np.degrees(run.q["twist1"]), label=name)
for name, run in bases.items():
    panels[0, 1].plot(run.time / ORBIT.period, 1e3 * tips(run, 1)[0], label=name)
for name, run in counts.items():
    panels[1, 0].plot(run.time / ORBIT.period, tips(run, 1)[1], label=name, linewidth=0.8)
for name, run in dampings.items():
    panels[1, 1].plot(run.time / ORBIT.period, tips(run, 1)[1], label=name, linewidth=0.3)
labels = ("twist of the joint [deg]", "platform's tip [mm]", "arm's tip [m]", "arm's tip, let go [m]")
for panel, label in zip(panels.flat, labels):
    panel.set_ylabel(label)
    panel.set_xlabel("orbits")
    panel.grid(alpha=0.3)
    panel.legend(fontsize="small")
plt.show()
