"""Surfaces of two solids that press on each other by laws of force: nodes of the first on facets of the second."""

from __future__ import annotations

import json

import numpy as np
import pytest

import jourdain as jd
from jourdain.basics.errors import ModelError
from jourdain.contact import PressureContact

SOFT = jd.Material(E=1e7, nu=0.3, density=1000.0)


def discs(modes: int | None = 10, friction: object = None, law: object = None) -> jd.Model:
    """Two soft discs in a plane."""
    system, rims = jd.System("discs"), []
    for name in "ab":
        disc = jd.Solid(name, jd.mesh.disc(0.1, 3, 2), SOFT, "stress", thickness=0.05, element="linear", modes=modes,
                        reference="mean", surfaces={"rim": lambda x: np.hypot(x[0], x[1]) > 0.0999})  # fmt: skip
        system.add(disc, joint=jd.Planar(f"f{name}"))
        rims.append(disc.surface("rim"))
    system.contact("hit", *rims, PressureContact(stiffness=1e9) if law is None else law, friction)
    return system.compile()


def oblique(model: jd.Model) -> jd.State:
    places = {"fa.x": -0.102, "fb.x": 0.102, "fa.y": 0.03, "fb.y": -0.03}
    return model.state(q=places, v={"fa.x": 1.0, "fb.x": -1.0, "fa.angle": 3.0})


def kept(run: jd.Run) -> tuple[float, float]:
    """Changes of momentum, the largest, and of energy, over what it was."""
    model, record = run.model, run.record
    first, last = (np.ravel(model.momentum(model.state(q=record.q[i], v=record.v[i]))) for i in (0, -1))
    energy = record.energy[:, :5].sum(axis=1)
    return float(np.abs(last - first).max()), float(energy[-1] / energy[0] - 1.0)


@pytest.fixture(scope="module")
def elastic() -> jd.Model:
    return discs()


def test_discs_that_collide_obliquely_keep_momentum_and_energy(elastic):
    """Linear and angular momentum to 1e-10; no friction, so that the energy is kept as well, to the tolerance."""
    run = jd.simulate(elastic, oblique(elastic), until=0.04, method="dop853", rtol=1e-9, atol=1e-12)
    momentum, energy = kept(run)
    assert momentum < 1e-10 and abs(energy) < 1e-6
    hit = run.contact["hit"]
    assert hit.sites.values.max() > 0 and hit.sites.values[-1] == 0
    assert run.v["fa.x"].values[-1] < 0.5 and run.record.energy[-1, 2] > 1e-4  # it bounced, and both ring


def test_friction_keeps_momentum_too():
    model = discs(friction=jd.CoulombFriction(kinetic=0.3))
    run = jd.simulate(model, oblique(model), until=0.02, method="dop853", rtol=1e-8, atol=1e-11)
    momentum, energy = kept(run)
    assert momentum < 1e-10 and abs(energy) < 1e-4  # what friction takes is counted
    assert abs(run.v["fb.angle"].values[-1]) > 0.1


@pytest.mark.slow
def test_an_implicit_method_gives_the_same(elastic):
    """Its derivatives are differences: those of facets are not known."""
    runs = [
        jd.simulate(elastic, oblique(elastic), until=0.02, output=0.01, method=method, rtol=1e-7, atol=1e-10)
        for method in ("dop853", "radau")
    ]
    assert runs[0].record.q[-1] == pytest.approx(runs[1].record.q[-1], abs=1e-5)


@pytest.mark.parametrize("of", [None, "tet"])
def test_cubes_in_space_keep_momentum_and_energy(of):
    """A cube that comes down with a corner on the face of another: quadrangles and triangles."""
    system, given, skins = jd.System("cubes"), {} if of is None else {"of": of}, []
    for name in "ab":
        mesh = jd.mesh.block((0.1, 0.1, 0.1), (2, 2, 2), start=(-0.05, -0.05, -0.05), **given)
        cube = jd.Solid(name, mesh, SOFT, element="linear", modes=4, surfaces={"skin": lambda x: x[0] > -1.0})
        system.add(cube, joint=jd.Free(f"f{name}"))
        skins.append(cube.surface("skin"))
    system.contact("hit", *skins, PressureContact(1e9))
    model = system.compile()
    turn = np.array([[1.0, 0, 0], [0, np.cos(0.6), -np.sin(0.6)], [0, np.sin(0.6), np.cos(0.6)]])
    tilt = np.array([[np.cos(0.5), 0, np.sin(0.5)], [0, 1.0, 0], [-np.sin(0.5), 0, np.cos(0.5)]])
    w, x, y, z = jd.Pose(rotation=tilt @ turn).quaternion
    lowest = ((tilt @ turn) @ (np.array(np.meshgrid(*[[-0.05, 0.05]] * 3)).reshape(3, -1)))[2].min()
    state = model.state(v={"fa.vz": -1.0, "fa.vx": 0.2, "fb.wz": 1.0})
    names = {name: i for i, name in enumerate(model.names.q)}
    for name, value in zip(("fa.qw", "fa.qx", "fa.qy", "fa.qz", "fa.z"), (w, x, y, z, 0.051 - lowest), strict=True):
        state.q[names[name]] = value
    run = jd.simulate(model, state, until=0.01, method="dop853", rtol=1e-9, atol=1e-12)
    momentum, energy = kept(run)
    assert momentum < 1e-10 and abs(energy) < 1e-6 and run.contact["hit"].sites.values.max() > 0


