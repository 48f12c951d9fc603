"""Hybrid dynamics of a control model with closed loops: efforts of controlled coordinates, loops kept.

With J = [A; E], A the constraint Jacobian of the loops and E the unit rows of the controlled coordinates, the
Karush-Kuhn-Tucker (KKT) equations of Gauss's principle

    M a + h = A^T lambda + E^T tau,    J a = (-A' v - c', wanted accelerations)

give the accelerations a, the multipliers lambda and the efforts tau (Featherstone 2008, chapter 8; Nakamura &
Ghodoussi 1989, inverse dynamics of closed chains). In the metric of the kinetic energy, M = L L^T, the rows are
w = L^-1 J^T, and Gram-Schmidt takes one after the other: first those of A, the farthest from those taken each time and
as many as the loops have independent rows, then those of E. Rows of A that follow from others change neither a nor tau.
Which are farther is told by weights that do not change with the place (`jourdain.run.redundancy.row_weights`): a row
that vanishes somewhere has no direction there but that of what was measured wrong.
"""

from __future__ import annotations

from ..compiler import entry_point, kernel
from ..constraints.constraint_jacobian import place_rows, row_jacobian
from ..linalg.small_dense import cholesky
from ..model_arrays import ModelArrays, Workspace
from ..signatures import Vector
from ..tree.composite import composite_mass_matrix
from ..tree.kinematics import kinematics
from .computed_torque import TorqueParameters, command, error_acceleration
from .joint_control import SERVO_GRAVITY, ServoParameters, servo
from .mapping import bias_efforts, gather, reference

DEPENDENT = 1e-12
"""Square of what is left of a row, over the longest of the loops or its own length, below which it follows from those
taken: a singular configuration."""


def scratch(nq: int, nv: int, rows: int, count: int) -> int:
    """Numbers of scratch of a law: q, v, h and two more of the model, M, the rows, and three numbers a row."""
    every = rows + count
    return nq + 5 * nv + nv * nv + every * nv + 2 * every + count * count


@kernel
def length2(rows, i):
    """Square of the length of row i; without conjugation, so that derivatives by complex steps pass."""
    total = 0.0 * rows[i, 0]
    for k in range(rows.shape[1]):
        total += rows[i, k] * rows[i, k]
    return total


@kernel
def take_row(rows, right, i, last):
    """Makes row i of length one and takes its direction out of the rows behind it, up to `last`; returns its length.

    right[i] becomes the component of the solution along it; what it gives of the other right sides leaves them.
    """
    length = length2(rows, i) ** 0.5
    for k in range(rows.shape[1]):
        rows[i, k] /= length
    right[i] /= length
    for j in range(i + 1, last):
        along = 0.0 * length
        for k in range(rows.shape[1]):
            along += rows[j, k] * rows[i, k]
        for k in range(rows.shape[1]):
            rows[j, k] -= along * rows[i, k]
        right[j] -= along * right[i]
    return length


@kernel
def swap_rows(rows, right, size, i, j):
    """Rows i and j change places."""
    for k in range(rows.shape[1]):
        rows[i, k], rows[j, k] = rows[j, k], rows[i, k]
    right[i], right[j] = right[j], right[i]
    size[i], size[j] = size[j], size[i]


@kernel
def weigh_rows(L, rows, right, size, h):
    """w = L^-1 J^T row by row, and right sides less what the accelerations of the open tree, -M^-1 h, give of them."""
    nv = L.shape[0]
    for k in range(nv):  # h becomes L^-1 h
        x = h[k]
        for j in range(k):
            x -= L[k, j] * h[j]
        h[k] = x / L[k, k]
    for i in range(rows.shape[0]):
        for k in range(nv):
            x = rows[i, k]
            for j in range(k):
                x -= L[k, j] * rows[i, j]
            rows[i, k] = x / L[k, k]
            right[i] += rows[i, k] * h[k]
        size[i] = length2(rows, i)


@kernel
def take_loops(rows, right, size, count, rank):
    """Takes at most `rank` of the first `count` rows, each time the one of which most is left."""
    last = rows.shape[0]
    longest = 0.0
    for j in range(count):
        longest = max(longest, size[j].real)
    for i in range(rank):
        best, most = -1, DEPENDENT * longest
        for j in range(i, count):
            left = length2(rows, j).real
            if left > most:
                best, most = j, left
        if best < 0:
            return
        swap_rows(rows, right, size, i, best)
        take_row(rows, right, i, last)


