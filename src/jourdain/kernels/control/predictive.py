"""Generalised predictive control in state space (Belda, Bohm & Valasek 2002), by normal equations or in root form.

x(k+1) = A x(k) + B u(k) + c,  y = C x;  over a horizon of N samples y = f + G u, and u minimises

    |w - f - G u|^2 + u^T penalty u + du^T increments du,    du(k) = u(k) - u(k-1)

In the root form penalty and increments are given by roots r, r^T r = penalty.
"""

from __future__ import annotations

from ..compiler import gate, kernel
from ..linalg.small import back_substitute, cholesky, cholesky_solve, exponential, householder
from ..scalar import clip
from ..tree.functions import forward_dynamics
from ..tree.motions import profile
from .deviation import displacement, size_of, velocity_error

NORMAL, ROOT = 0, 1
DIFFERENCE = 1e-6


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
    if form == NORMAL:
        return normal_solution(G, e, penalty, increments, before, S, u)
    return root_solution(G, e, penalty, increments, before, S, u)


@gate
def plan(form, A, B, C, c, x, w, penalty, increments, before, G, f, e, S, u, now, after, power, product):
    """u (N m) that follows w (N y) best from x; all behind `before` is written to."""
    predict(A, B, C, c, x, G, f, now, after, power, product)
    for i in range(f.size):
        e[i] = w[i] - f[i]
    return solution(form, G, e, penalty, increments, before, S, u)


@gate
def scheduled(t, q, v, z, s, p, effort, dz):
    """Predictive control with gains computed beforehand: u = Kw w - Kx x + Kb u(before), discrete, z = u(before).

    p: m, x states, y outputs, N, period; for each input entry in v, nominal effort, largest effort; for each output the
    profile code, place of its numbers, what is taken off; Kw (m, N y), Kx (m, x), Kb (m, m); deviation
    """
    m, n, y, N, period = int(p[0]), int(p[1]), int(p[2]), int(p[3]), p[4]
    inputs = 5
    outputs = inputs + 3 * m
    Kw = outputs + 3 * y
    Kx = Kw + m * N * y
    Kb = Kx + m * n
    at = Kb + m * m
    half = size_of(p, at)
    for i in range(m):
        u = 0.0
        for j in range(m):
            u += p[Kb + i * m + j] * z[j]
        for j in range(half):
            u -= p[Kx + i * n + j] * displacement(p, at, j, t, q)
            u -= p[Kx + i * n + half + j] * velocity_error(p, at, j, t, v)
        for r in range(y):
            row = outputs + 3 * r
            for k in range(N):
                value = profile(int(p[row]), p, int(p[row + 1]), t + (k + 1) * period)[0]
                u += p[Kw + i * N * y + k * y + r] * (value - p[row + 2])
        row = inputs + 3 * i
        u = clip(p[row + 1] + u, -p[row + 2], p[row + 2])
        effort[int(p[row])] += u
        dz[i] = u - p[row + 1]


@kernel
def slopes(control, cws, q, v, u, a, aside, there, A):
    """Accelerations a (n) of the control model at (q, v) under efforts u (n), and their slopes into A (2n, 2n).

    By central differences in coordinates and velocities; aside (n) and there (n) are scratch.
    """
    n = v.size
    for k in range(n):
        j = control.q_index[k]
        for part in range(2):
            x = q[j] if part == 0 else v[k]
            for side in range(2):
                step = DIFFERENCE if side == 1 else -DIFFERENCE
                if part == 0:
                    q[j] = x + step
                else:
                    v[k] = x + step
                forward_dynamics(control, cws, q, v, u, aside if side == 1 else there)
            if part == 0:
                q[j] = x
            else:
                v[k] = x
            for i in range(n):
                A[n + i, part * n + k] = (aside[i] - there[i]) / (2.0 * DIFFERENCE)
    forward_dynamics(control, cws, q, v, u, a)


