"""Parts of identification: derivatives, records, results, and what it says of records that do not show everything."""

import warnings

import matplotlib.pyplot as plt
import numpy as np
import pytest
from contact_records import FRICTION, NORMAL, PRESLIDING, SPACING, TRUTH, clean

import jourdain as jd
from jourdain.basics.errors import ModelError
from jourdain.describe.contact.normal import damping_factor
from jourdain.methods.identification.contact import (
    ContactRecord,
    IdentificationWarning,
    _restitution,
    identify_contact,
    identify_friction,
    identify_normal,
)
from jourdain.methods.identification.estimates import Estimate, Identification
from jourdain.methods.identification.fitted_laws import BristleForces, LawParameter, NormalForces
from jourdain.methods.identification.fitting import MotionSpline, fit, uncertainty


def differences(function, x, h):
    return np.array([(function(x + row) - function(x - row)) / (2 * h) for row in h * np.eye(len(x))]).T


@pytest.fixture(scope="module")
def press():
    """One approach and retreat, from the formula itself, every 2 ms for 1 s."""
    t = np.linspace(0.0, 1.0, 501)
    position, rate = 1.2e-4 * np.cos(2 * np.pi * t), -1.2e-4 * 2 * np.pi * np.sin(2 * np.pi * t)
    depth, touchdown = np.maximum(-position, 0.0), 1.2e-4 * 2 * np.pi
    factor = damping_factor(0.7) / max(touchdown, 1e-4)
    return ContactRecord(t, position, 1e8 * depth**1.5 * (1 - factor * rate))


def test_derivatives_of_the_normal_force(press):
    motion = MotionSpline(press.time, press.normal_position, 2e-6, 0.05)
    names = (("stiffness", None), ("exponent", 1.0), ("damping", 1.0), ("surface", 1e-4))
    parameters = [LawParameter(name, "", scale) for name, scale in names]
    forces = NormalForces(motion, press.normal_force, 1.0, 1e-4, parameters, {})
    theta, c = np.array([np.log(1e8), 1.5, 0.4, 0.03]), motion.smooth()
    # the force has a kink in slope at touchdown, of the order of the step: x^0.5
    by_theta = differences(lambda x: forces.residuals(x, c), theta, 1e-6)
    assert np.max(np.abs(forces.by_theta(theta, c) - by_theta)) < 1e-6 * np.max(np.abs(by_theta))
    by_motion = differences(lambda x: forces.residuals(theta, x), c, 1e-10)
    assert np.max(np.abs(forces.by_motion(theta, c) - by_motion)) < 1e-5 * np.max(np.abs(by_motion))


@pytest.mark.parametrize("first", [0, 40])
def test_derivatives_of_friction(first, rng):
    t = np.linspace(0.0, 1.0, 401)
    position = 4e-5 * np.sin(9.0 * t) + 2e-3 * np.maximum(t - 0.5, 0.0) ** 3
    motion = MotionSpline(t, position, 2e-6, 0.05)
    names = ("static", "kinetic", "bristle_stiffness", "bristle_damping", "stribeck", "dwell")
    values = {"static": 0.3, "kinetic": 0.2, "bristle_stiffness": 5e3, "bristle_damping": 50.0}
    values |= {"stribeck": 1e-3, "dwell": 0.2}
    touching = np.arange(401) >= first
    load = 200.0 + rng.normal(0.0, 1.0, 401)
    parameters = [LawParameter(name, "") for name in names]
    forces = BristleForces(motion, load, -0.2 * load, 1.0, touching, parameters, {"viscous": 0.3})
    theta, c = np.log([values[name] for name in names]), motion.smooth()
    forces.suit(theta)
    by_motion = differences(lambda x: forces.residuals(theta, x), c, 1e-10)
    # one-sided in the kernel: the error is of the order of its step, 1e-10 m, over the lengths of the law, 1e-5 m
    assert np.max(np.abs(forces.by_motion(theta, c) - by_motion)) < 1e-4 * np.max(np.abs(by_motion))
    assert np.all(forces.path(theta, c)[:first][:, 0] == 0.0) if first else True


