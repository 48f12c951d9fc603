"""Chen's ground prototype (UBC 1999, chapter 7): its equations, and the efforts of the line and of the circles."""

import numpy as np
import pytest

import jourdain as jd

ARM, EXTENSION, STROKE = 0.33, 0.31, 0.166  # [m]
SLEWING, DEPLOYED = (4.30, 2.20), 0.20  # [kg]


def prototype() -> jd.Model:
    system, to = jd.System("prototype"), "world"
    for i, mass in enumerate(SLEWING, 1):
        across, light = mass * ARM**2 / 12, DEPLOYED * EXTENSION**2 / 12
        system.add(
            jd.RigidBody(f"arm{i}", mass, (ARM / 2, 0, 0), (0, across, across)),
            jd.Revolute(f"slew{i}", axis="z"),
            to=to,
        )
        extension = jd.RigidBody(f"extension{i}", DEPLOYED, (-EXTENSION / 2, 0, 0), (0, light, light))
        system.add(extension, jd.Prismatic(f"length{i}", axis="x"), to=f"arm{i}.origin")
        to = f"extension{i}.origin"
    return system.compile()


def equations(q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """M and h of the digest's section 2.15, the thesis's (7.1) to (7.4) corrected."""
    _, l1, b2, l2 = q
    db1, dl1, db2, dl2 = v
    (m_s1, m_s2), m_d = SLEWING, DEPLOYED
    I_s1, I_s2, I_d = m_s1 * ARM**2 / 12, m_s2 * ARM**2 / 12, m_d * EXTENSION**2 / 12
    c1, c2, s, c = l1 - EXTENSION / 2, l2 - EXTENSION / 2, np.sin(b2), np.cos(b2)
    B = m_s2 * ARM / 2 + m_d * c2
    G = m_d * c1 + (m_s2 + m_d) * l1 + B * c
    M = np.zeros((4, 4))
    own = I_s2 + I_d + m_s2 * ARM**2 / 4 + m_d * c2**2
    M[0, 0] = I_s1 + I_d + m_s1 * ARM**2 / 4 + m_d * c1**2 + own + (m_s2 + m_d) * l1**2 + 2 * l1 * B * c
    M[0, 1:] = -B * s, own + l1 * B * c, m_d * l1 * s
    M[1, 1:] = m_d + m_s2 + m_d, -B * s, m_d * c
    M[2, 2], M[3, 3] = own, m_d
    M += np.triu(M, 1).T
    turn = dl2 * (db1 + db2)
    h = [
        -2 * l1 * B * s * db1 * db2 - l1 * B * s * db2**2 + 2 * G * dl1 * db1 + 2 * m_d * (c2 + l1 * c) * turn,
        -G * db1**2 - B * c * (db2**2 + 2 * db1 * db2) - 2 * m_d * s * turn,
        l1 * B * s * db1**2 + 2 * B * c * dl1 * db1 + 2 * m_d * c2 * turn,
        -m_d * (c2 + l1 * c) * db1**2 - m_d * c2 * (db2**2 + 2 * db1 * db2) + 2 * m_d * s * dl1 * db1,
    ]
    return M, np.array(h)


def test_the_equations_of_the_prototype():
    model = prototype()
    numbers = np.random.default_rng(3)
    for _ in range(5):
        q, v = numbers.uniform(-1, 1, 4) + [0, 1.4, 0, 1.4], numbers.uniform(-1, 1, 4)
        M, h = equations(q, v)
        assert model.mass_matrix(q) == pytest.approx(M, abs=1e-13)
        assert model.bias(q, v) == pytest.approx(h, abs=1e-13)


def polar(P: np.ndarray, dP: np.ndarray, ddP: np.ndarray) -> np.ndarray:
    """Slew and length of module 2, their rates and accelerations (6,), for a tip at P from its joint."""
    l, b = np.hypot(*P), np.arctan2(P[1], P[0])
    e, n = np.array([np.cos(b), np.sin(b)]), np.array([-np.sin(b), np.cos(b)])
    dl, db = e @ dP, n @ dP / l
    return np.array([b, l, db, dl, (n @ ddP - 2 * dl * db) / l, e @ ddP + l * db * db])


def line() -> np.ndarray:
    out = []
    for x in np.linspace(0, 1, 801):
        w = 2 * np.pi * x
        rise = (0.2 * (x - np.sin(w) / (2 * np.pi)), 0.05 * (1 - np.cos(w)), 0.025 * np.pi * np.sin(w))
        out.append(polar(np.array([0.415, rise[0]]), np.array([0, rise[1]]), np.array([0, rise[2]])))
    return np.array(out)


def circle(w: float, r: float = 0.1) -> np.ndarray:
    out = []
    for x in np.linspace(0, 2 * np.pi, 2001):
        c, s = np.cos(x), np.sin(x)
        place = np.array([0.415 + r - r * c, r * s])
        out.append(polar(place, r * w * np.array([s, c]), r * w * w * np.array([c, -s])))
    return np.array(out)


@pytest.mark.parametrize(
    ("path", "angle", "stroke", "speed", "torque", "force", "rods"),
    [
        (line(), 25.73, 45.7, 0.0287, 12.4, 6.1, 17.86),
        (circle(0.1 * np.pi), 11.20, 200.0, 0.0314, 1.6, 2.15, 2.199),
        (circle(0.2 * np.pi), 11.20, 200.0, 0.0628, 6.5, 8.61, 8.797),
        (circle(0.209), 11.20, 200.0, 0.0209, 0.7, 0.952, 0.973),
    ],
    ids=["line", "20 s", "10 s", "30 s"],
)
def test_efforts_along_the_paths(path, angle, stroke, speed, torque, force, rods):
    """Digest: angle, stroke, speed and milli-newton-metres, with the inertia of the swing tests, 0.066 kg m^2 retracted
    and 0.028 more over the stroke (eq. 7.7); the rods of the control model weigh half as much again."""
    model = prototype()
    b, l, db, dl, ddb, ddl = path.T
    assert np.degrees(np.max(np.abs(b))) == pytest.approx(angle, abs=0.005)
    assert 1e3 * np.ptp(l) == pytest.approx(stroke, abs=0.05)
    assert np.max(np.abs(dl)) == pytest.approx(speed, abs=1e-4)
    swing = 0.066 + 0.028 / STROKE * (l - 0.415)
    turned = swing * ddb + 2 * DEPLOYED * (l - EXTENSION / 2) * dl * db
    assert 1e3 * np.max(np.abs(turned)) == pytest.approx(torque, abs=0.05)
    efforts = np.array(
        [
            model.inverse_dynamics(
                model.state([0, 0.4, row[0], row[1]], [0, 0, row[2], row[3]]), [0, 0, row[4], row[5]]
            )
            for row in path[:: max(1, len(path) // 400)]
        ]
    )
    assert 1e3 * np.max(np.abs(efforts[:, 3])) == pytest.approx(force, rel=0.01)
    assert 1e3 * np.max(np.abs(efforts[:, 2])) == pytest.approx(rods, rel=2e-3)


def double_pendulum(points: bool) -> jd.Model:
    """Section 7.4: two locked modules of 1.38 m hang in gravity, as uniform rods or as point masses at their ends."""
    system = jd.System("locked modules", gravity=(0.0, -9.81, 0.0))
    mass, length = 1.38, 1.38
    across = 0.0 if points else mass * length**2 / 12.0
    centre = length if points else 0.5 * length
    to, turn = "world", np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    for i in (1, 2):
        rod = jd.RigidBody(f"rod{i}", mass, (centre, 0, 0), (0.0, across, across), frames={"tip": (length, 0, 0)})
        system.add(rod, jd.Revolute(f"b{i}", axis="z"), to=to, rotation=turn)
        to, turn = f"rod{i}.tip", None
    return system.compile()


@pytest.mark.parametrize(("points", "low", "high"), [(True, 2.0406, 4.9265), (False, 2.2815, 6.1194)])
def test_double_pendulum(points, low, high):
    """7-9: the thesis quotes 4.926 rad/s, the out-of-phase mode of point masses; digest for both, to its digits."""
    model = double_pendulum(points)
    found = model.frequencies(model.state())
    assert found.rad == pytest.approx([low, high], rel=3e-5)
    ratios = found.shapes[0] / (found.shapes[0] + found.shapes[1])
    expected = (np.sqrt(0.5), -np.sqrt(0.5)) if points else (0.6991, -0.4768)
    assert ratios.real == pytest.approx(expected, rel=2e-4)


def test_energy_of_the_double_pendulum():
    """7-8: from 80 degrees at rest; the thesis has an error below 1e-7 %."""
    model = double_pendulum(False)
    run = jd.simulate(model, model.state(q={"b1": np.radians(80.0)}), until=20.0, output=0.05)
    swing = np.ptp(run.energy["gravity"].values)
    assert np.max(np.abs(run.energy["balance"].values)) < 1e-8 * swing


@pytest.mark.parametrize(
    ("mass", "arm", "period", "inertia"),
    [
        (4.5, 0.276, 1.343, 0.557),
        (4.5, 0.322, 1.444, 0.750),
        (4.5, 0.373, 1.560, 1.015),
        (2.4, 0.106, 1.021, 0.066),
        (2.4, 0.119, 1.063, 0.080),
        (2.4, 0.129, 1.109, 0.094),
    ],
)
def test_swing_tests(mass, arm, period, inertia):
    """Table 7-1: I = m g l T^2 / 4 pi^2; three digits of the inertia are half of that in the period."""
    system = jd.System("swing", gravity=(0.0, -9.81, 0.0))
    own = inertia - mass * arm**2
    body = jd.RigidBody("module", mass, (0.0, -arm, 0.0), (own, own, own))
    system.add(body, jd.Revolute("pivot", axis="z"))
    model = system.compile()
    found = 1.0 / model.frequencies(model.state()).hz[0]
    assert found == pytest.approx(period, rel=0.5 * (0.5e-3 / inertia + 0.5e-3 / arm) + 0.5e-3 / period)
