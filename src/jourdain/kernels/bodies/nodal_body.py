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

Integers and floats of a body begin as kernels/bodies/nodal_layout.py tells. A station: place (3), how many coordinates
move it, of each its number, psi (3) and theta (3). Everything in the body's kernel frame. Cables have the same
numbers, and their own forces and sums (kernels/bodies/ancf_cable_forces.py); the elastic forces of a shell are those of
kernels/bodies/ancf_shell.py, those of a rod of kernels/bodies/simo_reissner_beam.py.
"""

from __future__ import annotations

from ..columns import EV, FLEX, FORCE, INERTIA, JW, MC, MOMENT, OMEGA, ROT, E, N
from ..compiler import kernel, optional_kernel
from ..flat_arrays import accumulate, get, put, put31, vec1
from ..linalg.supernodal_cholesky import sparse_times
from ..records import given
from ..spatial import (
    add,
    add6,
    cross,
    dot,
    mat,
    put3,
    put6,
    rotate,
    rotate_back,
    rotate_sym,
    scale,
    sub,
    sym,
    sym_times,
    transpose,
    vec,
)
from .ancf_cable_forces import product_inertia
from .ancf_shell import shell_forces
from .nodal_layout import (
    MASS_INDEX,
    MASS_ROW,
    MASSES,
    NODAL_APPLIED,
    NODAL_B,
    NODAL_DEFORMED,
    NODAL_FIRST,
    NODAL_NODES,
    NODAL_PAIR_INDEX,
    NODAL_PAIR_ROW,
    NODAL_PLACES,
    NODAL_RIGID,
    NODAL_SHARES,
    NODAL_STILL,
    OF_NODES,
    PAIRED,
    RAYLEIGH,
    RODS,
    SHELLS,
    STATION_COUNT,
    STATION_ENTRY,
    STIFF,
    TIED,
    TIES,
    WAYS,
    chosen,
    floats_of,
    integers_of,
)
from .rotation_schemes import vector_rotation
from .simo_reissner_beam import rod_forces


@optional_kernel("nodal", returns=(3, 9, 3, 3, 3, 3))
def nodal_station(floats, at, q, e, v, ev, flex, base):
    """Motion of a station, as `modal_station`; the shapes of the coordinates that move it go to flex[base + 6 j]."""
    zero = 0.0 * flex[0]
    none = (zero, zero, zero)
    r = add(vec1(floats, at), none)
    u, theta, rate = none, none, none
    count, first = int(floats[at + STATION_COUNT]), at + STATION_COUNT + 1
    for j in range(count):
        entry = first + STATION_ENTRY * j
        k = int(floats[entry])
        psi, turn = vec1(floats, entry + 1), vec1(floats, entry + 4)
        r = add(r, scale(q[e + k], psi))
        u = add(u, scale(v[ev + k], psi))
        theta = add(theta, scale(q[e + k], turn))
        rate = add(rate, scale(v[ev + k], turn))
    R, T, bias = vector_rotation(theta, rate)
    for j in range(count):
        entry = first + STATION_ENTRY * j
        put31(flex, base + 6 * j, rotate(T, vec1(floats, entry + 4)))
        put31(flex, base + 6 * j + 3, add(vec1(floats, entry + 1), none))
    return r, R, u, rotate(T, rate), none, bias


@kernel
def spread(model, i, x, of, flex, to):
    """Displacements (N, 3) of the nodes for coordinates x[of ...], into flex[to ...]."""
    spread_some(model, i, x, of, flex, to, 0, chosen(model, i, NODAL_NODES))


@kernel
def spread_some(model, i, x, of, flex, to, begin, end):
    """`spread` of the nodes from `begin` to before `end`."""
    first, ways = integers_of(model, i, NODAL_FIRST), floats_of(model, i, WAYS)
    zero = 0.0 * get(x, of)
    for a in range(begin, end):
        u = (zero, zero, zero)
        for k in range(model.integers[first + a], model.integers[first + a + 1]):
            u = add(u, scale(get(x, of + k), vec1(model.floats, ways + 3 * k)))
        put31(flex, to + 3 * a, u)


@kernel
def node_mass_times(model, i, flex, of, a):
    """Row a of m times the vectors flex[of + 3 b]."""
    row, index = integers_of(model, i, MASS_ROW), integers_of(model, i, MASS_INDEX)
    masses = floats_of(model, i, MASSES)
    zero = 0.0 * flex[0]
    y = (zero, zero, zero)
    for j in range(model.integers[row + a], model.integers[row + a + 1]):
        y = add(y, scale(get(model.floats, masses + j), vec1(flex, of + 3 * model.integers[index + j])))
    return y


@kernel
def place_nodes(model, i, q, v, flex, begin, end):
    """Places and velocities of the nodes from `begin` to before `end`, in body axes."""
    nodes = chosen(model, i, NODAL_NODES)
    d = model.table[i, FLEX] + OF_NODES * model.table[i, N]
    places = floats_of(model, i, NODAL_PLACES)
    spread_some(model, i, q, model.table[i, E], flex, d, begin, end)
    spread_some(model, i, v, model.table[i, EV], flex, d + 6 * nodes, begin, end)
    for a in range(begin, end):
        put31(flex, d + 3 * a, add(vec1(flex, d + 3 * a), vec1(model.floats, places + 3 * a)))


@kernel
def sum_nodes(model, i, q, v, flex, R, omega, begin, end):
    """Blocks of the coordinates of the nodes from `begin` to before `end`, all of which are placed; returns sums over
    these nodes: c, the sum of s_a u'_a, the moment of G, and J."""
    floats, integers = model.floats, model.integers
    n, e, ev, o = model.table[i, N], model.table[i, E], model.table[i, EV], model.table[i, FLEX]
    nodes, b, d = chosen(model, i, NODAL_NODES), o + NODAL_B * n, o + OF_NODES * n
    y, rate, z = d + 3 * nodes, d + 6 * nodes, d + 9 * nodes
    first, ways = integers_of(model, i, NODAL_FIRST), floats_of(model, i, WAYS)
    shares, still = floats_of(model, i, NODAL_SHARES), floats_of(model, i, NODAL_STILL)
    rayleigh, stiff = floats_of(model, i, RAYLEIGH), floats_of(model, i, STIFF)
    row, index = integers_of(model, i, NODAL_PAIR_ROW), integers_of(model, i, NODAL_PAIR_INDEX)
    alpha, beta = floats[rayleigh], floats[rayleigh + 1]
    deformed, coupling = chosen(model, i, NODAL_DEFORMED) == 1, 1.0 * chosen(model, i, NODAL_APPLIED)
    zero = 0.0 * flex[0]
    none, six = (zero, zero, zero), (zero, zero, zero, zero, zero, zero)
    # sums, and the blocks of each coordinate: the way that it moves its node
    c, force, moment, J = none, none, none, six
    for a in range(begin, end):
        ya, za = node_mass_times(model, i, flex, d, a), node_mass_times(model, i, flex, rate, a)
        put31(flex, y + 3 * a, ya)
        put31(flex, z + 3 * a, za)
        da, share = vec1(flex, d + 3 * a), floats[shares + a]
        G = add(cross(omega, cross(omega, ya)), scale(2.0, cross(omega, za)))
        c = add(c, scale(share, da))
        force = add(force, scale(share, vec1(flex, rate + 3 * a)))
        moment = add(moment, cross(da, G))
        J = add6(J, product_inertia(da, ya))
        applied_mass = ya if deformed else add(vec1(floats, still + 3 * a), none)
        for k in range(integers[first + a], integers[first + a + 1]):
            w = vec1(floats, ways + 3 * k)
            put(flex, b + k, coupling * dot(w, G) + alpha * dot(w, za))
            put31(flex, o + 6 * k, rotate(R, cross(applied_mass, w)))
            put31(flex, o + 6 * k + 3, rotate(R, scale(share, w)))
    # elastic forces by a matrix, and damping in proportion to it; shells and rods have their own
    if chosen(model, i, SHELLS) + chosen(model, i, RODS) == 0:
        for k in range(integers[first + begin], integers[first + end]):
            x = 0.0 * zero
            for j in range(integers[row + k], integers[row + k + 1]):
                l = integers[index + j]
                x += get(floats, stiff + j) * (get(q, e + l) + beta * get(v, ev + l))
            accumulate(flex, b + k, x)
    return c, force, moment, J


