"""Rows of the constraints: what they are, their Jacobian, rates, accelerations and transposed, by differences."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import Case, random_body, random_joint, random_pose, systems

import jourdain as jd
from jourdain.describe.bodies import Body
from jourdain.describe.description import from_dict, to_dict
from jourdain.kernels.constraints.entry_points import constrained_accelerations
from jourdain.model.displacement import moved
from jourdain.model.kernel_calls import call

KINDS = {
    "revolute": lambda: jd.Revolute("c", axis=(1.0, 2.0, -0.5)),
    "prismatic": lambda: jd.Prismatic("c", axis=(0.3, -1.0, 0.2)),
    "cylindrical": lambda: jd.Cylindrical("c", axis=(0.3, 1.0, 2.0)),
    "universal": lambda: jd.Universal("c", axes=((1.0, 0.2, 0.0), (0.3, 1.0, 0.5))),
    "spherical": lambda: jd.Spherical("c"),
    "planar": lambda: jd.Planar("c", normal=(1.0, 0.4, 0.3)),
    "screw": lambda: jd.Screw("c", axis=(0.1, 0.2, 1.0), pitch=0.13),
    "weld": lambda: jd.Weld("c"),
    "rod": lambda: jd.constraints.Rod("c"),
    "disk": lambda: jd.constraints.Rolling("c", radius=0.3, axis=(0.2, 1.0, 0.1)),
    "ball": lambda: jd.constraints.Rolling("c", radius=0.3),
    "no-slip": lambda: jd.constraints.NoSlip("c", direction=(0.3, 1.0, 0.0)),
}
ROWS = dict(
    revolute=5, prismatic=5, cylindrical=4, universal=4, spherical=3, planar=3, screw=5, weld=6, rod=1, disk=3, ball=3
) | {"no-slip": 1}
MOVES = (jd.Sine(0.2, 0.7, offset=0.1), None, jd.Polynomial([0.1, 0.3, -0.2]))


def beam(name: str) -> jd.Beam:
    return jd.Beam(
        name,
        length=1.1,
        mass_per_length=2.0,
        EA=1e5,
        EI=(40.0, 60.0),
        GJ=30.0,
        modes=jd.Modes(bending_y=2, bending_z=1, torsion=1),
        frames={"inner": 0.6},
    )


def system(where: str, seed: int) -> tuple[jd.System, tuple[str, str]]:
    """A branched tree, and two addresses on different branches that do not end at the world."""
    rng = np.random.default_rng(seed)
    orbit = jd.Orbit(altitude=400e3, eccentricity=0.05) if where == "orbit" else None
    one = jd.System("tree", environment=orbit)

    def add(body: Body, kind: str, to: str) -> None:
        pose = random_pose(rng)
        joint = random_joint(rng, kind, f"{body.name}-{kind}", passive=False, friction=False)
        one.add(body, joint, to=to, position=pose.position, rotation=pose.rotation)

    def rigid(name: str) -> jd.RigidBody:
        return random_body(rng, name)

    add(rigid("base"), "free" if seed % 2 else "planar", "world")
    if where == "rigid":
        add(rigid("a1"), "revolute", "base.tip")
    else:
        add(beam("a1"), "universal", "base.tip")
    add(rigid("a2"), "spherical", "a1.tip")
    add(rigid("b1"), "cylindrical", "base.tip")
    if where == "rigid":
        add(rigid("b2"), "prismatic", "b1.tip")
    else:
        add(beam("b2"), "revolute", "b1.tip")
    return one, ("a2.tip", "b2.tip")


def random_state(model: jd.Model, seed: int) -> jd.State:
    rng = np.random.default_rng(100 + seed)
    q = moved(model, model.neutral.copy(), 0.5 * rng.uniform(-1.0, 1.0, model.nv))
    return model.state(q=q, v=rng.uniform(-1.0, 1.0, model.nv), time=0.37)


def close(found: np.ndarray, wanted: np.ndarray, tolerance: float) -> None:
    np.testing.assert_allclose(
        found, wanted, rtol=0.0, atol=tolerance * max(1.0, float(np.max(np.abs(wanted), initial=0.0)))
    )


def check_rows(model: jd.Model, state: jd.State) -> None:
    """All that a model's rows promise, by central differences of step h: errors of h^2 and eps / h."""
    c, h = model.constraints, 1e-5
    A = c.jacobian(state)
    table = c.table(state.q, state.v, state.time).array
    holonomic = c.holonomic

    def residual(increment: np.ndarray, time: float) -> np.ndarray:
        return c.residual(moved(model, state.q, increment), time)

    for k in range(model.nv):
        step = np.zeros(model.nv)
        step[k] = h
        slope = (residual(step, state.time) - residual(-step, state.time)) / (2.0 * h)
        close(A[holonomic, k], slope[holonomic], 2e-8)
    forward = residual(h * state.v, state.time + h) - residual(-h * state.v, state.time - h)
    close(c.rate(state)[holonomic], forward[holonomic] / (2.0 * h), 2e-8)
    close(c.rate(state), A @ state.v + c.drift(state.time, state.q), 1e-12)

    rng = np.random.default_rng(5)
    acceleration = rng.uniform(-1.0, 1.0, model.nv)

    def flow(s: float) -> np.ndarray:
        q = moved(model, state.q, s * state.v + 0.5 * s * s * acceleration)
        return c.rate(jd.State(state.time + s, q, state.v + s * acceleration))

    close(c.bias(state), (flow(h) - flow(-h)) / (2.0 * h) - A @ acceleration, 1e-7)

    force, effort = rng.uniform(-1.0, 1.0, c.rows), rng.uniform(-1.0, 1.0, model.nv)
    close(c.transposed(state, force), A.T @ force, 1e-13)
    found, rates = np.zeros(model.nv), np.zeros(c.rows)
    call(constrained_accelerations, model, state.time, state.q, state.v, force, effort, np.zeros(0), found, rates)
    close(found, model.forward_dynamics(state, effort + A.T @ force), 1e-10)
    close(rates, A @ found + c.bias(state), 1e-10)
    assert np.all(np.isfinite(table))