def test_a_straight_line_through_noisy_positions_and_forces():
    """F = k x with both noisy has a closed form: Deming's regression, whose slope least squares must find."""

    class Line:
        def __init__(self, motion, force):
            self.motion, self.force = motion, force

        def suit(self, theta):
            return 1

        def residuals(self, theta, c):
            return theta[0] * (self.motion.B @ c) * 1e6 - self.force

        def by_theta(self, theta, c):
            return (self.motion.B @ c)[:, None] * 1e6

        def by_motion(self, theta, c):
            return theta[0] * 1e6 * self.motion.B

    rng = np.random.default_rng(2)
    t = np.linspace(0.0, 1.0, 24)
    true = 2e-5 * np.sin(5.0 * t)
    position, force = true + rng.normal(0, 2e-6, 24), 1e6 * true + rng.normal(0, 1.0, 24)
    # as many coefficients as samples: every position is free, as in Deming's regression
    motion = MotionSpline(t, position, 2e-6, 1.0 / 21.0)
    assert motion.size == 24
    found = fit(Line(motion, force), motion, np.array([1.0]), motion.smooth())
    x, y = position / 2e-6, force
    sxx, syy, sxy = x @ x, y @ y, x @ y
    slope = (syy - sxx + np.hypot(syy - sxx, 2 * sxy)) / (2 * sxy)
    assert found.theta[0] == pytest.approx(slope / 2.0, rel=1e-4)


def test_what_is_not_determined_gets_an_enormous_error():
    errors, _ = uncertainty(np.diag([4.0, 0.0]))
    assert errors[0] == pytest.approx(0.5) and errors[1] > 1e4
    errors, correlation = uncertainty(np.array([[1e4, 1e4], [1e4, 1e4]]))
    assert np.all(errors > 1e3) and correlation[0, 1] == pytest.approx(-1.0, abs=1e-6)


@pytest.mark.parametrize("e", [0.01, 0.3, 0.85, 0.999])
def test_restitution_from_damping(e):
    assert _restitution(damping_factor(e)) == pytest.approx(e, abs=1e-9)
    assert _restitution(-0.1) == 1.0


def test_a_closed_form_press_is_found_again(press):
    found = identify_normal(press.noisy(np.random.default_rng(5)), slow_speed=1e-4)
    for name, value in (("stiffness", 1e8), ("restitution", 0.7), ("surface", 0.0)):
        assert abs(found[name].value - value) < 4.0 * found[name].error
    assert found["stiffness"].error < 0.03 * 1e8 and not found.undetermined
    law = found.normal_law()
    assert law.stiffness == found["stiffness"].value and law.slow_speed == 1e-4 and law.exponent == 1.5


def test_noise_that_is_told_too_small_is_noticed(press):
    noisy = press.noisy(np.random.default_rng(5))
    told = ContactRecord(noisy.time, noisy.normal_position, noisy.normal_force, force_noise=0.3)
    with pytest.warns(IdentificationWarning, match="the laws do not describe the record: chi2 is"):
        identify_normal(told, slow_speed=1e-4)


def test_a_record_that_is_pressed_all_the_time_shows_no_stiffness():
    base, at = clean(), slice(400, 1300)
    held = ContactRecord(base.time[at], base.normal_position[at], base.normal_force[at])
    found = identify_normal(held.noisy(np.random.default_rng(1)))
    assert set(found.undetermined) >= {"stiffness", "restitution"}
    assert np.isnan(found["stiffness"].value)
    assert "it takes approaches to several depths" in found.undetermined["stiffness"]
    with pytest.raises(
        ModelError, match='normal_law: the record does not determine "stiffness": .* Or give stiffness='
    ):
        found.normal_law()
    assert found.normal_law(stiffness=1e8, restitution=0.5).stiffness == 1e8


def _first(seconds, record):
    """The beginning of a record, of all five channels."""
    at = record.time < seconds
    channels = record.normal_position, record.normal_force, record.tangential_position, record.tangential_force
    return ContactRecord(record.time[at], *(one[at] for one in channels))


