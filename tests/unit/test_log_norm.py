"""Logarithmic norms: the digest's numbers of Boikov & Boikova, and what they bound."""

import numpy as np
import pytest
from scipy.linalg import expm

import jourdain as jd
from jourdain.errors import ModelError

c = jd.control
A = np.array([[-2.0, 1.0], [0.5, -1.0]])
B = np.array([[-1.0, 4.0], [0.0, -1.0]])


def test_numbers_of_the_digest():
    assert c.log_norm(A, 1) == 0.0 and c.log_norm(A, np.inf) == -0.5
    assert c.log_norm(A) == pytest.approx(-0.5986122, abs=5e-8)
    assert np.sort(np.linalg.eigvals(A)) == pytest.approx([-2.3660, -0.6340], abs=5e-5)
    assert c.log_norm(B) == pytest.approx(1.0, abs=1e-14)


def test_it_is_the_limit_of_its_definition(rng):
    for M in rng.normal(size=(5, 4, 4)):
        for p in (1, 2, np.inf):
            h = 1e-7
            assert (np.linalg.norm(np.eye(4) + h * M, p) - 1) / h == pytest.approx(c.log_norm(M, p), abs=1e-5)


def test_it_bounds_exponentials_in_every_norm(rng):
    for M in rng.normal(size=(5, 3, 3)):
        P = rng.normal(size=(3, 3)) + 3 * np.eye(3)
        for t in (0.1, 1.0):
            for p in (1, 2, np.inf):
                assert np.linalg.norm(expm(t * M), p) <= np.exp(c.log_norm(M, p) * t) * (1 + 1e-12)
                inside = P @ expm(t * M) @ np.linalg.inv(P)
                assert np.linalg.norm(inside, p) <= np.exp(c.log_norm(M, p, P) * t) * (1 + 1e-9)


def test_a_norm_is_made_for_a_stable_matrix(rng):
    for part in (0.0, 0.5, 0.99):
        assert c.log_norm(B, weight=c.norm_weight(B, part)) < -part
    with pytest.raises(jd.errors.ModelError, match="real part 1"):
        c.norm_weight(np.eye(2))


def test_certificates():
    """x' = -x^3: the mean slope from 0 to u is -u^2. Of a damped pendulum, hanging, in its own norm: up to where
    the rate that is found turns positive it is stable; about its upper rest never."""
    cubic = c.certify(lambda x: -3.0 * x[:, None] ** 2, size=1, radius=0.5)
    assert cubic.stable and not cubic.asymptotic and cubic.rate == pytest.approx(-(cubic.worst[0] ** 2), rel=1e-10)

    def slope(sign):
        return lambda x: np.array([[0.0, 1.0], [-sign * np.cos(x[0]), -1.0]])

    P = c.norm_weight(slope(1.0)(np.zeros(2)), 0.5)
    near = c.certify(slope(1.0), size=2, radius=0.3, weight=P)
    assert near.stable and near.asymptotic and near.rate < -0.2
    assert not c.certify(slope(1.0), size=2, radius=20.0, weight=P).stable
    assert not c.certify(slope(-1.0), size=2, radius=0.3).stable


def test_bounds_along_a_solution():
    """Of x' = a(t) x the bound is the solution; of matrices it is above."""
    t = np.linspace(0.0, 2.0, 2001)
    found = c.solution_bound(t, np.cos(3 * t)[:, None, None])
    assert found == pytest.approx(np.exp(np.sin(3 * t) / 3), abs=1e-6)
    norms = [np.linalg.norm(expm(B * s), 2) for s in t[::200]]
    assert np.all(norms <= c.solution_bound(t, B)[::200] * (1 + 1e-12))


def test_mistakes():
    for call, told in (
        (lambda: c.log_norm(np.zeros((2, 3))), "square"), (lambda: c.log_norm(A, 3), "1, 2 or np.inf"),
        (lambda: c.log_norm(A, weight=np.eye(3)), "as A has"), (lambda: c.solution_bound([0.0], A), "rising"),
        (lambda: c.certify(lambda x: A, 2, -1.0), "positive"),
    ):  # fmt: skip
        with pytest.raises(jd.errors.ModelError, match=told):
            call()


