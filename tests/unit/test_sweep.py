"""Sweeps: what they compute, how they survive, and what they refuse."""

import json
import os
import shutil
import signal
import time
from pathlib import Path

import numpy as np
import pytest
from installed import needs
from studies import SLOW, STUDY, begin, kill_after, write
from typer.testing import CliRunner

import jourdain as jd
from jourdain.commands.cli import app
from jourdain.study.sweeps import executors
from jourdain.study.sweeps.store import CODECS, TYPES, ResultStore
from jourdain.study.sweeps.sweep import labelled

needs("zarr", reason="results are kept by zarr")


def same(one, other):
    """The same numbers to the last bit, the same words."""
    assert one.identical(other), f"{one}\n{other}"
    for name in one.variables:
        if one[name].dtype.kind == "f":
            assert np.array_equal(one[name].values.view(np.int64), other[name].values.view(np.int64)), name


@pytest.fixture(scope="module")
def swept(tmp_path_factory):
    """A small study and its results, by threads."""
    folder = tmp_path_factory.mktemp("swept")
    path = write(folder)
    return path, jd.sweep(path, mode="threads", progress=False)


@pytest.fixture(scope="module")
def stored(swept, tmp_path_factory):
    """The folder that the same study keeps its results in, as a sweep by processes leaves it; for copies."""
    folder = tmp_path_factory.mktemp("stored") / "o"
    jd.sweep(swept[0], out=folder, progress=False)
    return folder


@pytest.fixture
def out(stored, tmp_path):
    """A copy of that folder."""
    return Path(shutil.copytree(stored, tmp_path / "o"))


def test_results_are_those_of_single_runs(swept):
    path, data = swept
    assert dict(data.sizes) == {"variant": 12} and data["mass"].dims == ("variant",)
    for i in (0, 5, 11):
        given = {
            "system.bodies.link.mass": str(data["mass"].values[i]),
            "state": f"{{v: {{hinge: {data['speed'].values[i]}}}}}",
        }
        scenario = jd.load_scenario(path.parent / "pendulum.yaml", overrides=given)
        run = scenario.simulate(progress=False)
        speed, depth = jd.study.judge(run)
        assert data["end"].values[i] == run.record.q[-1, 0]
        assert data["depth"].values[i] == depth.value and data["depth: margin"].values[i] == depth.margin
        assert data["margin"].values[i] == min(speed.margin, depth.margin)
        assert bool(data["success"].values[i]) == (speed.passed and depth.passed)
    assert data["end"].attrs["units"] == "rad" and data["depth"].attrs["units"] == "m"


def test_threads_and_processes_give_the_same_numbers(swept, tmp_path):
    path, data = swept
    same(jd.sweep(path, mode="processes", workers=2, progress=False), data)
    same(jd.sweep(path, out=tmp_path / "o", workers=1, mode="threads", progress=False), data)
    same(jd.sweep(path, out=tmp_path / "o", progress=False), data)


def test_variants_that_share_a_model_run_together(tmp_path):
    """Parameters of the state only: one compiled loop, the same numbers as a run each."""
    text = STUDY.replace(
        "mass: {at: system.bodies.link.mass, values: [1, 2, 3, 4]}", "angle: {at: state.q.hinge, values: [0.0, 10 deg]}"
    )
    path = write(tmp_path, text)
    study = jd.study.load_study(path)
    from jourdain.study.sweeps.worker_tasks import quick_base, run_rows

    assert study.shares_model and quick_base(study) is not None
    together = jd.sweep(study, progress=False)
    study.__dict__["quick_base"] = None
    alone = run_rows(study, study.rows)
    assert [one.values for one in alone.results] == [
        [float(together[column.name].values[i]) for column in study.columns] for i in range(6)
    ]


