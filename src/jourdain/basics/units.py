"""Units in files: "80 Nm", "500 km", "2 mm", "30 deg" as numbers in SI, with their dimension.

A unit is a product of symbols with powers, "N m", "kg m^2", "m/s^2", "N m/(rad s)"; a symbol may have a prefix. Which
unit an argument has is read off its docstring, where it stands in brackets: what is documented is what is checked.
"""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple


class Unit(NamedTuple):
    """A unit: how much it is in SI, and its powers of kilogram, metre, second and radian."""

    factor: float
    kg: float = 0.0
    m: float = 0.0
    s: float = 0.0
    rad: float = 0.0

    @property
    def dimension(self) -> tuple[float, float, float, float]:
        """Its powers; a radian counts, so that an angle is no plain number."""
        return self.kg, self.m, self.s, self.rad

    def times(self, other: Unit, power: float) -> Unit:
        """The product with a power of another."""
        powers = [mine + power * theirs for mine, theirs in zip(self.dimension, other.dimension)]
        return Unit(self.factor * other.factor**power, *powers)


ONE = Unit(1.0)
SYMBOLS = {
    "1": ONE,
    "m": Unit(1.0, m=1),
    "g": Unit(1e-3, kg=1),
    "t": Unit(1e3, kg=1),
    "s": Unit(1.0, s=1),
    "N": Unit(1.0, 1, 1, -2),
    "Pa": Unit(1.0, 1, -1, -2),
    "J": Unit(1.0, 1, 2, -2),
    "W": Unit(1.0, 1, 2, -3),
    "Hz": Unit(1.0, s=-1),
    "rad": Unit(1.0, rad=1),
}
PREFIXES = {"n": 1e-9, "u": 1e-6, "µ": 1e-6, "m": 1e-3, "c": 1e-2, "k": 1e3, "M": 1e6, "G": 1e9}
WITHOUT_MODEL = {
    "deg": Unit(math.pi / 180.0, rad=1),
    "degree": Unit(math.pi / 180.0, rad=1),
    "degrees": Unit(math.pi / 180.0, rad=1),
    "°": Unit(math.pi / 180.0, rad=1),
    "rpm": Unit(2.0 * math.pi / 60.0, s=-1, rad=1),
    "min": Unit(60.0, s=1),
    "h": Unit(3600.0, s=1),
}
NUMBER = r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?"
QUANTITY = re.compile(rf"({NUMBER})\s*(?![eE][-+]?[0-9]|[xob][0-9a-fA-F])([A-Za-zµ°].*)\Z")
"""A number with a unit."""
_TOKEN = re.compile(r"\s*(?:([A-Za-zµ°]+|1(?![0-9.]))|(\^\s*[-+]?[0-9.]+|[²³])|([/()*·]))")


class UnknownUnitError(ValueError):
    """A text that is no unit."""


@cache
def unit(text: str) -> Unit:
    """The unit of a text; an `UnknownUnitError` says what in it is none."""
    tokens, at = [], 0
    while at < len(text.rstrip()):
        found = _TOKEN.match(text, at)
        if found is None:
            raise UnknownUnitError(f'"{text}" is no unit')
        tokens.append(found.groups())
        at = found.end()
    whole, left = _product(tokens, text)
    if left or not tokens:
        raise UnknownUnitError(f'"{text}" is no unit')
    return whole


def _product(tokens: list[Any], text: str) -> tuple[Unit, list[Any]]:
    """Factors one behind the other, then what they are divided by: "N m", "N m/rad", "N m/(rad s)", "J/kg/s"."""
    whole, count, below = ONE, 0, False
    while tokens and tokens[0][2] != ")":
        divided = tokens[0][2] == "/"
        if divided or (tokens[0][2] in ("*", "·") and count):
            tokens = tokens[1:]
        if below and not divided:
            raise UnknownUnitError(f'"{text}": what is divided by is not clear; write such as N m/(rad s)')
        below = below or divided
        one, tokens = _factor(tokens, text)
        whole = whole.times(one, -1.0 if divided else 1.0)
        count += 1
    return whole, tokens


def _factor(tokens: list[Any], text: str) -> tuple[Unit, list[Any]]:
    """A symbol, or a product in parentheses, with its power."""
    if not tokens or (tokens[0][0] is None and tokens[0][2] != "("):
        raise UnknownUnitError(f'"{text}" is no unit')
    if tokens[0][2] == "(":
        one, rest = _product(tokens[1:], text)
        if not rest:
            raise UnknownUnitError(f'"{text}": a parenthesis is not closed')
        rest = rest[1:]
    else:
        one, rest = _symbol(tokens[0][0], text), tokens[1:]
    if rest and rest[0][1]:
        try:
            power = {"²": 2.0, "³": 3.0}.get(rest[0][1]) or float(rest[0][1].lstrip("^ "))
        except ValueError:
            raise UnknownUnitError(f'"{text}" is no unit') from None
        return ONE.times(one, power), rest[1:]
    return one, rest


