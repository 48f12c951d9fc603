"""Kinds of bodies, all behind the contract of `jourdain.describe.bodies.body.Body`.

Kinds that were added later (`kernels.kind_registry.ADDED_BODIES`) have modules of the same name; their
classes are found here without being named.
"""

# ruff: noqa: F401
from __future__ import annotations

from ...kernels.kind_registry import ADDED_BODIES as _FIRST
from ...kernels.kind_registry import BODIES as _WORDS
from .body import BODIES, Body, BodyData, MarkerData, body_from_dict
from .finite_element.solid import Solid
from .floating_frame.beam import Beam
from .floating_frame.cross_section import Modes
from .floating_frame.deployable_beam import DeployableBeam
from .floating_frame.rayleigh import Rayleigh
from .floating_frame.reduced_body import ReducedBody
from .nodal_coordinates.ale_cable import AleCable
from .nodal_coordinates.cable import Cable
from .nodal_coordinates.nodal_beam import NodalBeam
from .nodal_coordinates.shell import Membrane, Plate, Shell
from .rigid import RigidBody

globals().update(BODIES.bring(__name__, _WORDS[_FIRST:]))
