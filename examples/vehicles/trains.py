"""
Model of trains and the flow about them
=======================================

Cars on their suspensions, and the flow about two trains that meet, for the example beside this file.
"""

import numpy as np
from panels import flow, revolved

import jourdain as jd
from jourdain.cosimulation import Part

CARS, LENGTH, WIDTH, HEIGHT, TRACKS, RHO = 3, 25.0, 2.95, 3.7, 4.7, 1.2


def train():
    """Each car has a body of 36 t on bogies of 12 t, side springs and dampers in between, and guidance by the track."""
    system = jd.System("train")
    for i in range(CARS):
        system.add(jd.RigidBody(f"bogie{i}", 12e3, inertia=(1, 1, 1)),
                  jd.Prismatic(f"wheels{i}", axis="y", stiffness=2e6, damping=6e4))  # fmt: skip
        system.add(jd.RigidBody(f"car{i}", 36e3, inertia=(1, 1, 1)),
                  jd.Prismatic(f"sway{i}", axis="y", stiffness=5e5, damping=5e4), to=f"bogie{i}.origin")  # fmt: skip
    return system.compile()


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
