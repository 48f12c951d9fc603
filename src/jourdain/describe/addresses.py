"""Addresses, "body.frame" or "world": how they are written, and whether what they name is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..basics.errors import ModelError, Problem
from ..basics.values import shown, suggestion

if TYPE_CHECKING:
    from .system import System

WORLD = "world"


def split_address(address: str) -> tuple[str, str]:
    """The body and the frame that an address names: ``"upper.tip"`` is ("upper", "tip").

    ``"world"`` is ("world", "origin"), ``"tether.0.25"`` ("tether", "0.25") and ``"panel.0.25,1.5"`` ("panel",
    "0.25,1.5"). A `ModelError` says how an address is written when this is none.
    """
    if address == WORLD:
        return WORLD, "origin"
    if not isinstance(address, str):
        raise ModelError.at(shown(address), 'an address is text: "body.frame" or "world"')
    body, dot, frame = address.partition(".")
    numbers = all(one.replace(".", "", 1).isdecimal() for one in frame.split(","))
    if not (body and dot and frame) or ("." in frame and not numbers):
        hint = f'; did you mean "{address}.origin"?' if body and not dot else ""
        raise ModelError.at(address, f'"{address}" is not an address; write "body.frame" or "world"{hint}')
    return body, frame


def address_problems(system: System, address: str, where: str, what: str) -> list[Problem]:
    """Whether an address exists; the problem is reported at ``where``, with what was probably meant."""
    try:
        name, frame = split_address(address)
    except ModelError as error:
        return [Problem(where, f"{what}: {error.problems[0].message}")]
    if name == WORLD:
        if address == WORLD:
            return []
        return [Problem(where, f'{what}: the world has no frame "{frame}"; write "world" and give a position')]
    for body in system.bodies:
        if body.name == name:
            if body.has_frame(frame):
                return []
            near = suggestion(frame, body.frame_names())
            return [Problem(where, f'{what}: body "{name}" has no frame "{frame}"; {near}')]
    near = suggestion(name, [WORLD, *(str(body.name) for body in system.bodies)])
    return [Problem(where, f'{what}: there is no body "{name}"; {near}')]
