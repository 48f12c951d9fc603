"""Controllers, sensors, references and the design of both."""

# ruff: noqa: F401
from __future__ import annotations as _annotations

from typing import TYPE_CHECKING as _TYPE_CHECKING

from ..basics.door import door as _door

_HOMES = {
    "control.base": ("Controller",),
    "control.accommodation": ("ForceMomentAccommodation",),
    "control.antagonists": ("Antagonists", "JointImpedance"),
    "control.certificates": (
        "MapCertificate",
        "PerturbedCertificate",
        "certify_comparison",
        "certify_map",
        "certify_perturbed",
        "map_weight",
    ),
    "control.compliance": ("LaggedCompliance",),
    "control.composite": ("Composite",),
    "control.delays": ("DelayBound", "certify_delays", "delay_bound"),
    "control.impedance": ("Cartesian", "Impedance"),
    "control.linearising": ("ComputedTorque",),
    "control.regulators": ("PD", "PID"),
    "control.task": ("SingularTaskWarning",),
    "control.sampled": ("Sampled",),
    "control.feedback": ("LQG", "LQR", "Observer", "StateFeedback"),
    "control.filters": ("Filter", "Filtered"),
    "control.kinematics": ("inverse_kinematics", "resolved_rate"),
    "control.lognorm": ("Certificate", "certify", "log_norm", "norm_weight", "solution_bound"),
    "control.optimal": ("discretize", "kalman", "lqr"),
    "control.paths": ("Circle", "Line", "Sequence", "Via"),
    "control.pilot": ("HandController",),
    "control.predictive": ("GPC", "Predictive", "allocate"),
    "control.shaping": ("Shaper",),
    "control.sensors": ("ForceSensor", "JointSensor", "PoseSensor"),
}
__getattr__, __dir__, __all__ = _door(__name__, _HOMES)

if _TYPE_CHECKING:
    from .accommodation import ForceMomentAccommodation
    from .antagonists import Antagonists, JointImpedance
    from .base import Controller
    from .certificates import (
        MapCertificate,
        PerturbedCertificate,
        certify_comparison,
        certify_map,
        certify_perturbed,
        map_weight,
    )
    from .compliance import LaggedCompliance
    from .composite import Composite
    from .delays import DelayBound, certify_delays, delay_bound
    from .feedback import LQG, LQR, Observer, StateFeedback
    from .filters import Filter, Filtered
    from .impedance import Cartesian, Impedance
    from .kinematics import inverse_kinematics, resolved_rate
    from .linearising import ComputedTorque
    from .lognorm import Certificate, certify, log_norm, norm_weight, solution_bound
    from .optimal import discretize, kalman, lqr
    from .paths import Circle, Line, Sequence, Via
    from .pilot import HandController
    from .predictive import GPC, Predictive, allocate
    from .regulators import PD, PID
    from .sampled import Sampled
    from .sensors import ForceSensor, JointSensor, PoseSensor
    from .shaping import Shaper
    from .task import SingularTaskWarning
