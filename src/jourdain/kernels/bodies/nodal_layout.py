"""Data of nodal bodies by name: whole numbers and floats of a body, and its blocks of `Workspace.flex`."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from ..algebra import Motion, Sym3, Vec3
from ..body_data import BodyData, Floats, FloatsRow, Integers, body_data, values_at
from ..compiler import kernel
from ..rows import Row, row_at

LANES = 4
"""Elements of a cable that are taken at a time, so that a processor does several at once."""
FOLD_POINTS = 3
"""Points of quadrature along a fold."""


class Rayleigh(Row):
    """Damping in proportion to mass and stiffness."""

    alpha: float  # [1/s]
    beta: float  # [s]


class CableSection(Row):
    """A cable's own floats; behind them its points of the stretch, of the curvature, and c_a at rest (N,) [m]."""

    EA: float  # [N]
    EI: float  # [N m^2]
    c: float  # damping of the stretch over its stiffness [s]
    c_bending: float  # damping of the curvature over its stiffness [s]
    N_0: float  # pretension [N]
    mass: Annotated[np.ndarray, 16]  # of an element over the products of its functions S_a S_b (4, 4) [kg]


class StretchPoint(Row):
    """A point of an element of a cable at which its stretch alone is taken."""

    weight: float  # [m]
    S_s: Vec3  # S_a' of chord and gradients [1/m], [1]
    eps_0: float  # stretch at rest


class BendingPoint(Row):
    """A point at which its curvature is taken too."""

    weight: float  # [m]
    S_s: Vec3  # S_a'
    S_ss: Vec3  # S_a''
    kappa_0: float  # curvature at rest [1/m]
    stretch: float  # weight of the stretch [m]
    eps_0: float


class CableFactorRow(Row):
    """A row of the factor L D L^T of the mass of a cable: 1 / d and three of L."""

    along: Annotated[np.ndarray, 4]  # along x
    across: Annotated[np.ndarray, 4]  # along y and z


class CableStepBlock(Row):
    """Numbers of a node in the factor of the matrix of a step of a cable."""

    before: Annotated[np.ndarray, 36]  # with the node before, by rows
    own: Annotated[np.ndarray, 21]  # of a symmetric matrix the rows up to the diagonal


class ShellSection(Row):
    """A shell's own floats; behind them the tables of its elements and folds.

    A table of an element has the points of the stretch, each its weight [m^2], then S_1 and S_2 of each vector;
    then those of the curvature, each with its weight, the curvature at rest (3) [1/m], and S_1, S_2, S_11, S_22,
    S_12 of each vector. That of a fold has `FOLD_POINTS`, each a `FoldPoint` and of each vector what it adds to the
    tangents along the edge, across it in the first element and in the second.
    """

    A: Sym3  # stretching stiffness of (E_11, E_22, 2 E_12) [N/m]
    D: Sym3  # bending stiffness of (K_11, K_22, 2 K_12) [N m]
    c: float  # damping of the stretch over its stiffness [s]
    c_bending: float  # damping of the curvature, and of folds, over its stiffness [s]
    E_0: Vec3  # strain of the pretension
    Et: float  # of a membrane that wrinkles [N/m], else 0
    nu: float
    fold: float  # stiffness of a fold over its length [N]


class FoldPoint(Row):
    """What a point of a fold begins with."""

    weight: float  # [m]
    cosine: float  # of the angle at rest
    sine: float


class ElementRow(Row):
    """An element, or a fold, of a shell or rod."""

    table: int  # where its table begins, behind the section
    count: int  # how many vectors it has
    vectors: int  # where these begin among the whole numbers: numbers (count,), then 1 for places, 0 for gradients
    pairs: int  # where it says where pairs of vectors stand in rows of the matrix of the coordinates (count, count)


class RodSection(Row):
    """A rod's own floats; behind them the tables of its elements, each two points and three nodes."""

    c: float  # damping of stretch and shear over their stiffness [s]
    c_bending: float  # of curvature and twist [s]


