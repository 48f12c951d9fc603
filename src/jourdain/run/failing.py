"""Runs that stop: why, at what time, whose fault it likely is, and what to do; all that was computed is kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..basics.errors import ModelError, SimulationError
from ..model.contact_start import sunk
from ..model.stability import too_long
from ..results.trust import simplified
from .closure import largest_gap
from .contact_steps import StepRefused
from .implicit import FORMS
from .keeping import Keeping
from .redundancy import near_singular
from .touching import why_surfaces


class Failing(Keeping):
    """Every way in which a run can stop before its end, as a `SimulationError`."""

    def _looking(self, t: float, look: Callable[..., None], *arguments: Any) -> None:
        """Looks whether the step bears the contacts; a run that is refused stops at time t."""
        try:
            look(*arguments)
        except StepRefused as refused:
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
        from ..kernels.contact.layout import FELT_FORCE

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
        from ..kernels.columns import UNCLOSED

        plan = self.plan
        gap = largest_gap(plan.model, self.loop.ws)
        if self.loop.ws.books[UNCLOSED] != 2.0 or gap is None:
            self._fail(t, "the constraints could not be met")
        else:
            finer = "a shorter step" if plan.fixed else "a tighter rtol"
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

    def _stopped(self, t: float) -> None:
        """A Python controller raised."""
        self._fail(t, "a controller stopped it")

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

    def _fail(self, t: float, why: str = "", instead: str = "", culprit: str = "") -> None:
        self._raised(t)
        try:
            partial = self._finish(partial=True)
        except OSError as error:
            partial = None
            why = f"{why or 'the state stopped being finite'} (and the partial run could not be saved: {error})"
        culprit = culprit or self._culprit()
        where = f' at "{culprit}"' if culprit else ""
        if not why:
            why = "the state stopped being finite"
        remedy = (
            f"try a step below {self.plan.step / 4:.3g} s, or an adaptive method"
            if self.plan.fixed
            else simplified(self.plan.model)
            or "look for a force that grows without bound, or a mass that is almost zero"
        )
        if self.plan.fixed and self.loop.memory is None:
            remedy = too_long(self.plan.model, self.plan.method, self.plan.step) or remedy
        remedy = instead or remedy
        if self.plan.kept is not None:
            start = self.plan.start, np.asarray(self.plan.state.q)
            singular = near_singular(self.plan.model, start, (t, self.state[0]), self.plan.switching.profiles)
            if singular is not None:
                why, remedy = singular
        raise SimulationError(
            f"{self.plan.model.name}: stopped at t = {t:.9g} s{where}: {why}; {remedy}. "
            "Everything up to then is in error.partial",
            time=t,
            culprit=culprit,
            partial=partial,
        )

    def _culprit(self) -> str:
        """The joint or body whose velocity is not finite, or the fastest one."""
        v = self.state[1]
        if not len(v):
            return ""
        return self.plan.model.owners[int(np.argmax(np.where(np.isfinite(v), np.abs(v), np.inf)))]
