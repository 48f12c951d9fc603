"""Multicriteria scoring of variants by Saaty's analytic hierarchy, as R. Kovalev has it for simulation studies.

A goal has parts, and a pairwise comparison says how much more each matters than the others; weights are the principal
eigenvector of that matrix. At the leaves a variable of the results becomes a number between 0 and 1: by a scale with a
best and a worst value, outside which a variant is rejected; by the best and worst among the variants; by classes; or by
comparing variants pairwise. The score is the sum over the leaves, weighted by the products on the way down.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...basics.arguments import checked
from ...basics.errors import ModelError, Problem
from ...basics.values import is_list, is_number, shown, suggestion

if TYPE_CHECKING:
    import xarray as xr

RANDOM_INDEX = {1: 0.0, 2: 0.0, 3: 0.58, 4: 0.90, 5: 1.12, 6: 1.24, 7: 1.32, 8: 1.41, 9: 1.45, 10: 1.49}
"""Mean consistency index of random matrices by their size (Saaty 1980)."""
CONSISTENT = 0.1
"""Consistency ratio up to which comparisons are taken as consistent (Saaty 1980)."""
BRANCH = ("compare", "weights", "parts")
LEAF = ("variable", "best", "worst", "reject", "prefer", "bounds", "grades", "compare")


class Priorities(NamedTuple):
    """What a pairwise comparison says.

    weights      (n,) the principal eigenvector, summing to one
    largest      its eigenvalue, n where the comparison is consistent
    deviation    consistency index, (largest - n) / (n - 1)
    ratio        that index beside that of random matrices; above 0.1 the comparison contradicts itself
    """

    weights: np.ndarray
    largest: float
    deviation: float
    ratio: float


@checked
def priorities(matrix: Sequence[Sequence[float]] | np.ndarray) -> Priorities:
    """Weights from a pairwise comparison: entry (i, j) says how many times as much i matters as j (1 to 9).

    The matrix is reciprocal, a[j, i] = 1 / a[i, j]; "1/3" stands for a third. After Kovalev, and Saaty 1980.
    """
    if not is_list(matrix) or not all(is_list(row) and len(row) == len(matrix) for row in matrix):
        raise ModelError.at("matrix", f"got {shown(matrix)}; give rows of numbers, as many as there are columns")
    a = np.array([[_entry(one) for one in row] for row in matrix], float)
    if a.ndim != 2 or a.shape[0] != a.shape[1] or not len(a):
        raise ModelError.at("compare", f"the matrix has shape {a.shape}; give as many rows as columns")
    if not np.all(np.isfinite(a)) or np.any(a <= 0.0):
        raise ModelError.at("compare", "entries must be above zero: 1 for equal, 3, 5, 7, 9 for more, 1/3 ... for less")
    if np.max(np.abs(a * a.T - 1.0)) > 1e-6:
        i, j = np.unravel_index(int(np.argmax(np.abs(a * a.T - 1.0))), a.shape)
        raise ModelError.at(
            "compare", f"row {i + 1} and column {j + 1}: {a[i, j]:g} and {a[j, i]:g}; one inverts the other"
        )
    values, vectors = np.linalg.eig(a)
    k = int(np.argmax(values.real))
    weights = np.abs(vectors[:, k].real)
    largest, n = float(values[k].real), len(a)
    index = (largest - n) / (n - 1) if n > 1 else 0.0
    random = RANDOM_INDEX.get(n, 1.49)
    return Priorities(weights / weights.sum(), largest, index, index / random if random else 0.0)


def _entry(value: Any) -> float:
    """A number, or a fraction of whole numbers as text."""
    if isinstance(value, str):
        over, sign, under = (one.strip() for one in value[:20].partition("/"))
        if len(value) <= 20 and over.isdecimal() and (not sign or (under.isdecimal() and int(under))):
            return int(over) / int(under or 1)
    elif is_number(value):
        return float(value)
    text = f'got {shown(value)}; give rows of numbers, or of fractions such as "1/3"'
    raise ModelError.at("compare", text)


class Leaf(NamedTuple):
    """An end of the hierarchy: the way to it, its weight in the whole, and what it looks at."""

    path: str
    weight: float
    spec: Mapping[str, Any]


def leaves(tree: Mapping[str, Any], weight: float = 1.0, path: str = "") -> Iterator[Leaf]:
    """The leaves of a hierarchy with their weights, which sum to one."""
    parts = tree.get("parts")
    if parts is None:
        yield Leaf(path, weight, tree)
        return
    shares = _shares(tree)
    for (name, part), share in zip(parts.items(), shares, strict=True):
        yield from leaves(part, weight * share, f"{path}.{name}" if path else name)


def _shares(tree: Mapping[str, Any]) -> np.ndarray:
    parts = tree["parts"]
    if tree.get("compare") is not None:
        return priorities(tree["compare"]).weights
    given = np.asarray(tree.get("weights", np.ones(len(parts))), float)
    return given / given.sum()


@checked
def score(dataset: xr.Dataset, hierarchy: Mapping[str, Any]) -> xr.Dataset:
    """Rank the variants of a study by a hierarchy of goals.

    hierarchy    a goal: ``{"parts": {name: goal, ...}, "compare": matrix}``, or with "weights" instead; its ends are
                 ``{"variable": name, "best": 10, "worst": 40}``; add ``"reject": False`` to cut instead of reject;
                 (in SI, or with the variable's unit: "40 mm");
                 without best and worst the extremes among the variants, ``"prefer": "low"`` or "high";
                 ``"bounds": [10, 20], "grades": matrix`` for classes; ``"compare": matrix`` over the variants

    Returns the dataset with `score` (0 to 1, not-a-number where a variant failed or is rejected), `rank` (from 1, 0
    where there is no score), and for every end its share, `score: path`.
    """
    import xarray as xr

    from .study_units import scored_in_si

    units = {str(name): str(one.attrs["units"]) for name, one in dataset.data_vars.items() if one.attrs.get("units")}
    hierarchy, problems = scored_in_si(hierarchy, units)
    problems = problems or hierarchy_problems(hierarchy, [str(name) for name in dataset.data_vars])
    if problems:
        raise ModelError([Problem(f"score{place}", message) for place, message in problems])
    total = np.zeros(dataset.sizes["variant"])
    out = dataset.copy()
    for leaf in leaves(hierarchy):
        values = membership(leaf.spec, np.asarray(dataset[leaf.spec["variable"]].values, float))
        total = total + leaf.weight * values
        name = f"score: {leaf.path or leaf.spec['variable']}"
        out[name] = xr.DataArray(values, dims="variant", attrs={"weight": leaf.weight})
    out["score"] = xr.DataArray(total, dims="variant", attrs={"about": "sum of all shares by their weights"})
    rank = np.zeros(len(total), np.int64)
    known = np.flatnonzero(np.isfinite(total))
    rank[known[np.argsort(-total[known], kind="stable")]] = np.arange(1, len(known) + 1)
    out["rank"] = xr.DataArray(rank, dims="variant", attrs={"about": "1 for the best; 0 without a score"})
    return out


def membership(spec: Mapping[str, Any], values: np.ndarray) -> np.ndarray:
    """The share of every variant at a leaf, 0 to 1; not-a-number where it is rejected or unknown."""
    if spec.get("compare") is not None:
        weights = priorities(spec["compare"]).weights
        return weights / weights.max()
    if spec.get("bounds") is not None:
        grades = priorities(spec["grades"]).weights
        out = (grades / grades.max())[np.searchsorted(np.asarray(spec["bounds"], float), values)]
        return np.where(np.isfinite(values), out, np.nan)
    known = values[np.isfinite(values)]
    best: Any = spec.get("best")
    worst: Any = spec.get("worst")
    if best is None:
        if not len(known):
            return np.full(len(values), np.nan)
        low, high = float(known.min()), float(known.max())
        best, worst = (low, high) if spec.get("prefer", "low") == "low" else (high, low)
        if best == worst:
            return np.where(np.isfinite(values), 1.0, np.nan)
        return (values - worst) / (best - worst)
    share = (values - float(worst)) / (float(best) - float(worst))
    if spec.get("reject", True):
        share = np.where(share < 0.0, np.nan, share)
    return np.clip(share, 0.0, 1.0)


def hierarchy_problems(tree: Any, variables: Sequence[str], place: str = "") -> list[tuple[str, str]]:
    """What is wrong with a hierarchy: (place, message) each."""
    if not isinstance(tree, Mapping):
        return [(place, "give a mapping: parts with compare, or a variable")]
    branch = "parts" in tree
    known = BRANCH if branch else LEAF
    out = [(place, f'unknown key "{key}"; {suggestion(str(key), known)}') for key in tree if key not in known]
    if branch:
        return out + _branch_problems(tree, variables, place)
    name = tree.get("variable")
    if name is None:
        return [*out, (place, 'needs "variable", or "parts" with "compare" or "weights"')]
    if name not in variables:
        out.append((place, f'there is no variable "{name}"; {suggestion(str(name), variables)}'))
    return out + _leaf_problems(tree, place)


def _branch_problems(tree: Mapping[str, Any], variables: Sequence[str], place: str) -> list[tuple[str, str]]:
    parts, out = tree["parts"], []
    if not isinstance(parts, Mapping) or not parts:
        return [(f"{place}.parts", "give names, each with a goal or a variable")]
    if tree.get("compare") is not None and tree.get("weights") is not None:
        out.append((place, "has compare and weights; give one of them"))
    if tree.get("compare") is not None:
        out += _matrix_problems(tree["compare"], len(parts), f"{place}.compare", "parts")
    weights = tree.get("weights")
    if weights is not None:
        sound = isinstance(weights, list | tuple) and all(_positive(one) for one in weights)
        if not sound or len(weights) != len(parts):
            out.append((f"{place}.weights", f"give {len(parts)} numbers above zero, one a part"))
    for key, part in parts.items():
        out += hierarchy_problems(part, variables, f"{place}.parts.{key}")
    return out


def _leaf_problems(tree: Mapping[str, Any], place: str) -> list[tuple[str, str]]:
    out = []
    ends = [tree.get("best"), tree.get("worst")]
    if any(one is not None for one in ends):
        if not all(_number(one) for one in ends) or ends[0] == ends[1]:
            out.append((place, "a scale has two different numbers, best and worst"))
    if tree.get("prefer") not in (None, "low", "high"):
        out.append((f"{place}.prefer", f'got {tree["prefer"]!r}; give "low" or "high"'))
    bounds = tree.get("bounds")
    if bounds is not None:
        rising = (
            isinstance(bounds, list | tuple) and all(_number(one) for one in bounds) and list(bounds) == sorted(bounds)
        )
        if not rising or not bounds:
            out.append((f"{place}.bounds", "give rising numbers, where one class ends and the next begins"))
        elif tree.get("grades") is None:
            out.append((f"{place}.grades", f"is missing: a comparison of the {len(bounds) + 1} classes"))
        else:
            out += _matrix_problems(tree["grades"], len(bounds) + 1, f"{place}.grades", "classes")
    elif tree.get("grades") is not None:
        out.append((f"{place}.grades", "belongs to bounds, which are missing"))
    return out


def _matrix_problems(matrix: Any, size: int, place: str, what: str) -> list[tuple[str, str]]:
    try:
        found = priorities(matrix)
    except ModelError as error:
        return [(place, error.problems[0].message)]
    except (TypeError, ValueError, ZeroDivisionError):
        return [(place, "give rows of numbers")]
    if len(found.weights) != size:
        return [(place, f"compares {len(found.weights)}; there are {size} {what}")]
    if found.ratio > CONSISTENT:
        return [
            (place, f"contradicts itself: its consistency ratio is {found.ratio:.2g}, at most {CONSISTENT:g} is taken")
        ]
    return []


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _positive(value: Any) -> bool:
    return _number(value) and value > 0.0
