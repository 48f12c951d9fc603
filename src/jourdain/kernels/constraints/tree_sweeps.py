"""Rows through the tree: y = L^-1 a inward, M^-1 A^T lambda outward, and A x, each O(N) and along paths only.

Articulated inertias factor the mass matrix: M = L D L^T (Featherstone 2008, section 7.3; Rodriguez, Jain & Kreutz
1991). An entry whose inertia is d, whose column of inertia times motion is U and whose motion is S takes from a wrench
w that comes inward y = S . w, and lets w - U y / d pass. So A M^-1 A^T is a sum of products of y / d, without M or its
inverse. Entries whose acceleration is known let all pass: for them y is the effort that the row takes, and its share
is zero.
"""

from __future__ import annotations

from ..algebra import Motion, Wrench
from ..bodies.body_dispatch import has_sparse_mass, support, supported
from ..columns import ARM, DOFS, EV, FLEX, PARENT, PHI, ROT, STATION, D, N, S, U, V
from ..compiler import kernel, optional_kernel
from ..flat_arrays import accumulate, accumulate31, get, put, put31, vec1
from ..spatial import add, cross, dot, mat, rotate, scale, sub, vec
from ..tree.markers import marker_frame
from ..tree.nodal_elimination import respond_nodal, sweep_nodal
from .constraint_layout import CONSTRAINT_COUNT, CONSTRAINT_FIRST, CONSTRAINT_ROW, CONSTRAINT_ROWS, ENTRIES, ON_FIRST
from .constraint_layout import ROW_FORCE as MULTIPLIER
from .sparsity import (
    ACTIVE,
    ACTIVE_COUNT,
    AT_FIRST,
    BOUND_AT,
    COUPLED,
    DELTA_AT,
    INSIDE,
    LINK_BODY,
    LINK_PATH,
    LINK_RECORD,
    LINK_STATION,
    LINK_WIDTH,
    MOTION_AT,
    OF_JOINT,
    OF_V,
    PATH_COUNT,
    PUSH_AT,
    RECORDS,
    REST_AT,
    SHARE_AT,
    SOLVE_BODIES,
    SOLVE_BODY_COUNT,
    UP,
    WRENCH_AT,
    Y,
)


@optional_kernel("flexible")
def push_internal(model, ws, i, station, y, moment, force):
    """Adds what a wrench at the station whose shapes were worked out last does on the internal coordinates of body
    i."""
    R = mat(ws.work, i, ROT)
    base = ws.flex.size - 6 * model.table[i, N]
    count, where = support(model, i, station)
    for k in range(count):
        theta = rotate(R, vec1(ws.flex, base + 6 * k))
        psi = rotate(R, vec1(ws.flex, base + 6 * k + 3))
        accumulate(ws.solve, y + supported(model, where, k), dot(theta, moment) + dot(psi, force))


@optional_kernel("flexible")
def push_carrier(model, ws, i, y, moment, force):
    """Adds what the wrench (about its origin) that body i hands on does on the internal coordinates of its carrier."""
    phi = model.table[i, PHI]
    count, where = support(model, model.table[i, PARENT], model.table[i, STATION])
    for k in range(count):
        work = dot(vec1(ws.flex, phi + 6 * k), moment) + dot(vec1(ws.flex, phi + 6 * k + 3), force)
        accumulate(ws.solve, y + supported(model, where, k), work)


@optional_kernel("flexible", returns=(3, 3))
def sweep_internal(model, ws, i, y, moment, force):
    """Eliminates the internal coordinates of body i from a row; returns the wrench that is left."""
    solve, flex = ws.solve, ws.flex
    share = ws.solve_links[SHARE_AT]
    n = model.table[i, N]
    ev, o = model.table[i, EV], model.table[i, FLEX]
    ee = o + 6 * n
    if has_sparse_mass(model, i):
        left = sweep_nodal(model, ws, i, y, solve, y + share, Wrench(moment, force))
        return tuple(left.moment), tuple(left.force)
    for k in range(n - 1, -1, -1):
        if get(ws.known, ev + k) != 0:
            put(solve, y + k + share, 0.0)
            continue
        g = ws.dof[ev + k, D] * get(solve, y + k)
        put(solve, y + k + share, g)
        for l in range(k):
            accumulate(solve, y + l, -g * get(flex, ee + n * k + l))
        moment = sub(moment, scale(g, vec1(flex, o + 6 * k)))
        force = sub(force, scale(g, vec1(flex, o + 6 * k + 3)))
    return moment, force


