"""The examples of human models, locomotion and vibration of the NATO collection run, and their numbers are held."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest
from example_files import run_example

import jourdain as jd


def told(name):
    """What an example found; it draws one figure."""
    plt.close("all")
    found = run_example(name)
    assert len(plt.get_fignums()) == 1
    plt.close("all")
    return found


@pytest.mark.slow
def test_crawling():
    """Angles at which other points begin to move, to a step; the best centre gets a third of a link a round."""
    found = told("crawling")
    for short, wanted in {0.8: (8.6822, 83.1301), 0.6: (26.4427, 66.8699), 0.4: (53.1301,)}.items():
        assert found["changes"][short] == pytest.approx(wanted, abs=0.9)
    heavy = found["masses"] > 0.59
    np.testing.assert_allclose(found["advance"][heavy], found["free"][heavy], atol=1e-3)
    assert found["best"] == pytest.approx(0.6) and np.all(found["advance"][~heavy] < found["free"][~heavy] - 0.05)


@pytest.mark.slow
def test_a_vibrator_with_its_coil():
    """Energy, pull-in, and what adjusting one voltage or both does under 30 N."""
    found = told("electromagnetic_vibrator")
    model, magnet, shake = found["model"], found["magnet"], found["shake"]
    M, C, BETA, GAP, KAPPA, R = (found[name] for name in ("M", "C", "BETA", "GAP", "KAPPA", "R"))
    # source = coil + dashpot + change of kinetic, elastic and magnetic energy; no stop is touched
    run = shake(found["U0"], found["U1"], until=1.0, step=5e-5)
    x, v, z = run.q["x"].values, run.v["x"].values, run.z.values
    field = 0.5 * KAPPA * z[:, 0] ** 2 * (GAP - x)
    stored = 0.5 * M * v**2 + 0.5 * C * x**2 + field
    from scipy.integrate import simpson

    lost = simpson(BETA * v**2, x=run.time.values)
    assert z[-1, 1] == pytest.approx(z[-1, 2] + lost + stored[-1] - stored[0], rel=1e-5)
    # a constant voltage: equilibrium below the pull-in, none above it, and a third of the gap at it
    for part in (0.5, 0.9, 0.999):
        still = jd.simulate(model, model.state(), 60.0 if part > 0.99 else 20.0, rtol=1e-8, output=10.0,
                            controller=magnet(part * found["PULL_IN"], 0.0, 0.0, 0.0))  # fmt: skip
        end = still.q["x"].values[-1]
        roots = np.roots([1.0, -2.0 * GAP, GAP**2, -((part * found["PULL_IN"]) ** 2) / (2 * C * KAPPA * R**2)])
        assert end == pytest.approx(min(roots.real), rel=1e-3) and end < GAP / 3
    # a double root: GAP sqrt(4 (1 - part^2) / 27) short of it, to first order
    assert GAP / 3 - end == pytest.approx(GAP * np.sqrt(4 * (1 - part**2) / 27), rel=0.02)
    over = shake(1.02 * found["PULL_IN"], 0.0, until=20.0)  # pulled in, and held by the stop
    assert over.q["x"].values[-1] > GAP / 3
    # amplitude back by the mean voltage, centre not, and the stop is met; both back by both
    swings, wanted = found["swings"], found["wanted"]
    assert swings["mean voltage"][:, 1] == pytest.approx(wanted[1], rel=1e-4)
    assert swings["mean voltage"][-1, 0] < wanted[0] - 0.6e-3
    assert np.min(found["runs"]["mean voltage"][-1].q["x"]) < -0.9e-3
    np.testing.assert_allclose(swings["both voltages"], np.tile(wanted, (4, 1)), rtol=1e-4)


def test_an_elbow_that_a_weight_falls_on():
    """Benes: shares of the digest from the model's own arms; more co-contraction, less opening."""
    found = told("muscles")
    np.testing.assert_allclose(found["arms"], (0.03, 0.03, 0.02, 0.05, -0.025, -0.025, -0.025), atol=1e-12)
    assert found["load"] == pytest.approx([16.1865], abs=1e-9)
    for c, activations in {
        0.0: (0.425694, 0.364880, 0.486507, 0.324338),
        0.5: (0.800772, 0.757805, 0.843740, 0.729160),
    }.items():
        np.testing.assert_allclose(found["shares"][c].activations[:4], activations, atol=6e-7)
    opened = [np.degrees(np.pi / 2 - float(run.q["elbow"][-1])) for run in found["runs"].values()]
    held = [abs(float(run.q["elbow"][49]) - np.pi / 2) for run in found["runs"].values()]
    assert max(held) < 1e-12 and opened == pytest.approx((24.7, 20.2, 16.7), abs=0.1)


