"""Broad phase of contact: the list of pairs of shapes of a pile that may touch soon.

Muth & Eberhard (NATO ASI on virtual nonlinear multibody systems, 2002): Verlet lists, linked cells, and sweep and prune
along an axis; all three give the same pairs. A shape counts as its bounding sphere about its origin; planes, and shapes
far larger than most, are tested against all. A pair is listed when the spheres are nearer than the margin of the pile,
so a list is valid until a shape has moved by half the margin.
"""

from __future__ import annotations

import math

from ..compiler import kernel
from ..flat_arrays import vector_at
from ..kind_registry import (
    CAPSULE,
    CELL,
    CONVEX,
    CORNERS_PLANE,
    FREE,
    MESH,
    PILE,
    PLANE,
    SPHERE,
    SPHERE_CAPSULE,
    SPHERE_MESH,
)
from .contact_layout import CELLS, SWEEP
from .contact_rows import PAIR_SLOTS, listed_pair, pair_of
from .memory.latches import release

MANY = 1e6  # cells in a row, at most; those farther away share places of the hash table


@kernel
def tied(model, a, b):
    """Whether two cable segments of one net meet at a knot where their lines cross.

    Segment k of a line lies between its stations k - 1 and k; line r of the crossing family meets it at station
    side (r - 1).
    """
    A, B = model.shapes[a], model.shapes[b]
    row, other = A.link_row, B.link_row
    if row * other > 0:
        return False
    side, apart = A.link_side, A.link_apart
    mine = A.link - side * (abs(other) - 1)
    its = B.link - side * (abs(row) - 1)
    return -apart < mine <= apart and -apart < its <= apart


@kernel
def held(model, i, j):
    """Whether the inboard joint of body i connects it to body j."""
    return model.tree[i].parent == j and model.tree[i].joint != FREE


@kernel
def joined(model, ws, a, b):
    """Whether two shapes are on one body, or on bodies that a joint connects, so that they do not touch.

    Segments of a cable are connected to their neighbours only, and the first of them to the body that holds it; those
    of a net to the segments at the same knot.
    """
    if ws.listed[a].body > 0 and ws.listed[b].body > 0:
        return ws.listed[a].body == ws.listed[b].body
    A, B = model.shapes[a], model.shapes[b]
    net = A.link_net
    if net > 0 and net == B.link_net and tied(model, a, b):
        return True
    i, j = model.markers[A.marker].body, model.markers[B.marker].body
    first, second = A.link, B.link
    if i == j:
        return first == 0 or second == 0 or abs(first - second) <= A.link_apart
    if i > 0 and held(model, i, j):
        return first <= A.link_apart
    return j > 0 and held(model, j, i) and second <= B.link_apart


@kernel
def family_of(ws, a, b):
    """The narrow phase of a pair in canonical order."""
    first, second = ws.listed[a].code, ws.listed[b].code
    if second == PLANE:
        return SPHERE_CAPSULE if first == SPHERE or first == CAPSULE else CORNERS_PLANE
    return SPHERE_MESH if second == CONVEX or second == MESH or second == CELL else SPHERE_CAPSULE


@kernel
def over(model, ws, a, b, margin):
    """Whether shape a is farther than the margin above shape b, a plane."""
    if model.markers[model.shapes[b].marker].body != 0:
        return False  # far from its origin a plane that turns moves fast
    f, at = model.shape_floats, model.shapes[b].floats
    n = ws.shapes[b].R_WS @ vector_at(f, at)
    return (ws.listed[a].p_WS - ws.listed[b].p_WS) @ n - f[at + 3] >= ws.listed[a].ball + margin


@kernel
def add_pair(model, ws, c, i, j, margin, count):
    """Lists the pair of shapes i and j where it may touch; returns the new count, also beyond the
    capacity of the list.
    """
    # bounding spheres reject most pairs before anything else is read; that of a plane is infinite
    one, other = ws.listed[i], ws.listed[j]
    away = one.p_WS - other.p_WS
    reach = one.ball + other.ball + margin
    if not away @ away < reach * reach:
        return count
    a, b = min(i, j), max(i, j)
    if ws.listed[a].rank > ws.listed[b].rank:
        a, b = b, a
    if ws.listed[b].code == PLANE and over(model, ws, a, b, margin):
        return count
    if joined(model, ws, a, b):
        return count
    if count < ws.pairs.shape[0]:
        pair = listed_pair(ws.pairs[count])
        pair.first, pair.second, pair.family, pair.pile = a, b, family_of(ws, a, b), c
        for k in range(PAIR_SLOTS, ws.pairs.shape[1]):
            ws.pairs[count, k] = -1
    return count + 1


