"""Solids that touch by multipliers, for several test files: blocks on blocks, balls on planes, bars, discs."""

from __future__ import annotations

import numpy as np

import jourdain as jd
from jourdain.contact import CoulombFriction, MultiplierContact
from jourdain.model.bodies import body_of

RUBBER = jd.Material(E=1e7, nu=0.0, density=1000.0)


def two_blocks(form, passes=1, space=False, of=None, cells=(4, 3), steps=20, down=1e-3, law=None):
    """The last state of two blocks without Poisson's effect, pressed together by `down`: 1e7 * 1e-3 = 1e4 Pa."""
    kw = {} if of is None else {"of": of}
    sides, axis = ((1.0, 1.0, 0.5), "z") if space else ((1.0, 0.5), "y")
    make = jd.mesh.block if space else jd.mesh.rectangle
    k = len(sides) - 1
    solids = []
    for name, count, start in (("low", cells[0], -0.5), ("up", cells[1], 0.0)):
        mesh = make(sides, (*[count] * k, 1 if space else 2), start=(*[0.0] * k, start), **kw)
        surfaces = {"low": lambda x, s=start: x[k] < s + 1e-9, "high": lambda x, s=start: x[k] > s + 0.5 - 1e-9}
        solids.append(
            jd.Solid(
                name,
                mesh,
                RUBBER,
                None if space else "stress",
                thickness=None if space else 1.0,
                element="linear",
                surfaces=surfaces,
                reference="low" if name == "low" else "high",
                damping=1.0,
            )  # fmt: skip
        )
    system = jd.System("two blocks")
    system.add(solids[0], joint=jd.Weld("base"))
    system.add(jd.RigidBody("ram", mass=1.0), joint=jd.Prismatic("slide", axis=axis))
    system.add(solids[1], joint=jd.Weld("mount"), to="ram.origin")
    law = MultiplierContact(form=form, passes=passes) if law is None else law
    system.contact("touch", solids[1].surface("low"), solids[0].surface("high"), law)
    model = system.compile()
    motions = {"slide": jd.Cycloid(to=-down, duration=0.1)}
    return jd.simulate(model, model.state(), until=0.2, step=0.2 / steps, motions=motions, method="generalized-alpha")


def section(radius, cells, layers, grade, both=False):
    """The lower half of a disc, or its quarter at x >= 0, with cells that are drawn towards (0, -radius)."""
    mesh = (jd.mesh.disc if both else jd.mesh.half_disc)(radius, cells, layers)
    chosen = mesh.cells[mesh.points[mesh.cells].mean(axis=1)[:, 1] < 0.0]
    used, chosen = np.unique(chosen, return_inverse=True)
    x = mesh.points[used]
    k = (1.0 - grade) / (1.0 + grade)
    angle, depth = np.arctan2(x[:, 0], -x[:, 1]), 1.0 - np.hypot(x[:, 0], x[:, 1]) / radius
    s = np.abs(angle) / (0.5 * np.pi)
    angle = np.sign(angle) * 0.5 * np.pi * s * k / (1.0 - (1.0 - k) * s)
    r = radius * (1.0 - depth * k / (1.0 - (1.0 - k) * depth))
    return np.column_stack([r * np.sin(angle), -r * np.cos(angle)]), chosen.reshape(-1, 4)


def pressed_round(plane, cells, grade, down, reach, radius=50.0, E=2e4, nu=0.3):
    """The contact and the solid of `slow_press`."""
    run = slow_press(plane, cells, grade, down, reach, radius, E, nu)
    return run.contact["floor"], body_of(run.model, "part")