def _symbol(symbol: str, text: str) -> Unit:
    """A symbol with or without a prefix, or newtons written together with metres or seconds: Nm, kNm, Nms."""
    for known in (WITHOUT_MODEL, SYMBOLS):
        if symbol in known:
            return known[symbol]
    if symbol[0] in PREFIXES and symbol[1:] in SYMBOLS and symbol[1:] not in ("1", "rad", "t"):
        return Unit(PREFIXES[symbol[0]]).times(SYMBOLS[symbol[1:]], 1.0)
    if symbol == "mrad":
        return Unit(1e-3, rad=1)
    joined = re.fullmatch(r"([numµckMG]?N)(m|mm|cm)?(s|ms)?", symbol)
    if joined:
        out = ONE
        for part in filter(None, joined.groups()):
            out = out.times(_symbol(part, text), 1.0)
        return out
    listed = "m, mm, km, kg, g, t, s, ms, min, h, N, kN, Nm, Pa, GPa, J, W, Hz, rad, deg, rpm"
    raise UnknownUnitError(f'"{symbol}" is no unit; known are {listed} and their products, such as N m/rad')


def read(text: str) -> tuple[float, Unit, str] | None:
    """(value in SI, unit, unit as it was written) of "80 Nm"; None where it does not look like a number with a unit."""
    found = QUANTITY.match(text.strip())
    if found is None:
        return None
    written = found.group(2).strip()
    one = unit(written)
    return float(found.group(1)) * one.factor, one, written


class Measured(float):
    """A number in SI that remembers the unit that it was written in, and how it was written: 0.01, "mm", "10 mm"."""

    unit: str
    text: str

    def __new__(cls, value: float, unit: str, text: str = "") -> Measured:
        out = super().__new__(cls, value)
        out.unit, out.text = unit, text
        return out

    def __getnewargs__(self) -> tuple[Any, ...]:
        return float(self), self.unit, self.text


def quantity(given: Any) -> Measured | None:
    """The number of "80 Nm", or of one that was read already; None for what is no number with a known unit."""
    if isinstance(given, Measured) or not isinstance(given, str):
        return given if isinstance(given, Measured) else None
    try:
        found = read(given)
    except UnknownUnitError:
        return None
    if found is None or not math.isfinite(found[0]):
        return None
    return Measured(found[0], found[2], given.strip())


def in_si(written: str) -> str:
    """The same unit in SI base units, with a factor of one: "m" of "mm", "kg m^2 s^-2" of "Nm"."""
    powers = zip(("kg", "m", "s", "rad"), unit(written).dimension, strict=True)
    return " ".join(name if power == 1.0 else f"{name}^{power:g}" for name, power in powers if power) or "m/m"


def entries(make: Callable[..., Any]) -> Iterator[tuple[list[str], str]]:
    """The arguments that a docstring describes, those of base classes first: names, and what it says of them."""
    for one in reversed(inspect.getmro(make)) if inspect.isclass(make) else (make,):
        doc = inspect.cleandoc(one.__doc__ or "") if one is not object else ""
        names: list[str] = []
        text = ""
        for line in [*doc.split("\n"), ""]:
            entry = re.match(r"((?:\w+, )*\w+,?)(?:\s{2,}|$)(.*)", line)
            begins = bool(entry and (entry.group(2) or entry.group(1).endswith(",")))
            if names and not begins and line.startswith(" " * 6):
                text = f"{text} {line.strip()}".strip()
                continue
            if names:
                yield names, text
            names, text = [], ""
            if entry and begins:
                names = [name.strip() for name in entry.group(1).rstrip(",").split(",")]
                text = entry.group(2).strip()


def units_of(make: Callable[..., Any]) -> dict[str, tuple[str, ...]]:
    """The units that each argument may have, as its docstring says.

    "[N m/rad or N/m]" are two; "[1/s^2, 1/s]" of two arguments is one each, of one argument two.
    """
    out: dict[str, tuple[str, ...]] = {}
    for names, text in entries(make):
        for name in names:
            out.pop(name, None)
        found = [part.strip() for part in re.findall(r"\[([^\]]*)\]", text) for part in re.split(r"[,;]", part)]
        if len(names) > 1 and len(found) == len(names):
            each = {name: [part] for name, part in zip(names, found)}
        else:
            each = dict.fromkeys(names, found)
        for name, parts in each.items():
            known = tuple(one for part in parts for one in re.split(r"\s+or\s+", part) if _is_unit(one))
            if known:
                out[name] = known
    return out


def bracketed(text: str) -> tuple[str, ...]:
    """The units in the brackets of a text."""
    found = [part for part in re.findall(r"\[([^\]]*)\]", text) for part in re.split(r"[,;]|\s+or\s+", part)]
    return tuple(part.strip() for part in found if _is_unit(part))


def _is_unit(text: str) -> bool:
    try:
        unit(text)
    except UnknownUnitError:
        return False
    return True


def fits(one: Unit, allowed: tuple[str, ...]) -> bool:
    """Whether a unit has the dimension of one of those allowed."""
    return any(one.dimension == unit(text).dimension for text in allowed)


def shown(value: float, written: str) -> float:
    """A number in SI as it is in a unit."""
    return value / unit(written).factor
