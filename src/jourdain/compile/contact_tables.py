"""Contacts of a system as the tables that the kernels read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

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

if TYPE_CHECKING:
    from ..kernels.contact.contact_rows import ContactEntries


class ContactTables(NamedTuple):
    """The tables of contact, the names of what contacts remember, and the users' laws in order."""

    shapes: np.ndarray
    shape_poses: np.ndarray
    shape_floats: np.ndarray
    shape_integers: np.ndarray
    contacts: np.ndarray
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

    def laws(
        self, row: ContactEntries, normal: NormalLaw, numbers: np.ndarray, friction: FrictionLaw | None
    ) -> list[str]:
        """Lays the two laws; returns the names of a site's states."""
        row.normal_floats = self.keep(numbers)
        row.normal_law = normal.code
        if isinstance(normal, OwnNormal):
            row.normal_law += len(self.normals)
            self.normals.append(normal)
        row.friction_floats = self.count
        row.normal_states = len(normal.state_names)
        names = list(normal.state_names)
        if friction is not None:
            self.keep(friction.numbers())
            own = list(friction.state_names)
            if normal.patches and own:
                own.insert(3, "twist")
            row.friction_states = len(own)
            names += own
            row.friction_law = friction.code
            if isinstance(friction, OwnFriction):
                row.friction_law += len(self.frictions)
                self.frictions.append(friction)
        row.floats_end = self.count
        return names

    def slots(self, row: ContactEntries, name: str, slots: int, names: list[str]) -> None:
        """Room for the memory of so many sites."""
        row.slots = slots
        row.latched, row.states = self.before + len(self.latched), len(self.states)
        for slot in range(slots):
            site = name if slots == 1 else f"{name}[{slot}]"
            self.latched += [f"{site}.{one}" for one in LATCHED_NAMES]
            self.states += [f"{site}.{one}" for one in names]

    def contact(self, row: ContactEntries, contact: Contact) -> None:
        kind = contact.found()
        assert kind is not None  # the checks have refused it
        for side in (contact.first, contact.second):
            self.ends(side)
        pair = [self.row_of(contact.first), self.row_of(contact.second)]
        row.first, row.second = pair[::-1] if kind.swapped else pair
        row.sign, row.family = -1 if kind.swapped else 1, kind.family
        numbers = contact.normal.numbers(contact.first.shape, contact.second.shape, contact.name)
        names = self.laws(row, contact.normal, numbers, contact.friction)
        self.slots(row, contact.name, kind.slots, names)
        if contact.volumetric:
            self.parts(row, contact.name, kind.slots)
            row.normal_kind = contact.pushing
            self.reserve_overlaps(row)

    def ends(self, placed: Placed) -> list[int]:
        """Rows of the points that a shape is laid between, where it is."""
        return [self.row_of(Placed(Point(), address, Pose())) for address in getattr(placed.shape, "points", ())]

    def reserve_overlaps(self, row: ContactEntries) -> None:
        """Lays the shapes of a volumetric contact as bodies of cells; notes the scratch of their overlaps."""
        from ..describe.shapes.cell_tables import scratch_capacity
        from ..describe.shapes.cells import volume_data
        from ..kernels.contact.contact_layout import INERTIA_NORMAL

        if row.family == SPHERE_PLANE:
            return
        headers = []
        for i in (int(row.first), int(row.second)):
            sprung = row.normal_kind != INERTIA_NORMAL
            known = i in self.cells and (i in self.inner or not sprung)
            if not known and not getattr(self.shapes[i].shape, "inside", False):
                self.cells[i] = volume_data(self.shapes[i].shape, inner=sprung)
                self.inner |= {i} if sprung else set()
            headers.append(self.cells[i][0] if i in self.cells else np.zeros(16, np.int64))
        row.capacity_points, row.capacity_pairs, row.capacity_stack = scratch_capacity(*headers)

    def parts(self, row: ContactEntries, name: str, slots: int) -> None:
        """Room for what a volumetric contact remembers of its parts, and for its sums."""
        row.parts, row.sums, row.patches = (
            self.before + len(self.latched),
            len(self.states),
            self.patches,
        )
        for slot in range(slots):
            site = name if slots == 1 else f"{name}[{slot}]"
            self.latched += [f"{site}.{one}" for one in PART_NAMES]
        self.states += [f"{name}.{one}" for one in SUM_NAMES]
        self.patches += slots

    def pile(self, row: ContactEntries, pile: Pile) -> None:
        from ..kernels.contact.contact_rows import NormalParameters

        examples, numbers = pile.classes()
        for placed in pile.shapes:
            self.ends(placed)
        row.first = len(self.shapes)
        for placed, number in zip(pile.shapes, numbers, strict=True):
            self.classes[len(self.shapes)] = number
            self.shapes.append(placed)
        row.second = len(self.shapes)
        row.family, row.sign = PILE, BROAD.index(pile.broad)
        meetings = [(a, b, pile.normal.numbers(a.shape, b.shape, pile.name)) for a, b in pile.meetings()]
        law = meetings[0][2]
        if not isinstance(pile.normal, OwnNormal):
            deepest = NormalParameters.columns.deepest
            law[deepest] = max(one[deepest] for _, _, one in meetings)
        names = self.laws(row, pile.normal, law, pile.friction)
        if getattr(pile.normal, "material", None) is not None:
            table = np.zeros((len(examples), len(examples)))
            class_of = {id(placed): number for placed, number in zip(pile.shapes, numbers, strict=True)}
            for a, b, parameters in meetings:
                i, j = class_of[id(a)], class_of[id(b)]
                table[i, j] = table[j, i] = parameters[NormalParameters.columns.stiffness]
            row.classes, row.stiffnesses = len(examples), self.keep(table.ravel())
        row.sizes = self.keep(np.array(pile.sizes()))
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
    from ..kernels.algebra import Mat3, Vec3
    from ..kernels.contact.contact_layout import FACET_PLANE
    from ..kernels.contact.contact_rows import ContactEntries, ShapeEntries, ShapePose
    from ..kernels.rows import Table

    table = np.zeros((len(contacts) + len(piles), ContactEntries.size), np.int64)
    layer = _Layer(before)
    for row, contact in zip(Table(table, ContactEntries), contacts, strict=False):
        layer.contact(row, contact)
    for row, pile in zip(Table(table[len(contacts) :], ContactEntries), piles, strict=True):
        layer.pile(row, pile)
    for placed in more:
        layer.row_of(placed)
    shapes = layer.shapes
    index = np.zeros((len(shapes), ShapeEntries.size), np.int64)
    poses = np.zeros((len(shapes), ShapePose.size))
    numbers_of_shapes: list[np.ndarray] = [np.zeros(0)]
    integers_of_shapes: list[np.ndarray] = [np.zeros(0, np.int64)]
    at_float = at_integer = 0
    nets: dict[str, int] = {}
    for i, placed in enumerate(shapes):
        integers, own_numbers = placed.shape.contact_data()
        if isinstance(placed.shape, DeformableFacets):
            layer.classes[i] = FACET_PLANE
            integers, reach = _skin(layer, placed.shape, (places or {})[placed.shape.body])
            own_numbers = np.append(own_numbers, reach)
        elif getattr(placed.shape, "number", 0):
            integers = np.array(layer.ends(placed), np.int64)
        address = placed.address
        marker = markers.get(address, markers.get(f"{address}.origin", 0))
        rank, number = placed.shape.rank, layer.classes.get(i, 0)
        own, pose = ShapeEntries(index[i]), ShapePose(poses[i])
        own.marker, own.code, own.floats, own.integers = marker, placed.shape.code, at_float, at_integer
        own.rank, own.size_class = rank, number
        own.link, own.link_apart = getattr(placed.shape, "number", 0), getattr(placed.shape, "apart", 0)
        net = getattr(placed.shape, "net", "")
        if net:
            own.link_net = nets.setdefault(net, len(nets) + 1)
            own.link_row = getattr(placed.shape, "row", 0)
            own.link_side = getattr(placed.shape, "side", 0)
        pose.R_MS, pose.p_MS = Mat3(*placed.pose.rotation.ravel()), Vec3(*placed.pose.position)
        pose.ball, pose.thickness, pose.half = placed.shape.reach, placed.shape.thickness, placed.shape.half_thickness
        numbers_of_shapes.append(np.asarray(own_numbers, float))
        integers_of_shapes.append(np.asarray(integers, np.int64))
        at_float += len(own_numbers)
        at_integer += len(integers)
        if i in layer.cells:
            integers, own_numbers = layer.cells[i]
            own.cell_floats, own.cell_integers = at_float, at_integer
            numbers_of_shapes.append(own_numbers)
            integers_of_shapes.append(integers)
            at_float += len(own_numbers)
            at_integer += len(integers)
    return ContactTables(
        shapes=index,
        shape_poses=poses,
        shape_floats=np.concatenate(numbers_of_shapes),
        shape_integers=np.concatenate(integers_of_shapes),
        contacts=table,
        contact_floats=np.concatenate(layer.floats),
        latched_names=tuple(layer.latched),
        state_names=tuple(layer.states),
        normal_laws=tuple(layer.normals),
        friction_laws=tuple(layer.frictions),
        rows=dict(layer.rows),
    )
