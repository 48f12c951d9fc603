"""Pictures, plots, limits and files of solids: a field over the drawn surface, a surface as one contact."""

import base64
import re
import zlib

import numpy as np
import pytest
from pressed_pad import BED, HEIGHT, PRESS, SIDE, E, press, pressed

import jourdain as jd
from jourdain.results.channels import UnknownNameError
from jourdain.results.quantities import known_quantities, quantity
from jourdain.study.report.run_report import write_report
from jourdain.study.scenario.limits import Limit, judge
from jourdain.study.scenario.scenario_file import check_scenario, load_scenario
from jourdain.view.forces import DARTS
from jourdain.view.packing import Packer, pack_scene
from jourdain.view.painting import banded, choices, scale_html
from jourdain.view.scene import scene
from jourdain.view.viewer import first_choices

MOST = 1e-3
STRESS = E * MOST / HEIGHT


@pytest.fixture(scope="module")
def run():
    return pressed(press(), MOST)


@pytest.fixture(scope="module")
def drawn(run):
    return scene(run)


def test_a_field_over_the_surface_is_that_of_the_nodes(run, drawn):
    (part,) = [one for one in drawn.parts if one.nodes is not None]
    nodes = np.column_stack([run.field("pad")[axis].values for axis in "xyz"])
    assert np.allclose(nodes[part.nodes[part.columns]], part.vertices, atol=1e-7)
    by = {one.label: one for one in drawn.fields}
    assert list(by) == ["von Mises stress", "displacement", "contact pressure"]
    middle = int(np.argmin(np.abs(drawn.time - 0.5)))
    stress = by["von Mises stress"]
    assert stress.high == pytest.approx(STRESS, rel=1e-5) and stress.unit == "Pa"
    assert stress.shares("pad", middle) == pytest.approx(1.0, abs=1e-5)
    moved = by["displacement"]
    depth = 1.0 - nodes[part.nodes][:, 2] / HEIGHT
    assert moved.shares("pad", middle) == pytest.approx(depth, abs=1e-5) and moved.words(moved.high) == "1 mm"
    pressure = by["contact pressure"]
    on_face = nodes[part.nodes][:, 2] < 1e-9
    assert pressure.shares("pad", middle) == pytest.approx(on_face.astype(float), abs=1e-5)
    assert pressure.high == pytest.approx(STRESS, rel=1e-5)


def test_fields_travel_as_a_byte_a_node_and_time(drawn):
    packer = Packer()
    told = pack_scene(drawn, packer, 1.0)
    (part,) = [one for one in told["parts"] if "fields" in one]
    raw = zlib.decompress(base64.b64decode(packer.text()))
    nt, n = len(drawn.time), part["nodes"]
    for ref, field in zip(part["fields"], drawn.fields, strict=True):
        assert (ref["kind"], ref["n"]) == ("u8", nt * n)
        codes = np.cumsum(np.frombuffer(raw, np.uint8, ref["n"], ref["at"]).reshape(n, nt).T, axis=0) % 256
        back = field.low + codes / 255.0 * (field.high - field.low)
        # half a step of 256 levels, and single precision
        assert np.abs(back - field.values["pad"]).max() <= (0.5 / 255.0 + 1e-6) * (field.high - field.low)
    assert [one["label"] for one in told["fields"]] == [one.label for one in drawn.fields]
    assert told["fields"][0]["high"] == pytest.approx(1e-3 * STRESS, rel=1e-5) and told["fields"][0]["unit"] == "kPa"
    assert not {"fields", "palette"} & pack_scene(drawn, Packer(), 1.0, ghost=True).keys()


def test_a_model_without_solids_carries_nothing_of_them():
    system = jd.System("plain")
    system.add(jd.RigidBody("b", 1.0, shape=jd.Sphere(0.1)), jd.Prismatic("x", "x"))
    model = system.compile()
    plain = scene(jd.simulate(model, model.state(), 0.1, output=0.1, step=0.1, method="rk4"))
    told = pack_scene(plain, Packer(), 1.0)
    assert "fields" not in told and "palette" not in told and not any("fields" in one for one in told["parts"])
    assert choices(plain) == [] and not any("field:" in name for name in known_quantities(model))


@pytest.mark.parametrize("levels", ["linear", "random", "flat", "on a level"])
def test_bands_cover_a_surface_once_and_keep_their_range(rng, levels):
    vertices, faces = (np.asarray(one) for one in jd.Sphere(1.0).to_mesh(16))
    shares = {
        "linear": 0.5 * (1.0 + vertices[:, 2]),
        "random": rng.random(len(vertices)),
        "flat": np.ones(len(vertices), np.float32),
        "on a level": np.round(8.0 * rng.random(len(vertices))) / 8.0,
    }[levels]
    cut = banded(vertices, faces, shares, 8)

    def vector_areas(triangles):
        return 0.5 * np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])

    def volume(triangles):
        return np.einsum("ij,ij->i", triangles[:, 0], vector_areas(triangles)).sum() / 3.0

    pieces, whole = np.concatenate(list(cut.values())), vertices[faces]
    # area says that nothing is covered twice or not at all, volume that every piece faces outwards
    assert np.linalg.norm(vector_areas(pieces), axis=1).sum() == pytest.approx(
        np.linalg.norm(vector_areas(whole), axis=1).sum(), rel=1e-12
    )
    assert volume(pieces) == pytest.approx(volume(whole), rel=1e-12)
    if levels == "linear":
        for band, triangles in cut.items():
            height = 4.0 * (1.0 + triangles[..., 2])
            assert height.min() >= band - 1e-9 and height.max() <= band + 1 + 1e-9


