"""Laws and contacts of a run, put together into the compiled stages that the loop calls."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .errors import ModelError
from .laws import BoundLaw, ControlLaw, Law, as_law
from .samplers import Sampler, calling, compile_law, compiled_sampler
from .watches import Watch, compiled_watch

if TYPE_CHECKING:
    from .model import Model


class Pilot(NamedTuple):
    """The control model of a law: where its workspace and scratch lie in the run's workspace."""

    model: Model
    at: int
    known: int
    flex: int
    scratch: tuple[int, int]


class Piece(NamedTuple):
    """One law in a stage: where its states, sensed numbers and parameters lie; marker -1 for a controller."""

    law: Law | ControlLaw
    z: tuple[int, int]
    s: tuple[int, int]
    p: tuple[int, int]
    marker: int
    axes: int
    pilot: Pilot | None = None
    sampler: Sampler | None = None


class Laws(NamedTuple):
    """All laws of a run: forces of the model first, then the controllers.

    pieces        layout
    bound         the laws with their parameters
    parameters    of all laws, one behind the other
    sensors       what is sensed: marker or contact, its number, where it goes
    sensed        how many numbers that makes
    states        number of their own states, which lie in z behind those of the contacts
    names         of their own states
    start         what these begin with
    control       what the workspaces of the controllers begin with
    piloted       entries of v of all control models
    """

    pieces: tuple[Piece, ...]
    bound: tuple[BoundLaw, ...]
    parameters: np.ndarray
    sensors: np.ndarray
    sensed: int
    states: int
    names: tuple[str, ...]
    start: np.ndarray
    control: np.ndarray
    piloted: int

    @property
    def sampled(self) -> int:
        """0 without digital controllers; 2 where one of them senses what a joint transmits, else 1."""
        found = [piece.sampler for piece in self.pieces if piece.sampler is not None]
        return 0 if not found else 2 if any(one.loaded for one in found) else 1


def gather(model: Model, controller: Any) -> Laws:
    """The laws of a run of `model` under `controller` (a law, a controller, a list of them, or None)."""
    from .kernels.layout import SENSES_CONTACT, SENSES_MARKER

    given = [] if controller is None else controller
    controllers = given if isinstance(given, list | tuple) else [given]
    bound = [(force.law, force.marker, force.axes) for force in model.law_forces]
    bound += [(as_law(one, "controller", model), -1, -1) for one in controllers]
    pieces, parameters, sensors, names = [], [np.zeros(0)], [], []
    start: list[np.ndarray] = [np.zeros(0)]
    room = Room()
    first = len(model.names.z) - model.latched
    z, s, p = first, 0, 0
    for one, marker, axes in bound:
        markers = [model.marker(address) for address in one.markers]
        contacts = [model.contact(name) for name in one.contacts]
        for name, number in zip(one.contacts, contacts, strict=True):
            if number >= len(model.description["contacts"]):
                raise ModelError.at(one.name, f'senses "{name}", a pile, which has no one force; name a pair')
        dz, ds, dp = one.states, 13 * len(markers) + 6 * len(contacts), len(one.parameters)
        sampler = room.sampler(model, one, ds)
        pilot = None if sampler is not None else room.pilot(one)
        pieces.append(Piece(one.law, (z, z + dz), (s, s + ds), (p, p + dp), marker, axes, pilot, sampler))
        parameters.append(one.parameters)
        sensors += [(SENSES_MARKER, m, s + 13 * i) for i, m in enumerate(markers)]
        sensors += [(SENSES_CONTACT, c, s + 13 * len(markers) + 6 * i) for i, c in enumerate(contacts)]
        names += [f"{one.name}.z[{i}]" for i in range(dz)]
        start.append(one.start)
        z, s, p = z + dz, s + ds, p + dp
    return Laws(
        tuple(pieces),
        tuple(one for one, *_ in bound),
        np.concatenate(parameters),
        np.array(sensors, np.int64).reshape(-1, 3),
        s,
        z - first,
        tuple(names),
        np.concatenate(start),
        np.concatenate([np.zeros(0), *room.numbers]),
        room.known,
    )


