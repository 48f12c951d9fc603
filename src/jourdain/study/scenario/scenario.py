"""A scenario: a task described in a file, with everything that it takes to run and to judge it."""

from __future__ import annotations

import hashlib
import inspect
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...basics.arguments import checked
from ...basics.errors import ModelError, Problem
from ...basics.values import suggestion
from ...files.problems import Mistake, ScenarioError
from ...model.state import State
from ...results.trust import TOLERANCE
from .limits import Limit

if TYPE_CHECKING:
    from ...describe.motions import Motion
    from ...describe.system import System
    from ...methods.optimal.trajectory import Trajectory
    from ...model.model import Model
    from ...results.run import Record, Run
    from ...run.plan import Plan


TIMING = ("until", "step", "method", "output", "rtol", "atol", "max_step")
JUDGED = ("step_check", "energy_tolerance")
"""Options of `jourdain.simulate` that a scenario has: those of its steps, and those by which a run is trusted."""


@dataclass(frozen=True)
class Panel:
    """A figure of a report.

    title         above it
    quantities    names of `jourdain.results.quantities`, drawn over one time axis
    """

    title: str
    quantities: tuple[str, ...]


@dataclass(frozen=True)
class Replay:
    """How the moving picture of a scenario is shown at first.

    camera     address of the frame that the inset looks from, along its x; None for no inset
    magnify    how many times as large deflections are drawn
    ghost      name of the variant that is shown beside it, translucent; None for none
    earth      whether the Earth is drawn, in an orbit
    follow     address of the frame that the main view keeps in its middle; None for a view at rest
    """

    camera: str | None = None
    magnify: float = 1.0
    ghost: str | None = None
    earth: bool = True
    follow: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return dict(vars(self))


