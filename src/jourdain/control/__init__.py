"""Controllers, sensors, references and the design of both."""

# ruff: noqa: F401
from __future__ import annotations as _annotations

from typing import TYPE_CHECKING as _TYPE_CHECKING

from ..basics.lazy_import import lazy_imports as _lazy_imports

_HOMES = {
    "control.controller": ("Controller",),
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
    "control.impedance": ("Cartesian", "Impedance"),
    "control.computed_torque": ("ComputedTorque",),
    "control.pid": ("PD", "PID"),
    "control.tip_task": ("SingularTaskWarning",),
    "control.sampled": ("Sampled",),
    "control.feedback": ("LQG", "LQR", "Observer", "StateFeedback"),
    "control.filters": ("Filter", "Filtered"),
    "control.kinematics": ("inverse_kinematics", "resolved_rate"),
    "control.logarithmic_norms": (
        "Certificate",
        "DelayBound",
        "certify",
        "certify_delays",
        "delay_bound",
        "log_norm",
        "norm_weight",
        "solution_bound",
    ),
    "control.linear_quadratic": ("discretize", "kalman", "lqr"),
    "control.paths": ("Circle", "Line", "Sequence", "Via"),
    "control.hand_controller": ("HandController",),
    "control.predictive": ("GPC", "Predictive", "allocate"),
    "control.shaping": ("Shaper",),
    "control.sensors": ("ForceSensor", "JointSensor", "PoseSensor"),
}
__getattr__, __dir__, __all__ = _lazy_imports(__name__, _HOMES)

if _TYPE_CHECKING:
    from .accommodation import ForceMomentAccommodation
    from .antagonists import Antagonists, JointImpedance
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
    from .computed_torque import ComputedTorque
    from .controller import Controller
    from .feedback import LQG, LQR, Observer, StateFeedback
    from .filters import Filter, Filtered
    from .hand_controller import HandController
    from .impedance import Cartesian, Impedance
    from .kinematics import inverse_kinematics, resolved_rate
    from .linear_quadratic import discretize, kalman, lqr
    from .logarithmic_norms import (
        Certificate,
        DelayBound,
        certify,
        certify_delays,
        delay_bound,
        log_norm,
        norm_weight,
        solution_bound,
    )
    from .paths import Circle, Line, Sequence, Via
    from .pid import PD, PID
    from .predictive import GPC, Predictive, allocate
    from .sampled import Sampled
    from .sensors import ForceSensor, JointSensor, PoseSensor
    from .shaping import Shaper
    from .tip_task import SingularTaskWarning
