"""Arguments of public functions that failed, judged by what their signatures say.

A ``checked`` function that ends in an error which is not one of Jourdain's own looks at its arguments: one that is none
of the kinds that its annotation names is the culprit, and the error becomes `until: got "soon"; simulate takes a
number`. Where all of them fit the error stays what it is: a fault in Jourdain, or in a function that the user gave.
What works costs nothing and is never refused, and errors that functions raise with better words stay as they are. A
range of more numbers than fit into memory is refused at once: what goes through it would not end.
`jourdain` hands its public names out checked, so that a new one is as the others are.
"""

from __future__ import annotations

import ast
import builtins
import functools
import inspect
import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import PurePath
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from . import types
from .errors import JourdainError, ModelError
from .values import is_endless, is_list, is_number, is_numeric, is_real, is_series, is_usual, is_whole, shown


class ArgumentError(ModelError):
    """An argument of a kind that a function does not take; the error that it led to is its cause."""


class ValueSpec(NamedTuple):
    """A kind of value.

    test     whether a value is one
    words    what to give, for messages: "a number"
    """

    test: Callable[[Any], bool]
    words: str


SIMPLE: dict[Any, ValueSpec] = {
    float: ValueSpec(is_number, "a number"),
    int: ValueSpec(is_whole, "a whole number"),
    complex: ValueSpec(lambda value: is_number(value) or isinstance(value, complex | np.complexfloating), "a number"),
    str: ValueSpec(lambda value: isinstance(value, str), "text"),
    bool: ValueSpec(lambda value: isinstance(value, bool | np.bool_), "True or False"),
    np.ndarray: ValueSpec(is_numeric, "an array of numbers"),
    ArrayLike: ValueSpec(is_real, "numbers"),
    dict: ValueSpec(lambda value: isinstance(value, Mapping), "a mapping"),
    Mapping: ValueSpec(lambda value: isinstance(value, Mapping), "a mapping"),
    list: ValueSpec(is_list, "a list"),
    tuple: ValueSpec(is_list, "a list"),
    Sequence: ValueSpec(is_list, "a list"),
    Iterable: ValueSpec(is_series, "a list"),
    Collection: ValueSpec(is_series, "a list"),
    Callable: ValueSpec(callable, "a function"),
    os.PathLike: ValueSpec(lambda value: isinstance(value, str | os.PathLike), "the name of a file"),
    PurePath: ValueSpec(lambda value: isinstance(value, str | os.PathLike), "the name of a file"),
}
ANYTHING = ValueSpec(is_usual, "numbers, names or objects of Jourdain")
"""What `Any` stands for: what may be given somewhere."""
HUGE = 1e100
"""Where a number is blamed for an error that nothing else explains."""
FINITE = ValueSpec(lambda value: abs(value) < HUGE, "a finite number")
NOTHING = ValueSpec(lambda value: value is None, "None")
ELEMENTS = 1000
"""Elements of a list that are looked at."""


def fits(annotation: str, names: Mapping[str, Any]) -> ValueSpec | None:
    """What a value must be to fit an annotation; None where everything does, or more than is known here.

    names    what the names in it stand for; one that is not there is a class, known by its name
    """
    try:
        return _fits(ast.parse(annotation, mode="eval").body, names)
    except SyntaxError:
        return None


def _fits(node: ast.expr, names: Mapping[str, Any]) -> ValueSpec | None:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _either(_fits(node.left, names), _fits(node.right, names))
    if isinstance(node, ast.Constant) and node.value is None:
        return NOTHING
    if isinstance(node, ast.Subscript):
        return _several(node, names)
    if isinstance(node, ast.Name | ast.Attribute):
        return _one(node, names)
    return None


def _either(first: ValueSpec | None, second: ValueSpec | None) -> ValueSpec | None:
    if first is None or second is None:
        return None
    one, other = first.test, second.test
    words = first.words if first.words == second.words else f"{first.words} or {second.words}"
    return ValueSpec(lambda value: one(value) or other(value), words)


def _one(node: ast.expr, names: Mapping[str, Any]) -> ValueSpec | None:
    """A class: one of the simple kinds, or any other by itself or by its name; or one of `basics.types`."""
    found = _meaning(node, names)
    if isinstance(found, str):
        return fits(found, vars(types))
    label = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
    if found is None:
        return ValueSpec(lambda value: any(base.__name__ == label for base in type(value).__mro__), _a(label))
    for kind, simple in SIMPLE.items():
        if found is kind or (kind is PurePath and isinstance(found, type) and issubclass(found, PurePath)):
            return simple
    if not isinstance(found, type) or found in (object, Any) or getattr(found, "_is_protocol", False):
        return None
    return ValueSpec(lambda value: isinstance(value, found), _a(label))


