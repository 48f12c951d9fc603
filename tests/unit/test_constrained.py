"""Multipliers through the tree: sweeps against dense algebra, cut joints, methods, checks, results."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest
from closed_trees import branched, random_state
from mechanisms import BASE, bar, four_bar, four_bar_state, row_of_four_bars
from strategies import random_body

import jourdain as jd
from jourdain.kernels.constraints.sparsity import reverse_cuthill_mckee
from jourdain.kernels.constraints.stabilization import row_responses
from jourdain.kernels.law_table import run_tables
from jourdain.kernels.model_arrays import workspace
from jourdain.kernels.tree.right_hand_side import tree_rates
from jourdain.model.run_stages import assemble
from jourdain.run.plan import Plan

pytestmark = pytest.mark.filterwarnings("ignore::jourdain.constraints.ConstraintWarning")


def constrained(model: jd.Model, state: jd.State, method: object = None, **options) -> tuple[np.ndarray, jd.Run]:
    """Accelerations of a state as a run has them."""
    plan = Plan(model, state, state.time + 1.0, 0.5, constraints=method, **options).prepare()
    ws, out = plan.workspace(), np.zeros(model.nv)
    stages = assemble(model, plan.laws, kept=plan.constraint_functions)
    tree_rates.ready(model.features).python(
        model.arrays, plan.task(), stages, state.time, plan.q, plan.v, plan.z, plan.latched, plan.laws.parameters, ws,
        out, np.zeros(len(plan.z)),
    )  # fmt: skip
    return out, ws


def responses(model: jd.Model, state: jd.State, known: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """S and M^-1 A^T as the sweeps have them."""
    rows = model.constraints.rows
    ws = workspace(model.arrays)
    ws.known[known] = 1
    S, response = np.zeros((rows, rows)), np.zeros((model.nv, rows))
    respond = row_responses.ready(model.features).python
    respond(model.arrays, run_tables(), state.time, state.q, state.v, ws, S, response)
    return S, response


@pytest.mark.parametrize("flexible", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["rigid", "flexible"])
@pytest.mark.parametrize("seed", range(3))
def test_sweeps_are_dense_algebra(flexible: bool, seed: int):
    one = branched(seed, flexible)
    one.connect(jd.Revolute("pin", axis=(1.0, 2.0, -0.5)), "a2.tip", "b2.tip")
    one.connect(jd.constraints.Rod("rod"), "a1.tip", "world")
    one.connect(jd.constraints.Rod("strut"), "base.tip", "b1.origin")
    model = one.compile()
    state = random_state(model, seed)
    M, A = model.mass_matrix(state.q), model.constraints.jacobian(state)
    for known in ([], [int(model.nv) - 1, 1]):
        free = np.setdiff1d(np.arange(model.nv), known)
        wanted = np.zeros((model.nv, len(A)))
        wanted[free] = np.linalg.solve(M[np.ix_(free, free)], A[:, free].T)
        S, response = responses(model, state, known)
        np.testing.assert_allclose(response, wanted, rtol=1e-9, atol=1e-9 * np.max(np.abs(wanted)))
        np.testing.assert_allclose(S, A @ wanted, rtol=1e-9, atol=1e-9 * np.max(np.abs(A @ wanted)))


def cut_pair(seed: int, flexible: bool) -> tuple[jd.Model, jd.State, jd.Model, jd.State]:
    """A tree that ends in a body on a revolute joint, and the same with that joint cut and closed again."""
    models = []
    for cut in (False, True):
        one = branched(seed, flexible, base="revolute")
        one.gravity = (1.0, -2.0, -9.0)
        end = random_body(np.random.default_rng(50 + seed), "end")
        joint = jd.Revolute("hinge", axis=(0.3, -1.0, 0.5))
        if cut:
            one.add(end, jd.Free("loose"))
            one.connect(joint, "end.origin", "a2.tip")
        else:
            one.add(end, joint, to="a2.tip")
        models.append(one.compile())
    tree, closed = models
    state = random_state(tree, seed)
    motion = tree.velocity("end.origin", state)
    pose = tree.pose("end.origin", state.q)
    shared = [name for name in tree.names.q if name != "hinge"]
    q = {name: state.q[tree.index.q[name]] for name in shared} | {"loose": pose}
    turned = pose.rotation.T
    v = {name: state.v[tree.index.v[name]] for name in tree.names.v if name != "hinge"}
    v["loose"] = np.concatenate([turned @ motion[:3], turned @ motion[3:]])
    return tree, state, closed, closed.state(q=q, v=v, time=state.time)


@pytest.mark.parametrize("flexible", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["rigid", "flexible"])
@pytest.mark.parametrize("seed", range(2))
def test_a_joint_cut_and_closed_by_a_constraint_is_that_joint(flexible: bool, seed: int):
    tree, state, closed, same = cut_pair(seed, flexible)
    wanted = tree.forward_dynamics(state)
    found, _ = constrained(closed, same)
    shared = [name for name in tree.names.v if name != "hinge"]
    mine = np.array([found[closed.index.v[name]] for name in shared])
    theirs = np.array([wanted[tree.index.v[name]] for name in shared])
    np.testing.assert_allclose(mine, theirs, rtol=1e-10, atol=1e-10 * np.max(np.abs(theirs)))
    for frame in ("end.origin", "end.tip"):
        np.testing.assert_allclose(
            closed.acceleration(frame, same, found), tree.acceleration(frame, state, wanted), rtol=1e-10, atol=1e-8
        )
    # what the joint transmits to the last body: its own inertia forces less gravity, at the joint
    run = jd.simulate(closed, same, same.time + 1e-9, step=1e-9, constraints="unstabilised")
    body = random_body(np.random.default_rng(50 + seed), "end")
    R = closed.pose("end.origin", same.q).rotation
    a, omega = closed.acceleration("end.origin", same, found), closed.velocity("end.origin", same)[:3]
    c = R @ body.com
    J = R @ body.inertia @ R.T
    force = body.mass * (a[3:] + np.cross(a[:3], c) + np.cross(omega, np.cross(omega, c)) - np.array([1.0, -2.0, -9.0]))
    moment = J @ a[:3] + np.cross(omega, J @ omega) + np.cross(c, force)
    got = run.constraint["hinge"]
    scale = np.max(np.abs(force)) + np.max(np.abs(moment))
    np.testing.assert_allclose(got.force.values[0], force, atol=1e-9 * scale)
    np.testing.assert_allclose(got.moment.values[0], moment, atol=1e-9 * scale)


def test_lone_bodies_hang_by_what_is_below_them():
    """Free bodies in a chain, each eliminated by itself without constraints: Negrut's test (b), and its cost."""
    count, g = 12, 9.81
    one = jd.System("chain", gravity=(0.0, 0.0, -g))
    for i in range(count):
        rod = jd.RigidBody(
            f"rod{i}", mass=1.0 + i, inertia=(0.1, 0.1, 0.01), com=(0.0, 0.0, -0.5), frames={"tip": (0.0, 0.0, -1.0)}
        )
        one.add(rod, jd.Free(f"place{i}"), position=(0.0, 0.0, -float(i)))
        one.connect(jd.Spherical(f"pin{i}"), f"rod{i}.origin", f"rod{i - 1}.tip" if i else "world")
    model = one.compile()
    run = jd.simulate(model, model.state(), 0.01, step=1e-3)
    for i in range(count):
        below = g * sum(1.0 + j for j in range(i, count))
        np.testing.assert_allclose(run.constraint[f"pin{i}"].force.values, [[0.0, 0.0, below]] * len(run), atol=1e-9)
    # block tridiagonal: 3 x 3 and the block before it
    assert workspace(model.arrays).layout.skyline == 6 + (count - 1) * (6 + 9)
    np.testing.assert_allclose(run.record.v, 0.0, atol=1e-12)