def delayed_run(A, B, delay, past, until, n=200):
    """x' = A x(t) + B x(t - delay) from a constant past, step by step by the classical Runge-Kutta method; what is late
    at half steps is a cubic through values and slopes."""
    h = delay / n
    x, f = [past], [A @ past + B @ past]

    def late(k, half):
        i = k - n
        if i < 0:
            return past
        if not half:
            return x[i]
        return 0.5 * (x[i] + x[i + 1]) + h / 8 * (f[i] - f[i + 1]) if i + 1 < len(x) else x[i]

    for k in range(int(until / h)):
        y0, y1, y2 = late(k, False), late(k, True), late(k + 1, False)
        k1 = A @ x[k] + B @ y0
        k2 = A @ (x[k] + h / 2 * k1) + B @ y1
        k3 = A @ (x[k] + h / 2 * k2) + B @ y1
        k4 = A @ (x[k] + h * k3) + B @ y2
        x.append(x[k] + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4))
        f.append(A @ x[-1] + B @ y2)
    return h * np.arange(len(x)), np.array(x)


def test_bounds_of_delays_hold_and_are_met():
    """Halanay 1966: no solution is above the bound, in any norm; a scalar one with b > 0 comes to fall at its rate."""
    one = c.delay_bound([[-2.0]], [[1.0]], 1.0)
    assert one.rate == pytest.approx(-2.0 + np.exp(-one.rate), abs=1e-12) and one.stable
    assert one.rate == pytest.approx(-0.4428544, abs=5e-8)
    t, x = delayed_run(np.array([[-2.0]]), np.array([[1.0]]), 1.0, np.ones(1), 20.0)
    late = t > 15.0
    # the slowest root of s = -2 + exp(-s) beside it has a real part of -2.2
    assert np.polyfit(t[late], np.log(x[late, 0]), 1)[0] == pytest.approx(one.rate, abs=1e-7)
    rng = np.random.default_rng(4)
    for trial in range(6):
        A, B = rng.normal(size=(3, 3)) - 2.5 * np.eye(3), (0.4 + 0.4 * trial) * rng.normal(size=(3, 3))
        t, x = delayed_run(A, B, 0.7, rng.normal(size=3), 5.0)
        for norm in (1, 2, np.inf):
            for P in (np.eye(3), c.norm_weight(A) if np.max(np.linalg.eigvals(A).real) < 0 else np.eye(3)):
                found = c.delay_bound(A, B, 0.7, norm, P)
                size = np.linalg.norm(x @ P.T, norm, axis=1)
                start = size[0] * max(1.0, np.exp(0.7 * found.rate))
                assert np.all(size <= start * np.exp(found.rate * t) * (1 + 1e-9))
                assert found.stable == (found.own + found.delayed[0] < 0.0)
    two = c.delay_bound(-3.0 * np.eye(2), [0.5 * np.eye(2), np.eye(2)], [0.3, 2.0])
    assert two.rate == pytest.approx(-3.0 + 0.5 * np.exp(-0.3 * two.rate) + np.exp(-2.0 * two.rate), abs=1e-12)
    for wrong in ((np.eye(3), 1.0), (np.eye(2), -1.0), (np.eye(2), [1.0, 2.0])):
        with pytest.raises(ModelError):
            c.delay_bound(-np.eye(2), *wrong)


def test_certificates_with_delays():
    """x' = -2 x - x^3 + b sin(x(t - 1)): stable for |b| < 2, and so says it."""
    for b, stable in ((1.5, True), (-1.9, True), (2.5, False)):
        found = c.certify_delays(
            lambda x, y, b=b: (-2.0 - 3.0 * x[:, None] ** 2, b * np.cos(y)[:, None]), [1.0], 1, 0.5, samples=64
        )
        assert found.stable is stable
        assert found.rate <= c.delay_bound([[-2.0]], [[b]], 1.0).rate + 1e-9


