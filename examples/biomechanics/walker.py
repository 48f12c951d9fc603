"""
Model of a planar walker
========================

A planar walker of seven links with the segments of a man, driven by torques towards poses.
"""

import numpy as np

import jourdain as jd

SIDES, LEGS, JOINTS = ("l", "r"), ("thigh", "shank", "foot"), {"hip": -1, "knee": 1, "ankle": -1}
CONTACTS = [f"foot_{s} {i}" for s in SIDES for i in range(3)]
MARKERS = ("trunk.hips", "foot_l.origin", "foot_r.origin")


def walker(height=1.741, mass=73.0):
    """Trunk with head and arms as one body in the plane, two legs, three points a foot."""
    body = jd.human.segments(height, mass)
    parts = body.parts
    trunk = mass - 2 * sum(parts[name].mass for name in LEGS)
    system = jd.System("walker", gravity=(0.0, 0.0, -9.81))
    upper = jd.RigidBody("trunk", trunk, (0, 0, 0.33), (2.0, 2.0, 0.5), frames={"hips": (0, 0, 0), "top": (0, 0, 0.8)})
    system.add(upper, jd.Planar("plane", normal="y"))
    points = {}
    for s in SIDES:
        to = "trunk.hips"
        for name, (joint, axis) in zip(LEGS, JOINTS.items(), strict=True):
            part = parts[name]
            frames = {"end": (0, 0, -part.length)} if name != "foot" else {"toe": (0.75 * part.length, 0, -body.ankle)}
            one = jd.RigidBody(f"{name}_{s}", part.mass, part.com, part.inertia, frames=frames)
            system.add(one, jd.Revolute(f"{joint}_{s}", axis=(0, axis, 0)), to=to)
            to = f"{name}_{s}.end"
        points[f"foot_{s}.origin"] = [(x * parts["foot"].length, 0.0, -body.ankle) for x in (-0.25, 0.25, 0.55)]
    jd.human.stand(
        system, points, pressure=jd.human.foot_pressure(3e4, 1000.0, 0.02), friction=jd.human.foot_friction(0.8, 0.1)
    )
    return system.compile()


class Gait:
    """Torques kappa (target - angle) - upsilon rate towards two poses a step, one by time and one until the foot lands.

    The heuristics: the trunk's error goes to the hip in support (Wojtyra 2002), which also takes what the hip in swing
    asks for; the leg in swing reaches out by how far and how fast the hips are ahead of the foot (Yin, Loken & van de
    Panne 2007). Positive is flexion; feedback=False drives the hip in support towards a pose as the others.
    """

    KAPPA, UPSILON, MOST = 300.0, 30.0, 250.0
    HIP, KNEE, ANKLE = (0.36, -0.44), (1.0, 0.05), (0.20, 0.185)  # in swing: while lifted, and while put down
    SUPPORT, AHEAD, SPEED, LEAN, LIFTED = (0.044, 0.08), (0.36, 1.08), (0.25, 0.08), 0.09, 0.25

    def __init__(self, model, feedback=True):
        self.at, self.rate = model.index.q, model.index.v
        self.feedback, self.stance, self.phase, self.since = feedback, 0, 0, 0.0
        self.steps = []

    def __call__(self, t, q, v, s):
        load = s[39:].reshape(2, 3, 6)[:, :, 2].sum(axis=1)  # upwards on each foot
        if self.phase == 0 and t - self.since > self.LIFTED:
            self.phase, self.since = 1, t
        elif self.phase == 1 and load[1 - self.stance] > 20.0:
            self.stance, self.phase, self.since = 1 - self.stance, 0, t
            self.steps.append(t)
        k, on, off = self.phase, SIDES[self.stance], SIDES[1 - self.stance]
        pitch, turning = q[self.at["plane.angle"]], v[self.rate["plane.angle"]]
        ahead, speed = s[0] - s[13 * (1 + self.stance)], s[10]

        def towards(joint, target, lean=0.0, leaning=0.0, part=1.0):
            error = target - q[self.at[joint]] + lean
            wanted = self.KAPPA * error - self.UPSILON * (v[self.rate[joint]] - leaning)
            return float(np.clip(part * wanted, -self.MOST, self.MOST))

        reach = self.HIP[k] + self.AHEAD[k] * ahead + self.SPEED[k] * speed
        effort = {
            f"hip_{off}": towards(f"hip_{off}", reach, pitch, turning),
            f"knee_{off}": towards(f"knee_{off}", self.KNEE[k]),
            f"ankle_{off}": towards(f"ankle_{off}", self.ANKLE[k], part=0.3),
            f"knee_{on}": towards(f"knee_{on}", self.SUPPORT[0]),
            f"ankle_{on}": towards(f"ankle_{on}", self.SUPPORT[1]),
        }
        trunk = self.KAPPA * (self.LEAN - pitch) - self.UPSILON * turning - effort[f"hip_{off}"]
        held = towards(f"hip_{on}", -0.5 * self.HIP[0])
        effort[f"hip_{on}"] = float(np.clip(trunk, -self.MOST, self.MOST)) if self.feedback else held
        return effort
