"""Differential dynamic programming (DDP): rollouts under a policy, derivatives along them, and the backward pass.

The policy of a backward pass is u = u_k + alpha s_k + K_k (x - x_k), differences in the tangent space. Input limits are
satisfied in the backward pass by a small box-constrained quadratic program (QP) at every step (Tassa, Mansard & Todorov
2014), limits of states and terminal constraints by multipliers (augmented Lagrangian): with
s = lambda + rho (y - limit), active where s has the sign of the side,

    (s^2 - lambda^2) / (2 rho) is added to the cost.

States need not follow from one another: a gap (defect) between where an interval leads and where the next begins is
closed by the fraction alpha in a step (Mastalli et al. 2020).
"""

from __future__ import annotations

from ..compiler import entry_point, kernel, outlined_kernel
from ..records import Record, f64, i64
from ..signatures import Cube, Matrix, Vector
from .shooting_intervals import ShootingProblem, shoot, shoot_partials
from .tangent import columns_to_tangent, difference, displace, rows_to_tangent


class Penalties(Record, name="Gd"):
    """Limits of states and inputs, and the terminal cost.

    low, high     (N + 1, nx) limits of states at nodes
    multiplier    (N + 1, nx) their multipliers, positive for upper limits
    rho           (nx,) penalty parameter of each
    end_linear, end_square, end_target    (nx,) of the terminal cost
    u_low, u_high    (nu,) limits of inputs
    """

    low = f64(2)
    high = f64(2)
    multiplier = f64(2)
    rho = f64(1)
    end_linear = f64(1)
    end_square = f64(1)
    end_target = f64(1)
    u_low = f64(1)
    u_high = f64(1)


class Sweep(Record, name="Sw"):
    """Derivatives along a trajectory in the tangent space, and the results of a backward pass; n entries, nu inputs.

    F        (N, n, n + nu) derivative of the next state by state and inputs
    g, H     (N + 1, n + nu), (N + 1, n + nu, n + nu) gradient and Hessian of the cost
    gaps     (N + 1, n) where the interval before leads, relative to the node
    K, s     (N, nu, n), (N, nu) the policy: feedback gains and feedforward steps
    V, v     (n, n), (n,) Hessian and gradient of the cost to go
    W, Q, q  (n or nu, n + nu), (n + nu, n + nu), (n + nu,)
    R, X     (nu, nu), (nu, n + 1) of the quadratic program; B (4, nu) its vectors, free (nu,) its unclamped inputs
    weight   (nu,) of the regularisation
    S, SX    (nx, nx + nu) twice: derivatives of an interval by the numbers of the state
    """

    F = f64(3)
    g = f64(2)
    H = f64(3)
    gaps = f64(2)
    K = f64(3)
    s = f64(2)
    V = f64(2)
    v = f64(1)
    W = f64(2)
    Q = f64(2)
    q = f64(1)
    R = f64(2)
    X = f64(2)
    B = f64(2)
    free = i64(1)
    weight = f64(1)
    S = f64(2)
    SX = f64(2)


@kernel
def held(low, high, multiplier, rho, y):
    """(value, slope, curvature) of the augmented Lagrangian that keeps y within limits; equal ones: an equality."""
    s = multiplier + rho * (y - high)
    if low == high or s > 0.0:
        return 0.5 * (s * s - multiplier * multiplier) / rho, s, rho
    s = multiplier + rho * (y - low)
    if s < 0.0:
        return 0.5 * (s * s - multiplier * multiplier) / rho, s, rho
    return -0.5 * multiplier * multiplier / rho, 0.0, 0.0


@outlined_kernel
def node_cost(gd, k, x, last):
    """Augmented Lagrangian of the state limits at node k, and the terminal cost at the last."""
    out = 0.0
    for j in range(x.size):
        if gd.low[k, j] > -1e300 or gd.high[k, j] < 1e300:
            out += held(gd.low[k, j], gd.high[k, j], gd.multiplier[k, j], gd.rho[j], x[j])[0]
        if last:
            off = x[j] - gd.end_target[j]
            out += gd.end_linear[j] * x[j] + gd.end_square[j] * off * off
    return out


@outlined_kernel
def node_partials(gd, k, x, last, g, H):
    """Adds gradient and Hessian of `node_cost`."""
    for j in range(x.size):
        if gd.low[k, j] > -1e300 or gd.high[k, j] < 1e300:
            _, slope, hessian = held(gd.low[k, j], gd.high[k, j], gd.multiplier[k, j], gd.rho[j], x[j])
            g[j] += slope
            H[j, j] += hessian
        if last:
            g[j] += gd.end_linear[j] + 2.0 * gd.end_square[j] * (x[j] - gd.end_target[j])
            H[j, j] += 2.0 * gd.end_square[j]


