"""Mechanisms: where a machine with loops goes when its drivers move, systems from Denavit-Hartenberg tables, and
crawling on a rough plane."""

# ruff: noqa: F401
from __future__ import annotations as _annotations

from typing import TYPE_CHECKING as _TYPE_CHECKING

from .basics.door import door as _door

_HOMES = {
    "describe.denavit_hartenberg": ("Pair", "from_dh"),
    "describe.joints": ("PoseTable",),
    "methods.mechanism.closures": ("AssemblyMode", "assembly_modes"),
    "methods.mechanism.crawling": ("Crawl", "Crawler", "Slide"),
    "methods.mechanism.curve": ("Closure", "Curve"),
    "methods.mechanism.motion": ("Kinematics", "LockUp", "accelerations", "positions", "velocities"),
    "methods.mechanism.path": ("Path", "PathEvent", "switch_branch", "trace"),
    "methods.mechanism.tables": ("pose_table",),
}
__getattr__, __dir__, __all__ = _door(__name__, _HOMES)

if _TYPE_CHECKING:
    from .describe.denavit_hartenberg import Pair, from_dh
    from .describe.joints import PoseTable
    from .methods.mechanism.closures import AssemblyMode, assembly_modes
    from .methods.mechanism.crawling import Crawl, Crawler, Slide
    from .methods.mechanism.curve import Closure, Curve
    from .methods.mechanism.motion import Kinematics, LockUp, accelerations, positions, velocities
    from .methods.mechanism.path import Path, PathEvent, switch_branch, trace
    from .methods.mechanism.tables import pose_table
