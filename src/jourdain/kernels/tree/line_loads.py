"""Forces along lines: loads a length of a cable or beam, and those of a magnetic field on the current in it.

A line is Gauss points on one body, each a marker m with a weight w, so that a load f(s) a length does on the
coordinates what  int N^T f ds  does: consistent with the functions of the elements. The tangent t is the x of the
marker, and ds = g w with the stretch g of the line there.

With a current I from root to tip in a field B (Lorentz), and u the velocity relative to what the field turns with,

    dF = I t x B ds,        emf = int (u x B) . t ds,

so that the force takes the power  I emf  from the motion relative to the field. The field is that of a dipole d that
turns with the attracting body (Wertz 1978, appendix H):  B = (3 (d . r) r / r^2 - d) / r^3,  r from its centre.
"""

from __future__ import annotations

import math

from ..algebra import Vec3, Wrench, cross
from ..bodies.body_dispatch import has_line_stations, line_station, line_stretch, push_line_station
from ..body_data import values_at
from ..compiler import entry_point, kernel, separate_kernel
from ..model_arrays import ModelArrays, Workspace
from ..parameter_rows import Parameters
from ..rows import Row
from ..signatures import Vector
from .markers import marker_kinematics, push_marker
from .orbit import keplerian, relative_motion


class Line(Parameters):
    """What begins the numbers of a line; its points come behind."""

    conducts: bool  # whether the law gives a current, or moment and force a length
    count: int  # points
    sensed: bool  # whether the law of the current looks at the emf
    dipole: Vec3  # in axes that turn with the attracting body: z its north pole, x through longitude zero [T m^3]
    spin: float  # of the attracting body [rad/s]
    node: float  # longitude of the ascending node at time zero [rad]


class LinePoint(Row):
    """A point of a line."""

    marker: int
    weight: float  # [m]


line_points_at, LINE_HEAD = values_at(LinePoint), Line.size


@kernel
def points_of(line):
    """The points of a line."""
    return line_points_at(line, LINE_HEAD)


@kernel
def in_frame(model, ws, a, node):
    """A vector of the attracting body's axes (z its north pole, x through longitude zero) in those of the orbital
    frame, whose ascending node is at a longitude `node` now."""
    orbit = model.orbit
    _, _, _, _, anomaly = keplerian(orbit, ws.ledger.time)
    c, s = math.cos(node), math.sin(node)
    x, y, z = c * a.x + s * a.y, c * a.y - s * a.x, a.z
    c, s = math.cos(orbit.inclination), math.sin(orbit.inclination)
    y, z = c * y + s * z, c * z - s * y
    c, s = math.cos(orbit.perigee + anomaly), math.sin(orbit.perigee + anomaly)
    return Vec3(c * x + s * y, c * y - s * x, z)


@kernel
def dipole_now(model, ws, line):
    """The dipole in the axes of the orbital frame [T m^3]."""
    own = Line(line)
    return in_frame(model, ws, own.dipole, own.node - own.spin * ws.ledger.time)


@kernel
def dipole_field(d, r):
    """Field of a dipole d [T m^3] at r from its centre [T]."""
    square = r @ r
    return 1.0 / (square * math.sqrt(square)) * (3.0 * (d @ r) / square * r - d)


@kernel
def line_point(model, ws, q, v, line, k):
    """Point k of a line: marker, arm and rotation of it, place from the attracting centre (in no orbit, from the
    world's origin), velocity relative to the world, and length [m]."""
    point = points_of(line)[k]
    m = point.marker
    body = model.markers[m].body
    r, R, V = marker_kinematics(model, ws, m, q, v)
    length = point.weight * line_stretch(model, body, model.markers[m].station, q)
    return m, r, R, from_centre(ws, ws.bodies[body].p_WB + r), V, length


@kernel
def from_centre(ws, x):
    """A place in the orbital frame, from the attracting centre."""
    return Vec3(x.x + ws.ledger.radius, x.y, x.z)