def test_a_record_that_never_slides_shows_only_the_bristles():
    found = identify_friction(_first(2.6, clean(slides=PRESLIDING)).noisy(np.random.default_rng(3)))
    assert set(found.undetermined) == {"static", "kinetic", "stribeck", "dwell"}
    assert "sliding at several times the Stribeck speed" in found.undetermined["kinetic"]
    for name in ("bristle_stiffness", "bristle_damping"):
        assert abs(found[name].value - TRUTH[name]) < 4.0 * found[name].error
    with pytest.raises(ModelError, match='does not determine "kinetic"'):
        found.friction_law()
    law = found.friction_law(static=0.2, kinetic=0.1, stribeck=1e-3, dwell=0.1)
    assert law.kinetic == 0.1 and law.stiffness == found["bristle_stiffness"].value


def test_a_record_without_tangential_motion_shows_no_friction():
    found = identify_friction(_first(2.6, clean(slides=())).noisy(np.random.default_rng(3)))
    assert set(found.undetermined) == set(found) - {"viscous"}


def test_bodies_that_do_not_touch_are_refused():
    t = np.linspace(0, 1, 100)
    apart = ContactRecord(t, 0 * t, 0 * t, 0 * t, 0 * t).noisy(np.random.default_rng(0))
    with pytest.raises(ModelError, match="nothing of the normal law can be identified; press harder"):
        identify_normal(apart)
    with pytest.raises(ModelError, match="nothing of friction can be identified; press harder"):
        identify_friction(apart)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"time": np.zeros(100)}, "time must increase"),
        ({"time": np.arange(5.0)}, r"time has shape \(5,\); give 20 samples or more"),
        ({"normal_force": np.zeros(99)}, r"normal_force has shape \(99,\), and time \(100,\)"),
        ({"normal_force": np.full(100, np.nan)}, r"normal_force\[0\] is nan"),
        ({"normal_position": "x"}, "give real numbers"),
        ({"force_noise": 0.0}, r"force_noise \[N\] is 0; it must be greater than 0"),
    ],
)
def test_bad_records_are_refused(change, message):
    given = {"time": np.arange(100.0), "normal_position": np.zeros(100), "normal_force": np.zeros(100)}
    with pytest.raises(ModelError, match=message):
        ContactRecord(**(given | change))


def test_bad_options_are_refused(press):
    with pytest.raises(ModelError, match='fixed: no parameter "exponant"; did you mean "exponent"'):
        identify_normal(press, fixed={"exponant": 1.5})
    with pytest.raises(ModelError, match="fixed: stiffness is nan"):
        identify_normal(press, fixed={"stiffness": np.nan})
    with pytest.raises(ModelError, match=r"spacing \[s\] is 0"):
        identify_normal(press, spacing=0.0)
    with pytest.raises(ModelError, match="tangential_position is missing"):
        identify_friction(press)
    with pytest.raises(ModelError, match="touching: shape"):
        identify_friction(clean(), touching=[True])


def test_the_result_reads_well():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = identify_contact(clean().noisy(np.random.default_rng(8)), spacing=SPACING, start=TRUTH)
    text = str(found)
    assert all(name in text for name in TRUTH) and "[N/m^p]" in text and "given" in text
    assert 0.001 < found.probability <= 1.0
    assert found["dwell"].unit == "s" and found["exponent"].error == 0.0
    with pytest.raises(KeyError, match='did you mean "kinetic"'):
        found["kinetik"]
    law = found.friction_law()
    assert law.static == pytest.approx(FRICTION.static, rel=0.02) and law.dwell == pytest.approx(0.3, rel=0.1)
    assert found.normal_law().stiffness == pytest.approx(NORMAL.stiffness, rel=0.02)
    with pytest.raises(ModelError, match='friction_law: no parameter "sttic"'):
        found.friction_law(sttic=1.0)
    figure = found.plot()
    assert len(figure.axes) == 8 and all(panel.lines for panel in figure.axes)
    plt.close(figure)
    for channel in found.channels:
        assert np.std(channel.residuals) == pytest.approx(1.0, abs=0.1)


