"""Errors and warnings, and the verdict on a run."""

# ruff: noqa: F401
from __future__ import annotations as _annotations

from typing import TYPE_CHECKING as _TYPE_CHECKING

from .basics.lazy_import import lazy_imports as _lazy_imports

__getattr__, __dir__, __all__ = _lazy_imports(__name__)

if _TYPE_CHECKING:
    from .basics.errors import (
        JourdainError,
        LawIndexError,
        ModelError,
        OptimisationError,
        SimulationError,
        StopReason,
    )
    from .describe.events import EventWarning
    from .describe.solids.fe_mesh import MeshWarning
    from .files.imports.imported import LostMechanicsWarning
    from .files.problems import ScenarioError
    from .model.linear.modes import ModesWarning
    from .model.linear.strings import SlopesWarning
    from .model.start_state_limits import JointLimitWarning
    from .results.run_file import RunFileError, RunFileWarning
    from .results.trust import Trust, TrustWarning
    from .run.recording import RangeWarning