@gate
def relinearized(control, cws, x, t, q, v, z, s, p, effort, dz):
    """Predictive control, linearised anew at every sample about where the plant is; discrete, z = the efforts before.

    p: m, n, y, N, form, period, rows of S; for each input entry of v in the plant, in the control model, largest
    effort; for each output its entry of v in the control model, weight, profile code, place of its numbers; penalty and
    increments (m, m); entries of the plant's q for those of the control model (nq), and of v (n); profiles
    """
    m, n, y, N, form, period = int(p[0]), int(p[1]), int(p[2]), int(p[3]), int(p[4]), p[5]
    nq = n
    inputs = 7
    outputs = inputs + 3 * m
    weights = outputs + 4 * y
    maps = weights + 2 * m * m
    penalty = p[weights : weights + m * m].reshape(m, m)
    increments = p[weights + m * m : maps].reshape(m, m)
    size = 2 * n + m + 1
    b = 0
    a, b = b, b + nq
    qc = x[a:b]
    a, b = b, b + n
    vc = x[a:b]
    a, b = b, b + n
    uc = x[a:b]
    a, b = b, b + n
    acceleration = x[a:b]
    a, b = b, b + n
    aside = x[a:b]
    a, b = b, b + n
    there = x[a:b]
    a, b = b, b + size * size
    F = x[a:b].reshape(size, size)
    a, b = b, b + size * size
    E = x[a:b].reshape(size, size)
    a, b = b, b + size * size
    work = x[a:b].reshape(size, size)
    a, b = b, b + size * size
    term = x[a:b].reshape(size, size)
    a, b = b, b + 2 * n * y
    C = x[a:b].reshape(y, 2 * n)
    a, b = b, b + N * y * N * m
    G = x[a:b].reshape(N * y, N * m)
    a, b = b, b + N * y
    f = x[a:b]
    a, b = b, b + int(p[6]) * (N * m + 1)
    S = x[a:b].reshape(int(p[6]), N * m + 1)
    a, b = b, b + N * m
    u = x[a:b]
    a, b = b, b + 2 * n
    now = x[a:b]
    a, b = b, b + 2 * n
    after = x[a:b]
    a, b = b, b + 2 * n
    zero = x[a:b]
    a, b = b, b + 2 * n
    affine = x[a:b]
    a, b = b, b + 2 * n * m
    power = x[a:b].reshape(2 * n, m)
    a, b = b, b + 2 * n * m
    product = x[a:b].reshape(2 * n, m)

    for j in range(nq):
        qc[j] = q[int(p[maps + j])]
    for k in range(n):
        vc[k] = v[int(p[maps + nq + k])]
        uc[k] = 0.0
        zero[k] = 0.0
        zero[n + k] = 0.0
    for i in range(m):
        uc[int(p[inputs + 3 * i + 1])] = z[i]
    for i in range(size):
        for j in range(size):
            F[i, j] = 0.0
    slopes(control, cws, qc, vc, uc, acceleration, aside, there, F)
    # what the inputs add, exactly: the accelerations are linear in the efforts
    for i in range(m):
        k = int(p[inputs + 3 * i + 1])
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
    for i in range(size):
        for j in range(size):
            F[i, j] *= period
    exponential(F, E, work, term)
    for i in range(y):
        for j in range(2 * n):
            C[i, j] = 0.0
        C[i, int(p[outputs + 4 * i])] = p[outputs + 4 * i + 1]
    for i in range(2 * n):
        affine[i] = E[i, size - 1]
    predict(E[: 2 * n, : 2 * n], E[: 2 * n, 2 * n : size - 1], C, affine, zero, G, f, now, after, power, product)
    for i in range(y):
        row = outputs + 4 * i
        here = qc[int(control.q_index[int(p[row])])]
        for k in range(N):
            value = profile(int(p[row + 2]), p, int(p[row + 3]), t + (k + 1) * period)[0]
            f[k * y + i] = p[row + 1] * (value - here) - f[k * y + i]
    solution(form, G, f, penalty, increments, z, S, u)
    for i in range(m):
        row = inputs + 3 * i
        dz[i] = clip(u[i], -p[row + 2], p[row + 2])
        effort[int(p[row])] += dz[i]
