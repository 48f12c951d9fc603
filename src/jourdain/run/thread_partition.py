"""One large model on several threads: how it is cut into parts, and the threads that share them.

Parts are cut between trees, so a model has as many as trees at most: granular piles, swarms. See `kernels.parallel`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from ..basics.errors import ModelError
from ..model.run_stages import is_shared
from .parallel_factorization import shared, solvers

if TYPE_CHECKING:
    from ..model.model import Model
    from .plan import Plan

PARTS = 64
"""Parts of a model at most."""
SMALLEST = 16
"""Bodies of a part, or coordinates of its deformation, at least."""
ENOUGH = 4000
"""Bodies, or coordinates of their deformation, from which on more threads pay even where cores share no cache
(docs/simulate/many.md)."""


def cores() -> int:
    """How many cores this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


def check_workers(workers: Any) -> int | None:
    """The number of threads that was asked for, None where it is to be chosen."""
    fine = workers is None or (isinstance(workers, int | np.integer) and not isinstance(workers, bool) and workers >= 1)
    if not fine:
        raise ModelError.at("workers", f"got {workers!r}; give a whole number of threads, or None for all cores")
    return None if workers is None else int(workers)


def is_cut(model: Model) -> bool:
    """Whether a model has trees enough to be cut into parts."""
    return len(model.arrays.tree) > 2 * SMALLEST and len(bounds(model)) > 1


def pool_size(model: Model, workers: int | None, cut: bool) -> int:
    """How many threads share a model, which is cut between its trees, or whose sparse bodies are shared: as many as
    asked for, but one where there is nothing to share, or where it is so small that this would not pay and nobody
    insists."""
    from ..kernels.interpreter import INTERPRETED

    if workers == 1 or INTERPRETED:
        return 1
    if not cut:
        return solvers(model, workers, cores()) if "nodal" in model.features else 1
    if workers is not None:
        return workers
    return cores() if float(np.sum(_weights(model))) >= ENOUGH else 1


def _weights(model: Model) -> np.ndarray:
    """What each row of the table of bodies has to do, in rigid bodies; the world nothing."""

    weights = 1.0 + model.arrays.tree.columns.ne
    weights[0] = 0.0
    return weights


