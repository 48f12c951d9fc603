"""The variants of a study as scenarios: one document, read again with other values at the varied addresses."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from ...basics.errors import ModelError
from ...basics.units import fits, unit
from ...basics.value_types import step
from ...basics.values import is_number, shown, suggestion
from ...describe.parameters import LAW, STATE
from ...files.diagnostics import Diagnostics
from ...files.documents import TOP
from ...files.overrides import override, parts
from ...files.problems import Mistake, ScenarioError
from ...files.references import Source
from ...files.yaml import Node
from ...model.state import State
from ..scenario.scenario import JUDGED, TIMING, Scenario

if TYPE_CHECKING:
    from ...model.model import Model
    from .designs import Parameter

KEPT_MODELS = 64
"""Models that are kept, so that variants with the same system share one and nothing is compiled twice."""


class Base(Protocol):
    """What gives the scenario of a variant."""

    parameters: tuple[Parameter, ...]

    def scenario(self, values: Sequence[Any]) -> Scenario:
        """The scenario with these values of the parameters."""

    def about(self) -> Any:
        """What its results depend on besides the parameters, as JSON can hold it."""


class ParsedScenario:
    """The scenario of a file, parsed once.

    root      its document, files that it includes as its system read in
    source    the file that it is of, for mistakes
    diagnostics  of the files that were read
    at        the place of each parameter in the study file, for mistakes
    given     the values of each as they stand there, where they are listed or ends of a range
    """

    def __init__(
        self,
        root: Node,
        source: Source,
        diagnostics: Diagnostics,
        parameters: Sequence[Parameter],
        at: dict[str, Node],
        given: Mapping[str, Sequence[Node]] | None = None,
    ) -> None:
        self.root, self.source, self.diagnostics, self.at, self.given = root, source, diagnostics, at, dict(given or {})
        self.parameters = tuple(parameters)
        self.models: dict[str, Any] = {}

    def scenario(self, values: Sequence[Any]) -> Scenario:
        """The scenario with these values; a `ScenarioError` has the mistakes, at the lines of the parameters."""
        reading = self._reading(values)
        found = reading.read()
        if reading.mistakes:
            raise ScenarioError([self._placed(one, values) for one in reading.mistakes])
        found.overrides = {
            address: value_text(one.written(value))
            for one, value in zip(self.parameters, values, strict=True)
            for address in one.at
        }
        return found

    def misfits(self, values: Sequence[Any], k: int) -> list[Mistake]:
        """What is wrong with value k among these: that it is of another form or dimension; of a word, anything."""
        try:
            reading = self._reading(values)
        except ScenarioError as error:
            return error.problems
        reading.read()
        at, wrong = self._place(self.parameters[k], values[k]), reading.diagnostics.misfits
        here = (at.file, at.line, at.column)
        word = values[k] is None or isinstance(values[k], str | bool)
        return [
            self._placed(one, values)
            for one in reading.mistakes
            if (one[:3] == here or any(_within(one.address, address) for address in self.parameters[k].at))
            and (word or one.address in wrong)
        ]

    def _reading(self, values: Sequence[Any]) -> Any:
        """The document with these values, ready to be read."""
        from ..scenario.scenario_file import ScenarioReader

        diagnostics = Diagnostics(self.diagnostics.files)
        diagnostics.folders = dict(self.diagnostics.folders)
        if len(self.models) > KEPT_MODELS:
            self.models.clear()
        diagnostics.compiled = self.models
        root = self.root
        for one, value in zip(self.parameters, values, strict=True):
            at = self._place(one, value)
            for address in one.at:
                where = step("parameters", one.name)
                root = override(root, address, as_node(one.written(value), at), at, where, diagnostics)
        if diagnostics.mistakes:
            raise ScenarioError(diagnostics.mistakes)
        return ScenarioReader.of(root, self.source, diagnostics)

    def _place(self, one: Parameter, value: Any) -> Node:
        """Where a value of a parameter stands in the study file; the first of those that it follows from."""
        nodes = self.given.get(one.name, ())
        same = (node for given, node in zip(one.given, nodes) if repr(given) == repr(value))
        return next(same, nodes[0] if nodes else self.at[one.name])

    def _placed(self, mistake: Mistake, values: Sequence[Any]) -> Mistake:
        """A mistake in what a parameter put there is one of the parameter, whatever place the scenario has for it."""
        for one, value in zip(self.parameters, values, strict=True):
            if any(_within(mistake.address, address) for address in one.at):
                at = self._place(one, value)
                return mistake._replace(file=at.file, line=at.line, column=at.column)
        return mistake

    def about(self) -> Any:
        """The document as it is before parameters are set."""
        return self.root.plain()

    def problems(self) -> list[Mistake]:
        """Addresses that lead nowhere, or that two parameters share."""
        diagnostics = Diagnostics(self.diagnostics.files)
        taken: dict[str, str] = {}
        for one in self.parameters:
            at, where = self.at[one.name], step("parameters", one.name)
            for address in one.at:
                way = parts(address)
                head = str(way[0]) if way else address
                if way is None:
                    diagnostics.wrong(
                        at, where, f'"{address}" is no address; write such as controller.kp or events[0].at'
                    )
                elif head not in TOP[3:-1]:
                    hint = suggestion(head, TOP[3:-1])
                    diagnostics.wrong(at, where, f'"{address}" begins with no section of the scenario; {hint}')
                elif address in taken:
                    diagnostics.wrong(at, where, f'"{address}" is varied by "{taken[address]}" already; leave one out')
                else:
                    override(self.root, address, as_node(1.0, at), at, where, diagnostics)
                taken[address] = one.name
        return diagnostics.mistakes


class PreparedScenario:
    """A scenario made in Python; states, parameters of laws and those of the model (`Model.parameters`) can be varied.

    prepared    the scenario: system, state and options
    """

    def __init__(self, scenario: Scenario, parameters: Sequence[Parameter]) -> None:
        self.prepared, self.parameters = scenario, tuple(parameters)
        model = scenario.model
        self.laws = {law.name: law for law in _laws(scenario)}
        for one in self.parameters:
            for address in one.at:
                self._known(address, model)
                self._fits(one, address, model)
        laws = {address for one in self.parameters for address in one.at if self._is_law(address)}
        self.own = {
            address for one in self.parameters for address in one.at if not STATE.match(address) and address not in laws
        }

    def _is_law(self, address: str) -> bool:
        """Whether it is the address of a law's parameter."""
        found = LAW.match(address)
        return found is not None and found.group(1) in self.laws

    def _known(self, address: str, model: Model) -> None:
        state, law = STATE.match(address), LAW.match(address)
        if state:
            kind, name = state.groups()
            names = getattr(model.index, kind)
            if name not in names:
                raise ModelError.at(address, f"there is no such coordinate; {suggestion(name, names)}")
        elif law and law.group(1) in self.laws:
            count = len(self.laws[law.group(1)].parameters)
            if int(law.group(2)) >= count:
                raise ModelError.at(address, f"the law has {count} parameters, numbered from 0")
        elif address not in model.parameters:
            known = [f"{name}[0]" for name in self.laws]
            some = ", ".join(["one of model.parameters", "state.q.NAME", "state.v.NAME", *known])
            raise ModelError.at(address, f"is no address of a scenario made in Python; give {some}")

    def _fits(self, one: Parameter, address: str, model: Model) -> None:
        """Whether values with a unit have the dimension of what they are put in, and all are numbers."""
        if not one.numeric:
            bad = next(value for value in one.choices or () if not is_number(value))
            raise ModelError.at(one.name, f"got {shown(bad)}; give numbers, with their unit or in SI")
        state = STATE.match(address)
        if state:
            kind, name = state.groups()
            its = getattr(model.units, kind)[getattr(model.index, kind)[name]]
        else:
            its = "" if self._is_law(address) else model.parameters.unit(address)  # type: ignore[attr-defined]
        if one.unit and not (its and fits(unit(one.unit), (its,))):
            said = f"{address} is in {its}" if its else f"{address} has no unit that is known: give numbers alone"
            raise ModelError.at(one.name, f"got values in {one.unit}; {said}")

    def scenario(self, values: Sequence[Any]) -> Scenario:
        """The scenario with these values; it keeps the model where none of its own parameters are varied."""
        state, rows = self.arrays([values])
        laws = list(_laws(self.prepared))
        control: Any = None
        if laws:
            ends = np.cumsum([0, *(len(one.parameters) for one in laws)])
            control = [one.with_parameters(rows[0, a:b]) for one, a, b in zip(laws, ends, ends[1:])]
        own = {address: float(value) for address, value in self._of_model(values)}
        model = self.prepared.model.with_parameters(own) if own else self.prepared.model
        found = dataclasses.replace(self.prepared, compiled=model, control=control)
        found.__dict__["state"] = state[0]
        return found

    def _of_model(self, values: Sequence[Any]) -> list[tuple[str, Any]]:
        """(address, value) of the parameters of the model itself."""
        pairs = ((address, value) for one, value in zip(self.parameters, values, strict=True) for address in one.at)
        return [(address, value) for address, value in pairs if address in self.own]

    def arrays(self, rows: Sequence[Sequence[Any]]) -> tuple[list[State], np.ndarray]:
        """States of variants, and the parameters of the laws, one row a variant."""
        start, model = self.prepared.state, self.prepared.model
        laws = np.concatenate([np.zeros(0), *(one.parameters for one in _laws(self.prepared))])
        firsts = dict(zip(self.laws, np.cumsum([0, *(len(one.parameters) for one in self.laws.values())])))
        table = np.tile(laws, (len(rows), 1))
        states = [start.copy() for _ in rows]
        for k, one in enumerate(self.parameters):
            for address in one.at:
                found = STATE.match(address)
                if found:
                    kind, name = found.groups()
                    index = getattr(model.index, kind)[name]
                    for state, row in zip(states, rows):
                        getattr(state, kind)[index] = float(row[k])
                    continue
                if address in self.own:
                    continue
                name, number = LAW.match(address).groups()  # type: ignore[union-attr]
                table[:, firsts[name] + int(number)] = [float(row[k]) for row in rows]
        return states, table

    def about(self) -> Any:
        """Options, laws and the state at the start."""
        one = self.prepared
        stated = {name: getattr(one, name) for name in (*TIMING, *JUDGED)}
        stated["motions"] = {name: motion.to_dict() for name, motion in one.motions.items()}
        stated["laws"] = {name: law.parameters.tolist() for name, law in self.laws.items()}
        stated["state"] = [one.state.time, one.state.q.tolist(), one.state.v.tolist(), one.state.z.tolist()]
        stated["limits"] = [limit.to_dict() for limit in one.limits]
        return stated

    @property
    def batched(self) -> bool:
        """Whether variants run together in one compiled loop: fixed steps, and nothing that Python looks at."""
        one = self.prepared
        plain = not one.events and not one.motions and not one.model.contacts.names
        inner = any(getattr(law, "inner", None) is not None for law in _laws(one))
        return plain and not inner and not self.own and one.step is not None


def _within(address: str, whole: str) -> bool:
    """Whether an address is that of a value, or of a part of it."""
    return address == whole or address.startswith((f"{whole}.", f"{whole}["))


def _laws(scenario: Scenario) -> list[Any]:
    """Laws of a scenario's controller, bound to its model."""
    from ...describe.laws import as_law

    given = scenario.controller
    some = [] if given is None else given if isinstance(given, list | tuple) else [given]
    return [as_law(one, "controller", scenario.model) for one in some]


def as_node(value: Any, at: Node) -> Node:
    """A plain value as a node of a document, at a place."""
    if isinstance(value, dict):
        inner = {str(key): as_node(one, at) for key, one in value.items()}
        places = dict.fromkeys(inner, (at.line, at.column))
        return Node(inner, at.file, at.line, at.column, places, 1 + sum(one.size for one in inner.values()))
    if isinstance(value, list | tuple):
        items = [as_node(one, at) for one in value]
        return Node(items, at.file, at.line, at.column, {}, 1 + sum(one.size for one in items))
    return Node(value, at.file, at.line, at.column)


def value_text(value: Any) -> str:
    """A value as it is written in a file, and in `--set`."""
    import json

    return value if isinstance(value, str) else json.dumps(value)
