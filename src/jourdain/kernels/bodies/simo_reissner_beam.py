"""Rods: a line of nodes with a place and two gradients across it each (absolute nodal coordinates), that stretch,
shear, bend and twist.

Three nodes make an element. Places r and orthonormal directors t_2, t_3 of the nodes are interpolated by parabolas; at
a point with u = r', a = t_2, b = t_3 and d = a x b the strains of Simo and Reissner are taken of directors as they are
(Betsch & Steinmann 2002, Int. J. Numer. Meth. Eng. 54, 1775; Romero 2004, Computational Mechanics 34, 121), which no
rigid motion changes:

    Gamma = (d . u, a . u, b . u),    K = ((b . a' - a . b') / 2, d . b', -d . a'),    each less that at rest.

Both are taken at two points of Gauss, where the parabolas of bent lines have no shear and no stretch, so that neither
locks the other (the reduced rule of Nachbagauer, Gruber & Gerstmayr 2013, J. Comput. Nonlinear Dyn. 8, 021004, and of
section 9 of the seed). With n = EA, GA_y, GA_z times Gamma, m = GJ, EI_y, EI_z times K and y = n_1 u + m_2 b' - m_3 a'
the forces are

    n_1 d + n_2 a + n_3 b  to u,   b x y + n_2 u - m_1 b' / 2  to a,   y x a + n_3 u + m_1 a' / 2  to b,
    m_1 b / 2 - m_3 d  to a',      m_2 d - m_1 a / 2  to b'.

The coordinates of a node are gradients d_2, d_3 that need not be orthonormal: the mass is constant then. Its directors
are t_1 across both, and t_2, t_3 so that w_2 |d_2 - t_2|^2 + w_3 |d_3 - t_3|^2 is least (`triad`): what bends, twists
or pulls the rod never strains its sections, nor does a turn that grows faster, w_2 : w_3 being int y^2 dm : int z^2 dm.
With d_i = a_i t_2 + b_i t_3, h = w_2 a_2 + w_3 b_3 and J = a_2 b_3 - a_3 b_2 the triad turns by

    ((w_2 t_3 . d_2' - w_3 t_2 . d_3') / h,   t_1 . (a_2 d_3' - a_3 d_2') / J,   t_1 . (b_2 d_3' - b_3 d_2') / J)

about its axes. A section resists being strained at the nodes by C_22 E_22^2 / 2 + C_33 E_33^2 / 2 +
C_23 (d_2 . d_3)^2 / 2, E_ii = (d_i . d_i - 1) / 2. Kelvin and Voigt's damping adds c times the rates of the strains.

A station: place (3), how many coordinates move it, of each its number, its direction (3) and how much of it place, d_2
and d_3 have; then d_2 and d_3 without deformation (3 each), orthonormal, and w_2, w_3. Its axes turn with the triad.
"""

from __future__ import annotations

from typing import NamedTuple

from ..algebra import Mat3, Vec3, cross, entrywise, outer
from ..body_data import vectors_at
from ..compiler import kernel, optional_kernel, outlined_kernel
from ..flat_arrays import vector_at
from ..scalar import root
from .nodal_layout import ROD_NODES, nodal_body, rod_nodes_at, rod_points_at, station_of
from .shell_vectors import displacement, element_of
from .station_vectors import station_vectors


class RodVectors(NamedTuple):
    """Vectors of an element: places of its second and third node seen from the first, and d_2, d_3 of all three, a row
    for each node."""

    r: Mat3  # the first row is zero
    a: Mat3
    b: Mat3


@kernel
def vectors_of_rod(body, k, x, of, whole):
    """Those of element k for coordinates x[of ...]; whole: 0.0 for rates."""
    at = 6 * k  # differences of displacements lose no digits far from the origin
    still, moved = body.places[at], displacement(body, x, of, at)
    return RodVectors(
        Mat3(
            moved.zero,
            whole * (body.places[at + 3] - still) + (displacement(body, x, of, at + 3) - moved),
            whole * (body.places[at + 6] - still) + (displacement(body, x, of, at + 6) - moved),
        ),
        gradients_of_rod(body, x, of, whole, at + 1),
        gradients_of_rod(body, x, of, whole, at + 2),
    )


