"""The sections of a study file: what each may hold, and what it means."""

from __future__ import annotations

from typing import Any

from ...files.diagnostics import Diagnostics
from ...files.documents import FORMAT
from ...files.schema_entry import SchemaEntry, SingleObjectType
from ...files.system_schema import NAME, NUMBER
from ...files.value_types import ByName, Either, Flag, Listed, Quantity, Text, ValueType, Whole
from ...files.yaml import Node
from ..scenario.scenario_schema import QUANTITY, Keys
from . import designs
from .criteria import TAKES


class AnyValue(ValueType):
    """A value as the scenario takes it at some address, null too; what has a unit is read there."""

    words = "a value"

    def fits(self, node: Node) -> bool:
        return True

    def take(self, node: Node, at: str, diagnostics: Diagnostics) -> Any:
        return node.plain()

    def schema(self) -> dict[str, Any]:
        return {}


class Tree(AnyValue):
    """A mapping that is looked at later, by what it is for."""

    words = "a mapping"

    def fits(self, node: Node) -> bool:
        return node.is_map

    def schema(self) -> dict[str, Any]:
        return {"type": "object"}


ADDRESS = Text(words='an address of the scenario, such as "controller.kp"')
PARAMETER = SchemaEntry(
    "Parameter",
    "study.sweeps.designs",
    {
        "at": Listed(ADDRESS, single=True),
        "values": Listed(AnyValue(), least=1),
        "range": Listed(Quantity(), least=2),
        "count": Whole(2, designs.MOST),
        "scale": Text(designs.SCALES),
        "normal": Listed(Quantity(), least=2),
    },
)
VALUES = Listed(AnyValue(), least=1)
DESIGN = SchemaEntry(
    "Design",
    "study.sweeps.designs",
    {"method": Text(designs.METHODS), "samples": Whole(1, designs.MOST), "seed": Whole(0, 2**31 - 1)},
)
CRITERION = SchemaEntry(
    "Criterion",
    "study.sweeps.criteria",
    {
        "quantity": Listed(QUANTITY, single=True, least=1),
        "take": Text(TAKES),
        "after": NUMBER,
        "before": NUMBER,
        "target": Quantity(),
        "band": Quantity(),
    },
)
WEIGHTED = Either(NAME, ByName(NUMBER))
SEARCH = SchemaEntry(
    "Search",
    "study.sweeps.evolution",
    {
        "minimise": WEIGHTED,
        "maximise": WEIGHTED,
        "population": Whole(4, 10_000),
        "generations": Whole(1, 10_000),
        "seed": Whole(0, 2**31 - 1),
        "elite": Whole(1, 10_000),
        "crossover": NUMBER,
        "mutation": NUMBER,
        "spread": NUMBER,
        "goal": Quantity(),
    },
)
LAYOUT = SchemaEntry(
    "Layout",
    "study.sweeps.study",
    {
        "maps": Listed(Listed(NAME, least=2)),
        "show": Listed(NAME, single=True),
        "worst": NAME,
        "highest": Flag(),
        "replays": Either(Whole(0, 1000), Text(("map",), words='a number, or "map" for every cell of the first map')),
    },
)
SECTIONS: Keys = {
    "scenario": (Either(Text(words="the name of a scenario file"), Tree()), "a scenario file, or a whole scenario"),
    "variant": (NAME, "the variant of the scenario that is studied"),
    "set": (ByName(AnyValue()), "other values at addresses of the scenario, for all variants"),
    "parameters": (
        ByName(Either(VALUES, SingleObjectType(PARAMETER))),
        "what is varied: names, each with an address and values",
    ),
    "design": (Either(Text(designs.METHODS), SingleObjectType(DESIGN)), "which values go together"),
    "criteria": (ByName(SingleObjectType(CRITERION)), "numbers that are kept of each run, besides its limits"),
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