def test_cost_of_a_chain_of_loops_is_linear():
    sizes = [workspace(row_of_four_bars(n)[0].arrays).layout.skyline for n in (5, 10, 20)]
    assert sizes[1] - sizes[0] == 5 * (sizes[2] - sizes[1]) / 10
    assert sizes[2] == 20 * 15 + 19 * 25


def test_order_of_constraints_keeps_neighbours_close():
    rng = np.random.default_rng(1)
    label = rng.permutation(30)
    near: list[set[int]] = [set() for _ in range(30)]
    for i in range(29):
        near[label[i]].add(int(label[i + 1]))
        near[label[i + 1]].add(int(label[i]))
    order = reverse_cuthill_mckee(near)
    place = {node: i for i, node in enumerate(order)}
    assert sorted(order) == list(range(30))
    assert all(abs(place[a] - place[b]) == 1 for a in range(30) for b in near[a])


def test_methods_keep_what_they_promise():
    model = four_bar().compile()
    state = four_bar_state(model)
    gaps, balance = {}, {}
    for method in ("projection", jd.constraints.Projection(partition="optimal"), "baumgarte", "unstabilised"):
        run = jd.simulate(model, state, 4.0, step=5e-3, constraints=method)
        name = method if isinstance(method, str) else "optimal"
        gaps[name] = float(np.max(np.abs(run.constraint["pin"].gap)))
        balance[name] = float(np.max(np.abs(run.energy["balance"])))
        assert run.options["constraints"]["kind"] == (method if isinstance(method, str) else "projection")
        if name in ("projection", "optimal"):
            assert np.max(np.abs(run.constraint["pin"].slip)) < 1e-12
    assert gaps["projection"] < 1e-13 and gaps["optimal"] < 1e-13
    assert 1e-12 < gaps["baumgarte"] < 0.1 * gaps["unstabilised"]


