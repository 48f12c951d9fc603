"""Cables on a winch: against mass points, Lagrange's equations, a `Cable` at rest; results, files, bad input."""

from __future__ import annotations

import numpy as np
import pytest
from particles import jacobian, turn

import jourdain as jd
from jourdain.describe.description import from_dict, to_dict
from jourdain.errors import JourdainError, ModelError

GRAVITY = np.array([0.5, -0.3, -9.0])
TURN = np.array([1.0, 2.0, 2.0]) / 3.0
OUTLET = np.array([0.2, 0.1, -0.1])
DRUM = np.array([0.0, 1.0, 2.0]) / np.sqrt(5.0)
RADIUS, DENSITY, WHOLE, OUT = 0.2, 0.7, 3.0, 1.5
COUNT = 2


def rope(root="pinned", **more):
    told = dict(length=WHOLE, mass_per_length=DENSITY, EA=200.0, EI=1.0, elements=COUNT, root=root, frames={"mid": 0.4})
    return jd.Cable("rope", **(told | more))


def winch(**more):
    return jd.Winch("drum", **(dict(axis=(0, 1, 2), radius=RADIUS, inertia=0.02, armature=0.01, deployed=OUT) | more))


def system(root="pinned", hook=True, **more):
    """A hub that slides and turns, a winch on it, and a load hinged on the end of its cable."""
    out = jd.System("winch", gravity=GRAVITY)
    out.add(jd.RigidBody("cart", 1.5, inertia=(0.3, 0.3, 0.3)), jd.Prismatic("slide", axis="x"))
    hub = jd.RigidBody("hub", 3.0, (0.1, -0.2, 0.05), (0.5, 0.6, 0.7))
    out.add(hub, jd.Revolute("turn", axis=TURN), to="cart.origin")
    out.add(rope(root, **more), winch(), to="hub.origin", position=OUTLET)
    if hook:
        out.add(jd.RigidBody("load", 2.0, (0.1, 0.2, 0.0), (0.3, 0.2, 0.4)), jd.Revolute("hook"), to="rope.tip")
    return out


@pytest.fixture(scope="module")
def models():
    """By what holds the cable, with damping and without."""
    return {(root, c): system(root, damping=c).compile() for root in ("pinned", "clamped") for c in (0.0, (0.01, 0.02))}


def some(model, seed=1):
    rng = np.random.default_rng(seed)
    q, v = 0.15 * rng.normal(size=model.nq), rng.normal(size=model.nv)
    q[model.index.q["drum"]] = 0.7
    return q, v


def test_the_mass_is_that_of_particles():
    model = system(hook=False).compile()
    q, _ = some(model)
    nodes, weights = np.polynomial.legendre.leggauss(6)
    share, weights = 0.5 * (nodes + 1.0), 0.5 * weights
    now = OUT + RADIUS * q[model.index.q["drum"]]
    # particles by their distance from the end of the cable, element by element of the moment
    from_end = np.concatenate([now * (1.0 - (k + share) / COUNT) for k in range(COUNT)])
    masses = np.append(DENSITY * now / COUNT * np.tile(weights, COUNT), DENSITY * (WHOLE - now))
    first = model.index.q["drum"]

    def places(x):
        slide, angle, theta, e = x[0], x[1], x[first], x[first + 1 :]
        length = OUT + RADIUS * theta
        full = np.concatenate([np.zeros(3), e]).reshape(COUNT + 1, 2, 3)
        out = []
        for s, k in zip(from_end, np.repeat(np.arange(COUNT), len(share))):
            xi = 1.0 - s / length
            # the cubics of its element, which a small change of the length leaves it in
            f, h = COUNT * xi - k, length / COUNT
            S = [1 - 3 * f**2 + 2 * f**3, h * (f - 2 * f**2 + f**3), 3 * f**2 - 2 * f**3, h * (f**3 - f**2)]
            line = sum(a * b for a, b in zip(S, full[k : k + 2].reshape(4, 3)))
            out.append(line + np.array([xi * length, 0.0, 0.0]))
        R = turn(TURN, angle)
        root = np.array([slide, 0.0, 0.0]) + R @ OUTLET
        return np.concatenate([root + np.array(out) @ R.T, [root]])

    J = jacobian(places, q.astype(complex))
    M = np.einsum("p,pci,pcj->ij", masses, J, J)
    spin = np.zeros(model.nv)
    spin[1], spin[first] = TURN @ DRUM, 1.0
    M += (0.02 + DENSITY * (WHOLE - now) * RADIUS**2) * np.outer(spin, spin)
    M[first, first] += 0.01
    bare = jd.System("bare")
    for item in system(hook=False).attachments[:2]:
        bare.add(item.body, item.joint, to=item.to)
    M[:2, :2] += bare.compile().mass_matrix(q[:2])
    np.testing.assert_allclose(model.mass_matrix(q), M, atol=1e-12 * np.abs(M).max())


