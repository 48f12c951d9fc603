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
    "study.sweeps.criteria": ("Criterion",),
    "study.sweeps.designs": ("Design", "Parameter"),
    "study.sweeps.evolution": ("Search",),
    "study.fit.model_fit": ("identify",),
    "study.scenario.limits": ("Limit", "judge"),
    "study.fit.logs": ("Log", "read_log"),
    "study.fit.measurements": ("Measurement",),
    "study.sweeps.non_dominated": ("Pareto", "crowding", "fronts", "pareto"),
    "study.scenario.scenario": ("Scenario",),
    "study.scenario.scenario_file": ("check_scenario", "load_scenario"),
    "study.sweeps.scoring": ("priorities", "score"),
    "study.sweeps.study": ("Study",),
    "study.sweeps.study_file": ("check_study", "load_study"),
    "study.sweeps.sweep": ("evolve", "sweep"),
}
__getattr__, __dir__, __all__ = _lazy_imports(__name__, _HOMES)

if _TYPE_CHECKING:
    from ..files.problems import ScenarioError
    from ..methods.identification.modal_fit import identify_modes
    from ..methods.identification.response_fit import identify_response
    from ..methods.identification.responses import estimate_response, reconstruct_input
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
