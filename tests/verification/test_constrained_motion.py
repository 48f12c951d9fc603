"""Motion under constraints: published cases, and cases with another way to the answer."""

from __future__ import annotations

import numpy as np
import pytest
from mechanisms import BASE, bar, four_bar, four_bar_angles, four_bar_state, row_of_four_bars

import jourdain as jd

pytestmark = pytest.mark.filterwarnings("ignore::jourdain.constraints.ConstraintWarning")


def test_four_bar_of_aghili_and_piedboeuf():
    """Released at a crank angle of 1 rad; angles, speed, energy and forces at 1 s."""
    model = four_bar().compile()
    run = jd.simulate(model, four_bar_state(model), 1.0, output=1.0, rtol=1e-12, atol=1e-13)
    crank, elbow, rocker = run.record.q[-1]
    assert crank == pytest.approx(-4.0321194, abs=1e-7)
    assert crank + elbow == pytest.approx(0.5550680, abs=1e-7)
    assert rocker == pytest.approx(1.9089687, abs=1e-7)
    assert run.record.v[-1, 0] == pytest.approx(3.3175188, abs=1e-7)
    energy = model.energy(run.state(0)).total
    assert energy == pytest.approx(4.5598007, abs=1e-7)
    assert float(np.max(np.abs(run.energy["balance"]))) < 1e-10


