"""Contact by multipliers: nodes that stick, slide and let go, against theory and the digest of Kim 1999."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.basics.errors import ModelError
from jourdain.contact import CoulombFriction, MultiplierContact

RUBBER = jd.Material(E=1e7, nu=0.3, density=1000.0)
G = 9.81


def bar_on_wall(scheme, method, cells=40, courant=0.5):
    """A bar of 1 m at 1 m/s that meets a wall with its end, without Poisson's effect."""
    L, H, material = 1.0, 0.05, jd.Material(E=1e9, nu=0.0, density=1000.0)
    wave = np.sqrt(material.E / material.density)
    bar = jd.Solid("bar", jd.mesh.rectangle((L, H), (cells, 1)), material, "stress", thickness=H, element="linear",
                   surfaces={"nose": lambda x: x[0] < 1e-9})  # fmt: skip
    system = jd.System("a bar and a wall")
    system.add(bar, joint=jd.Planar("flight"))
    wall = jd.Plane((1, 0, 0)).at("world", position=(-1e-9, 0, 0))
    system.contact("wall", bar.surface("nose"), wall, normal=MultiplierContact(scheme=scheme))
    model = system.compile()
    step = courant * L / cells / wave
    steps = round(2.6 * L / wave / step)
    run = jd.simulate(model, model.state(v={"flight.x": -1.0}), until=steps * step, step=step, method=method)
    time = run.record.time * wave / (2.0 * L)
    force = run.contact["wall"].force.sel(axis="x").values / (material.density * wave * H**2)
    return run, time, force, bar.mass


def test_a_bar_on_a_wall_by_impulses():
    """The plateau rho c v within 1 %, 2 L / c within the time of a cell and a step, and energy, with what the landing
    nodes lost in the books, within 0.5 %; the force is smooth."""
    run, time, force, mass = bar_on_wall("impulse", "generalized-alpha")
    middle = force[(time > 0.3) & (time < 0.7)]
    assert middle.mean() == pytest.approx(1.0, abs=1e-2) and middle.std() < 0.03
    pressed = time[force > 0.2]
    assert pressed[-1] - pressed[0] == pytest.approx(1.0, abs=0.04)
    assert np.all(force > -1e-9) and float(run.contact["wall"].gap.min()) > -1e-12
    energy = run.record.energy
    assert energy[-1, :5].sum() == pytest.approx(0.5 * mass, rel=5e-3)


def test_newmark_keeps_energy_with_forces_that_change_about_their_mean():
    """The digest's table for (1/2, 1/2) (section 2.4): mean 1.000, energy 1.001, the multiplier alternating with a
    standard deviation of 0.6 to 0.9; here 40 cells instead of 100."""
    run, time, force, mass = bar_on_wall("acceleration", jd.implicit.Newmark(0.5, 0.5))
    middle = force[(time > 0.2) & (time < 0.8)]
    assert middle.mean() == pytest.approx(1.0, abs=0.03) and 0.5 < middle.std() < 1.0
    assert run.record.energy[-1, :4].sum() == pytest.approx(0.5 * mass, rel=1e-2)


def block(friction, angle, v=0.0, until=0.2, step=1e-3, energy_tolerance=0.01, **given):
    """A block on an incline, which is level with the gravity turned."""
    pad = jd.Solid("pad", jd.mesh.rectangle((0.2, 0.1), (4, 2)), RUBBER, "stress", thickness=0.1, element="linear",
                   surfaces={"sole": lambda x: x[1] < 1e-9}, damping=0.05)  # fmt: skip
    system = jd.System("incline", gravity=(G * np.sin(angle), -G * np.cos(angle), 0.0))
    system.add(pad, joint=jd.Planar("move"))
    system.contact("floor", pad.surface("sole"), jd.Plane((0, 1, 0)).at("world"), MultiplierContact(**given), friction)
    model = system.compile()
    start = model.state(v={"move.x": v})
    run = jd.simulate(model, start, until=until, step=step, method="generalized-alpha",
                      energy_tolerance=energy_tolerance)  # fmt: skip
    return run, pad.mass


