"""The compiled model functions, for user code that is compiled too.

arrays = model.arrays
ws = jd.kernels.workspace(arrays)
jd.kernels.forward_dynamics(arrays, ws, q, v, effort, out)
"""

from .compiler import gate, need
from .functions import (
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
)
from .layout import ModelArrays, Workspace
from .layout import workspace as _workspace


def workspace(arrays: ModelArrays, dtype: type = float) -> Workspace:
    """Scratch for the kernels of a model, float64 or complex128; compiled functions may then be called with it."""
    need(arrays.features)
    return _workspace(arrays, dtype)


__all__ = [
    "ModelArrays",
    "Workspace",
    "acceleration",
    "bias",
    "centre_of_mass",
    "energy",
    "forward_dynamics",
    "gate",
    "inverse_dynamics",
    "jacobian",
    "marker_motion",
    "mass_matrix",
    "momentum",
    "workspace",
]
