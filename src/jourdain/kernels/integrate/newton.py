"""The linear systems of the corrections, and what decides whether their iteration has come to an end."""

from __future__ import annotations

import math

from ..compiler import entry_point, kernel, outlined_kernel, separate_kernel
from ..linalg.pivoted import factorise, substitute
from .banded_newton import factorise_band, substitute_band
from .loop_records import Loop
from .runge_kutta import size_of_entry
from .state_steps import evaluate

ROUNDED = 1e-14
"""Rounding of coordinates and of violations of constraints [rad, m]."""


@kernel
def couple(co, every):
    """Lists the integrated states on which something depends, or every one of them, where derivatives were taken.

    Only those are unknowns of a system: the others, such as energies, or all of a contact that does not touch, follow.
    """
    nv, states, list_ = co.M.shape[0], co.integrator.states, co.coupled
    for j in range(states):
        list_[1 + j] = 1 if every else 0
    for i in range(nv):
        for j in range(states):
            if co.force_z[i, j] != 0.0:
                list_[1 + j] = 1
    for i in range(states):
        for j in range(states):
            if co.z_z[i, j] != 0.0:
                list_[1 + j] = 1
    count = 0
    for j in range(states):
        if list_[1 + j] == 1:
            count += 1
            list_[count] = j
    list_[0] = count


@kernel
def unknowns(co):
    """How many unknowns a system has: velocities, states on which something depends, multipliers."""
    rows = co.A.shape[0] if co.integrator.form > 0 else 0
    return co.M.shape[0] + co.coupled[0] + rows


@kernel
def assemble_matrix(co, matrix, mu, nu):
    """The matrix of a correction, displacements eliminated, the dynamics over mu so that rows are of one size."""
    nv, coupled, list_ = co.M.shape[0], co.coupled[0], co.coupled
    rows = co.A.shape[0] if co.integrator.form > 0 else 0
    per, both = 1.0 / mu, 1.0 / (mu * nu)
    m = matrix.shape[0]
    for i in range(m):
        for j in range(m):
            matrix[i, j] = 0.0
    for i in range(nv):
        for j in range(nv):
            matrix[i, j] = co.M[i, j] + per * co.C[i, j] + both * co.K[i, j]
        for j in range(coupled):
            matrix[i, nv + j] = -per * co.force_z[i, list_[1 + j]]
        for r in range(rows):
            matrix[i, nv + coupled + r] = -co.A[r, i]
            matrix[nv + coupled + r, i] = co.A[r, i] + co.by_velocity[r] * co.rate_x[r, i] / nu
    for i in range(coupled):
        state = list_[1 + i]
        for j in range(nv):
            matrix[nv + i, j] = -per * co.z_v[state, j] - both * co.z_x[state, j]
        for j in range(coupled):
            matrix[nv + i, nv + j] = -per * co.z_z[state, list_[1 + j]]
        matrix[nv + i, nv + i] += 1.0


@kernel
def right_side(co, right, r, mu, nu):
    """The right side of a correction, from the residual r = (r_x, r_v, r_z, ledger and paths, g)."""
    nv, coupled = co.M.shape[0], co.coupled[0]
    rows = co.A.shape[0] if co.integrator.form > 0 else 0
    n = r.size - co.A.shape[0]
    per = 1.0 / mu
    turn = 1.0 / nu
    for i in range(nv):
        x = -r[nv + i]
        for j in range(nv):
            x += turn * co.K[i, j] * r[j]
        right[i] = per * x
    for i in range(coupled):
        state = co.coupled[1 + i]
        x = -r[2 * nv + state]
        for j in range(nv):
            x -= turn * co.z_x[state, j] * r[j]
        right[nv + i] = per * x
    for i in range(rows):
        if co.by_velocity[i] == 0.0:
            x = -nu * r[n + i]
            for j in range(nv):
                x += co.A[i, j] * r[j]
        else:
            x = -r[n + i]
            for j in range(nv):
                x += turn * co.rate_x[i, j] * r[j]
        right[nv + coupled + i] = x


@kernel
def place_correction(co, right, r, mu, nu):
    """Puts the correction in the place of the residual."""
    nv, coupled = co.M.shape[0], co.coupled[0]
    states = co.integrator.states
    rows = co.A.shape[0] if co.integrator.form > 0 else 0
    n = r.size - co.A.shape[0]
    per = 1.0 / mu
    turn = 1.0 / nu
    for i in range(nv):
        r[nv + i] = right[i]
        r[i] = turn * (right[i] - r[i])
    # states on which nothing depends follow from all others
    if coupled < states:
        for i in range(states):
            x = -r[2 * nv + i]
            for j in range(nv):
                x += co.z_x[i, j] * r[j] + co.z_v[i, j] * r[nv + j]
            for j in range(coupled):
                x += co.z_z[i, co.coupled[1 + j]] * right[nv + j]
            r[2 * nv + i] = per * x
    for i in range(coupled):
        r[2 * nv + co.coupled[1 + i]] = right[nv + i]
    for i in range(2 * nv + states, n):
        r[i] = -per * r[i]
    for i in range(co.A.shape[0]):
        r[n + i] = mu * right[nv + coupled + i] if rows > 0 else 0.0 * r[n + i]


