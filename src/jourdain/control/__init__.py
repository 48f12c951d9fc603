"""Controllers, and what they are designed with. Names are imported when first used."""

from __future__ import annotations

import importlib
from typing import Any

_HOME = {
    "Circle": "paths",
    "Line": "paths",
    "Sequence": "paths",
    "Via": "paths",
    "inverse_kinematics": "kinematics",
    "resolved_rate": "kinematics",
}
__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'jourdain.control' has no attribute {name!r}")
    value = getattr(importlib.import_module(f".{_HOME[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