def slow_press(plane, cells, grade, down, reach, radius=50.0, E=2e4, nu=0.3):
    """A half of a ball (axisymmetric) or of a cylinder (plane strain), pressed on a plane: the run.

    Masters are the nodes that touch, so that the reduction is exact at rest; the run is long beside the periods.
    """
    points, quads = section(radius, cells, cells, grade, plane != "axisymmetric")
    surfaces = {
        "pole": lambda x: (np.hypot(x[0], x[1]) > radius * (1.0 - 1e-6)) & (np.abs(x[0]) < reach),
        "top": lambda x: x[1] > -1e-9 * radius,
    }
    part = jd.Solid("part", (points, quads), jd.Material(E=E, nu=nu, density=1e-6), plane, element="linear",
                    thickness=None if plane == "axisymmetric" else 1.0, masters="pole", reference="top",
                    surfaces=surfaces, damping=1.0)  # fmt: skip
    system = jd.System("press")
    system.add(jd.RigidBody("ram", mass=1.0), joint=jd.Prismatic("slide", axis="y"))
    system.add(part, joint=jd.Weld("mount"), to="ram.origin")
    floor = jd.Plane((0, 1, 0)).at("world", position=(0, -radius, 0))
    system.contact("floor", part.surface("pole"), floor, MultiplierContact(scheme="acceleration"))
    model = system.compile()
    T = 120.0 * np.pi / part.clamped_frequencies()[0]
    run = jd.simulate(model, model.state(), until=T, step=T / 30, method=jd.implicit.GeneralizedAlpha(0.0),
                      motions={"slide": jd.Cycloid(to=-down, duration=0.6 * T)})  # fmt: skip
    return run


def sphere_impact(E, cells=20, layers=20, grade=0.75, steps=400):
    """Kim 1999, section 6.2: a ball that meets a plane at 3; (peak force, path of its centre of mass, time of that,
    speed after, energy after over before)."""
    R, nu, density, speed = 5.0, 0.3, 0.01, 3.0
    mass = density * 4.0 / 3.0 * np.pi * R**3
    delta = (15.0 * mass * speed**2 * (1.0 - nu**2) / (16.0 * np.sqrt(R) * E)) ** 0.4
    reach, T = 1.6 * np.sqrt(R * delta), 2.2 * 1.4716 * delta / speed
    pole = {"pole": lambda x: (np.hypot(x[0], x[1]) > R * (1.0 - 1e-9)) & (x[1] < 0.0) & (x[0] < reach)}
    ball = jd.Solid("ball", jd.mesh.half_disc(R, cells, layers, grade), jd.Material(E=E, nu=nu, density=density),
                    "axisymmetric", element="linear", masters="pole", modes=60, surfaces=pole)  # fmt: skip
    system = jd.System("impact")
    system.add(ball, joint=jd.Prismatic("fall", axis="y"))
    floor = jd.Plane((0, 1, 0)).at("world", position=(0, -R * (1.0 + 1e-9), 0))
    system.contact("floor", ball.surface("pole"), floor, MultiplierContact())
    model = system.compile()
    run = jd.simulate(model, model.state(v={"fall": -speed}), until=T, step=T / steps, method="generalized-alpha")
    force, h = run.contact["floor"].normal_force.values, T / steps
    velocity = np.cumsum(force) * h / ball.mass - speed
    path = np.cumsum(velocity) * h
    deepest = int(np.argmin(path))
    energy = run.record.energy
    return (
        force.max(),
        -path[deepest],
        run.record.time[deepest],
        velocity[-1],
        energy[-1, :4].sum() / energy[0, :4].sum(),
    )


def rod_on_wall(scheme, method, cells, courant=0.5):
    """A round rod of 1 m at 1 m/s that meets a wall with its end: (time over 2 L / c, force over rho c v A, energies
    over that at the start, one row a sample: mechanical, and with what is lost)."""
    L, material = 1.0, jd.Material(E=1e9, nu=0.0, density=1000.0)
    wave = np.sqrt(material.E / material.density)
    rod = jd.Solid("rod", jd.mesh.rectangle((0.05, L), (1, cells)), material, "axisymmetric", element="linear",
                   surfaces={"nose": lambda x: x[1] < 1e-9})  # fmt: skip
    system = jd.System("a rod and a wall")
    system.add(rod, joint=jd.Prismatic("fly", axis="y"))
    wall = jd.Plane((0, 1, 0)).at("world", position=(0, -1e-9, 0))
    system.contact("wall", rod.surface("nose"), wall, MultiplierContact(scheme=scheme))
    model = system.compile()
    step = courant * L / cells / wave
    run = jd.simulate(model, model.state(v={"fly": -1.0}), until=round(2.6 * L / wave / step) * step, step=step,
                      method=method)  # fmt: skip
    force = run.contact["wall"].normal_force.values * L / (wave * rod.mass)
    energy = run.record.energy
    whole = np.stack([energy[:, :4].sum(1), energy[:, :5].sum(1)], axis=1) / energy[0, :4].sum()
    return run.record.time * wave / (2.0 * L), force, whole


