"""Systems with solids in files: written with their meshes, and read back as the same model."""

from __future__ import annotations

import json

import numpy as np
import pytest

import jourdain as jd
from jourdain.basics.errors import ModelError
from jourdain.contact import CoulombFriction, MultiplierContact, PressureContact
from jourdain.files.problems import ScenarioError

RUBBER = jd.Material(E=5e6, nu=0.45, density=1100.0)
FLOOR = jd.Plane((0, 0, 1)).at("world")


def sandwich() -> jd.System:
    """A pad and a ball with all kinds of contact of surfaces, and a plane solid of sparse matrices beside them."""
    system = jd.System("sandwich", gravity=(0, 0, -9.81))
    faces = {"back": lambda x: x[2] < 1e-6, "face": lambda x: x[2] > 0.0199}
    pad = jd.Solid("pad", jd.mesh.block((0.1, 0.1, 0.02), (2, 2, 1)), RUBBER, modes=4, masters="face", reference="back",
                   surfaces=faces, damping=0.02, frames={"middle": (0.05, 0.05, 0.01)})  # fmt: skip
    skin = {"skin": lambda x: np.linalg.norm(x, axis=0) > 0.0499}
    ball = jd.Solid("ball", jd.mesh.ball(0.05, 2, 1), RUBBER, masters=[3, 4, 7], reference="nodes", surfaces=skin,
                    element="linear", damping=jd.Rayleigh(0.1, 1e-5))  # fmt: skip
    strip = jd.Solid("strip", jd.mesh.rectangle((0.2, 0.1), (4, 2)), RUBBER, "strain", thickness=0.1, element="bbar",
                     matrices="sparse")  # fmt: skip
    system.add(pad, joint=jd.Free("a"))
    system.add(ball, joint=jd.Free("b"))
    system.add(strip, joint=jd.Planar("c"))
    rough = jd.BristleFriction(static=0.4, kinetic=0.3)
    system.contact("bed", pad.surface("face"), FLOOR, PressureContact(1e9, 10.0), rough)
    system.contact("points", FLOOR, ball.surface("skin"), jd.HertzContact(stiffness=1e6, restitution=0.9))
    system.contact("both", ball.surface("skin"), pad.surface("back"), MultiplierContact(), CoulombFriction(0.2))
    return system


def test_a_system_with_solids_is_written_and_read_as_the_same_model(tmp_path):
    system = sandwich()
    path = system.save(tmp_path / "sandwich.yaml")
    read = jd.System.load(path)
    model = system.compile()
    assert read.compile().hash == model.hash
    # nodes meet one plane, of which a description has an equal one for each
    assert jd.Model.from_description(json.loads(json.dumps(model.description))).hash == model.hash
    assert len(read.contacts) == len(system.contacts)
    # once more, from what was read: the surface and its law are known, not only the nodes
    (tmp_path / "again").mkdir()
    again = read.save(tmp_path / "again" / "sandwich.yaml")
    assert again.read_text() == path.read_text()
    assert "{surface: pad.face}" in path.read_text() and path.read_text().count("PressureContact") == 1


def test_equal_meshes_are_written_once_and_bad_ones_are_refused(tmp_path):
    system = jd.System("two")
    for name in "ab":
        mesh = jd.mesh.rectangle((0.2, 0.1), (2, 1))
        system.add(jd.Solid(name, mesh, RUBBER, "stress", thickness=0.1, modes=2), joint=jd.Planar(f"j{name}"))
    path = system.save(tmp_path / "two.yaml")
    file = tmp_path / "two.mesh.json"
    assert sorted(one.name for one in tmp_path.iterdir()) == ["two.mesh.json", "two.yaml"]
    data = json.loads(file.read_text())
    for wrong, told in (
        (data | {"more": 1}, "more"),
        (data | {"cells": [[0, 1, 2, 99, 4, 5, 6, 7]]}, "99"),
        (data | {"cells": [[0.5] * 8]}, "numbers of nodes"),
        ([1, 2], "a JSON object was expected"),
    ):
        file.write_text(json.dumps(wrong))
        with pytest.raises((ScenarioError, ModelError), match=told):
            jd.System.load(path).compile()


def test_surfaces_of_round_quadratic_bodies_have_the_middles_of_their_sides():
    """Sides of a disc are straight: a function of the radius holds at their ends only."""
    disc = jd.Solid("d", jd.mesh.disc(0.1, 2, 2), RUBBER, "stress", thickness=0.1,
                    surfaces={"rim": lambda x: np.hypot(x[0], x[1]) > 0.0999})  # fmt: skip
    chord = disc.mesh.sides
    length = np.linalg.norm(disc.nodes[chord[:, 0]] - disc.nodes[chord[:, 1]], axis=1).sum()
    assert disc.surface("rim").areas.sum() == pytest.approx(0.1 * length, rel=1e-12)
    assert set(disc.regions["rim"]) == set(np.unique(chord).tolist())