def test_a_killed_sweep_goes_on_and_ends_with_the_same_bits(tmp_path):
    """kill -9 of the main process, twice; what was done stays, and the rest is as if nothing had happened."""
    write(tmp_path, SLOW)
    whole = jd.sweep(tmp_path / "study.yaml", out=tmp_path / "whole", mode="threads", progress=False)
    out = tmp_path / "killed"
    first = kill_after(begin(tmp_path, "--out", "killed", "--mode", "threads"), out, 2)
    assert 2 <= first < 12
    second = kill_after(begin(tmp_path, "--out", "killed", "--mode", "processes"), out, first + 2)
    assert first < second < 12
    same(jd.sweep(tmp_path / "study.yaml", out=out, mode="threads", progress=False), whole)
    assert not list(out.glob(".results*"))


def test_a_killed_worker_is_replaced(tmp_path, monkeypatch):
    write(tmp_path, SLOW)
    whole = jd.sweep(tmp_path / "study.yaml", mode="threads", progress=False)
    staff, killed = [], []
    worker = executors.Worker

    def hired(bundle):
        staff.append(worker(bundle))
        return staff[-1]

    monkeypatch.setattr(executors, "Worker", hired)

    from jourdain.study.sweeps import sweep as module

    before = module.Memory.keep

    def counted(self, first, results):
        before(self, first, results)
        if not killed:
            os.kill(staff[0].process.pid, signal.SIGKILL)
            killed.append(first)

    monkeypatch.setattr(module.Memory, "keep", counted)
    same(jd.sweep(tmp_path / "study.yaml", mode="processes", workers=2, progress=False), whole)
    assert killed and len(staff) == 3


def test_a_variant_that_kills_its_process_is_a_failure(tmp_path, monkeypatch):
    path = write(tmp_path)

    class Suicidal(executors.Worker):
        def call(self, rows):
            if any(row[0] == 3 for row in rows):
                os.kill(self.process.pid, signal.SIGKILL)
                self.process.wait()
            return super().call(rows)

    monkeypatch.setattr(executors, "Worker", Suicidal)
    data = jd.sweep(path, mode="processes", workers=1, progress=False)
    bad = data["status"].values == 2
    assert data["mass"].values[bad].tolist() == [3.0, 3.0, 3.0]
    assert all("signal 9, 3 times" in text for text in data["reason"].values[bad])
    assert np.all(data["status"].values[~bad] == 1)


def test_a_variant_that_fails_is_kept_with_its_reason(tmp_path, monkeypatch):
    """A wrong mass, and a step at which the state stops being finite; the others are not touched."""
    text = STUDY.replace("values: [1, 2, 3, 4]", "values: [1, -2, 2]").replace(
        "speed: {at: state.v.hinge, range: [-2, 2], count: 3}",
        "stiffness: {at: system.bodies.link.joint.stiffness, values: [0.0, 1.0e+9]}",
    )
    path = write(tmp_path, text)
    data = jd.sweep(path, out=tmp_path / "o", mode="threads", progress=False)
    assert data["status"].values.tolist() == [1, 2, 2, 2, 1, 2]
    assert "mass" in data["reason"].values[2] and "-2" in data["reason"].values[2]
    assert "stopped at t" in data["reason"].values[1] and "step" in data["reason"].values[1]
    assert not data["success"].values[1:4].any() and np.isnan(data["end"].values[1])
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, ["sweep", "study.yaml", "--out", "o", "--json"], prog_name="jourdain")
    assert done.exit_code == 3, done.stderr
    assert json.loads(done.stdout)["failed"] == 4
    page = (tmp_path / "o" / "report.html").read_text()
    assert "stopped at t" in page and "4 failed" in page


def test_control_c_leaves_a_store_that_goes_on(tmp_path):
    write(tmp_path, SLOW)
    for mode in ("threads", "processes"):
        process = begin(tmp_path, "--out", mode, "--mode", mode)
        end = time.monotonic() + 300.0
        while process.poll() is None and time.monotonic() < end:
            if (tmp_path / mode / "results.zarr" / "status" / "c").is_dir():
                process.send_signal(signal.SIGINT)
                break
            time.sleep(0.01)
        told, words = process.communicate(timeout=60)
        assert process.returncode == 130, words
        assert "Traceback" not in words and "STOPPED" in told and "goes on from there" in told
    here = {"mode": "threads", "progress": False}
    one = jd.sweep(tmp_path / "study.yaml", out=tmp_path / "threads", **here)
    same(jd.sweep(tmp_path / "study.yaml", out=tmp_path / "processes", **here), one)