@pytest.mark.parametrize("to", ["world", "b2.tip"])
@pytest.mark.parametrize("kind", [*KINDS, "spring"])
def test_a_place_of_its_own_is_a_frame_that_was_welded_there(kind: str, to: str) -> None:
    """The same rows, and the same force of a spring, from a position and rotation as from a body welded there."""
    models, place = [], random_pose(np.random.default_rng(3))
    moves = MOVES if kind in ("revolute", "weld", "rod") else None
    for own in (True, False):
        one, (first, _) = system("rigid", seed=4)
        peg = jd.RigidBody("peg", 0.3, inertia=(0.1, 0.1, 0.1))
        one.add(peg, jd.Weld("peg-weld"), to=to, position=place.position, rotation=place.rotation)
        element = jd.constraints.Spring("c", stiffness=30.0, damping=2.0) if kind == "spring" else KINDS[kind]()
        if own:
            one.connect(element, first, to, moves=moves, position=place.position, rotation=place.rotation)
        else:
            one.connect(element, first, "peg.origin", moves=moves)
        models.append(one.compile())
    state = random_state(models[0], 2)
    assert models[0].frame_names == models[1].frame_names
    close(models[0].forward_dynamics(state), models[1].forward_dynamics(state), 1e-10)
    if kind == "spring":
        return
    tables = [model.constraints.table(state.q, state.v, state.time).array for model in models]
    close(tables[0], tables[1], 1e-12)
    close(models[0].constraints.jacobian(state), models[1].constraints.jacobian(state), 1e-12)
    again = from_dict(models[0].description).compile()
    assert again.hash == models[0].hash != models[1].hash


@pytest.mark.slow
def test_a_place_of_its_own_turns_with_a_section_that_bends() -> None:
    """Rows of a connection whose second frame is turned on a beam, by differences as all others."""
    one, (first, second) = system("flexible", seed=3)
    one.connect(jd.Revolute("c"), first, second, rotation=random_pose(np.random.default_rng(1)).rotation)
    model = one.compile()
    check_rows(model, random_state(model, 1))


