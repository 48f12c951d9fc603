"""Runs with volumetric contact: energy, memory, methods, many runs, linear models, files, refusals."""

import numpy as np
import pytest
from patches import system_of

import jourdain as jd

R = 0.1
PLANE = jd.Plane((0, 0, 1)).at("world")
BRISTLES = jd.BristleFriction(static=0.3, kinetic=0.25, stiffness=1e4, stribeck=0.02, dwell=0.05)


def law(**words):
    return jd.VolumetricContact(**{"stiffness": 1e7, "restitution": 0.5, **words})


@pytest.fixture(scope="module")
def ball():
    return system_of(jd.Sphere(R), PLANE, law(), BRISTLES, gravity=9.81)


def thrown(model, height=0.02, w=(0.0, 3.0, 2.0), v=(0.3, 0.1, 0.0)):
    return model.state(q={"free": jd.Pose((0, 0, R + height))}, v={"free": [*w, *v]})


@pytest.mark.parametrize("e", [0.2, 0.5, 0.9])
def test_a_free_impact_has_its_restitution(e):
    """Without gravity or friction, whatever the growth of the patch; the tolerances of the method remain."""
    model = system_of(jd.Sphere(R), PLANE, law(restitution=e))
    run = jd.simulate(model, thrown(model, 1e-3, (0, 0, 0), (0, 0, -0.5)), until=0.5, rtol=1e-10)
    assert run.v["free.vz"].values[-1] == pytest.approx(0.5 * e, rel=1e-6)
    assert run.energy.error < 1e-8
    assert abs(float(run.contact["touch"].remained[-1])) < 1e-9


def test_energy_is_kept_in_the_balance(ball):
    run = jd.simulate(ball, thrown(ball), until=0.5, step=5e-5)
    adaptive = jd.simulate(ball, thrown(ball), until=0.5)
    assert run.energy.error < 1e-5 and adaptive.energy.error < 1e-8
    # a fixed step sees a touchdown late by up to a step: 0.5 mm/s of impacts of 0.1 to 0.6 m/s
    assert adaptive.v["free.vx"].values[-1] == pytest.approx(run.v["free.vx"].values[-1], rel=1e-2)
    bounces = np.diff(run.contact["touch"].patch.touching.values)
    assert np.sum(bounces > 0) >= 2  # it bounced, so parts vanished and came again
    end = {name: float(run.energy[name][-1]) for name in ("total", "dissipated")}
    assert end["total"] + end["dissipated"] == pytest.approx(float(run.energy["total"][0]), rel=1e-5)


@pytest.mark.filterwarnings("ignore::jourdain.contact.StepWarning")
def test_relaxation_is_a_named_term(ball):
    """At a coarse step the ball is found inside the plane; the volume found then decays, which supplies work."""
    model = system_of(jd.Sphere(R), PLANE, law(relaxation=0.05), BRISTLES, gravity=9.81)
    run = jd.simulate(model, thrown(model, 0.02, (0, 0, 0), (0, 0, 0)), until=0.6, step=1e-3, step_check="warn")
    offset = run.z["touch.offset"].values
    assert offset.max() > 0.0 and offset[-1] < 0.01 * offset.max()
    assert float(run.contact["touch"].relaxed[-1]) > 0.0
    assert run.energy.error < 1e-3  # a step of 1 ms over an impact of 30 ms
    weight = run.contact["touch"].patch.normal_force.values[-1]
    assert weight == pytest.approx(2.0 * 9.81, rel=1e-3)


def test_restart_goes_on_as_if_never_stopped(ball):
    whole = jd.simulate(ball, thrown(ball), until=0.2, step=1e-4)
    half = jd.simulate(ball, thrown(ball), until=0.1, step=1e-4)
    rest = jd.simulate(ball, half.state(-1), until=0.2, step=1e-4)
    assert np.array_equal(whole.record.z[-1], rest.record.z[-1])
    assert np.array_equal(whole.record.v[-1], rest.record.v[-1])


def test_many_runs_are_the_runs_one_by_one(ball):
    states = [thrown(ball, 0.02, v=(x, 0.1, 0.0)) for x in (0.1, 0.2, 0.3)]
    many = jd.simulate_many(ball, states, until=0.2, step=1e-4)
    for one, state in zip(many, states, strict=True):
        alone = jd.simulate(ball, state, until=0.2, step=1e-4)
        assert np.array_equal(one.record.v[-1], alone.record.v[-1])


def test_equilibrium_and_linear_model_of_a_ball_at_rest():
    """The weight is k_v V; heave feels k_v times the area of the patch."""
    model = system_of(jd.Sphere(R), PLANE, law(), BRISTLES, gravity=9.81)
    rest = model.equilibrium(model.state(q={"free": jd.Pose((0, 0, R - 2e-3))}))
    depth = R - float(rest.state.q[2])
    assert np.pi * depth**2 * (R - depth / 3) * 1e7 == pytest.approx(2.0 * 9.81, rel=1e-8)
    linear = model.linearize(rest.state)
    names, stiffness = list(linear.states), 1e7 * np.pi * depth * (2 * R - depth)
    heave = linear.A[names.index("v:free.vz"), names.index("x:free.vz")]
    assert heave == pytest.approx(-stiffness / 2.0, rel=1e-5)
    assert not any(name.endswith((".elastic", ".offset", ".remained", ".relaxed")) for name in names)
    assert any(name.endswith(".twist") for name in names)


def test_a_run_file_keeps_the_law(ball, tmp_path):
    run = jd.simulate(ball, thrown(ball), until=0.05, step=1e-4)
    run.save(tmp_path / "run.nc")
    again = jd.load(tmp_path / "run.nc")
    assert again.model.hash == ball.hash
    assert np.array_equal(again.contact["touch"].patch.force.values, run.contact["touch"].patch.force.values)


