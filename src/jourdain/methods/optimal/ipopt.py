"""IPOPT (Waechter & Biegler 2006) by its C interface, from the library that the casadi wheel carries.

Whoever evaluates is called five times an iteration with whole vectors, and answers each call with one compiled entry
over all nodes. Through casadi's or cyipopt's own classes the same calls would pass more Python.
"""

from __future__ import annotations

import ctypes
import importlib.util
from collections.abc import Callable, Mapping
from ctypes import CFUNCTYPE, POINTER, byref, c_bool, c_char_p, c_double, c_int, c_void_p
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from ...basics.errors import ModelError

STATUS = {
    0: "solved",
    1: "solved to the acceptable tolerance",
    2: "infeasible",
    3: "steps became too small",
    4: "diverges",
    5: "stopped",
    6: "a feasible point",
    -1: "too many iterations",
    -2: "restoration of feasibility failed",
    -3: "a step could not be computed",
    -4: "too much time",
    -10: "more equations than unknowns",
    -11: "the problem is not well defined",
    -12: "an option is not valid",
    -13: "a number is not finite",
    -100: "an exception",
    -101: "an exception",
    -102: "not enough memory",
    -199: "an internal error",
}
"""What `IpoptSolve` returns (IpReturnCodes.h), as text."""
INFINITE = 2e19
_doubles, _ints = c_void_p, c_void_p
_VALUE = CFUNCTYPE(c_bool, c_int, _doubles, c_bool, POINTER(c_double), c_void_p)
_GRADIENT = CFUNCTYPE(c_bool, c_int, _doubles, c_bool, _doubles, c_void_p)
_CONSTRAINTS = CFUNCTYPE(c_bool, c_int, _doubles, c_bool, c_int, _doubles, c_void_p)
_JACOBIAN = CFUNCTYPE(c_bool, c_int, _doubles, c_bool, c_int, c_int, _ints, _ints, _doubles, c_void_p)
_HESSIAN = CFUNCTYPE(
    c_bool, c_int, _doubles, c_bool, c_double, c_int, _doubles, c_bool, c_int, _ints, _ints, _doubles, c_void_p
)
_STEP = CFUNCTYPE(c_bool, c_int, c_int, *(c_double,) * 8, c_int, c_void_p)


class NonlinearProgram(Protocol):
    """A nonlinear program: min f(x), g_low <= g(x) <= g_high, x_low <= x <= x_high, derivatives as coordinates.

    jacobian_at, hessian_at    rows and columns of their numbers; of the Hessian the lower triangle. None: IPOPT
                               gathers the curvature itself from gradients (L-BFGS)
    """

    x_low: np.ndarray
    x_high: np.ndarray
    g_low: np.ndarray
    g_high: np.ndarray
    jacobian_at: tuple[np.ndarray, np.ndarray]
    hessian_at: tuple[np.ndarray, np.ndarray] | None

    def value(self, x: np.ndarray) -> float: ...
    def gradient(self, x: np.ndarray) -> np.ndarray: ...
    def constraints(self, x: np.ndarray) -> np.ndarray: ...
    def jacobian(self, x: np.ndarray) -> np.ndarray: ...
    def hessian(self, x: np.ndarray, sigma: float, multipliers: np.ndarray) -> np.ndarray: ...


@dataclass(frozen=True, eq=False)
class Solution:
    """What IPOPT left.

    x              unknowns
    value          of the objective
    multipliers    of the constraints
    bound_low, bound_high    multipliers of the bounds of the unknowns
    status         as text; `solved` says whether it is a solution
    iterations     how many there were
    """

    x: np.ndarray
    value: float
    multipliers: np.ndarray
    bound_low: np.ndarray
    bound_high: np.ndarray
    constraints: np.ndarray
    status: str
    solved: bool
    infeasible: bool
    iterations: int