@pytest.mark.parametrize(("cut", "force"), [("crank", (-2.40180, 4.00815)), ("rocker", (-2.55988, 8.91096))])
def test_forces_of_the_ground_on_the_four_bar(cut: str, force: tuple[float, float]):
    """The loop cut at either ground pivot: the force there is a constraint's."""
    one = jd.System("four-bar", gravity=(0.0, -9.81, 0.0))
    coupler, rocker = four_bar_angles(1.0)
    if cut == "rocker":
        one.add(bar("crank"), jd.Revolute("crank", axis="z"))
        one.add(bar("coupler"), jd.Revolute("elbow", axis="z"), to="crank.tip")
        one.add(bar("rocker"), jd.Revolute("knee", axis="z"), to="coupler.tip", at="tip")
        one.add(jd.RigidBody("pivot", mass=1.0, inertia=(1.0,) * 3), jd.Weld("held"), position=(BASE, 0.0, 0.0))
        one.connect(jd.Revolute("ground", axis="z"), "rocker.origin", "pivot.origin")
        q = {"crank": 1.0, "elbow": coupler - 1.0, "knee": rocker - coupler}
    else:
        one.add(bar("rocker"), jd.Revolute("rocker", axis="z"), position=(BASE, 0.0, 0.0))
        one.add(bar("coupler"), jd.Revolute("knee", axis="z"), to="rocker.tip", at="tip")
        one.add(bar("crank"), jd.Revolute("elbow", axis="z"), to="coupler.origin", at="tip")
        one.connect(jd.Revolute("ground", axis="z"), "crank.origin", "world")
        q = {"rocker": rocker, "knee": coupler - rocker, "elbow": 1.0 - coupler}
    model = one.compile()
    run = jd.simulate(model, model.state(q=q), 1.0, output=1.0, rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(run.constraint["ground"].force.values[-1, :2], force, atol=2e-5)


@pytest.mark.parametrize("way", ["prescribed", "coupling", "moves"])
def test_pendulum_whose_pivot_moves(way: str):
    """Aghili & Piedboeuf's form of constraints that move with time: pivot at 0.3 sin 2t, state and tension at 3 s.

    The pivot is a body on a slide, moved in three ways; the bob is a mass in the plane, held by a rod.
    """
    one = jd.System("pendulum", gravity=(0.0, -9.81, 0.0))
    one.add(jd.RigidBody("pivot", mass=0.7, inertia=(1.0,) * 3), jd.Prismatic("slide", axis="x"))
    one.add(jd.RigidBody("bob", mass=1.5, inertia=(1.0,) * 3), jd.Planar("plane", normal="z"))
    one.connect(jd.constraints.Rod("rod", length=1.0), "bob.origin", "pivot.origin")
    sway = jd.Sine(0.3, 1.0 / np.pi, offset=0.0)
    motions = {"slide": sway} if way == "prescribed" else None
    if way == "coupling":
        one.couple("drive", {"slide": 1.0}, value=sway)
    if way == "moves":
        one.connect(jd.Spherical("drive"), "pivot.origin", "world", moves=(sway, None, None))
    model = one.compile()
    start = np.array([np.sin(0.5), -np.cos(0.5)])
    names = [name for name in model.names.q if name.startswith("plane.")]
    state = model.state(q=dict(zip(names[:2], start, strict=True)), v={"slide": 0.6, names[0]: 0.6})
    run = jd.simulate(model, state, 3.0, motions=motions, output=3.0, rtol=1e-11, atol=1e-12)
    x = run.frame("bob.origin").position.values[-1, :2]
    v = run.frame("bob.origin").velocity.values[-1, :2]
    np.testing.assert_allclose(x, (-0.6268489, -0.8397171), atol=1e-7)
    np.testing.assert_allclose(v, (1.0675256, -0.3177913), atol=1e-7)
    pull = run.constraint["rod"].force.values[-1]
    assert np.linalg.norm(pull) == pytest.approx(13.143282, abs=2e-6)
    # the rod pulls the bob towards the pivot
    assert pull[:2] @ (np.array([0.3 * np.sin(6.0), 0.0]) - x) > 0.0
    assert float(np.max(np.abs(run.energy["balance"]))) < 1e-9


def test_a_knife_edge_on_a_slope_cycloids():
    """Chaplygin's sleigh with its mass at the blade, on a slope: the blade moves up and down a cycloid and not away.

    With turn rate w: along the blade u' = -g sin(angle), and x = g / (2 w^2) sin^2(w t) down the slope (Neimark &
    Fufaev 1972, section on the skate on an inclined plane).
    """
    g, w = 2.0, 3.0
    one = jd.System("skate", gravity=(g, 0.0, 0.0))
    one.add(jd.RigidBody("skate", mass=2.0, inertia=(0.3,) * 3), jd.Planar("ice", normal="z"))
    one.connect(jd.constraints.NoSlip("blade", direction="y"), "skate.origin", "world")
    model = one.compile()
    turn = [name for name in model.names.v if name.startswith("ice.")][2]
    run = jd.simulate(model, model.state(v={turn: w}), 4.0, output=0.1, rtol=1e-12, atol=1e-13)
    x = run.frame("skate.origin").position.values
    t = run.record.time
    np.testing.assert_allclose(x[:, 0], g / (2.0 * w * w) * np.sin(w * t) ** 2, atol=1e-9)
    np.testing.assert_allclose(x[:, 1], g / (2.0 * w * w) * (w * t - 0.5 * np.sin(2.0 * w * t)), atol=1e-9)
    assert float(np.max(np.abs(run.constraint["blade"].slip))) < 1e-12
    assert float(np.max(np.abs(run.energy["balance"]))) < 1e-9


def test_a_digital_controller_senses_what_a_joint_of_a_loop_transmits():
    """The force of the ground on the crank, a joint of the tree, with the loop's force in it: the printed numbers."""
    one = jd.System("four-bar", gravity=(0.0, -9.81, 0.0))
    one.add(jd.RigidBody("base", mass=1.0, inertia=(1.0,) * 3), jd.Weld("bench"))
    one.add(bar("crank"), jd.Revolute("crank", axis="z"), to="base.origin")
    one.add(bar("coupler"), jd.Revolute("elbow", axis="z"), to="crank.tip")
    one.add(bar("rocker"), jd.Revolute("rocker", axis="z"), position=(BASE, 0.0, 0.0))
    one.connect(jd.Revolute("pin", axis="z"), "coupler.tip", "rocker.tip")
    model = one.compile()
    read = []

    def look(t, q, v, s):
        read.append(s.copy())
        return np.zeros(model.nv)

    sensor = jd.control.ForceSensor(joint="bench")
    controller = jd.control.Sampled(look, 0.05, sensors=[sensor])
    jd.simulate(model, four_bar_state(model), 1.0, step=5e-4, controller=controller)
    # on the world: less the force on the crank, less the weight of the base
    np.testing.assert_allclose(-read[-1][:2] - (0.0, 9.81), (-2.40180, 4.00815), atol=2e-5)


@pytest.mark.parametrize("tolerance", [1e-8, 1e-10, 1e-12])
def test_a_double_four_bar_passes_its_singular_configurations(tolerance: float):
    """Upright at 1 m/s, 10 s: five times through collinear bars. The reference is the motion of one coordinate.

    All rods stay parallel, so that (rods) 3 J + 2 m couplers at the tips: (3/3 + 2) w' = -(3/2 + 2) g cos(angle).
    """
    from scipy.integrate import solve_ivp

    model, state = row_of_four_bars(2)
    run = jd.simulate(model, state, 10.0, output=10.0, rtol=tolerance, atol=tolerance)

    def reduced(t: float, y: np.ndarray) -> tuple[float, float]:
        return y[1], -3.5 * 9.81 * np.cos(y[0]) / 3.0

    angle = solve_ivp(reduced, (0.0, 10.0), (0.5 * np.pi, -1.0), method="DOP853", rtol=1e-13, atol=1e-13).y[0, -1]
    tip = run.frame("rod0.tip").position.values[-1, :2]
    np.testing.assert_allclose(tip, (np.cos(angle), np.sin(angle)), atol=2e-6 if tolerance > 1e-9 else 1e-7)
    assert float(np.max(np.abs(run.energy["balance"]))) < (1e-5 if tolerance > 1e-9 else 1e-6)
