"""Every kind of bad input, one by one: refused, with the address of the culprit and all of it at once."""

import re

import numpy as np
import pytest

from jourdain.basics.errors import ModelError
from jourdain.basics.pose import Pose
from jourdain.describe import singular_mass
from jourdain.describe.bodies import Beam, RigidBody
from jourdain.describe.joints import Cylindrical, Free, Planar, Prismatic, Revolute, Screw, Spherical, Universal, Weld
from jourdain.describe.shapes import Box, Sphere
from jourdain.describe.system import System

NAN = float("nan")


def body(name, **options):
    return RigidBody(name, **{"mass": 1.0, "inertia": (1, 1, 1), "frames": {"tip": (1, 0, 0)}} | options)


def arm(*, second=None, joint=None, **options):
    system = System("arm")
    system.add(body("upper"), Revolute("shoulder", "y"))
    system.add(second or body("fore"), joint or Revolute("elbow", "y"), **{"to": "upper.tip"} | options)
    return system


def expect(system, address, message, count=1):
    """That exactly `count` problems are found, all as told."""
    problems = system.check()
    assert len(problems) == count, problems
    assert all(problem.address == address for problem in problems), problems
    assert any(re.search(message, problem.message) for problem in problems), problems
    assert all("\n" not in str(problem) for problem in problems)


def with_force(*arguments, **options):
    system = arm()
    system.force(*arguments, **options)
    return system


class Law:
    is_law = True


