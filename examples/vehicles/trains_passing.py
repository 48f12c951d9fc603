"""
Co-simulation of passing trains with aerodynamics
=================================================

A train and the air around it are two programs: a multibody model of cars on their suspensions, and a potential flow
with source panels on both trains, solved anew at every macro point (A. Carrarini, *Coupled multibody-aerodynamic
simulation of high-speed trains manoeuvres*, NATO ASI 2002). They exchange side forces and side motions some thirty
times in a manoeuvre. The paper found that wheelsets move in proportion to the speed although forces grow with its
square, and that the motion hardly acts back on the flow. Its data were lost; those here are ours. They show how a power
of one comes about: the faster the trains, the sooner all is over, and the impulse of the air as a whole is zero.
Springs that follow at once would move with the square of the speed, and those that have no time to hardly at all;
between lie the swings of cars and bogies. From 10 to 80 m/s the power is 1.06 in the mean, 1.04 with four times as many
macro steps.
"""

import matplotlib.pyplot as plt
import numpy as np
from trains import CARS, FORCES, LENGTH, SIDES, Air, train

from jourdain.cosimulation import Master, ModelPart

# %%
# The train is a model with side forces as inputs, the air a part of our own; both are in `trains.py`, panels in
# `panels.py`.

model = train()


def manoeuvre(speed, back=1.0, macro=30):
    """A meeting from 40 m before the noses to 40 m behind the tails, in so many macro steps."""
    way = 2 * CARS * LENGTH + 80.0
    h = round(way / (2.0 * speed) / macro, 3)
    wheels = [f"wheels{i}" for i in range(CARS)]
    cars = ModelPart("train", model, inputs=FORCES, outputs=[*SIDES, *wheels], step=1e-3)
    connect = [(f"air.side{i}", f"train.{name}") for i, name in enumerate(FORCES)]
    connect += [(f"train.{name}", f"air.{name}", back) for name in SIDES]
    # the air first: the train then has forces between two macro points, and not beyond the last one
    return Master([Air(speed, 0.5 * way), cars], connect, h, order=1, scheme="gauss-seidel").run(macro * h)


# %%
# Four speeds, and at the highest one once more with the motion kept from the flow.

runs = {speed: manoeuvre(speed) for speed in (10.0, 20.0, 40.0, 80.0)}
deaf = manoeuvre(80.0, back=0.0)
speeds = np.array(list(runs))
peak_force = np.array([max(np.abs(run[f"air.side{i}"]).max() for i in range(CARS)) for run in runs.values()])
peak_motion = np.array([max(np.abs(run[f"train.wheels{i}"]).max() for i in range(CARS)) for run in runs.values()])
force_powers, motion_powers = (np.log2(one[1:] / one[:-1]) for one in (peak_force, peak_motion))
mean_power = np.log(peak_motion[-1] / peak_motion[0]) / np.log(speeds[-1] / speeds[0])
feedback = np.abs(deaf["train.wheels0"] - runs[80.0]["train.wheels0"]).max() / peak_motion[-1]

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
for i in range(CARS):
    left.plot(runs[80.0].time, 1e-3 * runs[80.0][f"air.side{i}"], label=f"car {i + 1}")
left.set(xlabel="time [s]", ylabel="side force [kN]", title="80 m/s")
left.legend(frameon=False)
right.loglog(speeds, 1e-3 * peak_force, "o-", label="largest side force [kN]")
right.loglog(speeds, 1e3 * peak_motion, "s-", label="largest motion of wheels [mm]")
right.loglog(speeds, 1e3 * peak_motion[0] * speeds / speeds[0], "k:", label="in proportion to the speed")
right.set(xlabel="speed [m/s]", title="forces grow with the square, motions with less")
right.legend(frameon=False)
plt.show()