def test_a_block_on_an_incline_does_not_creep():
    angle = np.radians(10.0)
    run, mass = block(CoulombFriction(kinetic=0.25, static=0.3), angle, until=0.5, step=5e-4)
    touch = run.contact["floor"]
    along, up = mass * G * np.sin(angle), mass * G * np.cos(angle)
    assert touch.force.values[-1] == pytest.approx([-along, up, 0.0], rel=1e-4, abs=1e-6)
    assert touch.friction_force.values[-1] >= along * (1.0 - 1e-4)
    x = run.q["move.x"].values
    assert abs(x[-1] - x[-99]) / 0.049 < 1e-9
    assert np.all(touch.state.values[-1] == 1) and touch.sites.values[-1] == 5
    assert touch.pressure.values[-1] @ touch.areas == pytest.approx(up, rel=1e-4)
    # tractions are linear over the facets, and make the same force
    assert touch.traction.shape == (len(run.record.time), 5, 3)


def test_a_block_that_slid_comes_to_rest():
    """At short steps its landing lets the block slip. It slows down, and whether it can stick is asked in every step
    (Kim 1999, section 4.2.4): in the linear law of a reversal alone it would creep at 0.25 v_s tan(10 deg) for ever."""
    angle = np.radians(10.0)
    run, _ = block(CoulombFriction(kinetic=0.25, static=0.3), angle, until=0.05, step=1.25e-4)
    state = run.contact["floor"].state.values
    assert np.any(state >= 3) and np.all(state[-1] == 1)
    x = run.q["move.x"].values
    assert abs(x[-1] - x[-80]) / 0.01 < 1e-6 and abs(run.v["move.x"].values[-1]) < 1e-9


def test_the_balance_of_a_block_on_an_incline_closes_with_its_steps():
    """The landing of the block is a jump, which the first steps resolve: 1.2 % of the energy that moves at 1 ms, and
    less by more than four at half of that."""
    angle, law = np.radians(10.0), CoulombFriction(kinetic=0.25, static=0.3)
    errors = [block(law, angle, until=0.1, step=h, energy_tolerance=1.0)[0].trusted.error for h in (1e-3, 5e-4)]
    assert errors[1] < 0.25 * errors[0] and errors[1] < 3e-3


def test_a_block_that_slides_obeys_coulomb():
    """At a steady slide the mean acceleration is g (sin - mu cos); the block's own vibration is damped."""
    angle, mu = np.radians(20.0), 0.15
    run, mass = block(CoulombFriction(kinetic=mu), angle, v=0.1, until=0.4)
    t, v = run.record.time, run.v["move.x"].values
    late = t > 0.2
    slope = np.polyfit(t[late], v[late], 1)[0]
    assert slope == pytest.approx(G * (np.sin(angle) - mu * np.cos(angle)), rel=5e-3)
    force = run.contact["floor"].force.values[late]
    assert -force[:, 0] == pytest.approx(mu * force[:, 1], rel=1e-6)
    energy = run.record.energy
    assert energy[-1, :5].sum() == pytest.approx(energy[0, :5].sum(), abs=5e-3 * abs(energy[-1, 4]))


