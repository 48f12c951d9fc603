"""Laws and contacts of a run, put together into the compiled stages that the loop calls."""

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
    sensors       what is sensed: marker or contact, its number, where it goes
    sensed        how many numbers that makes
    states        number of their own states, which lie in z behind those of the contacts
    names         of their own states
    """

    pieces: tuple[Piece, ...]
    bound: tuple[BoundLaw, ...]
    parameters: np.ndarray
    sensors: np.ndarray
    sensed: int
    states: int
    names: tuple[str, ...]


def gather(model: Model, controller: Any) -> Laws:
    """The laws of a run of `model` under `controller` (a law, a list of laws, or None)."""
    from .kernels.layout import SENSES_CONTACT, SENSES_MARKER

    given = [] if controller is None else controller
    controllers = given if isinstance(given, list | tuple) else [given]
    bound = [(force.law, force.marker, force.axes) for force in model.law_forces]
    bound += [(as_law(one, "controller"), -1, -1) for one in controllers]
    pieces, parameters, sensors, names = [], [np.zeros(0)], [], []
    first = len(model.names.z) - model.latched
    z, s, p = first, 0, 0
    for one, marker, axes in bound:
        markers = [model.marker(address) for address in one.markers]
        contacts = [model.contact(name) for name in one.contacts]
        for name, number in zip(one.contacts, contacts, strict=True):
            if number >= len(model.description["contacts"]):
                raise ModelError.at(one.name, f'senses "{name}", a pile, which has no one force; name a pair')
        dz, ds, dp = one.states, 13 * len(markers) + 6 * len(contacts), len(one.parameters)
        pieces.append(Piece(one.law, (z, z + dz), (s, s + ds), (p, p + dp), marker, axes))
        parameters.append(one.parameters)
        sensors += [(SENSES_MARKER, m, s + 13 * i) for i, m in enumerate(markers)]
        sensors += [(SENSES_CONTACT, c, s + 13 * len(markers) + 6 * i) for i, c in enumerate(contacts)]
        names += [f"{one.name}.z[{i}]" for i in range(dz)]
        z, s, p = z + dz, s + ds, p + dp
    return Laws(
        tuple(pieces),
        tuple(one for one, *_ in bound),
        np.concatenate(parameters),
        np.array(sensors, np.int64).reshape(-1, 3),
        s,
        z - first,
        tuple(names),
    )


def assemble(model: Model, laws: Laws | None = None) -> Any:
    """The stages of a run, compiled: its laws and the model's contacts, empty functions where there are none."""
    from .kernels.entries import first_class
    from .kernels.rates import Stages

    flexible = model.flexible
    names = WITH_PILES if model.contacts.piles else WITH_CONTACT if model.contacts.names else NO_CONTACT
    stage = compiled_stage(laws.pieces if laws is not None else (), flexible)
    return Stages(stage, *(first_class(name, flexible) for name in names), compiled_touch(model))


WITH_PILES = ("pile_contact", "pile_accept", "pile_changed")
WITH_CONTACT = ("contact", "accept", "changed")
NO_CONTACT = ("no_contact", "accept_nothing", "change_nothing")


def compiled_touch(model: Model) -> Any:
    """Finders of the pairs that the model has, and the users' laws among its contacts."""
    from .kernels.contact.layout import FAMILY
    from .kernels.contact.sites import Touch
    from .kernels.entries import first_class

    families = set(model.arrays.contact_index[:, FAMILY].tolist()) | set(model.contacts.families)
    finders = ("find_round", "find_points", "find_meshes")
    found = [name if i in families else "find_nothing" for i, name in enumerate(finders)]
    return Touch(
        *(first_class(name, model.flexible) for name in found),
        _choice(_own_laws(model.contacts.normal_laws), "no_normal", model.flexible),
        _choice(_own_laws(model.contacts.friction_laws), "no_friction", model.flexible),
    )


def _own_laws(bound: tuple[Any, ...]) -> tuple[Any, ...]:
    """The users' laws; a `ModelError` where one was not in the file that the model was read from."""
    for own in bound:
        if own.law is None:
            raise ModelError.at(
                own.name,
                f'contact law "{own.name}" is code, and the file that this model was read from does not hold it; '
                "describe the system again with the law",
            )
    return tuple(own.law for own in bound)


@lru_cache(maxsize=64)
def _choice(laws: tuple[Any, ...], empty: str, flexible: bool) -> Any:
    """Users' contact laws as one function of the law's number; the package's empty one where there are none."""
    import numba

    from .kernels.compiler import OPTIONS
    from .kernels.entries import first_class, signatures

    if not laws:
        return first_class(empty, flexible)
    chosen = None
    for number, law in enumerate(laws):
        one = law.compiled()
        chosen = _either(one, number, chosen, empty)
    compiled = numba.njit(**OPTIONS)(chosen)
    names = ", ".join(law.name for law in laws)
    compile_law(compiled, signatures(flexible)[empty], names)
    return compiled


def _either(law: Any, number: int, before: Any, empty: str) -> Any:
    """A function that calls `law` for its number and `before` for the others."""
    import numba

    from .kernels.compiler import OPTIONS

    if before is not None:
        before = numba.njit(**OPTIONS)(before)
    if empty == "no_normal":

        def alone(k, depth, rate, speed, z, p, dz):
            return law(depth, rate, speed, z, p, dz)

        def both(k, depth, rate, speed, z, p, dz):
            if k == number:
                return law(depth, rate, speed, z, p, dz)
            return before(k, depth, rate, speed, z, p, dz)

        return alone if before is None else both

    def alone_friction(k, load, slip, z, p, dz):
        return law(load, slip, z, p, dz)

    def both_friction(k, load, slip, z, p, dz):
        if k == number:
            return law(load, slip, z, p, dz)
        return before(k, load, slip, z, p, dz)

    return alone_friction if before is None else both_friction


def compile_law(function: Any, signature: Any, names: str) -> None:
    """Compiles what holds users' laws; their mistakes become a `ModelError` that names them."""
    try:
        function.compile(signature)
    except Exception as error:
        from numba.core.errors import NumbaError

        if not isinstance(error, NumbaError):
            raise
        raise ModelError.at(
            names, f"the law does not compile; it may use numbers, arrays and the math module only.\n{error}"
        ) from error


@lru_cache(maxsize=64)
def compiled_stage(pieces: tuple[Piece, ...], flexible: bool) -> Any:
    """The pieces as one first-class function; the package's empty one where there are none."""
    from .kernels.entries import first_class, signatures

    stage = first_class("law", flexible)
    if not pieces:
        return stage
    for piece in pieces:
        stage = _behind(stage, piece)
    compile_law(stage, signatures(flexible)["law"], ", ".join(piece.law.name for piece in pieces))
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
