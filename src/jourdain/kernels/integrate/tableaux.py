"""Explicit Runge-Kutta methods as tables, so that one compiled stepper serves them all.

`step`       stages that make the step; `stages` adds those of the error estimate and of the dense output
`dense`      y(x) = y0 + h sum_i K_i sum_j dense[i, j] x^(j+1), x the fraction of the step
`error`      error estimate h sum_i K_i error[0, i]; dop853 damps it with a second one, error[1]
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from ..records import Record, f64, row
from ..rows import Row


class TableauSizes(Row):
    """`Tableau.sizes`."""

    step: int  # stages of the step
    error: int  # stages evaluated for the error
    error_order: int  # of the error estimate


class Tableau(Record, name="R", readonly=True):
    """A method. Butcher's notation: A (stages, stages), b (step,), c (stages,)."""

    A = f64(2)
    b = f64(1)
    c = f64(1)
    error = f64(2)  # (2, stages)
    dense = f64(2)  # (stages, degree), empty for fixed steps
    sizes = row(TableauSizes)


ORDER = {"euler": 1, "heun": 2, "rk3": 3, "rk4": 4, "rk5": 5, "dopri5": 5, "dop853": 8}

# Dormand & Prince 1980; dense output of order 4: Shampine 1986
_DP_A = [
    [1 / 5],
    [3 / 40, 9 / 40],
    [44 / 45, -56 / 15, 32 / 9],
    [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
    [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
    [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
]
_DP_C = [0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1, 1]
_DP_E = [-71 / 57600, 0, 71 / 16695, -71 / 1920, 17253 / 339200, -22 / 525, 1 / 40]
_DP_P = [
    [1, -8048581381 / 2820520608, 8663915743 / 2820520608, -12715105075 / 11282082432],
    [0, 0, 0, 0],
    [0, 131558114200 / 32700410799, -68118460800 / 10900136933, 87487479700 / 32700410799],
    [0, -1754552775 / 470086768, 14199869525 / 1410260304, -10690763975 / 1880347072],
    [0, 127303824393 / 49829197408, -318862633887 / 49829197408, 701980252875 / 199316789632],
    [0, -282668133 / 205662961, 2019193451 / 616988883, -1453857185 / 822651844],
    [0, 40617522 / 29380423, -110615467 / 29380423, 69997945 / 29380423],
]


def _explicit(rows: list[list[float]], b: list[float], c: list[float]) -> Tableau:
    n = len(b)
    A = np.zeros((n, n))
    for i, line in enumerate(rows):
        A[i + 1, : len(line)] = line
    return _tableau(A, b, c, np.zeros((2, n)), np.zeros((n, 0)), TableauSizes.made(step=n, error=n))


def _tableau(A: np.ndarray, b: Any, c: Any, error: np.ndarray, dense: Any, sizes: TableauSizes) -> Tableau:
    b, c, dense = (np.array(one, float) for one in (b, c, dense))
    return Tableau.frozen(A=A, b=b, c=c, error=error, dense=dense, sizes=sizes.numbers)


def _dopri5() -> Tableau:
    A = np.zeros((7, 7))
    for i, line in enumerate(_DP_A):
        A[i + 1, : len(line)] = line
    error = np.array([_DP_E, [0.0] * 7])
    return _tableau(A, A[6, :6], _DP_C, error, _DP_P, TableauSizes.made(step=6, error=7, error_order=4))


def _dop853() -> Tableau:
    from . import dop853 as table

    A, D = np.zeros((16, 16)), np.zeros((4, 16))
    for matrix, entries in ((A, table.MATRIX), (D, table.DENSE)):
        for i, j, value in entries:
            matrix[i, j] = value
    b = np.array(table.WEIGHTS)
    error = np.zeros((2, 16))
    error[0, :12], error[1, :12] = table.ERROR_5, table.ERROR_3
    # Hairer's nested form x (F0 + (1-x) (F1 + x (F2 + ...))) multiplied out
    full = np.zeros(16)
    full[:12] = b
    first, last = np.eye(16)[0], np.eye(16)[12]
    dense = np.zeros((16, 7))
    power = np.polynomial.Polynomial([0.0, 1.0])
    for i, F in enumerate([full, first - full, 2 * full - first - last, *D]):
        dense[:, : len(power.coef) - 1] += np.outer(F, power.coef[1:])
        power = power * np.polynomial.Polynomial([1.0, -1.0] if i % 2 == 0 else [0.0, 1.0])
    return _tableau(A, b, table.NODES, error, dense, TableauSizes.made(step=12, error=13, error_order=7))


@cache
def tableau(method: str) -> Tableau:
    """The table of a method, its arrays read-only.

    Heun 1900; Bogacki & Shampine 1989 for rk3; Kutta 1901 for rk4; Dormand & Prince 1980 for rk5 and dopri5;
    Prince & Dormand 1981, as DOP853 of Hairer, Norsett & Wanner 1993, for dop853.
    """
    if method == "euler":
        table = _explicit([], [1.0], [0.0])
    elif method == "heun":
        table = _explicit([[1.0]], [0.5, 0.5], [0.0, 1.0])
    elif method == "rk3":
        table = _explicit([[0.5], [0.0, 0.75]], [2 / 9, 1 / 3, 4 / 9], [0.0, 0.5, 0.75])
    elif method == "rk4":
        table = _explicit([[0.5], [0, 0.5], [0, 0, 1.0]], [1 / 6, 1 / 3, 1 / 3, 1 / 6], [0, 0.5, 0.5, 1.0])
    elif method == "rk5":
        table = _explicit(_DP_A[:5], _DP_A[5], _DP_C[:6])
    elif method == "dopri5":
        table = _dopri5()
    elif method == "dop853":
        table = _dop853()
    else:
        raise KeyError(method)
    return table
