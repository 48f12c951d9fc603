"""Rows of the constraints: what they are, their Jacobian, rates, accelerations and transposed, by differences."""

from __future__ import annotations

import numpy as np
import pytest
from strategies import random_body, random_joint, random_pose

import jourdain as jd
from jourdain.functions import _run, displaced

KINDS = {
    "revolute": lambda: jd.Revolute("c", axis=(1.0, 2.0, -0.5)),
    "prismatic": lambda: jd.Prismatic("c", axis=(0.3, -1.0, 0.2)),
    "cylindrical": lambda: jd.Cylindrical("c", axis=(0.3, 1.0, 2.0)),
    "universal": lambda: jd.Universal("c", axes=((1.0, 0.2, 0.0), (0.3, 1.0, 0.5))),
    "spherical": lambda: jd.Spherical("c"),
    "planar": lambda: jd.Planar("c", normal=(1.0, 0.4, 0.3)),
    "screw": lambda: jd.Screw("c", axis=(0.1, 0.2, 1.0), pitch=0.13),
    "weld": lambda: jd.Weld("c"),
    "rod": lambda: jd.Rod("c"),
    "disk": lambda: jd.Rolling("c", radius=0.3, axis=(0.2, 1.0, 0.1)),
    "ball": lambda: jd.Rolling("c", radius=0.3),
    "no-slip": lambda: jd.NoSlip("c", direction=(0.3, 1.0, 0.0)),
}
ROWS = dict(
    revolute=5, prismatic=5, cylindrical=4, universal=4, spherical=3, planar=3, screw=5, weld=6, rod=1, disk=3, ball=3
) | {"no-slip": 1}
MOVES = (jd.Sine(0.2, 0.7, offset=0.1), None, jd.Polynomial([0.1, 0.3, -0.2]))


def beam(name: str) -> jd.Beam:
    return jd.Beam(
        name,
        length=1.1,
        mass_per_length=2.0,
        EA=1e5,
        EI=(40.0, 60.0),
        GJ=30.0,
        modes=jd.Modes(bending_y=2, bending_z=1, torsion=1),
        frames={"inner": 0.6},
    )


def system(where: str, seed: int) -> tuple[jd.System, tuple[str, str]]:
    """A branched tree, and two addresses on different branches that do not end at the world."""
    rng = np.random.default_rng(seed)
    orbit = jd.Orbit(altitude=400e3, eccentricity=0.05) if where == "orbit" else None
    one = jd.System("tree", environment=orbit)

    def add(body: jd.Body, kind: str, to: str) -> None:
        pose = random_pose(rng)
        joint = random_joint(rng, kind, f"{body.name}-{kind}", passive=False, friction=False)
        one.add(body, joint, to=to, position=pose.position, rotation=pose.rotation)

    def rigid(name: str) -> jd.RigidBody:
        return random_body(rng, name)

    add(rigid("base"), "free" if seed % 2 else "planar", "world")
    if where == "rigid":
        add(rigid("a1"), "revolute", "base.tip")
    else:
        add(beam("a1"), "universal", "base.tip")
    add(rigid("a2"), "spherical", "a1.tip")
    add(rigid("b1"), "cylindrical", "base.tip")
    if where == "rigid":
        add(rigid("b2"), "prismatic", "b1.tip")
    else:
        add(beam("b2"), "revolute", "b1.tip")
    return one, ("a2.tip", "b2.tip")


def random_state(model: jd.Model, seed: int) -> jd.State:
    rng = np.random.default_rng(100 + seed)
    q = displaced(model, model.neutral.copy(), 0.5 * rng.uniform(-1.0, 1.0, model.nv))
    return model.state(q=q, v=rng.uniform(-1.0, 1.0, model.nv), time=0.37)


def close(found: np.ndarray, wanted: np.ndarray, tolerance: float) -> None:
    np.testing.assert_allclose(
        found, wanted, rtol=0.0, atol=tolerance * max(1.0, float(np.max(np.abs(wanted), initial=0.0)))
    )


def check_rows(model: jd.Model, state: jd.State) -> None:
    """All that a model's rows promise, by central differences of step h: errors of h^2 and eps / h."""
    c, h = model.constraints, 1e-5
    A = c.jacobian(state)
    table = c.table(state.q, state.v, state.time)
    holonomic = c.holonomic

    def residual(increment: np.ndarray, time: float) -> np.ndarray:
        return c.residual(displaced(model, state.q, increment), time)

    for k in range(model.nv):
        step = np.zeros(model.nv)
        step[k] = h
        slope = (residual(step, state.time) - residual(-step, state.time)) / (2.0 * h)
        close(A[holonomic, k], slope[holonomic], 2e-8)
    forward = residual(h * state.v, state.time + h) - residual(-h * state.v, state.time - h)
    close(c.rate(state)[holonomic], forward[holonomic] / (2.0 * h), 2e-8)
    close(c.rate(state), A @ state.v + c.drift(state.time, state.q), 1e-12)

    rng = np.random.default_rng(5)
    acceleration = rng.uniform(-1.0, 1.0, model.nv)

    def moved(s: float) -> np.ndarray:
        q = displaced(model, state.q, s * state.v + 0.5 * s * s * acceleration)
        return c.rate(jd.State(state.time + s, q, state.v + s * acceleration))

    close(c.bias(state), (moved(h) - moved(-h)) / (2.0 * h) - A @ acceleration, 1e-7)

    force, effort = rng.uniform(-1.0, 1.0, c.rows), rng.uniform(-1.0, 1.0, model.nv)
    close(c.transposed(state, force), A.T @ force, 1e-13)
    found, rates = np.zeros(model.nv), np.zeros(c.rows)
    _run("constrained_accelerations", model, state.time, state.q, state.v, force, effort, np.zeros(0), found, rates)
    close(found, model.forward_dynamics(state, effort + A.T @ force), 1e-10)
    close(rates, A @ found + c.bias(state), 1e-10)
    assert np.all(np.isfinite(table))


@pytest.mark.parametrize("where", ["rigid", "flexible", "orbit"])
@pytest.mark.parametrize("kind", list(KINDS))
def test_rows_of_every_kind_and_their_derivatives(kind: str, where: str) -> None:
    one, (first, second) = system(where, seed=len(kind))
    moves = MOVES if kind in ("revolute", "weld", "screw", "planar", "universal") else None
    one.connect(KINDS[kind](), first, second, moves=moves)
    model = one.compile()
    assert model.constraints.rows == ROWS[kind]
    assert model.constraints.names == ("c",)
    check_rows(model, random_state(model, len(kind)))
