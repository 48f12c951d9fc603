"""Jourdain: flexible multibody dynamics, contact and control, for space robotics first.

Describe a `System`, `compile` it to a `Model`, `simulate` it, look at the `Run`. What is used every day is here; the
rest is in namespaces: `jd.contact`, `jd.constraints`, `jd.control`, `jd.cosimulation`, `jd.export`, `jd.human`,
`jd.implicit`, `jd.mechanism`, `jd.mesh`, `jd.optimal`, `jd.shapes`, `jd.study`, `jd.worksites`, `jd.errors`, and
`jd.kernels` for compiled user code. Names are imported when first used.
"""

# ruff: noqa: F401
from __future__ import annotations as _annotations

from typing import TYPE_CHECKING as _TYPE_CHECKING

from .basics.lazy_import import lazy_imports as _lazy_imports
from .basics.version import __version__

__getattr__, __dir__, __all__ = _lazy_imports(__name__, kinds=("describe.joints:JOINTS", "describe.bodies:BODIES"))

if _TYPE_CHECKING:
    from . import (
        constraints,
        contact,
        control,
        cosimulation,
        errors,
        export,
        human,
        implicit,
        kernels,
        mechanism,
        mesh,
        optimal,
        shapes,
        study,
        worksites,
    )
    from .basics.errors import JourdainError
    from .basics.pose import Pose
    from .cosimulation.fmu import Fmu
    from .describe.bodies import (
        Beam,
        Cable,
        DeployableBeam,
        Membrane,
        Modes,
        NodalBeam,
        Plate,
        Rayleigh,
        ReducedBody,
        RigidBody,
        Shell,
        Solid,
    )
    from .describe.conditions import condition
    from .describe.contact.friction import BristleFriction, CoulombFriction
    from .describe.contact.materials import Material
    from .describe.contact.normal import HertzContact
    from .describe.contact.volumetric import VolumetricContact
    from .describe.drives import Drive
    from .describe.environment import Orbit
    from .describe.events import Event
    from .describe.joints import (
        Cylindrical,
        Free,
        Planar,
        Prismatic,
        Rail,
        Revolute,
        Screw,
        Spherical,
        TableJoint,
        Universal,
        Weld,
        Winch,
    )
    from .describe.laws import law
    from .describe.line_loads import Electrodynamic
    from .describe.motions import Cycloid, Polynomial, Sine, Table
    from .describe.net import Net
    from .describe.shapes import Box, Capsule, Cells, Cone, Cylinder, Mesh, Plane, Sphere
    from .describe.system import System
    from .methods.identification.excitation import excite
    from .methods.identification.sensitivity import sensitivity
    from .model.batch import States
    from .model.model import Model
    from .model.state import State
    from .results.load import load
    from .results.quantities import quantity
    from .results.run import Run
    from .run.ensemble import simulate_many
    from .run.simulate import simulate
    from .study.fit.model_fit import identify
    from .study.scenario.scenario_file import load_scenario
    from .study.sweeps.design_optimum import optimise_design
    from .study.sweeps.sweep import sweep
