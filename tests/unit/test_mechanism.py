"""Mechanism kinematics on models: positions, lock-up, branches, assembly modes, equilibria and linear models."""

import numpy as np
import pytest
from loop_machines import machines

import jourdain as jd

A, B, C, D = machines.FOUR_BAR.values()


@pytest.fixture(scope="module")
def four_bar():
    return machines.four_bar().compile()


def parallelogram():
    """a = c = 1, b = d = 2: it can go flat."""
    system = jd.System("parallelogram")
    system.add(machines.rod("crank", 1.0, 1.0), joint=jd.Revolute("theta"))
    system.add(machines.rod("coupler", 2.0, 1.0), joint=jd.Revolute("elbow"), to="crank.tip")
    system.add(machines.rod("rocker", 1.0, 1.0), joint=jd.Revolute("psi"), position=(2.0, 0, 0))
    system.connect(jd.Revolute("pin"), "coupler.tip", "rocker.tip")
    return system.compile()


def reaching_arm():
    """Two links of 1 m whose tip is driven along (t, 1/2)."""
    system = jd.System("reaching arm")
    system.add(machines.rod("upper", 1.0, 1.0), joint=jd.Revolute("q1"), position=(0, -0.5, 0))
    system.add(machines.rod("fore", 1.0, 1.0), joint=jd.Revolute("q2"), to="upper.tip")
    system.connect(jd.Spherical("tip"), "fore.tip", "world", moves=(jd.Polynomial([0.0, 1.0]), None, None))
    return system.compile()


ELBOW = float(np.arccos(1.25 / 2.0 - 1.0))


def test_positions_against_the_triangles(four_bar):
    """A turn of the crank at constant speed: angles by triangles, rates by differences of those."""
    times = np.linspace(0.0, 1.0, 21)
    spin = 2.0 * np.pi
    found = jd.mechanism.positions(
        four_bar, {"crank_angle": jd.Polynomial([1.0, spin])}, times, machines.four_bar_start(four_bar)
    )
    angles = lambda t: np.array(machines.four_bar_angles(1.0 + spin * t, A, B, C, D))  # noqa: E731
    theory = np.unwrap(np.array([angles(t) for t in times]), axis=0)
    ours = np.column_stack([found.q[:, 0] + found.q[:, 1], found.q[:, 2]])
    assert ours == pytest.approx(theory, abs=1e-10)
    h = 1e-4
    for i in (3, 11, 17):
        before, now, after = (np.unwrap(np.array([theory[i], angles(times[i] + s * h)]), axis=0)[1] for s in (-1, 0, 1))
        speed, acceleration = (after - before) / (2 * h), (after - 2 * now + before) / h**2
        assert found.v[i, 2] == pytest.approx(speed[1], abs=1e-5)
        assert found.v[i, 0] + found.v[i, 1] == pytest.approx(speed[0], abs=1e-5)
        assert found.a[i, 2] == pytest.approx(acceleration[1], abs=1e-3)


def test_reactions_balance_the_power(four_bar):
    """The torque of the driver is the rate of the energy over its speed."""
    times = np.linspace(0.0, 1.0, 201)
    found = jd.mechanism.positions(
        four_bar, {"crank_angle": jd.Polynomial([1.0, 6.0])}, times, machines.four_bar_start(four_bar), reactions=True
    )
    energy = np.array([four_bar.energy(found.state(i)).total for i in range(len(found))])
    work = np.concatenate([[0.0], np.cumsum(0.5 * 0.005 * 6.0 * (found.effort[1:, 0] + found.effort[:-1, 0]))])
    assert work == pytest.approx(energy - energy[0], abs=2e-3 * np.ptp(energy))
    # the pin and gravity turn the rocker
    arm = found.position("rocker.tip")[:, :2] - [D, 0.0]
    pin = -found.force("pin")
    torque = arm[:, 0] * pin[:, 1] - arm[:, 1] * pin[:, 0] - 0.7 * 9.81 * arm[:, 0] / 2
    assert torque == pytest.approx((0.0146 + 0.7 * C**2 / 4) * found.a[:, 2], abs=1e-9 * np.max(np.abs(pin)))


def test_lock_up_is_reported_with_its_place():
    model = reaching_arm()
    start = model.state(q={"q1": np.arctan2(0.5, 1.0) - ELBOW / 2.0, "q2": ELBOW}, time=1.0)
    with pytest.raises(jd.mechanism.LockUp, match="locks up at 1.9364917") as locked:
        jd.mechanism.positions(model, None, np.linspace(1.0, 2.5, 16), start)
    assert locked.value.time == pytest.approx(np.sqrt(3.75), abs=1e-9)
    assert locked.value.state.q == pytest.approx([0.2526803, 0.0], abs=1e-6)
    assert locked.value.partial.time[-1] == pytest.approx(1.9)


