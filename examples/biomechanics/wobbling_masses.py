"""
Wobbling masses: soft tissue at a landing
=========================================

Wojtyra's walker (NATO ASI, part B, section 18) has 21 degrees of freedom, and 46 with wobbling masses "to account for
elasticity of human tissues": the paper says no more of them. Here three fifths of trunk, thighs and shanks are masses
of their own, each with three ways to move and two to tilt, which makes 25. A stiff-legged man lands from 5 cm: bones
stop at once, soft parts go on and are stopped by their springs, so that the first blow is the smaller the softer they
are.
"""

import matplotlib.pyplot as plt
import numpy as np

import jourdain as jd

SIDES = ("l", "r")
CONTACTS = [f"foot_{s} {i}" for s in SIDES for i in range(5)]
DROP = 0.05


def man(frequency=None):
    """The walker, soft parts at this frequency [Hz] or none, and its state above the ground."""
    feet = {"pressure": jd.human.foot_pressure(1e5, 1000.0, 0.01), "friction": jd.human.foot_friction(0.9, 0.2)}
    system = jd.human.walker(**feet)
    if frequency is not None:
        jd.human.wobble(system, frequency=frequency, damping=0.2)
    model = system.compile()
    sole = -min(model.pose(f"foot_{s}.sole", model.state()).position[2] for s in SIDES)
    return model, model.state(q={"root.z": sole + DROP})


def land(frequency=None, until=0.35):
    """A run: joints held at their angles by stiff springs and dampers, so that all that gives is soft or a foot."""
    model, state = man(frequency)
    joints = [name for name in model.names.v if not name.startswith("root") and "soft" not in name]
    held = jd.control.PD(joints, kp=1500.0, kd=5.0)
    return jd.simulate(model, state, until, step=5e-5, method="rk4", output=1e-3, controller=held)


names = {"rigid": None, "40 Hz": 40.0, "10 Hz": 10.0, "5 Hz": 5.0}
runs = {name: land(hz) for name, hz in names.items()}
reaction = {name: sum(run.contact[one].force.values[:, 2] for one in CONTACTS) for name, run in runs.items()}
model, state = man(10.0)
dofs, weight = model.nv, 9.81 * 73.0
bones = [name for name in model.names.v if "soft" not in name]
swings = model.frequencies(state, hold=bones)
blows = {name: float(np.max(force)) / weight for name, force in reaction.items()}

fig, (left, right) = plt.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
for name, force in reaction.items():
    left.plot(1e3 * runs[name].time, force / weight, label=f"{name}: {blows[name]:.1f} at most")
left.set(xlabel="time [ms]", ylabel="ground reaction / weight", title=f"landing from {100 * DROP:.0f} cm")
left.legend()
for name in list(runs)[1:]:
    right.plot(1e3 * runs[name].time, 1e3 * runs[name].q["upper_soft_z"], f"C{list(runs).index(name)}", label=name)
right.set(xlabel="time [ms]", ylabel="soft part of the trunk against its bone, up [mm]")
right.legend()
plt.show()
