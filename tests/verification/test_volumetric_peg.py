"""A peg of 1 kg and 20 mm on a compliant wrist, two degrees askew, in a chamfered hole 0.05 mm wider.

Whitney 1982 (J. Dyn. Sys. Meas. Control 104): a peg that touches on both sides less than mu D below the rim can wedge.
At two degrees it touches twice from 0.05 mm / tan(2 degrees) = 1.43 mm on: above 0.05 D = 1 mm, below 0.3 D = 6 mm.

What is chosen here, and why. The wrist is soft, as wrists for assembly are: 500 N/m ahead, 2 kN/m aside, 0.3 N m/rad.
It is fed by 30 mm in 1.2 s, 28 mm/s where the peg first touches; that alone makes it 3 um deep. k_v = 5e12 N/m^3 is a
layer of steel 57 mm thick: the two short edges that a tilted peg bears on are then 8 um deep, where 1e11 N/m^3 makes
it 28 um. Bristles with a damping of 20 s/m are ones that steps of 0.25 ms resolve under the loads that a wedge has.
"""

import functools

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import jourdain as jd
from jourdain.study.demo import shipped
from jourdain.study.scenario.limits import judge

LENGTH, DEPTH, CHAMFER, TILT = 0.06, 0.04, 0.002, np.radians(2.0)
BORE = 0.010025
AHEAD, STROKE, GAP, STEP = 500.0, 0.03, 5e-4, 2.5e-4


def wrist(system: jd.System, height: float) -> None:
    """An arm that is fed downwards, three slides and two hinges with springs, and the peg in its grip."""
    small = {"mass": 0.1, "inertia": (1e-4, 1e-4, 1e-4)}
    aside = {"stiffness": 2e3, "damping": 50.0}
    turns = {"stiffness": 0.3, "damping": 0.012}
    start = (LENGTH * np.sin(TILT), 0, LENGTH * np.cos(TILT) + height)
    system.add(jd.RigidBody("arm", mass=1.0, inertia=(1e-3,) * 3), jd.Prismatic("feed", (0, 0, -1)), position=start)
    ahead = jd.Prismatic("z", (0, 0, 1), stiffness=AHEAD, damping=25.0)
    system.add(jd.RigidBody("stage_z", **small), ahead, to="arm.origin")
    system.add(jd.RigidBody("stage_x", **small), jd.Prismatic("x", (1, 0, 0), **aside), to="stage_z.origin")
    system.add(jd.RigidBody("stage_y", **small), jd.Prismatic("y", (0, 1, 0), **aside), to="stage_x.origin")
    ring = jd.RigidBody("ring", mass=0.02, inertia=(1e-5, 1e-5, 1e-5))
    system.add(ring, jd.Revolute("roll", (1, 0, 0), **turns), to="stage_y.origin")
    peg = jd.RigidBody(
        "peg", mass=1.0, com=(0, 0, 0.03), inertia=(3.25e-4, 3.25e-4, 5e-5), frames={"grip": (0, 0, LENGTH)}
    )
    system.add(peg, jd.Revolute("pitch", (0, 1, 0), rest=TILT, **turns), to="ring.origin", at="grip")


@functools.cache
def pushed(mu: float, stroke: float = STROKE, step: float = STEP, chamfer: float = CHAMFER) -> jd.Run:
    """The peg fed into the hole, every step kept. Without a chamfer the hole is a bare cylinder."""
    system = jd.System("peg")
    wrist(system, DEPTH + 0.01 * np.sin(TILT) + GAP)
    if chamfer:
        peg, block = jd.worksites.peg_in_hole(0.02, 5e-5, depth=DEPTH, length=LENGTH, chamfer=chamfer)
        fit = (peg.at("peg.origin"), block.at("world"))
    else:
        bore = jd.Cylinder(BORE, DEPTH, inside=True)
        fit = (
            jd.Cylinder(0.01, LENGTH).at("peg.origin", position=(0, 0, 0.5 * LENGTH)),
            bore.at("world", position=(0, 0, 0.5 * DEPTH)),
        )
    normal = jd.VolumetricContact(stiffness=5e12, restitution=0.3, slow_speed=0.1)
    friction = jd.BristleFriction(kinetic=mu, stiffness=1e5, damping=20.0, stribeck=1e-2)
    system.contact("fit", *fit, normal=normal, friction=friction)
    model = system.compile()
    motions = {"feed": jd.Cycloid(stroke, 1.2)}
    state = model.state(q={"pitch": TILT})
    return jd.simulate(model, state, until=1.3, step=step, output=STEP, motions=motions, progress=False)


def inserted(run: jd.Run) -> np.ndarray:
    """How far the peg's lower end is below the face of the block [m]."""
    return DEPTH - run.frame("peg.origin").position.values[:, 2]


