"""How the factors of sparse bodies are cut into tasks for several threads; see `kernels.parallel.sparse_solve`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from ..model.model import Model

PIECES = 16
"""Into how many pieces a factor is cut, about."""
SMALL = 20_000
"""Numbers of a factor below which it is not cut."""
ENOUGH_NUMBERS = 1_000_000
"""Numbers of the factors of a model from which on more threads pay even where cores share no cache
(docs/simulate/many.md)."""


class Structure(NamedTuple):
    """The structure of a factor, as `kernels.linalg.supernodal_cholesky` has it.

    start     (panels + 1,) first place of each panel
    rows      of each panel, all its places
    member    (n,) panel of each place
    """

    start: np.ndarray
    rows: list[np.ndarray]
    member: np.ndarray

    @classmethod
    def read(cls, integers: np.ndarray) -> Structure:
        """From the integers of a body, which begin with it."""
        from ..kernels.linalg.supernodal_cholesky import FactorHeader

        header = FactorHeader(integers)
        start, row_at = (integers[at:][: header.panels + 1] for at in (header.start, header.row_at))
        places = integers[header.rows :]
        rows = [places[a:b] for a, b in zip(row_at[:-1], row_at[1:], strict=True)]
        return cls(start, rows, integers[header.member :][: header.n])

    @property
    def width(self) -> np.ndarray:
        """Columns of each panel."""
        return np.diff(self.start)

    @property
    def parent(self) -> np.ndarray:
        """The panel that each one waits in next, -1 for none."""
        found = [self.member[rows[w]] if w < len(rows) else -1 for rows, w in zip(self.rows, self.width, strict=True)]
        return np.array(found, np.int64)

    def updates(self, tasks: list[FactorTask]) -> np.ndarray:
        """Numbers of the largest update that a panel does to one of each task, at least one."""
        owner = np.zeros(len(self.rows), np.int64)
        for number, task in enumerate(tasks):
            owner[task.first : task.last] = number
        out = np.ones(len(tasks), np.int64)
        for rows, w in zip(self.rows, self.width, strict=True):
            if w < len(rows):
                panels, first, count = np.unique(self.member[rows[w:]], return_index=True, return_counts=True)
                np.maximum.at(out, owner[panels], (len(rows) - w - first) * count)
        return out


class FactorTask(NamedTuple):
    """Panels of a body that one thread does, one after the other.

    first, last    from and to before
    below          numbers of the tasks of the same body that hand to it
    level          zero, or one more than the highest of these
    """

    first: int
    last: int
    below: tuple[int, ...]
    level: int


def tasks_of(structure: Structure) -> list[FactorTask]:
    """The tasks of a factor, each after those below it."""
    parent = structure.parent
    panels = len(parent)
    size = np.array([w * len(rows) for w, rows in zip(structure.width, structure.rows, strict=True)], float)
    whole, first, count = size.copy(), np.arange(panels), np.ones(panels, np.int64)
    children: list[list[int]] = [[] for _ in range(panels)]
    for j in range(panels):
        if parent[j] >= 0:
            children[parent[j]].append(j)
            whole[parent[j]] += whole[j]
            first[parent[j]] = min(first[parent[j]], first[j])
            count[parent[j]] += count[j]
    roots = np.flatnonzero(parent < 0)
    if size.sum() < SMALL:
        return [FactorTask(0, panels, (), 0)]
    most = size.sum() / PIECES
    out: list[FactorTask] = []

    def cut(j: int) -> int:
        """Adds the tasks of the panels below j, and of itself; returns the number of the last."""
        together = count[j] == j + 1 - first[j]  # nothing else is among them
        if (together and whole[j] <= most) or not children[j]:
            out.append(FactorTask(int(first[j]), j + 1, (), 0))
        else:
            below = tuple(cut(k) for k in children[j])
            out.append(FactorTask(j, j + 1, below, 1 + max(out[k].level for k in below)))
        return len(out) - 1

    for root in roots:
        cut(int(root))
    return out


def factors(model: Model) -> list[tuple[int, tuple[np.ndarray, np.ndarray]]]:
    """Sparse bodies, each with the integers of the factors of its mass and of a step, from their beginnings on."""
    from ..kernels.bodies.nodal_layout import NodalBody
    from ..kernels.kind_registry import NODAL

    node, integers = model.arrays.tree.columns, model.arrays.integers
    out = []
    for i in np.flatnonzero((node.kind == NODAL) & (node.ne > 0)):
        own = NodalBody(integers[node.integers[i] :])
        mass, step = own.mass_factor, own.step_factor
        out.append((int(i), (mass.array[mass.first :], step.array[step.first :])))
    return out


def solvers(model: Model, workers: int | None, cores: int) -> int:
    """How many threads share the factors of a model."""
    from ..kernels.linalg.supernodal_cholesky import FactorHeader

    numbers = [FactorHeader(step).values for _, (_, step) in factors(model)]
    if sum(numbers) < SMALL or (len(numbers) == 1 and len(tasks_of(Structure.read(factors(model)[0][1][1]))) == 1):
        return 1
    if workers is not None:
        return workers
    return cores if sum(numbers) >= ENOUGH_NUMBERS else 1


class TaskRow(NamedTuple):
    """A task among those of all bodies."""

    level: int
    body: int
    number: int
    task: FactorTask
    sums: int
    update: int


def rows_of(model: Model, kind: int) -> list[TaskRow]:
    """The tasks of the factors of all masses (0) or of all steps (1), level by level, those of a body together."""
    out = []
    for i, both in factors(model):
        structure = Structure.read(both[kind])
        tasks = tasks_of(structure)
        for k, (task, update) in enumerate(zip(tasks, structure.updates(tasks).tolist(), strict=True)):
            sums = max(len(structure.rows[j]) for j in range(task.first, task.last))
            out.append(TaskRow(task.level, i, k, task, sums, update if kind == 1 else 0))
    return sorted(out, key=lambda row: row[:3])


def solving(model: Model, threads: int) -> Any:
    """The record that the threads share."""
    from ..kernels.linalg.supernodal_cholesky import FactorHeader
    from ..kernels.model_arrays import cache_lines
    from ..kernels.parallel import sparse_solve as kernels
    from ..kernels.parallel import sparse_solve_layout as layout
    from ..kernels.rows import Table

    size = model.arrays.tree.columns.ne
    chains, links = np.zeros(len(size), np.int64), 0
    for i, (_, step) in factors(model):
        chains[i], links = links, links + 3 * FactorHeader(step).panels
    found = [rows_of(model, kind) for kind in range(2)]
    table = Table(np.full((sum(map(len, found)), layout.SolvingTask.size), -1, np.int64), layout.SolvingTask)
    out = sums = update = begin = 0
    levels = []
    for rows in found:
        number = {(row.body, row.number): begin + at for at, row in enumerate(rows)}
        for row in rows:
            line = table[number[row.body, row.number]]
            line.body, line.first, line.last = row.body, row.task.first, row.task.last
            line.out, line.sums, line.update = out, sums, update
            line.local, line.pending = links, links + size[row.body]
            out, sums, update = out + int(size[row.body]), sums + row.sums, update + row.update
            links += int(size[row.body]) + 1
            for k in reversed(row.task.below):
                child = number[row.body, k]
                table[child].next, line.child = line.child, child
        highest = max(row.level for row in rows)
        levels.append([begin + sum(row.level < level for row in rows) for level in range(highest + 2)])
        begin += len(rows)
    deepest = max(map(len, levels))
    words = cache_lines(1, layout.SolvingWords.size, np.int64)
    words[0, layout.SolvingWords.columns.threads] = threads
    return layout.Solving(
        nodes=kernels.nodes_together.ready(model.features),
        mass=kernels.mass_together.ready(model.features),
        total=np.zeros(layout.NodeSums.size),
        parts=np.zeros((layout.NODE_PARTS, layout.NodeSums.size)),
        frame=np.zeros(layout.SolvingFrame.size),
        words=words[0],
        queues=cache_lines(threads, layout.Queue.size, np.int64),
        tasks=table.array,
        levels=np.array([one + [one[-1]] * (deepest - len(one)) for one in levels], np.int64),
        chains=chains,
        solution=np.zeros(model.nv),
        out=np.zeros(out),
        sums=np.zeros(sums),
        links=np.zeros(links, np.int64),
        update=np.zeros(update),
    )


def shared(model: Model, loop: Any, threads: int) -> Any:
    """The loop of a run whose threads share its sparse bodies."""
    from ..kernels.parallel import sparse_solve as kernels

    what = solving(model, threads)
    loop = loop._replace(ws=loop.ws._replace(solving=what).holding(loop.ws))
    if loop.partition is None:
        return loop
    answer, factor = (one.ready(model.features) for one in (kernels.solve_together, kernels.factor_together))
    return loop._replace(partition=loop.partition._replace(answer=answer, factor=factor, solving=what))