def _several(node: ast.Subscript, names: Mapping[str, Any]) -> ValueSpec | None:
    """A container; of texts, or of objects, its elements are looked at too. Or one of some words."""
    found = _meaning(node.value, names)
    if found is Literal:
        return _words(node.slice)
    whole = SIMPLE.get(found) if isinstance(found, type) or found is Callable else None
    if whole is None or found in (os.PathLike, Callable, np.ndarray, dict, Mapping):
        return whole
    inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    if found is tuple and all(isinstance(one, ast.Name) and one.id == "float" for one in inner):
        size = len(inner)
        return ValueSpec(lambda value: is_list(value) and is_numeric(value) and len(value) == size, f"{size} numbers")
    each = None if len(inner) != 1 and not _endless(inner) else _fits(inner[0], names)
    if each is None:
        return whole
    plural = {"text": "texts", "a number": "numbers", "a whole number": "whole numbers"}
    words = f"a list of {plural.get(each.words, each.words)}"
    return ValueSpec(lambda value: whole.test(value) and _elements(value, each.test), words)


def _words(node: ast.expr) -> ValueSpec:
    """One of some words."""
    listed = node.elts if isinstance(node, ast.Tuple) else [node]
    known = [str(one.value) for one in listed if isinstance(one, ast.Constant)]
    words = " or ".join(f'"{one}"' for one in known)
    return ValueSpec(lambda value: isinstance(value, str) and value in known, words)


def _endless(inner: list[ast.expr]) -> bool:
    return len(inner) == 2 and isinstance(inner[1], ast.Constant) and inner[1].value is Ellipsis


def _elements(value: Any, test: Callable[[Any], bool]) -> bool:
    """Whether the elements of a list pass; generators, read once only, and long arrays are not looked into."""
    if isinstance(value, np.ndarray):
        return value.size > ELEMENTS or all(test(one) for one in value)
    if isinstance(value, Sequence | set | frozenset | Mapping):
        return len(value) > ELEMENTS or all(test(one) for one in value)
    return True


def _meaning(node: ast.expr, names: Mapping[str, Any]) -> Any:
    """What a name stands for: a class, or something else that is not None; None where that is not known."""
    if isinstance(node, ast.Name):
        return names.get(node.id, getattr(builtins, node.id, vars(types).get(node.id)))
    if isinstance(node, ast.Attribute):
        owner = _meaning(node.value, names)
        return None if owner is None else getattr(owner, node.attr, None)
    return None


def _a(label: str) -> str:
    return f"{'an' if label[:1] in 'AEIOU' else 'a'} {label}"


class _Check(NamedTuple):
    """What an argument must be."""

    name: str
    fits: ValueSpec

    def told(self, value: Any, where: str) -> str:
        """What is wrong with a value."""
        return f"got {shown(value)}; {where} takes {self.fits.words}"


class _Checks(NamedTuple):
    """Checks of the arguments of a function.

    placed    of those that have a place, in order; None where everything fits
    named     of those that have a name
    rest      of those that follow, for all of them
    """

    placed: list[_Check | None]
    named: dict[str, _Check]
    rest: _Check | None


def _checks(function: Callable[..., Any], skip_first: bool) -> _Checks:
    names = getattr(function, "__globals__", {})
    out = _Checks([], {}, None)
    for k, (name, one) in enumerate(inspect.signature(function).parameters.items()):
        found = None
        if not (skip_first and k == 0) and isinstance(one.annotation, str) and one.kind != one.VAR_KEYWORD:
            found = ANYTHING if one.annotation == "Any" else fits(one.annotation, names)
            if found is not None and one.default is not one.empty and not _passes(found, one.default):
                found = _either(found, NOTHING) if one.default is None else None
        check = None if found is None else _Check(name, found)
        if one.kind == one.VAR_POSITIONAL:
            out = out._replace(rest=check)
        elif one.kind != one.KEYWORD_ONLY:
            out.placed.append(check)
        if check is not None and one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY):
            out.named[name] = check
    return out


