"""What the threads of a crew share.

A model is cut into *parts* between its trees: no body of a part is carried by one of another. Its shapes go with its
bodies, and a pair of shapes with the first of them. How many parts there are depends on the model alone, each has sums
of its own, and these are added in the order of the parts: so a run is the same with any number of threads.
"""

from __future__ import annotations

from ..contact.contact_rows import SiteForce
from ..records import Record, f64, i64, rows

POOL_LINE = 8
"""Numbers of a line of cache: what threads write is that far apart."""

# Crew.words
ROUND = 0  # number of the phase that was handed out last
FINISHED = POOL_LINE  # parts of it that are done
OPEN = 2 * POOL_LINE  # 1 while the crew is at work; set by Python
BROKEN = OPEN + 1  # 1 once a thread cannot go on: a user's law failed
PHASE = 3 * POOL_LINE  # what is to be done
POOL_SIZE = PHASE + 1  # how many threads there are
LOCATED = PHASE + 2  # of DO_ACCEPT: 1 where the step ends at a touchdown or a lift-off
STAGE = PHASE + 3  # of DO_STATE and DO_RATES: number of the stage
PILE_NOW = PHASE + 4  # of DO_SEARCH and its like: row of the pile
PAIRS_NOW = PHASE + 5  # how many pairs there are
SHARED_CONTACT = PHASE + 6  # 1 where the threads share the contacts
WORLD_SHAPES = PHASE + 7  # how many shapes the world has: the first in `order`
ARGUMENTS = 5 * POOL_LINE  # address and size of each vector that a phase works on
Q_AT, V_AT, Z_AT, LATCHED_AT, RATES_AT, ACCELERATION_AT = (ARGUMENTS + 2 * k for k in range(6))
LINKED_AS = ARGUMENTS + 12  # number of the list whose pairs are linked
TICKETS = 8 * POOL_LINE  # a line a thread: number of the phase, its next part and the end of its parts

# Crew.numbers
GRID = 0  # of the cells of the pile that is searched: one over their width, and how far apart their rows are (3)
STEP_SIZE = 3
NUMBERS_OF_POOL = 4

# Crew.bounds: what a part has, each as first and one past the last
BODIES_OF = 0
V_OF = 2
Q_OF = 4
Z_OF = 6
SHAPES_OF = 8  # in Crew.order
GROUPS_OF = 10  # joints with a quaternion
BOUNDS = 12

# Crew.found: what a part leaves
FOUND_NEAR = 0  # time until a pair touches [s]
FOUND_LISTED = 1  # pairs that it listed
FOUND_WAITING = 2  # pairs whose slots change, which come one after the other
FOUND_FINITE = 3  # zero where its state is finite
FOUND_TAKEN = 4  # how many of those that waited have had their turn
FOUND_MOTION = 5  # squares of how far and how fast a shape of the pile moved, two a pile
FOUND_OF_PART = 5

# Crew.sums: what a part adds to the ledger of all, a line of cache
SUM_LOSS, SUM_CONTACT, SUM_HELD = 0, 1, 2  # what its pairs lose, hold, and hold in sticking friction
SUM_STARTED = 3  # 1 where a contact began or ended
SUM_PENETRATION_EXCEEDED = 4  # of its pile, as in the books
SUM_RAISED = 5  # 1 where it asks more of the step than was asked yet
SUM_KINETIC, SUM_GRAVITY = 6, 7  # energies of its bodies
SUMS_OF_PART = 8

# Crew.links: of a pair
NEXT_OF_FIRST, NEXT_OF_SECOND = 0, 1  # the next entry of the same shape, twice its pair, plus one for its second shape
HITS = 2  # how many sites act
LINKS = 4


class ThreadPool(Record, name="Cr"):
    """Tables and scratch of a crew."""

    words = i64(1)
    numbers = f64(1)
    bounds = i64(2)  # (parts, BOUNDS)
    workspaces = i64(2)  # (parts, 2) addresses of two workspaces: in the second, pairs are those that the part lists
    order = i64(1)  # (ns,) shapes in the order of their bodies, those of the world first
    piles = i64(1)  # rows of the piles
    heads = i64(1)  # (ns,) first entry of each shape in `links`
    links = i64(2)  # (pairs, LINKS)
    forces = rows(SiteForce)  # of the sites that act, as many for each pair as it has roles
    part_of = i64(1)  # (ns,) part of each shape, -1 for those of the world
    first_pair = i64(1)  # (parts + 1,) where the pairs of each part begin in `mine`
    mine = i64(1)  # (pairs,) numbers of the pairs, those of a part together, each in the order of the list
    waiting = i64(1)  # (pairs,) those whose slots change, from the first of the part on
    sums = f64(2)  # (parts, SUMS_OF_PART)
    found = f64(2)  # (parts, FOUND_OF_PART + 2 piles)