@kernel
def gradients_of_rod(body, x, of, whole, at):
    """Vectors at, at + 3 and at + 6."""
    return Mat3(
        whole * body.places[at] + displacement(body, x, of, at),
        whole * body.places[at + 3] + displacement(body, x, of, at + 3),
        whole * body.places[at + 6] + displacement(body, x, of, at + 6),
    )


class Triad(NamedTuple):
    """Directors of a node, and what they are of its gradients: d_i = a_i t_2 + b_i t_3."""

    t: Mat3  # t_1, t_2, t_3, a row each
    a2: float
    b2: float
    a3: float
    b3: float
    w2: float
    w3: float
    h: float
    J: float


@kernel
def triad(a, b, w2, w3):
    """The triad of gradients a = d_2, b = d_3."""
    t1 = cross(a, b)
    t1 = 1.0 / root(t1 @ t1) * t1
    t2 = w2 * a + w3 * cross(b, t1)
    t2 = 1.0 / root(t2 @ t2) * t2
    t3 = cross(t1, t2)
    a2, b2, a3, b3 = a @ t2, a @ t3, b @ t2, b @ t3
    return Triad(t=Mat3(t1, t2, t3), a2=a2, b2=b2, a3=a3, b3=b3, w2=w2, w3=w3, h=w2 * a2 + w3 * b3, J=a2 * b3 - a3 * b2)


@kernel
def turned_about(T, da, db):
    """How a triad turns about its own axes where its gradients change."""
    x, y = T.t @ da, T.t @ db
    return Vec3((T.w2 * x.z - T.w3 * y.y) / T.h, (T.a2 * y.x - T.a3 * x.x) / T.J, (T.b2 * y.x - T.b3 * x.x) / T.J)


@kernel
def turning(T, da, db):
    """How a triad turns where its gradients change, a vector in the axes of the coordinates."""
    return T.t.T @ turned_about(T, da, db)


@kernel
def triad_changes(T, a, b, da, db):
    """Rate of a triad where its gradients a, b change by da, db; that of its weights is zero."""
    w, t = turning(T, da, db), T.t
    d2, d3 = cross(w, t.y_row), cross(w, t.z_row)
    a2, b2 = t.y_row @ da + d2 @ a, t.z_row @ da + d3 @ a
    a3, b3 = t.y_row @ db + d2 @ b, t.z_row @ db + d3 @ b
    J = a2 * T.b3 + T.a2 * b3 - a3 * T.b2 - T.a3 * b2
    return Triad(
        t=Mat3(cross(w, t.x_row), d2, d3), a2=a2, b2=b2, a3=a3, b3=b3, w2=0.0, w3=0.0, h=T.w2 * a2 + T.w3 * b3, J=J
    )


@kernel
def on_gradients(T, f2, f3):
    """What forces on t_2 and t_3 of a triad are on its gradients."""
    t1, t2, t3 = T.t.x_row, T.t.y_row, T.t.z_row
    m = T.t @ (cross(t2, f2) + cross(t3, f3))
    fa = T.w2 * m.x / T.h * t3 - (T.a3 * m.y + T.b3 * m.z) / T.J * t1
    return fa, (T.a2 * m.y + T.b2 * m.z) / T.J * t1 - T.w3 * m.x / T.h * t2


class PointState(NamedTuple):
    """u, a, b, a', b' at a point, or their rates, or forces on them."""

    u: Vec3
    a: Vec3
    b: Vec3
    da: Vec3
    db: Vec3


@kernel
def point_of(point, r, a, b):
    """The state at a point, of places and directors of an element, a row for each node, or of their rates."""
    N, N_s = point.N, point.N_s
    return PointState(N_s.y * r.y_row + N_s.z * r.z_row, a.T @ N, b.T @ N, a.T @ N_s, b.T @ N_s)


