"""What systems do in different ways, that of Windows beside that of the others. A test sees that it is all here.

Locks of files, cores, priority, processes apart from the terminal, keys that are pressed, the C library, long paths,
the user's cache, folders that nobody else can write.
"""

from __future__ import annotations

import ctypes
import ntpath
import os
import stat
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
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


def named_folder(variable: str) -> Path | None:
    """The folder that an environment variable names; None where it is unset, empty or relative.

    A relative one would be another folder for every current folder, and what lies there may be of anybody (XDG Base
    Directory Specification 0.8: "If an implementation encounters a relative path [...] it should consider the path
    invalid and ignore it", and empty is as unset).
    """
    given = os.environ.get(variable, "")
    try:
        folder = Path(given).expanduser()
    except RuntimeError:  # ~ of a user who is not known
        return None
    return folder if given and folder.is_absolute() else None


def user_cache() -> Path:
    """Where programs of this user keep what can be made again; always an absolute path."""
    home = named_folder("USERPROFILE" if WINDOWS else "HOME") or _registered_home()
    if home is None:
        own = f"-{os.geteuid()}" if hasattr(os, "geteuid") else ""
        return Path(tempfile.gettempdir()).absolute() / f"cache{own}"
    if WINDOWS:
        return named_folder("LOCALAPPDATA") or home / "AppData" / "Local"
    if sys.platform == "darwin":
        return home / "Library" / "Caches"
    return named_folder("XDG_CACHE_HOME") or home / ".cache"


def _registered_home() -> Path | None:
    """The home folder that the system has for this user, whatever the environment says."""
    with suppress(ImportError, KeyError, AttributeError):
        import pwd

        found = Path(pwd.getpwuid(os.geteuid()).pw_dir)
        return found if found.is_absolute() else None
    return None


def is_own(handle: int) -> bool:
    """Whether an open file is of this user or of root; on Windows, where a folder says who may write, True."""
    return WINDOWS or os.fstat(handle).st_uid in (0, os.geteuid())


class UntrustedError(OSError):
    """A file or a folder that others could have written.

    path    which
    why     "belongs to another user (1001)", "can be written by others (mode 777)"
    """

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{path} {why}")
        self.path, self.why = path, why


def _judge(handle: int, path: Path) -> os.stat_result:
    """What an open file or folder is; refused unless it is of this user or of root, and only they can write it.

    It is asked of what is open, so that nobody can put another in its place between the question and the reading.
    """
    stated = os.fstat(handle)
    if not is_own(handle):
        raise UntrustedError(path, f"belongs to another user ({stated.st_uid})")
    if stated.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise UntrustedError(path, f"can be written by others (mode {stat.S_IMODE(stated.st_mode):o})")
    return stated


class PrivateFolder:
    """A folder that only this user and root can write, open until the end of a `with`; an `UntrustedError` where it is
    another's. Its files are opened, written and renamed relative to the open folder, and judged as it was.

    path    of the folder
    own     how many of its last parts are judged; links are followed to the first of these, not below it
    make    whether to make what is missing, for this user alone

    On Windows a folder is as private as the one above it, whose list of rights it inherits, as that of LOCALAPPDATA
    does: there is nothing to be judged by mode and owner.
    """

    def __init__(self, path: Path, own: int = 1, make: bool = False) -> None:
        self.path, self.handle = path, -1
        chain = [*reversed(path.parents[: own - 1]), path]
        for one in (*reversed(chain[0].parents), *(chain if WINDOWS else chain[:1])) if make else ():
            if not one.is_dir():
                one.mkdir(mode=0o700, exist_ok=True)
        if WINDOWS:
            if not path.is_dir():
                raise FileNotFoundError(2, "no such folder", str(path))
            return
        flags = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
        try:
            self.handle = os.open(chain[0], flags)
            _judge(self.handle, chain[0])
            for one in chain[1:]:
                if make:
                    with suppress(FileExistsError):
                        os.mkdir(one.name, 0o700, dir_fd=self.handle)
                above, self.handle = self.handle, os.open(one.name, flags | os.O_NOFOLLOW, dir_fd=self.handle)
                os.close(above)
                _judge(self.handle, one)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let go of the folder."""
        if self.handle >= 0:
            os.close(self.handle)
        self.handle = -1

    def __enter__(self) -> PrivateFolder:
        return self

    def __exit__(self, *stated: Any) -> None:
        self.close()

    def open(self, name: str, flags: int) -> int:
        """The number of an open file of this folder, judged; never of a link, and never waited for. What is no file, a
        folder, a pipe or a device, is an `IsADirectoryError`."""
        if WINDOWS:
            return os.open(self.path / name, flags | getattr(os, "O_BINARY", 0), 0o600)
        handle = os.open(name, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o600, dir_fd=self.handle)
        try:
            if not stat.S_ISREG(_judge(handle, self.path / name).st_mode):
                raise IsADirectoryError(21, "is no file", str(self.path / name))
        except BaseException:
            os.close(handle)
            raise
        return handle

    def read(self, name: str) -> bytes:
        """The bytes of a file."""
        with open(self.open(name, os.O_RDONLY), "rb") as file:
            return file.read()

    def write(self, name: str, data: bytes) -> None:
        """Put a file there, whole or not at all, for this user alone."""
        where: dict[str, Any] = {} if WINDOWS else {"dir_fd": self.handle}
        beside, target = f"{name}.{os.getpid()}.part", name
        if WINDOWS:
            beside, target = str(self.path / beside), str(self.path / target)
        with suppress(FileNotFoundError):
            os.unlink(beside, **where)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        try:
            with open(os.open(beside, flags, 0o600, **where), "wb") as file:
                file.write(data)
            os.replace(beside, target, **({} if WINDOWS else {"src_dir_fd": self.handle, "dst_dir_fd": self.handle}))
        except OSError:
            with suppress(OSError):
                os.unlink(beside, **where)
            raise


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


def long_path(path: str | Path, extra: int = 0) -> Path:
    r"""A path that can be opened whatever its length: Windows takes more than 260 characters after \\?\ alone.

    room    characters of what will lie in this folder
    """
    return Path(windows_path(os.fspath(path), extra)) if WINDOWS else Path(path)


def windows_path(text: str, extra: int = 0) -> str:
    r"""The path as Windows opens it: as it is, or when it is long whole and after \\?\, after \\?\UNC\ on a server."""
    whole = ntpath.abspath(text)
    if len(whole) + extra <= LONGEST or whole.startswith("\\\\?\\"):
        return text
    return f"\\\\?\\UNC\\{whole[2:]}" if whole.startswith("\\\\") else f"\\\\?\\{whole}"
