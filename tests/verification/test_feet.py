"""Compliant feet of Wojtyra 2002: smooth damping, creep on a slope, drops without gain of energy."""

from __future__ import annotations

import math

import numpy as np
import pytest

import jourdain as jd
from jourdain.methods.human.walking import _pressing

K, C, H = 5e4, 1500.0, 0.01


def test_damping_is_smooth():
    """c is 0 and C with slopes zero at the depths 0 and h, half of C in the middle; the force never pulls."""

    def damping(p):
        force = _pressing.function(p, 1e-3, 0.0, None, (K, C, H), None)
        return (force - K * p) / 1e-3

    assert damping(H / 2) == pytest.approx(C / 2) and damping(2 * H) == pytest.approx(C)
    for at, value in ((0.0, 0.0), (H, C)):
        d = 1e-6
        assert damping(at + d) == pytest.approx(value, abs=1e-5 * C)
        assert (damping(at + d) - damping(max(at - d, 0.0))) / (2 * d) == pytest.approx(0.0, abs=1e-3 * C / H)
    assert _pressing.function(1e-4, -100.0, 0.0, None, (K, C, H), None) == 0.0
    with pytest.raises(jd.JourdainError, match="depth"):
        jd.human.foot_pressure(K, C, 0.0)


def block(slope, coefficient=0.8, speed=0.05):
    """A block on four points, gravity turned by the slope."""
    down = 9.81 * np.array([math.sin(slope), 0.0, -math.cos(slope)])
    system = jd.System("block", gravity=down)
    system.add(jd.RigidBody("block", 10.0, inertia=(0.1, 0.1, 0.1)), jd.Free("free"))
    corners = [(x, y, 0.0) for x in (-0.1, 0.1) for y in (-0.1, 0.1)]
    law = jd.human.foot_friction(coefficient, speed)
    jd.human.stand(system, {"block.origin": corners}, pressure=jd.human.foot_pressure(K, C, H), friction=law)
    return system.compile()


def test_creep_and_drop():
    """On a slope below atan mu it creeps at lambda tan(pi tan(slope) / (2 mu)); dropped, it keeps or loses energy."""
    slope, mu, speed = 0.3, 0.8, 0.05
    model = block(slope)
    sunk = 10.0 * 9.81 * math.cos(slope) / (4 * K)
    state = model.state(q={"free": jd.Pose((0, 0, -sunk))})
    run = jd.simulate(model, state, 2.0, step=2e-4, method="rk4", output=0.01)
    creep = speed * math.tan(math.pi * math.tan(slope) / (2 * mu))
    mean = np.mean(run.frame("block.origin").velocity.values[100:, 0])  # it rocks a little, hardly damped at this depth
    assert mean == pytest.approx(creep, rel=1e-5)
    level = block(0.0)
    fallen = jd.simulate(
        level, level.state(q={"free": jd.Pose((0, 0, 0.1))}), 1.0, step=2e-4, method="rk4", output=1e-3
    )
    forces = np.array([fallen.contact[f"block {i}"].force.values[:, 2] for i in range(4)])
    heights = fallen.frame("block.origin").position.values[:, 2]
    total = 0.5 * 10.0 * fallen.frame("block.origin").velocity.values[:, 2] ** 2 + 98.1 * heights
    total += 0.5 * 4 * K * np.minimum(heights, 0.0) ** 2
    assert forces.min() == 0.0 and np.max(np.diff(total)) < 1e-6 * 9.81
    assert total[-1] < 0.02 * total[0]  # it goes on trembling: at 0.5 mm there is hardly any damping
