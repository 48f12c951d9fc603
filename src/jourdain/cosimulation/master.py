"""`jd.cosimulation.Master`: parts that step by themselves and exchange data at macro points.

Co-simulation: Jacobi or Gauss-Seidel, with or without iteration.

Between macro points each part knows the others only by polynomials of the data exchanged (Carrarini 2002; Kübler &
Schiehlen 2000). Through the last `order` macro points and the end of the step, where a value was guessed by
extrapolation or, in later sweeps, computed, goes a polynomial of that order; `order` 0 holds the value of the end.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..basics.arguments import checked
from ..basics.errors import ModelError, SimulationError, StopReason
from .coupling import Wiring
from .participants import Part

JACOBI, GAUSS_SEIDEL = "jacobi", "gauss-seidel"


@checked
@dataclass
class CoupledRun:
    """What came of a co-simulation, at its macro points.

    time         (n,) [s]
    outputs      (n, outputs) by name: run["a.x"]
    inputs       (n, inputs), as they follow from the outputs
    work         energy that each input has brought into its part [J]
    energy       of the coupling, (n,) [J]: "work" into all parts, "stored" in couplings, "dissipated" by them, and
                 "created" = work + stored + dissipated less what was stored at the start. It is zero where the coupling
                 is exact; what it is else, data that was guessed has made or taken away
    iterations   sweeps of each step, and how many steps were `rejected`
    """

    output_names: list[str]
    input_names: list[str]
    time: np.ndarray
    outputs: np.ndarray
    inputs: np.ndarray
    work: np.ndarray
    energy: Mapping[str, np.ndarray]
    iterations: np.ndarray
    rejected: int

    def __getitem__(self, name: str) -> np.ndarray:
        """A history by the name of an output or an input."""
        if name in self.output_names:
            return self.outputs[:, self.output_names.index(name)]
        if name in self.input_names:
            return self.inputs[:, self.input_names.index(name)]
        raise KeyError(name)

    def __repr__(self) -> str:
        return (
            f"<CoupledRun: {self.time[0]:g} to {self.time[-1]:g} s, {len(self.iterations)} steps of "
            f"{np.mean(self.iterations):.2g} sweeps, {self.rejected} rejected>"
        )


@dataclass
class _MacroRows:
    """What is kept of a run while it goes on."""

    time: list[float] = field(default_factory=list)
    outputs: list[np.ndarray] = field(default_factory=list)
    inputs: list[np.ndarray] = field(default_factory=list)
    work: list[np.ndarray] = field(default_factory=list)
    ledger: list[tuple[float, float]] = field(default_factory=list)
    iterations: list[int] = field(default_factory=list)
    rejected: int = 0


@checked
class Master:
    """Parts, connections, and how they are stepped together.

    parts         `ModelPart`, `FmuPart`, or parts of your own
    connect       ("a.force", "b.effort:x") or ("a.x", "b.effort:x", 50.0) with a factor, several to one input are
                  added; or `Coupling`, `Spring`
    step          macro step [s]; the first one, where a tolerance is given
    scheme        "jacobi": all parts step with data of the last macro point; "gauss-seidel": one behind the other in
                  the order of `parts`, each with what those before it have just computed
    order         of the polynomials that data follows between macro points, 0 to 2
    iterate       whether a macro step is made again until the data that parts exchanged at its end agree; parts return
                  to the beginning of the step for that
    tolerance     of the iteration: relative to the largest value that each output had so far, and absolute
    sweeps        most of these in a step
    relaxation    None: by what the last sweeps taught (Anderson 1965); or a factor, 1.0 for plain fixed points
    error         (relative, absolute) tolerance of macro steps: what the data at the end of a step may differ from what
                  was extrapolated; None for macro steps of one size
    max_step      longest macro step [s], where steps are chosen
    """

    def __init__(
        self,
        parts: Sequence[Part],
        connect: Sequence[Any],
        step: float,
        *,
        scheme: str = JACOBI,
        order: int = 0,
        iterate: bool = False,
        tolerance: tuple[float, float] = (1e-9, 1e-12),
        sweeps: int = 50,
        relaxation: float | None = None,
        error: tuple[float, float] | None = None,
        max_step: float | None = None,
    ) -> None:
        self.parts = list(parts)
        names = [part.name for part in self.parts]
        if not names or len(set(names)) != len(names) or any("." in name or not name for name in names):
            raise ModelError.at("parts", f"are named {names}; give each a name of its own, without a dot")
        if scheme not in (JACOBI, GAUSS_SEIDEL):
            raise ModelError.at("scheme", f'got {scheme!r}; "{JACOBI}" or "{GAUSS_SEIDEL}"')
        if order not in (0, 1, 2):
            raise ModelError.at("order", f"got {order!r}; 0, 1 or 2")
        if relaxation is not None and not 0.0 < relaxation <= 1.0:
            raise ModelError.at("relaxation", f"got {relaxation!r}; above 0, at most 1, or None")
        self.wiring = Wiring(self.parts, connect)
        self.scheme, self.order, self.iterate = scheme, order, iterate
        self.tolerance, self.sweeps, self.relaxation, self.error = tolerance, int(sweeps), relaxation, error
        self.grain = self._grain()
        self.step = self._whole("step", step)
        self.max_step = math.inf if max_step is None else self._whole("max_step", max_step)

    def _grain(self) -> float | None:
        """What every macro step is a whole number of [s]."""
        sizes = [part.step_size for part in self.parts if part.step_size is not None]
        if not sizes:
            return None
        grain = max(sizes)
        for size in sizes:
            if abs(grain / size - round(grain / size)) > 1e-6:
                raise ModelError.at(
                    "step", f"the parts' own steps are {sizes} s; let the longest be a whole number of the others"
                )
        return grain

    def _whole(self, what: str, step: float) -> float:
        if not isinstance(step, int | float) or not math.isfinite(step) or step <= 0.0:
            raise ModelError.at(what, f"got {step!r}; give a time above 0 [s]")
        if self.grain is not None:
            count = round(step / self.grain)
            if count < 1 or abs(count * self.grain - step) > 1e-6 * self.grain:
                near = max(1, count) * self.grain
                raise ModelError.at(
                    what, f"{step:g} s is no whole number of the parts' steps of {self.grain:g} s; try {near:.9g}"
                )
        return float(step)

    def run(self, until: float) -> CoupledRun:
        """Steps from the start of the parts to a time [s]."""
        t = self._begin()
        rows, h = _MacroRows(), self.step
        self._keep_row(rows, t)
        while t < until - 1e-9 * self.step:
            left = until - t
            size = h if h <= left * (1.0 + 1e-9) else self._rounded(left)
            ok, t, h = self._one(t, size, rows)
            if ok:
                self._keep_row(rows, t)
        return self._result(rows)

    def _begin(self) -> float:
        """All parts at their start; inputs that follow from outputs that follow from inputs settle."""
        wiring = self.wiring
        u = np.zeros(len(wiring.inputs))
        y = np.zeros(len(wiring.outputs))
        for _ in range(3):
            times = [part.begin(u[span]) for part, (_, span) in zip(self.parts, wiring.spans, strict=True)]
            y = self._read()
            u = wiring.feed(y)
        if max(times) - min(times) > 1e-12 * max(1.0, abs(times[0])):
            raise ModelError.at("parts", f"begin at {times} s; let all begin at one time")
        self.past: deque[tuple[float, np.ndarray]] = deque([(times[0], y)], maxlen=3)
        self.largest = np.abs(y)
        return times[0]

    def _read(self) -> np.ndarray:
        y = np.concatenate([part.read() for part in self.parts])
        if not np.all(np.isfinite(y)):
            bad = self.wiring.outputs[int(np.flatnonzero(~np.isfinite(y))[0])]
            t = self.past[-1][0] if hasattr(self, "past") else 0.0
            raise SimulationError(
                f'"{bad}" is not a finite number after the macro step from t = {t:.9g} s; if it grew before, the '
                "coupling is unstable: take a shorter step, a higher order, or iterate=True",
                time=t,
                culprit=bad,
                reason=StopReason.COUPLING,
            )
        return y

    def _rounded(self, h: float) -> float:
        """A step as the parts can make it."""
        return h if self.grain is None else max(1, round(h / self.grain)) * self.grain

    def _one(self, t: float, h: float, rows: _MacroRows) -> tuple[bool, float, float]:
        """A macro step: whether it was taken, the time then, and the size to try next."""
        retried = self.iterate or self.error is not None
        kept = [part.keep() for part in self.parts] if retried else []
        guess = extrapolated(self.past, self.order, t + h)
        y, count, converged = self._settle(t, h, guess, kept)
        off = self._misses(guess, y)
        smallest = self.grain or 1e-9 * self.step
        taken = converged and (off <= 1.0 or h <= smallest * (1.0 + 1e-9))
        if not converged and (self.error is None or h <= smallest * (1.0 + 1e-9)):
            raise SimulationError(
                f"the data that parts exchange at t = {t + h:.9g} s do not agree after {count} sweeps; take a shorter "
                "step, or order=0",
                time=t,
                culprit="iterate",
                reason=StopReason.COUPLING,
            )
        if taken:
            self.past.append((t + h, y))
            self.largest = np.maximum(self.largest, np.abs(y))
            rows.iterations.append(count)
        else:
            for part, one in zip(self.parts, kept, strict=True):
                part.back(one)
            rows.rejected += 1
        for part, one in zip(self.parts, kept, strict=bool(kept)):
            if hasattr(part, "forget"):
                part.forget(one)
        return taken, t + h if taken else t, self._next(h, off, converged)

    def _next(self, h: float, off: float, converged: bool) -> float:
        """The macro step to try next; the error of a prediction grows with the power order + 1 of it."""
        if self.error is None:
            return self.step
        factor = 0.5 if not converged else 0.9 * max(off, 1e-8) ** (-1.0 / (self.order + 1))
        return self._rounded(min(self.max_step, h * min(2.0, max(0.3, factor))))

    def _misses(self, guess: np.ndarray, y: np.ndarray) -> float:
        """How far data at the end are from what was extrapolated, in tolerances."""
        if self.error is None or not len(y):
            return 0.0
        relative, absolute = self.error
        scale = absolute + relative * np.maximum(self.largest, np.abs(y))
        return float(np.max(np.abs(y - guess) / scale))

    def _settle(self, t: float, h: float, guess: np.ndarray, kept: list[Any]) -> tuple[np.ndarray, int, bool]:
        """Sweeps until data at the end agree; the data, how many sweeps, and whether they do."""
        memory = Anderson(self.relaxation)
        for count in range(1, (self.sweeps if self.iterate else 1) + 1):
            if count > 1:
                for part, one in zip(self.parts, kept, strict=True):
                    part.back(one)
            y = self._sweep(t, h, guess)
            if not self.iterate:
                return y, count, True
            relative, absolute = self.tolerance
            scale = absolute + relative * np.maximum(self.largest, np.abs(y))
            if np.all(np.abs(y - guess) <= scale):
                return y, count, True
            guess = memory.next(guess, y)
        return y, count, False

    def _sweep(self, t: float, h: float, guess: np.ndarray) -> np.ndarray:
        """Every part once over the macro step, with data at its end as guessed."""
        wiring = self.wiring
        known = guess.copy()
        before = [(when, wiring.feed(y)) for when, y in list(self.past)[-max(1, self.order) :]]
        for part, (out, into) in zip(self.parts, wiring.spans, strict=True):
            end = wiring.feed(known)
            points = [(when, u[into]) for when, u in before][-self.order :] if self.order else []
            part.advance(t, h, polynomial([*points, (t + h, end[into])]))
            if self.scheme == GAUSS_SEIDEL:
                known[out] = part.read()
        return self._read()

    def _keep_row(self, rows: _MacroRows, t: float) -> None:
        y = self.past[-1][1]
        rows.time.append(t)
        rows.outputs.append(y)
        rows.inputs.append(self.wiring.feed(y))
        rows.work.append(np.concatenate([part.work for part in self.parts]))
        rows.ledger.append((self.wiring.stored(y), self.wiring.lost(y)))

    def _result(self, rows: _MacroRows) -> CoupledRun:
        time, work = np.array(rows.time), np.array(rows.work)
        stored, lost = np.array(rows.ledger).T
        gone = np.concatenate([[0.0], np.cumsum(0.5 * np.diff(time) * (lost[1:] + lost[:-1]))])
        brought = np.nansum(work, axis=1)
        created = brought + stored - stored[0] + gone
        energy = {"work": brought, "stored": stored, "dissipated": gone, "created": created}
        return CoupledRun(
            self.wiring.outputs, self.wiring.inputs, time, np.array(rows.outputs), np.array(rows.inputs), work, energy,
            np.array(rows.iterations, int), rows.rejected,
        )  # fmt: skip


def extrapolated(past: Sequence[tuple[float, np.ndarray]], order: int, t: float) -> np.ndarray:
    """The polynomial through the last order + 1 points, or as many as there are, at a time."""
    return polynomial(list(past)[-(order + 1) :])(t)


def polynomial(points: Sequence[tuple[float, np.ndarray]]) -> Any:
    """The polynomial through one, two or three points (time, values), by Newton's divided differences."""
    (t0, y0), *rest = points
    if not rest:
        return lambda t: y0
    t1, y1 = rest[0]
    slope = (y1 - y0) / (t1 - t0)
    if len(rest) == 1:
        return lambda t: y0 + (t - t0) * slope
    t2, y2 = rest[1]
    bend = ((y2 - y1) / (t2 - t1) - slope) / (t2 - t0)
    return lambda t: y0 + (t - t0) * (slope + (t - t1) * bend)


DEPTH = 8
"""Most iterates that are remembered."""


class Anderson:
    """Anderson's mixing (1965; Walker & Ni 2011): of x = g(x), the combination of the last iterates whose residuals
    g(x) - x are smallest together, by least squares.

    relaxation    a factor instead: x + relaxation (g(x) - x)
    """

    def __init__(self, relaxation: float | None = None) -> None:
        self.relaxation = relaxation
        self.x: list[np.ndarray] = []
        self.g: list[np.ndarray] = []

    def next(self, x: np.ndarray, g: np.ndarray) -> np.ndarray:
        """The next iterate after x, whose image is g."""
        if self.relaxation is not None:
            return x + self.relaxation * (g - x)
        self.x, self.g = [*self.x, x][-DEPTH:], [*self.g, g][-DEPTH:]
        if len(self.x) == 1:
            return g
        residuals = np.array([b - a for a, b in zip(self.x, self.g, strict=True)])
        steps, images = np.diff(residuals, axis=0).T, np.diff(np.array(self.g), axis=0).T
        weights, *_ = np.linalg.lstsq(steps, residuals[-1], rcond=1e-12)
        return g - images @ weights
