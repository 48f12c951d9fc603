"""Parameters of a model among the unknowns of a trajectory."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.methods.optimal.plants import Nodes
from jourdain.methods.optimal.problem import DesignedPlant

pytest.importorskip("casadi")
o = jd.optimal


@pytest.fixture(scope="module")
def sled():
    system = jd.System("sled")
    joint = jd.Prismatic("slide", axis="x", stiffness=5.0)
    system.add(jd.RigidBody("mass", 2.0, inertia=(1, 1, 1)), joint)
    return system.compile()


def test_partials_of_a_linear_plant_are_exact(sled):
    """m a = u - k x: da/dk = -x / m and da/dm = -a / m."""
    plant = DesignedPlant(sled, sled.state(), None, {"slide.stiffness": None, "mass.mass": None})
    nodes = Nodes(np.zeros(2), np.array([[0.3, 1.0], [-2.0, 0.5]]), np.array([[1.0], [4.0]]), np.array([7.0, 2.5]))
    rates, J = plant.partials(nodes)
    a = (nodes.U[:, 0] - 7.0 * nodes.X[:, 0]) / 2.5
    assert rates[:, 1] == pytest.approx(a, rel=1e-14)
    assert J[:, 1, 3] == pytest.approx(-nodes.X[:, 0] / 2.5, rel=1e-11)
    assert J[:, 1, 4] == pytest.approx(-a / 2.5, rel=1e-11)


def test_partials_of_a_flexible_arm():
    """Against differences of another order and step, by mass, stiffness, damping, length and the place of a joint."""
    system = jd.System("arm", gravity=(0.0, 0.0, -9.81))
    beam = jd.Beam("boom", 2.0, mass_per_length=0.5, EA=2e6, EI=300.0, GJ=200.0, damping=0.01, modes=jd.Modes(1, 1))
    system.add(beam, jd.Revolute("hub", axis="y"))
    system.add(jd.RigidBody("load", 1.0, (0.1, 0, 0), (0.1, 0.1, 0.1)), jd.Revolute("wrist", axis="z"), to="boom.tip")
    model = system.compile()
    names = ("load.mass", "boom.EI", "boom.damping", "boom.length", "hub.position.x", "load.com.x")
    plant = DesignedPlant(model, model.state(), None, dict.fromkeys(names))
    rng = np.random.default_rng(3)
    nx = model.nq + model.nv
    nodes = Nodes(np.zeros(2), 0.1 * rng.normal(size=(2, nx)), rng.normal(size=(2, 2)), plant.values.copy())
    J = plant.partials(nodes)[1]
    tip = plant.quantity("load.origin.x")
    T = tip.partials(nodes)[1]
    for k in range(len(names)):
        j, h = nx + 2 + k, 1e-4 * (abs(plant.values[k]) or 1.0)
        for f, slope in ((plant.rates, J), (tip.values, T)):
            want = (f(nodes.moved(j, h)) - f(nodes.moved(j, -h))) / (2 * h)
            assert np.max(np.abs(slope[..., j] - want)) < 1e-6 * (np.max(np.abs(want)) + 1e-3), names[k]
    assert T[:, nx + 2 + 4] == pytest.approx(1.0, rel=1e-10)  # the tip moves with its hub
    assert T[:, nx + 2 + 1] == pytest.approx(0.0, abs=1e-12)  # and not with EI


def test_the_spring_that_does_the_work(sled):
    """From 1 m to -1 m in a second at rest: with k = m pi^2 the spring does it alone."""
    best = o.Problem(
        sled, sled.state(q={"slide": 1.0}), until=1.0, end={"slide": -1.0, "v:slide": 0.0}, cost=o.effort(),
        unknowns={"slide.stiffness": (1.0, 100.0)},
    ).solve(intervals=20)  # fmt: skip
    assert best.parameters["slide.stiffness"] == pytest.approx(2.0 * np.pi**2, rel=1e-5) and best.cost < 1e-8
    assert best.model.parameters["slide.stiffness"] == pytest.approx(2.0 * np.pi**2, rel=1e-5)
    run = jd.simulate(best.model, best.first, 1.0, controller=best.efforts)
    assert run.record.q[-1, 0] == pytest.approx(-1.0, abs=1e-5) and best.run.trusted


def test_a_parameter_has_a_cost_and_limits(sled):
    """Effort to hold 1 m for a second against a spring is k^2; less 12 k it is least at k = 6."""
    best = o.Problem(
        sled, sled.state(q={"slide": 1.0}), until=1.0, end={"slide": 1.0}, limits={"v:slide": (-1e-9, 1e-9)},
        cost=o.effort() - 12.0 * o.final("slide.stiffness"), unknowns={"slide.stiffness": (1.0, 100.0)},
    ).solve(intervals=4)  # fmt: skip
    assert best.parameters["slide.stiffness"] == pytest.approx(6.0, rel=1e-6)


def test_what_is_wrong_is_named(sled):
    def refused(match, unknowns, model=sled):
        with pytest.raises(jd.JourdainError, match=match):
            o.Problem(model, model.state(), until=1.0, cost=o.effort(), unknowns=unknowns)

    refused("slide.stifness: there is no such parameter", {"slide.stifness": (1.0, 2.0)})
    refused("unknowns: slide.stiffness.*low one must come first", {"slide.stiffness": (2.0, 1.0)})
    refused(r"unknowns: slide.stiffness.*give \(low, high\)", {"slide.stiffness": 3.0})
