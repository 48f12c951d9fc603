"""`jd.simulate`: a model, from a state, for a time."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

from ..basics.arguments import checked
from ..basics.types import Controllers, Events, KeptBy
from ..basics.warn import warn
from ..describe.events import EventWarning
from ..describe.motions import Motion
from ..model.model import Model
from ..model.start_state_limits import warn_of_start
from ..model.state import State
from ..results.run import Record, Run
from ..results.trust import TOLERANCE, TrustWarning
from . import step_halving
from .constraint_drift import warn_open, warn_singular
from .implicit import ImplicitMethod
from .plan import Plan
from .runner import Runner


@checked
def simulate(
    model: Model,
    state: State,
    until: float,
    step: float | None = None,
    method: str | ImplicitMethod | None = None,
    *,
    output: float | None = None,
    motions: Mapping[str, Motion] | None = None,
    controller: Controllers | None = None,
    rtol: float = 1e-9,
    atol: float = 1e-11,
    max_step: float | None = None,
    form: str | None = None,
    events: Events | None = None,
    progress: bool | Callable[[float], None] | None = None,
    save: str | os.PathLike[str] | None = None,
    about: Mapping[str, Any] | None = None,
    watch: Callable[[Record], None] | None = None,
    constraints: KeptBy | None = None,
    step_check: str = "refuse",
    energy_tolerance: float = TOLERANCE,
    workers: int | None = 1,
    verify: bool = False,
) -> Run:
    """Simulate a model from a state.

    until         time at which it ends [s]
    step          of the fixed-step methods [s]
    method        "euler", "heun", "rk3", "rk4", "rk5" at a fixed step (rk4 when only `step` is given);
                  "dopri5", "dop853" choose their steps (dop853 when neither is given);
                  implicit ones, for what is stiff: "bdf", "radau", "generalized-alpha" and "newmark", which choose
                  their steps unless `step` is given (bdf always does); with options: `jd.implicit`
    output        interval of what is kept [s]. Without it: every accepted step of an adaptive method; every step of a
                  fixed one, thinned so that at most 20,000 are kept
    motions       profiles that prescribe coordinates: {"elbow": jd.Cycloid(to=1.57, duration=60.0)}
    controller    a law, or a list of laws
    rtol, atol    tolerances of the adaptive methods
    max_step      the longest step that an adaptive method may take [s]
    form          how constraints enter an implicit method: "index-3" (positions; what generalized-alpha and newmark
                  take), "index-2" (velocities; bdf and radau) or "index-1" (accelerations)
    events        a list of `jd.Event`: coordinates locked, released or taken over, connections closed or opened, at a
                  time or when a condition is met. What happened is in run.events
    progress      None: a bar on a terminal once the run is long; True or False to insist; or a function of the
                  simulated time [s], called about twenty times a second
    save          file to write; a long run appends to a journal beside it and loses nothing when it is killed
    about         what is to be kept with the run, as JSON can hold it: run.options["scenario"]
    watch         is called with the samples of every slice as they come, some twenty times a second, from this
                  thread; `jourdain.view.live` shows them
    constraints   how the run is kept on its constraints: "projection" (the default), "baumgarte", "unstabilised" or
                  an object such as jd.constraints.Projection(partition="optimal"), jd.constraints.Baumgarte(rate=50.0)
    step_check    "refuse": a fixed step that is too large for the stiffness of a contact stops the run; "warn" goes on,
                  with a StepWarning
    energy_tolerance    part of the energy that moves which the balance may be off by; beyond it run.trusted is false,
                  and a TrustWarning says so. The same part is allowed for what constraints forbid, and for momentum
                  that nothing changes. math.inf for no such check
    workers       threads that share the model: granular piles and many mechanisms, explicit methods; None: as many as
                  there are cores, where the model is large enough. The run is the same with any number above one
    verify        run it again with half the step, or a tenth of the tolerances: run.trusted has the estimated error
    """
    plan = Plan(
        model, state, until, step, method=method, output=output, motions=motions, controller=controller, rtol=rtol,
        atol=atol, max_step=max_step, events=events, form=form, constraints=constraints, step_check=step_check,
        energy_tolerance=energy_tolerance, workers=workers,
    ).prepare()  # fmt: skip
    warn_of_start(model, [state])
    run = (runner := Runner(plan, progress, save, about, watch)).run()
    if plan.constraint_functions is not None or plan.past_gap is not None:
        warn_open(plan, runner.simulation.loop.ws)
        warn_singular(model, runner.simulation.singular)
    why = f"its condition was not met up to {plan.until:g} s"
    for name in plan.events.unmet():
        warn(f'{model.name}: event "{name}" never happened: {why}', EventWarning)
    if verify:
        run.options["verification"] = step_halving.verify(plan, run, lambda other: Runner(other.prepare(), False).run())
        if run.path is not None:
            run.save(run.path)
    if not run.trusted:
        warn(f"{model.name}: not trusted: {run.trusted.reason}", TrustWarning)
    return run