class RodPoint(Row):
    """A point of Gauss of an element of a rod."""

    weight: float  # [m]
    N: Vec3  # of the three nodes
    N_s: Vec3  # their derivatives [1/m]
    stretch: Vec3  # EA, GA_y, GA_z [N]
    bending: Vec3  # GJ, EI_y, EI_z [N m^2]
    Gamma_0: Vec3  # strains at rest
    K_0: Vec3  # [1/m]
    each: Annotated[np.ndarray, 3, "N"]
    each_s: Annotated[np.ndarray, 3, "N_s"]


class RodNode(Row):
    """A node of an element of a rod: its section, and how its triad follows its gradients."""

    C: Vec3  # C_22, C_33, C_23 [N m]
    w_2: float
    w_3: float
    each: Annotated[np.ndarray, 3, "C"]


class RodStepScratch(Row):
    """Scratch for the matrix of a step of an element of a rod."""

    element: Annotated[np.ndarray, 729]  # its matrix (27, 27) by rows
    point: Annotated[np.ndarray, 225]  # that of a point (15, 15)
    turns: Annotated[np.ndarray, 108]  # T of each node (6, 6)


class NodalBody(BodyData):
    """A nodal body with N nodes and n coordinates."""

    nodes: int  # N
    first: Integers[int]  # (N + 1,) first coordinate of each node
    mass_row: Integers[int]  # (N + 1,) rows of m
    mass_index: Integers[int]  # columns of m
    pair_row: Integers[int]  # (n + 1,) rows of stiffness and mass of the coordinates
    pair_index: Integers[int]  # their columns
    mass_factor: Integers[int]  # structure of the factor of the mass of the coordinates
    step_factor: Integers[int]  # structure of the factor of mass and stiffness
    step_target: Integers[int]  # where each pair goes in its values, -1 above the diagonal
    places: Floats[Vec3]  # (N,) of the nodes [m]
    ways: Floats[Vec3]  # (n,) directions w_k of the coordinates
    shares: Floats[float]  # (N,) s_a [kg]
    masses: Floats[float]  # m_ab [kg]
    stiffness: Floats[float]  # K_kl
    mass: Floats[float]  # M_kl
    rayleigh: FloatsRow[Rayleigh]
    factored: Floats[float]  # values of the factor of the mass
    still: Floats[Vec3]  # (N,) m times the places [kg m]
    rigid: Floats[Motion]  # (n,) of M^-1 M_re what does not follow the deformation
    tied: Floats[float]  # for each direction in which a node that moves is held: node, direction, M^-1 m along it (n)
    deformed: bool  # whether the mass is that of the deformed body
    gyroscopic: bool  # whether forces of velocities act on the coordinates
    ties: int  # how many such directions there are
    line: Floats[float]  # numbers of a cable, shell or rod
    elements: int  # of a cable
    stretch_points: int  # of an element of a cable or shell
    bending_points: int
    shells: int  # elements of a shell
    table: Integers[int]  # whole numbers of a shell or rod
    folds: int  # edges that a shell is folded along
    rods: int  # elements of a rod
    cable: Annotated[FloatsRow[CableSection], "line"]
    shell: Annotated[FloatsRow[ShellSection], "line"]
    rod: Annotated[FloatsRow[RodSection], "line"]
    rows: Annotated[Integers[ElementRow], "table"]  # of elements of a shell or rod, then of folds
    cable_factor: Annotated[Floats[CableFactorRow], "factored"]


class StationEntry(Row):
    """How a coordinate moves a station."""

    k: int  # its number
    psi: Vec3  # displacement for a unit of it, or its direction
    theta: Vec3  # rotation, or what it adds to the gradient of a cable
    place: Annotated[float, "theta"]  # of shells and rods: share of the direction that the place has
    a: Annotated[float, "theta", 1]  # that the first vector has
    b: Annotated[float, "theta", 2]  # that the second one has


class StationHead(Row):
    """What a station of a nodal body begins with; then `count` entries."""

    place: Vec3  # [m]
    count: int


