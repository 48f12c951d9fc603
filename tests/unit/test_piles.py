"""Piles: which pairs are found, what is remembered of them, and what is refused."""

import math
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import jourdain as jd
from jourdain.kernels.contact.contact_rows import ListedPair, PairMemory
from jourdain.kernels.contact.granular import accept_piles
from jourdain.kernels.rows import Table
from jourdain.model.contact_states import accept
from jourdain.model.run_stages import assemble

BROAD = ("cells", "sweep", "lists")
RADII = np.geomspace(0.1, 1.0, 14)
FLOOR, HUGE = 0, 1
HUGE_AT = np.array([0.0, 0.0, -11.0])
HUGE_RADIUS = 12.0
HARD = jd.HertzContact(stiffness=1e5, restitution=0.5, slow_speed=0.05)
SOFT = jd.HertzContact(stiffness=1e4, restitution=0.5, slow_speed=0.05)


def ball(name: str, radius: float, density: float = 1000.0, **more) -> jd.RigidBody:
    return jd.RigidBody.from_shape(name, jd.Sphere(radius), density=density, **more)


def mixed(broad: str) -> jd.Model:
    """Balls with radii 1 to 10 on free joints, the last two also held together by a hinge; a floor and a huge ball."""
    system = jd.System("mixed", gravity=(0, 0, -9.81))
    shapes = [jd.Plane((0, 0, 1)).at("world"), jd.Sphere(HUGE_RADIUS).at("world", position=HUGE_AT)]
    for i, radius in enumerate(RADII):
        joint, to = jd.Free(f"free{i}"), "world"
        if i == len(RADII) - 1:
            joint, to = jd.Revolute("hinge", axis="y"), f"ball{i - 1}.origin"
        system.add(ball(f"ball{i}", radius), joint, to=to, position=(0.0, 0.0, 0.0))
        shapes.append(jd.Sphere(radius).at(f"ball{i}.origin"))
    system.collide("pile", shapes, normal=SOFT, broad=broad, sites=200)
    return system.compile()


@cache
def model_of(broad: str) -> jd.Model:
    return mixed(broad)


PLACES = arrays(float, (len(RADII) - 1, 3), elements=st.floats(-3.0, 3.0))


def coordinates(model: jd.Model, places: np.ndarray) -> np.ndarray:
    q = np.array(model.neutral)
    for i, place in enumerate(places):
        q[7 * i : 7 * i + 3] = place
    return q


def gaps(places: np.ndarray) -> dict[tuple[int, int], float]:
    """Distance between the surfaces of every two shapes that may touch, by shape numbers."""
    centres = np.vstack([places, places[-1]])  # the hinged ball sits at the centre of the one that carries it
    last = len(RADII) - 1
    out = {}
    for i, (c, r) in enumerate(zip(centres, RADII, strict=True)):
        out[FLOOR, 2 + i] = c[2] - r
        out[HUGE, 2 + i] = math.dist(c, HUGE_AT) - r - HUGE_RADIUS
        for j in range(i + 1, len(RADII)):
            if (i, j) != (last - 1, last):
                out[2 + i, 2 + j] = math.dist(c, centres[j]) - r - RADII[j]
    return out


def within(places: np.ndarray, margin: float) -> set[tuple[int, int]]:
    return {pair for pair, gap in gaps(places).items() if gap < margin}


def listed(ws) -> list[tuple[int, int]]:
    rows = ws.pairs[: ws.lists.count]
    return [tuple(sorted((pair.first, pair.second))) for pair in map(ListedPair, rows)]


def touching(latched: np.ndarray) -> set[tuple[int, int]]:
    slots = Table(latched.reshape(-1, PairMemory.size), PairMemory)
    return {tuple(sorted((slot.first, slot.second))) for slot in slots if slot.touching}


def memory(model: jd.Model) -> tuple[np.ndarray, np.ndarray]:
    """States, with work and losses behind them, and latched values, all empty."""
    return np.zeros(len(model.names.z) - model.latched + 2), np.zeros(model.latched)


