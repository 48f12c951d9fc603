"""The model functions as `jd.kernels` gives them: those of `tree.functions`, with the sizes of their arguments checked.

The checks are compiled and cost a few nanoseconds, for calls from Python and from compiled functions of a user's alike.
From Python the error names the argument; a compiled function fails with a `ValueError` that names the function. Whether
a workspace was made for the model is looked at once, the first time that the two are used together.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..basics.errors import ModelError
from .compiler import ENTRY_POINTS, Kernel, kernel
from .compiling.numba_private import cgutils, types
from .interpreter import INTERPRETED, interpreted_as, plain_kernel
from .model_arrays import ModelArrays, Workspace
from .model_arrays import workspace as workspace_of
from .records import ArrayField
from .signatures import Matrix, Vector
from .tree import model_functions
from .tree.model_functions import workspace as workspace

REFUSED = ("the sizes of the arguments of a model function do not fit the model",)
FREE = frozenset({"pairs", "sensed", "control", "control_workspaces", "solve", "layout", "constraint_rows"})
"""Arrays of a workspace that model functions do not touch, or whose size a run chooses."""
SIZES: dict[str, Callable[[ModelArrays], tuple[int, ...]]] = {
    "q": lambda arrays: (arrays.nq,),
    "v": lambda arrays: (len(arrays.q_index),),
    "effort": lambda arrays: (len(arrays.q_index),),
    "acceleration": lambda arrays: (len(arrays.q_index),),
    "coordinate_acceleration": lambda arrays: (len(arrays.q_index),),
    "point": lambda arrays: (3,),
}
"""Shapes of arguments by their names; `out` has one of its own."""


def _refused(fine: bool) -> None:
    if not fine:
        raise ValueError(*REFUSED)


@interpreted_as(_refused)
def refuse_unless(typingctx: Any, fine: Any) -> Any:
    """Fails where sizes do not fit."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        with cgutils.if_unlikely(builder, builder.not_(args[0])):
            context.call_conv.return_user_exc(builder, ValueError, REFUSED)
        return context.get_dummy_value()

    return types.none(types.boolean), codegen


@kernel
def belongs(model, ws):
    """Whether a workspace has room for the bodies and the coordinates of a model."""
    nv = model.q_index.size
    bodies = len(ws.bodies) >= len(model.tree)
    return bodies and min(len(ws.dofs), ws.effort.size, ws.supplied.size, ws.known.size) >= nv


@kernel
def coordinates(model):
    """How many coordinates q a model has."""
    paths = model.paths.shape[0]
    return model.q_index.size + len(model.rotations) + 4 * paths + 6 * (model.without_velocity.shape[0] - paths)


@kernel
def is_state(model, ws, q, v):
    """Whether a workspace and a state belong to a model."""
    return belongs(model, ws) and q.size == coordinates(model) and v.size == model.q_index.size


@kernel
def is_marker(model, marker):
    """Whether a marker is one of the model's."""
    return 0 <= marker < len(model.markers)


class PublicKernel(Kernel):
    """A model function as Python calls it.

    sizes    of its `out`, from the arrays of a model
    """

    def __init__(self, function: Callable, sizes: Callable[[ModelArrays], tuple[int, ...]]) -> None:
        super().__init__(function, "entry point")
        self.sizes = SIZES | {"out": sizes}
        self.names = function.__code__.co_varnames[: function.__code__.co_argcount]

    def __call__(self, *arguments: Any) -> Any:
        try:
            if self.last is not None:  # as the last call was: only sizes are checked, by the C function
                python, _, features = self.last
                try:
                    model = arguments[0]
                    if arguments[1].made_for is model and model.features is features:
                        return python(*arguments)
                except (AttributeError, IndexError, TypeError):
                    pass
            return self._called(arguments)
        except ValueError as error:
            if error.args != REFUSED:
                raise
        self.complain(arguments)

    def _called(self, arguments: tuple[Any, ...]) -> Any:
        """Calls it with arguments of other kinds than the last ones, or for the first time."""
        if len(arguments) != len(self.names):
            raise TypeError(f"{self.__name__} takes {', '.join(self.names)}; got {len(arguments)} arguments")
        records = {"model": (ModelArrays, "model.arrays"), "ws": (Workspace, "jd.kernels.workspace(model.arrays)")}
        for name, given in zip(self.names, arguments, strict=True):
            problem = ""
            if name in records:
                cls, instead = records[name]
                problem = "" if isinstance(given, cls) else f"got {type(given).__name__}; give {instead}"
            elif name != "marker" and not (isinstance(given, np.ndarray) and given.dtype.char in "dD"):
                kind = f"an array of {given.dtype}" if isinstance(given, np.ndarray) else type(given).__name__
                problem = f"got {kind}; give a contiguous array of float64"
            elif name != "marker" and not given.flags.c_contiguous:
                problem = "got an array that is not contiguous; give numpy.ascontiguousarray of it"
            if problem:
                raise ModelError.at(f"{self.__name__}: {name}", problem)
        if arguments[1].__dict__.get("made_for") is not arguments[0]:
            fit(self.__name__, arguments[0], arguments[1])
        return super()._called(arguments)

    def complain(self, arguments: tuple[Any, ...]) -> None:
        """Says which argument does not fit, what was given, and what is wanted."""
        arrays = arguments[0]
        for name, given in zip(self.names, arguments, strict=True):
            if name == "marker" and not 0 <= given < len(arrays.markers):
                problem = f"got {given}; this model has {len(arrays.markers)} markers, from 0 on: model.marker(name)"
                raise ModelError.at(f"{self.__name__}: marker", problem)
            if name in self.sizes and given.shape != self.sizes[name](arrays):
                problem = f"got shape {given.shape}; this model wants {self.sizes[name](arrays)}"
                raise ModelError.at(f"{self.__name__}: {name}", problem)
        fit(self.__name__, arrays, arguments[1])
        raise ModelError.at(self.__name__, REFUSED[0])


