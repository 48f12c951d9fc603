"""Where things stand in the tables that the kernels read and write.

Row 0 of every body table is the world, so that roots need no branch; bodies are 1 ... nb, parents before children.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from .bodies.lumped_layout import LumpedBody
from .bodies.nodal_layout import NodalBody, carried_numbers, own_numbers
from .constraints.constraint_layout import Constraint, ConstraintRow, CoupledEntry, Stabilization
from .constraints.sparsity import SolveLayout, solving_layout
from .contact.contact_layout import FACET_PLANE
from .contact.contact_rows import (
    ContactEntries,
    ContactPeak,
    ContactResult,
    Flight,
    FoundParts,
    ListedPair,
    ListedShape,
    PairList,
    PatchResult,
    ShapeEntries,
    ShapePose,
    ShapeState,
    Site,
)
from .contact.volumetric.scratch import scratch_sizes
from .kind_registry import (
    ADDED_SHAPES,
    BODIES,
    JOINTS,
    LUMPED,
    NODAL,
    PILE,
    PLANE,
    RAIL,
    SHAPES,
    SPHERE,
    SPHERE_PLANE,
    TABLED,
    USER,
    USER_FRICTION,
)
from .law_rows import ActingLaw, Sampler, Watch
from .ledger import Flags, Ledger
from .parallel.sparse_solve_layout import Solving
from .parallel.thread_layout import ThreadPool
from .records import NestedRecord, Record, f64, i64, row, rows
from .tree.tree_rows import (
    BodyParameters,
    BodyState,
    ConstantLoad,
    DofState,
    DriveEntries,
    JointDrive,
    JointSpring,
    LoadMarkers,
    MarkerPlace,
    MarkerPose,
    Orbit,
    PrescribedEntry,
    RotationGroup,
    SensedQuantity,
    SpringEntries,
    Strut,
    StrutMarkers,
    TreeNode,
)


class ModelArrays(Record, name="M", readonly=True):
    """The flat arrays of a compiled model, read-only."""

    tree = rows(TreeNode)
    bodies = rows(BodyParameters)
    integers = i64(1)  # the bodies' own integers
    floats = f64(1)  # the bodies' own floats
    flexible = i64(1)  # rows of the bodies with internal coordinates
    q_index = i64(1)  # (nv,) entry of q that an entry of v drives, -1 in the joints of `groups`
    rotations = rows(RotationGroup)
    paths = i64(2)  # (np, 4) rotations in q that no v drives: entry in q, body, two places in floats (paths.py)
    without_velocity = i64(
        2
    )  # (np + nl, 2) all in q that no v drives: body, entry; paths, then wrenches of 6 (giving.py)
    spring_entries = rows(SpringEntries)
    joint_springs = rows(JointSpring)
    drive_entries = rows(DriveEntries)
    joint_drives = rows(JointDrive)
    markers = rows(MarkerPlace)
    marker_poses = rows(MarkerPose)
    load_markers = rows(LoadMarkers)
    constant_loads = rows(ConstantLoad)
    orbit = row(Orbit, columns="gravity", least=3)  # uniform gravity alone, or an orbital frame
    shapes = rows(ShapeEntries)
    shape_poses = rows(ShapePose)
    shape_floats = f64(1)  # numbers of the shapes
    shape_integers = i64(1)  # integers of the shapes
    contacts = rows(ContactEntries)
    contact_floats = f64(1)  # parameters of the laws
    constraints = rows(Constraint)
    constraint_floats = f64(1)  # their numbers
    coupled_entries = rows(CoupledEntry)
    strut_markers = rows(StrutMarkers)
    strut_parameters = rows(Strut)

    @property
    def nq(self) -> int:
        """How many coordinates there are."""
        return len(self.q_index) + len(self.rotations) + 4 * len(self.paths) + 6 * self.wrenches

    @property
    def wrenches(self) -> int:
        """How many compliant joints there are (joint_compliance.py); each has six numbers in q."""
        return len(self.without_velocity) - len(self.paths)

    @cached_property
    def features(self) -> frozenset[str]:
        """What the model has that not every model has: which parts (`compiler.part`) it needs."""
        node = self.tree.columns
        internal = node.ne > 0
        found = {BODIES[kind] for kind in set(node.kind[internal].tolist())}
        if found:
            found.add("flexible")
        if np.any((node.joint == RAIL) & internal[node.parent]):
            found.add("rail")
        joints = {*node.joint.tolist(), *(one.kind for one in self.constraints)}
        found |= {JOINTS[code] for code in joints if TABLED <= code < len(JOINTS)}
        found |= {SHAPES[code] for code in set(self.shapes.columns.code.tolist()) if code >= ADDED_SHAPES}
        if len(self.without_velocity):
            found.add("without_velocity")
        if self.wrenches:
            found.add("lagged")
        own = [self.integers[at:] for at in node.integers]
        if any(LumpedBody(own[i]).sections for i in np.flatnonzero(internal & (node.kind == LUMPED))):
            found.add("sections")
        for i in np.flatnonzero(internal & (node.kind == NODAL)):
            body = NodalBody(own[i])
            parts = {"cable": body.elements, "shell": body.shells, "rod": body.rods}
            found |= {name for name, count in parts.items() if count}
        # what acts on bodies and joints
        if len(self.gravity) > 3:
            found.add("orbit")
        tables = {"paths": self.paths, "contact": self.contacts, "struts": self.strut_parameters}
        tables |= {"loads": self.constant_loads, "drives": self.joint_drives}
        found |= {name for name, table in tables.items() if len(table)}
        if np.any(self.contacts.columns.family >= SPHERE_PLANE):
            found.add("patches")
        if np.any((self.contacts.columns.normal_law >= USER) | (self.contacts.columns.friction_law >= USER_FRICTION)):
            found.add("contact laws")
        if np.any(self.shapes.columns.size_class == FACET_PLANE):
            found.add("skins")
        if np.any(self.shapes.columns.link > 0):
            found.add("strands")
        return frozenset(found)


class Workspace(Record, name="W", complexes=True):
    """Scratch of the kernels, allocated once; float64, or complex128 for a complex step."""

    bodies = rows(BodyState)
    dofs = rows(DofState)  # a row for each entry of v
    circle = f64(2)  # (2, nq) sine and cosine of every entry of q
    effort = f64(1)  # (nv,) total effort on each entry
    supplied = f64(1)  # (nv,) the part of it that controllers and motions supply
    ledger = row(Ledger)
    flags = row(Flags)
    sensed = f64(1)  # what the laws sense
    scratch = f64(1)  # (16,)
    flex = f64(1)  # blocks of the bodies with internal coordinates, then the shapes of one station
    known = i64(1)  # (nv,) int64, 1 where the acceleration is prescribed
    shapes = rows(ShapeState)
    sites = rows(Site)  # of one pair, as many as a pair has at most
    contact_wrenches = rows(ContactResult)  # behind those of contacts that of contacts by multipliers
    patches = rows(PatchResult)  # one for each slot of the volumetric contacts
    found = rows(FoundParts, columns="found_parts")  # the parts that volumetric contacts had last, then of each contact
    overlap_scratch = f64(1)  # where overlaps are worked out
    links = i64(1)  # int64, the same
    peaks = rows(ContactPeak)
    flights = rows(Flight)
    pairs = i64(2)  # (room, ListedPair.size + roles) int64, shapes of piles that may touch soon: see `ListedPair`
    lists = row(PairList)
    cells = i64(1)  # int64 scratch of the broad phase
    listed = rows(ListedShape)
    control = f64(1)  # scratch of the controllers, and what conditions remember
    control_workspaces = i64(2)  # (np, 2) addresses of the control models and of their workspaces
    constraint_rows = rows(ConstraintRow)
    solve = f64(1)  # where multipliers are worked out
    layout = row(SolveLayout, columns="solve_links", more=True)  # the same, and behind it lists
    pool = NestedRecord(ThreadPool)  # what threads share of the trees, None where there is one
    solving = NestedRecord(Solving)  # what they share of sparse bodies


class RunTables(Record, name="T", readonly=True):
    """What one run adds to the model: prescribed motions, sensors of the laws, how constraints are kept."""

    motions = rows(PrescribedEntry)
    motion_data = f64(1)  # numbers of the profiles
    sensed_quantities = rows(SensedQuantity, columns="sensors")
    stabilization = row(Stabilization)
    laws = rows(ActingLaw)  # forces and controllers
    samplers = rows(Sampler)  # digital controllers
    watches = rows(Watch)  # conditions of events


def own_block(kind: int, n: int, nodes: int = 0) -> int:
    """Numbers that a body with n internal coordinates, of a mesh with so many nodes, has in `Workspace.flex`."""
    return own_numbers(n, nodes) if kind == NODAL else n * (7 + n)


def carried_block(kind: int, n: int) -> int:
    """Numbers that a body has there for being carried by one of such a kind with n internal coordinates."""
    return carried_numbers(n) if kind == NODAL else 6 * n


LINE = 64
"""Bytes that a processor brings from memory at a time."""


def cache_lines(rows: int, width: int, dtype: type) -> np.ndarray:
    """Zeros (rows, width), from the beginning of a line of cache on."""
    size = np.dtype(dtype).itemsize
    numbers: np.ndarray = np.zeros(rows * width + LINE // size, dtype)
    first = -numbers.ctypes.data % LINE // size
    return numbers[first : first + rows * width].reshape(rows, width)


def _shape_rows(arrays: ModelArrays, dtype: type) -> np.ndarray:
    """Rows of shapes, each from the beginning of a line of cache on, with what does not change in them."""
    index, rows = arrays.shapes.columns, cache_lines(len(arrays.shapes), ShapeState.size, dtype)
    rows[:, ShapeState.columns.ball] = arrays.shape_poses.columns.ball
    body, none = arrays.markers.columns.body[index.marker], np.eye(4)[:3].T.ravel()
    bare = np.all(arrays.marker_poses.array[index.marker] == none, axis=1)
    bare &= np.all(arrays.shape_poses.array[:, :12] == none, axis=1) & (arrays.tree.columns.ne[body] == 0)
    bare &= (index.size_class != FACET_PLANE) & (index.link == 0)
    rows[:, ShapeState.columns.body] = np.where(bare, body, 0)
    return rows


ROLES = 8
"""Sites that a pair of a pile has at most."""


def workspace(
    arrays: ModelArrays,
    dtype: type = np.float64,
    sensed: int = 0,
    pairs: int = 12,
    control: np.ndarray | None = None,
    control_workspaces: Sequence[ModelArrays] = (),
    keeping: tuple[np.ndarray, np.ndarray] | None = None,
    roles: np.ndarray | None = None,
    surfaces: int = 0,
) -> Workspace:
    """A workspace that fits `arrays`, with room for `sensed` numbers and for `pairs` times as many pairs as shapes.

    control    what the scratch of the controllers begins with, None for none
    control_workspaces  arrays of the models that controllers compute with; each gets a workspace of its own
    keeping    what the part of the method that keeps the constraints begins with: numbers, integers
    roles      which rows of constraints get a multiplier, which may be exchanged for these, which do nothing
    surfaces   contacts by multipliers, whose wrenches have rows too
    """
    nb, nv, node = len(arrays.tree), len(arrays.q_index), arrays.tree.columns
    nq = arrays.nq
    # scratch of flexible bodies: blocks of all, and the shapes of one station
    n = node.ne
    own, carried = np.zeros(nb, np.int64), np.zeros(nb, np.int64)  # a rigid body has no block, nor has what it carries
    for i in np.flatnonzero(n):
        one = arrays.tree[i]
        nodes = NodalBody(arrays.integers[one.integers :]).nodes if one.kind == NODAL else 0
        own[i] = own_block(one.kind, one.ne, nodes)
    for i in np.flatnonzero(node.ne[node.parent]):
        carrier = arrays.tree[node.parent[i]]
        carried[i] = carried_block(carrier.kind, carrier.ne)
    blocks = np.max(node.flex + own), np.max(node.phi + carried)
    size = 1 + int(max(blocks)) + 6 * int(np.max(n))  # the end is scratch for the shapes of one station
    # room for contacts, by what the model has
    ns, index = len(arrays.shapes), arrays.contacts.columns
    family = index.family
    piles = bool(np.any(family == PILE))
    sites = max(int(np.max(index.slots[family != PILE], initial=0)), 2 * ROLES if piles else 0)
    # balls and planes touch each other in one place, which keeps the list of pairs short in memory
    each = 1 if np.all(np.isin(arrays.shapes.columns.code, (SPHERE, PLANE))) else ROLES
    parts = int(np.sum(index.slots[family >= SPHERE_PLANE]))
    overlap_scratch, links = scratch_sizes(arrays.contacts)
    work: np.ndarray = np.zeros((nb, BodyState.size), dtype)
    work[0, BodyState.columns.R_WB] = np.eye(3).ravel()
    # models that controllers compute with have workspaces of their own
    controlled = [workspace(one, dtype) for one in control_workspaces]
    suffix = "c" * (np.dtype(dtype) == np.complex128)
    addresses = [
        (one.address_M, getattr(mine, f"address_W{suffix}"))
        for one, mine in zip(control_workspaces, controlled, strict=True)
    ]
    solve, solve_links = solving_layout(arrays, dtype, keeping, roles)
    made = Workspace(
        bodies=work,
        dofs=np.zeros((nv, DofState.size), dtype),
        circle=np.zeros((2, nq), dtype),
        effort=np.zeros(nv, dtype),
        supplied=np.zeros(nv, dtype),
        ledger=np.zeros(Ledger.size, dtype),
        flags=np.zeros(Flags.size, np.int64),
        sensed=np.zeros(sensed, dtype),
        scratch=np.zeros(16, dtype),
        flex=np.zeros(size, dtype),
        known=np.zeros(nv, np.int64),
        shapes=_shape_rows(arrays, dtype),
        sites=np.zeros((sites + 1, Site.size), dtype),
        contact_wrenches=np.zeros((len(family) + surfaces, ContactResult.size), dtype),
        patches=np.zeros((parts, PatchResult.size), dtype),
        found=np.zeros((parts + len(family) if parts else 0, FoundParts.size), dtype),
        overlap_scratch=np.zeros(overlap_scratch, dtype),
        links=np.zeros(links, np.int64),
        peaks=np.zeros((len(family), ContactPeak.size), dtype),
        flights=np.zeros((len(family), Flight.size), dtype),
        pairs=np.zeros((pairs * ns + 64 if piles else 0, ListedPair.size + each), np.int64),
        lists=np.zeros(PairList.size, np.int64),
        cells=np.zeros(2 * ns + (1 << int(2 * ns).bit_length()) if piles else 0, np.int64),
        listed=np.zeros((ns if piles else 0, ListedShape.size), dtype),
        control=np.zeros(0, dtype) if control is None else np.array(control, dtype),
        control_workspaces=np.array(addresses, np.int64).reshape(-1, 2),
        constraint_rows=np.zeros((int(np.sum(arrays.constraints.columns.rows)), ConstraintRow.size), dtype),
        solve=solve,
        solve_links=solve_links,
        pool=None,
        solving=None,
    )
    made.__dict__["owned"] = (tuple(control_workspaces), controlled)  # kept as long as their addresses are
    return made
