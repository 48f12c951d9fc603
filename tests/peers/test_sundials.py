"""Implicit runs against the public codes IDA and CVODE of SUNDIALS, on random systems with and without constraints."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd

ida = pytest.importorskip("sksundae.ida", reason="scikit-sundae is not installed; the extra `peers` brings it")
cvode = pytest.importorskip("sksundae.cvode")

UNTIL = 0.5


def chain(seed: int, closed: bool) -> tuple[jd.Model, jd.State]:
    """Four links on axes at random, springs and dampers in the joints; closed by a rod to a point of the world."""
    random = np.random.default_rng(seed)
    system = jd.System("chain", gravity=(0, 0, -9.81))
    for i in range(4):
        mass, size = random.uniform(0.5, 2.0), random.uniform(0.3, 0.6)
        link = jd.RigidBody(
            f"link{i}",
            mass=mass,
            com=(0.5 * size, 0, 0),
            inertia=(0.02 * mass, 0.1 * mass * size**2, 0.1 * mass * size**2),
            frames={"tip": (size, *random.uniform(-0.2, 0.2, 2))},
        )
        axis = random.normal(size=3)
        joint = jd.Revolute(f"j{i}", axis=tuple(axis), stiffness=random.uniform(0, 20), damping=random.uniform(0.1, 1))
        system.add(link, joint, to=f"link{i - 1}.tip" if i else "world")
    if closed:
        system.connect(jd.constraints.Rod("rod"), "link3.tip", "world")
    model = system.compile()
    if closed:
        return model, model.assemble(model.state(v={f"j{i}": random.normal() for i in range(4)}))
    return model, model.state(q={f"j{i}": random.normal(scale=0.3) for i in range(4)})


def index_1(model: jd.Model, state: jd.State, tolerance: float) -> np.ndarray:
    """(q, v) at the end by IDA: q' = v, M v' + h = A^T lambda, A v' + bias = 0."""
    nv, rows = model.nv, model.constraints.rows

    def residual(t, y, yp, out):
        q, v, force = y[:nv], y[nv : 2 * nv], y[2 * nv :]
        at = model.state(q, v)
        A = model.constraints.jacobian(q)
        out[:nv] = yp[:nv] - v
        out[nv : 2 * nv] = model.mass_matrix(q) @ yp[nv : 2 * nv] + model.bias(at) - A.T @ force
        out[2 * nv :] = A @ yp[nv : 2 * nv] + model.constraints.bias(at)

    at = model.state(state.q, state.v)
    M, A, h = model.mass_matrix(state.q), model.constraints.jacobian(state.q), model.bias(at)
    kkt = np.block([[M, -A.T], [A, np.zeros((rows, rows))]])
    start = np.linalg.solve(kkt, np.concatenate([-h, -model.constraints.bias(at)]))
    y0 = np.concatenate([state.q, state.v, start[nv:]])
    yp0 = np.concatenate([state.v, start[:nv], np.zeros(rows)])
    solver = ida.IDA(residual, rtol=tolerance, atol=0.01 * tolerance, algebraic_idx=list(range(2 * nv, 2 * nv + rows)))
    return solver.solve(np.array([0.0, UNTIL]), y0, yp0).y[-1, : 2 * nv]


def explicit(model: jd.Model, state: jd.State, tolerance: float) -> np.ndarray:
    """(q, v) at the end by CVODE's BDF."""
    nv = model.nv

    def rates(t, y, out):
        out[:nv] = y[nv:]
        out[nv:] = np.linalg.solve(model.mass_matrix(y[:nv]), -model.bias(model.state(y[:nv], y[nv:])))

    solver = cvode.CVODE(rates, method="BDF", rtol=tolerance, atol=0.01 * tolerance)
    return solver.solve(np.array([0.0, UNTIL]), np.concatenate([state.q, state.v])).y[-1]


@pytest.mark.parametrize("form", ["index-3", "index-2", "index-1"])
@pytest.mark.parametrize("method", ["bdf", "radau"])
@pytest.mark.parametrize("seed", range(3))
def test_constrained_systems_end_where_ida_lets_them(seed: int, method: str, form: str) -> None:
    """Both at a tolerance of 1e-8; IDA's index-1 form drifts by no more than its error in so short a run."""
    model, state = chain(seed, closed=True)
    theirs = index_1(model, state, 1e-9)
    run = jd.simulate(model, state, UNTIL, method=method, form=form, rtol=1e-8, atol=1e-10, output=UNTIL)
    ours = np.concatenate([run.record.q[-1], run.record.v[-1]])
    assert np.max(np.abs(ours - theirs)) < 1e-5 * np.max(np.abs(theirs))


@pytest.mark.parametrize("method", ["bdf", "radau"])
@pytest.mark.parametrize("seed", range(3))
def test_trees_end_where_cvode_lets_them(seed: int, method: str) -> None:
    model, state = chain(seed, closed=False)
    theirs = explicit(model, state, 1e-9)
    run = jd.simulate(model, state, UNTIL, method=method, rtol=1e-8, atol=1e-10, output=UNTIL)
    ours = np.concatenate([run.record.q[-1], run.record.v[-1]])
    assert np.max(np.abs(ours - theirs)) < 1e-5 * np.max(np.abs(theirs))
