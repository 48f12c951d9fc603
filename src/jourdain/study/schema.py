"""JSON Schema of scenario, system and study files, for editors that complete and check as one types.

Made of the same tables that read the files, so that both know the same entries; what one means is taken from the
docstring of what it makes.
"""

from __future__ import annotations

from typing import Any

from ..basics.composite_types import Nullable
from ..files import documents
from ..files.import_section import KEYS
from ..files.schema_entry import CATEGORIES, Keys, table
from ..files.system_schema import ON_A_FRAME
from ..files.system_section import BETWEEN, FILE_WORDS, PLACE, SECTIONS
from .scenario import optimise_section
from .scenario import scenario_schema as sections
from .sweeps import study_schema as study_sections

_BESIDE: dict[str, Keys] = {"body": PLACE, "shape": ON_A_FRAME, "connection": BETWEEN}
"""Keys that stand beside those of an entry of a category."""


def scenario_schema() -> dict[str, Any]:
    """JSON Schema (draft 2020-12) of a scenario file; a system file is one with `jourdain` and `system` only."""
    properties: dict[str, Any] = {
        "jourdain": {"const": sections.FORMAT},
        "name": {"type": "string", "minLength": 1},
        "task": {"type": ["string", "null"]},
        "system": {"$ref": "#/$defs/system"},
        "models": _nullable({"type": "object", "additionalProperties": {"$ref": "#/$defs/model"}}),
        "state": _nullable(_keys(sections.STATE)),
        "simulation": _nullable(_keys(sections.SIMULATION, ("until",))),
        "outputs": _nullable(_keys(sections.OUTPUTS)),
        "export": _nullable(_keys(sections.EXPORT)),
        "optimise": _nullable(_keys(optimise_section.OPTIMISE, ("until",))),
        "variants": _nullable({"type": "object", "additionalProperties": {"type": "object"}}),
    }
    for key, (type_, meaning) in sections.SECTIONS.items():
        properties[key] = Nullable(type_).schema() | {"description": meaning}
    for key, meaning in sections.MEANINGS.items():
        properties[key]["description"] = meaning
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Jourdain scenario",
        "description": "A task: a multibody system, what it does, for how long, and what is wanted of it.",
        "type": "object",
        "properties": {key: properties[key] for key in documents.TOP},
        "required": ["jourdain", "system"],
        "additionalProperties": False,
        "$defs": _definitions(),
    }


def study_schema() -> dict[str, Any]:
    """JSON Schema (draft 2020-12) of a study file; a scenario that stands in it is one of `scenario_schema`."""
    whole = scenario_schema()
    inner = {key: whole[key] for key in ("type", "properties", "additionalProperties")} | {"required": ["system"]}
    properties: dict[str, Any] = {
        "jourdain": {"const": sections.FORMAT},
        "name": {"type": "string", "minLength": 1},
        "task": {"type": ["string", "null"]},
    }
    for key, (type_, meaning) in study_sections.SECTIONS.items():
        properties[key] = Nullable(type_).schema() | {"description": meaning}
    file = {"type": "string", "minLength": 1}
    properties["scenario"] = {"anyOf": [file, inner], "description": study_sections.SECTIONS["scenario"][1]}
    for key, meaning in study_sections.MEANINGS.items():
        properties[key]["description"] = meaning
    return {
        "$schema": whole["$schema"],
        "title": "Jourdain study",
        "description": "Many variants of a scenario: what is varied, which values go together, and what is kept.",
        "type": "object",
        "properties": properties,
        "required": ["jourdain", "name", "scenario", "parameters"],
        "additionalProperties": False,
        "$defs": whole["$defs"],
    }


def _nullable(schema: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [schema, {"type": "null"}]}


def _keys(known: Keys, required: tuple[str, ...] = ()) -> dict[str, Any]:
    properties = {}
    for key, (type_, meaning) in known.items():
        properties[key] = (type_ if key in required else Nullable(type_)).schema() | {"description": meaning}
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


def _definitions() -> dict[str, Any]:
    system = _keys(SECTIONS, ("bodies",))
    file = {"type": "string", "description": FILE_WORDS}
    named = _keys({**SECTIONS, **KEYS})
    named["properties"]["file"] = file
    named["required"] = ["file"]
    model = _keys(sections.MODEL)
    changes = {"type": "object", "description": "other values at addresses in the system, such as bodies.link1.EI: 9e4"}
    model["properties"]["set"] = _nullable(changes)
    out: dict[str, Any] = {"system": {"anyOf": [named, system]}, "model": model}
    for category in CATEGORIES:
        if category != "environment":
            out[category.replace(" ", "_")] = {"oneOf": [_entry(category, name) for name in table(category)]}
    return out


def _entry(category: str, name: str) -> dict[str, Any]:
    schema = table(category)[name].schema(_BESIDE.get(category, {}))
    if category == "body":
        schema["required"] = [*schema["required"], "joint"]
    if category == "connection":
        schema["required"] = [*schema["required"], "first", "second"]
    return schema