@pytest.mark.parametrize("method", ["dop853", "dopri5"])
def test_adaptive_methods_stay_on_the_constraints(method: str):
    model = four_bar().compile()
    state = four_bar_state(model)
    run = jd.simulate(model, state, 1.0, method=method, output=0.05, rtol=1e-10, atol=1e-12)
    assert np.max(np.abs(run.constraint["pin"].gap)) < 1e-13
    np.testing.assert_allclose(run.record.q[-1, [0, 2]], [-4.0321194, 1.9089687], atol=2e-7)


def test_forces_are_of_smallest_norm_where_constraints_repeat():
    one = four_bar(jd.Spherical("pin"))
    one.connect(jd.Spherical("again"), "coupler.tip", "rocker.tip")
    twice, alone = one.compile(), four_bar(jd.Spherical("pin")).compile()
    with pytest.warns(jd.constraints.ConstraintWarning, match="2 of 6 rows of constraints follow from the others"):
        run = jd.simulate(twice, four_bar_state(twice), 0.2, step=1e-3)
    single = jd.simulate(alone, four_bar_state(alone), 0.2, step=1e-3)
    np.testing.assert_allclose(run.record.q, single.record.q, atol=1e-11)
    for name in ("pin", "again"):
        half = 0.5 * single.constraint["pin"].force.values
        np.testing.assert_allclose(run.constraint[name].force.values, half, atol=1e-8)


def test_planar_loops_of_spatial_joints_run_in_a_tilted_plane():
    """Rows that do nothing but for rounding are left out; the axis is not along a coordinate."""
    axis = np.array([0.3, -0.5, 0.8])
    z = axis / np.linalg.norm(axis)
    x = np.cross(z, [1.0, 0.0, 0.0])
    x /= np.linalg.norm(x)
    R = np.column_stack([x, np.cross(z, x), z])
    flat = four_bar().compile()
    want = jd.simulate(flat, four_bar_state(flat), 0.5, step=1e-3)
    one = jd.System("tilted", gravity=R @ [0.0, -9.81, 0.0])
    one.add(bar("crank"), jd.Revolute("crank", axis="z"), rotation=R)
    one.add(bar("coupler"), jd.Revolute("elbow", axis="z"), to="crank.tip")
    one.add(bar("rocker"), jd.Revolute("rocker", axis="z"), position=R @ [BASE, 0.0, 0.0], rotation=R)
    one.connect(jd.Revolute("pin", axis="z"), "coupler.tip", "rocker.tip")
    model = one.compile()
    run = jd.simulate(model, four_bar_state(model), 0.5, step=1e-3)
    np.testing.assert_allclose(run.record.q, want.record.q, atol=1e-11)
    rotated = want.constraint["pin"].force.values @ R.T
    np.testing.assert_allclose(run.constraint["pin"].force.values, rotated, atol=1e-8)


def test_a_saved_run_has_its_constraints(tmp_path):
    model = four_bar().compile()
    run = jd.simulate(model, four_bar_state(model), 0.05, step=1e-3, save=tmp_path / "run.nc")
    again = jd.load(tmp_path / "run.nc")
    np.testing.assert_array_equal(again.constraint["pin"].force.values, run.constraint["pin"].force.values)
    assert list(again.constraint) == ["pin"] and len(again.constraint) == 1
    json.dumps(again.options["constraints"])
    assert again.options["constraints"] == {"kind": "projection", "partition": "mass"}
    with pytest.raises(jd.JourdainError, match="pin"):
        again.constraint["pim"]


def test_a_pickled_model_runs():
    model = four_bar().compile()
    other = pickle.loads(pickle.dumps(model))
    state = four_bar_state(model)
    mine, theirs = (jd.simulate(one, state, 0.05, step=1e-3) for one in (model, other))
    np.testing.assert_array_equal(mine.record.q, theirs.record.q)


def test_many_cases_are_single_runs():
    model = four_bar().compile()
    states = [four_bar_state(model, crank) for crank in (0.9, 1.0, 1.1)]
    many = jd.simulate_many(model, states, 0.2, step=1e-3, workers=2)
    for i, state in enumerate(states):
        alone = jd.simulate(model, state, 0.2, step=1e-3)
        # which rows to leave out, and how small a pivot may be, is taken from the first state: the rest is rounding
        np.testing.assert_allclose(many.record.q[i, -1], alone.record.q[-1], atol=1e-12)
    with pytest.raises(jd.errors.ModelError, match="assemble"):
        jd.simulate_many(model, [states[0], model.state(q={"crank": 1.0})], 0.2, step=1e-3)