@kernel
def nodes_alone(model, ws, i, q, v, R, omega):
    """`sum_nodes` of all nodes, by one thread."""
    nodes = chosen(model, i, NODAL_NODES)
    place_nodes(model, i, q, v, ws.flex, 0, nodes)
    return sum_nodes(model, i, q, v, ws.flex, R, omega, 0, nodes)


@kernel
def all_nodes(model, ws, i, q, v, R, omega):
    """`sum_nodes` of all nodes, by all threads where there are several."""
    if given(ws.solving):
        ws.solving.nodes(model, ws, i, q, v)
        t = ws.solving.numbers
        return vec1(t, 0), vec1(t, 3), vec1(t, 6), (t[9], t[10], t[11], t[12], t[13], t[14])
    return nodes_alone(model, ws, i, q, v, R, omega)


@all_nodes.of_complex
def _all_nodes(model, ws, i, q, v, R, omega):
    return nodes_alone(model, ws, i, q, v, R, omega)


@optional_kernel("nodal")
def nodal_inertia(model, ws, i, q, v):
    """Inertia, bias forces and elastic forces of a nodal body, into its rows of ws.work and its blocks of ws.flex."""
    work, flex = ws.work, ws.flex
    b = model.table[i, FLEX] + NODAL_B * model.table[i, N]
    R = mat(work, i, ROT)
    omega = rotate_back(R, vec(work, i, OMEGA))
    zero = 0.0 * flex[0]
    none, six = (zero, zero, zero), (zero, zero, zero, zero, zero, zero)
    c, force, moment, J = all_nodes(model, ws, i, q, v, R, omega)
    if chosen(model, i, SHELLS) > 0:
        shell_forces(model, i, q, flex, b)
    if chosen(model, i, RODS) > 0:
        rod_forces(model, i, q, v, flex, b)
    force = cross(omega, add(cross(omega, c), scale(2.0, force)))
    if chosen(model, i, NODAL_DEFORMED) != 1:
        c = add(vec(model.data, i, MOMENT), none)
        J = add6(sym(model.data, i, INERTIA), six)
    put3(work, i, MC, rotate(R, c))
    put6(work, i, JW, rotate_sym(R, J))
    put3(work, i, FORCE, rotate(R, moment))
    put3(work, i, FORCE + 3, rotate(R, force))


