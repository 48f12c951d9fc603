"""Controllers, sensors, references and the design of both. Names are imported when first used."""

from __future__ import annotations

import importlib
from typing import Any

_HOMES = {
    "base": ("Controller",),
    "sampled": ("Sampled",),
    "sensors": ("ForceSensor", "JointSensor", "PoseSensor"),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}
__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'jourdain.control' has no attribute {name!r}")
    value = getattr(importlib.import_module(f".{_HOME[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
