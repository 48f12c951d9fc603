"""Parameters by address: every number of a description read and set, and a model made with other values."""

from __future__ import annotations

import numpy as np
import pytest
from random_systems import draw

import jourdain as jd
from jourdain.describe.parameters import addresses, read, write


@jd.law
def push(t, q, v, z, s, p, effort, dz):
    effort[5] = p[0]


@pytest.fixture(scope="module")
def arm() -> jd.Model:
    system = jd.System("arm", gravity=(0.0, 0.0, -9.81))
    drive = jd.Drive(gear=100.0, rotor_inertia=1e-4, stiffness=5e3, damping=2.0)
    beam = jd.Beam("fore", length=2.0, EI=500.0, EA=1e6, GJ=300.0, mass_per_length=1.2, damping=0.01)
    system.add(beam, jd.Revolute("elbow", axis="z", friction=0.3, drive=drive))
    payload = jd.RigidBody("payload", mass=3.0, inertia=(0.1, 0.2, 0.2), com=(0.1, 0.0, 0.0))
    system.add(payload, jd.Weld("grip"), to="fore.tip", position=(0.0, 0.02, 0.0))
    ball, floor = jd.Sphere(0.1).at("payload.origin"), jd.Plane((0.0, 0.0, 1.0), -3.0).at("world")
    system.contact("touch", ball, floor, jd.HertzContact(stiffness=1e6, restitution=0.7), jd.BristleFriction(0.3, 0.2))
    system.connect(jd.constraints.Spring("cable", stiffness=100.0, length=1.0), "payload.origin", "world")
    system.force("pull", "payload.origin", force=(1.0, 2.0, 3.0))
    system.force("thrust", "payload.origin", force=push(0.5))
    return system.compile()


def test_every_kind_of_number_has_an_address(arm: jd.Model) -> None:
    table = arm.parameters
    told = {
        "fore.EI": (500.0, "N m^2"),
        "fore.EI[1]": (500.0, "N m^2"),
        "elbow.friction": (0.3, "N m"),
        "elbow.drive.gear": (100.0, "1"),
        "elbow.drive.stiffness": (5e3, "N m/rad"),
        "grip.position.y": (0.02, "m"),
        "payload.mass": (3.0, "kg"),
        "payload.com.x": (0.1, "m"),
        "payload.inertia.yy": (0.2, "kg m^2"),
        "touch.normal.stiffness": (1e6, "N/m^1.5"),
        "touch.friction.kinetic": (0.2, ""),
        "touch.first.radius": (0.1, "m"),
        "touch.second.offset": (-3.0, "m"),
        "cable.stiffness": (100.0, "N/m"),
        "pull.force.z": (3.0, "N"),
        "gravity.z": (-9.81, "m/s^2"),
    }
    assert {address: (table[address], table.unit(address)) for address in told} == told
    assert "elbow.drive.gear" in repr(table)
    assert not any("axis" in address for address in table)


def test_a_model_with_other_values_is_the_one_that_is_compiled_with_them(arm: jd.Model) -> None:
    assert arm.with_parameters({}).hash == arm.hash
    changed = arm.with_parameters({"fore.EI": 620.0, "payload.inertia.xy": 0.01, "elbow.drive.gear": 80.0})
    assert changed.description["bodies"][0]["body"]["EI"] == [620.0, 620.0]
    assert arm.description["bodies"][0]["body"]["EI"] == [500.0, 500.0]
    assert changed.description["bodies"][1]["body"]["inertia"][1][0] == 0.01
    assert changed.parameters["elbow.drive.gear"] == 80.0
    # forces that are laws stay
    assert [force.name for force in changed.law_forces] == ["thrust"]


@pytest.mark.parametrize("seed", range(8))
def test_every_number_of_random_systems_is_set_and_read_back(seed: int) -> None:
    description = draw(seed).system.compile().description
    places = addresses(description)
    assert places
    for address, place in places.items():
        value = read(description, place)
        assert read(write(description, {address: value + 0.25}), place) == value + 0.25
    values = {address: read(description, place) for address, place in places.items()}
    same = write(description, values)
    assert {address: read(same, place) for address, place in addresses(same).items()} == values


def test_a_word_that_two_share_is_told_apart() -> None:
    system = jd.System("pair")
    system.add(jd.RigidBody("one", mass=1.0, inertia=(1, 1, 1)), jd.Revolute("j", stiffness=2.0, damping=1.0))
    system.add(jd.RigidBody("two", mass=1.0, inertia=(1, 1, 1)), jd.Revolute("k"), to="one.origin")
    system.connect(jd.constraints.Spring("s", stiffness=5.0), "one.origin", "world")
    model = system.compile()
    model.description["connections"][0]["element"]["name"] = "j"  # as no file may say it, but a body and a joint may
    table = model.parameters
    assert table["joint:j.stiffness"] == 2.0
    assert table["connection:j.stiffness"] == 5.0
    with pytest.raises(jd.JourdainError, match="joint:j.stiffness or connection:j.stiffness"):
        table["j.stiffness"]


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"fore.EJ": 1.0}, "fore has length, mass_per_length"),
        ({"for.EI": 1.0}, 'did you mean "fore.EI"'),
        ({"fore.EI": -1.0}, "give numbers above zero"),
        ({"fore.EI": float("nan")}, "give a finite number"),
        ({"fore.EI": "stiff"}, "give a finite number"),
        ({"elbow.friction_stiffness": 1.0}, "no such parameter with a value"),
    ],
)
def test_what_is_wrong_is_told(arm: jd.Model, values: dict, words: str) -> None:
    with pytest.raises(jd.JourdainError, match=words):
        arm.with_parameters(values)


def test_entries_that_differ_have_no_common_address() -> None:
    system = jd.System("beam")
    system.add(jd.Beam("b", length=1.0, EI=(5.0, 6.0), EA=1e5, GJ=3.0, mass_per_length=1.0), jd.Weld("w"))
    with pytest.raises(jd.JourdainError, match=r"b\.EI\[0\]"):
        system.compile().parameters["b.EI"]


def test_sweeps_of_scenarios_made_in_python_vary_parameters_of_the_model() -> None:
    system = jd.System("pendulum", gravity=(0.0, 0.0, -9.81))
    system.add(jd.RigidBody("bob", mass=1.0, com=(1.0, 0.0, 0.0)), jd.Revolute("hinge", axis="y"))
    scenario = jd.study.Scenario("pendulum", system, until=0.5, step=0.01, q={"hinge": 1.5})
    criteria = {"angle": jd.study.Criterion("hinge", "final")}
    data = jd.sweep(scenario, {"bob.com.x": [0.5, 1.0]}, criteria=criteria, mode="threads", progress=False)
    ends = data["angle"].values
    for length, angle in zip((0.5, 1.0), ends, strict=True):
        shorter = system.compile().with_parameters({"bob.com.x": length})
        run = jd.simulate(shorter, shorter.state(q={"hinge": 1.5}), 0.5, step=0.01)
        assert angle == pytest.approx(float(run.q["hinge"][-1]), abs=1e-12)
    assert np.ptp(ends) > 0.01
