"""A helper process compiles what this one then finds in the cache."""

import os
import subprocess
import sys

import pytest

from jourdain.kernels import ahead, compiler


@pytest.fixture
def empty_cache(tmp_path, monkeypatch):
    """A cache in which nothing is compiled yet, for this process's questions and for helpers."""
    monkeypatch.setenv("JOURDAIN_CACHE_DIR", str(tmp_path))
    compiler.cache_folder.cache_clear()
    yield tmp_path
    ahead.stop()
    monkeypatch.undo()
    compiler.cache_folder.cache_clear()


def test_a_helper_leaves_entries_and_marks(empty_cache, monkeypatch):
    monkeypatch.setattr(ahead, "_cores", lambda: 2)
    assert ahead.missing(["law", "sample"], 0) == ["law", "sample"]
    assert ahead.start(["law"], 0)
    ahead.wait("law", 0)
    assert ahead.missing(["law", "sample"], 0) == ["sample"]
    assert list(empty_cache.rglob("*no_law*.nbi"))
    assert not ahead.start(["law"], 0)


def test_what_a_helper_does_not_make_is_not_waited_for(empty_cache, monkeypatch):
    monkeypatch.setattr(ahead, "_cores", lambda: 2)
    monkeypatch.setattr(sys, "executable", "/bin/false" if os.name == "posix" else sys.executable)
    ahead.start(["no such entry"], 0)
    ahead.wait("no such entry", 0)
    ahead.wait("never asked for", 0)
    assert ahead.missing(["no such entry"], 0)


def test_one_core_compiles_by_itself(empty_cache, monkeypatch):
    monkeypatch.setattr(ahead, "_cores", lambda: 1)
    assert not ahead.start(["law"], 0)


def test_helpers_end_with_the_process(empty_cache, monkeypatch):
    sleeper = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    monkeypatch.setattr(ahead, "_helpers", [(sleeper, {ahead.mark("law", 0)})])
    ahead.stop()
    assert sleeper.poll() is not None
