"""A rigid link becomes a beam in one call: its place, its joint and all that hangs on it stay."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import jourdain as jd

SECTION = dict(mass_per_length=2.0, EA=1e7, EI=(4e3, 9e3), GJ=2e3)
ANGLES = {"shoulder": 0.3, "elbow": -0.7, "wrist": 0.5}


def beam(length=1.0, name="any", **options):
    return jd.Beam(name, length, **(SECTION | dict(modes=jd.Modes(bending=2)) | options))


def arm(frames=None, at="origin", joint=None, grip="upper.grip"):
    """Upper arm, forearm on its tip, a camera on its middle; a force on it in its own axes."""
    system = jd.System("arm", gravity=(0, 0, -9.81))
    places = {"tip": (1.0, 0, 0), "grip": (0.25, 0, 0)} if frames is None else frames
    upper = jd.RigidBody("upper", 2.0, (0.5, 0, 0), (0.01, 1 / 6, 1 / 6), places)
    shoulder = jd.Revolute("shoulder", axis=(0, 1, 1)) if joint is None else joint
    system.add(upper, shoulder, position=(0.1, 0.2, 0.3), rotation=Rotation.from_rotvec([0.3, 0.2, -0.4]), at=at)
    system.add(jd.RigidBody("fore", 1.0, (0.3, 0, 0), (0.1, 0.1, 0.1)), jd.Revolute("elbow", axis="z"), to="upper.tip")
    turn = Rotation.from_rotvec([0, 1, 0.5])
    camera = jd.RigidBody("camera", 0.5, inertia=(0.01, 0.01, 0.01))
    system.add(camera, jd.Revolute("wrist", axis="x"), to=grip, position=(0, 0.1, 0), rotation=turn)
    system.force("push", at=grip, force=(1.0, 2.0, 3.0), moment=(0.1, 0.2, 0.3), axes="body")
    return system


def same_place(rigid, flexible, addresses=("fore.origin", "camera.origin")):
    """Undeformed, all frames stand and move as before, and a quasi-rigid beam accelerates as the rigid body."""
    a, b = rigid.compile(), flexible.compile()
    s, t = (m.state(q=ANGLES, v={"shoulder": 0.4, "elbow": 1.0, "wrist": -0.6}) for m in (a, b))
    for address in addresses:
        assert b.pose(address, t).position == pytest.approx(a.pose(address, s).position, abs=1e-12)
        assert b.pose(address, t).rotation == pytest.approx(a.pose(address, s).rotation, abs=1e-12)
        assert b.velocity(address, t) == pytest.approx(a.velocity(address, s), abs=1e-12)
    inner = {name: 0.0 for name in b.names.v if name.startswith("upper.")}
    held = b.hybrid_dynamics(t, None, inner).acceleration
    order = [b.index.v[name] for name in a.names.v]
    assert held[order] == pytest.approx(a.forward_dynamics(s), rel=2e-2)
    return a, b


def test_a_link_becomes_a_beam():
    system = arm()
    made = system.make_flexible("upper", beam(frames={"sensor": 0.6}))
    assert system.body("upper") is made and made.name == "upper"
    assert made.frame_names() == ("origin", "root", "tip", "sensor", "grip")
    assert made.frame("grip").position.tolist() == [0.25, 0.0, 0.0]
    assert [body.name for body in system.bodies] == ["upper", "fore", "camera"]
    _, model = same_place(arm(), system, ("fore.origin", "camera.origin", "upper.grip"))
    assert "upper.bending_y[0]" in model.names.q
    bent = model.state(q=ANGLES | {"upper.bending_z[0]": 0.05})
    straight = model.state(q=ANGLES)
    moved = model.pose("fore.origin", bent).position - model.pose("fore.origin", straight).position
    assert np.linalg.norm(moved) == pytest.approx(0.05, rel=0.05)


def test_a_link_along_another_axis():
    """Held at one end of a body whose origin is elsewhere, along its y; frames, joint and force turn with it."""
    frames = {
        "near": jd.Pose((0.2, -0.5, 0.0), Rotation.from_rotvec([0.4, 0.0, 0.0])),
        "tip": jd.Pose((0.2, 0.5, 0.0), Rotation.from_rotvec([0.0, 0.3, 0.2])),
        "grip": (0.2, -0.25, 0.0),
        "off": (0.0, 0.0, 0.3),
    }

    def build():
        system = arm(frames=frames, at="near")
        body = jd.RigidBody("upper", 2.0, (0.2, 0, 0), (1 / 6, 0.01, 1 / 6), frames)
        system.attachments[0] = replace(system.attachments[0], body=body)
        return system

    system = build()
    made = system.make_flexible("upper", beam(), along=("near", "tip"))
    assert made.frame_names() == ("origin", "root", "tip", "near", "grip")
    same_place(build(), system)


def test_a_free_beam_held_at_its_middle():
    frames = {"left": (-0.5, 0, 0), "tip": (0.5, 0, 0), "grip": (0.25, 0, 0)}

    def build():
        system = arm(frames=frames)
        body = jd.RigidBody("upper", 2.0, inertia=(0.01, 1 / 6, 1 / 6), frames=frames)
        system.attachments[0] = replace(system.attachments[0], body=body)
        return system

    system = build()
    system.make_flexible("upper", beam(basis="free-free"), along=("left", "tip"))
    same_place(build(), system)


def test_a_universal_joint_turns_with_its_body_and_a_free_one_cannot():
    frames = {"near": (0.0, 0.0, 0.0), "tip": (0.0, 1.0, 0.0), "grip": (0.0, 0.25, 0.0)}
    for joint in (jd.Universal("shoulder", axes=("x", "z")), jd.Cylindrical("shoulder"), jd.Weld("shoulder")):
        systems = [arm(frames=frames, joint=joint) for _ in range(2)]
        systems[1].make_flexible("upper", beam(), along=("near", "tip"))
        a, b = (system.compile() for system in systems)
        q = {"elbow": 0.2} | {name: 0.4 for name in a.names.q if name.startswith("shoulder")}
        assert b.pose("fore.origin", b.state(q)).position == pytest.approx(a.pose("fore.origin", a.state(q)).position)
    for joint in (jd.Free("shoulder"), jd.Spherical("shoulder"), jd.Planar("shoulder")):
        system = arm(frames=frames, joint=joint)
        before = (list(system.attachments), list(system.forces))
        with pytest.raises(jd.errors.ModelError, match=f"shoulder: the coordinates of a {joint.kind} joint"):
            system.make_flexible("upper", beam(), along=("near", "tip"))
        assert (system.attachments, system.forces) == before


def test_a_drive_stays():
    system = arm(joint=jd.Revolute("shoulder", axis="y", drive=jd.Drive(50.0, 1e-3, 1e3)))
    system.make_flexible("upper", beam())
    assert "shoulder.motor" in system.compile().names.q


def test_a_stop_feels_what_hangs_on_the_beam():
    """The stiffness that `compile` chooses for a stop is that of the rigid link."""
    systems = [arm(joint=jd.Revolute("shoulder", axis="y", limits=(-1.0, 1.0))) for _ in range(2)]
    systems[1].make_flexible("upper", beam())
    rigid, flexible = (system.compile().arrays.joint_springs.array for system in systems)
    assert flexible == pytest.approx(rigid, rel=2e-2)


def test_another_mass_is_a_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        arm().make_flexible("upper", beam(mass_per_length=2.1))
    with pytest.warns(UserWarning, match="upper: the flexible body weighs 3 kg, the rigid one 2 kg"):
        arm().make_flexible("upper", beam(mass_per_length=3.0))


@pytest.mark.parametrize(
    ("frames", "options", "says"),
    [
        (
            {"tip": (1, 0, 0), "grip": (0.2, 0.05, 0)},
            {},
            "upper.grip: something holds on to .* is 0.05 m off the axis of the flexible body; give along=.from, to., "
            "two frames 1 m apart between which it lies; or put what holds on to it on a rigid body of its own",
        ),
        (
            {"tip": (0, 0, 1.0), "grip": (0, 0, 0.4)},
            {},
            'upper.grip: something .* is 0.4 m off the axis of the flexible body; .* give along=."origin", "tip".',
        ),
        ({"tip": (1, 0, 0), "grip": (1.2, 0, 0)}, {}, "upper.grip: .* is 1.2 m along .*, which is 1 m long"),
        ({"tip": (1, 0, 0), "grip": (-0.1, 0, 0)}, {}, "upper.grip: .* is -0.1 m along"),
        (
            {"tip": (0.8, 0, 0), "grip": (0.2, 0, 0)},
            {},
            'upper.tip: .* at 0.8 of the length, .* own "tip" at 1; rename',
        ),
        (None, {"frames": {"grip": 0.5}}, 'upper.grip: .* at 0.25 of the length, .* own "grip" at 0.5'),
        (None, {"EA": -1.0}, "upper: EA is -1.0; give numbers above zero"),
        (None, {"basis": "free-free"}, "upper.origin: the joint holds the body here"),
    ],
)
def test_what_does_not_fit_is_named(frames, options, says):
    system = arm(frames=frames)
    before = (list(system.attachments), list(system.forces))
    with pytest.raises(jd.errors.ModelError, match=says):
        system.make_flexible("upper", beam(**options))
    assert (system.attachments, system.forces) == before


def test_bad_calls_are_refused_by_name():
    with pytest.raises(jd.errors.ModelError, match='uper: there is no body "uper"; did you mean "upper"'):
        arm().make_flexible("uper", beam())
    with pytest.raises(jd.errors.ModelError, match="upper: make_flexible: got None; give a flexible body"):
        arm().make_flexible("upper", None)
    with pytest.raises(jd.errors.ModelError, match="upper: a RigidBody cannot take its place"):
        arm().make_flexible("upper", jd.RigidBody("other", 1.0))
    with pytest.raises(jd.errors.ModelError, match='upper: along: "grip" and "tip" are 0.75 m apart, .* is 1 m long'):
        arm().make_flexible("upper", beam(), along=("grip", "tip"))
    with pytest.raises(jd.errors.ModelError, match="upper: along: got 'tip'; give two frames"):
        arm().make_flexible("upper", beam(), along="tip")
    with pytest.raises(jd.errors.ModelError, match='body "upper" has no frame "top"'):
        arm().make_flexible("upper", beam(), along=("origin", "top"))
