"""Generalised predictive control in state space (Belda, Bohm & Valasek 2002), by normal equations or in root form.

x(k+1) = A x(k) + B u(k) + c,  y = C x;  over a horizon of N samples y = f + G u, and u minimises

    |w - f - G u|^2 + u^T penalty u + du^T increments du,    du(k) = u(k) - u(k-1)

In the root form penalty and increments are given by roots r, r^T r = penalty.
"""

from __future__ import annotations

from ..compiler import entry_point, kernel
from ..linalg.small_dense import back_substitute, cholesky, cholesky_solve, exponential, householder
from ..model_arrays import ModelArrays, Workspace
from ..parameter_rows import Block, Parameters, Part
from ..scalar import clip
from ..signatures import Matrix, Vector
from ..tree.model_functions import forward_dynamics
from .impedance import cut
from .mapping import ModelMap, Profile, gather, reference
from .state_error import Deviation, displacement, velocity_error
from .state_feedback import ActuatedInput

AHEAD_NORMAL, AHEAD_ROOT = 0, 1
DIFFERENCE = 2.0**-10


class ScheduledOutput(Parameters):
    """What an output is to be, and its value at the state about which the model is linear."""

    reference: Part[Profile]
    offset: float


class ScheduledParameters(Parameters):
    """Gains computed beforehand: m inputs, n states, y outputs over N samples."""

    inputs: Block[ActuatedInput]
    outputs: Block[ScheduledOutput]
    states: int
    horizon: int  # N
    period: float  # [s]
    Kw: Block[float]  # (m, N y)
    Kx: Block[float]  # (m, n)
    Kb: Block[float]  # (m, m)
    deviation: Part[Deviation]


class PredictedInput(Parameters):
    """An effort: its entries of v in the plant and in the control model, the largest one either way [N m or N]."""

    v: int
    controlled: int
    limit: float


class PredictedOutput(Parameters):
    """A coordinate of the control model that is to follow a profile."""

    v: int
    weight: float
    reference: Part[Profile]


class PredictiveParameters(ModelMap):
    """Prediction along the motion: m inputs, y outputs over N samples."""

    inputs: Block[PredictedInput]
    outputs: Block[PredictedOutput]
    horizon: int  # N
    period: float  # [s]
    form: int  # AHEAD_NORMAL or AHEAD_ROOT
    rows: int  # of S, see `normal_solution` and `root_solution`
    penalty: Block[float]  # (m, m)
    increments: Block[float]  # (m, m)


@kernel
def predict(A, B, C, c, x, G, f, now, after, power, product):
    """Free response f (N y) from x under c, and G (N y, N m); now, after (n) and power, product (n, m) are scratch."""
    n, m, y = A.shape[0], B.shape[1], C.shape[0]
    N = f.size // y
    for i in range(n):
        now[i] = x[i]
        for j in range(m):
            power[i, j] = B[i, j]
    for k in range(N):
        for i in range(n):
            total = c[i]
            for j in range(n):
                total += A[i, j] * now[j]
            after[i] = total
        for i in range(n):
            now[i] = after[i]
        for i in range(y):
            total = 0.0
            for j in range(n):
                total += C[i, j] * now[j]
            f[k * y + i] = total
            for j in range(m):
                block = 0.0
                for r in range(n):
                    block += C[i, r] * power[r, j]
                for d in range(N - k):
                    G[(k + d) * y + i, d * m + j] = block
                    if k > 0:
                        G[d * y + i, (k + d) * m + j] = 0.0
        for i in range(n):
            for j in range(m):
                total = 0.0
                for r in range(n):
                    total += A[i, r] * power[r, j]
                product[i, j] = total
        for i in range(n):
            for j in range(m):
                power[i, j] = product[i, j]


