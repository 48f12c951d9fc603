"""One table of fields: descriptions and words of files come from it, and what was written before is read."""

import inspect

import pytest

import jourdain as jd
from jourdain.basics.fields import Described, fields_of
from jourdain.describe.bodies import BODIES
from jourdain.describe.constraints.connections import LINKS
from jourdain.describe.contact.friction import FRICTION_LAWS
from jourdain.describe.contact.normal import NORMAL_LAWS
from jourdain.describe.joints import JOINTS, joint_from_dict
from jourdain.describe.motions import MOTIONS
from jourdain.describe.shapes import SHAPES
from jourdain.errors import ModelError
from jourdain.files import system_schema  # noqa: F401  (its words are known then)
from jourdain.files.schema_entry import table

CLASSES = [
    (kinds[kind], category)
    for kinds, category in (
        (BODIES, "body"),
        (JOINTS, "joint"),
        (SHAPES, "shape"),
        (NORMAL_LAWS, "normal law"),
        (FRICTION_LAWS, "friction law"),
        (MOTIONS, "motion"),
        (LINKS, "connection"),
    )
    for kind in kinds
    if kind not in ("reduced", "cell", "skin", "strand")  # files make these of other things
]


@pytest.mark.parametrize(("cls", "category"), CLASSES, ids=[one.__name__ for one, _ in CLASSES])
def test_words_of_a_file_are_the_fields_of_the_class(cls, category):
    fields = fields_of(cls)
    assert list(table(category)[cls.__name__].args) == list(fields)
    named = [one for one in inspect.signature(cls).parameters.values() if one.kind is not one.VAR_POSITIONAL]
    assert [one.name for one in named] == [name for name in fields if name in {one.name for one in named}]


def test_what_was_written_in_another_order_is_read():
    screw = {"kind": "screw", "pitch": 0.1, "name": "s", "axis": [0.0, 0.0, 1.0], "stiffness": 2.0}
    assert joint_from_dict(screw) == jd.Screw("s", "z", pitch=0.1, stiffness=2.0)


def test_what_was_added_later_is_left_out_where_nothing_was_said():
    law = jd.contact.CoulombFriction(0.3)
    assert law.to_dict() == {"kind": "coulomb", "kinetic": 0.3, "transition_speed": 1e-3}
    assert jd.contact.CoulombFriction.from_dict(law.to_dict()) == law
    assert list(jd.Revolute("j", drive=jd.Drive(100.0, 1e-4, 1e4)).to_dict())[-1] == "drive"
    assert "drive" not in jd.Revolute("j").to_dict()


def test_a_law_says_all_of_its_numbers():
    told = jd.contact.LinearContact(1e5).to_dict()
    del told["damping"]
    with pytest.raises(ModelError, match='touch: "damping" is missing'):
        NORMAL_LAWS.from_dict(told, "touch")


def test_mistakes_inside_are_told_with_their_place():
    with pytest.raises(ModelError, match='joint.drive: "gear" is missing'):
        joint_from_dict({"kind": "revolute", "name": "j", "drive": {"rotor_inertia": 1.0, "stiffness": 1.0}})
    with pytest.raises(ModelError, match=r"rod.length: kind is 'Cosine'; it must be one of Cycloid"):
        LINKS.from_dict({"kind": "rod", "name": "r", "length": {"kind": "Cosine"}}, "rod")


def test_fields_hold_classes_and_not_their_names():
    """A class that an annotation only names cannot read back what it wrote."""
    known = [getattr(jd, name) for name in jd.__all__] + [cls for cls, _ in CLASSES]
    for cls in (one for one in known if inspect.isclass(one) and issubclass(one, Described)):
        for name, field in fields_of(cls).items():
            assert "ObjectOf(of='" not in repr(field.type), (cls.__name__, name)


def test_a_problem_of_a_field_names_the_place_in_a_description():
    told = jd.Revolute("r").to_dict() | {"axis": [1, 0]}
    with pytest.raises(ModelError) as caught:
        joint_from_dict(told, "bodies[0].joint")
    assert [one.address for one in caught.value.problems] == ["bodies[0].joint.axis"]
    problem = jd.Revolute("r", damping=-1.0).check("r")[0]
    assert (problem.address, problem.field) == ("r", "damping") and str(problem).startswith("r: damping is -1")
    material = jd.HertzContact(material=(jd.Material(1e9, 0.3), jd.Material(1e9, 0.3)), restitution=2.0)
    assert [one.field for one in material.check("touch")] == ["restitution"]