def two_rods(form, cells=24):
    """A bar of 1 m at 1 m/s that meets another one at rest: (run, time over 2 L / c, force over rho c v A / 2)."""
    L, H, material = 1.0, 0.05, jd.Material(E=1e9, nu=0.0, density=1000.0)
    wave = np.sqrt(material.E / material.density)
    system = jd.System("two bars")
    ends = {"left": lambda x: x[0] < 1e-9, "right": lambda x: x[0] > L - 1e-9}
    bars = [jd.Solid(name, jd.mesh.rectangle((L, H), (cells, rows)), material, "stress", thickness=H, element="linear",
                     reference="mean", modes=None, surfaces=ends) for name, rows in (("a", 1), ("b", 1))]  # fmt: skip
    system.add(bars[0], joint=jd.Planar("fa"), position=(-L - 1e-9, 0.0, 0.0))
    system.add(bars[1], joint=jd.Planar("fb"))
    system.contact("hit", bars[0].surface("right"), bars[1].surface("left"), MultiplierContact(form=form))
    model = system.compile()
    step = 0.5 * L / cells / wave
    run = jd.simulate(model, model.state(v={"fa.x": 1.0}), until=round(2.6 * L / wave / step) * step, step=step,
                      method="generalized-alpha")  # fmt: skip
    force = run.contact["hit"].normal_force.values / (0.5 * material.density * wave * H**2)
    return run, run.record.time * wave / (2.0 * L), force


def two_discs(cells, layers, friction=None, **contact):
    """Two soft discs, whose rims touch: the model."""
    material = jd.Material(E=1e7, nu=0.3, density=1000.0)
    system = jd.System("discs")
    rims = []
    for name in "ab":
        disc = jd.Solid(name, jd.mesh.disc(0.1, cells, layers), material, "stress", thickness=0.05, element="linear",
                        reference="mean", surfaces={"rim": lambda x: np.hypot(x[0], x[1]) > 0.0999})  # fmt: skip
        system.add(disc, joint=jd.Planar(f"f{name}"))
        rims.append(disc.surface("rim"))
    law = None if friction is None else CoulombFriction(kinetic=friction, static=friction)
    system.contact("hit", *rims, MultiplierContact(**contact), friction=law)
    return system.compile()


def discs(step, cells=3, layers=4, until=0.06, method="generalized-alpha", friction=None, **contact):
    """Two soft discs that collide obliquely, one of them spinning: the run."""
    model = two_discs(cells, layers, friction, **contact)
    places = {"fa.x": -0.11, "fb.x": 0.11, "fa.y": 0.03, "fb.y": -0.03}
    start = model.state(q=places, v={"fa.x": 1.0, "fb.x": -1.0, "fa.angle": 3.0})
    return jd.simulate(model, start, until=until, step=step, method=method)


def two_cubes(sparse=False, **contact):
    """Two soft cubes, whose skins touch: the model."""
    soft = jd.Material(E=1e6, nu=0.3, density=1000.0)
    system, skins = jd.System("cubes"), []
    for name in "ab":
        cube = jd.Solid(name, jd.mesh.block((0.1, 0.1, 0.1), (2, 2, 2), start=(-0.05, -0.05, -0.05)), soft,
                        element="linear", surfaces={"skin": lambda x: np.abs(x).max(axis=0) > 0.0499},
                        reference="auto" if sparse else "mean", matrices="sparse" if sparse else "dense")  # fmt: skip
        system.add(cube, joint=jd.Free(f"f{name}"))
        skins.append(cube.surface("skin"))
    system.contact("hit", *skins, MultiplierContact(**contact))
    return system.compile()


