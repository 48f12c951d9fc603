"""Reductions of constraints: papers of the NATO ASI "Virtual Nonlinear Multibody Systems", Prague 2002.

Aghili & Piedboeuf (orthogonal decomposition), Lefeber, Naudet, Terze & Daerden (canonical momenta), Negrut (block
elimination).
"""

from functools import cache

import numpy as np

import jourdain as jd
from jourdain.model.elimination import block_operations, joint_neighbours
from jourdain.study.published import paper, rerun

QUICK = ("numbers_momenta", "numbers_moving_pivot", "numbers_four_bar", "numbers_block_elimination")
# Uniform rods of 1 m and 1 kg, gravity along -y, relative angles from the horizontal; q = 0 and p = 0 at the start.
# Numbers computed from the Hamiltonian of this pendulum with an independent program, eight decimals.
LATER = {
    0.5: ((-0.95114778, 0.43099976, 0.63452885), (-20.48338682, -10.58031403, -2.32609766)),
    1.0: ((-1.80614323, -0.54180595, -0.13221921), (-24.69722202, -12.16021256, -3.11516042)),
    2.0: ((-2.08929486, -0.95546018, -1.1953873), (12.65089596, 5.20057023, -0.76263658)),
}
RATES = (0.50471834, -0.26722451, -0.05905447), (-42.15584955, -19.39569313, -4.41592956)
"""Momenta at q = (0.3, -0.5, 0.7) with rates (1, -2, 0.5), and their rates."""


def triple_pendulum() -> jd.Model:
    """Uniform rods of 1 m and 1 kg, relative angles from the horizontal."""
    system = jd.System("triple", gravity=(0.0, -9.81, 0.0))
    for i in range(3):
        rod = jd.RigidBody(f"rod{i}", 1.0, com=(0.5, 0, 0), inertia=(0.0, 1 / 12, 1 / 12), frames={"tip": (1, 0, 0)})
        system.add(rod, jd.Revolute(f"hinge{i}", axis="z"), to=f"rod{i - 1}.tip" if i else "world")
    return system.compile()


def numbers_momenta():
    """Lefeber, Naudet, Terze & Daerden 2002 (A 20): the triple pendulum in canonical momenta."""
    model = triple_pendulum()
    state = model.state((0.3, -0.5, 0.7), (1.0, -2.0, 0.5))
    yield rerun("momentum", "kg m²/s", RATES[0], model.momenta(state), 6e-9)
    yield rerun("its rate", "N m", RATES[1], model.hamilton_rates(state).momentum_rate, 6e-9)
    method = jd.constraints.Momenta()
    run = jd.simulate(model, model.state(), 2.0, output=0.5, constraints=method, rtol=1e-12, atol=1e-13)
    for time, (q, p) in LATER.items():
        there = run.state(round(2 * time))
        yield rerun(f"angle at {time:g} s", "rad", q, there.q, 2e-8)
        yield rerun(f"momentum at {time:g} s", "kg m²/s", p, model.momenta(there), 2e-7)


MASS, G = 1.5, 9.81
START = np.array([np.sin(0.5), -np.cos(0.5)])
"""Of the bob; the pivot is at 0.3 sin 2t and begins with the speed 0.6, so that the angle has none."""
AT_END = (-0.6268489, -0.8397171), (1.0675256, -0.3177913)


