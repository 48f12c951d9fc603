"""Numbers of four papers of NATO ASI "Virtual Nonlinear Multibody Systems", Prague 2002, on reductions of constraints.

Aghili & Piedboeuf (orthogonal decomposition), Belda, Bohm & Valasek (null space), Lefeber, Naudet, Terze & Daerden
(canonical momenta), Negrut (block elimination, conjugate gradients). Both numbers are in docs/validation/loops.md.
"""

from __future__ import annotations

import numpy as np
import pytest
from nato_reductions import AT_END, FOUR_BAR, METHODS, four_bar, literal, moving_pivot, triple_pendulum

import jourdain as jd
from jourdain.model.elimination import (
    block_operations,
    joint_neighbours,
    minimum_degree,
    split_body,
    topology_index,
)


def test_the_triple_pendulum_falls_in_momenta():
    """H stays zero; where it is then is held by the published cases."""
    model = triple_pendulum()
    run = jd.simulate(
        model, model.state(), 2.0, output=0.5, constraints=jd.constraints.Momenta(), rtol=1e-11, atol=1e-12
    )
    assert np.abs(run.record.energy[:, :2].sum(axis=1)).max() < 1e-8


def midpoint(model: jd.Model, q: np.ndarray, p: np.ndarray, h: float, steps: int) -> np.ndarray:
    """Energies of the implicit midpoint rule on (q, p), by fixed-point iteration to rounding."""
    energies = []
    for _ in range(steps):
        dq, dp = np.zeros(3), np.zeros(3)
        for _ in range(60):
            rates = model.hamilton_rates(model.state(q + 0.5 * dq), p + 0.5 * dp)
            new_q, new_p = h * rates.velocity, h * rates.momentum_rate
            change = max(np.abs(new_q - dq).max(), np.abs(new_p - dp).max())
            dq, dp = new_q, new_p
            if change < 1e-14:
                break
        q, p = q + dq, p + dp
        v = model.hamilton_rates(model.state(q), p).velocity
        energies.append(model.energy(model.state(q, v)).total)
    return np.array(energies)


def test_the_midpoint_rule_in_momenta_keeps_the_energy_within_a_bound():
    """Symplectic: the error of the energy stays of the order h^2 for all time, and does not grow."""
    model = triple_pendulum()
    q = np.array([-1.2, 0.2, -0.1])
    at_start = model.energy(model.state(q)).total
    coarse = np.abs(midpoint(model, q, np.zeros(3), 0.02, 400) - at_start)
    fine = np.abs(midpoint(model, q, np.zeros(3), 0.01, 400) - at_start)
    assert coarse[200:].max() < 1.5 * coarse[:200].max()
    assert 2.5 < coarse.max() / fine.max() < 6.0


def test_the_decomposition_converges_as_the_digest_says():
    """Fourth order; eq. 9, 15 and 21 as they stand, by the classical Runge-Kutta method."""
    q, v, multiplier, _ = literal(2400)
    assert [*q, *v] == pytest.approx([*AT_END[0], *AT_END[1]], abs=6e-8)
    assert multiplier == pytest.approx(13.143282, abs=1e-6)
    assert [np.abs(literal(steps)[1] - v).max() for steps in (150, 300)] == pytest.approx([1.3e-6, 8e-8], rel=0.15)
    assert np.abs(literal(600)[1] - v).max() < 1e-8
    assert literal(150)[3] <= 5.5e-9


def test_the_misprinted_sign_is_a_lasting_error():
    """As large with 150 steps as with 600: x is -0.6119 m."""
    assert literal(600, sign=-1.0)[0][0] == pytest.approx(-0.6119, abs=1e-4)
    assert literal(150, sign=-1.0)[0] == pytest.approx(literal(600, sign=-1.0)[0], abs=1e-4)


@pytest.mark.parametrize("method", METHODS)
def test_a_pendulum_on_a_moving_pivot(method):
    """Fourth order: 600 steps leave a sixteenth of the error of 300, which is that of the paper's method or less."""
    model, state = moving_pivot()
    errors = []
    for steps in (300, 600):
        run = jd.simulate(model, state, 3.0, step=3.0 / steps, constraints=METHODS[method])
        assert run.record.q[-1, :2] == pytest.approx(AT_END[0], abs=1e-6)
        errors.append(np.abs(run.record.v[-1, :2] - literal(4800)[1]).max())
    assert errors[0] < 1e-6
    assert errors[1] < errors[0] / 10.0


