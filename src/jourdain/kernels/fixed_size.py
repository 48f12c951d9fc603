"""Values of a fixed number of numbers, in kernels and in Python: what `algebra.py` is made of.

A class of such values is an ordinary small Python class, and its operators are written once, in Python, on its numbers.
The interpreter runs them as they are. In a kernel the same lines are run once for each place where they stand, on
numbers that write LLVM instructions (`Emitted`): nothing is called, nothing is typed or inlined. So an operation has no
branch that depends on a number. What type an operation gives is found by trying it on ones.

    @operation
    def cross(a, b):
        return Vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from inspect import Parameter, Signature
from typing import Any

import numpy as np
from llvmlite import ir
from numba.extending import lower_builtin, lower_cast, register_model, type_callable

from .compiling.numba_private import (
    AttributeTemplate,
    infer_getattr,
    lower_getattr_generic,
    models,
    signature_of,
    types,
)


class FixedSize:
    """A value of `size` numbers; `members` are values within it: (class, first of its numbers) by name."""

    __slots__ = ("numbers",)
    __array_ufunc__ = None  # a number of NumPy's leaves its product with a value to the value
    size = 0
    members: dict[str, tuple[type[FixedSize], int]] = {}
    numbers: tuple[Any, ...]

    def __init_subclass__(cls) -> None:
        for name, (kind, first) in cls.members.items():
            setattr(cls, name, _member(kind, first))
        _registered(cls, cls)

    def __init__(self, *given: Any) -> None:
        found: list[Any] = []
        for one in given:
            if isinstance(one, FixedSize):
                if type(one) is not type(self) and (type(one), len(found)) not in self.members.values():
                    raise TypeError(f"{type(self).__name__} has no {type(one).__name__} at {len(found)}")
                found += one.numbers
            elif isinstance(one, tuple):
                found += one
            else:
                found.append(one)
        if len(found) != self.size:
            raise TypeError(f"{type(self).__name__} takes {self.size} numbers; got {len(found)}")
        self.numbers = tuple(found)

    @classmethod
    def of(cls, numbers: Any) -> Any:
        """The value of these numbers, as many as there have to be."""
        made = object.__new__(cls)
        made.numbers = tuple(numbers)
        return made

    def __iter__(self) -> Iterator[Any]:
        return iter(self.numbers)

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, k: int) -> Any:
        return self.numbers[k]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(str, self.numbers))})"

    @property
    def is_complex(self) -> bool:
        """Whether one of its numbers is complex."""
        return any(isinstance(one, complex) for one in self.numbers)

    @property
    def zero(self) -> Any:
        """The zero of its kind, whatever its numbers are."""
        return self.of([_zero(one) for one in self.numbers])

    def __add__(self, other: Any) -> Any:
        if type(other) is not type(self):
            return NotImplemented
        return self.of([a + b for a, b in zip(self.numbers, other.numbers, strict=True)])

    def __sub__(self, other: Any) -> Any:
        if type(other) is not type(self):
            return NotImplemented
        return self.of([a - b for a, b in zip(self.numbers, other.numbers, strict=True)])

    def __neg__(self) -> Any:
        return self.of([-a for a in self.numbers])

    def __mul__(self, factor: Any) -> Any:
        if isinstance(factor, FixedSize | tuple):
            return NotImplemented
        return self.of([a * factor for a in self.numbers])

    def __rmul__(self, factor: Any) -> Any:
        if isinstance(factor, tuple):
            return NotImplemented
        return self.of([factor * a for a in self.numbers])

    def __truediv__(self, divisor: Any) -> Any:
        if isinstance(divisor, FixedSize | tuple):
            return NotImplemented
        return self.of([a / divisor for a in self.numbers])

    def __matmul__(self, other: Any) -> Any:
        product = self.products().get(type(other))
        return NotImplemented if product is None else product(self, other)

    @classmethod
    def products(cls) -> dict[type, Callable[[Any, Any], Any]]:
        """What its products `@` are, by what it is multiplied with."""
        return {}


def _zero(number: Any) -> Any:
    """The zero of the kind of a number."""
    return number.constant(0.0) if isinstance(number, Emitted) else type(number)(0)


def _member(kind: type[FixedSize], first: int) -> property:
    """A value within another."""
    last = first + kind.size
    return property(lambda self: kind.of(self.numbers[first:last]), doc=f"Its {kind.__name__}.")


def number_property(k: int) -> property:
    """One of the numbers, by name."""
    return property(lambda self: self.numbers[k], doc=f"Number {k}.")


class Emitted:
    """A number in a function that is being written: its operators write LLVM instructions, as Numba's do."""

    __slots__ = ("at", "kind", "value")

    def __init__(self, at: tuple[Any, Any], kind: Any, value: Any) -> None:
        self.at, self.kind, self.value = at, kind, value

    def constant(self, number: float) -> Emitted:
        """A constant of its kind."""
        return Emitted(self.at, self.kind, self.at[0].get_constant_generic(self.at[1], self.kind, number))

    def cast(self, kind: Any) -> Emitted:
        """As a number of another kind."""
        if kind is self.kind:
            return self
        context, builder = self.at
        return Emitted(self.at, kind, context.cast(builder, self.value, self.kind, kind))

    def _do(self, other: Any, name: str, function: Any, *, swapped: bool = False) -> Any:
        if not isinstance(other, Emitted):
            if isinstance(other, FixedSize | tuple):
                return NotImplemented
            other = self.constant(other)
        kind = types.complex128 if types.complex128 in (self.kind, other.kind) else types.float64
        context, builder = self.at
        x, y = self.cast(kind).value, other.cast(kind).value
        if swapped:
            x, y = y, x
        if kind is types.float64 and name:
            return Emitted(self.at, kind, getattr(builder, name)(x, y))
        written = context.get_function(function, signature_of(kind, kind, kind))
        return Emitted(self.at, kind, written(builder, (x, y)))

    def __add__(self, other: Any) -> Any:
        return self._do(other, "fadd", operator.add)

    def __radd__(self, other: Any) -> Any:
        return self._do(other, "fadd", operator.add, swapped=True)

    def __sub__(self, other: Any) -> Any:
        return self._do(other, "fsub", operator.sub)

    def __rsub__(self, other: Any) -> Any:
        return self._do(other, "fsub", operator.sub, swapped=True)

    def __mul__(self, other: Any) -> Any:
        return self._do(other, "fmul", operator.mul)

    def __rmul__(self, other: Any) -> Any:
        return self._do(other, "fmul", operator.mul, swapped=True)

    def __truediv__(self, other: Any) -> Any:
        return self._do(other, "", operator.truediv)

    def __rtruediv__(self, other: Any) -> Any:
        return self._do(other, "", operator.truediv, swapped=True)

    def __pow__(self, other: Any) -> Any:
        return self._do(other, "", operator.pow)

    def __neg__(self) -> Any:
        context, builder = self.at
        written = context.get_function(operator.neg, signature_of(self.kind, self.kind))
        return Emitted(self.at, self.kind, written(builder, (self.value,)))


