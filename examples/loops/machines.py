"""
Models of the mechanisms of this folder
=======================================

Builders of the systems that the examples share, with the data of their sources. Planar machines lie in the x-y plane,
gravity along -y. A machine is a tree, closed by `connect`.
"""

from __future__ import annotations

import numpy as np

import jourdain as jd

G = 9.81


def rod(
    name: str, length: float, mass: float, inertia: float | None = None, start: float = 0.0, **frames
) -> jd.RigidBody:
    """A slender body along x from `start`, centre of mass in the middle, with a frame "tip" at its end.

    inertia    about the centre of mass, transverse [kg m^2]; None for a uniform rod
    """
    across = mass * length**2 / 12.0 if inertia is None else inertia
    points = {"tip": (start + length, 0.0, 0.0)} | frames
    return jd.RigidBody(name, mass, (start + 0.5 * length, 0, 0), (1e-3 * across, across, across), frames=points)


FOUR_BAR = {"a": 0.20, "b": 0.60, "c": 0.50, "d": 0.55}
"""Crank, coupler, rocker and ground of the digest of Aghili & Piedboeuf [m]."""


def four_bar(cut: str = "pin") -> jd.System:
    """The four-bar of the digest of Aghili & Piedboeuf, its loop cut at the "pin" between coupler and rocker, or at the
    ground pivot of the "rocker" or of the "crank"; the world's origin is where it is cut, or the crank's pivot.

    Angles are absolute for the crank and the rocker's own pivot, relative otherwise.
    """
    a, b, c, d = FOUR_BAR.values()
    system = jd.System(f"four-bar cut at the {cut}", gravity=(0, -G, 0))
    bodies = {
        "crank": rod("crank", a, 0.3, 0.001),
        "coupler": rod("coupler", b, 0.8, 0.024),
        "rocker": rod("rocker", c, 0.7, 0.0146),
    }
    if cut == "pin":
        system.add(bodies["crank"], joint=jd.Revolute("crank_angle"))
        system.add(bodies["coupler"], joint=jd.Revolute("coupler_angle"), to="crank.tip")
        system.add(bodies["rocker"], joint=jd.Revolute("rocker_angle"), position=(d, 0, 0))
        system.connect(jd.Revolute("pin"), "coupler.tip", "rocker.tip")
    elif cut == "rocker":
        system.add(bodies["crank"], joint=jd.Revolute("crank_angle"), position=(-d, 0, 0))
        system.add(bodies["coupler"], joint=jd.Revolute("coupler_angle"), to="crank.tip")
        system.add(bodies["rocker"], joint=jd.Revolute("rocker_angle"), to="coupler.tip", at="tip")
        system.connect(jd.Revolute("pin"), "rocker.origin", "world")
    elif cut == "crank":
        system.add(bodies["rocker"], joint=jd.Revolute("rocker_angle"), position=(d, 0, 0))
        system.add(bodies["coupler"], joint=jd.Revolute("coupler_angle"), to="rocker.tip", at="tip")
        system.add(bodies["crank"], joint=jd.Revolute("crank_angle"), to="coupler.origin", at="tip")
        system.connect(jd.Revolute("pin"), "crank.origin", "world")
    else:
        raise ValueError(f'cut="{cut}"; "pin", "rocker" or "crank"')
    return system


def four_bar_angles(theta: float, a: float, b: float, c: float, d: float) -> tuple[float, float]:
    """Absolute angles of coupler and rocker of an open four-bar, by its triangle."""
    tip = a * np.array([np.cos(theta), np.sin(theta)])
    across = np.array([d, 0.0]) - tip
    length = np.hypot(*across)
    lift = np.arccos((b**2 + length**2 - c**2) / (2.0 * b * length))
    coupler = np.arctan2(across[1], across[0]) + lift
    end = tip + b * np.array([np.cos(coupler), np.sin(coupler)]) - [d, 0.0]
    return float(coupler), float(np.arctan2(end[1], end[0]))


