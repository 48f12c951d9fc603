"""Meshes that are looked at: fewer triangles within bounds, paint and pictures, and what pages keep of them."""

from __future__ import annotations

import base64
import io
import json
import struct
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image

import jourdain as jd
from jourdain.basics.errors import ModelError
from jourdain.describe.shapes import Looks, Paint
from jourdain.describe.shapes.looks import simplified
from jourdain.describe.shapes.tessellation import creased, face_normals
from jourdain.files.imports.mesh_readers import read_drawn
from jourdain.files.imports.painted_surfaces import PaintedSurface, as_looks, joined, simpler
from jourdain.view.drawing import vertex_colours
from jourdain.view.packing import Packer, pack_scene
from jourdain.view.scene import scene


def grid(n: int, height) -> tuple[np.ndarray, np.ndarray]:
    """A surface over the unit square, (n + 1)^2 vertices."""
    x, y = np.meshgrid(np.linspace(0, 1, n + 1), np.linspace(0, 1, n + 1), indexing="ij")
    vertices = np.stack([x, y, height(x, y)], axis=-1).reshape(-1, 3)
    a = (np.arange(n)[:, None] * (n + 1) + np.arange(n)).ravel()
    faces = np.concatenate([np.column_stack([a, a + n + 1, a + n + 2]), np.column_stack([a, a + n + 2, a + 1])])
    return vertices, faces


def area(vertices, faces):
    a, b, c = np.moveaxis(vertices[faces], 1, 0)
    return 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1).sum()


def picture(colours) -> bytes:
    out = io.BytesIO()
    Image.fromarray(np.asarray(colours, np.uint8)).save(out, "PNG")
    return out.getvalue()


HALVES = np.repeat(np.array([[[250, 10, 10], [10, 10, 250]]]), 8, axis=0).repeat(8, axis=1)
"""Red on the left, blue on the right (8, 16)."""


def test_a_plane_needs_hardly_any_triangle():
    vertices, faces = grid(30, lambda x, y: 0.0 * x)
    found = simplified(vertices, faces, tolerance=1e-6, most=10_000, furthest=1e-6)
    assert len(found.triangles) <= 20
    assert area(found.vertices, found.triangles) == pytest.approx(1.0, abs=1e-9)
    assert np.all(face_normals(found.vertices, found.triangles)[:, 2] > 0.999)