def bounds(model: Model) -> np.ndarray:
    """Rows of `kernels.parallel.thread_layout.ThreadPool.bounds`."""
    from ..kernels.parallel.thread_layout import PartBounds

    arrays = model.arrays
    node, nb = arrays.tree.columns, len(arrays.tree)
    # a cut before a body: nothing from there on hangs on what is before it, and all its coordinates come later
    roots = np.where(node.parent > 0, node.parent, nb)
    behind = np.minimum.accumulate(roots[::-1])[::-1] >= np.arange(nb)
    for joint, inner in ((node.q, node.e), (node.v, node.ev)):
        first = np.where(node.ne > 0, np.minimum(joint, inner), joint)
        last = np.where(node.ne > 0, np.maximum(joint, inner), joint)
        later = np.minimum.accumulate(first[:0:-1])[::-1]  # from body 1 on
        before = np.maximum.accumulate(last[1:])
        behind[2:] &= before[:-1] <= later[1:]
    weights = np.cumsum(_weights(model))
    parts = int(np.clip(weights[-1] // SMALLEST, 1, PARTS))
    wanted = weights[-1] * np.arange(1, parts) / parts
    cuts = np.flatnonzero(behind[1:]) + 1
    places = cuts[np.minimum(np.searchsorted(weights[cuts - 1], wanted), len(cuts) - 1)]
    edges = np.unique([1, *places.tolist(), nb])
    out = np.zeros((len(edges) - 1, PartBounds.size), np.int64)
    ends = {"v": len(arrays.q_index), "q": arrays.nq, "bodies": nb, "rotations": len(arrays.rotations)}
    starts = {"bodies": edges[:-1]}
    for column, joint, inner in (("v", node.v, node.ev), ("q", node.q, node.e)):
        first = np.where(node.ne > 0, np.minimum(joint, inner), joint)
        starts[column] = np.array([first[edge] for edge in edges[:-1]])
        starts[column][0] = 0
    starts["rotations"] = np.searchsorted(arrays.rotations.columns.v, starts["v"])
    for column, first in starts.items():
        out[:, PartBounds.fields[column].place] = np.column_stack([first, [*first[1:], ends[column]]])
    return out


class ThreadPartition:
    """The threads of a run; its own is the first of them."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.pool = ThreadPoolExecutor(plan.threads - 1, thread_name_prefix="jourdain")
        self.laid: Any = None

    def share(self, loop: Any) -> Any:
        """The loop with what the threads share in its workspace or its partition; made again where that is another."""
        if loop.ws is not self.laid:
            if self.plan.by_trees:
                loop = loop._replace(ws=lay(self.plan, loop.ws))
            else:
                loop = shared(self.plan.model, loop, self.plan.threads)
            self.laid = loop.ws
        return loop

    @contextmanager
    def at_work(self, loop: Any) -> Iterator[None]:
        """The other threads help while this lasts."""
        from ..kernels.parallel.phases import pool_thread
        from ..kernels.parallel.sparse_solve import solving_thread

        cut = self.plan.by_trees
        help_out = (pool_thread if cut else solving_thread).ready(self.plan.model.features).python
        words = loop.ws.pool.words if cut else loop.ws.solving.words
        words.open[0], words.broken[0] = 1, 0
        helping = [self.pool.submit(_helped, help_out, loop, k) for k in range(1, self.plan.threads)]
        try:
            yield
        finally:
            words.open[0] = 0
            wrong = [one.exception() for one in helping]
            for error in wrong:
                if error is not None:  # what it raised, not that it did
                    raise error

    def close(self) -> None:
        """Ends the threads."""
        self.pool.shutdown()


def _helped(help_out: Any, loop: Any, thread: int) -> None:
    """What a thread does; an error of a user's law says which it was, as only this thread knows."""
    from ..kernels.user_errors import last_stopped

    try:
        help_out(loop, thread)
    except Exception as error:
        error.stopped = last_stopped()  # type: ignore[attr-defined]
        raise


def lay(plan: Plan, ws: Any) -> Any:
    """The workspace with what the threads of a run share."""
    from ..kernels.contact.contact_layout import PAIR_SLOTS
    from ..kernels.contact.contact_rows import SiteForce
    from ..kernels.kind_registry import PILE
    from ..kernels.model_arrays import cache_lines
    from ..kernels.parallel import thread_layout
    from ..kernels.parallel.thread_layout import PartBounds

    arrays = plan.model.arrays
    rows = bounds(plan.model)
    parts = len(rows)
    # states and shapes go to the parts too, the shapes with their bodies
    states = len(plan.z) * np.arange(parts + 1) // parts
    rows[:, PartBounds.columns.z] = np.column_stack([states[:-1], states[1:]])
    body = arrays.markers.columns.body[arrays.shapes.columns.marker]
    order = np.argsort(body, kind="stable").astype(np.int64)
    first = rows[:, PartBounds.columns.bodies][:, 0]
    edges = np.searchsorted(body[order], [*first, len(arrays.tree)])
    edges[0] = 0
    rows[:, PartBounds.columns.shapes] = np.column_stack([edges[:-1], edges[1:]])
    owner = np.searchsorted(first, body, side="right") - 1
    piles = np.flatnonzero(arrays.contacts.columns.family == PILE).astype(np.int64)
    shared = is_shared(plan.model)
    buffer = len(ws.pairs) if shared else 0
    words = thread_layout.TreeWords(cache_lines(1, thread_layout.TreeWords.size, np.int64)[0])
    words.threads, words.shares_contact, words.world_shapes = plan.threads, shared, int(np.sum(body == 0))
    words.linked = -1
    # a part has its own sums and scratch: the end of `flex` is scratch too
    station = 6 * int(np.max(arrays.tree.columns.ne))
    flex = np.zeros(len(ws.flex) + parts * station)
    flex[: len(ws.flex)] = ws.flex
    ws = ws._replace(flex=flex[: len(ws.flex)])
    listed = np.zeros((parts, 2 * buffer // parts, ws.pairs.shape[1]), np.int64)
    own = ("ledger", "flags", "scratch", "sites", "contact_wrenches", "overlap_scratch", "links", "peaks", "flights")
    mine = []
    for part in range(parts):
        private = {name: ws.__dict__[name].copy() for name in own}
        one = ws._replace(flex=flex[: len(ws.flex) + (part + 1) * station], **private)
        mine.append((one, one._replace(pairs=listed[part])))
    each = ws.pairs.shape[1] - PAIR_SLOTS
    pool = thread_layout.ThreadPool(
        words=words.numbers,
        queues=cache_lines(plan.threads, thread_layout.Queue.size, np.int64),
        numbers=np.zeros(thread_layout.PoolNumbers.size),
        bounds=rows,
        workspaces=np.array([[one.address_W for one in both] for both in mine], np.int64),
        order=order,
        piles=piles if shared else piles[:0],
        heads=np.full(len(order), -1, np.int64),
        links=np.zeros((buffer, thread_layout.PairLinks.size), np.int64),
        forces=np.zeros((buffer * each, SiteForce.size)),
        part_of=np.where(body > 0, owner, -1).astype(np.int64),
        first_pair=np.zeros(parts + 1, np.int64),
        mine=np.zeros(buffer, np.int64),
        waiting=np.zeros(buffer, np.int64),
        sums=cache_lines(parts, thread_layout.PartSums.size, np.float64),
        found=np.zeros((parts, thread_layout.PartFound.size)),
        motions=np.zeros((parts * len(piles), thread_layout.PileMotion.size)),
    )
    made = ws._replace(pool=pool)
    made.__dict__["owned"] = (made.__dict__.get("owned"), mine)
    return made
