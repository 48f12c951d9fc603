"""
Assembly cell: two arms and a force-torque sensor
=================================================

Georgiev and Ivanova (*Mechatronic approach for simulation of robots and walking machines*, NATO ASI 2002) put a cell
together of effectors, sensors and control: a main arm of PUMA type, an assistant of SCARA type, and a base station with
a sensor of forces and torques, by which the main arm becomes compliant. They print no numbers. Here the assistant holds
a block on the station from the side, and the main arm presses a tool on it from above until the station feels 30 N.
What the station feels is the recursion of Newton and Euler over what it carries: at rest weight and contact forces.
"""

import matplotlib.pyplot as plt
import numpy as np
from cell import TABLE, cell

import jourdain as jd

WEIGHT, WANTED, PERIOD = 4.0 * 9.81, 30.0, 1e-3
bare, model = cell()

# %%
# The main arm above the block, tool down; the assistant's hand beside it.

ARM, HELPER = tuple(f"q{i + 1}" for i in range(6)), ("s1", "s2", "s3", "s4")
above = jd.Pose((0.65, 0.0, -0.17), (0.0, 1.0, 0.0, 0.0))
rough = model.state({"q2": 0.3, "q3": 2.0, "q5": 0.9, "s1": 0.6, "s2": -1.2, "s4": 0.6})
there = jd.control.inverse_kinematics(model, "link6.tip", above, rough, hold=HELPER)
near, on = (
    jd.control.inverse_kinematics(model, "hand.tip", (x, 0.0, -0.25), there, hold=(*ARM, "s4")) for x in (0.76, 0.719)
)
index = model.index.q
motions = {name: jd.Cycloid(on.q[index[name]], 0.5) for name in HELPER}
main = [model.index.v[name] for name in ARM]
goal, felt = np.array([0.65, 0.0, -0.17]), []


def compliant(t, q, v, s):
    """Active compliance: the goal sinks by what is missing at the station, springs and dampers hold the tool there."""
    state = jd.State(t, q.copy(), v.copy())
    felt.append(s.copy())
    goal[2] += PERIOD * np.clip(2e-3 * (-s[2] - WEIGHT - WANTED), -0.05, 0.05)
    J, at = bare.jacobian("link6.tip", state)[:, main], bare.pose("link6.tip", state)
    turned = 0.5 * sum(np.cross(at.rotation[:, k], (1, -1, -1)[k] * np.eye(3)[k]) for k in range(3))
    wrench = (
        np.concatenate([60.0 * turned, 4e3 * (goal - at.position)]) - np.diag([2.0] * 3 + [250.0] * 3) @ J @ v[main]
    )
    weight = bare.inverse_dynamics(bare.state(q))[main]
    return dict(zip(ARM, J.T @ wrench + weight))


control = jd.control.Sampled(compliant, PERIOD, sensors=[jd.control.ForceSensor("station")])
run = jd.simulate(model, near, until=1.5, step=PERIOD / 2, output=5e-3, controller=control, motions=motions)
reading = np.array(felt)
forces = {name: run.contact[name].force.values for name in ("press", "hold")}
station = {name: -getattr(run.reaction["station"], name).values for name in ("force", "moment")}
at_rest = station["force"][-1] + sum(one[-1] for one in forces.values()) + (0, 0, WEIGHT)

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4), layout="constrained")
left.plot(PERIOD * np.arange(len(reading)), -reading[:, [2, 0]] - [WEIGHT, 0.0], label=["down", "sideways"])
left.axhline(WANTED, color="k", ls=":", label="wanted")
left.set(xlabel="time [s]", ylabel="[N]", title="what the station feels, less the weight of the block")
left.legend()
right.plot(run.time, 1e3 * (run.frame("link6.tip").position.values[:, 2] - TABLE[2] - 0.1), label="tool over the block")
right.plot(run.time, 1e3 * (run.frame("hand.tip").position.values[:, 0] - TABLE[0] - 0.06), label="hand beside it")
right.set(xlabel="time [s]", ylabel="[mm]")
right.legend()
plt.show()
