"""Kinds of bodies, all behind the contract of `jourdain.describe.bodies.base.Body`.

Kinds that were added later (`kernels.codes.ADDED_BODIES`) have modules that are named by their word; their classes are
found here without being named.
"""

from __future__ import annotations

from ...kernels.codes import ADDED_BODIES as _FIRST
from ...kernels.codes import BODIES as _WORDS
from .base import BODIES, Body, BodyData, MarkerData, body_from_dict
from .beam import Beam
from .cable import Cable
from .deployable import DeployableBeam
from .rayleigh import Rayleigh
from .reduced import ReducedBody
from .reeled import Reeled
from .rigid import RigidBody
from .rod import NodalBeam
from .section import Modes
from .shell import Membrane, Plate, Shell
from .solid import Solid

__all__ = [
    "BODIES",
    "Beam",
    "Body",
    "BodyData",
    "Cable",
    "DeployableBeam",
    "MarkerData",
    "Membrane",
    "Modes",
    "NodalBeam",
    "Plate",
    "Rayleigh",
]
__all__ += ["ReducedBody", "Reeled", "RigidBody", "Shell", "Solid", "body_from_dict"]
globals().update(BODIES.bring(__name__, _WORDS[_FIRST:]))