def test_blocks_press_evenly_through_meshes_that_match():
    """Bar, bed and bar in series: p = down / (L / E + 1 / k)."""
    system, k, down = jd.System("press"), 1e10, 1e-3
    stiff = jd.Material(E=1e7, nu=0.0, density=1000.0)
    blocks = []
    for name, start in (("low", -0.5), ("up", 0.0)):
        ends = {"low": lambda x, s=start: x[1] < s + 1e-9, "high": lambda x, s=start: x[1] > s + 0.5 - 1e-9}
        held, free = ("low", "high") if name == "low" else ("high", "low")
        mesh = jd.mesh.rectangle((1.0, 0.5), (2, 1), start=(0.0, start))
        blocks.append(jd.Solid(name, mesh, stiff, "stress", thickness=1.0, element="linear", reference=held,
                               masters=free, surfaces=ends, damping=1.0))  # fmt: skip
    system.add(blocks[0], joint=jd.Weld("base"))
    system.add(jd.RigidBody("ram", mass=1.0), joint=jd.Prismatic("slide", axis="y"))
    system.add(blocks[1], joint=jd.Weld("mount"), to="ram.origin")
    system.contact("touch", blocks[1].surface("low"), blocks[0].surface("high"), PressureContact(k))
    model = system.compile()
    run = jd.simulate(model, model.state(), 0.2, output=0.1, motions={"slide": jd.Cycloid(to=-down, duration=0.1)},
                      method="radau", rtol=1e-7, atol=1e-10)  # fmt: skip
    touch = run.contact["touch"]
    expected = down / (1.0 / 1e7 + 1.0 / k)
    assert touch.pressure.values[-1] == pytest.approx(expected, rel=1e-4)
    assert touch.force.values[-1][1] == pytest.approx(expected, rel=1e-4)


def test_it_is_written_and_read_as_the_same_model(elastic, tmp_path):
    again = jd.Model.from_description(json.loads(json.dumps(elastic.description)))
    assert again.hash == elastic.hash
    system, rims = jd.System("discs"), []
    for name in "ab":
        disc = jd.Solid(name, jd.mesh.disc(0.1, 2, 1), SOFT, "stress", thickness=0.05, element="linear", modes=3,
                        surfaces={"rim": lambda x: np.hypot(x[0], x[1]) > 0.0999})  # fmt: skip
        system.add(disc, joint=jd.Planar(f"f{name}"))
        rims.append(disc.surface("rim"))
    system.contact("hit", *rims, PressureContact(stiffness=1e9))
    path = system.save(tmp_path / "discs.yaml")
    assert "{surface: b.rim}" in path.read_text() and jd.System.load(path).compile().hash == system.compile().hash


def test_what_cannot_touch_is_refused():
    section = jd.Solid("ring", jd.mesh.rectangle((0.1, 0.1), (1, 1)), SOFT, "axisymmetric", modes=1,
                       surfaces={"top": lambda x: x[1] > 0.0999})  # fmt: skip
    flat = jd.Solid("flat", jd.mesh.rectangle((0.1, 0.1), (1, 1)), SOFT, "stress", thickness=0.1, modes=1,
                    surfaces={"top": lambda x: x[1] > 0.0999})  # fmt: skip
    cube = jd.Solid("cube", jd.mesh.block((0.1, 0.1, 0.1), (1, 1, 1)), SOFT, modes=1,
                    surfaces={"top": lambda x: x[2] > 0.0999})  # fmt: skip
    system = jd.System("wrong")
    for other, told in ((section, "body of revolution"), (cube, "give two alike")):
        with pytest.raises(ModelError, match=told):
            system.contact("touch", flat.surface("top"), other.surface("top"), PressureContact(1e9))
    with pytest.raises(ModelError, match="both surfaces are of"):
        system.contact("itself", flat.surface("top"), flat.surface("top"), PressureContact(1e9))
