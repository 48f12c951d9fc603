"""What drives do at a task, maps over a workspace, boxes, and parallel robots as ready systems."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from loop_machines import machines
from scipy.optimize import linprog
from scipy.spatial.transform import Rotation

import jourdain as jd
from jourdain.methods.mechanism.workspace_maps import box_distance

m = jd.mechanism
TASK = ("x", "y", "z")


@pytest.fixture(scope="module")
def rails():
    return {legs: m.sliding_platform(legs).compile() for legs in (3, 4)}


def unit_legs(model, state, legs):
    """Unit vectors along the rods, platform to carriages."""
    at = model.pose("platform.origin", state).position
    away = np.array([model.pose(f"carriage{i}.origin", state).position - at for i in range(legs)])
    return away / np.linalg.norm(away, axis=1)[:, None]


def closed(model, x, y, z):
    return model.assemble(model.state({"x": x, "y": y, "z": z}), hold=TASK)


@pytest.mark.parametrize("legs", [3, 4])
def test_transmission_of_rods_on_rails(rails, legs):
    """A slider follows by u . x' = u_z s'. With stiffness k u_z^2 the trace of K is that of unit legs, the sum of k."""
    model = rails[legs]
    state = closed(model, 0.11, -0.07, 0.05)
    names = [f"slide{i}" for i in range(legs)]
    here, u = m.transmission(model, state, names, TASK), unit_legs(model, state, legs)
    assert here.J == pytest.approx(u / u[:, 2:], abs=1e-9)
    k = np.linspace(1e5, 2e5, legs)
    assert np.trace(here.stiffness(k * u[:, 2] ** 2)) == pytest.approx(k.sum(), rel=1e-9)
    # the platform's mass and those of the carriages, felt through J
    assert here.M == pytest.approx(5.0 * np.eye(3) + here.J.T @ here.J, rel=1e-9)
    assert here.h == pytest.approx(9.81 * (np.array([0, 0, 5.0]) + here.J.sum(axis=0)), rel=1e-9)
    forces = here.forces()
    assert here.J.T @ forces == pytest.approx(here.h, rel=1e-9)


def test_coplanar_legs_are_singular_with_three_and_not_with_four(rails):
    """Three rods in one plane leave the way across it free. A fourth out of it holds that too."""
    flat = np.array([(1.0, 0.0, 0.5), (-1.0, 0.0, 0.5), (0.3, 0.0, 1.0)])
    u = flat / np.linalg.norm(flat, axis=1)[:, None]
    turns = np.zeros(3, bool)

    def hold(rows):
        return m.Transmission(rows, np.eye(3), np.zeros(3), turns, tuple("abcd"[: len(rows)]), TASK)

    assert hold(u).hold() < 1e-15 and hold(u).dexterity() < 1e-15
    fourth = np.vstack([u, [(0.0, 0.8, 0.6)]])
    assert hold(fourth).hold() > 0.1
    assert (
        np.linalg.matrix_rank(hold(u).stiffness(1e5)) == 2 and np.linalg.matrix_rank(hold(fourth).stiffness(1e5)) == 3
    )


def test_accelerations_are_those_of_a_linear_program(rng):
    """The way to a facet of the zonotope, against SciPy, with as many drives as degrees of freedom and with more."""
    for n, count in ((1, 2), (2, 3), (3, 3), (3, 5), (6, 6), (6, 8)):
        J, root = rng.normal(size=(count, n)), rng.normal(size=(n, n))
        limit = rng.uniform(1.0, 3.0, count)
        names, task = tuple("abcdefgh"[:count]), tuple("uvwxyz"[:n])
        M, h = root @ root.T + np.eye(n), 0.1 * rng.normal(size=n)
        here = m.Transmission(J, M, h, np.zeros(n, bool), names, task)
        for d in rng.normal(size=(3, n)):
            columns = np.column_stack([-(here.M @ d), J.T])
            found = linprog(
                [-1.0, *np.zeros(count)], A_eq=columns, b_eq=here.h, bounds=[(None, None), *((-f, f) for f in limit)]
            )
            assert here.accelerations(d, limit)[0] == pytest.approx(-found.fun, rel=1e-7)


def test_a_map_has_the_numbers_of_its_points(rails):
    """Every quantity at a point of a map is that of the state closed there; beyond the reach is nothing."""
    model = rails[4]
    names = [f"slide{i}" for i in range(4)]
    drives = m.Drives(names, stiffness=1e6, force=200.0, speed=0.8)
    show = ("reach", "dexterity", "hold", "stiffness", "frequency", "force", "speed", "acceleration")
    found = m.map(model, {"x": [-0.2, 0.0, 0.7], "y": [0.0, 0.15]}, drives, model.state(), show, task=TASK)
    assert found["reach"].tolist() == [[1, 1], [1, 1], [0, 0]] and np.all(np.isnan(found["hold"][2]))
    state = closed(model, -0.2, 0.15, 0.0)
    assert found.q[0, 1] == pytest.approx(state.q, abs=1e-9)
    here = m.transmission(model, state, names, TASK)
    assert found["stiffness"][0, 1] == pytest.approx(np.linalg.eigvalsh(here.stiffness(1e6))[0], rel=1e-8)
    omega = np.sqrt(np.linalg.eigvals(np.linalg.solve(here.M, here.stiffness(1e6))).real.min())
    assert found["frequency"][0, 1] == pytest.approx(omega / (2 * np.pi), rel=1e-8)
    assert found["force"][0, 1] == pytest.approx(np.abs(here.forces()).max(), rel=1e-8)
    around = np.column_stack([np.cos(np.linspace(0, 6.3, 2000)), np.sin(np.linspace(0, 6.3, 2000)), np.zeros(2000)])
    assert found["acceleration"][0, 1] == pytest.approx(here.accelerations(around, 200.0).min(), rel=0.02)
    assert found["speed"][0, 1] == pytest.approx(min(here.speed(d, 0.8) for d in around), rel=0.02)
    axes = found.plot("stiffness")
    assert axes.collections and axes.get_title() == "least stiffness [N/m]"
    plt.close("all")


@pytest.mark.filterwarnings("ignore:invalid value")  # where triangles do not close
def test_a_map_of_the_planar_robot_is_that_of_triangles():
    """Legs by triangles: the same points are reached, and there J is that of their closed form."""
    model = m.planar_robot(4).compile()
    grid, names = np.linspace(-0.3, 0.3, 13), [f"drive{i}" for i in range(4)]
    start = model.state(q=machines.parallel_robot_pose(4, 0.0, 0.0, 0.4))
    found = m.map(model, {"platform.x": grid, "platform.y": grid}, names, start, ("hold",))["hold"]
    for i, x in enumerate(grid):
        for j, y in enumerate(grid):
            pose = machines.parallel_robot_pose(4, x, y, 0.4)
            assert np.isfinite(found[i, j]) == np.all(np.isfinite(list(pose.values())))
            if np.isfinite(found[i, j]):
                here = m.transmission(model, model.state(q=pose), names, "platform")
                assert found[i, j] == pytest.approx(here.hold(), rel=1e-8)


def test_frequencies_of_a_map_are_those_of_springs_at_the_drives(rails):
    """The same machine with springs on its rails, linearised by the package, without gravity."""
    system = m.sliding_platform(4)
    sprung = jd.System("sprung")
    for one in system.attachments:
        joint = one.joint
        if joint.name.startswith("slide"):
            joint = jd.Prismatic(joint.name, axis="z", stiffness=1e6)
        sprung.add(one.body, joint, to=one.to, position=one.pose.position)
    for one in system.connections:
        sprung.connect(one.element, one.first, one.second)
    model = sprung.compile()
    found = model.frequencies(model.state())
    here = m.transmission(rails[4], rails[4].state(), [f"slide{i}" for i in range(4)], TASK)
    assert np.sort(found.rad) / (2 * np.pi) == pytest.approx(here.frequencies(1e6), rel=1e-6)


def test_an_open_arm_is_mapped_over_its_joints():
    """Two links of 1 m: the determinant of the Jacobian is sin(elbow), and its singular values are known."""
    arm = jd.System("arm")
    for k in range(2):
        body = jd.RigidBody(f"link{k}", 1.0, (0.5, 0, 0), (0, 0.1, 0.1), frames={"tip": (1.0, 0, 0)})
        arm.add(body, jd.Revolute(f"q{k}"), to="link0.tip" if k else "world")
    model = arm.compile()
    elbows = np.linspace(0.4, 2.6, 5)
    grid = {"q0": [0.0, 0.5], "q1": elbows}
    found = m.map(model, grid, ("q0", "q1"), model.state([0.0, 0.4]), ("hold", "dexterity"), "link1.tip", ("x", "y"))
    for k, elbow in enumerate(elbows):
        J = np.array([[-np.sin(elbow), -np.sin(elbow)], [1 + np.cos(elbow), np.cos(elbow)]])
        values = np.linalg.svd(np.linalg.inv(J), compute_uv=False)
        assert found["hold"][:, k] == pytest.approx(values[1], rel=1e-9)
        assert found["dexterity"][:, k] == pytest.approx(values[1] / values[0], rel=1e-9)
        assert found.places[0, k] == pytest.approx([1 + np.cos(elbow), np.sin(elbow)], abs=1e-12)


def test_boxes_against_sampling(rng):
    """Signs agree with points of one box that are in the other, wherever these are conclusive."""
    overlaps = 0
    for _ in range(200):
        centres, half = rng.uniform(-0.6, 0.6, (2, 3)), rng.uniform(0.1, 0.5, (2, 3))
        turns = Rotation.random(2, rng=rng).as_matrix()
        found = box_distance(*(x[None] for pair in zip(centres, turns, half) for x in pair))[0]
        grid = np.stack(np.meshgrid(*[np.linspace(-1, 1, 13)] * 3), -1).reshape(-1, 3)
        inside = False
        for a, b in ((0, 1), (1, 0)):
            points = (half[a] * grid) @ turns[a].T + centres[a]
            inside |= bool(np.any(np.all(np.abs((points - centres[b]) @ turns[b]) < half[b], axis=1)))
        overlaps += inside
        assert found < 0.0 if inside else found > -0.1  # a corner may be in between two points
    assert 20 < overlaps < 180
    turned = Rotation.from_euler("z", 45, degrees=True).as_matrix()
    apart = box_distance(
        np.zeros((1, 3)),
        np.eye(3)[None],
        np.full((1, 3), 0.5),
        np.array([[2.0, 0, 0]]),
        turned[None],
        np.full((1, 3), 0.5),
    )
    assert apart[0] == pytest.approx(2.0 - 0.5 - np.sqrt(0.5), abs=1e-12)


def test_clearance_of_links_from_a_post():
    arm = jd.System("arm")
    arm.add(jd.RigidBody("link", 1.0, (0.5, 0, 0), (0, 0.1, 0.1)), jd.Revolute("q"))
    model = arm.compile()
    parts = [jd.Box((1.0, 0.1, 0.1)).at("link.origin", (0.5, 0, 0)), jd.Box((0.2, 0.2, 0.2)).at("world", (0, 0.8, 0))]
    found = m.map(model, {"q": [0.0, np.pi / 2]}, ("q",), model.state(), ("clearance",), parts=parts)
    assert found["clearance"] == pytest.approx([0.8 - 0.1 - 0.05, -0.15], abs=1e-12)


def test_hexapod_and_planar_robot_are_closed_and_counted():
    hexapod = m.hexapod()
    model = hexapod.compile()
    assert np.max(np.abs(model.constraints.residual(model.state()))) < 1e-12
    counts = m.mobility_counts(hexapod)
    assert counts.chain == counts.multibody == model.mobility(model.state()).degrees == 6
    planar = m.mobility_counts(m.planar_robot(4), planar=True)
    assert planar.chain == planar.multibody == 3 and planar.loops == 4


def test_mistakes_say_what_to_do(rails):
    model = rails[3]
    names, start = ("slide0", "slide1", "slide2"), rails[3].state()
    for given, told in (
        ({"show": ("dexterty",)}, "did you mean"),
        ({"show": ("stiffness",)}, "Drives.names, stiffness"),
        ({"show": ("clearance",)}, "jd.Box"),
        ({"over": {"w": [0.0]}}, "no coordinate"),
        ({"task": ("x", "y")}, "of a machine of 3 degrees of freedom"),
        ({"drives": ("slide7",)}, "slide7"),
    ):
        full = {"over": {"x": [0.0]}, "drives": names, "start": start, "task": TASK} | given
        with pytest.raises(jd.errors.ModelError, match=told):
            m.map(model, **full)
    with pytest.raises(jd.errors.ModelError, match="more than the radius"):
        m.sliding_platform(length=0.4)
    with pytest.raises(jd.errors.ModelError, match="give 3 or more"):
        m.planar_robot(2)
    with pytest.raises(jd.errors.ModelError, match="has no count in a plane"):
        m.mobility_counts(m.hexapod(), planar=True)
