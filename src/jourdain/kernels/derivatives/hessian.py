"""Hessian of the weighted inverse dynamics w . R(q, v, a) of a tree of rigid bodies, in closed form.

With W, V, A the motion of a body by the weights w as velocities, its velocity and its acceleration, I its inertia and
f = I A + V x* I V,

    w . R = sum over bodies of W . f.

A unit of an entry k changes the motion of what is outboard of it, relative to it, by one motion for all bodies
(motion_columns.py):

    of q_k:  V by n_k = V_p x S_k,   W by o_k = W_p x S_k,   A by s_k + n_k x V,   s_k = A_p x S_k + V_p x n_k,
    of v_k:  V by S_k,               A by 2 n_k + S_k x V,
    of a_k:  A by S_k,

with p for the motion just inboard of k. Differentiated again by an entry l outboard of k or k itself, these become
n_k x S_l, o_k x S_l and s_k x S_l + n_k x n_l, so that with sums over all bodies outboard of l

    F = sum f,  P = sum I W,  b = sum B^T W,  x . E y = sum W . (x x* I y + y x* I x)

and composite I and B (composite_sums.py) there is

    q_k q_l:  o_k . (I s_l + B n_l + S_l x* F) + s_k . X + n_k . Y,     q_k v_l:  o_k . (2 I n_l + B S_l) + n_k . Z,
    v_k q_l:  2 n_k . X + S_k . Y  (k before l),                        v_k v_l:  S_k . Z,
    a_k q_l:  S_k . X  (k before l),                                    q_k a_l:  o_k . I S_l,

    X = I o_l + S_l x* P,   Y = B^T o_l + n_l x* P + S_l x* b + E n_l,   Z = S_l x* P + E S_l.

Entries on different branches have none. The tensors of Singh & Wensing 2024, "On second-order derivatives of
rigid-body dynamics", contracted with w before they are formed: O(n^2) for a chain.
"""

from __future__ import annotations

from ..columns import DOFS, JW, MASS, MC, PARENT, POS, V
from ..compiler import kernel
from ..spatial import (
    accumulate3,
    accumulate6,
    add,
    cross,
    dot,
    mat,
    put3,
    put6,
    rotate,
    rotate_back,
    scale,
    sub,
    sym,
    sym_times,
    vec,
)
from .derivative_layout import (
    C_FIRST,
    C_INERTIA,
    C_MASS,
    C_RATE_F,
    C_RATE_N,
    COLUMN_S,
    MOTION_RATE,
    PARTIAL_MIXED,
    PARTIAL_SECOND,
    PARTIAL_VELOCITY,
    REF,
)
from .entry_pairs import push
from .motion_columns import inertia_about, motion_cross, rigid_rates

# rows of the scratch of bodies
WEIGHED_MOTION = 0  # W (angular, linear)
SUM_F = 6  # F (moment, force)
SUM_P = 12  # P (moment, force)
SUM_B = 18  # b, a moment
SUM_E = 21  # the block of E for two angular parts, symmetric; the rest of it is P
WEIGHED_BODY = 27
# row of the scratch of entries: o (angular, linear)
WEIGHED_ENTRY = 6


@kernel
def force_cross(s, t, n, f):
    """Product x* of the motion (s, t) and the force (n, f)."""
    return add(cross(s, n), cross(t, f)), cross(s, f)


@kernel
def _both(x, y, n, f):
    """Power of the force (n, f) along the motion (x, y)."""
    return dot(x, n) + dot(y, f)


@kernel
def _turning_part(c, J, w, u):
    """J w~ - w~ J + u c^T + c u^T - 2 u . c, symmetric: the block of E of one body for two angular parts."""
    a, b, d = cross(w, (J[0], J[3], J[4])), cross(w, (J[3], J[1], J[5])), cross(w, (J[4], J[5], J[2]))
    two = 2.0 * dot(u, c)
    return (
        -2.0 * a[0] + 2.0 * u[0] * c[0] - two,
        -2.0 * b[1] + 2.0 * u[1] * c[1] - two,
        -2.0 * d[2] + 2.0 * u[2] * c[2] - two,
        -b[0] - a[1] + u[0] * c[1] + u[1] * c[0],
        -d[0] - a[2] + u[0] * c[2] + u[2] * c[0],
        -d[1] - b[2] + u[1] * c[2] + u[2] * c[1],
    )


