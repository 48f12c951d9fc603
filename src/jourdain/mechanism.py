"""Mechanisms: where machines with loops go, how well and how accurately, parallel robots, crawlers, Denavit-Hartenberg
tables."""

# ruff: noqa: F401
from __future__ import annotations as _annotations

from typing import TYPE_CHECKING as _TYPE_CHECKING

from .basics.lazy_import import lazy_imports as _lazy_imports

_HOMES = {
    "describe.denavit_hartenberg": ("Pair", "from_dh"),
    "describe.joints": ("PoseTable",),
    "methods.mechanism.accuracy": ("Ellipsoid", "PoseErrors", "error_ellipsoid", "pose_errors"),
    "methods.mechanism.assembly_modes": ("AssemblyMode", "assembly_modes"),
    "methods.mechanism.mobility_count": ("Counts", "mobility_counts", "particles"),
    "methods.mechanism.crawling": ("Crawl", "Crawler", "Slide"),
    "methods.mechanism.curve": ("Closure", "Curve"),
    "methods.mechanism.workspace_maps": ("Drives", "WorkspaceMap", "map"),
    "methods.mechanism.motion": ("Kinematics", "LockUp", "accelerations", "positions", "velocities"),
    "methods.mechanism.continuation": ("Path", "PathEvent", "switch_branch", "trace"),
    "methods.mechanism.robots": ("hexapod", "hexapod_joints", "planar_robot", "sliding_platform"),
    "methods.mechanism.pose_tables": ("pose_table",),
    "methods.mechanism.transmission": ("Transmission", "transmission"),
}
__getattr__, __dir__, __all__ = _lazy_imports(__name__, _HOMES)

if _TYPE_CHECKING:
    from .describe.denavit_hartenberg import Pair, from_dh
    from .describe.joints import PoseTable
    from .methods.mechanism.accuracy import Ellipsoid, PoseErrors, error_ellipsoid, pose_errors
    from .methods.mechanism.assembly_modes import AssemblyMode, assembly_modes
    from .methods.mechanism.continuation import Path, PathEvent, switch_branch, trace
    from .methods.mechanism.crawling import Crawl, Crawler, Slide
    from .methods.mechanism.curve import Closure, Curve
    from .methods.mechanism.mobility_count import Counts, mobility_counts, particles
    from .methods.mechanism.motion import Kinematics, LockUp, accelerations, positions, velocities
    from .methods.mechanism.pose_tables import pose_table
    from .methods.mechanism.robots import hexapod, hexapod_joints, planar_robot, sliding_platform
    from .methods.mechanism.transmission import Transmission, transmission
    from .methods.mechanism.workspace_maps import Drives, WorkspaceMap, map
