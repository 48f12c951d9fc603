"""Mechanisms: where machines with loops go, how well and how accurately, parallel robots, crawlers, Denavit-Hartenberg
tables."""

# ruff: noqa: F401
from __future__ import annotations as _annotations

from typing import TYPE_CHECKING as _TYPE_CHECKING

from .basics.lazy_import import lazy_imports as _lazy_imports

__getattr__, __dir__, __all__ = _lazy_imports(__name__)

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
