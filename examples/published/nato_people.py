"""People, crawling and vibration of the NATO ASI, Prague 2002: Benes, Hyncik, Valentini & Vita, Wojtyra and others."""

import numpy as np
from scipy.integrate import simpson

import jourdain as jd
from jourdain.study.published import example, paper, rerun, theory

QUICK = ("numbers_muscles", "numbers_occupant", "numbers_comfort", "numbers_crawling", "numbers_feet", "numbers_soft")
human = jd.human
SHARES = {
    0.0: (0.425694, 0.364880, 0.486507, 0.324338),
    0.5: (0.800772, 0.757805, 0.843740, 0.729160),
}
"""Activations of biceps (two heads), brachialis and brachioradialis, by co-contraction."""
GAIT = "the paper's patterns, gains and feet are not printed; this is another gait"


def numbers_muscles(found=None):
    """Benes 2002 (A 3): activations of an arm that holds 5 kg, from the muscles' own arms."""
    found = found or example("biomechanics/muscles")
    yield rerun("moment of the load", "N m", 16.1865, found["load"][0], 5e-5)
    names = ("biceps, long head", "biceps, short head", "brachialis", "brachioradialis")
    for c, theirs in SHARES.items():
        share = found["shares"][c]
        yield rerun(f"activation at co-contraction {c:g}", "", theirs, share.activations[:4], 6e-7, at=names)
        ours = float(np.sqrt(np.sum((np.asarray(share.activations[:4]) - c) ** 2)))
        yield rerun(f"criterion at co-contraction {c:g}", "", {0.0: 0.810085, 0.5: 0.572362}[c], ours, 1e-6)
    arms, most = (0.030, 0.030, 0.020, 0.050, -0.025, -0.025, -0.025), (350, 300, 600, 160, 400, 500, 300)
    for load, fits in ((9.499, 1), (9.501, 0)):
        try:
            ours = int(human.share_load(arms, load, most, co_contraction=1.0, held=(4, 5, 6)) is not None)
        except jd.JourdainError:
            ours = 0
        yield theory(f"co-contraction 1, {load:g} of at most 9.5 N m: held (1) or not (0)", "", fits, ours, 0)


def numbers_occupant():
    """Hyncik 2002 (A 15): bodies and degrees of freedom of the occupant, and inertia of meshes by the divergence
    theorem."""
    system = jd.human.occupant()
    model = system.compile()
    yield paper("rigid bodies", "", 21, len(system.bodies), 0)
    joints = [joint for joint, _ in model.joints.values()]
    yield paper("joints of three degrees of freedom, 4 and 16", "", 20, joints.count("spherical"), 0)
    yield theory("degrees of freedom, 3 a joint and 6", "", 66, model.nv, 0)
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
    for shift in (0.0, 7.5):
        cube = jd.RigidBody.from_shape("cube", jd.shapes.ConvexMesh(corners + shift), density=3.0)
        yield theory(f"cube at {shift:g}: inertia over density", "m^5", 1 / 6, cube.inertia[0, 0] / 3.0, 1e-10)
        yield theory(f"cube at {shift:g}: mass over density", "m^3", 1.0, cube.mass / 3.0, 1e-12)


def numbers_comfort():
    """Valentini & Vita 2002 (B 15): the dummy's counts, and the dose of a sine."""
    system = jd.human.dummy()
    yield paper("bodies", "", 15, len(system.bodies), 0)
    reason = (
        "15 free bodies have 90 degrees of freedom; the joints that the paper lists take 47 and its five equations "
        "five, which leaves 38, or 20 with seat, wheel and pedals carried along; its other constraints are not printed"
    )
    yield paper("degrees of freedom", "", 24, system.compile().nv - 3, 0, reason=reason, known=22)
    t = np.arange(0.0, 10.0005, 1e-3)
    dose = jd.human.exposure(np.sin(10 * np.pi * t), 1e-3).vdv
    yield theory("dose of sin over 10 s, A (3 T / 8)^(1/4)", "m/s^1.75", 1.3916, dose, 5e-5)


def numbers_feet():
    """Wojtyra 2002 (B 18): damping of the ground, and a block that creeps on a slope."""
    press = foot_force(5e4, 1500.0, 0.01)
    half, full = ((press(p, 1e-3) - 5e4 * p) / 1e-3 for p in (0.005, 0.01))
    yield theory("damping at half the depth and at all of it, over c_max", "", [0.5, 1.0], [half / 1500, full / 1500],
                 1e-9, at=("h / 2", "h"))  # fmt: skip
    slope, mu, speed = 0.3, 0.8, 0.05
    system = jd.System("block", gravity=9.81 * np.array([np.sin(slope), 0.0, -np.cos(slope)]))
    system.add(jd.RigidBody("block", 10.0, inertia=(0.1, 0.1, 0.1)), jd.Free("free"))
    corners = [(x, y, 0.0) for x in (-0.1, 0.1) for y in (-0.1, 0.1)]
    human.stand(system, {"block.origin": corners}, friction=human.foot_friction(mu, speed))
    model = system.compile()
    start = model.state(q={"free": jd.Pose((0, 0, -10.0 * 9.81 * np.cos(slope) / 2e5))})
    run = jd.simulate(model, start, 2.0, step=2e-4, method="rk4", output=0.01)
    creep = np.mean(run.frame("block.origin").velocity.values[100:, 0])
    yield theory("creep on a slope below atan mu, lambda tan(pi tan(slope) / 2 mu)", "m/s",
                 speed * np.tan(np.pi * np.tan(slope) / (2 * mu)), creep, "0.001 %")  # fmt: skip


def foot_force(*numbers):
    """Normal force of a point of the foot, of depth and rate, in the interpreter."""
    law = human.foot_pressure(*numbers)
    return lambda depth, rate: law.law.function(depth, rate, 0.0, None, numbers, None)


