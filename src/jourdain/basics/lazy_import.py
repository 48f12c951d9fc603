"""Lazy import tables: modules whose names are imported when first used, so that `import jourdain` takes no time."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any


def lazy_imports(
    module: str,
    homes: Mapping[str, Iterable[str]],
    check: bool = True,
    kinds: Iterable[str] = (),
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """`__getattr__`, `__dir__` and `__all__` of a module that shows names of other modules.

    module    its name, `__name__`
    homes     modules under `jourdain`, each with the names that it gives; a module with no names is shown itself
    check     whether arguments are judged where a call fails
    kinds     registries, "describe.joints:JOINTS", whose classes are found too where they are not named
    """
    home = {name: where for where, names in homes.items() for name in names or [where.rpartition(".")[2]]}
    whole = {where.rpartition(".")[2]: where for where, names in homes.items() if not names}
    shown = sorted(home)

    def find(name: str) -> Any:
        from .arguments import checked

        for address in kinds if name not in home and name[:1].isupper() else ():
            where, _, registry = address.partition(":")
            for cls in getattr(importlib.import_module(f"jourdain.{where}"), registry).classes():
                if cls.__name__ == name:
                    return checked(cls) if check else cls
        if name not in home:
            raise AttributeError(f"module {module!r} has no attribute {name!r}{_hint(name, home, whole)}")
        value = importlib.import_module(f"jourdain.{home[name]}")
        if name not in whole:
            value = checked(getattr(value, name)) if check else getattr(value, name)
        setattr(sys.modules[module], name, value)
        return value

    return find, lambda: shown, shown


def _hint(name: str, known: Iterable[str], namespaces: Mapping[str, str]) -> str:
    """What was probably meant, to add to an error: the name in a namespace, or one like it; nothing without any."""
    from difflib import get_close_matches

    if name.startswith("_"):
        return ""
    for namespace, where in namespaces.items():
        if name in getattr(importlib.import_module(f"jourdain.{where}"), "__all__", ()):
            return f"; it is jd.{namespace}.{name}"
    found = get_close_matches(name, known, 1)
    return f"; did you mean {found[0]}?" if found else ""


def above(address: str) -> Any:
    """A function of a later layer, "compile.model:compile_system", for a class that offers it as a method.

    A layer imports only from those before it. `System`, `Model` and `Run` are what a user holds in hand, and offer as
    methods what later layers do: these three, and nobody else, and only so.
    """
    module, _, name = address.partition(":")
    return getattr(importlib.import_module(f"jourdain.{module}"), name)
