"""Kinds of bodies, all behind the contract of `jourdain.describe.bodies.base.Body`."""

from __future__ import annotations

from .base import BODIES, Body, BodyData, MarkerData, body_from_dict
from .beam import Beam
from .cable import Cable
from .deployable import DeployableBeam
from .rayleigh import Rayleigh
from .reduced import ReducedBody
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
__all__ += ["ReducedBody", "RigidBody", "Shell", "Solid", "body_from_dict"]
