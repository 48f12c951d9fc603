"""Kim's controlled contact (thesis, section 6.5; the digest's reduced model): approach, touch, press, slide, hold."""

import numpy as np
import pytest
from kim_control import FINAL, arm, controller, force, plant, run

import jourdain as jd


@pytest.fixture(scope="module")
def model():
    return plant()


def at(found: jd.Run, time: float) -> float:
    return float(force(found)[np.searchsorted(found.time.values, time - 1e-9)])


@pytest.mark.parametrize(("R", "poles"), [(1.0, [(-1.04, 15.7), (-1.04, 20.6)]), (0.01, [(-8.6, 18.2), (-9.8, 22.2)])])
def test_poles_of_the_fast_loop(model, R, poles):
    """The digest's own, at the final pose, Q = I, k = 1e4."""
    found = controller(model, R).poles(model, FINAL)
    upper = sorted((p.real, p.imag) for p in found if p.imag > 0.0)
    for ours, theirs in zip(sorted(upper, key=lambda p: p[1]), poles, strict=True):
        assert ours == pytest.approx(theirs, abs=0.06)


@pytest.mark.parametrize(
    ("R", "time", "newtons", "touch"), [(None, 19.9, 13.4, 5.35), (1.0, 19.9, 13.4, 5.35), (0.01, 19.8, 13.7, 5.3)]
)
def test_rigid_feedback_reproduces_the_reported_picture(model, R, time, newtons, touch):
    """Bounces, then a force that lacks what the links' bending takes; digest: 13.4, 13.4 and 13.7 N."""
    found = run(model, controller(model, R), 20.0)
    pressed = force(found)
    assert at(found, time) == pytest.approx(newtons, abs=0.06)
    assert float(found.time[np.argmax(pressed > 0.0)]) == pytest.approx(touch, abs=0.05)
    assert np.sum((pressed[:-1] > 0.0) & (pressed[1:] == 0.0)) >= 3, "it bounces before it stays"
    late = found.time.values > 14.5
    assert 11.5 < pressed[late].min() < 12.5 and 15.0 < pressed[late].max() < 16.0, "12 to 15 N while it slides"
    assert 0.0175 < float(found.q["link2.bending_y[0]"][-1]) < 0.0205
    assert -0.029 < float(found.q["link1.bending_y[0]"][-1]) < -0.020
    moved = found.frame("payload.origin").position.values[-1]
    assert moved[1] - 8.63 == pytest.approx(0.0235, abs=1e-3)
    assert (found.frame("tip.origin").position.values[-1] - moved)[0] == pytest.approx(0.55, abs=0.01)
    assert abs(float(found.q["attitude"][-1])) < 1e-4


@pytest.mark.parametrize("R", [pytest.param(None, marks=pytest.mark.slow), 0.01])
def test_the_integrated_correction_brings_the_force_that_was_asked(model, R):
    """Eq. 6.9 all the time: held after the slide, the force is 15 N, with and without the fast loop."""
    short = run(model, controller(model, R), 35.0)
    right = run(model, controller(model, R, correction=0.3, correction_from=14.0, correction_limit=0.1), 35.0)
    assert at(right, 35.0) == pytest.approx(15.0, abs=0.03)
    assert at(short, 35.0) == pytest.approx(13.45, abs=0.1)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("R", "time"), [(None, 2.8), (1.0, 4.6), (0.01, 9.2)])
def test_feedback_of_the_true_tip_diverges(model, R, time):
    """Not collocated with the torques: the digest's runs diverged at 2.8, 4.6 and 9.2 s."""
    with pytest.raises(jd.errors.SimulationError) as stopped:
        run(model, controller(model, R, feedback="tip"), 20.0)
    assert stopped.value.time == pytest.approx(time, abs=0.1)


@pytest.mark.parametrize(
    ("R", "expected"),
    [(None, [-18.36 + 8.22j, -138.2]), (1.0, [-19.42 + 5.26j, -141.4]), (0.01, [-9.13, -58.3, -251.3])],
)
def test_the_slow_loop_damps_the_links_by_itself(R, expected):
    """Poles of arm and controller together, by differences: the rates fed back act on joints that are light beside the
    rigid inertia they are computed from, so that nothing is left to ring, and the fast loop adds little."""
    model = arm("arm").compile()
    slow = jd.control.Impedance(model, "tip.origin", 80.0, 100.0, 80.0, directions="xy", start=FINAL)
    control = slow if R is None else jd.control.Composite(slow, 1.0, R, scale=1e4, schedule=[FINAL])
    law, begin, n = control.bind(model), model.state(FINAL), model.nv

    def rates(y):
        q, v = y[:n], y[n:]
        effort = law.evaluate(model, 0.0, q, v, law.start, n)
        return np.concatenate([v, model.forward_dynamics(model.state(q, v), effort)])

    y0, A = np.concatenate([begin.q, begin.v]), np.zeros((2 * n, 2 * n))
    for i in range(2 * n):
        step = np.zeros(2 * n)
        step[i] = 1e-6
        A[:, i] = (rates(y0 + step) - rates(y0 - step)) / 2e-6
    poles = np.linalg.eigvals(A)
    fast = sorted((p for p in poles if abs(p) > 5.0 and p.imag > -1e-6), key=abs)
    assert fast == pytest.approx(expected, rel=5e-3)


def test_wrong_masses_in_the_controller(model):
    """Links thought too light by up to 14 %: the same force within 0.2 N. Too heavy by 5 %: it loses contact.

    The force fed back has the gain of the modelled inertia over the wanted 80 kg, and the stiff contact leaves that
    little room; at 8 and 15 % a quarter of the step changes nothing.
    """
    held = []
    for part in (0.86, 0.92, 1.0):
        found = run(model, controller(model, 0.01, arm("wrong arm", 163.0 * part).compile()), 20.0)
        held.append(at(found, 19.8))
    assert held == pytest.approx([13.7, 13.7, 13.7], abs=0.2)
    found = run(model, controller(model, 0.01, arm("wrong arm", 163.0 * 1.05).compile()), 20.0)
    assert np.sum(force(found)[found.time.values > 14.0] == 0.0) > 10
