"""
Deployment of an orbiting arm
=============================

Cases 4-11 and 5-8 of Y. Chen's thesis (University of British Columbia 1999): an arm across the tip of the platform
doubles its length, from 7.5 to 15 m, while it rings. The longer the arm the softer it is: its line falls from 1.7 to
0.7 Hz, and the amplitude nearly doubles, as E / omega is kept. The length's own motion turns the platform. Feedback
linearisation of pitch, slew and length holds the platform still and brings the length out; since it knows the whole
plant, it does not damp the ringing, which is that of the free platform to some percent.
"""

import matplotlib.pyplot as plt
import numpy as np
from orbiting_manipulator import ORBIT, manipulator, tips

import jourdain as jd

BEGIN, RISE, UNTIL = 0.005 * ORBIT.period, 0.005 * ORBIT.period, 0.02 * ORBIT.period
JOINTS = ("platform.angle", "slew1", "module1.length")
KP, KD = (0.15, 8.2943e-2, 8.2943e-2), (4.0, 5.76, 5.76)  # [1/s^2, 1/s], section 5.3

model = manipulator(1, base=60.0, payload=400.0, EI=5.5e4, deploying=True).compile()
across = np.radians(90.0)
start = model.state(q={"slew1": across, "module1.length": 7.5, "module1.bending_y[0]": 0.10})
out = jd.Cycloid(to=15.0, duration=RISE, start=BEGIN)


def controlled(length, until=UNTIL):
    """A run with pitch and slew held, and the length led to `length`."""
    reference = {"platform.angle": 0.0, "slew1": across, "module1.length": length}
    controller = jd.control.ComputedTorque(model, JOINTS, KP, KD, reference=reference)
    return jd.simulate(model, start, until=until, output=0.05, controller=controller, rtol=1e-8)


prescribed = {"slew1": jd.Polynomial([across]), "module1.length": out}
runs = {
    "4-11, free": jd.simulate(model, start, until=UNTIL, output=0.05, motions=prescribed, rtol=1e-8),
    "5-8, along the same profile": controlled(out),
    "5-8, step command": controlled(15.0, 4.0 * UNTIL),
}


def line(run, first, last):
    """Strongest line of the tip's deflection between two times [Hz]."""
    t, e = run.time.values, run.q["module1.bending_y[0]"].values
    inside = (t >= first) & (t <= last)
    part = (e[inside] - e[inside].mean()) * np.hanning(inside.sum())
    return float(np.argmax(np.abs(np.fft.rfft(part, 1 << 16))) / (t[1] - t[0]) / (1 << 16))


found = {}
for name, run in runs.items():
    e2, e3 = tips(run, 1)
    t, twist, pitch = run.time.values, np.degrees(run.q["twist1"].values), np.degrees(run.q["platform.angle"].values)
    late = t > (BEGIN + RISE if "step" not in name else 3.0 * UNTIL)
    found[name] = {
        "e3": (np.abs(e3[t < BEGIN]).max(), np.abs(e3[late]).max()),
        "twist": (np.abs(twist[t < BEGIN]).max(), np.abs(twist[late]).max()),
        "e2": np.abs(e2).max(),
        "pitch": pitch[-1],
        "line": (line(run, 0.0, BEGIN), line(run, t[late][0], t[-1])),
        "balance": np.abs(run.energy["balance"].values).max(),
        "efforts": tuple(np.abs(run.effort[joint].values).max() for joint in JOINTS),
    }
    print(name, found[name])

figure, panels = plt.subplots(2, 2, figsize=(9, 6), sharex=True, layout="constrained")
for name, run in runs.items():
    orbits = run.time / ORBIT.period
    panels[0, 0].plot(orbits, run.q["module1.length"], label=name)
    panels[0, 1].plot(orbits, np.degrees(run.q["platform.angle"]))
    panels[1, 0].plot(orbits, np.degrees(run.q["twist1"]), linewidth=0.7)
    panels[1, 1].plot(orbits, run.q["module1.bending_y[0]"], linewidth=0.7)
labels = ("length [m]", "pitch [deg]", "twist of the joint [deg]", "tip deflection [m]")
for panel, label in zip(panels.flat, labels):
    panel.set(ylabel=label, xlabel="orbits", xlim=(0.0, 0.04))
    panel.grid(alpha=0.3)
panels[0, 0].legend(loc="lower right")
plt.show()
