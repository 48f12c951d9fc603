"""Kim's two-link flexible arm on its spacecraft, and the antennas on its payload.

S.-W. Kim, Contact dynamics and force control of flexible multi-body systems, McGill 1999, Tables 6.2 and 6.3, sections
6.3 and 6.5. The spacecraft's centre of mass stays on its orbit, its attitude is free; planar; links 8.13 m, 163 kg,
EI 88,100 N m^2, clamped-free modes. Where the thesis gives no number, the digest's reading holds: the shoulder 1 m from
the centre of mass, the gripper's 2.3 kg at the tip, the antennas opposite each other at the payload's rim.
"""

import numpy as np
from scipy.linalg import eigh

import jourdain as jd
from jourdain.study.published import paper, rerun, theory

QUICK = ("numbers_reach", "numbers_frequencies", "numbers_impact", "numbers_antennas")
LENGTH, PAYLOAD = 8.13, 884.3


def arm(modes: int, **options) -> jd.Model:
    """Spacecraft, two links and the gripper's mass; `modes` a link, none for rigid ones."""
    system = jd.System("Kim's arm")
    craft = jd.RigidBody("craft", 1e5, inertia=(8e5, 8e5, 8e5), frames={"shoulder": (1, 0, 0)})
    system.add(craft, jd.Revolute("attitude", axis="z"))
    for i, to in ((1, "craft.shoulder"), (2, "link1.tip")):
        options = {"basis": "clamped-free", **options}
        link = jd.Beam(f"link{i}", LENGTH, 163 / LENGTH, 1e8, 88.1e3, 1e5, jd.Modes(bending_y=modes), **options)
        system.add(link, jd.Revolute(f"joint{i}", axis="z"), to=to)
    system.add(jd.RigidBody("gripper", 2.3, inertia=(0.18, 0.18, 0.18)), jd.Revolute("wrist", axis="z"), to="link2.tip")
    return system.compile()


def frequencies(model: jd.Model, q: np.ndarray) -> np.ndarray:
    """Elastic frequencies at rest, all joints free [rad/s], rising."""
    n = model.nv
    K = np.zeros((n, n))
    for j in range(n):
        step = np.zeros(n)
        step[j] = 1e-6
        K[:, j] = (model.bias(q + step, np.zeros(n)) - model.bias(q - step, np.zeros(n))) / 2e-6
    squares = eigh(0.5 * (K + K.T), model.mass_matrix(q), eigvals_only=True)
    return np.sqrt(squares[squares > 1e-2])


START = {"joint1": np.radians(30.0), "joint2": np.radians(120.0)}
FINAL = {"joint1": np.arctan2(8.8175, 0.5) - np.arccos(np.hypot(8.8175, 0.5) / (2 * LENGTH))}
FINAL["joint2"] = 2 * np.arccos(np.hypot(8.8175, 0.5) / (2 * LENGTH))


def antennas(joint: str, modes: int, hub: str = "free") -> jd.Model:
    """Two antennas of 5 m, 50 kg and EI 5e3 N m^2 on the payload, on hinges or locked."""
    system = jd.System("payload")
    payload = jd.RigidBody("payload", PAYLOAD, inertia=(2495, 2495, 2495))
    system.add(payload, jd.Planar("drift", normal="z") if hub == "free" else jd.Weld("held"))
    for i, side in enumerate((1.0, -1.0)):
        beam = jd.Beam(f"antenna{i}", 5.0, 10.0, 1e8, 5e3, 1e3, jd.Modes(bending_y=modes), basis="clamped-free")
        held = jd.Revolute(f"hinge{i}", axis="z") if joint == "free" else jd.Weld(f"lock{i}")
        turn = (1, 0, 0, 0) if side > 0 else (0, 0, 0, 1)
        system.add(beam, held, to="payload.origin", position=(2.5 * side, 0, 0), rotation=turn)
    return system.compile()


TABLE = (
    {"joint1": np.radians(67.3), "joint2": np.radians(45.4)},
    {"joint1": np.radians(0.911), "joint2": np.radians(-1.82), "wrist": np.radians(0.911)},
)


def numbers_reach():
    """Kim 1999, Table 6.3: where the tip is at the impact, and how fast."""
    model = arm(0)
    state = model.state(*TABLE)
    place, velocity = model.pose("gripper.origin", state).position, model.velocity("gripper.origin", state)
    yield rerun("tip from the shoulder", "m", [0.0, 15.0], [place[0] - 1.0, place[1]], 2e-3, at="xy")
    yield rerun("velocity of the tip", "m/s", [-3e-4, 0.0997], velocity[3:5], 1e-4, at="xy")
    yield paper("speed of the tip", "m/s", 0.1, velocity[4], 5e-4)
    total = np.radians(0.911 - 1.82 + 0.911)
    yield theory("turning of the gripper: the rates of the table added up", "rad/s", total, velocity[2], 1e-9)


def numbers_frequencies():
    """Kim 1999, 6.5: lowest frequencies of the arm with one and two modes a link."""
    one, two = arm(1), arm(2)
    first, final = (frequencies(one, one.state(pose).q)[:2] for pose in (START, FINAL))
    yield rerun("one mode, first pose", "rad/s", [15.74, 20.74], first, "0.1 %")
    yield rerun("one mode, final pose", "rad/s", [15.70, 20.5], final, "0.3 %")
    yield paper("one mode, final pose: the lowest", "rad/s", 16.0, final[0], 0.5)
    yield rerun("two modes, first pose", "rad/s", 10.95, frequencies(two, two.state(START).q)[0], "0.1 %")


def numbers_impact():
    """Kim 1999, 6.3: effective mass of the tip, and the impulse of an impact without loss on the payload."""
    for modes, mass, impulse, energy in ((0, 153.0, 26.0, 0.382), (1, 123.1, 21.5, 0.262), (2, 83.4, 15.2, 0.130)):
        model = arm(modes)
        q = model.state(TABLE[0]).q
        J = model.jacobian("gripper.origin", q)[4]
        effective = 1.0 / (J @ np.linalg.solve(model.mass_matrix(q), J))
        p = 2 * 0.0997 * effective * PAYLOAD / (effective + PAYLOAD)
        yield rerun(f"{modes} modes a link: effective mass", "kg", mass, effective, "0.2 %")
        yield rerun(f"{modes} modes a link: impulse", "N s", impulse, p, "0.5 %")
        yield rerun(f"{modes} modes a link: energy of the payload", "J", energy, p**2 / (2 * PAYLOAD), "1 %")


ANTENNAS = (
    ("locked", 1, "held", [3.145, 3.145]),
    ("free", 5, "held", [13.79, 13.79]),
    ("locked", 1, "free", [3.248, 4.214]),
    ("free", 1, "free", [18.54, 18.74]),
    ("free", 3, "free", [13.90, 14.02]),
)


def numbers_antennas():
    """Kim 1999, 6.3.3: frequencies of the antennas on the payload, joints free and locked."""
    for joint, modes, hub, expected in ANTENNAS:
        model = antennas(joint, modes, hub)
        ours = frequencies(model, model.state().q)[:2]
        yield rerun(
            f"joints {joint}, {modes} modes, hub {hub}", "rad/s", expected, ours, "0.3 %" if modes < 5 else "0.5 %"
        )
