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

from ..columns import EV, E
from ..compiler import kernel, optional_kernel, outlined_kernel
from ..flat_arrays import accumulate, get, put31, vec1
from ..scalar import root
from ..spatial import add, cross, dot, scale, sub
from .ancf_shell import vector_of
from .nodal_layout import (
    NODAL_FIRST,
    NODAL_LINE,
    NODAL_PLACES,
    ROD_C,
    ROD_CB,
    ROD_D,
    ROD_N,
    ROD_NODES,
    ROD_POINT,
    ROD_REST,
    ROD_SECTION,
    ROD_SLOPE,
    ROD_WEIGHTS,
    RODS,
    SHELL_ROW,
    SHELL_TABLE,
    STATION_COUNT,
    STATION_ENTRY,
    WAYS,
    chosen,
    floats_of,
    integers_of,
)
from .rotation_schemes import add_outer
from .station_vectors import station_vectors


@kernel
def vectors_of_rod(model, i, k, x, of, whole):
    """Of element k the places of its second and third node seen from the first, and d_2, d_3 of all three, for
    coordinates x[of ...]; whole: 0.0 for rates."""
    first, ways, places = (
        integers_of(model, i, NODAL_FIRST),
        floats_of(model, i, WAYS),
        floats_of(model, i, NODAL_PLACES),
    )
    at = 6 * k  # differences of displacements lose no digits far from the origin
    still, moved = vec1(model.floats, places + 3 * at), vector_of(model, first, ways, x, of, at)
    return (
        place_from(model, first, ways, places, x, of, whole, at + 3, still, moved),
        place_from(model, first, ways, places, x, of, whole, at + 6, still, moved),
        place_at(model, first, ways, places, x, of, whole, at + 1),
        place_at(model, first, ways, places, x, of, whole, at + 2),
        place_at(model, first, ways, places, x, of, whole, at + 4),
        place_at(model, first, ways, places, x, of, whole, at + 5),
        place_at(model, first, ways, places, x, of, whole, at + 7),
        place_at(model, first, ways, places, x, of, whole, at + 8),
    )


@kernel
def place_at(model, first, ways, places, x, of, whole, a):
    """Vector a."""
    return add(scale(whole, vec1(model.floats, places + 3 * a)), vector_of(model, first, ways, x, of, a))


@kernel
def place_from(model, first, ways, places, x, of, whole, a, still, moved):
    """Vector a from one that is at `still` and displaced by `moved`."""
    rest = scale(whole, sub(vec1(model.floats, places + 3 * a), still))
    return add(rest, sub(vector_of(model, first, ways, x, of, a), moved))


@kernel
def triad(a, b, w2, w3):
    """t_1, t_2, t_3 of gradients a = d_2, b = d_3, then (a_2, b_2), (a_3, b_3), (w_2, w_3) and (h, J)."""
    t1 = cross(a, b)
    t1 = scale(1.0 / root(dot(t1, t1)), t1)
    t2 = add(scale(w2, a), scale(w3, cross(b, t1)))
    t2 = scale(1.0 / root(dot(t2, t2)), t2)
    t3 = cross(t1, t2)
    a2, b2, a3, b3 = dot(a, t2), dot(a, t3), dot(b, t2), dot(b, t3)
    return t1, t2, t3, (a2, b2), (a3, b3), (w2, w3), (w2 * a2 + w3 * b3, a2 * b3 - a3 * b2)


@kernel
def turned_about(t, da, db):
    """How a triad turns about its own axes where its gradients change."""
    (a2, b2), (a3, b3), (w2, w3), (h, J) = t[3], t[4], t[5], t[6]
    x2, x3 = dot(t[0], da), dot(t[0], db)
    return ((w2 * dot(t[2], da) - w3 * dot(t[1], db)) / h, (a2 * x3 - a3 * x2) / J, (b2 * x3 - b3 * x2) / J)


@kernel
def of_axes(t, x):
    """The vector that has components x in the axes of a triad."""
    return add(add(scale(x[0], t[0]), scale(x[1], t[1])), scale(x[2], t[2]))


@kernel
def turning(t, da, db):
    """How a triad turns where its gradients change, a vector in the axes of the coordinates."""
    return of_axes(t, turned_about(t, da, db))


