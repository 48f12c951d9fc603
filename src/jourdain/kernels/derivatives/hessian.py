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

from ..algebra import Motion, Sym3, Vec3, Wrench, cross, force_cross, motion_cross, rigid_body_force
from ..compiler import kernel
from ..rows import Row, table_of
from .entry_pairs import turning_effort, turning_force
from .motion_columns import inertia_about, rigid_rates


class WeighedBody(Row):
    """In the scratch of bodies: motion by the weights, and sums over all that is outboard."""

    W: Motion
    F: Wrench
    P: Wrench
    b: Vec3  # a moment
    E: Sym3  # the block of E for two angular parts; the rest of it is P


class WeighedEntry(Row):
    """In the scratch of entries."""

    o: Motion


weighed_bodies, weighed_entries = map(table_of, (WeighedBody, WeighedEntry))


@kernel
def turning_part(c, J, W):
    """J w~ - w~ J + u c^T + c u^T - 2 u . c, symmetric: the block of E of one body for two angular parts."""
    w, u = W.angular, W.linear
    a, b, d = cross(w, Vec3(J.xx, J.xy, J.xz)), cross(w, Vec3(J.xy, J.yy, J.yz)), cross(w, Vec3(J.xz, J.yz, J.zz))
    two = 2.0 * (u @ c)
    return Sym3(
        -2.0 * a.x + 2.0 * u.x * c.x - two,
        -2.0 * b.y + 2.0 * u.y * c.y - two,
        -2.0 * d.z + 2.0 * u.z * c.z - two,
        -b.x - a.y + u.x * c.y + u.y * c.x,
        -d.x - a.z + u.x * c.z + u.z * c.x,
        -d.y - b.z + u.y * c.z + u.z * c.y,
    )


@kernel
def coupling_force(E, P, x):
    """E x: the wrench whose power along y is the sum of W . (x x* I y + y x* I x)."""
    return Wrench(E @ x.angular + cross(x.linear, P.force), cross(P.force, x.angular))


@kernel
def weigh_bodies(model, ws, sl, weight, bodies, entries):
    """Outward pass: W of all bodies and o of all entries, and the own part of every sum."""
    for i in range(1, len(model.tree)):
        node, weighed, motion = model.tree[i], bodies[i], sl.composites[i]
        W = bodies[node.parent].W
        for k in range(node.v, node.v + node.nv):
            S = sl.entry_columns[k].S
            entries[k].o = motion_cross(W, S)
            W += weight[k] * S
        weighed.W = W
        # own parts f = I A + V x* I V, P = I W, b = B^T W and E of the body, about the reference point
        m, V = model.bodies[i].mass, motion.velocity
        arm = ws.bodies[i].p_WB - motion.reference
        c, J = inertia_about(m, ws.bodies[i].first_moment, ws.bodies[i].inertia, arm)
        momentum = rigid_body_force(J, c, m, V)
        weighed.F = rigid_body_force(J, c, m, motion.acceleration) + force_cross(V, momentum)
        weighed.P = rigid_body_force(J, c, m, W)
        N_rate, F_rate = rigid_rates(m, c, J, V)
        weighed.b = turning_effort(N_rate, F_rate, W)
        weighed.E = turning_part(c, J, W)


@kernel
def weighted_curvature(model, ws, sl, weight, bodies, entries, qq, qv, qa, vv):
    """-w . R_xy (nv, nv) by coordinates twice, coordinates and velocities, coordinates and accelerations, velocities
    twice.

    After `_inverse` of dynamics_derivatives.py, with the columns and composites that it left. `qa` and `qv` have
    coordinates in rows; `bodies` and `entries` are scratch of `WeighedBody` and `WeighedEntry`.
    """
    tree, weighed, turns = model.tree, weighed_bodies(bodies), weighed_entries(entries)
    for j in range(weight.size):
        for k in range(weight.size):
            qq[j, k] = 0.0
            qv[j, k] = 0.0
            qa[j, k] = 0.0
            vv[j, k] = 0.0
    weigh_bodies(model, ws, sl, weight, weighed, turns)
    # inward pass: the sums over all bodies outboard of l are complete when its turn comes
    for i in range(len(tree) - 1, 0, -1):
        sums, node = sl.composites[i], tree[i]
        m, c, J, N_rate, F_rate = sums.mass, sums.first_moment, sums.inertia, sums.moment_rate, sums.force_rate
        F, P, b, E = weighed[i].F, weighed[i].P, weighed[i].b, weighed[i].E
        for l in range(node.v, node.v + node.nv):
            # the factors of o_k, s_k, n_k and S_k in the formulas above: `first`, X, Y and Z, `rate` = 2 I n_l + B S_l,
            # `inertial` = I S_l
            column, o = sl.entry_columns[l], turns[l].o
            S, n = column.S, 0.5 * column.mixed
            first = rigid_body_force(J, c, m, column.second) + turning_force(N_rate, F_rate, n.angular)
            first += force_cross(S, F)
            turned = force_cross(S, P)
            X = rigid_body_force(J, c, m, o) + turned
            Y = force_cross(n, P) + Wrench(cross(S.angular, b) + turning_effort(N_rate, F_rate, o), b.zero)
            Y += coupling_force(E, P, n)
            rate = rigid_body_force(J, c, m, 2.0 * n) + turning_force(N_rate, F_rate, S.angular)
            Z = turned + coupling_force(E, P, S)
            inertial = rigid_body_force(J, c, m, S)
            # pairs with every entry k from l to the root, by the formulas above
            at, k = i, l
            while at > 0:
                column, o = sl.entry_columns[k], turns[k].o
                S, n = column.S, 0.5 * column.mixed
                qq[k, l] = -(o @ first) - column.second @ X - n @ Y
                qq[l, k] = qq[k, l]
                qv[k, l] = -(o @ rate) - n @ Z
                qa[k, l] = -(o @ inertial)
                vv[k, l] = -(S @ Z)
                vv[l, k] = vv[k, l]
                if k != l:
                    qv[l, k] = -2.0 * (n @ X) - S @ Y
                    qa[l, k] = -(S @ X)
                k -= 1
                while at > 0 and k < tree[at].v:
                    at = tree[at].parent
                    k = tree[at].v + tree[at].nv - 1
        # the sums are added to those of the parent
        if node.parent > 0:
            carrier = weighed[node.parent]
            carrier.F += F
            carrier.P += P
            carrier.b += b
            carrier.E += E
