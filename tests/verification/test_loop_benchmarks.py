"""Machines with loops against published numbers and independent equations; sources with each test."""

import numpy as np
import pytest
from loop_machines import machines
from scipy.integrate import solve_ivp

import jourdain as jd

TIGHT = {"rtol": 1e-11, "atol": 1e-12}


def test_double_four_bar_passes_its_singularity():
    """IFToMM A02, N = 2 (Bayo & Avello 1994; Gonzalez et al. 2006), 10 s. The bars stay parallel: one pendulum is the
    truth, of which the published digits have six."""
    model = machines.four_bars(2).compile()
    run = jd.simulate(model, machines.four_bars_start(model), until=10.0, step=1e-3, method="rk4", output=10.0)
    top = run.frame("bar0.tip")
    ours = np.concatenate([top.position.values[-1, :2], top.velocity.values[-1, :2]])
    rates = lambda t, y: [y[1], 9.81 * 3.5 / 3.0 * np.sin(y[0])]  # noqa: E731
    a, w = solve_ivp(rates, (0, 10), [0, 1], "DOP853", rtol=1e-13, atol=1e-14).y[:, -1]
    assert ours == pytest.approx([np.sin(a), np.cos(a), w * np.cos(a), -w * np.sin(a)], abs=1e-7)
    assert ours == pytest.approx([0.3284573768, 0.9445187937, 1.423050003, -0.4948670827], abs=2e-6)


def test_a_row_of_four_bars_keeps_its_energy():
    """IFToMM A02, N = 40: error of the energy below 1e-3 J; here for 2 s."""
    model = machines.four_bars(40).compile()
    run = jd.simulate(model, machines.four_bars_start(model), until=2.0, step=2e-3, method="rk4", output=0.1)
    energy = run.energy["total"].values
    assert np.max(np.abs(energy - energy[0])) < 1e-3


def test_andrews_squeezer():
    """Test Set for IVP Solvers, problem Andrews: angles at 0.03 s."""
    model = machines.andrews().compile()
    start = model.state(q=dict(zip(machines.ANDREWS_NAMES, machines.ANDREWS["start"], strict=True)))
    run = jd.simulate(model, start, until=0.03, output=0.03, rtol=1e-11, atol=1e-13)
    ours = [float(run.q[name][-1]) for name in machines.ANDREWS_NAMES]
    assert ours == pytest.approx(machines.ANDREWS["end"], abs=1e-7)


def test_bricard():
    """IFToMM A04: 10 s, energy; the redundant row is known and does no harm."""
    model = machines.bricard().compile()
    counted = model.mobility(model.state())
    assert counted.degrees == 1 and counted.redundant
    with pytest.warns(UserWarning, match="follow"):
        run = jd.simulate(model, model.state(), until=10.0, output=0.1, rtol=1e-10, atol=1e-12)
    energy = run.energy["total"].values
    assert np.max(np.abs(energy - energy[0])) < 1e-6


def governor_truth(until, times, rigid=False):
    """Arms' angle and slider from Lagrange's equations in minimal coordinates (see examples/loops/flyball_governor)."""
    shaft = 0.3
    arm, middle = shaft + 5.0, (0.5 * shaft + 5.0) / (shaft + 5.0)
    thin, long = shaft * 2e-4 / 12.0, shaft * (1.0 + 1e-4) / 12.0
    across = long + shaft * (0.5 - middle) ** 2 + 5.0 * (1.0 - middle) ** 2

    def inertia(a):
        reach = 0.05 + middle * np.cos(a)
        J = thin + 0.005 + 2.0 * (arm * reach**2 + across * np.cos(a) ** 2 + thin * np.sin(a) ** 2)
        return J, 2.0 * (-2.0 * arm * reach * middle * np.sin(a) - 2.0 * (across - thin) * np.cos(a) * np.sin(a))

    momentum = inertia(np.radians(30.0))[0] * 2.0 * np.pi

    def rates(t, y):
        a, s, da, ds = y
        J, slope = inertia(a)
        down = 1.0 - 0.5 * np.sin(a) - s
        L = np.hypot(0.5 * np.cos(a), down)
        by_a, by_s = (-0.25 * np.cos(a) * np.sin(a) - 0.5 * down * np.cos(a)) / L, -down / L
        pull = 8e5 * (L - 0.5) + 4e4 * (by_a * da + by_s * ds)
        turn = 0.5 * slope * (momentum / J) ** 2 + 2.0 * arm * 9.81 * middle * np.cos(a) - 2.0 * pull * by_a
        return [da, ds, turn / (2.0 * (across + arm * middle**2)), -9.81 - 2.0 * pull * by_s / 3.0]

    return solve_ivp(rates, (0, until), [np.radians(30.0), 0.5, 0, 0], "Radau", times, rtol=1e-10, atol=1e-12).y


