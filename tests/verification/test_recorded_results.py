"""Results that were recorded before kernels took records and were linked once: they are what they were.

`recorded.json` has coordinates and velocities half way and at the end, from version ce576db. Most come back to the last
bit; what may differ is the order of small sums that inlining changes.
"""

import json
from pathlib import Path

import numpy as np
import pytest

import jourdain as jd

RECORDED = json.loads((Path(__file__).resolve().parents[1] / "recorded.json").read_text())


def arm() -> jd.System:
    """Two links and a payload on a free base."""
    arm = jd.System("two-link arm on a free-floating base")
    box = jd.RigidBody.from_shape("platform", jd.Box((1.2, 1.0, 1.0)), mass=400.0, frames={"port": (0.6, 0, 0)})
    arm.add(box, joint=jd.Free("base"))
    link = dict(mass=12.0, com=(0.75, 0, 0), inertia=(0.015, 2.2575, 2.2575), frames={"tip": (1.5, 0, 0)})
    arm.add(jd.RigidBody("upper", **link), joint=jd.Revolute("shoulder", damping=0.5), to="platform.port")
    arm.add(jd.RigidBody("fore", **link), joint=jd.Revolute("elbow", damping=0.5), to="upper.tip")
    arm.add(jd.RigidBody.from_shape("payload", jd.Sphere(0.3), mass=50.0), joint=jd.Weld("grapple"), to="fore.tip")
    return arm


def flexible(arm: jd.System) -> jd.System:
    section = dict(mass_per_length=8.0, EA=2e7, EI=(4e3, 4e3), GJ=3e3)
    arm.make_flexible(
        "upper", jd.Beam("upper", length=1.5, **section, modes=jd.Modes(bending=3, torsion=1), damping=0.005)
    )
    return arm


def touching(arm: jd.System) -> jd.System:
    metal = jd.Material(E=70e9, nu=0.33)
    arm.contact(
        "touch",
        jd.Sphere(0.3).at("payload.origin"),
        jd.Plane((0, -1, 0)).at("world", position=(0, 2.68, 0)),
        normal=jd.HertzContact(material=(metal, metal), restitution=0.6),
        friction=jd.BristleFriction(static=0.2, kinetic=0.15, stribeck=1e-3, dwell=0.3),
    )
    return arm


def rigid():
    model = arm().compile()
    motions = {"shoulder": jd.Cycloid(to=1.8708, duration=2.0), "elbow": jd.Cycloid(to=-1.6944, duration=2.0)}
    return jd.simulate(model, model.state(q={"shoulder": 0.3, "elbow": 0.4}), until=2.5, step=1e-3, motions=motions)


def impacts():
    model = touching(flexible(arm())).compile()
    state = model.state(q={"shoulder": 0.9}, v={"shoulder": 0.6, "elbow": 0.3})
    return jd.simulate(model, state, until=1.0, step=5e-5, output=1e-2, step_check="warn")


@jd.condition
def far(t, q, v, z, s, p):
    return q[7] - p[0]


def events():
    model = arm().compile()
    happening = [jd.Event(when=far(0.5), lock="shoulder"), jd.Event(at=1.5, release="shoulder")]
    state = model.state(q={"shoulder": 0.3, "elbow": 0.4}, v={"shoulder": 0.4, "elbow": -0.2})
    return jd.simulate(model, state, until=2.5, output=0.01, events=happening)


def ensemble():
    model = arm().compile()
    states = [model.state(q={"shoulder": 0.3 + 0.1 * i}, v={"elbow": 0.5}) for i in range(8)]
    return jd.simulate_many(model, states, until=1.0, step=1e-3, output=0.1)


def loop():
    four_bar = jd.System("four-bar", gravity=(0, 0, -9.81))
    for name, joint, mass, length, J, more in (
        ("crank", "a", 1.0, 0.5, 0.02, {}),
        ("rod", "b", 2.0, 1.0, 0.17, {"to": "crank.tip"}),
        ("rocker", "c", 1.5, 0.8, 0.08, {"position": (1.0, 0, 0)}),
    ):
        body = jd.RigidBody(name, mass, com=(length / 2, 0, 0), inertia=(0.01, J, J), frames={"tip": (length, 0, 0)})
        four_bar.add(body, joint=jd.Revolute(joint, axis="y"), **more)
    four_bar.connect(jd.Revolute("d", axis="y"), "rod.tip", "rocker.tip")
    model = four_bar.compile()
    state = model.assemble(model.state(q={"a": -1.2, "b": 0.9, "c": -1.4}))
    return jd.simulate(model, state, until=2.0, step=1e-3, output=0.01)


def momenta():
    model = arm().compile()
    state = model.state(q={"shoulder": 0.3}, v={"shoulder": 0.6, "elbow": 0.3})
    return jd.simulate(model, state, until=1.0, step=1e-3, constraints=jd.constraints.Momenta(), output=1e-2)


def radau():
    model = touching(arm()).compile()
    state = model.state(q={"shoulder": 0.9}, v={"shoulder": 0.6, "elbow": 0.3})
    return jd.simulate(model, state, until=1.0, method="radau", rtol=1e-6, atol=1e-8, output=1e-2)


# Where Newton's iteration of radau stops depends on rounding: its own tolerance of 1e-6 times 1e-3, of both runs.
CASES = [(rigid, 1e-12), (impacts, 1e-12), (events, 1e-12), (ensemble, 1e-12), (loop, 1e-12), (momenta, 1e-12)]


@pytest.mark.filterwarnings("ignore::jourdain.constraints.ConstraintWarning", "ignore::jourdain.contact.StepWarning")
@pytest.mark.parametrize("case, tolerance", [*CASES, (radau, 2e-9)], ids=lambda one: getattr(one, "__name__", ""))
def test_results_are_what_they_were(case, tolerance):
    record, was = case().record, RECORDED[case.__name__]
    for name in ("q", "v"):
        got = getattr(record, name)[..., was["rows"], :]
        expected = np.array(was[name])
        # rounding grows with the numbers: relative for those above one
        assert np.max(np.abs(got - expected) / np.maximum(1.0, np.abs(expected))) < tolerance