@pytest.mark.parametrize(
    ("system", "address", "message"),
    [
        (System("nothing"), "nothing", "no bodies"),
        (System("s", gravity=(0, 0, NAN)), "s", "gravity .* finite"),
        (arm(second=body("upper")), "upper", 'body name "upper" is used 2 times'),
        (arm(joint=Revolute("shoulder")), "shoulder", 'joint name "shoulder" is used 2 times'),
        (arm(second=body("world")), "world", "taken by the world"),
        (arm(second=Beam("world", 1.0, 1.0, EA=1.0, EI=1.0, GJ=1.0)), "world", "taken by the world"),
        (arm(second=body("")), "", "name is empty"),
        (arm(second=body("fore.arm")), "fore.arm", "has a dot"),
        (arm(second=body(" fore")), " fore", "spaces around"),
        (arm(second=body(7)), "7", "a name is text"),
        (arm(joint=Revolute("el.bow")), "el.bow", "joint name .* has a dot"),
        (arm(joint=Revolute("elbow ")), "elbow ", "spaces around"),
        (arm(joint=Revolute("  ")), "  ", "name is empty"),
        (arm(to="upper.top"), "fore", 'to="upper.top": body "upper" has no frame "top"; .*origin, tip'),
        (arm(to="upper.tpi"), "fore", 'did you mean "tip"'),
        (arm(to="upper"), "fore", 'did you mean "upper.origin"'),
        (arm(to="world.tip"), "fore", 'the world has no frame "tip"'),
        (arm(at="end"), "fore", 'at="end": body "fore" has no such frame; there are: origin, tip'),
        (arm(at="fore.tip"), "fore", 'write at="tip"'),
        (arm(position=(0, NAN, 0)), "fore", "position .* finite"),
        (arm(second=body("fore", mass=-1.0)), "fore", r"mass \[kg\] is -1; it must be at least 0"),
        (arm(second=body("fore", mass=NAN)), "fore", "mass .* is nan"),
        (arm(second=body("fore", com=(NAN, 0, 0))), "fore", "com .* finite"),
        (arm(second=body("fore", inertia=(1, 1, NAN))), "fore", "inertia .* finite"),
        (arm(second=body("fore", inertia=(1, 1, -1))), "fore", "none can be negative"),
        (arm(second=body("fore", inertia=(1, 1, 2.1))), "fore", "exceeds the sum .* by 0.1 .*triangle"),
        (arm(second=body("fore", inertia=(1, 1, 1, 2, 0, 0))), "fore", "none can be negative"),
        (
            arm(second=body("fore", inertia=[[1, 0.1, 0], [0, 1, 0], [0, 0, 1]])),
            "fore",
            "not symmetric",
        ),
        (arm(second=body("fore", frames={"a.b": (0, 0, 0)})), "fore.a.b", "frame name .* has a dot"),
        (arm(second=body("fore", frames={"": (0, 0, 0)})), "fore.", "frame name is empty"),
        (arm(second=body("fore", frames={"origin": (0, 0, 0)})), "fore.origin", "choose another name"),
        (arm(second=body("fore", frames={"tip": (0, NAN, 0)})), "fore.tip", "position .* finite"),
        (arm(second=body("fore", shape=Sphere(-1.0))), "fore", "sphere radius"),
        (arm(second=body("fore", shape=Box((1, 1, 1)).at("top"))), "fore.top", 'no frame "top"'),
        (
            arm(second=body("fore", shape=Box((1, 1, 1)).at("origin", position=(0, NAN, 0)))),
            "fore",
            "position .* finite",
        ),
        (arm(joint=Revolute("elbow", axis=(0, 0, 0))), "elbow", "axis is .* of zero length"),
        (arm(joint=Revolute("elbow", axis=(0, NAN, 0))), "elbow", "axis .* not finite"),
        (arm(joint=Prismatic("elbow", axis=(0, 0, 0))), "elbow", "zero length"),
        (arm(joint=Cylindrical("elbow", axis=(0, 0, 0))), "elbow", "zero length"),
        (arm(joint=Planar("elbow", normal=(0, 0, 0))), "elbow", "normal .* zero length"),
        (arm(joint=Universal("elbow", axes=("x", (0, 0, 0)))), "elbow", r"axes\[1\] .* zero length"),
        (arm(joint=Universal("elbow", axes=("x", (-2, 0, 0)))), "elbow", "are parallel"),
        (arm(joint=Revolute("elbow", stiffness=-1.0)), "elbow", "stiffness is -1"),
        (arm(joint=Revolute("elbow", damping=-1.0)), "elbow", "damping is -1"),
        (arm(joint=Prismatic("elbow", friction=-1.0)), "elbow", "friction is -1"),
        (arm(joint=Revolute("elbow", stiffness=NAN)), "elbow", "stiffness is nan"),
        (arm(joint=Revolute("elbow", rest=NAN)), "elbow", "rest is nan"),
        (arm(joint=Revolute("elbow", limits=(1.0, -1.0))), "elbow", "low one must come first"),
        (arm(joint=Revolute("elbow", limits=(1.0, 1.0))), "elbow", "low one must come first"),
        (arm(joint=Revolute("elbow", limits=(NAN, 1.0))), "elbow", "limits .* finite"),
        (arm(joint=Revolute("elbow", limits=(0, 1), limit_stiffness=0.0)), "elbow", "limit_stiffness is 0"),
        (arm(joint=Revolute("elbow", limits=(0, 1), limit_damping=-1.0)), "elbow", "limit_damping is -1"),
        (arm(joint=Revolute("elbow", limit_stiffness=1.0)), "elbow", "without limits"),
        (arm(joint=Revolute("elbow", friction_stiffness=-1.0)), "elbow", "friction_stiffness is -1"),
        (arm(joint=Screw("elbow", pitch=NAN)), "elbow", "pitch .* is nan"),
        (arm(joint=Screw("elbow", pitch=0.0)), "elbow", "pitch is 0"),
        (with_force("push", at="fore.top"), "push", "at='fore.top': body \"fore\" has no frame"),
        (with_force("push", at="four.tip"), "push", 'there is no body "four"; did you mean "fore"'),
        (with_force("push", at="world"), "push", "moves nothing"),
        (with_force("push", at=3), "push", "an address is text"),
        (with_force("push", at="fore.tip", force=(0, NAN, 0)), "push", "force .* finite"),
        (with_force("push", at="fore.tip", moment=(0, NAN, 0)), "push", "moment .* finite"),
        (with_force("push", at="fore.tip", axes="tip"), "push", "axes is 'tip'"),
        (with_force("pu.sh", at="fore.tip"), "pu.sh", "has a dot"),
        (with_force("push", at="fore.tip", force=Law(), moment=(1, 0, 0)), "push", "leave out moment="),
    ],
)  # fmt: skip
def test_one_mistake_gives_one_problem_with_its_address(system, address, message):
    count = 2 if address == "s" else 1
    expect(system, address, message, count)