@kernel
def strains_at(point, s):
    """Gamma and K at a point, less those at rest."""
    d = cross(s.a, s.b)
    gamma = Vec3(d @ s.u, s.a @ s.u, s.b @ s.u) - point.Gamma_0
    return gamma, Vec3(0.5 * (s.b @ s.da - s.a @ s.db), d @ s.db, -(d @ s.da)) - point.K_0


@kernel
def strain_rates(s, r):
    """The rates of Gamma and K for rates r of a state s."""
    d, rd = cross(s.a, s.b), cross(r.a, s.b) + cross(s.a, r.b)
    return (
        Vec3(rd @ s.u + d @ r.u, r.a @ s.u + s.a @ r.u, r.b @ s.u + s.b @ r.u),
        Vec3(
            0.5 * (r.b @ s.da + s.b @ r.da - r.a @ s.db - s.a @ r.db),
            rd @ s.db + d @ r.db,
            -(rd @ s.da) - d @ r.da,
        ),
    )


@kernel
def point_forces(n, m, s):
    """Forces on a state of forces n and moments m in a section."""
    d = cross(s.a, s.b)
    y = n.x * s.u + m.y * s.db - m.z * s.da
    half = 0.5 * m.x
    return PointState(
        n.x * d + (n.y * s.a + n.z * s.b),
        cross(s.b, y) + (n.y * s.u - half * s.db),
        cross(y, s.a) + (n.z * s.u + half * s.da),
        half * s.b - m.z * d,
        m.y * d - half * s.a,
    )


@kernel
def loads_at(rod, point, s, r):
    """Forces n and moments m at a point, its weight taken, for a state s and its rates r."""
    gamma, kappa = strains_at(point, s)
    if rod.c != 0.0 or rod.c_bending != 0.0:
        faster, turned = strain_rates(s, r)
        gamma += rod.c * faster
        kappa += rod.c_bending * turned
    n = point.weight * entrywise(point.stretch, gamma)
    return n, point.weight * entrywise(point.bending, kappa)


@kernel
def section_strains(c, a, b, da, db):
    """E_22, E_33 and d_2 . d_3 of a node, with c times their rates."""
    return Vec3(0.5 * (a @ a - 1.0) + c * (a @ da), 0.5 * (b @ b - 1.0) + c * (b @ db), a @ b + c * (a @ db + b @ da))


@outlined_kernel
def push(model, i, flex, to, a, f):
    """Adds the force f on vector a to those of its coordinates, flex[to ...]."""
    body = nodal_body(model, i)
    for k in range(body.first[a], body.first[a + 1]):
        flex[to + k] += body.ways[k] @ f


@kernel
def push_node(model, i, flex, to, at, c, node, T, a, b, da, db, f2, f3):
    """Adds forces on the directors of a node, and those of its strained section, to its gradients at + 1, at + 2."""
    fa, fb = on_gradients(T, f2, f3)
    s = entrywise(node.C, section_strains(c, a, b, da, db))
    push(model, i, flex, to, at + 1, fa + (s.x * a + s.z * b))
    push(model, i, flex, to, at + 2, fb + (s.y * b + s.z * a))


class RodElement(NamedTuple):
    """An element of a rod: its vectors and their rates, its triads, directors and their rates."""

    x: RodVectors
    rates: RodVectors
    first: Triad
    second: Triad
    third: Triad
    directors: RodVectors  # places, t_2 and t_3
    director_rates: RodVectors


@kernel
def triads_of(nodes, x):
    """Triads of an element."""
    return (
        triad(x.a.x_row, x.b.x_row, nodes[0].w_2, nodes[0].w_3),
        triad(x.a.y_row, x.b.y_row, nodes[1].w_2, nodes[1].w_3),
        triad(x.a.z_row, x.b.z_row, nodes[2].w_2, nodes[2].w_3),
    )


@kernel
def directors_of(x, t0, t1, t2):
    """Places and directors of an element."""
    a, b = Mat3(t0.t.y_row, t1.t.y_row, t2.t.y_row), Mat3(t0.t.z_row, t1.t.z_row, t2.t.z_row)
    return RodVectors(x.r, a, b)


