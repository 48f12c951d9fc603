"""Value types of annotations: what a signature says is what is checked, described, read from files and documented."""

from __future__ import annotations

import ast
import builtins
import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import PurePath
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from . import types
from .composite_types import ListOf, MappingOf, Nullable, ObjectOf, Union
from .value_types import Array, Axis, Boolean, Integer, Number, PoseType, PythonOnly, Rotation, Text, ValueType
from .values import is_list, is_number, is_numeric, is_series

FILE = PythonOnly(lambda value: isinstance(value, str | os.PathLike), "the name of a file")
LIST = PythonOnly(is_list, "a list")
SERIES = PythonOnly(is_series, "a list")
MAPPING = PythonOnly(lambda value: isinstance(value, Mapping), "a mapping")
COMPLEX = PythonOnly(lambda value: is_number(value) or isinstance(value, complex | np.complexfloating), "a number")
SIMPLE: dict[Any, ValueType] = {
    **{float: Number(), int: Integer(), bool: Boolean(), str: Text(), complex: COMPLEX, ArrayLike: Array()},
    **{dict: MAPPING, Mapping: MAPPING, list: LIST, tuple: LIST, Sequence: LIST, Iterable: SERIES, Collection: SERIES},
    **{np.ndarray: PythonOnly(is_numeric, "an array of numbers"), Callable: PythonOnly(callable, "a function")},
    **{os.PathLike: FILE, PurePath: FILE},
}
"""Value types of classes."""
NAMED: dict[str, ValueType] = {
    "AxisLike": Axis(),
    "RotationLike": Rotation(),
    "PlaceLike": PoseType(),
    "VectorLike": Array(3),
}
"""Value types of names in `basics.types` that say more than what they stand for; the others are read as that."""
Names = Mapping[str, Any]


def value_type(annotation: str, names: Names) -> ValueType | None:
    """The type of values that fit an annotation; None where everything does, or more than is known here.

    names    what the names in it stand for; one that is not there is a class, known by its name
    """
    try:
        return _of(ast.parse(annotation, mode="eval").body, names)
    except SyntaxError:
        return None


def _of(node: ast.expr, names: Names) -> ValueType | None:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        first, second = _of(node.left, names), _of(node.right, names)
        if isinstance(node.right, ast.Constant) and node.right.value is None:
            return None if first is None else Nullable(first)
        if first is None or second is None:
            return None
        return Union(*(first.types if isinstance(first, Union) else (first,)), second)
    if isinstance(node, ast.Subscript):
        return _container(node, names)
    return _single(node, names) if isinstance(node, ast.Name | ast.Attribute) else None


def _single(node: ast.Name | ast.Attribute, names: Names) -> ValueType | None:
    """A class: one of the simple ones, or any other by itself or by its name; or a name of `basics.types`."""
    label = node.id if isinstance(node, ast.Name) else node.attr
    found = NAMED.get(label) or _meaning(node, names)
    if isinstance(found, ValueType):
        return found
    if isinstance(found, str):
        return value_type(found, vars(types))
    if found is None:
        return ObjectOf(label)
    for kind, simple in SIMPLE.items():
        if found is kind or (kind is PurePath and isinstance(found, type) and issubclass(found, PurePath)):
            return simple
    if not isinstance(found, type) or found in (object, Any) or getattr(found, "_is_protocol", False):
        return None
    return ObjectOf(found)


def _container(node: ast.Subscript, names: Names) -> ValueType | None:
    """A list or a mapping, and what is in it; or one of some texts."""
    found = _meaning(node.value, names)
    inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    if found is Literal:
        return Text(tuple(str(one.value) for one in inner if isinstance(one, ast.Constant)))
    whole = SIMPLE.get(found) if isinstance(found, type) or found is Callable else None
    if whole is MAPPING and len(inner) == 2:
        each = _of(inner[1], names)
        return MAPPING if each is None else MappingOf(each)
    if whole not in (LIST, SERIES):
        return whole
    if found is tuple and all(isinstance(one, ast.Name) and one.id == "float" for one in inner):
        return Array(len(inner))
    endless = len(inner) == 2 and isinstance(inner[1], ast.Constant) and inner[1].value is Ellipsis
    each = _of(inner[0], names) if len(inner) == 1 or endless else None
    if each is None:
        return whole
    return Array(depth=1) if each == Number() else ListOf(each, series=whole is SERIES)


def _meaning(node: ast.expr, names: Names) -> Any:
    """What a name stands for: a class, or something else that is not None; None where that is not known."""
    if isinstance(node, ast.Name):
        return names.get(node.id, getattr(builtins, node.id, vars(types).get(node.id)))
    if isinstance(node, ast.Attribute):
        owner = _meaning(node.value, names)
        return None if owner is None else getattr(owner, node.attr, None)
    return None
