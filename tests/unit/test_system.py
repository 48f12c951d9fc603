"""Building systems: bodies, places, forces, and the contract of rigid bodies."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jourdain.basics.errors import ModelError, Problem, SimulationError
from jourdain.basics.pose import Pose
from jourdain.describe.addresses import split_address
from jourdain.describe.bodies import RigidBody
from jourdain.describe.joints import Free, Planar, Prismatic, Revolute, Spherical, Universal, Weld
from jourdain.describe.shapes import Box, Cone, Cylinder, Mesh, Plane, Sphere
from jourdain.describe.system import System
from jourdain.kernels.kind_registry import RIGID


def body(name, **options):
    return RigidBody(name, **{"mass": 1.0, "inertia": (1, 1, 1), "frames": {"tip": (1, 0, 0)}} | options)


def two_link_arm():
    arm = System("two-link arm", gravity=(0.0, 0.0, -9.81))
    arm.add(
        RigidBody("upper", mass=5.0, com=(0.5, 0, 0), inertia=(0.02, 0.42, 0.42), frames={"tip": (1, 0, 0)}),
        joint=Revolute("shoulder", axis="y"),
    )
    arm.add(body("fore"), joint=Revolute("elbow", axis="y"), to="upper.tip")
    arm.add(RigidBody("payload", mass=20.0, inertia=(1, 1, 1)), joint=Weld("grapple"), to="fore.tip")
    return arm


def test_a_system_is_built_checked_and_shown():
    arm = two_link_arm()
    arm.force("push", at="payload.origin", force=(0, 0, 1))
    assert arm.check() == []
    assert [item.name for item in arm.bodies] == ["upper", "fore", "payload"]
    assert arm.body("fore").name == "fore"
    assert arm.attachments[1].to == "upper.tip"
    assert arm.attachments[1].parent == "upper"
    text = repr(arm)
    assert "   └─ fore on elbow (revolute) at upper.tip" in text.splitlines()
    assert "force push at payload.origin" in text
    assert repr(pickle.loads(pickle.dumps(arm))) == text


def test_add_returns_the_body_and_takes_any_order():
    system = System("s")
    child = body("child")
    assert system.add(child, Revolute("b"), to="parent.tip") is child
    system.add(body("parent"), Revolute("a"))
    assert system.check() == []


def test_add_takes_poses_of_every_kind():
    system = System("s")
    Rotation = pytest.importorskip("scipy.spatial.transform").Rotation
    half = np.sqrt(0.5)
    for i, rotation in enumerate(
        [(half, half, 0, 0), Rotation.from_euler("x", np.pi / 2), [[1, 0, 0], [0, 0, -1], [0, 1, 0]]]
    ):
        system.add(body(f"b{i}"), Weld(f"w{i}"), position=(1, 2, 3), rotation=rotation, at="tip")
        place = system.attachments[-1].pose
        assert np.allclose(place.apply((0, 1, 0)), (1, 2, 4))
    assert system.check() == []


def test_unknown_body_lists_what_exists():
    with pytest.raises(ModelError, match='there is no body "uper"; did you mean "upper"'):
        two_link_arm().body("uper")


def test_split_address():
    assert split_address("world") == ("world", "origin")
    assert split_address("upper.tip") == ("upper", "tip")
    for wrong in ("upper", "upper.", ".tip", "a.b.c", "", 3):
        with pytest.raises(ModelError):
            split_address(wrong)


class Push:
    is_law = True
    name = "push law"


def test_forces_are_numbers_or_laws():
    arm = two_link_arm()
    arm.force("push", at="payload.origin", force=(0, 0, 1), moment=(1, 0, 0), axes="body")
    arm.force("law", at="fore.tip", force=Push())
    assert arm.check() == []
    constant, law = arm.forces
    assert constant.law is None
    assert constant.law_name is None
    assert constant.moment.tolist() == [1, 0, 0]
    assert law.law_name == "push law"
    assert law.force.tolist() == [0, 0, 0]


def test_gravity_can_be_changed_but_not_in_place():
    arm = two_link_arm()
    arm.gravity = (0, 0, -1.62)
    assert arm.gravity.tolist() == [0, 0, -1.62]
    with pytest.raises(ValueError):
        arm.gravity[0] = 1.0


@pytest.mark.parametrize(
    "call",
    [
        lambda: System("s", environment="orbit"),
        lambda: System("s").connect("pin", "a.tip", "b.tip"),
        lambda: System("s").make_flexible("link3", None),
        lambda: System("s").save("arm.urdf"),
    ],
)
def test_words_that_cannot_work_yet_say_so_in_one_line(call):
    with pytest.raises(ModelError) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_rigid_body_inertia_forms_are_one():
    full = [[2.0, 0.1, 0.2], [0.1, 3.0, 0.3], [0.2, 0.3, 4.0]]
    six = RigidBody("b", 1.0, inertia=(2, 3, 4, 0.1, 0.2, 0.3))
    assert six.inertia.tolist() == full
    assert RigidBody("b", 1.0, inertia=full).inertia.tolist() == full
    assert RigidBody("b", 1.0, inertia=(2, 3, 4)).inertia.tolist() == np.diag([2.0, 3, 4]).tolist()
    assert RigidBody("b", 1.0).inertia.tolist() == np.zeros((3, 3)).tolist()


def test_rigid_body_frames_and_markers():
    turned = Pose((0, 0, 1), (0, 1, 0, 0))
    one = RigidBody("b", 1.0, frames={"tip": (1, 0, 0), "cam": turned})
    assert one.frame_names() == ("origin", "tip", "cam")
    assert one.internal == ()
    assert one.frame("origin") == Pose()
    assert one.frame("cam") == turned
    marker = one.marker("tip", held=turned)
    assert np.allclose(turned.apply(marker.pose.position), (1, 0, 0))
    assert marker.station.size == 0
    with pytest.raises(ModelError, match=r'b\.tap: .*did you mean "b\.tip"'):
        one.frame("tap")


@given(
    st.tuples(*[st.floats(-2, 2)] * 3),
    st.tuples(*[st.floats(-1, 1)] * 4).filter(lambda q: np.linalg.norm(q) > 0.1),
)
def test_rigid_data_gives_the_same_kinetic_energy_in_any_kernel_frame(position, q):
    one = RigidBody("b", 3.0, com=(0.1, -0.2, 0.3), inertia=(2, 3, 4, 0.1, 0.2, 0.3))
    held = Pose(position, np.array(q) / np.linalg.norm(q))
    data = one.data(held)
    assert data.kind == RIGID
    assert data.integers.size == data.floats.size == 0
    omega, velocity = np.array([0.4, -1.0, 0.7]), np.array([1.0, 2.0, -0.5])
    at_com = velocity + np.cross(omega, one.com)
    expected = 0.5 * 3.0 * at_com @ at_com + 0.5 * omega @ one.inertia @ omega
    w = held.rotation.T @ omega
    v = held.rotation.T @ (velocity + np.cross(omega, held.position))
    got = 0.5 * w @ data.inertia @ w + data.mass * v @ np.cross(w, data.com) + 0.5 * data.mass * v @ v
    assert got == pytest.approx(expected, rel=1e-12)


def test_from_shape_matches_the_closed_form():
    can = RigidBody.from_shape("can", Cylinder(0.5, 2.0), density=1000.0, frames={"top": (0, 0, 1)})
    assert can.mass == pytest.approx(500 * np.pi)
    assert np.allclose(np.diag(can.inertia), can.mass * np.array([0.25 / 4 + 4 / 12] * 2 + [0.125]))
    assert can.frame("top").position.tolist() == [0, 0, 1]
    assert can.check() == []
    by_mass = RigidBody.from_shape("can", Cylinder(0.5, 2.0), mass=7.0)
    assert by_mass.mass == 7.0
    assert np.allclose(by_mass.inertia, can.inertia * 7.0 / can.mass)


def test_from_shape_at_a_place():
    quarter = (np.sqrt(0.5), 0, np.sqrt(0.5), 0)
    cone = Cone(0.5, 2.0)
    placed = cone.at("tip", position=(0, 0, 1), rotation=quarter)
    one = RigidBody.from_shape("cone", placed, density=2.0, frames={"tip": (1, 0, 0)})
    assert np.allclose(one.com, (1.0 - 0.5, 0.0, 1.0))
    assert np.allclose(one.inertia, 2.0 * np.diag([cone.inertia[2, 2], cone.inertia[0, 0], cone.inertia[0, 0]]))
    other = RigidBody.from_shape("cone", cone.at("cone.tip"), density=2.0, frames={"tip": (1, 0, 0)})
    assert np.allclose(other.com, (1.0, 0.0, -0.5))
    vertices, triangles = cone.to_mesh(64)
    mesh = Mesh(one.shape_pose().apply(vertices), triangles)
    assert np.allclose(mesh.centroid, one.com, atol=1e-3)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"shape": Sphere(-1.0), "density": 1.0}, "ball: sphere radius"),
        ({"shape": Sphere(1.0)}, "either density"),
        ({"shape": Sphere(1.0), "density": 1.0, "mass": 1.0}, "not both"),
        ({"shape": Sphere(1.0), "density": -1.0}, r"ball: density \[kg/m\^3\] is -1"),
        ({"shape": Sphere(1.0), "mass": float("nan")}, r"ball: mass \[kg\] is nan"),
        ({"shape": Sphere(1.0).at("top"), "mass": 1.0}, r'ball\.top: .*no frame "top"'),
        ({"shape": Plane((0, 0, 1)), "mass": 1.0}, "no finite volume"),
        ({"shape": "ball", "mass": 1.0}, "give a shape"),
        ({"shape": None, "mass": 1.0}, "give a shape"),
    ],
)
def test_from_shape_refuses_what_has_no_mass(options, message):
    with pytest.raises(ModelError, match=message):
        RigidBody.from_shape("ball", **options)


def test_a_shape_adds_no_mass():
    one = RigidBody("b", 1.0, inertia=(1, 1, 1), shape=Box((1, 1, 1)))
    assert one.mass == 1.0
    assert one.shape_pose() == Pose()


def test_errors_list_all_problems_and_survive_pickling():
    error = ModelError([Problem("a", "one"), Problem("b.tip", "two")])
    assert str(error) == "a: one\nb.tip: two"
    assert pickle.loads(pickle.dumps(error)).problems == error.problems
    assert isinstance(error, ValueError)
    failure = pickle.loads(pickle.dumps(SimulationError("not a number", 1.5, "elbow")))
    assert (str(failure), failure.time, failure.culprit, failure.partial) == (
        "not a number",
        1.5,
        "elbow",
        None,
    )
    assert isinstance(failure, RuntimeError)


def test_massless_bodies_are_fine_where_others_move_with_them():
    system = System("gimbal")
    empty = {"mass": 0.0, "inertia": (0, 0, 0)}
    system.add(body("ring", **empty), Revolute("yaw", "z"))
    system.add(body("fork", **empty), Revolute("pitch", "y"), to="ring.origin")
    system.add(body("camera"), Revolute("roll", "x"), to="fork.origin")
    system.add(body("cover", **empty), Weld("bolts"), to="camera.tip")
    assert system.check() == []


def test_a_point_mass_may_swing_but_not_spin():
    pendulum = System("pendulum")
    pendulum.add(RigidBody("bob", 1.0, com=(0, 0, -1)), Universal("pivot", axes=("x", "y")))
    pendulum.add(RigidBody("level", 1.0, com=(1, 0, 0)), Universal("upright", axes=("x", "y")))
    pendulum.add(RigidBody("bead", 1.0), Prismatic("wire", "x"))
    pendulum.add(RigidBody("arm", 0.0, frames={"tip": (1, 0, 0)}), Revolute("a", "z"))
    pendulum.add(RigidBody("mass", 1.0, com=(1, 0, 0)), Revolute("b", "z"), to="arm.tip")
    assert pendulum.check() == []


def test_a_tiny_body_on_a_huge_one_is_not_singular():
    station = System("station")
    station.add(RigidBody("base", 4e5, inertia=(1e8, 1e8, 1e8), frames={"port": (50, 0, 0)}), Free("free"))
    station.add(RigidBody("gear", 1e-3, inertia=(1e-9, 1e-9, 1e-9)), Revolute("pin"), to="base.port")
    station.add(RigidBody("link", 1e-3, inertia=(1e-6, 1e-6, 1e-6)), Revolute("pivot"))
    station.add(RigidBody("rotor", 1e6, inertia=(1e9, 1e9, 1e9)), Revolute("bearing"), to="link.origin")
    assert station.check() == []


def crane(crank):
    """A crank without mass before 100 t at 1 km."""
    system = System("crane")
    system.add(RigidBody("crank", 0.0, frames={"pin": (crank, 0, 0)}), Revolute("a", "z"))
    system.add(RigidBody("boom", 1e5, com=(1000, 0, 0), inertia=(1, 1, 1)), Revolute("b", "z"), to="crank.pin")
    return system


def test_a_massless_crank_before_a_heavy_distant_payload_is_not_singular():
    """Little inertia is not none: the crank's is 7e-12 of the payload's, so that rounding takes 12 digits of 16."""
    model = crane(3e-3).compile()
    state = model.state(q={"a": 0.4, "b": 1.1})
    felt = 1e5 * 3e-3**2 * (1.0 - np.cos(1.1) ** 2 / (1.0 + 1.0 / 1e11))
    assert model.forward_dynamics(state, np.array([1.0, 0.0]))[0] == pytest.approx(1.0 / felt, rel=1e-4)
    assert [problem.address for problem in crane(0.0).check()] == ["a"]


def test_a_long_chain_is_checked_and_shown():
    chain = System("chain")
    for i in range(1200):
        chain.add(body(f"b{i}"), Spherical(f"j{i}"), to=f"b{i - 1}.tip" if i else "world")
    assert chain.check() == []
    assert len(repr(chain).splitlines()) == 1202


def test_planar_and_welded_groups_get_their_inertia_from_the_whole_group():
    cart = System("cart")
    cart.add(RigidBody("plate", 0.0, frames={"tip": (1, 0, 0)}), Planar("floor"))
    cart.add(RigidBody("load", 2.0), Weld("strap"), to="plate.tip")
    assert [problem.address for problem in cart.check()] == ["floor"]
    cart.add(RigidBody("other load", 2.0), Weld("other strap"), to="plate.origin")
    assert cart.check() == []


@pytest.mark.parametrize("name", ["a\x1b[31mb", "a\x07b", "a\x9bb", "a\x00b"])
def test_a_name_that_would_move_a_terminal_is_refused(name):
    """As a run file from elsewhere may have one: names are printed."""
    system = System("s")
    system.add(RigidBody(name, 1.0, inertia=(1, 1, 1)), Revolute("h", axis="z"))
    with pytest.raises(ModelError, match="has a character that is no text") as told:
        system.compile()
    assert name not in str(told.value)
