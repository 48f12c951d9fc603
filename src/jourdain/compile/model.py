"""System -> Model: everything is checked, put in order and laid flat."""

from __future__ import annotations

import numpy as np

from ..basics.errors import ModelError
from ..basics.pose import Pose
from ..describe.constraints.connections import Connection
from ..describe.description import to_dict
from ..describe.shapes import DeformableFacets
from ..describe.system import System
from ..kernels.tree.tree_rows import TreeNode
from ..model.model import Contacts, Model, ModelElements, Names, Structure
from ..model.topology_change import Connections, chosen_rows
from .constraint_tables import ConstraintTables, lay_constraints
from .contact_tables import ContactTables as LaidContacts
from .contact_tables import lay_contacts
from .markers import Markers, lay_forces, lay_markers
from .springs import lay_drives, lay_springs
from .surface_contact_tables import lay_touching
from .tree_tables import Tree

NODE = TreeNode.columns


def compile_system(system: System, checked: bool = False) -> Model:
    """The model of a system; a `ModelError` lists everything that is wrong with it.

    checked    whether `System.check` has found nothing wrong already
    """
    from ..kernels.model_arrays import ModelArrays

    problems = [] if checked else system.check()
    if problems:
        raise ModelError(problems)
    if system.imported is not None and not (system.contacts or system.piles or system.touching):
        system.imported.untouched(system.name)
    tree = Tree(system)
    spring_index, springs, frictions = lay_springs(tree)
    drive_index, drives = lay_drives(tree)
    markers = lay_markers(system, tree)
    load_index, loads, laws = lay_forces(system, markers)
    more = [touched.placed for one in system.touching for _, touched in one.roles() if touched.placed is not None]
    places = _nodes(system)
    contacts = lay_contacts(system.contacts, system.piles, markers.addresses, len(frictions), more, places)
    latched, before = len(frictions) + len(contacts.latched_names), len(contacts.contacts)
    surfaces = lay_touching(system.touching, markers.addresses, contacts.rows, places, latched, before)
    held = () if surfaces is None else surfaces.latched_names
    laid = _lay_constraints(system, tree, markers)
    connections = _connections(system, laid)
    there = chosen_rows(connections, connections.closed)
    orbit = system.environment
    arrays = {
        "tree": tree.table,
        "flexible": np.flatnonzero(tree.table[:, NODE.ne] > 0).astype(np.int64),
        "bodies": tree.data,
        "integers": np.concatenate([np.zeros(0, np.int64), *tree.integers]),
        "floats": np.concatenate([np.zeros(0), *tree.floats]),
        "q_index": np.array(tree.q_index, np.int64),
        "rotations": np.array(tree.groups, np.int64).reshape(-1, 3),
        "paths": np.array(tree.paths, np.int64).reshape(-1, 4),
        "without_velocity": np.array([*((body, at) for at, body, *_ in tree.paths), *tree.lags], np.int64).reshape(
            -1, 2
        ),
        "spring_entries": spring_index,
        "joint_springs": springs,
        "drive_entries": drive_index,
        "joint_drives": drives,
        "markers": markers.rows,
        "marker_poses": markers.pose,
        "load_markers": load_index,
        "constant_loads": loads,
        "orbit": np.concatenate([system.gravity, np.zeros(0) if orbit is None else orbit.numbers()]),
    }
    touching = "shapes shape_poses shape_floats shape_integers contacts contact_floats"
    arrays |= {name: getattr(contacts, name) for name in touching.split()}
    arrays |= {name: there[name] for name in ("constraints", "strut_markers", "strut_parameters")}
    arrays |= {"constraint_floats": laid.constraint_floats, "coupled_entries": laid.coupled_entries}
    flat = {name: np.array(array, order="C") for name, array in arrays.items()}
    for array in flat.values():
        array.flags.writeable = False
    anchors = tuple(f"{name}.friction" for name in frictions)
    structure = Structure(
        names=Names(
            tuple(tree.q_names), tuple(tree.v_names), (*anchors, *contacts.latched_names, *held, *contacts.state_names)
        ),
        bodies=tuple(item.body.name for item in tree.items),
        joints={item.joint.name: (item.joint.kind, i + 1) for i, item in enumerate(tree.items)},
        owners=tuple(tree.owners),
        markers=markers.addresses,
        neutral=np.array(tree.neutral),
        latched=latched + len(held),
        ranges=tree.ranges,
    )
    acting = ModelElements(
        law_forces=laws,
        contacts=_contacts(system, contacts),
        constraint_names=there["names"],
        springs=there["springs"],
        touching=None if surfaces is None else surfaces.tables,
        connections=connections,
    )
    return Model(system.name, ModelArrays(**flat), structure, acting, to_dict(system))


def _contacts(system: System, laid: LaidContacts) -> Contacts:
    """Names and the users' own laws of the contacts and piles."""
    return Contacts(
        (*(one.name for one in system.contacts), *(one.name for one in system.piles)),
        laid.normal_laws,
        laid.friction_laws,
        bool(system.piles),
        tuple({family for pile in system.piles for family in pile.families()}),
    )


def _connections(system: System, laid: ConstraintTables) -> Connections:
    """All connections, those too that an event is to close."""
    return Connections(
        ways={one.name: one.way for one in system.connections},
        closed={one.name: {} for one in system.connections if one.active},
        names=laid.names,
        springs=laid.struts_named,
        constraints=laid.constraints,
        strut_markers=laid.strut_markers,
        strut_parameters=laid.strut_parameters,
    )


def _nodes(system: System) -> dict[str, np.ndarray]:
    """Places of the nodes of bodies whose surfaces touch, by name."""
    wanted = {side.address for one in system.touching for side in (one.first, one.second) if side.facets}
    wanted |= {one.second.shape.body for one in system.contacts if isinstance(one.second.shape, DeformableFacets)}
    return {item.body.name: item.body.nodes for item in system.attachments if item.body.name in wanted}  # type: ignore[attr-defined]


def _lay_constraints(system: System, tree: Tree, markers: Markers) -> ConstraintTables:
    """Connections and couplings, laid flat."""
    q_index = np.array(tree.q_index, np.int64)

    def entries(name: str, rates: bool) -> tuple[int, int]:
        if rates:
            return -1, tree.v_names.index(name)
        q = tree.q_names.index(name)
        return q, int(np.flatnonzero(q_index == q)[0])

    def distance(one: Connection) -> float:
        return float(np.linalg.norm(tree.place(one.first, Pose()) - tree.place(one.second, one.place)))

    known = markers.addresses | markers.placed
    return lay_constraints(system.connections, system.couplings, known, entries, np.array(tree.neutral), distance)
