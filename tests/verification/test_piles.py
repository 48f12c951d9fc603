"""Many bodies in contact: balls that carry a box, balls that bounce for ever, balls that come to rest.

The first two are problems of SimBenchmark (Jongwook Kang & Jemin Hwangbo, 2018): rolling and bouncing.
"""

import numpy as np
import pytest

import jourdain as jd

G = 9.81


def ball(name: str, radius: float, mass: float) -> jd.RigidBody:
    return jd.RigidBody.from_shape(name, jd.Sphere(radius), density=mass / jd.Sphere(radius).volume)


def carriage(direction: tuple[float, float], force: float) -> jd.Model:
    """A box of 10 kg on 5 x 5 balls of 1 kg, pushed at its centre of mass."""
    system = jd.System("carriage", gravity=(0, 0, -G))
    top, radius = jd.Box((10.0, 10.0, 0.5)), 0.25
    system.add(
        jd.RigidBody.from_shape("box", top, density=10.0 / top.volume),
        jd.Free("top"),
        position=(0, 0, 2 * radius + 0.25),
    )
    shapes = [jd.Plane((0, 0, 1)).at("world"), top.at("box.origin")]
    for i in range(25):
        place = (1.6 * (i % 5 - 2), 1.6 * (i // 5 - 2), radius)
        system.add(ball(f"ball{i}", radius, 1.0), jd.Free(f"free{i}"), position=place)
        shapes.append(jd.Sphere(radius).at(f"ball{i}.origin"))
    along = np.array([*direction, 0.0]) / np.hypot(*direction)
    system.force("push", at="box.origin", force=tuple(force * along))
    friction = jd.BristleFriction(kinetic=0.6, stiffness=1e4, damping=40.0, stribeck=0.02)
    normal = jd.HertzContact(stiffness=1e6, restitution=0.5, slow_speed=0.05)
    system.collide("rolling", shapes, normal=normal, friction=friction)
    return system.compile()


@pytest.mark.filterwarnings("error::jourdain.contact.StepWarning")
@pytest.mark.parametrize("direction", [(1.0, 1.0), (1.0, 0.0), (2.0, 1.0)])
def test_box_on_25_balls(direction):
    """Balls that roll on the floor and under the box: the box feels M + 7/20 n m, and goes where it is pushed.

    T = M v^2 / 2 + n (m + 2/5 m) (v/2)^2 / 2. A friction pyramid would turn it off the direction (2, 1).
    """
    force, until = 15.0, 1.0
    model = carriage(direction, force)
    run = jd.simulate(model, model.state(), until=until, step=2.5e-4, output=0.05)
    velocity = run.frame("box.origin").velocity.values[-1]
    along = np.array(direction) / np.hypot(*direction)
    speed = force * until / (10.0 + 7.0 / 20.0 * 25.0)
    # the bristles wind up within the first hundredth of a second and lag by some 1e-5 m from then on
    assert velocity[:2] @ along == pytest.approx(speed, rel=1e-3)
    assert abs(velocity[0] * along[1] - velocity[1] * along[0]) < 1e-6 * speed
    centres = np.array([run.frame(f"ball{i}.origin").velocity.values[-1] for i in range(25)])
    assert centres[:, :2] @ along == pytest.approx(np.full(25, 0.5 * speed), rel=2e-3)
    assert run.energy.error < 1e-3


def bouncing() -> tuple[jd.Model, jd.State]:
    """49 balls with restitution 1 above a floor, some of them in each other's way."""
    system = jd.System("bouncing", gravity=(0, 0, -G))
    shapes = [jd.Plane((0, 0, 1)).at("world")]
    rng = np.random.default_rng(7)
    for i in range(49):
        place = np.array([0.25 * (i % 7), 0.25 * (i // 7), 1.0]) + rng.uniform(-0.02, 0.02, 3)
        system.add(ball(f"ball{i}", 0.1, 1.0), jd.Free(f"free{i}"), position=place)
        shapes.append(jd.Sphere(0.1).at(f"ball{i}.origin"))
    system.collide("balls", shapes, normal=jd.HertzContact(stiffness=1e6, restitution=1.0))
    model = system.compile()
    return model, model.state(v={f"free{i}.vx": x for i, x in enumerate(rng.uniform(-0.5, 0.5, 49))})


def kept(run) -> float:
    """How far the energy strays, of the energy above the floor."""
    total = run.energy["total"].values
    return float(np.max(np.abs(total - total[0])) / abs(total[0]))


def test_49_bouncing_balls_keep_their_energy():
    """At fixed steps each touchdown costs what its step does not see; halving the step must show that it is the step.

    The force grows as depth^1.5, so the error of an impact is of order 2.5 at least; in all their impacts some cancel.
    """
    model, state = bouncing()
    coarse, fine = (jd.simulate(model, state, until=2.0, step=h, output=0.02) for h in (2e-4, 1e-4))
    balls = [run.contact["balls"].sites.values for run in (coarse, fine)]
    assert max(map(np.max, balls)) > 5
    assert kept(fine) < 1e-6
    assert kept(fine) < kept(coarse)


def test_49_bouncing_balls_keep_their_energy_adaptively():
    """Touchdowns and lift-offs are located, so that the tolerance is all that is lost."""
    model, state = bouncing()
    loose, tight = (
        jd.simulate(model, state, until=1.0, output=0.02, rtol=rtol, atol=1e-2 * rtol) for rtol in (1e-8, 1e-10)
    )
    assert kept(tight) < 1e-7
    assert kept(tight) < 0.1 * kept(loose)
    assert tight.energy.error < 1e-7


@pytest.mark.filterwarnings("error::jourdain.contact.StepWarning")
def test_a_heap_comes_to_rest():
    """Balls poured into a box of planes: in the end the floor bears what they weigh."""
    system = jd.System("heap", gravity=(0, 0, -G))
    shapes = [jd.Plane((0, 0, 1)).at("world")]
    shapes += [jd.Plane(normal, -0.3).at("world") for normal in ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0))]
    rng = np.random.default_rng(3)
    for i in range(16):
        place = np.array([0.22 * (i % 2) - 0.11, 0.22 * (i // 2 % 2) - 0.11, 0.12 + 0.23 * (i // 4)])
        place[:2] += rng.uniform(-0.01, 0.01, 2)
        system.add(ball(f"ball{i}", 0.1, 1.0), jd.Free(f"free{i}"), position=place)
        shapes.append(jd.Sphere(0.1).at(f"ball{i}.origin"))
    friction = jd.BristleFriction(kinetic=0.4, stiffness=2e3, damping=10.0, stribeck=0.05)
    normal = jd.HertzContact(stiffness=1e6, restitution=0.3, slow_speed=0.1)
    system.collide("heap", shapes, normal=normal, friction=friction)
    model = system.compile()
    run = jd.simulate(model, model.state(), until=3.0, step=5e-5, output=0.5)
    weight = 16.0 * G
    assert run.energy["kinetic"].values[-1] < 1e-5 * weight  # a ball may still turn on the spot, or roll in its hollow
    assert run.energy.error < 1e-3
    # what bears the heap is its weight: the centre of mass has come to rest
    at = run.state()
    acceleration = model.forward_dynamics(at).reshape(-1, 6)[:, 3:]
    up = sum(model.pose(f"ball{i}.origin", at.q).rotation[2] @ a for i, a in enumerate(acceleration))
    assert abs(up) < 1e-2 * weight
