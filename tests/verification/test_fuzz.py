"""Twenty thousand damaged files of every kind that is read: no traceback, no hang, no crash, no altered number, and no
more than a gigabyte of memory.

Pieces of the work run in processes of their own, so that a crash in a library is seen, and one that never comes back is
ended. A failure names the kind and the number of the file: `python tests/fuzz.py KIND NUMBER 1 FOLDER` makes it again.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from fuzz import KINDS

FUZZ = Path(__file__).resolve().parents[1] / "fuzz.py"
PIECE = 500
"""Files that one process tries."""
PATIENCE = 1800.0
"""How long a process may take; only a broken reader takes so long [s]."""

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals")


def complaints(kind: str, first: int, count: int, folder: Path) -> list[str]:
    """What a process says of the files that it tried, and how it ended."""
    command = [sys.executable, str(FUZZ), kind, str(first), str(count), str(folder)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        return [f"{kind} {first}...: does not end; the file is in {folder}"]
    found = [line for line in done.stdout.splitlines() if line.startswith(f"{kind} ")]
    if done.returncode != 0:
        found.append(f"{kind} {first}...: ended with {done.returncode}; the file is in {folder}: {done.stderr[-400:]}")
    return found


def test_there_are_enough_of_them():
    assert sum(count for count, _ in KINDS.values()) == 20_000


@pytest.mark.parametrize("kind, count", [("urdf", 15), ("mesh", 15), ("cache", 15), ("log", 300), ("fmu", 300)])
def test_some_damaged_files(kind, count, tmp_path):
    """A few of them whenever tests run."""
    assert complaints(kind, 0, count, tmp_path) == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_damaged_files(kind, tmp_path):
    total = KINDS[kind][0]
    for first in range(0, total, PIECE):
        assert complaints(kind, first, min(PIECE, total - first), tmp_path) == []
