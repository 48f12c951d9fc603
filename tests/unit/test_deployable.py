"""Deployable beams: against mass points, against a Beam at rest length, energy, momentum, bad input."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from particles import BeamFunctions, cluster, equations, turn

import jourdain as jd
from jourdain.kernels import forward_dynamics, workspace

STIFF = dict(EA=4e4, EI=(900.0, 700.0), GJ=300.0)
GRAVITY = np.array([0.5, -0.3, -9.0])
HUB, LOAD = (3.0, (0.1, -0.2, 0.05), (0.5, 0.6, 0.7)), (2.0, (0.1, 0.2, 0.0), (0.3, 0.2, 0.4))
AXES = {"turn": np.array([1.0, 2.0, 2.0]) / 3.0, "hinge": np.array([0.0, 1.0, 0.0]), "wrist": np.array([0.0, 0.6, 0.8])}
ROOT, WRIST = np.array([0.2, 0.1, -0.1]), np.array([0.1, -0.05, 0.02])


def boom(deployment, modes, **more):
    return jd.DeployableBeam(
        "boom", length=(1.0, 4.0), mass=6.0, deployment=deployment, modes=modes, **(STIFF | more), frames={"mid": 0.6}
    )


def system(body, gravity=GRAVITY, hub_joint=None):
    """A hub that slides and turns, a beam hinged on it, a load hinged on the beam's tip."""
    out = jd.System("boom", gravity=gravity)
    slide = hub_joint or jd.Prismatic("slide", axis="x")
    out.add(jd.RigidBody("cart", 1.5, inertia=(0.3, 0.3, 0.3)), slide)
    out.add(jd.RigidBody("hub", *HUB), jd.Revolute("turn", axis=AXES["turn"]), to="cart.origin")
    out.add(body, jd.Revolute("hinge", axis="y"), to="hub.origin", position=ROOT)
    out.add(jd.RigidBody("load", *LOAD), jd.Revolute("wrist", axis=AXES["wrist"]), to="boom.tip", position=WRIST)
    return out


def oracle(body, q, v):
    """Mass matrix and bias of `system`, from particles; names as the model's."""
    names = ["slide", "turn", "hinge", *(f"boom.{name}" for name in body.internal), "wrist"]
    shapes = BeamFunctions(body.unit)
    n = len(body.internal)
    # Particles of a stretching beam are where its slices are: as few as integrate all but the square of foreshortening.
    nodes, weights = np.polynomial.legendre.leggauss(24 if body.emerges else body.tables.points)
    xi, weights = 0.5 * (nodes + 1.0), 0.5 * weights
    now = q[3]
    if body.emerges:
        density = body.whole_mass / body.length[1]
        stowed = body.length[1] - now
        s = np.concatenate([now * (1.0 - xi), now + stowed * xi])
        masses = density * np.concatenate([now * weights, stowed * weights])
    else:
        s, masses = xi, body.whole_mass * weights
    hub_m, hub_p = cluster(*HUB)
    load_m, load_p = cluster(*LOAD)

    def places(x):
        slide, angle, hinge, e, wrist = x[0], x[1], x[2], x[3 : 3 + n], x[3 + n]
        cart = np.array([slide, 0.0, 0.0])
        R_hub = turn(AXES["turn"], angle)
        R = R_hub @ turn(AXES["hinge"], hinge)
        root = cart + R_hub @ ROOT
        axis = shapes.axis(e[1:], e[0])
        if body.emerges:
            out = axis(1.0 - s[:24] / e[0])
            rod = np.stack([e[0] - s[24:], 0 * s[24:], 0 * s[24:]], axis=-1)
            points = np.concatenate([out, rod])
        else:
            points = axis(s)
        R_tip = R @ shapes.section(e[1:], e[0])
        tip = root + R @ axis(np.ones(1))[0] + R_tip @ WRIST
        load = tip + load_p @ (R_tip @ turn(AXES["wrist"], wrist)).T
        return np.concatenate([[cart], cart + hub_p @ R_hub.T, root + points @ R.T, load])

    every = np.concatenate([[1.5], hub_m, masses, load_m])

    def potential(x):
        strain = shapes.strain(x[4 : 3 + n], x[3], STIFF["EA"], STIFF["EI"], STIFF["GJ"])
        return strain - every @ (places(x) @ GRAVITY)

    return names, *equations(every, places, potential, q, v)


