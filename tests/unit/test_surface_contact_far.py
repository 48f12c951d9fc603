"""Contact by multipliers far from the origin, where places are rounded more coarsely than tolerances ask."""

import math
import warnings

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


@pytest.mark.parametrize("kinetic", [0.5, 0.4])
def test_a_block_lands_flat_with_friction(kinetic):
    """All nodes of its sole touch at once and spread to all sides; it comes to rest with its weight on the floor."""
    mesh = jd.mesh.block((0.1, 0.1, 0.1), (1, 1, 1), of="tet")
    low = float(mesh.points[:, 2].min())
    foam = jd.Material(E=1e5, nu=0.3, density=1100.0)
    block = jd.Solid("block", mesh, foam, element="linear", reference="nodes", damping=jd.Rayleigh(0.0, 0.01),
                     surfaces={"sole": lambda x: x[2] < low + 1e-9})  # fmt: skip
    system = jd.System("landing", gravity=(0.0, 0.0, -9.81))
    system.add(block, joint=jd.Free("flight"))
    friction = jd.CoulombFriction(static=0.5, kinetic=kinetic)
    floor = jd.Plane((0, 0, 1)).at("world")
    system.contact("floor", block.surface("sole"), floor, normal=jd.contact.MultiplierContact(), friction=friction)
    model = system.compile()
    state = model.state(q={"flight": jd.Pose((0.0, 0.0, 0.001 - low))})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # generalized-alpha damps the landing, and the energy balance says so
        run = jd.simulate(
            model, state, until=0.2, step=1e-3, method="generalized-alpha", output=0.01, rtol=1e-5, atol=1e-7
        )
    x, y, z = run.contact["floor"].force.values[-1]
    assert abs(z - 1.1 * 9.81) < 0.02 * 1.1 * 9.81 and math.hypot(x, y) < 1e-3 * z
