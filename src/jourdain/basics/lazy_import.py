"""Lazy import tables: modules whose names are imported when first used, so that `import jourdain` takes no time."""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Callable, Iterable, Mapping
from importlib.util import resolve_name
from typing import Any


def lazy_imports(
    module: str,
    kinds: Iterable[str] = (),
    renamed: Mapping[str, str] | None = None,
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """`__getattr__`, `__dir__` and `__all__` of a module that shows names of other modules.

    Its names are those that it imports under `if TYPE_CHECKING`: written once, for type checkers and for this.

    module    its name, `__name__`
    kinds     registries, "describe.joints:JOINTS", whose classes are found too where they are not named
    renamed   old names and the new ones: found with a DeprecationWarning
    """
    home = _imported_for_types(module)
    shown = sorted(home)

    def find(name: str) -> Any:
        for address in kinds if name not in home and name[:1].isupper() else ():
            where, _, registry = address.partition(":")
            for cls in getattr(importlib.import_module(f"jourdain.{where}"), registry).classes():
                if cls.__name__ == name:
                    return cls
        if renamed and name in renamed:
            from .warn import warn

            warn(f"{module}.{name} is {renamed[name]} now", DeprecationWarning)
            return find(renamed[name])
        if name not in home:
            raise AttributeError(f"module {module!r} has no attribute {name!r}{_hint(name, home)}")
        value = importlib.import_module(home[name])
        if value.__name__ != f"{module}.{name}":
            value = getattr(value, name)
        setattr(sys.modules[module], name, value)
        return value

    return find, lambda: shown, shown


def _imported_for_types(module: str) -> dict[str, str]:
    """Names that a module imports under `if TYPE_CHECKING`, each with the module that has it, or that it is."""
    loaded: Any = sys.modules[module]
    tree = ast.parse(loaded.__spec__.loader.get_source(module))
    found: dict[str, str] = {}
    for node in (inner for outer in tree.body if isinstance(outer, ast.If) for inner in outer.body):
        if isinstance(node, ast.ImportFrom):
            where = resolve_name("." * node.level + (node.module or ""), loaded.__package__)
            found |= {one.name: where if node.module else f"{where}.{one.name}" for one in node.names}
    return found


def _hint(name: str, home: Mapping[str, str]) -> str:
    """What was probably meant, to add to an error: the name in a namespace, or one like it; nothing without any."""
    from difflib import get_close_matches

    if name.startswith("_"):
        return ""
    for namespace, where in home.items():
        if where == f"jourdain.{namespace}" and name in getattr(importlib.import_module(where), "__all__", ()):
            return f"; it is jd.{namespace}.{name}"
    found = get_close_matches(name, home, 1)
    return f"; did you mean {found[0]}?" if found else ""


def above(address: str) -> Any:
    """A function of a later layer, "compile.model:compile_system", for a class that offers it as a method.

    A layer imports only from those before it. `System`, `Model` and `Run` are what a user holds in hand, and offer as
    methods what later layers do: these three, and nobody else, and only so.
    """
    module, _, name = address.partition(":")
    return getattr(importlib.import_module(f"jourdain.{module}"), name)
