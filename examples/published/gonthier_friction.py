"""Friction that sticks, breaks away and slides: Gonthier 2007, sections 3.2.2, 3.3.2 and 5.1.2."""

import numpy as np

import jourdain as jd
from jourdain.study.published import paper, rerun, theory

QUICK = ("numbers_rest",)
GRAVITY, STIFFNESS = 10.0, 1e6
REST = 0.05 - (GRAVITY / STIFFNESS) ** (2 / 3)  # height of a ball of 50 mm and 1 kg that bears its weight [m]
STATIC, KINETIC, BRISTLE, DAMPING = 0.15, 0.1, 1e4, 10**2.5 / 10
NORMAL = jd.HertzContact(stiffness=STIFFNESS, restitution=0.5)


def belt() -> jd.Model:
    """Bowden and Leben: a block of 1 kg between two springs of 2 N/m, on a belt that runs along 45 degrees."""
    system = jd.System("belt", gravity=(0, 0, -GRAVITY))
    system.add(jd.RigidBody("belt", mass=1.0, inertia=(1, 1, 1)), joint=jd.Prismatic("run", axis=(1, 1, 0)))
    nothing = {"mass": 0.0, "inertia": (0, 0, 0)}
    system.add(jd.RigidBody("rail", **nothing), joint=jd.Prismatic("x", axis="x", stiffness=2.0))
    system.add(jd.RigidBody("slide", **nothing), joint=jd.Prismatic("y", axis="y", stiffness=2.0), to="rail.origin")
    block = jd.RigidBody("block", mass=1.0, inertia=(1, 1, 1))
    system.add(block, joint=jd.Prismatic("z", axis="z"), to="slide.origin")
    friction = jd.BristleFriction(STATIC, KINETIC, BRISTLE, DAMPING, viscous=0.01, stribeck=1e-3, dwell=2.0)
    plane = jd.Plane((0, 0, 1)).at("belt.origin")
    system.contact("rub", jd.Sphere(0.05).at("block.origin"), plane, normal=NORMAL, friction=friction)
    return system.compile()


# belt speed: peaks (time [s], displacement [m]); valley, period, largest friction and dwell once it repeats itself
PEAKS = {
    0.05: [(15.158, 0.75542), (27.035, 0.75363), (38.880, 0.75360)],
    0.10: [(7.740, 0.76436), (14.851, 0.74016), (21.723, 0.73655), (28.559, 0.73596)],
    0.15: [(5.322, 0.77737), (10.915, 0.72096), (16.121, 0.70432), (21.211, 0.69776)],
}
STEADY = {
    0.05: (0.2778, 11.845, 1.4954, 0.991),
    0.10: (0.298, 6.829, 1.4362, 0.872),
    0.15: (0.342, 5.004, 1.3006, 0.601),
}


def on_the_belt(speed: float) -> tuple[jd.Run, np.ndarray, list[int]]:
    """A run at a speed of the belt, how far the block is away [m], and the samples of its peaks."""
    model = belt()
    along = speed / np.sqrt(2.0)
    state = model.state(q={"z": REST}, v={"run": speed, "x": along, "y": along}, z={"rub.dwell": 1.0})
    until = {0.05: 40.0, 0.10: 52.0, 0.15: 72.0}[speed]
    motions = {"run": jd.Polynomial((0.0, speed))}
    run = jd.simulate(model, state, until=until, motions=motions, rtol=1e-8, atol=1e-10)
    away = np.hypot(run.q["x"].values, run.q["y"].values)
    tops = [k for k in range(1, len(away) - 1) if away[k - 1] < away[k] >= away[k + 1] and away[k] > 0.6]
    return run, away, tops


def numbers_belt():
    """Gonthier 2007, 5.1.2: Bowden and Leben's belt at three speeds."""
    for speed, peaks in PEAKS.items():
        run, away, tops = on_the_belt(speed)
        t, name = run.record.time, f"{speed:g} m/s"
        first = tops[: len(peaks)]
        yield rerun(f"{name}: time of peak", "s", [one[0] for one in peaks], t[first], 2e-3)
        yield rerun(f"{name}: displacement at peak", "m", [one[1] for one in peaks], away[first], 2e-5)
        force = run.contact["rub"].force.values
        pull = np.hypot(force[:, 0], force[:, 1])
        yield paper(f"{name}: first breakaway", "N", STATIC * GRAVITY, pull[t < t[first[0]] + 0.1].max(), 1e-4)
        valley, period, largest, dwell = STEADY[speed]
        late = t > t[tops[-2]] - 1e-9
        yield rerun(f"{name}: period", "s", period, t[tops[-1]] - t[tops[-2]], "0.2 %")
        yield rerun(f"{name}: breakaway once it repeats", "N", largest, pull[late].max(), "0.2 %")
        z = run.record.z[late, run.model.names.z.index("rub.dwell")]
        yield rerun(f"{name}: largest dwell", "", dwell, z.max(), "1 %")
        yield rerun(f"{name}: valley", "m", valley, away[late].min(), 1.5e-3)


def rubbing(viscous: float = 0.0) -> jd.Model:
    """The block on a table; its place along x is prescribed."""
    system = jd.System("table", gravity=(0, 0, -GRAVITY))
    system.add(jd.RigidBody("cart", mass=0.1, inertia=(1, 1, 1)), joint=jd.Prismatic("x", axis="x"))
    system.add(jd.RigidBody("block", mass=1.0, inertia=(1, 1, 1)), joint=jd.Prismatic("z", axis="z"), to="cart.origin")
    friction = jd.BristleFriction(STATIC, KINETIC, BRISTLE, DAMPING, viscous=viscous, stribeck=1e-3, dwell=2.0)
    plane = jd.Plane((0, 0, 1)).at("world")
    system.contact("rub", jd.Sphere(0.05).at("block.origin"), plane, normal=NORMAL, friction=friction)
    return system.compile()


def after_rest(rest: float) -> tuple[jd.Run, float, float]:
    """A run that pulls after a rest [s]; the coefficient of friction that breaks it away, and when that is [s]."""
    model, motion = rubbing(), jd.Cycloid(to=0.01, duration=20.0, start=rest)
    run = jd.simulate(model, model.state(q={"z": REST}), until=rest + 4.0, motions={"x": motion}, rtol=1e-9, atol=1e-12)
    force = -run.contact["rub"].force.values[:, 0]
    dwell = run.record.z[:, model.names.z.index("rub.dwell")]
    top = np.flatnonzero(force >= 0.9999 * GRAVITY * (KINETIC + (STATIC - KINETIC) * dwell))[0]
    return run, float(force[top]) / GRAVITY, float(run.record.time[top])


def numbers_rest():
    """Gonthier 2007, eqs. 3.36 and 3.37: breakaway grows with the time of rest."""
    for rest in (0.5, 1.0, 2.0, 4.0, 8.0):
        _, ours, age = after_rest(rest)
        closed = KINETIC + (STATIC - KINETIC) * (1.0 - np.exp(-age / 2.0))
        yield theory(f"coefficient of friction after {rest:g} s", "", closed, ours, "0.2 %")
