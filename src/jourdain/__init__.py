"""Jourdain: flexible multibody dynamics, contact and control, for space robotics first.

Describe a `System`, `compile` it to a `Model`, `simulate` it, look at the `Run`. Names are imported when first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOMES = {
    "bodies": ("Beam", "Modes", "ReducedBody", "RigidBody"),
    "drives": ("Drive",),
    "errors": ("JourdainError", "ModelError", "SimulationError"),
    "joints": (
        "Cylindrical",
        "Free",
        "Planar",
        "Prismatic",
        "Revolute",
        "Screw",
        "Spherical",
        "Universal",
        "Weld",
    ),
    "laws": ("law",),
    "model": ("Model", "State"),
    "motions": ("Cycloid", "Polynomial", "Sine", "Table"),
    "pose": ("Pose",),
    "run": ("Run",),
    "runfile": ("RunFileError", "RunFileWarning", "load"),
    "shapes": ("Box", "Capsule", "Cone", "Cylinder", "Mesh", "Plane", "Sphere"),
    "simulation": ("simulate",),
    "ensemble": ("simulate_many",),
    "system": ("System",),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}
__all__ = [
    "Beam",
    "Box",
    "Capsule",
    "Cone",
    "Cycloid",
    "Cylinder",
    "Cylindrical",
    "Drive",
    "Free",
    "JourdainError",
    "Mesh",
    "Model",
    "ModelError",
    "Modes",
    "Planar",
    "Plane",
    "Polynomial",
    "Pose",
    "Prismatic",
    "ReducedBody",
    "Revolute",
    "RigidBody",
    "Run",
    "RunFileError",
    "RunFileWarning",
    "Screw",
    "SimulationError",
    "Sine",
    "Sphere",
    "Spherical",
    "State",
    "System",
    "Table",
    "Universal",
    "Weld",
    "__version__",
    "kernels",
    "law",
    "load",
    "simulate",
    "simulate_many",
]

if TYPE_CHECKING:
    from . import kernels
    from .bodies import Beam, Modes, ReducedBody, RigidBody
    from .drives import Drive
    from .ensemble import simulate_many
    from .errors import JourdainError, ModelError, SimulationError
    from .joints import (
        Cylindrical,
        Free,
        Planar,
        Prismatic,
        Revolute,
        Screw,
        Spherical,
        Universal,
        Weld,
    )
    from .laws import law
    from .model import Model, State
    from .motions import Cycloid, Polynomial, Sine, Table
    from .pose import Pose
    from .run import Run
    from .runfile import RunFileError, RunFileWarning, load
    from .shapes import Box, Capsule, Cone, Cylinder, Mesh, Plane, Sphere
    from .simulation import simulate
    from .system import System


def __getattr__(name: str) -> Any:
    if name in _HOME:
        module = importlib.import_module(f".{_HOME[name]}", __name__)
        value = getattr(module, name)
    elif name == "kernels":
        value = importlib.import_module(".kernels", __name__)
    else:
        raise AttributeError(f"module 'jourdain' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