@pytest.mark.parametrize(
    "where", ["rigid", *(pytest.param(one, marks=pytest.mark.slow) for one in ("flexible", "orbit"))]
)
@pytest.mark.parametrize("kind", list(KINDS))
def test_rows_of_every_kind_and_their_derivatives(kind: str, where: str) -> None:
    one, (first, second) = system(where, seed=len(kind))
    moves = MOVES if kind in ("revolute", "weld", "screw", "planar", "universal", "rod") else None
    one.connect(KINDS[kind](), first, second, moves=moves)
    model = one.compile()
    assert model.constraints.rows == ROWS[kind]
    assert model.constraints.names == ("c",)
    check_rows(model, random_state(model, len(kind)))


@pytest.mark.parametrize("kind", list(KINDS))
def test_rows_to_the_world(kind: str) -> None:
    one, (first, _) = system("rigid", seed=1)
    one.connect(KINDS[kind](), "world", first)
    one.connect(jd.constraints.Rod("leg", length=jd.Sine(0.1, 0.8, offset=0.9)), "b1.tip", "world")
    one.couple("gear", {"a1-revolute": 2.0, "b1-cylindrical.slide": -0.5}, value=jd.Polynomial([0.1, 0.2, 0.3]))
    one.couple("spin", {"a2-spherical.wx": 1.0, "base-free.vy": 3.0}, value=jd.Sine(0.3, 1.1), rates=True)
    model = one.compile()
    assert model.constraints.rows == ROWS[kind] + 3
    check_rows(model, random_state(model, 3))


@settings(max_examples=25, deadline=None)
@given(systems(passive=False, gravity=False), st.sampled_from(list(KINDS)), st.booleans())
def test_rows_on_random_trees(case: Case, kind: str, moves: bool) -> None:
    frames = list(case.model.frame_names)
    names = case.rng.permutation(len(frames))
    first = frames[names[0]]
    others = [frames[i] for i in names if frames[i].partition(".")[0] != first.partition(".")[0]]
    link = KINDS[kind]() if kind != "rod" else jd.constraints.Rod("c", length=0.7)
    joint = kind not in ("disk", "ball", "no-slip")
    case.system.connect(link, first, others[0], moves=MOVES if joint and moves else None)
    model = case.system.compile()
    check_rows(model, random_state(model, int(case.rng.integers(1000))))


@pytest.mark.parametrize("kind", ["revolute", "prismatic", "cylindrical", "universal", "spherical", "planar", "screw"])
def test_a_joint_beside_the_same_joint_of_the_tree_is_met_everywhere(kind: str) -> None:
    """So each kind allows exactly what the joint of the tree does, many turns of a screw among them."""
    rng = np.random.default_rng(8)
    one = jd.System("twice")
    joint = random_joint(rng, kind, "j", passive=False, friction=False)
    one.add(random_body(rng, "a"), jd.Free("free"))
    one.add(random_body(rng, "b"), joint, to="a.tip", at="grip")
    one.connect(
        type(joint)("c", **{k: getattr(joint, k) for k in ("axis", "axes", "normal", "pitch") if hasattr(joint, k)}),
        "a.tip",
        "b.grip",
    )
    model = one.compile()
    for size in (0.5, 20.0):
        q = moved(model, model.neutral.copy(), size * rng.uniform(-1.0, 1.0, model.nv))
        state = model.state(q=q, v=rng.normal(size=model.nv))
        np.testing.assert_allclose(model.constraints.residual(state), 0.0, atol=1e-12)
        np.testing.assert_allclose(model.constraints.jacobian(state), 0.0, atol=1e-12)
        np.testing.assert_allclose(model.constraints.bias(state), 0.0, atol=1e-10)


