"""Nodal bodies: a floating frame with all nodes of a mesh as coordinates, all of whose inertia is in sparse matrices.

Place and velocity are interpolated with the same shapes N_a, and coordinate k moves one node a(k) along a direction
w_k. With d_a and u'_a place and velocity of the nodes in body axes, m_ab = int N_a N_b dm, y = m d and z = m u', the
integrals of a floating frame (Kim 1999, eq. 2.17 to 2.27) are

    c = sum s_a d_a,  J = sum (d_a . y_a) 1 - d_a y_a^T,  P_k = s_a w_k,  H_k = y_a x w_k,  M_kl = m_ab w_k . w_l,

s_a = int N_a dm, and the forces of velocities are those of the acceleration g = omega x (omega x r) + 2 omega x u',
which is interpolated too: with G = m g = omega x (omega x y) + 2 omega x z

    force  sum s_a g_a,   moment  sum d_a x G_a,   of e_k  w_k . G_a.

Each is a product with a sparse matrix. A unit of angular acceleration is the field e_j x d, and M_re what the mass of
all nodes makes of it; so M^-1 M_re is that field itself, but for the nodes that the reference conditions hold, whose
part is constant or follows one or two nodes (`frame_answer`). The mass of the coordinates is constant too, and its
sparse factor is made once. Damping is alpha M + beta K.

The data of a body are `nodal_layout.NodalBody`, a station is a `StationHead` and entries. Everything in the body's
kernel frame. Cables have the same numbers, and their own forces and sums (kernels/bodies/ancf_cable_forces.py); the
elastic forces of a shell are those of kernels/bodies/ancf_shell.py, those of a rod of
kernels/bodies/simo_reissner_beam.py.
"""

from __future__ import annotations

from ..algebra import Mat3, Vec3, Wrench, cross, product_inertia, rotated
from ..body_data import numbers_at, vectors_at, wrenches_at
from ..compiler import kernel, optional_kernel
from ..flat_arrays import symmetric_at, vector_at
from ..records import given
from .ancf_shell import shell_forces
from .nodal_layout import nodal_blocks, nodal_body, station_of
from .rotation_schemes import vector_rotation
from .shell_vectors import displacement
from .simo_reissner_beam import rod_forces


@optional_kernel("nodal", returns=(Vec3, Mat3, Vec3, Vec3, Vec3, Vec3))
def nodal_station(floats, at, q, e, v, ev, flex, base):
    """Motion of a station, as `modal_station`; the shapes of the coordinates that move it go to flex[base + 6 j]."""
    head, entries, _ = station_of(floats, at)
    shapes = vectors_at(flex, base)
    none = vector_at(flex, 0).zero
    r, u, theta, rate = head.place + none, none, none, none
    for j in range(head.count):
        entry = entries[j]
        x, y = q[e + entry.k], v[ev + entry.k]
        r += x * entry.psi
        u += y * entry.psi
        theta += x * entry.theta
        rate += y * entry.theta
    R, T, bias = vector_rotation(theta, rate)
    for j in range(head.count):
        shapes[2 * j], shapes[2 * j + 1] = T @ entries[j].theta, entries[j].psi
    return r, R, u, T @ rate, none, bias


@kernel
def node_mass_times(body, x, a):
    """Row a of m times vectors x."""
    y = x[0].zero
    for j in range(body.mass_row[a], body.mass_row[a + 1]):
        y += body.masses[j] * x[body.mass_index[j]]
    return y


@kernel
def place_nodes(model, i, q, v, flex, begin, end):
    """Places and velocities of the nodes from `begin` to before `end`, in body axes."""
    body, at = nodal_body(model, i), nodal_blocks(model, i)
    d, rates = vectors_at(flex, at.d), vectors_at(flex, at.rates)
    e, ev = model.tree[i].e, model.tree[i].ev
    for a in range(begin, end):
        d[a] = displacement(body, q, e, a) + body.places[a]
        rates[a] = displacement(body, v, ev, a)


