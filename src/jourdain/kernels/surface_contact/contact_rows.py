"""The rows P of gaps and slips: their derivatives by the velocities, with P^T p the generalised contact forces.

The gap of a node changes with the places x_k of the points around it as n . sum_k w_k dx_k (Kim 1999, eq. 4.15 to
4.18), and of a mortar by the derivative of its integral. A row is therefore what forces w_k n at these points do to the
coordinates. All in world axes.
"""

from __future__ import annotations

from ..algebra import Vec3, Wrench, cross
from ..bodies.body_dispatch import has_sparse_mass, support, supported
from ..compiler import kernel, outlined_kernel, separate_kernel
from ..constraints.constraint_jacobian import push_joint, push_station
from ..flat_arrays import vector_at
from .gap_functions import shape_marker
from .stick_slip import has_friction
from .surface_layout import MORTAR


@kernel
def used(s, c, k):
    """Whether row k of active node c is needed: slip only where there is friction."""
    return k == 0 or has_friction(s, s.active[c])


@kernel
def push_to_root(model, ws, m, q, v, f, out):
    """Adds what a wrench at marker m does to all coordinates that carry it."""
    point = push_station(model, ws, m, q, v, f, out, 0)
    i = model.markers[m].body
    while i > 0:
        i = push_joint(model, ws, i, point, f, out, 0)


@outlined_kernel
def take_entries(model, x, r, body, at):
    """Moves what the coordinates of a sparse body at a station have in x.row to the entries of row r; 1 where
    they are too many."""
    if not has_sparse_mass(model, body):
        return 0
    count, where = support(model, body, at)
    for j in range(count):
        k = model.tree[body].ev + supported(model, where, j)
        if x.row[k] != 0.0:
            if x.count[r] == x.entries.shape[1]:
                return 1
            x.entries[r, x.count[r]] = x.number[k]
            x.values[r, x.count[r]] = x.row[k]
            x.count[r] += 1
            x.row[k] = 0.0
    return 0


@outlined_kernel
def take_marker(model, x, r, m):
    """`take_entries` of all sparse bodies that move a marker."""
    tree, body = model.tree, model.markers[m].body
    lost = take_entries(model, x, r, body, model.markers[m].station) if tree[body].ne > 0 else 0
    while body > 0:
        node = tree[body]
        if tree[node.parent].ne > 0:
            lost += take_entries(model, x, r, node.parent, node.station)
        body = node.parent
    return lost


@outlined_kernel
def lay_row(run, i, k, r, q, v):
    """Row r: the derivative of node i's gap (k = 0) or of its slip along one of the tangents, and its rate by what is
    prescribed, with impulses of the mean velocity of the step; 1 where entries are too many."""
    model, ws, s = run.model, run.ws, run.surfaces
    x, none = s.rows, Vec3(0.0, 0.0, 0.0)
    direction, pair = vector_at(s.node[i].axes, 3 * k), s.nodes[i].pair
    mortar = k == 0 and s.pairs[pair].form == MORTAR
    for j in range(s.points.size):
        w = s.weights[i, j]
        if w != 0.0:
            along = vector_at(s.arrows[i], 3 * j) if mortar else w * direction
            push_to_root(model, ws, s.points[j], q, v, Wrench(none, along), x.row)
    shape = s.pairs[pair].shape
    if shape >= 0:
        # the shape is pushed where the node is: force and reaction have one line
        m = shape_marker(model, shape)
        place = push_station(model, ws, m, q, v, Wrench(none, none), x.row, 0)
        arm = s.place[s.nodes[i].point].position - place
        push_to_root(model, ws, m, q, v, Wrench(cross(arm, -direction), -direction), x.row)
    # entries on coordinates of sparse bodies
    x.count[r], lost = 0, 0
    if x.dofs.size > 0:
        for j in range(s.points.size):
            if s.weights[i, j] != 0.0:
                lost += take_marker(model, x, r, s.points[j])
        if shape >= 0:
            lost += take_marker(model, x, r, shape_marker(model, shape))
    # all others, of which the prescribed ones are no unknowns
    x.driven[r] = 0.0
    for l in range(x.others.size):
        j = x.others[l]
        x.dense[r, l] = x.row[j] if ws.known[j] == 0 else 0.0
        if ws.known[j] != 0:
            x.driven[r] += x.row[j] * (0.5 * (run.v[j] + v[j]) if s.by_impulse[0] == 1 else v[j])
        x.row[j] = 0.0
    return lost


@separate_kernel
def lay_rows(run, count, q, v):
    """Rows of the active nodes at a state, after `lay_gaps`; 1 where their entries are too many."""
    s, lost = run.surfaces, 0
    for c in range(count):
        for k in range(3):
            if used(s, c, k):
                lost += lay_row(run, s.active[c], k, 3 * c + k, q, v)
    return min(lost, 1)


@kernel
def row_times(x, r, y, at):
    """Row r times y[at ...]."""
    total = 0.0
    for l in range(x.others.size):
        total += x.dense[r, l] * y[at + x.others[l]]
    for j in range(x.count[r]):
        total += x.values[r, j] * y[at + x.dofs[x.entries[r, j]]]
    return total


@kernel
def add_row(x, r, force, y, at):
    """Adds a force times row r to y[at ...]."""
    for l in range(x.others.size):
        y[at + x.others[l]] += force * x.dense[r, l]
    for j in range(x.count[r]):
        y[at + x.dofs[x.entries[r, j]]] += force * x.values[r, j]
