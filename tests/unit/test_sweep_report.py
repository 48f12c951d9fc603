"""The report of a study: its maps lead to replays, its numbers are those of the results, and no text becomes markup."""

import itertools
import json
import re

import numpy as np
import pytest
from installed import needs
from studies import STUDY, write
from typer.testing import CliRunner

import jourdain as jd
from jourdain.commands.cli import app
from jourdain.study.report import maps
from jourdain.study.report.maps import axis, cells
from jourdain.study.report.study_report import write_study_report
from jourdain.study.sweeps.statistics import ranked

needs("zarr", reason="results are kept by zarr")


def run(*words):
    return CliRunner().invoke(app, ["sweep", *map(str, words)])


def test_the_worst_are_replayed_by_one_command(tmp_path):
    path, out = write(tmp_path, STUDY + "report: {replays: 1}\n"), tmp_path / "out"
    done = run(path, "--out", out, "--mode", "threads", "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    data = jd.sweep(path, out=out, progress=False)
    worst = ranked(jd.study.load_study(path), data)
    assert [one["variant"] for one in told["worst"]] == worst[:5]
    page = (out / "report.html").read_text()
    assert page.count(f'href="cases/{worst[0]:05d}/report.html"') >= 2, "the table and the map lead to the replay"
    assert set(re.findall(r'href="#case-(\d+)"', page)) <= set(re.findall(r'id="case-(\d+)"', page))
    assert (
        told["worst"][1]["command"] == f"jourdain sweep study.yaml --replay {worst[1]}" and "Content-Security" in page
    )
    second = out / "cases" / f"{worst[1]:05d}"
    assert not second.exists()
    done = run(path, "--out", out, "--replay", "worst:2", "--json")
    assert done.exit_code in (0, 1) and (second / "report.html").is_file()
    assert f'href="cases/{worst[1]:05d}/report.html"' in (out / "report.html").read_text()
    margins = [one["margin"] for one in json.loads(done.stdout)["limits"]]
    assert min(margins) == float(data["margin"].values[worst[1]])


@pytest.mark.parametrize(
    ("which", "words"),
    [("99", "variants 0 to 11"), ("worst:99", "12 variants"), ("worst:0", "give the number"), ("x", "give the number")],
)
def test_variants_that_there_are_not(tmp_path, which, words):
    path = write(tmp_path)
    jd.sweep(path, out=tmp_path / "o", mode="threads", progress=False)
    done = run(path, "--out", tmp_path / "o", "--replay", which)
    assert done.exit_code == 2 and words in done.stderr
    done = run(path, "--out", tmp_path / "none", "--replay", which)
    assert done.exit_code == 2 and "run `jourdain sweep" in done.stderr


def test_maps_hold_every_variant(tmp_path):
    """Cells of a grid have one variant each; those of a random design share them out."""
    path = write(tmp_path)
    study, data = jd.study.load_study(path), jd.sweep(path, mode="threads", progress=False)
    found = cells(study, data, "mass", "speed")
    assert len(found) == 12 and [cell.variants for cell in found] == [(i,) for i in range(12)]
    assert axis(study, data, "mass").labels == ["1", "2", "3", "4"]
    text = STUDY.replace("values: [1, 2, 3, 4]", "range: [1, 4]").replace("range: [-2, 2], count: 3", "normal: [0, 1]")
    path = write(tmp_path, text + "design: {method: latin-hypercube, samples: 16}\n")
    study, data = jd.study.load_study(path), jd.sweep(path, mode="threads", progress=False)
    found = cells(study, data, "mass", "speed")
    assert sorted(n for cell in found for n in cell.variants) == list(range(16))
    page = write_study_report(study, data, tmp_path / "random.html").read_text()
    assert "latin-hypercube design" in page and "rank correlation" in page


def test_text_of_a_study_is_text(tmp_path):
    nasty = '<script>alert(1)</script>"><img src=x onerror=alert(1)>'
    text = STUDY.replace("name: Pendulums", f"name: '{nasty}'").replace("  end:", f"  '{nasty}':")
    text = text.replace("task: How fast do they get?", f"task: '{nasty}'").replace("  mass:", f"  'p {nasty}':")
    path = write(tmp_path, text)
    study, data = jd.study.load_study(path), jd.sweep(path, mode="threads", progress=False)
    page = write_study_report(study, data, tmp_path / "report.html").read_text()
    assert "<script>alert" not in page and "<img src=x" not in page and "&lt;script&gt;" in page


def test_a_search_has_a_report(tmp_path):
    text = STUDY.replace("values: [1, 2, 3, 4]", "range: [1, 4]").replace("range: [-2, 2], count: 3", "range: [-2, 2]")
    path = write(tmp_path, text + "search: {minimise: end, population: 4, generations: 3}\nreport: {replays: 0}\n")
    done = run(path, "--out", tmp_path / "o", "--mode", "threads")
    assert done.exit_code == 0, done.output
    assert "best: variant" in done.stdout
    page = (tmp_path / "o" / "report.html").read_text()
    assert "best so far" in page and "The best found" in page


def boxes(drawing: str, kind: str) -> list[tuple[float, float, float, float, float]]:
    """(x, y, width, height, angle) of the texts of a class, by the width of a letter."""
    found = []
    for attributes, text in re.findall(rf'<text class="({kind}[^>]*)>([^<]*)</text>', drawing):
        turn = re.search(r"translate\(([-\d.]+) ([-\d.]+)\) rotate\((-?[\d.]+)\)", attributes)
        if turn:
            x, y, angle = (float(one) for one in turn.groups())
        else:
            x, y = (float(re.search(rf'{axis}="([-\d.]+)"', attributes).group(1)) for axis in "xy")
            angle = 0.0
        width = LETTER * len(text)
        left = x - width if " end" in f" {attributes.partition(chr(34))[0]}" else x - 0.5 * width
        found.append((left, y, width, 11.0, angle))
    return found


LETTER = 6.2
"""Width of a letter in a map [px]: a digit of an 11 px font, measured in a browser."""


@pytest.mark.parametrize("words", ["", "very stiff wall"])
def test_labels_of_maps_do_not_run_together(tmp_path, monkeypatch, words):
    """Labels of columns are apart: side by side, or turned by enough; cells hold their numbers."""
    path = write(tmp_path)
    study, data = jd.study.load_study(path), jd.sweep(path, mode="threads", progress=False)
    if words:
        monkeypatch.setattr(maps, "axis", lambda *of: _worded(axis(*of), words))
    data["end"] = data["end"] * -1.2345e-7
    drawing = maps.map_svg(study, data, "mass", "speed", "end", {})
    labels = boxes(drawing, "tick-label")
    turned = [one for one in labels if one[4]]
    columns = turned or labels[:4]
    assert len(columns) == 4 and bool(turned) == bool(words)
    for a, b in itertools.pairwise(columns):
        step = b[0] + b[2] - a[0] - a[2]
        assert step * np.sin(np.deg2rad(abs(a[4]))) >= 11.0 if turned else a[0] + a[2] < b[0]
    first = columns[0]
    assert first[0] + first[2] - first[2] * np.cos(np.deg2rad(first[4])) >= 0.0
    rows = [one for one in labels if one not in columns]
    assert len(rows) == 3 and all(one[0] >= 20.0 for one in rows)  # the name of the axis stands beside them
    cell = float(re.search(r'<rect x="[\d.]+" y="[\d.]+" width="([\d.]+)"', drawing).group(1))
    inside = boxes(drawing, "dark") + boxes(drawing, "light")
    assert len(inside) == 12 and all(one[2] <= cell for one in inside)


def _worded(found, words):
    return found._replace(labels=[f"{words} {i}"[:15] for i, _ in enumerate(found.labels)])