def test_forces_of_one_name():
    system = with_force("push", at="fore.tip")
    system.force("push", at="upper.tip")
    expect(system, "push", "force name .* used 2 times")


def test_unknown_body_hangs_on_nothing():
    system = arm(to="uper.tip")
    system.add(body("hand"), Revolute("wrist"), to="fore.tip")
    found = {(problem.address, problem.message) for problem in system.check()}
    assert {address for address, _ in found} == {"fore", "hand"}
    text = "\n".join(message for _, message in found)
    assert 'there is no body "uper"; did you mean "upper"' in text
    assert 'hangs on nothing: it is added to "uper", which was never added' in text
    assert 'hangs on nothing: its chain ends at "uper", which was never added' in text


def test_cycles_name_their_bodies_once():
    system = System("ring")
    system.add(body("a"), Revolute("ja"), to="c.tip")
    system.add(body("b"), Revolute("jb"), to="a.tip")
    system.add(body("c"), Revolute("jc"), to="b.tip")
    system.add(body("d"), Revolute("jd"), to="c.tip")
    system.add(body("self"), Revolute("js"), to="self.tip")
    problems = {problem.address: problem.message for problem in system.check()}
    assert set(problems) == {"a", "d", "self"}
    assert "cycle: a -> c -> b -> a" in problems["a"]
    assert "cycle: self -> self" in problems["self"]
    assert 'hangs on the cycle of "a"' in problems["d"]
    assert "not connected to the world: a" in repr(system)


class Wobbly(RigidBody):
    """A body with an internal coordinate, as flexible ones have."""

    def __post_init__(self):
        super().__post_init__()
        object.__setattr__(self, "internal", ("x",))


def test_coordinates_of_joints_and_bodies_may_not_share_a_name():
    system = System("s")
    system.add(Wobbly("free", 1.0, inertia=(1, 1, 1)), Free("free"))
    expect(system, "free.x", 'joint "free" and body "free" both have a coordinate')


@pytest.mark.parametrize(
    ("joint", "options", "names"),
    [
        (Revolute("pin", "z"), {"mass": 0.0}, ["pin"]),
        (Revolute("pin", "z"), {"mass": 1.0, "com": (0, 0, 1)}, ["pin"]),
        (Revolute("pin", (1, 1, 1)), {"mass": 1.0, "com": (0.3, 0.3, 0.3)}, ["pin"]),
        (Revolute("pin", "z"), {"mass": 1.0, "inertia": (1, 1, 0)}, ["pin"]),
        (Prismatic("pin", "z"), {"mass": 0.0, "inertia": (1, 1, 1)}, ["pin"]),
        (Screw("pin", "z", 0.1), {"mass": 0.0}, ["pin"]),
        (Cylindrical("pin", "z"), {"mass": 1.0}, ["pin.angle"]),
        (Universal("pin", axes=("x", "y")), {"mass": 1.0, "com": (0, 1, 0)}, ["pin.b"]),
        (Spherical("pin"), {"mass": 1.0}, ["pin.wx", "pin.wy", "pin.wz"]),
        (Spherical("pin"), {"mass": 1.0, "com": (0, 1, 0)}, ["pin.wy"]),
        (Planar("pin"), {"mass": 1.0}, ["pin.angle"]),
        (Free("pin"), {"mass": 1.0}, ["pin.wx", "pin.wy", "pin.wz"]),
        (Free("pin"), {"mass": 0.0, "inertia": (1, 1, 1)}, ["pin.vx", "pin.vy", "pin.vz"]),
        (Free("pin"), {"mass": 1.0, "inertia": (0, 1, 1)}, ["pin.wx"]),
    ],
)
def test_motion_without_inertia_is_named(joint, options, names):
    system = System("s")
    system.add(RigidBody("thing", **options), joint)
    (problem,) = system.check()
    assert problem.address == "pin"
    assert '"thing"' in problem.message
    assert "singular" in problem.message
    motion = problem.message.split("the motion ")[1].split(" of the ")[0]
    assert motion == ", ".join(f'"{name}"' for name in names)


