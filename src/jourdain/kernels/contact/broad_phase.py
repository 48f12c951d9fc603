"""Broad phase of contact: the list of pairs of shapes of a pile that may touch soon.

Muth & Eberhard (NATO ASI on virtual nonlinear multibody systems, 2002): Verlet lists, linked cells, and sweep and prune
along an axis; all three give the same pairs. A shape counts as its bounding sphere about its origin; planes, and shapes
far larger than most, are tested against all. A pair is listed when the spheres are nearer than the margin of the pile,
so a list is valid until a shape has moved by half the margin.
"""

from __future__ import annotations

import math

from ..columns import JOINT, PARENT
from ..compiler import kernel
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
from ..spatial import dot, mat, put3, rotate, sub, vec
from .contact_layout import (
    BUILT,
    CELLS,
    CONTACT_FIRST,
    CONTACT_SECOND,
    CONTACT_SIZES,
    FAMILY,
    LATCHED,
    LINK,
    LINK_APART,
    LINK_NET,
    LINK_ROW,
    LINK_SIDE,
    LIST_COUNT,
    LIST_NUMBER,
    LISTED_BALL,
    LISTED_CODE,
    LISTED_ON,
    LISTED_RANK,
    MARK,
    PAIR_A,
    PAIR_B,
    PAIR_FAMILY,
    PAIR_NEXT,
    PAIR_PILE,
    PAIR_SLOTS,
    SHAPE_BALL,
    SHAPE_CODE,
    SHAPE_FLOATS,
    SHAPE_MARKER,
    SHAPE_ON,
    SHAPE_P,
    SHAPE_R,
    SHAPE_RANK,
    SHAPE_V,
    SIGN,
    SLOT,
    SLOTS,
    SWEEP,
)
from .memory.latches import release

MANY = 1e6  # cells in a row, at most; those farther away share places of the hash table


@kernel
def tied(model, a, b):
    """Whether two cable segments of one net meet at a knot where their lines cross.

    Segment k of a line lies between its stations k - 1 and k; line r of the crossing family meets it at station
    side (r - 1).
    """
    row, other = model.shape_index[a, LINK_ROW], model.shape_index[b, LINK_ROW]
    if row * other > 0:
        return False
    side, apart = model.shape_index[a, LINK_SIDE], model.shape_index[a, LINK_APART]
    mine = model.shape_index[a, LINK] - side * (abs(other) - 1)
    its = model.shape_index[b, LINK] - side * (abs(row) - 1)
    return -apart < mine <= apart and -apart < its <= apart


@kernel
def held(model, i, j):
    """Whether the inboard joint of body i connects it to body j."""
    return model.table[i, PARENT] == j and model.table[i, JOINT] != FREE


@kernel
def joined(model, ws, a, b):
    """Whether two shapes are on one body, or on bodies that a joint connects, so that they do not touch.

    Segments of a cable are connected to their neighbours only, and the first of them to the body that holds it; those
    of a net to the segments at the same knot.
    """
    if ws.listed[a, LISTED_ON] > 0.0 and ws.listed[b, LISTED_ON] > 0.0:
        return ws.listed[a, LISTED_ON] == ws.listed[b, LISTED_ON]
    net = model.shape_index[a, LINK_NET]
    if net > 0 and net == model.shape_index[b, LINK_NET] and tied(model, a, b):
        return True
    i = model.marker_index[model.shape_index[a, SHAPE_MARKER], 0]
    j = model.marker_index[model.shape_index[b, SHAPE_MARKER], 0]
    first, second = model.shape_index[a, LINK], model.shape_index[b, LINK]
    if i == j:
        return first == 0 or second == 0 or abs(first - second) <= model.shape_index[a, LINK_APART]
    if i > 0 and held(model, i, j):
        return first <= model.shape_index[a, LINK_APART]
    return j > 0 and held(model, j, i) and second <= model.shape_index[b, LINK_APART]