MODES = {
    "rigid": jd.Modes(),
    "plane": jd.Modes(bending_y=2),
    "space": jd.Modes(bending=2),
    "all": jd.Modes(bending_y=2, bending_z=3, torsion=1),
}


@pytest.mark.parametrize("deployment", ["stretch", "emerging"])
@pytest.mark.parametrize("modes", MODES)
def test_equations_of_mass_points(deployment, modes):
    # The sections' own inertia, which mass points on the axis do not have, is made too small to see.
    # Stretch begins at the mouth of a guide, where passing particles change their speed: those tests are on energy.
    axial = 1 if modes == "all" and deployment == "stretch" else 0
    body = boom(deployment, replace(MODES[modes], axial=axial), inertia_per_length=1e-13)
    model = system(body).compile()
    rng = np.random.default_rng(4)
    n = len(body.internal)
    q = np.concatenate([[0.3, 0.4, -0.5], [2.3], 0.08 * rng.normal(size=n - 1), [0.6]])
    v = np.concatenate([rng.normal(size=3), [0.7], 0.8 * rng.normal(size=n - 1), [-0.4]])
    names, M, bias = oracle(body, q, v)
    state = model.state(q=dict(zip(names, q)), v=dict(zip(names, v)))
    order = [model.index.v[name] for name in names]
    np.testing.assert_allclose(model.mass_matrix(state)[np.ix_(order, order)], M, atol=1e-12 * np.abs(M).max())
    effort = rng.normal(size=len(names))
    full = np.zeros(model.nv)
    full[order] = effort
    ours, theirs = model.forward_dynamics(state, full)[order], np.linalg.solve(M, effort - bias)
    np.testing.assert_allclose(ours, theirs, rtol=1e-10, atol=1e-10 * np.abs(theirs).max())
    np.testing.assert_allclose(model.inverse_dynamics(state, model.forward_dynamics(state, full)), full, atol=1e-9)


def at_rest(deployment, length, gravity=GRAVITY):
    """A model with the beam, one with the `Beam` that it is at that length, and states of both; the length rests."""
    body = boom(deployment, jd.Modes(bending=2, torsion=1, axial=1), damping=0.02)
    fixed = body.at_length(length)
    moving, still = system(body, gravity).compile(), system(fixed, gravity).compile()
    rng = np.random.default_rng(8)
    # Of an emerging beam small enough for the square of foreshortening, which the slices of Beam integrate to a part
    # in 400, to be rounding; a stretching one has the same slices.
    size = 0.05 if deployment == "stretch" else 1e-6
    q = {name: size * rng.normal() for name in still.names.q}
    v = {name: rng.normal() for name in still.names.v}
    states = moving.state(q=q | {"boom.length": length}, v=v), still.state(q=q, v=v)
    return moving, still, *states


@pytest.mark.parametrize(("deployment", "length"), [("stretch", 1.7), ("stretch", 4.0), ("emerging", 4.0)])
def test_a_resting_length_is_a_beam(deployment, length):
    moving, still, state, fixed = at_rest(deployment, length)
    keep = [moving.index.v[name] for name in still.names.v]
    M = still.mass_matrix(fixed)
    np.testing.assert_allclose(moving.mass_matrix(state)[np.ix_(keep, keep)], M, rtol=1e-12, atol=1e-13 * M.max())
    held = moving.hybrid_dynamics(state, np.zeros(moving.nv), {"boom.length": 0.0})
    a = still.forward_dynamics(fixed)
    np.testing.assert_allclose(held.acceleration[keep], a, rtol=1e-9, atol=1e-10 * np.abs(a).max())
    for what in ("kinetic", "gravity", "strain"):
        np.testing.assert_allclose(moving.energy(state)[what], still.energy(fixed)[what], rtol=1e-12)
    for frame in ("boom.mid", "load.origin"):
        np.testing.assert_allclose(moving.velocity(frame, state), still.velocity(frame, fixed), rtol=1e-11, atol=1e-12)
        ours, theirs = moving.jacobian(frame, state)[:, keep], still.jacobian(frame, fixed)
        np.testing.assert_allclose(ours, theirs, rtol=1e-11, atol=1e-12)


def test_frequencies_of_a_resting_length():
    moving, still, _, _ = at_rest("stretch", 1.7, gravity=(0, 0, 0))
    ours = moving.frequencies(moving.state(q={"boom.length": 1.7}), hold=("boom.length", "slide", "turn")).hz
    theirs = still.frequencies(still.state(), hold=("slide", "turn")).hz
    np.testing.assert_allclose(ours, theirs, rtol=1e-6)


