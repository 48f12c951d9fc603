"""Study files: YAML read into a `Study`, every mistake with its line."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...basics.arguments import checked
from ...basics.value_types import INVALID, step
from ...basics.values import is_number, suggestion
from ...files.documents import FORMAT, open_source, parse
from ...files.documents import TOP as SCENARIO
from ...files.overrides import override
from ...files.problems import Mistake, ScenarioError
from ...files.references import Files, Source, read_source
from ...files.schema_entry import SingleObjectType
from ...files.system_section import included
from ...files.yaml import Node, decode
from ..scenario.scenario_file import DocumentReader
from .designs import Design, Parameter
from .study import Bundle, Layout, Study, study_problems
from .study_schema import DESIGN, SECTIONS, TOP
from .study_units import criteria_findings, goal_findings, inside, scored_in_si, variable_units
from .variants import ParsedScenario

MOST_READ = 100
"""Values of parameters that are tried when a study is read."""
MAPPING = "study"
"""Name of a study that is given as a mapping, in messages."""


@checked
def load_study(
    path: str | os.PathLike[str] | Mapping[str, Any], *, root: str | os.PathLike[str] | None = None
) -> Study:
    """Read a study file, or a mapping of what one would say; a `ScenarioError` has every mistake with its line.

    root    folder that files named in it must lie in; None for that of the file, or the current one
    """
    reading = StudyReader(path, root)
    study = reading.read()
    if reading.mistakes:
        raise ScenarioError(reading.mistakes)
    assert study is not None
    return study


@checked
def check_study(
    path: str | os.PathLike[str], *, root: str | os.PathLike[str] | None = None, thorough: bool = False
) -> list[Mistake]:
    """What is wrong with a study file, its scenario included: nothing is run, and nothing is written.

    thorough    also lay out the controllers of the scenario, as a run would; that takes compiled kernels
    """
    try:
        reading = StudyReader(path, root)
        study = reading.read()
        if thorough and study is not None and not reading.mistakes:
            study.scenario.check()
    except ScenarioError as error:
        return error.problems
    return reading.mistakes


def is_study(path: str | os.PathLike[str]) -> bool:
    """Whether a file is a study: it has parameters, and a scenario has none."""
    try:
        source, files = open_source(path, None)
        root, _ = parse(source, files)
    except ScenarioError:
        return False
    return "parameters" in root.value or ("scenario" in root.value and "system" not in root.value)


class StudyReader(DocumentReader):
    """One study file being read."""

    kind = "study"
    sections = SECTIONS

    def __init__(self, path: Any, root: str | os.PathLike[str] | None) -> None:
        if isinstance(path, Mapping):
            folder = Path(os.path.realpath(os.curdir if root is None else root))
            text = json.dumps({"jourdain": FORMAT, "name": "study", **path}, indent=1, default=_plain)
            self.source = Source(folder / f"{MAPPING}.yaml", MAPPING, decode(text.encode(), MAPPING))
            self.files = Files(folder, folder)
        else:
            self.source, self.files = open_source(path, root)
        self.root, self.diagnostics = parse(self.source, self.files)
        self.named: Path | None = None if isinstance(path, Mapping) else Path(path)

    def read(self) -> Study | None:
        """The study; None, or not to be used, where there are mistakes."""
        root, diagnostics = self.root, self.diagnostics
        for key in root.value:
            if key not in TOP:
                hint = suggestion(key, TOP)
                more = "; this is a scenario: `jourdain run` runs it" if key in SCENARIO else f"; {hint}"
                diagnostics.wrong_key(root, key, key, f'unknown section "{key}" of a study{more}')
        name, task = self._text("name", "study"), self._text("task", "")
        values = {key: self._section(key) for key in SECTIONS}
        parameters, at = self._parameters(values["parameters"])
        criteria = []
        for key, one in (values["criteria"] or {}).items() if isinstance(values["criteria"], dict) else ():
            criteria.append(replace(one, name=key))
        design = self._design(values, parameters)
        search, score = values["search"], values["score"]
        document = self._scenario(values, parameters, at)
        if document is None or diagnostics.count:
            return None
        diagnostics.note(document.problems())
        if diagnostics.mistakes:
            return None
        study = Study(name, document, tuple(parameters), design, tuple(criteria), task, search, score)
        study.path = self.named
        self._check(study, at, values)
        if diagnostics.mistakes:
            return None
        if isinstance(values["report"], Layout):
            study.layout = values["report"]
            self._check_layout(study)
        study.bundle = self._bundle()
        return study

    def _parameters(self, given: Any) -> tuple[list[Parameter], dict[str, Node]]:
        node, diagnostics = self.root.get("parameters"), self.diagnostics
        if node is None or (node.is_map and not node.value):
            diagnostics.wrong(
                self.root, "parameters", "are missing; say what is varied: name: {at: address, values: [...]}"
            )
            return [], {}
        if given is INVALID:
            return [], {}
        found, at = [], {}
        for name, one in given.items():
            line, column = node.places[name]
            at[name] = Node(name, node.file, line, column)
            found.append(Parameter(name, one, name=name) if isinstance(one, list) else replace(one, name=name))
        return found, at

    def _design(self, values: dict[str, Any], parameters: list[Parameter]) -> Design | None:
        node, diagnostics = self.root.get("design"), self.diagnostics
        if values["search"] is not None:
            if node is not None:
                diagnostics.wrong(node, "design", "stands beside search, which chooses the values; leave one out")
            for one in parameters:
                if one.normal is not None or (one.listed and len(one.choices or ()) < 2):
                    at = self.root.value["parameters"].value[one.name]
                    diagnostics.wrong(
                        at, step("parameters", one.name), "a search takes a range, or two values at least"
                    )
            return None
        given = values["design"]
        if given is INVALID:
            return None
        if isinstance(given, str) and node is not None:
            alone = Node({"method": node}, node.file, node.line, node.column, {"method": (node.line, node.column)})
            given = SingleObjectType(DESIGN).read(alone, "design", diagnostics)
            if given is INVALID:
                return None
        design = given or Design()
        for name, message in design.problems(parameters) if parameters else ():
            at = self.root.value["parameters"].value[name]
            diagnostics.wrong(at, step("parameters", name), message)
        return design

    def _scenario(
        self, values: dict[str, Any], parameters: list[Parameter], at: dict[str, Node]
    ) -> ParsedScenario | None:
        """The scenario's document with what is set in it."""
        node, diagnostics = self.root.get("scenario"), self.diagnostics
        if node is None:
            diagnostics.wrong(self.root, "scenario", "is missing; name a scenario file, or write one here")
            return None
        if values["scenario"] is INVALID:
            return None
        source, root = self.source, node
        if node.is_text:
            try:
                path = self.files.resolve(node, self.source.path.parent, "scenario")
                source = read_source(path, self.files.label(path))
                root, own = parse(source, self.files)
            except ScenarioError as error:
                diagnostics.note(error.problems)
                return None
            diagnostics.note(own.mistakes)
            diagnostics.folders |= own.folders
            if "parameters" in root.value:
                diagnostics.wrong(node, "scenario", f"{node.shown()} is a study itself; name a scenario")
                return None
        elif "jourdain" not in root.value:
            root = _with(root, {"jourdain": self.root.value.get("jourdain", Node(FORMAT, "", 1, 1)), **root.value})
        return self._prepared(root, source, values, parameters, at)

    def _prepared(
        self, root: Node, source: Source, values: dict[str, Any], parameters: list[Parameter], at: dict[str, Node]
    ) -> ParsedScenario | None:
        diagnostics, before = self.diagnostics, self.diagnostics.count
        name, variants = values["variant"], root.get("variants")
        changes: list[tuple[str, Node, Node, str]] = []
        if name is not None and name is not INVALID:
            node = self.root.value["variant"]
            known = variants.value if variants is not None and variants.is_map else {}
            if name not in known or not known[name].is_map:
                diagnostics.wrong(node, "variant", f'the scenario has no variant "{name}"; {suggestion(name, known)}')
            else:
                changes += [(address, one, node, "variant") for address, one in known[name].value.items()]
        node = self.root.get("set")
        if node is not None and node.is_map:
            for address, one in node.value.items():
                place = Node(address, node.file, *node.places[address])
                changes.append((address, one, place, step("set", address)))
        keys = {key: one for key, one in root.value.items() if key != "variants"}
        for key in keys:
            if key not in SCENARIO:
                diagnostics.wrong_key(root, key, key, f'unknown section "{key}"; {suggestion(key, SCENARIO)}')
        system = keys.get("system")
        if system is not None and system.is_map:
            whole = included(system, "system", diagnostics, (str(source.path),))
            if whole is None:
                return None
            keys["system"] = whole
        keys["state"] = _whole_state(keys.get("state"), root)
        root = _with(root, keys)
        for address, value, place, where in changes:
            head = address.partition(".")[0].partition("[")[0]
            if head not in SCENARIO[1:-1]:
                diagnostics.wrong(
                    place, where, f'"{address}" begins with no section; {suggestion(head, SCENARIO[1:-1])}'
                )
            else:
                root = override(root, address, value, place, where, diagnostics)
        if diagnostics.count > before:
            return None
        return ParsedScenario(root, source, diagnostics, parameters, at, self._given())

    def _given(self) -> dict[str, list[Node]]:
        """The values of each parameter as they stand in the file: of a list, a range or a distribution."""
        out: dict[str, list[Node]] = {}
        section = self.root.get("parameters")
        for name, one in section.value.items() if section is not None and section.is_map else ():
            node = one if one.is_list else one.get("values") or one.get("range") or one.get("normal")
            out[name] = node.value if node is not None and node.is_list else []
        return out

    def _check(self, study: Study, at: dict[str, Node], values: dict[str, Any]) -> None:
        """The scenario of the first variant, names, and what search and score speak of."""
        from ...results.channels import UnknownNameError
        from ...results.quantities import understand

        diagnostics = self.diagnostics
        try:
            scenario = study.scenario
        except ScenarioError as error:
            diagnostics.note(error.problems)
            return
        self._check_values(study)
        places = dict(at)
        criteria = self.root.get("criteria")
        for one in study.criteria:
            node = criteria.value[one.name].value["quantity"]  # type: ignore[union-attr]
            places[one.name] = node
            for i, name in enumerate(one.quantity):
                try:
                    understand(scenario.model, name)
                except UnknownNameError as error:
                    place = node.value[i] if node.is_list else node
                    diagnostics.wrong(place, step(step("criteria", one.name), "quantity"), str(error))
        for name, message in study_problems(study.parameters, study.criteria, scenario.limits):
            node = places.get(name, self.root)
            diagnostics.wrong(node, step("parameters" if name in at else "criteria", name), message)
        its = variable_units(study)
        for node, address, message in criteria_findings(study, criteria) if criteria is not None else ():
            diagnostics.wrong(node, address, message)
        variables = [one.name for one in study.columns]
        if study.search is not None:
            for name in study.search.variables:
                if name not in (*variables, "score"):
                    hint = suggestion(name, variables)
                    diagnostics.wrong(self.root.value["search"], "search", f'there is no variable "{name}"; {hint}')
            for node, address, message in goal_findings(study, self.root.value["search"], its):
                diagnostics.wrong(node, address, message)
        if study.score is not None:
            from .scoring import hierarchy_problems

            node = self.root.value["score"]
            study.score, problems = scored_in_si(study.score, its)
            for place, message in problems or hierarchy_problems(study.score, variables):
                diagnostics.wrong(inside(node, place), f"score{place}", message)

    def _check_values(self, study: Study) -> None:
        """Whether other values that are listed, and both ends of a range, are such as their addresses take."""
        document, first, left = study.base, study.first, MOST_READ
        assert isinstance(document, ParsedScenario)
        for k, one in enumerate(study.parameters):
            choices = one.choices if one.choices is not None else one.given
            others = [value for value in choices if not is_number(value)]
            numbers = [value for value in choices if is_number(value)]
            for value in [*others, *numbers[:1], *numbers[1:-1][:1], *numbers[-1:]]:
                if repr(value) != repr(first[k]) and left > 0:
                    left -= 1
                    self.diagnostics.note(document.misfits([*first[:k], value, *first[k + 1 :]], k))

    def _check_layout(self, study: Study) -> None:
        diagnostics, node = self.diagnostics, self.root.value["report"]
        names = [one.name for one in study.parameters]
        for pair in study.layout.maps:
            for name in pair:
                if name not in names:
                    at = node.value["maps"]
                    diagnostics.wrong(at, "report.maps", f'there is no parameter "{name}"; {suggestion(name, names)}')
        variables = [*(one.name for one in study.columns), *(["score"] if study.score else [])]
        for key, given in (("show", study.layout.show), ("worst", [study.layout.worst])):
            for name in given:
                if name and name not in variables:
                    hint = suggestion(name, variables)
                    diagnostics.wrong(node.value[key], f"report.{key}", f'there is no variable "{name}"; {hint}')

    def _bundle(self) -> Bundle:
        """The files that were read, so that another process reads the same."""
        base = self.files.root
        main = os.path.relpath(self.source.path, base)
        files = {main: self.source.text.encode()}
        for path in sorted(self.files.used):
            files[os.path.relpath(path, base)] = path.read_bytes()
        return Bundle(main, files)


def _whole_state(state: Node | None, root: Node) -> Node:
    """The section `state` with `q` and `v` in it, so that a coordinate can be varied that the file does not give."""
    if state is not None and state.value is not None and not state.is_map:
        return state
    given = state.value if state is not None and state.is_map else {}
    here = state if state is not None else root
    more = {key: Node({}, here.file, here.line, here.column) for key in ("q", "v")}
    missing = {key: one for key, one in more.items() if given.get(key) is None or given[key].value is None}
    return _with(Node(given, here.file, here.line, here.column, here.places if given else {}), given | missing)


def _with(node: Node, value: Any) -> Node:
    places = node.places | {key: (node.line, node.column) for key in value if key not in node.places}
    return Node(value, node.file, node.line, node.column, places, node.size)


def _plain(value: Any) -> Any:
    """What JSON does not know: numbers and arrays of NumPy."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise TypeError(f"{type(value).__name__} cannot stand in a study")
