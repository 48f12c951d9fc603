"""Kernels by what a file on disk says of them, and where those files are."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from functools import cache
from typing import Any

from . import objects
from .spelling import read
from .store import Store, folder_of, shipped_for

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
    importlib.import_module(f"{__package__.rpartition('.')[0]}.entries")  # all records are known then
    return getattr(importlib.import_module(module), name).overload(read(spelling))


@cache
def store() -> Store:
    """Where the units of this process are kept."""
    named = objects.NAMED
    return Store(folder_of(" ".join(objects.host()).strip()), shipped_for(named) if objects.runs_named() else None)