@separate_kernel
def factorise_real(co, mu, nu):
    """The factors for real mu and nu, unless they are at hand."""
    if co.integrator.mu == mu and co.integrator.nu == nu:
        return
    if co.matrix.shape[0] == 0:  # of a partition, which has factors of its own
        co.integrator.mu, co.integrator.nu = mu, nu
        co.counts.factorisations += 1
        return
    co.integrator.banded = False
    if co.order.size > 0 and factorise_band(co, co.band, co.pivots, co.band_scale[0], mu, nu) == 0:
        co.integrator.banded = True
        co.counts.banded += 1
    else:
        m = unknowns(co)
        matrix = co.matrix.reshape(co.matrix.size)[: m * m].reshape((m, m))
        assemble_matrix(co, matrix, mu, nu)
        factorise(matrix, co.pivots, co.right)
    co.integrator.mu, co.integrator.nu = mu, nu
    co.counts.factorisations += 1


@separate_kernel
def factorise_complex(co, mu_re, mu_im):
    """The factors for a complex mu, nu the same, unless they are at hand."""
    if co.integrator.mu_re == mu_re and co.integrator.mu_im == mu_im:
        return
    mu = mu_re + 1j * mu_im
    co.integrator.banded_c = False
    if co.order.size > 0 and factorise_band(co, co.band_c, co.pivots_c, co.band_scale[1], mu, mu) == 0:
        co.integrator.banded_c = True
        co.counts.banded += 1
    else:
        m = unknowns(co)
        matrix = co.matrix_c.reshape(co.matrix_c.size)[: m * m].reshape((m, m))
        assemble_matrix(co, matrix, mu, mu)
        factorise(matrix, co.pivots_c, co.right_c)
    co.integrator.mu_re, co.integrator.mu_im = mu_re, mu_im
    co.counts.factorisations += 1


@kernel
def forget_factors(co):
    """After the derivatives changed."""
    co.integrator.mu, co.integrator.nu, co.integrator.mu_re, co.integrator.mu_im = 0.0, 0.0, 0.0, 0.0


@outlined_kernel
def solve_real(co):
    """co.right = S^-1 co.right, by the factors of `factorise_real`."""
    if co.integrator.banded:
        substitute_band(co, co.band, co.pivots, co.band_scale[0], co.right, co.placed)
    else:
        m = unknowns(co)
        matrix = co.matrix.reshape(co.matrix.size)[: m * m].reshape((m, m))
        substitute(matrix, co.pivots, co.right)


@separate_kernel
def correct_real(co):
    """The correction for co.residual, in its place."""
    mu, nu = co.integrator.mu, co.integrator.nu
    right_side(co, co.right, co.residual, mu, nu)
    solve_real(co)
    place_correction(co, co.right, co.residual, mu, nu)


@separate_kernel
def correct_complex(co):
    """The same for co.residual_c."""
    mu = co.integrator.mu_re + 1j * co.integrator.mu_im
    right_side(co, co.right_c, co.residual_c, mu, mu)
    if co.integrator.banded_c:
        substitute_band(co, co.band_c, co.pivots_c, co.band_scale[1], co.right_c, co.placed_c)
    else:
        m = unknowns(co)
        matrix = co.matrix_c.reshape(co.matrix_c.size)[: m * m].reshape((m, m))
        substitute(matrix, co.pivots_c, co.right_c)
    place_correction(co, co.right_c, co.residual_c, mu, mu)


@outlined_kernel
def weigh(run):
    """Sets what each entry is measured by: 1 / (atol + rtol size); a rotation is of size one.

    Prescribed entries, the bookkeeping and paths do not count.
    """
    co, known, q, v, z = run.memory, run.ws.known, run.q, run.v, run.z
    rtol, atol = run.clock.rtol, run.clock.atol
    nv = v.size
    states = co.integrator.states
    for k in range(co.scale.size):
        co.scale[k] = 0.0
        if k < nv:
            j = run.model.q_index[k]
            size = abs(q[j]) if j >= 0 else 1.0
            counts = known[k] == 0
        elif k < 2 * nv:
            size = abs(v[k - nv])
            counts = known[k - nv] == 0
        else:
            counts = k < 2 * nv + states
            size = abs(z[k - 2 * nv]) if counts else 0.0
        if counts:
            co.scale[k] = 1.0 / (atol + rtol * size)


