"""Logs of machines: read from CSV, Parquet and MCAP files, followed as motions, and compared with runs."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import jourdain as jd
from jourdain.commands.cli import app
from jourdain.study.report.log_comparison import distances


@pytest.fixture(scope="module")
def run():
    system = jd.System("swing", gravity=(0.0, 0.0, -9.81))
    arm = jd.RigidBody("arm", mass=1.0, inertia=(0.1, 0.1, 0.1), com=(0.5, 0, 0), frames={"tip": (1, 0, 0)})
    system.add(arm, joint=jd.Revolute("hinge", axis="y"))
    model = system.compile()
    return jd.simulate(model, model.state(q={"hinge": 0.3}), until=2.0, output=0.01, progress=False)


@pytest.fixture
def measured(run, tmp_path):
    """The angle in degrees, 20 ms late and 0.5 degrees off, at 200 Hz on a clock in milliseconds that began at 1 s."""
    time = np.arange(0.1, 1.9, 0.005)
    angle = np.interp(time - 0.02, run.record.time, run.q["hinge"].values)
    path = tmp_path / "measured.csv"
    rows = [f"{1000 * t + 1000:.17g},{np.degrees(x) + 0.5:.17g}," for t, x in zip(time, angle)]
    path.write_text("# bench 3\nt_ms,q1,counter\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return path


MAP = {"time": {"column": "t_ms", "unit": "ms", "offset": -1.0}, "hinge": {"column": "q1", "unit": "deg"}}


def test_a_map_names_columns(run, measured):
    log = jd.study.read_log(measured, MAP)
    assert list(log.channels) == ["hinge"] and "hinge" in repr(log)
    (one,) = distances(run, log)
    assert one.delay == pytest.approx(0.02, abs=2e-3) and one.unit == "rad"
    # what is left where delay and offset are taken off is the error of interpolating at 10 ms: (h^2 / 8) max |a|
    told = {**MAP, "hinge": {**MAP["hinge"], "delay": 0.02, "offset": -np.radians(0.5)}}
    (better,) = distances(run, jd.study.read_log(measured, told))
    assert better.largest < 0.01**2 / 8.0 * 9.81 * 0.5 / 0.35 + 1e-12
    assert abs(better.delay) < 1e-3


def test_a_log_is_a_motion(run, tmp_path):
    path = run.to_csv(tmp_path / "run.csv", ["hinge", "v:hinge"])
    motions = jd.study.read_log(path).motions("hinge")
    again = jd.simulate(run.model, run.state(0), until=1.0, output=0.01, motions=motions, progress=False)
    # between the samples a spline is off by 5/384 h^4 of the fourth derivative; the run meets the samples themselves
    np.testing.assert_allclose(again.q["hinge"].values, run.q["hinge"].values[:101], atol=1e-12)


def test_mcap_there_and_back(run, tmp_path):
    pytest.importorskip("mcap")
    log = jd.study.read_log(run.to_mcap(tmp_path / "run.mcap"))
    time, values = log["hinge"]
    np.testing.assert_allclose(time, run.record.time, atol=1e-9)
    np.testing.assert_array_equal(values, run.q["hinge"].values)
    np.testing.assert_array_equal(log["v:hinge"][1], run.v["hinge"].values)
    np.testing.assert_array_equal(log["energy:kinetic"][1], run.energy["kinetic"].values)
    moved = run.frame("arm.origin").quaternion.values
    np.testing.assert_array_equal(log["tf.transforms.0.rotation.y"][1], moved[:, 2])
    assert log.units["energy:kinetic"] == "J"


def test_parquet_there_and_back(run, tmp_path):
    pytest.importorskip("pyarrow")
    log = jd.study.read_log(run.to_parquet(tmp_path / "run.parquet", ["hinge"]))
    np.testing.assert_array_equal(log["hinge"][1], run.q["hinge"].values)
    assert log.units["hinge"] == "rad"


def test_the_command_writes_a_page(run, measured, tmp_path):
    run.save(tmp_path / "run.nc")
    (tmp_path / "map.yaml").write_text(json.dumps(MAP))
    page = tmp_path / "page.html"
    given = ["compare", str(tmp_path / "run.nc"), str(measured), "--map", str(tmp_path / "map.yaml"), "-o", str(page)]
    done = CliRunner().invoke(app, [*given, "--json"])
    assert done.exit_code == 0, done.output
    (one,) = json.loads(done.stdout)["logs"]["measured"]
    assert one["quantity"] == "hinge" and one["samples"] == 360
    assert "Distance from measured" in page.read_text(encoding="utf-8")
    assert "lags by 2" in CliRunner().invoke(app, given).stdout


@pytest.mark.parametrize(
    "names, words",
    [
        ({"hinge": "q2"}, "has no such channel"),
        ({"hinge": {"column": "q1", "units": "deg"}}, 'there is no "units"'),
        ({"hinge": {"column": "q1", "gain": "much"}}, "give a finite number"),
        ({"hinge": {"column": "q1", "unit": "furlong"}}, "furlong"),
        ({}, "it names no quantity"),
        ({"hinge": 3}, "give the name of a column"),
    ],
)
def test_a_bad_map_is_told(measured, names, words):
    with pytest.raises(jd.errors.JourdainError, match=words):
        jd.study.read_log(measured, {"time": "t_ms", **names})


def test_a_map_that_says_no_time(measured):
    with pytest.raises(jd.errors.JourdainError, match='it has no "time"'):
        jd.study.read_log(measured, {"hinge": "q1"})


def test_bad_logs_are_told(run, measured, tmp_path):
    with pytest.raises(jd.errors.JourdainError, match="no such file"):
        jd.study.read_log(tmp_path / "none.csv")
    with pytest.raises(jd.errors.JourdainError, match="is no log"):
        jd.study.read_log(run.save(tmp_path / "run.nc"))
    (tmp_path / "bad.csv").write_text("time,hinge\n0,1\n1,x\n")
    with pytest.raises(jd.errors.JourdainError, match="bad.csv:3.*is no number"):
        jd.study.read_log(tmp_path / "bad.csv")
    (tmp_path / "twice.csv").write_text("time,a,a\n0,1,2\n")
    with pytest.raises(jd.errors.JourdainError, match="two columns"):
        jd.study.read_log(tmp_path / "twice.csv")
    late = jd.study.read_log(measured, {**MAP, "time": {"column": "t_ms", "unit": "ms", "offset": 9.0}})
    with pytest.raises(jd.errors.JourdainError, match="no two samples within the run"):
        distances(run, late)
    unknown = jd.study.read_log(measured, {"time": MAP["time"], "hnge": "q1"})
    with pytest.raises(jd.errors.JourdainError, match="did you mean|which column"):
        distances(run, unknown)
    pytest.importorskip("mcap")
    (tmp_path / "bad.mcap").write_bytes(b"\x89MCAP0\r\n" + bytes(40))
    with pytest.raises(jd.errors.JourdainError, match="cannot be read as MCAP"):
        jd.study.read_log(tmp_path / "bad.mcap")
