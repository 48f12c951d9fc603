"""Lists of entry points: all of the package, and the model functions."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable
from pathlib import Path

from .compiler import ENTRY_POINTS, FEATURES, Overload
from .tree import model_functions as functions


def everything() -> list[tuple[Overload, frozenset[str]]]:
    """All entry points for all types of their arguments, for models that have every feature."""
    prefix = f"{__package__}."
    for module in pkgutil.walk_packages([str(Path(__file__).parent)], prefix):
        importlib.import_module(module.name)
    features = frozenset(FEATURES)
    own = [one for one in ENTRY_POINTS if one.__module__.startswith(prefix)]
    return [(one.overload(types), features) for one in own for _, types in one.signatures]


def model_functions(features: Iterable[str]) -> list[tuple[Overload, frozenset[str]]]:
    """The model functions, for models with these features."""
    return [(one.entry(), frozenset(features)) for one in ENTRY_POINTS if one.__module__ == functions.__name__]
