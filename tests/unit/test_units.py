"""Units in files: what they are in SI, and that their dimension is checked."""

import math

import numpy as np
import pytest

import jourdain as jd
from jourdain.basics.units import ONE, UnknownUnitError, read, unit, units_of
from jourdain.study.report.verdict import bound_text, value_text
from jourdain.study.scenario.limits import Limit, judge
from jourdain.study.scenario.scenario_file import check_scenario, load_scenario


@pytest.mark.parametrize(
    ("text", "value", "base"),
    [
        ("80 Nm", 80.0, "N m"),
        ("500 km", 5e5, "m"),
        ("2 mm", 2e-3, "m"),
        ("-30 deg", -math.pi / 6, "rad"),
        ("70 GPa", 70e9, "Pa"),
        ("3 kN/mm", 3e6, "N/m"),
        ("9.81 m/s^2", 9.81, "m/s^2"),
        ("60 rpm", 2 * math.pi, "rad/s"),
        ("1 N m/deg", 180 / math.pi, "N m/rad"),
        ("2 kg m²", 2.0, "kg m^2"),
        ("1.5e3 N mm", 1.5, "N m"),
        ("4 N m/(rad s)", 4.0, "N m/(rad s)"),
        ("5min", 300.0, "s"),
        ("1 J", 1.0, "N m"),
        ("1 N/m^1.5", 1.0, "N/m^1.5"),
    ],
)
def test_a_quantity_in_si(text, value, base):
    found, one, _ = read(text)
    assert found == pytest.approx(value, rel=1e-14) and one.dimension == unit(base).dimension
    assert unit(base).factor == 1.0


@pytest.mark.parametrize("text", ["m/s kg", "furlong", "m^", "N//m", "(m", "m)", "kkg"])
def test_what_is_no_unit(text):
    with pytest.raises(UnknownUnitError, match="unit|clear|closed"):
        unit(text)


@pytest.mark.parametrize("text", ["80", "0x32", "1e999", "fast", "- 3 m", "1,5 m"])
def test_what_is_no_quantity(text):
    assert read(text) is None


def test_units_are_those_of_the_docstring():
    assert units_of(jd.Beam)["EA"] == ("N",) and units_of(jd.Beam)["GJ"] == ("N m^2",)
    assert units_of(jd.Revolute)["stiffness"] == ("N m/rad",) and units_of(jd.Prismatic)["stiffness"] == ("N/m",)
    assert units_of(jd.control.PID)["kd"] == ("N m s/rad", "N s/m")
    assert ONE.dimension == (0, 0, 0, 0)


TEXT = """\
jourdain: 1
name: With units
system:
  gravity: [0, 0, -9810 mm/s^2]
  bodies:
    - kind: RigidBody
      name: link
      mass: 2000 g
      com: [30 cm, 0, 0]
      inertia: [0.02, 0.05, 500 kg cm^2]
      frames: {tip: [600 mm, 0, 0]}
      shape: {kind: Sphere, radius: 5 cm}
      joint: {kind: Revolute, name: hinge, axis: y, damping: 0.02 Nms/deg, limits: [-90 deg, 90 deg]}
    - kind: RigidBody
      name: slider
      mass: 1 kg
      joint: {kind: Prismatic, name: slide, axis: x, stiffness: 2 kN/m}
      to: link.tip
      position: [10 mm, 0, 0]
state: {q: {hinge: 20 deg, slide: 5 mm}, v: {hinge: 6 rpm, slide: 2 cm/s}}
controller:
  {kind: PD, joints: hinge, kp: 80 Nm/rad, kd: 8 Nms/rad, limit: 0.1 kNm, reference: {hinge: 10 deg}}
simulation: {until: 100 ms, step: 1 ms}
limits:
  - {name: swing, quantity: hinge, at_most: 25 deg}
  - {name: travel, quantity: slide, within: 40 mm, after: 20 ms}
  - {name: torque, quantity: "effort:hinge", within: 100 Nm}
  - {name: plain, quantity: hinge, at_most: 2.0}
"""


