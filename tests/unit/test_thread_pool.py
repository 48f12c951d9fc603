"""One large model on several threads: the same run as on one, whatever is in it, and with any number of threads."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from strategies import TREE, systems

import jourdain as jd
from jourdain.kernels.parallel.thread_layout import PartBounds
from jourdain.kernels.rows import Table
from jourdain.run import thread_partition

SOFT = jd.HertzContact(stiffness=1e5, restitution=0.5, slow_speed=0.1)
RUBBING = jd.BristleFriction(static=0.5, kinetic=0.4, stiffness=300.0, damping=0.05, stribeck=0.05)
LAST = 1e-11
"""Sums come in another order than on one thread, and machine code is another: what some hundred steps make of that."""


def heap(count: int = 60, *, broad: str = "cells", rods: bool = False) -> jd.Model:
    """Balls on a floor with a step, or rods among them, in layers, not quite above each other."""
    system = jd.System("heap", gravity=(0, 0, -9.81))
    shapes = [jd.Plane((0, 0, 1)).at("world")]
    if not rods:
        corners = jd.Box((0.2, 0.2, 0.06)).to_mesh()[0]
        shapes.append(jd.shapes.ConvexMesh(corners).at("world", position=(0.1, 0.1, 0.0)))
    for i in range(count):
        shape = jd.Capsule(0.03, 0.05) if rods and i % 2 else jd.Sphere(0.05)
        layer, place = divmod(i, 16)
        at = (0.11 * (place % 4) + 0.013 * layer, 0.11 * (place // 4) - 0.009 * layer, 0.1 + 0.101 * layer)
        system.add(jd.RigidBody.from_shape(f"b{i}", shape, density=1000.0), jd.Free(f"f{i}"), position=at)
        shapes.append(shape.at(f"b{i}.origin"))
    system.collide("heap", shapes, normal=SOFT, friction=RUBBING, broad=broad)
    return system.compile()


def fleet(arms: int, *, flexible: bool = False, orbit: bool = False) -> jd.Model:
    """Arms of three links, each on a base of its own, that fall or float; with springs, stops and friction."""
    frame = {"environment": jd.Orbit(altitude=400e3, eccentricity=0.1)} if orbit else {"gravity": (0, 0, -9.81)}
    system = jd.System("fleet", **frame)
    tube = {"mass_per_length": 1.0, "EA": 1e6, "EI": 200.0, "GJ": 100.0, "damping": 0.01}
    for a in range(arms):
        base = jd.RigidBody(f"base{a}", mass=20.0 + a, inertia=(2.0, 3.0, 4.0), frames={"mount": (0.3, 0, 0)})
        system.add(base, jd.Free(f"free{a}"), position=(0.0, 3.0 * a, 0.0))
        link = jd.RigidBody(
            f"link{a}", mass=4.0, com=(0.3, 0, 0), inertia=(0.02, 0.5, 0.5), frames={"tip": (0.6, 0, 0)}
        )
        joint = jd.Revolute(f"axis{a}", axis="y", stiffness=5.0, damping=0.2, friction=0.1)
        system.add(link, joint, to=f"base{a}.mount")
        if flexible and a % 2:
            boom = jd.Beam(f"boom{a}", 2.0, modes=jd.Modes(bending_y=1, bending_z=1), **tube)
        else:
            boom = jd.RigidBody(f"boom{a}", mass=2.0, com=(0.5, 0, 0), inertia=(0.01, 0.2, 0.2))
        system.add(boom, jd.Revolute(f"wrist{a}", axis="z", limits=(-0.2, 0.2)), to=f"link{a}.tip")
    return system.compile()


def started(model: jd.Model) -> jd.State:
    state = model.state()
    state.v[:] = 0.3 * np.sin(1.0 + np.arange(model.nv))
    for k, name in enumerate(model.names.v):
        if name.startswith("boom"):
            state.v[k] *= 1e-3
    return state


def same(model: jd.Model, state: jd.State, until: float, **how) -> list[jd.Run]:
    """Runs with one, two and five threads; those with several are the same, and that with one is to rounding."""
    runs = [jd.simulate(model, state, until=state.time + until, workers=workers, **how) for workers in (1, 2, 5)]
    alone, two, five = (run.record for run in runs)
    assert "workers" not in runs[0].options and [run.options["workers"] for run in runs[1:]] == [2, 5]
    for name in ("time", "q", "v", "z", "effort", "energy"):
        mine, other = getattr(alone, name), getattr(two, name)
        assert np.array_equal(other, getattr(five, name))
        scale = max(1.0, float(np.max(np.abs(mine), initial=0.0)))
        assert mine.shape == other.shape and np.max(np.abs(mine - other), initial=0.0) <= LAST * scale, name
    return runs


@pytest.mark.parametrize("broad", ["cells", "sweep"])
def test_heaps(broad):
    model = heap(broad=broad)
    runs = same(model, model.state(), 0.12, step=2.5e-4, method="rk3")
    assert runs[1].contact["heap"].sites.values[-1] > 20  # many of them touch
    assert np.allclose(
        runs[0].contact["heap"].normal_force.values, runs[1].contact["heap"].normal_force.values, atol=1e-8
    )
    assert abs(runs[1].energy.error) < 0.02 and math.isclose(runs[0].energy.error, runs[1].energy.error, rel_tol=1e-6)


def test_heaps_of_balls_and_rods():
    """Pairs with several sites."""
    model = heap(48, rods=True)
    runs = same(model, model.state(), 0.1, step=1e-4, method="rk3", output=0.01)
    assert runs[1].contact["heap"].sites.values[-1] > 20


def test_heaps_with_steps_of_their_own():
    """An adaptive method asks for the first step, for dense output, and for the time of touchdown."""
    model = heap(40)
    same(model, model.state(), 0.03, rtol=1e-4, atol=1e-6, output=0.01)


def test_pairs_beside_a_heap():
    """Contacts that are no pile are one thread's, and add to what the others do to the same shapes."""
    system = jd.System("both", gravity=(0, 0, -9.81))
    shapes = [jd.Plane((0, 0, 1)).at("world")]
    for i in range(40):
        body = jd.RigidBody.from_shape(f"b{i}", jd.Sphere(0.05), density=1000.0)
        system.add(body, jd.Free(f"f{i}"), position=(0.099 * i, 0.0, 0.05))
        shapes.append(jd.Sphere(0.05).at(f"b{i}.origin"))
    system.collide("row", shapes, normal=SOFT)
    wall = jd.Plane((1, 0, 0)).at("world", position=(-0.049, 0, 0))
    system.contact("wall", jd.Sphere(0.05).at("b0.origin"), wall, SOFT, RUBBING)
    model = system.compile()
    runs = same(model, model.state(), 0.05, step=2.5e-4)
    assert runs[1].contact["wall"].normal_force.values.max() > 1.0


