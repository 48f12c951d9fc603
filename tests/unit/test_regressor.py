"""Inverse dynamics in identification form, and base parameters: against the recursion, and counts that are known."""

from __future__ import annotations

import numpy as np
import pytest
from strategies import random_body

import jourdain as jd
from jourdain.methods.identification.regressor import inertial_numbers


def chain(axes, places, gravity=(0.0, 0.0, -9.81), free: bool = False, seed: int = 0) -> jd.Model:
    """Random bodies in a row, on revolute joints at places with axes."""
    rng = np.random.default_rng(seed)
    system = jd.System("chain", gravity=gravity)
    to = "world"
    if free:
        system.add(random_body(rng, "base"), jd.Free("free"))
        to = "base.origin"
    for i, (axis, place) in enumerate(zip(axes, places, strict=True)):
        system.add(random_body(rng, f"l{i}"), jd.Revolute(f"j{i}", axis=axis), to=to, position=place)
        to = f"l{i}.origin"
    return system.compile()


@pytest.mark.parametrize("seed", range(4))
def test_efforts_of_random_trees_are_linear_in_inertial_numbers(seed: int) -> None:
    """Trees with all kinds of joints, springs, forces and a beam: Y p + rest against the recursion."""
    rng = np.random.default_rng(seed)
    system = jd.System("tree", gravity=rng.normal(size=3))
    joints = [
        jd.Free("a"), jd.Revolute("b", axis=rng.normal(size=3), stiffness=3.0, damping=1.0),
        jd.Prismatic("c", axis=rng.normal(size=3)), jd.Spherical("d"), jd.Universal("e", axes=("x", "y")),
    ]  # fmt: skip
    for i, joint in enumerate(joints):
        to = "world" if i == 0 else f"b{rng.integers(i)}.tip"
        system.add(
            random_body(rng, f"b{i}"), joint, to=to, position=rng.normal(size=3), at="tip" if i == 1 else "origin"
        )
    beam = jd.Beam("beam", length=1.0, mass_per_length=2.0, EA=1e5, EI=60.0, GJ=40.0, modes=jd.Modes(bending=1))
    system.add(beam, jd.Revolute("f"), to="b0.tip")
    system.force("push", "b2.tip", force=rng.normal(size=3))
    model = system.compile()
    from jourdain.model.displacement import displaced

    states = [
        model.state(displaced(model, model.neutral, 0.5 * rng.normal(size=model.nv)), rng.normal(size=model.nv))
        for _ in range(5)
    ]
    a = rng.normal(size=(5, model.nv))
    found = model.regressor(states, a)
    wanted = model.inverse_dynamics(states, a)
    told = found.efforts(inertial_numbers(model))
    assert np.max(np.abs(told - wanted)) < 1e-10 * np.max(np.abs(wanted))
    one = model.regressor(states[0], a[0])
    assert one.matrix == pytest.approx(found.matrix[0], abs=1e-10)
    assert len(found.names) == 50 and found.names[1] == "b0.moment.x"


L = 0.4
PUMA = (
    ["z", "y", "y", "z", "y", "z"],
    [(0, 0, 0), (0, 0.15, 0), (0.43, 0, 0), (0.02, 0, 0.43), (0, 0, 0), (0, 0, 0.06)],
)
SEVEN = (
    ["z", "y", "z", "y", "z", "y", "z"],
    [(0, 0, 0.3), (0, 0, 0), (0, 0, L), (0, 0, 0), (0, 0, L), (0, 0, 0), (0, 0, 0.1)],
)