def test_inertia_that_outboard_joints_take_away_is_no_inertia():
    system = System("s")
    system.add(RigidBody("sleeve", 0.0), Prismatic("outer", "x"))
    system.add(body("piston"), Prismatic("inner", "x"), to="sleeve.origin")
    expect(system, "outer", '"outer" of the prismatic joint "outer", which holds body "sleeve"')


def test_more_than_six_axes_with_one_body_at_the_end_are_singular():
    system = System("s")
    rng = np.random.default_rng(4)
    for i in range(8):
        last = {"mass": 1.0, "inertia": (1, 1, 1)} if i == 7 else {"mass": 0.0, "inertia": (0, 0, 0)}
        place = {"position": rng.normal(size=3), "to": f"b{i - 1}.tip" if i else "world"}
        system.add(body(f"b{i}", **last), Revolute(f"j{i}", axis=rng.normal(size=3)), **place)
    problems = system.check()
    assert [problem.address for problem in problems] == ["j0", "j1"]


def test_massless_leaves_welded_to_nothing_heavy():
    system = System("s")
    system.add(RigidBody("a", 0.0), Revolute("pin"))
    system.add(RigidBody("b", 0.0), Weld("glue"), to="a.origin")
    expect(system, "pin", "nothing gives inertia")
    welded = System("w")
    welded.add(RigidBody("a", 0.0), Weld("glue"))
    assert welded.check() == []


def test_equality_in_the_triangle_inequality_is_allowed():
    thin = body("fore", inertia=(0.1, 0.2, 0.1 + 0.2))
    assert arm(second=thin).check() == []
    turned = Pose(rotation=(0.8, 0.0, 0.36, 0.48)).rotation
    assert arm(second=body("fore", inertia=turned @ np.diag([1.0, 2.0, 3.0]) @ turned.T)).check() == []


def test_everything_is_reported_at_once():
    system = System("mess", gravity=(0, NAN, 0))
    system.add(body("a", mass=-1.0, inertia=(1, 1, 5)), Revolute("j", axis=(0, 0, 0), stiffness=-1.0))
    system.add(body("b"), Revolute("j", limits=(1, 0)), to="a.top", at="end", position=(NAN, 0, 0))
    system.force("push", at="c.tip", force=(NAN, 0, 0))
    problems = system.check()
    assert len(problems) == 12
    for address in ("mess", "a", "j", "b", "push"):
        assert any(problem.address == address for problem in problems)
    text = str(ModelError(problems))
    assert len(text.splitlines()) == 12


def test_a_massless_body_behind_a_mistake_is_not_reported_twice():
    system = System("s")
    system.add(RigidBody("ring", 0.0), Revolute("pin"))
    system.add(body("load", mass=-1.0), Weld("glue"), to="ring.origin")
    expect(system, "load", "mass")