def test_forces_of_a_surface_are_darts_that_add_up(drawn):
    (arrow,) = drawn.arrows
    total = sum(dart.force for dart in arrow.darts)
    assert arrow.name == "touch" and len(arrow.darts) == 9
    assert total == pytest.approx(arrow.force) and arrow.force[10] == pytest.approx([0, 0, STRESS * SIDE**2], rel=1e-6)
    assert arrow.point[10] == pytest.approx([SIDE / 2, SIDE / 2, -STRESS / BED], abs=1e-9)
    assert all(dart.active[10] and not dart.active[0] for dart in arrow.darts)
    assert not any("node[" in mark.name for mark in drawn.frames)


def test_a_surface_of_many_nodes_has_a_bounded_number_of_darts():
    run = pressed(press(7), MOST, samples=3)
    (arrow,) = scene(run, limit=3).arrows
    assert len(run.contact["touch"].nodes) == 64 > DARTS == len(arrow.darts)
    assert sum(dart.force for dart in arrow.darts) == pytest.approx(run.contact["touch"].force.values)


def test_quantities_of_solids_and_their_surfaces(run):
    u = MOST * np.sin(np.pi * run.record.time)
    assert quantity(run, "field:pad.von_mises").values == pytest.approx(E * u / HEIGHT, rel=1e-9, abs=1e-6)
    assert quantity(run, "field:pad.stress.zz").values == pytest.approx(-E * u / HEIGHT, rel=1e-9, abs=1e-6)
    assert quantity(run, "field:pad.displacement").values == pytest.approx(u, abs=1e-15)
    pressure = quantity(run, "contact:touch.pressure")
    assert pressure.values == pytest.approx(E * u / HEIGHT, rel=1e-6, abs=1e-3) and pressure.unit == "Pa"
    assert re.fullmatch(r"node \d+ of pad, at \(.*, 0\) m", pressure.place(10))
    assert quantity(run, "contact:touch.force.z").values == pytest.approx(SIDE**2 * pressure.values)
    names = list(known_quantities(run.model))
    assert len(names) == len(set(names)) and "contact:touch.pressure" in names and "contact:touch[0].force" not in names
    assert first_choices(run)[:2] == ["contact:touch.force", "field:pad.von_mises"]
    for name, said in (
        ("field:pad.mises", "von_mises"),
        ("field:ram.stress", "pad"),
        ("field:pad.stress", "stress.xx"),
        ("contact:touch.torque", "pressure"),
        ("contact:touch[0].pressure", "normal_force"),
    ):
        with pytest.raises(UnknownNameError, match=said):
            quantity(run, name)


def test_a_limit_that_is_exceeded_names_body_place_time_and_value(run, tmp_path):
    stress = Limit("stress", "field:pad.von_mises", at_most=80e3, unit="kPa")
    broken, kept = judge(run, [stress, Limit("pressure", "contact:touch.pressure", at_most=2e5)])
    assert broken.broken and kept.passed and broken.time == pytest.approx(0.5)
    assert (
        broken.value == pytest.approx(STRESS) and broken.place.startswith("node ") and " of pad, at (" in broken.place
    )
    assert broken.to_dict()["place"] == broken.place
    page = write_report(run, tmp_path / "report.html", judgements=[broken, kept]).read_text()
    assert f"stress</bdi>, {1e-3 * STRESS:.5g} kPa ({broken.place})" in page
    text = page.partition("<h2>Contacts</h2>")[2].partition("</section>")[0]
    assert text.count("<tr>") == 2 and f"{STRESS * SIDE**2:.5g} N" in text and f"{STRESS:.5g} Pa" in text
    before, _, after = page.partition("<h2>End state</h2>")  # which lists the states of every node
    system = after.partition("<h2>System</h2>")[2].partition("<h2>To reproduce</h2>")[0]
    assert "touch: first touch" in page and "touch[" not in before + system
    assert "Peak pressures" in page and "Peak von Mises stresses" in page


def test_the_scale_of_the_viewer_says_range_and_unit(drawn):
    text = scale_html(drawn.fields[0])
    assert "von Mises stress [kPa]" in text and ">0<" in text and ">50<" in text and ">100<" in text
    assert scale_html(None) == ""


def test_a_file_lets_a_surface_touch(tmp_path):
    path = tmp_path / "press.yaml"
    path.write_text(PRESS)
    assert check_scenario(path) == []
    scenario = load_scenario(path)
    described, wanted = scenario.model.description["contacts"], press().description["contacts"]
    assert described == wanted and len(described) == 9 and described[0]["group"] == "touch"
    assert [limit.unit for limit in scenario.limits] == ["kPa", "MPa"]


@pytest.mark.parametrize("old, new, said", [
    ("{surface: pad.face}", "{surface: pad.fase}", 'pad has no surface "fase"; did you mean "face"'),
    ("{surface: pad.face}", "{surface: pat.face}", 'no body is called "pat"; did you mean "pad"'),
    ("{surface: pad.face}", "{surface: ram.face}", "a RigidBody has no surfaces"),
    ("{surface: pad.face}", "{surface: pad.face, at: world}", 'unknown key "at" of surface'),
    ("{kind: Plane, normal: [0, 0, 1], at: world}", "{surface: pad.back}", "both surfaces are of"),
    ("field:pad.von_mises", "field:pad.von_mise", "von_mises"), ("80 kPa", "80 N", "is in Pa"),
])  # fmt: skip
def test_what_is_wrong_with_a_surface_in_a_file_is_said(tmp_path, old, new, said):
    path = tmp_path / "press.yaml"
    path.write_text(PRESS.replace(old, new))
    found = [str(one) for one in check_scenario(path)]
    assert len(found) == 1 and said in found[0], found
