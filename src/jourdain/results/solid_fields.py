"""Fields of solids as one number a time: the largest over the nodes, and where it is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ..describe.solids.nodal_fields import COMPONENTS, FIELDS
from .channels import unknown

if TYPE_CHECKING:
    from ..describe.bodies.body import Body
    from ..model.model import Model
    from .run import Run

PIECE = 4_000_000
"""Numbers of a field that are in memory at once."""


def meshed(model: Model) -> list[str]:
    """Names of the bodies that have fields on nodes."""
    return [item["body"]["name"] for item in model.description["bodies"] if "mesh" in item["body"]]


def in_pieces(body: Body, e: np.ndarray, what: str) -> Iterator[tuple[slice, np.ndarray]]:
    """A field for coordinates (nt, n), some samples at a time; what has several components is (..., components)."""
    nodes = len(body.volume_mesh()[0])
    some = max(1, PIECE // (6 * nodes))
    for first in range(0, len(e), some):
        yield slice(first, first + some), body.field(e[first : first + some], what)[0]


def scalar_of(model: Model, rest: str) -> tuple[str, str, str]:
    """Body, field and component of "pad.von_mises", "pad.stress.xx" or "pad.displacement", whose magnitude counts."""
    body, _, tail = rest.partition(".")
    known = meshed(model)
    if body not in known:
        raise unknown("body with fields", body, known, "the model has no solids")
    what, _, component = tail.partition(".")
    names = ["von_mises", "displacement"] + [f"{one}.{part}" for one, parts in COMPONENTS.items() for part in parts]
    if f"{what}.{component}" not in names and (component or what not in names):
        raise unknown(f"field of {body}", tail, names, "")
    return body, what, component


def most(run: Run, body: str, what: str, component: str) -> tuple[np.ndarray, np.ndarray]:
    """Of every sample the value of a field that is farthest from zero over the nodes, and the node that has it."""
    one, e = run.deformation_of(body)
    values, nodes = np.zeros(len(e)), np.zeros(len(e), np.int64)
    for some, found in in_pieces(one, e, what):
        if component:
            found = found[..., COMPONENTS[what].index(component)]
        elif found.ndim == 3:
            found = np.linalg.norm(found, axis=2)
        nodes[some] = np.argmax(np.abs(np.nan_to_num(found)), axis=1)
        values[some] = found[np.arange(len(found)), nodes[some]]
    return values, nodes


def unit_of(what: str) -> str:
    """Of a field."""
    return FIELDS[what][0]


def place(model: Model, body: str, node: int) -> str:
    """A node in words: its number, its body, and where it is in the axes of that."""
    from ..model.bodies import body_of

    one = body_of(model, body)
    if one is None:
        return f"node {node} of {body}"
    x, y, z = (round(float(a), 9) + 0.0 for a in one.node_places()[node])
    return f"node {node} of {body}, at ({x:.4g}, {y:.4g}, {z:.4g}) m"
