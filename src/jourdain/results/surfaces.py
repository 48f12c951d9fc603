"""Surfaces of solids among the contacts of a model: their nodes are contacts, and people know them by one name."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..model.model import Model


def surfaces(model: Model) -> dict[str, list[int]]:
    """Contacts of surfaces of solids: numbers of the contacts of their nodes."""
    out: dict[str, list[int]] = {}
    for i, one in enumerate(model.description.get("contacts", [])):
        if "group" in one:
            out.setdefault(one["group"], []).append(i)
    return out


def contact_names(model: Model) -> list[str]:
    """Names of the contacts as people know them: a surface has one name and not those of its nodes."""
    described = model.description.get("contacts", [])
    own = [one.get("group", one["name"]) for one in described]
    return list(dict.fromkeys([*own, *model.contacts.names[len(described) :]]))


def node_of(described: dict[str, object]) -> tuple[str, int]:
    """Body and number of the node that a contact of a surface is, from its description."""
    number = str(described["name"]).rpartition("[")[2][:-1]
    for which in ("first", "second"):
        body, _, frame = str(described[which]["address"]).partition(".")  # type: ignore[index]
        if frame == f"node[{number}]":
            return body, int(number)
    raise KeyError(described["name"])


def frame_names(model: Model) -> list[str]:
    """Addresses of the frames as people know them: without the nodes of surfaces that touch."""
    nodes = {
        f"{body}.node[{number}]"
        for one in model.description.get("contacts", [])
        if "group" in one
        for body, number in [node_of(one)]
    }
    for one in model.description.get("contacts", []):
        skin = one["second"]["shape"]
        if skin["kind"] == "skin":
            body = skin["surface"].partition(".")[0]
            nodes |= {f"{body}.node[{k}]" for facet in skin["facets"] for k in facet}
    return [address for address in model.markers if address not in nodes]
