"""A folding truss (Sayapin 2002, digest part B, section 8): redundant loops, latches, energy, chaos.

The trusses are those of `examples/flexible/folding.py`.
"""

from __future__ import annotations

import numpy as np
import pytest
from example_files import beside

import jourdain as jd

with beside("folding"):
    from folding import LEGS, belts, deployed, drives, latching, mast, shaken, stowed, truss


def scattered(model, shape, seed=0, scatter=0.05):
    """The law of all drives, springs scattered, and its numbers."""
    law, numbers = drives(model, shape)
    rods = len(shape.rods)
    numbers[-rods:] *= 1.0 + scatter * np.random.default_rng(seed).standard_normal(rods)
    return law, numbers


def test_nets_have_the_nodes_and_rods_of_their_belts():
    """1 + 3 B (B + 1) nodes and 9 B^2 + 3 B rods; all rods have one length."""
    for count in range(1, 8):
        shape = belts(count)
        assert len(shape.places) == 1 + 3 * count * (count + 1) and len(shape.rods) == 9 * count**2 + 3 * count
        way = shape.places[shape.rods[:, 1]] - shape.places[shape.rods[:, 0]]
        assert np.linalg.norm(way, axis=1) == pytest.approx(1.0, abs=1e-12)
    assert len(mast(20).rods) == 41


def test_a_belt_opens_and_latches_by_events():
    """Twelve rods lock as they become straight. The last one is redundant: the ring holds with eleven. Loops stay
    closed to 1e-8, what the springs gave is what the locks took, and a second run is the same."""
    shape = belts(1)
    model = truss(shape)
    law, numbers = scattered(model, shape)
    locks = [jd.Event(when=(f"hinge{r}", ">", 0.0), lock=f"hinge{r}") for r in range(len(shape.rods))]
    options = {"until": 1.2, "output": 0.05, "rtol": 1e-8, "atol": 1e-10, "motions": {"base": jd.Sine(0.0, 1.0)}}
    runs = [
        jd.simulate(model, stowed(model, shape), controller=law(*numbers), events=locks, **options) for _ in range(2)
    ]
    run = runs[0]
    assert len(run.events) == 12 and len({event.name for event in run.events}) == 12
    assert np.max(np.abs([run.q[f"hinge{r}"].values[-1] for r in range(12)])) < 1e-9
    assert max(float(np.max(np.abs(run.constraint[f"pin{r}"].gap))) for r in range(12)) < 1e-8
    moved = float(np.max(run.energy["work"]))
    assert float(np.max(np.abs(run.energy["balance"]))) < 1e-6 * moved
    assert sum(event.loss for event in run.events) == pytest.approx(run.energy["work"].values[-1], rel=1e-6)
    assert run.energy["kinetic"].values[-1] < 1e-12
    assert np.array_equal(run.record.q, runs[1].record.q)


@pytest.mark.slow
def test_two_belts_latch_by_events():
    """42 locks, of which 7 are redundant."""
    shape = belts(2)
    model = truss(shape)
    law, numbers = scattered(model, shape)
    rods = len(shape.rods)
    locks = [jd.Event(when=(f"hinge{r}", ">", 0.0), lock=f"hinge{r}") for r in range(rods)]
    options = {"until": 2.5, "output": 0.05, "rtol": 1e-8, "atol": 1e-10, "motions": {"base": jd.Sine(0.0, 1.0)}}
    run = jd.simulate(model, stowed(model, shape), controller=law(*numbers), events=locks, **options)
    assert max(float(np.max(np.abs(run.constraint[f"pin{r}"].gap))) for r in range(rods)) < 1e-8
    assert float(np.max(np.abs(run.energy["balance"]))) < 1e-6 * float(np.max(np.abs(run.energy["work"])))
    assert len(run.events) == rods


@pytest.mark.slow
def test_many_belts_get_out_of_step():
    """Springs of 5 %, 16 trusses of each size: the times at which rods latch spread further with every belt."""
    spreads = []
    for count in (1, 2):
        shape = belts(count)
        many = deployed(truss(shape), shape, 16)
        assert not many.failed and not many.untrusted
        at = latching(many, shape)
        assert np.all(np.isfinite(at))
        spreads.append(np.mean(np.ptp(at, axis=1)))
    assert spreads[0] == pytest.approx(0.343, abs=0.03) and spreads[1] == pytest.approx(0.95, abs=0.06)


