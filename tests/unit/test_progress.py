"""How far a run is, in lines and as a bar; warnings as lines of text."""

import io
import sys
import warnings

import pytest

from jourdain.contact import StepWarning
from jourdain.kernels.compiling import compile_log
from jourdain.study import progress
from jourdain.study.progress import ProgressReporter, duration, gathered_warnings


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def at(monkeypatch):
    """Sets what the clock says [s]."""
    now = [100.0]
    monkeypatch.setattr(progress.clock, "monotonic", lambda: now[0])
    return lambda seconds: now.__setitem__(0, 100.0 + seconds)


def test_the_clock_stands_still_while_kernels_are_compiled(at, monkeypatch):
    monkeypatch.setattr(compile_log, "spent", lambda: 30.0)
    at(42.0)
    assert progress.working_time() == 112.0


def test_lines_say_how_long_it_still_takes(at, capsys):
    with ProgressReporter().run("reach", 0.0, 60.0) as show:
        for wall, time in ((0.0, 1.0), (1.0, 5.0), (2.4, 10.0), (3.0, 12.0), (8.0, 20.0), (20.0, 60.0)):
            at(wall)
            show(time)
    assert capsys.readouterr().err.splitlines() == [
        "jourdain: reach: 10 of 60 s simulated, 12 s to go",
        "jourdain: reach: 20 of 60 s simulated, 16 s to go",
    ]


def test_a_long_run_says_less_often_how_far_it_is(at, capsys):
    with ProgressReporter().run("reach", 0.0, 1e4) as show:
        for second in range(1, 1001):
            at(float(second))
            show(5.0 * second)
    assert 10 < len(capsys.readouterr().err.splitlines()) < 40


def test_quiet_says_nothing_of_the_progress(at, capsys):
    with ProgressReporter(quiet=True).run("reach", 0.0, 60.0) as show:
        for second in range(50):
            at(float(second))
            show(float(second))
    assert not capsys.readouterr().err


def test_a_terminal_gets_a_bar_with_the_simulated_time(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    with ProgressReporter().run("reach [bold]", 2.0, 62.0) as show:
        show(3.0)
        show(32.0)
    text = sys.stderr.getvalue()
    assert "reach [bold]" in text and "32 of 62 s" in text and "to go" in text


def test_durations_as_a_person_says_them():
    told = [duration(seconds) for seconds in (0.2, 8.4, 99.0, 200.0, 7500.0)]
    assert told == ["1 s", "8 s", "99 s", "3 min 20 s", "2 h 5 min"]


def test_warnings_are_said_once_and_kept(capsys):
    with gathered_warnings(ProgressReporter()) as found:
        for _ in range(2):
            warnings.warn("the step is\n long", StepWarning, stacklevel=1)
        warnings.warn("old word", DeprecationWarning, stacklevel=1)
    assert found == ["the step is long"]
    assert capsys.readouterr().err == "jourdain: warning: the step is long\n"