@pytest.mark.parametrize("kind", ["disk", "ball", "no-slip"])
def test_rows_of_velocities_are_slip_of_matter(kind: str) -> None:
    one, (first, second) = system("rigid", seed=4)
    link = KINDS[kind]()
    one.connect(link, first, second)
    model = one.compile()
    state = random_state(model, 9)
    A, B = model.pose(first, state), model.pose(second, state)
    n = B.rotation[:, 2]
    rho = np.zeros(3)
    directions = [A.rotation @ (link.direction / np.linalg.norm(link.direction))] if kind == "no-slip" else []
    if kind != "no-slip":
        directions = [B.rotation[:, 0], B.rotation[:, 1]]
        rho = -link.radius * n
    if kind == "disk":
        a = A.rotation @ (link.axis / np.linalg.norm(link.axis))
        down = a * (a @ n) - n
        rho = link.radius * down / np.linalg.norm(down)
        assert model.constraints.residual(state)[0] == pytest.approx(n @ (A.position + rho - B.position), abs=1e-13)
    there = A.position + rho
    speeds = []
    for address, pose in ((first, A), (second, B)):
        omega, v = np.split(model.jacobian(address, state) @ state.v, 2)
        speeds.append(v + np.cross(omega, there - pose.position))
    slip = np.array([e @ (speeds[0] - speeds[1]) for e in directions])
    np.testing.assert_allclose(model.constraints.rate(state)[-len(slip) :], slip, atol=1e-12)
    assert list(model.constraints.holonomic) == ([True] if kind != "no-slip" else []) + [False] * len(slip)


def test_a_description_comes_back() -> None:
    one, (first, second) = system("flexible", seed=2)
    for kind in KINDS:
        link = KINDS[kind]()
        object.__setattr__(link, "name", kind)
        one.connect(link, first, second)
    one.connect(jd.constraints.Spring("coil", stiffness=30.0, length=0.1, damping=0.2, force=1.5), "a1.inner", "world")
    one.couple("gear", {"a1-universal.a": 1.0, "a1.bending_y[0]": -2.0}, value=jd.Cycloid(1.0, 2.0))
    model = one.compile()
    assert from_dict(to_dict(one)).compile().hash == model.hash
    assert model.constraints.names == (*KINDS, "gear")
    assert model.constraints.owners[:6] == ("revolute",) * 5 + ("prismatic",)
    assert model.springs == ("coil",)
    np.testing.assert_array_equal(model.arrays.strut_parameters.array, [[30.0, 0.1, 0.2, 1.5]])
    text = repr(one)
    assert "connection revolute (revolute): a2.tip with b2.tip" in text
    assert "spring coil: a1.inner with world" in text
    assert "coupling gear: 1 a1-universal.a - 2 a1.bending_y[0] = Cycloid" in text


def test_lengths_of_the_zero_configuration() -> None:
    one, (first, second) = system("flexible", seed=2)
    one.connect(jd.constraints.Rod("rod"), first, second)
    one.connect(jd.constraints.Spring("coil", stiffness=1.0), first, "world")
    model = one.compile()
    assert model.constraints.residual(model.neutral)[0] == pytest.approx(0.0, abs=1e-14)
    far = np.linalg.norm(model.pose(first, model.neutral).position)
    assert model.arrays.strut_parameters.array[0, 1] == pytest.approx(far, rel=1e-14)


@pytest.mark.parametrize("kind", list(KINDS))
def test_rows_are_safe_for_a_complex_step(kind: str) -> None:
    """Derivatives by a step of 1e-20 i have no error but rounding."""
    from jourdain.kernels.constraints.constraint_layout import ConstraintRow
    from jourdain.kernels.constraints.entry_points import constraint_rows
    from jourdain.kernels.model_arrays import workspace

    one, (first, second) = system("rigid", seed=3)
    one.connect(KINDS[kind](), first, second)
    model = one.compile()
    state, c = random_state(model, 4), model.constraints
    A, ws = c.jacobian(state), workspace(model.arrays, np.complex128)
    out = np.zeros((c.rows, ConstraintRow.size), complex)
    for k, at in enumerate(model.arrays.q_index):
        q, v = state.q.astype(complex), state.v.astype(complex)
        v[k] += 1e-20j
        constraint_rows(model.arrays, ws, state.time, q, v, out)
        close(out[:, ConstraintRow.columns.rate].imag / 1e-20, A[:, k], 1e-14)
        if at >= 0:
            q[at] += 1e-20j
            constraint_rows(model.arrays, ws, state.time, q, state.v.astype(complex), out)
            close(out[c.holonomic, ConstraintRow.columns.value].imag / 1e-20, A[c.holonomic, k], 1e-14)
