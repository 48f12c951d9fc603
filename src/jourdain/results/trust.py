"""Whether a run can be trusted: its energy balance, and what else can be checked cheaply, `results.trust_checks`."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..basics.arguments import checked
from ..basics.errors import ModelError
from .channels import ENERGY, Energy
from .check import LEDGER, Check, plain_number, rounding_energy
from .trust_checks import further

if TYPE_CHECKING:
    from ..model.model import Model
    from .run import Record, Run

TOLERANCE = 0.01
"""Part of the energy that moves in a run that its balance may be off by, unless told."""
ROUNDING = 1e-9
"""Part of the largest energy, whose level is arbitrary, that the balance may be off by besides."""
BLOCK = 1 << 13
"""Samples of many runs whose balances are looked at together: they fit into a cache."""


class TrustWarning(UserWarning):
    """A run that a check has found wrong: its energy balance does not close, say."""


@checked
@dataclass(frozen=True)
class Trust:
    """Whether a run can be trusted, and where not, why; true or false as it stands.

    error        the largest energy balance over the energy that moved, without unit
    tolerance    what was allowed
    time         from which on the balance is open, or when what else is wrong is worst [s]; not-a-number where nothing
    cause        the likely cause and what to do about it; "" where nothing is wrong
    checks       everything that was looked at, the energy balance first
    stopped      why the run failed before its end; "" where it did not
    """

    error: float
    tolerance: float
    time: float = math.nan
    cause: str = ""
    checks: tuple[Check, ...] = ()
    stopped: str = ""

    def __bool__(self) -> bool:
        return not self.cause

    @property
    def reason(self) -> str:
        """Why it is not trusted, in a sentence; "" where it is."""
        if self:
            return ""
        if self.stopped:
            return f"the run stopped at t = {self.time:.6g} s: {self.stopped}; {self.cause}"
        worst = next((one for one in self.checks if not one), None)
        if worst is not None and worst.name != LEDGER:
            return worst.said
        missing = f"{100.0 * self.error:.3g} %" if math.isfinite(self.error) else "not a finite part"
        return (
            f"the energy balance does not close: {missing} of the energy that moved is not accounted for "
            f"({100.0 * self.tolerance:.3g} % is allowed), from t = {self.time:.6g} s on; {self.cause}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain values; None where there is no number."""
        numbers = {"error": self.error, "tolerance": self.tolerance, "time": self.time}
        plain = {name: plain_number(x) for name, x in numbers.items()}
        out = {"trusted": bool(self), **plain, "reason": self.reason or None}
        return out | {"checks": [one.to_dict() for one in self.checks]}

    def __repr__(self) -> str:
        if not self:
            return f"<not trusted: {self.reason}>"
        looked = ", ".join(str(one) for one in self.checks) or f"{LEDGER} within {self.error:.1e}"
        return f"<trusted: {looked}>"


def check_tolerance(value: Any, address: str = "energy_tolerance") -> float:
    """A tolerance of the energy balance, checked: above 0; infinite for none."""
    if not isinstance(value, int | float | np.number) or isinstance(value, bool) or not value > 0.0:
        raise ModelError.at(
            address, f"got {value!r}; give the part of the energy that may be missing, above 0, such as 0.01"
        )
    return float(value)


def opening(energy: Energy, tolerance: float, least: float = 0.0) -> int | None:
    """The sample from which on the balance is open; None where it closes. `least` [J] is always allowed.

    It is judged by the energy that moves in the whole run. When it opened is then sought backwards, by the energy that
    had moved up to each sample: what explodes soon moves more than anything that came before.
    """
    balance = np.abs(energy.column("balance"))
    columns = np.array([energy.column(name) for name in ENERGY])
    if not np.all(np.isfinite(balance)):
        return int(np.argmin(np.isfinite(balance)))
    floor = ROUNDING * float(np.max(np.abs(columns))) + least
    open_ = np.flatnonzero(balance > tolerance * energy.scale + floor)
    if not len(open_):
        return None
    moved = np.zeros(len(balance))
    for name, column in zip(ENERGY, columns, strict=True):
        if name in ("gravity", "strain", "contact"):
            column = np.maximum.accumulate(column) - np.minimum.accumulate(column)
        moved = np.maximum(moved, np.maximum.accumulate(np.abs(column)))
    early = balance > tolerance * moved + floor
    first = int(open_[0])
    while first > 1 and early[first - 1]:
        first -= 1
    return first


def trust(run: Run) -> Trust:
    """The verdict on a run, by ``run.options["energy_tolerance"]``."""
    return judge(run.model, run.record, run.options, run.channels.energy)


def judge(model: Model, record: Record, options: dict[str, Any], energy: Energy | None = None) -> Trust:
    """The same of samples that are not a Run.

    A run that failed is not trusted, whatever its samples say: what made it fail had begun before.
    """
    energy = Energy(record.energy, record.time) if energy is None else energy
    given = options.get("energy_tolerance", TOLERANCE)
    tolerance = math.inf if given is None else float(given)
    checks = [balance_check(model, record, options, energy, tolerance)]
    checks += further(model, record, options, energy, tolerance)
    stopped = options.get("stopped")
    if stopped:
        why, cause = str(stopped.get("why")), "what led there may have been wrong for some time before"
        return Trust(energy.error, tolerance, float(stopped.get("time", math.nan)), cause, tuple(checks), why)
    worst = next((one for one in checks if not one), None)
    if worst is None:
        return Trust(energy.error, tolerance, checks=tuple(checks))
    return Trust(energy.error, tolerance, worst.time, worst.said, tuple(checks))


