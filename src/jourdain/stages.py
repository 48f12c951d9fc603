"""Laws of a run, put together into the one compiled stage that the loop calls."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .errors import ModelError
from .laws import BoundLaw, Law, as_law

if TYPE_CHECKING:
    from .model import Model


class Piece(NamedTuple):
    """One law in a stage: where its states, sensed numbers and parameters lie; marker -1 for a controller."""

    law: Law
    z: tuple[int, int]
    s: tuple[int, int]
    p: tuple[int, int]
    marker: int
    axes: int


class Laws(NamedTuple):
    """All laws of a run: forces of the model first, then the controllers.

    pieces        layout
    bound         the laws with their parameters
    parameters    of all laws, one behind the other
    sensors       markers that are sensed, one behind the other
    states        number of states z
    names         of the states
    """

    pieces: tuple[Piece, ...]
    bound: tuple[BoundLaw, ...]
    parameters: np.ndarray
    sensors: np.ndarray
    states: int
    names: tuple[str, ...]


def gather(model: Model, controller: Any) -> Laws:
    """The laws of a run of `model` under `controller` (a law, a list of laws, or None)."""
    given = [] if controller is None else controller
    controllers = given if isinstance(given, list | tuple) else [given]
    bound = [(force.law, force.marker, force.axes) for force in model.law_forces]
    bound += [(as_law(one, "controller"), -1, -1) for one in controllers]
    pieces, parameters, sensors, names = [], [np.zeros(0)], [], []
    z = s = p = 0
    for one, marker, axes in bound:
        markers = [model.marker(address) for address in one.markers]
        dz, ds, dp = one.states, 13 * len(markers), len(one.parameters)
        pieces.append(Piece(one.law, (z, z + dz), (s, s + ds), (p, p + dp), marker, axes))
        parameters.append(one.parameters)
        sensors += markers
        names += [f"{one.name}.z[{i}]" for i in range(dz)]
        z, s, p = z + dz, s + ds, p + dp
    return Laws(
        tuple(pieces),
        tuple(one for one, *_ in bound),
        np.concatenate(parameters),
        np.array(sensors, np.int64),
        z,
        tuple(names),
    )


@lru_cache(maxsize=64)
def compiled_stage(pieces: tuple[Piece, ...], flexible: bool) -> Any:
    """The pieces as one first-class function; the package's empty one where there are none."""
    from .kernels.entries import first_class, signatures

    stage = first_class("law", flexible)
    if not pieces:
        return stage
    for piece in pieces:
        stage = _behind(stage, piece)
    try:
        stage.compile(signatures(flexible)["law"])
    except Exception as error:
        from numba.core.errors import NumbaError

        if not isinstance(error, NumbaError):
            raise
        names = ", ".join(piece.law.name for piece in pieces)
        raise ModelError.at(
            names, f"the law does not compile; it may use numbers, arrays and the math module only.\n{error}"
        ) from error
    return stage


def _behind(before: Any, piece: Piece) -> Any:
    """A function that does `before` and then the piece."""
    import numba

    from .kernels.compiler import OPTIONS
    from .kernels.layout import WORK_RATE
    from .kernels.markers import apply_marker_wrench

    law = piece.law.compiled()
    (z0, z1), (s0, s1), (p0, p1) = piece.z, piece.s, piece.p
    marker, axes = piece.marker, piece.axes

    def control(model, t, q, v, z, s, p, ws, effort, dz):
        before(model, t, q, v, z, s, p, ws, effort, dz)
        law(t, q, v, z[z0:z1], s[s0:s1], p[p0:p1], effort, dz[z0:z1])

    def push(model, t, q, v, z, s, p, ws, effort, dz):
        before(model, t, q, v, z, s, p, ws, effort, dz)
        wrench = ws.scratch[:6]
        wrench[:] = 0.0
        law(t, q, v, z[z0:z1], s[s0:s1], p[p0:p1], wrench, dz[z0:z1])
        ws.books[WORK_RATE] += apply_marker_wrench(model, ws, marker, axes, q, v, wrench, 0)

    return numba.njit(**OPTIONS)(control if marker < 0 else push)