def test_a_curved_surface_stays_within_the_tolerance():
    """A sphere's faces bulge by no more than its vertices do: everything is within 3 tolerances of the radius."""
    vertices, faces = jd.Sphere(1.0).to_mesh(96)
    sag = 1.0 - np.linalg.norm(vertices[faces].mean(axis=1), axis=1).min()
    tolerance = 5e-3
    found = simplified(vertices, faces, tolerance=tolerance, most=100_000, furthest=tolerance)
    assert found.error <= tolerance and len(found.triangles) < 0.7 * len(faces)
    middles = found.vertices[found.triangles].mean(axis=1)
    radii = np.linalg.norm(np.concatenate([found.vertices, middles]), axis=1)
    assert np.abs(radii - 1.0).max() < sag + 3 * tolerance
    edges = np.sort(found.triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    assert np.all(np.unique(edges, axis=0, return_counts=True)[1] == 2)  # still closed


def test_the_count_comes_before_the_tolerance_up_to_a_bound():
    vertices, faces = jd.Sphere(1.0).to_mesh(96)
    found = simplified(vertices, faces, tolerance=1e-4, most=500, furthest=0.5)
    assert len(found.triangles) <= 500 and found.error > 1e-4
    held = simplified(vertices, faces, tolerance=1e-4, most=10, furthest=2e-3)
    assert held.error <= 2e-3 and len(held.triangles) > 500


def test_borders_between_paints_stay():
    vertices, faces = grid(24, lambda x, y: 0.0 * x)
    labels = (vertices[faces].mean(axis=1)[:, 0] > 0.5).astype(int)
    found = simplified(vertices, faces, labels, tolerance=1e-5, most=0, furthest=1e-5)
    for label in (0, 1):
        mine = found.triangles[found.labels == label]
        assert len(mine) < 20 and area(found.vertices, mine) == pytest.approx(0.5, abs=1e-3)


def test_places_in_a_picture_move_along():
    vertices, faces = grid(16, lambda x, y: 0.0 * x)
    found = simplified(vertices, faces, uv=vertices[:, :2].copy(), tolerance=1e-6, most=0, furthest=1e-6)
    assert len(found.triangles) < 30 and found.uv == pytest.approx(found.vertices[:, :2], abs=1e-9)


def test_edges_on_which_nothing_changes_collapse_to_a_place():
    """Where every place of an edge is as good, even below zero by rounding, it is halved."""
    vertices, faces = grid(40, lambda x, y: 1e-9 * np.sin(40 * x) * np.cos(31 * y))
    found = simplified(vertices + 0.1, faces, uv=vertices[:, :2].copy(), tolerance=1e-6, most=0, furthest=1e-6)
    assert np.all(np.isfinite(found.vertices)) and np.all(np.isfinite(found.uv)) and len(found.triangles) < 200


def test_creases_are_those_of_the_faces():
    vertices, faces = jd.Box((1, 1, 1)).to_mesh()
    source, split = creased(vertices, faces)
    assert len(source) == 24 and np.array_equal(source[split], faces)
    assert len(creased(*jd.Sphere(1.0).to_mesh(32))[0]) == len(jd.Sphere(1.0).to_mesh(32)[0])


OBJ = """mtllib m.mtl
v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0
vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1
usemtl wood\nf 1/1 2/2 3/3
usemtl red\nf 1/1 3/3 4/4
"""
MTL = "newmtl wood\nKd 0 0 0\nmap_Kd wood.png\n\nnewmtl red\nKd 0.8 0.1 0.1\nd 0.5\nNs 30\n"


def test_obj_files_have_materials_and_pictures(tmp_path):
    files = {"m.mtl": MTL.encode(), "wood.png": picture(HALVES)}
    (tmp_path / "a.obj").write_text(OBJ)
    found = read_drawn(tmp_path / "a.obj", files.get)
    wood, red = found.paints
    assert found.painted.tolist() == [0, 1] and wood.picture and wood.colour == (1, 1, 1, 1)
    assert red.colour == (0.8, 0.1, 0.1, 0.5) and red.roughness == pytest.approx(np.sqrt(2 / 32), abs=1e-3)
    assert sorted(map(tuple, found.uv[found.triangles[0]].tolist())) == [(0, 0), (1, 0), (1, 1)]
    plain = read_drawn(tmp_path / "a.obj")
    assert plain.paints == () and len(plain.triangles) == 2


COLLADA = """<COLLADA><library_images><image id="i"><init_from>wood%201.png</init_from></image></library_images>
<library_effects>
 <effect id="e1"><profile_COMMON>
  <newparam sid="s"><surface type="2D"><init_from>i</init_from></surface></newparam>
  <newparam sid="t"><sampler2D><source>s</source></sampler2D></newparam>
  <technique sid="c"><phong><diffuse><texture texture="t" texcoord="uv"/></diffuse></phong></technique>
  </profile_COMMON></effect>
 <effect id="e2"><profile_COMMON><technique sid="c"><lambert><diffuse><color>0.1 0.2 0.9 1</color></diffuse></lambert>
  </technique></profile_COMMON></effect>
</library_effects>
<library_materials><material id="m1"><instance_effect url="#e1"/></material>
 <material id="m2"><instance_effect url="#e2"/></material></library_materials>
<library_geometries><geometry id="g"><mesh>
  <source id="p"><float_array count="12">0 0 0 1 0 0 1 1 0 0 1 0</float_array></source>
  <source id="u"><float_array count="8">0 0 1 0 1 1 0 1</float_array></source>
  <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
  <triangles material="A" count="1"><input semantic="VERTEX" source="#v" offset="0"/>
   <input semantic="TEXCOORD" source="#u" offset="1"/><p>0 0 1 1 2 2</p></triangles>
  <triangles material="B" count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 2 3</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene><node><instance_geometry url="#g"><bind_material><technique_common>
 <instance_material symbol="A" target="#m1"/><instance_material symbol="B" target="#m2"/>
</technique_common></bind_material></instance_geometry></node></visual_scene></library_visual_scenes></COLLADA>"""


def test_collada_files_have_materials_and_pictures(tmp_path):
    (tmp_path / "a.dae").write_text(COLLADA)
    found = read_drawn(tmp_path / "a.dae", {"wood 1.png": picture(HALVES)}.get)
    assert [bool(paint.picture) for paint in found.paints] == [True, False]
    assert found.paints[1].hex == "#1a33e6" and found.painted.tolist() == [0, 1]
    assert found.uv[found.triangles[0]].tolist() == [[0, 0], [1, 0], [1, 1]]


def glb(change=lambda told: None) -> bytes:
    """A triangle that is half as large as its numbers, at z = 2, with a material and a picture."""
    places = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], "<f4").tobytes()
    spots = np.array([[0, 0], [1, 0], [0, 1]], "<f4").tobytes()
    which = np.array([0, 1, 2, 0], "<u2").tobytes()
    image = picture(HALVES)
    image += bytes(-len(image) % 4)
    parts, views, at = [places, spots, which, image], [], 0
    for one in parts:
        views.append({"buffer": 0, "byteOffset": at, "byteLength": len(one)})
        at += len(one)
    told = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, "translation": [0, 0, 2], "scale": [0.5, 0.5, 0.5]}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "TEXCOORD_0": 1}, "indices": 2, "material": 0}]}],
        "materials": [
            {
                "pbrMetallicRoughness": {
                    "baseColorFactor": [1, 0.2158605, 0, 1],
                    "roughnessFactor": 0.3,
                    "metallicFactor": 0.7,
                    "baseColorTexture": {"index": 0},
                }
            }
        ],
        "textures": [{"source": 0}],
        "images": [{"bufferView": 3, "mimeType": "image/png"}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"},
            {"bufferView": 1, "componentType": 5126, "count": 3, "type": "VEC2"},
            {"bufferView": 2, "componentType": 5123, "count": 3, "type": "SCALAR"},
        ],
        "bufferViews": views,
        "buffers": [{"byteLength": at}],
    }
    change(told)
    text = json.dumps(told).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", at, b"BIN\0") + b"".join(parts)
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def test_binary_gltf_files_have_materials_and_pictures(tmp_path):
    (tmp_path / "a.glb").write_bytes(glb())
    found = read_drawn(tmp_path / "a.glb")
    assert found.vertices[found.triangles[0]].tolist() == [[0, 0, 2], [0.5, 0, 2], [0, 0.5, 2]]
    (paint,) = found.paints
    assert paint.colour == pytest.approx((1, 0.5019, 0, 1), abs=1e-3)  # 0.2158605 of light is half of a screen's range
    assert (paint.roughness, paint.metalness) == (0.3, 0.7) and paint.picture
    assert found.uv[found.triangles[0]].tolist() == [[0, 1], [1, 1], [0, 0]]