def test_trace_of_a_model_goes_through_its_turning_point():
    """The same arm: rows of a spherical joint in the plane, one of which is always zero."""
    model = reaching_arm()
    start = model.state(q={"q1": np.arctan2(0.5, 1.0) - ELBOW / 2.0, "q2": ELBOW}, time=1.0)
    path = jd.mechanism.trace(model, None, start, until=1.0)
    (event,) = path.events
    assert event.kind == "turning" and event.time == pytest.approx(np.sqrt(3.75), abs=1e-10)
    assert event.q == pytest.approx([0.25268025514, 0.0], abs=1e-9)
    assert path.q[-1, 1] == pytest.approx(-ELBOW, abs=1e-9)
    assert path.det[0] * path.det[-1] < 0.0 < path.zeta[0] * path.zeta[-1]


def test_branches_of_a_parallelogram():
    model = parallelogram()
    start = model.state(q={"theta": -0.1, "elbow": 0.1, "psi": -0.1}, time=-0.1)
    path = jd.mechanism.trace(model, {"theta": jd.Polynomial([0.0, 1.0])}, start, until=0.3)
    (event,) = path.events
    assert event.kind == "bifurcation" and event.time == pytest.approx(0.0, abs=1e-9)
    ours = event.tangents[:, :3] / event.tangents[:, :1]
    assert ours[0] == pytest.approx([1.0, -1.0, 1.0], abs=1e-6)  # the elbow is relative: phi - theta
    assert ours[1] == pytest.approx([1.0, -3.0, -3.0], abs=1e-6)
    other = jd.mechanism.switch_branch(event, until=0.3)
    theta, elbow, psi = other.q[-1]
    assert theta == pytest.approx(0.3, abs=1e-10) and psi < -0.5
    assert np.max(np.abs(model.constraints.residual(other.q[-1]))) < 1e-10


def test_assembly_modes_of_a_crank_rocker(four_bar):
    """Two closures at any crank angle, mirror images about the diagonal, of two circuits that do not meet."""
    modes = jd.mechanism.assembly_modes(four_bar, {"crank_angle": 1.0}, tries=20)
    assert [mode.circuit for mode in modes] == [0, 1]
    rockers = sorted(mode.state.q[2] for mode in modes)
    tip = A * np.array([np.cos(1.0), np.sin(1.0)]) - [D, 0.0]
    middle = np.arctan2(*tip[::-1])
    spread = np.arccos((C**2 + tip @ tip - B**2) / (2 * C * np.hypot(*tip)))
    theory = np.remainder(np.array([middle - spread, middle + spread]) + np.pi, 2 * np.pi) - np.pi
    assert rockers == pytest.approx(sorted(theory), abs=1e-9)


def test_modes_of_a_double_rocker_are_one_circuit():
    system = jd.System("double rocker")
    system.add(machines.rod("crank", 1.0, 1.0), joint=jd.Revolute("theta"))
    system.add(machines.rod("coupler", 0.6, 1.0), joint=jd.Revolute("elbow"), to="crank.tip")
    system.add(machines.rod("rocker", 0.9, 1.0), joint=jd.Revolute("psi"), position=(1.4, 0, 0))
    system.connect(jd.Revolute("pin"), "coupler.tip", "rocker.tip")
    modes = jd.mechanism.assembly_modes(system.compile(), {"theta": 0.9}, tries=10)
    assert [mode.circuit for mode in modes] == [0, 0]


def test_too_few_drivers_are_refused(four_bar):
    with pytest.raises(jd.errors.ModelError, match="drivers: they leave 1 freedom"):
        jd.mechanism.positions(four_bar, {}, [0.0, 1.0], machines.four_bar_start(four_bar))
    with pytest.raises(jd.errors.ModelError, match="no such coordinate"):
        jd.mechanism.positions(four_bar, {"cranck": 1.0}, [0.0, 1.0])


def test_what_rolls_has_no_closures():
    with pytest.raises(jd.errors.ModelError, match="floor: it constrains velocities"):
        jd.mechanism.trace(machines.rolling_disk().compile())


def test_equilibrium_of_a_four_bar_with_a_spring():
    """Newton's method converges quadratically; the angle is where the potential energy is smallest along the loop."""
    system = machines.four_bar()
    system.connect(jd.constraints.Spring("spring", stiffness=150.0, length=0.2), "coupler.tip", "world")
    model = system.compile()
    found = model.equilibrium(machines.four_bar_start(model))

    def potential(theta):
        coupler, rocker = machines.four_bar_angles(theta, A, B, C, D)
        tip = A * np.array([np.cos(theta), np.sin(theta)])
        end = tip + B * np.array([np.cos(coupler), np.sin(coupler)])
        height = 0.3 * tip[1] / 2 + 0.8 * (tip[1] + end[1]) / 2 + 0.7 * end[1] / 2
        return 9.81 * height + 75.0 * (np.hypot(*end) - 0.2) ** 2

    theta = found.state.q[0]
    slope = (potential(theta + 1e-5) - potential(theta - 1e-5)) / 2e-5
    assert abs(slope) < 1e-8 * 150.0
    assert np.max(np.abs(model.constraints.residual(found.state))) < 1e-11
    size = found.history[found.history > 1e-13]
    assert np.log(size[-1]) < 1.7 * np.log(size[-2]) or size[-1] < 1e-9 * size[0]
    # the multipliers hold the rocker up: nothing else turns it
    end = model.pose("rocker.tip", found.state).position - [D, 0, 0]
    held = model.constraints.jacobian(found.state.q)[:, 2] @ found.multipliers
    assert held == pytest.approx(0.7 * 9.81 * end[0] / 2, rel=1e-9)


