"""Kernels by what a file of the cache says of them, and where those files are."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from functools import cache
from typing import Any

from . import object_code
from .disk_cache import Descriptor, Store, folder_of, shipped_for
from .type_strings import read

_BY_SYMBOL: dict[str, Any] = {}


def descriptor_of(overload: Any) -> Descriptor:
    """How a file names an overload; one whose types have no spelling is known in this process alone."""
    _BY_SYMBOL.setdefault(overload.symbol, overload)
    return Descriptor(overload.kernel.address, overload.spelling or "", overload.symbol)


def overload_of(descriptor: Descriptor) -> Any:
    """The overload that a file names so."""
    known = _BY_SYMBOL.get(descriptor.symbol)
    if known is None:
        known = _BY_SYMBOL[descriptor.symbol] = overload_at(descriptor.address, descriptor.spelling)
    return known


def overload_at(address: str, spelling: str) -> Any:
    """The kernel that is written there, for types of arguments that are spelt so."""
    module, name = address.split(":")
    return getattr(importlib.import_module(module), name).overload(read(spelling))


def dependencies(whole: Any, inlined: Iterable[Any]) -> tuple[list[str], list[Descriptor], list[Descriptor]]:
    """What a module that was linked from overloads needs: symbols of the process, separate and optional kernels."""
    used = set(object_code.undefined(whole))
    external = {one.symbol: one for overload in inlined for one in overload.lower().external}
    separate = [one for symbol, one in external.items() if symbol in used]
    optional = [one for symbol, one in external.items() if f"{symbol}.cell" in used]
    known = {one.symbol for one in separate} | {f"{one.symbol}.cell" for one in optional}
    return sorted(used - known), separate, optional


@cache
def store() -> Store:
    """The cache of this process."""
    baseline = object_code.BASELINE
    return Store(
        folder_of(" ".join(object_code.host()).strip()), shipped_for(baseline) if object_code.runs_baseline() else None
    )
