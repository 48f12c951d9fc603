"""Sampled velocity feedback: a free mass exactly, and the strip of a galvanising line (Bruls & Golinval 2002)."""

import numpy as np
import pytest

import jourdain as jd

LENGTH, DENSITY, SPEED = 50.0, 7.85, 55.0  # m, kg/m, m/s: f_n = 0.55 n Hz
PIECES, MAGNET, GAIN = 100, 7, 100.0  # the magnet is 3.5 m from the roller; gain in N s/m


@pytest.mark.parametrize("ratio", [0.1, 1.0, 1.9, 2.1])
def test_free_mass_under_sampled_velocity_feedback(ratio):
    """v_k = (1 - g T / m)^k v_0 exactly; it grows where g T / m > 2."""
    system = jd.System("mass")
    system.add(jd.RigidBody("mass", mass=2.0), joint=jd.Prismatic("x", axis="x"))
    model = system.compile()
    period = 5e-3
    gain = ratio * 2.0 / period
    law = jd.control.StateFeedback([[0.0, gain]], model.state(), ("x",))
    start = model.state(v={"x": 1.0})
    digital = jd.control.Sampled(law, period)
    run = jd.simulate(model, start, until=0.1, step=1e-3, output=period, controller=digital)
    expected = (1.0 - ratio) ** np.arange(21)
    assert np.max(np.abs(run.v["x"].values - expected)) < 1e-12 * max(1.0, np.max(np.abs(expected)))


@jd.law(markers=("mass98.origin",))
def last_piece(t, q, v, z, s, p, effort, dz):
    """The piece of the strip between the last mass and the top roller."""
    effort[4] -= p[0] * s[1]


def strip():
    """A tensioned strip as masses between springs T / h, each carried by the one before."""
    h = LENGTH / PIECES
    pull = DENSITY * SPEED**2 / h
    system = jd.System("strip")
    to = "world"
    for i in range(PIECES - 1):
        joint = jd.Prismatic(f"y{i}", axis="y", stiffness=pull)
        system.add(jd.RigidBody(f"mass{i}", mass=DENSITY * h), joint=joint, to=to)
        to = f"mass{i}.origin"
    system.force("last", at="mass98.origin", force=last_piece(pull))
    return system.compile()


def test_modal_damping_of_the_strip():
    """zeta_n = g sin^2(n pi x / L) / (mu L w_n): 0.00351, 0.00668, 0.00923, 0.01094, from the decay of each mode."""
    model = strip()
    at = np.arange(1, PIECES) * LENGTH / PIECES
    names = tuple(f"y{i}" for i in range(MAGNET))
    gain = np.hstack([np.zeros((MAGNET, MAGNET)), np.full((MAGNET, MAGNET), GAIN)])
    magnet = jd.control.StateFeedback(gain, model.state(), names, coordinates=names)
    for n, digest in zip((1, 2, 3, 4), (0.00351, 0.00668, 0.00923, 0.01094), strict=True):
        shape = np.sin(n * np.pi * at / LENGTH)
        w = 2.0 * SPEED * PIECES / LENGTH * np.sin(n * np.pi / (2.0 * PIECES))
        assert w / (2 * np.pi) == pytest.approx(0.55 * n, rel=1e-3)
        start = model.state(0.01 * np.diff(shape, prepend=0.0))
        until = 5e-3 * round(5 * 2 * np.pi / w / 5e-3)
        digital = jd.control.Sampled(magnet, 5e-4)
        run = jd.simulate(model, start, until=until, step=5e-4, output=5e-3, controller=digital)
        amplitude = []
        for q, v in ((run.record.q[0], run.record.v[0]), (run.record.q[-1], run.record.v[-1])):
            eta, rate = (2.0 / PIECES * shape @ np.cumsum(x) for x in (q, v))
            amplitude.append(np.hypot(eta, rate / w))
        zeta = np.log(amplitude[0] / amplitude[1]) / (w * until)
        theory = GAIN * np.sin(n * np.pi * 3.5 / LENGTH) ** 2 / (DENSITY * LENGTH * w)
        assert theory == pytest.approx(digest, rel=2e-3)
        assert zeta == pytest.approx(digest, rel=0.02)
