"""A mesh that bends with its beam: bound to the sections beside it, divided where its triangles are long."""

from collections import Counter

import numpy as np
import pytest

import jourdain as jd
from jourdain.basics.errors import ModelError
from jourdain.describe.bodies.appearance.bones import divided
from jourdain.describe.shapes import Looks, Paint
from jourdain.results.run import Record, Run
from jourdain.view.scene import scene

SECTION = dict(mass_per_length=2.0, EA=1e7, EI=(4e3, 9e3), GJ=2e3, modes=jd.Modes(bending=2, torsion=1))
BENT = {"upper.bending_y[0]": 0.08, "upper.bending_z[0]": -0.12, "upper.torsion[0]": 0.3}


def arm() -> jd.System:
    """A link of 1 m along z that looks like a painted box, and a ball on its tip."""
    system = jd.System("arm")
    vertices, faces = jd.Box((0.1, 0.06, 1.0)).to_mesh()
    looks = Looks(vertices + [0.0, 0.0, 0.5], faces, [Paint((0.9, 0.4, 0.1, 1.0))])
    upper = jd.RigidBody("upper", 2.0, (0, 0, 0.5), (1 / 6, 1 / 6, 0.01), {"tip": (0, 0, 1.0)}, looks)
    system.add(upper, jd.Revolute("shoulder", axis="y"))
    ball = jd.RigidBody("ball", 0.1, inertia=(1e-3, 1e-3, 1e-3), shape=jd.Sphere(0.05))
    system.add(ball, jd.Revolute("wrist", axis="z"), to="upper.tip")
    return system


def bent_scene(system: jd.System):
    model = system.compile()
    state = model.state(q={"shoulder": 0.4} | BENT)
    q, v = np.tile(state.q, (2, 1)), np.zeros((2, model.nv))
    run = Run(model, Record(np.array([0.0, 1.0]), q, v, np.zeros((2, 0)), v, np.zeros((2, 6))), {"method": "none"})
    return model, state, scene(run)


def test_vertices_move_and_turn_with_their_sections():
    """Each is where the section at its place carries it; between stations, 1/14 apart, to their square."""
    made, marked = arm(), arm()
    beam = made.make_flexible("upper", jd.Beam("any", 1.0, **SECTION), along=("origin", "tip"))
    assert beam.likeness == "mesh"
    places = {f"at{i}": i / 16 for i in range(1, 16)}
    marked.make_flexible("upper", jd.Beam("any", 1.0, **SECTION, frames=places), along=("origin", "tip"))
    model, state = bent_scene(marked)[:2]
    shown = bent_scene(made)[2]
    (part,) = (one for one in shown.parts if one.body == "upper")
    assert part.colour == "#e6661a" and len(np.unique(part.bones)) > 10
    moved, straight = shown.skinned(part, shown.bones.poses[0]), part.vertices.astype(float)
    assert np.ptp(straight[:, 0]) == pytest.approx(1.0)  # along the beam's own x
    seen = 0
    for name, x in ({"root": 0.0, "tip": 1.0} | places).items():
        near = np.abs(straight[:, 0] - x) < 1e-6
        wanted = model.pose(f"upper.{name}", state).apply(straight[near] - [x, 0.0, 0.0])
        off = np.abs(moved[near] - wanted).max(initial=0.0)
        assert off < (2e-7 if x in (0.0, 1.0) else 3e-4)
        seen += np.count_nonzero(near)
    assert seen == len(straight)
    held = straight @ model.pose("upper.root", state).rotation.T
    assert 0.1 < np.linalg.norm(moved - held, axis=1).max() < 0.2  # it bends, by what the tip deflects


def test_long_triangles_are_divided_and_stay_joined():
    box = jd.Beam("b", 2.0, **SECTION, shape=jd.Box((2.0, 0.1, 0.2)).at("origin", (1.0, 0.0, 0.0)))
    (surface,) = box.surfaces()
    edges = np.concatenate([surface.faces[:, [i, (i + 1) % 3]] for i in range(3)])
    assert np.abs(np.diff(surface.vertices[edges][..., 0], axis=1)).max() <= 2.0 / 14 + 1e-9
    whole = divided(surface, 10.0)
    assert len(whole.faces) == len(surface.faces)
    places = np.unique(np.round(surface.vertices, 9), axis=0, return_inverse=True)[1].ravel()
    one, both = (Counter(map(tuple, places[e])) for e in (edges, edges[:, ::-1]))
    assert one == both  # every edge is met once from each side: nothing gapes
    a, b, c = (surface.vertices[surface.faces[:, i]] for i in range(3))
    assert np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6.0 == pytest.approx(0.04)


def test_two_bodies_with_one_painted_look_are_drawn_twice():
    """Each on its own bones: the second is not drawn where the first is."""
    system = jd.System("pair")
    looks = Looks(*jd.Box((0.2, 0.2, 0.2)).to_mesh(), [Paint((0.9, 0.4, 0.1, 1.0))])
    for i in range(2):
        body = jd.RigidBody(f"box{i}", 1.0, inertia=(1, 1, 1), shape=looks)
        system.add(body, jd.Prismatic(f"slide{i}", axis="x"), position=(float(i), 0.0, 0.0))
    model = system.compile()
    v = np.zeros((2, model.nv))
    record = Record(np.array([0.0, 1.0]), np.zeros((2, model.nq)), v, np.zeros((2, 0)), v, np.zeros((2, 6)))
    shown = scene(Run(model, record, {"method": "none"}))
    middles = [shown.skinned(part, shown.bones.poses[0]).mean(axis=0)[0] for part in shown.parts]
    assert [part.body for part in shown.parts] == ["box0", "box1"] and middles == pytest.approx([0.0, 1.0])


def test_the_tube_remains_without_a_shape_and_files_keep_one():
    plain = jd.Beam("b", 1.0, **SECTION)
    assert "shape" not in plain.to_dict() and plain.likeness == "own"
    dressed = jd.Beam("b", 1.0, **SECTION, shape=jd.Sphere(0.1).at("tip"))
    again = jd.Beam.from_dict(dressed.to_dict())
    assert again.shape.address == "tip" and again.shape.shape.radius == 0.1
    assert again.surfaces()[0].vertices[:, 0].mean() == pytest.approx(1.0, abs=1e-6)


def test_a_shape_that_is_none():
    with pytest.raises(ModelError, match="give a shape"):
        jd.Beam("b", 1.0, **SECTION, shape="box")
    (problem,) = jd.Beam("b", 1.0, **SECTION, shape=jd.Sphere(0.1).at("nose")).check()
    assert 'no frame "nose"' in str(problem)