@checked
@dataclass(eq=False)
class Scenario:
    """A task: a system, what it does, for how long, and what is wanted of it.

    name, task    title, and a description in plain text
    system        as it was described; `model` is compiled from it when first needed
    q, v, time    the state at the start, as `Model.state` takes it
    until ...     as `jourdain.simulate` takes them
    control       a controller, a list of them, None, or a function of no arguments that makes it when it is needed
    optimise      what is planned before it is simulated, in the words of the section `optimise:`
    limits        what the run is judged by
    figures       what its report shows
    frames        addresses whose motion is listed
    replay        how it is shown
    export        inputs, outputs, step and method of the exported model
    variants      the same with other values at some addresses, by name
    variant       name of this variant; "" for the scenario itself
    overrides     values that were changed at addresses of the file when it was read
    path, text    the file that it was read from, and what that said
    files         names and texts of further files that it was read from
    compiled      the model, where it is compiled already
    locate        finds the lines of problems that a run meets, where there is a file
    """

    name: str
    system: System
    until: float
    task: str = ""
    q: Mapping[str, Any] = field(default_factory=dict)
    v: Mapping[str, Any] = field(default_factory=dict)
    time: float = 0.0
    step: float | None = None
    method: str | None = None
    output: float | None = None
    rtol: float = 1e-9
    atol: float = 1e-11
    max_step: float | None = None
    step_check: str = "refuse"
    energy_tolerance: float = TOLERANCE
    motions: dict[str, Motion] = field(default_factory=dict)
    control: Any = None
    events: list[Any] = field(default_factory=list)
    limits: list[Limit] = field(default_factory=list)
    figures: list[Panel] = field(default_factory=list)
    frames: list[str] = field(default_factory=list)
    replay: Replay = field(default_factory=Replay)
    export: Mapping[str, Any] = field(default_factory=dict)
    optimise: Mapping[str, Any] = field(default_factory=dict)
    variants: dict[str, Scenario] = field(default_factory=dict)
    variant: str = ""
    overrides: dict[str, str] = field(default_factory=dict)
    path: Path | None = None
    text: str = ""
    files: dict[str, str] = field(default_factory=dict)
    compiled: Model | None = None
    locate: Callable[[Iterable[Problem]], list[Mistake]] | None = None

    @cached_property
    def model(self) -> Model:
        """The compiled system."""
        return self.system.compile() if self.compiled is None else self.compiled

    @cached_property
    def controller(self) -> Any:
        """The controller, or a list of them, or None; made when first needed."""
        made = inspect.isfunction(self.control) and not getattr(self.control, "is_law", False)
        return self.control() if made else self.control

    @cached_property
    def state(self) -> State:
        """The state at the start."""
        made = self.model.state(q=dict(self.q), v=dict(self.v), time=self.time)
        made.warned_of = ()
        return made

    @cached_property
    def trajectory(self) -> Trajectory:
        """What the section `optimise:` asks for; planned when first needed."""
        from .optimise_section import planned

        return planned(self)

    @property
    def start(self) -> State:
        """Where a run begins: the state, or where what was planned does."""
        return self.trajectory.first if self.optimise else self.state

    @property
    def hash(self) -> str:
        """SHA-256 of the file's text."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    def about(self) -> dict[str, Any]:
        """What reports, verdicts and comparisons need of the scenario, as JSON can hold it."""
        return {
            "name": self.name,
            "task": self.task,
            "variant": self.variant,
            "overrides": dict(self.overrides),
            "limits": [limit.to_dict() for limit in self.limits],
            "figures": [{"title": one.title, "quantities": list(one.quantities)} for one in self.figures],
            "frames": list(self.frames),
            "replay": self.replay.to_dict(),
            "hash": self.hash,
            "file": None if self.path is None else self.path.name,
            "text": self.text,
            "files": {name: hashlib.sha256(text.encode()).hexdigest() for name, text in self.files.items()},
        }

    def options(self) -> dict[str, Any]:
        """What `jourdain.simulate` is told besides model, state and what is done with the result."""
        from .optimise_section import controlled

        stated = {name: getattr(self, name) for name in (*TIMING, *JUDGED)} | {
            "motions": self.motions,
            "controller": self.controller,
            "events": self.events,
        }
        return controlled(self, stated) if self.optimise else stated

    def plan(self) -> Plan:
        """The options of the run, checked and completed, controllers bound; errors have the lines of the file."""
        from ...run.plan import Plan

        with self.errors_with_lines():
            return Plan(self.model, self.start, **self.options()).prepare()

    def check(self) -> None:
        """All that a run would refuse, found without one: a `ScenarioError`, or a `ModelError` where there is no file.

        Takes compiled kernels, which the first time are compiled for some minutes.
        """
        plan = self.plan()
        known = [*plan.model.names.z, *plan.laws.names]
        names = [limit.quantity for limit in self.limits] + [name for one in self.figures for name in one.quantities]
        with self.errors_with_lines():
            for name in names:
                state = name.removeprefix("z:")
                if state != name and state not in known:
                    hint = suggestion(state, known) if known else "this scenario has none"
                    raise ModelError.at(name, f'there is no state "{state}"; {hint}')

    def simulate(
        self,
        save: str | os.PathLike[str] | None = None,
        progress: bool | Callable[[float], None] | None = None,
        watch: Callable[[Record], None] | None = None,
        workers: int | None = 1,
        verify: bool = False,
    ) -> Run:
        """Run it; ``run.options["scenario"]`` holds `about()`, so that the run file alone is enough for a report.

        save, progress, watch, workers, verify    as those of `jourdain.simulate`
        """
        from ...run.simulate import simulate

        with self.errors_with_lines():
            stated = {"save": save, "progress": progress, "watch": watch, "about": self.about(), "workers": workers}
            how: dict[str, Any] = stated | {"verify": verify} | self.options()
            return simulate(self.model, self.start, **how)

    @contextmanager
    def errors_with_lines(self) -> Iterator[None]:
        """Problems of the description get the lines of the file."""
        try:
            yield
        except ModelError as error:
            if self.locate is None:
                raise
            raise ScenarioError(self.locate(error.problems)) from error
