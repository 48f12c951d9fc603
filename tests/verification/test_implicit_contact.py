"""Implicit methods through contact: touchdown and lift-off, friction that holds, and a stiff arm at long steps."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.model.stability import fastest_mode, imaginary_limit

pytestmark = pytest.mark.slow  # the slopes of contacts are long to compile


def ball() -> tuple[jd.Model, jd.State]:
    """Dropped from 10 cm on a plane, restitution 0.7."""
    system = jd.System("ball", gravity=(0, 0, -9.81))
    system.add(jd.RigidBody.from_shape("ball", jd.Sphere(0.05), density=1000.0), joint=jd.Free("free"))
    system.contact(
        "floor",
        jd.Sphere(0.05).at("ball.origin"),
        jd.Plane((0, 0, 1)).at("world"),
        normal=jd.HertzContact(stiffness=1e6, restitution=0.7),
    )
    model = system.compile()
    return model, model.state(q={"free": jd.Pose((0, 0, 0.15))}, v={"free.vx": 0.3})


@pytest.mark.parametrize("method", ["bdf", "radau"])
def test_a_bouncing_ball(method):
    """Two touchdowns and lift-offs in 0.5 s; height and work as by dop853."""
    model, state = ball()
    truth = jd.simulate(model, state, 0.5, output=0.05)
    run = jd.simulate(model, state, 0.5, method=method, rtol=1e-7, atol=1e-10, output=0.05)
    height = run.record.q[:, 2] - truth.record.q[:, 2]
    assert np.max(np.abs(height)) < 2e-5
    assert run.energy.error < 1e-4
    assert run.record.energy[-1, 4] == pytest.approx(truth.record.energy[-1, 4], rel=1e-4)


SLOPE = np.radians(10.0)


def box() -> tuple[jd.Model, jd.State]:
    """1 kg on a plane that gravity leaves by 10 degrees, on four corners with bristles."""
    system = jd.System("box", gravity=(9.81 * np.sin(SLOPE), 0, -9.81 * np.cos(SLOPE)))
    shape = jd.Box((0.2, 0.2, 0.1))
    system.add(jd.RigidBody.from_shape("box", shape, density=1.0 / shape.volume), joint=jd.Free("free"))
    system.contact(
        "feet",
        shape.at("box.origin"),
        jd.Plane((0, 0, 1)).at("world"),
        normal=jd.HertzContact(stiffness=1e6, restitution=0.5),
        friction=jd.BristleFriction(kinetic=0.7, stiffness=1e5, damping=316.0, stribeck=1e-3),
    )
    model = system.compile()
    return model, model.state(q={"free": jd.Pose((0, 0, 0.0499))})


@pytest.mark.parametrize("method", ["bdf", "radau"])
def test_a_box_on_an_incline(method):
    """It settles where dop853 lets it settle, and bears its weight."""
    model, state = box()
    truth = jd.simulate(model, state, 0.2, rtol=1e-7, atol=1e-10, output=0.2)
    run = jd.simulate(model, state, 0.2, method=method, rtol=1e-6, atol=1e-9, output=0.2)
    assert run.record.q[-1, :3] == pytest.approx(truth.record.q[-1, :3], abs=2e-7)
    force = run.contact["feet"].force.values[-1]
    assert force == pytest.approx(truth.contact["feet"].force.values[-1], abs=0.05)


def arm() -> jd.Model:
    """A stiff arm of 1 m whose tip touches a plate; the shoulder presses it down by 4 mm."""
    system = jd.System("stiff arm")
    stiff = {"length": 1.0, "mass_per_length": 2.7, "EA": 7e7, "EI": (5e4, 5e4), "GJ": 3e4, "damping": 1e-5}
    system.add(jd.Beam("arm", modes=jd.Modes(bending=4), **stiff), joint=jd.Revolute("shoulder", axis="y"))
    system.contact(
        "touch",
        jd.Sphere(0.02).at("arm.tip"),
        jd.Plane((0, 0, 1), -0.02).at("world"),
        normal=jd.HertzContact(stiffness=1e8, restitution=0.5),
    )
    return system.compile()


def test_a_stiff_arm_in_contact_bears_steps_twenty_times_the_explicit_limit():
    """Generalized-alpha at more than 20 times what rk4 bears for the arm's fastest mode, deflections within 0.1 %."""
    model, until, steps = arm(), 0.08, 50
    limit = imaginary_limit("rk4") / fastest_mode(model)[1]
    assert until / steps > 20.0 * limit
    press = {"shoulder": jd.Cycloid(to=0.004, duration=until)}
    truth = jd.simulate(model, model.state(), until, motions=press, rtol=1e-7, atol=1e-10, output=until / 5)
    run = jd.simulate(
        model, model.state(), until, step=until / steps, method="generalized-alpha", motions=press, output=until / 5
    )
    size = np.max(np.abs(truth.record.q[:, 1:]))
    assert np.max(np.abs(run.record.q - truth.record.q)) < 1e-3 * size
    evaluations = run.options["statistics"]["evaluations"]
    assert evaluations < 4.0 * until / limit / 2.0


