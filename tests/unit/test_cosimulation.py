"""`jd.cosimulation.Master`: the digest's two masses, orders, the theoretical limit of stability, and its cure."""

from __future__ import annotations

import shutil

import numpy as np
import pytest
from oscillators import Oscillator, held, implicit, limit, radius

import jourdain as jd
from jourdain.cosimulation import FmuPart, Master, ModelPart, Spring

K1, K2, C = 10.0, 20.0, 50.0
EXACT = (-0.05366201, -0.02528504)
"""x(1) of two unit masses on springs 10 and 20 with a spring of 50 between them, x1(0) = 0.1: the digest's numbers."""
FINE = 2.5e-4


def body(name, stiffness, damping=0.0, mass=1.0):
    system = jd.System(name)
    system.add(
        jd.RigidBody(name, mass, inertia=(1, 1, 1)), jd.Prismatic("x", axis="x", stiffness=stiffness, damping=damping)
    )
    return system.compile()


@pytest.fixture(scope="module")
def bodies():
    """The two masses as compiled models, with the coupling spring at both."""
    out = []
    for name, stiffness, x in (("a", K1 + C, 0.1), ("b", K2 + C, 0.0)):
        model = body(name, stiffness)
        out.append(
            ModelPart(name, model, inputs=["effort:x"], outputs=["x", "v:x"], state=model.state(q={"x": x}), step=FINE)
        )
    return out


MOTIONS = [("b.x", "a.effort:x", C), ("a.x", "b.effort:x", C)]


def off(run):
    return abs(run["a.x"][-1] - EXACT[0])


def test_held_data_have_the_errors_of_the_digest(bodies):
    errors = [off(Master(bodies, MOTIONS, H).run(1.0)) for H in (0.01, 0.005, 0.0025)]
    assert errors == pytest.approx([2.76e-3, 1.51e-3, 7.9e-4], rel=5e-3)


def test_data_on_straight_lines_have_the_errors_of_the_digest(bodies):
    errors = [off(Master(bodies, MOTIONS, H, order=1).run(1.0)) for H in (0.01, 0.005, 0.0025)]
    assert errors == pytest.approx([3.41e-4, 8.6e-5, 2.2e-5], rel=2e-2)


def exact_parts(d=0.0, x=0.1):
    return [Oscillator("a", 1.0, K1 + C, d, x), Oscillator("b", 1.0, K2 + C, d, 0.0)]


PULLS = [("b.x", "a.force", C), ("a.x", "b.force", C)]


@pytest.mark.parametrize("scheme", ["jacobi", "gauss-seidel"])
@pytest.mark.parametrize("order", [0, 1, 2])
@pytest.mark.parametrize("iterate", [False, True])
def test_orders(scheme, order, iterate):
    """Of the error at 1 s: data held to the end, extrapolated or agreed on, are of order + 1."""
    errors = [off(Master(exact_parts(), PULLS, H, scheme=scheme, order=order, iterate=iterate).run(1.0))
              for H in (0.01, 0.005, 0.0025)]  # fmt: skip
    observed = np.log2(np.array(errors[:-1]) / errors[1:])
    assert observed[-1] == pytest.approx(order + 1, abs=0.35)


def test_two_orders_of_the_parts_in_gauss_seidel_differ_and_converge():
    one, two = exact_parts()
    runs = [Master(parts, PULLS, 0.01, scheme="gauss-seidel").run(1.0) for parts in ([one, two], [two, one])]
    assert off(runs[0]) != off(runs[1]) and max(map(off, runs)) < 5e-3


def test_the_limit_of_stability_is_that_of_theory():
    """Held data feed energy in; with damping 1 N s/m there is a longest step, where the map's radius is one."""
    one, two = (1.0, K1 + C, 1.0), (1.0, K2 + C, 1.0)
    longest = limit(one, two, C, 1e-4, 0.2)
    assert radius(held(one, two, C, 0.99 * longest)) < 1.0 < radius(held(one, two, C, 1.01 * longest))
    for factor in (0.9, 1.1):
        H = factor * longest
        run = Master(exact_parts(1.0), PULLS, H).run(400 * H)
        size = np.abs(np.concatenate([run.outputs[200:220], run.outputs[380:400]])).reshape(2, 20, 4).max(axis=(1, 2))
        grown = (size[1] / size[0]) ** (1.0 / 180)
        assert grown == pytest.approx(radius(held(one, two, C, H)), abs=4e-4)
        assert (grown > 1.0) == (factor > 1.0)
    with pytest.raises(jd.errors.SimulationError, match="unstable"):
        Master(exact_parts(1.0), PULLS, 8 * longest).run(1e5 * longest)


