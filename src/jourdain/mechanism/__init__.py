"""Mechanism kinematics: where a machine with loops goes when its drivers move, and what its loops allow.

positions          position, velocity, acceleration and reactions over a list of times
velocities         at one state
accelerations      at one state
trace              the curve of all closures, through lock-ups and crossings of branches
switch_branch      onto the other branch at a crossing
assembly_modes     the distinct ways to close the loops
"""

from __future__ import annotations

from ..arguments import checked
from .closures import AssemblyMode, assembly_modes
from .curve import Closure, Curve
from .motion import Kinematics, LockUp, accelerations, positions, velocities
from .path import Path, PathEvent, switch_branch, trace

__all__ = [
    "AssemblyMode",
    "Closure",
    "Curve",
    "Kinematics",
    "LockUp",
    "Path",
    "PathEvent",
    "accelerations",
    "assembly_modes",
    "positions",
    "switch_branch",
    "trace",
    "velocities",
]

globals().update({name: checked(globals()[name]) for name in __all__})