@kernel
def take_controlled(rows, right, size, first, R, effort):
    """Efforts (count,) of the controlled coordinates, whose rows begin at `first`, after `take_loops`.

    R is the triangle of Gram-Schmidt, R tau = the components of the solution. A row of which nothing is left is that of
    a coordinate which the others and the loops decide: its effort does nothing, and is zero.
    """
    count, last = rows.shape[0] - first, rows.shape[0]
    for i in range(count):
        for j in range(count):
            R[i, j] = 0.0
    for i in range(count):
        row = first + i
        if not length2(rows, row).real > DEPENDENT * size[row].real:
            for k in range(rows.shape[1]):
                rows[row, k] = 0.0
            continue
        for j in range(i + 1, count):
            for k in range(rows.shape[1]):
                R[i, j] += rows[row, k] * rows[first + j, k]
        R[i, i] = take_row(rows, right, row, last)
        for j in range(i + 1, count):
            R[i, j] /= R[i, i]
    for i in range(count - 1, -1, -1):
        effort[i] = 0.0 * right[first]
        if R[i, i] != 0.0:
            x = right[first + i]
            for j in range(i + 1, count):
                x -= R[i, j] * effort[j]
            effort[i] = x / R[i, i]


@kernel
def loop_efforts(control, cws, law, t, qc, vc, wanted, work, tau):
    """Efforts tau (count,) that give the controlled coordinates their `wanted` accelerations (count,), loops kept.

    Springs, dampers, struts, gravity and constant loads of the control model act; friction does not. Coordinates that
    are neither controlled nor decided by the loops are free. `law` are `FollowingJoints`, `work` is scratch, see
    `scratch`.
    """
    nv, loops, count, scales = vc.size, len(cws.constraint_rows), len(law.controlled), law.scales
    every = loops + count
    h, nothing, passive = work[:nv], work[nv : 2 * nv], work[2 * nv : 3 * nv]
    at = 3 * nv
    M = work[at : at + nv * nv].reshape((nv, nv))
    at += nv * nv
    flat = work[at : at + every * nv]
    rows = flat.reshape((every, nv))
    at += every * nv
    right, size = work[at : at + every], work[at + every : at + 2 * every]
    R = work[at + 2 * every : at + 2 * every + count * count].reshape((count, count))
    # J and its right side: the loops' rows, then unit rows of the controlled coordinates
    cws.ledger.time = t
    kinematics(control, cws, qc, vc)
    place_rows(control, cws, t, qc, vc)
    for r in range(loops):
        row_jacobian(control, cws, r, qc, vc, flat, r * nv)
        for k in range(nv):
            rows[r, k] *= scales[r]
        right[r] = -scales[r] * cws.constraint_rows[r].bias
    for i in range(count):
        for k in range(nv):
            rows[loops + i, k] = 0.0
        rows[loops + i, law.controlled[i]] = 1.0
        right[loops + i] = wanted[i]
    # h and M of the open tree, then the rows in the metric of M
    bias_efforts(control, cws, qc, vc, nothing, passive, h)
    composite_mass_matrix(control, cws, M)
    cholesky(M)
    weigh_rows(M, rows, right, size, h)
    take_loops(rows, right, size, loops, law.rank)
    take_controlled(rows, right, size, loops, R, tau)


@entry_point
def computed_torque(
    control: ModelArrays, cws: Workspace, x: Vector, t: float, q: Vector, v: Vector, z: Vector, s: Vector, p: Vector,
    effort: Vector, dz: Vector,
) -> None:  # fmt: skip
    """`kernels.control.computed_torque` of a control model with closed loops."""
    law = TorqueParameters(p)
    nq, nv, n = len(law.q_map), len(law.v_map), len(law.controlled)
    qc, vc, tau, wanted = x[:nq], x[nq : nq + nv], x[nq + nv : nq + 2 * nv], x[nq + nv : nq + nv + n]
    gather(law, q, v, qc, vc)
    for i in range(n):
        place, rate, ahead = reference(law.reference[i], t)
        wanted[i] = ahead + error_acceleration(law, i, q, v, place, rate)
    work = x[nq + 2 * nv :]
    loop_efforts(control, cws, law, t, qc, vc, wanted, work, work[:n])
    for i in range(n):
        tau[law.controlled[i]] = work[i]
    command(law, tau, effort)


@entry_point
def pid_with_model(
    control: ModelArrays, cws: Workspace, x: Vector, t: float, q: Vector, v: Vector, z: Vector, s: Vector, p: Vector,
    effort: Vector, dz: Vector,
) -> None:  # fmt: skip
    """`joint.pid_with_model` of a control model with closed loops, evaluated at the measured coordinates.

    Along its reference a loop would not be closed: the coordinates that follow from the others are not known there.
    """
    law = ServoParameters(p)
    nq, nv, n = len(law.q_map), len(law.v_map), len(law.controlled)
    qc, vc, wanted = x[:nq], x[nq : nq + nv], x[nq + nv : nq + nv + n]
    gather(law, q, v, qc, vc)
    at_rest = law.feedforward == SERVO_GRAVITY
    for i in range(n):
        wanted[i] = 0.0 if at_rest else reference(law.reference[i], t)[2]
    if at_rest:
        for k in range(nv):
            vc[k] = 0.0
    work = x[nq + 2 * nv :]
    loop_efforts(control, cws, law, t, qc, vc, wanted, work, work[:n])
    for i in range(n):
        effort[law.v[i]] += servo(t, q, v, z, law, i, work[i], dz)
