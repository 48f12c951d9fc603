"""Constraints that are not what they should be: refused by name, with the remedy, all mistakes together."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.basics.errors import ModelError


def arm() -> jd.System:
    s = jd.System("arm")
    frames = {"tip": (0.5, 0.0, 0.0)}
    body = [
        jd.RigidBody(name, 1.0, com=(0.2, 0, 0), inertia=(0.1, 0.2, 0.2), frames=frames) for name in ("a", "b", "c")
    ]
    s.add(body[0], jd.Revolute("shoulder"))
    s.add(body[1], jd.Revolute("elbow", drive=jd.Drive(gear=10.0, rotor_inertia=1e-4, stiffness=1e3)), to="a.tip")
    s.add(body[2], jd.Free("free"))
    return s


def one(do) -> str:
    """The only mistake of a system, as it is told."""
    s = arm()
    do(s)
    with pytest.raises(ModelError) as caught:
        s.compile()
    assert len(caught.value.problems) == 1, str(caught.value)
    text = str(caught.value)
    assert "\n" not in text
    return text


CASES = {
    "marker": (
        lambda s: s.connect(jd.Revolute("pin"), "b.tpi", "world"),
        'pin: first="b.tpi": body "b" has no frame "tpi"; did you mean "tip"?',
    ),
    "body": (
        lambda s: s.connect(jd.Revolute("pin"), "b.tip", "d.tip"),
        'pin: second="d.tip": there is no body "d"; there are: a, b, c, world',
    ),
    "address": (
        lambda s: s.connect(jd.Revolute("pin"), "b", "world"),
        'pin: first="b": "b" is not an address; write "body.frame" or "world"; did you mean "b.origin"?',
    ),
    "itself": (
        lambda s: s.connect(jd.Weld("pin"), "b.tip", "b.tip"),
        'pin: connects "b.tip" with itself; name two frames',
    ),
    "position": (
        lambda s: s.connect(jd.Revolute("pin"), "b.tip", "world", position=(0.0, np.nan, 0.0)),
        "pin: position is (0, nan, 0); every entry must be a finite number",
    ),
    "position on a beam": (
        lambda s: (
            s.add(jd.Beam("boom", 1.0, 1.0, 1e5, 10.0, 10.0, modes=jd.Modes(bending=1)), jd.Revolute("root")),
            s.connect(jd.Revolute("pin"), "b.tip", "boom.tip", position=(0.0, 0.1, 0.0)),
        ),
        'pin: position= is beside "boom.tip" of a body that deforms; give the body a frame there',
    ),
    "world's frame": (
        lambda s: s.connect(jd.Revolute("pin"), "b.tip", "world.peg"),
        'pin: second="world.peg": the world has no frame "peg"; write "world" and give a position',
    ),
    "one body": (
        lambda s: s.connect(jd.constraints.Rod("rod"), "b.tip", "b.origin"),
        'rod: both frames are on "b" and never move against each other; name two bodies',
    ),
    "joint's name": (
        lambda s: s.connect(jd.Weld("elbow"), "b.tip", "world"),
        'elbow: there is a joint "elbow" already; give the connection a name of its own',
    ),
    "free": (
        lambda s: s.connect(jd.Free("loose"), "b.tip", "world"),
        "loose: a Free joint constrains nothing; leave the connection out",
    ),
    "rail": (
        lambda s: s.connect(jd.Rail("track"), "b.tip", "world"),
        "track: a Rail follows a body that bends and closes no loop; add the traveller on it, or use Prismatic",
    ),
    "spring on a closing joint": (
        lambda s: s.connect(jd.Revolute("pin", stiffness=3.0, limits=(-1, 1)), "b.tip", "world"),
        "pin: a joint that closes a loop has no coordinate for stiffness, limits; put it on a joint of the tree (cut "
        "the loop elsewhere), or connect a Spring",
    ),
    "rod's length": (
        lambda s: s.connect(jd.constraints.Rod("rod", length=-1.0), "b.tip", "world"),
        "rod: length [m] is -1; it must be greater than 0",
    ),
    "rod of no length": (
        lambda s: s.connect(jd.constraints.Rod("rod"), "a.origin", "world"),
        "rod: its frames are in one place in the zero configuration; give length=, or Spherical",
    ),
    "moves of rolling": (
        lambda s: s.connect(
            jd.constraints.Rolling("roll", radius=0.1), "b.tip", "world", moves=(jd.Sine(0.1, 1.0), None, None)
        ),
        "roll: moves= is for joints that close loops and for rods; this is a rolling: move a body's joint instead",
    ),
    "a rod that moves twice": (
        lambda s: s.connect(
            jd.constraints.Rod("r", jd.Sine(0.1, 1.0)), "b.tip", "world", moves=(jd.Sine(0.1, 1.0), None, None)
        ),
        "r: has moves= and a length that changes; give one of them",
    ),
    "profile": (
        lambda s: s.connect(jd.Weld("pin"), "b.tip", "world", moves=(jd.Cycloid(0.1, -1.0), None, None)),
        "pin: Cycloid: duration is -1 s; give more than zero",
    ),
    "radius": (
        lambda s: s.connect(jd.constraints.Rolling("wheel", radius=0.0), "c.origin", "world"),
        "wheel: radius [m] is 0; it must be greater than 0",
    ),
    "direction": (
        lambda s: s.connect(jd.constraints.NoSlip("blade", direction=(0, 0, 0)), "c.origin", "world"),
        "blade: direction is (0, 0, 0), of zero length; give a direction",
    ),
    "spring": (
        lambda s: s.connect(jd.constraints.Spring("spring", stiffness=-2.0), "b.tip", "world"),
        "spring: stiffness [N/m] is -2; it must be at least 0",
    ),
    "coordinate": (
        lambda s: s.couple("gear", {"sholder": 1.0, "elbow": 2.0}),
        'gear: there is no coordinate "sholder"; did you mean "shoulder"? there are: elbow, elbow.motor, shoulder',
    ),
    "quaternion": (
        lambda s: s.couple("gear", {"free.qx": 1.0, "elbow": 2.0}),
        'gear: "free.qx" is one of the coordinates of a rotation or of a free body, which do not couple one by one; '
        "couple velocities with rates=True, or connect two frames",
    ),
    "velocity": (
        lambda s: s.couple("gear", {"free.qx": 1.0}, rates=True),
        'gear: there is no velocity "free.qx"; did you mean "free.',
    ),
    "zero": (
        lambda s: s.couple("gear", {"shoulder": 0.0, "elbow": 2.0}),
        'gear: the coefficient of "shoulder" is 0, which couples nothing; leave it out',
    ),
    "infinite": (
        lambda s: s.couple("gear", {"shoulder": np.inf}),
        'gear: the coefficient of "shoulder" is inf; give a finite number',
    ),
    "value": (
        lambda s: s.couple("gear", {"shoulder": 1.0}, value=np.nan),
        "gear: value is nan; give a finite number or a profile",
    ),
    "coupling's name": (
        lambda s: s.couple("shoulder", {"shoulder": 1.0}),
        'shoulder: there is a joint "shoulder" already; give the coupling a name of its own',
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_one_mistake_is_told_in_one_line(name: str) -> None:
    do, text = CASES[name]
    assert one(do).startswith(text)


def test_all_mistakes_are_told_together() -> None:
    s = arm()
    s.connect(jd.Revolute("pin"), "b.tpi", "world")
    s.connect(jd.Revolute("pin"), "b.tip", "world")
    s.couple("gear", {"sholder": 0.0})
    found = s.check()
    assert [problem.address for problem in found] == ["pin", "pin", "gear", "gear"]


@pytest.mark.parametrize(
    ("do", "text"),
    [
        (lambda s: s.connect("pin", "b.tip", "world"), "connect: got 'pin'; give a joint, such as Revolute"),
        (lambda s: s.connect(jd.Weld("pin"), 3, "world"), "pin: first is 3; give an address"),
        (lambda s: s.connect(jd.Weld("pin"), "b.tip", "world", moves=1.0), "pin: moves is 1.0; give three profiles"),
        (lambda s: s.couple("gear", []), r"gear: couple: got \[\]; give coefficients by name"),
        (lambda s: s.couple("gear", {"elbow": "x"}), "gear: coefficient of elbow"),
        (lambda s: s.couple("gear", {"elbow": 1.0}, rates="yes"), "gear: rates is 'yes'; give True for velocities"),
        (lambda s: jd.constraints.Rod("rod", length="long"), "rod: length"),
    ],
)
def test_what_is_no_constraint_is_refused_at_once(do, text: str) -> None:
    with pytest.raises(ModelError, match=text):
        do(arm())


def test_unknown_constraints_are_named() -> None:
    s = arm()
    s.connect(jd.Spherical("pin"), "b.tip", "world")
    with pytest.raises(ModelError, match='pni: no such constraint; did you mean "pin"?'):
        s.compile().constraints.slice("pni")


FILE = """jourdain: 1
system:
  name: four-bar
  bodies:
    - {kind: RigidBody, name: crank, mass: 1, inertia: [1, 1, 1], frames: {tip: [1, 0, 0]}, joint: A}
    - {kind: RigidBody, name: rocker, mass: 1, inertia: [1, 1, 1], frames: {tip: [1, 0, 0]}, joint: B}
