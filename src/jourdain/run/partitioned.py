"""What a run must be like for bodies with sparse matrices."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..basics.errors import ModelError, Problem

if TYPE_CHECKING:
    from ..model.model import Model
    from .plan import Timing

REMEDY = "give a solid modes= or masters="


def is_partitioned(model: Model) -> bool:
    """Whether the unknowns of an implicit step are partitioned: some bodies have sparse matrices."""
    return "nodal" in model.features


def partition_of(model: Model, rows: int) -> Any:
    """The record of the partition of a run, with `rows` of constraints whose multipliers are unknowns; None where
    nothing is sparse."""
    if not is_partitioned(model):
        return None
    from ..kernels.integrate.partitioned.solver_layout import partition

    markers = [force.marker for force in model.law_forces if force.line is None]
    return partition(model.arrays, rows, markers)


def check_partitioned(model: Model, timing: Timing) -> None:
    """Implicit steps of sparse bodies are those of Newmark and generalized-alpha, of fixed length."""
    if timing.implicit is None or not is_partitioned(model):
        return
    name, inner = sparse_bodies(model)
    if timing.implicit.family != "alpha":
        why = f'has sparse matrices, with which "{timing.method}" cannot make a step'
        words = f'{why}; give method="newmark" or "generalized-alpha" with step= [s], an explicit one, or {REMEDY}'
        raise ModelError([Problem(name, words)])
    if not timing.fixed:
        raise ModelError([Problem(name, "has sparse matrices, whose implicit steps are fixed; give step= [s]")])
    if timing.implicit.differences:
        raise ModelError(
            [Problem("method", f"differences=True would be of all coordinates; leave it out, or {REMEDY}")]
        )
    if model.constraints.names and timing.form == "index-1":
        words = "has sparse matrices, with which multipliers cannot be eliminated from an implicit step"
        raise ModelError([Problem(name, f'{words}; give form="index-2" or "index-3"')])
    if model.constraints.names and model.touching is not None:
        words = "is in a model with loops and surfaces that touch by multipliers, and has sparse matrices, for which "
        words += "there is no implicit step"
        raise ModelError([Problem(name, f"{words}; hold it by joints of the tree, or {REMEDY}")])
    if model.touching is not None and model.features & {"cable", "rod", "shell"}:
        words = "is in a model with a cable, nodal beam or shell beside surfaces that touch by multipliers, for which "
        words += "there is no implicit step"
        raise ModelError([Problem(name, f"{words}; give the contact another normal law")])
    if inner:
        words = "carries a solid with sparse matrices and has such itself"
        raise ModelError([Problem(inner, f"{words}, for which there is no implicit step; {REMEDY} to one of them")])


def check_free(model: Model, entries: Iterable[int]) -> None:
    """Coordinates of sparse bodies cannot be prescribed: their factor has all of them as unknowns."""
    if not is_partitioned(model):
        return
    from ..kernels.kind_registry import NODAL

    for node in model.arrays.tree:
        for k in entries if node.kind == NODAL else ():
            if node.ev <= k < node.ev + node.ne:
                words = "is a coordinate of a solid with sparse matrices, which cannot be prescribed"
                raise ModelError([Problem(model.names.v[k], f"{words}; {REMEDY}")])


def sparse_bodies(model: Model) -> tuple[str, str]:
    """The first body with sparse matrices, and the first of those that carries another, "" where none does."""
    from ..kernels.kind_registry import NODAL

    node = model.arrays.tree.columns
    sparse = (node.kind == NODAL) & (node.ne > 0)
    first, inner = model.bodies[int(np.flatnonzero(sparse)[0]) - 1], ""
    for i in np.flatnonzero(sparse):
        p = int(node.parent[i])
        while p > 0:
            if sparse[p]:
                inner = model.bodies[p - 1]
            p = int(node.parent[p])
    return first, inner
