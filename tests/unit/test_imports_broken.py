"""Broken URDF and MJCF files: each gives lines that name the place; none hangs, crashes, reads outside or writes."""

import os
import random
import struct

import numpy as np
import pytest
from broken_imports import ANYWHERE, CHANGES, MJCF, PARTS, URDF

import jourdain as jd
from jourdain.files.xml import MAX_DEPTH, read_xml

BOMB = '<!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY l2 "&lol;&lol;&lol;">]>\n<{0}>&l2;</{0}>'


def stl(corners):
    """A binary STL file of triangles (n, 3, 3)."""
    out = b"\0" * 80 + struct.pack("<I", len(corners))
    for one in corners:
        out += struct.pack("<12fH", 0, 0, 0, *np.ravel(one), 0)
    return out


CORNERS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], float)
TETRAHEDRON = stl(CORNERS[[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]])


@pytest.fixture
def folder(tmp_path):
    """A folder with all that the sound files name, and traps beside it."""
    inside = tmp_path / "small"
    (inside / "meshes").mkdir(parents=True)
    (tmp_path / "link.stl").write_bytes(TETRAHEDRON)
    (tmp_path / "wedge.stl").write_bytes(TETRAHEDRON)
    (tmp_path / "secret.xml").write_text("<mujoco/>")
    (inside / "link.stl").write_bytes(TETRAHEDRON)
    (inside / "meshes" / "wedge.stl").write_bytes(TETRAHEDRON)
    (inside / "meshes" / "cut.msh").write_bytes(struct.pack("<4i", 4, 0, 0, 4) + b"\0" * 20)
    (inside / "meshes" / "flat.stl").write_bytes(b"\x01" * 100)
    (inside / "notes.txt").write_text("no mesh")
    (inside / "broken.stl").write_bytes(b"\x00" * 90)
    (inside / "bomb.dae").write_text(BOMB.format("COLLADA"))
    (inside / "short.obj").write_text("v 0 0 0\nf 1 2 3\n")
    (inside / "parts.xml").write_text(PARTS)
    (inside / "bomb.xml").write_text(BOMB.format("mujoco"))
    (inside / "circle.xml").write_text('<mujoco><include file="arm.xml"/></mujoco>')
    os.symlink(tmp_path / "link.stl", inside / "outside.stl")
    os.symlink(tmp_path / "wedge.stl", inside / "meshes" / "outside.stl")
    os.symlink(tmp_path, inside / "away")
    os.symlink(tmp_path / "secret.xml", inside / "link.xml")
    os.mkfifo(inside / "pipe.stl")
    return inside


def snapshot(folder):
    return sorted(
        (str(one), one.lstat().st_size, one.lstat().st_mtime_ns)
        for root, names, files in os.walk(folder.parent)
        for one in (folder.parent / root / name for name in [*names, *files])
    )


def mistakes(folder, kind, content, **options):
    """The mistakes of a file with this content, looked at in every way that all must obey."""
    path = folder / ("arm.urdf" if kind == "urdf" else "arm.xml")
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    before = snapshot(folder)
    try:
        jd.System.load(path, **options)
        found = []
    except jd.errors.ScenarioError as error:
        found = error.problems
        assert found
    assert snapshot(folder) == before
    for one in found:
        text = str(one)
        assert "\n" not in text and text.isprintable() and len(text) <= 600
        assert one.message and text.startswith(str(folder))
    return found


SOUND = {"urdf": URDF, "mjcf": MJCF}


@pytest.mark.parametrize("kind", SOUND)
def test_the_sound_ones_are_sound(folder, kind):
    assert mistakes(folder, kind, SOUND[kind]) == []


def test_there_are_enough_of_them():
    assert len(CHANGES) >= 100
    assert len({change[:3] for change in CHANGES}) == len(CHANGES)


@pytest.mark.parametrize("change", CHANGES, ids=[f"{i}-{one[0]}" for i, one in enumerate(CHANGES)])
def test_a_change_is_found(folder, change):
    kind, old, new, words = change[:4]
    sound = SOUND[kind]
    assert sound.count(old) >= 1, old
    text = sound.replace(old, new, 1)
    found = mistakes(folder, kind, text)
    assert found, "nothing was found"
    fitting = [one for one in found if words in one.message]
    assert fitting, [str(one) for one in found]
    if change[4:] != (ANYWHERE,):
        line = text.count("\n", 0, next(i for i, (a, b) in enumerate(zip(sound, text)) if a != b)) + 1
        assert any(abs(one.line - line) <= 1 for one in fitting), (line, [str(one) for one in fitting])