@optional_kernel("nodal")
def nodal_attraction(model, ws, i, G):
    """Takes int psi_k . G r dm = w_k . G y_a off the block b of body i."""
    n, o = model.table[i, N], model.table[i, FLEX]
    y = o + OF_NODES * n + 3 * chosen(model, i, NODAL_NODES)
    first, ways = integers_of(model, i, NODAL_FIRST), floats_of(model, i, WAYS)
    G = rotate_sym(transpose(mat(ws.work, i, ROT)), G)
    for a in range(chosen(model, i, NODAL_NODES)):
        pull = sym_times(G, vec1(ws.flex, y + 3 * a))
        for k in range(model.integers[first + a], model.integers[first + a + 1]):
            accumulate(ws.flex, o + NODAL_B * n + k, -dot(vec1(model.floats, ways + 3 * k), pull))


@optional_kernel("nodal")
def nodal_mass_times(model, ws, i, x, of, out, to):
    """out[to ...] += the mass of the coordinates of body i times x[of ...]."""
    n = model.table[i, N]
    moved = model.table[i, FLEX] + OF_NODES * n + 12 * chosen(model, i, NODAL_NODES)
    first, ways = integers_of(model, i, NODAL_FIRST), floats_of(model, i, WAYS)
    spread(model, i, x, of, ws.flex, moved)
    for a in range(chosen(model, i, NODAL_NODES)):
        z = node_mass_times(model, i, ws.flex, moved, a)
        for k in range(model.integers[first + a], model.integers[first + a + 1]):
            accumulate(out, to + k, dot(vec1(model.floats, ways + 3 * k), z))


@optional_kernel("nodal", returns=1)
def nodal_kinetic(model, ws, i):
    """1/2 sum u'_a . z_a, after `nodal_inertia` [J]."""
    n, nodes = model.table[i, N], chosen(model, i, NODAL_NODES)
    rate = model.table[i, FLEX] + OF_NODES * n + 6 * nodes
    energy = 0.0 * ws.flex[0]
    for a in range(nodes):
        energy += 0.5 * dot(vec1(ws.flex, rate + 3 * a), vec1(ws.flex, rate + 3 * (nodes + a)))
    return energy


