"""What a trajectory costs: a sum of terms, `effort() + 10 * time()`.

Each term is a weight times time itself, or times a quantity or its square, over the trajectory or at its end.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ...basics.arguments import checked
from ...basics.errors import ModelError
from ...basics.values import as_number, shown


@dataclass(frozen=True)
class Term:
    """A part of a cost: weight times time, or times the value of a quantity.

    kind      "time", "efforts" (of all inputs), "quantity"; of slews also "peak" and "residual"
    name      of the quantity, for "quantity"
    where     "along" the trajectory, integrated over time, or at its "end"
    square    whether (quantity - target)^2 is meant, or the quantity itself
    """

    kind: str
    weight: float = 1.0
    name: str = ""
    where: str = "along"
    square: bool = True
    target: float = 0.0


@checked
class Cost:
    """A sum of terms. Costs are added, and multiplied by numbers."""

    def __init__(self, terms: tuple[Term, ...]) -> None:
        self.terms = terms

    def __add__(self, other: Any) -> Cost:
        if isinstance(other, int | float) and other == 0:
            return self
        if not isinstance(other, Cost):
            raise ModelError.at("cost", f"got {shown(other)} beside a cost; add costs such as jd.optimal.time()")
        return Cost(self.terms + other.terms)

    __radd__ = __add__

    def __mul__(self, factor: Any) -> Cost:
        number = as_number(factor, "cost: weight")
        return Cost(tuple(replace(one, weight=one.weight * number) for one in self.terms))

    __rmul__ = __mul__

    def __neg__(self) -> Cost:
        return -1.0 * self

    def __sub__(self, other: Cost) -> Cost:
        return self + -1.0 * other

    def __repr__(self) -> str:
        return " + ".join(_stated(one) for one in self.terms)


def _stated(term: Term) -> str:
    head = "" if term.weight == 1.0 else f"{term.weight:g} * "
    if term.kind != "quantity":
        return f"{head}{'effort' if term.kind == 'efforts' else term.kind}()"
    word = {("along", True): "square", ("along", False): "integral", ("end", True): "final_square"}
    return f"{head}{word.get((term.where, term.square), 'final')}({term.name!r})"


@checked
def time() -> Cost:
    """How long the trajectory takes [s]."""
    return Cost((Term("time"),))


@checked
def effort(weights: Mapping[str, float] | None = None) -> Cost:
    """Integral of the squares of the efforts [N^2 m^2 s]: all inputs alike, or those named by their weights."""
    if weights is None:
        return Cost((Term("efforts"),))
    named = {str(name): as_number(value, f"effort: {name}") for name, value in weights.items()}
    return Cost(tuple(Term("quantity", value, _effort(name)) for name, value in named.items()))


def _effort(name: str) -> str:
    return name if name.startswith("effort:") else f"effort:{name}"


@checked
def peak() -> Cost:
    """The largest effort of any input, of `slew` [N m]."""
    return Cost((Term("peak"),))


@checked
def residual() -> Cost:
    """The energy of vibration that is left at the end, of `slew` [J]; the mean over its plants."""
    return Cost((Term("residual"),))


@checked
def integral(quantity: str) -> Cost:
    """Integral of a quantity over time."""
    return Cost((Term("quantity", name=quantity, square=False),))


@checked
def square(quantity: str, target: float = 0.0) -> Cost:
    """Integral of (quantity - target)^2 over time."""
    return Cost((Term("quantity", name=quantity, target=as_number(target, "target")),))


@checked
def final(quantity: str) -> Cost:
    """A quantity at the end."""
    return Cost((Term("quantity", name=quantity, where="end", square=False),))


@checked
def final_square(quantity: str, target: float = 0.0) -> Cost:
    """(quantity - target)^2 at the end."""
    return Cost((Term("quantity", name=quantity, where="end", target=as_number(target, "target")),))
