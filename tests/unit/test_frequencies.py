"""Natural frequencies against theory: pendulums, beams, spinning beams, chains and a spinning body."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd

CANTILEVER = np.array([1.875104068711961, 4.694091132974175, 7.854757438237613])
FREE_FREE = np.array([4.730040744862704, 7.853204624095838])


def beam(joint, **options):
    system = jd.System("beam")
    properties = dict(length=1.0, mass_per_length=1.0, EA=1e6, EI=1.0, GJ=1.0, modes=jd.Modes(bending=4))
    system.add(jd.Beam("beam", **(properties | options)), joint)
    return system.compile()


@pytest.fixture(scope="module")
def rotor():
    return beam(jd.Revolute("root", axis="z"))


def test_pendulum_hanging_and_standing():
    system = jd.System("pendulum", gravity=(0, 0, -9.81))
    joint = jd.Revolute("pivot", axis="y", damping=0.7)
    system.add(jd.RigidBody("bob", 2.0, (0, 0, -1.2), (0.1, 0.1, 0.1)), joint)
    model = system.compile()
    inertia, stiffness = 0.1 + 2.0 * 1.2**2, 2.0 * 9.81 * 1.2
    hanging = model.frequencies(model.state())
    w = np.sqrt(stiffness / inertia)
    assert hanging.rad == pytest.approx([w], rel=1e-9) and hanging.hz == pytest.approx([w / (2 * np.pi)], rel=1e-9)
    assert hanging.damping == pytest.approx([0.7 / (2 * inertia * w)], rel=1e-8)
    assert hanging.shapes.shape == (1, 1)
    standing = model.frequencies(model.state(q={"pivot": np.pi}))
    roots = np.roots([inertia, 0.7, -stiffness])
    assert standing.eigenvalues == pytest.approx(sorted(roots, key=abs), rel=1e-8)
    assert sorted(standing.damping) == [-1.0, 1.0]


def test_free_and_damped_joints_are_counted():
    system = jd.System("wheels")
    system.add(jd.RigidBody("a", 1.0, inertia=(1, 1, 1)), jd.Revolute("free", axis="z"))
    system.add(
        jd.RigidBody("b", 1.0, inertia=(1, 1, 2)), jd.Revolute("slow", axis="z", damping=0.5), position=(1, 0, 0)
    )
    model = system.compile()
    found = model.frequencies(model.state(v={"free": 3.0}))
    assert found.rigid == 2
    assert found.eigenvalues == pytest.approx([-0.25]) and found.damping == pytest.approx([1.0])
    assert "1 modes" in repr(found) and "2 free motions" in repr(found)
    assert len(model.frequencies(model.state(), hold=("free", "slow"))) == 0


def test_cantilever(rotor):
    found = rotor.frequencies(rotor.state(), hold=("root",))
    assert found.rad[:2] == pytest.approx(np.full(2, CANTILEVER[0] ** 2), rel=1e-5)
    assert found.rigid == 0 and np.isrealobj(found.shapes)
    assert found.names == rotor.names.v and np.all(found.shapes[0] == 0.0)
    M = rotor.mass_matrix(rotor.state())
    assert found.shapes.T @ M @ found.shapes == pytest.approx(np.eye(8), abs=1e-9)


def test_cantilever_on_its_own_modes():
    model = beam(jd.Weld("root"), basis="clamped-free", modes=jd.Modes(bending=3))
    found = model.frequencies(model.state())
    assert found.rad == pytest.approx(np.repeat(CANTILEVER**2, 2), rel=1e-4)


def test_a_root_that_is_not_held_is_a_free_motion(rotor):
    """Pinned-free in the plane of the joint, clamped across it."""
    found = rotor.frequencies(rotor.state())
    assert found.rigid == 1
    pinned = 3.926602312047919**2
    assert found.rad[:2] == pytest.approx([CANTILEVER[0] ** 2, pinned], rel=3e-3)


FLAP = (3.5160, 3.6816, 4.1373, 4.7973, 5.5850, 6.4495, 7.3604, 11.2023)
LAG = (3.5160, 3.5432, 3.6218, 3.7435, 3.8977, 4.0739, 4.2632, 5.0490)


@pytest.mark.parametrize(("spin", "flap", "lag"), list(zip((0, 1, 2, 3, 4, 5, 6, 10), FLAP, LAG, strict=True)))
def test_rotating_cantilever(rotor, spin, flap, lag):
    """Wright, Smith, Thresher & Wang 1982: the spin stiffens flapping by more than lagging."""
    found = rotor.frequencies(rotor.state(v={"root": float(spin)}), hold=("root",))
    assert found.rad[:2] == pytest.approx([lag, flap], rel=5e-3)
    if spin <= 5:
        assert found.rad[:2] == pytest.approx([lag, flap], rel=3e-4)
    assert found.damping == pytest.approx(np.zeros(len(found)), abs=1e-9)


def test_damping_of_a_beam_is_its_ratio():
    model = beam(jd.Weld("root"), damping=0.02, modes=jd.Modes(bending=2, torsion=1))
    found = model.frequencies(model.state())
    assert found.damping == pytest.approx(np.full(5, 0.02), rel=1e-7)
    assert np.iscomplexobj(found.shapes)


def test_a_free_beam():
    model = beam(jd.Free("free"), basis="free-free", modes=jd.Modes(bending=3, torsion=1))
    found = model.frequencies(model.state(q={"free": jd.Pose((0.3, 1.0, -2.0), (0.6, 0.0, 0.8, 0.0))}))
    assert found.rigid == 6
    # x'' = GJ / inertia_per_length: pi c / L, the section homogeneous
    torsion = np.pi * np.sqrt(1.0 / (2.0 / 1e6))
    assert found.rad[:4] == pytest.approx(np.repeat(FREE_FREE**2, 2), rel=1e-3)
    assert found.rad[-1] == pytest.approx(torsion, rel=1e-2)


def test_a_free_chain_of_masses_and_springs():
    """Three sliders on springs in space: w^2 = 0, k/m, 3k/m."""
    k, m = 40.0, 2.0
    system = jd.System("chain")
    system.add(jd.RigidBody("a", m), jd.Prismatic("first", axis="x"))
    system.add(jd.RigidBody("b", m), jd.Prismatic("second", axis="x", stiffness=k), to="a.origin")
    system.add(jd.RigidBody("c", m), jd.Prismatic("third", axis="x", stiffness=k), to="b.origin")
    model = system.compile()
    found = model.frequencies(model.state(q={"first": 7.0}, v={"first": 100.0}))
    assert found.rigid == 1
    assert found.rad == pytest.approx(np.sqrt([k / m, 3 * k / m]), rel=1e-8)
    shape = np.cumsum(found.shapes[:, 0])
    assert shape / shape[0] == pytest.approx([1.0, 0.0, -1.0], abs=1e-7)


@pytest.mark.parametrize("joint", [jd.Spherical("turn"), jd.Free("turn")])
def test_a_spinning_body_nutates(joint):
    """In body axes a torque-free symmetric body nutates at (C - A) / A times its spin (Euler)."""
    system = jd.System("top")
    system.add(jd.RigidBody("top", 2.0, inertia=(1.0, 1.0, 1.6)), joint)
    model = system.compile()
    spin = 7.0
    found = model.frequencies(model.state(v={"turn.wz": spin}))
    assert np.min(np.abs(found.rad - 0.6 * spin)) < 1e-6 * spin
    others = found.rad[np.abs(found.rad - 0.6 * spin) > 1e-3]
    assert others == pytest.approx(np.full(len(others), spin), rel=1e-3)
    assert np.iscomplexobj(found.shapes)


def test_forces_and_friction_count():
    """A mass hung from a sticking joint: friction's own stiffness; a constant force does not change a frequency."""
    system = jd.System("stuck", gravity=(0, 0, -9.81))
    joint = jd.Prismatic("slide", axis="z", friction=50.0, friction_stiffness=800.0)
    system.add(jd.RigidBody("load", 2.0), joint)
    system.force("push", at="load.origin", force=(0, 0, 3.0))
    model = system.compile()
    assert model.frequencies(model.state()).rad == pytest.approx([np.sqrt(800.0 / 2.0)], rel=1e-8)


