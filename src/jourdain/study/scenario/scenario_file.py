"""Scenario files: YAML read into a `Scenario`, every mistake with its line."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar

from ...basics.arguments import checked
from ...basics.errors import Problem
from ...basics.units import bracketed, fits, unit
from ...basics.value_types import INVALID, step
from ...basics.values import suggestion
from ...files.control_schema import InitialState
from ...files.diagnostics import Diagnostics, Measure
from ...files.documents import TOP, open_source, parse
from ...files.overrides import override, parts
from ...files.problems import Mistake, ScenarioError
from ...files.references import Source
from ...files.system_section import included, read_system
from ...files.yaml import Node, read_yaml
from ...results.channels import UnknownNameError
from ...results.quantities import understand
from .control_models import ScenarioModels, compiled, tried
from .limits import BOUNDS, Limit
from .optimise_section import OPTIMISE, check_planned
from .scenario import TIMING, Panel, Replay, Scenario
from .scenario_schema import EXPORT, OUTPUTS, SECTIONS, SIMULATION, STATE, Keys


@checked
def load_scenario(
    path: str | os.PathLike[str],
    *,
    root: str | os.PathLike[str] | None = None,
    overrides: Mapping[str, str] | None = None,
    packages: Mapping[str, str | os.PathLike[str]] | None = None,
    ignore: bool = False,
) -> Scenario:
    """Read a scenario file; a `ScenarioError` has every mistake that was found, with its line.

    root         folder that files named in it must lie in; None for the scenario's own
    overrides    other values at addresses of the file, as they would be written in it: {"simulation.until": "20"}
    packages     folders of ``package://NAME/`` in a URDF file that it names
    ignore       True leaves out what a URDF or MJCF file has and is not carried over; else it is refused
    """
    reading = ScenarioReader(path, root, overrides, packages, ignore)
    scenario = reading.read()
    if reading.mistakes:
        raise ScenarioError(reading.mistakes)
    return scenario


@checked
def check_scenario(
    path: str | os.PathLike[str],
    *,
    root: str | os.PathLike[str] | None = None,
    thorough: bool = False,
    packages: Mapping[str, str | os.PathLike[str]] | None = None,
    ignore: bool = False,
) -> list[Mistake]:
    """What is wrong with a scenario file: nothing is run, and nothing is written.

    thorough    also lay out the controllers for the plant, as a run would; that takes compiled kernels, which the
                first time are compiled for some minutes
    """
    try:
        reading = ScenarioReader(path, root, None, packages, ignore)
        scenario = reading.read()
        if thorough and not reading.mistakes:
            for one in (scenario, *scenario.variants.values()):
                one.check()
    except ScenarioError as error:
        return error.problems
    return reading.mistakes


class DocumentReader:
    """A document being read: its sections, and what is wrong with them."""

    kind: ClassVar[str]
    """What it is, for people."""
    sections: ClassVar[Mapping[str, tuple[Any, ...]]]
    """How its sections are read."""
    source: Source
    root: Node
    diagnostics: Diagnostics

    @property
    def mistakes(self) -> list[Mistake]:
        """What was found, in the order of the file; files that it names come behind."""
        own = self.source.name
        return sorted(self.diagnostics.mistakes, key=lambda one: (one.file != own, one.file, one.line, one.column))

    def _text(self, key: str, default: str) -> str:
        node = self.root.get(key)
        if node is None:
            if key == "name":
                self.diagnostics.wrong(self.root, "name", f"is missing; give the {self.kind} a title")
            return default
        if not node.is_text or (key == "name" and not node.value.strip()):
            self.diagnostics.wrong(node, key, f"got {node.shown()}; give text, in quotes where it looks like a number")
            return default
        return " ".join(node.value.split()) if key == "name" else node.value.strip()

    def _section(self, key: str) -> Any:
        node = self.root.get(key)
        return None if node is None else self.sections[key][0].read(node, key, self.diagnostics)


class ScenarioReader(DocumentReader):
    """One scenario file being read, with its variants."""

    def __init__(
        self,
        path: str | os.PathLike[str],
        root: str | os.PathLike[str] | None,
        overrides: Mapping[str, str] | None = None,
        packages: Mapping[str, str | os.PathLike[str]] | None = None,
        ignore: bool = False,
    ) -> None:
        self.source, self.files = open_source(path, root)
        self.files.packages, self.files.ignore = dict(packages or {}), ignore
        self.root, self.diagnostics = parse(self.source, self.files)
        self.overrides = dict(overrides or {})
        for address, text in self.overrides.items():
            self._override(address, text)

    @classmethod
    def of(cls, root: Node, source: Source, diagnostics: Diagnostics) -> ScenarioReader:
        """A document that was parsed already."""
        reading = cls.__new__(cls)
        reading.source, reading.files, reading.root, reading.diagnostics = source, diagnostics.files, root, diagnostics
        reading.overrides = {}
        return reading

    def _override(self, address: str, text: str) -> None:
        """Put another value into the document; what is wrong with it is said of the option."""
        option = f"--set {address}"
        self.diagnostics.folders[option] = self.source.path.parent
        value, mistakes = read_yaml(text, option)
        self.diagnostics.note(mistakes)
        at = Node(address, option, 1, 1)
        if re.split(r"[.\[]", address, maxsplit=1)[0] not in TOP[1:]:
            self.diagnostics.wrong(at, "", f"begins with no section; {suggestion(address, TOP[1:])}")
        else:
            self.root = override(self.root, address, value, at, "", self.diagnostics)

    def read(self) -> Scenario:
        """The scenario; not to be used where there are mistakes."""
        chain = (str(self.source.path),)
        root = self.root
        for key in root.value:
            if key not in TOP:
                hint = suggestion(key, TOP)
                self.diagnostics.wrong_key(root, key, key, f'unknown section "{key}"; {hint}')
        system = root.value.get("system")
        if system is not None and system.is_map:
            whole = included(system, "system", self.diagnostics, chain)
            if whole is None:
                root = _with(root, {key: one for key, one in root.value.items() if key != "system"})
                self._read(root, "", missing=False)
                return self._empty()
            root = _with(root, root.value | {"system": whole})
        scenario = self._read(root, "")
        variants = root.get("variants")
        if variants is not None:
            self._variants(root, variants, scenario)
        return scenario

    def _empty(self) -> Scenario:
        from ...describe.system import System

        return Scenario("", System(""), 0.0)

    def _variants(self, root: Node, variants: Node, scenario: Scenario) -> None:
        diagnostics = self.diagnostics
        if not variants.is_map:
            diagnostics.wrong(
                variants, "variants", f"got {variants.shown()}; give names, each with addresses and values"
            )
            return
        plain = _with(root, {key: one for key, one in root.value.items() if key != "variants"})
        for name, changes in variants.value.items():
            where = step("variants", name)
            if not changes.is_map:
                diagnostics.wrong(
                    changes, where, f"got {changes.shown()}; give addresses and values, such as controller.kp: 9"
                )
                continue
            changed = plain
            for address, value in changes.value.items():
                line, column = changes.places[address]
                at = Node(address, changes.file, line, column)
                way = parts(address)
                section = str(way[0]) if way else ""
                if way and section not in TOP[1:-1]:
                    hint = suggestion(section, TOP[1:-1])
                    diagnostics.wrong(at, step(where, address), f'"{address}" begins with no section; {hint}')
                    continue
                changed = override(changed, address, value, at, step(where, address), diagnostics)
            scenario.variants[name] = self._read(changed, name)
        ghost = scenario.replay.ghost
        if ghost is not None and ghost not in variants.value:
            node = root.value["replay"].value["ghost"]
            diagnostics.wrong(node, "replay.ghost", f"no such variant; {suggestion(ghost, variants.value)}")

    def _read(self, root: Node, variant: str, missing: bool = True) -> Scenario:
        """The scenario of a document, mistakes into the book."""
        found = _Contents(root, self.diagnostics.beside(), missing)
        out = found.scenario()
        out.variant, out.path, out.text, out.files = variant, self.source.path, self.source.text, dict(self.files.read)
        out.overrides = dict(self.overrides)
        return out


class _Contents(DocumentReader):
    """The sections of one document, read in the order in which they depend on each other."""

    kind = "scenario"
    sections = SECTIONS

    def __init__(self, root: Node, diagnostics: Diagnostics, missing: bool) -> None:
        self.root, self.diagnostics, self.missing = root, diagnostics, missing

    def scenario(self) -> Scenario:
        """The scenario, as far as it could be read."""
        from ...describe.system import System

        diagnostics = self.diagnostics
        name = self._text("name", "scenario")
        task = self._text("task", "")
        system: Any = INVALID
        node = self.root.value.get("system")
        if node is not None:
            system = read_system(node, "system", diagnostics, name)
        elif self.missing:
            diagnostics.wrong(self.root, "system", "is missing; describe the bodies, or name a file that does")
        model = compiled(system, node, "system", diagnostics)
        state = self._keys("state", STATE)
        begun = _begun(model, state, self.root.get("state"), diagnostics)
        diagnostics.state = begun
        diagnostics.models = ScenarioModels(self.root.get("models"), node, model, diagnostics)
        options = self._keys("simulation", SIMULATION)
        outputs, exported = self._keys("outputs", OUTPUTS), self._keys("export", EXPORT)
        wanted = self._keys("optimise", OPTIMISE)
        values = {key: self._section(key) for key in SECTIONS}
        if self.root.get("simulation") is None or "until" not in options:
            where = self.root.get("simulation") or self.root
            if self.root.get("simulation") is None or where.get("until") is None:
                diagnostics.wrong(where, "simulation", '"until" is missing; give the time at which the run ends [s]')
        if model is not None:
            _check_names(model, diagnostics)
            node = self.root.get("limits")
            if isinstance(values["limits"], list) and node is not None and node.is_list:
                _check_limits(model, values["limits"], node.value, diagnostics)
            self._check_run(model, begun, options, values)
            if (node := self.root.get("optimise")) is not None and node.is_map:
                check_planned(model, wanted, node, options.get("until"), diagnostics)
        figures = outputs.get("figures", {})
        return Scenario(
            name,
            system if system is not INVALID else System(name),
            options.pop("until", 0.0),
            task,
            state.get("q", {}),
            state.get("v", {}),
            state.get("time", 0.0),
            **options,
            motions=_sound(values["motions"], {}),
            control=self._maker(),
            events=_sound(values["events"], []),
            limits=_sound(values["limits"], []),
            figures=[Panel(title, tuple(names)) for title, names in figures.items()],
            frames=outputs.get("frames", []),
            replay=_sound(values["replay"], Replay()),
            export=exported,
            optimise=wanted,
            compiled=model,
            locate=self._locate,
        )

    def _keys(self, section: str, known: Keys) -> dict[str, Any]:
        """The values of a section whose keys are known; what is wrong is left out."""
        node = self.root.get(section)
        if node is None:
            return {}
        if not node.is_map:
            self.diagnostics.wrong(node, section, f"got {node.shown()}; give a mapping of {', '.join(known)}")
            return {}
        out = {}
        for key, one in node.value.items():
            where = step(section, key)
            if key not in known:
                self.diagnostics.wrong_key(
                    node, key, where, f'unknown key "{key}" of {section}; {suggestion(key, known)}'
                )
            elif one.value is not None:
                with self.diagnostics.expecting(bracketed(known[key][1])):
                    value = known[key][0].read(one, where, self.diagnostics)
                if value is not INVALID:
                    out[key] = value
        return out

    def _maker(self) -> Callable[[], Any] | None:
        """What makes the controller when it is needed: some take compiled kernels."""
        node, diagnostics = self.root.get("controller"), self.diagnostics
        if node is None:
            return None

        def make() -> Any:
            before = set(diagnostics.mistakes)
            diagnostics.quick = False
            found = SECTIONS["controller"][0].read(node, "controller", diagnostics)
            new = [one for one in diagnostics.mistakes if one not in before]
            if new:
                raise ScenarioError(new)
            return found

        return make

    def _check_run(
        self, model: Any, begun: InitialState | None, options: dict[str, Any], values: dict[str, Any]
    ) -> None:
        """What `simulate` would refuse, as far as it takes no compiled kernels to say."""
        from ...describe.events import check_events
        from ...results.trust import TOLERANCE, check_tolerance
        from ...run.contact_steps import CHECKS, check_step_check
        from ...run.plan import Timing, prescribed

        diagnostics, timing = self.diagnostics, None
        self._check_controllers(model, values["controller"])
        node = self.root.get("simulation")
        start = 0.0 if begun is None else begun.state.time
        if "until" in options and node is not None:
            times = {name: value for name, value in options.items() if name in TIMING}
            timing = tried(diagnostics, node, "simulation", lambda: Timing(start, **times))
            tried(diagnostics, node, "simulation", lambda: check_step_check(options.get("step_check", CHECKS[0])))
            tried(diagnostics, node, "simulation", lambda: check_tolerance(options.get("energy_tolerance", TOLERANCE)))
        until = timing.until if timing is not None else options.get("until", 1.0)
        motions = values["motions"]
        known = isinstance(motions, dict) and all(name in model.index.v for name in motions)
        node = self.root.get("motions")
        if known and begun is not None and node is not None:
            q, v = begun.state.q, begun.state.v
            tried(diagnostics, node, "motions", lambda: prescribed(model, q, v, motions, start, until))
        events, node = values["events"], self.root.get("events")
        if not isinstance(events, list) or node is None or not node.is_list or timing is None:
            return
        moved = motions if known else ()
        before = diagnostics.count
        for i, (event, one) in enumerate(zip(events, node.value, strict=True)):
            where = step("events", i, one)
            alone = [event] if not (event.release or event.connect or event.disconnect) else []
            tried(diagnostics, one, where, partial(check_events, alone, model, start, until, moved))
            if timing.fixed:
                tried(diagnostics, one, where, partial(timing.fit, [event]))
        if diagnostics.count == before:
            tried(diagnostics, node, "events", lambda: check_events(events, model, start, until, moved))

    def _check_controllers(self, model: Any, given: Any) -> None:
        """What controllers say of the plant when they are laid out for it, as far as that compiles nothing."""
        node = self.root.get("controller")
        if node is None or given is None or given is INVALID:
            return
        listed = isinstance(given, list) and node.is_list
        parts = list(zip(given, node.value, strict=True)) if listed else [(given, node)]
        for i, (one, its) in enumerate(parts):
            if getattr(one, "binds_at_once", False):
                where = step("controller", i, its) if listed else "controller"
                tried(self.diagnostics, its, where, partial(one.bind, model))

    def _locate(self, problems: Iterable[Problem]) -> list[Mistake]:
        """Problems that a run found, with the lines of what they speak of."""
        diagnostics = Diagnostics(self.diagnostics.files)
        diagnostics.places = self.diagnostics.places
        motions, events = self.root.get("motions"), self.root.get("events")
        for problem in problems:
            name = str(problem.address)
            node, where = self.root.get("controller"), "controller"
            if name.startswith("z:"):
                node, where = self.root, ""
            elif name.startswith("optimise.") and self.root.get("optimise") is not None:
                node, where = self.root.get("optimise"), "optimise"
                problem = problem._replace(address=name.removeprefix("optimise."))
            elif name in SIMULATION:
                node, where = self.root.get("simulation"), "simulation"
            elif motions is not None and motions.is_map and name in motions.value and problem.field == "motions":
                node, where = motions, "motions"
            elif events is not None and node is None:
                node, where = events, "events"
            diagnostics.place([problem], node or self.root, where if node is not None else "", inside=True)
        return diagnostics.mistakes


def _begun(model: Any, state: dict[str, Any], node: Node | None, diagnostics: Diagnostics) -> InitialState | None:
    """The state at the start, or None where it is not known."""
    if model is None:
        return None
    if node is None:
        return InitialState(model, model.state())
    given = {"q": state.get("q"), "v": state.get("v"), "time": state.get("time", 0.0)}
    found = tried(diagnostics, node, "state", lambda: model.state(**given))
    return None if found is None else InitialState(model, found)


def _check_names(model: Any, diagnostics: Diagnostics) -> None:
    """Whether names in the file exist in the model."""
    entries = [*model.index.v, *model.joints, *model.bodies]
    known = {
        "coordinate": lambda name: name in model.index.v or any(one.startswith(f"{name}.") for one in model.index.v),
        "entry": lambda name: name in model.index.q or name in model.index.v or name in model.joints,
        "position": lambda name: name in model.index.q,
        "address": lambda name: name in model.markers or f"{name}.origin" in model.markers,
        "contact": lambda name: name in model.contacts.names,
        "connection": lambda name: name in model.connections.ways,
        "joint": lambda name: name in model.joints,
    }
    listed = {
        "coordinate": model.index.v,
        "entry": entries,
        "position": model.index.q,
        "address": model.markers,
        "contact": model.contacts.names,
        "connection": model.connections.ways,
        "joint": model.joints,
    }
    words = {"entry": "coordinate", "position": "coordinate", "address": "frame"}
    for kind, name, node, at in diagnostics.references:
        if kind == "quantity":
            try:
                understand(model, name)
            except UnknownNameError as error:
                diagnostics.wrong(node, at, str(error))
        elif not known[kind](name):
            hint = suggestion(name, listed[kind])
            diagnostics.wrong(node, at, f'there is no {words.get(kind, kind)} "{name}"; {hint}')
    for one in diagnostics.measures:
        _check_measure(model, one, diagnostics)


def _check_measure(model: Any, one: Measure, diagnostics: Diagnostics) -> None:
    """Whether a number with a unit has the dimension of its coordinate."""
    for index, units, rate in ((model.index.v, model.units.v, True), (model.index.q, model.units.q, False)):
        if one.name in index and one.address.startswith("state.v") == rate:
            its = units[index[one.name]]
            if its and not fits(one.unit, (its,)):
                diagnostics.misfit(one.node, one.address, f"got {one.node.shown()}; {one.name} is in {its}")


def _check_limits(model: Any, limits: list[Limit], nodes: Sequence[Node], diagnostics: Diagnostics) -> None:
    """Whether bounds that were given with a unit have the dimension of their quantity."""
    for i, (limit, node) in enumerate(zip(limits, nodes, strict=True)):
        if not limit.unit or limit.quantity_unit(model) is None:
            continue
        key = next(key for key in BOUNDS if key in node.value and node.value[key].value is not None)
        its = limit.quantity_unit(model)
        where = step(step("limits", i, node), key)
        if not its:
            text = f"got {node.value[key].shown()}; the unit of {limit.quantity} is not known: give a number alone"
            diagnostics.misfit(node.value[key], where, text)
        elif not fits(unit(limit.unit), (its,)):
            diagnostics.misfit(node.value[key], where, f"got {node.value[key].shown()}; {limit.quantity} is in {its}")


def _sound(value: Any, default: Any) -> Any:
    return default if value is None or value is INVALID else value


def _with(node: Node, value: Any) -> Node:
    return Node(value, node.file, node.line, node.column, node.places, node.size)