def test_static_friction_below_kinetic_within_its_error_makes_a_law():
    names = ("static", "kinetic", "bristle_stiffness", "bristle_damping", "viscous", "stribeck", "dwell")
    values = dict(zip(names, (0.099, 0.1, 1e4, 10.0, 0.0, 1e-3, 0.0), strict=True))
    estimates = {name: Estimate(name, value, 0.01, (value, value), "1") for name, value in values.items()}
    law = Identification(estimates, {}, (), np.zeros(1), 1.0, 1).friction_law()
    assert law.static == law.kinetic == 0.1 and law.dwell is None


@pytest.fixture(scope="module")
def rig():
    """The contact of the records in a model whose laws are rough."""
    system = jd.System("rig", gravity=(0.0, 0.0, 0.0))
    system.add(jd.RigidBody("ball", mass=1.0, inertia=(1, 1, 1)), joint=jd.Prismatic("press", axis="z"))
    plate = jd.Plane((0, 0, 1), offset=-0.05).at("world")
    normal = jd.HertzContact(stiffness=1e8, restitution=0.5, slow_speed=1e-4)
    friction = jd.BristleFriction(static=0.3, kinetic=0.2, stiffness=1e4, damping=10.0, stribeck=1e-3, dwell=0.1)
    system.contact("touch", jd.Sphere(0.05).at("ball.origin"), plate, normal, friction)
    return system.compile()


def test_a_record_of_a_contact_is_a_case_of_identify(press, rig, tmp_path):
    """Addresses of the laws instead of words, the same estimates, the model with them, and the report."""
    noisy = press.noisy(np.random.default_rng(5))
    plain = identify_normal(noisy, slow_speed=1e-4)
    fit = jd.identify(rig, noisy, ["touch.normal.stiffness", "touch.normal.restitution"])
    for address, word in (("touch.normal.stiffness", "stiffness"), ("touch.normal.restitution", "restitution")):
        assert fit.values[address] == plain[word].value and fit.intervals[address] == plain[word].interval
        assert fit.model.parameters[address] == plain[word].value
    pair = ("touch.normal.restitution", "touch.normal.stiffness")
    assert fit.correlation[pair] == plain.correlation["restitution", "stiffness"]
    assert fit.converged and fit.chi2 == plain.chi2 and not fit.undetermined and "touch.normal.stiffness" in str(fit)
    assert fit.identification["surface"].value == plain["surface"].value
    text = fit.report(tmp_path / "fit.html").read_text(encoding="utf-8")
    assert "touch.normal.stiffness" in text and "normal force" in text and "95 % interval" in text
    with pytest.raises(ModelError, match="fitted along the measured motion"):
        fit.run()


@pytest.mark.slow
def test_laws_of_normal_and_friction_together(rig):
    record = clean().noisy(np.random.default_rng(8))
    words = {"static": "static", "kinetic": "kinetic", "stiffness": "bristle_stiffness", "damping": "bristle_damping"}
    words |= {"stribeck": "stribeck", "dwell": "dwell"}
    truth = {f"touch.friction.{key}": TRUTH[word] for key, word in words.items()}
    truth |= {"touch.normal.stiffness": TRUTH["stiffness"], "touch.normal.restitution": TRUTH["restitution"]}
    same = rig.with_parameters({"touch.normal.slow_speed": 1e-3})
    fit = jd.identify(same, record, list(truth), start=truth)
    assert list(fit.values) == list(truth)
    for name, value in truth.items():
        assert abs(fit.values[name] - value) < 4.0 * fit.errors[name], name


@pytest.mark.parametrize(
    ("unknowns", "more", "words"),
    [
        (["touch.normal.stifness"], {}, "did you mean"),
        (["touch.first.radius"], {}, "a ContactRecord does not show it"),
        ({"touch.normal.stiffness": (1e7, 1e9)}, {}, "has none: give None"),
        (["touch.normal.stiffness"], {"loss": "huber"}, "loss: means nothing with a ContactRecord"),
        (["touch.normal.stiffness"], {"start": {"touch.normal.exponent": 1.5}}, "is no unknown"),
        (["touch.friction.kinetic"], {}, "tangential_position is missing"),
        ([], {}, "give addresses"),
    ],
)
def test_what_a_record_of_a_contact_does_not_know_is_refused(press, rig, unknowns, more, words):
    with pytest.raises(ModelError, match=words):
        jd.identify(rig, press, unknowns, **more)
