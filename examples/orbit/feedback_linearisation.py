"""
Feedback linearisation of an orbiting manipulator
=================================================

Chapter 5 of Y. Chen's thesis (University of British Columbia 1999): pitch of the platform and slew of the arm are
driven by feedback linearisation, everything that bends is left free. A step command asks the arm to slew; the gains are
those that the thesis prints. The controller computes with the plant's own equations, so pitch does not move at all and
the slew follows its linear law exactly, while joint and link ring undamped: a faster command would shake them more, and
nothing in this law calms them. The torque that holds the platform is what the manoeuvre costs, and it doubles with the
base at the platform's tip. With the platform lying along the orbit, where the gravity gradient would turn it over, a
newton-metre holds it.
"""

import matplotlib.pyplot as plt
import numpy as np
from orbiting_manipulator import ORBIT, manipulator

import jourdain as jd

JOINTS = ("platform.angle", "slew1")
KP, KD = (0.15, 8.2943e-2), (4.0, 5.76)  # [1/s^2, 1/s], section 5.3


def manoeuvre(base, start, to, pitch=0.0, length=10.0, payload=400.0, EI=None, until=400.0):
    """A step command of the slew, in degrees, with the platform's pitch held; returns the run."""
    model = manipulator(1, base, length, payload, EI=EI).compile()
    held, target = np.radians([pitch, to])
    controller = jd.control.ComputedTorque(model, JOINTS, KP, KD, reference={"platform.angle": held, "slew1": target})
    state = model.state(q={"platform.angle": held, "slew1": np.radians(start)})
    return jd.simulate(model, state, until=until, output=0.1, controller=controller, rtol=1e-8)


def peaks(run):
    """Largest torques on platform and joint [N m], twist of the joint [deg] and tip deflection of the link [m]."""
    columns = [run.effort["platform.angle"], run.effort["slew1"], run.q["twist1"], run.q["module1.bending_y[0]"]]
    most = [float(np.abs(one).max()) for one in columns]
    return most[0], most[1], np.degrees(most[2]), most[3]


CASES = {
    "5-3, base at 30 m": (30.0, -30.0, -120.0),
    "5-4, base at the tip": (60.0, -30.0, -120.0),
    "5-6, payload of 2 t": (60.0, 0.0, 180.0, 0.0, 15.0, 2000.0),
}
runs = {name: manoeuvre(*case) for name, case in CASES.items()}
found = {name: peaks(run) for name, run in runs.items()}
for name, (platform, joint, twist, tip) in found.items():
    print(f"{name}: platform {platform:.0f} N m, joint {joint:.0f} N m, twist {twist:.2f} deg, tip {tip:.3f} m")

unstable = manoeuvre(60.0, -50.0, -50.0, pitch=90.0, until=100.0)
holding = dict(zip(JOINTS, peaks(unstable)))
print(f"5-5, across the vertical: {holding['platform.angle']:.3f} and {holding['slew1']:.3f} N m")

figure, panels = plt.subplots(2, 2, figsize=(9, 6), sharex=True, layout="constrained")
for name, run in runs.items():
    orbits = run.time / ORBIT.period
    start = CASES[name][1]
    panels[0, 0].plot(orbits, np.abs(np.degrees(run.q["slew1"]) - start), label=name)
    panels[0, 1].plot(orbits, run.effort["platform.angle"] / 1e3)
    panels[1, 0].plot(orbits, np.degrees(run.q["twist1"]), linewidth=0.7)
    panels[1, 1].plot(orbits, run.q["module1.bending_y[0]"], linewidth=0.7)
labels = ("slew [deg]", "torque on the platform [kN m]", "twist of the joint [deg]", "tip deflection [m]")
for panel, label in zip(panels.flat, labels):
    panel.set_ylabel(label)
    panel.grid(alpha=0.3)
for panel in panels[1]:
    panel.set_xlabel("orbits")
panels[0, 0].legend(loc="lower right")
plt.show()