def four_bar_start(model: jd.Model, theta: float = 1.0) -> jd.State:
    """The state of a `four_bar` at rest with its crank at an angle."""
    coupler, rocker = four_bar_angles(theta, **FOUR_BAR)
    cut = model.name.split()[-1]
    angles = {
        "pin": {"crank_angle": theta, "coupler_angle": coupler - theta, "rocker_angle": rocker},
        "rocker": {"crank_angle": theta, "coupler_angle": coupler - theta, "rocker_angle": rocker - coupler},
        "crank": {"rocker_angle": rocker, "coupler_angle": coupler - rocker, "crank_angle": theta - coupler},
    }
    return model.state(q=angles[cut])


def four_bars(count: int) -> jd.System:
    """Windows of four bars of 1 m and 1 kg in a row (IFToMM benchmark A02), upright in the zero configuration.

    Bar i stands on the ground at x = i, coupler i joins its top with that of bar i + 1.
    """
    system = jd.System(f"{count} four-bars", gravity=(0, -G, 0))
    upright = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    for i in range(count + 1):
        system.add(rod(f"bar{i}", 1.0, 1.0), joint=jd.Revolute(f"b{i}"), position=(i, 0, 0), rotation=upright)
    for i in range(count):
        system.add(rod(f"coupler{i}", 1.0, 1.0), joint=jd.Revolute(f"c{i}"), to=f"bar{i}.tip", rotation=upright.T)
        system.connect(jd.Revolute(f"pin{i}"), f"coupler{i}.tip", f"bar{i + 1}.tip")
    return system


def four_bars_start(model: jd.Model, speed: float = 1.0) -> jd.State:
    """Upright, the tops moving at `speed` along x."""
    v = {name: -speed if name.startswith("b") else speed for name in model.names.v}
    return model.state(v=v)


SLIDER_CRANK = {"crank": (0.15, 0.4), "rod": (0.35, 0.6), "slider": 0.5}
"""A planar slider-crank of our own: lengths [m] and masses [kg]."""


def slider_crank(spring: float = 0.0) -> jd.System:
    """A planar slider-crank; with a spring of `spring` [N/m] between the slider and the crank's pivot."""
    (r, m1), (l, m2), m3 = SLIDER_CRANK.values()
    system = jd.System("slider-crank", gravity=(0, -G, 0))
    system.add(rod("crank", r, m1), joint=jd.Revolute("crank_angle"))
    system.add(rod("rod", l, m2), joint=jd.Revolute("rod_angle"), to="crank.tip")
    slider = jd.RigidBody("slider", m3, inertia=(1e-3, 1e-3, 1e-3))
    system.add(slider, joint=jd.Prismatic("slide", axis="x"))
    system.connect(jd.Revolute("wrist"), "rod.tip", "slider.origin")
    if spring:
        system.connect(jd.constraints.Spring("spring", stiffness=spring, length=0.4), "slider.origin", "world")
    return system


HAUG = {"centre": (0.0, 0.1, 0.12), "radius": 0.08, "rod": 0.3, "speed": 6.0}
"""Haug's spatial slider-crank [m, rad/s]."""


def spatial_slider_crank(coordinates: str = "mixed", body: jd.Beam | jd.RigidBody | None = None) -> jd.System:
    """Haug's spatial slider-crank: crank about x, a rod between spherical joints, a slider on the x axis.

    coordinates    "mixed": crank, rod and slider are one chain of 7 velocities, closed by the translational joint (5
                   rows), as in Kuebler & Eberhard. "cartesian": three free bodies of 18 velocities and 16 rows
    body           "rod", in the place of Haug's, its x from the crank to its frame "tip"; mixed coordinates only
    """
    system = jd.System(f"spatial slider-crank, {coordinates}", gravity=(0, 0, -G))
    crank = jd.RigidBody("crank", 0.12, inertia=(1e-4, 1e-4, 1e-4), frames={"pin": (0, 0, HAUG["radius"])})
    middle = 0.5 * HAUG["rod"]
    coupler = jd.RigidBody("rod", 0.5, (middle, 0, 0), (4e-4, 4e-3, 4e-3), frames={"tip": (HAUG["rod"], 0, 0)})
    slider = jd.RigidBody("slider", 2.0, inertia=(1e-3, 1e-3, 1e-3))
    if coordinates == "mixed":
        system.add(crank, joint=jd.Revolute("crank_angle", axis="x"), position=HAUG["centre"])
        system.add(coupler if body is None else body, joint=jd.Spherical("ball"), to="crank.pin")
        system.add(slider, joint=jd.Spherical("wrist"), to="rod.tip")
        system.connect(jd.Prismatic("guide", axis="x"), "slider.origin", "world")
        return system
    for body in (crank, coupler, slider):
        system.add(body, joint=jd.Free(f"{body.name}_pose"))
    system.connect(jd.Revolute("crank_pivot", axis="x"), "crank.origin", "world", position=HAUG["centre"])
    system.connect(jd.Spherical("ball"), "rod.origin", "crank.pin")
    system.connect(jd.Spherical("wrist"), "rod.tip", "slider.origin")
    system.connect(jd.Prismatic("guide", axis="x"), "slider.origin", "world")
    return system


