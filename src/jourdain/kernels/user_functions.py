"""Functions that a user wrote, compiled for the loop with checked indices (`bounds`): laws, conditions and so on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .bounds import UserKernel
from .interpreter import INTERPRETED, plain_kernel
from .optimal.user_ode import COMPLEX_RATE, RATE
from .records import Function
from .stage_functions import CONDITION, FRICTION, NORMAL, WITHOUT_MODEL


def _law(f: Any) -> Callable:
    def law(t, q, v, z, s, p, effort, dz):
        for k in range(dz.size):
            dz[k] = 0.0  # a law may add to it, or leave some out
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
    "t q v z s p effort dz": (_law, WITHOUT_MODEL),
    "t q v z s p": (_condition, CONDITION),
    "depth rate impact_speed z p dz": (_normal, NORMAL),
    "load slip z p dz": (_friction, FRICTION),
}
"""By their arguments: what gives them the result that the loop expects, and the signature it calls them by."""


def user_function(function: Callable, arguments: tuple[str, ...]) -> Any:
    """A user's function of these arguments, compiled."""
    wrap, kind = KINDS[" ".join(arguments)]
    return _compiled(function, wrap, kind, arguments[0] == "t")


def plain_function(function: Callable, complex_too: bool) -> Any:
    """A user's function f(t, x, u, p, out) compiled, of floats or of complex numbers."""
    return _compiled(function, _plain, COMPLEX_RATE if complex_too else RATE, True)


def _plain(f: Any) -> Callable:
    def plain(t, x, u, p, out):
        for k in range(out.size):
            out[k] = 0.0
        f(t, x, u, p, out)

    return plain


def _compiled(function: Callable, wrap: Callable[[Any], Callable], kind: Function, timed: bool) -> Any:
    if INTERPRETED:
        made = wrap(function)
        made.__name__ = function.__name__
        return plain_kernel(made).overload(())
    inner = UserKernel(function, "inlined", law=function.__name__, timed=timed)
    outer = wrap(inner)
    outer.__name__ = function.__name__
    return UserKernel(outer, "user").overload(kind.signature.args).ready(frozenset())


def entry_point(function: Callable) -> Any:
    """A function of a user's own, compiled, that Python calls and that may call the model functions of `jd.kernels`.

    It takes `model.arrays`, a workspace, numbers and contiguous arrays. Its indices are those of Python: one outside an
    array raises `jd.errors.LawIndexError`. It is compiled once a process.
    """
    if INTERPRETED:
        return plain_kernel(function)
    return UserKernel(function, "entry point")