@kernel
def _weigh_bodies(model, ws, sl, weight, bodies, entries):
    """Outward pass: W of all bodies and o of all entries, and the own part of every sum."""
    table = model.table
    for i in range(1, table.shape[0]):
        p = table[i, PARENT]
        x, y = vec(bodies, p, WEIGHED_MOTION), vec(bodies, p, WEIGHED_MOTION + 3)
        for k in range(table[i, V], table[i, V] + table[i, DOFS]):
            s, t = vec(sl.columns, k, COLUMN_S), vec(sl.columns, k, COLUMN_S + 3)
            o, ol = motion_cross(x, y, s, t)
            put3(entries, k, 0, o)
            put3(entries, k, 3, ol)
            x, y = add(x, scale(weight[k], s)), add(y, scale(weight[k], t))
        put3(bodies, i, WEIGHED_MOTION, x)
        put3(bodies, i, WEIGHED_MOTION + 3, y)
        # own parts f = I A + V x* I V, P = I W, b = B^T W and E of the body, about the reference point
        m = model.data[i, MASS]
        arm = sub(vec(ws.work, i, POS), vec(sl.bodies, i, REF))
        c, J = inertia_about(m, vec(ws.work, i, MC), sym(ws.work, i, JW), arm)
        w, u = vec(sl.bodies, i, PARTIAL_VELOCITY), vec(sl.bodies, i, PARTIAL_VELOCITY + 3)
        n, f = push(m, c, J, vec(sl.bodies, i, MOTION_RATE), vec(sl.bodies, i, MOTION_RATE + 3))
        h, hl = push(m, c, J, w, u)
        dn, df = force_cross(w, u, h, hl)
        put3(bodies, i, SUM_F, add(n, dn))
        put3(bodies, i, SUM_F + 3, add(f, df))
        P, Pl = push(m, c, J, x, y)
        put3(bodies, i, SUM_P, P)
        put3(bodies, i, SUM_P + 3, Pl)
        rate_n, rate_f = rigid_rates(m, c, J, w, u)
        put3(bodies, i, SUM_B, add(rotate_back(rate_n, x), rotate_back(rate_f, y)))
        put6(bodies, i, SUM_E, _turning_part(c, J, x, y))


@kernel
def _before(sl, entries, k, l, q_q, q_v, qq, qv):
    """q_k q_l and q_k v_l of an entry k inboard of l or l itself, from the factors of o_k, s_k and n_k."""
    o, ol = vec(entries, k, 0), vec(entries, k, 3)
    n, nl = scale(0.5, vec(sl.columns, k, PARTIAL_MIXED)), scale(0.5, vec(sl.columns, k, PARTIAL_MIXED + 3))
    s, t = vec(sl.columns, k, PARTIAL_SECOND), vec(sl.columns, k, PARTIAL_SECOND + 3)
    first, X, Y = q_q
    rate, Z = q_v
    qq[k, l] = -_both(o, ol, first[0], first[1]) - _both(s, t, X[0], X[1]) - _both(n, nl, Y[0], Y[1])
    qq[l, k] = qq[k, l]
    qv[k, l] = -_both(o, ol, rate[0], rate[1]) - _both(n, nl, Z[0], Z[1])
    return o, ol, n, nl


