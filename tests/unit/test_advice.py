"""What errors advise is what helps: steps are tried before they are advised, and here every remedy is taken."""

import re
import warnings

import numpy as np
import pytest

import jourdain as jd
from jourdain.model.stability import Fastest, divided, divisors, fastest, imaginary_limit, real_limit, too_long

FIXED = ("rk4", *(pytest.param(one, marks=pytest.mark.slow) for one in ("euler", "heun", "rk3", "rk5")))
HIGH = ("rk4", *(pytest.param(one, marks=pytest.mark.slow) for one in ("rk3", "rk5")))


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    """What is tried must not depend on how busy the machine is."""
    monkeypatch.setattr("jourdain.run.advice.BUDGET", 1e3)


def cable(damping, elements=10):
    system = jd.System("hanging", gravity=(0, 0, -9.81))
    rope = {"length": 2.0, "mass_per_length": 0.1, "EA": 1e5, "EI": 0.1}
    system.add(jd.Cable("rope", **rope, elements=elements, damping=damping), jd.Weld("root"))
    return system.compile()


def refused(model, state, **how):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(jd.errors.SimulationError) as caught:
            jd.simulate(model, state, **how)
    return caught.value


def advised(error):
    """The step that an error advises."""
    assert "which was tried up to" in str(error), error
    return float(re.search(r"step=([0-9.e+-]+)", str(error)).group(1))


@pytest.mark.parametrize("method", FIXED)
def test_the_step_that_is_advised_for_a_damped_cable_gets_on(method):
    """Damping makes the fastest mode of this rope decay at 1.4e6/s: with 2e-5 s, which its frequency alone would allow,
    every explicit method makes it grow."""
    model = cable(1e-3)
    error = refused(model, model.state(), until=5e-3, step=2e-5, method=method)
    step = advised(error)
    assert step <= real_limit(method) / 1.3e6
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run = jd.simulate(model, model.state(), until=5e-3, step=step, method=method)
    assert run.trusted and not error.partial.trusted


def test_the_implicit_method_that_is_advised_gets_on():
    model = cable(1e-3)
    error = refused(model, model.state(), until=0.02, step=1e-3)
    assert 'or the implicit method="generalized-alpha" with step=0.001.' in str(error), "radau takes no sparse matrices"
    assert jd.simulate(model, model.state(), until=0.02, step=1e-3, method="generalized-alpha").trusted
    system = jd.System("damped")
    system.add(jd.RigidBody("body", mass=1e-3, inertia=(1, 1, 1)), jd.Prismatic("slide", axis="x", damping=1e5))
    model = system.compile()
    error = refused(model, model.state(v={"slide": 1.0}), until=1.0, step=1e-2)
    assert 'or the implicit method="radau".' in str(error)
    assert jd.simulate(model, model.state(v={"slide": 1.0}), until=1.0, method="radau").trusted


def test_the_adaptive_method_that_is_advised_gets_on(stiff):
    error = refused(stiff, start(stiff), until=20.0, step=0.01)
    assert 'or the adaptive method="dop853"' in str(error)
    assert jd.simulate(stiff, start(stiff), until=1.0, method="dop853").trusted


@pytest.fixture(scope="module")
def stiff():
    """A mass on a spring, 1000 rad/s."""
    system = jd.System("stiff")
    system.add(jd.RigidBody("body", mass=1.0, inertia=(1, 1, 1)), jd.Prismatic("spring", axis="x", stiffness=1e6))
    return system.compile()


def start(model):
    return model.state(q={"spring": 0.1})


@jd.law
def stiff_servo(t, q, v, z, s, p, effort, dz):
    effort[0] -= 1e6 * q[0] + 4e3 * v[0]


