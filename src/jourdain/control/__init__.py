"""Controllers, sensors, references and the design of both. Names are imported when first used."""

from __future__ import annotations

import importlib
from typing import Any

_HOMES = {
    "base": ("Controller",),
    "accommodation": ("ForceMomentAccommodation",),
    "antagonists": ("Antagonists", "JointImpedance"),
    "composite": ("Composite",),
    "impedance": ("Cartesian", "Impedance"),
    "linearising": ("ComputedTorque",),
    "regulators": ("PD", "PID"),
    "task": ("SingularTaskWarning",),
    "sampled": ("Sampled",),
    "feedback": ("LQG", "LQR", "Observer", "StateFeedback"),
    "filters": ("Filter", "Filtered"),
    "kinematics": ("inverse_kinematics", "resolved_rate"),
    "optimal": ("discretize", "kalman", "lqr"),
    "paths": ("Circle", "Line", "Sequence", "Via"),
    "predictive": ("GPC", "Predictive", "allocate"),
    "shaping": ("Shaper",),
    "sensors": ("ForceSensor", "JointSensor", "PoseSensor"),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}
__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'jourdain.control' has no attribute {name!r}")
    from ..arguments import checked

    value = checked(getattr(importlib.import_module(f".{_HOME[name]}", __name__), name))
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
