"""The compiled model functions, for user code that is compiled too.

arrays = model.arrays
ws = jd.kernels.workspace(arrays)
jd.kernels.forward_dynamics(arrays, ws, q, v, effort, out)
"""

from .compiler import gate
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
from .layout import ModelArrays, Workspace, workspace

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
