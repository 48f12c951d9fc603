"""Contacts of a system as the tables that the kernels read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ..basics.pose import Pose
from ..describe.contact.friction import FrictionLaw
from ..describe.contact.granular import BROAD, Pile
from ..describe.contact.normal import NormalLaw
from ..describe.contact.pairs import Contact
from ..describe.contact.user_laws import OwnFriction, OwnNormal
from ..describe.shapes import DeformableFacets, Placed, Point
from ..kernels.kind_registry import PILE, SPHERE_PLANE
from .surface_contact_tables import ends_there


class ContactTables(NamedTuple):
    """The tables of contact, the names of what contacts remember, and the users' laws in order."""

    shape_index: np.ndarray
    shape_pose: np.ndarray
    shape_floats: np.ndarray
    shape_integers: np.ndarray
    contact_index: np.ndarray
    contact_floats: np.ndarray
    latched_names: tuple[str, ...]
    state_names: tuple[str, ...]
    normal_laws: tuple[OwnNormal, ...]
    friction_laws: tuple[OwnFriction, ...]
    rows: dict[int, int]


LATCHED_NAMES = ("touching", "impact_speed", "mark.x", "mark.y", "mark.z")
PART_NAMES = ("key", "normal.x", "normal.y", "normal.z")
SUM_NAMES = ("remained", "relaxed")