class Room:
    """Hands out places in the run's workspace to control models and samplers."""

    def __init__(self) -> None:
        self.numbers: list[np.ndarray] = []
        self.at = self.known = 0

    def take(self, numbers: np.ndarray) -> tuple[int, int]:
        """A place that begins with `numbers`."""
        first = self.at
        self.numbers.append(np.ravel(numbers))
        self.at += np.size(numbers)
        return first, self.at

    def pilot(self, law: BoundLaw) -> Pilot | None:
        """Room for the control model of a law, None where it has none."""
        if not getattr(law.law, "uses_model", False):
            return None
        from .kernels.control.pilot import pilot_numbers
        from .kernels.layout import workspace

        if law.model is None:
            raise ModelError.at(law.name, "it needs a model to compute with; give model=")
        ws = workspace(law.model.arrays)
        first, known = self.at, self.known
        for numbers in pilot_numbers(ws):
            self.take(numbers)
        self.known += law.model.nv
        return Pilot(law.model, first, known, ws.flex.size, self.take(np.zeros(law.scratch)))

    def sampler(self, model: Model, law: BoundLaw, sensed: int) -> Sampler | None:
        """Room for a digital controller, None for any other law."""
        inner = getattr(law, "inner", None)
        if inner is None:
            return None
        sizes = (model.nq, model.nv, sensed + 6 * law.extra, model.nv, inner.states)
        places = tuple(self.take(np.zeros(size)) for size in sizes)
        own = (model.nv + 3, model.nv + 3 + inner.states)
        behind = (len(law.parameters) - len(inner.parameters), len(law.parameters))
        return Sampler(inner.law, self.pilot(inner), places, own, behind, law.loaded)


def assemble(
    model: Model,
    laws: Laws | None = None,
    watches: tuple[Watch, ...] = (),
    kept: tuple[str, str, str, str] | None = None,
) -> Any:
    """The stages of a run, compiled: laws, the model's contacts, conditions, what keeps it on its constraints; empty
    functions where there are none."""
    from .kernels.entries import first_class
    from .kernels.rates import Stages

    flexible = model.flexible
    names = WITH_PILES if model.contacts.piles else WITH_CONTACT if model.contacts.names else NO_CONTACT
    stage = compiled_stage(laws.pieces if laws is not None else (), flexible)
    sample = compiled_sampler(laws.pieces if laws is not None else (), flexible)
    watch = compiled_watch(watches, flexible)
    keeping = (first_class(name, flexible) for name in kept or NO_CONSTRAINTS)
    acting = (first_class(name, flexible) for name in names)
    return Stages(stage, *acting, compiled_touch(model), sample, watch, *keeping)


WITH_PILES = ("pile_contact", "pile_accept", "pile_changed")
WITH_CONTACT = ("contact", "accept", "changed")
NO_CONTACT = ("no_contact", "accept_nothing", "change_nothing")
NO_CONSTRAINTS = ("adjust_nothing", "constrain_nothing", "settle_nothing", "act_nothing")
FINDERS = ("find_round", "find_points", "find_meshes")
PART_FINDERS = ("find_caps", "find_balls", "find_rolls", "find_flats", "find_holes", "find_mixed")
"""Finders of overlap parts, in the order of their families from CAPS on."""


def contact_finders(model: Model) -> list[str]:
    """Entries that look for contact, one a family, empty ones where the model has no such pair; the foundation last."""
    from .kernels.contact.layout import CAPS, FAMILY

    families = set(model.arrays.contact_index[:, FAMILY].tolist()) | set(model.contacts.families)
    found = [name if i in families else "find_nothing" for i, name in enumerate(FINDERS)]
    found += [name if CAPS + i in families else "find_no_parts" for i, name in enumerate(PART_FINDERS)]
    return [*found, "foundation" if max(families, default=0) >= CAPS else "no_foundation"]


def compiled_touch(model: Model) -> Any:
    """Finders of the pairs that the model has, and the users' laws among its contacts."""
    from .kernels.contact.sites import Touch
    from .kernels.entries import first_class

    return Touch(
        *(first_class(name, model.flexible) for name in contact_finders(model)),
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

    from .kernels.compiler import STAGE
    from .kernels.layout import WORK_RATE
    from .kernels.markers import apply_marker_wrench

    law = calling(piece.law, piece.pilot)
    (z0, z1), (s0, s1), (p0, p1) = piece.z, piece.s, piece.p
    marker, axes = piece.marker, piece.axes

    def control(model, t, q, v, z, s, p, ws, effort, dz):
        before(model, t, q, v, z, s, p, ws, effort, dz)
        law(ws, t, q, v, z[z0:z1], s[s0:s1], p[p0:p1], effort, dz[z0:z1])

    def push(model, t, q, v, z, s, p, ws, effort, dz):
        before(model, t, q, v, z, s, p, ws, effort, dz)
        wrench = ws.scratch[:6]
        wrench[:] = 0.0
        law(ws, t, q, v, z[z0:z1], s[s0:s1], p[p0:p1], wrench, dz[z0:z1])
        ws.books[WORK_RATE] += apply_marker_wrench(model, ws, marker, axes, q, v, wrench, 0)

    return numba.njit(**STAGE)(control if marker < 0 else push)
