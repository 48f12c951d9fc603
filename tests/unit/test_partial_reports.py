"""Runs that stopped early: every limit is judged or said to be open, every one gets its report and its exit code."""

import json
import math
import re

import numpy as np
import pytest

import jourdain as jd
from jourdain.basics.storage import WriteError
from jourdain.commands.exits import Exit
from jourdain.commands.run import EXITS, finish, summary
from jourdain.results.run import Record, Run
from jourdain.study.progress import ProgressReporter
from jourdain.study.report.run_report import write_report
from jourdain.study.scenario.limits import Limit, judge, tightest
from jourdain.study.scenario.run_scenario import run_scenario
from jourdain.study.scenario.scenario_file import load_scenario

UNTIL = 10.0
BOUNDS = ({"at_most": 4.5}, {"at_least": -4.5}, {"within": 4.5})
TIMES = ({}, {"after": 8.0}, {"after": 1.0}, {"before": 2.0}, {"before": 9.0}, {"after": 8.0, "before": 9.0})
DEADLINES = ({"by": 9.0}, {"by": 2.0}, {"by": 9.0, "after": 8.0})
PAIRS = [(bound, when) for bound in (*BOUNDS, {"at_least": 4.5}) for when in (*TIMES, *DEADLINES)]
FORMS = [Limit(f"limit {i} of all", "slide", **bound, **when) for i, (bound, when) in enumerate(PAIRS)]


@pytest.fixture(scope="module")
def model():
    system = jd.System("sled")
    system.add(jd.RigidBody("sled", 1.0, inertia=(1, 1, 1), shape=jd.Box((1, 1, 1))), joint=jd.Prismatic("slide", "x"))
    return system.compile()


def stopped(model, values, partial=True):
    """A run that was to last 10 s, with a sample a second; what its energies are is not asked."""
    q = np.asarray(values, float)[:, None]
    time = np.arange(len(q), dtype=float)
    energy = np.zeros((len(q), 6))
    energy[:, 0] = q[:, 0]
    record = Record(time, q, q.copy(), q[:, :0], q.copy(), energy)
    return Run(model, record, {"until": UNTIL, "method": "rk4", "energy_tolerance": math.inf}, partial=partial)


NAN, INF = math.nan, math.inf
RUNS = {
    "part": [0.0, 1.0, 2.0, 3.0],
    "one sample": [0.0],
    "its last number is none": [0.0, 1.0, NAN],
    "no number at all": [NAN],
    "out of all bounds": [0.0, 1e5, 1e60, 1e200],
    "without end": [0.0, 1e300, INF, -INF],
}


@pytest.mark.parametrize("name", RUNS)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_every_form_of_limit_has_a_report(model, name, tmp_path):
    """No pair of a limit and a run that stopped keeps a page from being written; it says what it could not judge."""
    run = stopped(model, RUNS[name])
    judged = judge(run, FORMS)
    for one in judged:
        assert one.passed + one.open + one.broken == 1
        assert bool(one.note) or not one.open
    text = write_report(run, tmp_path / "r.html", judgements=judged).read_text(encoding="utf-8")
    data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL).group(1))
    assert data["worst"] is None or math.isfinite(data["worst"])
    assert text.count('<span class="mark open">') == sum(one.open for one in judged)
    assert not re.search(r"[0-9]{30}[.] ?[0-9]* %", text)
    shown = text[text.index('id="verdict"') : text.index("</section>", text.index('id="verdict"'))]
    for one in judged:
        assert (f"{one.limit.name}</bdi> (" in shown) == one.open


@pytest.mark.parametrize(
    ("form", "values", "verdict"),
    [
        ({"at_most": 4.5}, [0, 1], "open"),
        ({"at_most": 4.5}, [0, 9], "broken"),
        ({"at_most": 4.5, "before": 1.0}, [0, 1, 2], "passed"),
        ({"at_most": 4.5, "before": 1.0}, [0], "open"),
        ({"at_most": 4.5, "after": 8.0}, [0, 9], "open"),
        ({"at_most": 4.5, "after": 1.0}, [0, 9, 1], "broken"),
        ({"at_most": 4.5, "after": 1.0}, [0, 1, NAN], "open"),
        ({"at_least": 4.5, "by": 9.0}, [0, 1], "open"),
        ({"at_least": 4.5, "by": 9.0}, [0, 5], "passed"),
        ({"at_least": 4.5, "by": 1.0}, [0, 1, 2], "broken"),
        ({"at_least": 4.5, "by": 9.0, "after": 8.0}, [0, 9], "open"),
        ({"at_least": 4.5, "by": 9.0}, [NAN], "open"),
    ],
)
def test_what_a_run_that_stopped_can_say_of_a_limit(model, form, values, verdict):
    (one,) = judge(stopped(model, values), [Limit("it", "slide", **form)])
    assert [kind for kind in ("passed", "open", "broken") if getattr(one, kind)] == [verdict]


def test_a_window_that_a_whole_run_never_has_is_broken(model):
    (one,) = judge(stopped(model, [0.0, 1.0], partial=False), [Limit("late", "slide", at_most=9.0, after=50.0)])
    assert one.broken and "no samples from 50 s on" in one.note


