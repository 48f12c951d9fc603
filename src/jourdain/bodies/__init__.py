"""Kinds of bodies, all behind the contract of `jourdain.bodies.base.Body`."""

from __future__ import annotations

from typing import Any

from ..errors import ModelError
from ..values import shown
from .base import DEPLOYING, MODAL, RIGID, SLICED, Body, BodyData, MarkerData
from .beam import Beam
from .deployable import DeployableBeam
from .rayleigh import Rayleigh
from .reduced import ReducedBody
from .rigid import RigidBody
from .section import Modes

__all__ = [
    "DEPLOYING",
    "KINDS",
    "MODAL",
    "RIGID",
    "SLICED",
    "Beam",
    "Body",
    "BodyData",
    "DeployableBeam",
    "MarkerData",
    "Modes",
    "Rayleigh",
    "ReducedBody",
    "RigidBody",
    "body_from_dict",
]

KINDS: dict[str, type[Body]] = {
    "rigid": RigidBody,
    "beam": Beam,
    "deployable": DeployableBeam,
    "reduced": ReducedBody,
}
"""What the ``kind`` of a written body stands for."""


def body_from_dict(data: Any, address: str = "body") -> Body:
    """The body that its `to_dict` wrote."""
    kind = data.get("kind") if isinstance(data, dict) else data
    if not isinstance(kind, str) or kind not in KINDS:
        raise ModelError.at(address, f"kind is {shown(kind)}; it must be one of {', '.join(KINDS)}")
    return KINDS[kind].from_dict(data, address)
