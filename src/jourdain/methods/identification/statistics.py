"""What a fit is worth: errors, correlations, what the records do not determine, and whether the residuals are noise."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .output_error import OutputError, SearchResult

VAGUE = 1.0
"""Standard error, over the size of an unknown, beyond which a combination of unknowns is not determined."""
RANK = 1e-6
"""Singular value, over the largest, that counts as zero."""
NOTHING = 1e-3
"""What such a singular value is taken for, over the smallest that counts."""
SHARE = 0.02
"""Part of a combination, over its largest, that is worth naming."""
MOST_NAMED = 4
"""Names of a combination that its text has."""
LAGS = 20
"""Lags of the test of whiteness at most."""


@dataclass(frozen=True)
class Combination:
    """A direction in which the unknowns can change without any record showing it.

    parts     coefficients by name, in units of the unknowns' sizes, the largest one is 1
    reason    as text
    """

    parts: dict[str, float]
    reason: str

    def __str__(self) -> str:
        return self.reason


@dataclass(frozen=True, eq=False)
class FitQuality:
    """Errors of a fit.

    covariance       (names, names) of the reported values; not-a-number of those that are not determined
    errors           standard errors
    unidentifiable   combinations that no record shows
    undetermined     names that take part in these, each with the reason
    freedom          samples less unknowns that are determined
    """

    covariance: np.ndarray
    errors: np.ndarray
    unidentifiable: tuple[Combination, ...]
    undetermined: dict[str, str]
    freedom: int


def worth(problem: OutputError, found: SearchResult, loss: str = "linear") -> FitQuality:
    """Errors and correlations from the information matrix, and its null space by name.

    The Jacobian is taken in units of the unknowns' sizes. Directions whose error is beyond `VAGUE` sizes are named, and
    unknowns whose part in them is beyond `VAGUE` of their own size have no value. All directions count in the errors of
    the others.
    """
    unknowns = problem.unknowns
    s, Vt = _directions(found.jacobian * unknowns.scale, problem.tight)
    floor = RANK * s[0]
    s = np.where(s > floor, s, NOTHING * floor) if floor > 0.0 else np.full(len(s), NOTHING)
    weak = s < 1.0 / VAGUE
    slope = unknowns.slope(found.x) * unknowns.scale
    root = slope @ (Vt.T / s)
    covariance = root @ root.T * _robust_spread(found, loss)
    sizes = unknowns.sizes(found.x)
    errors = np.sqrt(np.diag(covariance))
    lost = errors > VAGUE * sizes
    reasons: dict[str, str] = {}
    combinations = []
    for row in _sparse(Vt[weak] @ (slope / sizes[:, None]).T):
        parts = {unknowns.names[i]: float(row[i]) for i in np.argsort(-np.abs(row)) if abs(row[i]) > SHARE}
        text = _words(parts)
        combinations.append(Combination(parts, text))
        for i, name in enumerate(unknowns.names):
            if lost[i] and name in parts:
                reasons.setdefault(name, text)
    for i, name in enumerate(unknowns.names):
        if lost[i] and name not in reasons:
            reasons[name] = f"its error would be {100.0 * errors[i] / sizes[i]:.0f} % of its size"
    covariance[lost, :] = covariance[:, lost] = np.nan
    errors[lost] = np.inf
    freedom = max(1, found.samples - int(np.sum(~weak)))
    return FitQuality(covariance, errors, tuple(combinations), reasons, freedom)


def _directions(J: np.ndarray, tight: slice) -> tuple[np.ndarray, np.ndarray]:
    """Singular values and directions of the Jacobian; those that keep parts of records joined, where there are any."""
    rest = np.delete(J, tight, axis=0)
    if len(rest) < rest.shape[1]:  # fewer numbers than unknowns: the rest of the directions shows nowhere
        rest = np.vstack([rest, np.zeros((rest.shape[1] - len(rest), rest.shape[1]))])
    if tight.stop == tight.start:
        return np.linalg.svd(rest, full_matrices=False)[1:]
    Z = np.linalg.svd(J[tight])[2][tight.stop - tight.start :]
    s, inner = np.linalg.svd(rest @ Z.T, full_matrices=False)[1:]
    return s, inner @ Z


def _sparse(rows: np.ndarray) -> list[np.ndarray]:
    """Directions with as many zeros as elimination makes: each begins at an unknown that no other has."""
    if not len(rows):
        return []
    rows = rows / np.maximum(np.max(np.abs(rows), axis=1, keepdims=True), 1e-300)
    left = list(range(rows.shape[1]))
    for i in range(len(rows)):
        k = max(left, key=lambda j: abs(rows[i, j]))
        left.remove(k)
        if abs(rows[i, k]) < 1e-12:
            continue
        rows[i] /= rows[i, k]
        for j in range(len(rows)):
            if j != i:
                rows[j] -= rows[j, k] * rows[i]
    out = []
    for row in rows:
        largest = np.max(np.abs(row))
        if largest > 1e-12:
            out.append(row / row[np.argmax(np.abs(row))])
    return out


def _words(parts: dict[str, float]) -> str:
    names = list(parts)
    if len(names) == 1:
        return f"no record moves {names[0]}, or shows what it does"
    stated = " ".join(f"{parts[name]:+.3g} {name}" for name in names[:MOST_NAMED]).removeprefix("+")
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    apart = f"{', '.join(names[:MOST_NAMED])}{more}"
    return f"the records do not distinguish {apart}: {stated}{' ...' if more else ''}, in their sizes, changes nothing"


def _robust_spread(found: SearchResult, loss: str) -> float:
    """What a robust loss adds to the variance: E[psi^2] / E[psi']^2 (Huber 1981), one for squares."""
    if loss == "linear":
        return 1.0
    z = found.residuals[: found.samples] ** 2
    if loss == "soft_l1":
        first, second = (1.0 + z) ** -0.5, -0.5 * (1.0 + z) ** -1.5
    elif loss == "cauchy":
        first, second = 1.0 / (1.0 + z), -1.0 / (1.0 + z) ** 2
    else:
        first = np.where(z <= 1.0, 1.0, np.maximum(z, 1.0) ** -0.5)
        second = np.where(z <= 1.0, 0.0, -0.5 * np.maximum(z, 1.0) ** -1.5)
    psi2 = np.mean(first**2 * z)
    slope = np.mean(first + 2.0 * second * z)
    return float(psi2 / slope**2)


@dataclass(frozen=True)
class Whiteness:
    """Whether residuals of a channel are noise: Ljung & Box 1978, and what else would explain them.

    correlation    (lags + 1,) of residuals with themselves
    probability    that noise alone has correlations this large
    """

    correlation: np.ndarray
    probability: float

    @property
    def white(self) -> bool:
        """Whether noise is a likely enough explanation."""
        return self.probability > 0.001


def whiteness(residuals: np.ndarray) -> Whiteness:
    """The test of residuals in their order; gaps count as nothing."""
    from scipy.stats import chi2

    r = residuals - np.mean(residuals)
    n = len(r)
    lags = min(LAGS, max(1, n // 4))
    power = float(r @ r)
    if power == 0.0:
        return Whiteness(np.zeros(lags + 1), 1.0)
    rho = np.array([1.0, *(float(r[k:] @ r[:-k]) / power for k in range(1, lags + 1))])
    Q = n * (n + 2.0) * float(np.sum(rho[1:] ** 2 / (n - np.arange(1, lags + 1))))
    return Whiteness(rho, float(chi2.sf(Q, lags)))


def hints(name: str, time: np.ndarray, measured: np.ndarray, fitted: np.ndarray, noise: float) -> list[str]:
    """What besides the model would explain the residuals of a channel: an offset, a delay, a clock.

    Residuals are regressed on 1, dy/dt and t dy/dt, each alone. Of coefficients beyond five of their errors that take
    away a third of the sum of squares, the one that takes away most is reported.
    """
    rate = np.gradient(fitted, time) if len(time) > 2 else np.zeros_like(fitted)
    error = measured - fitted
    power = float(error @ error)
    stated: list[tuple[float, str]] = []
    for regressor, words, unit in (
        (np.ones_like(fitted), f"an offset of {{:+.4g}}; add offset:{name} to the unknowns", 1.0),
        (-rate, f"a delay of {{:+.4g}} s; add delay:{name} to the unknowns", 1.0),
        (-(time - time[0]) * rate, "a clock that is off by {:+.3g} %; scale its times", 100.0),
    ):
        size = float(regressor @ regressor)
        if size == 0.0 or power == 0.0:
            continue
        slope = float(regressor @ error) / size
        if abs(slope) * np.sqrt(size) > 5.0 * noise and slope**2 * size > power / 3.0:
            stated.append((slope**2 * size, f"{name}: the residuals look like {words.format(slope * unit)}"))
    return [max(stated)[1]] if stated else []


def channel_residuals(problem: OutputError, found: SearchResult) -> list[tuple[int, int, np.ndarray]]:
    """(record, channel, residuals over the noise) of all channels."""
    out, at = [], 0
    for i, record in enumerate(problem.records):
        for j, channel in enumerate(record.channels):
            out.append((i, j, found.residuals[at : at + len(channel.time)]))
            at += len(channel.time)
    return out