@kernel
def triad_changes(t, a, b, da, db):
    """Rates of t_1, t_2, t_3, of (a_2, b_2), (a_3, b_3) and of (h, J) of a triad."""
    w = turning(t, da, db)
    d1, d2, d3 = cross(w, t[0]), cross(w, t[1]), cross(w, t[2])
    a2, b2 = dot(t[1], da) + dot(d2, a), dot(t[2], da) + dot(d3, a)
    a3, b3 = dot(t[1], db) + dot(d2, b), dot(t[2], db) + dot(d3, b)
    J = a2 * t[4][1] + t[3][0] * b3 - a3 * t[3][1] - t[4][0] * b2
    return d1, d2, d3, (a2, b2), (a3, b3), (t[5][0] * a2 + t[5][1] * b3, J)


@kernel
def on_gradients(t, f2, f3):
    """What forces on t_2 and t_3 of a triad are on its gradients."""
    moment = add(cross(t[1], f2), cross(t[2], f3))
    m1, m2, m3 = dot(t[0], moment), dot(t[1], moment), dot(t[2], moment)
    (a2, b2), (a3, b3), (w2, w3), (h, J) = t[3], t[4], t[5], t[6]
    fa = sub(scale(w2 * m1 / h, t[2]), scale((a3 * m2 + b3 * m3) / J, t[0]))
    return fa, sub(scale((a2 * m2 + b2 * m3) / J, t[0]), scale(w3 * m1 / h, t[1]))


@kernel
def three(floats, at, x, y, z):
    """The sum of three numbers from `at` on times three vectors."""
    return add(add(scale(get(floats, at), x), scale(get(floats, at + 1), y)), scale(get(floats, at + 2), z))


@kernel
def point_of(floats, at, r1, r2, a0, b0, a1, b1, a2, b2):
    """u, a, b, a', b' at a point, of places and directors of an element, or of their rates."""
    u = add(scale(get(floats, at + ROD_SLOPE + 1), r1), scale(get(floats, at + ROD_SLOPE + 2), r2))
    a, b = three(floats, at + ROD_N, a0, a1, a2), three(floats, at + ROD_N, b0, b1, b2)
    return u, a, b, three(floats, at + ROD_SLOPE, a0, a1, a2), three(floats, at + ROD_SLOPE, b0, b1, b2)


@kernel
def strains_at(floats, at, u, a, b, da, db):
    """Gamma and K at a point, less those at rest."""
    d = cross(a, b)
    rest = at + ROD_REST
    return (
        (dot(d, u) - get(floats, rest), dot(a, u) - get(floats, rest + 1), dot(b, u) - get(floats, rest + 2)),
        (
            0.5 * (dot(b, da) - dot(a, db)) - get(floats, rest + 3),
            dot(d, db) - get(floats, rest + 4),
            -dot(d, da) - get(floats, rest + 5),
        ),
    )


@kernel
def strain_rates(u, a, b, da, db, ru, ra, rb, rda, rdb):
    """The rates of Gamma and K for rates r of u, a, b, a', b'."""
    d, rd = cross(a, b), add(cross(ra, b), cross(a, rb))
    return (
        (dot(rd, u) + dot(d, ru), dot(ra, u) + dot(a, ru), dot(rb, u) + dot(b, ru)),
        (
            0.5 * (dot(rb, da) + dot(b, rda) - dot(ra, db) - dot(a, rdb)),
            dot(rd, db) + dot(d, rdb),
            -dot(rd, da) - dot(d, rda),
        ),
    )


@kernel
def stiffened(floats, at, x):
    """Three stiffnesses from `at` on times x."""
    return (get(floats, at) * x[0], get(floats, at + 1) * x[1], get(floats, at + 2) * x[2])


@kernel
def point_forces(n, m, u, a, b, da, db):
    """Forces on u, a, b, a', b' of forces n and moments m in a section."""
    d = cross(a, b)
    y = sub(add(scale(n[0], u), scale(m[1], db)), scale(m[2], da))
    half = 0.5 * m[0]
    return (
        add(scale(n[0], d), add(scale(n[1], a), scale(n[2], b))),
        add(cross(b, y), sub(scale(n[1], u), scale(half, db))),
        add(cross(y, a), add(scale(n[2], u), scale(half, da))),
        sub(scale(half, b), scale(m[2], d)),
        sub(scale(m[1], d), scale(half, a)),
    )


