"""Systems written as plain dictionaries and read again."""

import copy
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jourdain.basics.errors import ModelError
from jourdain.basics.pose import Pose
from jourdain.describe.bodies import RigidBody
from jourdain.describe.description import from_dict, to_dict
from jourdain.describe.joints import Cylindrical, Free, Planar, Prismatic, Revolute, Screw, Spherical, Universal, Weld
from jourdain.describe.shapes import Box, Cone, Mesh
from jourdain.describe.system import System


class Push:
    is_law = True
    name = "thruster"


def everything():
    system = System("all of it", gravity=(0.1, -0.2, -9.80665))
    joints = [
        Free("free"),
        Revolute("r", (1, 2, 3), stiffness=1.5, damping=0.1, rest=0.3, friction=0.2, limits=(-1, 1 / 3)),
        Prismatic("p", "x", limits=(0, 1), limit_stiffness=1e6, limit_damping=0.3, friction_stiffness=1e4),
        Screw("s", "y", 1 / 7, stiffness=2.0),
        Cylindrical("c", (0, 1, 1)),
        Universal("u", (("x"), (0.1, 0.7, 0.2))),
        Spherical("ball"),
        Planar("plane", (0.1, 0.2, 0.3)),
        Weld("weld"),
    ]
    for i, joint in enumerate(joints):
        body = RigidBody(
            f"b{i}",
            mass=1.0 + 1 / 3 * i,
            com=(0.1, 0.2, 1 / 3),
            inertia=(1, 1.1, 1.2, 0.01, 0.02, 0.03),
            frames={"tip": (1 / 3, 0, 0), "cam": Pose((0, 1, 0), (0.8, 0.6, 0.0, 0.0))},
            shape=Box((1, 2, 1 / 3)).at("tip", rotation=(0.6, 0, 0.8, 0)) if i else Mesh(*Cone(1, 1).to_mesh(5)),
        )
        place = {
            "position": (0.1, 0.2, i / 3),
            "rotation": (0.5, 0.5, 0.5, -0.5),
            "at": "cam" if i else "origin",
        }
        system.add(body, joint, to=f"b{i - 1}.tip" if i else "world", **place)
    system.force("push", at="b3.cam", force=(1 / 3, 0, 0), moment=(0, 1, 0), axes="body")
    return system


def test_round_trip_through_json_is_exact():
    system = everything()
    assert system.check() == []
    written = to_dict(system)
    again = from_dict(json.loads(json.dumps(written, allow_nan=False)))
    assert to_dict(again) == written
    assert again.check() == []
    for one, two in zip(system.attachments, again.attachments, strict=True):
        assert one.joint == two.joint
        assert one.pose == two.pose
        assert (one.to, one.at, one.body.name) == (two.to, two.at, two.body.name)
        assert np.array_equal(one.body.inertia, two.body.inertia)
        assert one.body.frames == two.body.frames
        assert one.body.shape == two.body.shape
    assert repr(again) == repr(system)


@given(st.lists(st.floats(-1e12, 1e12), min_size=3, max_size=3), st.floats(1e-12, 1e12))
def test_numbers_survive_exactly(position, mass):
    system = System("s", gravity=position)
    system.add(RigidBody("b", mass, com=position), Prismatic("p", axis=(1, *position[1:])), position=position)
    again = from_dict(json.loads(json.dumps(to_dict(system))))
    assert to_dict(again) == to_dict(system)
    assert again.bodies[0].mass == mass
    assert again.gravity.tolist() == position


def test_laws_are_recorded_by_name_and_must_be_left_out_on_purpose():
    system = everything()
    system.force("burn", at="b0.origin", force=Push())
    written = json.loads(json.dumps(to_dict(system)))
    assert written["forces"][1]["force"] == {"law": "thruster"}
    with pytest.raises(ModelError, match=r'forces\[1\]\.force: force "burn" was the law "thruster"'):
        from_dict(written)
    again = from_dict(written, without_laws=True)
    assert [force.name for force in again.forces] == ["push"]


