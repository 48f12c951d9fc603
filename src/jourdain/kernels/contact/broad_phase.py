"""Which shapes of a pile may touch soon: a list of pairs nearer than a margin, renewed when shapes have moved.

The broad phase of contact.

Muth & Eberhard (NATO ASI on virtual nonlinear multibody systems, 2002): Verlet's lists, linked cells, and a list sorted
along an axis; all three give the same pairs. A shape is known by the ball about its origin that holds it; planes, and
shapes far larger than most, are tried against all. Pairs are listed when their balls are nearer than the margin of the
pile, so a list holds until a shape has moved by half of it.
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

MANY = 1e6  # cells in a row, at most; those farther away share their places


@kernel
def tied(model, a, b):
    """Whether two pieces of lines of one net are at the knot where these lines cross.

    Piece k of a line is between its places k - 1 and k, and line r of the others crosses it at place side (r - 1).
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
    """Whether a joint holds body i on body j."""
    return model.table[i, PARENT] == j and model.table[i, JOINT] != FREE


@kernel
def joined(model, ws, a, b):
    """Whether two shapes are on one body, or on bodies that a joint connects.

    Pieces of a line are joined to their neighbours only, and the first of them to what holds it; those of a net to what
    is tied to the same knot.
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
    """The finder that knows a pair in canonical order."""
    first, second = ws.listed[a, LISTED_CODE], ws.listed[b, LISTED_CODE]
    if second == PLANE:
        return SPHERE_CAPSULE if first == SPHERE or first == CAPSULE else CORNERS_PLANE
    return SPHERE_MESH if second == CONVEX or second == MESH or second == CELL else SPHERE_CAPSULE


@kernel
def over(model, ws, a, b, margin):
    """Whether shape a is farther than the margin from shape b, a plane."""
    if model.marker_index[model.shape_index[b, SHAPE_MARKER], 0] != 0:
        return False  # far from its origin a plane that turns moves fast
    f, at = model.shape_floats, model.shape_index[b, SHAPE_FLOATS]
    n = rotate(mat(ws.shapes, b, SHAPE_R), (f[at], f[at + 1], f[at + 2]))
    return dot(sub(vec(ws.listed, a, 0), vec(ws.listed, b, 0)), n) - f[at + 3] >= ws.listed[a, LISTED_BALL] + margin


@kernel
def add_pair(model, ws, c, i, j, margin, count):
    """Lists the pair of shapes i and j where it may touch; returns the new count, even beyond the room there is."""
    # most are sent away by their balls, so that nothing else is read of them; that of a plane is infinite
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
    """How near shapes of pile c are listed before they touch [m]."""
    return model.contact_floats[model.contact_index[c, CONTACT_SIZES]]


@kernel
def large_of(model, c):
    """Radius above which the shapes of pile c are tried against all [m]."""
    return model.contact_floats[model.contact_index[c, CONTACT_SIZES] + 1]


@kernel
def cell_of(x, y, z, along, across, mask):
    """Where the cell with these whole coordinates is kept: row by row, so that neighbours lie together in memory."""
    return (x + along * y + across * z) & mask


@kernel
def cell_at(ws, i, width):
    """Whole coordinates of the cell that shape i is in; `width` is one over that of a cell."""
    p = vec(ws.listed, i, 0)
    return int(math.floor(p[0] * width)), int(math.floor(p[1] * width)), int(math.floor(p[2] * width))


@kernel
def list_cells(model, ws, c, large, margin, count):
    """Pairs of the shapes that are not large by linked cells, each as wide as the largest of them and the margin.

    A shape looks into its own cell and into 13 of the 26 around it; the shapes in the others look into its own. Cells
    far apart may be kept in one place, so the cell of what is found there is looked at.
    """
    row = model.contact_index[c]
    first, last = row[CONTACT_FIRST], row[CONTACT_SECOND]
    grid = link_cells(model, ws, first, last, large, margin)
    return search_cells(model, ws, c, first, last, grid, large, margin, count)


@kernel
def link_cells(model, ws, first, last, large, margin):
    """Puts the shapes from `first` to before `last` into their cells; returns one over the width of a cell [1/m], and
    how far apart rows and layers of cells are in memory."""
    n = model.shape_index.shape[0]
    mask = ws.cells.size - 2 * n - 1
    widest = 0.0
    low_x, high_x, low_y, high_y = math.inf, -math.inf, math.inf, -math.inf
    for i in range(first, last):
        if ws.listed[i, LISTED_BALL] <= large:
            widest = max(widest, ws.listed[i, LISTED_BALL])
            low_x, high_x = min(low_x, ws.listed[i, 0]), max(high_x, ws.listed[i, 0])
            low_y, high_y = min(low_y, ws.listed[i, 1]), max(high_y, ws.listed[i, 1])
    width = 1.0 / (2.0 * widest + margin)
    # odd numbers, so that rows which are farther apart than there is room for do not fall onto each other
    along = int(min(max(high_x - low_x, 0.0) * width, MANY)) + 3 | 1
    across = along * (int(min(max(high_y - low_y, 0.0) * width, MANY)) + 3) | 1
    heads, links = 2 * n, 0
    for k in range(mask + 1):
        ws.cells[heads + k] = -1
    for i in range(last - 1, first - 1, -1):
        if ws.listed[i, LISTED_BALL] <= large:
            x, y, z = cell_at(ws, i, width)
            at = heads + cell_of(x, y, z, along, across, mask)
            ws.cells[links + i] = ws.cells[at]
            ws.cells[at] = i
    return width, along, across


@kernel
def search_cells(model, ws, c, first, last, grid, large, margin, count):
    """Lists what the shapes from `first` to before `last` find around their cells; returns the new count."""
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
    """Pairs of the shapes that are not large by sorting their beginnings along x; nearly sorted lists stay cheap."""
    row = model.contact_index[c]
    first, last = row[CONTACT_FIRST], row[CONTACT_SECOND]
    order = model.shape_index.shape[0]
    if ws.lists[BUILT] == 0:
        for i in range(first, last):
            ws.cells[order + i] = i
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
    """Pairs of the shapes that are not large, every one tried: Verlet's lists."""
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
    """How far a shape of the pile has moved since the pairs were listed [m], and how fast one moves [m/s], at most."""
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
    """Puts what the search for pairs reads of a shape into one row, so that it comes from memory together."""
    body = int(ws.shapes[i, SHAPE_ON])
    put3(ws.listed, i, 0, vec(ws.shapes, i, SHAPE_P))
    ws.listed[i, LISTED_BALL] = ws.shapes[i, SHAPE_BALL]
    ws.listed[i, LISTED_RANK] = model.shape_index[i, SHAPE_RANK]
    ws.listed[i, LISTED_CODE] = model.shape_index[i, SHAPE_CODE]
    ws.listed[i, LISTED_ON] = float(body) if model.table[body, JOINT] == FREE else 0.0


@kernel
def list_pairs(model, ws, z, latched):
    """Lists the pairs of all piles anew and gives them back the slots that they had."""
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
    """Hands the slots that are in use to their pairs, which are linked by their first shapes.

    Where a pair is not near any more its slot is forgotten; not so where the list had no room for all pairs.
    """
    n = model.shape_index.shape[0]
    heads = 2 * n
    for i in range(n):
        ws.cells[heads + i] = -1
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
            k = ws.cells[heads + int(latched[at + MARK])]
            while k >= 0:
                if ws.pairs[k, PAIR_B] == latched[at + MARK + 1] and ws.pairs[k, PAIR_PILE] == c:
                    ws.pairs[k, PAIR_SLOTS + int(latched[at + MARK + 2])] = slot
                    break
                k = ws.pairs[k, PAIR_NEXT]
            if k < 0 and ws.lists[LIST_COUNT] <= ws.pairs.shape[0]:
                release(row, slot, z, latched)
