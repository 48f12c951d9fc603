"""Kernels by what a file on disk says of them, and where those files are."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from functools import cache
from typing import Any

from . import object_code
from .disk_cache import Store, folder_of, shipped_for
from .type_strings import read

_BY_SYMBOL: dict[str, Any] = {}


def told_of(other: Any) -> list[str]:
    """How a file names a kernel for types of arguments; those that have no spelling are known in this process alone."""
    _BY_SYMBOL.setdefault(other.symbol, other)
    return [other.kernel.address, other.spelling or "", other.symbol]


def unit_of(told: Iterable[str]) -> Any:
    """What a file names so."""
    address, spelling, symbol = told
    known = _BY_SYMBOL.get(symbol)
    if known is None:
        known = _BY_SYMBOL[symbol] = named(address, spelling)
    return known


def named(address: str, spelling: str) -> Any:
    """The kernel that is written there, for types of arguments that are spelt so."""
    module, name = address.split(":")
    return getattr(importlib.import_module(module), name).overload(read(spelling))


def beside(whole: Any, inner: Iterable[Any]) -> tuple[list[str], list[list[str]], list[list[str]]]:
    """What a module that was linked from overloads asks for: symbols of the process, units, parts."""
    used = set(object_code.undefined(whole))
    outside = {told[2]: told for one in inner for told in one.lower().outside}
    units = [told for symbol, told in outside.items() if symbol in used]
    parts = [told for symbol, told in outside.items() if f"{symbol}.cell" in used]
    known = {told[2] for told in units} | {f"{told[2]}.cell" for told in parts}
    return sorted(used - known), units, parts


@cache
def store() -> Store:
    """Where the units of this process are kept."""
    named = object_code.NAMED
    return Store(
        folder_of(" ".join(object_code.host()).strip()), shipped_for(named) if object_code.runs_named() else None
    )
