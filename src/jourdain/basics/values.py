"""Reading what a user gives: numbers, vectors, names and dictionaries, refused with their address."""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .errors import CONTROL, ModelError, Problem


def readonly(array: ArrayLike) -> np.ndarray:
    """A read-only float64 copy of an array."""
    copy = np.array(array, dtype=np.float64, order="C")
    copy.setflags(write=False)
    return copy


def is_number(value: Any) -> bool:
    """Whether it is a real number that a float can be: of Python or NumPy, no boolean; not-a-number is one."""
    if isinstance(value, float):
        return True
    if isinstance(value, int):
        return not isinstance(value, bool) and value.bit_length() < 1024
    if isinstance(value, np.ndarray):
        return value.ndim == 0 and value.dtype.kind in "iuf"
    return isinstance(value, np.integer | np.floating)


def is_whole(value: Any) -> bool:
    """Whether it is a whole number, such as 3 or 3.0."""
    return is_number(value) and float(value).is_integer()


ENDLESS = 10**8
"""Numbers that are not yet there, as those of `range`, of which no array is made: it would take a gigabyte."""


def is_endless(value: Any, depth: int = 3) -> bool:
    """Whether it is a range of very many numbers, or has one among its first elements."""
    if isinstance(value, range):
        return abs(value.stop - value.start) // abs(value.step) > ENDLESS
    return depth > 0 and isinstance(value, list | tuple) and any(is_endless(one, depth - 1) for one in value[:100])


def is_numeric(value: Any) -> bool:
    """Whether it is an array of numbers, or lists that make one."""
    if is_endless(value):
        return False
    if not isinstance(value, np.ndarray):
        if isinstance(value, str | bytes | Mapping | set) or not isinstance(value, Iterable | int | float | complex):
            return False
        try:
            value = np.asarray(value)
        except (ValueError, TypeError):
            return False
    return value.dtype.kind in "iufc"


def is_real(value: Any) -> bool:
    """Whether it is a real number, an array of them, or lists that make one."""
    return is_number(value) or (is_numeric(value) and np.asarray(value).dtype.kind in "iuf")


def is_list(value: Any) -> bool:
    """Whether it is a list, a tuple or an array: no text, no mapping, nothing that runs out."""
    if isinstance(value, np.ndarray):
        return value.ndim > 0
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def is_usual(value: Any) -> bool:
    """Whether something may be given somewhere: no bytes, sets, classes or complex numbers, and no rows of different
    lengths."""
    if is_endless(value):
        return False
    if isinstance(value, list | tuple):
        try:
            return np.asarray(value).dtype.kind != "c"
        except ValueError:
            return False
    return not isinstance(value, bytes | set | frozenset | type | complex)


def is_series(value: Any) -> bool:
    """Whether one thing after the other comes out of it: a list, a set, the keys of a mapping, a generator; no text."""
    if isinstance(value, np.ndarray):
        return value.ndim > 0
    return isinstance(value, Iterable) and not isinstance(value, str | bytes | type)


def as_array(value: Any, what: str) -> np.ndarray:
    """A float64 array of any shape; text, booleans, complex numbers, ragged lists and endless ranges are refused."""
    if is_endless(value):
        raise ModelError.at(what, f"got {shown(value)}, more numbers than fit into memory; give fewer")
    try:
        array = np.asarray(value)
    except ValueError:
        raise ModelError.at(what, f"rows of different lengths in {shown(value)}") from None
    if array.dtype.kind not in "iuf":
        raise ModelError.at(what, f"got {shown(value)}; give real numbers")
    return array.astype(np.float64)


def as_number(value: Any, what: str) -> float:
    """A float; not-a-number passes, to be reported with everything else when the system is checked."""
    array = as_array(value, what)
    if array.ndim != 0:
        raise ModelError.at(what, f"got {shown(value)}; give one real number")
    return float(array)


def as_vector(value: Any, what: str, size: int = 3) -> np.ndarray:
    """A read-only vector of ``size`` numbers; not-a-number passes, as in `as_number`."""
    array = as_array(value, what)
    if array.shape != (size,):
        raise ModelError.at(what, f"got {shown(value)}; give {size} numbers")
    return readonly(array)


def random_from(seed: Any) -> np.random.Generator:
    """NumPy's generator of random numbers, from a whole number that is not negative."""
    if not is_whole(seed) or seed < 0:
        raise ModelError.at("seed", f"got {shown(seed)}; give a whole number, 0 or more")
    return np.random.default_rng(int(seed))


AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def as_axis(value: Any, what: str = "axis") -> np.ndarray:
    """A direction, (3,), as it was given: ``"x"``, ``"y"``, ``"z"`` or three numbers of any length."""
    if isinstance(value, str):
        if value not in AXES:
            raise ModelError.at(what, f'got "{value}"; give "x", "y", "z" or three numbers')
        return readonly(np.array(AXES[value]))
    return as_vector(value, what)


def field_of(what: str) -> str:
    """The field that a quantity in a message is: "mass" of "mass [kg]", "gear" of "drive: gear", "EI" of "EI[0]"."""
    return what.partition(" [")[0].rpartition(" ")[2].partition("[")[0]