def test_maps_come_nearer_by_the_factor_that_is_found(rng):
    """Theorem 2.3: |f(u)| <= factor |u| all over the ball, in every norm; a map that only stretches meets it."""
    M = rng.normal(size=(3, 3))
    M *= 0.7 / np.linalg.norm(M, 2)

    def f(x):
        return M @ np.tanh(x)

    def slope(x):
        return M / np.cosh(x) ** 2

    for norm in (1, 2, np.inf):
        found = c.certify_map(slope, 3, 1.0, norm, samples=128)
        # the means tanh(s) / s are largest at 0, and samples begin at a thousandth of the radius: 1 - 1e-6 / 3
        assert found.factor == pytest.approx(np.linalg.norm(M, norm), rel=1e-3)
        for u in rng.normal(size=(200, 3)):
            u /= max(1.0, np.linalg.norm(u))
            assert np.linalg.norm(f(u), norm) <= np.linalg.norm(M, norm) * np.linalg.norm(u, norm)
            assert np.linalg.norm(f(u), norm) <= found.factor * (1 + 1e-3) * np.linalg.norm(u, norm)
    assert c.certify_map(slope, 3, 1.0).asymptotic
    stretched = c.certify_map(lambda x: np.diag([0.9, -0.4]), 2, 1.0)
    assert stretched.factor == pytest.approx(0.9, abs=1e-14) and stretched.stable
    cubic = c.certify_map(lambda x: 1.0 - 3.0 * x[:, None] ** 2, 1, 0.5)  # x - x^3: slope 1 at the rest
    assert cubic.stable and cubic.factor == pytest.approx(1.0 - cubic.worst[0] ** 2, abs=1e-14)
    assert not c.certify_map(lambda x: 1.0 + 3.0 * x[:, None] ** 2, 1, 0.5).stable


def test_moduli_of_eigenvalues_do_where_eigenvectors_are_orthogonal(rng):
    """Theorem 2.4: of normal matrices the factor is the largest modulus; of others it is above, and a norm is found in
    which it comes as near as wanted."""
    Q = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    turn = 0.8 * np.array([[np.cos(1.0), -np.sin(1.0), 0.0], [np.sin(1.0), np.cos(1.0), 0.0], [0.0, 0.0, -0.3]])
    normal = Q @ turn @ Q.T
    assert c.certify_map(lambda x: normal, 3, 1.0).factor == pytest.approx(0.8, abs=1e-13)
    shear = np.array([[0.5, 3.0], [0.0, 0.5]])
    assert not c.certify_map(lambda x: shear, 2, 1.0).stable  # though it dies out
    for part in (0.0, 0.5, 0.99):
        assert c.certify_map(lambda x: shear, 2, 1.0, weight=c.map_weight(shear, part)).factor < 0.5**part
    with pytest.raises(ModelError, match="modulus 1"):
        c.map_weight(np.eye(2))


