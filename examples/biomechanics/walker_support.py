"""
Removing the support of a walker step by step
=============================================

Wojtyra (NATO ASI, part B, section 18) finds what keeps his walker upright with a support, a force and torque from
outside on the trunk. One component after the other is set to zero, and each time a feedback to the joints is looked for
while the support still holds the rest. His example is the yaw angle: the hip in support turns the thigh about the
vertical by delta times the error, which two of its axes share by sine and cosine of the flexion. In the end nothing
holds it. He prints no gains; here three or four a coordinate are tried. Without the feedback of yaw it turns away.
"""

import matplotlib.pyplot as plt
import numpy as np
from spatial_gait import CONTACTS, MARKERS, Learner

import jourdain as jd

system = jd.human.walker(pressure=jd.human.foot_pressure(2e4, 1000.0, 0.02), friction=jd.human.foot_friction(0.9, 0.1))
model = system.compile()
pose = {"root.z": 0.94, "hip_l.a": -0.05, "hip_r.a": 0.25, "knee_l.a": 0.05, "knee_r.a": 0.6, "ankle_l.a": 0.1}
pose |= {"ankle_r.a": 0.35, "hip_l.b": 0.03, "hip_r.b": -0.03, "ankle_l.b": -0.03, "ankle_r.b": 0.03}
SPEED, HEIGHT, runs = 0.65, 0.92, {}
state = model.state(q=pose, v={"root.vx": SPEED, "hip_r.a": 2.0})
hand = jd.human.Support(model, "root", start=(0.0, 0.0, HEIGHT), velocity=(SPEED, 0.0, 0.0))


def walk(gains, held, until=3.0, step=1e-4):
    """A run with these gains and that support, and the feet that landed."""
    gait = Learner(model, gains, SPEED)
    driven = jd.control.Sampled(gait, 1e-3, markers=MARKERS, contacts=CONTACTS, name="gait")
    helped = jd.control.Sampled(hand.without(*set(hand.held) - set(held)), 1e-3, name="support")
    run = jd.simulate(model, state, until, step=step, method="rk4", output=0.01, controller=[driven, helped])
    return run, np.array(gait.steps)


def trial(gains, held):
    """How far the coordinate that was let go strays, in the mean; a fall costs more than any walk."""
    name = list(gains)[-1]
    try:
        run, _ = walk(gains, held)
    except jd.errors.SimulationError as error:
        run = error.partial
    runs[name, gains[name]] = run
    frame = run.frame("pelvis.origin")
    turn = [jd.human.trunk_angles(jd.Pose(rotation=one).rotation) for one in frame.quaternion.values]
    way = np.column_stack([SPEED * run.time, np.tile([0.0, HEIGHT, 0.0, Learner.LEAN, 0.0], (len(run.time), 1))])
    off = (np.column_stack([frame.position.values, turn]) - way)[:, "x y z roll pitch yaw".split().index(name)]
    fell = run.time[-1] < 2.99 or np.min(frame.position.values[:, 2]) < 0.7
    return np.sqrt(np.mean(off**2)) + 9.0 * fell


tries = {"yaw": (0.0, 0.2, 0.5, 1.0), "roll": (0.0, 0.5, 1.0), "pitch": (0.0, 0.5, 1.0), "y": (0.0, 0.5, 1.0)}
found = jd.human.wean(trial, tries | {"x": (0.0, 0.5, 1.0), "z": (0.0,)})
alone, landed = walk(found.gains, found.held, 6.0, 5e-5)
stages = [runs[name, gain] for name, gain in found.gains.items()]
force = [np.sqrt(np.mean(sum(run.effort[f"root.v{a}"].values ** 2 for a in "xyz"))) for run in stages]
torque = [np.sqrt(np.mean(sum(run.effort[f"root.w{a}"].values ** 2 for a in "xyz"))) for run in stages]

fig, (left, middle, right) = plt.subplots(1, 3, figsize=(13, 4.2), layout="constrained")
for gain in tries["yaw"]:
    run = runs["yaw", gain]
    yaw = [jd.human.trunk_angles(jd.Pose(rotation=q).rotation)[2] for q in run.frame("pelvis.origin").quaternion.values]
    left.plot(run.time, np.degrees(yaw), label=f"delta = {gain:g}")
left.set(xlabel="time [s]", ylabel="yaw [deg]", title="yaw let go, the rest held")
left.legend()
middle.plot(list(found.gains), force, "o-", label="force [N]")
middle.plot(list(found.gains), torque, "s-", label="torque [N m]")
middle.set(xlabel="let go up to", title="what the support still does, r.m.s.")
middle.legend()
path = alone.frame("pelvis.origin").position.values
right.plot(path[:, 0], path[:, 1], "k")
right.set(xlabel="forward [m]", ylabel="left [m]", title=f"alone: {len(landed)} steps in {alone.time.values[-1]:.0f} s")
plt.show()