""".replace("A}", "{kind: Revolute, name: a}}").replace("B}", "{kind: Revolute, name: b}}")


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        (
            "  connections: [{kind: Rod, name: r, first: crank.tip}]",
            r':7:17: system.connections.r: "second" is missing',
        ),
        ("  connections: [{kind: Free, name: r, first: crank.tip, second: world}]", "Free.* is no kind of connection"),
        (
            "  connections: [{kind: Rod, name: r, first: crank.tpi, second: world}]",
            ':7:45: system.connections.r.first: .*has no frame "tpi"',
        ),
        ("  connections: [{kind: Rod, name: r, first: crank.tip, second: world, length: -1}]", "greater than 0"),
        ("  connections: [{kind: Weld, name: r, first: crank.tip, second: world, moves: [1]}]", ":7:.*moves"),
        (
            "  couplings: [{name: g, terms: {a: 1.0, c: 2.0}}]",
            ':7:44: system.couplings.g.terms.c: there is no coordinate "c"',
        ),
        ("  couplings: [{name: g}]", '"terms" is missing'),
        ("  coupling: []", 'unknown key "coupling" of a system; did you mean "couplings"?'),
    ],
)
def test_mistakes_in_files_have_their_lines(lines: str, text: str, tmp_path) -> None:
    path = tmp_path / "four.yaml"
    path.write_text(FILE + lines + "\n")
    with pytest.raises(jd.errors.ScenarioError, match=text):
        jd.System.load(path)


def test_a_model_without_some_bodies_has_none_of_their_constraints() -> None:
    from jourdain.files.system_section import without_bodies
    from jourdain.files.yaml import read_yaml

    more = """  connections:
    - {kind: Rod, name: rod, first: crank.tip, second: rocker.tip}
    - {kind: Rod, name: stay, first: crank.tip, second: world, length: 0.3}
  couplings: [{name: gear, terms: {a: 1.0, b: 2.0}}, {name: still, terms: {a: 1.0}}]