class _Layer:
    """Lays contacts and piles behind each other."""

    def __init__(self, before: int) -> None:
        self.before = before
        self.rows: dict[int, int] = {}
        self.alike: dict[tuple[str, str, bytes], list[int]] = {}
        self.shapes: list[Placed] = []
        self.kept: list[Placed] = []
        self.classes: dict[int, int] = {}
        self.floats: list[np.ndarray] = [np.zeros(0)]
        self.count = 0
        self.latched: list[str] = []
        self.states: list[str] = []
        self.normals: list[OwnNormal] = []
        self.frictions: list[OwnFriction] = []
        self.patches = 0
        self.cells: dict[int, tuple[np.ndarray, np.ndarray]] = {}
        self.inner: set[int] = set()

    def row_of(self, placed: Placed) -> int:
        """The row of a shape, which equal ones share: a model that is read back has equal ones where a user gave one
        several times, and must be the same model."""
        if id(placed) not in self.rows:
            pose = placed.pose
            key = (placed.address, placed.shape.kind, pose.position.tobytes() + pose.rotation.tobytes())
            others = self.alike.setdefault(key, [])
            described = placed.shape.to_dict() if others else {}
            row = next((k for k in others if self.shapes[k].shape.to_dict() == described), len(self.shapes))
            if row == len(self.shapes):
                others.append(row)
                self.shapes.append(placed)
            self.rows[id(placed)] = row
            self.kept.append(placed)  # its identity stays its own
        return self.rows[id(placed)]

    def keep(self, numbers: np.ndarray) -> int:
        """Lays numbers behind the others; returns where they begin."""
        self.floats.append(np.asarray(numbers, float))
        self.count += len(numbers)
        return self.count - len(numbers)

    def laws(self, row: np.ndarray, normal: NormalLaw, numbers: np.ndarray, friction: FrictionLaw | None) -> list[str]:
        """Lays the two laws; returns the names of a site's states."""
        from ..kernels.contact import contact_layout as C

        row[C.NORMAL_FLOATS] = self.keep(numbers)
        row[C.NORMAL_LAW] = normal.code
        if isinstance(normal, OwnNormal):
            row[C.NORMAL_LAW] += len(self.normals)
            self.normals.append(normal)
        row[C.FRICTION_FLOATS] = self.count
        row[C.NORMAL_STATES] = len(normal.state_names)
        names = list(normal.state_names)
        if friction is not None:
            self.keep(friction.numbers())
            own = list(friction.state_names)
            if normal.patches and own:
                own.insert(3, "twist")
            row[C.FRICTION_STATES] = len(own)
            names += own
            row[C.FRICTION_LAW] = friction.code
            if isinstance(friction, OwnFriction):
                row[C.FRICTION_LAW] += len(self.frictions)
                self.frictions.append(friction)
        row[C.FLOATS_END] = self.count
        return names

    def slots(self, row: np.ndarray, name: str, slots: int, names: list[str]) -> None:
        """Room for the memory of so many sites."""
        from ..kernels.contact import contact_layout as C

        row[C.SLOTS] = slots
        row[C.LATCHED], row[C.CONTACT_STATES] = self.before + len(self.latched), len(self.states)
        for slot in range(slots):
            site = name if slots == 1 else f"{name}[{slot}]"
            self.latched += [f"{site}.{one}" for one in LATCHED_NAMES]
            self.states += [f"{site}.{one}" for one in names]

    def contact(self, row: np.ndarray, contact: Contact) -> None:
        from ..kernels.contact import contact_layout as C

        kind = contact.found()
        assert kind is not None  # the checks have refused it
        for side in (contact.first, contact.second):
            self.ends(side)
        pair = [self.row_of(contact.first), self.row_of(contact.second)]
        row[C.CONTACT_FIRST], row[C.CONTACT_SECOND] = pair[::-1] if kind.swapped else pair
        row[C.SIGN], row[C.FAMILY] = -1 if kind.swapped else 1, kind.family
        numbers = contact.normal.numbers(contact.first.shape, contact.second.shape, contact.name)
        names = self.laws(row, contact.normal, numbers, contact.friction)
        self.slots(row, contact.name, kind.slots, names)
        if contact.volumetric:
            self.parts(row, contact.name, kind.slots)
            row[C.CONTACT_NORMAL] = contact.pushing
            self.reserve_overlaps(row)

    def ends(self, placed: Placed) -> list[int]:
        """Rows of the points that a shape is laid between, where it is."""
        return [self.row_of(Placed(Point(), address, Pose())) for address in getattr(placed.shape, "points", ())]

    def reserve_overlaps(self, row: np.ndarray) -> None:
        """Lays the shapes of a volumetric contact as bodies of cells; notes the scratch of their overlaps."""
        from ..describe.shapes.cell_tables import scratch_capacity
        from ..describe.shapes.cells import volume_data
        from ..kernels.contact import contact_layout as C

        if row[C.FAMILY] == SPHERE_PLANE:
            return
        headers = []
        for i in (int(row[C.CONTACT_FIRST]), int(row[C.CONTACT_SECOND])):
            sprung = row[C.CONTACT_NORMAL] != C.INERTIA_NORMAL
            known = i in self.cells and (i in self.inner or not sprung)
            if not known and not getattr(self.shapes[i].shape, "inside", False):
                self.cells[i] = volume_data(self.shapes[i].shape, inner=sprung)
                self.inner |= {i} if sprung else set()
            headers.append(self.cells[i][0] if i in self.cells else np.zeros(16, np.int64))
        row[C.CAPACITY_POINTS], row[C.CAPACITY_PAIRS], row[C.CAPACITY_STACK] = scratch_capacity(*headers)

    def parts(self, row: np.ndarray, name: str, slots: int) -> None:
        """Room for what a volumetric contact remembers of its parts, and for its sums."""
        from ..kernels.contact import contact_layout as C

        row[C.CONTACT_PARTS], row[C.SUMS], row[C.PATCHES] = (
            self.before + len(self.latched),
            len(self.states),
            self.patches,
        )
        for slot in range(slots):
            site = name if slots == 1 else f"{name}[{slot}]"
            self.latched += [f"{site}.{one}" for one in PART_NAMES]
        self.states += [f"{name}.{one}" for one in SUM_NAMES]
        self.patches += slots

    def pile(self, row: np.ndarray, pile: Pile) -> None:
        from ..kernels.contact import contact_layout as C

        examples, numbers = pile.classes()
        for placed in pile.shapes:
            self.ends(placed)
        row[C.CONTACT_FIRST] = len(self.shapes)
        for placed, number in zip(pile.shapes, numbers, strict=True):
            self.classes[len(self.shapes)] = number
            self.shapes.append(placed)
        row[C.CONTACT_SECOND] = len(self.shapes)
        row[C.FAMILY], row[C.SIGN] = PILE, BROAD.index(pile.broad)
        meetings = [(a, b, pile.normal.numbers(a.shape, b.shape, pile.name)) for a, b in pile.meetings()]
        law = meetings[0][2]
        if not isinstance(pile.normal, OwnNormal):
            law[C.DEEPEST] = max(one[C.DEEPEST] for _, _, one in meetings)
        names = self.laws(row, pile.normal, law, pile.friction)
        if getattr(pile.normal, "material", None) is not None:
            table = np.zeros((len(examples), len(examples)))
            class_of = {id(placed): number for placed, number in zip(pile.shapes, numbers, strict=True)}
            for a, b, parameters in meetings:
                i, j = class_of[id(a)], class_of[id(b)]
                table[i, j] = table[j, i] = parameters[C.LAW_STIFFNESS]
            row[C.CLASSES], row[C.STIFFNESSES] = len(examples), self.keep(table.ravel())
        row[C.CONTACT_SIZES] = self.keep(np.array(pile.sizes()))
        self.slots(row, pile.name, pile.slots, names)


