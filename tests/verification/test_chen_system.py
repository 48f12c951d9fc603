"""Chen's orbiting manipulator (1999): frequencies, equilibrium attitudes and the coupling of orbit and libration."""

from __future__ import annotations

import runpy
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import jourdain as jd

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "chen"
CHEN = runpy.run_path(str(EXAMPLES / "system.py"))
manipulator, ORBIT = CHEN["manipulator"], CHEN["ORBIT"]
n = ORBIT.mean_motion


def equilibrium(model: jd.Model, q: dict[str, float]) -> jd.State:
    """Where everything but the coordinates of `q` rests in the orbital frame; the place along the orbit stays."""
    free = [i for i, name in enumerate(model.names.v) if name not in (*q, "platform.y")]
    state = model.state(q=q)
    for _ in range(6):
        K = np.zeros((len(free), len(free)))
        for column, i in enumerate(free):
            sides = []
            for h in (1e-4, -1e-4):
                moved = state.q.copy()
                moved[i] += h
                sides.append(model.inverse_dynamics(model.state(moved))[free])
            K[:, column] = (sides[0] - sides[1]) / 2e-4
        state.q[free] -= np.linalg.solve(K, model.inverse_dynamics(state)[free])
    assert np.max(np.abs(model.inverse_dynamics(state)[free])) < 1e-9
    return state


def pitch(model: jd.Model, q: dict[str, float]) -> float:
    """Equilibrium pitch [deg]."""
    return float(np.degrees(equilibrium(model, q).q[model.index.q["platform.angle"]]))


def test_modes_of_one_module_on_a_fixed_base():
    """Digest: joint mode 0.0671 Hz, second mode 2.99 Hz with one clamped mode and 2.03 Hz converged."""
    second = {}
    for modes, basis in ((1, "clamped-free"), (5, "clamped-free"), (3, "polynomial")):
        arm = CHEN["beam"]("m", 10.0, 400.0, 5.5e5, 0.005, modes=jd.Modes(bending_y=modes), basis=basis)
        system = jd.System("arm")
        system.add(arm, jd.Revolute("twist", axis="z", stiffness=1e4))
        system.add(jd.RigidBody("payload", 400.0, inertia=(0, 0, 0)), jd.Weld("grapple"), to="m.tip")
        model = system.compile()
        first, second[modes] = model.frequencies(model.state()).hz[:2]
        assert first == pytest.approx(0.0671, abs=1e-4)
    assert second[1] == pytest.approx(2.99, abs=0.01)
    assert second[5] == pytest.approx(2.03, abs=0.01) and second[3] == pytest.approx(2.03, abs=0.01)


def test_modes_in_orbit():
    """On the free platform the same joint mode is a little faster, since the platform turns against it; pitch period
    0.579 orbits, platform 0.1834 Hz."""
    model = manipulator(1, base=30.0, modes=3, basis="polynomial").compile()
    found = model.frequencies(model.state(q={"slew1": np.radians(50)}), hold=("slew1",))
    expected = [n / (2 * np.pi), n / (2 * np.pi * 0.5790), 0.0674, 0.1834]
    np.testing.assert_allclose(found.hz[:4], expected, rtol=1e-3)
    assert np.min(np.abs(found.hz - 2.034)) < 2e-3


@pytest.mark.parametrize(("base", "theirs"), [(0.0, 0.013), (30.0, 0.0816), (60.0, 0.148)])
def test_equilibrium_with_one_module(base, theirs):
    """Case 4-6: one module of 10 m at 50 degrees; 0.082 degrees in the thesis."""
    model = manipulator(1, base=base).compile()
    assert abs(pitch(model, {"slew1": np.radians(50)})) == pytest.approx(theirs, rel=0.005, abs=4e-4)


@pytest.mark.parametrize(
    ("modules", "base", "length", "theirs"),
    [(2, 0.0, 15.0, 0.080), (2, 30.0, 15.0, 0.182), (2, 60.0, 15.0, 0.277), (2, 60.0, 7.5, 0.096),
     (1, 60.0, 15.0, 0.091), (3, 60.0, 15.0, 0.509), (5, 60.0, 15.0, 0.897)],
)  # fmt: skip
def test_equilibrium_with_more(modules, base, length, theirs):
    """Cases 4-3 and 4-4: modules at -30 and then 10 degrees each; 0.28 degrees in the thesis with two."""
    model = manipulator(modules, base=base, lengths=length, large=True).compile()
    angles = {f"slew{i}": np.radians(-30 if i == 1 else 10) for i in range(1, modules + 1)}
    assert pitch(model, angles) == pytest.approx(theirs, rel=0.008)


def test_libration_moves_the_orbit():
    """Case V3-1: platform and four rigid modules on one line, pitched by 30 degrees, one orbit. The line swings as a
    whole, its joints hardly move (all slender parts have the same angular acceleration), and the platform's radius
    changes by 5.6 m."""
    rigid = ("platform", *(f"module{i}" for i in range(1, 5)))
    system = manipulator(4, base=60.0, payload=0.0, large=True, rigid=rigid)
    system.attachments[1] = replace(system.attachments[1], pose=jd.Pose())
    model = system.compile()
    held = {f"slew{i}": jd.Polynomial([0.0]) for i in range(1, 5)}
    state = model.state(q={"platform": [0, 0, np.radians(30)]})
    t = ORBIT.period
    run = jd.simulate(model, state, until=t, output=t / 400, motions=held, rtol=1e-11, atol=1e-12)
    swing = np.degrees(run.q["platform.angle"].values)
    assert np.max(swing) == pytest.approx(30.0, abs=0.2) and np.min(swing) == pytest.approx(-30.0, abs=0.2)
    assert np.degrees(np.ptp(run.q["twist1"].values)) < 2e-3
    assert np.ptp(run.q["platform.x"].values) == pytest.approx(5.6, abs=0.1)
    assert np.max(np.abs(run.energy["balance"].values)) < 1e-9 * np.ptp(run.energy["kinetic"].values)


def test_a_bent_platform_shakes_its_arm():
    """Case 4-6 in motion, 100 s: everything flexible, in orbit; the energy balance closes."""
    model = manipulator(1, base=30.0).compile()
    state = model.state(q={"slew1": np.radians(50), "platform.bending_y[0]": CHEN["bent"](2.0)})
    held = {"slew1": jd.Polynomial([np.radians(50)])}
    run = jd.simulate(model, state, until=100.0, output=0.5, motions=held, rtol=1e-9, atol=1e-10)
    assert np.max(np.abs(run.energy["balance"].values)) < 1e-8 * np.ptp(run.energy["kinetic"].values)
    assert 5.0 < np.degrees(np.max(run.q["twist1"].values)) < 8.0


def test_lengths_must_fit():
    with pytest.raises(ValueError, match="lengths has 3 entries for 2 modules"):
        manipulator(2, lengths=[1.0, 2.0, 3.0])