@pytest.mark.slow
def test_a_driver_on_a_shaking_seat():
    """Fifteen bodies, 105 coordinates of places and quaternions; the linear transmissibility is that of a run."""
    found = told("seated_dummy")
    model, state = found["seated"]()
    system = jd.human.dummy()
    assert 7 * len(system.bodies) == 105 and model.nv == 25  # 22 of the dummy, 3 of the car
    way = found["ways"]["first seat"]["upper.head"]
    assert abs(way[0]) == pytest.approx(1.0, abs=3e-3)  # slow motion arrives as it is
    peak = found["hz"][np.argmax(np.abs(way))]
    assert 4.0 < peak < 6.0 and np.max(np.abs(way)) == pytest.approx(1.51, abs=0.01)
    f = 5.0
    wanted = found["transmissibility"](model, state, [f], "upper.head.vz")[0]
    shake = jd.Sine(1e-4, f)
    for name in found["CAR"]:
        state.v[model.index.v[name]] = 1e-4 * 2 * np.pi * f
    run = jd.simulate(
        model, state, 4.0, step=2e-4, method="rk4", output=1e-3, motions=dict.fromkeys(found["CAR"], shake)
    )
    last = run.time.values > 3.0 - 1e-9
    wave = np.exp(-2j * np.pi * f * run.time.values[last])[:-1]
    head, seat = (run.frame(x).velocity.values[last, 2][:-1] @ wave for x in ("upper.head", "seat.origin"))
    assert abs(head / seat - wanted) < 2e-3 * abs(wanted)
    rides = found["rides"]
    assert rides["soft seat"].vdv < rides["first seat"].vdv
    assert all(float(np.max(np.abs(one.energy["balance"]))) < 1e-6 for one in found["runs"].values())


def bears_the_weight(run, contacts, weight):
    """The ground's impulse is that of the weight and the change of momentum, whatever the gait."""
    force = sum(run.contact[name].force.values[:, 2] for name in contacts)
    momentum = run.model.momentum(run.states).linear[:, 2]
    wanted = weight * float(run.time[-1]) + momentum[-1] - momentum[0]
    # samples of 10 ms of a force that comes and goes a hundred times: a mean of n has a standard error of std / sqrt(n)
    error = 4.0 * np.std(force) / np.sqrt(len(force)) * float(run.time[-1])
    assert abs(np.mean(force) * float(run.time[-1]) - wanted) < error


@pytest.mark.slow
def test_walking():
    """Ten steps and more with feedback of the trunk, a fall without it; feet never pull."""
    found = told("walking")
    assert found["steps"]["trunk felt"] >= 10 and found["falls"]["trunk felt"] is None
    assert found["falls"]["trunk not felt"] is not None and found["steps"]["trunk not felt"] < 10
    assert found["run"].trusted and min(one.min() for one in found["reaction"].values()) >= 0.0
    assert found["speed"] > 0.0
    bears_the_weight(found["run"], found["CONTACTS"], found["WEIGHT"])


