"""Rows through the tree: y = L^-1 a inward, M^-1 A^T lambda outward, and A x, each O(N) and along paths only.

Articulated inertias factor the mass matrix: M = L D L^T (Featherstone 2008, section 7.3; Rodriguez, Jain & Kreutz
1991). An entry whose inertia is d, whose column of inertia times motion is U and whose motion is S takes from a wrench
w that comes inward y = S . w, and lets w - U y / d pass. So A M^-1 A^T is a sum of products of y / d, without M or its
inverse. Entries whose acceleration is known let all pass: for them y is the effort that the row takes, and its share
is zero.
"""

from __future__ import annotations

from ..algebra import Motion, Wrench, shift, shift_back
from ..bodies.body_dispatch import has_sparse_mass, support, supported
from ..compiler import kernel, optional_kernel
from ..flat_arrays import accumulate, add_value, get, motion_at, put, put_value, vector_at, wrench_at
from ..tree.markers import marker_kinematics
from ..tree.nodal_elimination import respond_nodal, sweep_nodal
from .sparsity import path_of, stations_at


@kernel
def world_shape(ws, R, at):
    """Motion in world axes by a unit of the coordinate whose shape begins at ws.flex[at]."""
    return Motion(R @ vector_at(ws.flex, at), R @ vector_at(ws.flex, at + 3))


@optional_kernel("flexible")
def push_internal(model, ws, i, station, y, f):
    """Adds what a wrench f at the station whose shapes were worked out last does on the internal coordinates of body
    i."""
    R, base = ws.bodies[i].R_WB, ws.flex.size - 6 * model.tree[i].ne
    count, where = support(model, i, station)
    for k in range(count):
        accumulate(ws.solve, y + supported(model, where, k), world_shape(ws, R, base + 6 * k) @ f)


@optional_kernel("flexible")
def push_carrier(model, ws, i, y, f):
    """Adds what the wrench f (about its origin) that body i hands on does on the internal coordinates of its
    carrier."""
    node = model.tree[i]
    count, where = support(model, node.parent, node.station)
    for k in range(count):
        accumulate(ws.solve, y + supported(model, where, k), motion_at(ws.flex, node.phi + 6 * k) @ f)


@optional_kernel("flexible", returns=Wrench)
def sweep_internal(model, ws, i, y, f):
    """Eliminates the internal coordinates of body i from a row; returns the wrench that is left of f."""
    solve, flex, node, share = ws.solve, ws.flex, model.tree[i], ws.layout.share
    if has_sparse_mass(model, i):
        return sweep_nodal(model, ws, i, y, solve, y + share, f)
    n, o = node.ne, node.flex
    for k in range(n - 1, -1, -1):
        if get(ws.known, node.ev + k) != 0:
            put(solve, y + k + share, 0.0)
            continue
        g = ws.dofs[node.ev + k].D * get(solve, y + k)
        put(solve, y + k + share, g)
        for l in range(k):
            accumulate(solve, y + l, -g * get(flex, o + 6 * n + n * k + l))
        f -= g * wrench_at(flex, o + 6 * k)
    return f


@kernel
def start_rows(model, ws, c, q, v):
    """Lays the wrenches and efforts of the rows of constraint c at the places where they act."""
    path, constraint, solve = path_of(ws, c), model.constraints[c], ws.solve
    count, y = path.active_count, path.y
    for j in range(6 * count * path.count):
        put(solve, ws.layout.wrench + j, 0.0)
    for j in range(count * path.width):
        put(solve, y + j, 0.0)
    if path.station_A >= 0:
        start_side(model, ws, path, constraint.row, constraint.marker_A, path.station_A, True, q, v)
    if path.station_B >= 0:
        start_side(model, ws, path, constraint.row, constraint.marker_B, path.station_B, False, q, v)
    for e in range(constraint.entries if count > 0 else 0):
        place = model.coupled_entries[constraint.entry + e].coefficient
        accumulate(solve, y + ws.solve_links[path.coupled + e], model.constraint_floats[place])


@kernel
def start_side(model, ws, path, first, m, j, on_A, q, v):
    """Lays the wrenches of the rows of a constraint on its marker m, whose body is station j of the path."""
    i, count = model.markers[m].body, path.active_count
    arm, _, _ = marker_kinematics(model, ws, m, q, v)
    for r in range(count):
        row = ws.constraint_rows[first + ws.solve_links[path.active + r]]
        f = row.on_A if on_A else row.on_B
        add_value(ws.solve, ws.layout.wrench + 6 * (count * j + r), shift_back(f, arm))
        if model.tree[i].ne > 0:
            inside = stations_at(ws.solve_links, path.stations)[j].internal
            push_internal(model, ws, i, model.markers[m].station, path.y + r * path.width + inside, f)


