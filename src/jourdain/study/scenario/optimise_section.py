"""The section `optimise:` of a scenario: a slew or a trajectory that is planned first, and then simulated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...basics.composite_types import ListOf, MappingOf, Nullable, Union
from ...basics.errors import ModelError, Problem
from ...basics.units import fits, unit
from ...basics.value_types import Array, Boolean, Integer, Text, step
from ...files.diagnostics import Diagnostics
from ...files.system_schema import NAME, NUMBER
from ...files.yaml import Node
from .scenario_schema import BOUND, Keys

if TYPE_CHECKING:
    from ...methods.optimal.costs import Cost
    from ...methods.optimal.trajectory import Trajectory
    from .scenario import Scenario

WITHOUT_MODEL = ("effort", "time", "peak", "residual")
OF_QUANTITIES = ("integral", "square", "final", "final_square")
COSTS = (*WITHOUT_MODEL, *OF_QUANTITIES)
WEIGHTS = Union(NUMBER, MappingOf(NUMBER))
RANGE = ListOf(Nullable(BOUND), least=2)
OPTIMISE: Keys = {
    "kind": (Text(("slew", "trajectory")), "slew, from rest to rest without vibration, unless given; or trajectory"),
    "end": (MappingOf(Union(BOUND, RANGE), refers="quantity"), "quantities at the end, each a value or [low, high]"),
    "until": (Union(NUMBER, Array(2)), "when it ends [s], or [earliest, latest]"),
    "cost": (
        Union(Text(WITHOUT_MODEL), MappingOf(WEIGHTS, known=COSTS)),
        "effort, time, peak or residual; or several with weights: {effort: 1, time: 10, square: {tip.x: 3}}",
    ),
    "limits": (MappingOf(RANGE, refers="quantity"), "of quantities along the way, [low, high], null for none"),
    "inputs": (
        ListOf(Text(refers="coordinate"), single=True),
        "joints that move; every joint of one axis unless given",
    ),
    "by": (Text(("motion", "effort")), "whether joints follow the motion, or efforts are given over time"),
    "robust": (Union(NUMBER, MappingOf(NUMBER)), "part by which frequencies, or parameters by address, may be off"),
    "plants": (Integer(3, 99), "across that band at which no vibration is left"),
    "rest": (Boolean(), "whether a trajectory comes to rest"),
    "free": (ListOf(NAME, single=True), "states whose beginning is to be found"),
    "periodic": (Union(Boolean(), ListOf(NAME, single=True)), "states that end where they begin, true for all"),
    "intervals": (Integer(1, 100_000), "of the collocation"),
    "scheme": (Text(("trapezoidal", "hermite-simpson", "radau")), "of the collocation"),
    "tolerance": (NUMBER, "of its estimated error, until which the mesh is refined"),
}
OWN = {"slew": ("robust", "plants"), "trajectory": ("rest", "free", "periodic")}
"""Keys that only one of the kinds has."""


def check_planned(model: Any, stated: Mapping[str, Any], node: Node, until: Any, diagnostics: Diagnostics) -> None:
    """What is wrong with the section, as far as it takes no compiled kernels to say."""
    from ...results.channels import UnknownNameError
    from ...results.quantities import understand

    kind = stated.get("kind", "slew")
    other = next(one for one in OWN if one != kind)
    for key in OWN[other]:
        if key in stated:
            diagnostics.wrong_key(node, key, step("optimise", key), f'"{key}" is a word of a {other}; leave it out')
    for key in ("end", "until") if kind == "slew" else ("until",):
        if node.get(key) is None:
            diagnostics.wrong(node, "optimise", f'"{key}" is missing; give {OPTIMISE[key][1]}')
    ends = stated.get("until")
    last = ends[-1] if isinstance(ends, list) else ends
    if isinstance(last, float) and isinstance(until, float) and last > until + 1e-9:
        text = f"ends at {last:g} s, and the simulation at {until:g} s; let that go on longer"
        diagnostics.wrong(node.value["until"], "optimise.until", text)
    for key in ("end", "limits"):
        for name, given in stated.get(key, {}).items():
            at = node.value[key].value[name]
            if isinstance(given, list) and len(given) != 2:
                diagnostics.wrong(
                    at, f"optimise.{key}.{name}", f"got {len(given)} values; give [low, high], null for none"
                )
            try:
                its = understand(model, name).unit
            except UnknownNameError:
                continue
            for one in given if isinstance(given, list) else [given]:
                written = getattr(one, "unit", "")
                if written and not fits(unit(written), (its,)):
                    diagnostics.misfit(at, f"optimise.{key}.{name}", f"got {at.shown()}; {name} is in {its}")


def planned(scenario: Scenario) -> Trajectory:
    """The trajectory that a scenario asks for; what is wrong with it is said of its section."""
    try:
        return _planned(scenario)
    except ModelError as error:
        found = [Problem(f"optimise.{one.address}", one.message) for one in error.problems]
        raise ModelError(found) from error


def _planned(scenario: Scenario) -> Trajectory:
    from ...methods.optimal.problem import Problem as Wanted
    from ...methods.optimal.slews import slew

    stated = {key: value for key, value in scenario.optimise.items() if key not in ("kind", "by")}
    by = scenario.optimise.get("by", "motion")
    for key in ("end", "limits"):
        if key in stated:
            stated[key] = {name: tuple(one) if isinstance(one, list) else one for name, one in stated[key].items()}
    if isinstance(stated.get("until"), list):
        stated["until"] = tuple(stated["until"])
    kind = scenario.optimise.get("kind", "slew")
    if "cost" in stated or kind == "trajectory":
        stated["cost"] = _cost(stated.get("cost", "effort"), kind)
    if kind == "slew":
        return slew(scenario.model, scenario.state, by=by, **stated)
    how = {key: stated.pop(key) for key in ("intervals", "scheme", "tolerance") if key in stated}
    return Wanted(scenario.model, scenario.state, **stated).solve("collocation", **how)


def _cost(stated: Any, kind: str) -> Cost:
    from ...methods.optimal import costs

    given = {stated: 1.0} if isinstance(stated, str) else stated
    total = costs.Cost(())
    for word, weight in given.items():
        make = getattr(costs, word)
        if word in OF_QUANTITIES:
            if not isinstance(weight, Mapping):
                raise ModelError.at(f"cost.{word}", f"got {weight:g}; give quantities with weights, {{tip.x: 1.0}}")
            total = sum((number * make(name) for name, number in weight.items()), total)
        elif word == "effort" and isinstance(weight, Mapping):
            total = total + make(weight)
        elif isinstance(weight, Mapping):
            raise ModelError.at(f"cost.{word}", f"has no quantities; give a weight, {word}: 1.0")
        else:
            total = total + weight * make()
    return total


def controlled(scenario: Scenario, options: dict[str, Any]) -> dict[str, Any]:
    """Options of a run with the motions, or the efforts, that were planned."""
    best = scenario.trajectory
    if scenario.optimise.get("by", "motion") == "motion":
        twice = [name for name in best.motions if name in options["motions"]]
        if twice:
            raise ModelError.at(f"optimise.{twice[0]}", "is moved by motions: too; leave it out of one of them")
        return options | {"motions": {**options["motions"], **best.motions}}
    given = options["controller"]
    others = [] if given is None else list(given) if isinstance(given, list | tuple) else [given]
    return options | {"controller": [best.efforts, *others]}