@pytest.mark.parametrize("broad", BROAD)
@given(places=PLACES)
def test_pairs_nearer_than_the_margin_are_listed_once(broad, places):
    model = model_of(broad)
    margin = model.arrays.contact_floats[model.arrays.contacts[0].sizes]
    assert margin == pytest.approx(0.25 * np.exp(np.mean(np.log([HUGE_RADIUS, *RADII]))))
    ws = accept(model, 0, coordinates(model, places), np.zeros(model.nv), *memory(model))
    found = listed(ws)
    assert len(found) == len(set(found))
    # two doubles of the same sum may be rounded either way
    assert within(places, margin * (1 - 1e-12)) <= set(found) <= within(places, margin * (1 + 1e-12))


@settings(max_examples=30)
@given(places=PLACES, far=st.sampled_from([30.0, 1e4, 1e9]), axis=st.integers(0, 2))
def test_cells_that_share_a_place_keep_their_shapes_apart(places, far, axis):
    """Far more cells between the outermost shapes than there is room for: rows and layers of them fold together."""
    model = model_of("cells")
    margin = model.arrays.contact_floats[model.arrays.contacts[0].sizes]
    places = places.copy()
    places[::3, axis] += far
    places[1::3, (axis + 1) % 3] -= 0.5 * far
    ws = accept(model, 0, coordinates(model, places), np.zeros(model.nv), *memory(model))
    found = listed(ws)
    assert len(found) == len(set(found))
    # places are known to a last digit of the distance
    slack = margin * 1e-12 + 4.0 * np.spacing(far)
    assert within(places, margin - slack) <= set(found) <= within(places, margin + slack)


@pytest.mark.parametrize("broad", BROAD)
@settings(max_examples=8)
@given(places=PLACES, velocities=arrays(float, (len(RADII) - 1, 3), elements=st.floats(-5.0, 5.0)), jump=PLACES)
def test_what_touches_is_known_at_every_step(broad, places, velocities, jump):
    """Straight flights through each other, lists kept from step to step; half way all are put elsewhere."""
    model = model_of(broad)
    stages, h = assemble(model), 0.01
    z, latched = memory(model)
    v = np.zeros(model.nv)
    for i, u in enumerate(velocities):
        v[6 * i + 3 : 6 * i + 6] = u
    ws = accept(model, 0, coordinates(model, places), v, z, latched)
    ws.ledger.step = h
    for step in range(40):
        if step == 20:
            places = jump
        places = places + h * velocities
        q = coordinates(model, places)
        accept_piles.ready(model.features).python(model.arrays, stages.touch, 0, q, v, z, latched, ws, np.zeros(len(z)))
        assert touching(latched) == within(places, 0.0)
        assert within(places, 0.0) <= set(listed(ws))


def test_a_plane_that_turns_finds_what_is_far_from_its_origin():
    system = jd.System("seesaw")
    system.add(jd.RigidBody("board", mass=1.0, inertia=(1, 1, 1)), jd.Revolute("tilt", axis="y"))
    system.add(ball("ball", 0.1), jd.Free("free"), position=(50.0, 0.0, 2.0))
    shapes = [jd.Plane((0, 0, 1)).at("board.origin"), jd.Sphere(0.1).at("ball.origin")]
    system.collide("pile", shapes, normal=jd.contact.LinearContact(stiffness=1e5))
    model = system.compile()
    motion = {"tilt": jd.Polynomial((0.0, -0.2))}
    run = jd.simulate(model, model.state(v={"tilt": -0.2}), until=0.25, step=1e-3, motions=motion)
    assert run.v["free.vz"].values[-1] > 1.0


