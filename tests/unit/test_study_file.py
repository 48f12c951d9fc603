"""Study files: what they mean, and what is said of those that mean nothing."""

import math
import os

import numpy as np
import pytest
from broken_studies import CHANGES, SOUND
from studies import SCENARIO, STUDY, write

import jourdain as jd
from jourdain.files.problems import ScenarioError
from jourdain.study.sweeps.designs import Design, Parameter


def folder(path):
    """A study's folder with what broken studies name."""
    inside, away = path / "study", path / "away"
    inside.mkdir()
    away.mkdir()
    (inside / "sub").mkdir()
    (inside / "pendulum.yaml").write_text(SCENARIO)
    (inside / "wrong.yaml").write_text(SCENARIO.replace("damping: 0.1", "damping: little"))
    (away / "pendulum.yaml").write_text(SCENARIO)
    (path / "pendulum.yaml").write_text(SCENARIO)
    os.symlink(away / "pendulum.yaml", inside / "sub" / "link.yaml")
    os.mkfifo(inside / "pipe.yaml")
    return inside


def snapshot(path):
    return sorted((one.name, one.lstat().st_size, one.lstat().st_mtime_ns) for one in path.rglob("*"))


def check(inside, text):
    (inside / "study.yaml").write_bytes(text if isinstance(text, bytes) else text.encode())
    before = snapshot(inside)
    found = jd.study.check_study(inside / "study.yaml")
    assert snapshot(inside) == before
    for one in found:
        assert "\n" not in str(one) and str(one).isprintable() and len(str(one)) <= 600 and one.message
        assert str(one).startswith(str(inside))
    return found


def test_the_sound_one_is_sound(tmp_path):
    assert check(folder(tmp_path), SOUND) == []


def test_there_are_enough_of_them():
    assert len(CHANGES) >= 50 and len({one[:2] for one in CHANGES}) == len(CHANGES)


@pytest.mark.parametrize(("old", "new", "words"), CHANGES, ids=[str(i) for i in range(len(CHANGES))])
def test_a_change_is_found(tmp_path, old, new, words):
    assert SOUND.count(old) >= 1, old
    text = SOUND.replace(old, new, 1)
    found = check(folder(tmp_path), text)
    fitting = [one for one in found if words in one.message]
    assert fitting, "\n".join(map(str, found)) or "nothing was found"
    assert any(one.line for one in fitting)
    with pytest.raises(ScenarioError):
        jd.sweep(tmp_path / "study" / "study.yaml", out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


BYTES = {
    "empty": b"",
    "binary": bytes(range(256)),
    "a list": b"- 1\n",
    "huge": b"# " + b"x" * (5 * 2**20),
    "deep": b"jourdain: " + b"[" * 50_000,
    "alias bomb": b"a: &a [1,1,1,1,1,1,1,1,1,1]\n"
    + b"".join(b"%c: &%c [%s]\n" % (98 + i, 98 + i, b",".join([b"*%c" % (97 + i)] * 10)) for i in range(9)),
    "code": b"jourdain: 1\nname: !!python/object/new:os.system [touch pwned]\n",
    "utf-16": SOUND.encode("utf-16"),
}


@pytest.mark.parametrize("name", BYTES)
def test_files_that_are_no_studies(tmp_path, name):
    found = check(folder(tmp_path), BYTES[name])
    assert found and len(found) < 60


def test_what_is_no_file(tmp_path):
    for path in (tmp_path / "none.yaml", tmp_path, "a\0b.yaml"):
        (found,) = jd.study.check_study(path)
        assert found.line == 0 and found.message


def test_a_scenario_can_stand_in_the_study(tmp_path):
    inner = "\n".join(f"  {line}" for line in SCENARIO.splitlines())
    one = write(tmp_path, STUDY.replace("scenario: pendulum.yaml", f"scenario:\n{inner}"))
    study = jd.study.load_study(one)
    assert study.size == 12 and list(study.bundle.files) == ["study.yaml"]
    assert study.base.scenario((3, 1.0)).system.attachments[0].body.mass == 3.0
    found = check(tmp_path, one.read_text().replace("damping: 0.1", "damping: little"))
    assert [(line.line, line.address) for line in found] == [(16, "system.bodies.link.joint.damping")]


def test_variants_files_and_systems_in_files(tmp_path):
    head, system, rest = SCENARIO.partition("system:\n")[0], *SCENARIO.partition("system:\n")[2].split("simulation:")
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "arm.yaml").write_text(f"jourdain: 1\nsystem:\n{system}")
    text = f"{head}system: {{file: parts/arm.yaml}}\nsimulation:{rest}variants:\n  long: {{simulation.until: 2}}\n"
    path = write(tmp_path, STUDY.replace("scenario: pendulum.yaml", "scenario: pendulum.yaml\nvariant: long"), text)
    study = jd.study.load_study(path)
    assert study.scenario.until == 2.0 and study.scenario.system.attachments[0].body.mass == 1.0
    assert sorted(study.bundle.files) == ["parts/arm.yaml", "pendulum.yaml", "study.yaml"]
    before = study.hash
    (tmp_path / "parts" / "arm.yaml").write_text(f"jourdain: 1\nsystem:\n{system}".replace("0.2, 0.2", "0.3, 0.3"))
    assert jd.study.load_study(path).hash != before


def test_values_of_a_grid_run_the_last_parameter_fastest():
    a = Parameter("a", [1, "x", [1, 2]], name="a")
    b = Parameter("b", range=(1.0, 100.0), count=3, scale="log", name="b")
    rows = Design().rows([a, b])
    assert rows[:3] == [(1, 1.0), (1, pytest.approx(10.0)), (1, 100.0)] and len(rows) == 9
    assert not a.numeric and b.numeric and b.choices[-1] == 100.0
    assert Design("listed").rows([a, b]) == [(1, 1.0), ("x", pytest.approx(10.0)), ([1, 2], 100.0)]


@pytest.mark.parametrize("kind", ["random", "latin-hypercube", "sobol"])
def test_random_designs_are_seeded_and_spread(kind):
    some = [
        Parameter("a", range=(2.0, 4.0), name="a"),
        Parameter("b", range=(1.0, 1e4), scale="log", name="b"),
        Parameter("c", normal=(5.0, 0.5), name="c"),
        Parameter("d", [1, 2, 3], name="d"),
    ]
    rows = np.array(Design(kind, 256, seed=3).rows(some))
    assert np.array_equal(rows, np.array(Design(kind, 256, seed=3).rows(some)))
    assert not np.array_equal(rows, np.array(Design(kind, 256, seed=4).rows(some)))
    assert rows[:, 0].min() >= 2.0 and rows[:, 0].max() <= 4.0
    # a uniform mean has a deviation of 1 / sqrt(12 n): five of them, a bound that one seed in two million misses
    assert rows[:, 0].mean() == pytest.approx(3.0, abs=5 * 2.0 / math.sqrt(12 * 256))
    assert np.log10(rows[:, 1]).mean() == pytest.approx(2.0, abs=5 * 4.0 / math.sqrt(12 * 256))
    assert rows[:, 2].mean() == pytest.approx(5.0, abs=5 * 0.5 / 16) and rows[:, 2].std() == pytest.approx(
        0.5, rel=0.25
    )
    assert set(rows[:, 3]) == {1.0, 2.0, 3.0}
    if kind == "latin-hypercube":
        assert sorted(((rows[:, 0] - 2.0) * 128).astype(int)) == list(range(256)), "one in every slice"
