"""The sections of a study file: what each may hold, and what it means."""

from __future__ import annotations

from typing import Any

from ...basics.composite_types import ListOf, MappingOf, Union
from ...basics.value_types import Integer, Number, Text, ValueType
from ...files.documents import FORMAT
from ...files.schema_entry import SchemaEntry, SingleObjectType
from ...files.system_schema import NAME
from ...files.yaml import Node
from ..scenario.scenario_schema import QUANTITY, Keys
from . import designs
from .criteria import TAKES


class Tree(ValueType):
    """A mapping that is looked at later, by what it is for."""

    def words(self, python: bool = False) -> str:
        return "a mapping"

    def fits(self, node: Node) -> bool:
        return node.is_map

    def schema(self) -> dict[str, Any]:
        return {"type": "object"}


ANY = ValueType()
"""A value as the scenario takes it at some address, null too; what has a unit is read there."""
BOUND, VALUES = Number(any_unit=True), ListOf(ANY, least=1)
ADDRESS = Text(names='an address of the scenario, such as "controller.kp"')
PARAMETER = SchemaEntry(
    "Parameter",
    "study.sweeps.designs",
    {
        "name": None,
        "at": ListOf(ADDRESS, single=True),
        "values": VALUES,
        "range": ListOf(BOUND, least=2),
        "count": Integer(2, designs.MOST),
        "scale": Text(designs.SCALES),
        "normal": ListOf(BOUND, least=2),
    },
)
DESIGN = SchemaEntry(
    "Design",
    "study.sweeps.designs",
    {"method": Text(designs.METHODS), "samples": Integer(1, designs.MOST), "seed": Integer(0, 2**31 - 1)},
)
CRITERION = SchemaEntry(
    "Criterion",
    "study.sweeps.criteria",
    {
        "name": None,
        "quantity": ListOf(QUANTITY, single=True, least=1),
        "take": Text(TAKES),
        "target": BOUND,
        "band": BOUND,
    },
)
SEARCH = SchemaEntry(
    "Search",
    "study.sweeps.evolution",
    {
        "population": Integer(4, 10_000),
        "generations": Integer(1, 10_000),
        "seed": Integer(0, 2**31 - 1),
        "elite": Integer(1, 10_000),
        "goal": BOUND,
    },
)
LAYOUT = SchemaEntry(
    "Layout",
    "study.sweeps.study",
    {
        "maps": ListOf(ListOf(NAME, least=2)),
        "replays": Union(Integer(0, 1000), Text(("map",), names='a number, or "map" for every cell of the first map')),
    },
)
SECTIONS: Keys = {
    "scenario": (Union(Text(names="the name of a scenario file"), Tree()), "a scenario file, or a whole scenario"),
    "variant": (NAME, "the variant of the scenario that is studied"),
    "set": (MappingOf(ANY), "other values at addresses of the scenario, for all variants"),
    "parameters": (
        MappingOf(Union(VALUES, SingleObjectType(PARAMETER))),
        "what is varied: names, each with an address and values",
    ),
    "design": (Union(Text(designs.METHODS), SingleObjectType(DESIGN)), "which values go together"),
    "criteria": (MappingOf(SingleObjectType(CRITERION)), "numbers that are kept of each run, besides its limits"),
    "score": (Tree(), "how variants are ranked: a hierarchy of goals with weights"),
    "search": (SingleObjectType(SEARCH), "an evolutionary search instead of a design"),
    "report": (SingleObjectType(LAYOUT), "what the report shows"),
}
MEANINGS = {
    "jourdain": f"version of this format: {FORMAT}",
    "name": "title of the study",
    "task": "what is to be found out, in plain text",
}
TOP = ("jourdain", "name", "task", *SECTIONS)
"""Sections of a study, in the order in which they are best written."""
