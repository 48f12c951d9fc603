"""The solver by stages: its matrices beside dense ones, its optima beside IPOPT's, and what it hands over."""

from __future__ import annotations

import numpy as np
import pytest
from control_arms import planar_arm, spatial_arm
from installed import needs
from optimal_systems import BEAD, CART, ODD, OSCILLATOR, ROCKET, SWING, flyer_reach

import jourdain as jd
from jourdain.methods.optimal import collocation
from jourdain.methods.optimal.guesses import first_guess, sizes
from jourdain.methods.optimal.interior import Equations, SlackProgram, stage_minimise
from jourdain.methods.optimal.schemes import POINTS, even_mesh, scheme_named
from jourdain.methods.optimal.stage_structure import StageMatrix, stages_of
from jourdain.methods.optimal.transcription import Transcription

needs("casadi")
o = jd.optimal


def staged(seed, own=(12, 9, 15, 10), border=2, zero=0.5):
    """A random symmetric matrix in stages with a part of its diagonal zero: coordinates, numbers, stages, dense."""
    rng = np.random.default_rng(seed)
    stage = rng.permutation(np.repeat(np.arange(len(own) + 1), [*own, border]))
    last = len(own)
    i, j = np.tril_indices(len(stage))
    low, high = np.minimum(stage[i], stage[j]), np.maximum(stage[i], stage[j])
    kept = ((high - low <= 1) | (high == last)) & ((i == j) | (rng.random(len(i)) < 0.6))
    rows, columns = i[kept], j[kept]
    values = rng.normal(size=len(rows)) * 10.0 ** rng.uniform(-2, 2, len(rows))
    values[(rows == columns) & (rng.random(len(rows)) < zero)] = 0.0
    dense = np.zeros((len(stage), len(stage)))
    dense[rows, columns] = values
    dense = dense + np.tril(dense, -1).T
    return rows, columns, values, stage, last, dense


@pytest.mark.parametrize("seed", range(12))
def test_matrices_beside_dense_ones(seed):
    """Solutions to what the condition leaves of rounding, and signs of eigenvalues; coordinates may come twice."""
    rows, columns, values, stage, last, dense = staged(seed, border=seed % 3, zero=0.1 * (seed % 8))
    rng = np.random.default_rng(100 + seed)
    twice = np.concatenate([np.arange(len(rows)), [0, 1]])
    numbers = values[twice]
    numbers[[0, 1, -2, -1]] *= 0.5
    matrix = StageMatrix(rows[twice], columns[twice], stage, rng.random(len(stage)), last)
    negative, weak = matrix.factor(numbers)
    assert weak == 0 and negative == int(np.sum(np.linalg.eigvalsh(dense) < 0.0))
    b = rng.normal(size=len(stage))
    x, off = matrix.solve(b)
    exact = np.linalg.solve(dense, b)
    assert off < 1e-10
    assert np.max(np.abs(x - exact)) <= 1e-14 * np.linalg.cond(dense) * np.max(np.abs(exact))


def test_a_singular_matrix_is_told():
    """Two equal rows between stages: what is left of one is rounding."""
    stage, rows, columns = np.array([0, 0, 1, 1]), np.array([0, 1, 2, 3, 2, 3]), np.array([0, 1, 0, 0, 1, 1])
    values = np.array([2.0, 3.0, 1.0, 1.0, 1.0, 1.0])  # rows of stage 1 are the same constraint twice
    matrix = StageMatrix(rows, columns, stage, np.arange(4), 2)
    assert matrix.factor(values)[1] > 0


def test_stages_reach_no_further_than_the_next():
    rows, columns, _, stage, last, _ = staged(1)
    far = np.flatnonzero(stage == 0)[0], np.flatnonzero(stage == 2)[0]
    with pytest.raises(AssertionError, match="more than the next"):
        StageMatrix(np.append(rows, max(far)), np.append(columns, min(far)), stage, np.arange(len(stage)), last)


NAMES = ("double integrator", "least time", "Bryson-Denham", "brachistochrone", "brachistochrone with a floor",
         "Van der Pol", "Goddard", "swing", "parameter", "periodic, with a limited output", "planar arm",
         "free flyer")  # fmt: skip


