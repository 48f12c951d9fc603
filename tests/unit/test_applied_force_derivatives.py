"""Derivatives of contacts, laws and constraints: kernels against fourth-order differences of what a run evaluates."""

from __future__ import annotations

import numpy as np
import pytest
from derivative_cases import SOFT
from scipy.spatial.transform import Rotation

import jourdain as jd
from jourdain.model.derivatives import row_partials
from jourdain.model.displacement import moved_along
from jourdain.model.linear.applied_forces import AppliedModel, ForceDerivatives
from jourdain.model.linear.differences import by_place, differenced

pytestmark = pytest.mark.slow  # its kernels take a minute to compile

HERTZ = jd.HertzContact(stiffness=1e6, restitution=0.6)
LINEAR = jd.contact.LinearContact(stiffness=1e5, damping=30.0)
STICKING = jd.BristleFriction(static=0.4, kinetic=0.3, stiffness=1e4, damping=20.0, stribeck=0.5, dwell=0.1)
SLIDING = jd.BristleFriction(static=0.4, kinetic=0.3, stiffness=1e4, damping=20.0, stribeck=0.002)
BALL, ROD = jd.Sphere(0.1), jd.Capsule(0.1, 0.4)
CUBE = jd.Box((0.4, 0.4, 0.4)).to_mesh()
LYING = Rotation.from_euler("y", 90, degrees=True).as_quat(scalar_first=True)
SLANT = np.array([1.0, 0.0, 1.0]) / np.sqrt(2.0)
X, Y, Z = np.eye(3)
BASE = jd.Pose((0.3, -0.2, 0.1), Rotation.from_rotvec((0.4, -0.7, 0.3)).as_quat(scalar_first=True))
TILT = Rotation.from_rotvec((0.011, 0.013, 0.02)).as_matrix()
CARRIER = Rotation.from_rotvec((0.3, 0.2, -0.5)).as_matrix()
ARM = np.array([0.2, 0.1, -0.1])

# first shape, second shape, where the first just touches, normal out of the second, rotation of the first
PAIRS = {
    "ball on plane": (BALL, jd.Plane((0, 0, 1)), 0.1 * Z, Z, None),
    "ball on ball": (BALL, jd.Sphere(0.2), 0.3 * SLANT, SLANT, None),
    "ball on edge": (BALL, jd.shapes.Edge((0, 0, 1), (1, 0, 0)), 0.1 * SLANT, SLANT, None),
    "ball on cylinder": (BALL, jd.Cylinder(0.2, 0.4), 0.3 * X + 0.05 * Z, X, None),
    "ball in cone": (BALL, jd.Cone(0.4, 0.4, inside=True), 0.2 * X - 0.1 * SLANT, -SLANT, None),
    "ball on box": (BALL, jd.Box((0.4, 0.4, 0.4)), 0.3 * Z + 0.05 * X, Z, None),
    "capsule on plane": (ROD, jd.Plane((0, 0, 1)), 0.1 * Z, Z, LYING),
    "capsule on capsule": (ROD, ROD, 0.2 * Y, Y, LYING),
    "box on plane": (jd.Box((0.2, 0.2, 0.2)), jd.Plane((0, 0, 1)), 0.1 * Z, Z, None),
    "cylinder on plane": (jd.Cylinder(0.1, 0.2), jd.Plane((0, 0, 1)), 0.1 * Z, Z, None),
    "ball on mesh": (BALL, jd.Mesh(*CUBE), 0.3 * Z + 0.05 * X, Z, None),
}


def touching(pair, normal, friction, swapped=False, depth=1e-3, speed=0.05):
    """A body on a ball joint on a free one, pressed against another free one; all move. The model and its state."""
    first, second, place, out, rotation = PAIRS[pair]
    system = jd.System("pair")
    system.add(jd.RigidBody("c", mass=1.0, inertia=(0.004, 0.005, 0.006)), jd.Free("fc"))
    system.add(
        jd.RigidBody("a", mass=1.0, inertia=(0.004, 0.005, 0.006)), jd.Spherical("fa"), to="c.origin", position=ARM
    )
    system.add(jd.RigidBody("b", mass=2.0, inertia=(0.02, 0.03, 0.04)), jd.Free("fb"))
    placed = first.at("a.origin"), second.at("b.origin")
    system.contact("touch", *(placed[::-1] if swapped else placed), normal=normal, friction=friction)
    model = system.compile()
    turn = np.eye(3) if rotation is None else jd.Pose(rotation=rotation).rotation
    R = BASE.rotation
    held = BASE.position + R @ (place - depth * out)
    carrier = jd.Pose(held - CARRIER @ ARM, CARRIER)
    own = Rotation.from_matrix(CARRIER.T @ R @ turn @ TILT).as_quat(scalar_first=True)
    rng = np.random.default_rng(7)
    v = speed * rng.normal(size=model.nv)
    v[3:6] -= CARRIER.T @ R @ (4.0 * speed * out)  # the carrier, which is free, brings it nearer
    return model, model.state(q={"fc": carrier, "fb": BASE, "fa": own}, v=v)


