"""
Gait controller of the walker in space
======================================

Torques towards patterns of joint angles, and the heuristics that keep a walker in space upright.
"""

import math

import numpy as np

import jourdain as jd

SIDES = ("l", "r")
CONTACTS = [f"foot_{s} {i}" for s in SIDES for i in range(5)]
MARKERS = ("pelvis.origin", "foot_l.sole", "foot_r.sole")
# angles at tenths of a stride of one leg: on the ground for the first half, in the air for the second [rad]
ANGLES = {
    "hip": (-0.32, -0.23, -0.09, -0.13, -0.18, 0.48, 0.18, 0.32, 0.17, -0.21),
    "knee": (0.145, 0.145, 0.145, 0.145, 0.145, 0.366, 0.61, 0.61, 0.682, 0.162),
    "ankle": (0.053, 0.053, 0.053, 0.053, -0.011, 0.053, 0.236, 0.236, 0.236, 0.236),
}
PATTERNS = {name: jd.human.Pattern.through(values, 3 if name == "hip" else 4) for name, values in ANGLES.items()}


class Gait:
    """kappa (pattern - angle) + upsilon (its rate - rate) at every joint; the phase waits for the foot to land.

    Wojtyra's heuristics: errors of the trunk's pitch, roll and yaw go to the hip in support, which also takes what the
    hip in swing asks for. The leg in swing reaches out, forward and sideways, by how far and how fast the hips are away
    from the foot on the ground (Yin, Loken & van de Panne 2007). feedback=False leaves the hip in support its pattern.
    """

    STRIDE, KAPPA, UPSILON, MOST = 0.562, 244.0, 21.4, 250.0
    TRUNK, TURNING, YAW, YAWING = 225.0, 46.6, 11.8, 18.1  # gains of the hip in support
    LEAN, DROP, GIVE = 0.101, 0.0617, 1.13  # trunk forward, pelvis up on the side in swing, part of the other hip
    FORWARD, SIDEWAYS, ACROSS = (0.227, 0.389), (0.535, 0.368), 0.078

    def __init__(self, model, feedback=True):
        self.q, self.v, self.feedback = model.index.q, model.index.v, feedback
        self.stance, self.phase, self.time, self.steps = 0, 0.08, 0.0, []

    def move_on(self, t, load):
        """Phase at the time t, and its rate: the next half begins when the foot in swing lands."""
        ahead, self.time = (t - self.time) / self.STRIDE, t
        waiting = self.phase % 0.5 + ahead >= 0.499
        self.phase += 0.0 if waiting else ahead
        if self.phase % 0.5 > 0.3 and load[1 - self.stance] > 30.0:
            self.stance = 1 - self.stance
            self.phase = 0.5 * self.stance
            self.steps.append(t)
        return 0.0 if waiting else 1.0 / self.STRIDE

    def __call__(self, t, q, v, s):
        pace = self.move_on(t, s[39:].reshape(2, 5, 6)[:, :, 2].sum(axis=1))
        roll, pitch, yaw = angles = jd.human.trunk_angles(jd.Pose(s[:3], s[3:7]).rotation)
        level = np.array([[math.cos(yaw), math.sin(yaw)], [-math.sin(yaw), math.cos(yaw)]])
        ahead, moving, tilting = level @ (s[:2] - s[13 * (1 + self.stance) :][:2]), level @ s[10:12], level @ s[7:9]
        on, off = SIDES[self.stance], SIDES[1 - self.stance]
        effort = {}

        def towards(name, target, rate=0.0, stiffness=self.KAPPA, damping=self.UPSILON):
            wanted = stiffness * (target - q[self.q[name]]) + damping * (rate - v[self.v[name]])
            effort[name] = min(max(wanted, -self.MOST), self.MOST)

        for leg, side in enumerate(SIDES):
            phase, down = self.phase + 0.5 * leg, side == on
            aim = {name: (p(phase), p.slope(phase) * pace) for name, p in PATTERNS.items()}
            towards(f"hip_{side}.a", *aim["hip"])
            towards(f"hip_{side}.b", 0.0)
            towards(f"turn_{side}", self.ACROSS * yaw, 0.0, 100.0, 6.0)
            towards(f"knee_{side}.a", *aim["knee"])
            towards(f"knee_{side}.b", 0.0, 0.0, 100.0, 3.0)
            towards(f"ankle_{side}.a", *aim["ankle"], self.KAPPA * (1.35 if down else 0.2), 5.0 if down else 3.0)
            level_foot = -(roll + q[self.q[f"hip_{side}.b"]])
            towards(f"ankle_{side}.b", level_foot, 0.0, self.KAPPA * (0.45 if down else 0.1), 1.5)
        towards("waist", 0.0, 0.0, 200.0, 20.0)
        hip, phase = PATTERNS["hip"], self.phase + 0.5 - 0.5 * self.stance
        forward, sideways = self.reach(ahead, moving)
        towards(f"hip_{off}.a", hip(phase) + forward + pitch, hip.slope(phase) * pace + tilting[1])
        towards(f"hip_{off}.b", sideways - roll, -tilting[0])
        if self.feedback:
            trunk = self.upright(q, effort, angles, (*tilting, s[9]))
            effort |= {name: float(np.clip(value, -self.MOST, self.MOST)) for name, value in trunk.items()}
        return effort

    def reach(self, ahead, moving):
        """How far the leg in swing reaches out beside its pattern, forward and sideways [rad]."""
        forward = self.FORWARD[0] * ahead[0] + self.FORWARD[1] * moving[0]
        return forward, self.SIDEWAYS[0] * ahead[1] + self.SIDEWAYS[1] * moving[1]

    def upright(self, q, effort, angles, turning):
        """Torques of the hip in support from roll, pitch and yaw of the trunk, and from how fast they turn."""
        on, off = SIDES[self.stance], SIDES[1 - self.stance]
        drop = self.DROP if off == "l" else -self.DROP
        trunk = {
            f"hip_{on}.a": self.TRUNK * (self.LEAN - angles[1]) - self.TURNING * turning[1],
            f"hip_{on}.b": self.TRUNK * (angles[0] - drop) + self.TURNING * turning[0],
        }
        trunk = {name: value - self.GIVE * effort[name.replace(f"_{on}", f"_{off}")] for name, value in trunk.items()}
        trunk[f"turn_{on}"] = self.YAW * angles[2] + self.YAWING * turning[2] - effort[f"turn_{off}"]
        return trunk