def fit(name: str, arrays: ModelArrays, ws: Any) -> None:
    """A `ModelError` where a workspace has no room for a model; where it has, it is not looked at again."""
    wanted = workspace_of(arrays, ws.effort.dtype)
    for key, field in Workspace.fields.items():
        if not isinstance(field, ArrayField) or key in FREE:
            continue
        had, has = wanted.__dict__[key].shape, ws.__dict__[key].shape
        if any(one < other for one, other in zip(has, had, strict=True)):
            problem = f"{key} has shape {has}, this model wants {had}; make it by jd.kernels.workspace(model.arrays)"
            raise ModelError.at(f"{name}: ws", f"the workspace is of another model: {problem}")
    ws.__dict__["made_for"] = arrays


def public(like: Any, sizes: Callable[[ModelArrays], tuple[int, ...]]) -> Callable[[Callable], Any]:
    """A function of `jd.kernels`: documented as the one that it calls."""

    def made(function: Callable) -> Any:
        function.__doc__ = like.__doc__
        found = plain_kernel(function) if INTERPRETED else PublicKernel(function, sizes)
        ENTRY_POINTS.append(found)
        return found

    return made


def _each(arrays: ModelArrays) -> tuple[int, ...]:
    return (len(arrays.q_index),)


@public(model_functions.forward_dynamics, _each)
def forward_dynamics(model: ModelArrays, ws: Workspace, q: Vector, v: Vector, effort: Vector, out: Vector) -> None:
    refuse_unless(is_state(model, ws, q, v) and effort.size == v.size and out.size == v.size)
    model_functions.forward_dynamics(model, ws, q, v, effort, out)


@public(model_functions.inverse_dynamics, _each)
def inverse_dynamics(
    model: ModelArrays, ws: Workspace, q: Vector, v: Vector, acceleration: Vector, out: Vector
) -> None:
    refuse_unless(is_state(model, ws, q, v) and acceleration.size == v.size and out.size == v.size)
    model_functions.inverse_dynamics(model, ws, q, v, acceleration, out)


@public(model_functions.bias, _each)
def bias(model: ModelArrays, ws: Workspace, q: Vector, v: Vector, out: Vector) -> None:
    refuse_unless(is_state(model, ws, q, v) and out.size == v.size)
    model_functions.bias(model, ws, q, v, out)


@public(model_functions.mass_matrix, lambda arrays: 2 * _each(arrays))
def mass_matrix(model: ModelArrays, ws: Workspace, q: Vector, out: Matrix) -> None:
    nv = model.q_index.size
    square = out.shape[0] == nv and out.shape[1] == nv
    refuse_unless(belongs(model, ws) and q.size == coordinates(model) and square)
    model_functions.mass_matrix(model, ws, q, out)


@public(model_functions.jacobian, lambda arrays: (6, *_each(arrays)))
def jacobian(model: ModelArrays, ws: Workspace, marker: int, q: Vector, out: Matrix) -> None:
    shaped = out.shape[0] == 6 and out.shape[1] == model.q_index.size
    refuse_unless(belongs(model, ws) and q.size == coordinates(model) and is_marker(model, marker) and shaped)
    model_functions.jacobian(model, ws, marker, q, out)


@public(model_functions.marker_motion, lambda arrays: (13,))
def marker_motion(model: ModelArrays, ws: Workspace, marker: int, q: Vector, v: Vector, out: Vector) -> None:
    refuse_unless(is_state(model, ws, q, v) and is_marker(model, marker) and out.size == 13)
    model_functions.marker_motion(model, ws, marker, q, v, out)


@public(model_functions.acceleration, lambda arrays: (6,))
def acceleration(
    model: ModelArrays, ws: Workspace, marker: int, q: Vector, v: Vector, coordinate_acceleration: Vector, out: Vector
) -> None:
    given = coordinate_acceleration.size == v.size
    refuse_unless(is_state(model, ws, q, v) and is_marker(model, marker) and given and out.size == 6)
    model_functions.acceleration(model, ws, marker, q, v, coordinate_acceleration, out)


@public(model_functions.energy, lambda arrays: (3,))
def energy(model: ModelArrays, ws: Workspace, q: Vector, v: Vector, latched: Vector, out: Vector) -> None:
    refuse_unless(is_state(model, ws, q, v) and out.size == 3)
    model_functions.energy(model, ws, q, v, latched, out)


@public(model_functions.momentum, lambda arrays: (6,))
def momentum(model: ModelArrays, ws: Workspace, q: Vector, v: Vector, point: Vector, out: Vector) -> None:
    refuse_unless(is_state(model, ws, q, v) and point.size == 3 and out.size == 6)
    model_functions.momentum(model, ws, q, v, point, out)


@public(model_functions.centre_of_mass, lambda arrays: (3,))
def centre_of_mass(model: ModelArrays, ws: Workspace, q: Vector, out: Vector) -> float:
    refuse_unless(belongs(model, ws) and q.size == coordinates(model) and out.size == 3)
    return model_functions.centre_of_mass(model, ws, q, out)