@kernel
def start_rows(model, ws, c, q, v):
    """Lays the wrenches and efforts of the rows of constraint c at the places where they act."""
    links, solve, rows = ws.solve_links, ws.solve, ws.rows
    record = links[RECORDS] + LINK_RECORD * c
    first, active, count = (
        model.constraint_index[c, CONSTRAINT_ROW],
        links[record + ACTIVE],
        links[record + ACTIVE_COUNT],
    )
    width, y, wrench = links[record + LINK_WIDTH], links[record + Y], links[WRENCH_AT]
    for j in range(6 * count * links[record + PATH_COUNT]):
        put(solve, wrench + j, 0.0)
    for j in range(count * width):
        put(solve, y + j, 0.0)
    for side in range(2):
        j = links[record + AT_FIRST + side]
        if j < 0:
            continue
        m = model.constraint_index[c, CONSTRAINT_FIRST + side]
        i = model.marker_index[m, 0]
        arm, _, _, _ = marker_frame(model, ws, m, q, v)
        for r in range(count):
            row = first + links[active + r]
            moment, force = vec(rows, row, ON_FIRST + 6 * side), vec(rows, row, ON_FIRST + 6 * side + 3)
            at = wrench + 6 * (count * j + r)
            accumulate31(solve, at, add(moment, cross(arm, force)))
            accumulate31(solve, at + 3, force)
            if model.table[i, N] > 0:
                inside = links[links[record + LINK_PATH] + LINK_STATION * j + INSIDE]
                push_internal(model, ws, i, model.marker_index[m, 1], y + r * width + inside, moment, force)
    for e in range(model.constraint_index[c, CONSTRAINT_COUNT] if count > 0 else 0):
        place = model.constraint_entries[model.constraint_index[c, ENTRIES] + e, 2]
        accumulate(solve, y + links[links[record + COUPLED] + e], model.constraint_floats[place])


@kernel
def sweep_rows(model, ws, c, q, v):
    """y = L^-1 a of the rows of constraint c that have a place, and shares, after the elimination of the tree."""
    links, solve, dof, known, table = ws.solve_links, ws.solve, ws.dof, ws.known, model.table
    record = links[RECORDS] + LINK_RECORD * c
    count = links[record + ACTIVE_COUNT]
    if count == 0:
        return
    start_rows(model, ws, c, q, v)
    width, y, wrench, share = links[record + LINK_WIDTH], links[record + Y], links[WRENCH_AT], links[SHARE_AT]
    bound = links[BOUND_AT] + model.constraint_index[c, CONSTRAINT_ROW]
    active = links[record + ACTIVE]
    # `bound` collects what the diagonal of S would be if nothing cancelled
    for r in range(count):
        put(solve, bound + links[active + r], 0.0)
    # along the way inward, the outermost body first
    for j in range(links[record + PATH_COUNT]):
        station = links[record + LINK_PATH] + LINK_STATION * j
        i, up = links[station + LINK_BODY], links[station + UP]
        first, dofs = table[i, V], table[i, DOFS]
        own = y + links[station + OF_JOINT]
        arm = vec(ws.work, i, ARM)
        for r in range(count):
            at = wrench + 6 * (count * j + r)
            n, f = vec1(solve, at), vec1(solve, at + 3)
            if table[i, N] > 0:
                n, f = sweep_internal(model, ws, i, y + r * width + links[station + INSIDE], n, f)
            # y is what the joint feels of the row; its share D y moves it, and the rest goes on inward
            for d in range(dofs - 1, -1, -1):
                k = first + d
                place = own + r * width + d
                s, l = vec(dof, k, S), vec(dof, k, S + 3)
                x = get(solve, place) + dot(s, n) + dot(l, f)
                put(solve, place, x)
                if known[k] == 0:
                    g = dof[k, D] * x
                    put(solve, place + share, g)
                    most = dof[k, D] * (dot(s, s) * dot(n, n) + dot(l, l) * dot(f, f))
                    accumulate(solve, bound + links[active + r], most)
                    n = sub(n, scale(g, vec(dof, k, U)))
                    f = sub(f, scale(g, vec(dof, k, U + 3)))
                else:
                    put(solve, place + share, 0.0 * x)
            # to the next body of the way, about its origin
            if up >= 0:
                if table[table[i, PARENT], N] > 0:
                    inside = links[links[record + LINK_PATH] + LINK_STATION * up + INSIDE]
                    push_carrier(model, ws, i, y + r * width + inside, n, f)
                at = wrench + 6 * (count * up + r)
                accumulate31(solve, at, add(n, cross(arm, f)))
                accumulate31(solve, at + 3, f)


