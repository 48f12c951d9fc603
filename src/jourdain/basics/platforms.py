"""What systems do in different ways, that of Windows beside that of the others. A test sees that it is all here.

Locks of files, cores, priority, processes apart from the terminal, keys that are pressed, the C library, long paths.
"""

from __future__ import annotations

import ctypes
import ntpath
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

WINDOWS = sys.platform == "win32"
LOCKED_BYTE = 2**31 - 2
"""Windows locks bytes, and others cannot read them: this one lies beyond the end of every file that is locked."""
LONGEST = 240
"""Longest path that Windows takes as it is [characters]: 260, less a name beside it for what is not yet whole."""


def try_lock(handle: int, shared: bool = False) -> bool | None:
    """Take the lock of an open file until it is closed, however the program ends.

    handle    number of the open file
    shared    True: with others that share it, which Windows has not, so that it is held alone there too
    Returns True when it was taken, False when another holds it, None on a system, or a file system, without such locks.
    """
    try:
        if WINDOWS:
            import msvcrt

            before = os.lseek(handle, 0, os.SEEK_CUR)
            os.lseek(handle, LOCKED_BYTE, os.SEEK_SET)
            try:
                msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined, unused-ignore]
            finally:
                os.lseek(handle, before, os.SEEK_SET)
        else:
            import fcntl

            fcntl.flock(handle, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except PermissionError:  # what Windows says of a byte that is locked
        return False if WINDOWS else None
    except (ImportError, OSError):
        return None
    return True


def cores() -> int:
    """How many cores of the processor this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def first_in_line() -> str:
    """Lets this process run before all ordinary ones, by the scheduler for real time, or else by its priority; says
    which, or why not."""
    if WINDOWS:
        kernel = ctypes.windll.kernel32  # type: ignore[attr-defined, unused-ignore]
        high = 0x80  # HIGH_PRIORITY_CLASS of SetPriorityClass
        done = kernel.SetPriorityClass(ctypes.c_void_p(kernel.GetCurrentProcess()), high)
        return "runs with high priority" if done else "runs as any other process: Windows refused a higher priority"
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50))
        return "runs by the scheduler for real time"
    except (AttributeError, OSError) as error:
        why = getattr(error, "strerror", None) or "this system has no such scheduler"
    try:
        os.nice(-15)
        return f"runs with niceness -15 (not by the scheduler for real time: {why})"
    except (AttributeError, OSError):
        return f"runs as any other process: {why}"


def apart() -> dict[str, Any]:
    """Arguments of `subprocess.Popen` for a process that Ctrl-C of this terminal does not reach."""
    if WINDOWS:
        return {"creationflags": 0x200}  # CREATE_NEW_PROCESS_GROUP
    return {"start_new_session": True}


def user_cache() -> Path:
    """Where programs of this user keep what can be made again."""
    if WINDOWS:
        base = os.environ.get("LOCALAPPDATA", "~/AppData/Local")
    elif sys.platform == "darwin":
        base = "~/Library/Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME", "~/.cache")
    return Path(base).expanduser()


def c_library() -> ctypes.CDLL:
    """The C library of this process, for `calloc` and `free`."""
    return ctypes.CDLL("msvcrt" if WINDOWS else None)


def can_poll(source: TextIO) -> bool:
    """Whether `typed` can look at a stream without waiting: on Windows a terminal alone."""
    try:
        source.fileno()
    except (OSError, ValueError):  # nobody can type there
        return False
    return not WINDOWS or source.isatty()


def single_keys(source: TextIO) -> Callable[[], None]:
    """Keys of a terminal come at once, without Enter; what is returned leaves the terminal as it was."""
    if WINDOWS:
        return lambda: None  # its keys are read one by one in any case
    import termios
    import tty

    handle = source.fileno()
    before = termios.tcgetattr(handle)
    tty.setcbreak(handle)
    return lambda: termios.tcsetattr(handle, termios.TCSADRAIN, before)


def typed(source: TextIO) -> str | None:
    """What was typed since the last call, without waiting; None at its end."""
    if WINDOWS:
        import msvcrt

        keys = ""
        while msvcrt.kbhit():  # type: ignore[attr-defined, unused-ignore]
            keys += msvcrt.getwch()  # type: ignore[attr-defined, unused-ignore]
        return keys
    import select

    handle = source.fileno()
    if not select.select([handle], [], [], 0)[0]:
        return ""
    raw = os.read(handle, 4096)
    return raw.decode("utf-8", "replace") if raw else None


def long_path(path: str | Path, room: int = 0) -> Path:
    r"""A path that can be opened whatever its length: Windows takes more than 260 characters after \\?\ alone.

    room    characters of what will lie in this folder
    """
    return Path(windows_path(os.fspath(path), room)) if WINDOWS else Path(path)


def windows_path(text: str, room: int = 0) -> str:
    r"""The path as Windows opens it: as it is, or when it is long whole and after \\?\, after \\?\UNC\ on a server."""
    whole = ntpath.abspath(text)
    if len(whole) + room <= LONGEST or whole.startswith("\\\\?\\"):
        return text
    return f"\\\\?\\UNC\\{whole[2:]}" if whole.startswith("\\\\") else f"\\\\?\\{whole}"
