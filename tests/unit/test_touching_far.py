"""Contact by multipliers far from the origin, where places are rounded more coarsely than tolerances ask."""

import numpy as np
import pytest

import jourdain as jd


def test_a_stiff_block_far_away_strikes_a_wall():
    """15 m away places are rounded to 2e-15 m, which over a step of 1 us is 2e-9 m/s, and a multiple of it through the
    stiffness: more than the tolerance of velocities, 1e-11 m/s. The impact is that of the block as a spring: without
    other masses it comes back, less what is left as vibration, and its momentum is that of the forces, which only
    whole steps make: a step that does not end is cut."""
    stiff = jd.Material(E=7e10, nu=0.3, density=20.0)
    block = jd.Solid("block", jd.mesh.rectangle((0.2, 0.4), (2, 4)), stiff, "stress", thickness=1.0, element="linear",
                     surfaces={"sole": lambda x: x[1] < 1e-9})  # fmt: skip
    system = jd.System("far away")
    system.add(block, joint=jd.Planar("move"))
    system.contact("wall", block.surface("sole"), jd.Plane((0, 1, 0)).at("world", position=(3.1, 15.0, 0.0)),
                   normal=jd.contact.MultiplierContact())  # fmt: skip
    model = system.compile()
    start = model.state({"move.x": 3.0, "move.y": 15.0 + 1e-8}, {"move.y": -0.1})
    run = jd.simulate(model, start, until=4e-5, step=2e-7, method="generalized-alpha")
    touch = run.contact["wall"]
    wave = 0.4 / np.sqrt(stiff.E / stiff.density)
    pressed = run.record.time[touch.sites.values > 0]
    assert pressed[-1] - pressed[0] == pytest.approx(2.0 * wave, rel=0.15)
    momentum = model.momentum(run.states[-1])[1][1]
    assert momentum == pytest.approx(-0.1 * block.mass + touch.force.sel(axis="y").values.sum() * 2e-7, rel=1e-7)
    assert momentum > 0.085 * block.mass and float(touch.gap.min()) > -1e-13
