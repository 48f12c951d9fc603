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