@kernel
def normal_solution(G, e, penalty, increments, before, S, u):
    """u (N m) from (G^T G + penalties) u = G^T e + ..., Belda eq. 11; S (N m, N m + 1) is scratch."""
    m = penalty.shape[0]
    M = G.shape[1]
    for i in range(M):
        for j in range(i + 1):
            total = 0.0
            for r in range(G.shape[0]):
                total += G[r, i] * G[r, j]
            S[i, j] = total
        total = 0.0
        for r in range(G.shape[0]):
            total += G[r, i] * e[r]
        S[i, M] = total
    for k in range(M // m):
        twice = 2.0 if (k + 1) * m < M else 1.0
        for i in range(m):
            for j in range(m):
                if j <= i:
                    S[k * m + i, k * m + j] += penalty[i, j] + twice * increments[i, j]
                if k > 0:
                    S[k * m + i, (k - 1) * m + j] -= increments[i, j]
                else:
                    S[i, M] += increments[i, j] * before[j]
    bad = cholesky(S[:, :M])
    if bad == 0:
        cholesky_solve(S[:, :M], S[:, M:])
        for i in range(M):
            u[i] = S[i, M]
    return bad


@kernel
def root_solution(G, e, penalty, increments, before, S, u):
    """u (N m) by reflections of [G | e; penalties | ...], Belda eq. 13 to 16; S (rows, N m + 1) is scratch.

    The squares of the last column below the triangle add up to the criterion.
    """
    m, rows, M = penalty.shape[0], G.shape[0], G.shape[1]
    for i in range(S.shape[0]):
        for j in range(M + 1):
            S[i, j] = 0.0
    for i in range(rows):
        for j in range(M):
            S[i, j] = G[i, j]
        S[i, M] = e[i]
    for k in range(M // m):
        for i in range(m):
            first, second = rows + k * m + i, rows + M + k * m + i
            for j in range(m):
                S[first, k * m + j] = penalty[i, j]
                if second < S.shape[0]:
                    S[second, k * m + j] = increments[i, j]
                    if k > 0:
                        S[second, (k - 1) * m + j] = -increments[i, j]
                    else:
                        S[second, M] += increments[i, j] * before[j]
    householder(S, M)
    return back_substitute(S, M, M, u)


@kernel
def solution(form, G, e, penalty, increments, before, S, u):
    """u by the form asked for; 0, or the row + 1 at which it is singular."""
    if form == AHEAD_NORMAL:
        return normal_solution(G, e, penalty, increments, before, S, u)
    return root_solution(G, e, penalty, increments, before, S, u)


@entry_point
def plan(
    form: int, A: Matrix, B: Matrix, C: Matrix, c: Vector, x: Vector, w: Vector, penalty: Matrix, increments: Matrix,
    before: Vector, G: Matrix, f: Vector, e: Vector, S: Matrix, u: Vector, now: Vector, after: Vector, power: Matrix,
    product: Matrix,
) -> int:  # fmt: skip
    """u (N m) that follows w (N y) best from x; all behind `before` is written to."""
    predict(A, B, C, c, x, G, f, now, after, power, product)
    for i in range(f.size):
        e[i] = w[i] - f[i]
    return solution(form, G, e, penalty, increments, before, S, u)


@entry_point
def scheduled(t: float, q: Vector, v: Vector, z: Vector, s: Vector, p: Vector, effort: Vector, dz: Vector) -> None:
    """Predictive control with gains computed beforehand: u = Kw w - Kx x + Kb u(before), discrete, z = u(before)."""
    law = ScheduledParameters(p)
    m, n, y, N = len(law.inputs), law.states, len(law.outputs), law.horizon
    Kw, Kx, Kb = law.Kw, law.Kx, law.Kb
    half = len(law.deviation.entries)
    for i in range(m):
        u = 0.0
        for j in range(m):
            u += Kb[i * m + j] * z[j]
        for j in range(half):
            u -= Kx[i * n + j] * displacement(law.deviation, j, t, q)
            u -= Kx[i * n + half + j] * velocity_error(law.deviation, j, t, v)
        for r in range(y):
            output = law.outputs[r]
            for k in range(N):
                value = reference(output.reference, t + (k + 1) * law.period)[0]
                u += Kw[i * N * y + k * y + r] * (value - output.offset)
        one = law.inputs[i]
        u = clip(one.nominal + u, -one.limit, one.limit)
        effort[one.v] += u
        dz[i] = u - one.nominal


@kernel
def partials(control, cws, q, v, u, a, aside, there, A):
    """Accelerations a (n) of the control model at (q, v) under efforts u (n), and their slopes into A (2n, 2n).

    By central differences of fourth order in coordinates and velocities, (8 (a1 - a-1) - (a2 - a-2)) / 12 h with an
    error of h^4 / 30 of the fifth derivative: a step that large keeps rounding at 1e-13, so that all processors agree.
    aside (n) and there (n) are scratch.
    """
    n = v.size
    for k in range(n):
        j = control.q_index[k]
        for part in range(2):
            x = q[j] if part == 0 else v[k]
            for i in range(n):
                A[n + i, part * n + k] = 0.0
            for far in range(1, 3):
                weight = (8.0 if far == 1 else -1.0) / (12.0 * DIFFERENCE)
                for side in range(2):
                    at = x + far * DIFFERENCE if side == 1 else x - far * DIFFERENCE
                    if part == 0:
                        q[j] = at
                    else:
                        v[k] = at
                    forward_dynamics(control, cws, q, v, u, aside if side == 1 else there)
                for i in range(n):
                    A[n + i, part * n + k] += weight * (aside[i] - there[i])
            if part == 0:
                q[j] = x
            else:
                v[k] = x
    forward_dynamics(control, cws, q, v, u, a)


@entry_point
def relinearized(
    control: ModelArrays, cws: Workspace, x: Vector, t: float, q: Vector, v: Vector, z: Vector, s: Vector, p: Vector,
    effort: Vector, dz: Vector,
) -> None:  # fmt: skip
    """Predictive control, linearised at every sample about where the plant is; discrete, z = the efforts before."""
    law = PredictiveParameters(p)
    inputs, outputs = law.inputs, law.outputs
    m, n, y, N = len(inputs), len(law.v_map), len(outputs), law.horizon
    nq, tall, period = len(law.q_map), law.rows, law.period
    penalty, increments = law.penalty.reshape(m, m), law.increments.reshape(m, m)
    size, square = 2 * n + m + 1, (2 * n + m + 1) ** 2
    # scratch
    qc, at = cut(x, 0, nq)
    vc, at = cut(x, at, n)
    uc, at = cut(x, at, n)
    acceleration, at = cut(x, at, n)
    aside, at = cut(x, at, n)
    there, at = cut(x, at, n)
    F, at = cut(x, at, square)
    E, at = cut(x, at, square)
    work, at = cut(x, at, square)
    term, at = cut(x, at, square)
    F, E, work, term = F.reshape(size, size), E.reshape(size, size), work.reshape(size, size), term.reshape(size, size)
    C, at = cut(x, at, 2 * n * y)
    G, at = cut(x, at, N * y * N * m)
    f, at = cut(x, at, N * y)
    S, at = cut(x, at, tall * (N * m + 1))
    u, at = cut(x, at, N * m)
    C, G, S = C.reshape(y, 2 * n), G.reshape(N * y, N * m), S.reshape(tall, N * m + 1)
    now, at = cut(x, at, 2 * n)
    after, at = cut(x, at, 2 * n)
    zero, at = cut(x, at, 2 * n)
    affine, at = cut(x, at, 2 * n)
    power, at = cut(x, at, 2 * n * m)
    product, at = cut(x, at, 2 * n * m)
    power, product = power.reshape(2 * n, m), product.reshape(2 * n, m)

    # the control model where the plant is, under the efforts before
    gather(law, q, v, qc, vc)
    for k in range(n):
        uc[k] = 0.0
        zero[k] = 0.0
        zero[n + k] = 0.0
    for i in range(m):
        uc[inputs[i].controlled] = z[i]
    # (x, u, 1)' = F (x, u, 1): slopes, inputs, and what is left at the present state
    for i in range(size):
        for j in range(size):
            F[i, j] = 0.0
    partials(control, cws, qc, vc, uc, acceleration, aside, there, F)
    # what the inputs add, exactly: the accelerations are linear in the efforts
    for i in range(m):
        k = inputs[i].controlled
        uc[k] += 1.0
        forward_dynamics(control, cws, qc, vc, uc, aside)
        uc[k] -= 1.0
        for r in range(n):
            F[n + r, 2 * n + i] = aside[r] - acceleration[r]
    for k in range(n):
        F[k, n + k] = 1.0
        F[k, size - 1] = vc[k]
        rest = acceleration[k]
        for i in range(m):
            rest -= F[n + k, 2 * n + i] * z[i]
        F[n + k, size - 1] = rest
    # over a period, exactly: x(k+1) = A x + B u + c
    for i in range(size):
        for j in range(size):
            F[i, j] *= period
    exponential(F, E, work, term)
    for i in range(y):
        for j in range(2 * n):
            C[i, j] = 0.0
        C[i, outputs[i].v] = outputs[i].weight
    for i in range(2 * n):
        affine[i] = E[i, size - 1]
    predict(E[: 2 * n, : 2 * n], E[: 2 * n, 2 * n : size - 1], C, affine, zero, G, f, now, after, power, product)
    # what is lacking of the wanted outputs over the horizon, weighted
    for i in range(y):
        output = outputs[i]
        here = qc[int(control.q_index[output.v])]
        for k in range(N):
            value = reference(output.reference, t + (k + 1) * period)[0]
            f[k * y + i] = output.weight * (value - here) - f[k * y + i]
    solution(law.form, G, f, penalty, increments, z, S, u)
    for i in range(m):
        one = inputs[i]
        dz[i] = clip(u[i], -one.limit, one.limit)
        effort[one.v] += dz[i]
