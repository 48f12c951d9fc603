"""What systems do in different ways is asked for in one file; its two ways are tried as far as one system allows."""

import ast
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

import jourdain as jd
from jourdain.basics import platforms

SOURCE = Path(jd.__file__).parent
ALONE = {"fcntl", "termios", "tty", "pty", "pwd", "grp", "resource", "msvcrt", "winreg", "select", "syslog"}
"""Modules that a system may not have; `select` takes no files on Windows."""
CALLS = {
    "fork", "forkpty", "getuid", "geteuid", "setsid", "killpg", "getpgid", "uname", "nice", "sched_setscheduler",
    "sched_getaffinity", "mkfifo", "statvfs", "pread", "pwrite", "chown", "getloadavg", "start_new_session",
    "preexec_fn", "windll", "SIGKILL",
}  # fmt: skip


def found_in(path: Path) -> list[str]:
    """What of one system alone a file imports, calls or passes."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [one.name for one in node.names if one.name in ALONE]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names = [node.module] if node.module in ALONE else []
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in ("os", "signal"):
            names = [node.attr] if node.attr in CALLS else []
        elif isinstance(node, ast.Attribute) and node.attr == "windll":
            names = [node.attr]
        elif isinstance(node, ast.keyword) and node.arg in CALLS:
            names = [node.arg]
        found += [f"{path.relative_to(SOURCE).as_posix()}:{node.lineno} {name}" for name in names]
    return found


def test_one_file_asks_the_system():
    home = SOURCE / "basics" / "platforms.py"
    assert {"fcntl", "termios", "msvcrt", "windll", "nice"} <= {one.split()[1] for one in found_in(home)}
    files = [path for path in SOURCE.rglob("*.py") if path != home and "node_modules" not in path.parts]
    assert [one for path in files for one in found_in(path)] == []


HOLD = """import sys; from jourdain.basics.platforms import try_lock
file = open(sys.argv[1], "a"); print(try_lock(file.fileno()), flush=True); sys.stdin.read()"""


def test_a_lock_holds_against_another_process_and_falls_with_it(tmp_path):
    path = tmp_path / "lock"
    command = [sys.executable, "-c", HOLD, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout.readline() == "True\n"
        with path.open() as file:
            assert platforms.try_lock(file.fileno()) is False
            assert platforms.try_lock(file.fileno(), shared=True) is False
        other.kill()
    with path.open() as one, path.open() as two:
        assert platforms.try_lock(one.fileno(), shared=True) is True
        assert platforms.try_lock(two.fileno(), shared=True) is (not platforms.WINDOWS)
    assert platforms.try_lock(10**6) is None  # no open file: as on a file system without locks


class Msvcrt:
    """Locks of bytes as Windows has them, by (file, byte)."""

    LK_NBLCK = 2
    held: set[tuple[int, int]] = set()

    @classmethod
    def locking(cls, handle, mode, count):
        place = os.fstat(handle).st_ino, os.lseek(handle, 0, os.SEEK_CUR)
        if (mode, count) != (2, 1) or place in cls.held:
            raise PermissionError(13, "Permission denied")
        cls.held.add(place)


def test_the_way_of_windows(tmp_path, monkeypatch):
    """A byte beyond the end is locked, and the file is where it was; keys come from the terminal alone."""
    monkeypatch.setattr(platforms, "WINDOWS", True)
    monkeypatch.setitem(sys.modules, "msvcrt", Msvcrt)
    with (tmp_path / "lock").open("w+b") as file:
        file.write(b"four")
        file.flush()
        assert platforms.try_lock(file.fileno()) is True and file.tell() == 4
        assert Msvcrt.held == {(os.fstat(file.fileno()).st_ino, platforms.LOCKED_BYTE)}
        assert platforms.try_lock(file.fileno()) is False
        assert not platforms.can_poll(file)
    assert platforms.apart() == {"creationflags": 0x200}
    keys = iter("hq")
    Msvcrt.kbhit = lambda left=[1, 1, 0]: left.pop(0)
    Msvcrt.getwch = lambda: next(keys)
    assert platforms.typed(io.StringIO()) == "hq"
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    assert platforms.user_cache() == tmp_path


@pytest.mark.parametrize(
    ("given", "extra", "wanted"),
    [
        ("C:\\runs\\arm.nc", 0, "C:\\runs\\arm.nc"),
        ("runs\\arm.nc", 0, "runs\\arm.nc"),
        ("C:\\runs\\..\\" + "x" * 240, 0, "\\\\?\\C:\\" + "x" * 240),
        ("C:/runs/" + "x" * 240, 0, "\\\\?\\C:\\runs\\" + "x" * 240),
        ("\\\\server\\share\\" + "x" * 240, 0, "\\\\?\\UNC\\server\\share\\" + "x" * 240),
        ("\\\\?\\C:\\" + "x" * 240, 0, "\\\\?\\C:\\" + "x" * 240),
        ("C:\\" + "x" * 100, 137, "C:\\" + "x" * 100),
        ("C:\\" + "x" * 100, 138, "\\\\?\\C:\\" + "x" * 100),
    ],
)
def test_long_paths(given, extra, wanted):
    """Of Windows: after \\\\?\\ a path is taken as it is, so that it must be whole, without "..", with back-slashes."""
    assert platforms.windows_path(given, extra) == wanted


def test_paths_of_other_systems_stay():
    assert platforms.WINDOWS or platforms.long_path("x" * 300, 300) == Path("x" * 300)
