"""Sparse bodies on several threads: the same factors, answers and runs as on one, with any number of threads."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import jourdain as jd
from jourdain.contact import MultiplierContact
from jourdain.kernels.bodies.nodal_layout import MASS_FACTOR
from jourdain.kernels.parallel.sparse_solve import factor_together, solve_together
from jourdain.run import parallel_factorization, thread_partition
from jourdain.run.loop import features, loop
from jourdain.run.plan import Plan

RUBBER = jd.Material(E=1e6, nu=0.3, density=1000.0)
NEWMARK = jd.implicit.Newmark(0.5, 1.0)
LAST, JUDGED = 1e-12, 1e-9
"""How far runs may be from that on one thread: by rounding; where corrections stop at 1e-8, by a tenth of that."""


def block(name: str, cells: tuple[int, int, int]) -> jd.Solid:
    mesh = jd.mesh.block((0.2, 0.2, 0.2), cells)
    low = float(mesh.points[:, 2].min())
    return jd.Solid(
        name, mesh, RUBBER, element="linear", matrices="sparse", damping=jd.Rayleigh(0.1, 5e-4),
        surfaces={"sole": lambda x: x[2] < low + 1e-9},
    )  # fmt: skip


def landing(cells: tuple[int, int, int] = (6, 5, 4)) -> jd.Model:
    """A block just above a floor."""
    body = block("block", cells)
    system = jd.System("landing", gravity=(0.0, 0.0, -9.81))
    system.add(body, joint=jd.Free("flight"))
    low = float(jd.mesh.block((0.2, 0.2, 0.2), cells).points[:, 2].min())
    floor = jd.Plane((0, 0, 1)).at("world", position=(0.0, 0.0, low - 1e-6))
    system.contact("floor", body.surface("sole"), floor, MultiplierContact(scheme="acceleration"))
    return system.compile()


def flying(bodies: int = 1) -> jd.Model:
    """Blocks that fly apart, each with all its nodes."""
    system = jd.System("flying", gravity=(0.0, 0.0, -9.81))
    for i in range(bodies):
        system.add(block(f"block{i}", (4 + i, 4, 4)), joint=jd.Free(f"flight{i}"), position=(float(i), 0.0, 0.0))
    return system.compile()


def stirred(model: jd.Model) -> jd.State:
    state = model.state()
    rng = np.random.default_rng(1)
    state.v[:] = 1e-2 * rng.normal(size=model.nv)
    return state


def same(model: jd.Model, state: jd.State, **how) -> list[jd.Run]:
    runs = [jd.simulate(model, state, workers=workers, **how) for workers in (1, 2, 4)]
    assert [run.options.get("workers", 1) for run in runs] == [1, 2, 4]
    alone, two, four = (run.record for run in runs)
    for name in ("time", "q", "v", "energy"):
        mine, other = getattr(alone, name), getattr(two, name)
        assert np.array_equal(other, getattr(four, name))
        most = JUDGED if "method" in how else LAST
        assert np.max(np.abs(mine - other)) <= most * max(1.0, float(np.max(np.abs(mine)))), name
    return runs


def test_a_block_that_lands():
    """Factors, answers of the step and of the mass, sums over nodes; surfaces that touch ask for many answers."""
    model = landing()
    runs = same(model, model.state(v={"flight.vz": -0.01}), until=0.01, step=5e-4, method=NEWMARK, rtol=1e-6, atol=1e-8)
    assert runs[1].contact["floor"].sites.values[-1] > 10


@pytest.mark.parametrize("how", [{"step": 1e-5}, {"step": 5e-4, "method": NEWMARK, "rtol": 1e-6, "atol": 1e-8}])
def test_blocks_that_fly(how):
    """Several bodies, with factors of other structures; explicit steps too."""
    model = flying(2)
    same(model, stirred(model), until=10 * how["step"], **how)


def test_a_shell_keeps_its_own_forces():
    """Shells and rods add their forces after the sums over nodes, and refactor at every derivative."""
    mesh = jd.mesh.sheet((0.4, 0.3), (14, 11))
    shell = jd.Shell("sheet", mesh, thickness=0.01, material=RUBBER)
    system = jd.System("sheet", gravity=(0.0, 0.0, -9.81))
    system.add(shell, joint=jd.Weld("held"))
    model = system.compile()
    same(model, stirred(model), until=5e-3, step=5e-4, method=NEWMARK, rtol=1e-6, atol=1e-8)


def shared(model: jd.Model, threads: int):
    plan = Plan(model, model.state(), 1.0, 5e-4, method=NEWMARK, workers=threads).prepare()
    team = thread_partition.ThreadPartition(plan)
    return plan, team, team.share(loop(plan, plan.workspace()))


@pytest.mark.parametrize("threads", [2, 3])
def test_answers_are_those_of_the_matrix(threads):
    """M^-1 b by all threads, against the factor of the same matrix that one makes, and M (M^-1 b) = b."""
    model = flying(2)
    plan, team, run = shared(model, threads)
    b = np.random.default_rng(3).normal(size=model.nv)
    x = np.zeros(model.nv)
    with team.at_work(run):
        solve_together.ready(features(plan)).python(model.arrays, run.partition, 0, b, x)
        again = b.copy()  # the answer may take the place of what is asked
        solve_together.ready(features(plan)).python(model.arrays, run.partition, 0, again, again)
    team.close()
    inner = np.concatenate([np.arange(n - k, n) for n, k in ends(model)])
    assert np.array_equal(x[inner], again[inner])
    M = model.mass_matrix(model.neutral)
    for n, k in ends(model):
        own = slice(n - k, n)
        assert np.allclose(M[own, own] @ x[own], b[own], atol=1e-12 * np.abs(b).max())


def ends(model: jd.Model) -> list[tuple[int, int]]:
    """Of each sparse body: one past its last coordinate in v, and how many it has."""
    return [(node.ev + node.ne, node.ne) for node in model.arrays.tree if node.ne > 0]


@settings(deadline=None, max_examples=30)
@given(st.integers(2, 7), st.integers(1, 6), st.integers(1, 6), st.integers(2, 40))
def test_tasks_hold_every_panel_once(x, y, z, pieces):
    """Whatever the mesh: tasks are all panels, and those that a panel reaches are its own task's or above it."""
    model_block = block("block", (x, y, z))
    system = jd.System("one")
    system.add(model_block, joint=jd.Free("flight"))
    arrays = system.compile().arrays
    own = int(arrays.tree.columns.integers[1])
    structure = parallel_factorization.Structure.read(arrays.integers[own + arrays.integers[own + MASS_FACTOR] :])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parallel_factorization, "PIECES", pieces)
        patch.setattr(parallel_factorization, "SMALL", 0)
        tasks = parallel_factorization.tasks_of(structure)
    held = np.concatenate([np.arange(task.first, task.last) for task in tasks])
    assert np.array_equal(np.sort(held), np.arange(len(structure.rows)))
    owner = np.empty(len(structure.rows), int)
    for number, task in enumerate(tasks):
        owner[task.first : task.last] = number
    above = {k: number for number, task in enumerate(tasks) for k in task.below}
    for panel, rows in enumerate(structure.rows):
        task, reached = owner[panel], {int(owner[structure.member[r]]) for r in rows}
        chain = {task}
        while task in above:
            assert tasks[above[task]].level > tasks[task].level
            task = above[task]
            chain.add(task)
        assert reached <= chain


