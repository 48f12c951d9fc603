"""Numbers that are not known yet: what a function computes, as a graph of operations in which nothing stands twice.

An operation on known numbers is done at once; products with zero and one, sums with zero and double negations fall
away; the same operation on the same operands is the same node. What is left is what the function costs.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

Value = Any
"""A float, or a Node."""
FUNCTIONS = ("sin", "cos", "tan", "sqrt", "exp", "log", "atan2", "asin", "acos", "atan", "pow", "floor", "fabs")
COMPARISONS = {"<": lambda a, b: a < b, "<=": lambda a, b: a <= b, "==": lambda a, b: a == b, "!=": lambda a, b: a != b}


class Operation:
    """One operation.

    op        "input", "+", "-", "*", "/", "neg", a function of the C library, a comparison, "and", "not", "select"
    args      its operands, floats or nodes; of an input its name in C
    number    its place in the order in which nodes were made: operands come before what uses them
    """

    __slots__ = ("op", "args", "number")

    def __init__(self, op: str, args: tuple[Any, ...], number: int) -> None:
        self.op, self.args, self.number = op, args, number


class OperationCount(NamedTuple):
    """How many operations a list of expressions takes."""

    products: int
    sums: int
    divisions: int
    functions: int
    choices: int

    @property
    def total(self) -> int:
        """All of them."""
        return sum(self)


class Graph:
    """Makes nodes, each once."""

    def __init__(self) -> None:
        self._known: dict[Any, Operation] = {}

    def node(self, op: str, *args: Any) -> Operation:
        """The node of an operation, as it stands."""
        key = (op, *(one if isinstance(one, Operation) else ("known", repr(one)) for one in args))
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = Operation(op, args, len(self._known))
        return found

    def input(self, name: str) -> Operation:
        """A number that the caller gives."""
        return self.node("input", name)

    def add(self, a: Value, b: Value) -> Value:
        if not isinstance(a, Operation) and not isinstance(b, Operation):
            return a + b
        if not isinstance(a, Operation) and a == 0.0:
            return b
        if not isinstance(b, Operation) and b == 0.0:
            return a
        if _op(b) == "neg":
            return self.subtract(a, b.args[0])
        if _op(a) == "neg":
            return self.subtract(b, a.args[0])
        return self.node("+", *_ordered(a, b))

    def subtract(self, a: Value, b: Value) -> Value:
        if not isinstance(a, Operation) and not isinstance(b, Operation):
            return a - b
        if not isinstance(b, Operation) and b == 0.0:
            return a
        if not isinstance(a, Operation) and a == 0.0:
            return self.negative(b)
        if a is b:
            return 0.0
        if _op(b) == "neg":
            return self.add(a, b.args[0])
        if _op(a) == "neg":
            return self.negative(self.add(a.args[0], b))
        return self.node("-", a, b)

    def negative(self, a: Value) -> Value:
        if not isinstance(a, Operation):
            return -a
        if a.op == "neg":
            return a.args[0]
        return self.node("-", a.args[1], a.args[0]) if a.op == "-" else self.node("neg", a)

    def multiply(self, a: Value, b: Value) -> Value:
        if not isinstance(a, Operation) and not isinstance(b, Operation):
            return a * b
        for one, other in ((a, b), (b, a)):
            if not isinstance(one, Operation):
                if one == 0.0:
                    return 0.0
                if one == 1.0:
                    return other
                if one == -1.0:
                    return self.negative(other)
        if _op(a) == "neg" or _op(b) == "neg":
            left, right = (one.args[0] if _op(one) == "neg" else one for one in (a, b))
            product = self.multiply(left, right)
            return product if _op(a) == _op(b) else self.negative(product)
        return self.node("*", *_ordered(a, b))

    def divide(self, a: Value, b: Value) -> Value:
        if not isinstance(b, Operation):
            if not isinstance(a, Operation):
                return a / b if b else math.copysign(math.inf, a) if a else math.nan
            # a power of two has an inverse without rounding
            return self.multiply(a, 1.0 / b) if math.frexp(b)[0] in (0.5, -0.5) else self.node("/", a, b)
        if not isinstance(a, Operation) and a == 0.0:
            return 0.0
        if _op(a) == "neg":
            return self.negative(self.divide(a.args[0], b))
        return self.node("/", a, b)

    def function(self, name: str, *args: Value) -> Value:
        """A function of the C library."""
        if not any(isinstance(one, Operation) for one in args):
            return float(getattr(math, name)(*args))
        if name == "fabs" and _op(args[0]) == "neg":
            return self.function("fabs", args[0].args[0])
        return self.node(name, *args)

    def compare(self, how: str, a: Value, b: Value) -> Value:
        if not isinstance(a, Operation) and not isinstance(b, Operation):
            return COMPARISONS[how](a, b)
        return self.node(how, a, b)

    def both(self, a: Value, b: Value) -> Value:
        """And of two truths."""
        if isinstance(a, Operation) and isinstance(b, Operation):
            return a if a is b else self.node("and", a, b)
        known, other = (a, b) if not isinstance(a, Operation) else (b, a)
        return other if known else False

    def inverse(self, a: Value) -> Value:
        """Not of a truth."""
        if not isinstance(a, Operation):
            return not a
        return a.args[0] if a.op == "not" else self.node("not", a)

    def either(self, a: Value, b: Value) -> Value:
        """Or of two truths."""
        return self.inverse(self.both(self.inverse(a), self.inverse(b)))

    def select(self, truth: Value, a: Value, b: Value) -> Value:
        """a where a truth holds, else b."""
        if not isinstance(truth, Operation):
            return a if truth else b
        if a is b or (not isinstance(a, Operation) and not isinstance(b, Operation) and repr(a) == repr(b)):
            return a
        if truth.op == "not":
            return self.select(truth.args[0], b, a)
        return self.node("select", truth, a, b)


def _op(value: Value) -> str:
    return value.op if isinstance(value, Operation) else ""


def _ordered(a: Value, b: Value) -> tuple[Value, Value]:
    """Operands whose order does not matter, in one order: known numbers first, then as they were made."""
    place = [(-1, repr(one)) if not isinstance(one, Operation) else (one.number, "") for one in (a, b)]
    return (a, b) if place[0] <= place[1] else (b, a)


def needed(values: Iterable[Value]) -> list[Operation]:
    """All nodes that values are made of, operands first."""
    found: dict[int, Operation] = {}
    waiting = [one for one in values if isinstance(one, Operation)]
    while waiting:
        one = waiting.pop()
        if one.number not in found:
            found[one.number] = one
            waiting += [arg for arg in one.args if isinstance(arg, Operation)]
    return [found[number] for number in sorted(found)]


def cost(values: Iterable[Value]) -> OperationCount:
    """What values cost, each node once."""
    count = Counter(one.op for one in needed(values))
    return OperationCount(
        count["*"],
        count["+"] + count["-"] + count["neg"],
        count["/"],
        sum(count[name] for name in FUNCTIONS),
        sum(count[name] for name in ("select", "and", *COMPARISONS)),
    )


WORDS = {"+": "{} + {}", "-": "{} - {}", "*": "{} * {}", "/": "{} / {}", "neg": "-{}", "and": "{} && {}", "not": "!{}"}
WORDS |= {"select": "{} ? {} : {}"} | {how: f"{{}} {how} {{}}" for how in COMPARISONS}
TRUTHS = ("and", "not", *COMPARISONS)
LONGEST = 100
"""Characters of an expression that is written where it is used."""


def lines(values: dict[str, Value]) -> Iterator[str]:
    """Statements of C99 that give the values to what stands left of them: constants for what is used more than once or
    is long, everything else where it is used."""
    order = needed(values.values())
    used = Counter(arg.number for one in order for arg in one.args if isinstance(arg, Operation))
    used.update(one.number for one in values.values() if isinstance(one, Operation))
    text: dict[int, str] = {}

    def word(one: Value) -> str:
        if isinstance(one, Operation):
            return text[one.number]
        if math.isfinite(one):
            return f"({float(one)!r})" if one < 0.0 else repr(float(one))
        return "NAN" if math.isnan(one) else "HUGE_VAL" if one > 0.0 else "(-HUGE_VAL)"

    for one in order:
        if one.op == "input":
            text[one.number] = one.args[0]
            continue
        args = [word(arg) for arg in one.args]
        made = WORDS[one.op].format(*args) if one.op in WORDS else f"{one.op}({', '.join(args)})"
        if (used[one.number] > 1 or len(made) > LONGEST) and one.op not in ("neg",):
            text[one.number] = f"t{one.number}"
            yield f"const {'int' if one.op in TRUTHS else 'double'} t{one.number} = {made};"
        else:
            text[one.number] = made if one.op in FUNCTIONS else f"({made})"
    for name, value in values.items():
        yield f"{name} = {word(value).removeprefix('(').removesuffix(')') if _whole(word(value)) else word(value)};"


def _whole(text: str) -> bool:
    """Whether the first bracket of a text closes at its end."""
    if not (text.startswith("(") and text.endswith(")")):
        return False
    depth = 0
    for place, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            return place == len(text) - 1
    return False
