"""Broken scenario files: each gets lines that name the place and the remedy; none hangs, crashes or writes."""

import os
import random

import pytest
from broken_scenarios import CHANGES, SOUND
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jourdain.files.problems import ScenarioError
from jourdain.study.scenario.scenario_file import check_scenario, load_scenario


def check(folder, content, **options):
    """The mistakes of a file with this content, looked at in every way that all must obey."""
    path = folder / "task.yaml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    before = snapshot(folder)
    found = check_scenario(path, **options)
    assert snapshot(folder) == before
    for mistake in found:
        text = str(mistake)
        assert "\n" not in text and text.isprintable() and len(text) <= 600
        assert text.startswith(str(folder)) and mistake.message
    return found


def snapshot(folder):
    return sorted((one.name, one.lstat().st_size, one.lstat().st_mtime_ns) for one in folder.iterdir())


def test_the_sound_one_is_sound(tmp_path):
    assert check(tmp_path, SOUND) == []


def test_there_are_enough_of_them():
    assert len(CHANGES) >= 150
    assert len({change[:2] for change in CHANGES}) == len(CHANGES)


WHOLE = ("", "cycle", "used 2 times", "does not touch itself", "unknown key", "give the scenario a title")
"""Messages that speak of an element, or of several, and not of the line that was changed."""


def first_difference(one, other):
    return next(i for i, (a, b) in enumerate(zip(one, other)) if a != b)


@pytest.mark.parametrize(("old", "new", "words", "address"), CHANGES, ids=[f"{i}" for i in range(len(CHANGES))])
def test_a_change_is_found(tmp_path, old, new, words, address):
    assert SOUND.count(old) >= 1, old
    text = SOUND.replace(old, new, 1)
    found = check(tmp_path, text)
    harmless = not words and not address
    if harmless:
        assert found == []
        return
    assert found, "nothing was found"
    fitting = [one for one in found if words in one.message and address in one.address]
    assert fitting, "\n".join(map(str, found))
    if words in WHOLE or "missing" in words:
        return
    line = text[: first_difference(SOUND, text)].count("\n") + 1
    assert any(line <= one.line <= line + new.count("\n") + 1 for one in fitting), "\n".join(map(str, found))


def test_several_mistakes_are_all_found(tmp_path):
    text = SOUND.replace("mass: 50", "mass: heavy").replace("method: rk4", "method: rk44").replace("kp: 100", "kq: 100")
    text = text.replace("camera: base.cam", "cam: base.cam").replace("kind: Weld", "kind: Welt")
    found = check(tmp_path, text)
    assert {one.address for one in found} >= {
        "system.bodies.base.mass",
        "system.bodies.base.joint.kind",
        "controller[0].kq",
        "controller[0]",
        "replay.cam",
    }
    assert [one.line for one in found] == sorted(one.line for one in found)
    with pytest.raises(ScenarioError) as caught:
        load_scenario(tmp_path / "task.yaml")
    assert str(caught.value).count("\n") == len(found) - 1


BYTES = {
    "empty": b"",
    "blank": b"  \n\n",
    "comment only": b"# nothing\n",
    "binary": bytes(range(256)) * 20,
    "zeros": b"jourdain: 1\nname: \x00\n",
    "utf-16": SOUND.encode("utf-16"),
    "latin-1": SOUND.replace("small", "kleïn").encode("latin-1"),
    "escape codes": b"jourdain: 1\nname: \x1b[31mred\n",
    "a list": b"- 1\n- 2\n",
    "a number": b"42",
    "a text": b"hello",
    "elf": b"\x7fELF\x02\x01\x01" + b"\0" * 64,
    "huge": b"# " + b"x" * (5 * 2**20),
    "many values": b"jourdain: 1\nname: x\ntask: [" + b"1," * 300_000 + b"1]\n",
    "deep lists": b"jourdain: " + b"[" * 50_000,
    "deep mappings": b"".join(b" " * i + b"a:\n" for i in range(300)),
    "alias bomb": b"a: &a [1,1,1,1,1,1,1,1,1,1]\n"
    + b"".join(b"%c: &%c [%s]\n" % (98 + i, 98 + i, b",".join([b"*%c" % (97 + i)] * 10)) for i in range(9)),
    "many aliases": b"jourdain: 1\na: &a 1\nb: [" + b"*a," * 3000 + b"1]\n",
    "unclosed": b"jourdain: {a: [",
    "only a tag": b"!!python/object:os.system\n",
    "code tag": b"jourdain: 1\nname: !!python/object/new:os.system [echo pwned]\n",
    "nested code tag": b"!!python/object/apply:subprocess.check_output [[touch, pwned]]",
    "json": b'{"jourdain": 1, "name": "x"}',
    "windows lines": SOUND.replace("mass: 50", "mass: heavy").replace("\n", "\r\n").encode(),
}


@pytest.mark.parametrize("name", BYTES)
def test_files_that_are_no_scenarios(tmp_path, name):
    found = check(tmp_path, BYTES[name])
    assert found
    assert len(found) < 60