@pytest.mark.slow
def test_walking_in_space():
    """21 degrees of freedom along Fourier patterns: ten steps and more with feedback of the trunk, a fall without
    it."""
    found = told("walking_in_space")
    assert found["model"].nv == 21 and len(found["CONTACTS"]) == 10
    assert found["steps"]["trunk felt"] >= 10 and found["falls"]["trunk felt"] is None
    assert found["falls"]["trunk not felt"] is not None
    assert found["run"].trusted and min(one.min() for one in found["reaction"].values()) >= 0.0
    # straight on: in ten steps and more it strays by less than its own hips are wide
    run = found["run"]
    assert found["speed"] > 0.0 and np.sum(found["landed"] > 5.0) >= 10
    assert float(np.ptp(run.q["root.y"].values[500:])) < jd.human.segments(1.741, 73.0).hips
    bears_the_weight(run, found["CONTACTS"], found["WEIGHT"])


@pytest.mark.slow
def test_a_walker_that_is_let_go():
    """Wojtyra's way: a feedback a coordinate, the support holds the rest; in the end nothing does, and it walks."""
    found = told("walker_support")
    weaned = found["found"]
    assert list(weaned.gains) == ["yaw", "roll", "pitch", "y", "x", "z"] and weaned.held == ()
    # without its feedback yaw strays more than with any
    costs = weaned.costs["yaw"]
    assert weaned.gains["yaw"] > 0.0 and costs[0] > 2.0 * costs.min()
    # nothing is left of the support, and it takes the ten steps of the digest
    alone, landed = found["alone"], found["landed"]
    for name in ("wx", "wy", "wz", "vx", "vy", "vz"):
        assert not np.any(alone.effort[f"root.{name}"])
    assert len(landed) >= 10 and np.min(alone.q["root.z"]) > 0.7 and alone.trusted


@pytest.mark.slow
def test_soft_parts_that_wobble():
    """46 degrees of freedom; the softer, the smaller the first blow; stiff ones land as the rigid man does."""
    found = told("wobbling_masses")
    assert found["dofs"] == 46
    np.testing.assert_allclose(found["swings"].hz, 10.0, rtol=1e-9)
    np.testing.assert_allclose(found["swings"].damping, 0.2, rtol=1e-9)
    blows = list(found["blows"].values())
    assert np.all(np.diff(blows) < 0.0)
    for name, run in found["runs"].items():
        assert run.trusted, name


@pytest.mark.slow
def test_feet_a_fifth_softer_or_harder_hardly_matter():
    """The paper's remark on k, c_max and h: with one of them changed the walker goes as far in five seconds."""
    found = told("walking_in_space")
    first = float(found["run"].q["root.x"][500])
    for k in range(3):
        for factor in (0.8, 1.2):
            numbers = np.array([2e4, 1000.0, 0.02])
            numbers[k] *= factor
            system = jd.human.walker(
                pressure=jd.human.foot_pressure(*numbers), friction=jd.human.foot_friction(0.9, 0.1)
            )
            found["walk"].__globals__["model"] = system.compile()
            run, landed = found["walk"](True, 5.0)
            assert np.min(run.q["root.z"]) > 0.7 and len(landed) >= 20
            assert float(run.q["root.x"][-1]) == pytest.approx(first, rel=0.1)


def test_a_skeleton_and_an_organ():
    """Counts and masses; the centre of mass goes down as knees bend; a mesh loses inertia as 1 / points."""
    found = told("skeleton")
    assert found["counts"] == {"male": (15, 36), "female": (15, 36)}
    assert found["masses"]["male"] == pytest.approx(70.0) and found["masses"]["female"] == pytest.approx(70.0, rel=2e-4)
    for sex, values in found["heights"].items():
        assert values[0] / 1.74 == pytest.approx({"male": 0.575, "female": 0.553}[sex], abs=1e-3)
        assert np.all(np.diff(values) < 0.0)
    misses = np.array(found["misses"])
    np.testing.assert_allclose(misses[:-1] / misses[1:], 2.0, atol=0.15)