# ---------------------------------------------------------------------- types


class FixedSizeType(types.Type):
    """The Numba type of a class of values, of real or of complex numbers."""

    def __init__(self, cls: type[FixedSize], dtype: Any) -> None:
        self.cls, self.dtype, self.complex = cls, dtype, dtype is types.complex128
        super().__init__(cls.__name__ + "c" * self.complex)

    @property
    def key(self) -> Any:
        return self.name

    def unify(self, typingctx: Any, other: Any) -> Any:
        """A variable that is real here and complex there is complex."""
        if isinstance(other, FixedSizeType) and other.cls is self.cls:
            return self if self.complex else other
        return None

    def __reduce__(self) -> Any:
        return fixed_size_type, (self.cls, self.dtype)


_TYPES: dict[tuple[type, Any], FixedSizeType] = {}
CLASSES: dict[str, type[FixedSize]] = {}
"""Classes of values, by name."""


def fixed_size_type(cls: type[FixedSize], dtype: Any) -> FixedSizeType:
    """The one type of a class of values, of numbers of this type."""
    if (cls, dtype) not in _TYPES:
        _TYPES[cls, dtype] = FixedSizeType(cls, dtype)
    return _TYPES[cls, dtype]


@register_model(FixedSizeType)
class FixedSizeModel(models.StructModel):
    """Its numbers, one after the other."""

    def __init__(self, dmm: Any, fe_type: Any) -> None:
        super().__init__(dmm, fe_type, [(f"n{k}", fe_type.dtype) for k in range(fe_type.cls.size)])

    def as_it_is(self, builder: Any, value: Any) -> Any:
        """In memory and as a result it is what it is as a value."""
        return value

    as_data = from_data = as_return = from_return = as_it_is


_ONES = {types.float64: np.float64(1.0), types.complex128: np.complex128(1.0), types.boolean: True}


def _ones(kind: Any) -> Any:
    """A Python value of a type, all ones; None of types that operations know nothing of."""
    if isinstance(kind, FixedSizeType):
        return kind.cls.of([_ONES[kind.dtype]] * kind.cls.size)
    if isinstance(kind, types.BaseTuple):
        return tuple(map(_ones, kind.types))
    if isinstance(kind, types.Integer):
        return 1
    return _ONES.get(kind)


def type_of_value(value: Any) -> Any:
    """The type of a Python value that an operation gave."""
    if isinstance(value, FixedSize):
        return fixed_size_type(type(value), types.complex128 if value.is_complex else types.float64)
    if isinstance(value, tuple):
        return types.BaseTuple.from_types(tuple(map(type_of_value, value)))
    if isinstance(value, complex):
        return types.complex128
    return types.float64 if isinstance(value, float) else types.int64


def wrapped(at: tuple[Any, Any], kind: Any, value: Any) -> Any:
    """The Python value whose numbers are those of a value in the function that is being written."""
    if isinstance(kind, FixedSizeType):
        numbers = getattr(value, "numbers", None)  # of what was packed here
        if numbers is None:
            extract = at[1].extract_value
            numbers = tuple([Emitted(at, kind.dtype, extract(value, k)) for k in range(kind.cls.size)])
        return kind.cls.of(numbers)
    if isinstance(kind, types.BaseTuple):
        return tuple([wrapped(at, one, at[1].extract_value(value, k)) for k, one in enumerate(kind.types)])
    return Emitted(at, types.unliteral(kind), value)