def agree(found, wanted, digits=1e-6):
    """Relative to the largest entry: differences of fourth order with a step of a hundredth of what they meet."""
    assert np.max(np.abs(found - wanted), initial=0.0) <= digits * np.max(np.abs(wanted), initial=0.0) + 1e-12


def check(model, state, controller=None, bristles=0.0, digits=1e-6):
    acting = AppliedModel(model, controller)
    point = acting.begin(state)
    point = point._replace(z=0.5 * point.z)  # half of what was found at touchdown has relaxed
    if bristles:
        rng = np.random.default_rng(3)
        point = point._replace(z=point.z + bristles * rng.normal(size=len(point.z)))
    chosen = acting.entering(point)
    found, wanted = acting.partials(point, chosen), ForceDerivatives(*differenced(acting, point, chosen))
    assert np.max(np.abs(wanted.forces[0])) > 1.0  # something acts
    agree(found.forces[0], wanted.forces[0], digits)
    agree(found.forces[1], wanted.forces[1], digits)
    agree(found.contact_wrenches[0], wanted.contact_wrenches[0], digits)
    agree(found.contact_wrenches[1], wanted.contact_wrenches[1], digits)
    if len(chosen):
        for one, other in (
            (found.forces[2], wanted.forces[2]),
            (found.contact_wrenches[2], wanted.contact_wrenches[2]),
        ):
            assert np.max(np.abs(one - other)) <= 1e-5 * max(np.max(np.abs(one)), 1.0)
        for part in (0, 1, 2):
            agree(found.rates[part][chosen], wanted.rates[part][chosen], 1e-5)


@pytest.mark.parametrize("pair", PAIRS)
def test_every_pair(pair):
    model, state = touching(pair, HERTZ, STICKING)
    check(model, state, bristles=1e-5)


@pytest.mark.parametrize(
    "normal, friction",
    [
        (HERTZ, SLIDING),
        (LINEAR, jd.CoulombFriction(0.3)),
        (LINEAR, jd.CoulombFriction(0.3, transition_speed=1.0)),
        (jd.HertzContact(stiffness=1e6, restitution=0.6, relaxation=0.1), STICKING),
        (LINEAR, None),
    ],
    ids=["sliding bristles", "coulomb", "slow coulomb", "relaxing", "frictionless"],
)
def test_every_law_both_ways(normal, friction):
    for swapped in (False, True):
        model, state = touching("ball on ball", normal, friction, swapped)
        check(model, state)


def test_users_laws_are_differenced_over_their_own_arguments():
    @jd.contact.normal_law(states=1)
    def cubic(depth, rate, impact_speed, z, p, dz):
        dz[0] = depth - 10.0 * z[0]
        return p[0] * depth**3 * (1.0 + 0.2 * rate) + p[1] * z[0]

    @jd.contact.friction_law(states=1)
    def sticky(load, slip, z, p, dz):
        dz[0] = slip[0] * load - z[0]
        k = -p[0] * load
        return (k * slip[0] + z[0], k * slip[1] * (1.0 + slip[0]), k * slip[2])

    for swapped in (False, True):
        model, state = touching("ball on ball", cubic(1e12, 5.0), sticky(0.7), swapped)
        check(model, state, bristles=1e-3)


@pytest.mark.parametrize("pair", ["ball on plane", "ball on ball"])
def test_parts_of_volumes(pair):
    volume = jd.VolumetricContact(stiffness=1e9, restitution=0.6)
    for friction in (STICKING, jd.CoulombFriction(0.3, transition_speed=0.05)):
        model, state = touching(pair, volume, friction, depth=5e-3)
        check(model, state, digits=1e-5)


@pytest.mark.parametrize("pair", ["ball on cylinder", "box on plane"])
def test_parts_of_other_volumes(pair):
    model, state = touching(pair, jd.VolumetricContact(stiffness=1e9, restitution=0.6), STICKING, depth=5e-3)
    check(model, state, digits=1e-5)


