"""Calls of compiled model functions, and the arguments that they take, checked."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ..basics.errors import ModelError
from ..basics.values import as_array, suggestion

if TYPE_CHECKING:
    from .model import Model


@cache
def model_functions():
    """The module of the model functions' kernels, which takes Numba with it: imported at the first call."""
    from ..kernels.tree import model_functions

    return model_functions


def call(kernel: Any, model: Model, *arguments: Any) -> Any:
    """Calls an entry point with the arrays of a model, its workspace and further arguments."""
    return kernel.ready(model.features).python(model.arrays, model.workspace(), *arguments)


def call_with_derivatives(kernel: Any, model: Model, *arguments: Any) -> Any:
    """The same of an entry point that takes the scratch of derivatives too."""
    return call(kernel, model, derivative_scratch(model), *arguments)


def derivative_scratch(model: Model) -> Any:
    """The scratch of a model's derivatives, made once a thread."""
    scratch = getattr(model.scratch, "partials", None)
    if scratch is None:
        from ..kernels.derivatives.derivative_layout import partials

        scratch = model.scratch.partials = partials(model.arrays)
    return scratch


def checked_vector(model: Model, value: Any, what: str, size: int) -> np.ndarray:
    """`size` numbers, contiguous."""
    array = as_array(value, what)
    if array.shape != (size,):
        raise ModelError.at(what, f"got shape {array.shape}; this model has {size} entries")
    return np.ascontiguousarray(array)


def checked_efforts(model: Model, value: Any, what: str = "effort") -> np.ndarray:
    """All nv numbers, or a dict from names to numbers, or None for none."""
    if value is None:
        return np.zeros(model.nv)
    if isinstance(value, Mapping):
        out = np.zeros(model.nv)
        for name, number in value.items():
            if name not in model.index.v:
                raise ModelError.at(str(name), f"no such velocity; {suggestion(str(name), model.index.v)}")
            out[model.index.v[name]] = number
        return out
    return checked_vector(model, value, what, model.nv)


def checked_q(model: Model, q: Any) -> np.ndarray:
    """Coordinates of a state, or as given; the workspace learns the time, which an elliptic orbit depends on."""
    if isinstance(q, str):
        raise ModelError.at("q", f'got the text "{q}"; swap the arguments: an address comes before the state')
    if model.in_orbit:
        model.workspace().ledger.time = getattr(q, "time", 0.0)
    return checked_vector(model, getattr(q, "q", q), "q", model.nq)


def checked_qv(model: Model, state: Any, v: Any = None) -> tuple[np.ndarray, np.ndarray]:
    """q and v of a state, or as given."""
    if v is None:
        if isinstance(state, str):
            raise ModelError.at(
                "state", f'got the text "{state}"; swap the arguments: an address comes before the state'
            )
        if not hasattr(state, "v"):
            raise ModelError.at("state", "give a State, such as model.state(...), or q and v")
        v = state.v
    elif hasattr(v, "q") or (np.shape(state), np.shape(v)) == ((model.nv,), (model.nq,)) != ((model.nq,), (model.nv,)):
        raise ModelError.at("q", "got velocities, or something else, before the state; swap the arguments: q, then v")
    return checked_q(model, state), checked_vector(model, v, "v", model.nv)