def test_undamped_masses_are_unstable_at_any_step_when_data_are_held():
    one, two = (1.0, K1 + C, 0.0), (1.0, K2 + C, 0.0)
    for H in (1e-4, 1e-3, 1e-2, 0.1):
        assert radius(held(one, two, C, H)) > 1.0
    run = Master(exact_parts(), PULLS, 0.05).run(20.0)
    assert np.max(np.abs(run["a.x"][-40:])) > 5 * 0.1


def test_iteration_cures_it():
    """Agreed straight lines: each macro step is the solution of the implicit equations, which do not grow."""
    one, two = (1.0, K1 + C, 1.0), (1.0, K2 + C, 1.0)
    H = 4 * limit(one, two, C, 1e-4, 0.2)
    assert radius(held(one, two, C, H)) > 1.01 and radius(implicit(one, two, C, H)) < 1.0
    run = Master(exact_parts(1.0), PULLS, H, order=1, iterate=True, tolerance=(1e-12, 1e-14)).run(60 * H)
    y = np.array([0.1, 0.0, 0.0, 0.0])
    for k in range(60):
        y = implicit(one, two, C, H) @ y
        np.testing.assert_allclose(run.outputs[k + 1], y, rtol=0, atol=1e-9)
    assert np.max(np.abs(run["a.x"][-5:])) < 0.05 and np.max(run.iterations) < 15


def test_anderson_goes_where_plain_fixed_points_do_not():
    """A light part on a heavy coupling: plain iteration diverges, mixing agrees in a few sweeps."""
    parts = [Oscillator("a", 0.02, 2000.0, 0.1, 0.1), Oscillator("b", 1.0, 2020.0, 0.1, 0.0)]
    pulls = [("b.x", "a.force", 2000.0), ("a.x", "b.force", 2000.0)]
    H = 0.05
    run = Master(parts, pulls, H, order=1, iterate=True).run(2.0)
    assert np.max(run.iterations) <= 12
    y = np.array([0.1, 0.0, 0.0, 0.0])
    G = implicit((0.02, 2000.0, 0.1), (1.0, 2020.0, 0.1), 2000.0, H)
    np.testing.assert_allclose(run.outputs[-1], np.linalg.matrix_power(G, 40) @ y, rtol=0, atol=1e-8)


def test_steps_are_chosen_by_what_was_foreseen():
    runs = [Master(exact_parts(), PULLS, 0.01, order=1, error=(tolerance, 0.0), max_step=0.1).run(1.0)
            for tolerance in (1e-2, 1e-3)]  # fmt: skip
    errors = [off(run) for run in runs]
    assert errors[0] > 3 * errors[1] and errors[1] < 1e-3
    assert len(runs[0].iterations) < len(runs[1].iterations)
    assert runs[0].time[-1] == pytest.approx(1.0, abs=1e-12) and sum(run.rejected for run in runs) > 0
    assert np.ptp(np.diff(runs[1].time)[:-1]) > 1e-3


@pytest.fixture(scope="module")
def ends():
    """Two masses without the spring between them, as compiled models: it is the master's."""
    out = []
    for name, stiffness, x in (("a", K1, 0.1), ("b", K2, 0.0)):
        model = body(name, stiffness)
        out.append(ModelPart(name, model, inputs=["effort:x"], outputs=["x", "v:x", "energy:total"],
                             state=model.state(q={"x": x}), step=FINE))  # fmt: skip
    return out


def test_the_energy_that_the_coupling_makes_is_told(ends):
    """Parts' energy and the spring's, less what they began with, is what the coupling made; it goes with the order."""
    made = []
    for order, iterate in ((0, False), (1, False), (1, True)):
        run = Master(ends, [Spring("a.x", "b.x", stiffness=C)], 0.01, order=order, iterate=iterate).run(0.5)
        energy = run["a.energy:total"] + run["b.energy:total"] + run.energy["stored"]
        np.testing.assert_allclose(energy - energy[0], run.energy["created"], rtol=0, atol=2e-7)
        made.append(np.max(np.abs(run.energy["created"])))
    whole = 0.5 * (K1 + C) * 0.1**2
    assert made[0] > 0.1 * whole and made[1] < 0.2 * made[0] and made[2] < 0.01 * made[0]
    damped = Master(ends, [Spring("a.x", "b.x", C, damping=2.0)], 0.005, order=2, iterate=True).run(0.5)
    assert damped.energy["dissipated"][-1] > 0.1 * whole
    assert np.max(np.abs(damped.energy["created"])) < 1e-3 * whole


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
@pytest.mark.parametrize("version", [2, 3])
def test_an_fmu_is_a_part_as_a_model_is(ends, tmp_path, version):
    model = body("b", K2)
    file = jd.export.fmu(model, tmp_path / "b.fmu", version=version, step=FINE, target="native", inputs=["effort:x"],
                         outputs=["x", "v:x", "energy:total"])  # fmt: skip
    part = FmuPart("b", file, inputs=["effort:x"], outputs=["x", "v:x", "energy:total"], step=FINE, substeps=40,
                   flows={"effort:x": "v:x"})  # fmt: skip
    spring = [Spring("a.x", "b.x", stiffness=C)]
    options = dict(order=1, iterate=True)
    mine, theirs = (Master(parts, spring, 0.01, **options).run(0.2) for parts in ([ends[0], part], ends))
    np.testing.assert_array_equal(mine.outputs, theirs.outputs)
    np.testing.assert_allclose(mine.energy["created"], theirs.energy["created"], rtol=0, atol=1e-12)
    coarse = FmuPart("b", file, inputs=["effort:x"], outputs=["x", "v:x", "energy:total"], step=FINE)
    assert np.max(np.abs(Master([ends[0], coarse], spring, 0.01, **options).run(0.2)["b.x"] - theirs["b.x"])) < 1e-5