@kernel
def rod_element(nodes, x, y):
    """The element of vectors x and their rates y."""
    t0, t1, t2 = triads_of(nodes, x)
    w0 = turning(t0, y.a.x_row, y.b.x_row)
    w1 = turning(t1, y.a.y_row, y.b.y_row)
    w2 = turning(t2, y.a.z_row, y.b.z_row)
    rates = RodVectors(
        y.r,
        Mat3(cross(w0, t0.t.y_row), cross(w1, t1.t.y_row), cross(w2, t2.t.y_row)),
        Mat3(cross(w0, t0.t.z_row), cross(w1, t1.t.z_row), cross(w2, t2.t.z_row)),
    )
    return RodElement(
        x=x, rates=y, first=t0, second=t1, third=t2, directors=directors_of(x, t0, t1, t2), director_rates=rates
    )


@kernel
def point_states(point, s):
    """State and rates at a point of an element."""
    d, r = s.directors, s.director_rates
    return point_of(point, d.r, d.a, d.b), point_of(point, r.r, r.a, r.b)


@kernel
def spread_forces(point, f, total):
    """Forces on places and directors of an element with those at a point."""
    return RodVectors(
        total.r + outer(point.N_s, f.u),
        total.a + (outer(point.N, f.a) + outer(point.N_s, f.da)),
        total.b + (outer(point.N, f.b) + outer(point.N_s, f.db)),
    )


@outlined_kernel
def element_forces(model, i, k, q, e, v, ev, flex, to):
    """Adds the forces of element k to flex[to ...]."""
    body = nodal_body(model, i)
    rod, table = body.rod, element_of(body, k).table
    points, nodes = rod_points_at(table, 0), rod_nodes_at(table, ROD_NODES)
    s = rod_element(nodes, vectors_of_rod(body, k, q, e, 1.0), vectors_of_rod(body, k, v, ev, 0.0))
    x, y, none = s.x, s.rates, s.x.r.zero
    f = RodVectors(none, none, none)
    for j in range(2):
        p, r = point_states(points[j], s)
        n, m = loads_at(rod, points[j], p, r)
        f = spread_forces(points[j], point_forces(n, m, p), f)
    at, c = 6 * k, rod.c
    push(model, i, flex, to, at, f.r.x_row)
    push(model, i, flex, to, at + 3, f.r.y_row)
    push(model, i, flex, to, at + 6, f.r.z_row)
    push_node(
        model, i, flex, to, at, c, nodes[0], s.first, x.a.x_row, x.b.x_row, y.a.x_row, y.b.x_row, f.a.x_row, f.b.x_row
    )
    at += 3
    push_node(
        model, i, flex, to, at, c, nodes[1], s.second, x.a.y_row, x.b.y_row, y.a.y_row, y.b.y_row, f.a.y_row, f.b.y_row
    )
    at += 3
    push_node(
        model, i, flex, to, at, c, nodes[2], s.third, x.a.z_row, x.b.z_row, y.a.z_row, y.b.z_row, f.a.z_row, f.b.z_row
    )


@optional_kernel("rod")
def rod_forces(model, i, q, v, flex, to):
    """Adds the elastic and damping forces of a rod to flex[to ...]."""
    for k in range(nodal_body(model, i).rods):
        element_forces(model, i, k, q, model.tree[i].e, v, model.tree[i].ev, flex, to)


@optional_kernel("rod", returns=1)
def rod_strain(model, i, q):
    """Energy stored in a rod, zero without deformation [J]."""
    body, e = nodal_body(model, i), model.tree[i].e
    energy = 0.0 * q[e]
    for k in range(body.rods):
        table = element_of(body, k).table
        points, nodes = rod_points_at(table, 0), rod_nodes_at(table, ROD_NODES)
        x = vectors_of_rod(body, k, q, e, 1.0)
        t0, t1, t2 = triads_of(nodes, x)
        d = directors_of(x, t0, t1, t2)
        for j in range(2):
            point = points[j]
            gamma, kappa = strains_at(point, point_of(point, d.r, d.a, d.b))
            work = gamma @ entrywise(point.stretch, gamma)
            work += kappa @ entrywise(point.bending, kappa)
            energy += 0.5 * point.weight * work
        energy += section_energy(nodes[0], x.a.x_row, x.b.x_row)
        energy += section_energy(nodes[1], x.a.y_row, x.b.y_row)
        energy += section_energy(nodes[2], x.a.z_row, x.b.z_row)
    return energy


