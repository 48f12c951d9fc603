"""Operations of Hamilton's equations of a chain of n revolute joints, n = 3 ... 8, printed one after the other.

With the word `inverse`: of inverse dynamics by Newton and Euler. With `loop`: of the loop of Bernier, Dequidt & Valdes
2002, R-U-S-R, its two branches with seven coordinates: places, velocities and accelerations; efforts besides. With
`predictive`: of the plan of one input over 4, 5, ... 8 samples, by normal equations and then by the root form.

Runs with NUMBA_DISABLE_JIT=1: the kernels are then plain Python, and the numbers in their arrays count what is done.
"""

from __future__ import annotations

import sys
from functools import partial

import numpy as np

import jourdain as jd


class Counted:
    """A float whose additions and multiplications are counted; sums with and products by zero or one count too."""

    done = 0

    def __init__(self, value: float) -> None:
        self.value = float(value)

    def _two(self, other, value):
        Counted.done += 1
        return Counted(value)

    def __add__(self, other):
        return self._two(other, self.value + float(other))

    __radd__ = __add__

    def __sub__(self, other):
        return self._two(other, self.value - float(other))

    def __rsub__(self, other):
        return self._two(other, float(other) - self.value)

    def __mul__(self, other):
        if hasattr(other, "numbers"):  # a vector, which multiplies its numbers
            return NotImplemented
        return self._two(other, self.value * float(other))

    __rmul__ = __mul__

    def __truediv__(self, other):
        return self._two(other, self.value / float(other))

    def __rtruediv__(self, other):
        return self._two(other, float(other) / self.value)

    def __neg__(self):
        return Counted(-self.value)

    def __float__(self) -> float:
        return self.value

    def __eq__(self, other) -> bool:
        return self.value == float(other)

    def __lt__(self, other) -> bool:
        return self.value < float(other)

    def __gt__(self, other) -> bool:
        return self.value > float(other)

    __hash__ = None

    def __pow__(self, power):
        return Counted(self.value**power)  # a root, which is not counted

    @property
    def real(self):
        return self.value

    def sin(self):
        return Counted(np.sin(self.value))

    def cos(self):
        return Counted(np.cos(self.value))


COUNTED = ("bodies", "dofs", "circle", "flex", "effort")
"""Arrays of a workspace whose operations count."""


def counting(array: np.ndarray) -> np.ndarray:
    """The same numbers, counting."""
    out = np.empty(array.shape, object)
    out.ravel()[:] = [Counted(x) for x in array.ravel()]
    return out


def circle(q: np.ndarray, out: np.ndarray, begin: int, end: int) -> None:
    """Sines and cosines, which are not counted."""
    out[0, begin:end], out[1, begin:end] = np.sin(q[begin:end]), np.cos(q[begin:end])


def operations(n: int, inverse: bool = False) -> int:
    """What one evaluation of Hamilton's equations takes (velocities of momenta, then their rates), or of efforts."""
    from jourdain.kernels.tree import kinematics

    kinematics.circle = circle
    from jourdain.kernels.constraints.canonical_momenta import (
        keep_inertial,
        momentum_sweep,
        take_velocities,
        velocities_of,
    )
    from jourdain.kernels.model_arrays import workspace
    from jourdain.kernels.records import array_of
    from jourdain.kernels.tree.newton_euler import newton_euler_efforts

    system = jd.System("chain", gravity=(0.0, -9.81, 0.0))
    for i in range(n):
        body = jd.RigidBody(f"b{i}", mass=1.0, com=(0.5, 0.1, 0.2), inertia=(1.0, 1.1, 1.2), frames={"tip": (1, 0, 0)})
        system.add(body, jd.Revolute(f"j{i}", axis=(1.0, 0.2 * i, 0.5)), to=f"b{i - 1}.tip" if i else "world")
    arrays = system.compile().arrays
    ws = workspace(arrays)
    ws = ws._replace(**{name: counting(array_of(getattr(ws, name))) for name in COUNTED})
    rng = np.random.default_rng(0)
    q, p, v, out = (counting(rng.normal(size=n)) for _ in range(4))
    Counted.done = 0
    if inverse:
        kinematics.kinematics(arrays, ws, q, v)
        newton_euler_efforts(arrays, ws, p, out)
        return Counted.done
    velocities_of(arrays, ws, q, p, v)
    take_velocities(arrays, ws)
    keep_inertial(arrays, ws)
    momentum_sweep(arrays, ws, v, ws.effort, out)
    return Counted.done


def operations_of_the_loop() -> tuple[int, int]:
    """Of the kinematics of both branches of R-U-S-R, and of these with the efforts by Newton and Euler."""
    from jourdain.kernels.tree import kinematics

    kinematics.circle = circle
    from jourdain.kernels.model_arrays import workspace
    from jourdain.kernels.records import array_of
    from jourdain.kernels.tree.newton_euler import newton_euler_efforts

    Pair, bar = jd.mechanism.Pair, partial(jd.RigidBody, mass=1.0, inertia=(0.01, 0.01, 0.01))
    table = [
        Pair(bar("1"), "revolute", joint="q1"),
        Pair(bar("2"), "universal", alpha=np.pi / 2, d=0.10, joint="q2"),
        Pair(bar("3"), "spherical", d=0.40, joint="q3"),
        Pair(bar("5"), to="world", epsilon=0.0, gamma=0.0, alpha=np.pi / 3, d=0.45, r=0.05, joint="q5"),
    ]
    model = jd.mechanism.from_dh("RUSR", table).compile()
    ws = workspace(model.arrays)
    ws = ws._replace(**{name: counting(array_of(getattr(ws, name))) for name in COUNTED})
    rng = np.random.default_rng(0)
    v, a, out = (counting(rng.normal(size=model.nv)) for _ in range(3))
    q = counting(model.state({"q1": 0.5, "q2": (-1.1, 0.9), "q5": 1.2}).q)
    Counted.done = 0
    kinematics.kinematics(model.arrays, ws, q, v)
    places = Counted.done
    newton_euler_efforts(model.arrays, ws, a, out)
    return places, Counted.done


def operations_of_a_plan(samples: int, root: bool) -> int:
    """Of the inputs over a horizon from G and what is lacking; y and u are one number each (Belda, Bohm & Valasek)."""
    from jourdain.kernels.control.predictive import normal_solution, root_solution

    rng = np.random.default_rng(0)
    G, e = counting(np.tril(rng.normal(size=(samples, samples)))), counting(rng.normal(size=samples))
    one, none = counting(np.ones((1, 1))), counting(np.zeros((1, 1)))
    S, u = counting(np.zeros(((1 + root) * samples, samples + 1))), counting(np.zeros(samples))
    Counted.done = 0
    failed = (root_solution if root else normal_solution)(G, e, one, none, none[0], S, u)
    assert failed == 0
    return Counted.done


if __name__ == "__main__" and "predictive" in sys.argv:
    print(*(operations_of_a_plan(n, root) for root in (False, True) for n in range(4, 9)))
elif __name__ == "__main__" and "loop" in sys.argv:
    print(*operations_of_the_loop())
elif __name__ == "__main__":
    print(*(operations(n, "inverse" in sys.argv) for n in range(3, 9)))
