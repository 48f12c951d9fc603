"""Contact: laws of the normal force and of friction, stiffness from materials, and parameters from records."""

# ruff: noqa: F401
from __future__ import annotations as _annotations

from typing import TYPE_CHECKING as _TYPE_CHECKING

from .basics.lazy_import import lazy_imports as _lazy_imports

__getattr__, __dir__, __all__ = _lazy_imports(__name__)

if _TYPE_CHECKING:
    from .describe.contact.friction import BristleFriction, CoulombFriction
    from .describe.contact.hertz import hertz_stiffness
    from .describe.contact.materials import Material
    from .describe.contact.multipliers import MultiplierContact
    from .describe.contact.normal import (
        HertzContact,
        HuntCrossleyContact,
        LankaraniNikraveshContact,
        LinearContact,
        PressureContact,
    )
    from .describe.contact.rolling import RollingPatch, rolling_patch
    from .describe.contact.tyres import Road, Tyre, tyre
    from .describe.contact.user_laws import friction_law, normal_law
    from .describe.contact.volumetric import VolumetricContact
    from .describe.contact.wheel_rail import Profile, Wheelset, find_contact, wheelset
    from .methods.identification.contact import (
        IdentificationWarning,
        identify_contact,
        identify_friction,
        identify_normal,
    )
    from .methods.identification.contact_record import ContactRecord
    from .methods.identification.estimates import Identification
    from .run.contact_steps import StepWarning
