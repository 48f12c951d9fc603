"""The one decorator under every kernel, and where its machine code is kept.

Numba's own cache notices a changed file but not a changed callee, so the cache lives in a folder
named by a hash of all kernels and of the kind codes that they import: another source, another folder.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba.core import config
from numba.extending import overload

from .layout import FlexibleArrays

KERNELS = Path(__file__).resolve().parent
KINDS = KERNELS.parent / "bodies" / "base.py"
"""The one source outside their folder that kernels read."""

OPTIONS: dict[str, Any] = {
    "error_model": "numpy",
    "fastmath": {"contract", "arcp", "nsz"},
    "nogil": True,
}

STAGE: dict[str, Any] = {"_nrt": False, "no_cpython_wrapper": True, **OPTIONS}
"""Of functions put together for one run and passed on as first-class ones: unboxing arrays is most of a compile."""
INNER: dict[str, Any] = {"no_cfunc_wrapper": True, **STAGE}
"""Of functions that only such functions call."""


@cache
def source_hash() -> str:
    """Hash of all that kernels are made of: the name of their cache folder."""
    digest = hashlib.sha256()
    for path in (*sorted(KERNELS.rglob("*.py")), KINDS):
        digest.update(path.relative_to(KERNELS.parent).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@cache
def cache_folder() -> Path:
    """Folder of the compiled kernels: `JOURDAIN_CACHE_DIR`, or `jourdain` in the user's cache directory."""
    root = os.environ.get("JOURDAIN_CACHE_DIR")
    if root is None:
        if sys.platform == "win32":
            base = os.environ.get("LOCALAPPDATA", "~/AppData/Local")
        elif sys.platform == "darwin":
            base = "~/Library/Caches"
        else:
            base = os.environ.get("XDG_CACHE_HOME", "~/.cache")
        root = os.path.join(base, "jourdain")
    return Path(root).expanduser() / source_hash()


def _compile(function: Callable, **wrappers: bool) -> Any:
    before = config.CACHE_DIR
    config.CACHE_DIR = str(cache_folder())
    try:
        return numba.njit(cache=True, _nrt=False, **OPTIONS, **wrappers)(function)
    finally:
        config.CACHE_DIR = before


def kernel(function: Callable) -> Any:
    """Compile `function` on first use, for other kernels to call, and keep the machine code on disk.

    `error_model="numpy"` makes a division by zero a not-a-number instead of an exception. Of fast-math
    only what cannot hide a not-a-number is allowed. Kernels never allocate, so Numba's reference counts, atomic and an
    array at a time, are off. A kernel is always inlined, which saves passing its arrays one by one; without the
    wrappers that Python would need to call it, it compiles in two thirds of the time.
    """
    return _compile(function, no_cpython_wrapper=True, no_cfunc_wrapper=True, forceinline=True)


def flexible_only(instead: Callable | None = None) -> Callable[[Callable], Any]:
    """A kernel for models with internal coordinates or in orbit, called, not inlined; its first argument is the model.

    In a rigid model at rest, which never reaches it, `instead` stands for it, with the same arguments and results of
    the same types; None does nothing. So a rigid model does not pay for it, in compile time either.
    """

    def decorate(function: Callable) -> Any:
        real = _compile(function, no_cpython_wrapper=True, no_cfunc_wrapper=True)
        other = kernel(instead) if instead is not None else None

        def hook(*arguments: Any) -> Any:
            return function(*arguments)

        @overload(hook)
        def choose(*arguments):
            if issubclass(arguments[0].instance_class, FlexibleArrays):
                return lambda *arguments: real(*arguments)
            if other is not None:
                return lambda *arguments: other(*arguments)
            return lambda *arguments: None

        hook.__doc__ = function.__doc__
        return hook

    return decorate


def gate(function: Callable) -> Any:
    """A kernel that Python may call, or hand to another as a first-class function."""
    return _compile(function)
