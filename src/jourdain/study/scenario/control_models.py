"""Models that the controllers of a scenario may have: the plant, changed copies of it, and other files."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...basics.errors import ModelError
from ...basics.value_types import INVALID, step
from ...basics.values import suggestion
from ...compile.model import compile_system
from ...files.diagnostics import Diagnostics, Models
from ...files.overrides import override
from ...files.schema_entry import UNFORESEEN
from ...files.system_section import included, read_system, without_bodies
from ...files.yaml import Node
from .scenario_schema import MODEL


class ScenarioModels(Models):
    """The plant, and the models of the section `models`; each is compiled once."""

    def __init__(self, section: Node | None, system: Node | None, plant: Any, diagnostics: Diagnostics) -> None:
        self.system, self.diagnostics = system, diagnostics
        self.found: dict[str, Any] = {"plant": plant}
        self.nodes: dict[str, Node] = {}
        if section is None:
            return
        if not section.is_map:
            diagnostics.wrong(section, "models", f"got {section.shown()}; give names, each with a description")
            return
        self.nodes = {key: one for key, one in section.value.items() if key != "plant"}
        if "plant" in section.value:
            diagnostics.wrong_key(section, "plant", "models.plant", "is the system itself; choose another name")
        for name in self.nodes:
            self.get(name)

    def names(self) -> list[str]:
        return ["plant", *self.nodes]

    def get(self, name: str) -> Any:
        if name not in self.found:
            self.found[name] = None
            where = step("models", name)
            node = self._system(self.nodes[name], where, (name,))
            if node is not None:
                own = self.diagnostics.beside()
                system = read_system(node, where, own, name)
                self.found[name] = compiled(system, node, where, own)
        return self.found[name]

    def _system(self, node: Node, where: str, chain: tuple[str, ...]) -> Node | None:
        """The section `system` of a model."""
        diagnostics = self.diagnostics
        if not node.is_map:
            diagnostics.wrong(node, where, f"got {node.shown()}; give a mapping of {', '.join([*MODEL, 'set'])}")
            return None
        values: dict[str, Any] = {}
        for key, one in node.value.items():
            if key == "set" or one.value is None:
                continue
            if key not in MODEL:
                hint = suggestion(key, [*MODEL, "set"])
                diagnostics.wrong_key(node, key, step(where, key), f'unknown key "{key}" of a model; {hint}')
                return None
            values[key] = MODEL[key][0].read(one, step(where, key), diagnostics)
        if any(value is INVALID for value in values.values()):
            return None
        base = self._base(node, values, where, chain)
        if base is None:
            return None
        return self._changed(base, node, values, where)

    def _base(self, node: Node, values: dict[str, Any], where: str, chain: tuple[str, ...]) -> Node | None:
        diagnostics = self.diagnostics
        if "file" in values:
            if "from" in values:
                diagnostics.wrong_key(node, "from", step(where, "from"), 'stands beside "file"; give one of them')
                return None
            named = Node({"file": node.value["file"]}, node.file, node.line, node.column, node.places)
            return included(named, where, diagnostics, ())
        source = values.get("from", "plant")
        if source == "plant":
            return self.system
        at = node.value["from"]
        if source not in self.nodes:
            diagnostics.wrong(
                at, step(where, "from"), f"there is no model {at.shown()}; {suggestion(source, self.names())}"
            )
            return None
        if source in chain:
            diagnostics.wrong(
                at, step(where, "from"), f"models are copies of each other: {' -> '.join([*chain, source])}"
            )
            return None
        return self._system(self.nodes[source], step("models", source), (*chain, source))

    def _changed(self, base: Node, node: Node, values: dict[str, Any], where: str) -> Node | None:
        diagnostics, before = self.diagnostics, self.diagnostics.count
        bodies = base.get("bodies")
        known = [name.value for one in (bodies.value if bodies is not None and bodies.is_list else [])
                 if (name := one.get("name")) is not None and name.is_text]  # fmt: skip
        for name in values.get("without", ()):
            if name not in known:
                at = node.value["without"]
                diagnostics.wrong(at, step(where, "without"), f'there is no body "{name}"; {suggestion(name, known)}')
        changes = node.get("set")
        if changes is not None and not changes.is_map:
            diagnostics.wrong(
                changes, step(where, "set"), f"got {changes.shown()}; give addresses in the system and values"
            )
        if diagnostics.count > before:
            return None
        base = without_bodies(base, values.get("without", []))
        for address, value in changes.value.items() if changes is not None else ():
            line, column = node.value["set"].places[address]
            at = Node(address, node.file, line, column)
            base = override(base, address, value, at, step(step(where, "set"), address), diagnostics)
        return None if diagnostics.count > before else base


def compiled(system: Any, node: Node | None, at: str, diagnostics: Diagnostics) -> Any:
    """The compiled model of a system that was read, or None."""
    if system is INVALID or node is None:
        return None
    model = tried(diagnostics, node, at, lambda: compile_system(system, checked=True))
    if model is None or diagnostics.compiled is None:
        return model
    return diagnostics.compiled.setdefault(model.hash, model)


def tried(diagnostics: Diagnostics, node: Node, at: str, make: Callable[[], Any]) -> Any:
    """What a function gives; None where it raises, with the mistakes in the book."""
    try:
        return make()
    except ModelError as error:
        diagnostics.place(error.problems, node, at, inside=True)
    except UNFORESEEN as error:
        diagnostics.wrong(node, at, f"cannot be used: {error}")
    return None
