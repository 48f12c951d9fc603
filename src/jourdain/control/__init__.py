"""Controllers, sensors, references and the design of both."""

# ruff: noqa: F401
from __future__ import annotations as _annotations

from typing import TYPE_CHECKING as _TYPE_CHECKING

from ..basics.lazy_import import lazy_imports as _lazy_imports

__getattr__, __dir__, __all__ = _lazy_imports(__name__)

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
    from .state_feedback import LQG, LQR, Observer, StateFeedback
    from .tip_task import SingularTaskWarning