"""
    node, mistakes = read_yaml(FILE + more, "four.yaml")
    assert mistakes == []
    left = without_bodies(node.value["system"], ["rocker"])
    assert [one.value["name"].value for one in left.value["connections"].value] == ["stay"]
    assert [one.value["name"].value for one in left.value["couplings"].value] == ["still"]


def test_lengths_that_the_tree_does_not_fix_must_be_given() -> None:
    s = arm()
    s.add(jd.DeployableBeam("boom", (1.0, 3.0), 0.5, 1e6, 100.0, 50.0), jd.Weld("held"), to="c.tip")
    s.connect(jd.constraints.Rod("stay"), "boom.tip", "b.tip")
    with pytest.raises(ModelError, match="boom.tip: its place in the zero configuration is not fixed.*give length="):
        s.compile()


def test_a_connected_body_becomes_flexible_where_its_axes_stay() -> None:
    beam = jd.Beam("beam", length=0.5, mass_per_length=2.0, EA=1e6, EI=50.0, GJ=40.0, modes=jd.Modes(bending=2))
    s = arm()
    s.connect(jd.Revolute("pin"), "b.tip", "world")
    s.make_flexible("b", beam)
    assert s.compile().constraints.rows == 5
    turned = jd.System("turned")
    frames = {"tip": jd.Pose((0.5, 0, 0), (np.cos(0.3), np.sin(0.3), 0, 0))}
    turned.add(jd.RigidBody("b", 1.0, com=(0.25, 0, 0), inertia=(0.1, 0.2, 0.2), frames=frames), jd.Revolute("j"))
    turned.connect(jd.Revolute("pin"), "b.tip", "world")
    with pytest.raises(ModelError, match='pin: its axes are those of "b.tip".*connect after make_flexible'):
        turned.make_flexible("b", beam)