def over_cube(model, x, y, above):
    """The state in which the first of `two_cubes`, turned by x, then by y [rad], is so far above the other one."""
    turn = np.array([[1.0, 0, 0], [0, np.cos(x), -np.sin(x)], [0, np.sin(x), np.cos(x)]])
    tilt = np.array([[np.cos(y), 0, np.sin(y)], [0, 1.0, 0], [-np.sin(y), 0, np.cos(y)]])
    state = model.state(v={"fa.vz": -1.0, "fa.vx": 0.2, "fb.wz": 1.0})
    lowest = ((tilt @ turn) @ (np.array(np.meshgrid(*[[-0.05, 0.05]] * 3)).reshape(3, -1)))[2].min()
    found = (*jd.Pose(rotation=tilt @ turn).quaternion, 0.05 + above - lowest)
    for name, value in zip(("fa.qw", "fa.qx", "fa.qy", "fa.qz", "fa.z"), found, strict=True):
        state.q[model.names.q.index(name)] = value
    return state


def cubes(step, until, sparse=False, turn=(0.6, 0.5), **contact):
    """A soft cube that comes down obliquely, with a corner ahead, on the face of another, which turns: the run."""
    model = two_cubes(sparse, **contact)
    state = over_cube(model, *turn, 0.001)
    return jd.simulate(model, state, until=until, step=step, method="generalized-alpha")


def momenta(run):
    """Momentum at every sample: angular about the world's origin, linear; (samples, 6)."""
    model, record = run.model, run.record
    states = [model.state(q=q, v=v) for q, v in zip(record.q, record.v, strict=True)]
    return np.array([np.ravel(model.momentum(state)) for state in states])


def dropped(friction=0.3):
    """A block and a disc over a floor, all of which touch by multipliers."""
    soft = jd.Material(E=1e6, nu=0.3, density=1000.0)
    block = jd.Solid("a", jd.mesh.rectangle((0.2, 0.1), (4, 2), start=(-0.1, -0.05)), soft, "stress", thickness=0.1,
                     element="linear", surfaces={"skin": lambda x: x[0] > -1.0}, damping=0.02)  # fmt: skip
    disc = jd.Solid("b", jd.mesh.disc(0.08, 2, 2), soft, "stress", thickness=0.1, element="linear", damping=0.02,
                    surfaces={"skin": lambda x: np.hypot(x[0], x[1]) > 0.079})  # fmt: skip
    system = jd.System("drop", gravity=(0.0, -9.81, 0.0))
    system.add(block, joint=jd.Planar("fa"))
    system.add(disc, joint=jd.Planar("fb"))
    law = CoulombFriction(kinetic=friction, static=1.2 * friction)
    floor = jd.Plane((0, 1, 0)).at("world")
    system.contact("a_floor", block.surface("skin"), floor, MultiplierContact(), law)
    system.contact("b_floor", disc.surface("skin"), floor, MultiplierContact(), law)
    system.contact("a_b", disc.surface("skin"), block.surface("skin"), MultiplierContact(passes=2), law)
    return system.compile()


def random_drop_run(model, random, until, step):
    """A drop of `dropped` from a random state."""
    u = random.uniform
    places = {"fa.x": u(-0.1, 0.1), "fa.y": u(0.12, 0.2), "fa.angle": u(-3, 3), "fb.x": u(-0.1, 0.1),
              "fb.y": u(0.4, 0.5), "fb.angle": u(-3, 3)}  # fmt: skip
    speeds = {"fa.x": u(-1, 1), "fa.y": u(-1, 0), "fa.angle": u(-5, 5), "fb.x": u(-1, 1), "fb.y": u(-2, 0),
              "fb.angle": u(-5, 5)}  # fmt: skip
    return jd.simulate(model, model.state(q=places, v=speeds), until=until, step=step, method="generalized-alpha")


def random_drop(model, random, until, step):
    """How far the energy of `random_drop_run` rose over the least before, over that at the start, and the least gap."""
    run = random_drop_run(model, random, until, step)
    energy = run.record.energy[:, :4].sum(axis=1)
    gap = min(float(run.contact[name].gap.min()) for name in ("a_floor", "b_floor", "a_b"))
    return np.max(energy - np.minimum.accumulate(energy)) / energy[0], gap


