"""
Planar walking with balance feedback
====================================

Wojtyra (NATO ASI, part B, section 18) drives the joints of a walker by torques towards wanted angles, on feet that
press into the ground at points, and keeps it upright by feeding the error of the trunk to the hip in support. Here are
seven links in a plane with the segments of de Leva 1996 and the paper's ground. The wanted angles are two poses a step
(Yin, Loken & van de Panne 2007); gains and poses were found by trying, since the paper prints none. It lands hard, with
more than four times its weight for an instant, where a man has 1.2; and it falls within two seconds without feedback.
"""

import matplotlib.pyplot as plt
import numpy as np
from walker import CONTACTS, MARKERS, SIDES, Gait, walker

import jourdain as jd

model = walker()
pose = {"hip_l": -0.15, "hip_r": 0.25, "knee_l": 0.1, "knee_r": 0.3, "ankle_l": 0.15, "ankle_r": 0.1, "plane.x": 0.922}
WEIGHT = 73.0 * 9.81


def walk(feedback, until=10.0):
    """A run that begins in mid-step at 1 m/s, and when feet landed."""
    gait = Gait(model, feedback)
    driven = jd.control.Sampled(gait, 1e-3, markers=MARKERS, contacts=CONTACTS)
    state = model.state(q=pose, v={"plane.y": 1.0})
    run = jd.simulate(model, state, until, step=5e-5, method="rk4", output=0.01, controller=driven)
    return run, np.array(gait.steps)


runs = {"trunk felt": walk(True), "trunk not felt": walk(False, 3.0)}
falls, steps = {}, {}
for name, (run, landed) in runs.items():
    low = np.flatnonzero(run.q["plane.x"].values < 0.65)
    falls[name] = float(run.time[low[0]]) if len(low) else None
    steps[name] = int(np.sum(landed < (falls[name] or np.inf)))
run, landed = runs["trunk felt"]
reaction = {s: sum(run.contact[one].force.values[:, 2] for one in CONTACTS if f"_{s}" in one) for s in SIDES}
depth = max(float(np.max(run.contact[one].depth.values)) for one in CONTACTS)
speed = float(run.q["plane.y"][-1] - run.q["plane.y"][500]) / 5.0

fig, (top, left, right) = plt.subplots(3, 1, figsize=(10, 8), layout="constrained")
for (one, _), color, last in zip(runs.values(), ("C0", "C3"), (260, 130), strict=True):
    for s in SIDES:
        places = ("trunk.top", "trunk.hips", f"thigh_{s}.end", f"shank_{s}.end", f"foot_{s}.toe")
        paths = np.array([one.frame(place).position.values[0:last:10] for place in places])
        top.plot(paths[:, :, 0], paths[:, :, 2], color=color, lw=0.8)
top.set(aspect="equal", ylabel="[m]", title="blue: the hip in support feels the trunk; red: it does not")
for s in SIDES:
    left.plot(run.time[:300], reaction[s][:300] / WEIGHT, label=f"foot {s}")
left.set(ylabel="ground reaction / weight")
left.legend()
for name, (one, _) in runs.items():
    right.plot(one.time, np.degrees(one.q["plane.angle"]), label=f"{name}: {steps[name]} steps")
right.set(xlabel="time [s]", ylabel="pitch of the trunk [deg]", ylim=(-60, 60))
right.legend()
plt.show()