@kernel
def loads_at(floats, rod, at, p, r):
    """Forces n and moments m at a point, its weight taken, for p = `point_of` and its rates r."""
    gamma, kappa = strains_at(floats, at, p[0], p[1], p[2], p[3], p[4])
    if floats[rod + ROD_C] != 0.0 or floats[rod + ROD_CB] != 0.0:
        faster, turned = strain_rates(p[0], p[1], p[2], p[3], p[4], r[0], r[1], r[2], r[3], r[4])
        gamma = add(gamma, scale(floats[rod + ROD_C], faster))
        kappa = add(kappa, scale(floats[rod + ROD_CB], turned))
    weight = get(floats, at)
    n = scale(weight, stiffened(floats, at + ROD_D, gamma))
    return n, scale(weight, stiffened(floats, at + ROD_D + 3, kappa))


@kernel
def director_rates(t, da, db):
    """Rates of t_2 and t_3."""
    w = turning(t, da, db)
    return cross(w, t[1]), cross(w, t[2])


@kernel
def section_strains(floats, rod, a, b, da, db):
    """E_22, E_33 and d_2 . d_3 of a node, with c times their rates."""
    c = floats[rod + ROD_C]
    return (
        0.5 * (dot(a, a) - 1.0) + c * dot(a, da),
        0.5 * (dot(b, b) - 1.0) + c * dot(b, db),
        dot(a, b) + c * (dot(a, db) + dot(b, da)),
    )


@kernel
def section_forces(floats, rod, at, a, b, da, db):
    """Forces on d_2 and d_3 of a node whose section is strained; `at`: where its three stiffnesses begin."""
    s = stiffened(floats, at, section_strains(floats, rod, a, b, da, db))
    return add(scale(s[0], a), scale(s[2], b)), add(scale(s[1], b), scale(s[2], a))


@outlined_kernel
def push(model, i, flex, to, a, f):
    """Adds the force f on vector a to those of its coordinates, flex[to ...]."""
    first, ways = integers_of(model, i, NODAL_FIRST), floats_of(model, i, WAYS)
    for k in range(model.integers[first + a], model.integers[first + a + 1]):
        accumulate(flex, to + k, dot(vec1(model.floats, ways + 3 * k), f))


@kernel
def push_node(model, i, flex, to, at, section, rod, floats, t, a, b, da, db, f2, f3):
    """Adds forces on the directors of a node, and those of its strained section, to its gradients at + 1, at + 2."""
    fa, fb = on_gradients(t, f2, f3)
    sa, sb = section_forces(floats, rod, section, a, b, da, db)
    push(model, i, flex, to, at + 1, add(fa, sa))
    push(model, i, flex, to, at + 2, add(fb, sb))


@kernel
def triads_of(floats, table, x):
    """Triads of an element whose numbers begin at `table`, of `vectors_of_rod` x."""
    at = table + ROD_NODES + ROD_WEIGHTS
    to = at + ROD_SECTION
    on = to + ROD_SECTION
    return (
        triad(x[2], x[3], get(floats, at), get(floats, at + 1)),
        triad(x[4], x[5], get(floats, to), get(floats, to + 1)),
        triad(x[6], x[7], get(floats, on), get(floats, on + 1)),
    )


@kernel
def rod_states(floats, table, x, y):
    """Triads of an element and rates of their directors, of `vectors_of_rod` x and their rates y."""
    t0, t1, t2 = triads_of(floats, table, x)
    a0, b0 = director_rates(t0, y[2], y[3])
    a1, b1 = director_rates(t1, y[4], y[5])
    a2, b2 = director_rates(t2, y[6], y[7])
    return t0, t1, t2, a0, b0, a1, b1, a2, b2


@kernel
def points_of_rod(floats, at, x, y, s):
    """`point_of` and its rates at a point of an element; s = `rod_states`."""
    t0, t1, t2, a0, b0, a1, b1, a2, b2 = s
    p = point_of(floats, at, x[0], x[1], t0[1], t0[2], t1[1], t1[2], t2[1], t2[2])
    return p, point_of(floats, at, y[0], y[1], a0, b0, a1, b1, a2, b2)