@cache
def library() -> Any:
    """IPOPT's shared library; what to install where there is none."""
    found = importlib.util.find_spec("casadi")
    for folder in () if found is None else tuple(found.submodule_search_locations or ()):
        names = ("libipopt.so*", "libipopt*.dylib", "libipopt*.dll", "ipopt*.dll")
        for name in names:
            for path in sorted(Path(folder).glob(name)):
                return _declared(ctypes.CDLL(str(path)))
    raise ModelError.at("IPOPT", 'is not installed; pip install "jourdain[optimal]"')


def _declared(found: Any) -> Any:
    functions = (_VALUE, _CONSTRAINTS, _GRADIENT, _JACOBIAN, _HESSIAN)
    found.CreateIpoptProblem.restype = c_void_p
    found.CreateIpoptProblem.argtypes = (
        c_int, _doubles, _doubles, c_int, _doubles, _doubles, c_int, c_int, c_int, *functions,
    )  # fmt: skip
    found.FreeIpoptProblem.argtypes = (c_void_p,)
    found.IpoptSolve.argtypes = (
        c_void_p,
        _doubles,
        _doubles,
        POINTER(c_double),
        _doubles,
        _doubles,
        _doubles,
        c_void_p,
    )
    for name, kind in (("Int", c_int), ("Num", c_double), ("Str", c_char_p)):
        function = getattr(found, f"AddIpopt{name}Option")
        function.restype, function.argtypes = c_bool, (c_void_p, c_char_p, kind)
    found.SetIntermediateCallback.argtypes = (c_void_p, _STEP)
    return found


def _numbers(address: int, kind: Any, size: int, dtype: Any) -> np.ndarray:
    """The numbers at an address, as they lie."""
    memory: Any = (kind * size).from_address(address)
    return np.frombuffer(memory, dtype)


def _at(address: int, size: int) -> np.ndarray:
    return _numbers(address, c_double, size, np.float64) if size else np.zeros(0)


class _Calls:
    """The five functions as IPOPT calls them; an exception ends the solution and is raised behind it."""

    def __init__(self, program: NonlinearProgram, watch: Callable[[int, float, float], None] | None) -> None:
        self.program, self.watch = program, watch
        self.error: BaseException | None = None
        self.iterations = 0
        self.functions = (
            _VALUE(self.value),
            _CONSTRAINTS(self.constraints),
            _GRADIENT(self.gradient),
            _JACOBIAN(self.jacobian),
            _HESSIAN(self.hessian),
        )
        self.step = _STEP(self.stepped)

    def _guarded(self, compute: Callable[[], None]) -> bool:
        try:
            compute()
        except BaseException as error:  # whatever it is, C cannot pass it on
            self.error = self.error or error
            return False
        return True

    def value(self, n: int, x: int, new: bool, out: Any, data: int) -> bool:
        def compute() -> None:
            out[0] = self.program.value(_at(x, n))

        return self._guarded(compute) and bool(np.isfinite(out[0]))

    def gradient(self, n: int, x: int, new: bool, out: int, data: int) -> bool:
        def compute() -> None:
            _at(out, n)[:] = self.program.gradient(_at(x, n))

        return self._guarded(compute)

    def constraints(self, n: int, x: int, new: bool, m: int, out: int, data: int) -> bool:
        def compute() -> None:
            _at(out, m)[:] = self.program.constraints(_at(x, n))

        return self._guarded(compute) and bool(np.all(np.isfinite(_at(out, m))))

    def jacobian(self, n: int, x: int, new: bool, m: int, k: int, rows: int, columns: int, out: int, data: int) -> bool:
        if not out:
            _places(rows, columns, self.program.jacobian_at)
            return True

        def compute() -> None:
            _at(out, k)[:] = self.program.jacobian(_at(x, n))

        return self._guarded(compute)

    def hessian(
        self, n: int, x: int, new: bool, sigma: float, m: int, multipliers: int, new_too: bool, k: int, rows: int,
        columns: int, out: int, data: int,
    ) -> bool:  # fmt: skip
        if not out:
            assert self.program.hessian_at is not None
            _places(rows, columns, self.program.hessian_at)
            return True

        def compute() -> None:
            _at(out, k)[:] = self.program.hessian(_at(x, n), sigma, _at(multipliers, m))

        return self._guarded(compute)

    def stepped(self, mode: int, count: int, value: float, primal: float, *rest: Any) -> bool:
        self.iterations = count
        watch = self.watch
        if watch is None:
            return True
        return self._guarded(lambda: watch(count, value, primal))