def _misfit(checks: _Checks, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[_Check, Any] | None:
    """The first argument that does not fit, and what to say of it."""
    placed = [*checks.placed, *[checks.rest] * max(0, len(args) - len(checks.placed))]
    named = [(checks.named.get(name), value) for name, value in kwargs.items()]
    given = [(check, value) for check, value in [*zip(placed, args, strict=False), *named] if check is not None]
    for check, value in given:
        if not check.fits.test(value):
            return check, value
    for check, value in given:
        if is_number(value) and not abs(value) < HUGE:
            return check._replace(fits=FINITE), value
    return None


def _passes(found: ValueSpec, value: Any) -> bool:
    """Whether a default fits; one that stands for a default yet to be made is not judged."""
    return type(value).__name__ == "_HAS_DEFAULT_FACTORY_CLASS" or found.test(value)


def checked(thing: Any) -> Any:
    """A function that looks at its arguments where it fails, or a class whose public methods do."""
    if isinstance(thing, type):
        return _checked_class(thing)
    if not inspect.isfunction(thing) or hasattr(thing, "checks_arguments"):
        return thing
    return _checked_function(thing, thing.__name__, False)


def _checked_function(
    function: Callable[..., Any], where: str, skip_first: bool, owner: type | None = None
) -> Callable[..., Any]:
    """The function with its checks; owner: of a method, the class that it is of."""
    if hasattr(function, "checks_arguments") or hasattr(function, "__isabstractmethod__"):
        return function
    checks = _checks(function, skip_first)
    if not checks.named and not any(checks.placed) and checks.rest is None and owner is None:
        return function

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        if range in map(type, args) or (kwargs and range in map(type, kwargs.values())):
            _refuse_endless(function, where, args, kwargs)
        try:
            return function(*args, **kwargs)
        except (OSError, Warning):
            raise
        except MemoryError as error:
            _refuse_endless(function, where, args, kwargs, error)
            raise
        except Exception as error:
            if owner is not None and args and not isinstance(args[0], owner):
                told = f"got {shown(args[0])}; {where} is a method of {_a(owner.__name__)}"
                raise ArgumentError.at("self", told) from error
            known = isinstance(error, JourdainError) and not isinstance(error, ArgumentError)
            if known or error.__traceback__.tb_next is None:  # type: ignore[union-attr]
                raise  # one of our own, or Python's about the number and the names of arguments
            culprit = _misfit(checks, args, kwargs)
            if culprit is None:
                raise
            raise ArgumentError.at(culprit[0].name, culprit[0].told(culprit[1], where)) from error

    wrapper.checks_arguments = True  # type: ignore[attr-defined]
    return wrapper


def _refuse_endless(
    function: Callable[..., Any],
    where: str,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    error: MemoryError | None = None,
) -> None:
    """An error where an argument is a range of more numbers than there is memory for."""
    names = inspect.signature(function).parameters
    for name, value in [*zip(names, args, strict=False), *kwargs.items()]:
        if is_endless(value):
            told = f"got {shown(value)}, more numbers than fit into memory; {where} takes fewer"
            raise ArgumentError.at(name, told) from error


def _checked_class(cls: type) -> type:
    if "checks_arguments" in vars(cls):
        return cls
    init = cls.__init__  # type: ignore[misc]  # that of the class itself
    if inspect.isfunction(init):
        _put(cls, "__init__", _checked_function(init, cls.__name__, True))
    for name in dir(cls):
        if name.startswith("_"):
            continue
        for owner in cls.__mro__:
            if name in vars(owner):
                if owner.__module__.startswith("jourdain"):
                    _check_method(owner, name)
                break
    try:
        cls.checks_arguments = True  # type: ignore[attr-defined]
    except (AttributeError, TypeError):
        pass
    return cls


def _check_method(owner: type, name: str) -> None:
    found = vars(owner)[name]
    where = f"{owner.__name__}.{name}"
    if inspect.isfunction(found):
        _put(owner, name, _checked_function(found, where, True, owner))
    elif isinstance(found, classmethod | staticmethod) and inspect.isfunction(found.__func__):
        inner = _checked_function(found.__func__, where, isinstance(found, classmethod))
        _put(owner, name, type(found)(inner))


def _put(owner: type, name: str, value: Any) -> None:
    before = vars(owner).get(name)
    if before is not value and getattr(before, "__func__", None) is not getattr(value, "__func__", value):
        setattr(owner, name, value)