@kernel
def gather_rest(model, ws):
    """Sum of multiplier times y over all rows, by entries of v: what the rows leave of efforts on their way inward."""
    links, solve = ws.solve_links, ws.solve
    rest = links[REST_AT]
    for k in range(model.q_index.size):
        put(solve, rest + k, 0.0)
    for c in range(model.constraint_index.shape[0]):
        record = links[RECORDS] + LINK_RECORD * c
        width, y, of_v = links[record + LINK_WIDTH], links[record + Y], links[record + OF_V]
        first, active = model.constraint_index[c, CONSTRAINT_ROW], links[record + ACTIVE]
        for r in range(links[record + ACTIVE_COUNT]):
            x = ws.rows[first + links[active + r], MULTIPLIER]
            if x != 0.0:
                for j in range(width):
                    accumulate(solve, rest + links[of_v + j], x * get(solve, y + r * width + j))


@optional_kernel("flexible", returns=(3, 3))
def carried_motion(model, ws, i, x, at):
    """What the internal coordinates of its carrier add to the motion of body i where entry k of v is x[at + k]."""
    p = model.table[i, PARENT]
    zero = 0.0 * ws.flex[0]
    w, u = (zero, zero, zero), (zero, zero, zero)
    phi, ev = model.table[i, PHI], model.table[p, EV]
    count, where = support(model, p, model.table[i, STATION])
    for k in range(count):
        e = get(x, at + ev + supported(model, where, k))
        w = add(w, scale(e, vec1(ws.flex, phi + 6 * k)))
        u = add(u, scale(e, vec1(ws.flex, phi + 6 * k + 3)))
    return w, u


@optional_kernel("flexible")
def respond_internal(model, ws, i, w, u):
    """`outward` for the internal coordinates of body i, whose frame moves by (w, u)."""
    links, solve, flex, dof = ws.solve_links, ws.solve, ws.flex, ws.dof
    rest, delta, push = links[REST_AT], links[DELTA_AT], links[PUSH_AT]
    n = model.table[i, N]
    ev, o = model.table[i, EV], model.table[i, FLEX]
    ee = o + 6 * n
    if has_sparse_mass(model, i):
        respond_nodal(model, ws, i, Motion(w, u), rest + ev, delta + ev)
        return
    for k in range(n):
        inertial = dot(vec1(flex, o + 6 * k), w) + dot(vec1(flex, o + 6 * k + 3), u)
        for l in range(k):
            inertial += get(flex, ee + n * k + l) * get(solve, delta + ev + l)
        left = get(solve, rest + ev + k) - inertial
        if get(ws.known, ev + k) == 0:
            put(solve, delta + ev + k, dof[ev + k, D] * left)
        else:
            put(solve, delta + ev + k, 0.0)
            put(solve, push + ev + k, -left)


@kernel
def outward(model, ws):
    """L^-T D^-1 of the rest in solve[REST_AT ...], which becomes M^-1 of the efforts that it was made of, into
    solve[DELTA_AT ...]; the motion of the bodies that goes with it into solve[MOTION_AT ...], and the efforts that
    entries of known acceleration then take besides into solve[PUSH_AT ...]."""
    links, solve, dof, table = ws.solve_links, ws.solve, ws.dof, model.table
    rest, delta, push, motion = links[REST_AT], links[DELTA_AT], links[PUSH_AT], links[MOTION_AT]
    for b in range(links[SOLVE_BODY_COUNT]):
        i = links[links[SOLVE_BODIES] + b]
        p = table[i, PARENT]
        w, u = vec1(solve, motion + 6 * p), vec1(solve, motion + 6 * p + 3)
        u = add(u, cross(w, vec(ws.work, i, ARM)))
        if table[p, N] > 0:
            d_w, d_u = carried_motion(model, ws, i, solve, delta)
            w, u = add(w, d_w), add(u, d_u)
        first = table[i, V]
        for k in range(first, first + table[i, DOFS]):
            left = get(solve, rest + k) - dot(vec(dof, k, U), w) - dot(vec(dof, k, U + 3), u)
            if ws.known[k] == 0:
                x = dof[k, D] * left
                w = add(w, scale(x, vec(dof, k, S)))
                u = add(u, scale(x, vec(dof, k, S + 3)))
                put(solve, delta + k, x)
            else:
                put(solve, delta + k, 0.0)
                put(solve, push + k, -left)
        put31(solve, motion + 6 * i, w)
        put31(solve, motion + 6 * i + 3, u)
        if table[i, N] > 0:
            respond_internal(model, ws, i, w, u)


