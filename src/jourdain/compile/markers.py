"""Addresses as numbered markers, and the forces that act at them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..basics.errors import ModelError
from ..basics.pose import Pose
from ..basics.values import suggestion
from ..describe.force_elements import ForceElement
from ..describe.laws import BoundLaw, as_law
from ..describe.line_loads import line_frames, line_law, line_numbers
from ..describe.system import Force, System
from ..model.law_forces import LawForce
from .tree_tables import Tree


class Markers(NamedTuple):
    """Numbers of the addresses, of the connections' own places and of points along lines, and what the kernels read of
    all of them."""

    addresses: dict[str, int]
    placed: dict[Any, int]
    rows: np.ndarray
    pose: np.ndarray


def lay_markers(system: System, tree: Tree) -> Markers:
    """A marker for every frame of every body, for nodes and places of bodies that something acts on or is connected to,
    for every connection that has a place of its own, and for the points of lines that something acts along."""
    addresses = {"world": 0}
    placed: dict[Any, int] = {}
    index, poses = [(0, 0)], [np.concatenate([np.eye(3).ravel(), np.zeros(3)])]
    named = [f"{item.body.name}.{frame}" for item in tree.items for frame in item.body.frame_names()]
    acting = [one.address for contact in system.contacts for one in (contact.first, contact.second)]
    acting += [one.address for pile in system.piles for one in pile.shapes]
    touched = [one for contact in system.contacts for one in (contact.first, contact.second)]
    for part in [*touched, *(one for pile in system.piles for one in pile.shapes)]:
        acting += getattr(part.shape, "points", [])  # of a skin nodes of its facets, of a strand its ends
    acting += [force.at for force in system.forces if not force.along]
    acting += [one.first for one in system.connections]
    acting += [one.second for one in system.connections if not one.placed]
    for touching in system.touching:
        for side in (touching.first, touching.second):
            facets = {node for facet in side.facets for node in facet}
            acting += [*side.points, *(side.frame(node) for node in sorted(facets))]
    known = set(named)
    nodes = [one for one in acting if "." in one and one not in known]
    for address in dict.fromkeys([*named, *nodes]):
        row, pose, station = tree.marker(address)
        addresses[address] = len(index)
        index.append((row, tree.keep_floats(station)))
        poses.append(np.concatenate([pose.rotation.ravel(), pose.position]))
    more: list[tuple[Any, str, Pose]] = [(one, one.second, one.place) for one in system.connections if one.placed]
    lined = [force.body for force in system.forces if force.along]
    more += [(address, address, Pose()) for name in dict.fromkeys(lined) for address in line_frames(system, name)]
    for key, address, place in more:
        row, pose, station = tree.marker(address)
        pose = pose @ place
        placed[key] = len(index)
        index.append((row, tree.keep_floats(station)))
        poses.append(np.concatenate([pose.rotation.ravel(), pose.position]))
    return Markers(addresses, placed, np.array(index, np.int64), np.array(poses))


def _check_senses(name: str, law: BoundLaw, addresses: dict[str, int]) -> None:
    for address in law.markers:
        if address not in addresses and f"{address}.origin" not in addresses:
            hint = suggestion(address, addresses)
            raise ModelError.at(name, f'its law senses "{address}", which does not exist; {hint}')


def _along(system: System, force: Force, markers: Markers) -> LawForce:
    """A force along a body, with the numbers of its line."""
    from ..kernels.law_rows import ALONG

    law = line_law(force.law, force.name, force.at, np.concatenate([force.moment, force.force]))
    _check_senses(force.name, law, markers.addresses)
    axes = -1 if force.axes == "world" else markers.addresses[f"{force.body}.origin"]
    line = line_numbers(system, force, [markers.placed[one] for one in line_frames(system, force.body)])
    return LawForce(name=force.name, marker=ALONG, axes=axes, law=law, given=force.law, line=line)


def lay_forces(system: System, markers: Markers) -> tuple[np.ndarray, np.ndarray, tuple[LawForce, ...]]:
    """Markers and values of the constant forces, and the forces that are laws or act along lines."""
    addresses = markers.addresses
    index, values, laws = [], [], []
    for force in system.forces:
        body = force.body
        if force.along:
            laws.append(_along(system, force, markers))
            continue
        marker = addresses[force.at if "." in force.at or body == "world" else f"{body}.origin"]
        axes = -1 if force.axes == "world" or body == "world" else addresses[f"{body}.origin"]
        if force.law is None:
            index.append((marker, axes))
            values.append(np.concatenate([force.moment, force.force]))
            continue
        element = isinstance(force.law, ForceElement)
        law = force.law.law(force.name, force.at) if element else as_law(force.law, force.name)
        _check_senses(force.name, law, addresses)
        laws.append(LawForce(force.name, marker, axes, law, force.law))
    return np.array(index, np.int64).reshape(-1, 2), np.array(values, float).reshape(-1, 6), tuple(laws)