def change(path, value):
    def edit(data):
        *way, last = path
        for key in way:
            data = data[key]
        data[last] = value

    return edit


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (change(["format"], 2), "format: got 2; this version of Jourdain reads format 1"),
        (change(["format"], True), "format: got True"),
        (change(["colour"], "red"), 'description: unknown key "colour"'),
        (change(["gravity"], [0, 0]), "gravity: .*give 3 numbers"),
        (change(["gravity"], ["0", "0", "0"]), "gravity: .*real numbers"),
        (change(["name"], 3), "name: got 3; give text"),
        (change(["bodies"], {}), "bodies: .*give a list"),
        (change(["bodies", 1], 3), r"bodies\[1\]: got 3; give a mapping"),
        (change(["bodies", 1, "too"], "b0.tip"), r'bodies\[1\]: unknown key "too"; did you mean "to"'),
        (change(["bodies", 1, "to"], 3), r"bodies\[1\].to: got 3"),
        (change(["bodies", 1, "body", "mass"], "1"), r"bodies\[1\].body.mass: got '1'"),
        (change(["bodies", 1, "body", "mass"], [1]), r"bodies\[1\].body.mass: .*one real number"),
        (change(["bodies", 1, "body", "wings"], 2), r'bodies\[1\].body: unknown key "wings"'),
        (change(["bodies", 1, "body", "kind"], "bird"), r"bodies\[1\].body: kind is 'bird'"),
        (change(["bodies", 1, "body", "kind"], []), r"bodies\[1\].body: kind is \[\]"),
        (change(["bodies", 1, "body"], None), r"bodies\[1\].body: kind is None"),
        (change(["bodies", 1, "body", "frames"], [1]), r"bodies\[1\].body.frames: .*mapping"),
        (change(["bodies", 1, "body", "frames", "tip"], {}), r'frames.tip: "position" is missing'),
        (change(["bodies", 1, "body", "inertia"], [1]), r"bodies\[1\].body.inertia"),
        (change(["bodies", 1, "body", "shape", "shape"], {"kind": []}), r"body.shape.shape: kind is \[\]"),
        (
            change(["bodies", 1, "body", "shape", "shape", "lengths"], [1, 2]),
            r"shape\.shape: Box lengths: .*give 3 numbers",
        ),
        (change(["bodies", 1, "body", "shape", "address"], 1), r"body.shape.address"),
        (change(["bodies", 1, "joint", "kind"], "hinge"), r"bodies\[1\].joint: kind is 'hinge'"),
        (change(["bodies", 1, "joint", "drive"], 1), r"bodies\[1\].joint.drive: got 1; give a mapping"),
        (change(["bodies", 1, "joint", "axis"], [1, 0]), r"bodies\[1\].joint.axis: "),
        (change(["bodies", 1, "pose", "rotation"], [1, 1, 0, 0]), r"bodies\[1\].pose.rotation: quaternion"),
        (change(["forces", 0, "force"], {"law": 3}), r"forces\[0\].force.law"),
        (change(["forces", 0, "force"], [1, 2]), r"forces\[0\].force: .*give 3 numbers"),
        (change(["forces", 0, "power"], 1), r'forces\[0\]: unknown key "power"'),
    ],
)
def test_what_is_not_understood_is_refused_with_its_place(edit, message):
    data = copy.deepcopy(to_dict(everything()))
    edit(data)
    with pytest.raises(ModelError, match=message):
        from_dict(data)


@pytest.mark.parametrize("data", [None, [], "system", {}, {"format": 1}])
def test_what_is_no_description_is_refused(data):
    with pytest.raises(ModelError):
        from_dict(data)


def test_all_that_is_wrong_is_reported_at_once():
    data = to_dict(everything())
    change(["bodies", 1, "body", "wings"], 2)(data)
    change(["bodies", 2, "joint", "kind"], "hinge")(data)
    change(["forces", 0, "at"], 7)(data)
    with pytest.raises(ModelError) as caught:
        from_dict(data)
    assert len(caught.value.problems) == 3