def test_flyball_governor():
    """IFToMM A05, the first 0.5 s explicitly; the library's own reference has no digits in print, SciPy's Radau has."""
    model = machines.governor().compile()
    run = jd.simulate(model, machines.governor_start(model), until=0.5, output=0.05, rtol=1e-9, atol=1e-10)
    angle, slider, _, _ = governor_truth(0.5, run.time.values)
    assert run.q["s"].values == pytest.approx(slider, abs=1e-7)
    assert run.q["right"].values == pytest.approx(angle, abs=1e-7)
    assert run.q["left"].values == pytest.approx(angle, abs=1e-7)


def test_rigid_links_are_the_limit_of_stiff_ones():
    """The governor with rods of fixed length: the springs give by their load over their stiffness."""
    model = machines.governor(rigid=True).compile()
    run = jd.simulate(model, machines.governor_start(model), until=0.5, output=0.05, rtol=1e-9, atol=1e-10)
    slider = governor_truth(0.5, run.time.values)[1]
    pull = np.max(np.linalg.norm(run.constraint["link_right"].force.values, axis=1))
    assert np.max(np.abs(run.q["s"].values - slider)) < 20.0 * pull / 8e5


def test_rolling_disk_in_a_circle():
    """Euler's equations of steady rolling; the formula is derived in examples/loops/rolling_disk."""
    r, m = machines.DISK.values()
    A, C, g, lean, R = m * r**2 / 4.0, m * r**2 / 2.0, 9.81, 0.5, 0.8
    inner = m * r * (R - r * np.sin(lean)) + C * (R / r - np.sin(lean)) + A * np.sin(lean)
    W = np.sqrt(m * g * r * np.sin(lean) / (np.cos(lean) * inner))
    axle, up = np.array([np.cos(lean), 0, np.sin(lean)]), np.array([-np.sin(lean), 0, np.cos(lean)])
    turn = np.column_stack([np.cross(axle, up), axle, up])
    centre = np.array([R, 0.0, 0.0]) + r * up
    omega, speed = np.array([0, 0, W]) - W * R / r * axle, np.array([0, W * centre[0], 0])
    model = machines.rolling_disk().compile()
    start = model.state(
        q={"pose": jd.Pose(centre - [0, 0, r], turn)}, v={"pose": np.concatenate([turn.T @ omega, turn.T @ speed])}
    )
    run = jd.simulate(model, start, until=2.0 * np.pi / W, output=0.5 * np.pi / W, **TIGHT)
    around = W * run.time.values
    circle = np.column_stack([centre[0] * np.cos(around), centre[0] * np.sin(around), centre[2] + 0 * around])
    assert run.frame("disk.origin").position.values == pytest.approx(circle, abs=1e-8)


def test_ellipsograph_of_pieces_converges():
    """Dmitrotchenko 2002 with the digest's completion: pieces of half the length come nearer to the table by four."""
    table = np.array([0.957999, -0.232389, 0.502167, -0.192190])
    ours = []
    for count in (10, 20):
        model = machines.ellipsograph(count).compile()
        run = jd.simulate(model, machines.ellipsograph_start(model), until=0.4, output=0.1, rtol=1e-8, atol=1e-10)
        middle = run.frame("pendulum.origin").position.values[-1]
        ours.append([float(run.q["xA"][-1]), run.frame("hand.origin").position.values[-1, 1], *middle[:2]])
    coarse, fine = (np.max(np.abs(np.array(one) - table)) for one in ours)
    assert fine < 0.35 * coarse and fine < 1e-3