@pytest.fixture(scope="module")
def classics():
    """Problems that are convex or not, with and without a final time to be found, limits of all kinds, parameters."""
    cart, rest = {"x": 0.0, "v": 0.0}, {"x": 3.0, "v": 0.0}
    bead, limits = {"x": 0, "y": 0, "v": 0}, {"angle": (0.0, 1.6)}
    rocket = {"thrust": (0.0, 3.5), "h": (1.0, 2.0), "v": (0.0, 1.0), "m": (0.6, 1.0)}
    arm = planar_arm(2, gravity=0.0)
    seven = spatial_arm()
    tight = {"effort:j0": (-60.0, 60.0), "effort:j1": (-30.0, 30.0), "v:j1": (-2.5, 2.5), "l1.tip.x": (None, 1.9)}
    return {
        "double integrator": (o.Problem(CART, cart, until=1.0, end={"x": 1, "v": 0}, cost=o.effort()), {}),
        "least time": (
            o.Problem(CART, cart, until=(0.1, 20), end=rest, cost=o.time(), limits={"u": (-0.5, 0.5)}),
            {},
        ),
        "Bryson-Denham": (
            o.Problem(
                CART, {"x": 0.0, "v": 1.0}, until=1.0, end={"x": 0.0, "v": -1.0}, cost=0.5 * o.effort(),
                limits={"x": (None, 1 / 9)},
            ),
            {"intervals": 30},
        ),
        "brachistochrone": (
            o.Problem(BEAD, bead, until=(0.1, 2.0), end={"x": 1.0}, cost=o.time(), limits=limits),
            {"scheme": "radau"},
        ),
        "brachistochrone with a floor": (
            o.Problem(
                BEAD, bead, until=(0.1, 2.0), end={"x": 1.0}, cost=o.time(), limits={**limits, "y": (0.0, 0.3)}
            ),
            {"scheme": "radau"},
        ),
        "Van der Pol": (
            o.Problem(
                OSCILLATOR, {"x1": 0, "x2": 1}, until=5.0, cost=o.square("x1") + o.square("x2") + o.effort(),
                limits={"u": (-0.3, 1.0)},
            ),
            {"intervals": 60, "scheme": "radau"},
        ),
        "Goddard": (
            o.Problem(
                ROCKET, {"h": 1, "v": 0, "m": 1}, until=(0.05, 0.5), end={"m": 0.6}, cost=-o.final("h"), limits=rocket
            ),
            {"intervals": 60},
        ),
        "swing": (
            o.Problem(SWING, cart, until=1.0, end={"x": 1.5, "v": 0}, cost=o.effort()),
            {"scheme": "trapezoidal"},
        ),
        "parameter": (
            o.Problem(
                SWING, {"x": 0.0, "v": 0.4}, until=2.0, end={"x": 0.0}, cost=o.effort(), unknowns={"k": (1.0, 4.0)}
            ),
            {"intervals": 30},
        ),
        "periodic, with a limited output": (
            o.Problem(
                ODD, {"x": 0.1, "v": 0.2}, until=(0.5, 3.0), periodic=["v"], limits={"power": (-60.0, 60.0)},
                cost=o.effort() + 2.0 * o.time() + 0.5 * o.final_square("x", 1.0),
            ),
            {},
        ),
        "planar arm": (
            o.Problem(
                arm, arm.state(q={"j0": 0.2, "j1": 0.4}), until=1.0, end={"j0": 1.0, "j1": -0.4}, cost=o.effort(),
                limits=tight,
            ),
            {},
        ),
        "free flyer": (flyer_reach(), {"intervals": 16}),
        "seven axes": (o.Problem(seven, seven.state(), until=1.0, end={"j1": 0.5}, cost=o.effort()), {}),
    }  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_optima_are_those_of_ipopt(name, classics, monkeypatch):
    """One cost to the accuracy of both, without IPOPT's help; costates too."""
    problem, options = classics[name]
    wanted = problem.solve(**options)
    monkeypatch.setattr(collocation, "minimise", None)
    found = problem.solve(solver="stage", **options)
    assert found.converged and found.cost == pytest.approx(wanted.cost, rel=1e-6, abs=1e-7)
    scale = 1.0 + np.max(np.abs(wanted.costates))
    assert np.max(np.abs(found.costates - wanted.costates)) < 1e-3 * scale