@kernel
def margin_of(model, c):
    """Distance of the bounding spheres below which pairs of pile c are listed [m]."""
    return model.contact_floats[model.contacts[c].sizes]


@kernel
def large_of(model, c):
    """Radius above which shapes of pile c are tested against all [m]."""
    return model.contact_floats[model.contacts[c].sizes + 1]


@kernel
def cell_of(x, y, z, along, across, mask):
    """Place of the cell with these integer coordinates in the hash table, row by row so that neighbours are near."""
    return (x + along * y + across * z) & mask


@kernel
def cell_at(ws, i, width):
    """Integer coordinates of the cell that shape i is in; `width` is one over the width of a cell [1/m]."""
    p = ws.listed[i].p_WS
    return int(math.floor(p.x * width)), int(math.floor(p.y * width)), int(math.floor(p.z * width))


@kernel
def list_cells(model, ws, c, large, margin, count):
    """Pairs of the shapes that are not large by linked cells, each as wide as the largest sphere and the margin.

    A shape searches its own cell and 13 of the 26 neighbours; the others search its cell. Distant cells may share a
    place of the hash table, so the cell of each shape found is checked.
    """
    row = model.contacts[c]
    first, last = row.first, row.second
    grid = link_cells(model, ws, first, last, large, margin)
    return search_cells(model, ws, c, first, last, grid, large, margin, count)


@kernel
def link_cells(model, ws, first, last, large, margin):
    """Sorts the shapes from `first` to before `last` into linked lists by cell; returns one over the width of a cell
    [1/m], and the strides of rows and layers of cells in the hash table.
    """
    n = len(model.shapes)
    mask = ws.cells.size - 2 * n - 1
    # range of the centres, and the largest diameter plus margin as the width of a cell
    widest = 0.0
    low_x, high_x, low_y, high_y = math.inf, -math.inf, math.inf, -math.inf
    for i in range(first, last):
        shape = ws.listed[i]
        if shape.ball <= large:
            widest, p = max(widest, shape.ball), shape.p_WS
            low_x, high_x = min(low_x, p.x), max(high_x, p.x)
            low_y, high_y = min(low_y, p.y), max(high_y, p.y)
    width = 1.0 / (2.0 * widest + margin)
    # odd strides, so that rows that exceed the table do not hash onto each other
    along = int(min(max(high_x - low_x, 0.0) * width, MANY)) + 3 | 1
    across = along * (int(min(max(high_y - low_y, 0.0) * width, MANY)) + 3) | 1
    heads, links = 2 * n, 0
    for k in range(mask + 1):
        ws.cells[heads + k] = -1
    # pushes each shape onto the list of its cell; backwards, so that lists ascend
    for i in range(last - 1, first - 1, -1):
        if ws.listed[i].ball <= large:
            x, y, z = cell_at(ws, i, width)
            at = heads + cell_of(x, y, z, along, across, mask)
            ws.cells[links + i] = ws.cells[at]
            ws.cells[at] = i
    return width, along, across


@kernel
def search_cells(model, ws, c, first, last, grid, large, margin, count):
    """Lists the pairs of the shapes `first` ... `last` in and around their cells; returns the new count."""
    width, along, across = grid
    n = len(model.shapes)
    mask, heads, links = ws.cells.size - 2 * n - 1, 2 * n, 0
    for i in range(first, last):
        if ws.listed[i].ball > large:
            continue
        x, y, z = cell_at(ws, i, width)
        for k in range(13, 27):
            there = x + k // 9 - 1, y + (k // 3) % 3 - 1, z + k % 3 - 1
            j = ws.cells[heads + cell_of(there[0], there[1], there[2], along, across, mask)]
            while j >= 0:
                own = cell_at(ws, j, width)
                same = own[0] == there[0] and own[1] == there[1] and own[2] == there[2]
                if same and (k > 13 or j > i):
                    count = add_pair(model, ws, c, i, j, margin, count)
                j = ws.cells[links + j]
    return count


@kernel
def begin_of(ws, i):
    """Lower end of the interval of shape i along x [m]."""
    return ws.listed[i].p_WS.x - ws.listed[i].ball


