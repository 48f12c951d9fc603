"""
Joint impedance: feedback, redundancy, antagonistic drives
==========================================================

Impedance can be shaped by feedback, by redundant joints, or by drives that pull against each other (Kostadinov and
Boiadjiev, NATO ASI 2002). Left: a joint with a stiffness of 400 N m/rad and 0.7 of critical damping answers a torque
step as the formula says, while a pair of tendons whose force hardens with their stretch gets stiffer the harder both
are pulled, and no torque comes of that. Right: a redundant arm presses on walls of different stiffness. After its first
bounces the force is that of target and wall in series.
"""

import matplotlib.pyplot as plt
import numpy as np

import jourdain as jd

table = jd.System("rotary table")
table.add(jd.RigidBody("table", mass=1.0, inertia=(0.1, 0.1, 0.1)), joint=jd.Revolute("turn", axis="z"))
table.force("step", at="table.origin", moment=(0, 0, 5.0))
model = table.compile()
damping = 2 * 0.7 * np.sqrt(400.0 * 0.1)
soft = {"feedback, 400 N m/rad": jd.control.JointImpedance(["turn"], stiffness=400.0, damping=damping)}
for stretch in (0.002, 0.005, 0.010):
    pair = jd.control.Antagonists("turn", 0.05, linear=2e4, quadratic=3e6, co_contraction=stretch, damping=damping)
    soft[f"tendons, {1e3 * stretch:.0f} mm: {pair.stiffness(stretch):.0f} N m/rad"] = pair
answers = {
    name: jd.simulate(model, model.state(), until=0.4, output=1e-4, controller=control)
    for name, control in soft.items()
}
first = answers["feedback, 400 N m/rad"]
peak = float(first.q["turn"].max())
peak_time = float(first.time[np.argmax(first.q["turn"].values)])
ends = [float(run.q["turn"][-1]) for run in answers.values()]

# %%
# Three rods of 1 m in the horizontal plane, their tip a ball, 20 mm below a wall; the reference goes 50 mm behind it.

POSE, TARGET = {"j0": 0.2, "j1": 0.9, "j2": 0.5}, 400.0
HEIGHT = np.sin(0.2) + np.sin(1.1) + np.sin(1.6)


def press(wall):
    arm = jd.System("arm and wall")
    for i, mass in enumerate((5.0, 4.0, 3.0)):
        rod = jd.RigidBody(f"l{i}", mass, (0.5, 0, 0), (0.02, mass / 12, mass / 12), frames={"tip": (1, 0, 0)})
        arm.add(rod, joint=jd.Revolute(f"j{i}", axis="z"), to=f"l{i - 1}.tip" if i else "world")
    ball, face = jd.Sphere(0.02).at("l2.tip"), jd.Plane((0, -1, 0), offset=-HEIGHT - 0.04).at("world")
    arm.contact("touch", ball, face, normal=jd.contact.LinearContact(stiffness=wall, damping=200.0))
    model = arm.compile()
    control = jd.control.Impedance(
        model, "l2.tip", mass=4.0, damping=80.0, stiffness=TARGET, reference={"y": jd.Cycloid(HEIGHT + 0.07, 1.0)},
        directions="xy", contact="touch", null_damping=2.0, start=POSE,
    )  # fmt: skip
    run = jd.simulate(model, model.state(POSE), until=3.0, step=5e-4, method="rk4", output=5e-3, controller=control)
    return run.time.values, -run.contact["touch"].force.values[:, 1]


walls = (1e3, 1e4, 1e5)
pressed = {wall: press(wall) for wall in walls}
held = {wall: float(force[-1]) for wall, (_, force) in pressed.items()}
series = {wall: TARGET * wall / (TARGET + wall) * 0.05 for wall in walls}

fig, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
for name, run in answers.items():
    left.plot(
        run.time, 1e3 * run.q["turn"], "k--" if run is first else "-", label=name, zorder=3 if run is first else 2
    )
left.set(xlabel="time [s]", ylabel="[mrad]", title="answer to 5 N m")
left.legend(fontsize=8)
for wall, (time, force) in pressed.items():
    right.plot(time, force, label=f"wall {wall:g} N/m: {held[wall]:.2f} N")
    right.axhline(series[wall], color="k", linestyle=":", linewidth=0.8)
right.set(xlabel="time [s]", ylabel="[N]", title="force on a wall; dotted: in series")
right.legend(fontsize=8, loc="lower right")
plt.show()