@kernel
def node_sums(model, i, q, v, flex, R, omega, begin, end):
    """Blocks of the coordinates of the nodes from `begin` to before `end`, all of which are placed; returns sums over
    these nodes: c, the sum of s_a u'_a, the moment of G, and J."""
    body, at = nodal_body(model, i), nodal_blocks(model, i)
    e, ev = model.tree[i].e, model.tree[i].ev
    d, y, rates, z = vectors_at(flex, at.d), vectors_at(flex, at.y), vectors_at(flex, at.rates), vectors_at(flex, at.z)
    b, coupling = numbers_at(flex, at.b), wrenches_at(flex, at.coupling)
    alpha, beta, velocities = body.rayleigh.alpha, body.rayleigh.beta, 1.0 * body.gyroscopic
    none = omega.zero
    # sums, and the blocks of each coordinate: the way that it moves its node
    c, force, moment, J = none, none, none, product_inertia(none, none)
    for a in range(begin, end):
        ya, za = node_mass_times(body, d, a), node_mass_times(body, rates, a)
        y[a], z[a] = ya, za
        da, share = d[a], body.shares[a]
        G = cross(omega, cross(omega, ya)) + 2.0 * cross(omega, za)
        c += share * da
        force += share * rates[a]
        moment += cross(da, G)
        J += product_inertia(da, ya)
        applied_mass = ya if body.deformed else body.still[a] + none
        for k in range(body.first[a], body.first[a + 1]):
            w = body.ways[k]
            b[k] = velocities * (w @ G) + alpha * (w @ za)
            coupling[k] = Wrench(R @ cross(applied_mass, w), R @ (share * w))
    # elastic forces by a matrix, and damping in proportion to it; shells and rods have their own
    if body.shells + body.rods == 0:
        for k in range(body.first[begin], body.first[end]):
            x = none.x
            for j in range(body.pair_row[k], body.pair_row[k + 1]):
                l = body.pair_index[j]
                x += body.stiffness[j] * (q[e + l] + beta * v[ev + l])
            b[k] += x
    return c, force, moment, J


@kernel
def sum_nodes(model, i, q, v, flex, R, omega, begin, end):
    """`node_sums` of tuples R and omega, for threads that write the sums into arrays."""
    c, force, moment, J = node_sums(model, i, q, v, flex, Mat3(R), Vec3(omega), begin, end)
    return c, force, moment, tuple(J)


@kernel
def nodes_alone(model, ws, i, q, v, R, omega):
    """`node_sums` of all nodes, by one thread."""
    nodes = nodal_body(model, i).nodes
    place_nodes(model, i, q, v, ws.flex, 0, nodes)
    return node_sums(model, i, q, v, ws.flex, R, omega, 0, nodes)


@kernel
def all_nodes(model, ws, i, q, v, R, omega):
    """`node_sums` of all nodes, by all threads where there are several."""
    if given(ws.solving):
        ws.solving.nodes(model, ws, i, q, v)
        t = ws.solving.numbers
        return vector_at(t, 0), vector_at(t, 3), vector_at(t, 6), symmetric_at(t, 9)
    return nodes_alone(model, ws, i, q, v, R, omega)


@all_nodes.of_complex
def _all_nodes(model, ws, i, q, v, R, omega):
    return nodes_alone(model, ws, i, q, v, R, omega)


@optional_kernel("nodal")
def nodal_inertia(model, ws, i, q, v):
    """Inertia, bias forces and elastic forces of a nodal body, into its row of ws.bodies and its blocks of ws.flex."""
    body, state, own = nodal_body(model, i), ws.bodies[i], model.bodies[i]
    b, R = nodal_blocks(model, i).b, ws.bodies[i].R_WB
    omega = R.T @ state.omega
    c, force, moment, J = all_nodes(model, ws, i, q, v, R, omega)
    if body.shells > 0:
        shell_forces(model, i, q, ws.flex, b)
    if body.rods > 0:
        rod_forces(model, i, q, v, ws.flex, b)
    force = cross(omega, cross(omega, c) + 2.0 * force)
    if not body.deformed:
        c, J = own.first_moment + c.zero, own.inertia + J.zero
    state.first_moment, state.inertia = R @ c, rotated(R, J)
    state.bias_force = Wrench(R @ moment, R @ force)