def sunk(run: jd.Run) -> float:
    """How deep the peg's lower rim is in wall and chamfer, and the rim of the bore in the peg [m], at the worst.

    From poses alone, at points every 5 degrees of either circle: the depth that contact tells is that of a like wedge.
    """
    pose = run.frame("peg.origin")
    turned = Rotation.from_quat(pose.quaternion.values, scalar_first=True).as_matrix()
    angle = np.radians(np.arange(0.0, 360.0, 5.0))
    circle = np.stack([np.cos(angle), np.sin(angle), 0.0 * angle])
    low = pose.position.values[:, :, None]
    rim = low + 0.01 * turned @ circle
    out = np.hypot(rim[:, 0], rim[:, 1]) - BORE
    above = rim[:, 2] - (DEPTH - CHAMFER)
    into_wall = np.where(above < 0.0, out, np.where(above < CHAMFER, (out - above) / np.sqrt(2.0), -1.0))
    seen = turned.transpose(0, 2, 1) @ (BORE * circle + [[0.0], [0.0], [DEPTH - CHAMFER]] - low)
    into_peg = np.where(seen[:, 2] > 0.0, 0.01 - np.hypot(seen[:, 0], seen[:, 1]), -1.0)
    return float(max(into_wall.max(), into_peg.max()))


@pytest.mark.parametrize("mu, goes_in", [(0.05, True), (0.3, False)])
def test_a_peg_goes_in_or_wedges(mu, goes_in):
    """As Whitney has it, at steps of 0.25 ms, less than 10 um deep and with the energies balanced."""
    run = pushed(mu)
    depth, fit = inserted(run), run.contact["fit"]
    assert np.all(np.isfinite(depth))
    assert sunk(run) < 10e-6 and fit.depth.max() < 10e-6
    assert fit.sites.max() == 2.0  # it touches on both sides
    assert run.energy.error < 1e-5
    late = run.record.time > 1.2
    assert np.ptp(depth[late]) < 1e-7  # and stands in the end
    push = AHEAD * (STROKE - GAP - 0.01 * np.sin(TILT) - depth[-1])
    if goes_in:
        assert depth[-1] > 0.027  # the wrist bends by the rest
        assert run.q["pitch"].values[-1] < 0.1 * TILT  # and the peg is upright
        assert push < 3.0
    else:
        assert 0.05 / np.tan(TILT) * 1e-3 < depth[-1] - CHAMFER < 0.3 * 0.02
        assert run.q["pitch"].values[-1] > 0.9 * TILT
        assert push > 12.0
        assert fit.patch.stick.values[-1] > 0.9


def test_pushing_harder_does_not_free_a_wedged_peg():
    """Two thirds of the stroke, and of the push, wedge it within 0.2 mm of the same place (the walls yield)."""
    assert inserted(pushed(0.3))[-1] == pytest.approx(inserted(pushed(0.3, stroke=0.02))[-1], abs=2e-4)


@pytest.mark.slow
@pytest.mark.parametrize("mu", [0.05, 0.3])
def test_shorter_steps_find_the_same(mu):
    coarse, fine = pushed(mu), pushed(mu, step=5e-5)
    assert inserted(coarse)[-1] == pytest.approx(inserted(fine)[-1], abs=2e-5)
    assert float(coarse.contact["fit"].depth.max()) == pytest.approx(float(fine.contact["fit"].depth.max()), rel=0.05)


@pytest.mark.slow
@pytest.mark.parametrize("mu, goes_in", [(0.05, True), (0.1, True), (0.2, False), (0.3, False)])
def test_the_friction_at_which_it_begins_to_wedge(mu, goes_in):
    """It comes to bear on both sides 2 mm below the chamfer, deeper than 1.43 mm as the wrist gives: mu = 2 / 20."""
    assert (inserted(pushed(mu))[-1] > 0.02) == goes_in


@pytest.mark.slow
@pytest.mark.parametrize("mu, goes_in", [(0.05, True), (0.3, False)])
def test_a_hole_without_a_chamfer(mu, goes_in):
    run = pushed(mu, chamfer=0.0)
    assert (inserted(run)[-1] > 0.025) == goes_in
    assert run.contact["fit"].sites.max() == 2.0
    assert run.energy.error < 1e-4


def test_the_shipped_scenario_keeps_its_limits_and_the_dry_peg_does_not():
    scenario = shipped("peg_in_hole")
    assert all(one.passed for one in judge(scenario.simulate(progress=False)))
    broken = {one.limit.name for one in judge(scenario.variants["dry"].simulate(progress=False)) if not one.passed}
    assert broken == {"peak force", "goes in", "upright in the end"}
