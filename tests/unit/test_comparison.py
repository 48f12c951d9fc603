"""Two runs in one page: values beside values, what differs by address."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.basics.errors import JourdainError
from jourdain.results.run import Record, Run
from jourdain.study.report.comparison import differences, text_difference, write_comparison

EVIL = "<img src=x onerror=alert(1)>"


def made(mass: float, swing: float, nt: int = 31, **scenario) -> Run:
    system = jd.System("arm")
    body = jd.RigidBody("upper", mass=mass, inertia=(1, 1, 1), frames={"tip": (1, 0, 0)})
    system.add(body, joint=jd.Revolute("elbow", axis="z"))
    model = system.compile()
    time = np.linspace(0.0, 2.0, nt)
    q = swing * np.sin(3.0 * time)[:, None]
    limit = {"name": "swing", "quantity": "elbow", "within": 1.0}
    about = {
        "name": "task",
        "limits": [limit],
        "figures": [{"title": "Angle", "quantities": ["elbow"]}],
        "text": "a: 1\n",
    }
    zero = np.zeros((nt, 1))
    record = Record(time, q, 3.0 * swing * np.cos(3.0 * time)[:, None], np.zeros((nt, 0)), zero, np.zeros((nt, 6)))
    return Run(model, record, {"method": "rk4", "step": 1e-3, "scenario": about | scenario})


def test_values_stand_beside_each_other(tmp_path):
    runs = {"before": made(2.0, 0.5), "after": made(2.5, 1.25, 47)}
    path = write_comparison(runs, tmp_path / "c.html")
    text = path.read_text(encoding="utf-8")
    words = text.partition('id="data"')[0]
    before, after = (float(np.max(np.abs(run.record.q))) for run in runs.values())
    lows = [float(run.record.q[np.argmax(np.abs(run.record.q)), 0]) for run in runs.values()]
    for value in lows:
        assert f"{value:.5g} rad" in words
    assert f"margin {100 * (before - after):+.1f} points: worse".replace("-", "−") in words
    assert "All 1 limits" not in words and "The limit is kept" in words and "1 of 1 limits broken" in words
    assert "bodies[upper].body.mass" in words
    assert '"label":"elbow \\u00b7 after"' in text and text.count('"ghost":true') >= 2


def test_differences_by_address():
    one, other = made(2.0, 0.5), made(2.5, 0.5, text="a: 2\n", variant="heavy")
    other.options["step"] = 2e-3
    found = {address: (a, b) for address, a, b in differences(one, other)}
    assert found["bodies[upper].body.mass"] == ("2", "2.5")
    assert found["options.step"] == ("0.001", "0.002")
    assert found["scenario.variant"] == ("–", "heavy")
    assert set(found) == {"bodies[upper].body.mass", "options.step", "scenario.variant"}
    assert text_difference(one, other) == "@@ -1 +1 @@\n-a: 1\n+a: 2"
    assert differences(one, one) == [] and text_difference(one, one) == ""


def test_long_lists_are_told_entry_by_entry_or_counted():
    one, other = made(2.0, 0.5), made(2.0, 0.5)
    one.options["parameters"] = list(range(12))
    other.options["parameters"] = [*range(11), 50]
    assert differences(one, other) == [("options.parameters[11]", "11", "50")]
    other.options["parameters"] = [-1] * 14
    assert differences(one, other) == [("options.parameters: 14 entries", "12 entries", "14 entries")]


def test_everything_is_escaped(tmp_path):
    limits = [{"name": EVIL, "quantity": "elbow", "within": 1.0}]
    runs = {EVIL: made(2.0, 0.5, limits=limits, text=EVIL), f"b{EVIL}": made(2.5, 0.5, text=f"b{EVIL}", variant=EVIL)}
    text = write_comparison(runs, tmp_path / "c.html").read_text(encoding="utf-8")
    assert "<img src=x" not in text and text.count("&lt;img src=x") > 8


def test_one_run_is_no_comparison(tmp_path):
    with pytest.raises(JourdainError, match="two runs or more; got 1"):
        write_comparison({"a": made(2.0, 0.5)}, tmp_path / "c.html")
