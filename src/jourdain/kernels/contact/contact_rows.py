"""Rows of the tables of contact, by the names of their fields.

A *shape* is put on a marker; a *contact* is a pair of shapes with its laws; a *site* is one place where they touch. A
contact has a number of slots for sites; what is remembered of a site (latched values, states) is in its slot.

In the kernels A is the first shape of a pair and B the second, W the world; the normal n of a site points from B to A.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from ..algebra import Mat3, Sym3, Vec3
from ..compiler import kernel
from ..rows import Row, row_at, table_of
from .overlap_volumes.overlap_values import Springs


class ShapeEntries(Row):
    """`ModelArrays.shapes`: whole numbers of a shape."""

    marker: int  # that carries it
    code: int  # its place in kind_registry.SHAPES
    floats: int  # where its parameters begin in ModelArrays.shape_floats
    integers: int  # where its integers begin in ModelArrays.shape_integers
    rank: int  # of the two shapes of a pair the one of lower rank comes first
    size_class: int  # class of kind and size in its pile, or FACET_PLANE
    cell_floats: int  # for volumetric contact: where its floats as a body of cells begin in ModelArrays.shape_floats
    cell_integers: int  # and its integers as such in ModelArrays.shape_integers
    link: (
        int  # of a strand, a segment of a cable: its number from 1 on, else 0; strands touch others of their own cable
    )
    link_apart: int  # strands whose numbers differ by no more than this are neighbours, which do not touch
    link_net: int  # of a strand of a net: number of the net from 1 on, else 0
    link_row: int  # its line among those of the net from 1 on, negative for those along y
    link_side: int  # number of strands along a side of a mesh of the net


class ShapePose(Row):
    """`ModelArrays.shape_poses`: of the shape S on its marker M, and its size [m]."""

    R_MS: Mat3
    p_MS: Vec3
    ball: float  # radius of its bounding sphere about its origin, infinite for planes
    thickness: float  # infinite for half-spaces
    half: float  # largest allowed penetration: half its thickness, infinite for half-spaces


class ShapeState(Row):
    """`Workspace.shapes`: motion and load of a shape S, world axes.

    A row is four cache lines of eight numbers. In a pile most listed pairs do not touch: for these only the third line
    of each shape is read.
    """

    # of a skin: shape functions of the points of the facet under its node
    facet_weights: Annotated[np.ndarray, 4]
    half_length: Annotated[float, "facet_weights"]  # of a strand: half its present length [m]
    omega: Vec3  # angular velocity [rad/s]
    R_WS: Mat3
    p_WS: Vec3  # [m]
    ball: float  # copy of ShapePose.ball (constant) [m]
    velocity: Vec3  # of its origin [m/s]
    body: int  # rigid body whose frame the shape has, else 0 (constant)
    moment: Vec3  # its load, about its origin [N m]
    force: Vec3  # [N]
    facet: int  # of a skin: where that facet begins in ModelArrays.shape_integers, -1 for none
    spare: float
    pose: Annotated[np.ndarray, 12, "R_WS"]


class Site(Row):
    """`Workspace.sites`: a site of one pair; from `volume` on only of an overlap part.

    The narrow phase of overlap parts writes a guess of the normal, `settle` the normal and the slot.
    """

    role: int  # slot among those of the contact, or -1 where the slot is assigned by proximity (meshes)
    gap: float  # signed distance, negative where the shapes overlap [m]
    normal: Vec3  # unit normal n from the second shape B to the first A
    point: Vec3  # point C where the force acts; of an overlap part the centroid [m]
    volume: float  # [m^3]
    inertia: Sym3  # about the centroid, without density [m^5]
    depth: float  # its extent along the normal [m]
    area: float  # of the surface of contact [m^2]
    key: float  # names the cells or faces it lies between
    push: Vec3  # force of its foundation on A over k_v, from the narrow phase or `settle` [m^3]
    couple: Vec3  # torque about the centroid over k_v [m^4]
    potential: float  # energy over k_v, negative where it is not known [m^4]
    springs: Annotated[Springs, "push"]  # these three


class ContactEntries(Row):
    """`ModelArrays.contacts`: whole numbers of a contact.

    A pile is a contact among many shapes: `first` is the first of them, `second` one past the last, `sign` the broad
    phase, one of CELLS, SWEEP and LISTS.
    """

    first: int  # the two shapes, in the order of their ranks
    second: int
    sign: int  # 1, or -1 where the user named them in the other order
    family: int  # narrow phase: kind_registry.FINDERS; those from SPHERE_PLANE on find overlap parts
    slots: int  # largest number of sites at once
    latched: int  # where its slots begin among the latched values, a `SiteMemory` each
    states: int  # where its slots begin in z, normal_states + friction_states numbers each
    normal_law: int  # code of the normal law
    normal_floats: int  # where its parameters begin in ModelArrays.contact_floats
    normal_states: int
    friction_law: int  # code of the friction law
    friction_floats: int
    friction_states: int
    floats_end: int  # where the parameters of this contact end
    classes: int  # number of classes of shapes of a pile whose stiffness depends on them, or 0
    stiffnesses: int  # where a pile's table of stiffnesses, classes x classes, begins in ModelArrays.contact_floats
    sizes: int  # where a pile's margin and the size above which its shapes are large [m] begin in contact_floats
    parts: int  # of a volumetric contact: where its slots begin among the latched values, a `PartMemory` each
    sums: int  # where its sums begin in z
    patches: int  # where its slots begin in Workspace.patches
    capacity_points: int  # scratch capacity of its overlaps: vertices, or planes of a polyhedron
    capacity_pairs: int  # pairs of cells
    capacity_stack: int  # pairs of nodes of the two bounding-volume hierarchies
    normal_kind: int  # of a volumetric contact: INERTIA_NORMAL, CONSERVATIVE or POTENTIAL


class SiteMemory(Row):
    """Latched values of a slot; they change only when a step is accepted."""

    touching: bool
    speed: float  # impact speed; without contact the speed of approach [m/s]
    mark: Vec3  # last position p_BoC_B; of an overlap part without a normal yet v_BAo_B, in the axes of B


class PairMemory(Row):
    """Latched values of a slot of a pile."""

    touching: bool
    speed: float  # impact speed; without contact the speed of approach [m/s]
    first: int  # the two shapes, both 0 where the slot is free
    second: int
    role: int


class PartMemory(Row):
    """Further latched values of a slot of a volumetric contact."""

    key: float  # of the part; -1 - key while it has no normal yet
    normal: Vec3  # n_B; before there is one, the relative angular velocity omega_BA_B


class FoundationStates(Row):
    """Integrated states of an elastic foundation, of each slot."""

    elastic: float  # elastic work done on the foundation so far [J]
    offset: float  # volume at touchdown that has not relaxed yet [m^3]


class ContactSums(Row):
    """Integrated sums of a volumetric contact."""

    remained: float  # elastic work left over when parts vanished [J]
    relaxed: float  # work of relaxation [J]


class NormalParameters(Row):
    """Of a power law, or of a spring with a dashpot, in ModelArrays.contact_floats."""

    stiffness: float  # [N/m^p]
    exponent: float
    damping: float  # d / e = a times the impact speed [-]; of a dashpot [N s/m]
    slow_speed: float  # least impact speed of the damping [m/s]
    relaxation: float  # time constant [s], 0 for none
    adhesive: bool  # whether the force may be tensile
    deepest: float  # depth up to which the law is valid [m]; infinite where that is not known


class FoundationParameters(Row):
    """Of an elastic foundation, in ModelArrays.contact_floats."""

    stiffness: float  # [N/m^3], or [N/m^2] where `following`
    following: bool  # whether k_v is the stiffness over the radius of gyration
    damping: float  # d / e = a times the impact speed [-]
    slow_speed: float  # least impact speed of the damping [m/s]
    relaxation: float  # time constant [s], 0 for none
    spin_factor: float  # factor of the spinning torque
    deepest: float  # depth up to which the law is valid [m]
    integrated: bool  # whether the Contensou factors are integrated


class FrictionParameters(Row):
    """Of a friction law, in ModelArrays.contact_floats."""

    static: float
    kinetic: float
    stiffness: float  # of the bristles, over the load [1/m]
    damping: float  # of the bristles, over the load [s/m]
    viscous: float  # over the load [s/m]
    stribeck: float  # [m/s]
    dwell: float  # time constant [s], 0 for none
    small_speed: float  # below which the direction of slip is smoothed [m/s]


class PairList(Row):
    """`Workspace.lists`: the state of the list of near pairs of piles."""

    built: bool  # once the pairs have been listed
    count: int  # number of pairs, also beyond the capacity of the list
    number: int  # number of times they have been listed


class ListedPair(Row):
    """How a row of `Workspace.pairs` begins: two shapes of a pile that may touch soon.

    Behind it, from `PAIR_SLOTS` on, are the slots of the roles of its sites, -1 where there is none.
    """

    first: int
    second: int
    family: int  # narrow phase
    pile: int  # number of the contact
    next: int  # the next pair with the same first shape


class ListedShape(Row):
    """`Workspace.listed`: a shape when the pairs of piles were listed; a cache line."""

    p_WS: Vec3  # where it was then [m]
    ball: float  # radius of its bounding sphere [m]
    rank: int
    code: int
    body: int  # the one whose frame it has where that floats on a free joint, else 0
    spare: float


class SiteForce(Row):
    """`ThreadPool.forces`: what a site of a pair of a pile does, before its shapes are loaded; a cache line."""

    force: Vec3  # on the first shape, world axes [N]
    point: Vec3  # where it acts [m]
    spare: Annotated[np.ndarray, 2]


class ContactResult(Row):
    """`Workspace.contact_wrenches`: what a contact does, sums over all its sites."""

    force: Vec3  # on the first body, world axes [N]
    torque: Vec3  # about the origin of the first body's shape [N m]
    point: Vec3  # sum of points of action times normal forces [N m]
    load: float  # sum of normal forces [N]
    depth: float  # largest depth [m]
    slip: float  # largest slip speed [m/s]
    sites: float  # number of sites
    stored: float  # stored energy [J]
    # the numbers of force and torque
    components: Annotated[np.ndarray, 6, "force"]


class PatchResult(Row):
    """`Workspace.patches`: what a part of a volumetric contact does, on the body that the user named first."""

    force: Vec3  # world axes [N]
    torque: Vec3  # about the centroid: rolling resistance and spinning friction [N m]
    point: Vec3  # centroid [m]
    normal: Vec3  # from the second body to the first
    volume: float  # [m^3]
    area: float  # [m^2]
    depth: float  # [m]
    load: float  # normal force [N]
    pressure: float  # normal force over area [Pa]
    peak_pressure: float  # largest pressure of the foundation [Pa]
    stick: float  # 0 sliding, 1 sticking
    slip: float  # [m/s]
    spin: float  # relative angular velocity about the normal [rad/s]
    energy: float  # elastic energy and that of the bristles [J]
    inertia: Sym3  # about the centroid, without density [m^5]


class FoundParts(Row):
    """`Workspace.found`, behind the cached parts: what is known of those of a contact."""

    count: int  # number of cached parts + FOUND_NONE + 1; FOUND_NONE while empty, 0 outside of runs
    # rotation and position of the two shapes, at which they were found
    pose_A: Annotated[np.ndarray, 12]
    pose_B: Annotated[np.ndarray, 12]


class ContactPeak(Row):
    """`Workspace.peaks`: largest stiffness and damping of a contact since the last check of the step size."""

    stiffness: float  # of the normal force [N/m]
    damping: float  # of the normal force [N s/m]
    friction: float  # damping along the surface [N s/m]
    sticking: float  # damping along the surface if the site of `friction` sticks [N s/m]
    first: int  # the two shapes
    second: int
    p_A: Vec3  # point and normal in the axes of the first shape
    n_A: Vec3
    p_B: Vec3  # and of the second: both have moved by the time of the check
    n_B: Vec3


class Flight(Row):
    """`Workspace.flights`: a contact at the last accepted step, for the detection of tunnelling."""

    gap: float  # smallest gap of its sites, negative in contact or where it is not known yet [m]
    speed: float  # upper bound of the rate of the gap [m/s]
    step: float  # step that would not have missed a contact where a fixed step may have, or 0 [s]
    depth: float  # where the penetration is too deep: the depth [m]
    allowed: float  # and the allowed one [m]
    first: int  # and the two shapes
    second: int


site_memory, pair_memory, part_memory = row_at(SiteMemory), row_at(PairMemory), row_at(PartMemory)
normal_parameters, friction_parameters = row_at(NormalParameters), row_at(FrictionParameters)
foundation_parameters = row_at(FoundationParameters)
foundation_states, contact_sums = row_at(FoundationStates), row_at(ContactSums)
listed_pair = table_of(ListedPair)
SLOT, PART, PAIR_SLOTS = SiteMemory.size, PartMemory.size, ListedPair.size


@kernel
def memory_of(row, slot, latched):
    """What a slot of a contact remembers."""
    return site_memory(latched, row.latched + SLOT * slot)


@kernel
def pair_of(row, slot, latched):
    """What a slot of a pile remembers."""
    return pair_memory(latched, row.latched + SLOT * slot)


@kernel
def part_of(row, slot, latched):
    """What a slot of a volumetric contact remembers of its part."""
    return part_memory(latched, row.parts + PART * slot)
