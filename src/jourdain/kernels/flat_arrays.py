"""Entries of flat arrays at computed places.

Python lets an index be negative and count from the end, so compiled code tests every computed index for that. An index
of an unsigned type needs no test; in loops over a few coordinates the tests took more time than the arithmetic.
"""

from __future__ import annotations

import numpy as np

from .compiler import kernel


@kernel
def get(a, i):
    """a[i], i not negative."""
    return a[np.uintp(i)]


@kernel
def put(a, i, x):
    """a[i] = x, i not negative."""
    a[np.uintp(i)] = x


@kernel
def accumulate(a, i, x):
    """a[i] += x, i not negative."""
    a[np.uintp(i)] += x


@kernel
def vec1(a, i):
    """Three entries of a, from i on."""
    return (get(a, i), get(a, i + 1), get(a, i + 2))


@kernel
def put31(a, i, x):
    """Writes three entries of a, from i on."""
    put(a, i, x[0])
    put(a, i + 1, x[1])
    put(a, i + 2, x[2])


@kernel
def accumulate31(a, i, x):
    """Adds to three entries of a, from i on."""
    accumulate(a, i, x[0])
    accumulate(a, i + 1, x[1])
    accumulate(a, i + 2, x[2])