def numbers_soft():
    """Wojtyra 2002 (B 18): wobbling masses."""
    system = human.walker()
    human.wobble(system, frequency=9.0, damping=0.25)
    model = system.compile()
    other = "which masses wobble, and how, is not printed; ours have as many degrees of freedom by choice"
    yield paper("degrees of freedom with wobbling masses", "", 46, model.nv, 0, other=other, known=46)
    up, bones = model.state(q={"root.z": 2.0}), [name for name in model.names.v if "soft" not in name]
    swings = model.frequencies(up, hold=bones)
    ends = [swings.hz.min(), swings.hz.max()]
    yield theory("bones held: they swing as given", "Hz", [9.0, 9.0], ends, 1e-6, at=("the slowest", "the fastest"))


def numbers_support(found=None):
    """Wojtyra 2002 (B 18): the support of the trunk is taken away, one coordinate after the other."""
    found = found or example("biomechanics/walker_support")
    yield paper("coordinates that the support still holds", "", 0, len(found["found"].held), 0, other=GAIT, known=0)


def numbers_walking(found=None):
    """Wojtyra 2002 (B 18): walking in the plane, on compliant feet."""
    found = found or example("biomechanics/walking")
    yield paper("deepest point of a foot", "m", 0.02, found["depth"], 1e-3, other=GAIT, known=0.0311)


def numbers_walking_in_space(found=None):
    """Wojtyra 2002 (B 18): the walker of eight parts along Fourier patterns; with its feedback it walks."""
    found = found or example("biomechanics/walking_in_space")
    bodies = [body for body in found["system"].bodies if body.mass > 0.0]
    yield paper("rigid parts", "", 8, len(bodies), 0)
    yield paper("degrees of freedom", "", 21, found["model"].nv, 0)
    yield paper("points a foot", "", 5, sum(name.startswith("foot_l") for name in found["model"].contacts.names), 0)
    yield paper("deepest point of a foot", "m", 0.02, found["depth"], 1e-3, other=GAIT, known=0.0203)


def numbers_crawling():
    """Figurina 2002 (A 11): velocities of two links on a rough plane, and the angles at which phases change."""
    slide = jd.mechanism.Crawler((1.0, 0.4), (1.0, 1.0, 1.0)).slide((np.pi, 0.3), (0.0, 1.0))
    yield rerun("velocity of the centre, across", "", -0.217838, slide.velocity[0, 1], 6e-7)
    yield rerun("velocity of the short end", "", [-0.092458, 0.081053], slide.velocity[2], 6e-7, at="xy")
    end, along = np.array([1.0 + 0.4 * np.cos(0.3), 0.4 * np.sin(0.3)]), slide.velocity[2]
    distance = abs(end[0] * along[1] - end[1] * along[0]) / np.hypot(*along)
    yield theory("distance of its line from the end at rest, m0 l1 / m2", "", 1.0, distance, 1e-8)
    for short, limits in {0.8: (8.68, 83.13), 0.6: (26.44, 66.87), 0.4: (53.13,)}.items():
        two = jd.mechanism.Crawler((1.0, short), (1.0, 1.0, 1.0))
        for which, theirs in enumerate(limits):
            low, high = theirs - 1.0, theirs + 1.0
            first = two.slide((np.pi, np.radians(low)), (0.0, 1.0)).moves.tolist()
            while high - low > 1e-4:
                middle = 0.5 * (low + high)
                same = two.slide((np.pi, np.radians(middle)), (0.0, 1.0)).moves.tolist() == first
                low, high = (middle, high) if same else (low, middle)
            yield theory(f"links 1 and {short:g}: change of phase {which + 1}", "deg", theirs, low, 6e-3)


def numbers_vibrator(found=None):
    """Jatsun, Zaisev & Jatsun 2002 (A 16): where the magnet holds the mass below its pull-in, and its energy."""
    found = found or example("control/electromagnetic_vibrator")
    model, magnet = found["model"], found["magnet"]
    c, gap, kappa, R = 4.0e4, 6e-3, 1500.0, 10.0
    pull_in = np.sqrt(8 * c * kappa * R**2 * gap**3 / 27)  # U^2 at x = lambda / 3
    for part in (0.5, 0.9, 0.99):
        still = magnet(part * pull_in, 0.0, 0.0, 0.0)
        run = jd.simulate(model, model.state(), 40.0, rtol=1e-9, output=10.0, controller=still)
        places = np.roots([1.0, -2.0 * gap, gap**2, -((part * pull_in) ** 2) / (2 * c * kappa * R**2)])
        ours = 1e3 * run.q["x"].values[-1]
        yield theory(f"rests at {part:g} of the pull-in voltage", "mm", 1e3 * min(places.real), ours, "0.001 %")
    pulled = magnet(1.01 * pull_in, 0.0, 0.0, 0.0)
    over = jd.simulate(model, model.state(), 20.0, rtol=1e-8, output=10.0, controller=pulled)
    yield theory("above it: beyond a third of the gap (1) or not (0)", "", 1, over.q["x"].values[-1] > gap / 3, 0)
    run = found["shake"](found["U0"], found["U1"], until=1.0, step=5e-5)
    x, v, z = run.q["x"].values, run.v["x"].values, run.z.values
    stored = 0.5 * 2.0 * v**2 + 0.5 * c * x**2 + 0.5 * kappa * z[:, 0] ** 2 * (gap - x)
    spent = z[-1, 2] + simpson(30.0 * v**2, x=run.time.values) + stored[-1] - stored[0]
    yield theory("from the source over what coil and dashpot take and what is stored", "", 1.0, z[-1, 1] / spent, 1e-5)