@optional_kernel("nodal")
def nodal_attraction(model, ws, i, G):
    """Takes int psi_k . G r dm = w_k . G y_a off the block b of body i."""
    body, at = nodal_body(model, i), nodal_blocks(model, i)
    y, b = vectors_at(ws.flex, at.y), numbers_at(ws.flex, at.b)
    G = rotated(ws.bodies[i].R_WB.T, G)
    for a in range(body.nodes):
        pull = G @ y[a]
        for k in range(body.first[a], body.first[a + 1]):
            b[k] -= body.ways[k] @ pull


@optional_kernel("nodal")
def nodal_mass_times(model, ws, i, x, of, out, to):
    """out[to ...] += the mass of the coordinates of body i times x[of ...]."""
    body, moved = nodal_body(model, i), vectors_at(ws.flex, nodal_blocks(model, i).moved)
    for a in range(body.nodes):
        moved[a] = displacement(body, x, of, a)
    for a in range(body.nodes):
        z = node_mass_times(body, moved, a)
        for k in range(body.first[a], body.first[a + 1]):
            out[to + k] += body.ways[k] @ z


@optional_kernel("nodal", returns=1)
def nodal_kinetic(model, ws, i):
    """1/2 sum u'_a . z_a, after `nodal_inertia` [J]."""
    at, energy = nodal_blocks(model, i), 0.0 * ws.flex[0]
    rates, z = vectors_at(ws.flex, at.rates), vectors_at(ws.flex, at.z)
    for a in range(nodal_body(model, i).nodes):
        energy += 0.5 * (rates[a] @ z[a])
    return energy


@kernel
def pairs_times(body, values, x, of, k):
    """Row k of a matrix of the coordinates times x[of ...]."""
    y = 0.0 * x[of]
    for j in range(body.pair_row[k], body.pair_row[k + 1]):
        y += values[j] * x[of + body.pair_index[j]]
    return y


@optional_kernel("nodal", returns=1)
def nodal_strain(model, i, q):
    """Strain energy 1/2 e^T K e [J]."""
    body, e = nodal_body(model, i), model.tree[i].e
    energy = 0.0 * q[0]
    for k in range(model.tree[i].ne):
        energy += 0.5 * q[e + k] * pairs_times(body, body.stiffness, q, e, k)
    return energy


@optional_kernel("nodal", returns=1)
def nodal_dissipation(model, i, v):
    """Power dissipated inside the body, e'^T (alpha M + beta K) e' [W]."""
    body, ev = nodal_body(model, i), model.tree[i].ev
    alpha, beta = body.rayleigh.alpha, body.rayleigh.beta
    power = 0.0 * v[0]
    if alpha == 0.0 and beta == 0.0:
        return power
    for k in range(model.tree[i].ne):
        x = 0.0 * v[0]
        if alpha != 0.0:
            x += alpha * pairs_times(body, body.mass, v, ev, k)
        if beta != 0.0:
            x += beta * pairs_times(body, body.stiffness, v, ev, k)
        power += v[ev + k] * x
    return power


@optional_kernel("nodal")
def nodal_entries(model, i, out):
    """Adds the mass of the coordinates of body i to a mass matrix."""
    body, ev = nodal_body(model, i), model.tree[i].ev
    for k in range(model.tree[i].ne):
        for j in range(body.pair_row[k], body.pair_row[k + 1]):
            out[ev + k, ev + body.pair_index[j]] += body.mass[j]


@optional_kernel("nodal")
def frame_answer(model, ws, i, to):
    """M_ee^-1 M_re of body i, in world axes, into ws.flex[to + 6 k], without a solution: see above."""
    body, R, n = nodal_body(model, i), ws.bodies[i].R_WB, model.tree[i].ne
    d, answers = vectors_at(ws.flex, nodal_blocks(model, i).d), vectors_at(ws.flex, to)
    for a in range(body.nodes):
        x = d[a] if body.deformed else body.places[a] + d[a].zero
        for k in range(body.first[a], body.first[a + 1]):
            w, rigid = body.ways[k], body.rigid[k]
            turned = cross(x, w) + rigid.angular
            if body.deformed:
                for h in range(body.ties):
                    tie = body.tied[h * (4 + n) :]
                    b = int(tie[0])
                    turned += tie[4 + k] * cross(d[b] - body.places[b], vectors_at(tie, 1)[0])
            answers[2 * k] = R @ turned
            answers[2 * k + 1] = R @ (w + rigid.linear)