@pytest.mark.parametrize("kind", [{}, {"flexible": True}, {"orbit": True}])
def test_fleets(kind):
    model = fleet(14, **kind)
    assert len(thread_partition.bounds(model)) > 1
    same(model, started(model), 0.1, step=5e-4)


def test_fleets_with_laws_motions_and_events():
    """Laws, prescribed coordinates and events are one thread's."""
    model = fleet(12)
    law = jd.control.PID(["axis3", "wrist4"], kp=30.0, kd=5.0, reference={"axis3": 0.2, "wrist4": -0.1})
    state = started(model)
    state.v[model.index.v["axis7"]] = 0.0
    motions = {"axis7": jd.Cycloid(to=0.4, duration=0.1)}
    events = [jd.Event(at=0.05, lock=["wrist2"])]
    runs = same(model, state, 0.1, step=5e-4, controller=law, motions=motions, events=events)
    assert abs(runs[1].q["axis7"].values[-1] - 0.4) < 1e-12
    assert np.ptp(runs[1].record.q[-90:, int(model.arrays.q_index[model.index.v["wrist2"]])]) == 0.0


def test_room_for_pairs_grows():
    """Slender capsules fly together until all the balls that hold them overlap: the threads go on with more room."""
    n, system = 40, jd.System("bundle")
    capsule = jd.Capsule(0.01, 2.0)
    for i in range(n):
        body = jd.RigidBody.from_shape(f"rod{i}", capsule, density=1000.0)
        system.add(body, jd.Free(f"free{i}"), position=(3.0 * i, 0, 0))
    system.collide("bundle", [capsule.at(f"rod{i}.origin") for i in range(n)], normal=SOFT)
    model = system.compile()
    assert n * (n - 1) / 2 > 12 * n + 64  # more than there is room for at first
    runs = same(model, model.state(v={f"free{i}.vx": -3.0 * i for i in range(n)}), 0.994, step=5e-4, output=0.994)
    assert runs[1].contact["bundle"].sites.values[-1] == 2 * (n - 1)


