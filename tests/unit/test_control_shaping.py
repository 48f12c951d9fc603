"""Input shapers: their impulses, their residual vibration against theory, and shaped motions of a flexible link."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.kernels.tree.motions import profile


@pytest.mark.parametrize("zeta", [0.0, 0.03, 0.2])
@pytest.mark.parametrize("kind", ["ZV", "ZVD", "EI"])
def test_residual_at_the_frequency(kind, zeta):
    shaper = jd.control.Shaper(2.0, zeta, kind, vibration=0.07)
    assert np.sum(shaper.amplitudes) == pytest.approx(1.0, abs=1e-14)
    assert shaper.residual(2.0, zeta) == pytest.approx(0.07 if kind == "EI" else 0.0, abs=1e-12)
    h = 1e-4
    slope = (shaper.residual(2.0 + h, zeta) - shaper.residual(2.0 - h, zeta)) / (2 * h)
    if kind != "ZV":
        assert abs(slope) < 1e-3  # |V| of ZVD has a kink of second order, V(2 + h) = O(h^2)


def test_ei_vanishes_on_either_side_and_is_near_the_published_fit():
    """Singhose, Derezinski & Singer fit A1 = 0.3549 for V = 0.05 and a damping of 0.1 (with the last impulse after one
    damped period, where ours is 0.4 % earlier)."""
    shaper = jd.control.Shaper(1.0, 0.1, "EI", vibration=0.05)
    around = np.linspace(0.7, 1.3, 2001)
    found = shaper.residual(around, 0.1)
    assert np.min(found[around < 1.0]) < 2e-4 and np.min(found[around > 1.0]) < 2e-4
    fit = 0.24968 + 0.24961 * 0.05 + 0.80008 * 0.1 + 1.23328 * 0.005 + 0.49599 * 0.01 + 3.17316 * 0.0005
    assert shaper.amplitudes[0] == pytest.approx(fit, abs=5e-4)
    assert shaper.duration == pytest.approx(1.0 / np.sqrt(1 - 0.01), rel=5e-3)


def test_insensitivity_grows_from_zv_to_ei():
    """Width of the band of 5 % residual: 0.06, 0.29 and 0.40 of the frequency (Singhose et al. 1996, fig. 7)."""
    around = np.linspace(0.5, 1.5, 20001)
    width = {}
    for kind in ("ZV", "ZVD", "EI"):
        good = jd.control.Shaper(1.0, 0.0, kind).residual(around) <= 0.05 + 1e-12
        width[kind] = np.sum(good) * (around[1] - around[0])
    assert width == {
        "ZV": pytest.approx(0.064, abs=2e-3),
        "ZVD": pytest.approx(0.287, abs=2e-3),
        "EI": pytest.approx(0.399, abs=2e-3),
    }


def test_shaped_motion_is_the_sum_of_its_copies():
    shaper = jd.control.Shaper((2.0, 3.1), (0.02, 0.0), "ZVD")
    assert len(shaper.times) == 9
    motion = jd.Cycloid(to=1.0, duration=1.5, start=0.3)
    shaped = shaper.shape(motion, 0.2)
    numbers = shaped.numbers(0.2, "x")
    own = motion.numbers(0.2, "x")
    for t in np.linspace(0.0, 1.9 + shaper.duration, 97):
        expected = sum(
            a * np.array(profile.py_func(motion.code, own, 0, t - d))
            for a, d in zip(shaper.amplitudes, shaper.times, strict=True)
        )
        assert np.array(profile.py_func(shaped.code, numbers, 0, t)) == pytest.approx(expected, abs=1e-6)


def oscillator(hz=1.3, zeta=0.0):
    """A mass on a spring on a carriage that is moved."""
    w = 2 * np.pi * hz
    system = jd.System("oscillator")
    system.add(jd.RigidBody("carriage", mass=5.0), joint=jd.Prismatic("x", axis="x"))
    spring = jd.Prismatic("swing", axis="x", stiffness=w * w, damping=2 * zeta * w)
    system.add(jd.RigidBody("mass", mass=1.0), joint=spring, to="carriage.origin")
    return system.compile()


def left_over(model, motion, end):
    """Amplitude of the swing at the end of the motion: from displacement and velocity there."""
    run = jd.simulate(model, model.state(), until=end, motions={"x": motion}, rtol=1e-11, atol=1e-13)
    modes = model.frequencies(model.state(), hold=("x",))
    w, zeta = modes.rad[0], modes.damping[0]
    y, dy = float(run.q["swing"][-1]), float(run.v["swing"][-1])
    return np.hypot(y, (dy + zeta * w * y) / (w * np.sqrt(1 - zeta**2)))


def test_residual_vibration_is_that_of_theory():
    """Unshaped: 2 |A Omega / (w (w^2 - Omega^2)) sin(w T / 2)|, A = 2 pi d / T^2, Omega = 2 pi / T, of the base's
    acceleration (Chen's digest, section 2.10); shaped: that times V of the shaper, at every error of the frequency."""
    model = oscillator()
    T, d = 1.2, 0.4
    motion = jd.Cycloid(to=d, duration=T)
    w, Omega = 2 * np.pi * 1.3, 2 * np.pi / T
    plain = left_over(model, motion, T)
    A = 2 * np.pi * d / T**2
    assert plain == pytest.approx(2 * abs(A * Omega / (w * (w**2 - Omega**2)) * np.sin(w * T / 2)), rel=1e-7)
    for kind in ("ZV", "ZVD", "EI"):
        for error in (1.0, 0.9, 1.15):
            shaper = jd.control.Shaper(1.3 * error, 0.0, kind)
            shaped = left_over(model, shaper.shape(motion), T + shaper.duration)
            assert shaped == pytest.approx(plain * float(shaper.residual(1.3)), rel=1e-5, abs=1e-9)


def test_damped_mode_of_the_model_is_left_at_rest():
    model = oscillator(zeta=0.06)
    modes = model.frequencies(model.state(), hold=("x",))
    shaper = jd.control.Shaper(modes.hz[0], modes.damping[0], "ZVD")
    motion = jd.Cycloid(to=0.4, duration=1.0)
    assert left_over(model, shaper.shape(motion), 1.0 + shaper.duration) < 1e-8 * left_over(model, motion, 1.0)


BAD = {
    "kind": (lambda: jd.control.Shaper(1.0, kind="ZVV"), 'kind is .ZVV.; did you mean "ZV'),
    "frequency": (lambda: jd.control.Shaper(0.0), "frequency: got 0.0; give natural frequencies above zero"),
    "damping": (lambda: jd.control.Shaper(1.0, 1.0), "damping: got 1.0"),
    "end": (lambda: jd.control.Shaper(1.0).shape(jd.Sine(1.0, 1.0)), "a Sine has no end of its own; give until="),
    "motion": (lambda: jd.control.Shaper(1.0).shape(3.0), "shape: got float; give a profile"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_shapers_say_what_is_wrong(name):
    make, text = BAD[name]
    with pytest.raises(jd.errors.ModelError, match=text):
        make()