def test_small_bodies_are_not_shared():
    system = jd.System("small")
    system.add(block("block", (2, 2, 2)), joint=jd.Free("flight"))
    model = system.compile()
    run = jd.simulate(model, model.state(), until=1e-3, step=5e-4, method=NEWMARK, workers=4)
    assert "workers" not in run.options
    assert thread_partition.pool_size(landing(), None, False) == (
        thread_partition.cores() if numbers(landing()) >= parallel_factorization.ENOUGH_NUMBERS else 1
    )


def numbers(model: jd.Model) -> int:
    from jourdain.kernels.linalg.supernodal_cholesky import FactorHeader

    return sum(FactorHeader(step).values for _, (_, step) in parallel_factorization.factors(model))


def test_a_factor_by_all_threads_is_that_of_one():
    """L of a matrix with the pattern of a step, entry by entry."""
    from jourdain.kernels.linalg.supernodal_cholesky import FactorHeader, factor_sparse

    model = flying(1)
    plan, team, run = shared(model, 2)
    i, (_, step) = parallel_factorization.factors(model)[0]
    structure = parallel_factorization.Structure.read(step)
    header, rng = FactorHeader(step), np.random.default_rng(5)
    values, at = 1e-2 * rng.normal(size=len(run.partition.values)), 0
    for rows, w in zip(structure.rows, structure.width, strict=True):
        for c in range(w):
            values[at + c * len(rows) + c] = 4.0
        at += w * len(rows)
    alone, links = values.copy(), np.zeros(3 * len(structure.rows) + header.n, np.int64)
    assert factor_sparse(step, 0, alone, 0, links, np.zeros(header.widest)) == 0
    run.partition.values[:] = values
    with team.at_work(run):
        assert factor_together.ready(features(plan)).python(model.arrays, run.partition, i) == 0
        run.partition.values[:] = -values
        assert factor_together.ready(features(plan)).python(model.arrays, run.partition, i) == 1
        run.partition.values[:] = values
        assert factor_together.ready(features(plan)).python(model.arrays, run.partition, i) == 0
    team.close()
    assert np.allclose(run.partition.values, alone, rtol=0.0, atol=1e-13)
