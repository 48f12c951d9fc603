"""Runs that stop: why, at what time, whose fault it likely is, and what to do; all that was computed is kept."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from ..basics.errors import LawIndexError, ModelError, SimulationError, StopReason
from ..model.contact_start import capacity_problems, penetration
from ..model.stability import too_long
from ..results.trust import simplified
from .advice import SHORT, Advice, can_be_tried, find_step, implicit_method_for
from .constraint_drift import largest_gap
from .contact_steps import StepRefused
from .implicit import FORMS
from .redundancy import near_singular
from .surface_contact import why_surfaces

if TYPE_CHECKING:
    from ..results.run import Run
    from .plan import Plan
    from .simulation import Simulation

LAW_FAILED = -1
"""In the place of the steps that a case of an ensemble made: a user's law failed in it."""
CAUTION = 0.25
"""Part of the divisor of a step that an estimate asks for from which trials begin: it bounds the fastest mode."""
STIFF = 200.0
"""How many times as long as a step that works a step is from which an explicit method is no choice."""


def failed_law(error: Exception, ws: Any) -> tuple[str, float]:
    """The user's law that an error in a compiled slice comes from, "" where it comes from none, and its time [s].

    ws    the workspace of the run: a contact law is not given the time, which is that of the last evaluation
    """
    from ..kernels.user_errors import last_stopped

    stopped = getattr(error, "stopped", None) or last_stopped()
    if stopped is None:
        return "", math.nan
    return stopped.law, float(ws.ledger.time) if math.isnan(stopped.time) else stopped.time


def law_reason(error: Exception) -> str:
    """What an error of a law says, without law and time."""
    if isinstance(error, LawIndexError):
        return error.reason
    return str(error) if isinstance(error, IndexError) else f"{type(error).__name__}: {error}"


def index_error(model: str, error: IndexError, law: str, t: float, partial: Any = None) -> SimulationError:
    """What a run raises that stopped because an index of a law is outside its array."""
    summary = f'stopped at t = {t:.9g} s at "{law}": {law_reason(error)}'
    return SimulationError(summary, t, law, partial, StopReason.LAW, model)