def test_what_is_stowed_is_a_rod_behind_the_mouth():
    length, density = 2.5, 1.5
    body = boom("emerging", jd.Modes(bending=1))
    model = system(body).compile()
    out = system(body.at_length(length))
    rod = density * (4.0 - length)
    sections = rod * (STIFF["EI"][0] + STIFF["EI"][1]) / STIFF["EA"]
    half = 0.5 * (length - 4.0)
    own = rod * (4.0 - length) ** 2 / 12.0
    out.add(jd.RigidBody("rod", rod, (half, 0, 0), (sections, own, own)), jd.Weld("stowed"), to="boom.root")
    still = out.compile()
    q = {"turn": 0.3, "hinge": -0.4, "wrist": 0.2}
    keep = [model.index.v[name] for name in still.names.v]
    M = still.mass_matrix(still.state(q=q))
    ours = model.mass_matrix(model.state(q=q | {"boom.length": length}))[np.ix_(keep, keep)]
    np.testing.assert_allclose(ours, M, rtol=1e-12, atol=1e-12 * M.max())


RUNS = {
    "free": (0, 1.0, {}),
    # a free length that stretches besides has nearly the same shape twice, and asks for very short steps: a short run
    "free and stretching": (1, 0.02, {}),
    "prescribed": (1, 1.0, {"motions": {"boom.length": jd.Cycloid(to=3.2, duration=1.0)}}),
}


@pytest.mark.parametrize("how", RUNS)
@pytest.mark.parametrize("deployment", ["stretch", "emerging"])
def test_energy_and_momentum(deployment, how):
    axial, until, options = RUNS[how]
    # soft along its axis, so that this vibration does not set the steps
    body = boom(deployment, jd.Modes(bending=2, torsion=1, axial=axial), damping=0.01, EA=4e3)
    model = system(body, gravity=(0, 0, 0), hub_joint=jd.Free("slide")).compile()
    push = {} if how == "prescribed" else {"boom.length": 0.8}
    state = model.state(
        q={"boom.length": 1.8, "boom.bending_y[0]": 0.05, "boom.torsion[0]": 0.1},
        v={"slide": (0.1, 0.3, -0.2, 0.2, 0.1, 0.0), "turn": 0.5, "hinge": -0.4, "wrist": 0.7} | push,
    )
    run = jd.simulate(model, state, until=until, **options)
    scale = float(np.ptp(run.energy["strain"].values)) + float(np.ptp(run.energy["kinetic"].values))
    # the tolerance of the adaptive method over a thousand steps
    assert np.max(np.abs(run.energy["balance"].values)) < 1e-7 * scale
    assert abs(run.q["boom.length"].values[-1] - 1.8) > 0.5 * until
    before, after = (model.momentum(one) for one in (state, run.state()))
    np.testing.assert_allclose(after.angular, before.angular, atol=1e-7)
    np.testing.assert_allclose(after.linear, before.linear, atol=1e-7)


def test_actuated_by_a_law():
    model = system(boom("emerging", jd.Modes(bending=1)), gravity=(0, 0, 0)).compile()
    length = model.index.v["boom.length"]

    @jd.law
    def winch(t, q, v, z, s, p, effort, dz):
        effort[length] += p[0]

    run = jd.simulate(model, model.state(q={"boom.length": 2.0}), until=0.5, controller=winch(8.0))
    assert run.q["boom.length"].values[-1] > 2.0
    assert np.max(np.abs(run.energy["balance"].values)) < 1e-8 * float(run.energy["work"][-1])


@pytest.mark.parametrize("deployment", ["stretch", "emerging"])
def test_stops_hold_the_length(deployment):
    model = system(boom(deployment, jd.Modes(bending=1)), gravity=(0, 0, 0)).compile()
    run = jd.simulate(model, model.state(q={"boom.length": 3.8}, v={"boom.length": 1.0}), until=1.0)
    length = run.q["boom.length"]
    # 20 Hz against what moves: 1 m/s goes 8 mm deep
    assert 4.0 < float(length.max()) < 4.02
    assert float(length[-1]) < 4.0


