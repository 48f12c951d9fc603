"""What couples with what: patterns, orders, groups of columns, and banded elimination."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import solve_banded

import jourdain as jd
from jourdain.kernels.linalg.banded import factor_band, solve_band
from jourdain.model.coupling_structure import bandwidth, groups, ordering, sparsity


def pendulums(n):
    """Pattern (5 n, 5 n) of the residual of a planar chain of point masses in Cartesian coordinates, (p, v, lambda).

    p' - v; m v' - f + G(p)^T lambda; |p_i - p_(i-1)|^2 - l^2: Fuchs & Arnold 2003, eqs. 1 to 3.
    """
    out = np.zeros((5 * n, 5 * n), bool)
    p, v, force = np.arange(2 * n).reshape(n, 2), 2 * n + np.arange(2 * n).reshape(n, 2), 4 * n + np.arange(n)
    for i in range(n):
        near = [j for j in (i - 1, i, i + 1) if 0 <= j < n]
        for axis in range(2):
            out[p[i, axis], [p[i, axis], v[i, axis]]] = True
            out[v[i, axis], [v[i, axis], *p[near, axis], *force[[j for j in (i, i + 1) if j < n]]]] = True
        out[force[i], p[[j for j in (i - 1, i) if j >= 0]].ravel()] = True
    return out


def separate(pattern, colours):
    """Whether no two columns of a group have a row in common."""
    return all(np.all(pattern[:, colours == c].sum(axis=1) <= 1) for c in range(colours.max() + 1))


@pytest.mark.parametrize("n", [5, 10, 20, 50, 100])
def test_a_chain_of_pendulums_needs_six_differences_for_every_length(n):
    pattern = pendulums(n)
    colours = groups(pattern)
    assert separate(pattern, colours)
    assert np.max(pattern.sum(axis=1)) == 6  # no grouping can do with less
    assert colours.max() + 1 == 6
    if n == 20:
        assert 1.0 - 6 / (5 * n) >= 0.6  # Fuchs & Arnold: at least 60 % of the calls saved


@given(st.integers(1, 30), st.floats(0.01, 0.5), st.integers(0, 2**31))
def test_groups_never_share_a_row(n, density, seed):
    pattern = np.random.default_rng(seed).random((n, n)) < density
    colours = groups(pattern)
    assert len(colours) == n and separate(pattern, colours)
    assert colours.max() + 1 >= np.max(pattern.sum(axis=1))


def test_grouped_differences_give_the_jacobian():
    """A function with the pattern of the chain, differentiated in as many calls as there are groups."""
    pattern = pendulums(12)
    rng = np.random.default_rng(1)
    A = np.where(pattern, rng.normal(size=pattern.shape), 0.0)
    x, h, calls = rng.normal(size=len(A)), 1e-6, 0
    f = lambda y: A @ np.sin(y)  # noqa: E731
    colours, found = groups(pattern), np.zeros_like(A)
    for c in range(colours.max() + 1):
        columns = colours == c
        change = (f(x + h * columns) - f(x - h * columns)) / (2.0 * h)
        calls += 2
        rows, where = np.nonzero(pattern[:, columns])
        found[rows, np.flatnonzero(columns)[where]] = change[rows]
    assert calls == 12
    np.testing.assert_allclose(found, A * np.cos(x), atol=1e-8)


def branches():
    """A trunk with two branches of two bodies each, and one on its own."""
    system = jd.System("tree")
    heavy = dict(mass=1.0, inertia=(0.1, 0.2, 0.3))
    system.add(jd.RigidBody("trunk", **heavy), jd.Revolute("t"))
    for side in "ab":
        system.add(jd.RigidBody(f"{side}1", **heavy), jd.Revolute(f"{side}j1"), to="trunk.origin")
        system.add(jd.RigidBody(f"{side}2", **heavy), jd.Revolute(f"{side}j2"), to=f"{side}1.origin")
    system.add(jd.RigidBody("alone", mass=1.0), jd.Prismatic("x"))
    return system


def test_branches_do_not_couple_until_something_ties_them():
    model = branches().compile()
    place = model.index.v
    pattern = sparsity(model)
    assert pattern[place["t"], place["bj2"]] and pattern[place["aj1"], place["aj2"]]
    assert not pattern[place["aj1"], place["bj1"]] and not pattern[place["x"]].sum() > 1
    # where two entries do not couple, the mass matrix is zero, and the pattern is exact
    M = model.mass_matrix(model.state())
    np.testing.assert_array_equal(M[~pattern], 0.0)
    tied = branches()
    tied.connect(jd.constraints.Spring("s", stiffness=1.0, length=0.5), "a2.origin", "alone.origin")
    pattern = sparsity(tied.compile())
    assert pattern[place["aj2"], place["x"]] and not pattern[place["bj1"], place["x"]]
    touching = branches()
    touching.contact(
        "c",
        jd.Sphere(0.1).at("b2.origin"),
        jd.Sphere(0.1).at("a2.origin"),
        normal=jd.contact.LinearContact(stiffness=1e3),
    )
    pattern = sparsity(touching.compile())
    assert pattern[place["aj1"], place["bj2"]] and not pattern[place["aj1"], place["x"]]


@given(st.integers(3, 40), st.integers(1, 4), st.integers(0, 2**31))
def test_ordering_finds_the_band_of_a_shuffled_chain(n, reach, seed):
    pattern = np.abs(np.subtract.outer(np.arange(n), np.arange(n))) <= min(reach, n - 1)
    shuffle = np.random.default_rng(seed).permutation(n)
    shuffled = pattern[np.ix_(shuffle, shuffle)]
    found = ordering(shuffled)
    assert sorted(found.order) == list(range(n))
    assert bandwidth(shuffled[np.ix_(found.order, found.order)]) == (found.below, found.above)
    # Cuthill and McKee keep within a few of the best; the shuffled pattern is nearly full
    assert found.below + found.above <= max(4 * reach, sum(bandwidth(pattern)))
    assert found.below + found.above <= sum(bandwidth(shuffled))


@numba.njit
def solve(band, kl, ku, pivots, x):
    failed = factor_band(band, kl, ku, pivots)
    if failed == 0:
        solve_band(band, kl, ku, pivots, x)
    return failed


def laid(A, kl, ku):
    n = len(A)
    band = np.zeros((n, 2 * kl + ku + 1), A.dtype)
    for j in range(n):
        for i in range(max(0, j - ku), min(n, j + kl + 1)):
            band[j, kl + ku + i - j] = A[i, j]
    return band


@settings(deadline=None, max_examples=50)
@given(st.integers(1, 25), st.integers(0, 5), st.integers(0, 5), st.booleans(), st.integers(0, 2**31))
def test_banded_elimination_against_lapack(n, kl, ku, complex_too, seed):
    kl, ku = min(kl, n - 1), min(ku, n - 1)
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(n, n)) + (1j * rng.normal(size=(n, n)) if complex_too else 0.0)
    A = np.triu(np.tril(A, ku), -kl)
    A[0, 0] *= 1e-9  # asks for a pivot
    b = rng.normal(size=n).astype(A.dtype)
    if np.linalg.cond(A) > 1e9:
        return
    ab = np.zeros((kl + ku + 1, n), A.dtype)
    for i, j in zip(*np.nonzero(A), strict=True):
        ab[ku + i - j, j] = A[i, j]
    x = b.copy()
    assert solve(laid(A, kl, ku), kl, ku, np.zeros(n, np.int64), x) == 0
    wanted = solve_banded((kl, ku), ab, b)
    # both eliminate with row pivoting: they differ by rounding times the condition
    np.testing.assert_allclose(x, wanted, atol=1e-15 * np.linalg.cond(A) * np.max(np.abs(wanted)) * n + 1e-14)


def test_a_matrix_without_pivot_is_told():
    A = np.diag([1.0, 0.0, 2.0])
    assert solve(laid(A, 1, 1), 1, 1, np.zeros(3, np.int64), np.ones(3)) == 2


def test_derivatives_of_a_linear_system_serve_every_step_size():
    """Fuchs & Arnold 2003, eq. 15: with constant derivatives another step size takes no function call."""
    system = jd.System("springs", gravity=(0, 0, 0))
    to = "world"
    for i in range(4):
        joint = jd.Prismatic(f"x{i}", axis="x", stiffness=30.0 + i, damping=0.5)
        system.add(jd.RigidBody(f"m{i}", mass=1.0 + i), joint, to=to)
        to = f"m{i}.origin"
    model = system.compile()
    rng = np.random.default_rng(2)
    old, new = (model.state(rng.normal(size=4), rng.normal(size=4)) for _ in range(2))
    K, C, M = model.inverse_dynamics_derivatives(old)
    again = model.inverse_dynamics_derivatives(new)
    for alpha in (10.0, 37.0, 1e3):
        updated = K + alpha * C + alpha * alpha * M
        fresh = again.dq + alpha * again.dv + alpha * alpha * again.mass_matrix
        np.testing.assert_allclose(updated, fresh, rtol=1e-14)