@kernel
def sweep_rows(model, ws, c, q, v):
    """y = L^-1 a of the rows of constraint c that have a place, and shares, after the elimination of the tree."""
    path, solve, tree = path_of(ws, c), ws.solve, model.tree
    count, width, y = path.active_count, path.width, path.y
    if count == 0:
        return
    start_rows(model, ws, c, q, v)
    stations, wrench, share = stations_at(ws.solve_links, path.stations), ws.layout.wrench, ws.layout.share
    bound, active = ws.layout.bound + model.constraints[c].row, path.active
    # `bound` collects what the diagonal of S would be if nothing cancelled
    for r in range(count):
        put(solve, bound + ws.solve_links[active + r], 0.0)
    # along the way inward, the outermost body first
    for j in range(path.count):
        i, up = stations[j].body, stations[j].carrier
        node, own, arm = tree[i], y + stations[j].joint, ws.bodies[i].p_PB
        for r in range(count):
            f = wrench_at(solve, wrench + 6 * (count * j + r))
            if node.ne > 0:
                f = sweep_internal(model, ws, i, y + r * width + stations[j].internal, f)
            # y is what the joint feels of the row; its share D y moves it, and the rest goes on inward
            for d in range(node.nv - 1, -1, -1):
                k, place = node.v + d, own + r * width + d
                dof = ws.dofs[k]
                s, l = dof.S.angular, dof.S.linear
                x = get(solve, place) + s @ f.moment + l @ f.force
                put(solve, place, x)
                if ws.known[k] == 0:
                    g = dof.D * x
                    put(solve, place + share, g)
                    most = dof.D * ((s @ s) * (f.moment @ f.moment) + (l @ l) * (f.force @ f.force))
                    accumulate(solve, bound + ws.solve_links[active + r], most)
                    f -= g * dof.U
                else:
                    put(solve, place + share, 0.0 * x)
            # to the next body of the way, about its origin
            if up >= 0:
                if tree[node.parent].ne > 0:
                    push_carrier(model, ws, i, y + r * width + stations[up].internal, f)
                add_value(solve, wrench + 6 * (count * up + r), shift_back(f, arm))


@kernel
def gather_rest(model, ws):
    """Sum of multiplier times y over all rows, by entries of v: what the rows leave of efforts on their way inward."""
    links, solve, rest = ws.solve_links, ws.solve, ws.layout.rest
    for k in range(model.q_index.size):
        put(solve, rest + k, 0.0)
    for c in range(len(model.constraints)):
        path, first = path_of(ws, c), model.constraints[c].row
        width, y, entries, active = path.width, path.y, path.entries, path.active
        for r in range(path.active_count):
            x = ws.constraint_rows[first + links[active + r]].multiplier
            if x != 0.0:
                for j in range(width):
                    accumulate(solve, rest + links[entries + j], x * get(solve, y + r * width + j))


@optional_kernel("flexible", returns=Motion)
def carried_motion(model, ws, i, x, at):
    """What the internal coordinates of its carrier add to the motion of body i where entry k of v is x[at + k]."""
    node, V = model.tree[i], ws.bodies[i].acceleration.zero
    ev = model.tree[node.parent].ev
    count, where = support(model, node.parent, node.station)
    for k in range(count):
        V += get(x, at + ev + supported(model, where, k)) * motion_at(ws.flex, node.phi + 6 * k)
    return V


@optional_kernel("flexible")
def respond_internal(model, ws, i, V):
    """`outward` for the internal coordinates of body i, whose frame moves by V."""
    solve, flex, node = ws.solve, ws.flex, model.tree[i]
    rest, delta, push = ws.layout.rest, ws.layout.delta, ws.layout.push
    n, ev, o = node.ne, node.ev, node.flex
    if has_sparse_mass(model, i):
        respond_nodal(model, ws, i, V, rest + ev, delta + ev)
        return
    for k in range(n):
        inertial = wrench_at(flex, o + 6 * k) @ V
        for l in range(k):
            inertial += get(flex, o + 6 * n + n * k + l) * get(solve, delta + ev + l)
        left = get(solve, rest + ev + k) - inertial
        if get(ws.known, ev + k) == 0:
            put(solve, delta + ev + k, ws.dofs[ev + k].D * left)
        else:
            put(solve, delta + ev + k, 0.0)
            put(solve, push + ev + k, -left)


