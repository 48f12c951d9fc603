"""
Controllers of the vibration isolation platform
===============================================

Sampled controllers of Rybak's isolation platform (NATO ASI, part B, section 7), and a leg as a plant of the package.
"""

import numpy as np

import jourdain as jd

LAG, PERIOD = 13.8, 0.01
"""Of the speed drive of a leg [1/s], and between samples [s]."""
E = np.exp(-LAG * PERIOD)
A32, B3 = -LAG * E, LAG * E
"""Acceleration after a sample by the speed and the command at it, eq. 2."""
TAPS = (-0.85, 0.156, 0.632, -4.30, 5.19, 0.661, -0.472, -0.326)
"""The optimal law of eq. 10."""


class Leg:
    """A controller of one leg: relative travel and speed, base acceleration in, commanded speed out.

    kind       "invariant" (eq. 6), "feedback" (7), "switching" between both, or "taps" (10)
    slack      Delta_1 of eq. 6
    gains      k1, k2, k3 of eq. 7
    bounds     of the travel: to eq. 7 above the first, back below the second
    """

    def __init__(self, kind="switching", slack=0.008, gains=(-0.0038, 0.985, -0.0839), bounds=(2.0, 1.0)):
        self.kind, self.slack, self.gains, self.bounds = kind, slack, gains, bounds
        self.travels, self.speeds, self.shakes = np.zeros(3), np.zeros(3), np.zeros(3)
        self.count, self.wide, self.switched = 0, kind == "feedback", []

    def __call__(self, travel, speed, shake):
        for memory, value in ((self.travels, travel), (self.speeds, speed), (self.shakes, shake)):
            memory[1:], memory[0] = memory[:-1].copy(), value
        if self.kind == "switching" and abs(travel) > self.bounds[0] and not self.wide:
            self.wide, self.switched = True, [*self.switched, self.count]
        elif self.kind == "switching" and abs(travel) < self.bounds[1] and self.wide:
            self.wide, self.switched = False, [*self.switched, self.count]
        self.count += 1
        if self.kind == "taps":
            return float(np.dot(TAPS, [*self.travels, *self.speeds[:2], *self.shakes]))
        if self.wide:
            return float(np.dot(self.gains, (travel, speed, shake)))
        ahead = np.dot((3.0, -3.0, 1.0), self.shakes)  # what the base will do at the next sample
        return -(A32 * (1.0 - self.slack) * speed + ahead) / B3


def simulated(legs, shakes, until):
    """Legs with lagging speed drives under their controllers: the run, and what comes after each sample.

    shakes    t -> accelerations of the base along each leg [m/s^2]
    Returns the run, travels (samples, legs) [m] and accelerations of the platform along the legs [m/s^2], at samples.
    """
    system = jd.System("legs")
    for i in range(len(legs)):
        system.add(jd.RigidBody(f"leg{i}", 1.0), jd.Prismatic(f"leg{i}", damping=LAG), position=(i, 0, 0))
    model = system.compile()
    commands = []

    def control(t, q, v):
        commands.append([leg(*now) for leg, now in zip(legs, zip(q, v, shakes(t)), strict=True)])
        return LAG * np.array(commands[-1])

    law = jd.control.Sampled(control, PERIOD)
    run = jd.simulate(model, model.state(), until, step=PERIOD / 4, method="rk4", output=PERIOD, controller=law)
    count = len(run.record.time) - 1
    base = np.array([shakes(t) for t in run.record.time])
    felt = A32 * run.record.v[:count] + B3 * np.array(commands[:count]) + base[1:]
    return run, run.record.q, felt