@pytest.fixture
def write(tmp_path):
    def write(text):
        path = tmp_path / "task.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_a_scenario_with_units_is_that_in_si(write):
    scenario = load_scenario(write(TEXT))
    model = scenario.model
    assert model.description["gravity"] == pytest.approx([0, 0, -9.81])
    link, slider = (item["body"] for item in model.description["bodies"])
    assert link["mass"] == 2.0 and link["com"][0] == 0.3 and slider["mass"] == 1.0
    joint = model.description["bodies"][0]["joint"]
    assert joint["damping"] == pytest.approx(0.02 * 180 / math.pi) and joint["limits"] == pytest.approx(
        [-1.5708, 1.5708], abs=1e-4
    )
    assert model.description["bodies"][1]["joint"]["stiffness"] == 2000.0
    state = scenario.state
    assert state.q == pytest.approx([math.radians(20), 5e-3])
    assert state.v == pytest.approx([0.2 * math.pi, 0.02])
    assert scenario.controller.kp == 80.0 and scenario.controller.limit == 100.0
    assert scenario.until == pytest.approx(0.1) and scenario.step == pytest.approx(1e-3)
    assert [one.at_most or one.within for one in scenario.limits] == pytest.approx([math.radians(25), 0.04, 100.0, 2.0])
    assert [one.unit for one in scenario.limits] == ["deg", "mm", "Nm", ""]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("mass: 2000 g", "mass: 2000 mm", "give it in kg"),
        ("radius: 5 cm", "radius: 5 kg", "give it in m"),
        ("damping: 0.02 Nms/deg", "damping: 3 N m/rad", "give it in N m s/rad"),
        ("stiffness: 2 kN/m", "stiffness: 2 kNm/rad", "give it in N/m"),
        ("600 mm", "600 deg", "give it in m"),
        ("-9810 mm/s^2", "-9.81 m/s", "give it in m/s^2"),
        ("hinge: 20 deg", "hinge: 20 mm", "hinge is in rad"),
        ("slide: 5 mm", "slide: 5 deg", "slide is in m"),
        ("hinge: 6 rpm", "hinge: 6 deg", "give it in rad/s or m/s"),
        ("slide: 2 cm/s", "slide: 2 deg/s", "slide is in m/s"),
        ("kp: 80 Nm/rad", "kp: 80 Nm", "give it in N m/rad or N/m"),
        ("hinge: 10 deg", "hinge: 10 mm", "hinge is in rad"),
        ("until: 100 ms", "until: 100 mm", "give it in s"),
        ("at_most: 25 deg", "at_most: 25 mm", "hinge is in rad"),
        ("within: 40 mm", "within: 40 deg", "slide is in m"),
        ("within: 100 Nm", "within: 100 N", "effort:hinge is in N m"),
        ("after: 20 ms", "after: 20 mm", "give it in s"),
        ("mass: 1 kg", "mass: 1 stone", '"stone" is no unit'),
    ],
)
def test_a_wrong_dimension_is_a_mistake_with_its_line(write, old, new, words):
    text = TEXT.replace(old, new, 1)
    (mistake,) = check_scenario(write(text))
    assert words in mistake.message, mistake
    assert mistake.line == text[: text.index(new)].count("\n") + 1


def test_a_number_without_a_unit_of_its_own_takes_none(write):
    text = TEXT + "replay: {magnify: 3 mm}\n"
    (mistake,) = check_scenario(write(text))
    assert "this has no unit" in mistake.message


def test_limits_in_degrees_are_told_in_degrees(write):
    run = load_scenario(write(TEXT)).simulate()
    swing, travel, torque, plain = judge(run)
    assert swing.value == pytest.approx(np.max(run.q["hinge"].values)) and swing.unit == "rad"
    assert value_text(swing) == f"{math.degrees(swing.value):.5g} deg"
    assert bound_text(swing.limit, swing.unit) == "at most 25 deg"
    assert bound_text(travel.limit, travel.unit) == "within 40 mm, from 0.02 s on"
    assert (
        bound_text(torque.limit, torque.unit) == "within 100 Nm"
        and bound_text(plain.limit, plain.unit) == "at most 2 rad"
    )
    again = Limit.from_dict(swing.limit.to_dict())
    assert again == swing.limit and again.unit == "deg"


def test_the_report_and_the_command_tell_degrees(write, tmp_path):
    from jourdain.commands.run import summary
    from jourdain.study.progress import ProgressReporter
    from jourdain.study.scenario.run_scenario import run_scenario

    outcome = run_scenario(
        load_scenario(write(TEXT)), tmp_path / "a", figures=False, reporter=ProgressReporter(quiet=True)
    )
    swing = outcome.judgements[0]
    told = f"{math.degrees(swing.value):.5g} deg"
    assert any(told in line and "at most 25 deg" in line for line in summary(outcome))
    page = outcome.files["report"].read_text(encoding="utf-8")
    assert told in page and "at most 25 deg" in page and "at most 0.436332" not in page