@kernel
def outward(model, ws):
    """L^-T D^-1 of what is in solve[rest ...], which becomes M^-1 of the efforts that it was made of, into
    solve[delta ...]; the motion of the bodies that goes with it into solve[motion ...], and the efforts that entries of
    known acceleration then take besides into solve[push ...]."""
    layout, solve, tree = ws.layout, ws.solve, model.tree
    rest, delta, push, motion = layout.rest, layout.delta, layout.push, layout.motion
    for b in range(layout.body_count):
        i = ws.solve_links[layout.bodies + b]
        node = tree[i]
        V = shift(motion_at(solve, motion + 6 * node.parent), ws.bodies[i].p_PB)
        if tree[node.parent].ne > 0:
            V += carried_motion(model, ws, i, solve, delta)
        for k in range(node.v, node.v + node.nv):
            dof = ws.dofs[k]
            left = get(solve, rest + k) - dof.U.moment @ V.angular - dof.U.force @ V.linear
            if ws.known[k] == 0:
                x = dof.D * left
                V += x * dof.S
                put(solve, delta + k, x)
            else:
                put(solve, delta + k, 0.0)
                put(solve, push + k, -left)
        put_value(solve, motion + 6 * i, V)
        if node.ne > 0:
            respond_internal(model, ws, i, V)


@kernel
def respond(model, ws):
    """`outward` of A^T lambda, the multipliers being those of ws.constraint_rows."""
    gather_rest(model, ws)
    outward(model, ws)


@optional_kernel("flexible", returns=Motion)
def marker_shift(model, ws, i, station, x):
    """What the internal entries of x add to the motion of the station whose shapes were worked out last, on body i."""
    R, base, V = ws.bodies[i].R_WB, ws.flex.size - 6 * model.tree[i].ne, ws.bodies[i].acceleration.zero
    count, where = support(model, i, station)
    for k in range(count):
        V += get(x, model.tree[i].ev + supported(model, where, k)) * world_shape(ws, R, base + 6 * k)
    return V


@kernel
def move_bodies(model, ws, x):
    """Motion of the bodies under the entries x (nv) of v alone, into solve[motion ...]."""
    motion, tree = ws.layout.motion, model.tree
    for b in range(ws.layout.body_count):
        i = ws.solve_links[ws.layout.bodies + b]
        node = tree[i]
        V = shift(motion_at(ws.solve, motion + 6 * node.parent), ws.bodies[i].p_PB)
        if tree[node.parent].ne > 0:
            V += carried_motion(model, ws, i, x, 0)
        for k in range(node.v, node.v + node.nv):
            V += x[k] * ws.dofs[k].S
        put_value(ws.solve, motion + 6 * i, V)


@kernel
def moved_marker(model, ws, m, q, v, x):
    """Motion of marker m, after `move_bodies`."""
    i = model.markers[m].body
    arm, _, _ = marker_kinematics(model, ws, m, q, v)
    V = shift(motion_at(ws.solve, ws.layout.motion + 6 * i), arm)
    if model.tree[i].ne > 0:
        V += marker_shift(model, ws, i, model.markers[m].station, x)
    return V


@kernel
def rows_times(model, ws, q, v, x):
    """A x of every row, x (nv), into the multipliers of ws.constraint_rows."""
    rows = ws.constraint_rows
    move_bodies(model, ws, x)
    for r in range(len(rows)):
        rows[r].multiplier = 0.0
    for c in range(len(model.constraints)):
        constraint = model.constraints[c]
        first, last = constraint.row, constraint.row + constraint.rows
        if constraint.marker_A >= 0 and model.markers[constraint.marker_A].body > 0:
            V = moved_marker(model, ws, constraint.marker_A, q, v, x)
            for r in range(first, last):
                rows[r].multiplier += rows[r].on_A @ V
        if constraint.marker_B >= 0 and model.markers[constraint.marker_B].body > 0:
            V = moved_marker(model, ws, constraint.marker_B, q, v, x)
            for r in range(first, last):
                rows[r].multiplier += rows[r].on_B @ V
        for e in range(constraint.entry, constraint.entry + constraint.entries):
            entry = model.coupled_entries[e]
            rows[first].multiplier += model.constraint_floats[entry.coefficient] * x[entry.v]
