"""Runs that stop: why, at what time, whose fault it likely is, and what to do; all that was computed is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from ..basics.errors import ModelError, SimulationError
from ..model.contact_start import sunk
from ..model.stability import too_long
from ..results.trust import simplified
from .advice import SHORT, Advice, can_be_tried, find_step, implicit_method_for
from .constraint_drift import largest_gap
from .contact_steps import StepRefused
from .implicit import FORMS
from .recording import Recording
from .redundancy import near_singular
from .surface_contact import why_surfaces
from .users import failed_law, outside

if TYPE_CHECKING:
    from ..results.run import Run
    from .plan import Plan


CAUTION = 0.25
"""Part of the divisor of a step that an estimate asks for from which trials begin: it bounds the fastest mode."""
STIFF = 200.0
"""How many times as long as one that gets on a step is from which an explicit method is no choice."""


class ErrorReporting(Recording):
    """Every way in which a run can stop before its end, as a `SimulationError`.

    advises    whether shorter steps are tried before they are advised
    """

    advises = True

    def run(self) -> Run:
        """The whole run, `Runner.run`."""
        raise NotImplementedError

    def _looking(self, t: float, look: Callable[..., None], *arguments: Any) -> None:
        """Looks whether the step bears the contacts; a run that is refused stops at time t."""
        try:
            look(*arguments)
        except StepRefused as refused:
            advice = self._advice(t, self.plan.step / refused.longest, SHORT)
            if advice.step:
                refused.step = self._tried(advice)
            raise SimulationError(
                f"{self.plan.model.name}: refused at t = {t:.9g} s: {refused}. "
                "Everything up to then is in error.partial",
                time=t,
                culprit=refused.contact,
                partial=self._finish(partial=True),
            ) from None

    def _sunk(self, t: float) -> None:
        """Shapes are so deep in each other that their contact means nothing any more."""
        name, why = sunk(self.plan.model, self.loop.ws)
        self.stopped = {"time": t, "why": why}
        raise SimulationError(
            f"{self.plan.model.name}: stopped at t = {t:.9g} s: {why}. Everything up to then is in error.partial",
            time=t,
            culprit=name,
            partial=self._finish(partial=True),
        )

    def _unsolved(self, t: float) -> None:
        """The corrections of an implicit step do not converge, however short it is."""
        found = why_surfaces(self.plan.model, self.loop.surfaces)
        if found is not None:
            self._fail(t, *found)
        why = "the equations of a step could not be solved, however short the step"
        contact = self._acting()
        if contact:
            plan = self.plan
            judged = f"rtol={plan.rtol:g} and atol={plan.atol:g}, by which corrections are judged"
            self._fail(
                t, f'{why}, while contact "{contact}" acts', f"loosen {judged}, or give an explicit method", contact
            )
        self._fail(t, why, self._another_form())

    def _acting(self) -> str:
        """The contact with the largest force in the last trial; "" where none acts."""
        from ..kernels.contact.contact_layout import FELT_FORCE

        names = self.plan.model.contacts.names
        force = np.linalg.norm(self.loop.ws.felt[: len(names), FELT_FORCE : FELT_FORCE + 3], axis=1)
        return str(names[int(np.nanargmax(force))]) if len(names) and np.nanmax(force, initial=0.0) > 0.0 else ""

    def _another_form(self) -> str:
        """What to try where an implicit method does not get on with the constraints; "" where that is not the case."""
        plan = self.plan
        if plan.implicit is None or not len(plan.model.arrays.constraint_index):
            return ""
        others = " or ".join(f'form="{form}"' for form in FORMS if form != plan.form)
        return f'the constraints enter it as form="{plan.form}": try {others}, or another tolerance'

    def _opened(self, t: float) -> None:
        """The run is not on its constraints any more."""

        plan = self.plan
        gap = largest_gap(plan.model, self.loop.ws)
        if self.loop.ws.flags.unclosed != 2 or gap is None:
            self._fail(t, "the constraints could not be met")
        else:
            finer = "a shorter step" if plan.fixed else "a tighter rtol"
            advice = self._advice(t)
            if advice.step:
                finer = f"{self._tried(advice)}"
            how = 'constraints="projection", or ' if plan.constraints.drifts else ""
            self._fail(
                t,
                f'the run has left its constraints: "{gap.constraint}" is open by {gap.largest:.3g} m or rad',
                f"give {how}{finer}",
                gap.constraint,
            )

    def _refuse(self, t: float, error: ModelError) -> None:
        """An event that cannot happen as it was told."""
        raise SimulationError(
            f"{self.plan.model.name}: stopped by an event at t = {t:.9g} s: {error}. "
            "Everything up to then is in error.partial",
            time=t,
            culprit=error.problems[0].address,
            partial=self._finish(partial=True),
        ) from error

    @contextmanager
    def _stopping(self, out: Any) -> Iterator[None]:
        """While this lasts a slice runs: where a user's law fails in it, what was computed up to then is kept.

        out    the samples of the slice; those that it wrote have a time
        """
        try:
            yield
        except Exception as error:
            law, t = failed_law(error, self.loop.ws)
            if not law:
                raise
            self._keep(out, int(np.argmax(np.append(np.isnan(out.time), True))))
            partial: Any = self._finish(partial=True)
            if isinstance(error, IndexError):
                raise outside(self.plan.model.name, error, law, t, partial) from error
            error.partial = partial  # type: ignore[attr-defined]
            error.add_note(f"raised by the law {law} at t = {t:.9g} s")
            raise

    def _stopped(self, t: float) -> None:
        """A Python controller raised."""
        self._fail(t, "a controller stopped it", "look at what it said", sound=True)

    def _raised(self, t: float) -> None:
        """Where a controller that is not compiled here raised: its error goes on, with what was computed up to then."""
        for law in self.plan.laws.bound:
            for one in (law, law.inner):
                if one is not None and one.error is not None:
                    error: Any = one.error
                    error.partial = self._finish(partial=True)
                    if not isinstance(error, KeyboardInterrupt):
                        error.add_note(f"raised by the controller {one.name} at t = {t:.9g} s")
                    raise error

    def _fail(self, t: float, why: str = "", instead: str = "", culprit: str = "", sound: bool = False) -> None:
        """Stops the run at time t; sound: what came before is not in doubt."""
        self._raised(t)
        why = why or "the state stopped being finite"
        culprit = culprit or self._culprit()
        singular = None
        if self.plan.kept is not None:
            start = self.plan.start, np.asarray(self.plan.state.q)
            singular = near_singular(self.plan.model, start, (t, self.state[0]), self.plan.switching.profiles)
        if singular is not None:
            why, instead = singular
        self.stopped = None if sound else {"time": t, "why": why}
        try:
            partial = self._finish(partial=True)
        except OSError as error:
            partial = None
            why = f"{why} (and the partial run could not be saved: {error})"
        where = f' at "{culprit}"' if culprit else ""
        remedy = instead or self._remedy(t)
        raise SimulationError(
            f"{self.plan.model.name}: stopped at t = {t:.9g} s{where}: {why}; {remedy}. "
            "Everything up to then is in error.partial",
            time=t,
            culprit=culprit,
            partial=partial,
        )

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
        if not self.advises or not can_be_tried(self.plan):
            return Advice()

        def run(plan: Plan, look: Callable[[float], None]) -> Run:
            trial = type(self)(plan, look, None)
            trial.advises = False
            return trial.run()

        return find_step(self.plan, run, t, least, part)

    @staticmethod
    def _tried(advice: Advice) -> str:
        return f"step={advice.step:.12g}, which was tried up to t = {advice.reached:.6g} s"

    def _culprit(self) -> str:
        """The joint or body whose velocity is not finite, or the fastest one."""
        v = self.state[1]
        if not len(v):
            return ""
        return self.plan.model.owners[int(np.argmax(np.where(np.isfinite(v), np.abs(v), np.inf)))]