@pytest.mark.slow
def test_complex_step():
    model = system(boom("emerging", jd.Modes(bending=2, torsion=1), damping=0.02)).compile()
    rng = np.random.default_rng(2)
    q, v, effort = model.neutral + 0.05 * rng.normal(size=model.nq), *rng.normal(size=(2, model.nv))
    q[model.index.q["boom.length"]] = 2.2
    direction = rng.normal(size=model.nq)
    out, ws = np.zeros(model.nv, complex), workspace(model.arrays, np.complex128)
    forward_dynamics(model.arrays, ws, q + 1e-30j * direction, v + 0j, effort + 0j, out)
    real = workspace(model.arrays)
    sides = []
    for h in (1e-6, -1e-6):
        side = np.zeros(model.nv)
        forward_dynamics(model.arrays, real, q + h * direction, v, effort, side)
        sides.append(side)
    slope = (sides[0] - sides[1]) / 2e-6
    np.testing.assert_allclose(out.imag / 1e-30, slope, rtol=1e-6, atol=1e-6 * np.abs(slope).max())


def test_modal_damping_keeps_its_ratio():
    for deployment in ("stretch", "emerging"):
        body = boom(deployment, jd.Modes(bending_y=2, torsion=1), damping=0.03)
        out = jd.System("alone")
        out.add(body, jd.Weld("clamp"))
        model = out.compile()
        for length in (1.2, 3.7):
            found = model.frequencies(model.state(q={"boom.length": length}), hold=("boom.length",))
            np.testing.assert_allclose(found.damping, 0.03, rtol=1e-5)


def test_results_of_a_run():
    model = system(boom("emerging", jd.Modes(bending=1)), gravity=(0, 0, 0)).compile()
    state = model.state(q={"boom.length": 2.0, "boom.bending_y[0]": 0.1})
    run = jd.simulate(model, state, until=0.01, step=1e-3, motions={"boom.length": jd.Cycloid(to=2.1, duration=1.0)})
    shape = run.deflection("boom", x=[0.0, 1.0])
    assert shape.x.attrs["units"] == "1"
    np.testing.assert_allclose(shape.isel(time=0).sel(axis="y"), [0.0, 0.1], atol=1e-12)
    # static shape of a tip force: slope 3/2 v / l at the tip, 3/5 v^2 / l shorter, moment 3 EI v / l^2 at the root
    np.testing.assert_allclose(shape.isel(time=0, x=1).sel(axis="x"), -0.6 * 0.1**2 / 2.0, rtol=1e-10)
    strain = run.strain("boom", x=[0.0, 1.0])
    np.testing.assert_allclose(strain.moment_z.isel(time=0, x=0), 3 * 900.0 * 0.1 / 2.0**2, rtol=1e-10)
    assert np.isfinite(run.effort["boom.length"]).all()


@pytest.mark.parametrize("basis", ["polynomial", "clamped-free", "pinned-free"])
def test_strains_are_those_of_the_beam_at_each_length(basis, rng):
    """A fixed `Beam` of the same length, shape and section, row by row."""
    body = boom("emerging", jd.Modes(bending=2, axial=1, torsion=1), basis=basis, tip_mass=1.5)
    e = np.column_stack([rng.uniform(1.0, 4.0, 5), rng.normal(0.0, 0.05, (5, len(body.internal) - 1))])
    points, found = body.strain(e, [0.0, 0.3, 1.0])
    for row, length in enumerate(e[:, 0]):
        fixed = body.at_length(length).strain(e[row : row + 1, 1:], points * length)[1]
        assert found.keys() == fixed.keys()
        for name, (values, unit, text) in fixed.items():
            size = 1e-11 * max(1e-3, np.max(np.abs(values)))
            np.testing.assert_allclose(found[name][0][row], values[0], atol=size, rtol=1e-11)
            assert found[name][1:] == (unit, text)


def test_a_telescope_that_does_not_bend_runs():
    model = system(boom("emerging", jd.Modes(bending=0, torsion=0)), gravity=(0, 0, 0)).compile()
    run = jd.simulate(model, model.state(q={"boom.length": 2.0}, v={"boom.length": 0.1}), until=0.01, step=1e-3)
    # at first order in time, from rest otherwise: all of the beam moves along its own axis
    assert run.q["boom.length"][-1] == pytest.approx(2.001, abs=1e-9)


def test_described_and_rebuilt():
    body = boom("stretch", jd.Modes(bending=1), damping=(0.1, 0.001), tip_mass=2.0, basis="clamped-free")
    model = system(body).compile()
    again = jd.Model.from_description(model.description)
    assert again.hash == model.hash
    assert again.ranges == {"boom.length": (1.0, 4.0)}