@outlined_kernel
def element_forces(model, i, k, q, e, v, ev, flex, to):
    """Adds the forces of element k to flex[to ...]."""
    floats, rod = model.floats, floats_of(model, i, NODAL_LINE)
    row = integers_of(model, i, SHELL_TABLE) + SHELL_ROW * k
    table = rod + model.integers[row]
    x, y = vectors_of_rod(model, i, k, q, e, 1.0), vectors_of_rod(model, i, k, v, ev, 0.0)
    s = rod_states(floats, table, x, y)
    zero = 0.0 * x[0][0]
    none = (zero, zero, zero)
    r0, r1, r2, a0, b0, a1, b1, a2, b2 = none, none, none, none, none, none, none, none, none
    for j in range(2):
        at = table + ROD_POINT * j
        p, r = points_of_rod(floats, at, x, y, s)
        n, m = loads_at(floats, rod, at, p, r)
        fu, fa, fb, ga, gb = point_forces(n, m, p[0], p[1], p[2], p[3], p[4])
        n0, n1, n2 = vec1(floats, at + ROD_N)
        s0, s1, s2 = vec1(floats, at + ROD_SLOPE)
        r0, r1, r2 = add(r0, scale(s0, fu)), add(r1, scale(s1, fu)), add(r2, scale(s2, fu))
        a0, b0 = add(a0, add(scale(n0, fa), scale(s0, ga))), add(b0, add(scale(n0, fb), scale(s0, gb)))
        a1, b1 = add(a1, add(scale(n1, fa), scale(s1, ga))), add(b1, add(scale(n1, fb), scale(s1, gb)))
        a2, b2 = add(a2, add(scale(n2, fa), scale(s2, ga))), add(b2, add(scale(n2, fb), scale(s2, gb)))
    at, section = 6 * k, table + ROD_NODES
    push(model, i, flex, to, at, r0)
    push(model, i, flex, to, at + 3, r1)
    push(model, i, flex, to, at + 6, r2)
    push_node(model, i, flex, to, at, section, rod, floats, s[0], x[2], x[3], y[2], y[3], a0, b0)
    section += ROD_SECTION
    push_node(model, i, flex, to, at + 3, section, rod, floats, s[1], x[4], x[5], y[4], y[5], a1, b1)
    section += ROD_SECTION
    push_node(model, i, flex, to, at + 6, section, rod, floats, s[2], x[6], x[7], y[6], y[7], a2, b2)


@optional_kernel("rod")
def rod_forces(model, i, q, v, flex, to):
    """Adds the elastic and damping forces of a rod to flex[to ...]."""
    for k in range(chosen(model, i, RODS)):
        element_forces(model, i, k, q, model.table[i, E], v, model.table[i, EV], flex, to)


@optional_kernel("rod", returns=1)
def rod_strain(model, i, q):
    """Energy stored in a rod, zero without deformation [J]."""
    floats, rod, e = model.floats, floats_of(model, i, NODAL_LINE), model.table[i, E]
    rows = integers_of(model, i, SHELL_TABLE)
    energy = 0.0 * get(q, e)
    none = (0.0, 0.0, 0.0)
    for k in range(chosen(model, i, RODS)):
        table = rod + model.integers[rows + SHELL_ROW * k]
        x = vectors_of_rod(model, i, k, q, e, 1.0)
        t0, t1, t2 = triads_of(floats, table, x)
        for j in range(2):
            at = table + ROD_POINT * j
            u, a, b, da, db = point_of(floats, at, x[0], x[1], t0[1], t0[2], t1[1], t1[2], t2[1], t2[2])
            gamma, kappa = strains_at(floats, at, u, a, b, da, db)
            work = dot(gamma, stiffened(floats, at + ROD_D, gamma))
            work += dot(kappa, stiffened(floats, at + ROD_D + 3, kappa))
            energy += 0.5 * floats[at] * work
        at = table + ROD_NODES
        energy += section_energy(floats, rod, at, x[2], x[3], none)
        energy += section_energy(floats, rod, at + ROD_SECTION, x[4], x[5], none)
        energy += section_energy(floats, rod, at + 2 * ROD_SECTION, x[6], x[7], none)
    return energy


