"""`model.linearize`: the motion near a state, or along a path, as a linear system with names.

The state of the linear system is (x, u, w): displacements in the tangent space, named "x:" and the velocity that makes
them; changes of velocity, "v:"; and changes of the internal states that are integrated, "z:". Of contacts those enter
that belong to sites that touch: relaxation, bristles, dwell, and the states of users' contact laws. So do all states of
laws. Frozen are the latched values, which change only when a step of a run is accepted: that a site touches, its impact
speed, its mark, and the anchors of dry friction in joints; and what does not touch stays away.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ...basics.errors import ModelError
from ...basics.html_tables import html_table
from ...basics.values import shown
from ..derivatives import check_dense
from ..selection import entries
from ..state import State
from .applied_forces import AppliedModel
from .constrained import constrained
from .modes import Frequencies, modes
from .reachability import Reachability, unreached
from .signals import (
    control_names,
    import_control,
    input_matrix,
    output_matrix,
    output_values,
    read_inputs,
    read_outputs,
)
from .tangent import Tangent, solve_mass, tangent

if TYPE_CHECKING:
    from ..model import Model


@dataclass(frozen=True, eq=False)
class Linear:
    """A linear system d' = A d + B r, y = y0 + C d + D r about a state, with names.

    A, B, C, D    (n, n), (n, inputs), (outputs, n), (outputs, inputs)
    states        names: "x:elbow" displacement, "v:elbow" velocity, "z:..." internal state, each a change d from the
                  motion through the state
    inputs        names of efforts and wrenches; r is their change
    outputs       names
    f0            rates of the state itself (n,): its velocities, accelerations, rates of internal states. Zero at an
                  equilibrium
    y0            the outputs there (outputs,)
    state         about which; what touches is latched
    effort        efforts that act there (nv,), those found for held velocities included

    With constraints the states are the independent coordinates only, on which all others depend.
    """

    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    D: np.ndarray
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    f0: np.ndarray
    y0: np.ndarray
    state: State
    effort: np.ndarray
    _tangent: Tangent = field(repr=False)

    @cached_property
    def eigenvalues(self) -> np.ndarray:
        """All eigenvalues of A (n,) [rad/s], slowest first."""
        found = np.linalg.eigvals(self.A)
        return found[np.lexsort((found.imag, np.round(np.abs(found), 9)))]

    @property
    def multipliers(self) -> np.ndarray:
        """Multipliers of the constraints in the state (rows,)."""
        return self._tangent.multipliers

    def frequencies(self) -> Frequencies:
        """Natural frequencies, damping and shapes, as `model.frequencies`."""
        return modes(self._tangent)

    def controllable(self) -> Reachability:
        """Whether the inputs move every mode; which they do not (Popov-Belevitch-Hautus test)."""
        return unreached(self.A, self.B, self.states, "controllable")

    def observable(self) -> Reachability:
        """Whether the outputs show every mode; which they do not (Popov-Belevitch-Hautus test)."""
        return unreached(self.A.T, self.C.T, self.states, "observable")

    def to_control(self, name: str | None = None) -> Any:
        """A `control.StateSpace`; dots and colons in names become underscores: "x:elbow" is "x_elbow"."""
        control = import_control()
        named = {"states": self.states, "inputs": self.inputs, "outputs": self.outputs}
        words = {what: control_names(names) for what, names in named.items()}
        return control.ss(self.A, self.B, self.C, self.D, name=name or self._tangent.model.name, **words)

    def _repr_html_(self) -> str:
        """States, inputs and outputs, and the poles, for notebooks."""
        rows = [("state", x, "") for x in self.states] + [("input", x, "") for x in self.inputs]
        rows += [("output", x, "") for x in self.outputs]
        rows += [("pole", f"{z.real:.6g} {z.imag:+.6g}i", "1/s") for z in np.linalg.eigvals(self.A)]
        return html_table(f"Linear of {self._tangent.model.name} at {self.state.time:g} s", ("", "name", "unit"), rows)

    def __repr__(self) -> str:
        still = "an equilibrium" if np.max(np.abs(self.f0), initial=0.0) < 1e-9 else "not an equilibrium"

        def few(names: Sequence[str]) -> str:
            return ", ".join(names[:6]) + (f", ... ({len(names)} in all)" if len(names) > 6 else "")

        return (
            f"<Linear of {self._tangent.model.name!r} at t = {self.state.time:g} s, {still}\n"
            f"  states   {few(self.states)}\n  inputs   {few(self.inputs)}\n  outputs  {few(self.outputs)}>"
        )


@dataclass(frozen=True, eq=False)
class LinearPath:
    """Linear systems along a path, with the same states, inputs and outputs throughout; `path[i]` is one of them.

    time          (nt,) [s]
    A, B, C, D    (nt, ...) each
    f0            rates of the states themselves (nt, n)
    """

    linears: tuple[Linear, ...]
    time: np.ndarray
    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    D: np.ndarray
    f0: np.ndarray

    @property
    def states(self) -> tuple[str, ...]:
        """Names of the states."""
        return self.linears[0].states

    @property
    def inputs(self) -> tuple[str, ...]:
        """Names of the inputs."""
        return self.linears[0].inputs

    @property
    def outputs(self) -> tuple[str, ...]:
        """Names of the outputs."""
        return self.linears[0].outputs

    def __len__(self) -> int:
        return len(self.linears)

    def __getitem__(self, i: int) -> Linear:
        return self.linears[i]

    def __repr__(self) -> str:
        span = f"t = {self.time[0]:g} to {self.time[-1]:g} s"
        return f"<LinearPath: {len(self)} times, {span}, {len(self.states)} states, {len(self.inputs)} inputs>"


def linearize(
    model: Model,
    state: Any,
    effort: Any = None,
    inputs: Sequence[str] | None = None,
    outputs: Sequence[str] | None = None,
    controller: Any = None,
    hold: Iterable[str] = (),
    times: Any = None,
    independent: Iterable[str] | None = None,
) -> Linear | LinearPath:
    """The linear model about a state, or along a run or a list of states; see `Model.linearize`."""
    check_dense(model, "linearize")
    hold = tuple(hold) if isinstance(hold, Iterable) and not isinstance(hold, str) else hold
    applied = AppliedModel(model, controller)
    if isinstance(state, State):
        if times is not None:
            raise ModelError.at("times", "are for a Run; a state has its own time")
        return _linear(tangent(model, state, effort, hold, None, applied, None, independent), inputs, outputs, hold)
    states, efforts = _path(model, state, effort, times, controller)
    entering = [applied.entering(applied.begin(one)) for one in states]
    chosen = np.unique(np.concatenate(entering))
    found: list[Linear] = []
    for one, push in zip(states, efforts, strict=True):
        about = tangent(model, one, push, hold, None, applied, chosen, independent)
        if independent is None and constrained(model):
            independent = tuple(model.names.v[k] for k in about.free)
        found.append(_linear(about, inputs, outputs, hold))
    stacked = (np.array([getattr(one, what) for one in found]) for what in ("A", "B", "C", "D", "f0"))
    return LinearPath(tuple(found), np.array([one.time for one in states]), *stacked)


def _path(model: Model, given: Any, effort: Any, times: Any, controller: Any) -> tuple[list[State], list[Any]]:
    """States along a path and the efforts that act at them."""
    if hasattr(given, "record"):  # a Run
        if given.model.hash != model.hash:
            raise ModelError.at("run", f"it is of another model, {given.model.name!r}; linearise it with run.model")
        at = range(len(given)) if times is None else _samples(given, times)
        own = effort is None and controller is None
        return [given.state(i) for i in at], [given.record.effort[i] if own else effort for i in at]
    if times is not None:
        raise ModelError.at("times", "are for a Run; states have their own")
    if not isinstance(given, list | tuple) or not given or not all(isinstance(one, State) for one in given):
        raise ModelError.at("state", f"got {shown(given)}; give a State, a list of States, or a Run")
    many = isinstance(effort, list | tuple | np.ndarray) and np.ndim(effort) == 2
    if many and len(effort) != len(given):
        raise ModelError.at(
            "effort", f"has {len(effort)} rows for {len(given)} states; give one a state, or one for all"
        )
    return list(given), list(effort) if many else [effort] * len(given)


def _samples(run: Any, times: Any) -> list[int]:
    """Samples of a run nearest to some times; times outside of it are refused."""
    time = run.record.time
    wanted = np.atleast_1d(np.asarray(times, float))
    outside = (wanted < time[0] - 1e-9) | (wanted > time[-1] + 1e-9) | ~np.isfinite(wanted)
    if np.any(outside):
        raise ModelError.at("times", f"{wanted[outside][0]:g} s is not in the run, {time[0]:g} to {time[-1]:g} s")
    return [int(np.argmin(np.abs(time - one))) for one in wanted]


def _linear(about: Tangent, inputs: Any, outputs: Any, hold: Iterable[str]) -> Linear:
    model, point, free = about.model, about.point, about.free
    held = entries(model, hold, "hold")
    nx, n, nz = len(about.placed), len(free), len(about.chosen)
    internal = [about.applied.names[i] for i in about.chosen]
    ins = read_inputs(model, inputs, held)
    names = [f"x:{model.names.v[k]}" for k in about.placed] + [f"v:{model.names.v[k]}" for k in free]
    if outputs is None:
        outputs = names
    outs = read_outputs(model, outputs, internal, linear=True)
    A = about.first_order
    B = np.zeros((nx + n + nz, len(ins)))
    B[nx : nx + n] = solve_mass(about, about.W.T @ input_matrix(model, ins, point.q))
    return Linear(
        A=A,
        B=B,
        C=output_matrix(about, outs),
        D=np.zeros((len(outs), len(ins))),
        states=(*names, *(f"z:{name}" for name in internal)),
        inputs=tuple(signal.name for signal in ins),
        outputs=tuple(signal.name for signal in outs),
        f0=np.concatenate([point.v[about.placed], about.acceleration[free], about.rates[about.chosen]]),
        y0=output_values(model, outs, point.q, point.v, point.z[about.chosen], about.contact_wrenches),
        state=about.applied.state(point),
        effort=about.effort,
        _tangent=about,
    )