def _places(rows: int, columns: int, at: tuple[np.ndarray, np.ndarray]) -> None:
    for address, values in zip((rows, columns), at, strict=True):
        _numbers(address, c_int, len(values), np.int32)[:] = values


def minimise(
    program: NonlinearProgram,
    x: np.ndarray,
    options: Mapping[str, float | int | str] | None = None,
    watch: Callable[[int, float, float], None] | None = None,
    start: Solution | None = None,
) -> Solution:
    """A local minimum from the unknowns x.

    options    as IPOPT names them: {"tol": 1e-8, "max_iter": 500, "print_level": 5}
    watch      is called with iteration, objective and violation
    start      a solution of a problem of the same size, whose multipliers are taken too
    """
    ipopt = library()
    calls = _Calls(program, watch)
    n, m = len(program.x_low), len(program.g_low)
    bounds = [_bounds(one) for one in (program.x_low, program.x_high, program.g_low, program.g_high)]
    sizes = len(program.jacobian_at[0]), 0 if program.hessian_at is None else len(program.hessian_at[0])
    address = [one.ctypes.data for one in bounds]
    handle = ipopt.CreateIpoptProblem(n, *address[:2], m, *address[2:], *sizes, 0, *calls.functions)
    if not handle:
        raise ModelError.at("optimise", "IPOPT refuses the problem; are lower bounds above upper ones?")
    try:
        own: dict[str, float | int | str] = {"print_level": 0, "sb": "yes", "linear_solver": "mumps"}
        if program.hessian_at is None:
            own["hessian_approximation"] = "limited-memory"
        if start is not None:
            own |= {"warm_start_init_point": "yes", "mu_init": 1e-4}
        for name, value in (own | dict(options or {})).items():
            _set(ipopt, handle, name, value)
        ipopt.SetIntermediateCallback(handle, calls.step)
        at, cost = np.array(x, np.float64), c_double()
        left = [np.zeros(k) for k in (m, m, n, n)]
        if start is not None:
            left[1:] = [np.array(one) for one in (start.multipliers, start.bound_low, start.bound_high)]
        code = ipopt.IpoptSolve(
            handle, at.ctypes.data, left[0].ctypes.data, byref(cost), *(one.ctypes.data for one in left[1:]), None
        )
    finally:
        ipopt.FreeIpoptProblem(handle)
    if calls.error is not None:
        raise calls.error
    status = STATUS.get(code, f"code {code}")
    return Solution(
        x=at,
        value=cost.value,
        multipliers=left[1],
        bound_low=left[2],
        bound_high=left[3],
        constraints=left[0],
        status=status,
        solved=code in (0, 1),
        infeasible=code == 2,
        iterations=calls.iterations,
    )


def _bounds(values: np.ndarray) -> np.ndarray:
    return np.clip(np.ascontiguousarray(values, np.float64), -INFINITE, INFINITE)


def _set(ipopt: Any, handle: Any, name: str, value: float | int | str) -> None:
    kinds: dict[type, tuple[str, Callable[[Any], Any]]] = {
        int: ("Int", int),
        float: ("Num", float),
        str: ("Str", lambda text: text.encode()),
    }
    word, convert = kinds[type(value)]
    if not getattr(ipopt, f"AddIpopt{word}Option")(handle, name.encode(), convert(value)):
        raise ModelError.at(f"options: {name}", f"IPOPT does not take {value!r}")