def pair_system(law, radii=(0.1, 0.1), speed=1.0, gap=0.01) -> tuple[jd.Model, jd.State]:
    """Two balls that meet head-on along x."""
    system = jd.System("impact")
    for i, radius in enumerate(radii):
        place = (-radius - gap / 2, 0, 0) if i == 0 else (radius + gap / 2, 0, 0)
        system.add(ball(f"ball{i}", radius), jd.Free(f"free{i}"), position=place)
    system.collide("pile", [jd.Sphere(r).at(f"ball{i}.origin") for i, r in enumerate(radii)], normal=law)
    model = system.compile()
    return model, model.state(v={"free0.vx": speed / 2, "free1.vx": -speed / 2})


def mass(radius: float) -> float:
    return 4.0 / 3.0 * np.pi * radius**3 * 1000.0


def test_elastic_impact_of_two_balls():
    """Overlap times stiffness (Muth & Eberhard 2002): half a period of the spring between the two masses."""
    k, speed = 1e4, 1.0
    model, state = pair_system(jd.contact.LinearContact(stiffness=k), (0.1, 0.05), speed)
    run = jd.simulate(model, state, until=0.2)
    m = 1.0 / (1.0 / mass(0.1) + 1.0 / mass(0.05))
    t, sites = run.time.values, run.contact["pile"].sites.values
    began, ended = t[np.flatnonzero(sites)[0]], t[np.flatnonzero(sites)[-1] + 1]
    assert ended - began == pytest.approx(np.pi * np.sqrt(m / k), rel=1e-8)
    fine = jd.simulate(model, state, until=began + 1.2 * (ended - began), output=1e-5)
    assert fine.contact["pile"].depth.values.max() == pytest.approx(speed * np.sqrt(m / k), rel=1e-5)
    apart = run.v["free1.vx"].values[-1] - run.v["free0.vx"].values[-1]
    assert apart == pytest.approx(speed, rel=1e-9)


