"""Types of arguments as short text and back, as the files of the cache and the helper process name them.

f float64, s float32, i int64, u uint64, b bool, c complex128, y int8, o uint8, n nothing; (...) a tuple,
(module:Name|...) a named one; <f2> a contiguous array of 2 dimensions, <f2!> a read-only one, <f2A> one with any
strides; {module:W} a record; [module:Vec3.f] a value of fixed size, [module:BodyState] a row, [module:BodyState:] a
table of them; anything else, such as a pointer, has no spelling.
"""

from __future__ import annotations

import importlib
import re
from typing import Any

from ..arrays import kernel_array
from ..fixed_size import CLASSES, FixedSizeType, fixed_size_type
from ..records import RecordType, type_named
from ..rows import RowType, row_type_name, row_type_named
from .numba_private import types

SCALARS = {
    "f": types.float64,
    "s": types.float32,
    "i": types.int64,
    "u": types.uint64,
    "b": types.boolean,
    "c": types.complex128,
    "y": types.int8,
    "o": types.uint8,
    "n": types.none,
}
LETTERS = {kind: letter for letter, kind in SCALARS.items()}


_NAMED = re.compile(r"([\w.]+):([\w.]+)\|")


def _class_of(module: str, name: str) -> type:
    return getattr(importlib.import_module(module), name)


class UnnamedType(ValueError):
    """A type that only this process knows."""


def plain(kind: Any) -> Any:
    """A type without the value of a literal in it, which would make an overload of its own; arrays as kernels have
    them, those of a user's function too (`user_types`)."""
    if isinstance(kind, types.BaseTuple):
        return types.BaseTuple.from_types(
            tuple(plain(one) for one in kind.types), getattr(kind, "instance_class", None)
        )
    return kernel_array(types.unliteral(getattr(kind, "trusted", kind)))


def spelt(kind: Any) -> str:
    """The text of a type."""
    if kind in LETTERS:
        return LETTERS[kind]
    if isinstance(kind, types.BaseTuple):
        cls = getattr(kind, "instance_class", None)
        name = "" if cls is None else f"{cls.__module__}:{cls.__qualname__}|"
        return f"({name}{''.join(spelt(one) for one in kind.types)})"
    if isinstance(kind, types.Array) and kind.dtype in LETTERS and kind.layout in "CA":
        return f"<{LETTERS[kind.dtype]}{kind.ndim}{'A' * (kind.layout == 'A')}{'!' * (not kind.mutable)}>"
    if isinstance(kind, RecordType):
        return f"{{{kind.cls.__module__}:{kind.name}}}"
    if isinstance(kind, FixedSizeType):
        return f"[{kind.cls.__module__}:{kind.cls.__name__}.{LETTERS[kind.dtype]}]"
    if isinstance(kind, RowType):
        return f"[{kind.cls.__module__}:{row_type_name(kind)}]"
    raise UnnamedType(str(kind))


def read(text: str) -> tuple[Any, ...]:
    """The types that a text spells, one behind the other."""
    found: list[list[Any]] = [[]]
    names: list[type | None] = []
    at = 0
    while at < len(text):
        letter = text[at]
        if letter == "(":
            found.append([])
            named = _NAMED.match(text, at + 1)
            names.append(None if named is None else _class_of(named[1], named[2]))
            at = at if named is None else named.end() - 1
        elif letter == ")":
            inner, cls = tuple(found.pop()), names.pop()
            found[-1].append(types.BaseTuple.from_types(inner, cls))
        elif letter == "<":
            end = text.index(">", at)
            word = text[at + 1 : end]
            layout = "A" if "A" in word else "C"
            array = types.Array(SCALARS[word[0]], int(word[1]), layout, readonly=word.endswith("!"))
            found[-1].append(kernel_array(array))
            at = end
        elif letter == "[":
            end = text.index("]", at)
            module, _, word = text[at + 1 : end].partition(":")
            importlib.import_module(module)
            name, _, dtype = word.partition(".")
            found[-1].append(fixed_size_type(CLASSES[name], SCALARS[dtype]) if dtype else row_type_named(word))
            at = end
        elif letter == "{":
            end = text.index("}", at)
            module, name = text[at + 1 : end].split(":")
            importlib.import_module(module)
            found[-1].append(type_named(name))
            at = end
        else:
            found[-1].append(SCALARS[letter])
        at += 1
    return tuple(found[0])