def _skin(layer: _Layer, skin: DeformableFacets, x: np.ndarray) -> tuple[np.ndarray, float]:
    """Integers of a skin, whose nodes are at x, and how deep behind it is still inside: the mean size of its facets."""
    from ..kernels.contact.narrow_phase import deformable_facets as K
    from ..kernels.surface_contact.closest_point import SIDES

    rows = {k: layer.row_of(Placed(Point(), at, Pose())) for k, at in zip(skin.nodes, skin.points, strict=True)}
    table = [layer.row_of(skin.met), len(skin.facets)]
    for facet, rim in zip(skin.facets, ends_there(x, skin.facets), strict=True):
        points = [rows[k] for k in facet] + [0] * (4 - len(facet))
        table += [len(facet), *points, rim & SIDES]
    assert len(table) == K.FACET_PLANE_TABLE + K.FACET_INTEGERS * len(skin.facets)
    sizes = [np.max(np.ptp(x[list(facet)], axis=0)) for facet in skin.facets]
    return np.array(table, np.int64), float(np.mean(sizes))


def lay_contacts(
    contacts: list[Contact],
    piles: list[Pile],
    markers: dict[str, int],
    before: int,
    more: Sequence[Placed] = (),
    places: Mapping[str, np.ndarray] | None = None,
) -> ContactTables:
    """The tables; `before` latched values of the joints come first. `more` are shapes that something else touches;
    `rows` of the result has the row of a shape by its identity. places has the nodes of solids by name."""
    from ..kernels.contact import contact_layout as C

    table = np.zeros((len(contacts) + len(piles), C.CONTACT_TABLE), np.int64)
    layer = _Layer(before)
    for row, contact in zip(table, contacts, strict=False):
        layer.contact(row, contact)
    for row, pile in zip(table[len(contacts) :], piles, strict=True):
        layer.pile(row, pile)
    for placed in more:
        layer.row_of(placed)
    shapes = layer.shapes
    index = np.zeros((len(shapes), C.SHAPE_TABLE), np.int64)
    poses = np.zeros((len(shapes), C.SHAPE_POSE))
    numbers_of_shapes: list[np.ndarray] = [np.zeros(0)]
    integers_of_shapes: list[np.ndarray] = [np.zeros(0, np.int64)]
    at_float = at_integer = 0
    nets: dict[str, int] = {}
    for i, placed in enumerate(shapes):
        integers, own_numbers = placed.shape.contact_data()
        if isinstance(placed.shape, DeformableFacets):
            layer.classes[i] = C.FACET_PLANE
            integers, reach = _skin(layer, placed.shape, (places or {})[placed.shape.body])
            own_numbers = np.append(own_numbers, reach)
        elif getattr(placed.shape, "number", 0):
            integers = np.array(layer.ends(placed), np.int64)
        address = placed.address
        marker = markers.get(address, markers.get(f"{address}.origin", 0))
        rank, number = placed.shape.rank, layer.classes.get(i, 0)
        index[i, :6] = marker, placed.shape.code, at_float, at_integer, rank, number
        index[i, C.LINK] = getattr(placed.shape, "number", 0)
        index[i, C.LINK_APART] = getattr(placed.shape, "apart", 0)
        net = getattr(placed.shape, "net", "")
        if net:
            index[i, C.LINK_NET] = nets.setdefault(net, len(nets) + 1)
            index[i, C.LINK_ROW] = getattr(placed.shape, "row", 0)
            index[i, C.LINK_SIDE] = getattr(placed.shape, "side", 0)
        poses[i, :9], poses[i, 9:12] = placed.pose.rotation.ravel(), placed.pose.position
        poses[i, C.BALL], poses[i, C.THICKNESS] = placed.shape.reach, placed.shape.thickness
        poses[i, C.HALF] = placed.shape.half_thickness
        numbers_of_shapes.append(np.asarray(own_numbers, float))
        integers_of_shapes.append(np.asarray(integers, np.int64))
        at_float += len(own_numbers)
        at_integer += len(integers)
        if i in layer.cells:
            integers, own_numbers = layer.cells[i]
            index[i, C.CELL_FLOATS], index[i, C.CELL_INTEGERS] = at_float, at_integer
            numbers_of_shapes.append(own_numbers)
            integers_of_shapes.append(integers)
            at_float += len(own_numbers)
            at_integer += len(integers)
    return ContactTables(
        index,
        poses,
        np.concatenate(numbers_of_shapes),
        np.concatenate(integers_of_shapes),
        table,
        np.concatenate(layer.floats),
        tuple(layer.latched),
        tuple(layer.states),
        tuple(layer.normals),
        tuple(layer.frictions),
        dict(layer.rows),
    )