@optional_kernel("nodal", returns=1)
def nodal_strain(model, i, q):
    """Strain energy 1/2 e^T K e [J]."""
    row, index, stiff = (
        integers_of(model, i, NODAL_PAIR_ROW),
        integers_of(model, i, NODAL_PAIR_INDEX),
        floats_of(model, i, STIFF),
    )
    e = model.table[i, E]
    energy = 0.0 * q[0]
    for k in range(model.table[i, N]):
        energy += 0.5 * q[e + k] * sparse_times(model.integers, row, index, model.floats, stiff, q, e, k)
    return energy


@optional_kernel("nodal", returns=1)
def nodal_dissipation(model, i, v):
    """Power dissipated inside the body, e'^T (alpha M + beta K) e' [W]."""
    row, index = integers_of(model, i, NODAL_PAIR_ROW), integers_of(model, i, NODAL_PAIR_INDEX)
    stiff, paired, rayleigh = floats_of(model, i, STIFF), floats_of(model, i, PAIRED), floats_of(model, i, RAYLEIGH)
    alpha, beta = model.floats[rayleigh], model.floats[rayleigh + 1]
    ev = model.table[i, EV]
    power = 0.0 * v[0]
    if alpha == 0.0 and beta == 0.0:
        return power
    for k in range(model.table[i, N]):
        x = 0.0 * v[0]
        if alpha != 0.0:
            x += alpha * sparse_times(model.integers, row, index, model.floats, paired, v, ev, k)
        if beta != 0.0:
            x += beta * sparse_times(model.integers, row, index, model.floats, stiff, v, ev, k)
        power += v[ev + k] * x
    return power


@optional_kernel("nodal")
def nodal_entries(model, i, out):
    """Adds the mass of the coordinates of body i to a mass matrix."""
    row, index, paired = (
        integers_of(model, i, NODAL_PAIR_ROW),
        integers_of(model, i, NODAL_PAIR_INDEX),
        floats_of(model, i, PAIRED),
    )
    ev = model.table[i, EV]
    for k in range(model.table[i, N]):
        for j in range(model.integers[row + k], model.integers[row + k + 1]):
            out[ev + k, ev + model.integers[index + j]] += get(model.floats, paired + j)


@optional_kernel("nodal")
def frame_answer(model, ws, i, to):
    """M_ee^-1 M_re of body i, in world axes, into ws.flex[to + 6 k], without a solution: see above."""
    floats, flex = model.floats, ws.flex
    n, nodes = model.table[i, N], chosen(model, i, NODAL_NODES)
    d = model.table[i, FLEX] + OF_NODES * n
    first, ways, places = (
        integers_of(model, i, NODAL_FIRST),
        floats_of(model, i, WAYS),
        floats_of(model, i, NODAL_PLACES),
    )
    rigid, tied, ties = floats_of(model, i, NODAL_RIGID), floats_of(model, i, TIED), chosen(model, i, TIES)
    deformed = chosen(model, i, NODAL_DEFORMED) == 1
    R = mat(ws.work, i, ROT)
    zero = 0.0 * flex[0]
    for a in range(nodes):
        x = vec1(flex, d + 3 * a) if deformed else add(vec1(floats, places + 3 * a), (zero, zero, zero))
        for k in range(model.integers[first + a], model.integers[first + a + 1]):
            turned = add(cross(x, vec1(floats, ways + 3 * k)), vec1(floats, rigid + 6 * k))
            if deformed:
                for h in range(ties):
                    at = tied + h * (4 + n)
                    b = int(floats[at])
                    u = sub(vec1(flex, d + 3 * b), vec1(floats, places + 3 * b))
                    turned = add(turned, scale(get(floats, at + 4 + k), cross(u, vec1(floats, at + 1))))
            put31(flex, to + 6 * k, rotate(R, turned))
            moved = add(vec1(floats, rigid + 6 * k + 3), (zero, zero, zero))
            put31(flex, to + 6 * k + 3, rotate(R, add(vec1(floats, ways + 3 * k), moved)))