class Learner(Gait):
    """The gait with gains that are given for the coordinates which nothing holds from outside.

    Pitch and roll: shares of the torques above. Yaw: delta of Wojtyra's two equations, by which the hip in support
    turns the thigh about the vertical. x and y: shares of how the leg in swing reaches out for a trunk that is not on
    its way, forward and sideways.
    """

    def __init__(self, model, gains, speed):
        super().__init__(model)
        self.gains, self.speed, self.ACROSS = gains, speed, 0.0

    def reach(self, ahead, moving):
        wanted, found = super().reach((0.0, 0.0), (self.speed, 0.0)), super().reach(ahead, moving)
        return tuple(w + self.gains.get(name, 0.0) * (f - w) for name, w, f in zip("xy", wanted, found, strict=True))

    def upright(self, q, effort, angles, turning):
        on = SIDES[self.stance]
        whole = super().upright(q, effort, angles, turning)
        trunk = {}
        for name, joint in (("pitch", f"hip_{on}.a"), ("roll", f"hip_{on}.b")):
            share = self.gains.get(name, 0.0)
            trunk[joint] = share * whole[joint] + (1.0 - share) * effort[joint]
        across, along = jd.human.hip_turn(q[self.q[f"hip_{on}.a"]], self.gains.get("yaw", 0.0) * angles[2])
        trunk[f"hip_{on}.b"] += self.KAPPA * across
        trunk[f"turn_{on}"] = effort[f"turn_{on}"] + self.KAPPA * along
        return trunk