HOSTILE = {
    "circle": lambda told: told["nodes"][0].update(children=[0]),
    "far": lambda told: told["bufferViews"][0].update(byteLength=10**9),
    "beyond": lambda told: told["accessors"][2].update(bufferView=0, componentType=5121, count=36),
    "negative": lambda told: told["accessors"][0].update(byteOffset=-4),
    "elsewhere": lambda told: told["buffers"][0].update(uri="../secret.bin"),
    "packed": lambda told: told.update(extensionsRequired=["KHR_draco_mesh_compression"]),
    "no list": lambda told: told.update(nodes={"0": 1}),
    "wrong": lambda told: told["meshes"][0].update(primitives=[{"attributes": []}]),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_broken_gltf_files_are_refused(tmp_path, name):
    (tmp_path / "a.glb").write_bytes(glb(HOSTILE[name]))
    with pytest.raises(ModelError):
        read_drawn(tmp_path / "a.glb")


def test_descriptions_keep_looks_to_the_last_bit():
    vertices, faces = jd.Sphere(0.3).to_mesh(40)
    paints = (Paint((0.2, 0.4, 0.6, 0.5)), Paint(roughness=0.9, picture=base64.b64encode(picture(HALVES)).decode()))
    given = Looks(vertices, faces, paints, np.arange(len(faces)) % 2, vertices[:, :2])
    text = json.dumps(given.to_dict())
    back = Looks.from_dict(json.loads(text))
    assert back == given and back.vertices.tobytes() == given.vertices.tobytes()
    assert all(isinstance(given.to_dict()[name], str) for name in ("vertices", "triangles", "painted", "uv"))
    with pytest.raises(ModelError, match="no text of numbers"):
        Looks.from_dict(json.loads(text) | {"uv": "f4 3 AAAA"})
    small = Looks([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    assert set(small.to_dict()) == {"kind", "vertices", "triangles"}  # as descriptions were before there was paint


URDF = """<robot name="r"><material name="blue"><color rgba="0 0 1 0.5"/></material>
<link name="base"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
 <visual><geometry><mesh filename="a.dae" scale="2 2 2"/></geometry><material name="blue"/></visual>
 <visual><origin xyz="0 0 1"/><geometry><box size="1 1 1"/></geometry><material name="blue"/></visual></link>
<link name="tool"><inertial><mass value="1"/>
 <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j" type="revolute"><parent link="base"/><child link="tool"/><axis xyz="0 0 1"/><origin xyz="0 0 2"/>
 <limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>"""


@pytest.fixture(scope="module")
def robot(tmp_path_factory):
    folder = tmp_path_factory.mktemp("robot")
    (folder / "a.dae").write_text(COLLADA)
    (folder / "wood 1.png").write_bytes(picture(HALVES))
    (folder / "r.urdf").write_text(URDF)
    return jd.System.load(folder / "r.urdf")


def test_an_empty_texture_beside_a_colour_is_no_picture(tmp_path):
    """As exporters of URDF write them; a texture that says something else than a file is still refused."""
    text = URDF.replace('<mesh filename="a.dae" scale="2 2 2"/>', '<sphere radius="1"/>')
    (tmp_path / "r.urdf").write_text(text.replace("<color", "<texture/><color"))
    looks = jd.System.load(tmp_path / "r.urdf").attachments[0].body.shape.shape
    assert {(paint.hex, paint.picture) for paint in looks.paints} == {("#0000ff", "")}
    (tmp_path / "r.urdf").write_text(text.replace("<color", '<texture file="a.png"/><color'))
    with pytest.raises(jd.errors.ScenarioError, match="filename"):
        jd.System.load(tmp_path / "r.urdf")


def test_a_mesh_keeps_its_own_paint_and_the_rest_gets_the_visuals(robot):
    looks = robot.attachments[0].body.shape.shape
    assert [(paint.hex, paint.colour[3], bool(paint.picture)) for paint in looks.paints] == [
        ("#ffffff", 1.0, True),
        ("#1a33e6", 1.0, False),
        ("#0000ff", 0.5, False),
    ]
    assert [int(np.sum(looks.painted == i)) for i in range(3)] == [1, 1, 12]
    assert looks.vertices[:, 0].max() == 2.0


def test_a_lost_picture_is_told_and_no_mistake(tmp_path):
    (tmp_path / "a.dae").write_text(COLLADA.replace("wood%201.png", "../../etc/passwd"))
    (tmp_path / "r.urdf").write_text(URDF)
    system = jd.System.load(tmp_path / "r.urdf")
    assert [one.name for one in system.imported.ignored] == ["texture ../../etc/passwd"]
    (tmp_path / "a.dae").write_text(COLLADA.replace("wood%201.png", "r.urdf"))
    with pytest.raises(jd.errors.ScenarioError, match="as a picture"):
        jd.System.load(tmp_path / "r.urdf")


def test_the_scene_has_a_part_for_each_paint_and_small_balls_for_the_rest(robot):
    model = robot.compile()
    run = jd.simulate(model, model.state(), until=0.02, step=0.01, method="rk4")
    shown = scene(run)
    assert [(part.body, part.colour, part.opacity) for part in shown.parts] == [
        ("base", "#ffffff", 1.0),
        ("base", "#1a33e6", 1.0),
        ("base", "#0000ff", 0.5),
        ("tool", "#7f8a98", 1.0),
    ]
    low, high = shown.bounds()
    assert np.ptp(shown.parts[3].vertices, axis=0).max() < 0.01 * np.linalg.norm(high - low)
    colours = vertex_colours(shown.parts[0], np.array([255.0, 255.0, 255.0]))
    red = colours[:, 0] > colours[:, 2]
    assert np.array_equal(red, shown.parts[0].uv[:, 0] % 1.0 < 0.5)
    packer = Packer()
    part = pack_scene(shown, packer, 1.0)["parts"][0]
    assert part["type"] == "image/jpeg" and part["bone"] == 1 and "bones" not in part


def test_a_saved_system_keeps_its_paint(robot, tmp_path):
    robot.save(tmp_path / "s.yaml")
    back = jd.System.load(tmp_path / "s.yaml")
    assert back.attachments[0].body.shape.shape == robot.attachments[0].body.shape.shape


MJCF = """<mujoco><compiler meshdir="m" texturedir="t"/><asset><texture name="w" type="2d" file="w.png"/>
<material name="wood" texture="w"/><material name="steel" rgba="0.5 0.6 0.7 1" roughness="0.2" metallic="0.9"/>
<mesh name="a" file="a.obj"/></asset><worldbody><body name="b"><freejoint/>
<geom type="mesh" mesh="a" material="wood" mass="1" group="1" contype="0" conaffinity="0"/>
<geom type="sphere" size="0.2" pos="0 0 1" material="steel" group="2"/>
<geom type="box" size="3 3 3" group="3" rgba="1 0 0 1"/><geom type="box" size="1 1 1" rgba="1 0 0 0"/>
</body></worldbody></mujoco>"""


def test_mjcf_shows_what_mujoco_shows(tmp_path):
    for folder in "mt":
        (tmp_path / folder).mkdir()
    box = "\n".join(f"v {x} {y} {z}" for x in (0, 1) for y in (0, 1) for z in (0, 1))
    spots = "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1"
    (tmp_path / "m" / "a.obj").write_text(f"{box}\n{spots}\nf 1/1 2/2 4/3 3/4\nf 5/1 7/2 8/3 6/4\nf 1/1 5/2 6/3 2/4\n")
    (tmp_path / "t" / "w.png").write_bytes(picture(HALVES))
    (tmp_path / "r.xml").write_text(MJCF)
    looks = jd.System.load(tmp_path / "r.xml").attachments[0].body.shape.shape
    wood, steel = looks.paints
    assert wood.picture and wood.hex == "#ffffff"
    assert steel.hex == "#8099b2" and (steel.roughness, steel.metalness) == (0.2, 0.9)
    assert looks.vertices.max() < 1.3 and np.sum(looks.painted == 0) == 6


def test_equal_paints_are_one_and_what_has_none_gets_a_plain_one():
    one = PaintedSurface(*jd.Box((1, 1, 1)).to_mesh())
    red = Paint((1, 0, 0, 1))
    whole = joined([one.with_paint(red), one, one.with_paint(Paint((1, 0, 0, 1)))])
    assert whole.paints == (red,) and np.bincount(whole.painted + 1).tolist() == [12, 24]
    assert as_looks([whole]).paints == (red, Paint()) and as_looks([]) is None
    assert as_looks([one]).paints == ()
    turned = one.moved(np.diag([1.0, 1.0, -1.0]), np.zeros(3))
    a, b, c = np.moveaxis(turned.vertices[turned.triangles], 1, 0)
    assert np.einsum("ij,ij->", a, np.cross(b, c)) > 0.0  # a mirror image winds outwards


def test_a_mesh_is_not_drawn_with_more_triangles_than_it_may():
    vertices, faces = jd.Sphere(1.0).to_mesh(160)
    assert len(faces) > 20_000 and len(simpler(PaintedSurface(vertices, faces)).triangles) <= 5000


EPS = b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n%%EndComments\n(ran) print\n%%EOF\n"


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (EPS, "is neither a JPEG nor a PNG file"),
        (b"GIF89a" + bytes(20), "is neither a JPEG nor a PNG file"),
        (b"\x89PNG\r\n\x1a\n" + EPS, "cannot be read: UnidentifiedImageError"),
        (b"\xff\xd8\xff" + bytes(20), "cannot be read: UnidentifiedImageError"),
    ],
)
def test_a_picture_of_a_model_is_a_picture(raw, words):
    """A model comes with a run file from elsewhere. Readers of pictures know kinds that are programs, such as
    PostScript, which another program runs."""
    text = base64.b64encode(raw).decode()
    part = SimpleNamespace(paint=Paint(picture=text), uv=np.zeros((3, 2), np.float32))
    with pytest.raises(ModelError, match=words):
        vertex_colours(part, np.ones(3))


def test_a_picture_that_is_large_when_it_is_unpacked(monkeypatch):
    from jourdain.view import drawing

    monkeypatch.setattr(drawing, "MOST_PIXELS", 100)
    part = SimpleNamespace(paint=Paint(picture=base64.b64encode(picture(HALVES)).decode()), uv=np.zeros((3, 2)))
    with pytest.raises(ModelError, match="has more than 100 pixels"):
        vertex_colours(part, np.ones(3))


@pytest.mark.parametrize("text", ["no base 64", "ä", 5])
def test_a_picture_that_is_no_text_of_one(text):
    with pytest.raises(ModelError, match="Paint picture|Paint"):
        Paint(picture=text).image()
