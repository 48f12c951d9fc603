"""A flexible arm on a free base that touches a plate: what is lost, and what is kept."""

import numpy as np
import pytest

import jourdain as jd


def arm() -> jd.Model:
    """Two beams on a base of 200 kg; elbow bent, tip towards the plate below."""
    system = jd.System("arm")
    base = jd.RigidBody("base", mass=200.0, inertia=(40, 40, 40), frames={"root": (0.5, 0, 0)})
    system.add(base, joint=jd.Free("free"))
    boom = {"length": 2.0, "mass_per_length": 2.0, "EA": 2e6, "EI": (2000.0, 2000.0), "GJ": 1500.0, "damping": 0.002}
    boom["modes"] = jd.Modes(bending=2, torsion=1)
    spring = {"axis": "y", "stiffness": 500.0, "damping": 2.0}
    system.add(jd.Beam("upper", **boom), joint=jd.Revolute("shoulder", **spring), to="base.root")
    system.add(jd.Beam("fore", **boom), joint=jd.Revolute("elbow", rest=0.6, **spring), to="upper.tip")
    system.contact(
        "touch",
        jd.Sphere(0.05).at("fore.tip"),
        jd.Plane((0, 0, 1), -1.25).at("world"),
        normal=jd.HertzContact(stiffness=1e6, restitution=0.6),
        friction=jd.BristleFriction(0.3, 0.2, stiffness=1e4, damping=50.0, stribeck=0.01, dwell=0.05),
    )
    return system.compile()


@pytest.mark.slow
@pytest.mark.parametrize("how", [{}, {"step": 5e-5}], ids=["dop853", "rk4"])
def test_flexible_arm_touches_a_plate(how):
    """Several touches: the impulse of the plate is the change of momentum, and in free flight nothing changes."""
    model = arm()
    state = model.state(q={"elbow": 0.6}, v={"free": (0, 0, 0, 0.05, 0.02, -0.2)})
    run = jd.simulate(model, state, until=1.5, **({"max_step": 1e-3} if not how else how))
    t, touch = run.record.time, run.contact["touch"]
    on = touch.sites.values > 0
    momentum = np.array([model.momentum(model.state(q, v)) for q, v in zip(run.record.q, run.record.v)]).reshape(-1, 6)
    flights = np.flatnonzero(np.diff(on.astype(int)))
    assert on.any() and len(flights) >= 4
    scale = np.abs(momentum).max(axis=0)
    for begin, end in zip(np.r_[0, flights + 1], np.r_[flights, len(t) - 1]):
        if not on[begin] and end - begin > 2:
            kept = np.ptp(momentum[begin + 1 : end], axis=0)
            assert np.all(kept < 1e-9 * scale.max())
    force = touch.force.values
    impulse = np.trapezoid(force, t, axis=0)
    assert momentum[-1, 3:] - momentum[0, 3:] == pytest.approx(impulse, abs=2e-3)  # trapezia
    moment = np.cross(np.nan_to_num(touch.point.values), force)
    assert momentum[-1, :3] - momentum[0, :3] == pytest.approx(np.trapezoid(moment, t, axis=0), abs=1e-2)
    assert touch.normal_force.values.max() == pytest.approx(28.2, abs=0.3)
    assert run.energy["dissipated"].values[-1] > 0.05
    assert run.energy.error < (1e-9 if not how else 1e-5)


def test_what_bends_is_felt():
    """Contact acts on the internal coordinates: the fore boom is straight until the tip touches, and bends then."""
    model = arm()
    state = model.state(q={"elbow": 0.6}, v={"free": (0, 0, 0, 0.05, 0.02, -0.2)})
    run = jd.simulate(model, state, until=0.4)
    before = run.record.time < 0.35
    bent = run.q["fore.bending_z[0]"].values
    assert np.abs(bent[before]).max() < 1e-12 < np.abs(bent).max()
    total = model.energy(run.state())
    assert total["contact"] >= 0.0 and run.energy.error < 1e-9