@pytest.mark.parametrize("root", ["pinned", "clamped"])
def test_lagranges_equations_with_what_passes_the_outlet(models, root):
    # d/dt dT/dv - dT/dq + dV/dq with T = v M(q) v / 2 knows nothing of flows: M and V by differences, to their rounding
    model = models[root, 0.0]
    q, v = some(model)

    def potential(x):
        energy = model.energy(model.state(q=x))
        return energy.gravity + energy.strain

    h, units = 1e-5, np.eye(model.nv)
    by_q = np.array([(model.mass_matrix(q + h * d) - model.mass_matrix(q - h * d)) / (2 * h) for d in units])
    slope = np.array([(potential(q + h * d) - potential(q - h * d)) / (2 * h) for d in units])
    bias = np.einsum("jkl,j,l->k", by_q, v, v) - 0.5 * np.einsum("kij,i,j->k", by_q, v, v) + slope
    np.testing.assert_allclose(model.bias(q, v), bias, atol=1e-9 * np.abs(bias).max())
    state, effort = model.state(q=q, v=v), np.cos(np.arange(model.nv))
    found = model.forward_dynamics(state, effort)
    np.testing.assert_allclose(model.mass_matrix(q) @ found + model.bias(q, v), effort, atol=1e-11)
    np.testing.assert_allclose(model.inverse_dynamics(state, found), effort, atol=1e-11)


@pytest.mark.parametrize("root", ["pinned", "clamped"])
def test_damping_takes_the_power_that_is_told(models, root):
    damped, still = models[root, (0.01, 0.02)], models[root, 0.0]
    q, v = some(damped)
    force = damped.bias(q, v) - still.bias(q, v)
    run = jd.simulate(damped, damped.state(q=q, v=v), until=1e-7, step=1e-7, method="euler")
    assert run.energy["dissipated"].values[-1] == pytest.approx(1e-7 * force @ v, rel=1e-9)


def test_a_drum_at_rest_holds_a_cable(models):
    # accelerations of a `Cable` of the length that is out: the same line, forces and gravity
    model = models["pinned", 0.0]
    q, v = some(model)
    at, length = model.index.q["drum"], OUT + RADIUS * 0.7
    v[at] = 0.0
    other = system(length=length)
    other.attachments[2] = type(other.attachments[2])(
        other.attachments[2].body.described, jd.Weld("drum"), "hub.origin", jd.Pose(OUTLET), "origin"
    )
    fixed = jd.System("fixed", gravity=GRAVITY)
    for item in other.attachments:
        fixed.add(item.body, item.joint, to=item.to, position=item.pose.position)
    plain = fixed.compile()
    keep = np.delete(np.arange(model.nv), at)
    # what is on the drum is a mass at the outlet, and the drum turns with the hub
    assert [model.names.v[k] for k in keep] == list(plain.names.v)
    J = plain.jacobian("hub.origin", q[keep])
    arm = np.cross(J[:3].T, turn(TURN, q[1]).real @ OUTLET).T + J[3:]
    wound = DENSITY * (WHOLE - length)
    axis = turn(TURN, q[1]).real @ DRUM
    spin = (0.02 + wound * RADIUS**2) * np.outer(axis @ J[:3], axis @ J[:3])
    M = plain.mass_matrix(q[keep]) + wound * arm.T @ arm + spin
    np.testing.assert_allclose(model.mass_matrix(q)[np.ix_(keep, keep)], M, atol=1e-12 * np.abs(M).max())


def test_places_move_as_their_velocities_say(models):
    model = models["pinned", 0.0]
    q, v = some(model)
    h = 1e-6
    body = system().body("rope")
    e = q[model.index.q["drum"] : model.index.q["drum"] + len(body.internal)][None]
    hub = model.pose("hub.origin", q)
    for frame, fraction in (("rope.tip", 1.0), ("rope.mid", 0.4), ("rope.root", 0.0)):
        J, pose = model.jacobian(frame, q), model.pose(frame, q)
        before, after = model.pose(frame, q - h * v), model.pose(frame, q + h * v)
        np.testing.assert_allclose(J[3:] @ v, (after.position - before.position) / (2 * h), atol=1e-8)
        S = (after.rotation - before.rotation) @ pose.rotation.T / (2 * h)
        np.testing.assert_allclose(J[:3] @ v, [S[2, 1], S[0, 2], S[1, 0]], atol=1e-8)
        # the line that results show, along which x of the frame is
        place, slope = (body.along(e, np.array([fraction]), k)[0, 0] for k in (0, 1))
        np.testing.assert_allclose(pose.position, hub.position + hub.rotation @ (OUTLET + place), atol=1e-12)
        np.testing.assert_allclose(hub.rotation.T @ pose.rotation[:, 0], slope / np.linalg.norm(slope), atol=1e-12)