@pytest.mark.parametrize("method", HIGH)
@pytest.mark.parametrize("by", ["spring", "law", "sampled"])
def test_advised_steps_of_a_stiff_spring_a_law_and_a_sampled_one_get_on(stiff, method, by):
    system = jd.System("cart")
    system.add(jd.RigidBody("body", mass=1.0, inertia=(1, 1, 1)), jd.Prismatic("spring", axis="x"))
    controllers = {"spring": None, "law": stiff_servo}
    if by == "sampled":
        controllers["sampled"] = jd.control.Sampled(jd.control.PD(["spring"], kp=1e4, kd=100.0), period=0.01)
    model = stiff if by != "law" else system.compile()
    how = {"method": method, "controller": controllers[by]}
    error = refused(model, start(model), until=4.0, step=0.01, **how)
    step = advised(error)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert jd.simulate(model, start(model), until=4.0, step=step, **how).trusted


def test_a_step_is_advised_with_events_motions_and_output_between_steps():
    system = jd.System("two", gravity=(0, 0, -9.81))
    system.add(jd.RigidBody("body", mass=1.0, inertia=(1, 1, 1)), jd.Prismatic("spring", axis="x", stiffness=1e6))
    system.add(jd.RigidBody("arm", mass=1.0, inertia=(1, 1, 1)), jd.Revolute("turn", axis="y"), to="body.origin")
    model = system.compile()
    how = {
        "motions": {"turn": jd.Cycloid(to=1.0, duration=0.5)},
        "events": [jd.Event(at=0.2, release="turn"), jd.Event(at=3.0, lock="turn")],
        "output": 0.1,
    }
    error = refused(model, start(model), until=4.0, step=0.01, **how)
    assert jd.simulate(model, start(model), until=4.0, step=advised(error), **how).trusted


def test_a_force_that_grows_without_bound_is_no_matter_of_the_step(stiff):
    @jd.law
    def explosion(t, q, v, z, s, p, effort, dz):
        effort[0] += 1e6 * q[0] + 1e3 * q[0] ** 3

    error = refused(stiff, start(stiff), until=5.0, step=1e-4, controller=explosion)
    assert "shorter steps stop there too" in str(error) and "grows without bound" in str(error)
    assert "step=" not in str(error)


def test_a_python_controller_is_not_run_again(stiff):
    calls = []

    def push(t, q, v):
        calls.append(t)
        return np.zeros(1)

    error = refused(stiff, start(stiff), until=4.0, step=0.01, controller=jd.control.Sampled(push, period=0.01))
    assert "try a step below" in str(error) and "tried up to" not in str(error)
    assert max(calls) <= error.time + 0.02 and calls == sorted(calls)


@pytest.mark.parametrize("method", HIGH)
def test_the_step_that_a_verdict_advises_closes_the_balance(method):
    """A run that got to its end, and is not trusted, names a step too: that of its fastest mode, damped or not."""
    for damping in (0.0, 1e-5):
        model = cable(damping)
        with pytest.warns(jd.errors.TrustWarning):
            run = jd.simulate(model, model.state(), until=5e-3, step=1e-3, method=method)
        step = float(re.search(r"step=([0-9.e+-]+)", run.trusted.reason).group(1))
        assert jd.simulate(model, model.state(), until=5e-3, step=step, method=method).trusted


def test_the_roots_of_a_damped_mode():
    """s^2 + c s + w^2: a pair on a circle of radius w, or two real ones whose product is w^2."""
    for omega, damping in ((10.0, 0.0), (10.0, 3.0), (10.0, 20.0), (1e4, 1e9)):
        roots = Fastest("a", omega, damping).eigenvalues
        for s in roots:
            assert abs(s * s + damping * s + omega**2) <= 1e-12 * (abs(s) ** 2 + damping * abs(s) + omega**2)
        assert abs(roots[0] * roots[1]) == pytest.approx(omega**2, rel=1e-12)
    assert Fastest("a", 10.0, 0.0).longest("rk4") == pytest.approx(imaginary_limit("rk4") / 10.0)
    assert Fastest("a", 10.0, 1e6).longest("rk4") == pytest.approx(real_limit("rk4") / 1e6, rel=1e-3)
    assert Fastest("a", 10.0, 0.0).longest("euler") == 0.0 < Fastest("a", 10.0, 1.0).longest("euler")