@entry_point
def ddp_rollout(
    sh: ShootingProblem, gd: Penalties, sw: Sweep, begin: float, T: float, spans: Vector, X: Matrix, U: Matrix,
    alpha: float, feedback: int, latched: Matrix, Xn: Matrix, Un: Matrix, cost: Vector,
) -> float:  # fmt: skip
    """Forward pass: rolls the policy out about (X, U) into (Xn, Un), and returns the cost; cost[k] gets that of an
    interval.

    feedback    0: inputs as they are, whatever the state
    latched     (N + 1, values) contact memory at each node; the first row is given
    """
    N, nx, nu, n = U.shape[0], X.shape[1], U.shape[1], sh.place.size
    for j in range(nx):
        Xn[0, j] = X[0, j]
    total, t = 0.0, begin
    for k in range(N):
        difference(sh, Xn[k], X[k], sw.v)
        # policy u_k + alpha s_k + K_k (x - x_k), clamped to the input limits
        for i in range(nu):
            u = U[k, i]
            if feedback == 1:
                u += alpha * sw.s[k, i]
                for j in range(n):
                    u += sw.K[k, i, j] * sw.v[j]
            Un[k, i] = min(max(u, gd.u_low[i]), gd.u_high[i])
        for j in range(nx):
            Xn[k + 1, j] = Xn[k, j]
        for j in range(latched.shape[1]):
            latched[k + 1, j] = latched[k, j]
        # x_{k+1} = f(x, u) - (1 - alpha) gap: a step closes the fraction alpha of the gap
        cost[k] = shoot(sh, t, T * spans[k], Xn[k + 1], Un[k], Un[k], latched[k + 1])
        if feedback == 1:
            displace(sh, Xn[k + 1], sw.gaps[k + 1], alpha - 1.0)
        t += T * spans[k]
        total += cost[k] + node_cost(gd, k + 1, Xn[k + 1], k == N - 1)
        if not total == total or total > 1e200:
            return 1e300
    return total


@entry_point
def ddp_cost(
    sh: ShootingProblem, gd: Penalties, begin: float, T: float, spans: Vector, X: Matrix, U: Matrix, latched: Matrix,
    y: Vector, cost: Vector,
) -> float:  # fmt: skip
    """Cost of a trajectory whose states need not follow from one another."""
    N, nx = U.shape[0], X.shape[1]
    total, t = 0.0, begin
    for k in range(N):
        for j in range(nx):
            y[j] = X[k, j]
        for j in range(latched.shape[1]):
            latched[k + 1, j] = latched[k, j]
        cost[k] = shoot(sh, t, T * spans[k], y, U[k], U[k], latched[k + 1])
        t += T * spans[k]
        total += cost[k] + node_cost(gd, k + 1, X[k + 1], k == N - 1)
    return total


@entry_point
def ddp_partials(
    sh: ShootingProblem, gd: Penalties, sw: Sweep, begin: float, T: float, spans: Vector, X: Matrix, U: Matrix,
    latched: Matrix, y: Vector, remembered: Vector, G: Matrix, B: Cube,
) -> None:  # fmt: skip
    """Derivatives along a trajectory: F and gaps of the sweep, and those of the cost by the numbers of the state.

    G, B    (N + 1, nx + nu), (N + 1, nx + nu, nx + nu)
    """
    N, nx, nu = U.shape[0], X.shape[1], U.shape[1]
    t = begin
    turning = len(sh.rotations) > 0
    for k in range(N):
        for j in range(nx):
            y[j] = X[k, j]
        for j in range(latched.shape[1]):
            remembered[j] = latched[k, j]
        S = sw.S if turning else sw.F[k]
        shoot_partials(sh, begin, t, T * spans[k], T, y, U[k], U[k], remembered, S, G[k], B[k])
        # with rotations: from numbers of the state to the tangent space, on both sides
        if turning:
            columns_to_tangent(sh, X[k], S, nx, sw.SX)
            rows_to_tangent(sh, y, sw.SX, sw.F[k])
        difference(sh, y, X[k + 1], sw.gaps[k + 1])
        t += T * spans[k]
        if k > 0:
            node_partials(gd, k, X[k], False, G[k], B[k])
    for j in range(nx + nu):
        G[N, j] = 0.0
        for l in range(nx + nu):
            B[N, j, l] = 0.0
    node_partials(gd, N, X[N], True, G[N], B[N])


