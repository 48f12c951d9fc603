"""What an imported file has and a system has not: said, listed, refused where that is asked for."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import jourdain as jd
from jourdain.files.imports.imported import Feature, Imported, LostMechanicsWarning

BOX = """<mujoco model="drop">{more}<worldbody><geom name="floor" type="plane" size="5 5 .1" {floor}/>
<body name="box" pos="0 0 1"><freejoint/><geom name="side" type="box" size=".1 .1 .1" {box}/>{inner}</body>{outer}
</worldbody>{end}</mujoco>"""


def write(tmp_path, **parts):
    path = tmp_path / "drop.xml"
    path.write_text(BOX.format(**(dict.fromkeys(("more", "floor", "box", "inner", "outer", "end"), "") | parts)))
    return path


def test_a_box_over_a_floor_does_not_fall_through_without_a_word(tmp_path):
    path = write(tmp_path)
    system = jd.System.load(path)
    (lost,) = system.imported.ignored
    assert (lost.name, lost.line) == ("contact", 1) and system.imported.lost_mechanics == (lost,)
    assert system.imported.colliding == (("world", "box"),)
    with pytest.warns(LostMechanicsWarning, match='"world" and "box" touch there, and pass through') as told:
        system.compile()
    assert told[0].filename == __file__
    with pytest.raises(jd.errors.ScenarioError, match=r"drop.xml:1:\d+: .*contact is not carried over"):
        jd.System.load(path, strict=True)


def test_its_remedies_hold(tmp_path):
    """Contacts made of its shapes stop it at half its height and say no more; nor does what is left out by name."""
    path = write(tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        system = jd.System.load(path)
        shapes = [one for group in system.imported.shapes.values() for one in group]
        system.collide("touch", shapes, normal=jd.contact.LinearContact(1e5, damping=20.0))
        model = system.compile()
        run = jd.simulate(model, model.state(), until=1.0, step=2e-4, energy_tolerance=np.inf)
        assert np.min(run.frame("box.origin").position[:, 2]) > 0.05
        jd.System.load(path, ignore=("contact",)).compile()
        jd.System.load(path, ignore=("contact",), strict=True).compile()


CHILD = '<body name="lid" pos="0 0 .05"><joint type="hinge"/><geom type="sphere" size=".1"/></body>'
FIXED = '<body name="shelf" pos="0 0 .5"><geom type="box" size=".1 .1 .1"/></body>'


@pytest.mark.parametrize(
    ("parts", "pairs"),
    [
        ({}, 1),
        ({"floor": 'contype="2" conaffinity="2"'}, 0),
        ({"floor": 'contype="2" conaffinity="0"', "box": 'conaffinity="2"'}, 1),
        ({"box": 'contype="0" conaffinity="0"'}, 0),
        ({"more": '<option><flag contact="disable"/></option>'}, 0),
        ({"end": '<contact><exclude body1="world" body2="box"/></contact>'}, 0),
        ({"inner": CHILD}, 2),  # parent and child do not touch
        ({"outer": FIXED}, 2),  # nor what is fixed in the world with the world
        ({"box": 'contype="0" conaffinity="0"', "end": '<contact><pair geom1="floor" geom2="side"/></contact>'}, 1),
    ],
)
def test_what_touches_is_chosen_as_in_mujoco(tmp_path, parts, pairs):
    imported = jd.System.load(write(tmp_path, **parts)).imported
    assert len(imported.colliding) == pairs
    assert [one.name for one in imported.ignored] == ["contact"] * bool(pairs)


def test_mechanics_that_are_left_out_are_said_and_looks_are_not(tmp_path):
    muscle = '<actuator><muscle name="m" joint="j"/></actuator>'
    ball = '<geom type="sphere" size=".1" contype="0" conaffinity="0"/>'
    lamp = f'<light pos="0 0 3"/><body name="b"><joint name="j"/>{ball}</body>'
    step = '<option timestep="0.005"/>'
    path = write(tmp_path, floor='contype="0"', box='contype="0"', outer=lamp, more=step, end=muscle)
    with pytest.warns(LostMechanicsWarning, match=r"mechanics are left out: muscle \(line 3\)") as told:
        imported = jd.System.load(path, ignore=True).imported
    assert len(told) == 1 and told[0].filename == __file__
    names = [
        [one.name for one in group]
        for group in (imported.lost_mechanics, imported.lost_appearance, imported.lost_settings)
    ]
    assert names == [["muscle"], ["light"], ["option.timestep"]]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        jd.System.load(path, ignore=("muscle", "light", "option.timestep"))
    with pytest.raises(jd.errors.ScenarioError, match="muscle is not carried over") as told:
        jd.System.load(path, ignore=True, strict=True)
    assert "light" not in str(told.value)


def test_sorts_of_features():
    rows = {
        "lost_mechanics": (
            "tendon.spatial",
            "joint.armature",
            "body.gravcomp",
            "option.density",
            "gazebo",
            "joint.range",
        ),
        "lost_appearance": ("light", "camera.fovy", "texture", "material.reflectance"),
        "lost_settings": ("option.timestep", "sensor", "keyframe", "size.njmax"),
    }
    every = tuple(Feature(name, "a.xml", 1) for names in rows.values() for name in names)
    found = Imported("a.xml", "mjcf", every)
    for which, names in rows.items():
        assert tuple(one.name for one in getattr(found, which)) == names


ARM = """<mujoco><default><equality active="false"/><joint damping="2"/><tendon stiffness="40" damping="3"/></default>
<worldbody><site name="s" pos="0 0 1"/>
<body name="b"><joint name="j" actuatorfrcrange="-3 5"/><geom size=".1" contype="0" conaffinity="0"/>
<site name="t"/></body>
<body name="c"><joint name="k"/><geom size=".1" contype="0" conaffinity="0"/></body></worldbody>
<equality>{equality}</equality>
<tendon><spatial name="w" springlength=".2"><site site="s"/><site site="t"/></spatial></tendon>
<actuator><motor name="m" joint="j" gear="10"/><motor name="o" joint="j" gear="-4"/>
<motor name="n" joint="k" gear="10"/></actuator></mujoco>"""


def test_defaults_of_tendons_and_equalities_are_theirs(tmp_path):
    """A default of joints is none of <equality><joint>, as MuJoCo has it; that of <tendon> is of spatial ones."""
    path = tmp_path / "arm.xml"
    path.write_text(ARM.format(equality='<joint joint1="j" joint2="k"/>'))
    system = jd.System.load(path, ignore=("equality.joint that is not active",))
    assert [one.name for one in system.imported.ignored] == ["equality.joint that is not active"]
    (spring,) = [one.element for one in system.connections]
    assert (spring.stiffness, spring.damping, spring.length) == (40.0, 3.0, 0.2)
    path.write_text(ARM.format(equality='<joint joint1="j" joint2="k" active="true"/>'))
    assert len(jd.System.load(path).couplings) == 1


def test_the_range_of_a_joint_limits_all_its_actuators_together(tmp_path):
    """actuatorfrcrange: 10 a - 4 b cut to (-3, 5); another joint has none."""
    path = tmp_path / "arm.xml"
    path.write_text(ARM.format(equality=""))
    system = jd.System.load(path)
    model = system.compile()
    for a, b, total in ((0.2, 0.0, 2.0), (1.0, 0.0, 5.0), (1.0, 2.0, 2.0), (-1.0, 0.0, -3.0), (0.0, 1.0, -3.0)):
        law = system.imported.control(model, {"m": a, "o": b, "n": 3.0})
        run = jd.simulate(model, model.state(), until=1e-6, step=1e-6, method="rk4", controller=law, progress=False)
        assert float(run.effort["j"][0]) == pytest.approx(total) and float(run.effort["k"][0]) == pytest.approx(30.0)