def test_bad_input():
    model = system(boom("emerging", jd.Modes(bending=1))).compile()
    assert model.state().q[model.index.q["boom.length"]] == 1.0
    with pytest.raises(jd.errors.ModelError, match=r"boom.length: q is 4.5 m; it must lie between 1 and 4 m"):
        model.state(q={"boom.length": 4.5})
    with pytest.raises(jd.errors.ModelError, match=r"boom.length: motions: the profile is at .* between 1 and 4 m"):
        motion = {"boom.length": jd.Cycloid(to=5.0, duration=1.0)}
        jd.simulate(model, model.state(q={"boom.length": 2.0}), until=1.0, motions=motion)
    for given, words in (
        ({"length": (0.0, 4.0)}, "min above zero"),
        ({"length": (4.0, 1.0)}, "min above zero and below max"),
        ({"EA": -1.0}, "EA"),
        ({"basis": "free-free"}, "basis"),
        ({"deployment": "unrolling"}, "deployment"),
        ({"damping": -0.1}, "damping"),
        ({"frames": {"far": 1.2}}, "give 0 to 1"),
        ({"modes": jd.Modes(bending=9)}, "modes: bending_y is 9"),
    ):
        bad = jd.DeployableBeam("boom", **({"length": (1.0, 4.0), "mass": 6.0} | STIFF | given))
        with pytest.raises(jd.errors.ModelError, match=words):
            system(bad).compile()
    with pytest.raises(jd.errors.ModelError, match="either mass_per_length"):
        jd.DeployableBeam("boom", length=(1.0, 2.0), **STIFF)
    with pytest.raises(jd.errors.ModelError, match="EI is missing"):
        jd.DeployableBeam("boom", length=(1.0, 2.0), mass=1.0, EA=1.0, GJ=1.0)
    held = jd.System("held")
    held.add(boom("emerging", jd.Modes(bending=1)), jd.Weld("clamp"), at="tip")
    with pytest.raises(jd.errors.ModelError, match="the body deforms there"):
        held.compile()


def modules(count, deployment):
    """A chain of modules that slew and deploy, each on the tip of the last, on a geared joint, with a payload."""
    out = jd.System("snake")
    to = "world"
    for i in range(count):
        link = jd.DeployableBeam(
            f"link{i}", length=(2.5, 5.0), mass=100.0, EA=1e7, EI=1e4, GJ=1e4, deployment=deployment, damping=0.01,
            modes=jd.Modes(bending_y=2), inertia_per_length=0.5,
        )  # fmt: skip
        drive = jd.Drive(gear=50.0, rotor_inertia=1e-3, stiffness=1e3) if i == 1 else None
        out.add(link, jd.Revolute(f"slew{i}", axis="z", drive=drive), to=to)
        to = f"link{i}.tip"
    out.add(jd.RigidBody("payload", 40.0, inertia=(1, 1, 1)), jd.Weld("grip"), to=to)
    return out


def test_chained_modules():
    model = modules(3, "stretch").compile()
    motions = {"slew0": jd.Cycloid(to=1.0, duration=2.0)}
    motions |= {f"link{i}.length": jd.Cycloid(to=4.0, duration=2.0) for i in (0, 2)}
    state = model.state(q={"slew1": 0.4, "link1.length": 3.0}, v={"link1.length": 0.3})
    # the free end whips round at 0.767 and 1.411 s: with the default tolerance what is left over is decided by rounding
    run = jd.simulate(model, state, until=2.0, motions=motions, rtol=1e-11, atol=1e-13)
    assert np.max(np.abs(run.energy["balance"].values)) < 1e-8 * float(run.energy["kinetic"].max())
    assert float(run.q["link0.length"][-1]) == pytest.approx(4.0)


@pytest.mark.slow
@pytest.mark.parametrize("deployment", ["stretch", "emerging"])
def test_the_tip_touches(deployment):
    out = modules(2, deployment)
    normal = jd.HertzContact(stiffness=1e6, restitution=0.9)
    out.contact(
        "touch", jd.Sphere(0.1).at("payload.origin"), jd.Plane((-1, 0, 0), offset=-6.3).at("world"), normal=normal
    )
    model = out.compile()
    state = model.state(q={"link0.length": 3.0, "link1.length": 3.0}, v={"link1.length": 0.5})
    run = jd.simulate(model, state, until=1.0)
    assert float(np.abs(run.contact["touch"].force.values).max()) > 10.0
    assert np.max(np.abs(run.energy["balance"].values)) < 1e-6 * float(run.energy["kinetic"].max())
