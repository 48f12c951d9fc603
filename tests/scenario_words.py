"""The tables of docs/study/scenario.md, as the words of files make them."""

from __future__ import annotations

from jourdain.files.control_schema import MUSCLE, WRAP
from jourdain.files.schema_entry import SchemaEntry, table
from jourdain.files.system_schema import DRIVE, MATERIAL, MODES, ORBIT, PROFILE, ROAD, ROLLING_PATCH
from jourdain.files.system_section import COUPLING
from jourdain.study.scenario.scenario_schema import EVENT, LIMIT, REPLAY

WITHOUT = [MODES, DRIVE, MATERIAL, ORBIT, COUPLING, MUSCLE, WRAP, PROFILE, ROAD, ROLLING_PATCH, EVENT, LIMIT, REPLAY]


def keys(word: SchemaEntry) -> str:
    """The keys of a word, those that must be given in bold."""
    return ", ".join(f"**{name}**" if name in word.required else name for name in word.args)


def rows(words: list[SchemaEntry]) -> list[str]:
    """A table of words and their keys."""
    return ["| kind | keys |", "|---|---|", *(f"| `{word.name}` | {keys(word)} |" for word in words)]


def tables() -> dict[str, list[str]]:
    """Headings of the page and the tables under them."""
    named = {
        "Bodies": "body",
        "Meshes": "mesh",
        "Joints": "joint",
        "Connections": "connection",
        "Shapes": "shape",
        "Normal laws": "normal law",
        "Friction laws": "friction law",
        "Force elements": "force element",
        "Motions": "motion",
        "Controllers": "controller",
        "Paths": "path",
        "Sensors": "sensor",
        "Filters": "filter",
    }
    out = {heading: rows(list(table(category).values())) for heading, category in named.items()}
    return out | {"Without a kind": rows(WITHOUT)}
