"""Functions that a user wrote, compiled for the loop: laws, conditions, contact laws."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .compiler import Kernel
from .optimal.plain import COMPLEX_RATE, RATE
from .records import Function
from .stages import CONDITION, FRICTION, NORMAL, PLAIN


def _law(f: Any) -> Callable:
    def law(t, q, v, z, s, p, effort, dz):
        f(t, q, v, z, s, p, effort, dz)

    return law


def _condition(f: Any) -> Callable:
    def condition(t, q, v, z, s, p):
        return float(f(t, q, v, z, s, p))

    return condition


def _normal(f: Any) -> Callable:
    def normal(depth, rate, impact_speed, z, p, dz):
        return float(f(depth, rate, impact_speed, z, p, dz))

    return normal


def _friction(f: Any) -> Callable:
    def friction(load, slip, z, p, dz):
        x, y, z = f(load, slip, z, p, dz)
        return (float(x), float(y), float(z))

    return friction


KINDS: dict[str, tuple[Callable[[Any], Callable], Function]] = {
    "t q v z s p effort dz": (_law, PLAIN),
    "t q v z s p": (_condition, CONDITION),
    "depth rate impact_speed z p dz": (_normal, NORMAL),
    "load slip z p dz": (_friction, FRICTION),
}
"""By their arguments: what gives them the result that the loop expects, and the signature it calls them by."""


def user_function(function: Callable, arguments: tuple[str, ...]) -> Any:
    """A user's function of these arguments, compiled."""
    wrap, kind = KINDS[" ".join(arguments)]
    outer = wrap(Kernel(function, "kernel", allocates=True))
    outer.__name__ = function.__name__
    return Kernel(outer, "user", allocates=True).overload(kind.signature.args).ready(frozenset())


def plain_function(function: Callable, complex_too: bool) -> Any:
    """A user's function f(t, x, u, p, out) compiled, of floats or of complex numbers."""
    inner = Kernel(function, "kernel", allocates=True)

    def plain(t, x, u, p, out):
        inner(t, x, u, p, out)

    plain.__name__ = function.__name__
    kind = COMPLEX_RATE if complex_too else RATE
    return Kernel(plain, "user", allocates=True).overload(kind.signature.args).ready(frozenset())
