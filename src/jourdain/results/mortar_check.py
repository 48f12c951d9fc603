"""Whether surfaces that touch by the mortar form, with friction, were met where that form knows of them.

Its gaps are means over facets: a corner or an edge that comes down first on a coarse mesh is deep inside before its
mean is met, and friction acts there along normals that are means too. How deep places of either surface were inside of
the other is measured as the node form has it, in samples in which something touches.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

import numpy as np

from .check import Check

if TYPE_CHECKING:
    from ..model.model import Model
    from .samples import Record

DEEP = 0.2
"""How deep a place may be inside, over the length of the facets there."""
SAMPLES = 48
"""Samples that are looked at, of those in which something touches."""


def corner_check(model: Model, record: Record) -> Check | None:
    """How deep surfaces with friction were inside of each other; None without the mortar form or where none touched."""
    from ..model.surface_contact import gaps_of

    described = model.description.get("touching", ())
    mortars = [one for one in described if one["normal"]["form"] == "mortar" and one.get("friction") is not None]
    regions = [i for i, name in enumerate(model.names.z) if name.endswith(".region")]
    if not mortars or not regions:
        return None
    touching = np.flatnonzero(np.any(np.asarray(record.z)[:, regions] != 0.0, axis=1))
    if not len(touching):
        return None
    at = touching[np.unique(np.linspace(0, len(touching) - 1, min(SAMPLES, len(touching))).astype(int))]
    by_nodes = _by_nodes(model, {str(one["name"]) for one in mortars})
    deepest = np.max(-gaps_of(by_nodes, record.q[at], record.v[at]), axis=1)
    worst = int(np.argmax(deepest))
    length = min(facet_length(model, one) for one in mortars)
    part, when = max(float(deepest[worst]), 0.0) / length, float(record.time[at[worst]])
    said = ""
    if part > DEEP:
        names = ", ".join(f'"{one["name"]}"' for one in mortars[:3])
        said = (
            f"contact {names} by the mortar form was met at a corner or an edge: places were {part * length:.3g} m "
            f"inside at t = {when:.6g} s, {100.0 * part:.3g} % of a facet ({100.0 * DEEP:.3g} % is allowed), and its "
            'friction is not to be believed there; give form="node", or a finer mesh where they touch'
        )
    return Check("mortar gaps", part, DEEP, "", when, said)


def _by_nodes(model: Model, names: set[str]) -> Model:
    """The model with these contacts in the node form, of the nodes of both surfaces, and no other by multipliers."""
    from ..compile.model import compile_system
    from ..describe.description import from_dict

    told = copy.deepcopy(model.description)
    told["touching"] = [one for one in told["touching"] if str(one["name"]) in names]
    for one in told["touching"]:
        one["normal"] |= {"form": "node", "passes": 2}
    return compile_system(from_dict(told, without_laws=True), checked=True)


def facet_length(model: Model, one: dict[str, object]) -> float:
    """Length of the sides of the facets of the finer surface, their median [m]."""
    from ..model.bodies import body_of

    found = []
    for which in ("first", "second"):
        side: dict = one[which]  # type: ignore[assignment]
        body = body_of(model, str(side.get("body", "")))
        if body is not None and "facets" in side:
            places = body.node_places()
            ends = [(a, b) for facet in side["facets"] for a, b in zip(facet, (*facet[1:], facet[0])) if a != b]
            apart = places[[a for a, _ in ends]] - places[[b for _, b in ends]]
            found.append(float(np.median(np.linalg.norm(apart, axis=1))))
    return min(found, default=1.0)
