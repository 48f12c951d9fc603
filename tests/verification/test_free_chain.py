"""A chain that floats free keeps its linear and angular momentum and its energy."""

import numpy as np
import pytest

import jourdain as jd


@pytest.fixture(scope="module")
def model() -> jd.Model:
    """A free base and six mixed joints on it, no gravity; springs keep the sliding ones together."""
    chain = jd.System("free chain")
    chain.add(
        jd.RigidBody("base", mass=10.0, com=(0.1, -0.05, 0.02), inertia=(1.0, 1.5, 1.2), frames={"tip": (0.5, 0.1, 0)}),
        joint=jd.Free("free"),
    )
    joints = (
        jd.Revolute("shoulder", axis="y"),
        jd.Universal("wrist", axes=("x", "z")),
        jd.Prismatic("boom", axis="x", stiffness=50.0, rest=0.1),
        jd.Spherical("ball"),
        jd.Screw("bolt", axis="z", pitch=0.05, stiffness=2.0),
        jd.Revolute("elbow", axis=(1, 1, 0)),
    )
    for i, joint in enumerate(joints):
        chain.add(
            jd.RigidBody(
                f"link{i}",
                mass=2.0 - 0.2 * i,
                com=(0.25, 0.02, -0.03),
                inertia=(0.02, 0.06, 0.07),
                frames={"tip": (0.5, 0.0, 0.05)},
            ),
            joint=joint,
            to=f"link{i - 1}.tip" if i else "base.tip",
            rotation=(np.cos(0.2 * i), 0.0, np.sin(0.2 * i), 0.0),
        )
    return chain.compile()


@pytest.fixture(scope="module")
def start(model) -> jd.State:
    return model.state(
        q={"boom": 0.15, "wrist.a": 0.4},
        v={
            "free": (0.3, -0.2, 0.4, 0.1, 0.05, -0.1),
            "shoulder": 0.5,
            "wrist.a": -0.6,
            "ball": (0.4, 0.3, -0.5),
            "bolt": 0.7,
            "elbow": -0.4,
        },
    )


def momentum_errors(run: jd.Run) -> tuple[float, float]:
    """Largest change of angular momentum about the world's origin and of linear momentum, relative."""
    found = [run.model.momentum(run.state(i)) for i in range(len(run))]
    errors = []
    for part in zip(*found):
        vectors = np.array(part)
        errors.append(np.max(np.linalg.norm(vectors - vectors[0], axis=1)) / np.linalg.norm(vectors[0]))
    return errors[0], errors[1]


def test_momentum_and_energy_over_a_hundred_seconds(model, start):
    run = jd.simulate(model, start, until=100.0, method="dop853", rtol=1e-14, atol=1e-15, output=1.0)
    angular, linear = momentum_errors(run)
    assert angular < 1e-10 and linear < 1e-10
    assert run.energy.error < 1e-10
    total = run.energy["total"].values
    assert np.max(np.abs(total - total[0])) < 1e-10 * total[0]


@pytest.mark.parametrize(("method", "order", "step"), [("heun", 2, 4e-3), ("rk3", 3, 8e-3), ("rk4", 4, 2e-2)])
def test_fixed_steps_keep_them_at_the_order_of_the_method(model, start, method, order, step):
    errors = []
    for h in (step, step / 2):
        run = jd.simulate(model, start, until=4.0, step=h, method=method, output=1.0)
        errors.append((*momentum_errors(run), run.energy.error))
    partials = np.log2(np.array(errors[0]) / np.array(errors[1]))
    assert np.all(partials > order - 0.3), partials


def test_the_centre_of_mass_moves_straight(model, start):
    run = jd.simulate(model, start, until=20.0, rtol=1e-13, atol=1e-13, output=1.0)
    centre = np.array([model.centre_of_mass(q) for q in run.record.q])
    mass = sum(body["body"]["mass"] for body in model.description["bodies"])
    path = centre[0] + np.outer(run.record.time, model.momentum(start).linear / mass)
    assert np.max(np.abs(centre - path)) < 1e-10
