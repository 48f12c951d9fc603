"""Lazy import tables: modules whose names are imported when first used, so that `import jourdain` takes no time."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from .warn import warn


def lazy_imports(
    module: str,
    homes: Mapping[str, Iterable[str]],
    moved: Mapping[str, str] | None = None,
    kinds: Iterable[str] = (),
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """`__getattr__`, `__dir__` and `__all__` of a module that shows names of other modules.

    module    its name, `__name__`
    homes     modules under `jourdain`, each with the names that it gives; a module with no names is shown itself
    moved     names that have moved, with the name to use instead; they are still found, with a hint
    kinds     registries, "describe.joints:JOINTS", whose classes are found too where they are not named
    """
    home = {name: where for where, names in homes.items() for name in names or [where.rpartition(".")[2]]}
    whole = {where.rpartition(".")[2] for where, names in homes.items() if not names}
    elsewhere = moved or {}
    shown = sorted(home)

    def find(name: str) -> Any:
        if name in elsewhere:
            instead = elsewhere[name]
            warn(f"jd.{name} is now {instead}", DeprecationWarning)
            owner = importlib.import_module(f"jourdain.{instead.split('.')[1]}")
            return getattr(owner, name)
        for address in kinds if name not in home and name[:1].isupper() else ():
            where, _, registry = address.partition(":")
            for cls in getattr(importlib.import_module(f"jourdain.{where}"), registry).classes():
                if cls.__name__ == name:
                    return cls
        if name not in home:
            raise AttributeError(f"module {module!r} has no attribute {name!r}{_near(name, [*home, *elsewhere])}")
        value = importlib.import_module(f"jourdain.{home[name]}")
        if name not in whole:
            value = getattr(value, name)
        setattr(sys.modules[module], name, value)
        return value

    return find, lambda: shown, shown


def _near(name: str, known: list[str]) -> str:
    """What was probably meant, to add to an error; nothing where no name is near."""
    from difflib import get_close_matches

    found = [] if name.startswith("_") else get_close_matches(name, known, 1)
    return f"; did you mean {found[0]}?" if found else ""


def above(address: str) -> Any:
    """A function of a higher room, "compile.model:compile_system", for a class that offers it as a method.

    Rooms import only from rooms below them. `System`, `Model` and `Run` are what a user holds in hand, and offer as
    methods what rooms above them do: these three, and nobody else, reach up, and only so.
    """
    module, _, name = address.partition(":")
    return getattr(importlib.import_module(f"jourdain.{module}"), name)