def spatial_slider_crank_start(model: jd.Model) -> jd.State:
    """The crank up, turning at 6 rad/s; the rod does not spin about itself."""
    pin = np.array(HAUG["centre"]) + [0.0, 0.0, HAUG["radius"]]
    end = np.array([np.sqrt(HAUG["rod"] ** 2 - pin[1] ** 2 - pin[2] ** 2), 0.0, 0.0])
    turn = shortest_turn(end - pin)
    if "crank_angle" in model.index.q:
        still = turn.T @ [-HAUG["speed"], 0.0, 0.0]  # the rod does not turn with the crank
        guess = model.state(q={"ball": turn, "wrist": turn.T}, v={"crank_angle": HAUG["speed"], "ball": still})
        straight = [name for name in model.names.v if name.startswith("rod.")]
        return model.assemble(guess, hold=("crank_angle", *straight))
    poses = {"crank_pose": jd.Pose(HAUG["centre"]), "rod_pose": jd.Pose(pin, turn), "slider_pose": jd.Pose(end)}
    guess = model.state(q=poses, v={"crank_pose": (HAUG["speed"], 0, 0, 0, 0, 0)})
    return model.assemble(guess, hold=("crank_pose.wx",))


def shortest_turn(along: np.ndarray) -> np.ndarray:
    """The rotation that brings x to a direction by the shortest way."""
    x = along / np.linalg.norm(along)
    axis = np.cross([1.0, 0.0, 0.0], x)
    K = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.eye(3) + K + K @ K / (1.0 + x[0])


def bricard() -> jd.System:
    """Bricard's mechanism (IFToMM A04): five rods of 1 m and 1 kg, 0.1 m thick, six hinges, one redundant row.

    Hinges along the edges of a cube: y at (0, 0, 0), z, x, y, z, and x at (0, 0, 1); gravity along -y.
    """
    system = jd.System("Bricard", gravity=(0, -G, 0))
    places = np.array([[0, 0, 0], [1, 0, 0], [1, -1, 0], [1, -1, 1], [0, -1, 1], [0, 0, 1]], float)
    axes = ("y", "z", "x", "y", "z", "x")
    thin, long = 0.02 / 12.0, 1.01 / 12.0
    for i in range(5):
        along = places[i + 1] - places[i]
        inertia = np.where(np.abs(along) > 0.5, thin, long)
        body = jd.RigidBody(f"rod{i + 1}", 1.0, 0.5 * along, inertia, frames={"end": tuple(along)})
        to = "world" if i == 0 else f"rod{i}.end"
        # the world's origin is at the last hinge, which closes the loop
        system.add(
            body, joint=jd.Revolute(f"hinge{i + 1}", axis=axes[i]), to=to, position=-places[5] if i == 0 else (0, 0, 0)
        )
    system.connect(jd.Revolute("hinge6", axis="x"), "rod5.end", "world")
    return system