@pytest.mark.filterwarnings("ignore::jourdain.constraints.ConstraintWarning")
@pytest.mark.parametrize("method", METHODS)
def test_four_bar_released_from_rest(method):
    model, state = four_bar()
    run = jd.simulate(model, state, 1.0, step=5e-4, constraints=METHODS[method])
    drive, knee, rock = run.record.q[-1]
    ends = FOUR_BAR["crank"], FOUR_BAR["coupler"], FOUR_BAR["rocker"]
    assert [drive, drive + knee, rock] == pytest.approx(ends, abs=1e-6)
    assert run.record.v[-1, 0] == pytest.approx(FOUR_BAR["its rate"], abs=1e-5)
    assert run.record.energy[:, :4].sum(axis=1) == pytest.approx(FOUR_BAR["energy"], abs=5e-6)
    gap = max(np.abs(model.constraints.residual(q)).max() for q in run.record.q[::100])
    assert gap < (1e-6 if method == "uncorrected" else 1e-11)


@pytest.mark.parametrize("name", ["drive", "knee", "rock"])
@pytest.mark.filterwarnings("ignore::jourdain.constraints.ConstraintWarning")
def test_reduced_equations_give_the_accelerations_of_the_multipliers(name):
    model, state = four_bar()
    run = jd.simulate(model, state, 0.31, step=1e-3)
    state = jd.State(0.31, run.record.q[-1], run.record.v[-1])
    reduction = jd.constraints.reduce_to_independent(model, state, [name])
    R, u = reduction.R, state.v[[model.index.v[name]]]
    assert np.abs(model.constraints.jacobian(state.q) @ R).max() < 1e-13
    assert R @ u == pytest.approx(state.v, abs=1e-11)
    M, bias = model.mass_matrix(state), model.bias(state)
    rate = np.linalg.solve(R.T @ M @ R, R.T @ (-bias - M @ (reduction.R_rate @ u)))
    found = R @ rate + reduction.R_rate @ u
    A, b = model.constraints.jacobian(state.q), model.constraints.bias(state)
    full = np.block([[M, -A.T], [A, np.zeros((len(A), len(A)))]])
    wanted = np.linalg.lstsq(full, np.concatenate([-bias, -b]), rcond=1e-12)[0][: model.nv]
    assert found == pytest.approx(wanted, abs=1e-7)


def star(joints: list, arms: int) -> tuple[np.ndarray, np.ndarray]:
    """E1 and its right side for a hub in the plane whose arms are pinned to its rim, pulled down each in its own way.

    Parts of a split hub share its mass and inertia, all at its centre.
    """
    bodies = sorted({body for pair in joints for body in pair}, key=str)
    at = {body: 3 * i for i, body in enumerate(bodies)}
    parts = [body for body in bodies if body == "hub" or isinstance(body, tuple)]
    inverse, force = np.zeros(3 * len(bodies)), np.zeros(3 * len(bodies))
    for body in bodies:
        number = 0 if body in parts else int(body[1:])
        mass, inertia = (20.0 / len(parts), 5.0 / len(parts)) if body in parts else (1.0 + 0.1 * number, 0.2)
        inverse[at[body] : at[body] + 3] = 1 / mass, 1 / mass, 1 / inertia
        force[at[body] + 1] = -9.81 * mass * (1.0 + 0.05 * number)
    rows = []
    for first, second in joints:
        weld = second in parts
        angle = 0.0 if weld else 2 * np.pi * int(second[1:]) / arms
        rim = 0.0 if weld else 1.0
        block = np.zeros((3 if weld else 2, len(inverse)))
        for body, sign, reach in ((first, 1.0, rim), (second, -1.0, -0.5 * rim)):
            x, y = reach * np.cos(angle), reach * np.sin(angle)
            block[:2, at[body] : at[body] + 3] = sign * np.array([[1.0, 0.0, -y], [0.0, 1.0, x]])
            if weld:
                block[2, at[body] + 2] = sign
        rows.append(block)
    A = np.vstack(rows)
    return A @ (inverse[:, None] * A.T), A @ (inverse * force)