@kernel
def section_energy(floats, rod, at, a, b, none):
    """Energy of the strained section of a node [J]."""
    s = section_strains(floats, rod, a, b, none, none)
    return 0.5 * dot(s, stiffened(floats, at, s))


@kernel
def section_power(floats, at, a, b, da, db):
    """Squares of the rates of strain of a node's section, times stiffness."""
    s = (dot(a, da), dot(b, db), dot(a, db) + dot(b, da))
    return dot(s, stiffened(floats, at, s))


@optional_kernel("rod", returns=1)
def rod_dissipation(model, i, q, v):
    """Power dissipated in a rod [W]."""
    floats, rod, e, ev = model.floats, floats_of(model, i, NODAL_LINE), model.table[i, E], model.table[i, EV]
    rows, c, cb = integers_of(model, i, SHELL_TABLE), floats[rod + ROD_C], floats[rod + ROD_CB]
    power = 0.0 * get(q, e) * get(v, ev)
    if c == 0.0 and cb == 0.0:
        return power
    for k in range(chosen(model, i, RODS)):
        table = rod + model.integers[rows + SHELL_ROW * k]
        x, y = vectors_of_rod(model, i, k, q, e, 1.0), vectors_of_rod(model, i, k, v, ev, 0.0)
        s = rod_states(floats, table, x, y)
        for j in range(2):
            at = table + ROD_POINT * j
            p, r = points_of_rod(floats, at, x, y, s)
            gamma, kappa = strain_rates(p[0], p[1], p[2], p[3], p[4], r[0], r[1], r[2], r[3], r[4])
            work = c * dot(gamma, stiffened(floats, at + ROD_D, gamma))
            work += cb * dot(kappa, stiffened(floats, at + ROD_D + 3, kappa))
            power += floats[at] * work
        at = table + ROD_NODES
        power += c * section_power(floats, at, x[2], x[3], y[2], y[3])
        power += c * section_power(floats, at + ROD_SECTION, x[4], x[5], y[4], y[5])
        power += c * section_power(floats, at + 2 * ROD_SECTION, x[6], x[7], y[6], y[7])
    return power


@optional_kernel("rod", returns=(3, 9, 3, 3, 3, 3))
def rod_station(floats, at, q, e, v, ev, flex, base):
    """Motion of a station, as `nodal_station`; R turns the axes without deformation to those of the triad."""
    zero = 0.0 * flex[0]
    none = (zero, zero, zero)
    count, first = int(floats[at + STATION_COUNT]), at + STATION_COUNT + 1
    behind = first + STATION_ENTRY * count
    a0, b0 = vec1(floats, behind), vec1(floats, behind + 3)
    r, velocity, a, da, b, db = station_vectors(floats, at, q, e, v, ev, none)
    # the triad of the gradients, and what each coordinate turns it by
    t = triad(a, b, floats[behind + 6], floats[behind + 7])
    for j in range(count):
        entry = first + STATION_ENTRY * j
        way = vec1(floats, entry + 1)
        x = turning(t, scale(floats[entry + 5], way), scale(floats[entry + 6], way))
        put31(flex, base + 6 * j, x)
        put31(flex, base + 6 * j + 3, add(scale(floats[entry + 4], way), none))
    # the rate of the shapes times the rates
    d1, d2, d3, (a2, b2), (a3, b3), (h, J) = triad_changes(t, a, b, da, db)
    about, x2, x3, y2, y3 = turned_about(t, da, db), dot(t[0], da), dot(t[0], db), dot(d1, da), dot(d1, db)
    faster = (
        (t[5][0] * dot(d3, da) - t[5][1] * dot(d2, db) - about[0] * h) / t[6][0],
        (a2 * x3 + t[3][0] * y3 - a3 * x2 - t[4][0] * y2 - about[1] * J) / t[6][1],
        (b2 * x3 + t[3][1] * y3 - b3 * x2 - t[4][1] * y2 - about[2] * J) / t[6][1],
    )
    R = add_outer((zero, zero, zero, zero, zero, zero, zero, zero, zero), t[0], cross(a0, b0))
    R = add_outer(add_outer(R, t[1], a0), t[2], b0)
    return r, R, velocity, of_axes(t, about), none, of_axes(t, faster)
