"""
Two trains that pass each other
===============================

A train and the air around it are two programs: a multibody model of cars on their suspensions, and a potential flow
with source panels on both trains, solved anew at every macro point (A. Carrarini, *Coupled multibody-aerodynamic
simulation of high-speed trains manoeuvres*). They exchange side forces and side motions some thirty times in a
manoeuvre. The paper found that wheelsets move in proportion to the speed although forces grow with its square, and that
the motion hardly acts back on the flow. Its data were lost; those here are ours. They show how a power of one comes
about: the faster the trains, the sooner all is over, and the impulse of the air as a whole is zero. So motions grow
with the square of the speed where springs follow at once, with a resonance where pulses last as long as the cars' own
swing, and hardly at all beyond. From 10 to 80 m/s the power is 1.06 in the mean.
"""

import matplotlib.pyplot as plt
import numpy as np
from panels import flow, revolved

import jourdain as jd
from jourdain.cosimulation import Master, ModelPart, Part

CARS, LENGTH, WIDTH, HEIGHT, TRACKS, RHO = 3, 25.0, 2.95, 3.7, 4.7, 1.2

# %%
# Each car has a body of 36 t on bogies of 12 t, side springs and dampers in between, and the track's guidance below.

train = jd.System("train")
for i in range(CARS):
    train.add(jd.RigidBody(f"bogie{i}", 12e3, inertia=(1, 1, 1)),
              jd.Prismatic(f"wheels{i}", axis="y", stiffness=2e6, damping=6e4))  # fmt: skip
    train.add(jd.RigidBody(f"car{i}", 36e3, inertia=(1, 1, 1)),
              jd.Prismatic(f"sway{i}", axis="y", stiffness=5e5, damping=5e4), to=f"bogie{i}.origin")  # fmt: skip
model = train.compile()
SIDES = [f"car{i}.origin.{part}" for i in range(CARS) for part in ("y", "vy")]
FORCES = [f"car{i}.origin.fy" for i in range(CARS)]


class Air(Part):
    """The flow about two trains that run towards each other; ours is at y = 0, and its cars move to the side."""

    def __init__(self, speed, start):
        self.name, self.inputs, self.outputs = "air", SIDES, [f"side{i}" for i in range(CARS)]
        self.speed, self.start, self.work = speed, start, np.full(len(SIDES), np.nan)
        self.body = revolved(CARS * LENGTH, WIDTH, HEIGHT, 14, 6)
        self.other = revolved(CARS * LENGTH, WIDTH, HEIGHT, 14, 6)
        self.car = np.clip((self.body.places[:, 0] / LENGTH + 0.5 * CARS).astype(int), 0, CARS - 1)

    def solved(self, t, sides):
        """Potential at the panels of our train, and the velocities of air and walls there."""
        gap = self.start - 2.0 * self.speed * t
        y, v = np.reshape(sides, (CARS, 2)).T
        walls = np.tile((self.speed, 0.0, 0.0), (len(self.body.places), 1))
        walls[:, 1] = v[self.car]
        against = np.tile((-self.speed, 0.0, 0.0), (len(self.other.places), 1))
        shifts = [np.array((0.0, np.mean(y), 0.0)), np.array((gap, TRACKS, 0.0))]
        _, potential, air = flow([self.body, self.other], shifts, [walls, against])
        count = len(walls)
        return potential[:count], air[:count], walls

    def begin(self, inputs):
        self.potential, self.air, self.walls = self.solved(0.0, inputs)
        self.forces = np.zeros(CARS)
        return 0.0

    def advance(self, t, h, inputs):
        before = self.potential
        self.potential, self.air, self.walls = self.solved(t + h, inputs(t + h))
        rate = (self.potential - before) / h  # seen from the moving wall
        pressure = -RHO * (rate - np.sum(self.walls * self.air, 1) + 0.5 * np.sum(self.air**2, 1))
        push = -pressure * self.body.areas * self.body.normals[:, 1]
        self.forces = np.array([push[self.car == i].sum() for i in range(CARS)])

    def read(self):
        return self.forces.copy()

    def keep(self):
        return self.potential, self.forces

    def back(self, kept):
        self.potential, self.forces = kept


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
