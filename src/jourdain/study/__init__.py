"""Scenarios in files, and studies of many runs: sweeps, searches, limits, scores and reports."""

# ruff: noqa: F401
from __future__ import annotations as _annotations

from typing import TYPE_CHECKING as _TYPE_CHECKING

from ..basics.lazy_import import lazy_imports as _lazy_imports

_HOMES = {
    "files.problems": ("ScenarioError",),
    "methods.identification.modal_fit": ("identify_modes",),
    "methods.identification.response_fit": ("identify_response",),
    "methods.identification.responses": ("estimate_response", "reconstruct_input"),
    "study.criteria": ("Criterion",),
    "study.designs": ("Design", "Parameter"),
    "study.evolution": ("Search",),
    "study.model_fit": ("identify",),
    "study.limits": ("Limit", "judge"),
    "study.logs": ("Log", "read_log"),
    "study.measurements": ("Measurement",),
    "study.non_dominated": ("Pareto", "crowding", "fronts", "pareto"),
    "study.scenario": ("Scenario",),
    "study.scenario_file": ("check_scenario", "load_scenario"),
    "study.scoring": ("priorities", "score"),
    "study.study": ("Study",),
    "study.study_file": ("check_study", "load_study"),
    "study.sweeps": ("evolve", "sweep"),
}
__getattr__, __dir__, __all__ = _lazy_imports(__name__, _HOMES)

if _TYPE_CHECKING:
    from ..files.problems import ScenarioError
    from ..methods.identification.modal_fit import identify_modes
    from ..methods.identification.response_fit import identify_response
    from ..methods.identification.responses import estimate_response, reconstruct_input
    from .criteria import Criterion
    from .designs import Design, Parameter
    from .evolution import Search
    from .limits import Limit, judge
    from .logs import Log, read_log
    from .measurements import Measurement
    from .model_fit import identify
    from .non_dominated import Pareto, crowding, fronts, pareto
    from .scenario import Scenario
    from .scenario_file import check_scenario, load_scenario
    from .scoring import priorities, score
    from .study import Study
    from .study_file import check_study, load_study
    from .sweeps import evolve, sweep
