"""What is needed of NVIDIA's driver: memory of a GPU, a program on it, and how long it ran. Nothing but the driver is
asked for: its library is called as it is (CUDA driver API)."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ...basics.errors import ModelError

WARP = 32
MOST = 256
"""Threads at once on a multiprocessor that each have 255 registers."""
FEWEST = 96
"""Threads that keep a multiprocessor busy."""
LOCAL_SIZE, MULTIPROCESSORS, NEAR_MEMORY = 3, 16, 81
"""The driver's numbers of: memory of a thread's own that a program takes; how many multiprocessors a GPU has, and the
fast memory of each."""
LOG = 16384


def _found() -> Any:
    for name in ("libcuda.so.1", "libcuda.so", "nvcuda.dll"):
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    return None


@cache
def driver() -> Any:
    """The driver with the first GPU's context; a `ModelError` says what is missing."""
    found = _found()
    if found is None:
        raise ModelError.at("device", 'no NVIDIA driver on this machine (libcuda); run without device="cuda"')
    device, context = ctypes.c_int(), ctypes.c_void_p()
    for step in (
        lambda: found.cuInit(0),
        lambda: found.cuDeviceGet(ctypes.byref(device), 0),
        lambda: found.cuDevicePrimaryCtxRetain(ctypes.byref(context), device),
        lambda: found.cuCtxSetCurrent(context),
    ):
        code = step()
        if code:
            raise ModelError.at("device", f'no GPU can be used: {_words(found, code)}; run without device="cuda"')
    return found


def _words(found: Any, code: int) -> str:
    text = ctypes.c_char_p()
    found.cuGetErrorString(code, ctypes.byref(text))
    return (text.value or b"unknown error").decode()


def check(code: int, what: str) -> None:
    """Raises where a call of the driver failed."""
    if code:
        raise RuntimeError(f"the GPU could not {what}: {_words(driver(), code)}")


def free_memory() -> int:
    """Bytes of the GPU that nobody uses."""
    left, whole = ctypes.c_size_t(), ctypes.c_size_t()
    check(driver().cuMemGetInfo_v2(ctypes.byref(left), ctypes.byref(whole)), "tell its memory")
    return left.value


class DeviceArray:
    """A NumPy array and its place on the GPU."""

    def __init__(self, array: np.ndarray, filled: bool = True) -> None:
        self.array, self.place = array, ctypes.c_uint64(0)
        if array.nbytes:
            size = ctypes.c_size_t(array.nbytes)
            check(driver().cuMemAlloc_v2(ctypes.byref(self.place), size), f"give {array.nbytes} bytes")
            if filled:
                check(driver().cuMemcpyHtoD_v2(self.place, self._host, size), "take an array")

    @property
    def _host(self) -> Any:
        return ctypes.c_void_p(self.array.ctypes.data)

    def fetch(self) -> None:
        """What is on the GPU, into the array."""
        if self.array.nbytes:
            size = ctypes.c_size_t(self.array.nbytes)
            check(driver().cuMemcpyDtoH_v2(self._host, self.place, size), "give an array back")

    def release(self) -> None:
        """Gives the place back."""
        if self.array.nbytes:
            driver().cuMemFree_v2(self.place)


class Loaded(NamedTuple):
    """A program on the GPU: its module, and the function that is launched."""

    module: Any
    function: Any

    def fill(self, name: str, values: np.ndarray) -> None:
        """Writes numbers into the program's constant of a name."""
        place, size, here = ctypes.c_uint64(), ctypes.c_size_t(), np.ascontiguousarray(values)
        found = driver()
        failed = found.cuModuleGetGlobal_v2(ctypes.byref(place), ctypes.byref(size), self.module, name.encode())
        check(failed, f"find {name}")
        if here.size:
            failed = found.cuMemcpyHtoD_v2(place, ctypes.c_void_p(here.ctypes.data), ctypes.c_size_t(here.nbytes))
            check(failed, f"take {name}")


@cache
def program(code: str, name: str) -> Loaded:
    """A function of PTX code, loaded onto the GPU."""
    module, function = ctypes.c_void_p(), ctypes.c_void_p()
    log = ctypes.create_string_buffer(LOG)
    options = (ctypes.c_int * 2)(5, 6)  # CU_JIT_ERROR_LOG_BUFFER and its size
    values = (ctypes.c_void_p * 2)(ctypes.cast(log, ctypes.c_void_p).value, LOG)
    failed = driver().cuModuleLoadDataEx(ctypes.byref(module), code.encode() + b"\0", 2, options, values)
    if failed:
        message = log.value.decode(errors="replace").strip().split("\n")[0]
        raise RuntimeError(f"the GPU's driver could not take the program: {_words(driver(), failed)}; {message}")
    check(driver().cuModuleGetFunction(ctypes.byref(function), module, name.encode()), "find the program")
    return Loaded(module, function)


def shared_out(function: Any, cases: int) -> tuple[int, int]:
    """Blocks and threads of each, one block a multiprocessor.

    A thread keeps in memory what its registers do not hold. While that of all threads fits into the fast memory of
    their multiprocessor they run at full speed; where it would take too few threads to fit, all that there is room for
    are better, and wait for slower memory in turn.
    """
    found = driver()
    own, many, near = ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
    check(found.cuFuncGetAttribute(ctypes.byref(own), LOCAL_SIZE, function), "ask for its memory")
    for number, place in ((MULTIPROCESSORS, many), (NEAR_MEMORY, near)):
        check(found.cuDeviceGetAttribute(ctypes.byref(place), number, 0), "ask what the GPU has")
    fitting = near.value // max(own.value, 1) // WARP * WARP
    most = min(fitting, MOST) if fitting >= FEWEST else MOST
    fair = -(-cases // (many.value * WARP)) * WARP  # a small ensemble is spread over the GPU
    block = min(most, fair)
    return min(many.value, -(-cases // block)), block


def launch(loaded: Loaded, cases: int, arguments: Sequence[Any]) -> float:
    """Runs a program, one thread a case, to its end; how long that took on the GPU [s]."""
    given = [ctypes.c_int64(cases)] + [
        one.place
        if isinstance(one, DeviceArray)
        else ctypes.c_double(one)
        if isinstance(one, float)
        else ctypes.c_int64(one)
        for one in arguments
    ]
    places = (ctypes.c_void_p * len(given))(*(ctypes.addressof(one) for one in given))
    found = driver()
    begun, ended, taken = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_float()
    for event in (begun, ended):
        check(found.cuEventCreate(ctypes.byref(event), 0), "take the time")
    found.cuEventRecord(begun, None)
    grid, block = shared_out(loaded.function, cases)
    check(found.cuLaunchKernel(loaded.function, grid, 1, 1, block, 1, 1, 0, None, places, None), "begin the program")
    found.cuEventRecord(ended, None)
    check(found.cuEventSynchronize(ended), "run the program")
    found.cuEventElapsedTime(ctypes.byref(taken), begun, ended)
    for event in (begun, ended):
        found.cuEventDestroy_v2(event)
    return taken.value / 1e3
