"""Nodal bodies in loops: implicit steps with multipliers against explicit ones, and a net against its forces.

Generalized-alpha is of second order, also where positions (index 3) or velocities (index 2) of loops are met, so that
errors against a short explicit step fall by four when the step is halved.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import root
from scipy.spatial.transform import Rotation

import jourdain as jd


def strung():
    """A line between two points, which falls into its catenary."""
    system = jd.System("strung", gravity=(0.0, 0.0, -9.81))
    numbers = {"elements": 6, "root": "pinned", "damping": 1e-3, "frames": {"middle": 0.5}}
    rope = jd.Cable("line", 1.0, 0.78, 1e3, 1e-3, **numbers)
    system.add(rope, joint=jd.Weld("hold"))
    system.connect(jd.Spherical("end"), "line.tip", "world", position=(1.0, 0.0, 0.0))
    return system.compile(), {}


def carrying():
    """A strip on a turning hub, welded to a body that flies otherwise: entries besides those of the strip."""
    system = jd.System("carrying", gravity=(0.0, 0.0, -9.81))
    system.add(jd.RigidBody("hub", mass=1.0, inertia=(0.1, 0.1, 0.1)), joint=jd.Revolute("turn", axis="y"))
    strip = jd.Cable("line", 0.9, 0.78, 1e3, 1.0, elements=4, damping=1e-3)
    system.add(strip, joint=jd.Weld("on"), to="hub.origin", position=(0.1, 0.0, 0.0))
    bob = jd.RigidBody("bob", mass=0.4, com=(0.05, 0.02, 0.0), inertia=(0.01, 0.012, 0.013))
    system.add(bob, joint=jd.Free("fly"))
    system.connect(jd.Weld("end"), "line.tip", "bob.origin")
    return system.compile(), {"fly.x": 1.0}


def propped():
    """A rubber sheet, clamped at one side and held at two places of the other."""
    system = jd.System("propped", gravity=(0.0, 0.0, -9.81))
    rubber = jd.Material(1e8, 0.3, density=1000.0)
    numbers = {"elements": (2, 1), "damping": 2e-5, "held": {"x0": "clamped"}, "frames": {"middle": (0.15, 0.1)}}
    sheet = jd.Plate("sheet", (0.3, 0.2), 4e-3, rubber, **numbers)
    system.add(sheet, joint=jd.Weld("root"))
    for k, y in enumerate((0.0, 0.2)):
        system.connect(jd.Spherical(f"far_{k}"), f"sheet.0.3,{y}", "world", position=(0.3, y, 0.0))
    return system.compile(), {}


def braced():
    """A thick rod, clamped at one end and pinned to a body that flies otherwise at the other."""
    system = jd.System("braced", gravity=(0.0, 0.0, -9.81))
    rod = jd.NodalBeam(
        "rod", 1.0, 0.8, EA=1e3, EI=(2.0, 2.0), GJ=1.0, elements=3, inertia_per_length=2e-3, damping=1e-3
    )
    system.add(rod, joint=jd.Weld("clamp"))
    system.add(jd.RigidBody("bob", mass=0.3, inertia=(1e-3, 1e-3, 1e-3)), joint=jd.Free("fly"))
    system.connect(jd.Spherical("pin"), "rod.tip", "bob.origin")
    return system.compile(), {"fly.x": 1.0}


@pytest.mark.parametrize("form", ["index-3", "index-2"])
@pytest.mark.parametrize("build", [strung, carrying, propped, braced])
def test_implicit_steps_of_loops_are_of_second_order(build, form):
    model, start = build()
    state = model.state(q=start)
    told = {"until": 0.02, "output": 0.02, "progress": False}
    exact = jd.simulate(model, state, method="rk4", step=1e-5, **told)
    runs = [jd.simulate(model, state, method="generalized-alpha", step=h, form=form, **told) for h in (2e-4, 1e-4)]
    there, *places = (model.pose(MIDDLE[build], run.state(-1).q).position for run in (exact, *runs))
    errors = [np.max(np.abs(place - there)) for place in places]
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.05)
    for run in runs:
        assert run.options["gap"]["largest"] < 1e-9


MIDDLE = {strung: "line.middle", carrying: "bob.origin", propped: "sheet.middle", braced: "rod.tip"}


def test_the_work_of_a_driven_loop_is_booked():
    """A hub turns as told, and drags a slider by a strip: work of the motor less energy and loss is of second order."""
    system = jd.System("driven", gravity=(0.0, 0.0, -9.81))
    system.add(jd.RigidBody("hub", mass=1.0, inertia=(0.1, 0.1, 0.1)), joint=jd.Revolute("turn", axis="y"))
    strip = jd.Cable("line", 1.0, 0.78, 1e3, 1.0, elements=4, damping=1e-3)
    system.add(strip, joint=jd.Weld("on"), to="hub.origin", position=(0.1, 0.0, 0.0))
    system.add(jd.RigidBody("shoe", mass=0.5, inertia=(0.1, 0.1, 0.1)), joint=jd.Prismatic("slide", axis="x"))
    system.connect(jd.Spherical("end"), "line.tip", "shoe.origin")
    model = system.compile()
    told = {"until": 0.1, "output": 0.02, "motions": {"turn": jd.Cycloid(0.4, duration=0.2)}, "progress": False}
    start = model.state(q={"slide": 1.1})
    runs = [jd.simulate(model, start, method="generalized-alpha", step=h, **told) for h in (1e-3, 5e-4)]
    off = [np.max(np.abs(run.energy["balance"].values)) for run in runs]
    assert off[0] < 5e-3 * np.max(np.abs(runs[0].energy["work"].values))
    assert off[0] / off[1] == pytest.approx(4.0, rel=0.1)


WEIGHT, STIFF, TAUT, PART = 0.3 * 9.81, 30.0, 1.0, 1.0 / 3.0
"""Of the lines of a net: weight over length [N/m], EA and pre-tension [N], length between knots [m]."""


def spanned(force):
    """From the first end of a line of length PART to its second one [m], by the pull at the first [N]: an elastic
    catenary in space (Irvine 1981), whose stretch is (T - TAUT) / STIFF."""
    across, up = np.linalg.norm(force[:2]), np.array([force[2], force[2] + WEIGHT * PART])
    along = (1.0 - TAUT / STIFF) * np.diff(np.arcsinh(up / across))[0] / WEIGHT + PART / STIFF
    pull = np.hypot(across, up)
    rise = (1.0 - TAUT / STIFF) * np.diff(pull)[0] / WEIGHT + (force[2] + 0.5 * WEIGHT * PART) * PART / STIFF
    return np.array([force[0] * along, force[1] * along, rise])


def balanced():
    """Places of the four knots [m] and pulls at the first ends of the twelve parts [N], from the balance of forces
    alone: two lines along x, three parts each, then two along y."""

    def end(knots, d, k, j):
        """Where part j of line k along d begins."""
        if j in (0, 3):
            place = np.full(3, PART * (k + 1))
            place[d], place[2] = j / 3.0, 0.0
            return place
        return knots[(j - 1, k) if d == 0 else (k, j - 1)]

    def off(unknown):
        knots, pull = unknown[:12].reshape(2, 2, 3), unknown[12:].reshape(2, 2, 3, 3)
        left = [
            end(knots, d, k, j + 1) - end(knots, d, k, j) - spanned(pull[d, k, j])
            for d in (0, 1) for k in (0, 1) for j in (0, 1, 2)
        ]  # fmt: skip
        top = np.array([0.0, 0.0, WEIGHT * PART])
        for i in (0, 1):
            for j in (0, 1):
                left.append(pull[0, j, i + 1] - pull[0, j, i] - top + pull[1, i, j + 1] - pull[1, i, j] - top)
        return np.concatenate(left)

    knots = np.array([[[PART * (i + 1), PART * (j + 1), -0.2] for j in (0, 1)] for i in (0, 1)])
    pull = np.zeros((2, 2, 3, 3))
    for d in (0, 1):
        pull[d, :, :, d], pull[d, :, :, 2] = 3.0, [-2.0, 0.0, 1.0]
    found = root(off, np.concatenate([knots.ravel(), pull.ravel()]), tol=1e-13)
    assert found.success
    return found.x[:12].reshape(2, 2, 3), found.x[12:].reshape(2, 2, 3, 3)


def net(elements):
    """Four lines without stiffness to bending, two across two, on eight hooks; the parts have so many elements each."""
    system = jd.System("net", gravity=(0.0, 0.0, -9.81))
    for d in (0, 1):
        for k in (0, 1):
            name = f"{'xy'[d]}{k}"
            line = jd.Cable(name, 1.0, WEIGHT / 9.81, STIFF, 0.0, 3 * elements, pretension=TAUT, root="pinned",
                            frames={"k0": PART, "k1": 2.0 * PART})  # fmt: skip
            place, turned = np.zeros(3), Rotation.from_euler("z", 0.5 * np.pi * d).as_matrix()
            place[1 - d] = PART * (k + 1)
            system.add(line, joint=jd.Weld(f"hook_{name}"), position=place, rotation=turned)
            place[d] = 1.0
            system.connect(jd.Spherical(f"end_{name}"), f"{name}.tip", "world", position=place)
    for i in (0, 1):
        for j in (0, 1):
            system.connect(jd.Spherical(f"knot_{i}{j}"), f"x{j}.k{i}", f"y{i}.k{j}")
    return system.compile()


def test_a_hanging_net():
    """Equilibrium against the balance of forces of elastic catenaries, and implicit steps that leave it where it is.

    Knots are off by 2.1e-5, 1.2e-6, 2.3e-7 m with 1, 2, 3 elements a part: of fourth order.
    """
    knots, pull = balanced()
    model = net(2)
    found = model.equilibrium(model.state()).state
    for i in (0, 1):
        for j in (0, 1):
            for where in (f"x{j}.k{i}", f"y{i}.k{j}"):
                assert model.pose(where, found.q).position == pytest.approx(knots[i, j], abs=2e-6)
    run = jd.simulate(model, found, until=0.1, method="generalized-alpha", step=5e-3, output=0.1, progress=False)
    assert np.max(np.abs(run.state(-1).q - found.q)) < 1e-11
    at_end = np.array(pull[0, 0, 2]) + (0.0, 0.0, WEIGHT * PART)
    assert run.constraint["end_x0"].force.values[-1] == pytest.approx(at_end, rel=1e-4)


def double_pendulum(loop):
    """Two soft strips, one on the tip of the other, let go from the side: by a loop, or by the tree, where the second
    one's coordinates are in axes that the first one's tip carries."""
    numbers = {"length": 0.5, "mass_per_length": 0.5, "EA": 500.0, "EI": 5e-3, "elements": 3}
    system = jd.System("double", gravity=(0.0, 0.0, -9.81))
    system.add(jd.Cable("upper", **numbers, root="pinned"), joint=jd.Weld("hook"))
    if loop:
        system.add(jd.Cable("lower", **numbers, root="free"), joint=jd.Weld("on"), position=(0.5, 0.0, 0.0))
        system.connect(jd.Spherical("hinge"), "upper.tip", "lower.root")
    else:
        system.add(jd.Cable("lower", **numbers, root="pinned"), joint=jd.Weld("on"), to="upper.tip")
    return system.compile()


def test_a_falling_flexible_double_pendulum():
    tree, loop = double_pendulum(False), double_pendulum(True)
    told = {"until": 0.3, "output": 0.3, "progress": False}
    exact = jd.simulate(tree, tree.state(), method="rk4", step=1e-4, **told)
    there = tree.pose("lower.tip", exact.state(-1).q).position
    assert np.linalg.norm(there - (1.0, 0.0, 0.0)) > 0.4
    errors = []
    for step in (1e-3, 5e-4):
        run = jd.simulate(loop, loop.state(), method="generalized-alpha", step=step, **told)
        errors.append(np.linalg.norm(loop.pose("lower.tip", run.state(-1).q).position - there))
    assert errors[1] < 1e-4
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.1)