@pytest.mark.parametrize("scheme", POINTS)
@pytest.mark.parametrize("name", ["seven axes", "least time", "periodic, with a limited output"])
def test_matrices_of_steps(name, scheme, classics):
    """Signs of eigenvalues beside a dense matrix, with and without what makes them right; and solutions without a
    second look, which would hide a wrong number in the factors: that would leave a residual of order one."""
    problem, _ = classics[name]
    mesh, rng = even_mesh(scheme_named(scheme), 6), np.random.default_rng(5)
    point = first_guess(problem, mesh, None)
    program = Transcription(problem.task, mesh, sizes(problem, mesh, point), "exact")
    slacked = SlackProgram(program, program.unknowns(point))
    equations = Equations(slacked, stages_of(program), 7)
    w, y = slacked.start + 0.01 * rng.normal(size=slacked.count), rng.normal(size=slacked.m)
    matrix, right = equations.matrix, []
    matrix.allowed = np.cumsum(matrix.own)  # to the end, whatever the inertia is
    for more in (0.0, 1e-3, 1e3):
        stiffness = 10.0 ** rng.uniform(-3, 1, slacked.count)
        right.append(equations.factor(slacked.hessian(w, y), slacked.partials(w), stiffness, more, 0.0))
        dense = np.zeros((slacked.m + len(slacked.free),) * 2)
        np.add.at(dense, (matrix.rows, matrix.columns), matrix.values)
        dense = np.tril(dense) + np.tril(dense, -1).T
        signs = np.linalg.eigvalsh(dense)
        assert matrix.factor(matrix.values) == (np.sum(signs < 0.0), 0)
        assert matrix.solve(rng.normal(size=len(dense)), rounds=0)[1] < 1e-9
        equations.matrix.expect(np.bincount(stages_of(program)[1], minlength=8))
        assert (matrix.factor(matrix.values)[0] == slacked.m) == right[-1] == (np.sum(signs < 0.0) == slacked.m)
        matrix.allowed = np.cumsum(matrix.own)
    assert right[-1]


@pytest.mark.parametrize("scheme", POINTS)
def test_conditions_of_an_optimum(scheme, classics):
    """What the solver leaves fulfils those of Karush, Kuhn and Tucker, with multipliers in the program's own scale."""
    problem, _ = classics["planar arm"]
    mesh = even_mesh(scheme_named(scheme), 12)
    point = first_guess(problem, mesh, None)
    program = Transcription(problem.task, mesh, sizes(problem, mesh, point), "exact")
    found = stage_minimise(program, program.unknowns(point), stages_of(program), 1e-9, 200)
    assert found.solved
    pull = np.bincount(
        program.jacobian_at[1], program.jacobian(found.x) * found.multipliers[program.jacobian_at[0]], program.count
    )
    free = program.x_low < program.x_high
    slope = program.gradient(found.x) + pull - found.bound_low + found.bound_high
    assert np.max(np.abs(slope[free])) < 1e-6 * (1.0 + np.max(np.abs(found.multipliers)))
    assert np.all(found.bound_low >= 0.0) and np.all(found.bound_high >= 0.0)
    rows = program.constraints(found.x)
    slip = 2e-8 * (1.0 + np.abs(rows))
    assert np.all(rows >= program.g_low - slip) and np.all(rows <= program.g_high + slip)
    gap = np.where(np.isfinite(program.x_high), program.x_high - found.x, 0.0)
    assert np.max(np.abs(gap * found.bound_high)[free]) < 1e-6


def test_what_it_cannot_solve_goes_to_ipopt():
    """Half the distance is all that the effort reaches: the same words, and without the check the same end."""
    problem = o.Problem(
        CART, {"x": 0, "v": 0}, until=1.0, end={"x": 1.0, "v": 0.0}, cost=o.effort(), limits={"u": (-2.0, 2.0)}
    )
    with pytest.raises(jd.JourdainError, match=r"end: x is missed by 0\.5, held back by .*limits: u"):
        problem.solve(solver="stage")
    ours, theirs = (problem.solve(solver=one, check=False, allow_unconverged=True) for one in ("stage", "ipopt"))
    assert not ours.converged and ours.status == theirs.status and ours.iterations > theirs.iterations


def test_words_that_it_does_not_know(classics):
    problem, _ = classics["double integrator"]
    with pytest.raises(jd.JourdainError, match='solver: got .stages.; did you mean "stage"'):
        problem.solve(solver="stages")
    with pytest.raises(jd.JourdainError, match='hessian: "l-bfgs" is IPOPT'):
        problem.solve(solver="stage", hessian="l-bfgs")