@entry_point
def ddp_tangent(sh: ShootingProblem, sw: Sweep, X: Matrix, G: Matrix, B: Cube, turned: Matrix) -> None:
    """g and H of the sweep from derivatives by the numbers of the state; turned (nx + nu, n + nu) is scratch."""
    nx, n = X.shape[1], sh.place.size
    size = G.shape[1]
    for k in range(X.shape[0]):
        columns_to_tangent(sh, X[k], G[k : k + 1], 1, sw.g[k : k + 1])
        columns_to_tangent(sh, X[k], B[k], size, turned)
        for j in range(n + size - nx):  # the same from the other side
            for l in range(size):
                sw.SX[0, l] = turned[l, j]
            columns_to_tangent(sh, X[k], sw.SX[0:1], 1, sw.H[k, j : j + 1])


@kernel
def factored(R, n):
    """Cholesky factorisation of the first n rows and columns in place; returns whether they are positive definite."""
    for j in range(n):
        d = R[j, j]
        for k in range(j):
            d -= R[j, k] * R[j, k]
        if not d > 1e-14 * abs(R[j, j]):
            return False
        d = d**0.5
        R[j, j] = d
        for i in range(j + 1, n):
            y = R[i, j]
            for k in range(j):
                y -= R[i, k] * R[j, k]
            R[i, j] = y / d
    return True


@kernel
def solved(R, n, X, columns):
    """X = (L L^T)^-1 X, of the first n rows."""
    for i in range(n):
        for k in range(i):
            a = R[i, k]
            for c in range(columns):
                X[i, c] -= a * X[k, c]
        for c in range(columns):
            X[i, c] /= R[i, i]
    for i in range(n - 1, -1, -1):
        for k in range(i + 1, n):
            a = R[k, i]
            for c in range(columns):
                X[i, c] -= a * X[k, c]
        for c in range(columns):
            X[i, c] /= R[i, i]


@kernel
def gather(sw, n, nu, mu, step):
    """Newton system of the free inputs: their block of Q into R, -q - Q step (clamped ones) and -Qux into X."""
    count = 0
    for i in range(nu):
        if sw.free[i] == 1:
            b = 0
            y = -sw.q[n + i]
            for j in range(nu):
                if sw.free[j] == 1:
                    sw.R[count, b] = sw.Q[n + i, n + j]
                    if i == j:
                        sw.R[count, b] += mu * sw.weight[i]
                    b += 1
                else:
                    y -= sw.Q[n + i, n + j] * step[j]
            sw.X[count, n] = y
            for c in range(n):
                sw.X[count, c] = -sw.Q[n + i, c]
            count += 1
    return count


@outlined_kernel
def box(sw, n, nu, mu, u, low, high, step):
    """Box-constrained QP: the step s within low - u and high - u that minimises q . s + s . Q s / 2; -1 where Q is not
    positive definite, else the number of free inputs.

    Projected Newton method on the inputs that are not at an active limit (Bertsekas 1982); their gains are left in X.
    """
    # start: the zero step, clamped to the limits
    down, up, slope = sw.B[0], sw.B[1], sw.B[2]
    for i in range(nu):
        down[i], up[i] = low[i] - u[i], high[i] - u[i]
        step[i] = min(max(0.0, down[i]), up[i])
    count = 0
    for _ in range(20 * nu + 20):
        moved = 0.0
        # active set: inputs at a limit with an outward gradient are clamped; Newton step of the others
        for i in range(nu):
            y = sw.q[n + i] + mu * sw.weight[i] * step[i]
            for j in range(nu):
                y += sw.Q[n + i, n + j] * step[j]
            slope[i] = y
            clamped = (step[i] <= down[i] and y > 0.0) or (step[i] >= up[i] and y < 0.0)
            sw.free[i] = 0 if clamped else 1
        count = gather(sw, n, nu, mu, step)
        if not factored(sw.R, count):
            return -1
        solved(sw.R, count, sw.X, n + 1)
        # projected line search: each input along the Newton step up to its limit, halved until the cost decreases
        size, whole = 1.0, count == nu
        for _ in range(30):
            fall, b, moved = 0.0, 0, 0.0
            for i in range(nu):
                sw.B[3, i] = step[i]
                if sw.free[i] == 1:
                    y = step[i] + size * (sw.X[b, n] - step[i])
                    sw.B[3, i] = min(max(y, down[i]), up[i])
                    whole = whole and y == sw.B[3, i]
                    b += 1
                fall += slope[i] * (sw.B[3, i] - step[i])
                moved = max(moved, abs(sw.B[3, i] - step[i]) / (1e-12 + abs(step[i]) + abs(sw.B[3, i])))
            # change of the quadratic program, against the linear decrease (Armijo)
            change = fall
            for i in range(nu):
                d = sw.B[3, i] - step[i]
                change += 0.5 * mu * sw.weight[i] * d * d
                for j in range(nu):
                    change += 0.5 * d * sw.Q[n + i, n + j] * (sw.B[3, j] - step[j])
            if change <= 0.1 * fall or moved < 1e-10:
                break
            size *= 0.5
            whole = False
        for i in range(nu):
            step[i] = sw.B[3, i]
        if whole or moved < 1e-10:
            break
    return count