def test_a_byte_order_mark_and_windows_lines_do_no_harm(tmp_path):
    assert check(tmp_path, SOUND.replace("\n", "\r\n").encode("utf-8-sig")) == []


def test_what_is_no_file(tmp_path):
    for path in (tmp_path / "none.yaml", tmp_path, "a\0b.yaml"):
        (found,) = check_scenario(path)
        assert found.line == 0 and found.message
    pipe = tmp_path / "pipe.yaml"
    os.mkfifo(pipe)
    (found,) = check_scenario(pipe)
    assert "plain file" in found.message


INCLUDING = "jourdain: 1\nname: x\nsimulation: {until: 1}\nsystem: {file: %s}\n"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("task.yaml", "includes itself: task.yaml -> task.yaml"),
        ("ring.yaml", "includes itself: task.yaml -> ring.yaml -> task.yaml"),
        ("none.yaml", "no such file"),
        ("sub", "is a folder"),
        ("sub/link.yaml", "leads out of the folder"),
        ("outside/arm.yaml", "leads out of the folder"),
        ("../arm.yaml", "leads out of the folder"),
        ("/etc/passwd", "not relative"),
        ("pipe.yaml", "plain file"),
        ("empty.yaml", "is empty"),
        ("binary.yaml", "is no text"),
        ("other.yaml", "section system"),
        ("arm.urdf", "no such file"),
        ("'a\\0b'", "no name of a file"),
        ("''", "no name of a file"),
        ("3", "give the name of a file"),
        ("[a]", "give the name of a file"),
        ("arm.yaml, gravity: [0, 0, 0]", 'beside "file"'),
    ],
)
def test_files_that_name_others(tmp_path, name, words):
    folder, away = tmp_path / "task", tmp_path / "away"
    folder.mkdir()
    away.mkdir()
    (folder / "sub").mkdir()
    arm = "jourdain: 1\nsystem: {bodies: [{kind: RigidBody, name: b, mass: 1, inertia: [1, 1, 1], joint: %s}]}\n"
    for place in (tmp_path, away, folder):
        (place / "arm.yaml").write_text(arm % "{kind: Free, name: f}")
    os.symlink(away / "arm.yaml", folder / "sub" / "link.yaml")
    os.symlink(away, folder / "outside")
    os.symlink(folder / "arm.yaml", folder / "sub" / "inside.yaml")
    os.mkfifo(folder / "pipe.yaml")
    (folder / "ring.yaml").write_text("jourdain: 1\nsystem: {file: task.yaml}\n")
    (folder / "empty.yaml").write_text("")
    (folder / "binary.yaml").write_bytes(b"\x00\x01")
    (folder / "other.yaml").write_text("jourdain: 1\nname: no system\n")
    found = check(folder, INCLUDING % name)
    assert any(words in one.message for one in found), "\n".join(map(str, found))
    assert check(folder, INCLUDING % "sub/inside.yaml") == []
    assert check(folder, INCLUDING % "sub/link.yaml", root=tmp_path) == []


def test_mistakes_in_a_file_that_is_named_have_its_name(tmp_path):
    (tmp_path / "arm.yaml").write_text("jourdain: 1\nsystem:\n  bodies:\n    - {kind: RigidBody, name: b, mass: x}\n")
    found = check(tmp_path, INCLUDING % "arm.yaml")
    assert {(os.path.basename(one.file), one.line) for one in found} == {("arm.yaml", 4)}
    assert {one.address for one in found} == {"system.bodies.b.mass", "system.bodies.b"}


JUNK = ["", "null", "[]", "{}", "x", "-1", "1e300", "[[1]]", "{a: {b: [1]}}", "'<b>'", "world", "30 deg", "*a", "&a 1"]


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 2**32 - 1))
def test_mutated_files_never_crash(tmp_path, seed):
    rng = random.Random(seed)
    lines = SOUND.splitlines()
    for _ in range(rng.randint(1, 4)):
        i = rng.randrange(len(lines))
        what = rng.randrange(6)
        if what == 0:
            del lines[i]
        elif what == 1:
            lines.insert(rng.randrange(len(lines)), lines[i])
        elif what == 2:
            key, colon, _ = lines[i].partition(":")
            lines[i] = f"{key}{colon} {rng.choice(JUNK)}"
        elif what == 3:
            at = rng.randrange(len(lines[i]) + 1)
            lines[i] = lines[i][:at] + rng.choice("[]{}:,#&*!|>'\"%@` -0xé\t") + lines[i][at:]
        elif what == 4:
            words = lines[i].split(" ")
            words[rng.randrange(len(words))] = rng.choice(JUNK)
            lines[i] = " ".join(words)
        elif lines[i]:
            at = rng.randrange(len(lines[i]))
            lines[i] = lines[i][:at] + lines[i][at + 1 :]
    found = check(tmp_path, "\n".join(lines) + "\n")
    for mistake in found:
        assert 0 <= mistake.line <= len(lines) + 1