def test_a_description_says_cable_and_winch(tmp_path):
    made = system()
    data = to_dict(made)
    item = data["bodies"][2]
    assert item["body"]["kind"] == "cable"
    assert (item["joint"]["kind"], item["joint"]["radius"]) == ("winch", RADIUS)
    again = from_dict(data)
    assert to_dict(again) == data
    assert again.compile().hash == made.compile().hash
    made.save(tmp_path / "winch.yaml")
    assert jd.System.load(tmp_path / "winch.yaml").compile().hash == made.compile().hash


def test_results_are_of_what_is_out(models, tmp_path):
    model = models["pinned", (0.01, 0.02)]
    run = jd.simulate(model, model.state(v={"drum": 1.0}), until=0.01, step=1e-4, method="rk4")
    assert model.units.q[model.index.q["drum"]] == "rad"
    np.testing.assert_allclose(jd.quantity(run, "length:rope").values, OUT + RADIUS * run.q["drum"])
    assert run.tension("rope", [0.0, 0.5, 1.0]).shape == (len(run.time), 3)
    assert np.all(np.isfinite(jd.quantity(run, "tension:rope").values))
    assert run.deflection("rope").shape[1:] == (21, 3)
    run.save(tmp_path / "run.nc")
    again = jd.load(tmp_path / "run.nc")
    np.testing.assert_array_equal(jd.quantity(again, "length:rope").values, jd.quantity(run, "length:rope").values)
    with pytest.raises(JourdainError, match="cable on a winch"):
        jd.quantity(run, "length:hub")


def test_nodes_are_laid_on_a_curve():
    made = system(hook=False)
    body = made.body("rope")
    model = made.compile()
    down = body.laid(lambda s: (0.0, 0.0, -s), turn=2.0)
    state = model.state(q=down)
    assert state.q[model.index.q["drum"]] == 2.0
    tip = model.pose("rope.tip", state).position
    np.testing.assert_allclose(tip, OUTLET + [0.0, 0.0, -(OUT + 2.0 * RADIUS)], atol=1e-9)
    assert model.energy(state).strain == pytest.approx(0.0, abs=1e-6)


def test_a_cable_is_stretched_between_its_ends_or_refused_with_the_numbers():
    made = jd.System("line", gravity=GRAVITY)
    line = made.add(rope(), jd.Weld("hook"))
    model = made.compile()
    state = model.state(q=line.taut((0.0, 3.03, 0.0)))
    assert model.energy(state).strain == pytest.approx(0.5 * 200.0 * 0.01**2 * WHOLE, rel=1e-6)
    np.testing.assert_allclose(model.pose("rope.tip", state).position, [0.0, 3.03, 0.0], atol=1e-12)
    words = "ends are to be 4 m apart and it is 3 m long: that takes a strain of 0.333 and a tension of 66.7 N"
    with pytest.raises(ModelError, match=words):
        line.taut((0.0, 0.0, 4.0))
    assert line.taut((0.0, 0.0, 4.0), most=0.4)
    with pytest.raises(ModelError, match=r"2 m apart and it is 3 m long: it would be slack; give 2 m"):
        line.taut((0.0, 0.0, 2.0))
    reeled = system().body("rope")
    with pytest.raises(ModelError, match=r"it is 1.7 m long: that takes"):
        reeled.taut((0.0, 0.0, 3.0), turn=1.0)
    assert reeled.taut((0.0, 0.0, -1.71), turn=1.0)["drum"] == 1.0


def test_drives_friction_locks_and_linear_models_take_the_drum_as_a_joint():
    made = jd.System("hoist", gravity=(0, 0, -9.81))
    down = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])
    gear = jd.Drive(gear=50.0, rotor_inertia=1e-4, stiffness=500.0, damping=1.0)
    body = made.add(rope(EA=2e3, damping=5e-3), winch(axis="y", drive=gear, friction=0.5), rotation=down)
    made.add(jd.RigidBody("load", 2.0, inertia=(0.01, 0.01, 0.01)), jd.Weld("hook"), to="rope.tip")
    model = made.compile()
    assert model.names.v[:2] == ("drum.motor", "drum")
    assert body.coordinate_names()[0] == "drum"
    assert model.ranges["drum"] == pytest.approx((-7.35, 7.5))
    run = jd.simulate(model, model.state(), until=0.2, method="rk4", step=2e-4, events=[jd.Event(at=0.1, lock="drum")])
    assert run.v["drum"].values[-1] == 0.0
    assert run.q["drum"].values[-1] > 0.01
    assert abs(run.energy["balance"].values[-1]) < 1e-7


