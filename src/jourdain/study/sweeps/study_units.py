"""Dimensions of what a study says with a unit: criteria, scores and the goal of a search, against their quantities."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ...basics import units
from ...files.yaml import Node
from ...results.channels import UnknownNameError
from ...results.quantities import understand

if TYPE_CHECKING:
    from ...model.model import Model
    from .study import Study

SCALED = ("best", "worst", "bounds")
"""What an end of a hierarchy says in the unit of its variable."""


class Finding(NamedTuple):
    """Something that does not fit: where it stands in the study file, its address, and what is wrong."""

    node: Node
    address: str
    message: str


def unit_of(model: Model, quantity: str) -> str:
    """The unit of a quantity; "" where it is not known without a run, or there is no such quantity."""
    try:
        return understand(model, quantity).unit
    except UnknownNameError:
        return ""


def variable_units(study: Study) -> dict[str, str]:
    """Units of the variables of the results that are quantities, "" where one is not known without a run."""
    model = study.scenario.model
    out = {one.name: unit_of(model, one.quantity) for one in study.limits}
    out |= {
        one.name: "s" if one.take == "settling" else unit_of(model, next(iter(one.quantity))) for one in study.criteria
    }
    return out


def unfit(given: Any, name: str, its: str | None) -> str:
    """What is wrong with the unit of a number, if it has one, where `its` is what the quantity `name` is in.

    its     None where it has none, "" where it is not known
    """
    found = units.quantity(given)
    if found is None:
        return ""
    if not its:
        what = f"{name} has no unit" if its is None else f"the unit of {name} is not known"
        return f'got "{found.text}"; {what}: give a number alone'
    return "" if units.fits(units.unit(found.unit), (its,)) else f'got "{found.text}"; {name} is in {its}'


def criteria_findings(study: Study, section: Node) -> Iterator[Finding]:
    """Targets and bands in another dimension than their quantities."""
    model = study.scenario.model
    for one in study.criteria:
        node, at = section.value[one.name], f"criteria.{one.name}"
        first = next(iter(one.quantity))
        its = unit_of(model, first)
        for key in ("target", "band"):
            text = unfit(getattr(one, key), first, its)
            if text:
                yield Finding(node.value[key], f"{at}.{key}", text)


def goal_findings(study: Study, section: Node, its: Mapping[str, str]) -> Iterator[Finding]:
    """The goal of a search in another dimension than the variable that is searched for."""
    search = study.search
    if search is not None:
        alone = search.variables[0] if list(search.weights.values()) in ([1.0], [-1.0]) else ""
        text = unfit(search.goal, alone or "a sum of several variables", its.get(alone))
        if text:
            yield Finding(section.value["goal"], "search.goal", text)


def scored_in_si(tree: Any, its: Mapping[str, str], place: str = "") -> tuple[Any, list[tuple[str, str]]]:
    """A hierarchy whose numbers are in SI, and what is wrong with the units that they had: (place, message) each."""
    if not isinstance(tree, Mapping):
        return tree, []
    out, wrong = dict(tree), []
    if isinstance(tree.get("parts"), Mapping):
        parts = {}
        for key, part in tree["parts"].items():
            parts[key], more = scored_in_si(part, its, f"{place}.parts.{key}")
            wrong += more
        out["parts"] = parts
    name = str(tree.get("variable"))
    for key in SCALED:
        given = tree.get(key)
        several = isinstance(given, list | tuple)
        listed: list[Any] = list(given) if isinstance(given, list | tuple) else [given]
        found = [(one, units.quantity(one)) for one in listed]
        wrong += [(f"{place}.{key}", text) for one, _ in found if (text := unfit(one, name, its.get(name)))]
        numbers = [one if number is None else float(number) for one, number in found]
        if key in tree:
            out[key] = numbers if several else numbers[0]
    return out, wrong


def inside(node: Node, place: str) -> Node:
    """The value at a place such as ".parts.gets in.best", as far as the way goes; names may have dots."""
    for key in sorted(node.value, key=len, reverse=True) if node.is_map else ():
        if place == f".{key}" or place.startswith(f".{key}."):
            return inside(node.value[key], place[len(key) + 1 :])
    return node