def test_another_study_is_refused(tmp_path):
    path = write(tmp_path)
    here = {"mode": "threads", "progress": False}
    jd.sweep(path, out=tmp_path / "o", **here)
    path.write_text(STUDY.replace("task: How", "task: But how"))
    jd.sweep(path, out=tmp_path / "o", **here)  # words change no number
    path.write_text(STUDY.replace("take: final", "take: max"))
    with pytest.raises(jd.JourdainError, match="another study.*--out.*--overwrite"):
        jd.sweep(path, out=tmp_path / "o", **here)
    assert "max" in jd.sweep(path, out=tmp_path / "o", overwrite=True, **here)["end"].attrs["about"]
    (tmp_path / "pendulum.yaml").write_text(
        (tmp_path / "pendulum.yaml").read_text().replace("damping: 0.1", "damping: 0.2")
    )
    with pytest.raises(jd.JourdainError, match="another study"):
        jd.sweep(path, out=tmp_path / "o", **here)


def test_two_sweeps_into_one_folder(tmp_path):
    from jourdain.study.sweeps.sweep import running

    study = jd.study.load_study(write(tmp_path))
    with running(study, tmp_path / "o"), pytest.raises(jd.JourdainError, match="another sweep is writing"):
        jd.sweep(study, out=tmp_path / "o")


def test_the_store_has_numbers_only(stored):
    store = stored / "results.zarr"
    for name, kind in TYPES.items():
        told = json.loads((store / name / "zarr.json").read_text())
        assert told["data_type"] == kind and [one["name"] for one in told["codecs"]] == CODECS


PICKLED = {"name": "numcodecs.pickle", "configuration": {}}
BROKEN = {
    "pickle codec": lambda told: told | {"codecs": [PICKLED]},
    "object codec": lambda told: told | {"codecs": [{"name": "vlen-utf8"}]},
    "codec in front": lambda told: told | {"codecs": [PICKLED, *told["codecs"]]},
    "object type": lambda told: told | {"data_type": "string"},
    "named type": lambda told: told | {"data_type": {"name": "object"}},
    "transformer": lambda told: told | {"storage_transformers": [{"name": "x"}]},
    "older format": lambda told: told | {"zarr_format": 2},
    "no codecs": lambda told: told | {"codecs": None},
}


@pytest.mark.parametrize("how", BROKEN)
def test_stores_with_other_codecs_are_refused(swept, out, how):
    path, _ = swept
    file = out / "results.zarr" / "values" / "zarr.json"
    file.write_text(json.dumps(BROKEN[how](json.loads(file.read_text()))))
    with pytest.raises(jd.JourdainError, match="zarr.json"):
        jd.sweep(path, out=out, progress=False)


def test_a_damaged_store_is_refused_or_has_the_same_results(swept, out, rng):
    """A byte is changed anywhere in it, or a file is gone."""
    path, data = swept
    study = jd.study.load_study(path)
    files = sorted(one for one in (out / "results.zarr").rglob("*") if one.is_file())
    assert len(files) > 8
    noticed = 0
    for k in range(120):
        file = files[k % len(files)]
        raw = file.read_bytes()
        bad = bytearray(raw)
        bad[rng.integers(len(bad))] ^= rng.integers(1, 256)
        file.write_bytes(bad)
        if k >= 100 and file.parent.parent.name == "values":
            file.unlink()
        try:
            store = ResultStore(study, out)
        except jd.JourdainError:
            noticed += 1
        else:
            same(labelled(study, store), data)
            store.close()
        file.write_bytes(raw)
    assert noticed > 100
    same(jd.sweep(path, out=out, progress=False), data)


