"""The compiled model functions, for user code that is compiled too.

arrays = model.arrays
ws = jd.kernels.workspace(arrays)
jd.kernels.forward_dynamics(arrays, ws, q, v, effort, out)
"""

# ruff: noqa: F401
from __future__ import annotations as _annotations

from typing import TYPE_CHECKING as _TYPE_CHECKING

from ..basics.lazy_import import lazy_imports as _lazy_imports

__getattr__, __dir__, __all__ = _lazy_imports(__name__)

if _TYPE_CHECKING:
    from .model_arrays import ModelArrays, Workspace
    from .public import (
        acceleration,
        bias,
        centre_of_mass,
        energy,
        forward_dynamics,
        inverse_dynamics,
        jacobian,
        marker_motion,
        mass_matrix,
        momentum,
        workspace,
    )
    from .user_functions import entry_point
