"""The page on scenario files is true: its example is sound, and its tables are those of the reader."""

import re
from pathlib import Path

from scenario_words import tables

from jourdain.files import documents
from jourdain.files.system_section import PLACE, SECTIONS
from jourdain.results.quantities import KINDS, understand
from jourdain.study.scenario import scenario_schema
from jourdain.study.scenario.limits import judge
from jourdain.study.scenario.scenario_file import check_scenario, load_scenario

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "study" / "scenario.md").read_text(encoding="utf-8")


def example():
    return next(
        text for text in re.findall(r"^```yaml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL) if "limits:" in text
    )


def test_the_whole_example_is_sound(tmp_path):
    path = tmp_path / "touch.yaml"
    path.write_text(example())
    assert check_scenario(path) == []
    scenario = load_scenario(path)
    assert set(scenario.variants) == {"softer"}
    assert scenario.variants["softer"].controller.kp == 4.0


def test_tables_are_those_of_the_reader():
    for heading, rows in tables().items():
        assert f"### {heading}\n\n" + "\n".join(rows) + "\n" in PAGE + "\n", heading


def test_every_section_and_key_is_there():
    for known in (
        documents.TOP,
        scenario_schema.STATE,
        scenario_schema.SIMULATION,
        scenario_schema.OUTPUTS,
        scenario_schema.MODEL,
        SECTIONS,
        PLACE,
    ):
        for key in known:
            assert re.search(rf"\b{key}\b", PAGE), key


def test_every_kind_of_quantity_is_there(tmp_path):
    assert all(f"{kind}:" in PAGE for kind in KINDS if kind != "q")
    path = tmp_path / "touch.yaml"
    path.write_text(example())
    assert understand(load_scenario(path).model, "contact:touch.force").label == "force of touch"


def test_the_whole_example_keeps_its_limits(tmp_path):
    path = tmp_path / "touch.yaml"
    path.write_text(example())
    found = judge(load_scenario(path).simulate(progress=False))
    assert [one.passed for one in found] == [True, True, True]
    assert 20.0 < found[0].value < 60.0 and 1.0 < found[0].time < 1.7