def test_linear_model_of_a_four_bar(four_bar):
    """The reduced model has one coordinate, and the frequency of the pendulum that the four-bar is."""
    rest = four_bar.equilibrium(machines.four_bar_start(four_bar, -1.2)).state
    linear = four_bar.linearize(rest, independent=("crank_angle",), inputs=["crank_angle"])
    assert linear.states == ("x:crank_angle", "v:crank_angle")
    theta = rest.q[0]

    def configuration(angle):
        found = jd.mechanism.positions(four_bar, {"crank_angle": angle}, [0.0], rest)
        return found.q[0]

    h = 1e-3
    potential = [four_bar.energy(four_bar.state(q=configuration(theta + s * h))).gravity for s in (-1, 0, 1)]
    stiffness = (potential[0] - 2 * potential[1] + potential[2]) / h**2
    along = (configuration(theta + h) - configuration(theta - h)) / (2 * h)
    inertia = along @ four_bar.mass_matrix(rest.q) @ along
    assert linear.A == pytest.approx(np.array([[0.0, 1.0], [-stiffness / inertia, 0.0]]), rel=1e-5, abs=1e-8)
    assert linear.B[1, 0] == pytest.approx(1.0 / inertia, rel=1e-6)
    modes = four_bar.frequencies(rest)
    assert len(modes) == 1 and modes.rad[0] == pytest.approx(np.sqrt(stiffness / inertia), rel=1e-5)
    assert modes.shapes[:, 0] / modes.shapes[0, 0] == pytest.approx(along, rel=1e-5)


def test_linear_model_in_motion_is_the_derivative_of_the_reduced_motion(four_bar):
    """In motion: A of the reduced model against differences of the crank's acceleration along the loop."""
    start = machines.four_bar_start(four_bar, 0.7)
    spinning = four_bar.assemble(four_bar.state(q=start.q, v={"crank_angle": 5.0}), hold=("crank_angle",))
    linear = four_bar.linearize(spinning, independent=("crank_angle",))

    def acceleration(theta, rate):
        driven = {"crank_angle": jd.Polynomial([theta, rate])}
        found = jd.mechanism.positions(four_bar, driven, [0.0], spinning, reactions=True)
        along = found.v[0] / rate
        inertia = along @ four_bar.mass_matrix(found.q[0]) @ along
        return -found.effort[0, 0] / inertia  # without the driver it accelerates so

    theta, rate, h = spinning.q[0], spinning.v[0], 1e-4
    by_place = (acceleration(theta + h, rate) - acceleration(theta - h, rate)) / (2 * h)
    by_speed = (acceleration(theta, rate + h) - acceleration(theta, rate - h)) / (2 * h)
    assert linear.A[1] == pytest.approx([by_place, by_speed], rel=1e-5)
    assert linear.f0 == pytest.approx([rate, acceleration(theta, rate)], rel=1e-8)


def test_a_cut_joint_changes_no_frequency(four_bar):
    """The same machine, cut elsewhere: the same mode."""
    other = machines.four_bar("rocker").compile()
    ours = [
        model.frequencies(model.equilibrium(machines.four_bar_start(model, -1.2)).state) for model in (four_bar, other)
    ]
    assert ours[0].rad == pytest.approx(ours[1].rad, rel=1e-8)


def test_an_open_loop_is_not_linearised(four_bar):
    with pytest.raises(jd.errors.ModelError, match="pin: the loops are open by .* model.assemble"):
        four_bar.linearize(four_bar.state(q={"crank_angle": 0.3}))
    with pytest.raises(jd.errors.ModelError, match="independent"):
        four_bar.linearize(machines.four_bar_start(four_bar), independent=("crank_angle", "rocker_angle"))


def test_hinged_rods_in_orbit():
    """Stroe: sqrt(3) n and sqrt(12) n, with the hinge a constraint between two planar bodies."""
    model = machines.hinged_rods().compile()
    n = jd.Orbit(altitude=400e3).mean_motion
    modes = model.frequencies(model.state())
    assert len(model.names.v) == 6
    for theory in (np.sqrt(3.0), np.sqrt(12.0)):
        assert np.min(np.abs(modes.rad / n - theory)) < 1e-5


def test_designed_controllers_refuse_loops(four_bar):
    """Never the answer of the tree without its loops."""
    with pytest.raises(jd.errors.ModelError, match="pin: controllers designed on a linear model know trees only"):
        jd.control.LQR(four_bar, machines.four_bar_start(four_bar), Q=1.0, R=1.0)
