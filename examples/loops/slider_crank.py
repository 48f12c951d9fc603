"""
A slider-crank: kinematics, equilibrium, motion
===============================================

One machine, looked at in three ways. Position analysis goes round with the crank, finds velocities, accelerations and
the torque that a steady turn takes. Statics finds where gravity and a spring leave it, and the linear model about that
place how fast it rocks. Dynamics lets it go from there with a push.
"""

import matplotlib.pyplot as plt
import numpy as np
from machines import SLIDER_CRANK, slider_crank

import jourdain as jd

(r, _), (l, _), _ = SLIDER_CRANK.values()
model = slider_crank().compile()
start = model.state(q={"slide": r + l})

# %%
# A steady turn, and what it takes. The slider's place is that of every textbook.

speed = 12.0
times = np.linspace(0.0, 2.0 * np.pi / speed, 181)
turn = jd.mechanism.positions(model, {"crank_angle": jd.Polynomial([0.0, speed])}, times, start, reactions=True)
theta = speed * times
slide = r * np.cos(theta) + np.sqrt(l**2 - (r * np.sin(theta)) ** 2)
off = np.max(np.abs(turn.q[:, 2] - slide))
torque = turn.effort[:, 0]

# %%
# With a spring: where it rests, and its frequency there. The number of iterations says that Newton's method has the
# true derivatives of gravity, spring and loop.

sprung = slider_crank(spring=60.0).compile()
guess = sprung.assemble(sprung.state(q={"crank_angle": -0.8, "rod_angle": 1.2, "slide": 0.4}), hold=("crank_angle",))
rest = sprung.equilibrium(guess)
modes = sprung.frequencies(rest.state)

# %%
# A small push rocks it at that frequency.

push = sprung.assemble(sprung.state(q=rest.state.q, v={"crank_angle": 0.02}), hold=("crank_angle",))
run = jd.simulate(sprung, push, until=6.0 / modes.hz[0], rtol=1e-10, atol=1e-13, output=0.01 / modes.hz[0])
swing = run.q["crank_angle"].values - rest.state.q[0]
theory = 0.02 / modes.rad[0] * np.sin(modes.rad[0] * run.time.values)
rocking = np.max(np.abs(swing - theory)) / np.max(np.abs(theory))

figure, (left, middle, right) = plt.subplots(1, 3, figsize=(12, 3.6), layout="constrained")
left.plot(np.degrees(theta), turn.v[:, 2], label="velocity [m/s]")
left.plot(np.degrees(theta), turn.a[:, 2] / 20.0, label="acceleration / 20 [m/s²]")
left.plot(np.degrees(theta), torque, label="torque [N m]")
left.set(xlabel="crank [deg]", ylim=(-2.2, 4.6), title="a steady turn at 12 rad/s")
left.legend(frameon=False, loc="upper right")
middle.semilogy(rest.history, "o-")
middle.set(xlabel="iteration", ylabel="out of balance [N m]", title="Newton's method finds the rest")
right.plot(run.time, 1e3 * swing, label="simulated")
right.plot(run.time, 1e3 * theory, "k--", lw=0.8, label=f"{modes.hz[0]:.4f} Hz")
right.set(xlabel="time [s]", ylabel="crank from its rest [mrad]", ylim=(-3, 3.6), title="and rocks about it")
right.legend(frameon=False, loc="upper right", ncols=2)
plt.show()
