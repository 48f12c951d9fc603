"""Jourdain: flexible multibody dynamics, contact and control, for space robotics first.

Describe a `System`, `compile` it to a `Model`, `simulate` it, look at the `Run`. Names are imported when first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOMES = {
    "bodies": ("Beam", "DeployableBeam", "Modes", "Rayleigh", "ReducedBody", "RigidBody"),
    "constraints.connections": ("NoSlip", "Rod", "Rolling", "Spring"),
    "constraints.methods": ("Baumgarte", "Projection", "Unstabilised"),
    "constraints.independent": ("reduce_to_independent",),
    "constraints.reductions": ("ConjugateGradients", "Momenta", "NullSpace", "Orthogonal", "Partitioning"),
    "constraints.starting": ("ConstraintWarning",),
    "contact.steps": ("StepWarning",),
    "contact.friction": ("BristleFriction", "CoulombFriction"),
    "contact.estimates": ("Identification",),
    "contact.identification": ("IdentificationWarning", "identify_contact", "identify_friction", "identify_normal"),
    "contact.hertz": ("hertz_stiffness",),
    "contact.materials": ("Material",),
    "contact.record": ("ContactRecord",),
    "contact.normal": ("HertzContact", "HuntCrossleyContact", "LankaraniNikraveshContact", "LinearContact"),
    "contact.user_laws": ("friction_law", "normal_law"),
    "contact.volumetric": ("VolumetricContact",),
    "denavit_hartenberg": ("Pair", "from_dh"),
    "drives": ("Drive",),
    "environment": ("Orbit",),
    "events": ("Event", "EventWarning", "condition"),
    "formats.mistakes": ("ScenarioError",),
    "errors": ("JourdainError", "ModelError", "SimulationError"),
    "implicit": ("BDF", "GeneralizedAlpha", "Newmark", "Radau"),
    "joints": (
        "Cylindrical",
        "Free",
        "Planar",
        "Prismatic",
        "Rail",
        "Revolute",
        "Screw",
        "Spherical",
        "Universal",
        "Weld",
    ),
    "laws": ("law",),
    "many": ("States",),
    "model": ("Model", "State"),
    "motions": ("Cycloid", "Polynomial", "Sine", "Table"),
    "pose": ("Pose",),
    "quantities": ("quantity",),
    "ranges": ("RangeWarning",),
    "run": ("Run",),
    "runfile": ("RunFileError", "RunFileWarning", "load"),
    "shapes": (
        "Box",
        "Capsule",
        "Cell",
        "Cells",
        "Cone",
        "ConvexMesh",
        "Cylinder",
        "Edge",
        "Looks",
        "Mesh",
        "Plane",
        "Sphere",
    ),
    "simulation": ("simulate",),
    "ensemble": ("simulate_many",),
    "study.criteria": ("Criterion",),
    "study.designs": ("Design", "Parameter"),
    "study.evolution": ("Search",),
    "study.limits": ("Limit", "judge"),
    "study.scenario": ("Scenario", "check_scenario", "load_scenario"),
    "study.scoring": ("priorities", "score"),
    "study.study": ("Study", "check_study", "load_study"),
    "study.sweep": ("evolve", "sweep"),
    "system": ("System",),
    "trust": ("Trust", "TrustWarning"),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}
__all__ = [
    "BDF",
    "Baumgarte",
    "Beam",
    "Box",
    "BristleFriction",
    "Capsule",
    "Cell",
    "Cells",
    "Cone",
    "ConjugateGradients",
    "ConstraintWarning",
    "ContactRecord",
    "ConvexMesh",
    "CoulombFriction",
    "Criterion",
    "Cycloid",
    "Cylinder",
    "Cylindrical",
    "DeployableBeam",
    "Design",
    "Drive",
    "Edge",
    "Event",
    "EventWarning",
    "Free",
    "GeneralizedAlpha",
    "HertzContact",
    "HuntCrossleyContact",
    "Identification",
    "IdentificationWarning",
    "JourdainError",
    "LankaraniNikraveshContact",
    "Limit",
    "LinearContact",
    "Looks",
    "Material",
    "Mesh",
    "Model",
    "ModelError",
    "Modes",
    "Momenta",
    "Newmark",
    "NoSlip",
    "NullSpace",
    "Orbit",
    "Orthogonal",
    "Pair",
    "Parameter",
    "Partitioning",
    "Planar",
    "Plane",
    "Polynomial",
    "Pose",
    "Prismatic",
    "Projection",
    "Radau",
    "Rail",
    "RangeWarning",
    "Rayleigh",
    "ReducedBody",
    "Revolute",
    "RigidBody",
    "Rod",
    "Rolling",
    "Run",
    "RunFileError",
    "RunFileWarning",
    "Scenario",
    "ScenarioError",
    "Screw",
    "Search",
    "SimulationError",
    "Sine",
    "Sphere",
    "Spherical",
    "Spring",
    "State",
    "States",
    "StepWarning",
    "Study",
    "System",
    "Table",
    "Trust",
    "TrustWarning",
    "Universal",
    "Unstabilised",
    "VolumetricContact",
    "Weld",
    "__version__",
    "check_scenario",
    "check_study",
    "condition",
    "control",
    "evolve",
    "friction_law",
    "from_dh",
    "hertz_stiffness",
    "identify_contact",
    "identify_friction",
    "identify_normal",
    "judge",
    "kernels",
    "law",
    "load",
    "load_scenario",
    "load_study",
    "mechanism",
    "normal_law",
    "priorities",
    "quantity",
    "reduce_to_independent",
    "score",
    "simulate",
    "simulate_many",
    "sweep",
    "worksites",
]

if TYPE_CHECKING:
    from . import control, kernels, mechanism, worksites
    from .bodies import Beam, DeployableBeam, Modes, Rayleigh, ReducedBody, RigidBody
    from .constraints.connections import NoSlip, Rod, Rolling, Spring
    from .constraints.independent import reduce_to_independent
    from .constraints.methods import Baumgarte, Projection, Unstabilised
    from .constraints.reductions import ConjugateGradients, Momenta, NullSpace, Orthogonal, Partitioning
    from .constraints.starting import ConstraintWarning
    from .contact.estimates import Identification
    from .contact.friction import BristleFriction, CoulombFriction
    from .contact.hertz import hertz_stiffness
    from .contact.identification import (
        IdentificationWarning,
        identify_contact,
        identify_friction,
        identify_normal,
    )
    from .contact.materials import Material
    from .contact.normal import HertzContact, HuntCrossleyContact, LankaraniNikraveshContact, LinearContact
    from .contact.record import ContactRecord
    from .contact.steps import StepWarning
    from .contact.user_laws import friction_law, normal_law
    from .contact.volumetric import VolumetricContact
    from .denavit_hartenberg import Pair, from_dh
    from .drives import Drive
    from .ensemble import simulate_many
    from .environment import Orbit
    from .errors import JourdainError, ModelError, SimulationError
    from .events import Event, EventWarning, condition
    from .formats.mistakes import ScenarioError
    from .implicit import BDF, GeneralizedAlpha, Newmark, Radau
    from .joints import (
        Cylindrical,
        Free,
        Planar,
        Prismatic,
        Rail,
        Revolute,
        Screw,
        Spherical,
        Universal,
        Weld,
    )
    from .laws import law
    from .many import States
    from .model import Model, State
    from .motions import Cycloid, Polynomial, Sine, Table
    from .pose import Pose
    from .quantities import quantity
    from .ranges import RangeWarning
    from .run import Run
    from .runfile import RunFileError, RunFileWarning, load
    from .shapes import Box, Capsule, Cell, Cells, Cone, ConvexMesh, Cylinder, Edge, Looks, Mesh, Plane, Sphere
    from .simulation import simulate
    from .study.criteria import Criterion
    from .study.designs import Design, Parameter
    from .study.evolution import Search
    from .study.limits import Limit, judge
    from .study.scenario import Scenario, check_scenario, load_scenario
    from .study.scoring import priorities, score
    from .study.study import Study, check_study, load_study
    from .study.sweep import evolve, sweep
    from .system import System
    from .trust import Trust, TrustWarning


def __getattr__(name: str) -> Any:
    if name in _HOME:
        from .arguments import checked

        value = checked(getattr(importlib.import_module(f".{_HOME[name]}", __name__), name))
    elif name in ("control", "kernels", "mechanism", "worksites"):
        value = importlib.import_module(f".{name}", __name__)
    else:
        raise AttributeError(f"module 'jourdain' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
