"""The first result that a new user sees, and the scenarios that come with Jourdain."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .scenario.run_scenario import Outcome
    from .scenario.scenario import Scenario

SCENARIOS = Path(__file__).resolve().parents[1] / "scenarios"
"""Folder of the scenario files that are part of the package."""
FLAGSHIP = "flagship"


def shipped(name: str = FLAGSHIP) -> Scenario:
    """A scenario that comes with the package, by the name of its file."""
    from .scenario.scenario_file import load_scenario

    return load_scenario(SCENARIOS / f"{name}.yaml")


def run_demo(out: Path, **options: Any) -> Outcome:
    """The flagship: its runs, figures and report, written into the folder `out` as `jourdain run` does.

    options    of `jourdain.study.scenario.run_scenario.run_scenario`
    """
    from .scenario.run_scenario import run_scenario

    return run_scenario(shipped(), out, **options)