def test_what_does_not_touch_has_no_partials():
    model, state = touching("ball on ball", HERTZ, STICKING, depth=-1e-3)
    acting = AppliedModel(model)
    partials = acting.partials(acting.begin(state), np.arange(len(acting.names)))
    for matrix in (*partials.forces, *partials.rates, *partials.contact_wrenches):
        np.testing.assert_array_equal(matrix, 0.0)


def test_a_controller_and_a_contact_together():
    @jd.law(states=1, contacts=["touch"])
    def hold(t, q, v, z, s, p, effort, dz):
        dz[0] = s[2] - z[0] * v[1]
        for k in range(v.size):
            effort[k] += p[0] * (q[0] * z[0] - v[k])

    model, state = touching("ball on ball", HERTZ, STICKING, depth=5e-3)
    # second-order differences of a force that is as stiff as the contact which it senses
    check(model, state, controller=hold(3.0), digits=1e-5)


def test_contacts_of_bodies_that_bend():
    system = jd.System("tip", gravity=(0, 0, -9.0))
    beam = jd.Beam("boom", **SOFT, modes=jd.Modes(bending=2, torsion=1, axial=1))
    system.add(beam, jd.Universal("root", axes=("y", "z")), position=(0, 0, 0.1))
    system.contact("touch", BALL.at("boom.tip"), jd.Plane((0, 0.1, 1)).at("world"), normal=HERTZ, friction=STICKING)
    model = system.compile()
    rng = np.random.default_rng(2)
    state = model.state()
    state.q[:] = 0.02 * rng.normal(size=model.nq)
    state.v[:] = 0.05 * rng.normal(size=model.nv)
    down = model.pose("boom.tip", state).position[2]
    state.q[0] += (down - 0.099) / 1.3
    assert model.pose("boom.tip", state).position[2] < 0.1
    check(model, state)


def constrained(kind, flexible):
    """A chain on two carriers closed by a constraint, away from where it holds; its model and a state."""
    rng = np.random.default_rng(4)
    system = jd.System("loop")
    body = lambda name: jd.RigidBody(  # noqa: E731
        name, mass=1.0, inertia=(0.2, 0.3, 0.4), frames={"tip": jd.Pose(rng.uniform(-0.5, 0.5, 3))}
    )
    system.add(body("base"), jd.Free("free"))
    first = jd.Beam("a", **SOFT) if flexible else body("a")
    system.add(first, jd.Revolute("ra", axis=(1, 2, 0)), to="base.tip")
    system.add(body("b"), jd.Spherical("rb"), to="base.origin")
    system.connect(kind, "a.tip", "b.tip")
    model = system.compile()
    q = moved_along(model, model.neutral, 0, 0.3)
    for k in range(1, model.nv):
        q = moved_along(model, q, k, 0.2 * rng.normal())
    return model, model.state(q=q, v=rng.normal(size=model.nv)), rng


@pytest.mark.parametrize(
    "kind",
    [
        jd.Revolute("c", axis=(1.0, 2.0, -0.5)),
        jd.Prismatic("c", axis=(0.3, -1.0, 0.2)),
        jd.Universal("c", axes=((1.0, 0.2, 0.0), (0.3, 1.0, 0.5))),
        jd.Screw("c", axis=(0.1, 0.2, 1.0), pitch=0.13),
        jd.Planar("c", normal=(1.0, 0.4, 0.3)),
        jd.Weld("c"),
        jd.constraints.Rod("c"),
        jd.constraints.Rolling("c", radius=0.3, axis=(0.2, 1.0, 0.1)),
        jd.constraints.NoSlip("c", direction=(0.3, 1.0, 0.0)),
    ],
    ids=lambda kind: kind.kind,
)
def test_forces_and_rates_of_constraints(kind):
    model, state, rng = constrained(kind, flexible=False)
    check_constraint(model, state, rng)


def test_forces_and_rates_of_constraints_on_a_body_that_bends():
    check_constraint(*constrained(jd.Revolute("c", axis=(1.0, 2.0, -0.5)), flexible=True), digits=1e-8)


def check_constraint(model, state, rng, digits=1e-10):
    force = rng.normal(size=model.constraints.rows)
    stiffness, rates = row_partials(model, state, force)
    # h^4 of functions of order one
    agree(stiffness, by_place(model, state.q, lambda q: transposed(model, state, q, force)), digits)
    agree(rates, by_place(model, state.q, lambda q: model.constraints.rate(jd.State(state.time, q, state.v))), digits)


def transposed(model, state, q, force):
    """A^T force, from the same rows."""
    return model.constraints.transposed(jd.State(state.time, q, state.v), force)
