"""The surface of a cable: what of it touches, what is refused, and that files and run files know it."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.basics.errors import ModelError
from jourdain.contact import LinearContact

LAW = LinearContact(1e3, 1.0)


def rope(name: str = "rope", **told) -> jd.Cable:
    given = {"radius": 0.01, "elements": 6, "root": "free"} | told
    return jd.Cable(name, 0.6, 0.1, EA=100.0, EI=1e-3, **given)


def block() -> jd.Solid:
    return jd.Solid(
        "block", jd.mesh.block((0.4, 0.4, 0.1), (2, 2, 1)), jd.Material(E=1e6, nu=0.3, density=500.0), modes=4,
        surfaces={"top": lambda x: x[2] > 0.0999, "bottom": lambda x: x[2] < 1e-4},
    )  # fmt: skip


def test_it_is_a_strand_for_each_element_that_knows_its_neighbours():
    found = rope().surface().touching()
    assert [one.placed.shape.number for one in found] == list(range(1, 7))
    assert {one.placed.shape.apart for one in found} == {1}
    assert found[2].placed.shape.points == ["rope.place[2]", "rope.place[3]"]
    assert sum(one.area for one in found) == pytest.approx(2.0 * np.pi * 0.01 * 0.6)
    thick = rope(radius=0.05).surface().touching()[0].placed.shape
    assert thick.apart == 2  # it cannot turn back on itself within pi radii


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda s: s.collide("c", [rope(radius=None).surface()], LAW), r"no radius; give radius= \[m\]"),
        (lambda s: rope().surface("skin"), 'its only one is "line"'),
        (lambda s: s.contact("c", rope().surface(), rope("b").surface(), LAW), r"let cables touch with collide\("),
        (lambda s: s.contact("c", block().surface("top"), rope().surface(), LAW), "name it before the solid"),
        (lambda s: s.collide("c", [3.0], LAW), r"rope.surface\(\)"),
    ],
)
def test_what_cannot_touch_is_refused_with_its_remedy(make, words):
    with pytest.raises(ModelError, match=words):
        make(jd.System("bad"))


def test_a_curve_that_does_not_begin_at_the_root_is_refused():
    body = rope(root="pinned")
    assert body.laid(lambda s: (0.0, 0.0, -s))["rope.z[6]"] == pytest.approx(-0.6)
    with pytest.raises(ModelError, match="its root is pinned at"):
        body.laid(lambda s: (0.1, 0.0, s))


def touching_floor() -> jd.System:
    system = jd.System("floor", gravity=(0, 0, -9.81))
    body = rope(damping=1e-4)
    system.add(body, joint=jd.Weld("w"), position=(0, 0, 0.011))
    box = jd.Box((1.0, 1.0, 0.1)).at("world", position=(0.3, 0, -0.05))
    system.contact("floor", body.surface(), box, LAW)
    system.collide("self", [body.surface(), jd.Sphere(0.05).at("world", position=(0.3, 0.0, 0.2))], LAW)
    return system


def test_a_file_says_it_again(tmp_path):
    system = touching_floor()
    system.save(tmp_path / "floor.yaml")
    text = (tmp_path / "floor.yaml").read_text()
    assert text.count("surface: rope.line") == 2
    assert jd.System.load(tmp_path / "floor.yaml").compile().hash == system.compile().hash


def test_a_cable_lies_on_a_box(tmp_path):
    """Straight along its face: the box carries the weight, at the ends of all strands, and nothing moves sideways."""
    model = touching_floor().compile()
    run = jd.simulate(
        model, model.state(), until=0.3, method="generalized-alpha", step=2e-4, output=0.02, progress=False
    )
    floor = run.contact["floor"]
    assert floor.force.values[-4:].mean(axis=0) == pytest.approx((0, 0, 0.06 * 9.81), abs=0.02)
    assert floor.sites.values[-1] == 12 and run.contact["self"].depth.values.max() == 0.0
    run.save(tmp_path / "run.nc")
    assert jd.load(tmp_path / "run.nc").model.hash == model.hash
    run.report(tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text()
    assert "of rope, at (" in page and "No replay" not in page


def test_nodes_of_a_cable_meet_the_facets_of_a_solid():
    """A cable falls across a block that flies: it lies on it, and momentum is kept."""
    system = jd.System("caught")
    soft, body = block(), rope(damping=1e-4)
    system.add(soft, joint=jd.Free("f"))
    system.add(body, joint=jd.Weld("w"), position=(-0.1, 0.2, 0.112))
    system.contact("touch", body.surface(), soft.surface("top"), LAW)
    model = system.compile()
    down = {name: -0.5 for name in model.names.v if name.startswith("rope.z[")}
    run = jd.simulate(model, model.state(v=down), until=0.02, method="rk4", step=2e-5, output=1e-3, progress=False)
    record = run.record
    first, last = (np.ravel(model.momentum(model.state(q=record.q[i], v=record.v[i]))) for i in (0, -1))
    assert np.max(np.abs(last - first)) < 1e-10
    touch = run.contact["touch"]
    assert touch.depth.values.max() > 1e-4 and touch.force.values[:, 2].max() > 0.0
    assert run.v["f.vz"].values[-1] < -1e-5
