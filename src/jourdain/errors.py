"""Errors and warnings, and the verdict on a run."""

# ruff: noqa: F401
from __future__ import annotations as _annotations

from typing import TYPE_CHECKING as _TYPE_CHECKING

from .basics.lazy_import import lazy_imports as _lazy_imports

_HOMES = {
    "basics.errors": ("JourdainError", "LawIndexError", "ModelError", "OptimisationError", "SimulationError"),
    "describe.events": ("EventWarning",),
    "describe.solids.fe_mesh": ("MeshWarning",),
    "files.imports.imported": ("LostMechanicsWarning",),
    "files.problems": ("ScenarioError",),
    "model.joint_limits": ("JointLimitWarning",),
    "model.linear.modes": ("ModesWarning",),
    "model.linear.strings": ("SlopesWarning",),
    "results.run_file": ("RunFileError", "RunFileWarning"),
    "results.trust": ("Trust", "TrustWarning"),
    "run.recording": ("RangeWarning",),
}
__getattr__, __dir__, __all__ = _lazy_imports(__name__, _HOMES)

if _TYPE_CHECKING:
    from .basics.errors import JourdainError, LawIndexError, ModelError, OptimisationError, SimulationError
    from .describe.events import EventWarning
    from .describe.solids.fe_mesh import MeshWarning
    from .files.imports.imported import LostMechanicsWarning
    from .files.problems import ScenarioError
    from .model.joint_limits import JointLimitWarning
    from .model.linear.modes import ModesWarning
    from .model.linear.strings import SlopesWarning
    from .results.run_file import RunFileError, RunFileWarning
    from .results.trust import Trust, TrustWarning
    from .run.recording import RangeWarning
