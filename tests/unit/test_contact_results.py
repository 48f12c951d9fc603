"""What a run says of its contacts, and what of it survives a file."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd


@jd.contact.normal_law
def stiff(depth, rate, impact_speed, z, p, dz):
    return p[0] * depth


@jd.contact.friction_law(states=1)
def rub(load, slip, z, p, dz):
    dz[0] = load
    return (-p[0] * load * slip[0], -p[0] * load * slip[1], -p[0] * load * slip[2])


@jd.law(contacts=("feet",))
def push_back(t, q, v, z, s, p, effort, dz):
    effort[3] += p[0] * s[2]


HERTZ = jd.HertzContact(stiffness=1e6, restitution=0.5)
COULOMB = jd.CoulombFriction(0.3)
BRISTLES = jd.BristleFriction(static=0.4, kinetic=0.3, stiffness=1e4, damping=50.0, dwell=0.1)
DEPTH = (2.0 * 9.81 / 4 / 1e6) ** (2 / 3)
"""Of a box of 2 kg on four of its corners."""


def box(normal=HERTZ, friction=BRISTLES, law=None):
    """A box of 2 kg on the ground, and a ball of 1 kg above it."""
    system = jd.System("box", gravity=(0, 0, -9.81))
    shape = jd.Box((0.4, 0.2, 0.2))
    system.add(jd.RigidBody.from_shape("box", shape, density=2.0 / shape.volume), jd.Free("free"))
    system.add(jd.RigidBody("ball", mass=1.0, inertia=(0.004, 0.004, 0.004)), jd.Free("fly"))
    system.contact("feet", shape.at("box.origin"), jd.Plane((0, 0, 1)).at("world"), normal=normal, friction=friction)
    system.contact("hit", jd.Sphere(0.1).at("ball.origin"), shape.at("box.origin"), normal=HERTZ)
    if law is not None:
        system.force("law", at="box.origin", force=law)
    return system.compile()


def standing(model, v=(0.0, 0.0, 0.0), depth=DEPTH):
    poses = {"free": jd.Pose((0.3, 0.1, 0.1 - depth)), "fly": jd.Pose((0.3, 0.1, 0.31))}
    return model.state(q=poses, v={"free": [0, 0, 0, *v]})


@pytest.fixture(scope="module")
def model():
    return box()


@pytest.fixture(scope="module")
def run(model):
    return jd.simulate(model, standing(model, (0.1, 0.0, 0.0)), until=0.05, step=2.5e-5)


def test_the_family(run):
    assert list(run.contact) == ["feet", "hit"] and len(run.contact) == 2
    assert "feet" in run.contact and "hand" not in run.contact
    with pytest.raises(jd.JourdainError, match='no contact .hnd.*there are: feet, hit|did you mean "hit"'):
        run.contact["hnd"]
    with pytest.raises(jd.JourdainError, match="feet"):
        run.contact["fet"]
    assert "force, torque, point" in repr(run.contact["feet"])


def test_labels_and_units(run):
    feet = run.contact["feet"]
    units = {
        "force": "N", "torque": "N m", "normal_force": "N", "depth": "m", "slip": "m/s", "sites": "1", "energy": "J",
    }  # fmt: skip
    for name, unit in units.items():
        column = getattr(feet, name)
        assert column.attrs["units"] == unit and column.name == f"feet.{name}"
        assert column.dims == (("time", "axis") if name in ("force", "torque") else ("time",))
        assert np.array_equal(column.time, run.record.time)
    assert float(feet.force.sel(axis="z")[0]) == pytest.approx(2.0 * 9.81, rel=1e-9)
    assert feet.point.dims == ("time", "axis")


def test_numbers_at_the_start(run):
    """Four corners carry the weight; the bristles are not bent yet, and damping alone pulls."""
    feet = run.contact["feet"]
    assert feet.sites[0] == 4 and feet.depth[0] == pytest.approx(DEPTH) and feet.slip[0] == pytest.approx(0.1)
    assert feet.normal_force[0] == pytest.approx(2.0 * 9.81, rel=1e-9)
    assert feet.energy[0] == pytest.approx(4 * 0.4 * 1e6 * DEPTH**2.5, rel=1e-9)
    assert feet.point[0].values == pytest.approx((0.3, 0.1, -DEPTH), abs=1e-12)
    # sliding bristles follow kinetic friction: mu_k N from the start
    assert feet.force[0, 0] == pytest.approx(-0.3 * 2.0 * 9.81, rel=1e-6)
    assert feet.torque[0].values == pytest.approx((0, 0.3 * 2.0 * 9.81 * (0.1), 0), rel=1e-3, abs=1e-12)


def test_energy_is_in_the_ledger(run):
    total = sum(run.contact[name].energy for name in run.contact)
    assert np.asarray(total) == pytest.approx(run.energy["contact"].values, abs=1e-15)
    # of 0.1 J; rk4 meets corners that come and go
    assert run.contact["hit"].normal_force.max() > 10.0 and np.max(np.abs(run.energy["balance"])) < 1e-7
    state = run.state(950)
    assert run.model.energy(state).contact == pytest.approx(float(run.energy["contact"][950]), rel=1e-13)
    assert run.model.energy(state).total == pytest.approx(float(run.energy["total"][950]), rel=1e-13)


def test_model_functions_know_the_contacts(run):
    model, state = run.model, run.state(950)
    a = model.forward_dynamics(state)
    assert np.max(np.abs(model.inverse_dynamics(state, a))) < 1e-10
    feet, hit = run.contact["feet"], run.contact["hit"]
    frame = run.frame("box.origin")
    R = jd.Pose((0, 0, 0), frame.quaternion[950].values).rotation
    force = feet.force[950].values - hit.force[950].values
    expected = force / 2.0 + (0, 0, -9.81)
    assert model.acceleration("box.origin", state)[3:] == pytest.approx(expected, abs=1e-10)
    hold = model.hybrid_dynamics(state, acceleration={name: 0.0 for name in model.names.v})
    felt = R.T @ (np.array((0, 0, 2.0 * 9.81)) - force)
    w = R.T @ frame.angular_velocity[950].values
    gyro = 2.0 * np.cross(w, R.T @ frame.velocity[950].values)
    assert hold.effort[3:6] == pytest.approx(felt + gyro, abs=1e-9)


def test_a_force_law_that_senses_a_contact_is_in_the_model_functions():
    model = box(law=push_back(0.5))
    state = standing(model)
    a = model.forward_dynamics(state)
    assert a[3] == pytest.approx(0.5 * 9.81, rel=1e-9)
    assert np.max(np.abs(model.inverse_dynamics(state, a))) < 1e-9
    run = jd.simulate(model, state, until=1e-3, step=5e-5)
    assert run.v["free.vx"][1] > 0.0


def test_a_state_that_was_never_run_touches_too(model):
    """With nothing latched the damping is that of slow_speed, and bristles are straight."""
    a = model.forward_dynamics(standing(model))
    assert a[5] == pytest.approx(0.0, abs=1e-9)
    a = model.forward_dynamics(standing(model, depth=2.0 * DEPTH))
    assert a[5] == pytest.approx((2.0**1.5 - 1.0) * 9.81, rel=1e-9)
    energy = model.energy(standing(model))
    assert energy.contact == pytest.approx(4 * 0.4 * 1e6 * DEPTH**2.5, rel=1e-9)


def test_internal_states_can_be_given(model):
    state = model.state(q=standing(model).q, z={"feet[0].bristle.x": 1e-6, "feet[0].touching": 1.0})
    assert model.forward_dynamics(state)[3] < -1e-3
    with pytest.raises(jd.errors.ModelError, match="feet\\[9\\].touching"):
        model.state(z={"feet[9].touching": 1.0})
    with pytest.raises(jd.errors.ModelError, match="z"):
        model.state(z=[1.0, 2.0])


def test_a_file_keeps_contacts(run, tmp_path):
    back = jd.load(run.save(tmp_path / "run.nc"))
    assert back.model.hash == run.model.hash and list(back.contact) == ["feet", "hit"]
    for name in ("force", "torque", "depth", "slip", "sites", "energy"):
        for contact in run.contact:
            one, other = (np.asarray(getattr(r.contact[contact], name)) for r in (run, back))
            assert np.array_equal(one, other)
    on = [jd.simulate(r.model, r.state(), until=0.06, step=2.5e-5) for r in (run, back)]
    assert np.array_equal(on[0].record.q, on[1].record.q)


def test_a_saved_run_with_a_journal(model, tmp_path):
    run = jd.simulate(model, standing(model), until=0.01, step=5e-5, save=tmp_path / "kept.nc")
    assert np.array_equal(jd.load(tmp_path / "kept.nc").contact["feet"].force, run.contact["feet"].force)


def test_a_file_with_laws_of_ones_own(tmp_path):
    """The run loads; what needs the laws says that they are not in the file."""
    model = box(stiff(1e5), rub(0.2))
    run = jd.simulate(model, standing(model), until=0.01, step=5e-5)
    assert run.contact["feet"].normal_force[0] > 0.0
    back = jd.load(run.save(tmp_path / "own.nc"))
    assert back.model.hash == run.model.hash
    assert np.array_equal(back.record.q, run.record.q)
    assert np.array_equal(back.z["feet[0].friction[0]"], run.z["feet[0].friction[0]"])
    for ask in (
        lambda: jd.simulate(back.model, back.state(), until=0.02, step=5e-5),
        lambda: back.contact["feet"].force,
        lambda: back.model.forward_dynamics(back.state()),
    ):
        with pytest.raises(
            jd.errors.ModelError, match=r'contact law "(stiff|rub)" is code, and the file .* does not hold it'
        ):
            ask()
    assert run.model.description["contacts"][0]["normal"] == {
        "kind": "own", "law": "stiff", "states": 0, "parameters": [1e5],
    }  # fmt: skip


def test_a_description_comes_back(tmp_path):
    """Every law, shape and place; material data as a list or a tuple."""
    from jourdain.describe.description import from_dict, to_dict

    steel = jd.Material(210e9, 0.3)
    ball, mesh = jd.Sphere(0.1), jd.Mesh(*jd.Box((1, 1, 1)).to_mesh())
    turned = {"position": (0, 0, -1), "rotation": (0, 1, 0, 0)}
    contacts = {
        "a": (ball, jd.Plane((0, 1, 1), offset=0.2), jd.HertzContact(material=[steel, steel]), None),
        "b": (ball, mesh, jd.contact.HuntCrossleyContact(stiffness=1e5, relaxation=0.1), BRISTLES),
        "c": (
            jd.Cylinder(0.1, 0.3),
            jd.Plane((0, 0, 1)),
            jd.contact.LinearContact(1e5, adhesive=True),
            jd.CoulombFriction(0.3),
        ),
        "d": (
            ball,
            jd.shapes.Edge((1, 0, 0), (0, 0, 1)),
            jd.contact.LankaraniNikraveshContact(material=(steel, steel)),
            None,
        ),
        "e": (ball, jd.Cone(0.3, 0.4, inside=True), jd.HertzContact(stiffness=1e5, exponent=1.2), None),
        "f": (ball, jd.shapes.ConvexMesh(jd.Box((1, 1, 1)).to_mesh()[0]), HERTZ, BRISTLES),
    }
    system = jd.System("all")
    system.add(jd.RigidBody("body", mass=1.0, inertia=(1, 1, 1), frames={"tip": (1, 0, 0)}), jd.Free("free"))
    for name, (first, second, normal, friction) in contacts.items():
        system.contact(name, first.at("body.tip", **turned), second.at("world"), normal=normal, friction=friction)
    again = from_dict(to_dict(system))
    assert to_dict(again) == to_dict(system)
    assert again.compile().hash == system.compile().hash
    assert "contact a: sphere on body.tip with plane on world" in repr(system)


def test_descriptions_that_cannot_be():
    from jourdain.describe.description import from_dict, to_dict

    def changed(change):
        system = jd.System("s")
        system.add(jd.RigidBody("body", mass=1.0, inertia=(1, 1, 1)), jd.Free("free"))
        system.contact("touch", jd.Sphere(0.1).at("body.origin"), jd.Plane((0, 0, 1)).at("world"), normal=HERTZ)
        data = to_dict(system)
        change(data["contacts"][0])
        return data

    for change, says in (
        (lambda c: c["normal"].update(kind="magic"), r"contacts\[0\].normal: kind is 'magic'; it must be one of hertz"),
        (lambda c: c["normal"].update(stiffness="a"), r"contacts\[0\].normal: HertzContact stiffness: got 'a'"),
        (lambda c: c["normal"].pop("stiffness"), r'contacts\[0\].normal: "stiffness" is missing'),
        (lambda c: c["first"]["shape"].update(kind="blob"), r"contacts\[0\].first.shape: kind is 'blob'"),
        (lambda c: c.update(friction=3), r"contacts\[0\].friction: kind is None"),
        (lambda c: c.update(name=3), r"contacts\[0\].name: got 3; give text"),
        (lambda c: c.pop("second"), r'contacts\[0\]: "second" is missing'),
    ):
        with pytest.raises(jd.errors.ModelError, match=says):
            from_dict(changed(change))
