"""Creep coefficients of Kalker's linear theory of rolling contact, for elliptic patches.

Kalker 1990, Three-Dimensional Elastic Bodies in Rolling Contact, table E.3; the digits were compared with a public
listing of that table, not with the book.
"""

from __future__ import annotations

import numpy as np

from ...basics.errors import ModelError
from ...basics.values import shown

POISSON = (0.0, 0.25, 0.5)
"""Ratios of which the table has columns."""
ROWS = np.array([
    # a / b, C11, C22 and C23 for these ratios
    (1 / 10, 2.51, 3.31, 4.85, 2.51, 2.52, 2.53, 0.334, 0.473, 0.731),
    (2 / 10, 2.59, 3.37, 4.81, 2.59, 2.63, 2.66, 0.483, 0.603, 0.809),
    (3 / 10, 2.68, 3.44, 4.80, 2.68, 2.75, 2.81, 0.607, 0.715, 0.889),
    (4 / 10, 2.78, 3.53, 4.82, 2.78, 2.88, 2.98, 0.720, 0.823, 0.977),
    (5 / 10, 2.88, 3.62, 4.83, 2.88, 3.01, 3.14, 0.827, 0.929, 1.07),
    (6 / 10, 2.98, 3.72, 4.91, 2.98, 3.14, 3.31, 0.930, 1.03, 1.18),
    (7 / 10, 3.09, 3.81, 4.97, 3.09, 3.28, 3.48, 1.03, 1.14, 1.29),
    (8 / 10, 3.19, 3.91, 5.05, 3.19, 3.41, 3.65, 1.13, 1.25, 1.40),
    (9 / 10, 3.29, 4.01, 5.12, 3.29, 3.54, 3.82, 1.23, 1.36, 1.51),
    (1.0, 3.40, 4.12, 5.20, 3.40, 3.67, 3.98, 1.33, 1.47, 1.63),
    (10 / 9, 3.51, 4.22, 5.30, 3.51, 3.81, 4.16, 1.44, 1.59, 1.77),
    (10 / 8, 3.65, 4.36, 5.42, 3.65, 3.99, 4.39, 1.58, 1.75, 1.94),
    (10 / 7, 3.82, 4.54, 5.58, 3.82, 4.21, 4.67, 1.76, 1.95, 2.18),
    (10 / 6, 4.06, 4.78, 5.80, 4.06, 4.50, 5.04, 2.01, 2.23, 2.50),
    (10 / 5, 4.37, 5.10, 6.11, 4.37, 4.90, 5.56, 2.35, 2.62, 2.96),
    (10 / 4, 4.84, 5.57, 6.57, 4.84, 5.48, 6.31, 2.88, 3.24, 3.70),
    (10 / 3, 5.57, 6.34, 7.34, 5.57, 6.40, 7.51, 3.79, 4.32, 5.01),
    (10 / 2, 6.96, 7.78, 8.82, 6.96, 8.14, 9.79, 5.72, 6.63, 7.89),
    (10 / 1, 10.7, 11.7, 12.9, 10.7, 12.8, 16.0, 12.2, 14.6, 18.0),
])  # fmt: skip
FIRST = {"11": 1, "22": 4, "23": 7}
"""Where the columns of a coefficient begin."""


def kalker_coefficient(which: str, ratio: float, poisson: float) -> float:
    """C_11, C_22 or C_23 of an ellipse with the half axes a, along rolling, over b = `ratio`.

    Between rows it is straight over the logarithm of the ratio, between Poisson's ratios a parabola.
    """
    if which not in FIRST:
        raise ModelError.at("which", f"got {shown(which)}; give one of {', '.join(FIRST)}")
    if not 0.1 <= ratio <= 10.0:
        raise ModelError.at("ratio", f"of half axes is {ratio:g}; the table has 0.1 to 10")
    k = FIRST[which]
    values = [np.interp(np.log(ratio), np.log(ROWS[:, 0]), ROWS[:, k + i]) for i in range(3)]
    return float(np.polyval(np.polyfit(POISSON, values, 2), poisson))