@kernel
def family_of(ws, a, b):
    """The narrow phase of a pair in canonical order."""
    first, second = ws.listed[a, LISTED_CODE], ws.listed[b, LISTED_CODE]
    if second == PLANE:
        return SPHERE_CAPSULE if first == SPHERE or first == CAPSULE else CORNERS_PLANE
    return SPHERE_MESH if second == CONVEX or second == MESH or second == CELL else SPHERE_CAPSULE


@kernel
def over(model, ws, a, b, margin):
    """Whether shape a is farther than the margin above shape b, a plane."""
    if model.marker_index[model.shape_index[b, SHAPE_MARKER], 0] != 0:
        return False  # far from its origin a plane that turns moves fast
    f, at = model.shape_floats, model.shape_index[b, SHAPE_FLOATS]
    n = rotate(mat(ws.shapes, b, SHAPE_R), (f[at], f[at + 1], f[at + 2]))
    return dot(sub(vec(ws.listed, a, 0), vec(ws.listed, b, 0)), n) - f[at + 3] >= ws.listed[a, LISTED_BALL] + margin


@kernel
def add_pair(model, ws, c, i, j, margin, count):
    """Lists the pair of shapes i and j where it may touch; returns the new count, also beyond the
    capacity of the list.
    """
    # bounding spheres reject most pairs before anything else is read; that of a plane is infinite
    away = sub(vec(ws.listed, i, 0), vec(ws.listed, j, 0))
    reach = ws.listed[i, LISTED_BALL] + ws.listed[j, LISTED_BALL] + margin
    if not dot(away, away) < reach * reach:
        return count
    a, b = min(i, j), max(i, j)
    if ws.listed[a, LISTED_RANK] > ws.listed[b, LISTED_RANK]:
        a, b = b, a
    if ws.listed[b, LISTED_CODE] == PLANE and over(model, ws, a, b, margin):
        return count
    if joined(model, ws, a, b):
        return count
    if count < ws.pairs.shape[0]:
        ws.pairs[count, PAIR_A], ws.pairs[count, PAIR_B] = a, b
        ws.pairs[count, PAIR_FAMILY], ws.pairs[count, PAIR_PILE] = family_of(ws, a, b), c
        for k in range(PAIR_SLOTS, ws.pairs.shape[1]):
            ws.pairs[count, k] = -1
    return count + 1


@kernel
def margin_of(model, c):
    """Distance of the bounding spheres below which pairs of pile c are listed [m]."""
    return model.contact_floats[model.contact_index[c, CONTACT_SIZES]]


@kernel
def large_of(model, c):
    """Radius above which shapes of pile c are tested against all [m]."""
    return model.contact_floats[model.contact_index[c, CONTACT_SIZES] + 1]


@kernel
def cell_of(x, y, z, along, across, mask):
    """Place of the cell with these integer coordinates in the hash table, row by row so that neighbours are near."""
    return (x + along * y + across * z) & mask


@kernel
def cell_at(ws, i, width):
    """Integer coordinates of the cell that shape i is in; `width` is one over the width of a cell [1/m]."""
    p = vec(ws.listed, i, 0)
    return int(math.floor(p[0] * width)), int(math.floor(p[1] * width)), int(math.floor(p[2] * width))


@kernel
def list_cells(model, ws, c, large, margin, count):
    """Pairs of the shapes that are not large by linked cells, each as wide as the largest sphere and the margin.

    A shape searches its own cell and 13 of the 26 neighbours; the others search its cell. Distant cells may share a
    place of the hash table, so the cell of each shape found is checked.
    """
    row = model.contact_index[c]
    first, last = row[CONTACT_FIRST], row[CONTACT_SECOND]
    grid = link_cells(model, ws, first, last, large, margin)
    return search_cells(model, ws, c, first, last, grid, large, margin, count)


