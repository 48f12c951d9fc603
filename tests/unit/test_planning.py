"""The section `optimise:` of scenario files."""

from __future__ import annotations

import re

import numpy as np
import pytest

import jourdain as jd
from jourdain.study.demo import shipped
from jourdain.study.scenario.scenario_file import check_scenario, load_scenario

GOOD = """jourdain: 1
name: a wheel
system:
  bodies:
    - {kind: RigidBody, name: wheel, mass: 2.0, inertia: [2, 2, 3], joint: {kind: Revolute, name: axle, axis: z}}
optimise:
  end: {axle: 90 deg}
  until: 2.0
  cost: effort
  inputs: axle
  limits: {"effort:axle": [-20, null]}
  intervals: 4
simulation: {until: 2.5, output: 0.05}
"""


@pytest.fixture
def written(tmp_path):
    def write(*changes):
        text = GOOD
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        path = tmp_path / "wheel.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.mark.parametrize("change", [(), (("inputs: axle", "by: effort"),), (("cost: effort", "kind: trajectory"),)])
def test_a_planned_scenario_runs(written, change):
    """Least effort of a double integrator is 12 I^2 x^2 / T^3, by motion, by effort and as a trajectory."""
    pytest.importorskip("casadi")
    scenario = load_scenario(written(*change))
    assert scenario.trajectory.cost == pytest.approx(12.0 * 9.0 * (np.pi / 2) ** 2 / 8.0, rel=1e-9)
    run = scenario.simulate(progress=False)
    assert run.q["axle"].values[-1] == pytest.approx(np.pi / 2, abs=1e-9)
    assert run.v["axle"].values[-1] == pytest.approx(0.0, abs=1e-9)


def test_costs_with_weights(written):
    pytest.importorskip("casadi")
    told = "cost: {effort: {axle: 1.0}, time: 300.0, square: {axle: 0.0}}"
    scenario = load_scenario(written(("cost: effort", told), ("until: 2.0", "until: [0.5, 2.4]")))
    # 12 I^2 x^2 / T^3 + 300 T is least at T^4 = 36 I^2 x^2 / 300
    assert scenario.trajectory.duration == pytest.approx((36.0 * 9.0 * (np.pi / 2) ** 2 / 300.0) ** 0.25, rel=1e-6)


WRONG = [
    ("end: {axle", "end: {axl", 'did you mean "axle"', 7),
    ("axle: 90 deg", "axle: 3 kg", "axle is in rad", 7),
    ("until: 2.0", "until: 3.0", "ends at 3 s, and the simulation at 2.5 s", 8),
    ("  until: 2.0\n", "", '"until" is missing', 7),
    ("cost: effort", "cost: efort", 'did you mean "effort"', 9),
    ("cost: effort", "cost: {efort: 1}", 'did you mean "effort"', 9),
    ("inputs: axle", "inputs: alxe", 'did you mean "axle"', 10),
    ("[-20, null]", "[-20, 1, 2]", "got 3 values; give \\[low, high\\]", 11),
    ("intervals: 4", "interval: 4", 'did you mean "intervals"', 12),
    ("intervals: 4", "free: axle", '"free" is a word of a trajectory', 12),
    ("cost: effort", "robust: 0.1\n  kind: trajectory", '"robust" is a word of a slew', 9),
]


@pytest.mark.parametrize(("old", "new", "told", "line"), WRONG)
def test_mistakes_have_their_lines(written, old, new, told, line):
    found = check_scenario(written((old, new)))
    assert found and any(re.search(told, str(one)) and one.line == line for one in found), found


def test_what_planning_finds_has_its_line(written):
    pytest.importorskip("casadi")
    path = written(('{"effort:axle": [-20, null]}', '{"effort:axle": [-1, 1]}'))
    with pytest.raises(jd.JourdainError, match=r"wheel.yaml.*cannot be met") as error:
        load_scenario(path).simulate(progress=False)
    assert error.value.problems[0].line >= 6
    path = written(("simulation:", "motions: {axle: {kind: Cycloid, to: 1.0, duration: 1.0}}\nsimulation:"))
    with pytest.raises(jd.JourdainError, match="is moved by motions: too"):
        load_scenario(path).simulate(progress=False)
    path = written(("cost: effort", "cost: {square: 1.0}"))
    with pytest.raises(jd.JourdainError, match="give quantities with weights"):
        load_scenario(path).simulate(progress=False)


def test_the_shipped_slew_is_sound():
    scenario = shipped("robust_slew")
    assert set(scenario.variants) == {"cycloid", "by torque"} and not scenario.variants["cycloid"].optimise
