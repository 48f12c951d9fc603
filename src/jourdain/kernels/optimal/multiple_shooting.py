"""Multiple shooting: all intervals of a trajectory in one call, with derivatives of their end states and costs."""

from __future__ import annotations

from ..compiler import entry_point
from ..signatures import Cube, Integers, Matrix, Vector
from .shooting_intervals import ShootingProblem, shoot, shoot_partials


@entry_point
def shooting_rows(
    sh: ShootingProblem, begin: float, T: float, fractions: Vector, X: Matrix, U: Matrix, latched: Matrix,
    ends: Matrix, cost: Vector,
) -> None:  # fmt: skip
    """End state of each interval from its own first state, into ends (N, nx), and its cost.

    U          (N + 1, nu) inputs at the ends of intervals; constant ones are those at the beginning
    latched    (N + 1, values) contact memory at each node
    """
    for k in range(ends.shape[0]):
        for j in range(X.shape[1]):
            ends[k, j] = X[k, j]
        for j in range(latched.shape[1]):
            latched[k + 1, j] = latched[k, j]
        span = T * (fractions[k + 1] - fractions[k])
        cost[k] = shoot(sh, begin + T * fractions[k], span, ends[k], U[k], U[k + 1], latched[k + 1])


@entry_point
def shooting_jacobian_rows(
    sh: ShootingProblem, begin: float, T: float, fractions: Vector, X: Matrix, U: Matrix, latched: Matrix,
    remembered: Vector, ends: Matrix, cost: Vector, S: Cube, g: Matrix, H: Cube,
) -> None:  # fmt: skip
    """The same with derivatives by the unknowns of each interval: S (N, nx, m), g (N, m), H (N, m, m)."""
    for k in range(ends.shape[0]):
        for j in range(X.shape[1]):
            ends[k, j] = X[k, j]
        for j in range(latched.shape[1]):
            remembered[j] = latched[k, j]
        span, t = T * (fractions[k + 1] - fractions[k]), begin + T * fractions[k]
        cost[k] = shoot_partials(sh, begin, t, span, T, ends[k], U[k], U[k + 1], remembered, S[k], g[k], H[k])


@entry_point
def shooting_hessian(
    sh: ShootingProblem, begin: float, T: float, fractions: Vector, X: Matrix, U: Matrix, latched: Matrix,
    remembered: Vector, x: Vector, ua: Vector, ub: Vector, sigma: float, pull: Matrix, moving: Integers, ends: Vector,
    S: Matrix, g: Vector, H: Matrix, out: Cube,
) -> None:  # fmt: skip
    """Hessian of the Lagrangian of each interval (N, m, m): sigma times its cost and `pull` (N, nx) times its end
    state.

    Central differences of the exact first derivatives, by the unknowns whose entry of `moving` (m,) is 1; relative
    error about 1e-10. x, ua, ub are scratch, and so are remembered, ends (nx,), S, g and H of one interval.
    """
    N, nx, nu, m, count = pull.shape[0], X.shape[1], U.shape[1], g.size, sh.controlled.p.size
    first = m - 1 - count
    p = sh.controlled.p
    for k in range(N):
        for j in range(m):
            for l in range(m):
                out[k, j, l] = 0.0
        for c in range(m):
            if moving[c] == 0:
                continue
            own = 0.0
            # first derivatives with unknown c displaced to either side: a state, an input, T, or a parameter, in place
            for side in range(2):
                for j in range(nx):
                    x[j] = X[k, j]
                for i in range(nu):
                    ua[i], ub[i] = U[k, i], U[k + 1, i]
                for j in range(latched.shape[1]):
                    remembered[j] = latched[k, j]
                duration = T
                if c < nx:
                    own = x[c]
                elif c < nx + nu:
                    own = ua[c - nx]
                elif c < first:
                    own = ub[c - nx - nu]
                elif c == first:
                    own = T
                elif side == 0:
                    own = p[c - first - 1]
                # cube root of the machine precision, which balances truncation and rounding
                h = 6e-6 * max(1.0, abs(own))
                moved = own + h if side == 1 else own - h
                if c < nx:
                    x[c] = moved
                elif c < nx + nu:
                    ua[c - nx] = moved
                elif c < first:
                    ub[c - nx - nu] = moved
                elif c == first:
                    duration = moved
                else:
                    p[c - first - 1] = moved
                span = duration * (fractions[k + 1] - fractions[k])
                t = begin + duration * fractions[k]
                shoot_partials(sh, begin, t, span, duration, x, ua, ub, remembered, S, g, H)
                # gradient of the Lagrangian there: central difference
                for j in range(m):
                    slope = sigma * g[j]
                    for r in range(nx):
                        slope += pull[k, r] * S[r, j]
                    out[k, c, j] += slope / (2.0 * h) if side == 1 else -slope / (2.0 * h)
            if c > first:
                p[c - first - 1] = own
        # symmetrise where both of a pair were displaced; else take the one that is known
        for j in range(m):
            for l in range(j):
                if moving[j] == 1 and moving[l] == 1:
                    out[k, j, l] = 0.5 * (out[k, j, l] + out[k, l, j])
                elif moving[l] == 1:
                    out[k, j, l] = out[k, l, j]
                out[k, l, j] = out[k, j, l]