@kernel
def link_cells(model, ws, first, last, large, margin):
    """Sorts the shapes from `first` to before `last` into linked lists by cell; returns one over the width of a cell
    [1/m], and the strides of rows and layers of cells in the hash table.
    """
    n = model.shape_index.shape[0]
    mask = ws.cells.size - 2 * n - 1
    # range of the centres, and the largest diameter plus margin as the width of a cell
    widest = 0.0
    low_x, high_x, low_y, high_y = math.inf, -math.inf, math.inf, -math.inf
    for i in range(first, last):
        if ws.listed[i, LISTED_BALL] <= large:
            widest = max(widest, ws.listed[i, LISTED_BALL])
            low_x, high_x = min(low_x, ws.listed[i, 0]), max(high_x, ws.listed[i, 0])
            low_y, high_y = min(low_y, ws.listed[i, 1]), max(high_y, ws.listed[i, 1])
    width = 1.0 / (2.0 * widest + margin)
    # odd strides, so that rows that exceed the table do not hash onto each other
    along = int(min(max(high_x - low_x, 0.0) * width, MANY)) + 3 | 1
    across = along * (int(min(max(high_y - low_y, 0.0) * width, MANY)) + 3) | 1
    heads, links = 2 * n, 0
    for k in range(mask + 1):
        ws.cells[heads + k] = -1
    # pushes each shape onto the list of its cell; backwards, so that lists ascend
    for i in range(last - 1, first - 1, -1):
        if ws.listed[i, LISTED_BALL] <= large:
            x, y, z = cell_at(ws, i, width)
            at = heads + cell_of(x, y, z, along, across, mask)
            ws.cells[links + i] = ws.cells[at]
            ws.cells[at] = i
    return width, along, across


@kernel
def search_cells(model, ws, c, first, last, grid, large, margin, count):
    """Lists the pairs of the shapes `first` ... `last` in and around their cells; returns the new count."""
    width, along, across = grid
    n = model.shape_index.shape[0]
    mask, heads, links = ws.cells.size - 2 * n - 1, 2 * n, 0
    for i in range(first, last):
        if ws.listed[i, LISTED_BALL] > large:
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
def list_sweep(model, ws, c, large, margin, count):
    """Pairs of the shapes that are not large by sweep and prune along x, with insertion sort."""
    row = model.contact_index[c]
    first, last = row[CONTACT_FIRST], row[CONTACT_SECOND]
    order = model.shape_index.shape[0]
    if ws.lists[BUILT] == 0:
        for i in range(first, last):
            ws.cells[order + i] = i
    # insertion sort by the lower end of each interval along x
    for i in range(first + 1, last):
        moving = ws.cells[order + i]
        begins = ws.listed[moving, 0] - ws.listed[moving, LISTED_BALL]
        j = i - 1
        while j >= first:
            other = ws.cells[order + j]
            if not ws.listed[other, 0] - ws.listed[other, LISTED_BALL] > begins:
                break
            ws.cells[order + j + 1] = other
            j -= 1
        ws.cells[order + j + 1] = moving
    # sweep: intervals that begin before this one ends, margin included
    for i in range(first, last):
        a = ws.cells[order + i]
        if ws.listed[a, LISTED_BALL] > large:
            continue
        end = ws.listed[a, 0] + ws.listed[a, LISTED_BALL] + margin
        for j in range(i + 1, last):
            b = ws.cells[order + j]
            if ws.listed[b, 0] - ws.listed[b, LISTED_BALL] > end:
                break
            if ws.listed[b, LISTED_BALL] <= large:
                count = add_pair(model, ws, c, a, b, margin, count)
    return count


@kernel
def list_all(model, ws, c, large, margin, count):
    """All pairs of the shapes that are not large: a Verlet list."""
    row = model.contact_index[c]
    for i in range(row[CONTACT_FIRST], row[CONTACT_SECOND]):
        if ws.listed[i, LISTED_BALL] > large:
            continue
        for j in range(i + 1, row[CONTACT_SECOND]):
            if ws.listed[j, LISTED_BALL] <= large:
                count = add_pair(model, ws, c, i, j, margin, count)
    return count


@kernel
def list_large(model, ws, c, large, margin, count):
    """Pairs with large shapes and planes: each against all."""
    row = model.contact_index[c]
    for i in range(row[CONTACT_FIRST], row[CONTACT_SECOND]):
        if ws.listed[i, LISTED_BALL] <= large:
            continue
        for j in range(row[CONTACT_FIRST], row[CONTACT_SECOND]):
            other = ws.listed[j, LISTED_BALL]
            if other <= large or (j > i and (other < math.inf or ws.listed[i, LISTED_BALL] < math.inf)):
                count = add_pair(model, ws, c, i, j, margin, count)
    return count