def test_derivatives_last_while_the_same_sites_touch():
    """Bristles are laid into the surface after every step, which is no change of the equations: nothing begins anew."""
    model, state = box()
    run = jd.simulate(model, state, 0.2, step=1e-3, method="generalized-alpha", rtol=1e-6, atol=1e-9, output=0.2)
    counts = run.options["statistics"]
    assert counts["steps"] >= 200 and counts["jacobians"] < 0.5 * counts["steps"]


def peg() -> tuple[jd.Model, jd.State]:
    """A peg of 20 mm on a soft wrist, two degrees askew, over a chamfered hole 0.05 mm wider."""
    tilt, length = np.radians(2.0), 0.06
    system = jd.System("peg")
    small = {"mass": 0.1, "inertia": (1e-4, 1e-4, 1e-4)}
    start = (length * np.sin(tilt), 0.0, length * np.cos(tilt) + 0.01 * np.sin(tilt) + 0.0405)
    slide = jd.Prismatic("z", "z", stiffness=500.0, damping=25.0)
    system.add(jd.RigidBody("stage_z", **small), slide, position=start)
    across = {"stiffness": 2000.0, "damping": 50.0}
    system.add(jd.RigidBody("stage_x", **small), jd.Prismatic("x", "x", **across), to="stage_z.origin")
    held = {"com": (0, 0, 0.5 * length), "frames": {"grip": (0, 0, length)}}
    hinge = jd.Revolute("pitch", "y", rest=tilt, stiffness=0.3, damping=0.012)
    body = jd.RigidBody("peg", mass=1.0, inertia=(3.25e-4, 3.25e-4, 5e-5), **held)
    system.add(body, hinge, to="stage_x.origin", at="grip")
    kit = jd.worksites.peg_in_hole(0.02, 5e-5, 0.04, length, 0.002)
    system.contact(
        "fit",
        kit.peg.at("peg.origin"),
        kit.block.at("world"),
        normal=jd.VolumetricContact(stiffness=5e12, restitution=0.3, slow_speed=0.1),
        friction=jd.BristleFriction(kinetic=0.05, stiffness=1e5, damping=20.0, stribeck=1e-2),
    )
    model = system.compile()
    return model, model.state(q={"pitch": tilt})


@pytest.mark.parametrize(("radius", "step", "rtol", "atol"), [(0.8, 5e-4, 1e-9, 1e-11), (0.0, 1e-3, 1e-6, 1e-9)])
def test_a_peg_meets_the_edge_of_its_hole_at_long_steps(radius, step, rtol, atol):
    """Over the chamfer and its edge into the bore, at two and four times the step that rk4 bears (0.25 ms).

    The peg is pushed by 20 mm in 0.8 s. Its pose is that of rk4 at 0.1 ms to 1e-6 m and rad, an eighth of how deep it
    is in the wall. Before overlaps in two lobes were found, and spin through zero was smooth, Newton's method found no
    solution at the first touch.
    """

    @jd.law(states=0)
    def feed(t, q, v, z, s, p, effort, dz):
        effort[0] -= 500.0 * 0.02 * min(t / 0.8, 1.0)

    model, state = peg()
    words = {"until": 0.6, "output": 0.1, "controller": feed(), "progress": False}
    truth = jd.simulate(model, state, step=1e-4, **words)
    run = jd.simulate(
        model, state, step=step, method=jd.implicit.GeneralizedAlpha(radius), rtol=rtol, atol=atol, **words
    )
    assert run.contact["fit"].patch.touching.values[-1] > 0
    assert run.record.q[-1] == pytest.approx(truth.record.q[-1], abs=1e-6)