@kernel
def weighted_curvature(model, ws, sl, weight, bodies, entries, qq, qv, qa, vv):
    """-w . R_xy (nv, nv) by coordinates twice, coordinates and velocities, coordinates and accelerations, velocities
    twice.

    After `_inverse` of dynamics_derivatives.py, with the columns and composites that it left. `qa` and `qv` have
    coordinates in rows.
    """
    table = model.table
    for j in range(weight.size):
        for k in range(weight.size):
            qq[j, k] = 0.0
            qv[j, k] = 0.0
            qa[j, k] = 0.0
            vv[j, k] = 0.0
    _weigh_bodies(model, ws, sl, weight, bodies, entries)
    # inward pass: the sums over all bodies outboard of l are complete when its turn comes
    for i in range(table.shape[0] - 1, 0, -1):
        m, c, J = sl.bodies[i, C_MASS], vec(sl.bodies, i, C_FIRST), sym(sl.bodies, i, C_INERTIA)
        rate_n, rate_f = mat(sl.bodies, i, C_RATE_N), mat(sl.bodies, i, C_RATE_F)
        F, Fl = vec(bodies, i, SUM_F), vec(bodies, i, SUM_F + 3)
        P, Pl = vec(bodies, i, SUM_P), vec(bodies, i, SUM_P + 3)
        b, E = vec(bodies, i, SUM_B), sym(bodies, i, SUM_E)
        for l in range(table[i, V], table[i, V] + table[i, DOFS]):
            # the factors of o_k, s_k, n_k and S_k in the formulas above: `first`, X, Y and Z, `rate` = 2 I n_l + B S_l,
            # `inertial` = I S_l
            s, t = vec(sl.columns, l, COLUMN_S), vec(sl.columns, l, COLUMN_S + 3)
            n, nl = scale(0.5, vec(sl.columns, l, PARTIAL_MIXED)), scale(0.5, vec(sl.columns, l, PARTIAL_MIXED + 3))
            o, ol = vec(entries, l, 0), vec(entries, l, 3)
            x, y = push(m, c, J, vec(sl.columns, l, PARTIAL_SECOND), vec(sl.columns, l, PARTIAL_SECOND + 3))
            d, e = force_cross(s, t, F, Fl)
            first = (add(add(x, rotate(rate_n, n)), d), add(add(y, rotate(rate_f, n)), e))
            g, gl = force_cross(s, t, P, Pl)
            x, y = push(m, c, J, o, ol)
            X = (add(x, g), add(y, gl))
            x, y = force_cross(n, nl, P, Pl)
            x = add(add(x, cross(s, b)), add(sym_times(E, n), cross(nl, Pl)))
            Y = (add(x, add(rotate_back(rate_n, o), rotate_back(rate_f, ol))), add(y, cross(Pl, n)))
            x, y = push(m, c, J, scale(2.0, n), scale(2.0, nl))
            rate = (add(x, rotate(rate_n, s)), add(y, rotate(rate_f, s)))
            Z = (add(g, add(sym_times(E, s), cross(t, Pl))), add(gl, cross(Pl, s)))
            inertial = push(m, c, J, s, t)
            # pairs with every entry k from l to the root, by the formulas above
            at, k = i, l
            while at > 0:
                o, ol, n, nl = _before(sl, entries, k, l, (first, X, Y), (rate, Z), qq, qv)
                qa[k, l] = -_both(o, ol, inertial[0], inertial[1])
                s, t = vec(sl.columns, k, COLUMN_S), vec(sl.columns, k, COLUMN_S + 3)
                vv[k, l] = -_both(s, t, Z[0], Z[1])
                vv[l, k] = vv[k, l]
                if k != l:
                    qv[l, k] = -2.0 * _both(n, nl, X[0], X[1]) - _both(s, t, Y[0], Y[1])
                    qa[l, k] = -_both(s, t, X[0], X[1])
                k -= 1
                while at > 0 and k < table[at, V]:
                    at = table[at, PARENT]
                    k = table[at, V] + table[at, DOFS] - 1
        # the sums are added to those of the parent
        p = table[i, PARENT]
        if p > 0:
            for j in range(SUM_F, SUM_E, 3):
                accumulate3(bodies, p, j, vec(bodies, i, j))
            accumulate6(bodies, p, SUM_E, E)