ANDREWS = {
    "m": (0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498),
    "I": (2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5),
    "A": (-0.06934, -0.00227),
    "B": (-0.03635, 0.03273),
    "C": (0.014, 0.072),
    "start": (
        -0.0617138900142764496,
        0.0,
        0.455279819163070380,
        0.222668390165885885,
        0.487364979543842550,
        -0.222668390165885885,
        1.23054744454982119,
    ),
    "end": (
        15.81077119629904,
        -15.75637105984298,
        0.04082224013073101,
        -0.5347301163226948,
        0.5244099658805304,
        0.5347301163226948,
        1.048080741042263,
    ),
}
"""Andrews' squeezing mechanism (Schiehlen 1990; Hairer & Wanner 1996, VII.7; Test Set for IVP Solvers): masses, moments
of inertia, pivots, the start, and the reference at 0.03 s; angles (beta, Theta, gamma, Phi, delta, Omega, epsilon)."""
ANDREWS_NAMES = ("beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon")


def andrews() -> jd.System:
    """Andrews' squeezer: seven bodies, three loops that meet in E, driven by 0.033 N m against a spring. The world's
    origin is the spring's fixed end C."""
    m, I = ANDREWS["m"], ANDREWS["I"]
    C = np.array(ANDREWS["C"])
    O, A, B = (tuple(np.append(np.array(p) - C, 0.0)) for p in ((0.0, 0.0), ANDREWS["A"], ANDREWS["B"]))
    d, da, e, ea, rr, ra, ss, sa, sb, sc, sd = (
        0.028,
        0.0115,
        0.02,
        0.01421,
        0.007,
        0.00092,
        0.035,
        0.01874,
        0.01043,
        0.018,
        0.02,
    )
    ta, tb, u, ua, ub, zf, zt, fa = 0.02308, 0.00916, 0.04, 0.01228, 0.00449, 0.02, 0.04, 0.01421
    system = jd.System("Andrews' squeezer")

    def body(i: int, com: tuple[float, float], **frames: tuple[float, float]) -> jd.RigidBody:
        places = {name: (*at, 0.0) for name, at in frames.items()}
        return jd.RigidBody(f"K{i}", m[i - 1], (*com, 0.0), (0.5 * I[i - 1], 0.5 * I[i - 1], I[i - 1]), frames=places)

    system.add(body(1, (ra, 0), F=(rr, 0)), joint=jd.Revolute("beta"), position=O)
    system.add(body(2, (-da, 0), E=(-d, 0)), joint=jd.Revolute("Theta"), to="K1.F")
    system.add(body(3, (sb, -sa), E=(0, -ss), D=(sd, -sc)), joint=jd.Revolute("gamma"), position=B)
    system.add(body(5, (ta, tb), G=(zt, 0)), joint=jd.Revolute("delta"), position=A)
    system.add(body(4, (0, ea - e), E=(0, -e)), joint=jd.Revolute("Phi"), to="K5.G")
    system.add(body(7, (ua, -ub), H=(0, -u)), joint=jd.Revolute("epsilon"), position=A)
    system.add(body(6, (zf - fa, 0), E=(zf, 0)), joint=jd.Revolute("Omega"), to="K7.H")
    for i in (3, 4, 6):
        system.connect(jd.Revolute(f"E{i}"), f"K{i}.E", "K2.E")
    system.connect(jd.constraints.Spring("spring", stiffness=4530.0, length=0.07785), "K3.D", "world")
    system.force("motor", at="K1.origin", moment=(0, 0, 0.033))
    return system


