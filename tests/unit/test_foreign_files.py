"""Files of others that ask for more work than a sound one could: each is refused by a count, never by patience."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.basics.errors import ModelError
from jourdain.describe.shapes import mesh_files
from jourdain.files.imports import collada as collada_files
from jourdain.files.imports import mjcf_document, reading
from jourdain.files.imports.mesh_readers import read_any

TRIANGLE = """
<library_geometries><geometry id="g"><mesh>
  <source id="p"><float_array count="9">0 0 0 1 0 0 0 1 0</float_array></source>
  <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
  <triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles>
</mesh></geometry></library_geometries>
"""


def collada(scene: str, geometry: str = TRIANGLE, asset: str = "") -> str:
    """A COLLADA file with one triangle."""
    nodes = f"<library_visual_scenes><visual_scene>{scene}</visual_scene></library_visual_scenes>"
    return f"<COLLADA>{asset}{geometry}{nodes}</COLLADA>"


def write(path, text):
    path.write_text(text)
    return path


def test_a_sound_file(tmp_path):
    path = write(tmp_path / "a.dae", collada('<node><instance_geometry url="#g"/></node>' * 2))
    vertices, triangles = read_any(path)
    assert vertices.shape == (6, 3) and triangles.tolist() == [[0, 1, 2], [3, 4, 5]]


def doubling(levels: int) -> str:
    """Nodes that each name the next one twice: 2**levels of them are walked."""
    names = "".join(
        f'<node id="n{i}"><instance_node url="#n{i + 1}"/><instance_node url="#n{i + 1}"/></node>'
        for i in range(levels)
    )
    return f'<node><instance_node url="#n0"/></node><node id="n{levels}"/>{names}'


HOSTILE = {
    "each node names the next twice": (collada(doubling(24)), "more than 100000 nodes"),
    "a node names itself": (collada('<node id="n"><instance_node url="#n"/></node>'), "in a circle"),
    "nodes name each other": (
        collada('<node id="a"><instance_node url="#b"/></node><node id="b"><instance_node url="#a"/></node>'),
        "in a circle",
    ),
    "deep": (collada("<node>" * 60 + "</node>" * 60), "more than 50 deep"),
    "an empty offset": (collada("", TRIANGLE.replace('offset="0"', 'offset=""')), 'offset=""'),
    "an offset that is no number": (collada("", TRIANGLE.replace('offset="0"', 'offset="nan"')), 'offset="nan"'),
    "a huge offset": (collada("", TRIANGLE.replace('offset="0"', 'offset="1e300"')), "they are 0 to 63"),
    "two offsets": (collada("", TRIANGLE.replace('offset="0"', 'offset="0 1"')), 'offset="0 1"'),
    "an empty unit": (collada("", asset='<asset><unit meter=""/></asset>'), 'meter=""'),
    "a unit of no length": (collada("", asset='<asset><unit meter="0"/></asset>'), "longer than 0"),
    "half an index": (collada("", TRIANGLE.replace("0 1 2", "0 0.5 2")), "not a whole number"),
    "an endless index": (collada("", TRIANGLE.replace("0 1 2", "0 inf 2")), "not a whole number"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_scene_is_refused(tmp_path, name):
    content, words = HOSTILE[name]
    with pytest.raises(ModelError, match=words):
        read_any(write(tmp_path / "a.dae", content))


def test_a_geometry_that_nodes_repeat_is_counted_each_time(tmp_path, monkeypatch):
    monkeypatch.setattr(collada_files, "MAX_TRIANGLES", 100)
    path = write(tmp_path / "a.dae", collada('<node><instance_geometry url="#g"/></node>' * 60))
    with pytest.raises(ModelError, match="more than 100 triangles"):
        read_any(path)


@pytest.mark.parametrize("suffix", ["obj", "stl"])
def test_lines_of_text_are_bounded(tmp_path, monkeypatch, suffix):
    monkeypatch.setattr(mesh_files, "MAX_LINES", 1000)
    path = write(tmp_path / f"a.{suffix}", "solid\n" + "\n" * 1001)
    with pytest.raises(ModelError, match="more than 1000 lines"):
        read_any(path)


def refused(path, words):
    with pytest.raises(jd.errors.ScenarioError, match=words):
        jd.System.load(path)


TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


def test_meshes_that_are_used_often_are_counted_each_time(tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "MOST_TRIANGLES", 100)
    write(tmp_path / "a.obj", TETRAHEDRON)
    one = '<visual><geometry><mesh filename="a.obj"/></geometry></visual>'
    inertia = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    robot = f'<robot name="r"><link name="base"/><link name="a">{inertia}{{}}</link>'
    robot += '<joint name="j" type="fixed"><parent link="base"/><child link="a"/></joint></robot>'
    assert jd.System.load(write(tmp_path / "few.urdf", robot.format(one * 25)))
    refused(write(tmp_path / "many.urdf", robot.format(one * 26)), "more than 100 triangles")
    geoms = '<geom type="mesh" mesh="a"/>' * 26
    asset = '<asset><mesh name="a" file="a.obj"/></asset>'
    body = f'<body name="b"><joint name="j"/>{geoms}</body>'
    refused(
        write(tmp_path / "many.xml", f"<mujoco>{asset}<worldbody>{body}</worldbody></mujoco>"),
        "more than 100 triangles",
    )


def test_bodies_are_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "MOST_BODIES", 50)
    links = "".join(f'<link name="l{i}"/>' for i in range(51))
    refused(write(tmp_path / "many.urdf", f'<robot name="r">{links}</robot>'), "more than 50 bodies")
    bodies = '<body><joint/><geom size="1"/></body>' * 51
    refused(write(tmp_path / "many.xml", f"<mujoco><worldbody>{bodies}</worldbody></mujoco>"), "more than 50 bodies")


def test_inherited_defaults_are_bounded(tmp_path, monkeypatch):
    """A class with many values that many others are inside of: each has a copy of them."""
    monkeypatch.setattr(mjcf_document, "MOST_DEFAULTS", 1000)
    wide = "".join(f'<t{i} a="1" b="2"/>' for i in range(100))
    inner = "".join(f'<default class="c{i}"/>' for i in range(10))
    refused(write(tmp_path / "a.xml", f"<mujoco><default>{wide}{inner}</default></mujoco>"), "more than 1000 values")


@pytest.mark.parametrize("text", ["[[" * 30 + "]]" * 30, "{a: " * 50 + "}" * 50])
def test_nesting_in_a_scenario_is_bounded(tmp_path, text):
    with pytest.raises(jd.errors.ScenarioError, match="nested more than"):
        jd.load_scenario(write(tmp_path / "a.yaml", f"jourdain: 1\nname: {text}\n"))


def test_aliases_that_double_are_bounded(tmp_path):
    lines = ["a0: &a0 [1, 1]", *(f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]" for i in range(1, 30))]
    with pytest.raises(jd.errors.ScenarioError, match="aliases counted"):
        jd.load_scenario(write(tmp_path / "a.yaml", "\n".join(lines)))


def test_chunks_of_a_run_file_are_no_larger_than_its_data(tmp_path):
    """A compressed chunk of some bytes could stand for gigabytes."""
    h5py = pytest.importorskip("h5py")
    arm = jd.System("arm")
    arm.add(jd.RigidBody("link", mass=1.0, inertia=(1.0, 1.0, 1.0)), jd.Revolute("hinge", axis="z"))
    model = arm.compile()
    jd.simulate(model, model.state(), until=0.01, step=0.01).save(tmp_path / "run.nc")
    with h5py.File(tmp_path / "run.nc", "a") as file:
        shape, data = file["q"].shape, file["q"][:]
        del file["q"]
        chunks = (2**24, 1)
        made = file.create_dataset("q", shape, maxshape=(None, 1), chunks=chunks, compression="gzip", dtype="f8")
        made[:] = np.asarray(data)
    with pytest.raises(jd.errors.RunFileError, match="is stored in chunks"):
        jd.load(tmp_path / "run.nc")
