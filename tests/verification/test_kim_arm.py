"""Kim's two-link flexible arm on its spacecraft, and the antennas on its payload.

S.-W. Kim, Contact dynamics and force control of flexible multi-body systems, McGill 1999, Tables 6.2 and 6.3, sections
6.3 and 6.5. The spacecraft's centre of mass stays on its orbit, its attitude is free; planar; links 8.13 m, 163 kg,
EI 88,100 N m^2, clamped-free modes. Where the thesis gives no number, the digest's reading holds: the shoulder 1 m from
the centre of mass, the gripper's 2.3 kg at the tip, the antennas opposite each other at the payload's rim.
"""

import numpy as np
import pytest
from scipy.linalg import eigh

import jourdain as jd

LENGTH, SPEED, PAYLOAD = 8.13, 0.1, 884.3


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


def test_reach_of_table_6_3():
    """Tip 15 m from the shoulder, at 0.1 m/s along y, the gripper not turning."""
    model = arm(0)
    state = model.state(
        {"joint1": np.radians(67.3), "joint2": np.radians(45.4)},
        {"joint1": np.radians(0.911), "joint2": np.radians(-1.82), "wrist": np.radians(0.911)},
    )
    assert model.pose("gripper.origin", state).position == pytest.approx([1.0, 15.0, 0.0], abs=2e-3)
    velocity = model.velocity("gripper.origin", state)
    assert velocity[3:] == pytest.approx([-3e-4, 0.0997, 0.0], abs=1e-4)
    assert abs(velocity[2]) < 1e-4


START = {"joint1": np.radians(30.0), "joint2": np.radians(120.0)}
FINAL = {"joint1": np.arctan2(8.8175, 0.5) - np.arccos(np.hypot(8.8175, 0.5) / (2 * LENGTH))}
FINAL["joint2"] = 2 * np.arccos(np.hypot(8.8175, 0.5) / (2 * LENGTH))


@pytest.mark.parametrize(
    ("pose", "modes", "expected", "close"),
    [
        (START, 1, [15.74, 20.74], 1e-3),
        (FINAL, 1, [15.70, 20.5], 3e-3),
        (START, 2, [10.95], 1e-3),
    ],
    ids=["start", "final", "two modes"],
)
def test_frequencies_of_the_arm(pose, modes, expected, close):
    """Thesis: 16 rad/s with one mode a link; the digest's own: 15.74 and 20.74, 15.70 and 20.5, 10.95."""
    model = arm(modes)
    assert frequencies(model, model.state(pose).q)[: len(expected)] == pytest.approx(expected, rel=close)


def test_converged_frequency_of_the_arm():
    """Three static shapes reach what eight clamped-free modes crawl to: one mode errs by a half."""
    ours = [frequencies(m, m.state(START).q)[0] for m in (arm(3, basis="polynomial"), arm(5, basis="polynomial"))]
    assert ours[0] == pytest.approx(ours[1], rel=2e-3)
    assert frequencies(arm(8), arm(8).state(START).q)[0] == pytest.approx(ours[1], rel=2e-2)
    assert 1.4 < 15.74 / ours[1] < 1.5


@pytest.mark.parametrize(
    ("modes", "mass", "impulse", "energy"), [(0, 153.0, 26.0, 0.382), (1, 123.1, 21.5, 0.262), (2, 83.4, 15.2, 0.130)]
)
def test_impact_of_the_digest(modes, mass, impulse, energy):
    """Effective mass of the tip along y, impulse without loss on the free payload, and what the payload gets."""
    model = arm(modes)
    q = model.state({"joint1": np.radians(67.3), "joint2": np.radians(45.4)}).q
    J = model.jacobian("gripper.origin", q)[4]
    effective = 1.0 / (J @ np.linalg.solve(model.mass_matrix(q), J))
    p = 2 * 0.0997 * effective * PAYLOAD / (effective + PAYLOAD)
    assert effective == pytest.approx(mass, rel=2e-3)
    assert p == pytest.approx(impulse, rel=5e-3)
    assert p**2 / (2 * PAYLOAD) == pytest.approx(energy, rel=1e-2)


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


@pytest.mark.parametrize(
    ("joint", "modes", "hub", "expected"),
    [
        ("locked", 1, "held", [3.145, 3.145]),
        ("free", 5, "held", [13.79, 13.79]),
        ("locked", 1, "free", [3.248, 4.214]),
        ("free", 1, "free", [18.54, 18.74]),
        ("free", 3, "free", [13.90, 14.02]),
    ],
)
def test_frequencies_of_the_antennas(joint, modes, hub, expected):
    """Free joints ring much faster than locked ones, as the thesis says; the digest's numbers to 0.3 %."""
    model = antennas(joint, modes, hub)
    ours = frequencies(model, model.state().q)[:2]
    assert ours == pytest.approx(expected, rel=3e-3 if modes < 5 else 5e-3)


def test_arm_keeps_its_energy():
    """Swinging freely with its links bent, nothing gets lost; the spacecraft turns back against the arm."""
    model = arm(2)
    state = model.state({**START, "link1.bending_y[0]": 0.05}, {"joint1": 0.02, "joint2": -0.03})
    run = jd.simulate(model, state, until=5.0, progress=False)
    total = run.energy["total"].values
    assert np.max(np.abs(total - total[0])) < 1e-8 * total[0]
    begin, end = (model.momentum(run.state(i)).angular[2] for i in (0, -1))
    assert end == pytest.approx(begin, rel=1e-7)