def pressed_spheres(cells, grade, down, reach, radius=50.0, E=2e4, nu=0.3, joint=None):
    """Two half balls on one axis, with so many cells each, pressed together by `down` between their flat sides:
    (contact, lower and upper solid). Lengths are in mm, so that the tolerance is one of 1e-6 mm."""
    material, system, balls = jd.Material(E=E, nu=nu, density=1e-6), jd.System("two balls"), []
    for name, count, up in (("low", cells[0], -1.0), ("high", cells[1], 1.0)):
        points, quads = section(radius, count, count, grade)
        surfaces = {
            "pole": lambda x: (np.hypot(x[0], x[1]) > radius * (1.0 - 1e-6)) & (x[0] < reach),
            "flat": lambda x: np.abs(x[1]) < 1e-9 * radius,
        }
        balls.append(jd.Solid(name, (points * [1.0, up], quads[:, :: int(up)]), material, "axisymmetric",
                              element="linear", masters="pole", reference="flat", surfaces=surfaces,
                              damping=1.0))  # fmt: skip
    system.add(balls[0], joint=joint or jd.Weld("base"), position=(0.0, -radius, 0.0))
    system.add(jd.RigidBody("ram", mass=1.0), joint=jd.Prismatic("slide", axis="y"), position=(0.0, radius, 0.0))
    system.add(balls[1], joint=jd.Weld("mount"), to="ram.origin")
    system.contact(
        "touch", balls[1].surface("pole"), balls[0].surface("pole"), MultiplierContact(scheme="acceleration")
    )
    model = system.compile()
    T = 120.0 * np.pi / min(one.clamped_frequencies()[0] for one in balls)
    run = jd.simulate(model, model.state(), until=T, step=T / 30, method=jd.implicit.GeneralizedAlpha(0.0), atol=1e-6,
                      motions={"slide": jd.Cycloid(to=-down, duration=0.6 * T)})  # fmt: skip
    return run.contact["touch"], balls


def ball_between_plates(cells, grade, down, reach, radius=50.0, E=2e4, nu=0.3):
    """A ball that a plate presses down by `down` on another one: (contact, solid).

    Its equator stays a plane and may widen: the half balls of Code_Aster's SSNV104, which are moved along the axis at
    their equators and free to widen there, are the two halves of it.
    """
    low, quads = section(radius, cells, cells, grade)
    upper = np.flatnonzero(low[:, 1] < -1e-9 * radius)  # nodes of the equator are those of both halves
    number = np.arange(len(low))
    number[upper] = len(low) + np.arange(len(upper))
    points, quads = np.vstack([low, low[upper] * [1.0, -1.0]]), np.vstack([quads, number[quads][:, ::-1]])
    poles = {
        name: lambda x, up=up: (np.hypot(x[0], x[1]) > radius * (1.0 - 1e-6)) & (x[0] < reach) & (up * x[1] > 0.0)
        for name, up in (("low", -1.0), ("high", 1.0))
    }
    ball = jd.Solid("ball", (points, quads), jd.Material(E=E, nu=nu, density=1e-6), "axisymmetric", element="linear",
                    masters=("low", "high"), surfaces=poles, damping=1.0)  # fmt: skip
    system = jd.System("a ball between plates")
    system.add(ball, joint=jd.Prismatic("rest", axis="y"))
    system.add(jd.RigidBody("ram", mass=1.0), joint=jd.Prismatic("slide", axis="y"))
    law = MultiplierContact(scheme="acceleration")
    system.contact("floor", ball.surface("low"), jd.Plane((0, 1, 0)).at("world", position=(0, -radius, 0)), law)
    system.contact("press", ball.surface("high"), jd.Plane((0, -1, 0)).at("ram.origin", position=(0, radius, 0)), law)
    model = system.compile()
    T = 120.0 * np.pi / ball.clamped_frequencies()[0]
    run = jd.simulate(model, model.state(), until=T, step=T / 30, method=jd.implicit.GeneralizedAlpha(0.0), atol=1e-6,
                      motions={"slide": jd.Cycloid(to=-down, duration=0.6 * T)})  # fmt: skip
    return run.contact["floor"], ball