def test_bad_questions(rotor):
    state = rotor.state()
    with pytest.raises(jd.errors.ModelError, match='rot: hold: no such velocity; did you mean "root"'):
        rotor.frequencies(state, hold=("rot",))
    with pytest.raises(jd.errors.ModelError, match="hold: got 'root'; give a tuple of names"):
        rotor.frequencies(state, hold="root")
    with pytest.raises(jd.errors.ModelError, match="state: got ndarray; give a State"):
        rotor.frequencies(state.q)
    state.q[1] = np.nan
    with pytest.raises(jd.errors.ModelError, match="state: "):
        rotor.frequencies(state)


def test_a_joint_is_held_by_its_name():
    model = beam(jd.Free("free"), modes=jd.Modes(bending=2))
    found = model.frequencies(model.state(), hold=("free",))
    assert found.rigid == 0 and len(found) == 4
    assert found.rad[:2] == pytest.approx(np.full(2, CANTILEVER[0] ** 2), rel=1e-2)


def kims_arm(modes):
    """Kim 1999, Table 6.2: attitude free, links of 8.13 m on clamped-free modes, 2.3 kg at the tip."""
    system = jd.System("Kim's arm")
    craft = jd.RigidBody("craft", 1e5, inertia=(8e5, 8e5, 8e5), frames={"shoulder": (1, 0, 0)})
    system.add(craft, jd.Revolute("attitude", axis="z"))
    for i, to in ((1, "craft.shoulder"), (2, "link1.tip")):
        shapes = dict(modes=jd.Modes(bending_y=modes), basis="clamped-free")
        link = jd.Beam(f"link{i}", 8.13, 163 / 8.13, 1e8, 88.1e3, 1e5, **shapes)
        system.add(link, jd.Revolute(f"joint{i}", axis="z"), to=to)
    system.add(jd.RigidBody("gripper", 2.3, inertia=(0.18, 0.18, 0.18)), jd.Revolute("wrist", axis="z"), to="link2.tip")
    return system.compile()


