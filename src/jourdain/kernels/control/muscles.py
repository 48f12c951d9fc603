"""Muscles: pulls along lines through markers and round cylinders, with the dynamics of their activation as states.

The force does virtual work -F dL. A line is the shortest, so that the points where it leaves a cylinder count as points
of that cylinder (their way along the surface changes L to second order only).
"""

from __future__ import annotations

import math

from ..algebra import Vec3, Wrench, cross, rotation_matrix
from ..compiler import entry_point, kernel
from ..flat_arrays import quaternion_at, vector_at
from ..model_arrays import ModelArrays, Workspace
from ..parameter_rows import Block, Parameters, Part
from ..signatures import Vector
from ..tree.kinematics import kinematics
from ..tree.markers import column_motion, marker_jacobian, marker_state
from .mapping import Profile, reference


class MuscleRow(Parameters):
    """A muscle, see `methods.human.muscles.Muscle`."""

    strength: float  # [N]
    optimal_length: float  # of its fibres [m]
    slack: float  # length of the tendon [m]
    fastest: float  # shortening, in optimal lengths a second [1/s]
    rise: float  # time constants of the activation [s]
    fall: float
    points: Block[int]  # markers
    behind: int  # number of the point behind which a cylinder is met, -1 for none
    cylinder: int  # its marker
    radius: float  # [m]
    way: float  # round it, see `wrapped`
    excitation: Part[Profile]


class MuscleParameters(Parameters):
    """All muscles of a law."""

    muscles: Block[MuscleRow]


WIDTH, STRETCH, STIFFENING, STRONGEST, CURVATURE = 0.45, 0.6, 5.0, 1.4, 0.25
"""Thelen 2003, table 1: width of the length curve, passive strain at full strength, shape of the passive curve, force
of fast lengthening, and Hill's a over the strength."""
SHORTEST, LONGEST = 0.5, 1.0 + STRETCH
"""Fibre lengths over the optimal one between which the curves are Thelen's: half of it, below which fibres make no
force that was measured (Zajac 1989, section II), and where the passive force is the strength."""


@kernel
def length_factor(l):
    """Active force by length over the optimal one (Thelen 2003, eq. 4).

    Below SHORTEST it goes to zero at no length, by the polynomial of fifth degree that leaves two derivatives
    continuous; a fibre without length makes no force.
    """
    if l <= 0.0:
        return 0.0
    bell = math.exp(-((l - 1.0) ** 2) / WIDTH)
    if l >= SHORTEST:
        return bell
    x = l / SHORTEST
    return bell * x * x * x * (10.0 + x * (6.0 * x - 15.0))


@kernel
def passive_factor(l):
    """Passive force over the strength (Thelen 2003, eq. 3), zero at the optimal length and below.

    Beyond LONGEST, where it is the strength, it goes on along its tangent, as the passive curve of Millard, Uchida,
    Seth & Delp 2013 does: an exponential has no bound there.
    """
    if l <= 1.0:
        return 0.0
    if l > LONGEST:
        return 1.0 + STIFFENING / STRETCH * math.exp(STIFFENING) / (math.exp(STIFFENING) - 1.0) * (l - LONGEST)
    return (math.exp(STIFFENING * (l - 1.0) / STRETCH) - 1.0) / (math.exp(STIFFENING) - 1.0)


@kernel
def speed_factor(v):
    """Force by rate of lengthening over the largest one of shortening: Hill's hyperbola, and one of the same slope
    beyond rest that tends to STRONGEST (Hill 1938; Katz 1939)."""
    if v <= -1.0:
        return 0.0
    if v <= 0.0:
        return (1.0 + v) / (1.0 - v / CURVATURE)
    k = (1.0 + 1.0 / CURVATURE) / (STRONGEST - 1.0)
    return (1.0 + STRONGEST * k * v) / (1.0 + k * v)


@kernel
def activation_rate(a, u, rise, fall):
    """Rate of the activation (Thelen 2003, eqs. 1 and 2; Winters 1995)."""
    pace = 0.5 + 1.5 * a
    return (u - a) / (rise * pace) if u > a else (u - a) * pace / fall