def test_stick_and_slip_of_a_dragged_block():
    """Digest of Kim 1999, section 3.1: slips begin at 1.25, 1.8573 and 2.4646 s, and last 0.1073 s."""
    mass, weight = 0.1, 0.1 * G
    system = jd.System("dragged", gravity=(0.0, -G, 0.0))
    system.add(jd.RigidBody("driver", mass=1.0, inertia=(1, 1, 1)), joint=jd.Prismatic("drive", axis="x"),
               position=(1.0, 0.0, 0.0))  # fmt: skip
    frames = {"left": (-0.05, 0, 0), "right": (0.05, 0, 0)}
    system.add(jd.RigidBody("block", mass=mass, inertia=(1e-3, 1e-3, 1e-3), frames=frames), joint=jd.Planar("move"))
    system.connect(jd.constraints.Spring("pull", stiffness=100.0), "driver.origin", "block.origin")
    friction = CoulombFriction(kinetic=0.2 / weight, static=0.25 / weight, transition_speed=1e-6)
    for side in frames:
        system.contact(side, jd.shapes.Point().at(f"block.{side}"), jd.Plane((0, 1, 0)).at("world"),
                       MultiplierContact(), friction)  # fmt: skip
    model = system.compile()
    motion = jd.Polynomial([0.0, 0.002])
    start = model.state(v={"drive": 0.002})
    run = jd.simulate(model, start, until=2.6, step=5e-4, motions={"drive": motion}, method="generalized-alpha")
    sliding = run.contact["left"].state.values[:, 0] > 1
    begins = run.record.time[1:][sliding[1:] & ~sliding[:-1]]
    ends = run.record.time[1:][~sliding[1:] & sliding[:-1]]
    assert begins == pytest.approx([1.25, 1.8573, 2.4646], abs=2.5e-3)
    assert ends[:2] - begins[:2] == pytest.approx([0.1073, 0.1073], abs=2e-3)


def test_only_methods_that_can_meet_it_take_it():
    pad = jd.Solid("pad", jd.mesh.rectangle((0.2, 0.1), (2, 1)), RUBBER, "stress", thickness=0.1, element="linear",
                   surfaces={"sole": lambda x: x[1] < 1e-9})  # fmt: skip
    system = jd.System("drop", gravity=(0.0, -G, 0.0))
    system.add(pad, joint=jd.Planar("move"))
    system.contact("floor", pad.surface("sole"), jd.Plane((0, 1, 0)).at("world"), MultiplierContact())
    model = system.compile()
    with pytest.raises(ModelError, match="touches by multipliers"):
        jd.simulate(model, model.state(), until=0.1, step=1e-3)
    with pytest.raises(ModelError, match="fixed steps"):
        jd.simulate(model, model.state(), until=0.1, method="generalized-alpha")
    with pytest.raises(ModelError, match="inside of what it touches"):
        jd.simulate(model, model.state(q={"move.y": -0.01}), until=0.1, step=1e-3, method="newmark")


@pytest.mark.parametrize(
    "given, match",
    [
        ({"normal": MultiplierContact(form="penalty")}, "form is"),
        ({"normal": MultiplierContact(passes=3)}, "passes is"),
        ({"normal": MultiplierContact(scheme="x")}, "scheme is"),
        ({"normal": MultiplierContact(form="mortar")}, "two surfaces of solids"),
        ({"friction": jd.contact.BristleFriction()}, "CoulombFriction"),
        ({"second": jd.Plane((0, 1, 0)).at("nobody")}, "nobody"),
        ({"first": jd.Box((1, 1, 1)).at("pad.origin")}, "no nodes"),
        ({"first": jd.shapes.Point().at("pad.origin"), "second": jd.Plane((0, 1, 0)).at("pad.origin")}, "both sides"),
    ],
)
def test_bad_input_is_named(given, match):
    pad = jd.Solid("pad", jd.mesh.rectangle((0.2, 0.1), (2, 1)), RUBBER, "stress", thickness=0.1,
                   surfaces={"sole": lambda x: x[1] < 1e-9})  # fmt: skip
    system = jd.System("drop")
    system.add(pad, joint=jd.Planar("move"))
    told = {"first": pad.surface("sole"), "second": jd.Plane((0, 1, 0)).at("world"), "normal": MultiplierContact()}
    with pytest.raises(ModelError, match=match):
        system.contact("floor", **(told | given))
        system.compile()


def test_static_friction_is_for_multipliers():
    system = jd.System("ball")
    system.add(jd.RigidBody("ball", mass=1.0, inertia=(1, 1, 1)), joint=jd.Free("fly"))
    system.contact("floor", jd.Sphere(0.1).at("ball.origin"), jd.Plane((0, 0, 1)).at("world"), jd.HertzContact(1e6),
                   CoulombFriction(kinetic=0.2, static=0.3))  # fmt: skip
    with pytest.raises(ModelError, match="BristleFriction sticks"):
        system.compile()
