"""What the threads of a crew share.

A model is cut into *parts* between its trees: no body of a part is carried by one of another. Its shapes go with its
bodies, and a pair of shapes with the first of them. How many parts there are depends on the model alone, each has sums
of its own, and these are added in the order of the parts: so a run is the same with any number of threads.
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from llvmlite import ir

from ..arrays import ARRAY_DATA, ARRAY_SHAPE, WORD, KernelArray, filled
from ..compiling.numba_private import types
from ..contact.contact_rows import SiteForce
from ..records import Record, i64, row, rows
from ..rows import ArrayKind, Row, RowType, Span, place_in


class LentVector(ArrayKind):
    """A vector that one thread lets the others work on: its address and its size."""

    size = 2
    whole = True

    def view(self, numbers: np.ndarray, at: int) -> Any:
        return numbers[at : at + 2]

    def type_in(self, row: RowType) -> Any:
        return KernelArray(types.float64, 1)

    def emitted(self, context: Any, builder: Any, typ: RowType, row: Any, at: int) -> Any:
        address, size = (builder.load(place_in(builder, row, at + k)) for k in range(2))
        data = builder.inttoptr(address, ir.DoubleType().as_pointer())
        return filled(context, builder, self.type_in(typ), data, [size])

    def store(self, context: Any, builder: Any, typ: RowType, place: Any, value: Any) -> None:
        builder.store(builder.ptrtoint(builder.extract_value(value, ARRAY_DATA), WORD), place)
        builder.store(builder.extract_value(value, (ARRAY_SHAPE, 0)), place_in(builder, place, 1))


SharedWord = Annotated[np.ndarray, 1, int]
"""A word that threads write while others look at it (`thread_pool.look`)."""


class PoolWords(Row):
    """Words of a crew, whatever it does. What threads write in turn is a line of cache, eight words, apart."""

    round: SharedWord  # number of the phase that was handed out last
    after_round: Annotated[np.ndarray, 7, int]
    finished: SharedWord  # parts of it that are done
    after_finished: Annotated[np.ndarray, 7, int]
    open: SharedWord  # 1 while the crew is at work; set by Python
    broken: SharedWord  # 1 once a thread cannot go on: a user's law failed
    after_broken: Annotated[np.ndarray, 6, int]
    phase: int  # what is to be done
    threads: int  # how many there are


class TreeWords(PoolWords):
    """`ThreadPool.words`."""

    located: int  # of DO_ACCEPT: 1 where the step ends at a touchdown or a lift-off
    stage: int  # of DO_STATE and DO_RATES: number of the stage
    pile: int  # of DO_SEARCH and its like: row of the pile
    pairs: int  # how many pairs there are
    shares_contact: bool  # whether the threads share the contacts
    world_shapes: int  # how many shapes the world has: the first in `order`
    q: LentVector  # what a phase works on
    v: LentVector
    z: LentVector
    latched: LentVector
    rates: LentVector
    acceleration: LentVector
    linked: int  # number of the list whose pairs are linked


class Queue(Row):
    """Of a thread: number of the phase, its next part and the end of its parts, in one word."""

    ticket: SharedWord
    after: Annotated[np.ndarray, 7, int]


class PoolNumbers(Row):
    """`ThreadPool.numbers`."""

    cells: float  # of the cells of the pile that is searched: one over their width [1/m]
    along: int  # how far apart their rows are
    across: int
    step: float  # [s]


class PartBounds(Row):
    """`ThreadPool.bounds`: what a part has."""

    bodies: Span
    v: Span
    q: Span
    z: Span
    shapes: Span  # in ThreadPool.order
    rotations: Span  # joints with a quaternion


class PartFound(Row):
    """`ThreadPool.found`: what a part leaves."""

    near: float  # time until a pair touches [s]
    listed: int  # pairs that it listed
    waiting: int  # pairs whose slots change, which come one after the other
    finite: float  # zero where its state is finite
    taken: int  # how many of those that waited have had their turn


class PileMotion(Row):
    """`ThreadPool.motions`: squares of how far and how fast a shape of a pile moved, of a part [m^2, m^2/s^2]."""

    far: float
    fast: float


class PartSums(Row):
    """`ThreadPool.sums`: what a part adds to the ledger of all, a line of cache."""

    loss: float  # what its pairs lose [W],
    contact: float  # hold [J],
    held: float  # and hold in sticking friction [J]
    started: bool  # where a contact began or ended
    penetration_exceeded: int  # of its pile, as in `Flags`
    raised: bool  # where it asks more of the step than was asked yet
    kinetic: float  # energies of its bodies [J]
    gravity: float


class PairLinks(Row):
    """`ThreadPool.links`: of a pair."""

    following: Annotated[np.ndarray, 2, int]  # the next entry of the same shape, first and second: twice its pair,
    # plus one for its second shape
    hits: int  # how many sites act
    spare: int


class ThreadPool(Record, name="Cr"):
    """Tables and scratch of a crew."""

    words = row(TreeWords)
    queues = rows(Queue)  # of the threads
    numbers = row(PoolNumbers)
    bounds = rows(PartBounds)  # of the parts
    workspaces = i64(2)  # (parts, 2) addresses of two workspaces: in the second, pairs are those that the part lists
    order = i64(1)  # (ns,) shapes in the order of their bodies, those of the world first
    piles = i64(1)  # rows of the piles
    heads = i64(1)  # (ns,) first entry of each shape in `links`
    links = rows(PairLinks)  # of the pairs
    forces = rows(SiteForce)  # of the sites that act, as many for each pair as it has roles
    part_of = i64(1)  # (ns,) part of each shape, -1 for those of the world
    first_pair = i64(1)  # (parts + 1,) where the pairs of each part begin in `mine`
    mine = i64(1)  # (pairs,) numbers of the pairs, those of a part together, each in the order of the list
    waiting = i64(1)  # (pairs,) those whose slots change, from the first of the part on
    sums = rows(PartSums)  # of the parts
    found = rows(PartFound)  # of the parts
    motions = rows(PileMotion)  # of the piles, part by part