@kernel
def expand(sw, k, n, m):
    """Q and q at node k, the quadratic model of cost and cost to go: Q = H + F^T V F, q = g + F^T v."""
    F, W, V = sw.F[k], sw.W, sw.V
    for i in range(n):
        for c in range(m):
            W[i, c] = 0.0
        for j in range(n):
            a = V[i, j]
            for c in range(m):
                W[i, c] += a * F[j, c]
    for i in range(m):
        sw.q[i] = sw.g[k, i]
        for c in range(m):
            sw.Q[i, c] = sw.H[k, i, c]
    for j in range(n):
        for i in range(m):
            a = F[j, i]
            sw.q[i] += a * sw.v[j]
            if a != 0.0:
                for c in range(m):
                    sw.Q[i, c] += a * W[j, c]


@kernel
def go_back(sw, k, n, nu):
    """Cost to go of the policy at node k: V = Qxx + K^T Quu K + K^T Qux + Qxu K, and v likewise."""
    K, s, Q, q, V, v, W = sw.K[k], sw.s[k], sw.Q, sw.q, sw.V, sw.v, sw.W
    for i in range(nu):  # W = Quu K + Qux, and in its last column Quu s + qu
        for c in range(n):
            W[i, c] = Q[n + i, c]
        W[i, n] = q[n + i]
        for j in range(nu):
            a = Q[n + i, n + j]
            for c in range(n):
                W[i, c] += a * K[j, c]
            W[i, n] += a * s[j]
    # V = Qxx + K^T W + Qxu K, v = qx + K^T (Quu s + qu) + Qxu s
    for r in range(n):
        v[r] = q[r]
        for c in range(n):
            V[r, c] = Q[r, c]
    for i in range(nu):
        for r in range(n):
            a, b = K[i, r], Q[n + i, r]
            v[r] += a * W[i, n] + b * s[i]
            for c in range(n):
                V[r, c] += a * W[i, c] + b * K[i, c]
    for r in range(n):
        for c in range(r):
            V[r, c] = V[c, r] = 0.5 * (V[r, c] + V[c, r])


@entry_point
def ddp_backward(sw: Sweep, gd: Penalties, U: Matrix, mu: float) -> int:
    """Backward pass: policy at every node. Returns -1, or the node at which the QP of the inputs is not convex."""
    N, nu = U.shape[0], U.shape[1]
    n = sw.V.shape[0]
    for i in range(n):
        sw.v[i] = sw.g[N, i]
        for j in range(n):
            sw.V[i, j] = sw.H[N, i, j]
    for k in range(N - 1, -1, -1):
        # gradient of the cost to go where the interval leads: v + V gap
        for i in range(n):
            for j in range(n):
                sw.v[i] += sw.V[i, j] * sw.gaps[k + 1, j]
        expand(sw, k, n, n + nu)
        count = box(sw, n, nu, mu, U[k], gd.u_low, gd.u_high, sw.s[k])
        if count < 0:
            return k
        # gains of the free inputs; clamped ones have none
        b = 0
        for i in range(nu):
            for c in range(n):
                sw.K[k, i, c] = sw.X[b, c] if sw.free[i] == 1 else 0.0
            if sw.free[i] == 1:
                b += 1
        go_back(sw, k, n, nu)
    return -1


@entry_point
def ddp_predict(sw: Sweep, out: Vector) -> None:
    """out[0], out[1]: first and second derivative of the cost by alpha along the policy in the linear model."""
    N, nu, n = sw.K.shape[0], sw.K.shape[1], sw.V.shape[0]
    y, z = sw.q, sw.W[0]  # state and inputs, and the next state
    for i in range(n):
        y[i] = 0.0
    out[0] = out[1] = 0.0
    for k in range(N + 1):
        m = n + nu if k < N else n
        for i in range(m - n):
            # inputs of the policy, then first and second derivative of the stage cost
            y[n + i] = sw.s[k, i]
            for j in range(n):
                y[n + i] += sw.K[k, i, j] * y[j]
        for i in range(m):
            out[0] += sw.g[k, i] * y[i]
            a = 0.0
            for j in range(m):
                a += sw.H[k, i, j] * y[j]
            out[1] += y[i] * a
        if k < N:
            # linear model: z = F y + gap
            for i in range(n):
                z[i] = sw.gaps[k + 1, i]
                for j in range(m):
                    z[i] += sw.F[k, i, j] * y[j]
            for i in range(n):
                y[i] = z[i]
