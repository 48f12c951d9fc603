"""The schema for editors knows what the reader knows."""

import inspect
import json
from importlib.resources import files

import pytest
from broken_scenarios import SOUND
from broken_studies import SOUND as STUDY
from json_schema import errors

from jourdain.files.schema_entry import CATEGORIES, table
from jourdain.files.yaml import read_yaml
from jourdain.study.schema import scenario_schema, study_schema

SCHEMA = scenario_schema()
FOLDER = files("jourdain").joinpath("scenarios")
SHIPPED = [one for one in FOLDER.iterdir() if one.name.endswith(".yaml")] if FOLDER.is_dir() else []
NOT_IN_FILES = {("Sampled", "markers"), ("Sampled", "contacts"), ("Polynomial", "more")}
"""Arguments for Python functions, which files do not have, and for numbers that are a list in files."""


def fits(text):
    return errors(SCHEMA, read_yaml(text, "t")[0].plain())


def test_the_sound_scenario_fits():
    assert fits(SOUND) == []


@pytest.mark.parametrize("source", SHIPPED, ids=[one.name for one in SHIPPED])
def test_shipped_scenarios_fit(source):
    assert fits(source.read_text()) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("jourdain: 1", "jourdain: 2"),
        ("task:", "taks:"),
        ("  gravity:", "  gravty:"),
        ("mass: 50", "mas: 50"),
        ("mass: 50", "mass: heavy"),
        ("kind: Beam", "kind: Beem"),
        ("kind: Weld", "kind: Welt"),
        ("bending_y: 1", "bendig_y: 1"),
        ("bending_y: 1", "bending_y: 1.5"),
        ("restitution:", "restituton:"),
        ("kind: PD", "kind: PDD"),
        ("    kp: 100\n", ""),
        ("kind: Line", "kind: Lin"),
        ("step: 1e-3", "setp: 1e-3"),
        ("until: 3, ", ""),
        ("at_most: 50", "atmost: 50"),
        ("magnify: 10", "magnify: lots"),
        ("gravity: [0, 0, -9.81]", "gravity: [0, -9.81]"),
        ("axis: z, damping: 0.5", "axis: w, damping: 0.5"),
        ("without: ball", "witout: ball"),
    ],
)
def test_what_is_misspelled_missing_or_of_another_type_does_not(old, new):
    assert fits(SOUND.replace(old, new, 1))


def test_it_is_json_and_says_what_things_are():
    text = json.dumps(SCHEMA)
    assert json.loads(text) == SCHEMA
    assert "Modal damping ratio" in text or "modal damping ratio" in text
    assert SCHEMA["properties"]["limits"]["description"]
    beam = next(one for one in SCHEMA["$defs"]["body"]["oneOf"] if one["properties"]["kind"]["const"] == "Beam")
    assert beam["properties"]["EI"]["description"].startswith("(a, b) [N m^2]")
    assert beam["required"] == ["kind", "name", "length", "mass_per_length", "EA", "EI", "GJ", "joint"]


@pytest.mark.parametrize("category", CATEGORIES)
def test_words_have_the_arguments_of_what_they_make(category):
    for word in table(category).values():
        parameters = inspect.signature(word.make).parameters
        if any(one.kind is inspect.Parameter.VAR_KEYWORD for one in parameters.values()):
            continue
        missing = [name for name in parameters if name not in word.args and (word.name, name) not in NOT_IN_FILES]
        assert not missing, (word.name, missing)
        assert not [name for name in word.args if name not in parameters], word.name


def test_every_body_joint_shape_law_motion_and_controller_is_a_word():
    from jourdain import control, human
    from jourdain.control.controller import Controller
    from jourdain.describe import motions
    from jourdain.describe.bodies import BODIES
    from jourdain.describe.contact.friction import FRICTION_LAWS
    from jourdain.describe.contact.normal import NORMAL_LAWS
    from jourdain.describe.joints import JOINTS
    from jourdain.describe.shapes import SHAPES

    for kinds, category in (
        (BODIES, "body"),
        (JOINTS, "joint"),
        (SHAPES, "shape"),
        (NORMAL_LAWS, "normal law"),
        (FRICTION_LAWS, "friction law"),
    ):
        # deformable facets are what `{surface: pad.face}` makes of the other side's surface
        named = {one.__name__ for one in map(kinds.__getitem__, kinds)} - {"DeformableFacets", "CableSegment"}
        assert named <= set(table(category)), category
    public = [getattr(control, name) for name in control.__all__]
    made = {one.__name__ for one in public if inspect.isclass(one) and issubclass(one, Controller)} - {"Controller"}
    assert made | {human.Muscles.__name__} == set(table("controller"))
    profiles = [one for one in vars(motions).values() if inspect.isclass(one) and issubclass(one, motions.Motion)]
    assert {one.__name__ for one in profiles} - {"Motion"} <= set(table("motion"))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("jourdain: 1", "jourdain: 2"),
        ("task:", "taks:"),
        ("scenario: pendulum.yaml\n", ""),
        ("scenario: pendulum.yaml", "scenario: {system: {bodies: 3}}"),
        ("values: [1, 2, 3]", "valeus: [1, 2, 3]"),
        ("count: 3", "count: 1"),
        ("count: 3", "count: few"),
        ("method: grid", "method: gird"),
        ("take: final", "take: last"),
        ("quantity: hinge, ", ""),
        ("maps: [[mass, speed]]", "maps: mass"),
    ],
)
def test_the_schema_of_studies_knows_what_the_reader_knows(old, new):
    schema = study_schema()
    assert errors(schema, read_yaml(STUDY, "t")[0].plain()) == []
    assert old in STUDY
    assert errors(schema, read_yaml(STUDY.replace(old, new, 1), "t")[0].plain()) != []