def test_stiffness_of_materials_by_radii():
    """Two impacts in one pile, each as deep as Hertz has it for its radii: (15 m v^2 / (16 E* sqrt R))^0.4."""
    steel = jd.Material(E=210e9, nu=0.3)
    modulus = 0.5 * 210e9 / (1 - 0.3**2)
    system = jd.System("materials")
    shapes = []
    for i, radius in enumerate((0.1, 0.1, 0.02, 0.05)):
        place = ((-1) ** (i + 1) * (radius + 1e-4), 0.0, 3.0 * (i // 2))
        system.add(ball(f"ball{i}", radius, 7800.0), jd.Free(f"free{i}"), position=place)
        shapes.append(jd.Sphere(radius).at(f"ball{i}.origin"))
    system.collide("pile", shapes, normal=jd.HertzContact(material=(steel, steel), restitution=1.0))
    model = system.compile()
    for pair in ((0, 1), (2, 3)):
        a, b = (shapes[i].shape.radius for i in pair)
        m = 7.8 / (1.0 / mass(a) + 1.0 / mass(b))
        deepest = (15.0 * m / (16.0 * modulus * math.sqrt(a * b / (a + b)))) ** 0.4
        state = model.state(v={f"free{pair[0]}.vx": 0.5, f"free{pair[1]}.vx": -0.5})
        run = jd.simulate(model, state, until=1e-3, step=1e-6)
        assert run.contact["pile"].depth.values.max() == pytest.approx(deepest, rel=1e-4)


def stack(explicit: bool, broad: str = "cells", **more) -> jd.Model:
    """Four balls thrown onto three, on a floor, with friction; as a pile, or with every pair named."""
    system = jd.System("stack", gravity=(0, 0, -9.81))
    places = [(0.21 * i, 0.0, 0.1) for i in range(3)] + [(0.21 * i - 0.02, 0.03, 0.5) for i in range(4)]
    shapes = [jd.Plane((0, 0, 1)).at("world")]
    for i, place in enumerate(places):
        system.add(ball(f"ball{i}", 0.1, 100.0), jd.Free(f"free{i}"), position=place)
        shapes.append(jd.Sphere(0.1).at(f"ball{i}.origin"))
    laws = {"normal": HARD, "friction": jd.BristleFriction(kinetic=0.4, stiffness=1e3, damping=2.0, stribeck=0.1)}
    if not explicit:
        system.collide("pile", shapes, broad=broad, **laws, **more)
        return system.compile()
    for i, one in enumerate(shapes):
        for j, other in enumerate(shapes[:i]):
            system.contact(f"pair{i}_{j}", other, one, **laws)
    return system.compile()


def thrown(model: jd.Model) -> jd.State:
    return model.state(v={f"free{i}.vx": 0.5 * i - 2.0 for i in range(3, 7)})


@pytest.mark.filterwarnings("error::jourdain.contact.StepWarning")
@pytest.mark.parametrize("broad", BROAD)
def test_a_pile_is_all_its_pairs(broad):
    """The sums run in another order, and rounding is all that may differ; the memory outlives many lists."""
    runs = [
        jd.simulate(model, thrown(model), until=0.4, step=1e-4, output=0.01)
        for model in (stack(True), stack(False, broad))
    ]
    assert runs[1].contact["pile"].sites.values.max() >= 5
    assert runs[1].record.q == pytest.approx(runs[0].record.q, abs=1e-11)
    assert runs[1].record.v == pytest.approx(runs[0].record.v, abs=1e-9)
    assert runs[1].record.energy == pytest.approx(runs[0].record.energy, abs=1e-9)


def test_the_adaptive_method_finds_the_same_touchdowns():
    runs = [jd.simulate(m, thrown(m), until=0.15, output=0.01) for m in (stack(True), stack(False))]
    assert runs[1].record.q == pytest.approx(runs[0].record.q, abs=1e-6)  # tolerances 1e-9, grown by the impacts
    assert runs[1].energy.error < 1e-6


@pytest.mark.parametrize("at", [0.1999, 0.2, 0.2995])
def test_restart_from_the_state_of_a_run(at):
    """The slots come along with the state; lists are made anew."""
    model = stack(False)
    whole = jd.simulate(model, thrown(model), until=0.4, step=1e-4, output=0.4)
    first = jd.simulate(model, thrown(model), until=at, step=1e-4, output=1e-4)
    rest = jd.simulate(model, first.state(), until=0.4, step=1e-4, output=1e-4)
    assert rest.record.q[-1] == pytest.approx(whole.record.q[-1], abs=1e-11)
    assert rest.record.v[-1] == pytest.approx(whole.record.v[-1], abs=1e-9)


def test_slots_come_and_go():
    """After the balls have parted for good nothing is remembered."""
    model, state = pair_system(jd.HertzContact(stiffness=1e5, restitution=0.5, relaxation=1e-3))
    run = jd.simulate(model, state, until=0.5, step=1e-4)
    names = list(model.names.z)
    held = run.record.z[:, [i for i, name in enumerate(names) if name.endswith("touching")]]
    assert held.max() == 1.0 and held.sum(axis=1).max() == 1.0
    assert np.all(run.record.z[-1] == 0.0)
    speeds = run.record.z[:, [i for i, name in enumerate(names) if name.endswith("impact_speed")]]
    assert speeds.max() == pytest.approx(1.0, rel=1e-12)


@pytest.mark.parametrize("method", [{"step": 5e-4}, {}])
def test_room_for_pairs_grows(method):
    """Slender capsules fly together until all the balls that hold them overlap, and their neighbours touch."""
    n, system = 40, jd.System("bundle")
    capsule = jd.Capsule(0.01, 2.0)
    for i in range(n):
        body = jd.RigidBody.from_shape(f"rod{i}", capsule, density=1000.0)
        system.add(body, jd.Free(f"free{i}"), position=(3.0 * i, 0, 0))
    shapes = [capsule.at(f"rod{i}.origin") for i in range(n)]
    system.collide("bundle", shapes, normal=jd.HertzContact(stiffness=1e5, restitution=0.5, slow_speed=0.1))
    model = system.compile()
    state = model.state(v={f"free{i}.vx": -3.0 * i for i in range(n)})
    assert n * (n - 1) / 2 > 12 * n + 64  # more than there is room for at first
    run = jd.simulate(model, state, until=0.994, output=0.994, **method)
    assert run.contact["bundle"].sites.values[-1] == 2 * (n - 1)
    assert run.v["free0.vx"].values[-1] < 0.0


def test_too_few_sites_are_said_so():
    with pytest.raises(jd.errors.ModelError, match=r"pile.*2 that there is room for; give collide\(\.\.\., sites=\)"):
        crowded = stack(False, sites=2)
        at = crowded.state(q={f"free{i}": jd.Pose((0, 0, -1e-4)) for i in range(3)})
        jd.simulate(crowded, at, until=0.1, step=1e-3)
    crowded = stack(False, sites=4)
    with pytest.raises(jd.errors.SimulationError, match="pile") as caught:
        jd.simulate(crowded, thrown(crowded), until=0.5, step=5e-4)
    assert caught.value.partial is not None


def test_saved_and_loaded(tmp_path):
    model = stack(False, "sweep", sites=50)
    assert jd.Model.from_description(model.description).hash == model.hash
    run = jd.simulate(model, thrown(model), until=0.1, step=5e-4, output=0.01)
    run.save(tmp_path / "run.nc")
    again = jd.load(tmp_path / "run.nc")
    assert again.model.hash == model.hash
    assert np.array_equal(again.contact["pile"].depth.values, run.contact["pile"].depth.values)
    on = [jd.simulate(m, r.state(), until=0.2, step=5e-4, output=0.1) for m, r in ((model, run), (again.model, again))]
    assert np.array_equal(on[0].record.q, on[1].record.q)


def test_many_runs_do_not_share_their_lists():
    """Cases of one ensemble follow each other in one workspace."""
    model = stack(False)
    states = [thrown(model), model.state(q={"free4": jd.Pose((0, 0, 2.0))}), thrown(model)]
    many = jd.simulate_many(model, states, until=0.2, step=5e-4, workers=1)
    for i, state in enumerate(states):
        alone = jd.simulate(model, state, until=0.2, step=5e-4, output=0.2)
        assert np.array_equal(many.record.q[i, -1], alone.record.q[-1])


@pytest.mark.parametrize(
    ("shapes", "more", "message"),
    [
        ([jd.Plane((0, 0, 1)).at("world"), jd.Sphere(1.0).at("world")], {}, "no two of its shapes can touch"),
        ([jd.Sphere(0.1).at("a.origin")], {}, "has 1 shapes; give at least two"),
        ([jd.Sphere(0.1).at("a.origin"), jd.Sphere(0.1).at("c.origin")], {}, 'no body "c"'),
        ([jd.Sphere(0.1).at("a.origin"), jd.Sphere(-0.1).at("b.origin")], {}, "radius"),
        (
            [jd.Box((1, 1, 1)).at("a.origin"), jd.Box((1, 1, 1)).at("b.origin")],
            {},
            "box .a.origin. with box .b.origin.",
        ),
        (
            [jd.Sphere(0.1).at("a.origin"), jd.Sphere(0.1).at("b.origin")],
            {"broad": "trees"},
            "one of cells, sweep, lists",
        ),
        ([jd.Sphere(0.1).at("a.origin"), jd.Sphere(0.1).at("b.origin")], {"sites": 0}, "a whole number above 0"),
    ],
)
def test_refused_with_the_name_of_the_pile(shapes, more, message):
    system = jd.System("bad")
    for name in "ab":
        system.add(ball(name, 0.1), jd.Free(f"free_{name}"))
    system.collide("heap", shapes, normal=SOFT, **more)
    with pytest.raises(jd.errors.ModelError, match=message) as caught:
        system.compile()
    assert all(problem.address.startswith("heap") for problem in caught.value.problems)