class ErrorReporting:
    """Every way in which a run can stop before its end, as a `SimulationError`; each method raises one.

    trial    runs a plan, and calls what it is given with the simulated time now and then; None where shorter steps are
             not to be tried before they are advised
    """

    def __init__(
        self, simulation: Simulation, trial: Callable[[Plan, Callable[[float], None]], Run] | None = None
    ) -> None:
        self.simulation, self.plan, self.trial = simulation, simulation.plan, trial

    def _error(self, t: float, what: str, culprit: str, partial: Run | None, reason: StopReason) -> SimulationError:
        return SimulationError(what, t, culprit, partial, reason, self.plan.model.name)

    def step_refused(self, t: float, refused: StepRefused) -> NoReturn:
        """The fixed step is too large for the stiffness of a contact."""
        advice = self._advice(t, self.plan.step / refused.longest, SHORT)
        if advice.step:
            refused.step = self._tried(advice)
        partial = self.simulation.finish(partial=True)
        what = f"refused at t = {t:.9g} s: {refused}"
        raise self._error(t, what, refused.contact, partial, StopReason.STEP_TOO_LONG) from None

    def penetration_exceeded(self, t: float) -> NoReturn:
        """Shapes are so deep in each other that their contact law does not hold any more."""
        contact, why = penetration(self.plan.model, self.simulation.loop.ws)
        self.simulation.stopped = {"time": t, "why": why}
        partial = self.simulation.finish(partial=True)
        raise self._error(t, f"stopped at t = {t:.9g} s: {why}", contact, partial, StopReason.PENETRATION)

    def too_many_sites(self) -> NoReturn:
        """More places touch than a pile or a volumetric contact was described with."""
        why = str(ModelError(capacity_problems(self.plan.model)))
        self._fail(self.plan.start, why, reason=StopReason.CAPACITY)

    def not_converged(self, t: float) -> NoReturn:
        """The corrections of an implicit step do not converge, however short it is."""
        found = why_surfaces(self.plan.model, self.simulation.loop.surfaces)
        if found is not None:
            self._fail(t, *found, reason=StopReason.NOT_SOLVED)
        why = "the equations of a step could not be solved, however short the step"
        contact = self._strongest_contact()
        if contact:
            plan = self.plan
            judged = f"rtol={plan.rtol:g} and atol={plan.atol:g}, by which corrections are judged"
            self._fail(
                t,
                f'{why}, while contact "{contact}" acts',
                f"loosen {judged}, or give an explicit method",
                contact,
                reason=StopReason.NOT_SOLVED,
            )
        self._fail(t, why, self._another_form(), reason=StopReason.NOT_SOLVED)

    def _strongest_contact(self) -> str:
        """The contact with the largest force in the last trial; "" where none acts."""
        names = self.plan.model.contacts.names
        force = np.linalg.norm(self.simulation.loop.ws.contact_wrenches.columns.force[: len(names)], axis=1)
        return str(names[int(np.nanargmax(force))]) if len(names) and np.nanmax(force, initial=0.0) > 0.0 else ""

    def not_finite(self, t: float) -> NoReturn:
        """The state stopped being finite."""
        self._fail(t)

    def step_too_small(self, t: float) -> NoReturn:
        """The step that the tolerances ask for is below the resolution of time."""
        why = f"the step fell below the resolution of time; rtol={self.plan.rtol:g} cannot be met"
        self._fail(t, why, self._another_form(), reason=StopReason.NOT_SOLVED)

    def _another_form(self) -> str:
        """What to try where an implicit method does not get on with the constraints; "" where that is not the case."""
        plan = self.plan
        if plan.implicit is None or not len(plan.model.arrays.constraints):
            return ""
        others = " or ".join(f'form="{form}"' for form in FORMS if form != plan.form)
        return f'the constraints enter it as form="{plan.form}": try {others}, or another tolerance'

    def constraints_open(self, t: float) -> NoReturn:
        """The run is not on its constraints any more."""

        plan = self.plan
        gap = largest_gap(plan.model, self.simulation.loop.ws)
        if self.simulation.loop.ws.flags.unclosed != 2 or gap is None:
            self._fail(t, "the constraints could not be met", reason=StopReason.CONSTRAINTS)
        advice = self._advice(t)
        finer = self._tried(advice) if advice.step else "a shorter step" if plan.fixed else "a tighter rtol"
        how = 'constraints="projection", or ' if plan.constraints.drifts else ""
        self._fail(
            t,
            f'the run has left its constraints: "{gap.constraint}" is open by {gap.largest:.3g} m or rad',
            f"give {how}{finer}",
            gap.constraint,
            reason=StopReason.CONSTRAINTS,
        )

    def event_refused(self, t: float, error: ModelError) -> NoReturn:
        """An event cannot happen as it is described."""
        what = f"stopped by an event at t = {t:.9g} s: {error}"
        partial = self.simulation.finish(partial=True)
        raise self._error(t, what, error.problems[0].address, partial, StopReason.EVENT) from error

    def law_failed(self, error: Exception, tape: Any) -> NoReturn:
        """A user's law raised in a slice; what was computed up to then is kept. Any other error goes on.

        tape    the samples of the slice; those that it wrote have a time
        """
        law, t = failed_law(error, self.simulation.loop.ws)
        if not law:
            raise error
        self.simulation.recorder.append(tape, int(np.argmax(np.append(np.isnan(tape.time), True))))
        partial: Any = self.simulation.finish(partial=True)
        if isinstance(error, IndexError):
            raise index_error(self.plan.model.name, error, law, t, partial) from error
        error.partial = partial  # type: ignore[attr-defined]
        error.add_note(f"raised by the law {law} at t = {t:.9g} s")
        raise error

    def controller_raised(self, t: float) -> NoReturn:
        """A Python controller raised: its error goes on, with what was computed up to then."""
        self._fail(t, "a controller stopped it", "look at its error", sound=True, reason=StopReason.CONTROLLER)

    def _raise_of_controller(self, t: float) -> None:
        """The error of a controller that is not compiled here, where there is one."""
        for law in self.plan.laws.bound:
            for one in (law, law.inner):
                if one is not None and one.error is not None:
                    error: Any = one.error
                    error.partial = self.simulation.finish(partial=True)
                    if not isinstance(error, KeyboardInterrupt):
                        error.add_note(f"raised by the controller {one.name} at t = {t:.9g} s")
                    raise error

    def _fail(
        self,
        t: float,
        why: str = "",
        instead: str = "",
        culprit: str = "",
        sound: bool = False,
        reason: StopReason = StopReason.NOT_FINITE,
    ) -> NoReturn:
        """Stops the run at time t; sound: what came before is not in doubt."""
        self._raise_of_controller(t)
        why = why or "the state stopped being finite"
        culprit = culprit or self._culprit()
        singular = None
        if self.plan.constraint_functions is not None:
            start = self.plan.start, np.asarray(self.plan.state.q)
            singular = near_singular(self.plan.model, start, (t, self.simulation.state[0]), self.plan.events.profiles)
        if singular is not None:
            why, instead = singular
            reason = StopReason.SINGULAR
        self.simulation.stopped = None if sound else {"time": t, "why": why}
        try:
            partial = self.simulation.finish(partial=True)
        except OSError as error:
            partial = None
            why = f"{why} (and the partial run could not be saved: {error})"
        where = f' at "{culprit}"' if culprit else ""
        remedy = instead or self._remedy(t)
        raise self._error(t, f"stopped at t = {t:.9g} s{where}: {why}; {remedy}", culprit, partial, reason)

    def _remedy(self, t: float) -> str:
        """What to do about a state that stopped being finite; steps are tried before they are advised."""
        plan = self.plan
        unbound = "look for a force that grows without bound, or a mass that is almost zero"
        if not plan.fixed:
            return simplified(plan.model) or unbound
        found = too_long(plan.model, plan.method, plan.step) if plan.implicit is None else None
        advice = self._advice(t, 1.0 if found is None else CAUTION * plan.step / found.longest)
        why = "" if found is None else f"{found.why}; "
        if advice.same:
            return f"{why}shorter steps stop there too: {unbound}"
        others = [] if plan.model.touching is not None else ['the adaptive method="dop853"']
        if plan.implicit is None and (other := implicit_method_for(plan)):
            others = [other] if advice.step and plan.step > STIFF * advice.step else [*others, other]
        if advice.step:
            return f"{why}give {' or '.join([self._tried(advice), *others])}"
        least = plan.step / 4 if found is None else 0.9 * found.longest
        return f"{why}try {' or '.join([f'a step below {least:.3g} s', *others])}"

    def _advice(self, t: float, least: float = 1.0, part: float = 1.0) -> Advice:
        """A shorter step that was tried, if there is one."""
        if self.trial is None or not can_be_tried(self.plan):
            return Advice()
        return find_step(self.plan, self.trial, t, least, part)

    @staticmethod
    def _tried(advice: Advice) -> str:
        return f"step={advice.step:.12g}, which was tried up to t = {advice.reached:.6g} s"

    def _culprit(self) -> str:
        """The joint or body whose velocity is not finite, or the fastest one."""
        v = self.simulation.state[1]
        if not len(v):
            return ""
        return self.plan.model.owners[int(np.argmax(np.where(np.isfinite(v), np.abs(v), np.inf)))]
