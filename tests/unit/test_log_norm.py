"""Logarithmic norms: the digest's numbers of Boikov & Boikova, and what they bound."""

import numpy as np
import pytest
from scipy.linalg import expm

import jourdain as jd

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
