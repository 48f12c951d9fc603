"""Data of a cable on a winch by name; `ale_cable` says what they are."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from ..algebra import Vec3
from ..body_data import BodyData, Values, body_data, values_at
from ..compiler import kernel
from ..fixed_size import CLASSES, FixedSize, number_property, operation
from ..flat_arrays import vector_at
from ..rows import Row, row_at
from .lumped_layout import BeamAxes


class Hermite(FixedSize):
    """Numbers of the functions of an element: of place and gradient at its first node, then at its second."""

    __slots__ = ()
    size = 4
    p0, g0, p1, g1 = number_property(0), number_property(1), number_property(2), number_property(3)


CLASSES["Hermite"] = Hermite


class AleBody(BodyData):
    """Whole numbers of a cable on a winch."""

    elements: int
    held: int  # coordinates that the gradient at the outlet has, one or three
    mass_points: int  # of an element
    strain_points: int


class AleSection(BeamAxes):
    """What its floats begin with; behind them the points of the mass, then those of the strains."""

    radius: float  # of the drum [m]
    density: float  # rho [kg/m]
    total: float  # length L [m]
    out: float  # length that is out at first, l_0 [m]
    spin: float  # inertia of the drum about its axis [kg m^2]
    armature: float  # [kg m^2]
    axis: Vec3  # of the drum
    EA: float  # [N]
    EI: float  # [N m^2]
    c: float  # damping of the stretch over its stiffness [s]
    c_bending: float  # damping of the curvature over its stiffness [s]
    stored: float  # 1 where what is not out turns with the drum, 0 where it goes on to another winch
    masses: Annotated[np.ndarray, 16]  # int S_a S_b d eta


class MassPoint(Row):
    """A point of the mass of an element."""

    fraction: float  # of the element
    weight: float
    S: Hermite
    S_x: Hermite  # first derivatives
    S_xx: Hermite
    each: Annotated[np.ndarray, 4, "S"]


class StrainPoint(Row):
    """A point of the strains of an element."""

    fraction: float
    stretch: float  # weight of the stretch
    bending: float  # weight of the curvature
    S_x: Hermite
    S_xx: Hermite
    S_xxx: Hermite
    each_x: Annotated[np.ndarray, 4, "S_x"]
    each_xx: Annotated[np.ndarray, 4, "S_xx"]


class AleStation(Row):
    """A place on such a cable."""

    element: int
    fraction: float  # of the element
    turns: float  # 1 where its axes turn with the line
    S: Hermite
    S_x: Hermite
    each: Annotated[np.ndarray, 4, "S"]
    each_x: Annotated[np.ndarray, 4, "S_x"]


class AleCable(NamedTuple):
    """A cable on a winch at a length."""

    elements: int
    held: int
    mass_points: Values
    mass_count: int
    strain_points: Values
    strain_count: int
    length: float  # that is out [m]
    h: float  # of an element [m]


class AleElement(NamedTuple):
    """Displacements of places and gradients at the nodes of an element, or their rates."""

    p0: Vec3
    g0: Vec3
    p1: Vec3
    g1: Vec3


ale_data, ale_section_at, ale_station_at = body_data(AleBody), row_at(AleSection), row_at(AleStation)
mass_points_at, strain_points_at = values_at(MassPoint), values_at(StrainPoint)
POINTS, MASS_POINT = AleSection.size, MassPoint.size


@kernel
def ale_section(model, i):
    """What the floats of body i begin with."""
    return ale_section_at(model.floats, model.tree[i].floats)


@kernel
def ale_cable(model, i, q):
    """Cable i at coordinates q."""
    node, section = model.tree[i], ale_section(model, i)
    body = ale_data(model.integers, node.integers, model.floats, node.floats)
    points = node.floats + POINTS
    length = section.out + section.radius * q[node.e]
    return AleCable(
        body.elements, body.held, mass_points_at(model.floats, points), body.mass_points,
        strain_points_at(model.floats, points + MASS_POINT * body.mass_points), body.strain_points,
        length, length / body.elements,
    )  # fmt: skip


@kernel
def entry_of(held, j, a):
    """The first coordinate, and how many, of function a of element j: place and gradient at its first node, then at its
    second. The outlet holds its place, and lets one or all three (held) of its gradient move."""
    node = j + a // 2
    if node == 0:
        return 1, held * (a % 2)
    return 1 + held + 6 * (node - 1) + 3 * (a % 2), 3


@kernel
def element_of(x, of, held, j):
    """Places and gradients at the nodes of element j, of the coordinates that begin at x[of]."""
    at = of + 1 + held + 6 * (j - 1)
    p1, g1 = vector_at(x, at + 6), vector_at(x, at + 9)
    if j > 0:
        return AleElement(vector_at(x, at), vector_at(x, at + 3), p1, g1)
    g0 = vector_at(x, of + 1) if held == 3 else Vec3(x[of + 1], 0.0, 0.0)
    return AleElement(p1.zero, g0, p1, g1)


@operation
def of_places(S, c):
    """The sum of the places of an element, each times its number."""
    return S.p0 * c[0] + S.p1 * c[2]


@operation
def of_gradients(S, c):
    """The same of the gradients."""
    return S.g0 * c[1] + S.g1 * c[3]


@kernel
def component(a, c):
    """Component c of a vector."""
    return a.x if c == 0 else (a.y if c == 1 else a.z)