@pytest.mark.parametrize(
    ("make", "address"),
    [
        (lambda: System("s", gravity=(0, 0)), "s: gravity"),
        (lambda: System("s", gravity="down"), "s: gravity"),
        (lambda: RigidBody("b", "heavy"), "b: mass"),
        (lambda: RigidBody("b", (1, 2)), "b: mass"),
        (lambda: RigidBody("b", True), "b: mass"),
        (lambda: RigidBody("b", 1.0, com=(1, 2)), "b: com"),
        (lambda: RigidBody("b", 1.0, inertia=(1, 2)), "b: inertia"),
        (lambda: RigidBody("b", 1.0, frames={"tip": (1, 2)}), "b.tip"),
        (lambda: RigidBody("b", 1.0, frames=[("tip", (1, 2, 3))]), "b: frames"),
        (lambda: RigidBody("b", 1.0, shape="box"), "b: shape"),
        (lambda: Revolute("j", axis="q"), "j: axis"),
        (lambda: Revolute("j", axis=(1, 0)), "j: axis"),
        (lambda: Revolute("j", stiffness="soft"), "j: stiffness"),
        (lambda: Revolute("j", limits=(1, 2, 3)), "j: limits"),
        (lambda: Revolute("j", limits=(0, 1), limit_stiffness="hard"), "j: limit_stiffness"),
        (lambda: Screw("j", pitch="fine"), "j: pitch"),
        (lambda: Universal("j", axes=("x",)), "j: axes"),
        (lambda: Universal("j", axes=3), "j: axes"),
        (lambda: Universal("j", axes=("x", "q")), "j: axes[1]"),
        (lambda: arm(position=(1, 2)), "fore: position"),
        (lambda: arm(rotation=(1, 1, 0, 0)), "fore: rotation"),
        (lambda: arm(rotation=(1, NAN, 0, 0)), "fore: rotation"),
        (lambda: arm(rotation=-np.eye(3)), "fore: rotation"),
        (lambda: arm(to=None), "fore"),
        (lambda: arm(at=None), "fore"),
        (lambda: arm(joint="revolute"), "fore"),
        (lambda: System("s").add("body", Revolute("j")), "s"),
        (lambda: with_force("push", at="fore.tip", force=(1, 2)), "push: force"),
        (lambda: with_force("push", at="fore.tip", moment="big"), "push: moment"),
    ],
)
def test_wrong_types_and_lengths_are_refused_at_once_with_the_address(make, address):
    with pytest.raises(ModelError) as caught:
        make()
    (problem,) = caught.value.problems
    assert problem.address == address
    assert str(caught.value).startswith(f"{address}: ")


def mass_matrix_rank_loss(system):
    """How many independent motions have no inertia, from ``sum of J^T M J`` at the generic configuration."""
    links = singular_mass._links(system, {id(item) for item in system.attachments})
    total = sum(link.motions.shape[1] for link in links)
    jacobians, matrix, used = [], np.zeros((total, total)), 0
    for i, link in enumerate(links):
        transform, motions = singular_mass._moved(link, i)
        jacobian = transform @ jacobians[link.parent] if link.parent >= 0 else np.zeros((6, total))
        jacobian[:, used : used + motions.shape[1]] += motions
        used += motions.shape[1]
        jacobians.append(jacobian)
        matrix += jacobian.T @ link.inertia @ jacobian
    size = np.sqrt(np.diag(matrix))
    size[size == 0.0] = 1.0
    return int(np.sum(np.linalg.eigvalsh(matrix / size[:, None] / size) < 1e-9))


@pytest.mark.parametrize("seed", range(150))
def test_a_system_is_refused_exactly_when_its_mass_matrix_is_singular(seed):
    rng = np.random.default_rng(seed)
    system = System("random")
    for i in range(rng.integers(1, 6)):
        joints = (Revolute, Prismatic, Cylindrical, Universal, Spherical, Planar, Free, Weld, Weld)
        joint = joints[rng.integers(len(joints))](f"j{i}")
        inertia = [(0, 0, 0), (1, 1, 0), (1, 2, 2.5)][rng.integers(3)]
        mass = [0.0, 1.0][rng.integers(2)]
        com = [(0, 0, 0), (0, 0, 1), rng.normal(size=3)][rng.integers(3)]
        to = f"b{rng.integers(i)}.tip" if i and rng.random() < 0.8 else "world"
        turn = rng.normal(size=4)
        turn = None if rng.random() < 0.5 else turn / np.linalg.norm(turn)
        place = RigidBody(f"b{i}", mass, com, inertia, {"tip": rng.integers(-1, 2, size=3)})
        system.add(place, joint, to=to, rotation=turn, at=["origin", "tip"][rng.integers(2)])
    assert bool(system.check()) == (mass_matrix_rank_loss(system) > 0)