def test_an_event_locks_a_loop_by_one_of_its_joints():
    model = four_bar().compile()
    run = jd.simulate(model, four_bar_state(model), 0.6, step=1e-3, events=[jd.Event(at=0.3, lock=["rocker"])])
    late = run.record.time >= 0.3
    np.testing.assert_allclose(run.record.v[late], 0.0, atol=1e-10)
    assert np.max(np.abs(run.constraint["pin"].gap)) < 1e-13
    before = int(np.flatnonzero(~late)[-1])
    lost = run.energy["kinetic"].values[before]
    assert run.events[0].loss == pytest.approx(lost, rel=0.05) and lost > 0.1
    assert np.max(np.abs(run.energy["balance"])) < 1e-8


def test_prescribed_motion_through_a_loop_supplies_its_effort():
    """The crank is driven: effort and work are those of the loop, and the energy balance closes."""
    model = four_bar().compile()
    state = four_bar_state(model)
    run = jd.simulate(model, state, 1.0, step=1e-3, motions={"crank": jd.Cycloid(to=4.0, duration=1.0)})
    assert np.max(np.abs(run.energy["balance"])) < 1e-9
    assert np.max(np.abs(run.constraint["pin"].gap)) < 1e-13
    np.testing.assert_allclose(run.record.q[-1, 0], 4.0, atol=1e-12)
    assert float(np.max(np.abs(run.effort["crank"]))) > 1.0


def test_a_coupling_is_a_gear():
    one = jd.System("gears")
    for name, inertia in (("wheel", 2.0), ("pinion", 0.1)):
        one.add(jd.RigidBody(name, mass=1.0, inertia=(inertia,) * 3), jd.Revolute(name, axis="z"))
    one.couple("mesh", {"wheel": 3.0, "pinion": -1.0})
    model = one.compile()
    torque = jd.simulate(model, model.state(v={"wheel": 1.0, "pinion": 3.0}), 1.0, step=0.1)
    np.testing.assert_allclose(torque.record.v[-1], [1.0, 3.0], rtol=1e-12)
    driven = jd.simulate(model, model.state(), 1.0, step=1e-2, motions={"wheel": jd.Cycloid(to=1.0, duration=1.0)})
    # the coupling turns the pinion: its effort is the pinion's inertia times three times the wheel's acceleration
    t = driven.record.time
    wanted = -0.1 * 3.0 * 2.0 * np.pi * np.sin(2.0 * np.pi * t)
    np.testing.assert_allclose(driven.constraint["mesh"].effort.values, wanted, atol=1e-9)


def test_a_state_off_the_constraints_is_refused_by_name():
    model = four_bar().compile()
    with pytest.raises(jd.errors.ModelError, match=r"pin: .*open by 0\.\d+ .*model.assemble"):
        jd.simulate(model, model.state(q={"crank": 1.0}), 1.0, step=1e-3)
    state = four_bar_state(model)
    state.v[0] = 1.0
    with pytest.raises(jd.errors.ModelError, match="pin: .*opens at .*model.assemble"):
        jd.simulate(model, state, 1.0, step=1e-3)


def test_contradictions_are_refused_by_name():
    one = jd.System("two rods")
    one.add(jd.RigidBody("bob", mass=1.0, inertia=(1.0,) * 3), jd.Prismatic("slide", axis="x"), position=(1.0, 0, 0))
    one.connect(jd.constraints.Rod("short", length=jd.Polynomial([1.0])), "bob.origin", "world")
    one.connect(jd.constraints.Rod("long", length=jd.Polynomial([1.0, 0.0, 0.5])), "bob.origin", "world")
    model = one.compile()
    with pytest.raises(jd.errors.ModelError, match='"short", "long" contradict each other'):
        jd.simulate(model, model.state(), 1.0, step=1e-2)


def test_a_coordinate_prescribed_twice_is_refused_by_name():
    model = four_bar().compile()
    still = {"crank": jd.Polynomial([1.0]), "rocker": jd.Polynomial([four_bar_state(model).q[2]])}
    with pytest.raises(jd.errors.ModelError, match='prescribed, and the constraints "pin" fix it too'):
        jd.simulate(model, four_bar_state(model), 1.0, step=1e-2, motions=still)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("projektion", 'did you mean "projection"'),
        (3.0, "got float"),
        (jd.constraints.Projection(partition=("crnak",)), "no such coordinate"),
    ],
)
def test_methods_that_do_not_exist_are_refused(given: object, says: str):
    model = four_bar().compile()
    with pytest.raises(jd.errors.ModelError, match=says):
        jd.simulate(model, four_bar_state(model), 1.0, step=1e-2, constraints=given)


def test_methods_refuse_their_own_bad_numbers():
    with pytest.raises(jd.errors.ModelError, match="rate is -1"):
        jd.constraints.Baumgarte(rate=-1.0)
    with pytest.raises(jd.errors.ModelError, match='partition is "best"'):
        jd.constraints.Projection(partition="best")