@kernel
def respond(model, ws):
    """`outward` of A^T lambda, the multipliers being those of ws.rows."""
    gather_rest(model, ws)
    outward(model, ws)


@optional_kernel("flexible", returns=(3, 3))
def marker_shift(model, ws, i, station, x):
    """What the internal entries of x add to the motion of the station whose shapes were worked out last, on body i."""
    R = mat(ws.work, i, ROT)
    base = ws.flex.size - 6 * model.table[i, N]
    count, where = support(model, i, station)
    zero = 0.0 * ws.flex[0]
    w, u = (zero, zero, zero), (zero, zero, zero)
    for k in range(count):
        e = get(x, model.table[i, EV] + supported(model, where, k))
        w = add(w, scale(e, rotate(R, vec1(ws.flex, base + 6 * k))))
        u = add(u, scale(e, rotate(R, vec1(ws.flex, base + 6 * k + 3))))
    return w, u


@kernel
def move_bodies(model, ws, x):
    """Motion of the bodies under the entries x (nv) of v alone, into solve[MOTION_AT ...]."""
    links, solve, dof, table = ws.solve_links, ws.solve, ws.dof, model.table
    motion = links[MOTION_AT]
    for b in range(links[SOLVE_BODY_COUNT]):
        i = links[links[SOLVE_BODIES] + b]
        p = table[i, PARENT]
        w, u = vec1(solve, motion + 6 * p), vec1(solve, motion + 6 * p + 3)
        u = add(u, cross(w, vec(ws.work, i, ARM)))
        if table[p, N] > 0:
            d_w, d_u = carried_motion(model, ws, i, x, 0)
            w, u = add(w, d_w), add(u, d_u)
        first = table[i, V]
        for k in range(first, first + table[i, DOFS]):
            w = add(w, scale(x[k], vec(dof, k, S)))
            u = add(u, scale(x[k], vec(dof, k, S + 3)))
        put31(solve, motion + 6 * i, w)
        put31(solve, motion + 6 * i + 3, u)


@kernel
def rows_times(model, ws, q, v, x):
    """A x of every row, x (nv), into ws.rows[:, FORCE]."""
    links, rows = ws.solve_links, ws.rows
    motion = links[MOTION_AT]
    move_bodies(model, ws, x)
    for r in range(rows.shape[0]):
        rows[r, MULTIPLIER] = 0.0
    for c in range(model.constraint_index.shape[0]):
        first, count = model.constraint_index[c, CONSTRAINT_ROW], model.constraint_index[c, CONSTRAINT_ROWS]
        for side in range(2):
            m = model.constraint_index[c, CONSTRAINT_FIRST + side]
            if m < 0 or model.marker_index[m, 0] == 0:
                continue
            i = model.marker_index[m, 0]
            arm, _, _, _ = marker_frame(model, ws, m, q, v)
            w, u = vec1(ws.solve, motion + 6 * i), vec1(ws.solve, motion + 6 * i + 3)
            u = add(u, cross(w, arm))
            if model.table[i, N] > 0:
                d_w, d_u = marker_shift(model, ws, i, model.marker_index[m, 1], x)
                w, u = add(w, d_w), add(u, d_u)
            for r in range(first, first + count):
                moment, force = vec(rows, r, ON_FIRST + 6 * side), vec(rows, r, ON_FIRST + 6 * side + 3)
                rows[r, MULTIPLIER] += dot(moment, w) + dot(force, u)
        for e in range(model.constraint_index[c, CONSTRAINT_COUNT]):
            entry = model.constraint_index[c, ENTRIES] + e
            k, place = model.constraint_entries[entry, 1], model.constraint_entries[entry, 2]
            rows[first, MULTIPLIER] += model.constraint_floats[place] * x[k]