@pytest.mark.slow
def test_derivatives_by_complex_step(models):
    model = models["pinned", (0.01, 0.02)]
    q, v = some(model)
    state = model.state(q=q, v=v)
    found = model.inverse_dynamics_derivatives(state, np.zeros(model.nv))
    h, k = 1e-6, model.index.v["drum"]
    change = h * np.eye(model.nv)[k]
    by_q = (model.bias(q + change, v) - model.bias(q - change, v)) / (2 * h)
    np.testing.assert_allclose(found.dq[:, k], by_q, atol=1e-5 * np.abs(by_q).max())


@pytest.mark.parametrize(
    ("cable", "drum", "words"),
    [
        (dict(root="free"), {}, "root is free; a winch takes"),
        (dict(pretension=3.0), {}, "pretension is 3 N; what comes off a drum has none"),
        (dict(rest_curvature=0.1), {}, "rest_curvature is 0.1 1/m"),
        ({}, dict(deployed=4.0), "deployed is 4 m of a cable of 3 m"),
        ({}, dict(shortest=2.0), "deployed is 1.5 m of a cable of 3 m; give 2 m"),
        ({}, dict(radius=-1.0), "radius"),
        ({}, dict(inertia=-1.0), "inertia"),
        ({}, dict(axis="x"), "the cable leaves along x, give one across it"),
        ({}, dict(limits=(-20.0, 0.0)), "limits are -20 and 0 rad; between 0.03 and 3 m of cable"),
    ],
)
def test_what_is_wrong_is_said(cable, drum, words):
    made = jd.System("wrong")
    made.add(rope(**cable), winch(**drum))
    with pytest.raises(ModelError, match=words):
        made.compile()


def test_what_cannot_be_wound_is_said():
    made = jd.System("wrong")
    with pytest.raises(ModelError, match="a winch takes radius="):
        jd.Winch("drum")
    with pytest.raises(ModelError, match="a winch winds a jd.Cable"):
        made.add(jd.RigidBody("box", 1.0), winch())
    body = made.add(rope(radius=0.01), winch())
    with pytest.raises(ModelError, match="moves through its nodes"):
        body.surface()
    made.connect(jd.Winch("other", radius=1.0), "rope.tip", "world")
    with pytest.raises(ModelError, match="closes no loop"):
        made.compile()
    model = system(hook=False).compile()
    with pytest.raises(JourdainError, match="drum"):
        jd.simulate(model, model.state(q={"drum": 8.0}), until=0.1)


def test_a_file_says_where_a_body_cannot_be_wound(tmp_path):
    path = tmp_path / "wrong.yaml"
    joint = "joint: {kind: Winch, name: drum, radius: 200 mm}"
    lines = [
        "jourdain: 1",
        "system:",
        "  name: s",
        "  bodies:",
        "    - kind: RigidBody",
        "      name: box",
        "      mass: 1",
    ]
    path.write_text("\n".join([*lines, f"      {joint}", ""]), encoding="utf-8")
    with pytest.raises(JourdainError, match=r"wrong.yaml:8.*a winch winds a jd.Cable"):
        jd.System.load(path)


def test_bones_are_on_what_is_out_and_the_drum_turns():
    body = system().body("rope")
    e = np.zeros((2, len(body.internal)))
    e[:, 0] = 0.7, -2.0
    e[1, 1:] = 0.1 * np.cos(np.arange(len(body.internal) - 1))
    found = body.skeleton(e)
    line = body.along(e, np.array([0.0, 1.0]))
    np.testing.assert_allclose(found.poses[:, found.frames["tip"], :3], line[:, 1], atol=1e-12)
    np.testing.assert_allclose(line[0, 1], [OUT + 0.7 * RADIUS, 0.0, 0.0], atol=1e-12)
    # where surfaces are bound, a bone that carries its vertex leaves it there
    assert len(found.rest) == len(found.bound) == found.poses.shape[1]
    tube, drum = body.surfaces()
    assert tube.bones.max() < drum.bones.min() == len(found.rest) - 1
    assert np.abs(drum.vertices @ DRUM).max() == pytest.approx(0.75 * RADIUS)
    # the rim touches the outlet, and moves along x there as cable is let out
    centre = found.bound[-1, :3]
    np.testing.assert_allclose(np.cross(DRUM, -centre), [RADIUS, 0.0, 0.0], atol=1e-12)
    assert np.arccos(np.clip(found.poses[0, -1, 3], -1, 1)) * 2 == pytest.approx(0.7)