class StationEnd(Row):
    """What ends a station of a cable, shell or rod: vectors at rest."""

    a: Vec3
    b: Vec3
    w_2: float  # of a rod
    w_3: float


class NodalBlocks(NamedTuple):
    """Where the blocks of a nodal body begin in `Workspace.flex`."""

    coupling: int  # M_re, a wrench for each coordinate
    b: int  # bias and internal forces
    answer: int  # how each coordinate answers the frame, six numbers
    rest: int  # and all else
    spare: int
    column: int
    d: int  # places of the nodes, body axes
    y: int  # m d
    rates: int  # u'
    z: int  # m u'
    moved: int  # vectors of the nodes, scratch
    more: int
    lanes: int  # of a cable: chord and gradients of `LANES` elements, their rates, and the forces on them


nodal_data = body_data(NodalBody)
stretch_points_at, bending_points_at = values_at(StretchPoint), values_at(BendingPoint)
rod_points_at, rod_nodes_at, rod_scratch_at = values_at(RodPoint), values_at(RodNode), row_at(RodStepScratch)
station_head_at, station_entries_at, station_end_at = row_at(StationHead), values_at(StationEntry), row_at(StationEnd)


@kernel
def nodal_body(model, i):
    """The data of nodal body i."""
    node = model.tree[i]
    return nodal_data(model.integers, node.integers, model.floats, node.floats)


@kernel
def nodal_blocks(model, i):
    """Where the blocks of nodal body i begin."""
    n, o, nodes = model.tree[i].ne, model.tree[i].flex, nodal_body(model, i).nodes
    d = o + 17 * n
    return NodalBlocks(
        coupling=o,
        b=o + 6 * n,
        answer=o + 7 * n,
        rest=o + 13 * n,
        spare=o + 14 * n,
        column=o + 16 * n,
        d=d,
        y=d + 3 * nodes,
        rates=d + 6 * nodes,
        z=d + 9 * nodes,
        moved=d + 12 * nodes,
        more=d + 15 * nodes,
        lanes=d + 18 * nodes,
    )


@kernel
def station_of(floats, at):
    """The head of a station, its entries, and what ends it."""
    head = station_head_at(floats, at)
    first = at + STATION_HEAD
    return head, station_entries_at(floats, first), station_end_at(floats, first + STATION_ENTRY * head.count)


def own_numbers(n: int, nodes: int) -> int:
    """Numbers that a nodal body has in `Workspace.flex`: `NodalBlocks`."""
    return 17 * n + 18 * nodes + 27 * LANES


def carried_numbers(n: int) -> int:
    """Those of a body that it carries: shapes and answers of each coordinate, and a small matrix (6, 12)."""
    return 12 * n + 72


INTEGER_ARRAYS = "first mass_row mass_index pair_row pair_index mass_factor step_factor step_target".split()
FLOAT_ARRAYS = "places ways shares masses stiffness mass rayleigh factored still rigid tied line".split()
"""Arrays of every nodal body, in the order in which they are laid."""
# for readers by numbers
STATION_HEAD, STATION_COUNT, STATION_ENTRY = StationHead.size, StationHead.columns.count, StationEntry.size
CABLE_BLOCK, OF_NODE = CableStepBlock.size, CableStepBlock.fields["own"].first
CABLE_SECTION, ROD_NODES = CableSection.size, 2 * RodPoint.size
NODAL_PAIR_ROW, NODAL_PAIR_INDEX, MASS_FACTOR, STEP_FACTOR, PAIRED, STIFF, RAYLEIGH, FACTORED = (
    NodalBody.fields[key].first
    for key in "pair_row pair_index mass_factor step_factor mass stiffness rayleigh factored".split()
)


@kernel
def integers_of(model, i, what):
    """Where an array of whole numbers of body i begins."""
    at = model.tree[i].integers
    return at + model.integers[at + what]


@kernel
def floats_of(model, i, what):
    """Where an array of floats of body i begins."""
    return model.tree[i].floats + model.integers[model.tree[i].integers + what]
