"""Which entries follow the others where constraints bind a linear model: the projective criterion, and its purpose."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

import jourdain as jd
from jourdain.model.linear.constrained import _dependent, _follow, bound, projections


def ratios(A, M):
    """The criterion as it is written: sqrt([A^T (A M^-1 A^T)^-1 A]_kk / M_kk)."""
    across = A.T @ np.linalg.solve(A @ np.linalg.solve(M, A.T), A)
    return np.sqrt(np.diag(across) / np.diag(M))


def chosen(A, M):
    none = np.zeros(len(M), bool)
    return _dependent(projections(A, M), none, none)


def random_rows(rng, n, r):
    """Rows, and a mass matrix whose entries have units of their own."""
    Q, units = rng.normal(size=(n, n)), 10.0 ** rng.uniform(-2.0, 2.0, n)
    return rng.normal(size=(r, n)), (Q @ Q.T + 0.2 * n * np.eye(n)) * units * units[:, None]


def test_a_pendulum_in_its_two_coordinates():
    """On a circle at the angle alpha: |cos alpha| and |sin alpha|; the larger coordinate of the two follows."""
    for alpha in np.radians((10.0, 40.0, 50.0, 80.0)):
        row = np.array([[np.cos(alpha), np.sin(alpha)]])
        lengths = np.linalg.norm(projections(row, 3.0 * np.eye(2)), axis=0)
        np.testing.assert_allclose(lengths, np.abs([np.cos(alpha), np.sin(alpha)]), atol=1e-14)
        assert chosen(row, 3.0 * np.eye(2)).tolist() == [alpha < np.pi / 4, alpha > np.pi / 4]


def test_it_is_the_formula(rng):
    for _ in range(50):
        n = int(rng.integers(2, 9))
        A, M = random_rows(rng, n, int(rng.integers(1, n)))
        S = projections(A, M)
        np.testing.assert_allclose(np.linalg.norm(S, axis=0), ratios(A, M), atol=1e-9)
        assert np.all(np.linalg.norm(S, axis=0) < 1.0 + 1e-12)
        first = int(np.argmax(ratios(A, M)))
        assert chosen(A, M)[first] and np.sum(chosen(A, M)) == len(A)


def test_it_does_not_depend_on_how_the_rows_are_written(rng):
    """Other units of rows and of entries, combinations of rows, a row twice: the same entries follow."""
    for _ in range(50):
        n = int(rng.integers(3, 9))
        A, M = random_rows(rng, n, int(rng.integers(2, n)))
        mixed = rng.normal(size=(len(A), len(A))) @ A * 10.0 ** rng.uniform(-2.0, 2.0)
        units = 10.0 ** rng.uniform(-2.0, 2.0, n)
        for other, mass in ((mixed, M), (np.vstack([A, mixed]), M), (A * units, M * units * units[:, None])):
            assert chosen(other, mass).tolist() == chosen(A, M).tolist()


def strays(A, M, dependent):
    """How far corrections of violations, of all directions alike, go along the constraints in the metric of M."""
    X, D = _follow(A, dependent)
    L = np.linalg.cholesky(M)
    violations = np.linalg.cholesky(A @ np.linalg.solve(M, A.T))
    along = np.linalg.qr(L.T @ X)[0]
    return np.linalg.norm(along.T @ (L.T @ D @ violations))


def test_corrections_disturb_the_motion_little(rng):
    """What the criterion is for (Terze & Lefeber): against all choices that there are, it is nearly the best."""
    over = []
    for _ in range(100):
        n = int(rng.integers(3, 7))
        A, M = random_rows(rng, n, int(rng.integers(1, n)))
        found = []
        for entries in combinations(range(n), len(A)):
            dependent = np.isin(np.arange(n), entries)
            if np.linalg.cond(A[:, dependent]) < 1e6:
                found.append(strays(A, M, dependent))
        over.append([strays(A, M, chosen(A, M)) / min(found), np.median(found) / min(found)])
    best, usual = np.array(over).T
    assert np.max(best) < 3.0 and np.mean(best < 1.0 + 1e-9) > 0.75
    assert np.median(usual) > 1.5 and np.max(usual) > 20.0


ROWS = np.array([[-1.0, -2.0, 0.5, 1.0], [0.0, -1.0, 0.2, 1.0]])


def slides(mixed):
    """Four sliders on springs, coupled by combinations of two rows."""
    system = jd.System("slides")
    for i, mass in enumerate((1.0, 4.0, 9.0, 2.0)):
        joint = jd.Prismatic(f"x{i}", axis="x", stiffness=10.0 * (i + 1))
        system.add(jd.RigidBody(f"body{i}", mass, inertia=(1, 1, 1)), joint, position=(0, i, 0))
    for k, row in enumerate(np.asarray(mixed) @ ROWS):
        system.couple(f"row{k}", {f"x{i}": float(one) for i, one in enumerate(row) if one})
    return system.compile()


@pytest.mark.parametrize("mixed", [[[1, 50], [0, 1]], [[1, 0], [3, -0.1]], [[1, -3], [3, -0.1]]])
def test_states_of_a_linear_model(mixed):
    """The same constraints, written otherwise, have the same states and the same matrix."""
    plain, other = (slides(one).linearize(slides(one).state()) for one in (np.eye(2), mixed))
    assert other.states == plain.states
    np.testing.assert_allclose(other.A, plain.A, atol=1e-9)


def test_nothing_free_and_nothing_bound():
    model = slides(np.eye(2))
    state, mass = model.state(), model.mass_matrix(model.state().q)
    held = bound(model, state, np.zeros(0, int), mass)
    assert held.moving.size == held.placed.size == 0
    assert projections(np.zeros((0, 3)), np.eye(3)).shape == (0, 3)
    assert projections(np.zeros((2, 3)), np.eye(3)).shape == (0, 3)