@cache
def literal(steps: int, sign: float = 1.0, correct: bool = True) -> tuple[np.ndarray, np.ndarray, float, float]:
    """Eq. 9, 15 and 21 as they stand, by the classical Runge-Kutta method to t = 3 s.

    sign    of R c in eq. 15; -1 is what the misprint of eq. 14 leads to. Returns x, its velocity, the multiplier of
    eq. 9 and the largest violation before a correction.
    """

    def parts(t, q):
        d = q - np.array([0.3 * np.sin(2 * t), 0.0])
        pivot = np.array([0.6 * np.cos(2 * t), 0.0])
        A = d[None]
        return A, np.array([-d @ pivot]), A.T @ np.linalg.inv(A @ A.T), pivot, d

    def rates(t, q, s):
        A, c, pinv, pivot, d = parts(t, q)
        P = np.eye(2) - pinv @ A
        v = s - pinv @ c
        A_rate = (v - pivot)[None]
        c_rate = -(v - pivot) @ pivot - d @ np.array([-1.2 * np.sin(2 * t), 0.0])
        force = np.array([0.0, -MASS * G])
        multiplier = np.linalg.solve(A @ A.T / MASS, A @ force / MASS + A_rate @ v + c_rate)
        R = A_rate.T @ np.linalg.inv(A @ A.T)
        Q = pinv @ A_rate
        return v, -P @ ((A.T @ multiplier - force) / MASS - sign * R @ c) - Q @ s, float(multiplier[0])

    h, t = 3.0 / steps, 0.0
    q = START.copy()
    A, c, pinv, _, _ = parts(0.0, q)
    s = (np.eye(2) - pinv @ A) @ np.array([0.6, 0.0])  # the bob moves with the pivot
    worst = 0.0
    for _ in range(steps):
        k = []
        for a in (0.0, 0.5, 0.5, 1.0):
            dq, ds = (0.0, 0.0) if not k else (a * h * k[-1][0], a * h * k[-1][1])
            k.append(rates(t + a * h, q + dq, s + ds))
        q = q + h / 6 * (k[0][0] + 2 * k[1][0] + 2 * k[2][0] + k[3][0])
        s = s + h / 6 * (k[0][1] + 2 * k[1][1] + 2 * k[2][1] + k[3][1])
        t += h
        for i in range(3 if correct else 1):
            _, _, pinv, _, d = parts(t, q)
            gap = 0.5 * (d @ d - 1.0)
            if i == 0:
                worst = max(worst, abs(gap))
            if correct:
                q = q - pinv[:, 0] * gap
        A, _, pinv, _, _ = parts(t, q)
        s = (np.eye(2) - pinv @ A) @ s
    v, _, multiplier = rates(t, q, s)
    return q, v, multiplier, worst


def moving_pivot() -> tuple[jd.Model, jd.State]:
    """The bob in (x, y), a rod, and a slide for the pivot that a constraint moves."""
    system = jd.System("pivot", gravity=(0.0, -G, 0.0))
    system.add(jd.RigidBody("slider", 0.0), jd.Prismatic("x", axis="x"))
    system.add(jd.RigidBody("bob", MASS), jd.Prismatic("y", axis="y"), to="slider.origin")
    system.add(jd.RigidBody("pivot", 1.0), jd.Prismatic("slide", axis="x"))
    system.connect(jd.constraints.Rod("rod", length=1.0), "bob.origin", "pivot.origin")
    system.couple("drive", {"slide": 1.0}, value=jd.Sine(0.3, 1.0 / np.pi, offset=0.0))
    model = system.compile()
    return model, model.state({"x": START[0], "y": START[1]}, {"x": 0.6, "y": 0.0, "slide": 0.6})


METHODS = {
    "projection": jd.constraints.Projection(),
    "orthogonal": jd.constraints.Orthogonal(),
    "unit": jd.constraints.Orthogonal("unit"),
    "uncorrected": jd.constraints.Orthogonal("unit", correct=False),
    "null space": jd.constraints.NullSpace(),
    "partitioning": jd.constraints.Partitioning(),
    "gradients": jd.constraints.ConjugateGradients(),
    "blocks": jd.constraints.ConjugateGradients(preconditioner="blocks"),
    "momenta": jd.constraints.Momenta(),
}


def numbers_moving_pivot():
    """Aghili & Piedboeuf 2002 (A 1): a pendulum on a pivot that moves, by orthogonal decomposition and others, 3 s."""
    model, state = moving_pivot()
    exact, errors = literal(2400)[1], []
    for steps in (150, 300, 2400):
        run = jd.simulate(model, state, 3.0, step=3.0 / steps, constraints=METHODS["unit"])
        errors.append(np.abs(run.record.v[-1, :2] - exact).max())
    yield rerun("place", "m", AT_END[0], run.record.q[-1, :2], 6e-8, at="xy")
    yield rerun("velocity", "m/s", AT_END[1], run.record.v[-1, :2], 6e-8, at="xy")
    rod = np.linalg.norm(run.constraint["rod"].force.values[-1])  # of a rod of 1 m: its multiplier in their rows
    yield rerun("multiplier", "N/m", 13.143282, rod, 1e-6)
    yield rerun("error of the velocity", "m/s", [1.3e-6, 8e-8], errors[:2], "15 %", at=("150 steps", "300 steps"))
    for name, method in METHODS.items():
        run = jd.simulate(model, state, 3.0, step=5e-3, constraints=method)
        yield rerun(f"place, {name}", "m", AT_END[0], run.record.q[-1, :2], 1e-6, at="xy")