DEEP = "<body>" * 5000 + "</body>" * 5000
WHOLE = {
    "empty": ("urdf", b"", "empty"),
    "spaces": ("urdf", b"  \n ", "empty"),
    "no element": ("mjcf", b"<!-- nothing -->", "no element"),
    "binary": ("urdf", bytes(range(1, 256)), "not XML"),
    "UTF-16": ("urdf", URDF.encode("utf-16"), "UTF-16"),
    "not UTF-8": ("urdf", URDF.encode().replace(b"small arm", b"sm\xe9ll"), "not XML"),
    "a null": ("urdf", URDF.encode().replace(b"small arm", b"sm\x00ll"), "not XML"),
    "deep": ("mjcf", f"<mujoco><worldbody>{DEEP}</worldbody></mujoco>".encode(), f"more than {MAX_DEPTH} deep"),
    "wide": ("urdf", b"<robot name='r'>" + b"<link/>" * 210_000 + b"</robot>", "more than 200000 elements"),
    "long attribute": ("urdf", b"<robot name='" + b"a" * 5_000_000 + b"'/>", "longer than"),
    "many attributes": (
        "urdf",
        b"<robot " + b" ".join(b"a%d='1'" % i for i in range(100)) + b"/>",
        "more than 64 attributes",
    ),
    "long text": ("urdf", b"<robot name='r'>" + b"a" * 5_000_000 + b"</robot>", "between its tags"),
    "long name": ("urdf", b"<" + b"a" * 5000 + b"/>", "longer than 200 characters"),
    "another format": ("urdf", MJCF.encode(), "a URDF file has <robot"),
    "the other way round": ("mjcf", URDF.encode(), "an MJCF file has <mujoco>"),
    "no links": ("urdf", b"<robot name='r'/>", "no <link>"),
    "no bodies": ("mjcf", b"<mujoco/>", "no <body>"),
    "unfinished tag": ("urdf", b"<robot name='r'" + b" " * 100_000, "not XML"),
    "a bomb of entities": (
        "urdf",
        b"<!DOCTYPE r [<!ENTITY a0 'ha'>"
        + b"".join(b"<!ENTITY a%d '&a%d;&a%d;'>" % (i, i - 1, i - 1) for i in range(1, 40))
        + b"]><robot name='&a39;'/>",
        "document type",
    ),
}


@pytest.mark.parametrize("name", WHOLE)
def test_a_whole_file_is_refused(folder, name):
    kind, content, words = WHOLE[name]
    found = mistakes(folder, kind, content)
    assert any(words in one.message for one in found), [str(one) for one in found]
    for one in found:  # the place is said once, before the words
        assert one.file not in one.message


def test_includes_that_multiply_are_bounded(folder):
    for i in range(12):
        inner = f'<include file="level{i + 1}.xml"/>' * 8
        (folder / f"level{i}.xml").write_text(f"<mujoco>{inner}</mujoco>")
    (folder / "level12.xml").write_text("<mujoco/>")
    found = mistakes(folder, "mjcf", '<mujoco><include file="level0.xml"/></mujoco>')
    assert "included already" in found[0].message


def test_what_is_not_carried_over_is_named_with_all_its_lines_and_can_be_ignored(folder):
    text = URDF.replace("</joint>\n  <joint", '<safety_controller k_velocity="1"/></joint>\n  <joint')
    text = text.replace("</robot>", "<gazebo/>\n<gazebo/>\n</robot>")
    found = mistakes(folder, "urdf", text)
    assert len(found) == 2
    gazebo = next(one for one in found if "gazebo" in one.message)
    first = text[: text.index("<gazebo/>")].count("\n") + 1
    assert gazebo.line == first and f"also in lines {first + 1}" in gazebo.message
    assert [one.address for one in mistakes(folder, "urdf", text, ignore=("gazebo",))] == ["safety_controller"]
    assert mistakes(folder, "urdf", text, ignore=True) == []
    path = folder / "arm.urdf"
    left = jd.System.load(path, ignore=True).imported.ignored
    assert sorted({one.name for one in left}) == ["gazebo", "safety_controller"] and len(left) == 5


def test_a_mesh_can_be_left_out_by_name(folder):
    text = URDF.replace("package://small/link.stl", "package://nowhere/link.stl")
    assert mistakes(folder, "urdf", text, ignore=("mesh",)) == []


def test_the_root_and_packages_widen_what_is_read(folder):
    text = URDF.replace("package://small/link.stl", "../link.stl")
    assert "leads out" in mistakes(folder, "urdf", text)[0].message
    assert mistakes(folder, "urdf", text, root=folder.parent) == []
    text = URDF.replace("package://small/", "package://outer/")
    assert mistakes(folder, "urdf", text, packages={"outer": folder.parent}) == []
    climbing = text.replace("package://outer/", "package://outer/../")
    assert "leads out" in mistakes(folder, "urdf", climbing, packages={"outer": folder})[0].message


def test_random_damage_is_told_and_nothing_else(folder):
    """Files with bytes changed, cut and repeated at random: they load or are refused in lines, always."""
    random.seed(5)
    for kind, sound in SOUND.items():
        for _ in range(150):
            data = bytearray(sound.encode())
            for _ in range(random.randint(1, 4)):
                at, action = random.randrange(len(data)), random.random()
                if action < 0.4:
                    data[at] = random.choice(b"<>\"'/= &;0123456789abcxyz-.")
                elif action < 0.7:
                    del data[at : at + random.randint(1, 60)]
                else:
                    data[at:at] = data[at : at + random.randint(1, 200)]
            mistakes(folder, kind, bytes(data), ignore=random.random() < 0.5)


def test_elements_know_their_lines():
    root = read_xml(b"<a>\n <b x='1'>\n  text</b>\n</a>", "f")
    assert (root.line, root.children[0].line, root.children[0].text) == (1, 2, "text")