def packed(at: tuple[Any, Any], kind: Any, value: Any) -> Any:
    """The value in the function that is being written, of a type, that an operation gave."""
    context, builder = at
    if isinstance(kind, FixedSizeType):
        numbers = tuple([_emitted(at, one, kind.dtype) for one in value.numbers])
        made = ir.Constant(context.get_value_type(kind), ir.Undefined)
        for k, one in enumerate(numbers):
            made = builder.insert_value(made, one.value, k)
        made.numbers = numbers
        return made
    if isinstance(kind, types.BaseTuple):
        return context.make_tuple(
            builder, kind, [packed(at, one, each) for one, each in zip(kind.types, value, strict=True)]
        )
    return _emitted(at, value, kind).value


def _emitted(at: tuple[Any, Any], number: Any, kind: Any) -> Emitted:
    """A number as one of this kind; numbers of Python's are constants."""
    if isinstance(number, Emitted):
        return number.cast(kind)
    return Emitted(at, kind, at[0].get_constant_generic(at[1], kind, number))


# ---------------------------------------------------------------------- operations


_ANY = Signature([Parameter(f"n{k}", Parameter.POSITIONAL_ONLY, default=None) for k in range(24)])
"""What Numba takes the parameters of an operation for: as many as are given, by their places."""


def _registered(what: Any, function: Callable[..., Any], *patterns: tuple[Any, ...]) -> None:
    """Lets kernels call `what`: its type is found by calling `function` on ones, its code by calling it on numbers
    that write instructions. `patterns` are the types that it is lowered for, of operators that others lower too."""

    def typing(context: Any) -> Callable[..., Any]:
        def typer(*arguments: Any) -> Any:
            if patterns and not any(isinstance(one, FixedSizeType) for one in arguments):
                return None
            try:
                with np.errstate(all="ignore"):
                    result = function(*map(_ones, arguments))
            except TypeError:
                return None
            return None if result is NotImplemented else signature_of(type_of_value(result), *arguments)

        typer.pysig = _ANY  # type: ignore[attr-defined]
        return typer

    def lowering(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        at = (context, builder)
        result = function(*[wrapped(at, kind, one) for kind, one in zip(sig.args, args, strict=True)])
        return packed(at, sig.return_type, result)

    type_callable(what)(typing)
    for pattern in patterns or ((types.VarArg(types.Any),),):
        lower_builtin(what, *pattern)(lowering)


def operation(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of values and numbers without branches, which kernels may call: written out where it is called."""
    _registered(function, function)
    return function


_BOTH, _FACTOR, _SCALED = (FixedSizeType, FixedSizeType), (types.Number, FixedSizeType), (FixedSizeType, types.Number)
for _function, _inplace, _patterns in (
    (operator.add, operator.iadd, (_BOTH,)),
    (operator.sub, operator.isub, (_BOTH,)),
    (operator.mul, operator.imul, (_FACTOR, _SCALED)),
    (operator.truediv, operator.itruediv, (_SCALED,)),
    (operator.matmul, operator.imatmul, (_BOTH,)),
    (operator.neg, None, ((FixedSizeType,),)),
    (tuple, None, ((FixedSizeType,),)),
):
    for _what in filter(None, (_function, _inplace)):
        _registered(_what, _function, *_patterns)


@type_callable(operator.getitem)
def type_number(context: Any) -> Callable[..., Any]:
    """`a[0]`: the place is known when the kernel is compiled."""

    def typer(value: Any, index: Any) -> Any:
        fits = isinstance(value, FixedSizeType) and isinstance(index, types.IntegerLiteral)
        return signature_of(value.dtype, value, index) if fits else None

    return typer


@lower_builtin(operator.getitem, FixedSizeType, types.IntegerLiteral)
def get_number(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind, index = sig.args
    return wrapped((context, builder), kind, args[0]).numbers[index.literal_value].value


@infer_getattr
class FixedSizeAttributes(AttributeTemplate):
    key = FixedSizeType

    def generic_resolve(self, typ: Any, attr: str) -> Any:
        if attr == "is_complex" or not isinstance(getattr(typ.cls, attr, None), property):
            return None
        return type_of_value(getattr(_ones(typ), attr))


@lower_getattr_generic(FixedSizeType)
def get_attribute(context: Any, builder: Any, typ: Any, value: Any, attr: str) -> Any:
    at = (context, builder)
    got = getattr(wrapped(at, typ, value), attr)
    return packed(at, type_of_value(getattr(_ones(typ), attr)), got)


@lower_cast(FixedSizeType, FixedSizeType)
@lower_cast(types.BaseTuple, FixedSizeType)
def cast_value(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    """Real numbers as complex ones; a tuple as the value of its numbers."""
    at = (context, builder)
    return packed(at, toty, toty.cls(wrapped(at, fromty, value)))
