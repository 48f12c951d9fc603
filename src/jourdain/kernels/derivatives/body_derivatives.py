"""A flexible body's own part of the derivatives, by its kind: efforts on and forces by its internal coordinates.

A kind gives, in axes of its own (columns of R in the world), the derivatives of the force on its frame by e, e' and the
angular velocity, and those of the efforts; here they are moved to the common reference point as entries and composites.
A change d of the angular velocity comes with a change of the acceleration, by -omega x d and 2 d x v, v the velocity of
the origin (see motion_columns.py), so that inertias contribute to both.
"""

from __future__ import annotations

from ..algebra import Wrench, cross, full, shift_back, skew
from ..bodies.lumped_beam_inertia import beam_axes_in_world
from ..compiler import kernel, optional_kernel
from ..flat_arrays import get, wrench_at
from ..kind_registry import MODAL
from .lumped_beam_derivatives import lumped_partials
from .modal_derivatives import modal_partials


@kernel
def clear_entries(model, ws, sl, i, M):
    """Initialises the entries of body i with its own inertia alone, about its own origin, and M with its block."""
    n, ev, o = model.tree[i].ne, model.tree[i].ev, model.tree[i].flex
    for k in range(n):
        effort = sl.entry_efforts[ev + k]
        effort.inertial = wrench_at(ws.flex, o + 6 * k)
        effort.rate, effort.turn = effort.rate.zero, effort.turn.zero
        effort.push_q, effort.push_v = effort.push_q.zero, effort.push_v.zero
        for l in range(n):
            M[ev + k, ev + l] = get(ws.flex, o + 6 * n + n * k + l)


@kernel
def placed(R, y, f):
    """A wrench in axes R at the origin, in world axes about a point at -y."""
    return shift_back(Wrench(R @ f.moment, R @ f.force), y)


@optional_kernel("flexible")
def own_partials(model, ws, sl, i, q, v, acceleration, K, C, M):
    """Entries of the internal coordinates of body i, its rate matrices, and its own blocks of K, C and M."""
    node, body, sums = model.tree[i], ws.bodies[i], sl.composites[i]
    clear_entries(model, ws, sl, i, M)
    R = body.R_WB
    if node.kind == MODAL:
        N_own, F_own = modal_partials(model, ws, sl, i, q, v, acceleration, K, C)
    else:
        N_own, F_own = lumped_partials(model, ws, sl, i, q, v, acceleration, K, C)
        R = beam_axes_in_world(model, ws, i)
    omega, velocity = body.omega, body.velocity
    # from the origin Bo to the reference point: y = p_RefBo_W moves moments, y x f
    y = body.p_WB - sums.reference
    for k in range(node.ev, node.ev + node.ne):
        effort = sl.entry_efforts[k]
        P = effort.inertial
        effort.rate = R @ effort.rate + (cross(omega, P.moment) + 2.0 * cross(velocity, P.force))
        effort.inertial = shift_back(P, y)
        effort.push_q, effort.push_v = placed(R, y, effort.push_q), placed(R, y, effort.push_v)
    # rate matrices of the rigid motion, then moved to the reference point:
    # -J omega~ - 2 c~ v~ of the moment, c~ omega~ - 2 m v~ of the force
    first = skew(body.first_moment)
    N_rate = R @ (N_own @ R.T) + full(body.inertia) @ skew(-omega) + first @ skew(-2.0 * velocity)
    F_rate = R @ (F_own @ R.T) + first @ skew(omega) + skew(-2.0 * model.bodies[i].mass * velocity)
    sums.moment_rate, sums.force_rate = N_rate + skew(y) @ F_rate, F_rate