def test_a_small_parameter():
    """Theorems 2.6 and 2.7: no run is above the bounds, for every mu up to the largest; linear runs meet them."""
    from scipy.integrate import solve_ivp

    def slow(x, y, mu):  # of Q = -(1 + y^2) x + 0.4 [x_2, x_1]
        return -(1.0 + y[0] ** 2) * np.eye(2) + 0.4 * np.array([[0.0, 1.0], [1.0, 0.0]])

    def fast(x, y, mu):  # of H = -3 y - x_1^2 y^3
        return [[-3.0 - 3.0 * x[0] ** 2 * y[0] ** 2]]

    largest = 0.1
    found = c.certify_perturbed(slow, fast, (2, 1), 1.0, largest)
    # the smallest y^2 and x^2 y^2 that are sampled are 1e-6 and 1e-12 of the ball
    assert found.slow == pytest.approx(-0.6, abs=1e-4) and found.fast == pytest.approx(-3.0, abs=1e-6)
    assert found.stable and found.asymptotic and found.rate == max(found.slow, found.fast / largest)
    for mu in (0.1, 0.01, 1e-3):

        def rates(t, s, mu=mu):
            x, y = s[:2], s[2]
            return [*(-(1 + y * y) * x + 0.4 * x[::-1]), (-3.0 * y - x[0] ** 2 * y**3) / mu]

        run = solve_ivp(rates, (0.0, 3.0), [0.7, 0.7, 0.9], "Radau", rtol=1e-10, atol=1e-13, dense_output=True)
        t = np.linspace(0.0, 3.0, 301)
        x, y = np.linalg.norm(run.sol(t)[:2], axis=0), np.abs(run.sol(t)[2])
        assert np.all(x <= x[0] * np.exp(found.slow * t) * (1 + 1e-6))
        assert np.all(y <= y[0] * np.exp(found.fast * t / mu) * (1 + 1e-6) + 1e-12)
        assert np.log(x[-1] / x[200]) == pytest.approx(found.slow * (t[-1] - t[200]), abs=1e-3)  # y is gone: it is met
    line = c.certify_perturbed(lambda x, y, mu: [[-2.0]], lambda x, y, mu: [[-3.0]], (1, 1), 1.0, 2.0)
    assert (line.slow, line.fast, line.rate) == pytest.approx((-2.0, -3.0, -1.5), abs=1e-14)
    assert not c.certify_perturbed(lambda x, y, mu: [[-1.0 + 2 * y[0]]], fast, (1, 1), 1.0, 0.1).stable
    for wrong in ({"mu": 0.0}, {"mu": "x"}, {"sizes": 2}, {"radius": -1.0}):
        with pytest.raises(ModelError):
            c.certify_perturbed(slow, fast, **{"sizes": (2, 1), "radius": 1.0, "mu": 0.1} | wrong)


def test_by_comparison_with_linear_operators():
    """Theorem 3.1: what is left over adds to the rate (eq. 3.7). The scalar x' = -a x + b x beside -a has -a + |b|, and
    for b > 0 it is met; a run of two states is never above; with an operator that is exact nothing is added."""
    from scipy.integrate import solve_ivp

    one = c.certify_comparison(lambda t, x: (-1.0 + 0.25) * x, lambda t, z: [[-1.0]], 1, 1.0)
    assert one.rate == pytest.approx(-0.75, abs=1e-14) and one.stable and one.asymptotic

    def f(t, x):
        return np.array([-x[0] + np.sin(t) * x[1] + 0.3 * x[0] * x[1], -np.sin(t) * x[0] - x[1] - x[1] ** 3])

    def turning(t, z):
        return np.array([[-1.0, np.sin(t)], [-np.sin(t), -1.0]])

    times = np.linspace(0.0, 2 * np.pi, 9)
    found = c.certify_comparison(f, turning, 2, 0.5, times)
    assert found.stable and found.samples == 9 * 512
    # the cubic part is below 0.15 |x| + 0.25 |x|, so that the rate is below -0.6
    assert -1.0 < found.rate < -0.6
    run = solve_ivp(f, (0.0, 6.0), [0.3, 0.39], rtol=1e-10, atol=1e-13, dense_output=True)
    t = np.linspace(0.0, 6.0, 301)
    size = np.linalg.norm(run.sol(t), axis=0)
    assert np.all(size <= size[0] * np.exp(found.rate * t) * (1 + 1e-7))

    def exact(t, z):
        return np.array([[-1.0 + 0.3 * z[1], np.sin(t)], [-np.sin(t), -1.0 - z[1] ** 2]])

    near = c.certify_comparison(f, exact, 2, 0.5, times)
    # in Euclid's norm the turning part drops out (Re L): what is left is the worse diagonal entry
    assert near.rate == pytest.approx(-1.0 + 0.3 * near.worst[1], abs=1e-12) and near.rate <= found.rate
    for norm in (1, np.inf):
        assert c.certify_comparison(f, turning, 2, 0.1, [0.0], norm).stable
    assert not c.certify_comparison(lambda t, x: x, lambda t, z: [[1.0]], 1, 1.0).stable
    with pytest.raises(ModelError, match="times"):
        c.certify_comparison(f, turning, 2, 0.5, "soon")