@pytest.mark.parametrize(
    "damping", [0.0, 1e-3, *(pytest.param(one, marks=pytest.mark.slow) for one in (1e-5, (1e-3, 0.0)))]
)
def test_the_estimate_bounds_the_eigenvalues_of_the_model(damping):
    model = cable(damping, 4)
    largest = np.max(np.abs(np.linalg.eigvals(model.linearize(model.state()).A)))
    bound = max(map(abs, fastest(model).eigenvalues))
    assert largest <= bound * (1.0 + 1e-9) and bound < 4.0 * largest
    assert too_long(model, "rk4", 1.1 * fastest(model).longest("rk4")) is not None
    assert too_long(model, "rk4", 0.9 * fastest(model).longest("rk4")) is None


@pytest.mark.parametrize("damping", [0.02, (0.5, 1e-3)])
def test_modal_damping_is_that_of_the_model(damping):
    system = jd.System("boom")
    section = {"length": 8.0, "mass_per_length": 2.0, "EA": 1e7, "EI": 2e3, "GJ": 1e3}
    system.add(jd.Beam("b", **section, modes=jd.Modes(bending_y=2), damping=damping), jd.Weld("root"))
    model = system.compile()
    found = np.linalg.eigvals(model.linearize(model.state()).A)
    root = fastest(model).eigenvalues[0]
    assert np.min(np.abs(found - root)) < 1e-6 * abs(root)


def test_divisors_rise_and_have_few_digits():
    some = list(divisors(1.0))
    assert some[:8] == [2, 4, 5, 8, 10, 20, 40, 50] and some == sorted(set(some))
    assert next(divisors(37.0)) == 40 and some[-1] <= 8e7
    assert [divided(1e-3, x) for x in (9e-4, 4e-4, 1e-5, 3.3e-7)] == ["0.0005", "0.00025", "1e-05", "2.5e-07"]


@pytest.mark.parametrize("until", [1.0, 0.02, 7.3, 1000.0])
@pytest.mark.parametrize("step", [2.24e-5, 0.3e-2, 1.7e-4, 0.123456789])
def test_a_step_that_would_do_does(until, step):
    """What `step: ... is not a whole number of steps` advises is taken as it is written, however long the run."""
    from jourdain.run.plan import Timing

    if step > until:
        return
    with pytest.raises(jd.errors.ModelError, match="would do") as caught:
        Timing(0.0, until, step)
    Timing(0.0, until, float(re.search(r"([0-9.e+-]+) s would do", str(caught.value)).group(1)))


def test_times_of_events_that_would_do_do():
    from jourdain.run.plan import Timing

    timing = Timing(0.0, 1000.0, 1e-4)
    for at in (123.45678901, 999.99995, 3.14159265358979):
        with pytest.raises(jd.errors.ModelError, match="would do") as caught:
            timing.fit([jd.Event(at=at, lock="a", name="e")])
        for text in re.search(r"; ([0-9.e+-]+) s or ([0-9.e+-]+) s would do", str(caught.value)).groups():
            timing.fit([jd.Event(at=float(text), lock="a", name="e")])


def test_a_step_that_a_contact_asks_for_is_taken_as_it_is():
    system = jd.System("drop", gravity=(0, 0, -9.81))
    system.add(jd.RigidBody("ball", mass=1.0, inertia=(4e-5, 4e-5, 4e-5)), jd.Free("free"))
    law = jd.contact.LinearContact(stiffness=1e6, damping=10.0)
    system.contact("touch", jd.Sphere(0.01).at("ball.origin"), jd.Plane((0, 0, 1)).at("world"), normal=law)
    model = system.compile()
    state = model.state(q={"free": jd.Pose((0, 0, 0.02))})
    error = refused(model, state, until=0.21, step=0.01)
    step = float(re.search(r"give step=([0-9.e+-]+),", str(error)).group(1))
    assert jd.simulate(model, state, until=0.21, step=step).trusted
