"""
Straight and circular paths with a slewing and deployable arm
=============================================================

The ground prototype of Y. Chen's thesis (UBC 1999, chapter 7): two modules, each of a slewing arm and an extension that
runs out of it. The second one draws a line of 20 cm in 4 s, and twice a circle of 10 cm radius in 20 s, under PID and
under feedback linearisation (FLT), every 2 ms, from encoders of 0.0045 degrees and 0.25 um. Without friction FLT halves
the error of PID, down to a count of the encoders. But torques of inertia are milli-newton-metres here, and with
0.05 N m of friction in the joints and 0.5 N in the extensions (no one measured it) the integral of PID is worth more
than the model. Its errors jump where a joint turns back, as they did in the laboratory.
"""

import matplotlib.pyplot as plt
import numpy as np

import jourdain as jd

JOINTS = ["slew1", "length1", "slew2", "length2"]


def prototype(friction):
    system, to = jd.System("prototype"), "world"
    for i, mass in ((1, 4.30), (2, 2.20)):
        rub = {"friction": 0.05, "friction_stiffness": 1e3} if friction else {}
        arm = jd.RigidBody(f"arm{i}", mass, com=(0.165, 0, 0), inertia=(0, mass * 0.33**2 / 12, mass * 0.33**2 / 12))
        system.add(arm, joint=jd.Revolute(f"slew{i}", axis="z", **rub), to=to)
        rub = {"friction": 0.5, "friction_stiffness": 2e4} if friction else {}
        across = 0.2 * 0.31**2 / 12
        extension = jd.RigidBody(f"extension{i}", 0.2, com=(-0.155, 0, 0), inertia=(0, across, across))
        system.add(extension, joint=jd.Prismatic(f"length{i}", axis="x", **rub), to=f"arm{i}.origin")
        to = f"extension{i}.origin"
    return system.compile()


model = prototype(friction=False)
BEGIN = {"length1": 0.4, "length2": 0.415}
inertia = np.diag(model.mass_matrix(model.state(q=BEGIN)))
t, turn = np.linspace(0.0, 4.0, 201), np.linspace(0.0, 40.0, 801)
along = 0.2 * (t / 4 - np.sin(np.pi * t / 2) / (2 * np.pi))
round_ = 0.1 * np.pi * turn
paths = {
    "line": (t, np.full(201, 0.415), along),
    "circle": (turn, 0.515 - 0.1 * np.cos(round_), 0.1 * np.sin(round_)),
}
counts = {"slew1": 7.85e-5, "slew2": 7.85e-5, "length1": 2.5e-7, "length2": 2.5e-7}
errors, traces = {}, {}
for friction in (False, True):
    plant = prototype(friction)
    for path, (times, x, y) in paths.items():
        goal = {"slew2": jd.Table(times, np.arctan2(y, x)), "length2": jd.Table(times, np.hypot(x, y))}
        gains = {"kp": 1600 * inertia, "kd": 80 * inertia, "ki": 16000 * inertia}
        for name, control in {
            "PID": jd.control.PID(JOINTS, **gains, reference=goal, start=BEGIN),
            "FLT": jd.control.ComputedTorque(model, JOINTS, 1600.0, 80.0, goal, start=BEGIN),
        }.items():
            digital = jd.control.Sampled(control, period=2e-3, quantisation=counts)
            options = {"step": 5e-4, "method": "rk4", "output": 0.02, "controller": digital}
            run = jd.simulate(plant, plant.state(q=BEGIN), until=float(times[-1]), **options)
            tip = run.frame("extension2.origin").position.values[:, :2] - [0.4, 0.0]
            wanted = np.stack([np.interp(run.time, times, x), np.interp(run.time, times, y)], axis=1)
            errors[path, name, friction] = 1e3 * np.linalg.norm(tip - wanted, axis=1)
            traces[path, name, friction] = run.time.values, tip
typical = {key: float(np.sqrt(np.mean(e**2))) for key, e in errors.items()}

fig, (left, middle, right) = plt.subplots(1, 3, figsize=(12, 4), layout="constrained")
for path in paths:
    left.plot(*(100 * traces[path, "PID", True][1].T))
left.set(xlabel="[cm]", ylabel="[cm]", title="drawn under PID, with friction", aspect="equal")
for panel, path in ((middle, "line"), (right, "circle")):
    for name, colour in (("PID", "C0"), ("FLT", "C3")):
        for friction in (False, True):
            label = f"{name}, {'friction' if friction else 'none'}: {typical[path, name, friction]:.3f} mm rms"
            time, style = traces[path, name, friction][0], "-" if friction else ":"
            panel.semilogy(time, errors[path, name, friction] + 1e-4, colour + style, linewidth=1.0, label=label)
    panel.set(xlabel="time [s]", ylabel="[mm]", title=f"error of the tip on the {path}", ylim=(1e-3, 30))
    panel.legend(fontsize=7, loc="lower right")
plt.show()