def governor(rigid: bool = False) -> jd.System:
    """The stiff flyball governor (IFToMM A05): a shaft, two rods with balls, a slider. Springs of 8e5 N/m with dampers
    of 4e4 N s/m couple the rods' middles with the slider; where it is rigid, rods of fixed length."""
    system = jd.System("flyball governor", gravity=(0, 0, -G))
    shaft = 3000.0 * 1.0 * 0.01 * 0.01
    thin, long = shaft * 2e-4 / 12.0, shaft * (1.0 + 1e-4) / 12.0
    frames = {"right": (0.05, 0, 1.0), "left": (-0.05, 0, 1.0)}
    system.add(jd.RigidBody("shaft", shaft, (0, 0, 0.5), (long, long, thin), frames=frames), joint=jd.Revolute("spin"))
    block = 3000.0 * 1e-3
    cube = block * 0.02 / 12.0
    frames = {"right": (0.05, 0, 0), "left": (-0.05, 0, 0)}
    system.add(
        jd.RigidBody("slider", block, inertia=(cube,) * 3, frames=frames),
        joint=jd.Prismatic("s", axis="z"),
        to="shaft.origin",
    )
    for side, sign in (("right", 1.0), ("left", -1.0)):
        along = np.array([sign, 0.0, 0.0])
        mass = shaft + 5.0
        middle = (0.5 * shaft + 5.0) / mass
        across = long + shaft * (0.5 - middle) ** 2 + 5.0 * (1.0 - middle) ** 2
        arm = jd.RigidBody(
            f"arm_{side}",
            mass,
            tuple(middle * along),
            (thin, across, across),
            frames={"middle": tuple(0.5 * along), "ball": tuple(along)},
        )
        system.add(arm, joint=jd.Revolute(side, axis=(0.0, sign, 0.0)), to=f"shaft.{side}")
        if rigid:
            system.connect(jd.constraints.Rod(f"link_{side}", length=0.5), f"arm_{side}.middle", f"slider.{side}")
        else:
            link = jd.constraints.Spring(f"link_{side}", stiffness=8e5, length=0.5, damping=4e4)
            system.connect(link, f"arm_{side}.middle", f"slider.{side}")
    return system


def governor_start(model: jd.Model) -> jd.State:
    """The arms 30 degrees below the horizontal, the slider at 0.5 m, one turn a second."""
    angle = np.radians(30.0)
    return model.state(q={"right": angle, "left": angle, "s": 0.5}, v={"spin": 2.0 * np.pi})


ROBOT = {"base": 0.6, "platform": 0.1, "upper": 0.35, "lower": 0.35}
"""A planar parallel robot of our own: radii of the circles of its pivots, and links [m]."""


def parallel_robot(legs: int = 4) -> jd.System:
    """A planar platform (x, y, angle) on legs of two links, the inner ones driven; of four drives one is redundant.

    Coordinates: "platform.x", "platform.y", "platform.angle", and of leg i "drive{i}", "elbow{i}".
    """
    return jd.mechanism.planar_robot(legs, **ROBOT)


def _corner(i: int, legs: int) -> np.ndarray:
    angle = 2.0 * np.pi * (i + 0.5) / legs
    return np.array([np.cos(angle), np.sin(angle), 0.0])


def parallel_robot_pose(legs: int, x: float, y: float, angle: float) -> dict[str, float]:
    """All coordinates of the robot at a pose of its platform, elbows to the left: by triangles."""
    out = {"platform.x": x, "platform.y": y, "platform.angle": angle}
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    for i in range(legs):
        corner = np.array([x, y]) + turn @ (ROBOT["platform"] * _corner(i, legs)[:2])
        across = corner - ROBOT["base"] * _corner(i, legs)[:2]
        a, b, c = ROBOT["upper"], ROBOT["lower"], np.hypot(*across)
        drive = np.arctan2(across[1], across[0]) - np.arccos((a**2 + c**2 - b**2) / (2 * a * c))
        out[f"drive{i}"] = float(drive)
        out[f"elbow{i}"] = float(np.pi - np.arccos((a**2 + b**2 - c**2) / (2 * a * b)))
    return out


HEXAPOD = {"base": 0.5, "platform": 0.3, "height": 0.6, "apart": 0.35, "mass": 20.0, "inertia": (0.5, 0.5, 0.9)}
"""A hexapod of our own: radii of the joints' circles, height in the middle [m], half the angle between the joints of a
pair [rad], and the platform [kg, kg m^2]."""


def hexapod_points() -> tuple[np.ndarray, np.ndarray]:
    """Joints of the six legs on the base and on the platform, in the platform's own axes (6, 3)."""
    return jd.mechanism.hexapod_joints(HEXAPOD["base"], HEXAPOD["platform"], HEXAPOD["apart"])


def hexapod(mass: float = 1.0) -> jd.System:
    """A Stewart platform: a free platform on six legs, each a universal joint, a sliding joint "leg{i}" and, closed by
    `connect`, a spherical joint.

    mass    of each half of a leg [kg]
    """
    return jd.mechanism.hexapod(**HEXAPOD, leg_mass=mass)


DISK = {"radius": 0.3, "mass": 2.0}


