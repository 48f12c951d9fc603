"""Free impacts of a ball on a plane, no gravity: Gonthier 2007, 3.2.1 and 5.1.1, and the paper at the NATO ASI.

The thesis prints few numbers; its tables were recomputed by an independent program. Johnson, Contact Mechanics, 1985,
section 11.4, has the Hertz impact.
"""

import numpy as np

import jourdain as jd
from jourdain.study.published import rerun, theory

QUICK = ("numbers_restitution", "numbers_older_laws", "numbers_single_impacts", "numbers_speed")
STIFFNESS = 1e6
RESTITUTIONS = (0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 0.99)


def ball(normal: jd.HertzContact, mass: float = 1.0, radius: float = 0.1) -> jd.Model:
    """A free ball above a plane, without gravity."""
    system = jd.System("ball")
    system.add(jd.RigidBody("ball", mass=mass, inertia=(1, 1, 1)), joint=jd.Free("free"))
    system.contact("touch", jd.Sphere(radius).at("ball.origin"), jd.Plane((0, 0, 1)).at("world"), normal=normal)
    return system.compile()


def duration(mass: float, stiffness: float, speed: float) -> float:
    """Of a Hertz impact without loss, 3.2181 (m^2 / (k^2 v))^(1/5) [s]: the time scale of all of them."""
    return 3.2181 * (mass**2 / (stiffness**2 * speed)) ** 0.2


def drop(model: jd.Model, speed: float, until: float, gap: float, radius: float = 0.1, **how) -> jd.Run:
    """The ball sent at the plane from a gap [m] above it."""
    state = model.state(q={"free": jd.Pose((0, 0, radius + gap))}, v={"free": (0, 0, 0, 0, 0, -speed)})
    return jd.simulate(model, state, until=until, **how)


def delivered(model: jd.Model, e: float, speed: float, steps: int | None = None) -> tuple[float, jd.Run]:
    """Restitution of one impact at a speed; with so many fixed steps to a Hertz time, or adaptive."""
    T = duration(1.0, STIFFNESS, speed)
    until = T * (1.0 + 1.5 / e)  # the way out takes about depth / (e speed)
    how = {} if steps is None else {"step": until / round(steps * until / T)}
    run = drop(model, speed, until, gap=0.1 * T * speed, **how)
    assert run.contact["touch"].sites.values[-1] == 0.0
    return run.v["free.vz"].values[-1] / speed, run


def numbers_restitution():
    """Gonthier 2007, 3.2.1: restitution delivered is restitution asked, at 0.1 m/s."""
    ours = [
        delivered(ball(jd.HertzContact(stiffness=STIFFNESS, restitution=e, slow_speed=1e-3)), e, 0.1)[0]
        for e in RESTITUTIONS
    ]
    yield theory("restitution", "", RESTITUTIONS, ours, 2e-6, at=[f"asked {e:g}" for e in RESTITUTIONS])


OLDER = {
    jd.contact.HuntCrossleyContact: {
        0.05: 0.5014, 0.1: 0.5158, 0.2: 0.5469, 0.3: 0.5813, 0.5: 0.6630, 0.7: 0.7680, 0.8: 0.8329,
        0.85: 0.8693, 0.9: 0.9090, 0.95: 0.9524, 0.975: 0.9756},
    jd.contact.LankaraniNikraveshContact: {
        0.05: 0.6635, 0.1: 0.6653, 0.2: 0.6723, 0.3: 0.6842, 0.5: 0.7252, 0.7: 0.7960,
        0.8: 0.8471, 0.85: 0.8780, 0.9: 0.9132, 0.95: 0.9535, 0.975: 0.9759},
}  # fmt: skip
"""What older laws deliver for what is asked: four digits."""


def numbers_older_laws():
    """Gonthier 2007, 5.1.1: what the laws of Hunt & Crossley and Lankarani & Nikravesh deliver."""
    for law, table in OLDER.items():
        ours = [delivered(ball(law(stiffness=STIFFNESS, restitution=e)), 0.5, 0.1)[0] for e in table]
        name = law.__name__.removesuffix("Contact").replace("Crossley", " & Crossley").replace("Nik", " & Nik")
        yield rerun(f"{name}: restitution", "", list(table.values()), ours, 1e-4, at=[f"asked {e:g}" for e in table])


def numbers_speed():
    """Gonthier 2007, 5.1.1: restitution that falls with speed, 1 - 0.2 v, 0.454 kg: delivered over asked."""
    speeds, ours = (0.1, 0.5, 1.0, 2.0, 4.0), []
    for speed in speeds:
        e, T = 1.0 - 0.2 * speed, duration(0.454, 3.4e6, speed)
        model = ball(jd.HertzContact(stiffness=3.4e6, restitution=e), mass=0.454)
        run = drop(model, speed, T * (2.0 + 1.5 / e), gap=0.1 * T * speed)
        ours.append(run.v["free.vz"].values[-1] / speed / e)
    yield theory("delivered over asked", "", np.ones(5), ours, 1e-5, at=[f"{v:g} m/s" for v in speeds])


#      mass    k      v    e    deepest [m]  largest force [N]  duration [s]   lost in compression
CASES = [
    (0.454, 3.4e6, 1.0, 0.5, 1.5088e-3, 271.2, 6.412e-3, None),
    (1.0, 1e6, 0.1, 0.9, 6.61762e-4, 17.1991, 20.5406e-3, 0.0988),
    (1.0, 1e6, 0.1, 0.5, 5.35047e-4, 16.8454, 22.7369e-3, 0.4703),
    (1.0, 1e6, 0.1, 0.1, 3.24770e-4, 25.9325, 40.7443e-3, 0.8479),
]


def single_impact(case: tuple) -> jd.Run:
    """One of `CASES`, finely sampled."""
    mass, k, speed, e, _, _, lasts, _ = case
    model = ball(jd.HertzContact(stiffness=k, restitution=e), mass=mass)
    return drop(model, speed, 1.5 * lasts, gap=0.02 * lasts * speed, max_step=lasts / 2000)


def numbers_single_impacts():
    """Gonthier, McPhee, Lange & Piedboeuf 2002 (A 14): single impacts; depth, force, duration and loss."""
    for case in CASES:
        mass, _, speed, e, deepest, largest, lasts, compressing = case
        run, name = single_impact(case), f"{case[0]:g} kg, {case[2]:g} m/s, e {case[3]:g}"
        touch, few = run.contact["touch"], compressing is None
        depth, force = touch.depth.values, touch.force.values[:, 2]
        on = run.record.time[depth > 0.0]
        lost = run.energy["dissipated"].values / (0.5 * mass * speed**2)
        yield rerun(f"{name}: depth", "mm", 1e3 * deepest, 1e3 * depth.max(), "0.01 %" if few else "0.0002 %")
        yield rerun(f"{name}: force", "N", largest, force.max(), "0.02 %" if few else "0.0005 %")
        yield rerun(f"{name}: duration", "ms", 1e3 * lasts, 1e3 * (on[-1] - on[0]), "0.1 %")
        yield theory(f"{name}: share lost", "", 1.0 - e**2, lost[-1], 1e-6)
        if not few:
            yield rerun(f"{name}: share lost in compression", "", compressing, lost[np.argmax(depth)], 1e-4)