def balance_check(model: Model, record: Record, options: dict[str, Any], energy: Energy, tolerance: float) -> Check:
    """The energy balance: of one that is open `said` has the likely cause alone."""
    first = None if tolerance == math.inf else opening(energy, tolerance, rounding_energy(model))
    if first is None:
        return Check(LEDGER, energy.error, tolerance)
    said = likely_cause(model, record, options, first)
    return Check(LEDGER, energy.error, tolerance, "", float(record.time[first]), said)


def closes(model: Model, energies: np.ndarray, options: dict[str, Any]) -> tuple[np.ndarray, np.ndarray, float]:
    """Of many runs at once, energies (cases, nt, 6): whether the balance of each closes, its error, and the tolerance.

    The same numbers as `judge` has, which alone knows when and why one opens.
    """
    given = options.get("energy_tolerance", TOLERANCE)
    tolerance = math.inf if given is None else float(given)
    least = rounding_energy(model)
    fine, errors = np.ones(len(energies), bool), np.zeros(len(energies))
    block = max(1, BLOCK // max(1, energies.shape[1]))
    for first in range(0, len(energies), block):
        here = slice(first, first + block)
        # each energy in a row of its own: maxima are then taken of numbers that lie side by side
        rows = np.ascontiguousarray(np.moveaxis(energies[here], 2, 1))
        kinetic, gravity, strain, contact, dissipated, work = np.moveaxis(rows, 1, 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            total = kinetic + gravity + strain + contact
            balance = total - total[:, :1]
            balance -= work
            balance += dissipated
            worst = np.max(np.abs(balance, out=balance), axis=1)
            high, low = np.max(rows, axis=2), np.min(rows, axis=2)
            most = np.maximum(np.abs(high), np.abs(low))
            swing = np.max(high[:, 1:4] - low[:, 1:4], axis=1)
            scale = np.max([most[:, 0], most[:, 4], most[:, 5], swing], axis=0)
            errors[here] = np.where((scale > 0.0) | (worst > 0.0), worst / scale, 0.0)
            if tolerance < math.inf:
                allowed = tolerance * scale + ROUNDING * np.max(most, axis=1) + least
                fine[here] = np.isfinite(worst) & (worst <= allowed)
    return fine, errors, tolerance


def likely_cause(model: Model, record: Record, options: dict[str, Any], first: int) -> str:
    """What opened the balance at a sample, most likely, and what to do about it."""
    from ..kernels.integrate.method_names import FIXED
    from ..model.stability import too_long

    method, step = str(options.get("method", "")), options.get("step")
    explicit = step is not None and method in FIXED
    if step is not None:
        known = '"dop853"' if "nodal" in model.features else '"dop853", "bdf"'  # no BDF of sparse matrices
        adaptive = "" if model.touching is not None else f", or an adaptive method ({known})"
        remedy = f"give a step shorter than {step:.2g} s{adaptive}"
        touching = near_contacts(model, record, first)
        if touching:
            names = ", ".join(f'"{name}"' for name in touching[:3])
            return f"contact {names} touches then, and its impact is too short for the step; {remedy}"
        if explicit and (found := too_long(model, method, float(step))):
            return found.text
        if short := simplified(model):
            return short
        if not explicit:
            return f'"{method}" damps what its step does not resolve; {remedy}'
        return f'the step is likely too long for "{method}"; {remedy}'
    if short := simplified(model):
        return short
    rtol = options.get("rtol")
    tighter = f"give rtol={rtol / 100.0:.0e}" if isinstance(rtol, float) else "give a smaller rtol"
    named = dict(options.get("constraints") or {}).get("kind", "")
    if named and named != "projection":
        return f'the constraints are kept by "{named}", which adds and takes energy; use "projection", or {tighter}'
    return f"a force, law or motion that is not smooth, or not a function of the state; {tighter}"


def simplified(model: Model) -> str:
    """What to say of a body whose equations leave terms out, and keep energy for small deflections only; or ""."""
    for entry in model.description["bodies"]:
        fidelity = entry["body"].get("fidelity", "exact")
        if fidelity != "exact":
            name = entry["body"]["name"]
            return (
                f'the equations of "{name}" leave terms out (fidelity="{fidelity}") and keep energy for small '
                'deflections and slow turns only; use fidelity="exact", or allow for it with energy_tolerance='
            )
    return ""


def near_contacts(model: Model, record: Record, first: int) -> list[str]:
    """Contacts that touch at a sample or beside it, or that come together within the time between samples."""
    if not model.contacts.names:
        return []
    from ..model.shape_distances import gaps

    rows = [i for i in (first - 1, first, first + 1) if 0 <= i < len(record.time)]
    found = np.array([gaps(model, record.q[i], record.v[i], record.z[i]) for i in rows])
    reach = np.zeros(found.shape[1])
    if len(rows) > 1:
        reach = np.abs(found[1] - found[0])
    least = np.where(np.isfinite(found), found, np.inf).min(axis=0)
    order = np.argsort(least)
    return [model.contacts.names[c] for c in order if least[c] <= 1e-12 + (reach[c] if np.isfinite(reach[c]) else 0.0)]
