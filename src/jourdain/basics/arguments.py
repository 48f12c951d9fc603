"""Arguments of public functions that failed, judged by what their signatures say.

A `checked` function that ends in an error which is not one of Jourdain's own looks at its arguments: one that is not of
the type that its annotation says is the culprit, and the error becomes `until: got "soon"; simulate takes a
number`. Where all of them fit the error stays what it is: a fault in Jourdain, or in a function that the user gave.
What works costs nothing and is never refused, and errors that functions raise with better words stay as they are. A
range of more numbers than fit into memory is refused at once: what goes through it would not end.
Public classes and functions, and the classes that they inherit from, are `checked` where they are defined.
"""

from __future__ import annotations

import functools
import importlib
import inspect
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from .errors import JourdainError, ModelError
from .values import is_endless, is_number, is_usual, shown, with_article

if TYPE_CHECKING:
    from .value_types import ValueType

T = TypeVar("T")
HUGE = 1e100
"""Where a number is blamed for an error that nothing else explains."""


class ArgumentError(ModelError):
    """An argument of a type that a function does not take; the error that it led to is its cause."""


def checked(thing: T) -> T:
    """A function that looks at its arguments where it fails, or a class whose own public methods do."""
    if not isinstance(thing, type):
        return _checked(thing, None) if inspect.isfunction(thing) else thing
    for name, found in list(vars(thing).items()):
        if name.startswith("_") and name != "__init__":
            continue
        if inspect.isfunction(found):
            setattr(thing, name, _checked(found, thing))
        elif isinstance(found, classmethod | staticmethod) and inspect.isfunction(found.__func__):
            setattr(thing, name, type(found)(_checked(found.__func__, thing, isinstance(found, staticmethod))))
    return thing


def _checked(function: Any, owner: type | None, static: bool = False) -> Any:
    """The function with its checks.

    owner     of a method, the class that it is of
    static    whether it takes no object or class
    """
    if hasattr(function, "checks_arguments") or hasattr(function, "__isabstractmethod__"):
        return function

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        if range in map(type, args) or (kwargs and range in map(type, kwargs.values())):
            _refuse_endless(function, owner, args, kwargs)
        try:
            return function(*args, **kwargs)
        except (OSError, Warning):
            raise
        except MemoryError as error:
            _refuse_endless(function, owner, args, kwargs, error)
            raise
        except Exception as error:
            known = isinstance(error, JourdainError) and not isinstance(error, ArgumentError)
            _judge(function, owner, owner is not None and not static, args, kwargs, error, known)
            raise

    wrapper.checks_arguments = True  # type: ignore[attr-defined]
    return wrapper


def _title(function: Any, owner: type | None, args: tuple[Any, ...]) -> str:
    """What messages call the function: the name of the class where it makes an object of it."""
    if function.__name__ == "__init__":
        return type(args[0]).__name__
    return function.__name__ if owner is None else f"{owner.__name__}.{function.__name__}"


def _judge(
    function: Any,
    owner: type | None,
    bound: bool,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    error: Exception,
    known: bool,
) -> None:
    """An `ArgumentError` where an argument explains an error.

    owner    of a method, the class that it is of
    bound    whether its first argument is an object of that, or the class
    known    whether the error is one of Jourdain's own
    """
    where = _title(function, owner, args)
    method = bound and args and not (isinstance(args[0], type) or function.__name__ == "__init__")
    if method and owner is not None and not isinstance(args[0], owner):
        stated = f"got {shown(args[0])}; {where} is a method of {with_article(owner.__name__)}"
        raise ArgumentError.at("self", stated) from error
    below = error.__traceback__.tb_next  # type: ignore[union-attr]
    if known or below is None:
        return  # one of our own, or Python's about the number and the names of arguments
    given = [one for one in _given(function, bound, args, kwargs) if one[1] is not None]
    for name, (accepts, words), value in given:  # type: ignore[misc]
        if not accepts(value):
            raise ArgumentError.at(name, f"got {shown(value)}; {where} takes {words}") from error
    for name, _, value in given:
        if is_number(value) and not abs(value) < HUGE:
            raise ArgumentError.at(name, f"got {shown(value)}; {where} takes a finite number") from error


def _given(
    function: Any, bound: bool, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Iterator[tuple[str, tuple[Callable[[Any], bool], str] | None, Any]]:
    """Names of arguments, what their annotations take, a test and words, and the values that were given."""
    parameters = list(inspect.signature(function).parameters.values())
    placed = [one for one in parameters if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    rest = [one for one in parameters if one.kind == one.VAR_POSITIONAL]
    placed += rest * max(0, len(args) - len(placed))
    named = {one.name: one for one in parameters if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)}
    pairs = [*list(zip(placed, args, strict=False))[bound:], *((named.get(key), one) for key, one in kwargs.items())]
    for one, value in pairs:
        if one is not None:
            yield one.name, _takes(function, one), value


def _takes(function: Any, one: inspect.Parameter) -> tuple[Callable[[Any], bool], str] | None:
    """What the annotation of a parameter takes; None where that is anything."""
    if not isinstance(one.annotation, str):
        return None
    if one.annotation == "Any":
        return is_usual, "numbers, names or objects of Jourdain"  # what may be given somewhere
    annotations = importlib.import_module(".annotations", __package__)  # which knows poses, and they are checked too
    found: ValueType | None = annotations.value_type(one.annotation, getattr(function, "__globals__", {}))
    factory = type(one.default).__name__ == "_HAS_DEFAULT_FACTORY_CLASS"  # a default that is yet to be made
    if found is not None and one.default is not one.empty and not factory and not found.accepts(one.default):
        found = annotations.Nullable(found) if one.default is None else None
    return None if found is None else (found.accepts, found.words(python=True))


def _refuse_endless(
    function: Any, owner: type | None, args: tuple[Any, ...], kwargs: dict[str, Any], error: Exception | None = None
) -> None:
    """An error where an argument is a range of more numbers than there is memory for."""
    names = inspect.signature(function).parameters
    for name, value in [*zip(names, args, strict=False), *kwargs.items()]:
        if is_endless(value):
            where = _title(function, owner, args)
            stated = f"got {shown(value)}, more numbers than fit into memory; {where} takes fewer"
            raise ArgumentError.at(name, stated) from error