def test_results_stay_until_those_that_replace_them_are_there(swept, out, tmp_path, monkeypatch):
    path, data = swept
    here = {"mode": "threads", "progress": False}

    def killed(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(ResultStore, "keep", killed)
        for _ in range(2):  # the second time there is nothing to keep but what the first set aside
            with pytest.raises(KeyboardInterrupt):
                jd.sweep(path, out=out, overwrite=True, **here)
    (out / "results-replaced.zarr").rename(tmp_path / "results.zarr")
    store = ResultStore(jd.study.load_study(path), tmp_path)
    same(labelled(jd.study.load_study(path), store), data)
    store.close()
    (tmp_path / "results.zarr").rename(out / "results-replaced.zarr")
    same(jd.sweep(path, out=out, **here), data)
    assert not (out / "results-replaced.zarr").exists()
    with monkeypatch.context() as patch:
        patch.setattr(ResultStore, "_replace", killed)
        with pytest.raises(KeyboardInterrupt):
            jd.sweep(path, out=out, overwrite=True, **here)
    same(jd.sweep(path, out=out, **here), data)


def test_stores_with_more_or_less_in_them_are_refused(swept, out, tmp_path):
    path, _ = swept
    (out / "results.zarr" / "extra").mkdir()
    with pytest.raises(jd.JourdainError, match="'extra', which is no part"):
        jd.sweep(path, out=out, progress=False)
    (tmp_path / "p" / "results.zarr").mkdir(parents=True)
    with pytest.raises(jd.JourdainError, match="no store of a study"):
        jd.sweep(path, out=tmp_path / "p", progress=False)


def test_a_scenario_made_in_python_is_swept():
    """States and parameters of laws, in one compiled loop; the same as `simulate` gives."""
    arm = jd.System("arm", gravity=(0, 0, -9.81))
    arm.add(
        jd.RigidBody("link", mass=2.0, com=(0.5, 0, 0), inertia=(0.01, 0.2, 0.2)), joint=jd.Revolute("hinge", axis="y")
    )
    limits = [jd.study.Limit("angle", "hinge", within=2.0)]
    scenario = jd.study.Scenario("brakes", arm, 1.0, step=0.01, control=brake(2.0), limits=limits, q={"hinge": 0.1})
    data = jd.sweep(
        scenario,
        {"brake[0]": [0.0, 2.0, 20.0], "state.v.hinge": [0.0, 1.0]},
        criteria={"end": jd.study.Criterion("hinge", "final")},
        progress=False,
    )
    model = scenario.model
    for i in range(6):
        law = brake(float(data["brake[0]"].values[i]))
        state = model.state(q={"hinge": 0.1}, v={"hinge": float(data["state.v.hinge"].values[i])})
        run = jd.simulate(model, state, until=1.0, step=0.01, controller=law, progress=False)
        assert data["end"].values[i] == run.record.q[-1, 0]
    with pytest.raises(jd.errors.ModelError, match="no address of a scenario made in Python"):
        jd.sweep(scenario, {"brake": [1.0]})
    with pytest.raises(jd.errors.ModelError, match="2 parameters|1 parameters"):
        jd.sweep(scenario, {"brake[3]": [1.0]})
    with pytest.raises(jd.JourdainError, match="runs in threads"):
        jd.sweep(scenario, {"brake[0]": [1.0]}, mode="processes")


@jd.law
def brake(t, q, v, z, s, p, effort, dz):
    effort[0] -= p[0] * v[0]


def test_a_mapping_is_a_study_too(swept, monkeypatch):
    path, data = swept
    monkeypatch.chdir(path.parent)
    given = {
        "scenario": "pendulum.yaml",
        "parameters": {
            "mass": {"at": "system.bodies.link.mass", "values": np.array([1, 2, 3, 4])},
            "state.v.hinge": [-2.0, 0.0, 2.0],
        },
        "criteria": {"end": {"quantity": "hinge", "take": "final"}},
    }
    found = jd.sweep(given, mode="threads", progress=False)
    assert np.array_equal(found["end"].values, data["end"].values)
