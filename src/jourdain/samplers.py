"""Digital controllers of a run, put together into the compiled stage that the loop calls at their instants."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from .errors import ModelError

if TYPE_CHECKING:
    from .laws import ControlLaw, Law
    from .stages import Piece, Pilot


class Sampler(NamedTuple):
    """A digital controller in a stage.

    law       the controller itself: a law, or a Python function behind a pointer
    pilot     its control model
    places    in the run's workspace: q, v and s as its sensors read them, the effort it asks for, rates of its states
    own       its states among those of the sampled controller
    behind    its parameters among those of the sampled controller
    loaded    whether it senses what a joint transmits
    """

    law: Any
    pilot: Pilot | None
    places: tuple[tuple[int, int], ...]
    own: tuple[int, int]
    behind: tuple[int, int]
    loaded: bool


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


def calling(law: Law | ControlLaw, pilot: Pilot | None) -> Any:
    """The compiled law as f(ws, t, q, v, z, s, p, effort, dz), whatever model it uses of its own."""
    import numba

    from .kernels.compiler import INNER

    function = law.compiled()
    if pilot is None:

        def plain(ws, t, q, v, z, s, p, effort, dz):
            function(t, q, v, z, s, p, effort, dz)

        return numba.njit(**INNER)(plain)

    from .kernels.control.pilot import pilot as views
    from .pointers import piloted_pointer

    arrays = pilot.model.arrays
    function = piloted_pointer(function, pilot.model.flexible)
    at, known, flex, (x0, x1) = pilot.at, pilot.known, pilot.flex, pilot.scratch
    rows, nv, nq = len(arrays.table), pilot.model.nv, pilot.model.nq

    def piloted(ws, t, q, v, z, s, p, effort, dz):
        cws = views(ws, at, known, rows, nv, nq, flex)
        function(arrays, cws, ws.control[x0:x1], t, q, v, z, s, p, effort, dz)

    return numba.njit(**INNER)(piloted)


@lru_cache(maxsize=64)
def compiled_sampler(pieces: tuple[Piece, ...], flexible: bool) -> Any:
    """The digital controllers among the pieces as one first-class function; the package's empty one without any."""
    from .kernels.entries import first_class, signatures

    stage = first_class("sample", flexible)
    found = [piece for piece in pieces if piece.sampler is not None]
    if not found:
        return stage
    for piece in found:
        stage = _behind(stage, piece)
    compile_law(stage, signatures(flexible)["sample"], ", ".join(piece.sampler.law.name for piece in found))
    return stage


def _behind(before: Any, piece: Piece) -> Any:
    """A function that does `before` and then lets the digital controller of the piece sample and act, where due."""
    import numba

    from .kernels.compiler import INNER, STAGE
    from .kernels.control import sampling

    sampler = piece.sampler
    (z0, z1), (s0, s1), (p0, p1) = piece.z, piece.s, piece.p
    (a0, a1), (b0, b1), (c0, c1), (e0, e1), (d0, d1) = sampler.places
    (own0, own1), (in0, in1) = sampler.own, sampler.behind
    look, act = sampling.look, sampling.act

    def sample(model, t, q, v, z, s, p, ws):
        status = before(model, t, q, v, z, s, p, ws)
        zs, ps, c = z[z0:z1], p[p0:p1], ws.control
        qm, vm, sm, effort, rates = c[a0:a1], c[b0:b1], c[c0:c1], c[e0:e1], c[d0:d1]
        due = look(model, t, q, v, s[s0:s1], zs, ps, ws, qm, vm, sm, effort)
        if due == 1:
            status += speak(ws, t, qm, vm, zs[own0:own1], sm, ps[in0:in1], effort, rates)
        act(t, zs, ps, ws, due, effort, rates)
        return status

    pointer = getattr(sampler.law, "pointer", None)
    if pointer is not None:

        def speak(ws, t, q, v, z, s, p, effort, dz):
            return pointer(int(p[0]), t)

    else:
        law = calling(sampler.law, sampler.pilot)

        def speak(ws, t, q, v, z, s, p, effort, dz):
            law(ws, t, q, v, z, s, p, effort, dz)
            return 0

    speak = numba.njit(**INNER)(speak)
    return numba.njit(**STAGE)(sample)
