"""What many variants say together: rates with their confidence, what matters how much, and which are worst."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .criteria import MARGIN
from .store import BAD, DONE

if TYPE_CHECKING:
    import xarray as xr

    from .study import Study

NORMAL = 1.959963984540054
"""Of 95 % confidence, two-sided."""


class Rate(NamedTuple):
    """A rate with its interval of 95 % confidence."""

    rate: float
    low: float
    high: float
    successes: int
    trials: int


def wilson(successes: int, trials: int, z: float = NORMAL) -> Rate:
    """The interval of a rate by Wilson's score (E. B. Wilson, J. Am. Stat. Assoc. 22, 1927, 209-212).

    It stays within 0 and 1 and holds for few trials, and for rates of 0 and 1.
    """
    if trials == 0:
        return Rate(math.nan, 0.0, 1.0, 0, 0)
    p, z2 = successes / trials, z * z / trials
    middle = (p + z2 / 2.0) / (1.0 + z2)
    half = z * math.sqrt(p * (1.0 - p) / trials + z2 / (4.0 * trials)) / (1.0 + z2)
    # at rates of 0 and 1 the ends are exact, whatever rounding says
    low = 0.0 if successes == 0 else max(0.0, middle - half)
    high = 1.0 if successes == trials else min(1.0, middle + half)
    return Rate(p, low, high, successes, trials)


def rate(data: xr.Dataset) -> Rate:
    """The success rate of the variants that were run; one that failed is no success."""
    ran = data["status"].values != 0
    return wilson(int(np.sum(data["success"].values[ran])), int(np.sum(ran)))


def ranked(study: Study, data: xr.Dataset) -> list[int]:
    """Numbers of the variants that ran to their end, the worst first; what failed or is not trusted comes last."""
    layout = study.layout
    name = layout.worst or _default_worst(study)
    if study.search is not None and not layout.worst:
        name = "cost"
    values = np.asarray(data[name].values, float)
    highest = name != MARGIN and (layout.highest if layout.worst else name == "cost" or not study.limits)
    key = -values if highest else values
    key = np.where(np.isnan(key), np.inf, key)
    order = np.argsort(key, kind="stable")
    status = data["status"].values
    done = [int(data["variant"].values[i]) for i in order if status[i] == DONE]
    return done + [int(data["variant"].values[i]) for i in order if status[i] in BAD]


def _default_worst(study: Study) -> str:
    return MARGIN if study.limits else study.criteria[0].name if study.criteria else "success"


class Influence(NamedTuple):
    """How a variable depends on a parameter.

    rank          Spearman's rank correlation, -1 to 1
    regression    standardised regression coefficient, of all numeric parameters together
    first         first-order Sobol index: the part of the variance that the parameter makes by itself; NaN without
    total         total-order Sobol index, of Saltelli's design; NaN without
    """

    rank: float
    regression: float
    first: float
    total: float


def influences(study: Study, data: xr.Dataset, name: str) -> dict[str, Influence]:
    """What each parameter does to a variable, of the variants that were done."""
    from scipy.stats import spearmanr

    y = np.asarray(data[name].values, float)
    done = (data["status"].values == DONE) & np.isfinite(y)
    numbers = {one.name: coded_values(study, data, one.name) for one in study.parameters}
    fitted = _regression({k: x[done] for k, x in numbers.items()}, y[done])
    first, total = sobol(study, data, name)
    out = {}
    for one in study.parameters:
        x = numbers[one.name][done]
        known = len(x) > 2 and np.ptp(x) > 0.0 and np.ptp(y[done]) > 0.0
        rank = float(spearmanr(x, y[done]).statistic) if known else math.nan
        out[one.name] = Influence(
            rank, fitted.get(one.name, math.nan), first.get(one.name, math.nan), total.get(one.name, math.nan)
        )
    return out


def coded_values(study: Study, data: xr.Dataset, name: str) -> np.ndarray:
    """A parameter as numbers; one of words by their place in its list."""
    one = next(p for p in study.parameters if p.name == name)
    if one.numeric:
        return np.asarray(data[name].values, float)
    words = [value if isinstance(value, str) else repr(value) for value in one.choices or ()]
    return np.array([words.index(str(value)) for value in data[name].values], float)


def _regression(columns: dict[str, np.ndarray], y: np.ndarray) -> dict[str, float]:
    """Standardised coefficients of a linear fit: standard deviations of y for one of x."""
    used = {k: x for k, x in columns.items() if len(x) and np.ptp(x) > 0.0}
    if not used or len(y) <= len(used) + 1 or not np.ptp(y) > 0.0:
        return {}
    table = np.column_stack([(x - x.mean()) / x.std() for x in used.values()])
    fit, *_ = np.linalg.lstsq(table, (y - y.mean()) / y.std(), rcond=None)
    return dict(zip(used, (float(one) for one in fit)))


def sobol(study: Study, data: xr.Dataset, name: str) -> tuple[dict[str, float], dict[str, float]]:
    """First-order and total Sobol indices where the design allows: of a whole grid, or of Saltelli's design.

    On a grid the first-order index is the variance of the means over all others, as part of the whole variance.
    Saltelli's design takes the estimators of Saltelli et al. 2010 (Comput. Phys. Commun. 181, table 2 b and f).
    """
    design = study.design
    y = np.asarray(data[name].values, float)
    if design is None or not np.all(np.isfinite(y)) or not np.ptp(y) > 0.0:
        return {}, {}
    names = [one.name for one in study.parameters]
    if design.method == "grid" and len(y) == design.size(study.parameters):
        cube = y.reshape([len(one.choices or ()) for one in study.parameters])
        first = {}
        for i, one in enumerate(names):
            others = tuple(k for k in range(cube.ndim) if k != i)
            first[one] = float(np.var(cube.mean(axis=others)) / np.var(cube))
        return first, {}
    if design.method == "saltelli":
        n = int(design.samples or 0)
        a, b = y[:n], y[n : 2 * n]
        mean, variance = np.mean(np.concatenate([a, b])), np.var(np.concatenate([a, b]))
        first, total = {}, {}
        for i, one in enumerate(names):
            mixed = y[(2 + i) * n : (3 + i) * n]
            first[one] = float(np.mean((b - mean) * (mixed - a)) / variance)
            total[one] = float(0.5 * np.mean((a - mixed) ** 2) / variance)
        return first, total
    return {}, {}
