"""Units of coordinates, velocities and efforts, from their names and from what a system says of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

_LENGTHS = {"x", "y", "z", "slide", "length", "travel"}
_ANGLES = {"angle", "motor", "first", "second", "a", "b"}
_ONE_AXIS = {"revolute": "rad", "screw": "rad", "prismatic": "m", "rail": "m", "winch": "rad"}
_MODES = {"bending_y": "m", "bending_z": "m", "axial": "m", "torsion": "rad"}
_EFFORTS = {"rad/s": "N m", "m/s": "N"}


class Units(NamedTuple):
    """Units of the entries of q, of v and of efforts."""

    q: tuple[str, ...]
    v: tuple[str, ...]
    effort: tuple[str, ...]


def model_units(q: Sequence[str], v: Sequence[str], description: object) -> Units:
    """Units of coordinates q and velocities v from their names, the kinds of the joints, and what the bodies say of
    their own coordinates; those of efforts follow.

    A name that tells nothing gets "".
    """
    kinds, given = dict(_kinds(description)), dict(_given(description))
    places = tuple(given[name] if name in given else _unit(name, kinds, False) for name in q)
    rates = tuple(given[name] + "/s" if name in given else _unit(name, kinds, True) for name in v)
    return Units(places, rates, effort_units(rates))


def effort_units(velocity_units: Sequence[str]) -> tuple[str, ...]:
    """Units of efforts, the power-duals of velocities: N m for rad/s, N for m/s."""
    return tuple(_EFFORTS.get(unit, "") for unit in velocity_units)


def _unit(name: str, kinds: dict[str, str], rate: bool) -> str:
    per = "/s" if rate else ""
    if name in kinds:
        unit = _ONE_AXIS.get(kinds[name], "")
        return unit + per if unit else ""
    last = name.rpartition(".")[2].partition("[")[0]
    if last in ("qw", "qx", "qy", "qz") and not rate:
        return "1"
    if last in ("wx", "wy", "wz") and rate:
        return "rad/s"
    if last in ("vx", "vy", "vz") and rate:
        return "m/s"
    unit = "m" if last in _LENGTHS else "rad" if last in _ANGLES else _MODES.get(last, "")
    return unit + per if unit else ""


def _given(description: object) -> Iterator[tuple[str, str]]:
    """(coordinate, unit) of the bodies whose description tells units."""
    bodies = description.get("bodies", ()) if isinstance(description, dict) else ()
    for item in bodies:
        body = item.get("body", {})
        for name, unit in body.get("units", {}).items():
            yield f"{body['name']}.{name}", str(unit)


def _kinds(node: object, depth: int = 0) -> Iterator[tuple[str, str]]:
    """(name, kind) of every named joint anywhere in a description."""
    if depth > 12:
        return
    if isinstance(node, dict):
        name, kind = node.get("name"), node.get("kind", node.get("type"))
        if isinstance(name, str) and isinstance(kind, str) and kind.lower() in _ONE_AXIS:
            yield name, kind.lower()
        for key, child in node.items():
            if key != "mesh":  # numbers, many of them
                yield from _kinds(child, depth + 1)
    elif isinstance(node, (list, tuple)):
        for child in node:
            yield from _kinds(child, depth + 1)
