"""Designs of which none is better than another in everything: non-dominated sorting and the search by it.

Deb, Pratap, Agarwal & Meyarivan 2002 (NSGA-II): individuals are sorted in fronts, each of what the fronts before do not
dominate, and within a front by how much room is about them. Sika, Valasek, Bauma & Vampola 2002 design robots so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ...basics.arguments import checked
from ...basics.errors import ModelError
from ...basics.platforms import cores
from ...basics.values import as_array, is_number, shown
from .evolution import offspring
from .executors import MODES, FunctionPool


@checked
class Pareto(NamedTuple):
    """Designs that no other that was tried dominates.

    values    of each parameter (k,), by name; sorted by the first cost
    costs     (k, costs)
    tried     how many designs were evaluated
    failed    how many of these had no cost
    """

    values: dict[str, np.ndarray]
    costs: np.ndarray
    tried: int
    failed: int


@checked
def fronts(costs: ArrayLike) -> np.ndarray:
    """The front of each row of costs (n, costs), 0 for those that no row dominates; all costs are to become small.

    One dominates another where it is not worse in anything and better in something. Rows that are not finite come last.
    """
    C = as_array(costs, "costs")
    if C.ndim != 2:
        raise ModelError.at("costs", f"got shape {C.shape}; give a row of costs for each design")
    C = np.where(np.isfinite(C).all(axis=1)[:, None], C, np.inf)
    no_worse = np.all(C[:, None, :] <= C[None, :, :], axis=2)
    better = no_worse & np.any(C[:, None, :] < C[None, :, :], axis=2)
    rank, left, number = np.zeros(len(C), int), np.ones(len(C), bool), 0
    while np.any(left):
        now = left & ~np.any(better & left[:, None], axis=0)
        rank[now] = number
        left &= ~now
        number += 1
    return rank


@checked
def crowding(costs: ArrayLike) -> np.ndarray:
    """Room about each row of a front (n,): the sum of the neighbours' distances in each cost, over its range."""
    C = as_array(costs, "costs")
    if C.ndim != 2:
        raise ModelError.at("costs", f"got shape {C.shape}; give (designs, costs)")
    distances = np.zeros(len(C))
    for column in C.T:
        order = np.argsort(column, kind="stable")
        span = column[order[-1]] - column[order[0]]
        distances[order[[0, -1]]] = np.inf
        if span > 0.0 and len(C) > 2:
            distances[order[1:-1]] += (column[order[2:]] - column[order[:-2]]) / span
    return distances