@kernel
def cable_line_point(model, ws, body, R, motion, q, v, line, k):
    """Point k of a line on a cable, whose rotation is R and velocity `motion`: where its station is, arm, place from
    the attracting centre, velocity, and tangent times length [m]; all but the arm as `line_point` has them."""
    point = points_of(line)[k]
    at = model.markers[point.marker].station
    p, u, G = line_station(model, body, at, q, v)
    r = R @ p
    velocity = motion.linear + (cross(motion.angular, r) + R @ u)
    along = point.weight * (R @ G)
    return at, r, from_centre(ws, ws.bodies[body].p_WB + r), velocity, along


@separate_kernel
def electromotive(model, ws, q, v, line):
    """int (u x B) . t ds along a line, from its root to its tip [V], after `kinematics`."""
    d = dipole_now(model, ws, line)
    turning = ws.bodies[0].omega - Line(line).spin * in_frame(model, ws, Vec3(0.0, 0.0, 1.0), 0.0)
    emf = 0.0
    body = model.markers[points_of(line)[0].marker].body
    cable = has_line_stations(model, body)
    turn, motion = ws.bodies[body].R_WB, relative_motion(model, ws, body)
    for k in range(Line(line).count):
        if cable:
            _, _, place, velocity, along = cable_line_point(model, ws, body, turn, motion, q, v, line, k)
        else:
            _, _, R, place, V, length = line_point(model, ws, q, v, line, k)
            velocity, along = V.linear, length * R.x_axis
        u = velocity + cross(turning, place)
        u = Vec3(u.x + ws.ledger.radius_rate, u.y, u.z)
        emf += cross(u, dipole_field(d, place)) @ along
    return emf


@kernel
def push_cable_line(model, ws, body, q, v, line, current, f, d):
    """`push_line` of forces alone on a cable: rotations of its sections are not asked for, and what its frame feels is
    summed first."""
    R, motion = ws.bodies[body].R_WB, relative_motion(model, ws, body)
    total, power = ws.bodies[body].bias_force.zero, 0.0
    conducts = Line(line).conducts
    for k in range(Line(line).count):
        at, r, place, velocity, along = cable_line_point(model, ws, body, R, motion, q, v, line, k)
        force = points_of(line)[k].weight * f
        if conducts:
            force = current * cross(along, dipole_field(d, place))
        push_line_station(model, ws, body, at, R.T @ force)
        total += Wrench(cross(r, force), force)
        power += force @ velocity
    ws.bodies[body].bias_force -= total
    return power


@separate_kernel
def push_line(model, ws, axes, q, v, line, given):
    """Lets a load a length, (moment, force) in the axes of marker `axes` (-1: world's), or the force on a current
    given[0] [A] act along a line, after `kinematics`. Returns the power that it supplies [W]."""
    current = Line(line).conducts
    d = dipole_now(model, ws, line) if current else Vec3(0.0, 0.0, 0.0)
    n, f = Vec3(given[0], given[1], given[2]), Vec3(given[3], given[4], given[5])
    if axes >= 0:
        _, turn, _ = marker_kinematics(model, ws, axes, q, v)
        n, f = turn @ n, turn @ f
    body = model.markers[points_of(line)[0].marker].body
    if has_line_stations(model, body) and (current or n @ n == 0.0):
        return push_cable_line(model, ws, body, q, v, line, given[0], f, d)
    power = 0.0
    for k in range(Line(line).count):
        m, r, R, place, V, length = line_point(model, ws, q, v, line, k)
        if current:
            push = Wrench(n.zero, (given[0] * length) * cross(R.x_axis, dipole_field(d, place)))
        else:
            weight = points_of(line)[k].weight
            push = Wrench(weight * n, weight * f)
        push_marker(model, ws, m, r, push)
        power += push @ V
    return power


@entry_point
def line_emf(model: ModelArrays, ws: Workspace, q: Vector, v: Vector, line: Vector) -> float:
    """`electromotive`, after `begin`."""
    return electromotive(model, ws, q, v, line)


@entry_point
def add_along(model: ModelArrays, ws: Workspace, line: Vector, axes: int, q: Vector, v: Vector, given: Vector) -> None:
    """`push_line`, after `begin`."""
    push_line(model, ws, axes, q, v, line, given)