def axis_problems(axis: ArrayLike, address: str, what: str = "axis") -> list[Problem]:
    """Whether a direction is finite and has a length; `what` it is ends in the name of its field."""
    if not np.all(np.isfinite(np.asarray(axis))):
        wrong = "which is not finite"
    elif not np.linalg.norm(np.asarray(axis)) > 1e-150:
        wrong = "of zero length"
    else:
        return []
    return [Problem(address, f"{what} is {numbers(axis)}, {wrong}; give a direction", field_of(what))]


def number_problems(
    value: float, address: str, what: str, *, least: float = -math.inf, above: float = -math.inf, field: str = ""
) -> list[Problem]:
    """Whether a number is finite, at least ``least`` and greater than ``above``; `what` it is ends in the name of its
    `field` and its unit, where nothing else is said."""
    if not math.isfinite(value):
        wrong = ", which is not a finite number"
    elif value < least:
        wrong = f"; it must be at least {least:g}"
    elif value <= above:
        wrong = f"; it must be greater than {above:g}"
    else:
        return []
    return [Problem(address, f"{what} is {value:g}{wrong}", field or field_of(what))]


def finite_problems(array: np.ndarray, address: str, what: str) -> list[Problem]:
    """Whether every entry of an array is finite."""
    if np.all(np.isfinite(array)):
        return []
    return [Problem(address, f"{what} is {numbers(array)}; every entry must be a finite number", field_of(what))]


def name_problems(name: Any, address: str, what: str) -> list[Problem]:
    """Whether a name can be part of an address: text, not empty, no dots or spaces around it, no body named world."""
    if not isinstance(name, str):
        return [Problem(address, f"{what} name is {shown(name)}; a name is text", "name")]
    if not name.strip():
        return [Problem(address, f"{what} name is empty; give it a name", "name")]
    if "." in name:
        return [
            Problem(address, f'{what} name "{name}" has a dot, which separates body and frame; leave it out', "name")
        ]
    if name != name.strip():
        return [Problem(address, f'{what} name "{name}" has spaces around it; leave them out', "name")]
    if CONTROL.search(name):
        return [Problem(address, f"{what} name {name!r} has a character that is no text; leave it out", "name")]
    if what == "body" and name == "world":
        return [Problem(address, 'body name "world" is taken by the world; choose another', "name")]
    return []


def suggestion(name: str, known: Iterable[str]) -> str:
    """What could have been meant by an unknown name: the closest one, and what exists."""
    names = sorted({str(item) for item in known})
    close = difflib.get_close_matches(str(name), names, n=1)
    listed = ", ".join(names[:12]) + (f", ... ({len(names)} in all)" if len(names) > 12 else "")
    exists = f"there are: {listed}" if names else "there are none"
    return f'did you mean "{close[0]}"? {exists}' if close else exists


def expect_keys(data: Any, address: str, required: Iterable[str], optional: Iterable[str] = ()) -> Mapping[str, Any]:
    """A mapping with exactly the keys that are known; everything missing or unknown is reported at once."""
    if not isinstance(data, Mapping):
        raise ModelError.at(address, f"got {shown(data)}; give a mapping of names to values")
    required, optional = list(required), list(optional)
    problems = [Problem(address, f'"{key}" is missing', key) for key in required if key not in data]
    known = [*required, *optional]
    for key in data:
        if key not in known:
            problems.append(Problem(address, f'unknown key "{key}"; {suggestion(str(key), known)}', str(key)))
    if problems:
        raise ModelError(problems)
    return data


def expect_text(value: Any, address: str) -> str:
    """A text, or an error that says what was given."""
    if not isinstance(value, str):
        raise ModelError.at(address, f"got {shown(value)}; give text")
    return value


def expect_list(value: Any, address: str) -> list[Any]:
    """A list, or an error that says what was given."""
    if not isinstance(value, (list, tuple)):
        raise ModelError.at(address, f"got {shown(value)}; give a list")
    return list(value)


def enough_digits(value: float, accepted: Callable[[float], bool]) -> str:
    """A number with as few digits as are needed for what is written to be accepted; all of them where none are."""
    written = (f"{value:.{digits}g}" for digits in range(3, 17))
    return next((text for text in written if accepted(float(text))), repr(float(value)))


def numbers(array: Any) -> str:
    """Numbers as a person writes them: (0, 0, -9.81)."""
    flat = np.asarray(array, dtype=np.float64)
    if flat.ndim == 0:
        return f"{float(flat):g}"
    if flat.size > 16:
        return f"an array of shape {flat.shape}"
    return "(" + ", ".join(numbers(entry) for entry in flat) + ")"


def shown(value: Any) -> str:
    """What was given, short enough for one line."""
    text = " ".join(repr(value).split())
    return text if len(text) <= 80 else text[:77] + "..."


def with_article(label: str) -> str:
    """ "a Beam", "an Event"."""
    return f"{'an' if label[:1] in 'AEIOU' else 'a'} {label}"
