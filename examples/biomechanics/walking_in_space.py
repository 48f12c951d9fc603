"""
Walking in three dimensions with joint patterns
===============================================

Wojtyra's walker (NATO ASI, part B, section 18) has eight rigid parts and 21 degrees of freedom, five points a foot, and
joints that are driven towards patterns of a stride, given by Fourier series, the same for both legs, half a stride
apart. What keeps it from falling are heuristics: the hip in support feels pitch, roll and yaw of the trunk. The paper
prints no patterns and no gains; these were found by an evolution strategy that asked for a long walk straight ahead. It
takes small quick steps, five or six a second, where a man takes two. Without feedback it falls.
"""

import matplotlib.pyplot as plt
import numpy as np
from spatial_gait import CONTACTS, MARKERS, PATTERNS, SIDES, Gait

import jourdain as jd

system = jd.human.walker(pressure=jd.human.foot_pressure(2e4, 1000.0, 0.02), friction=jd.human.foot_friction(0.9, 0.1))
model = system.compile()
WEIGHT = 9.81 * sum(body.mass for body in system.bodies)
pose = {"root.z": 0.94, "hip_l.a": -0.05, "hip_r.a": 0.25, "knee_l.a": 0.05, "knee_r.a": 0.6, "ankle_l.a": 0.1}
pose |= {"ankle_r.a": 0.35, "hip_l.b": 0.03, "hip_r.b": -0.03, "ankle_l.b": -0.03, "ankle_r.b": 0.03}


def walk(feedback, until):
    """A run that begins in mid-step at 0.8 m/s, and when feet landed."""
    gait = Gait(model, feedback)
    driven = jd.control.Sampled(gait, 1e-3, markers=MARKERS, contacts=CONTACTS)
    state = model.state(q=pose, v={"root.vx": 0.8, "root.vy": 0.08, "hip_r.a": 2.0})
    run = jd.simulate(model, state, until, step=5e-5, method="rk4", output=0.01, controller=driven)
    return run, np.array(gait.steps)


runs = {"trunk felt": walk(True, 10.0), "trunk not felt": walk(False, 2.3)}
falls, steps = {}, {}
for name, (run, landed) in runs.items():
    low = np.flatnonzero(run.q["root.z"].values < 0.7)
    falls[name] = float(run.time[low[0]]) if len(low) else None
    steps[name] = int(np.sum(landed < (falls[name] or np.inf)))
run, landed = runs["trunk felt"]
reaction = {s: sum(run.contact[one].force.values[:, 2] for one in CONTACTS if f"_{s}" in one) for s in SIDES}
depth = max(float(np.max(run.contact[one].depth.values)) for one in CONTACTS)
speed = float(run.q["root.x"][-1] - run.q["root.x"][500]) / 5.0
aside = float(np.max(np.abs(run.q["root.y"])))

fig, axes = plt.subplots(2, 2, figsize=(11, 7), layout="constrained")
(side, above), (ground, patterns) = axes
for (one, _), color, last in zip(runs.values(), ("C0", "C3"), (200, 100), strict=True):
    for s in SIDES:
        places = ("upper.top", "pelvis.origin", f"thigh_{s}.end", f"shank_{s}.end", f"foot_{s}.toe")
        paths = np.array([one.frame(place).position.values[0:last:10] for place in places])
        side.plot(paths[:, :, 0], paths[:, :, 2], color=color, lw=0.8)
side.set(aspect="equal", xlabel="[m]", ylabel="[m]", title="blue: the trunk is felt; red: it is not")
path = run.frame("pelvis.origin").position.values
above.plot(path[:, 0], path[:, 1], "k", label="pelvis")
for s, color in zip(SIDES, ("C0", "C1"), strict=True):
    place = run.frame(f"foot_{s}.sole").position.values[reaction[s] > 0.5 * WEIGHT]
    above.plot(place[:, 0], place[:, 1], ".", color=color, label=f"foot {s} on the ground")
above.set(xlabel="forward [m]", ylabel="left [m]", title=f"{steps['trunk felt']} steps in 10 s, seen from above")
above.legend()
for s in SIDES:
    ground.plot(run.time[500:600], reaction[s][500:600] / WEIGHT, label=f"foot {s}")
ground.set(xlabel="time [s]", ylabel="ground reaction / weight", ylim=(-0.05, 2.1))
ground.legend(loc="upper right", ncols=2)
phase = np.linspace(0.0, 1.0, 101)
for name, pattern in PATTERNS.items():
    patterns.plot(phase, [np.degrees(pattern(x)) for x in phase], label=name)
patterns.set(xlabel="phase of the stride", ylabel="pattern [deg]")
patterns.legend()
plt.show()