@kernel
def motion_of(model, ws, c):
    """Largest displacement since the pairs were listed [m] and largest speed [m/s] among the shapes of the pile."""
    row = model.contact_index[c]
    far, fast = 0.0, 0.0
    for i in range(row[CONTACT_FIRST], row[CONTACT_SECOND]):
        moved = sub(vec(ws.shapes, i, SHAPE_P), vec(ws.listed, i, 0))
        u = vec(ws.shapes, i, SHAPE_V)
        far = max(far, dot(moved, moved))
        fast = max(fast, dot(u, u))
    return math.sqrt(far), math.sqrt(fast)


@kernel
def list_shape(model, ws, i):
    """Copies what the search for pairs reads of a shape into one cache line."""
    body = int(ws.shapes[i, SHAPE_ON])
    put3(ws.listed, i, 0, vec(ws.shapes, i, SHAPE_P))
    ws.listed[i, LISTED_BALL] = ws.shapes[i, SHAPE_BALL]
    ws.listed[i, LISTED_RANK] = model.shape_index[i, SHAPE_RANK]
    ws.listed[i, LISTED_CODE] = model.shape_index[i, SHAPE_CODE]
    ws.listed[i, LISTED_ON] = float(body) if model.table[body, JOINT] == FREE else 0.0


@kernel
def list_pairs(model, ws, z, latched):
    """Lists the pairs of all piles anew; slots in use go to the new entries of their pairs."""
    count = 0
    for c in range(model.contact_index.shape[0]):
        row = model.contact_index[c]
        if row[FAMILY] != PILE:
            continue
        for i in range(row[CONTACT_FIRST], row[CONTACT_SECOND]):
            list_shape(model, ws, i)
        large, margin = large_of(model, c), margin_of(model, c)
        if row[SIGN] == CELLS:
            count = list_cells(model, ws, c, large, margin, count)
        elif row[SIGN] == SWEEP:
            count = list_sweep(model, ws, c, large, margin, count)
        else:
            count = list_all(model, ws, c, large, margin, count)
        count = list_large(model, ws, c, large, margin, count)
    ws.lists[BUILT], ws.lists[LIST_COUNT] = 1, count
    ws.lists[LIST_NUMBER] += 1
    give_slots(model, ws, z, latched)


@kernel
def give_slots(model, ws, z, latched):
    """Hands the slots in use to the new entries of their pairs, which are linked by their first shapes.

    The slot of a pair that is no longer listed is released, except where the list was too short for all pairs.
    """
    n = model.shape_index.shape[0]
    heads = 2 * n
    for i in range(n):
        ws.cells[heads + i] = -1
    # linked list of the pairs of each first shape
    for k in range(min(ws.lists[LIST_COUNT], ws.pairs.shape[0])):
        a = ws.pairs[k, PAIR_A]
        ws.pairs[k, PAIR_NEXT] = ws.cells[heads + a]
        ws.cells[heads + a] = k
    for c in range(model.contact_index.shape[0]):
        row = model.contact_index[c]
        if row[FAMILY] != PILE:
            continue
        for slot in range(row[SLOTS]):
            at = row[LATCHED] + SLOT * slot
            if latched[at + MARK] + latched[at + MARK + 1] == 0.0:
                continue
            # the pair whose two shapes the slot remembers
            k = ws.cells[heads + int(latched[at + MARK])]
            while k >= 0:
                if ws.pairs[k, PAIR_B] == latched[at + MARK + 1] and ws.pairs[k, PAIR_PILE] == c:
                    ws.pairs[k, PAIR_SLOTS + int(latched[at + MARK + 2])] = slot
                    break
                k = ws.pairs[k, PAIR_NEXT]
            if k < 0 and ws.lists[LIST_COUNT] <= ws.pairs.shape[0]:
                release(row, slot, z, latched)
