"""Bristle friction along a given slip history, and its derivatives: for identification.

The bristles do not depend on the load (Gonthier 2007, eqs. 3.29 to 3.41), so the friction ratio -f_t / f_n follows from
the slip alone. Between two samples there are `sub` steps of the classical Runge-Kutta method (RK4); the slip speed is
given at their ends and middles, 2 sub to an interval.
"""

from __future__ import annotations

import math

from ...algebra import Vec3
from ...compiler import entry_point, kernel
from ...rows import Row, clear_row, table_of
from ...signatures import Integers, Matrix, Vector
from ..contact_rows import friction_parameters
from .normal_and_friction import bristle_force


class BristleSample(Row):
    """A sample of a path."""

    ratio: float  # friction ratio -f_t / f_n
    bent: float  # deflection of the bristles [m]
    rested: float  # dwell


samples_of = table_of(BristleSample)


@kernel
def ratio(p, v, bent, rested, z, dz):
    """-f_t / f_n at a slip speed; dz gets the rates of both states."""
    z[0], z[1], z[2], z[3] = bent, 0.0, 0.0, rested
    none = Vec3(0.0, 0.0, 0.0)
    force, _ = bristle_force(friction_parameters(p, 0), 1.0, Vec3(v, 0.0, 0.0), Vec3(0.0, 0.0, 1.0), none, z, 0, dz)
    return -force.x


@kernel
def advance(p, h, v0, v1, v2, bent, rested, z, dz):
    """Both states after an RK4 step h, from the slip speeds at its start, middle and end."""
    dz[3] = 0.0
    ratio(p, v0, bent, rested, z, dz)
    a1, b1 = dz[0], dz[3]
    ratio(p, v1, bent + 0.5 * h * a1, rested + 0.5 * h * b1, z, dz)
    a2, b2 = dz[0], dz[3]
    ratio(p, v1, bent + 0.5 * h * a2, rested + 0.5 * h * b2, z, dz)
    a3, b3 = dz[0], dz[3]
    ratio(p, v2, bent + h * a3, rested + h * b3, z, dz)
    a4, b4 = dz[0], dz[3]
    return bent + h * (a1 + 2.0 * (a2 + a3) + a4) / 6.0, rested + h * (b1 + 2.0 * (b2 + b3) + b4) / 6.0


@entry_point
def bristle_path(
    p: Vector, speed: Vector, steps: Vector, sub: int, touching: Integers, z: Vector, dz: Vector, path: Matrix
) -> None:
    """Ratio and states at every sample, from the states in row 0 of `path`, (n, 3).

    speed       (2 sub (n - 1) + 1,) slip speed [m/s]
    steps       (n - 1,) intervals between samples [s]
    touching    (n,) 1 in contact. A contact begins in the middle of an interval, with its states at zero
    """
    n, samples = touching.shape[0], samples_of(path)
    bent, rested = samples[0].bent, samples[0].rested
    samples[0].ratio = ratio(p, speed[0], bent, rested, z, dz) if touching[0] == 1 else 0.0
    for i in range(1, n):
        if touching[i] == 0:
            bent, rested = 0.0, 0.0
            clear_row(samples[i])
            continue
        h = steps[i - 1] / sub
        first = 0 if touching[i - 1] == 1 else sub // 2
        for k in range(first, sub):
            j = 2 * (sub * (i - 1) + k)
            bent, rested = advance(p, h, speed[j], speed[j + 1], speed[j + 2], bent, rested, z, dz)
        samples[i].ratio = ratio(p, speed[2 * sub * i], bent, rested, z, dz)
        samples[i].bent, samples[i].rested = bent, rested


@entry_point
def bristle_partials(
    p: Vector, speed: Vector, steps: Vector, sub: int, touching: Integers, z: Vector, dz: Vector, path: Matrix,
    shapes: Matrix, first: Integers, last: Integers, eps: float, out: Matrix,
) -> None:  # fmt: skip
    """Derivatives of the friction ratio by the coefficients of the spline of the slip, (coefficients, n), by
    differences.

    path           ratio and states along this slip
    shapes         (coefficients, points of `speed`) slip speed per unit of a coefficient
    first, last    (coefficients,) samples between which a coefficient acts
    eps            step of the differences [m]

    Once both states have returned to those of the path the remaining derivatives are zero.
    """
    n, samples = touching.shape[0], samples_of(path)
    for c in range(shapes.shape[0]):
        # from the states of the path where the coefficient begins to act
        begin = first[c]
        bent, rested = samples[begin].bent, samples[begin].rested
        if touching[begin] == 1:
            v = speed[2 * sub * begin] + eps * shapes[c, 2 * sub * begin]
            out[c, begin] = (ratio(p, v, bent, rested, z, dz) - samples[begin].ratio) / eps
        for i in range(begin + 1, n):
            if touching[i] == 0:
                bent, rested = 0.0, 0.0
                if i > last[c]:
                    break
                continue
            # displaced slip eps * shapes; a contact begins in the middle of an interval
            h = steps[i - 1] / sub
            start = 0 if touching[i - 1] == 1 else sub // 2
            for k in range(start, sub):
                j = 2 * (sub * (i - 1) + k)
                v0 = speed[j] + eps * shapes[c, j]
                v1 = speed[j + 1] + eps * shapes[c, j + 1]
                v2 = speed[j + 2] + eps * shapes[c, j + 2]
                bent, rested = advance(p, h, v0, v1, v2, bent, rested, z, dz)
            j = 2 * sub * i
            v = speed[j] + eps * shapes[c, j]
            out[c, i] = (ratio(p, v, bent, rested, z, dz) - samples[i].ratio) / eps
            # done where both states have returned to those of the path
            away = math.fabs(bent - samples[i].bent) + eps * math.fabs(rested - samples[i].rested)
            if i > last[c] and away < 1e-7 * eps:
                break
