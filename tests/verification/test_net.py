"""`jd.Net`: how it hangs, against bars and point masses in SciPy; what it touches; what it refuses."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

import jourdain as jd
from jourdain.basics.errors import ModelError
from jourdain.constraints import Spring
from jourdain.contact import LinearContact

WEIGHT, EA, G = 0.1, 200.0, 9.81
HELD = 0.8 * np.array([(0.0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]) + (0.1, 0.1, 0.0)


def bars(meshes: int = 2, parts: int = 8) -> np.ndarray:
    """Knots (meshes + 1, meshes + 1, 3) of a square net of strings of length 1 that hangs on its corners.

    Independent of cables: point masses and elastic bars, `parts` a side, knots shared; least energy.
    """
    n = meshes * parts + 1
    number = -np.ones((n, n), int)
    lines = np.zeros((n, n), bool)
    lines[::parts, :] = lines[:, ::parts] = True
    number[lines] = np.arange(lines.sum())
    ends = [(number[i, j], number[i + 1, j]) for j in range(0, n, parts) for i in range(n - 1)]
    ends += [(number[i, j], number[i, j + 1]) for i in range(0, n, parts) for j in range(n - 1)]
    a, b = np.array(ends).T
    rest = 1.0 / (n - 1)
    mass = np.zeros(lines.sum())
    np.add.at(mass, np.array(ends).ravel(), 0.5 * WEIGHT * rest)
    grid = np.argwhere(lines) / (n - 1)
    start = np.column_stack([0.1 + 0.8 * grid, -1.2 * (grid * (1.0 - grid)).sum(axis=1)])
    fixed = [number[0, 0], number[-1, 0], number[-1, -1], number[0, -1]]
    free = np.setdiff1d(np.arange(len(start)), fixed)
    start[fixed] = HELD

    def energy(x: np.ndarray) -> tuple[float, np.ndarray]:
        p = start.copy()
        p[free] = x.reshape(-1, 3)
        d = p[b] - p[a]
        length = np.linalg.norm(d, axis=1)
        pull = EA / rest * (length - rest)
        slope = np.zeros_like(p)
        np.add.at(slope, b, (pull / length)[:, None] * d)
        np.add.at(slope, a, -(pull / length)[:, None] * d)
        slope[:, 2] += G * mass
        return float(0.5 * EA / rest * np.sum((length - rest) ** 2) + G * mass @ p[:, 2]), slope[free].ravel()

    found = minimize(
        energy, start[free].ravel(), jac=True, method="L-BFGS-B",
        options={"maxiter": 100_000, "maxfun": 200_000, "ftol": 1e-16, "gtol": 1e-9, "maxcor": 50},
    )  # fmt: skip
    start[free] = found.x.reshape(-1, 3)
    return start[number[::parts, ::parts]]


def hung(elements: int) -> tuple[jd.Net, jd.Model, jd.State]:
    net = jd.Net("net", (1.0, 1.0), (2, 2), WEIGHT, EA=EA, EI=1e-6, elements=elements, knot=1e5)
    system = jd.System("hung", gravity=(0, 0, -G))
    net.put(system)
    for k, corner in enumerate(net.corners):
        system.connect(Spring(f"hold{k}", stiffness=1e5, length=0.0), corner, "world", position=HELD[k])
    model = system.compile()
    start = net.laid(lambda x, y: (0.1 + 0.8 * x, 0.1 + 0.8 * y, -1.2 * (x * (1 - x) + y * (1 - y))))
    return net, model, model.state(q=start)


def knots(net: jd.Net, model: jd.Model, state: jd.State) -> np.ndarray:
    m, n = net.meshes
    return np.array([[model.pose(net.knot_at(i, j), state).position for j in range(n + 1)] for i in range(m + 1)])


@pytest.mark.slow
@pytest.mark.parametrize(("elements", "most"), [(2, 4e-4), (4, 2e-4)])
def test_it_hangs_as_bars_and_masses_do(elements, most):
    """Strings have kinks at the knots, cables are round there over sqrt(EI / tension), here 1 mm; the error of the bars
    is of second order, and taken off."""
    net, model, state = hung(elements)
    found = knots(net, model, model.equilibrium(state).state)
    wanted = (4.0 * bars(parts=16) - bars(parts=8)) / 3.0
    assert wanted[1, 1, 2] < -0.3
    assert np.max(np.abs(found - wanted)) < most


def test_a_net_catches_a_ball_and_keeps_momentum():
    """A net that flies, a heavy ball that flies into it: nothing holds either."""
    net = jd.Net("net", (0.6, 0.6), (2, 2), 0.05, EA=60.0, EI=1e-4, elements=2, damping=5e-4, radius=0.01)
    system = jd.System("catch")
    net.put(system)
    system.add(
        jd.RigidBody.from_shape("ball", jd.Sphere(0.12), density=50.0), joint=jd.Free("f"), position=(0.31, 0.29, 0.14)
    )
    net.touch(system, "caught", jd.Sphere(0.12).at("ball.origin"), LinearContact(500.0, 0.5))
    model = system.compile()
    run = jd.simulate(
        model, model.state(v={"f.vz": -1.0}), until=0.1, method="rk4", step=5e-5, output=5e-3, progress=False
    )
    record = run.record
    first, last = (np.ravel(model.momentum(model.state(q=record.q[i], v=record.v[i]))) for i in (0, -1))
    moved = np.abs(last - first)  # rk4 keeps linear momentum exactly, angular momentum to its order
    assert np.max(moved[3:]) < 1e-12 and np.max(moved[:3]) < 1e-6
    assert run.contact["caught_x1"].force.values[:, 2].min() < 0.0
    assert abs(run.v["f.vz"].values[-1]) < 0.95
    spread = [run.model.pose(one, record.q[-1]).position[2] for one in (net.knot_at(1, 1), net.knot_at(0, 0))]
    assert spread[0] < spread[1] - 1e-3  # the middle is carried along


def test_a_net_is_pressed_onto_a_soft_block():
    """Nodes of the threads on the facets of a solid; both fly, and linear momentum is kept."""
    soft = jd.Solid(
        "block", jd.mesh.block((0.3, 0.3, 0.1), (2, 2, 1)), jd.Material(E=1e6, nu=0.3, density=100.0), modes=3,
        surfaces={"top": lambda x: x[2] > 0.0999},
    )  # fmt: skip
    net = jd.Net("net", (0.6, 0.6), (2, 2), 0.05, EA=60.0, EI=1e-4, elements=2, damping=5e-4, radius=0.01)
    system = jd.System("press")
    system.add(soft, joint=jd.Free("f"))
    net.put(system, position=(-0.15, -0.15, 0.111))
    net.touch(system, "touch", soft.surface("top"), LinearContact(500.0, 0.5))
    model = system.compile()
    down = {name: -1.0 for name in model.names.v if name.startswith("net_") and ".z[" in name}
    run = jd.simulate(model, model.state(v=down), until=0.02, method="rk4", step=5e-5, output=1e-3, progress=False)
    record = run.record
    first, last = (np.ravel(model.momentum(model.state(q=record.q[i], v=record.v[i]))) for i in (0, -1))
    assert np.max(np.abs(last - first)[3:]) < 1e-12
    assert run.v["f.vz"].values[-1] < -1e-3 and run.contact["touch_y1"].depth.values.max() > 1e-4


def test_a_folded_net_does_not_pass_through_itself():
    """Folded over, its upper half flies down at its lower one, which it would be 10 mm below at the end; knots, where
    its threads are always at one place, do not count."""
    net = jd.Net("net", (0.6, 0.3), (4, 2), 0.05, EA=60.0, EI=1e-4, elements=2, damping=5e-4, radius=0.005)
    system = jd.System("folded")
    net.put(system)
    net.touch_itself(system, "self", LinearContact(500.0, 0.5))
    model = system.compile()
    radius = 0.02
    turn = 0.5 * (0.6 - np.pi * radius)

    def place(x: float, y: float) -> tuple[float, float, float]:
        """A flat part, half a circle, and a part above the first that is turned a little, so that threads cross."""
        a = np.clip((x - turn) / radius, 0.0, np.pi)
        back = max(x - turn - np.pi * radius, 0.0)
        return min(x, turn) + radius * np.sin(a) - back, y + 0.15 * back, radius - radius * np.cos(a)

    flat = jd.simulate(model, model.state(), until=1e-3, method="rk4", step=5e-5, progress=False)
    assert flat.contact["self"].sites.values.max() == 0
    q = net.laid(place)
    down = {name: -1.0 for name, value in q.items() if ".z[" in name and value > 1.9 * radius}
    run = jd.simulate(model, model.state(q=q, v=down), until=0.05, method="rk4", step=5e-5, output=5e-3, progress=False)
    record = run.record
    first, last = (np.ravel(model.momentum(model.state(q=record.q[i], v=record.v[i]))) for i in (0, -1))
    moved = np.abs(last - first)
    assert np.max(moved[3:]) < 1e-12 and np.max(moved[:3]) < 1e-6
    touched = run.contact["self"]
    assert touched.sites.values.max() > 2 and 0.0 < touched.depth.values.max() < 0.005
    heights = [[model.pose(net.knot_at(i, j), record.q[-1]).position[2] for j in range(3)] for i in (0, 4)]
    assert np.min(np.subtract(heights[1], heights[0])) > 0.0


def sides_of(net: jd.Net, model: jd.Model, q: np.ndarray) -> list[np.ndarray]:
    """Chords (2, 3) of all elements of a net [m]."""
    lines = [[model.pose(f"{name}.place[{k}]", q).position for k in range(5)] for name in net.cables]
    return [np.array(line[k : k + 2]) for line in lines for k in range(4)]


def height_over(low: np.ndarray, high: np.ndarray) -> float | None:
    """How far the second chord is above the first where they cross in plan [m]; None where they do not."""
    ways = np.column_stack([low[1] - low[0], high[0] - high[1]])
    s, t = np.linalg.solve(ways[:2], (high[0] - low[0])[:2])
    if not (0.0 <= s <= 1.0 and 0.0 <= t <= 1.0):
        return None
    return float((high[0] + t * (high[1] - high[0]) - low[0] - s * (low[1] - low[0]))[2])


def test_two_nets_fly_at_each_other_and_do_not_pass():
    """One net flies down at another that lies across below it; without contact it would be 15 mm below at the end. What
    one loses the other gets, and wherever threads of both cross in plan, that of the upper net is above still."""
    told = dict(size=(0.4, 0.4), meshes=(2, 2), mass_per_length=0.05, EA=60.0, EI=1e-4, elements=2, damping=5e-4)
    low, high = (jd.Net(name, **told, radius=0.005) for name in ("low", "high"))
    system = jd.System("nets")
    low.put(system)
    c, s = np.cos(0.5), np.sin(0.5)
    high.put(system, position=(0.25, -0.05, 0.015), rotation=np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]]))
    system.collide("nets", [*low.surfaces, *high.surfaces], LinearContact(500.0, 0.5))
    model = system.compile()
    down = {name: -1.0 for name in model.names.v if name.startswith("high_") and ".z[" in name}
    run = jd.simulate(model, model.state(v=down), until=0.03, method="rk4", step=5e-5, output=3e-3, progress=False)
    record = run.record
    first, last = (np.ravel(model.momentum(model.state(q=record.q[i], v=record.v[i]))) for i in (0, -1))
    moved = np.abs(last - first)
    assert np.max(moved[3:]) < 1e-12 and np.max(moved[:3]) < 1e-6
    touched = run.contact["nets"]
    assert touched.sites.values.max() > 2 and 0.0 < touched.depth.values.max() < 0.005
    assert np.mean(knots(low, model, run.state(-1))[..., 2]) < -1e-3
    below, above = (sides_of(net, model, record.q[-1]) for net in (low, high))
    gaps = [gap for one in below for other in above if (gap := height_over(one, other)) is not None]
    assert len(gaps) > 5 and min(gaps) > 0.0


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ({"size": (1.0, 0.0)}, "size"),
        ({"meshes": (2, 0)}, "two whole numbers of 1 or more"),
        ({"EA": -1.0}, "EA"),
        ({"knot": -1.0}, "knot"),
    ],
)
def test_bad_input_is_refused(told, words):
    given = {"size": (1.0, 1.0), "meshes": (2, 2), "mass_per_length": 0.1, "EA": 100.0, "EI": 1e-4} | told
    with pytest.raises(ModelError, match=words):
        jd.Net("net", **given)
    net = jd.Net("net", (1.0, 1.0), (2, 2), 0.1, EA=100.0, EI=1e-4)
    with pytest.raises(ModelError, match="has no knot"):
        net.knot_at(3, 0)
    with pytest.raises(ModelError, match="no radius"):
        net.touch(jd.System("s"), "c", jd.Sphere(0.1).at("world"), LinearContact(1e3, 0.0))
