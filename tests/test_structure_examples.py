"""The examples of the NATO collection run, and their numbers are held."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest
from example_files import beside, run_example
from nato_control import numbers_design, numbers_trains

from jourdain.study.published import FAILED


@pytest.mark.slow
def test_the_flow_about_a_ball():
    """Source strength -3/2 n U, surface speed 3/2 U sin, no force in steady flow; added mass of half the volume."""
    with beside("panels"):
        from panels import flow, sphere

    U = np.array([1.0, 0.0, 0.0])
    partials, masses, slips = [], {}, []
    for divisions, exact in ((2, True), (3, True), (2, False)):
        ball = sphere(divisions, exact)
        walls = np.tile(U, (len(ball.areas), 1))
        strength, potential, air = flow([ball], [np.zeros(3)], [walls])
        along = ball.normals @ U
        partials.append(-np.polyfit(along, strength, 1)[0])
        masses[divisions, exact] = -np.sum(ball.areas * potential * along) / (4 * np.pi / 3)
        slips.append(np.max(np.abs(np.linalg.norm(air - U, axis=1) - 1.5 * np.sqrt(1 - along**2))))
        pressure = np.sum(walls * air, 1) - 0.5 * np.sum(air**2, 1)
        force = -np.sum((pressure * ball.areas)[:, None] * ball.normals, axis=0)
        assert np.max(np.abs(force)) < 1e-14 * np.pi / 2
    assert 2 * partials[1] - partials[0] == pytest.approx(1.5, abs=2e-3)
    assert masses[2, False] == pytest.approx(0.504, abs=5e-4)
    assert abs(masses[3, True] - 0.5) < 0.75 * abs(masses[2, True] - 0.5) and masses[3, True] == pytest.approx(
        0.5, rel=0.03
    )
    assert slips[0] < 0.03 and slips[1] < 0.03


@pytest.mark.slow
def test_trains_passing():
    plt.close("all")
    found = run_example("trains_passing")
    assert len(plt.get_fignums()) == 1
    plt.close("all")
    assert [row for many in numbers_trains(found) for row in many if row.verdict == FAILED] == []
    assert found["force_powers"] == pytest.approx([2.0] * 3, abs=0.01)
    assert 0.9 < found["mean_power"] < 1.2 and found["motion_powers"][-1] < 0.3
    assert found["feedback"] < 0.02
    assert all(len(run.iterations) == 30 for run in found["runs"].values())


@pytest.mark.slow
def test_a_design_by_comparison_and_by_gradient():
    """Weights of the digest to their digits; the gradient goes below the grid, and no neighbour is better."""
    plt.close("all")
    found = run_example("suspension_design")
    assert len(plt.get_fignums()) == 1
    plt.close("all")
    best = found["best"]
    assert [row for many in numbers_design(found) for row in many if row.verdict == FAILED] == []
    assert best.converged and best.cost < np.min(found["grid"])
    damping = best.values["spring.damping"]
    assert best.values["spring.stiffness"] == pytest.approx(5e3)
    neighbours = [found["score"](found["car"](5e3, damping * factor)) for factor in (0.95, 1.05)]
    assert best.cost < min(neighbours)
    assert best.cost == pytest.approx(found["score"](found["car"](5e3, damping)), rel=1e-6)


def shown(name):
    """What an example leaves behind, after its one figure."""
    plt.close("all")
    found = run_example(name)
    assert len(plt.get_fignums()) == 1
    plt.close("all")
    return found


@pytest.mark.slow
def test_an_arrow_on_the_string():
    found = shown("arrow")
    assert found["critical"].factors[:2] == pytest.approx([14.7957, 56.4660], rel=2e-5)
    squares = np.array(found["squares"])
    grow = np.sum(squares < 0.0, axis=1)
    assert [int(np.sum(grow == k)) > 0 for k in range(4)] == [False, True, True, True]
    # each bends the other way once the push is critical
    assert found["pushes"][np.argmax(grow > 1)] == pytest.approx(14.7957, abs=0.5)
    assert found["pushes"][np.argmax(grow > 2)] == pytest.approx(56.4660, abs=0.5)


@pytest.mark.slow
def test_deformations_on_a_known_motion():
    found = shown("known_motion")
    assert found["difference"] < 0.015
    assert np.all(np.diff(found["with_it"]) > 0.0)
    falls = np.array(found["without"])
    assert found["speeds"][np.argmax(falls < 0.0)] == pytest.approx(3.516, abs=0.3)


@pytest.mark.slow
def test_a_vaulting_pole():
    """Without the work of the hands the vault is lower; film tells their force to what a still pole can tell."""
    found = shown("vaulting_pole")
    heights = found["heights"]
    assert heights["with hands"] > heights["without"] + 0.8
    assert 0.35 < found["share"] < 0.5
    assert np.median(found["missed"]) < 0.12 and np.max(found["missed"]) < 0.2
    for run in found["runs"].values():
        assert run.trusted
        assert np.max(np.abs(run.energy["balance"])) < 1e-6 * run.energy["total"].values[0]
    # at its highest he has what the run-up and the hands gave, but for what swings, strains and is lost
    run, top = found["run"], found["top"]
    energy = {name: float(run.energy[name].values[top]) for name in ("kinetic", "gravity", "strain", "dissipated")}
    begun = float(run.energy["total"].values[0])
    assert sum(energy.values()) == pytest.approx(begun + found["work"], rel=1e-6)


@pytest.mark.slow
def test_a_folding_truss():
    """The words of the paper: belts get out of step, friction near the weakest spring stops, shaking helps."""
    found = shown("folding_truss")
    spread, complete, latched = found["spread"], found["complete"], found["latched"]
    assert spread[1] < spread[2] < spread[3] and spread[2] > 2.0 * spread[1]
    assert complete[1] == complete[2] == 1.0 > complete[3]
    assert latched[0.0, 0.0] == latched[0.10, 0.0] == 1.0
    for friction in (0.13, 0.15):
        assert latched[friction, 0.0] < 0.6 and latched[friction, 0.01] > latched[friction, 0.0] + 0.3
    assert all(not many.failed and not many.untrusted for many in found["runs"].values())