def test_a_star_with_sixteen_arms_before_and_after_its_hub_is_split():
    whole = [("hub", f"a{i}") for i in range(16)]
    split = split_body(whole, "hub")
    assert (topology_index(whole), topology_index(split)) == (16, 3)
    costs = [block_operations(near, minimum_degree(near)) for near in map(joint_neighbours, (whole, split))]
    assert costs[1].multiplications < costs[0].multiplications / 5
    longer = split_body([("hub", f"a{i}") for i in range(32)], "hub")
    near = joint_neighbours(longer)
    twice = block_operations(near, minimum_degree(near)).multiplications
    assert twice < 2.3 * costs[1].multiplications


def test_multipliers_of_the_star_do_not_change_with_the_split():
    whole = [("hub", f"a{i}") for i in range(16)]
    split = split_body(whole, "hub")
    found = []
    for joints in (whole, split):
        E, right = star(joints, 16)
        found.append(np.linalg.solve(E, right)[:32])
    assert np.abs(found[0]).max() > 1.0
    assert found[1] == pytest.approx(found[0], abs=1e-9)


def chain(n: int) -> tuple[jd.Model, jd.State]:
    """Pendulums that hang at rest, each a free body, joined by constraints."""
    system = jd.System("chain", gravity=(0.0, 0.0, -9.81))
    for i in range(n):
        link = jd.RigidBody(
            f"l{i}", 1.0 + 0.1 * i, inertia=(0.1, 0.1, 0.02), frames={"top": (0, 0, 0.5), "end": (0, 0, -0.5)}
        )
        system.add(link, jd.Free(f"f{i}"), position=(0, 0, -0.5 - i))
        system.connect(jd.Spherical(f"s{i}"), f"l{i}.top", f"l{i - 1}.end" if i else "world")
    model = system.compile()
    return model, model.state()


def evaluated(
    model: jd.Model, states: list[jd.State], method: jd.constraints.ConjugateGradients
) -> list[tuple[int, np.ndarray]]:
    """Steps of conjugate gradients and multipliers at one state after the other, the preconditioner kept."""
    from jourdain.kernels.constraints.conjugate_gradient import gradient_state
    from jourdain.model.run_stages import assemble
    from jourdain.run.plan import Plan

    plan = Plan(model, states[0], 1.0, step=0.5, constraints=method).prepare()
    ws, rates = plan.workspace(), plan.rates.ready(model.features).python
    stages = assemble(model, plan.laws, kept=plan.constraint_functions)
    ws.flags.cached = -1
    out = []
    for state in states:
        acceleration, dz = np.zeros(model.nv), np.zeros(2)
        q, v, z, none = state.q.copy(), state.v.copy(), np.zeros(2), np.zeros(0)
        rates(model.arrays, plan.task(), stages, 0.0, q, v, z, none, none, ws, acceleration, dz)
        out.append((gradient_state(ws.solve, ws.layout.own).steps, ws.constraint_rows.columns.multiplier.copy()))
    return out


def test_one_step_with_the_exact_factor_and_few_with_an_old_one():
    model, state = chain(12)
    moved = []
    for turn in (0.0, 1e-3):
        q = state.q.copy()
        for i, (j, _, _) in enumerate(model.arrays.rotations.array):
            angle = turn * (1.0 + 0.3 * i)
            q[j + 3], q[j + 4] = np.cos(0.5 * angle), np.sin(0.5 * angle)
        moved.append(jd.State(0.0, q, state.v, state.z))
    exact = evaluated(model, [moved[0]], jd.constraints.ConjugateGradients(refresh=1))
    old = evaluated(model, moved, jd.constraints.ConjugateGradients(refresh=1000))
    blocks = evaluated(model, [moved[0]], jd.constraints.ConjugateGradients(preconditioner="blocks"))
    assert exact[0][0] == 1
    assert 1 < old[1][0] <= 12
    assert old[1][0] < blocks[0][0] <= 3 * 12
    below = 9.81 * np.array([sum(1.0 + 0.1 * j for j in range(i, 12)) for i in range(12)])
    for _, multipliers in (*exact, *blocks):
        force = np.linalg.norm(multipliers.reshape(-1, 3), axis=1)
        assert force == pytest.approx(below, rel=1e-9)