@kernel
def list_sweep(model, ws, c, large, margin, count):
    """Pairs of the shapes that are not large by sweep and prune along x, with insertion sort."""
    row = model.contacts[c]
    first, last = row.first, row.second
    order = len(model.shapes)
    if not ws.lists.built:
        for i in range(first, last):
            ws.cells[order + i] = i
    # insertion sort by the lower end of each interval along x
    for i in range(first + 1, last):
        moving = ws.cells[order + i]
        begins = begin_of(ws, moving)
        j = i - 1
        while j >= first:
            other = ws.cells[order + j]
            if not begin_of(ws, other) > begins:
                break
            ws.cells[order + j + 1] = other
            j -= 1
        ws.cells[order + j + 1] = moving
    # sweep: intervals that begin before this one ends, margin included
    for i in range(first, last):
        a = ws.cells[order + i]
        if ws.listed[a].ball > large:
            continue
        end = ws.listed[a].p_WS.x + ws.listed[a].ball + margin
        for j in range(i + 1, last):
            b = ws.cells[order + j]
            if begin_of(ws, b) > end:
                break
            if ws.listed[b].ball <= large:
                count = add_pair(model, ws, c, a, b, margin, count)
    return count


@kernel
def list_all(model, ws, c, large, margin, count):
    """All pairs of the shapes that are not large: a Verlet list."""
    row = model.contacts[c]
    for i in range(row.first, row.second):
        if ws.listed[i].ball > large:
            continue
        for j in range(i + 1, row.second):
            if ws.listed[j].ball <= large:
                count = add_pair(model, ws, c, i, j, margin, count)
    return count


@kernel
def list_large(model, ws, c, large, margin, count):
    """Pairs with large shapes and planes: each against all."""
    row = model.contacts[c]
    for i in range(row.first, row.second):
        if ws.listed[i].ball <= large:
            continue
        for j in range(row.first, row.second):
            other = ws.listed[j].ball
            if other <= large or (j > i and (other < math.inf or ws.listed[i].ball < math.inf)):
                count = add_pair(model, ws, c, i, j, margin, count)
    return count


@kernel
def motion_of(model, ws, c):
    """Largest displacement since the pairs were listed [m] and largest speed [m/s] among the shapes of the pile."""
    row = model.contacts[c]
    far, fast = 0.0, 0.0
    for i in range(row.first, row.second):
        moved = ws.shapes[i].p_WS - ws.listed[i].p_WS
        u = ws.shapes[i].velocity
        far = max(far, moved @ moved)
        fast = max(fast, u @ u)
    return math.sqrt(far), math.sqrt(fast)


@kernel
def list_shape(model, ws, i):
    """Copies what the search for pairs reads of a shape into one cache line."""
    shape, own, listed = ws.shapes[i], model.shapes[i], ws.listed[i]
    body = shape.body
    listed.p_WS, listed.ball = shape.p_WS, shape.ball
    listed.rank, listed.code = own.rank, own.code
    listed.body = body if model.tree[body].joint == FREE else 0


@kernel
def list_pairs(model, ws, z, latched):
    """Lists the pairs of all piles anew; slots in use go to the new entries of their pairs."""
    count = 0
    for c in range(len(model.contacts)):
        row = model.contacts[c]
        if row.family != PILE:
            continue
        for i in range(row.first, row.second):
            list_shape(model, ws, i)
        large, margin = large_of(model, c), margin_of(model, c)
        if row.sign == CELLS:
            count = list_cells(model, ws, c, large, margin, count)
        elif row.sign == SWEEP:
            count = list_sweep(model, ws, c, large, margin, count)
        else:
            count = list_all(model, ws, c, large, margin, count)
        count = list_large(model, ws, c, large, margin, count)
    ws.lists.built, ws.lists.count = True, count
    ws.lists.number += 1
    give_slots(model, ws, z, latched)


@kernel
def give_slots(model, ws, z, latched):
    """Hands the slots in use to the new entries of their pairs, which are linked by their first shapes.

    The slot of a pair that is no longer listed is released, except where the list was too short for all pairs.
    """
    n = len(model.shapes)
    heads = 2 * n
    for i in range(n):
        ws.cells[heads + i] = -1
    # linked list of the pairs of each first shape
    for k in range(min(ws.lists.count, ws.pairs.shape[0])):
        pair = listed_pair(ws.pairs[k])
        pair.next = ws.cells[heads + pair.first]
        ws.cells[heads + pair.first] = k
    for c in range(len(model.contacts)):
        row = model.contacts[c]
        if row.family != PILE:
            continue
        for slot in range(row.slots):
            memory = pair_of(row, slot, latched)
            first, second = memory.first, memory.second
            if first + second == 0:
                continue
            # the pair whose two shapes the slot remembers
            k = ws.cells[heads + first]
            while k >= 0:
                pair = listed_pair(ws.pairs[k])
                if pair.second == second and pair.pile == c:
                    ws.pairs[k, PAIR_SLOTS + memory.role] = slot
                    break
                k = pair.next
            if k < 0 and ws.lists.count <= ws.pairs.shape[0]:
                release(row, slot, z, latched)
