"""Work and dissipation are integrated with the motion, so the energy of every run can be accounted for."""

import numpy as np
import pytest
from hypothesis import given, settings
from strategies import systems

import jourdain as jd


@jd.law(states=1, markers=("b0.tip",))
def wild(t, q, v, z, s, p, effort, dz):
    """Pumps, brakes, senses and remembers: anything a controller may do."""
    dz[0] = s[10] - z[0]
    for k in range(v.size):
        effort[k] += p[0] * np.sin(3.0 * t + k) - 0.3 * v[k] + 0.2 * z[0]


@jd.law
def gust(t, q, v, z, s, p, effort, dz):
    """A moment and a force that change."""
    for i in range(6):
        effort[i] += p[0] * np.cos(2.0 * t + i)


@given(systems(most=4, forces=2))
@settings(max_examples=15)
def test_springs_dampers_forces_and_laws(case):
    """Random trees under everything at once: closed to what the tolerance of the method gives."""
    case.system.force("gust", "b0.grip", gust(1.5), axes="body")
    model = case.system.compile()
    q = case.state.q.copy()
    limited = [
        model.index.q[item.joint.name] for item in case.system.attachments if getattr(item.joint, "limits", None)
    ]
    q[limited] = np.clip(q[limited], -0.45, 0.45)
    state = model.state(q, 0.3 * case.state.v)
    run = jd.simulate(model, state, until=0.5, rtol=1e-10, atol=1e-11, output=0.1, controller=wild(0.5))
    assert run.energy["work"].values[0] == 0.0 and run.energy["dissipated"].values[0] == 0.0
    assert np.all(np.diff(run.energy["dissipated"].values) >= -1e-12)
    assert run.energy.error < 1e-7


def arm(**joint) -> jd.Model:
    system = jd.System("arm", gravity=(0, 0, -9.81))
    link = {"mass": 2.0, "com": (0.4, 0, 0), "inertia": (0.02, 0.1, 0.1), "frames": {"tip": (0.8, 0, 0)}}
    system.add(jd.RigidBody("upper", **link), joint=jd.Revolute("shoulder", axis="y", **joint))
    system.add(jd.RigidBody("fore", **link), joint=jd.Revolute("elbow", axis="y"), to="upper.tip")
    system.add(jd.RigidBody("hand", **link), joint=jd.Spherical("wrist"), to="fore.tip")
    return system.compile()


@pytest.mark.parametrize(
    "motions",
    [
        {"elbow": jd.Cycloid(to=1.5, duration=0.7)},
        {"elbow": jd.Sine(amplitude=0.4, frequency=1.0, phase=np.pi / 2)},
        {"shoulder": jd.Polynomial([0.0, 0.0, 0.5, -0.2])},
        {"shoulder": jd.Table([0, 0.3, 0.7, 1.0], [0, 0.2, -0.1, 0.4]), "elbow": jd.Cycloid(to=-1.0, duration=2.0)},
    ],
    ids=lambda motions: "+".join(type(motion).__name__ for motion in motions.values()),
)
def test_motions(motions):
    model = arm(stiffness=20.0, damping=0.5)
    state = model.state(v={"wrist": (1.0, 0.0, 2.0)})
    run = jd.simulate(model, state, until=1.0, rtol=1e-11, atol=1e-12, output=0.005, motions=motions)
    assert run.energy.error < 1e-8
    power = sum(run.effort[name].values * run.v[name].values for name in motions)
    moved = np.abs(run.energy["work"].values[-1])
    assert moved == pytest.approx(abs(np.trapezoid(power, run.record.time)), rel=1e-3)
    errors = []
    for n in (200, 400):
        errors.append(jd.simulate(model, state, 1.0, step=1.0 / n, motions=motions, output=0.05).energy.error)
    if "shoulder" not in motions or not isinstance(motions["shoulder"], jd.Table):  # a spline's knots cost an order
        assert np.log2(errors[0] / errors[1]) > 3.5


def test_a_constant_force_works_by_force_times_way():
    system = jd.System("pushed")
    system.add(jd.RigidBody("body", mass=2.0, inertia=(1, 1, 1)), joint=jd.Prismatic("x", axis="x"))
    system.force("push", "body.origin", force=(3.0, 5.0, 0.0))
    model = system.compile()
    run = jd.simulate(model, model.state(), until=2.0, step=0.01)
    assert run.energy["work"].values == pytest.approx(3.0 * run.q["x"].values, abs=1e-12)
    assert run.energy.error < 1e-13
    assert np.all(run.effort["x"].values == 0.0)  # a force is not an effort


def test_a_damper_takes_what_it_should():
    """m v^2 / 2 in all, when a damper alone stops a body."""
    system = jd.System("braked")
    system.add(jd.RigidBody("body", mass=2.0, inertia=(1, 1, 1)), joint=jd.Prismatic("x", axis="x", damping=4.0))
    model = system.compile()
    run = jd.simulate(model, model.state(v={"x": 3.0}), until=10.0, output=1.0)
    closed = 9.0 * (1.0 - np.exp(-4.0 * run.record.time))
    assert run.energy["dissipated"].values == pytest.approx(closed, rel=1e-8, abs=1e-9)
    assert np.all(run.energy["work"].values == 0.0)