@kernel
def section_energy(node, a, b):
    """Energy of the strained section of a node [J]."""
    s = section_strains(0.0, a, b, a, b)
    return 0.5 * (s @ entrywise(node.C, s))


@kernel
def section_power(node, a, b, da, db):
    """Squares of the rates of strain of a node's section, times stiffness."""
    s = Vec3(a @ da, b @ db, a @ db + b @ da)
    return s @ entrywise(node.C, s)


@optional_kernel("rod", returns=1)
def rod_dissipation(model, i, q, v):
    """Power dissipated in a rod [W]."""
    body, e, ev = nodal_body(model, i), model.tree[i].e, model.tree[i].ev
    c, cb, power = body.rod.c, body.rod.c_bending, 0.0 * q[e] * v[ev]
    if c == 0.0 and cb == 0.0:
        return power
    for k in range(body.rods):
        table = element_of(body, k).table
        points, nodes = rod_points_at(table, 0), rod_nodes_at(table, ROD_NODES)
        s = rod_element(nodes, vectors_of_rod(body, k, q, e, 1.0), vectors_of_rod(body, k, v, ev, 0.0))
        x, y = s.x, s.rates
        for j in range(2):
            point = points[j]
            p, r = point_states(point, s)
            gamma, kappa = strain_rates(p, r)
            work = c * (gamma @ entrywise(point.stretch, gamma))
            work += cb * (kappa @ entrywise(point.bending, kappa))
            power += point.weight * work
        power += c * section_power(nodes[0], x.a.x_row, x.b.x_row, y.a.x_row, y.b.x_row)
        power += c * section_power(nodes[1], x.a.y_row, x.b.y_row, y.a.y_row, y.b.y_row)
        power += c * section_power(nodes[2], x.a.z_row, x.b.z_row, y.a.z_row, y.b.z_row)
    return power


@optional_kernel("rod", returns=(Vec3, Mat3, Vec3, Vec3, Vec3, Vec3))
def rod_station(floats, at, q, e, v, ev, flex, base):
    """Motion of a station, as `nodal_station`; R turns the axes without deformation to those of the triad."""
    head, entries, end = station_of(floats, at)
    shapes, none = vectors_at(flex, base), vector_at(flex, 0).zero
    r, velocity, a, da, b, db = station_vectors(floats, at, q, e, v, ev, none)
    # the triad of the gradients, and what each coordinate turns it by
    T = triad(a, b, end.w_2, end.w_3)
    for j in range(head.count):
        entry = entries[j]
        shapes[2 * j] = turning(T, entry.a * entry.psi, entry.b * entry.psi)
        shapes[2 * j + 1] = entry.place * entry.psi
    # the rate of the shapes times the rates
    D, about = triad_changes(T, a, b, da, db), turned_about(T, da, db)
    x, y, dx, dy = T.t @ da, T.t @ db, D.t @ da, D.t @ db
    faster = Vec3(
        (T.w2 * dx.z - T.w3 * dy.y - about.x * D.h) / T.h,
        (D.a2 * y.x + T.a2 * dy.x - D.a3 * x.x - T.a3 * dx.x - about.y * D.J) / T.J,
        (D.b2 * y.x + T.b2 * dy.x - D.b3 * x.x - T.b3 * dx.x - about.z * D.J) / T.J,
    )
    R = outer(T.t.x_row, cross(end.a, end.b)) + outer(T.t.y_row, end.a) + outer(T.t.z_row, end.b)
    return r, R, velocity, T.t.T @ about, none, T.t.T @ faster