def rolling_disk(angles: bool = False) -> jd.System:
    """A thin disk that rolls on the plane z = 0; its axis is its own y, upright in the zero configuration.

    angles    True: its pose is a chain of one-axis joints "x", "y", "z", "yaw", "lean" and "spin", so that rolling on
              is steady in all coordinates that matter; False: a free joint "pose"
    """
    r, m = DISK.values()
    system = jd.System("rolling disk", gravity=(0, 0, -G))
    disk = jd.RigidBody("disk", m, inertia=(m * r**2 / 4.0, m * r**2 / 2.0, m * r**2 / 4.0))
    if angles:
        carriers = [jd.Prismatic(axis, axis=axis) for axis in "xyz"]
        carriers += [jd.Revolute("yaw", axis="z"), jd.Revolute("lean", axis="x")]
        to = "world"
        for joint in carriers:
            carrier = jd.RigidBody(f"{joint.name}_carrier", 1e-9, inertia=(1e-11,) * 3)
            system.add(carrier, joint=joint, to=to, position=(0, 0, r) if to == "world" else (0, 0, 0))
            to = f"{carrier.name}.origin"
        system.add(disk, joint=jd.Revolute("spin", axis="y"), to=to)
    else:
        system.add(disk, joint=jd.Free("pose"), position=(0, 0, r))
    system.connect(jd.constraints.Rolling("floor", radius=r, axis="y"), "disk.origin", "world")
    return system


ELLIPSOGRAPH = {"EA": 1e4, "EI": 1.0, "mass": 0.78}
"""Dmitrotchenko's beam of 1 m [N, N m^2, kg/m]."""
SLIDER = {"mass": 1e-6, "inertia": (1e-9, 1e-9, 1e-9)}
"""A slider that weighs nothing to speak of [kg, kg m^2]."""


def ellipsograph(pieces: int = 0, beams: int = 8) -> jd.System:
    """Dmitrotchenko's ellipsograph: the ends of a limp beam slide on the x and the y axis, and a pendulum hangs at its
    middle, which is also the digest's completion of the case.

    pieces    an even number of rigid pieces, with springs between them that bend and stretch; 0 for beams
    beams     an even number of `Beam` welded in a row: a single one is for deflections much smaller than these
    """
    system = jd.System("ellipsograph", gravity=(0, -G, 0))
    EA, EI, mu = ELLIPSOGRAPH.values()
    count = pieces or beams
    h = 1.0 / count
    system.add(jd.RigidBody("foot", **SLIDER), joint=jd.Prismatic("xA", axis="x"))
    to = "foot.origin"
    for i in range(count):
        joint: jd.Revolute | jd.Weld = jd.Revolute("lean")
        if pieces and i > 0:
            slide = jd.Prismatic(f"slide{i}", axis="x", stiffness=EA * (count - 1))
            system.add(jd.RigidBody(f"stretch{i}", **SLIDER), joint=slide, to=to)
            to, joint = f"stretch{i}.origin", jd.Revolute(f"bend{i}", stiffness=EI / h)
        elif i > 0:
            joint = jd.Weld(f"weld{i}")
        if pieces:
            body: jd.RigidBody | jd.Beam = rod(f"part{i}", h, mu * h)
        else:
            modes = jd.Modes(bending_y=2, axial=1)
            body = jd.Beam(f"part{i}", length=h, mass_per_length=mu, EA=EA, EI=(EI, EI), GJ=EI, modes=modes)
        system.add(body, joint=joint, to=to)
        to = f"part{i}.tip"
    pendulum = jd.RigidBody("pendulum", 0.2, (0, -0.25, 0), (0.1, 0.1, 0.1))
    system.add(pendulum, joint=jd.Revolute("swing"), to=f"part{count // 2 - 1}.tip")
    system.add(jd.RigidBody("hand", **SLIDER), joint=jd.Revolute("wrist"), to=to)
    system.connect(jd.Prismatic("guide", axis="y"), "hand.origin", "world")
    return system


def ellipsograph_start(model: jd.Model) -> jd.State:
    """Straight at 45 degrees and at rest, the pendulum hanging."""
    lean = np.radians(135.0)
    return model.state(q={"xA": np.sqrt(0.5), "lean": lean, "swing": -lean, "wrist": -lean})