@kernel
def size_of(co, y, n, velocities):
    """Root mean square of y over its tolerances; velocities count `velocities` times."""
    nv = co.M.shape[0]
    total, count = 0.0, 0
    for k in range(n):
        w = co.scale[k]
        if w > 0.0:
            if nv <= k < 2 * nv:
                w *= velocities
            total += (w * y[k]) ** 2
            count += 1
    return math.sqrt(total / max(count, 1))


@outlined_kernel
def weighted(co, y, n):
    """Size of an error or a correction; velocities of an index-3 form do not count."""
    return size_of(co, y, n, 0.0 if co.integrator.form == 3 else 1.0)


@outlined_kernel
def correction_size(co, y, n):
    """Size of a correction, velocities included.

    In an index-3 form velocities follow from positions, and their corrections are nu times those of positions: rounding
    of the latter alone makes them ROUNDED nu, which in a step that is short enough is more than any tolerance. So that
    much of a velocity always passes.
    """
    nv = co.M.shape[0]
    slack = ROUNDED * co.integrator.nu / co.integrator.tolerance if co.integrator.form == 3 else 0.0
    total, count = 0.0, 0
    if slack == 0.0:
        # four sums at a time, which do not wait for each other
        a, b, c, d, counted = 0.0, 0.0, 0.0, 0.0, 0
        for k in range(n // 4):
            j = 4 * k
            a += (co.scale[j] * y[j]) ** 2
            b += (co.scale[j + 1] * y[j + 1]) ** 2
            c += (co.scale[j + 2] * y[j + 2]) ** 2
            d += (co.scale[j + 3] * y[j + 3]) ** 2
            counted += (co.scale[j] > 0.0) + (co.scale[j + 1] > 0.0) + (co.scale[j + 2] > 0.0) + (co.scale[j + 3] > 0.0)
        for j in range(4 * (n // 4), n):
            a += (co.scale[j] * y[j]) ** 2
            counted += 1 if co.scale[j] > 0.0 else 0
        count = counted
        return math.sqrt((a + b + (c + d)) / max(count, 1))
    for k in range(n):
        w = co.scale[k]
        if w > 0.0:
            if nv <= k < 2 * nv:
                w /= 1.0 + slack * w
            total += (w * y[k]) ** 2
            count += 1
    return math.sqrt(total / max(count, 1))


CONTINUES, CONVERGED, DIVERGES = 0, 1, 2


@kernel
def judge(size, before, iteration, most, tolerance):
    """What to make of the corrections: (CONTINUES, CONVERGED or DIVERGES, rate of convergence).

    The rest of a geometric series must be below the tolerance (Hairer & Wanner 1996, section IV.8); of a first
    correction nothing is known, so that only a tiny one is enough.
    """
    if not math.isfinite(size):
        return DIVERGES, 2.0
    if iteration == 0:
        return (CONVERGED if size <= 1e-3 * tolerance else CONTINUES), 0.0
    rate = size / before if before > 0.0 else 0.0
    if size == 0.0 or (rate < 1.0 and rate / (1.0 - rate) * size <= tolerance):
        return CONVERGED, rate
    if rate >= 2.0 or (rate >= 1.0 and iteration > 2):
        return DIVERGES, rate
    if rate < 1.0 and rate ** (most - 1 - iteration) / (1.0 - rate) * size > tolerance and iteration > 1:
        return DIVERGES, rate
    return CONTINUES, rate


@entry_point
def implicit_first(run: Loop, t: float) -> float:
    """Size of a first step: Hairer, Norsett & Wanner 1993, section II.4. K[0] must hold the rates at the start."""
    model, co, q, v, z = run.model, run.memory, run.q, run.v, run.z
    nv = v.size
    n = 2 * nv + co.integrator.states
    K, y = run.buffers.K, run.buffers.y
    weigh(run)
    for k in range(n):
        y[k] = size_of_entry(model, q, v, z, k)
    d0 = size_of(co, y, n, 1.0)
    d1 = size_of(co, K[0], n, 1.0)
    h = 1e-6
    if d0 > 1e-5 and d1 > 1e-5:
        h = 0.01 * d0 / d1
    for k in range(y.size):
        y[k] = h * K[0, k]
    evaluate(run, run.stages, 1, t + h, q, v, z)
    co.counts.evaluations += 1
    for k in range(n):
        y[k] = K[1, k] - K[0, k]
    slope = max(d1, size_of(co, y, n, 1.0) / h)
    order = co.integrator.first_order + 1.0
    h1 = (0.01 / slope) ** (1.0 / order) if slope > 1e-15 else max(1e-6, 1e-3 * h)
    return min(100.0 * h, h1)
