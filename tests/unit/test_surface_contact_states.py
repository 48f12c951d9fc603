"""States of nodes that touch with friction: Table 4.1 of Kim 1999."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.contact import CoulombFriction, MultiplierContact
from jourdain.kernels.algebra import Vec2
from jourdain.kernels.surface_contact import surface_layout as T
from jourdain.kernels.surface_contact.stick_slip import coefficient, region_of_slip
from jourdain.model.surface_contact import surfaces_of

STATIC, KINETIC, SPEED = 0.4, 0.3, 0.1
ALLOWED = {
    T.STICK: {T.STICK, T.SLIPPING},
    T.SLIPPING: {T.STICK, T.SLIPPING, T.SLIDING},
    T.SLIDING: {T.STICK, T.SLIDING, T.REVERSING},
    T.REVERSING: {T.STICK, T.SLIDING, T.REVERSING},
}
"""Table 4.1: regions 0 to 3 of the thesis are stick, slipping, sliding and reversing."""


@pytest.fixture(scope="module")
def pad() -> jd.Model:
    """A pad of one cell on a floor, with friction, on a spring that a rail drags."""
    soft = jd.Material(E=1e6, nu=0.0, density=1000.0)
    solid = jd.Solid("pad", jd.mesh.rectangle((0.1, 0.1), (1, 1)), soft, "stress", thickness=0.1, element="linear",
                     surfaces={"sole": lambda x: x[1] < 1e-9}, damping=0.1)  # fmt: skip
    system = jd.System("pad", gravity=(0.0, -9.81, 0.0))
    system.add(jd.RigidBody("rail", mass=1.0), joint=jd.Prismatic("drag", axis="x"))
    system.add(solid, joint=jd.Planar("move"))
    system.connect(jd.constraints.Spring("string", stiffness=100.0), "rail.origin", "pad.origin")
    system.contact("floor", solid.surface("sole"), jd.Plane((0, 1, 0)).at("world"), MultiplierContact(),
                   CoulombFriction(static=STATIC, kinetic=KINETIC, transition_speed=SPEED))  # fmt: skip
    return system.compile()


def surfaces(model: jd.Model, start: int, speed: float):
    """The record of its surfaces, its first node alone, in a state and with a slip along the first tangent."""
    s = surfaces_of(model, 1)
    s.active[0] = 0
    s.state[0].region = s.state[0].region_start = start
    s.state[0].closed = 1
    s.node[0].slip = Vec2(speed, 0.0)
    s.node[0].side = Vec2(np.sign(speed) if start > T.STICK else 0.0, 0.0)
    return s


@pytest.mark.parametrize("start", list(ALLOWED))
@pytest.mark.parametrize("speed", [0.02, 0.099, 0.1, 5.0, -0.02, -5.0])
def test_regions_of_slip_are_those_of_the_table(pad, start, speed):
    s = surfaces(pad, start, speed)
    region = region_of_slip.py_func(s, 0)
    assert region in ALLOWED[start] - {T.STICK}
    expected = {T.STICK: T.SLIPPING, T.SLIPPING: T.SLIPPING if abs(speed) < SPEED else T.SLIDING}
    assert region == expected.get(start, T.REVERSING if abs(speed) < SPEED else T.SLIDING)


def test_coefficients_of_the_four_regions(pad):
    """It falls from the static one after breakaway, is the kinetic one beyond the transition, and linear in a
    reversal."""
    for region, speed, expected in (
        (T.SLIPPING, 0.0, STATIC),
        (T.SLIPPING, 0.5 * SPEED, 0.5 * (STATIC + KINETIC)),
        (T.SLIPPING, 9.0, KINETIC),
        (T.SLIDING, 0.5 * SPEED, KINETIC),
        (T.REVERSING, 0.25 * SPEED, 0.25 * KINETIC),
        (T.REVERSING, 9.0, KINETIC),
    ):
        assert coefficient.py_func(surfaces(pad, region, speed), 0) == pytest.approx(expected)


def test_a_dragged_pad_goes_through_the_table(pad):
    """It lands, and the end of its string goes to and fro: nodes take steps of the table only, and all of them; open
    ones close as their slip says, and any may let go."""
    swing = jd.Sine(amplitude=0.2, frequency=1.0)
    start = pad.state(q={"move.y": 1e-4}, v={"drag": 0.4 * np.pi, "move.y": 0.2})
    run = jd.simulate(pad, start, until=2.0, step=2e-3, motions={"drag": swing}, method="generalized-alpha")
    states = run.contact["floor"].state.values
    seen = {(int(a), int(b)) for row in states.T for a, b in zip(row, row[1:], strict=False)}
    allowed = {a: {*b, T.OPEN} for a, b in ALLOWED.items()} | {T.OPEN: {T.OPEN, T.STICK, T.SLIPPING, T.SLIDING}}
    assert all(b in allowed[a] for a, b in seen)
    assert {(T.STICK, T.SLIPPING), (T.SLIPPING, T.SLIDING), (T.SLIDING, T.REVERSING)} <= seen
    assert any(b == T.STICK and a > T.STICK for a, b in seen) and any(a == T.OPEN and b > T.OPEN for a, b in seen)