def hinged_rods(altitude: float = 400e3, length: float = 10.0, mass: float = 50.0) -> jd.System:
    """Stroe's two bodies in a circular orbit: equal rods hinged end to end along the local vertical, each with its own
    planar coordinates, the hinge a constraint."""
    system = jd.System("hinged rods", environment=jd.Orbit(altitude=altitude))
    for name, sign in (("outer", 1.0), ("inner", -1.0)):
        across = mass * length**2 / 12.0
        frames = {"hinge": (-0.5 * sign * length, 0, 0)}
        body = jd.RigidBody(name, mass, inertia=(1e-6 * across, across, across), frames=frames)
        system.add(body, joint=jd.Planar(name), position=(0.5 * sign * length, 0, 0))
    system.connect(jd.Revolute("hinge"), "outer.hinge", "inner.hinge")
    return system


def six_bar() -> jd.System:
    """The planar six-bar of the digest of Talaba: crank AB, coupler BC, ternary CDE on the ground in D, coupler EF, a
    slider on the line y = 0.1 m. Five bodies, seven joints, one freedom."""
    system = jd.System("six-bar", gravity=(0, -G, 0))
    across = (0.30**2 + 0.20**2 - 0.15**2) / (2.0 * 0.20)
    ternary = {"C": (0.20, 0, 0), "E": (across, np.sqrt(0.30**2 - across**2), 0)}
    system.add(rod("crank", 0.10, 0.2), joint=jd.Revolute("crank_angle"))
    system.add(rod("coupler", 0.28, 0.4), joint=jd.Revolute("coupler_angle"), to="crank.tip")
    body = jd.RigidBody("ternary", 0.6, (0.15, 0.05, 0), (2e-3, 2e-3, 4e-3), frames=ternary)
    system.add(body, joint=jd.Revolute("ternary_angle"), position=(0.30, 0, 0))
    system.add(rod("link", 0.35, 0.5), joint=jd.Revolute("link_angle"), to="ternary.E")
    system.add(
        jd.RigidBody("slider", 0.5, inertia=(1e-3,) * 3), joint=jd.Prismatic("slide", axis="x"), position=(0, 0.1, 0)
    )
    system.connect(jd.Revolute("C"), "coupler.tip", "ternary.C")
    system.connect(jd.Revolute("F"), "link.tip", "slider.origin")
    return system


def six_bar_guess() -> dict[str, float]:
    """Near its closure at a crank angle of zero."""
    coupler, ternary = np.arctan2(0.2, 0.196), np.arctan2(0.2, -0.004)
    link = np.arctan2(-0.166, 0.308)
    return {
        "coupler_angle": coupler,
        "ternary_angle": ternary,
        "link_angle": link - ternary,
        "slide": 0.469,
    }


PLATFORM = ("platform.x", "platform.y", "platform.angle")
"""Coordinates of the platform of the parallel robot."""


def transmission(model: jd.Model, q: np.ndarray) -> np.ndarray:
    """d(drives)/d(platform) of the parallel robot (legs, 3), from the rows of its constraints."""
    drives = [name for name in model.names.v if name.startswith("drive")]
    return jd.mechanism.transmission(model, model.state(q=q), drives, "platform").J


def leg_forces(model: jd.Model, state: jd.State, acceleration: np.ndarray) -> np.ndarray:
    """Forces along the legs of a hexapod [N] by Newton and Euler on its platform alone."""
    base, top = hexapod_points()
    moving = model.acceleration("platform.origin", state, acceleration)
    omega = model.velocity("platform.origin", state)[:3]
    place = model.pose("platform.origin", state)
    R = place.rotation
    J = R @ np.diag(HEXAPOD["inertia"]) @ R.T
    force = HEXAPOD["mass"] * (moving[3:] + [0, 0, G])
    moment = J @ moving[:3] + np.cross(omega, J @ omega)
    arms = top @ R.T
    along = arms + place.position - base
    along /= np.linalg.norm(along, axis=1)[:, None]
    matrix = np.vstack([along.T, np.cross(arms, along).T])
    return np.linalg.solve(matrix, np.concatenate([force, moment]))
