"""What a user says of joints: their axes, springs, dampers, dry friction, limits and drives.

Kinds that were added later (`kernels.kind_registry.ADDED_JOINTS`) have modules of the same name; their
classes are found here without being named.
"""

# ruff: noqa: F401
from __future__ import annotations

from ...kernels.kind_registry import ADDED_JOINTS as _FIRST
from ...kernels.kind_registry import JOINTS as _WORDS
from .joint import JOINTS, Joint, joint_from_dict, plane_axes, unit
from .one_axis import Prismatic, Rail, Revolute, Screw
from .pose_table import PoseTable, TableJoint
from .several_axes import Cylindrical, Free, Planar, Spherical, Universal, Weld
from .winch import Winch

globals().update(JOINTS.bring(__name__, _WORDS[_FIRST:]))