def four_bar() -> tuple[jd.Model, jd.State]:
    """Bars of 0.20, 0.60, 0.50 and 0.55 m, released at a crank angle of 1 rad."""
    a, b, c, d = 0.20, 0.60, 0.50, 0.55
    system = jd.System("four-bar", gravity=(0.0, -9.81, 0.0))

    def bar(name, length, mass, inertia):
        return jd.RigidBody(name, mass, (length / 2, 0, 0), (0.0, inertia, inertia), frames={"tip": (length, 0, 0)})

    system.add(bar("crank", a, 0.3, 0.001), jd.Revolute("drive", axis="z"))
    system.add(bar("coupler", b, 0.8, 0.024), jd.Revolute("knee", axis="z"), to="crank.tip")
    system.add(bar("rocker", c, 0.7, 0.0146), jd.Revolute("rock", axis="z"), position=(d, 0, 0))
    system.connect(jd.Revolute("pin", axis="z"), "coupler.tip", "rocker.tip")
    model = system.compile()
    elbow = a * np.array([np.cos(1.0), np.sin(1.0)])
    way = np.array([d, 0.0]) - elbow
    reach = np.linalg.norm(way)
    x = (reach**2 + b**2 - c**2) / (2 * reach)
    top = elbow + x * way / reach + np.sqrt(b**2 - x**2) * np.array([-way[1], way[0]]) / reach
    coupler, rocker = np.arctan2(*(top - elbow)[::-1]), np.arctan2(top[1], top[0] - d)
    return model, model.state({"drive": 1.0, "knee": coupler - 1.0, "rock": rocker})


FOUR_BAR = {"crank": -4.0321194, "its rate": 3.3175188, "coupler": 0.5550680, "rocker": 1.9089687, "energy": 4.5598007}


def released(method) -> dict[str, float]:
    """The four-bar at 1 s, in the words of `FOUR_BAR`."""
    model, state = four_bar()
    run = jd.simulate(model, state, 1.0, step=5e-4, constraints=method)
    drive, knee, rock = run.record.q[-1]
    energy = run.record.energy[-1, :4].sum()
    return dict(zip(FOUR_BAR, (drive, run.record.v[-1, 0], drive + knee, rock, energy), strict=True))


def numbers_four_bar():
    """Aghili & Piedboeuf 2002 (A 1): a four-bar released from rest, at 1 s, by the multipliers and by their method."""
    units = {"its rate": "rad/s", "energy": "J"}
    for name in ("projection", "orthogonal"):
        ours = released(METHODS[name])
        for what, theirs in FOUR_BAR.items():
            close = 1e-5 if what == "its rate" else 5e-6 if what == "energy" else 1e-6
            yield rerun(f"{name}: {what}", units.get(what, "rad"), theirs, ours[what], close)


ANDREWS = [
    ("world", "K1"), ("K1", "K2"), ("K3", "K6"), ("K2", "K3"), ("K2", "K4"),
    ("K4", "K5"), ("world", "K5"), ("world", "K7"), ("K6", "K7"), ("world", "K3"),
]  # fmt: skip
ORDERS = {(1, 2, 7, 6, 5, 8, 9, 3, 4, 10): (35, 35, 21, 0), (4, 2, 3, 5, 6, 9, 1, 7, 8, 10): (111, 130, 40, 19)}


def numbers_block_elimination():
    """Negrut 2002 (B 4): block operations for Andrews' squeezer in two orders of its joints."""
    near, counts = joint_neighbours(ANDREWS), ("additions", "multiplications", "inversions", "fill-in")
    chosen = "the figure that numbers the joints is lost; they are numbered so that this order has these counts"
    for order, theirs in ORDERS.items():
        ours = block_operations(near, [i - 1 for i in order])[:4]
        more = {"other": chosen, "known": theirs} if theirs[3] else {}
        yield paper(f"order {' '.join(map(str, order))}", "", theirs, ours, 0, at=counts, **more)