@kernel
def wrapped(a, b, radius, way):
    """(does it touch, where it meets a cylinder and where it leaves it, length), in axes of the cylinder, along z.

    way    1 to go round from x to y, -1 the other way
    """
    da, db = math.sqrt(a.x * a.x + a.y * a.y), math.sqrt(b.x * b.x + b.y * b.y)
    d = b - a
    straight = math.sqrt(d @ d)
    if da <= radius or db <= radius:
        return 0, a, b, straight
    first = math.atan2(a.y, a.x) + way * math.acos(radius / da)
    last = math.atan2(b.y, b.x) - way * math.acos(radius / db)
    turn = way * (last - first)
    turn -= 2.0 * math.pi * math.floor((turn + math.pi) / (2.0 * math.pi))
    if turn <= 0.0:
        return 0, a, b, straight
    ta, tb = math.sqrt(da * da - radius * radius), math.sqrt(db * db - radius * radius)
    flat = ta + radius * turn + tb
    rise = d.z / flat  # a geodesic climbs evenly
    meets = Vec3(radius * math.cos(first), radius * math.sin(first), a.z + rise * ta)
    leaves = Vec3(radius * math.cos(last), radius * math.sin(last), b.z - rise * tb)
    return 1, meets, leaves, math.sqrt(flat * flat + d.z * d.z)


@kernel
def pull(control, cws, marker, q, v, f, J, out):
    """Adds the efforts of a wrench at a marker to out; returns their power."""
    marker_jacobian(control, cws, marker, q, v, J)
    power = 0.0
    for k in range(v.size):
        effort = f @ column_motion(J, k)
        out[k] += effort
        power += effort * v[k]
    return power


@kernel
def place(control, cws, marker, q, v, one):
    """Position of a marker; `one` is scratch of 13 numbers, in which its quaternion is left."""
    marker_state(control, cws, marker, q, v, one, 0)
    return vector_at(one, 0)


@kernel
def course(control, cws, muscle, q, v, one, J, slope):
    """Length of a muscle and its rate, after `kinematics`; slope (nv,) becomes its derivative by displacements."""
    slope[:] = 0.0
    length, rate = 0.0, 0.0
    points = muscle.points
    here = place(control, cws, points[0], q, v, one)
    none = here.zero
    for i in range(len(points) - 1):
        a, b = points[i], points[i + 1]
        there = place(control, cws, b, q, v, one)
        touches = 0
        if muscle.behind == i:
            c = muscle.cylinder
            centre = place(control, cws, c, q, v, one)
            R = rotation_matrix(quaternion_at(one, 3))
            inner, outer = R.T @ (here - centre), R.T @ (there - centre)
            touches, meets, leaves, long = wrapped(inner, outer, muscle.radius, muscle.way)
            if touches == 1:
                to, off = inner - meets, outer - leaves
                to = R @ (1.0 / math.sqrt(to @ to) * to)
                off = R @ (1.0 / math.sqrt(off @ off) * off)
                length += long
                rate += pull(control, cws, a, q, v, Wrench(none, to), J, slope)
                rate += pull(control, cws, b, q, v, Wrench(none, off), J, slope)
                moment = cross(R @ meets, to) + cross(R @ leaves, off)
                rate += pull(control, cws, c, q, v, -Wrench(moment, to + off), J, slope)
        if touches == 0:
            d = there - here
            long = math.sqrt(d @ d)
            e = (1.0 / long if long > 1e-12 else 0.0) * d
            length += long
            rate += pull(control, cws, a, q, v, Wrench(none, -e), J, slope)
            rate += pull(control, cws, b, q, v, Wrench(none, e), J, slope)
        here = there
    return length, rate


@entry_point
def contract(
    control: ModelArrays, cws: Workspace, x: Vector, t: float, q: Vector, v: Vector, z: Vector, s: Vector, p: Vector,
    effort: Vector, dz: Vector,
) -> None:  # fmt: skip
    """Muscles pull: effort -= F dL/dq, F = strength (a f_l f_v + f_p). z = activations."""
    nv = v.size
    slope, one = x[:nv], x[nv : nv + 13]
    J = x[nv + 13 : 7 * nv + 13].reshape(6, nv)
    kinematics(control, cws, q, v)
    muscles = MuscleParameters(p).muscles
    for i in range(len(muscles)):
        muscle = muscles[i]
        length, rate = course(control, cws, muscle, q, v, one, J, slope)
        l = (length - muscle.slack) / muscle.optimal_length
        speed = rate / (muscle.optimal_length * muscle.fastest)
        a = min(max(z[i], 0.0), 1.0)
        force = muscle.strength * (a * length_factor(l) * speed_factor(speed) + passive_factor(l))
        for k in range(nv):
            effort[k] -= force * slope[k]
        u, _, _ = reference(muscle.excitation, t)
        dz[i] = activation_rate(z[i], min(max(u, 0.0), 1.0), muscle.rise, muscle.fall)