@checked
def pareto(
    cost: Callable[[dict[str, float]], Sequence[float]],
    parameters: Mapping[str, tuple[float, float]],
    population: int = 40,
    generations: int = 30,
    seed: int = 1,
    crossover: float = 0.9,
    mutation: float | None = None,
    spread: float = 0.2,
    workers: int | None = 1,
    mode: str = "auto",
) -> Pareto:
    """Designs of which none is better than another in everything, by evolution.

    cost          costs (all to become small) of a design, given as a dict of parameters; one that raises a
                  `ModelError`, or is not finite, counts as failed
    parameters    their ranges: {"radius": (0.2, 0.6)}
    population    individuals that live on, 4 or more
    generations   of as many children each
    crossover, mutation, spread    as of `Search`
    workers       threads or processes that work costs out; None: as many as there are cores
    mode          "threads" of this process, "processes", which import `cost` from its module, or "auto": processes
                  where it can be imported

    The same seed gives the same designs, whoever works them out.
    """
    low, high = _ranges(parameters)
    if population < 4 or generations < 1:
        raise ModelError.at(
            "population", f"got {population} and {generations} generations; give 4 or more, and 1 or more"
        )
    size, failed = len(low), 0
    pool = FunctionPool(_Judge(cost, tuple(parameters)), _count(workers, mode), mode)

    def judged(places: np.ndarray) -> np.ndarray:
        nonlocal failed
        rows: list[np.ndarray | None] = pool.map(list(low + places * (high - low)))
        width = next((len(one) for one in rows if one is not None), 1)
        out = np.array([np.full(width, np.nan) if one is None else one for one in rows])
        failed += int(np.sum(~np.isfinite(out).all(axis=1)))
        return out

    from scipy.stats import qmc

    try:
        places = qmc.LatinHypercube(size, rng=np.random.default_rng([seed, 0])).random(population)
        costs = judged(places)
        kept, kept_costs = _first_front(places, costs)
        for number in range(1, generations):
            order = _order(costs)
            places, costs = places[order], costs[order]
            rng = np.random.default_rng([seed, number])
            shrunk = spread * (1.0 - 0.9 * number / generations)
            standing = np.arange(len(places), dtype=float)  # by front, then by room: the earlier is the better
            rate = 1.0 / size if mutation is None else mutation
            children = offspring(rng, places, standing, population, (crossover, rate, shrunk))
            new = judged(children)
            kept, kept_costs = _first_front(np.vstack([kept, children]), np.vstack([kept_costs, new]))
            places, costs = np.vstack([places, children]), np.vstack([costs, new])
            keep = _order(costs)[:population]
            places, costs = places[keep], costs[keep]
    finally:
        pool.close()
    if not len(kept):
        raise ModelError.at("cost", f"none of {population * generations} designs has finite costs; give other ranges")
    order = np.lexsort(kept_costs.T[::-1])
    found, best = low + kept[order] * (high - low), kept_costs[order]
    return Pareto({name: found[:, k] for k, name in enumerate(parameters)}, best, population * generations, failed)


@dataclass(frozen=True)
class _Judge:
    """Costs of a row of values; None where the design has none. Other processes get it whole."""

    cost: Callable[[dict[str, float]], Sequence[float]]
    names: tuple[str, ...]

    def __call__(self, row: np.ndarray) -> np.ndarray | None:
        try:
            return np.asarray(self.cost(dict(zip(self.names, map(float, row), strict=True))), float).reshape(-1)
        except ModelError:
            return None


def _count(workers: int | None, mode: str) -> int:
    """How many work."""
    if mode not in MODES:
        raise ModelError.at("mode", f"got {shown(mode)}; give one of {', '.join(MODES)}")
    if workers is None:
        return cores()
    if isinstance(workers, bool) or not isinstance(workers, int) or workers < 1:
        raise ModelError.at("workers", f"got {shown(workers)}; give a whole number, or None for all cores")
    return workers


def _first_front(places: np.ndarray, costs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Those that no other dominates, each once, and their costs; what failed is left out."""
    fine = np.isfinite(costs).all(axis=1)
    places, once = np.unique(places[fine], axis=0, return_index=True)
    costs = costs[fine][once]
    first = fronts(costs) == 0
    return places[first], costs[first]


def _order(costs: np.ndarray) -> np.ndarray:
    """Rows from the best: by front, then by room."""
    rank, distances = fronts(costs), np.zeros(len(costs))
    fine = np.isfinite(costs).all(axis=1)
    for number in range(rank.max() + 1):
        own = np.flatnonzero((rank == number) & fine)
        if len(own):
            distances[own] = crowding(costs[own])
    return np.lexsort((-distances, rank))


def _ranges(parameters: Mapping[str, tuple[float, float]]) -> tuple[np.ndarray, np.ndarray]:
    if not isinstance(parameters, Mapping) or not parameters:
        raise ModelError.at("parameters", f'got {shown(parameters)}; give ranges by name, {{"radius": (0.2, 0.6)}}')
    for name, pair in parameters.items():
        fits = isinstance(pair, Sequence) and len(pair) == 2 and all(map(is_number, pair)) and pair[0] < pair[1]
        if not fits:
            raise ModelError.at(str(name), f"got {shown(pair)}; give (low, high)")
    low, high = np.array([pair for pair in parameters.values()], float).T
    return low, high
