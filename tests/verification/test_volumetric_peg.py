"""A peg of 1 kg and 20 mm on a compliant wrist, two degrees askew, in a hole 0.05 mm wider.

Whitney 1982 (J. Dyn. Sys. Meas. Control 104): a peg that touches on both sides at a depth below mu D can wedge. At two
degrees it does so from 0.05 mm / tan(2 degrees) = 1.43 mm on: above 0.05 D = 1 mm, and below 0.3 D = 6 mm.
"""

import numpy as np
import pytest

import jourdain as jd

LENGTH, DEPTH, TILT = 0.06, 0.04, np.radians(2.0)


def pushed(mu: float, stiffness: float) -> jd.Run:
    """The peg fed by 20 mm; steps of 0.25 ms."""
    system = jd.System("peg")
    start = (LENGTH * np.sin(TILT), 0, LENGTH * np.cos(TILT) + DEPTH + 5e-4)
    small = {"mass": 0.1, "inertia": (1e-4, 1e-4, 1e-4)}
    aside = {"stiffness": 2e3, "damping": 50.0}
    turns = {"stiffness": 0.3, "damping": 0.012}
    system.add(jd.RigidBody("arm", mass=1.0, inertia=(1e-3,) * 3), jd.Prismatic("feed", (0, 0, -1)), position=start)
    ahead = jd.Prismatic("z", (0, 0, 1), stiffness=500.0, damping=25.0)
    system.add(jd.RigidBody("stage_z", **small), ahead, to="arm.origin")
    system.add(jd.RigidBody("stage_x", **small), jd.Prismatic("x", (1, 0, 0), **aside), to="stage_z.origin")
    system.add(jd.RigidBody("stage_y", **small), jd.Prismatic("y", (0, 1, 0), **aside), to="stage_x.origin")
    ring = jd.RigidBody("ring", mass=0.02, inertia=(1e-5, 1e-5, 1e-5))
    system.add(ring, jd.Revolute("roll", (1, 0, 0), **turns), to="stage_y.origin")
    peg = jd.RigidBody(
        "peg", mass=1.0, com=(0, 0, 0.03), inertia=(3.25e-4, 3.25e-4, 5e-5), frames={"grip": (0, 0, LENGTH)}
    )
    system.add(peg, jd.Revolute("pitch", (0, 1, 0), rest=TILT, **turns), to="ring.origin", at="grip")
    shape = jd.Cylinder(0.01, LENGTH).at("peg.origin", position=(0, 0, 0.5 * LENGTH))
    hole = jd.Cylinder(0.010025, DEPTH, inside=True).at("world", position=(0, 0, 0.5 * DEPTH))
    normal = jd.VolumetricContact(stiffness=stiffness, restitution=0.3, slow_speed=0.1)
    friction = jd.BristleFriction(kinetic=mu, stiffness=1e5, stribeck=1e-2)
    system.contact("fit", shape, hole, normal=normal, friction=friction)
    model = system.compile()
    motions = {"feed": jd.Cycloid(0.02, 0.9)}
    return jd.simulate(model, model.state(q={"pitch": TILT}), until=1.0, step=2.5e-4, output=2.5e-3, motions=motions)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::jourdain.StepWarning")
@pytest.mark.parametrize("mu, goes_in", [(0.05, True), (0.3, False)])
def test_a_peg_goes_in_or_wedges(mu, goes_in):
    run = pushed(mu, 1e12)
    inserted = DEPTH - run.frame("peg.origin").position.values[:, 2]
    fit = run.contact["fit"]
    assert np.all(np.isfinite(inserted)) and fit.depth.max() < 15e-6
    assert fit.sites.max() == 2.0  # it touches on both sides
    if goes_in:
        assert inserted[-1] > 0.016
        assert run.q["pitch"].values[-1] < 0.2 * TILT  # and is upright
    else:
        assert 1.4e-3 < inserted[-1] < 0.3 * 0.02
        late = run.record.time > 0.9
        assert np.ptp(inserted[late]) < 2e-4  # it stands
        push = 500.0 * (0.02 - inserted[-1] - 5e-4)
        assert push > 8.0  # twice the 4.3 N at most that take the other peg in