def test_more_threads_than_parts_or_cores():
    model = heap(40)
    many = jd.simulate(model, model.state(), until=0.02, step=1e-3, method="rk3", workers=11)
    few = jd.simulate(model, model.state(), until=0.02, step=1e-3, method="rk3", workers=2)
    assert np.array_equal(many.record.q, few.record.q)


def test_what_cannot_be_cut_stays_whole():
    """One tree, one flexible body, a small model that nobody insists on, an implicit method: one thread."""
    small = heap(8)
    for workers in (None, 4):
        run = jd.simulate(small, small.state(), until=2e-3, step=1e-3, method="rk3", workers=workers)
        assert "workers" not in run.options
    model = heap(40)
    assert thread_partition.pool_size(model, None, True) == 1 and thread_partition.pool_size(model, 3, True) == 3
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(thread_partition, "ENOUGH", 40)
        assert thread_partition.pool_size(model, None, True) == thread_partition.cores()


@pytest.mark.parametrize("workers", [0, -1, 1.5, True, "two"])
def test_numbers_of_threads_that_are_none(workers):
    model = heap(8)
    with pytest.raises((jd.errors.ModelError, TypeError), match="workers"):
        jd.simulate(model, model.state(), until=1e-3, step=1e-3, workers=workers)


def test_a_run_that_is_refused_ends_its_threads():
    """Errors come from the run as they do with one thread, and no thread is left behind."""
    import threading

    model = heap(40)
    before = threading.active_count()
    with pytest.raises(jd.errors.SimulationError, match="too stiff for the step|stopped being finite") as caught:
        jd.simulate(model, model.state(), until=0.5, step=0.01, method="rk3", workers=3)
    assert caught.value.partial is not None
    assert threading.active_count() == before


@settings(deadline=None, max_examples=60)
@given(systems(TREE, most=9))
def test_parts_hold_whole_trees(case):
    """Every body, velocity, coordinate and group is in one part; what carries a body is there too, or the world."""
    model, node = case.model, case.model.arrays.tree.columns
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(thread_partition, "SMALLEST", 1)
        rows = Table(thread_partition.bounds(model), PartBounds)
    ends = {
        "bodies": (1, len(node.parent)),
        "v": (0, model.nv),
        "q": (0, model.nq),
        "rotations": (0, len(model.arrays.rotations)),
    }
    for name, (first, last) in ends.items():
        firsts, lasts = getattr(rows.columns, name).T
        assert firsts[0] == first and lasts[-1] == last and np.array_equal(firsts[1:], lasts[:-1])
    for row in rows:
        parents = node.parent[row.bodies]
        assert np.all((parents == 0) | ((parents >= row.bodies.start) & (parents < row.bodies.stop)))
        for own, first in ((row.v, node.v), (row.q, node.q)):
            places = first[row.bodies][node.nv[row.bodies] > 0]
            assert np.all((places >= own.start) & (places < own.stop))
        rotations = model.arrays.rotations.columns.v[row.rotations]
        assert np.all((rotations >= row.v.start) & (rotations < row.v.stop))
    roots = int(np.sum(node.parent[1:] == 0))
    assert len(rows) <= roots