def test_kims_arm():
    """Near the final pose of section 6.5: 15.70 and 20.5 rad/s with one mode a link, the thesis's "16 rad/s"; all four
    joints turn freely."""
    model = kims_arm(1)
    far = np.hypot(8.8175, 0.5)
    half = np.arccos(far / (2 * 8.13))
    state = model.state(q={"joint1": np.arctan2(8.8175, 0.5) - half, "joint2": 2 * half})
    found = model.frequencies(state)
    assert found.rad == pytest.approx([15.70, 20.5], rel=3e-3) and found.rigid == 4
    linear = model.linearize(state)
    assert linear.frequencies().rad == pytest.approx(found.rad, rel=1e-12)
    start = model.state(q={"joint1": np.radians(30.0), "joint2": np.radians(120.0)})
    assert model.frequencies(start).rad == pytest.approx([15.74, 20.74], rel=1e-3)
    torques = model.linearize(start, inputs=["attitude", "joint1", "joint2"])
    assert torques.observable()
    # the gripper's own spin, which is the sum of all rates: nothing turns the wrist
    spins = [{name.split(":")[1] for name in mode.states} for mode in torques.controllable().modes]
    assert spins == [{"attitude", "joint1", "joint2", "wrist"}]


@jd.law
def spring(t, q, v, z, s, p, effort, dz):
    effort[0] -= p[0] * q[0] + p[1] * v[0]


def test_a_controller_counts():
    system = jd.System("slider")
    system.add(jd.RigidBody("a", 2.0), jd.Prismatic("slide", axis="x"))
    model = system.compile()
    found = model.frequencies(model.state(), controller=spring(50.0, 4.0))
    assert found.rad == pytest.approx([5.0], rel=1e-8) and found.damping == pytest.approx([0.2], rel=1e-7)
    assert model.frequencies(model.state()).rigid == 1 and found.rigid == 0


def test_a_contact_that_touches_counts():
    """Two balls pressed together by their springs: w^2 = (k + 1.5 K sqrt(d)) / m for the mode in which they meet."""
    system = jd.System("balls")
    for i, side in enumerate((-1.0, 1.0)):
        joint = jd.Prismatic(f"slide{i}", axis="x", stiffness=300.0)
        system.add(jd.RigidBody(f"ball{i}", 1.5), joint, position=(0.099 * side, 0, 0))
    law = jd.HertzContact(stiffness=1e5, restitution=1.0)
    system.contact("touch", jd.Sphere(0.1).at("ball0.origin"), jd.Sphere(0.1).at("ball1.origin"), normal=law)
    model = system.compile()
    rest = model.equilibrium(model.state())
    depth = 0.002 - (rest.state.q[1] - rest.state.q[0])
    assert 1e5 * depth**1.5 == pytest.approx(300.0 * rest.state.q[1], rel=1e-9)
    meet = 300.0 + 2 * 1.5e5 * depth**0.5
    assert model.frequencies(rest.state).rad == pytest.approx(np.sqrt([300.0 / 1.5, meet / 1.5]), rel=1e-7)