def test_frames_are_held_together_by_a_spring():
    """A pendulum cut at its joint: held to a carrier by a stiff spring at the pin, it swings as a whole one does."""
    g, k, d = 9.81, 2e4, 60.0
    rod = jd.System("rod", gravity=(0, 0, -g))
    rod.add(jd.RigidBody("rod", 1.0, (0.5, 0, 0), (0.01, 1 / 12, 1 / 12)), jd.Free("free"))
    base = jd.System("base", gravity=(0, 0, -g))
    base.add(jd.RigidBody("base", 5.0, inertia=(1, 1, 1)), jd.Prismatic("z", axis="z", stiffness=1e6, damping=3e3))
    names = [f"origin.{axis}" for axis in ("x", "y", "z", "vx", "vy", "vz")]
    parts = [
        ModelPart("arm", rod.compile(), inputs=[f"rod.origin.f{a}" for a in "xyz"],
                  outputs=[f"rod.{one}" for one in names] + ["free.qy"], step=2.5e-4),
        ModelPart("base", base.compile(), inputs=[f"base.origin.f{a}" for a in "xyz"],
                  outputs=[f"base.{one}" for one in names], step=2.5e-4),
    ]  # fmt: skip
    run = Master(parts, [Spring("arm.rod.origin", "base.base.origin", k, d, frame=True)], 1e-3, order=1,
                 iterate=True, scheme="gauss-seidel", tolerance=(1e-7, 1e-10)).run(0.3)  # fmt: skip
    whole = jd.System("whole", gravity=(0, 0, -g))
    whole.add(jd.RigidBody("rod", 1.0, (0.5, 0, 0), (0.01, 1 / 12, 1 / 12)), jd.Revolute("pin", axis="y"))
    model = whole.compile()
    angle = jd.simulate(model, model.state(), until=0.3, step=1e-3).record.q[-1, 0]
    assert 2 * np.arcsin(run["arm.free.qy"][-1]) == pytest.approx(angle, abs=5e-3)
    assert np.max(np.abs(run["arm.rod.origin.x"] - run["base.base.origin.x"])) < 2e-3


def test_what_cannot_be_coupled_is_named(ends):
    a, b = exact_parts()
    for message, made in (
        ("there is no such output.*a.x", lambda: Master([a, b], [("a.y", "b.force")], 0.01)),
        ("there is no such input", lambda: Master([a, b], [("a.x", "b.torque")], 0.01)),
        ("give \\(", lambda: Master([a, b], ["a.x"], 0.01)),
        ("without a dot", lambda: Master([a, a], [], 0.01)),
        ("scheme: got 'both'", lambda: Master([a, b], [], 0.01, scheme="both")),
        ("order: got 3", lambda: Master([a, b], [], 0.01, order=3)),
        ("above 0", lambda: Master([a, b], [], 0.0)),
        ("relaxation", lambda: Master([a, b], [], 0.01, relaxation=0.0)),
        ("no whole number of the parts' steps.*0.01", lambda: Master(ends, [], 0.0101)),
        ("stiffness is -1.0", lambda: Spring("a.x", "b.x", -1.0)),
        ("give the part and the name", lambda: Spring("a", "b.x", 1.0)),
    ):
        with pytest.raises(jd.errors.ModelError, match=message):
            made()
    with pytest.raises(jd.errors.SimulationError, match="do not agree after 3 sweeps"):
        Master([a, b], PULLS, 0.1, order=1, iterate=True, sweeps=3, tolerance=(1e-15, 0.0)).run(1.0)
