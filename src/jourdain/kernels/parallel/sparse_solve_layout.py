"""What threads share that solve with the factors of sparse bodies (`solving`); words begin as those of a crew."""

from __future__ import annotations

from numba import types

from ..records import Function, Record, f64, i64
from .thread_layout import ARGUMENTS, PHASE

# Solving.words
TASK_NOW = PHASE + 2  # the first task of the level
OF_STEP_NOW = PHASE + 3  # 1 for the matrix of a step, 0 for the mass
FAILED_FACTOR = PHASE + 4  # 1 where a pivot is not positive
BODY_NOW = PHASE + 5  # the body
ASKED_OF = PHASE + 6  # where its numbers begin in what is asked and in the answer
ASKED_AT, ANSWER_AT, PLACED_AT, MOVED_AT, FLEX_AT = (ARGUMENTS + 2 * k for k in range(5))

FORWARD, BACKWARD, FACTOR, PLACE_NODES, SUM_NODES = range(5)
"""Phases."""

NODE_PARTS = 16
"""Into how many parts the nodes of a body are cut."""
# Solving.numbers
NODE_SUMS = 0  # c (3), sum of s_a u'_a (3), moment (3), J (6): of all nodes
FRAME_NOW = 15  # rotation of the body, and its angular velocity in its own axes
PART_SUMS = 32  # the first again, of each part, PART_SCRATCH apart
PART_SCRATCH = 16

# Solving.tasks
TASK_BODY = 0  # row of the body
TASK_FIRST = 1  # its panels, from this one
TASK_LAST = 2  # to before this one
TASK_CHILD = 3  # the first task that hands to it, -1 for none
TASK_NEXT = 4  # the next one that hands to the same
OUT_AT = 5  # where what it does to the rows above begins in Solving.out
SUMS_AT = 6  # where its sums begin in Solving.sums
LOCAL_AT = 7  # where the places of its rows begin in Solving.links
UPDATE_AT = 8  # where its updates begin in Solving.update
TASK_PENDING = 9  # where the first of the panels that reach above it is noted in Solving.links
SOLVING_TASK = 10

NODES = Function(types.none, "M", "W", types.int64, types.float64[::1], types.float64[::1])
MASS_ANSWER = Function(types.none, "M", "W", types.int64, types.float64[::1], types.int64)


class Solving(Record, name="So"):
    """Tables and scratch, and what all threads do together: sums over the nodes of a body, answers of its mass."""

    nodes = NODES
    mass = MASS_ANSWER
    numbers = f64(1)

    words = i64(1)
    tasks = i64(2)  # (tasks, SOLVING_TASK) those of the mass, then those of the step, level by level
    levels = i64(2)  # (2, levels + 1) first task of each level
    chains = i64(1)  # (nb,) where head, next and place of the panels of a body begin in `links`
    solution = f64(1)  # (nv,) in the order of elimination
    out = f64(1)
    sums = f64(1)
    links = i64(1)
    update = f64(1)
