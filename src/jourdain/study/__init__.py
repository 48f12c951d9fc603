"""Scenarios in files, and studies of many runs: sweeps, searches, limits, scores and reports."""

# ruff: noqa: F401
from __future__ import annotations as _annotations

from typing import TYPE_CHECKING as _TYPE_CHECKING

from ..basics.lazy_import import lazy_imports as _lazy_imports

__getattr__, __dir__, __all__ = _lazy_imports(__name__)

if _TYPE_CHECKING:
    from ..files.problems import ScenarioError
    from ..methods.identification.modal_fit import identify_modes
    from ..methods.identification.responses import estimate_response, identify_response, reconstruct_input
    from .fit.logs import Log, read_log
    from .fit.measurements import Measurement
    from .fit.model_fit import identify
    from .scenario.limits import Limit, judge
    from .scenario.scenario import Scenario
    from .scenario.scenario_file import check_scenario, load_scenario
    from .sweeps.criteria import Criterion
    from .sweeps.designs import Design, Parameter
    from .sweeps.evolution import Search
    from .sweeps.non_dominated import Pareto, crowding, fronts, pareto
    from .sweeps.scoring import priorities, score
    from .sweeps.study import Study
    from .sweeps.study_file import check_study, load_study
    from .sweeps.sweep import evolve, sweep