@pytest.mark.slow
def test_a_stewart_platform_shakes_a_truss_free():
    """One belt, restrained, with friction of 0.13 N m where springs have 0.15 left, its hub on six legs: 46 % of the
    rods latch, and 92 % where the legs shake it by 1 cm. The platform follows to the square of that over the length of
    a leg, because each leg moves by its share in a small displacement."""
    shape = belts(1)
    model = truss(shape, 0.13, brake=0.1, legs=True)
    many = [deployed(model, shape, 4, until=6.0, shake=shake) for shake in (0.0, 0.01)]
    assert not any(one.failed or one.untrusted for one in many)
    latched = [float(np.mean(np.isfinite(latching(one, shape)))) for one in many]
    assert latched[0] < 0.6 and latched[1] > latched[0] + 0.3
    told = 0.01 * (np.cos(8.0 * np.pi * many[1].time) - 1.0)
    places = np.array([model.pose("platform.origin", q).position for q in many[1].record.q[0]])
    off = np.abs(places - [0.0, 0.0, LEGS["height"]] - np.outer(told, [1.0, 0.0, 0.0]))
    assert 0.0 < np.max(off) < 0.02**2 / LEGS["height"]
    assert np.max(np.abs(many[0].record.q[0, :, model.index.q["leg0"]])) < 1e-12


@pytest.mark.slow
@pytest.mark.parametrize(("count", "power"), [(1, 2.1), (2, 2.4)])
def test_neighbours_part_by_a_power_of_time_and_meet_again(count, power):
    """Three pairs whose springs differ by 1e-8 in one: their distance grows by about the square of the time, as under a
    force that differs, and not exponentially; where all rods are latched a tenth of it is left."""
    shape = belts(count)
    model, rods = truss(shape), len(shape.rods)
    law, numbers = drives(model, shape)
    pairs = np.tile(numbers, (6, 1))
    pairs[:, -rods:] *= np.repeat(1.0 + 0.05 * np.random.default_rng(0).standard_normal((3, rods)), 2, axis=0)
    pairs[1::2, -rods] += 1e-8
    options = {"until": 2.2, "method": "dopri5", "rtol": 1e-12, "atol": 1e-13, "output": 0.02}
    many = jd.simulate_many(
        model, stowed(model, shape), controller=law(*numbers), parameters=pairs, motions=shaken(model, 0.0), **options
    )
    nodes = [i for i, name in enumerate(model.names.q) if name.startswith("node") and name[-2:] in (".x", ".y")]
    apart = np.linalg.norm(many.record.q[0::2][:, :, nodes] - many.record.q[1::2][:, :, nodes], axis=2)
    early = (many.time > 0.19) & (many.time < 0.61)  # no rod is latched yet
    for one in apart:
        slope = np.polyfit(np.log(many.time[early]), np.log(one[early]), 1)[0]
        assert slope == pytest.approx(power, abs=0.15)
        assert np.max(one) < 1e-8 and one[-1] < 0.25 * np.max(one)


@pytest.mark.slow
def test_four_belts_open():
    """373 bodies, 493 velocities, 156 loops: all rods latch, and it is as large as it should be."""
    shape = belts(4)
    model = truss(shape)
    many = deployed(model, shape, 1)
    assert len(model.bodies) == 373 and model.nv == 493 and not many.failed and not many.untrusted
    at = latching(many, shape)
    assert np.all(np.isfinite(at)) and 1.5 < np.ptp(at) < 3.0
    places = [model.pose(f"node{k}.origin", many.record.q[0, -1]).position for k in range(1, len(shape.places))]
    assert np.max(np.linalg.norm(places, axis=1)) == pytest.approx(4.0, abs=1e-4)


@pytest.mark.slow
def test_neighbours_part_faster_the_more_belts_there_are():
    """What a difference of 1e-9 of one spring becomes at most, in metres of the nodes: 0.36, 0.78 and 3.8 a unit."""
    grown = []
    for count in (1, 2, 3):
        shape = belts(count)
        model = truss(shape)
        law, numbers = scattered(model, shape)
        both = np.stack([numbers, numbers])
        both[1, -len(shape.rods)] += 1e-9
        options = {"until": 2.0, "method": "dopri5", "rtol": 1e-12, "atol": 1e-13, "output": 0.05}
        many = jd.simulate_many(model, stowed(model, shape), controller=law(*numbers), parameters=both, **options)
        nodes = [i for i, name in enumerate(model.names.q) if name.startswith("node") and name[-2:] in (".x", ".y")]
        apart = np.linalg.norm(np.diff(many.record.q[:, :, nodes], axis=0)[0], axis=1)
        grown.append(float(np.max(apart)) / 1e-9)
    assert grown == pytest.approx([0.36, 0.78, 3.8], rel=0.1)
