"""What threads share that solve with the factors of sparse bodies (`solving`)."""

from __future__ import annotations

from numba import types

from ..algebra import Mat3, Sym3, Vec3
from ..records import Function, Record, f64, i64, row, rows
from ..rows import Row
from .thread_layout import LentVector, PoolWords, Queue

FORWARD, BACKWARD, FACTOR, PLACE_NODES, SUM_NODES = range(5)
"""Phases."""

NODE_PARTS = 16
"""Into how many parts the nodes of a body are cut."""


class SolvingWords(PoolWords):
    """`Solving.words`."""

    task: int  # the first of the level
    of_step: bool  # whether the matrix is that of a step, or the mass
    failed: int  # 1 where a pivot is not positive
    body: int
    asked_of: int  # where its numbers begin in what is asked and in the answer
    asked: LentVector
    answer: LentVector
    q: LentVector
    v: LentVector
    flex: LentVector


class NodeSums(Row):
    """`Solving.total` and `Solving.parts`: sums over the nodes of a body, in its axes (`nodal_body.sum_nodes`)."""

    c: Vec3  # first moment of mass [kg m]
    force: Vec3  # sum of s_a u'_a [kg m/s]
    moment: Vec3  # [N m]
    J: Sym3  # [kg m^2]
    spare: float


class SolvingFrame(Row):
    """`Solving.frame`: rotation of the body, and its angular velocity in its own axes [rad/s]."""

    R_WB: Mat3
    omega: Vec3


class SolvingTask(Row):
    """`Solving.tasks`."""

    body: int  # its row
    first: int  # its panels, from this one
    last: int  # to before this one
    child: int  # the first task that hands to it, -1 for none
    next: int  # the next one that hands to the same
    out: int  # where what it does to the rows above begins in Solving.out
    sums: int  # where its sums begin in Solving.sums
    local: int  # where the places of its rows begin in Solving.links
    update: int  # where its updates begin in Solving.update
    pending: int  # where the first of the panels that reach above it is noted in Solving.links


NODES = Function(types.none, "M", "W", types.int64, types.float64[::1], types.float64[::1])
MASS_ANSWER = Function(types.none, "M", "W", types.int64, types.float64[::1], types.int64)


class Solving(Record, name="So"):
    """Tables and scratch, and what all threads do together: sums over the nodes of a body, answers of its mass."""

    nodes = NODES
    mass = MASS_ANSWER
    total = row(NodeSums, columns="numbers")  # of all nodes
    parts = rows(NodeSums)  # of each part
    frame = row(SolvingFrame)

    words = row(SolvingWords)
    queues = rows(Queue)  # of the threads
    tasks = rows(SolvingTask)  # those of the mass, then those of the step, level by level
    levels = i64(2)  # (2, levels + 1) first task of each level
    chains = i64(1)  # (nb,) where head, next and place of the panels of a body begin in `links`
    solution = f64(1)  # (nv,) in the order of elimination
    out = f64(1)
    sums = f64(1)
    links = i64(1)
    update = f64(1)