@pytest.mark.parametrize(
    ("made", "count"),
    [
        (dict(axes=["y", "y"], places=[(0, 0, 0), (L, 0, 0)]), 6),
        (dict(axes=["z", "z"], places=[(0, 0, 0), (L, 0, 0)]), 4),
        (dict(axes=["y", "y", "y"], places=[(0, 0, 0), (L, 0, 0), (L, 0, 0)]), 9),
        (dict(axes=PUMA[0], places=PUMA[1]), 36),
        (dict(axes=SEVEN[0], places=SEVEN[1]), 43),
        (dict(axes=["x", "y"], places=[(L, 0, 0), (0, L, 0.1)], free=True), 24),
    ],
    ids=["planar, upright", "planar, level", "three in a plane", "PUMA 560", "seven axes", "free base"],
)
def test_base_parameters_are_as_many_as_is_known(made, count) -> None:
    """Of n revolute joints 7 a link; 3 of links whose axes are all parallel to the first, 1 of the first link where
    gravity is along its axis (Mayeda, Yoshida & Osuka 1990: 36 of the PUMA 560; Gautier & Khalil 1990); 10 of a
    free base."""
    model = chain(**made)
    base = model.base_parameters()
    assert base.count == count
    assert model.base_parameters(seed=5).count == count
    # they tell efforts as all numbers do
    rng = np.random.default_rng(1)
    state = model.state(v=rng.normal(size=model.nv))
    found = model.regressor(state, rng.normal(size=model.nv))
    p = inertial_numbers(model)
    assert found.matrix[:, base.columns] @ (base.matrix @ p) == pytest.approx(found.matrix @ p, abs=1e-9)
    assert len(base.expressions()) == count


def test_base_parameters_of_two_links_are_those_of_the_book() -> None:
    """Two links in an upright plane: I1 + m2 L^2, m1 x1 + m2 L and the rest alone (Khalil & Dombre 2002, 9.4)."""
    base = chain(["y", "y"], [(0, 0, 0), (L, 0, 0)]).base_parameters()
    words = set(base.expressions())
    assert {"l1.moment.x", "l1.moment.z", "l1.inertia_about_origin.yy"} <= words
    assert f"l0.inertia_about_origin.yy + {L * L:.6g} l1.mass" in words
    assert f"l0.moment.x + {L:.6g} l1.mass" in words
    assert "l0.mass" in base.unseen and "l1.moment.y" in base.unseen


def test_base_parameters_from_efforts_with_noise() -> None:
    """Values within their errors of the true ones; errors as often as they say, and estimated noise."""
    model = chain(["y", "y"], [(0, 0, 0), (L, 0, 0)])
    base = model.base_parameters()
    rng = np.random.default_rng(3)
    states = [model.state(rng.uniform(-2, 2, 2), rng.normal(size=2)) for _ in range(150)]
    a = 5.0 * rng.normal(size=(150, 2))
    found = model.regressor(states, a)
    true = base.matrix @ inertial_numbers(model)
    efforts = model.inverse_dynamics(states, a)
    inside = 0
    for _ in range(100):
        made = base.estimate(found, efforts + [0.05, 0.2] * rng.normal(size=efforts.shape))
        low, high = made.intervals.T
        inside += int(np.sum((low < true) & (true < high)))
    # 600 intervals, not independent: three deviations of a binomial count with half as many
    assert abs(inside / 600 - 0.95) < 3.0 * np.sqrt(0.95 * 0.05 / 300)
    assert made.noise == pytest.approx([0.05, 0.2], rel=0.25)
    assert made.condition < 100.0 and "l1.moment.x" in str(made)


def test_what_is_wrong_is_told() -> None:
    system = jd.System("orbiting", environment=jd.Orbit(altitude=400e3))
    system.add(jd.RigidBody("b", mass=1.0, inertia=(1, 1, 1)), jd.Free("f"))
    model = system.compile()
    with pytest.raises(jd.JourdainError, match="in an orbit"):
        model.regressor(model.state())
    model = chain(["y"], [(0, 0, 0)])
    base = model.base_parameters()
    found = model.regressor([model.state()], np.zeros((1, 1)))
    with pytest.raises(jd.JourdainError, match="give more samples"):
        base.estimate(found, np.zeros((1, 1)))
    with pytest.raises(jd.JourdainError, match="one row a state"):
        base.estimate(found, np.zeros(3))
