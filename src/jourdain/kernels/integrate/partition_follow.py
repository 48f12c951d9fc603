"""How the partition of an implicit step keeps up with the deformation of its bodies between two derivatives.

A sparse body's frame is held by a few nodes, so that next to nothing is left of its mass when the coordinates are
eliminated: A - B S^-1 C is a small difference of two that are large, and deformations of 1e-4 of the body change it by
a tenth, the more the finer the mesh. To first order that takes no answers of S but those at hand. What forces of
surfaces do is found by these answers, though, and with old ones corrections converge the slower, the finer the mesh: so
the answers of the mass are laid anew now and then.
"""

from __future__ import annotations

import math

from ..compiler import called
from ..linalg.pivoted import factorise
from ..tree.inertial import mass_times
from .layout import MU, NU
from .partition import inner, lay_small, solve_bodies
from .partition_layout import DRIFTED, OF_MASS, OF_STEP

CHANGED = 1e-4
"""Change of the small matrix, over its diagonal, from which on it is factored anew."""
FOLLOWED = 0.25
"""Sum of such changes from which on answers are laid anew too: six solutions, where each correction takes two."""


@called
def lay_change(s, y, known, l, more):
    """Adds to y.change what `more`, a change of column l of the mass, does to the small matrix, to first order."""
    r = s.rest.size
    for c in range(y.right.size):
        if c >= r or known[s.rest[c]] == 0:
            y.change[l, c] -= inner(s.place, more, y.answer[c])
        if c < r and known[s.rest[c]] == 0:
            y.change[c, l] += more[s.rest[c]] - inner(s.place, y.back[c], more)


@called
def take_change(y):
    """Takes y.change into the small matrix, and returns its size over the diagonal; 0 where it is too small to count
    yet, and stays as it is."""
    size = y.right.size
    largest = 0.0
    for l in range(size):
        for c in range(size):
            scale = math.sqrt(abs(y.whole[l, l] * y.whole[c, c]))
            if scale > 0.0 and abs(y.change[l, c]) > largest * scale:
                largest = abs(y.change[l, c]) / scale
    some = 1 if largest > CHANGED else 0
    for l in range(size if some == 1 else 0):
        for c in range(size):
            y.whole[l, c] += y.change[l, c]
            y.small[l, c], y.change[l, c] = y.whole[l, c], 0.0
    if some == 1:
        factorise(y.small, y.pivots, y.sizes)
    return largest if some == 1 else 0.0


@called
def follow_answers(model, s, known, of_step, per, both):
    """`lay_answers` where only the mass has changed: its part of an answer is what goes back."""
    y, fresh = s.step if of_step == 1 else s.weight, s.vectors[1]
    for c in range(s.rest.size):
        solve_bodies(model, s, of_step, s.mass[c], fresh)
        for k in range(s.place.size):
            if s.place[k] < 0:
                y.answer[c, k] += fresh[k] - y.back[c, k]
                y.back[c, k] = fresh[k]
    s.numbers[DRIFTED] = 0.0
    lay_small(s, known, of_step, per, both)


@called
def follow_mass(run):
    """Takes into the small matrices how the mass of the rest has changed with the deformation, right after
    `kinematics`; 1 where that was worth it."""
    model, ws, s, known = run.model, run.ws, run.partition, run.ws.known
    r, nv = s.rest.size, known.size
    by_mass = s.numbers[OF_MASS] == s.numbers[OF_STEP]
    unit, column = s.vectors[0], s.vectors[1]
    for k in range(nv):
        unit[k] = 0.0
    for l in range(r):
        if known[s.rest[l]] != 0:
            continue
        unit[s.rest[l]] = 1.0
        mass_times(model, ws, unit, column, s.motion)
        unit[s.rest[l]] = 0.0
        for k in range(nv):
            column[k] -= s.mass[l, k]
        lay_change(s, s.step, known, l, column)
        if by_mass:
            lay_change(s, s.weight, known, l, column)
        for k in range(nv):
            s.mass[l, k] += column[k]
    some = take_change(s.step)
    if by_mass:
        some = max(some, take_change(s.weight))
    s.numbers[DRIFTED] += some
    if s.numbers[DRIFTED] > FOLLOWED:
        mu, nu = run.memory.numbers[MU], run.memory.numbers[NU]
        follow_answers(model, s, known, 1, 1.0 / mu, 1.0 / (mu * nu))
        if by_mass:
            follow_answers(model, s, known, 0, 0.0, 0.0)
    return 1 if some > 0.0 else 0