def test_a_broken_limit_decides_before_an_open_one(model):
    judged = judge(
        stopped(model, [0, 5]), [Limit("a", "slide", at_most=9.0, after=8.0), Limit("b", "slide", at_most=4)]
    )
    assert tightest(judged).limit.name == "b" and judged[0].open


SLED = """\
jourdain: 1
name: A sled
system:
  bodies:
    - {kind: RigidBody, name: sled, mass: 1.0, joint: {kind: Prismatic, name: slide, axis: x, damping: 1.0e+9}}
state: {v: {slide: 1.0}}
simulation: {until: 1.0, step: 0.01}
limits:
  - {name: settles, quantity: slide, at_most: 1.5, after: 0.9}
"""


@pytest.fixture
def scenario(tmp_path):
    path = tmp_path / "sled.yaml"
    path.write_text(SLED, encoding="utf-8")
    return load_scenario(path)


def ending(outcome, capsys):
    """(exit code, stdout, stderr) of the command line for an outcome."""
    from jourdain.commands.exits import Afterwards

    with pytest.raises(BaseException) as caught:
        finish(outcome, as_json=False)
    error = caught.value
    return int(error.code if isinstance(error, Afterwards) else error.exit_code), capsys.readouterr()


def test_the_error_of_a_simulation_comes_first_and_its_report_is_there(scenario, tmp_path, capsys):
    outcome = run_scenario(scenario, tmp_path / "a", figures=False, reporter=ProgressReporter(quiet=True))
    assert "A sled: stopped at t = " in capsys.readouterr().err
    code, said = ending(outcome, capsys)
    assert code == Exit.SIMULATION and outcome.files["report"].exists() and outcome.fault is None
    assert said.out.startswith("STOPPED  A sled: stopped at t = ") and "\n  open  settles" in said.out
    text = outcome.files["report"].read_text(encoding="utf-8")
    assert "the state stopped being finite" in text and "Not judged: " in text


@pytest.mark.parametrize("fault", [ValueError("out of range"), WriteError("report.html", "the disk is full")])
def test_a_report_that_fails_changes_no_exit_code_of_a_failed_run(scenario, tmp_path, monkeypatch, capsys, fault):
    def broken(*args, **kwargs):
        raise fault

    monkeypatch.setattr("jourdain.study.report.run_report.write_report", broken)
    outcome = run_scenario(scenario, tmp_path / "a", figures=False, reporter=ProgressReporter(quiet=True))
    assert "A sled: stopped at t = " in capsys.readouterr().err
    assert outcome.status == "stopped" and outcome.fault is fault and outcome.judgements
    assert ending(outcome, capsys)[0] == Exit.SIMULATION


def test_an_interrupted_run_keeps_its_exit_code(scenario, tmp_path, monkeypatch, capsys):
    def broken(*args, **kwargs):
        raise ValueError("out of range")

    def interrupted(*args, **kwargs):
        error = KeyboardInterrupt()
        error.partial = stopped(scenario.model, [0.0, 0.1])
        error.partial.path = tmp_path / "a" / "run.nc"
        raise error

    monkeypatch.setattr("jourdain.study.scenario.scenario.Scenario.simulate", interrupted)
    whole = run_scenario(scenario, tmp_path / "a", figures=False, reporter=ProgressReporter(quiet=True))
    assert whole.fault is None and "interrupted at 1 s of 1 s" in capsys.readouterr().err
    assert whole.files["report"].exists() and EXITS[whole.status] == Exit.INTERRUPTED
    monkeypatch.setattr("jourdain.study.report.run_report.write_report", broken)
    outcome = run_scenario(scenario, tmp_path / "b", figures=False, reporter=ProgressReporter(quiet=True))
    assert ending(outcome, capsys)[0] == Exit.INTERRUPTED and "interrupted at" in summary(outcome)[0]


def test_a_fault_of_the_report_of_a_whole_run_leaves_its_verdict(scenario, tmp_path, monkeypatch, capsys):
    def broken(*args, **kwargs):
        raise ValueError("out of range")

    monkeypatch.setattr("jourdain.study.report.run_report.write_report", broken)
    monkeypatch.setattr(
        "jourdain.study.scenario.scenario.Scenario.simulate",
        lambda *a, **k: stopped(scenario.model, [0.0, 1.0], partial=False),
    )
    outcome = run_scenario(scenario, tmp_path / "a", figures=False, reporter=ProgressReporter(quiet=True))
    code, said = ending(outcome, capsys)
    assert code == Exit.INTERNAL and said.out.startswith("PASS  A sled")


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_runs_that_stopped_are_compared(model, tmp_path):
    from jourdain.study.report.comparison import write_comparison

    limits = {"limits": [one.to_dict() for one in FORMS[::3]]}
    runs = {}
    for name, values in RUNS.items():
        runs[name] = stopped(model, values)
        runs[name].options["scenario"] = limits
    text = write_comparison(runs, tmp_path / "c.html").read_text(encoding="utf-8")
    assert text.count("The run did not reach its end.") == len(RUNS) and 'class="mark open"' in text
