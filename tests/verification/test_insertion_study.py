"""The operations study: 400 insertions of a payload by the two-unit arm; a small part of it in the quick tests."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from installed import needs
from typer.testing import CliRunner

import jourdain as jd
from jourdain.commands.cli import app
from jourdain.study.sweeps.statistics import rate

needs("zarr", reason="results are kept by zarr")
OPERATIONS = Path(__file__).resolve().parents[2] / "examples" / "operations"


def study(folder: Path, small: bool) -> Path:
    """The study with its scenario in a folder; a small one has twelve variants, and replays the worst."""
    for name in ("insertion.yaml", "insertion_study.yaml"):
        shutil.copy(OPERATIONS / name, folder)
    path = folder / "insertion_study.yaml"
    if small:
        text = path.read_text()
        for old, new in (
            ("    count: 4\n    scale: log\n  gain in", "    count: 3\n    scale: log\n  gain in"),
            ("    count: 4\n    scale: log\n  misal", "    count: 2\n    scale: log\n  misal"),
            ("[0.0, 0.02, 0.04, 0.06, 0.08]", "[0.06]"),
            ("[0.05, 0.15, 0.3, 0.45, 0.6]", "[0.15, 0.6]"),
            ("replays: map", "replays: 1"),
        ):
            assert text.count(old) == 1, old
            text = text.replace(old, new)
        path.write_text(text)
    return path


def run(folder: Path, small: bool) -> tuple[dict, object]:
    path = study(folder, small)
    how = ["--mode", "threads"] if small else []
    done = CliRunner().invoke(app, ["sweep", str(path), "--out", str(folder / "out"), "--json", *how])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout), jd.sweep(path, out=folder / "out", progress=False)


def physics(data):
    """What the insertion shows, whatever its size: a turning hand that gives way too fast hits; roughness resists."""
    force, angle = data["peak force"].values, data["gain in angle"].values
    assert np.mean(force[angle == angle.max()]) > 2.0 * np.mean(force[angle == angle.min()])
    rough = data["friction"].values
    assert np.mean(data["depth"].values[rough == rough.max()]) < np.mean(data["depth"].values[rough == rough.min()])
    assert np.all(data["status"].values == 1)
    assert np.array_equal(data["success"].values, data["margin"].values >= 0.0)


def test_twelve_insertions(tmp_path):
    told, data = run(tmp_path, small=True)
    assert told["ran"] == 12 and told["failed"] == 0 and data.sizes["variant"] == 12
    physics(data)
    worst = told["worst"][0]["variant"]
    assert data["peak force"].values[worst] == data["peak force"].values.max()
    page = (tmp_path / "out" / "report.html").read_text()
    assert f'href="cases/{worst:05d}/report.html"' in page and f"--replay {worst}" in page
    again = jd.load(tmp_path / "out" / "cases" / f"{worst:05d}" / "run.nc")
    forces = [np.linalg.norm(again.contact[name].force.values, axis=1).max() for name in again.model.contacts.names]
    assert max(forces) == data["peak force"].values[worst]


@pytest.mark.slow
def test_four_hundred_insertions(tmp_path):
    told, data = run(tmp_path, small=False)
    assert told["ran"] == 400 and told["failed"] == 0
    physics(data)
    share = rate(data)
    assert 0.4 < share.rate < 0.9 and share.high - share.low < 0.11
    gentle = data["gain in angle"].values <= 1.1e-4
    near = data["misalignment"].values <= 0.04
    smooth = data["friction"].values <= 0.15
    assert data["success"].values[gentle & near & smooth].all()
    replays = sorted((tmp_path / "out" / "cases").glob("*/report.html"))
    assert len(replays) >= 16
    replayed = CliRunner().invoke(app, ["sweep", str(tmp_path / "insertion_study.yaml"), "--out", str(tmp_path / "out"),
                                        "--replay", "worst:1", "--json"])  # fmt: skip
    assert replayed.exit_code == 1, "the worst variant breaks a limit"
    assert json.loads(replayed.stdout)["status"] == "failed"
