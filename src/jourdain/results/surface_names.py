"""Surfaces of solids among the contacts of a model: their nodes are contacts, and people know them by one name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .wheels import wheels

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
    """Names of the contacts as people know them: a surface has one name and not those of its nodes;
    wheels on rails come last."""
    described = model.description.get("contacts", [])
    own = [one.get("group", one["name"]) for one in described]
    return list(dict.fromkeys([*own, *model.contacts.names[len(described) :], *wheels(model)]))


def node_of(described: dict[str, object]) -> tuple[str, int]:
    """Body and number of the node that a contact of a surface is, from its description."""
    body, number, _ = _place_of(described)
    return body, number


def _place_of(described: dict[str, object]) -> tuple[str, int, str]:
    """Body, number and address of the node, or of the piece of a line, that a contact of a surface is."""
    number = str(described["name"]).rpartition("[")[2][:-1]
    for which in ("first", "second"):
        address = str(described[which]["address"])  # type: ignore[index]
        body, _, frame = address.partition(".")
        if frame in (f"node[{number}]", f"place[{number}]"):
            return body, int(number), address
    raise KeyError(described["name"])


def frame_names(model: Model) -> list[str]:
    """Addresses of the frames as people know them: without the nodes of surfaces that touch."""
    described = model.description.get("contacts", [])
    nodes = {_place_of(one)[2] for one in described if "group" in one}
    for pile in model.description.get("piles", []):
        nodes |= {one["address"] for one in pile["shapes"] if one["shape"]["kind"] == "strand"}
    for one in described:
        skin = one["second"]["shape"]
        if skin["kind"] == "skin":
            body = skin["surface"].partition(".")[0]
            nodes |= {f"{body}.node[{k}]" for facet in skin["facets"] for k in facet}
    return [address for address in model.markers if address not in nodes]