def refused(*words, shape=None, ground=PLANE, friction=None, **law_words):
    with pytest.raises(jd.errors.ModelError) as error:
        system_of(shape or jd.Sphere(R), ground, jd.VolumetricContact(**law_words), friction)
    for word in words:
        assert word in str(error.value), str(error.value)


def test_what_is_wrong_is_said():
    steel = jd.Material(2e11, 0.3)
    refused("touch", "stiffness=", "material=")
    refused("stiffness", stiffness=-1.0)
    refused("inf", stiffness=(np.inf, np.inf))
    refused("depth", "hertz=True", material=(steel, steel))
    refused("material", "None for a rigid", material=(None, None), depth=0.01)
    refused("Poisson", "stiffness=", material=(jd.Material(1e6, 0.5), None), depth=0.01)
    refused("needs no depth", material=(steel, None), depth=0.1, hertz=True)
    refused("contensou", "integrated", stiffness=1e7, contensou="exact")
    refused("restitution", stiffness=1e7, restitution=0.0)
    refused("parts", stiffness=1e7, parts=0)
    refused("does not know", shape=jd.Cone(0.1, 0.2), ground=jd.Cone(0.1, 0.2).at("world"), stiffness=1e7)

    @jd.contact.friction_law
    def own(load, slip, z, p, dz):
        return (0.0, 0.0, 0.0)

    refused("spin", friction=own, stiffness=1e7)
    system = jd.System("pile")
    system.add(jd.RigidBody("a", mass=1.0, inertia=(1, 1, 1)), jd.Free("free"))
    system.collide("pile", [jd.Sphere(R).at("a.origin"), PLANE], normal=law())
    with pytest.raises(jd.errors.ModelError, match="point contacts"):
        system.compile()


def test_point_contacts_have_no_patches():
    model = system_of(jd.Sphere(R), PLANE, jd.HertzContact(stiffness=1e6))
    run = jd.simulate(model, thrown(model), until=1e-3, step=1e-3)
    with pytest.raises(jd.JourdainError, match="only a volumetric contact"):
        run.contact["touch"].patch  # noqa: B018


@pytest.mark.parametrize("axis, lean", [("inertia", 9.553), ("conservative", 0.0)])
def test_the_impact_speed_is_along_the_normal_of_the_patch(axis, lean):
    """A cube that comes down on an edge, tilted by 30 degrees: its inertia faces 9.553 degrees off the vertical.

    So it then latches 0.6 cos 9.553 m/s, wherever steps find it, and every method sees the same damping. A line, as
    which it touches at first, says nothing of that normal, nor does the guess before it touches.
    """
    shape, tilt = jd.Box((0.2, 0.2, 0.2)), np.radians(30.0)
    system = jd.System("cube")
    system.add(jd.RigidBody.from_shape("cube", shape, density=1000.0), jd.Free("free"))
    normal = jd.VolumetricContact(stiffness=1e9, restitution=0.5, normal=axis)
    system.contact("touch", shape.at("cube.origin"), PLANE, normal=normal)
    model = system.compile()
    turn = np.array([[np.cos(tilt), 0, np.sin(tilt)], [0, 1, 0], [-np.sin(tilt), 0, np.cos(tilt)]])
    leaving = []
    for gap in (1e-3, 1.37e-3):
        place = (0, 0, 0.1 * (np.cos(tilt) + np.sin(tilt)) + gap)
        state = model.state(q={"free": jd.Pose(place, turn)}, v={"free": [0, 0, 0, *(turn.T @ [0, 0, -0.6])]})
        for how in ({}, {"rtol": 1e-6}, {"step": 1e-4}, {"step": 2e-5}):
            run = jd.simulate(model, state, until=0.02, **how)
            latched = run.z["touch.impact_speed"].values[run.z["touch.touching"].values == 1.0]
            assert latched[-1] == pytest.approx(0.6 * np.cos(np.radians(lean)), rel=1e-5)
            leaving.append(run.frame("cube.origin").velocity.values[-1])
    assert np.ptp(leaving, axis=0).max() < 1e-7


def test_parts_are_kept_for_the_poses_that_they_are_of(ball):
    """In a run only; a shape that has moved by the last digit is looked at anew."""
    from jourdain.kernels.contact.volumetric.overlap_cache import forget_parts, keep_parts, kept_parts
    from jourdain.kernels.model_arrays import workspace

    ws, row = workspace(ball.arrays), ball.arrays.contacts[0]
    shapes = ws.shapes.array
    shapes[:] = np.random.default_rng(3).uniform(-1.0, 1.0, shapes.shape)
    ws.sites[0].volume = 2e-6
    keep_parts.py_func(row, ws, 0, 1)
    assert kept_parts.py_func(row, ws, 0) == -1  # outside of runs nothing is kept
    forget_parts.py_func(ball.arrays, ws)
    assert kept_parts.py_func(row, ws, 0) == -1
    keep_parts.py_func(row, ws, 0, 1)
    ws.sites.array[:] = 0.0
    assert kept_parts.py_func(row, ws, 0) == 1 and ws.sites[0].volume == 2e-6
    moved = ws.shapes[row.first]
    x, y, z = moved.p_WS
    moved.p_WS = x, y, np.nextafter(z, 1.0)
    assert kept_parts.py_func(row, ws, 0) == -1
    moved.p_WS = x, y, z
    forget_parts.py_func(ball.arrays, ws)
    assert kept_parts.py_func(row, ws, 0) == -1
