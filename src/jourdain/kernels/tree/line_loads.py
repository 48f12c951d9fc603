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
from ..compiler import entry_point, kernel, separate_kernel
from ..model_arrays import ModelArrays, Workspace
from ..signatures import Vector
from .markers import marker_kinematics, push_marker
from .orbit import keplerian, relative_motion

# numbers of a line
LINE_CODE = 0  # what acts along it
LINE_COUNT = 1  # points
LINE_SENSED = 2  # 1 where the law of the current looks at the emf
LINE_DIPOLE = 3  # in axes that turn with the attracting body: z its north pole, x through longitude zero [T m^3]
LINE_SPIN = 6  # of the attracting body [rad/s]
LINE_NODE = 7  # longitude of the ascending node at time zero [rad]
LINE_POINTS = 8  # marker and weight [m] of each point
LOADED, CONDUCTS = 0.0, 1.0
"""What a law gives along a line: moment and force a length, or a current."""


@kernel
def in_frame(model, ws, x, y, z, node):
    """A vector of the attracting body's axes (z its north pole, x through longitude zero) in those of the orbital
    frame, whose ascending node is at a longitude `node` now."""
    orbit = model.orbit
    _, _, _, _, anomaly = keplerian(orbit, ws.ledger.time)
    c, s = math.cos(node), math.sin(node)
    x, y = c * x + s * y, c * y - s * x
    c, s = math.cos(orbit.inclination), math.sin(orbit.inclination)
    y, z = c * y + s * z, c * z - s * y
    c, s = math.cos(orbit.perigee + anomaly), math.sin(orbit.perigee + anomaly)
    return Vec3(c * x + s * y, c * y - s * x, z)


@kernel
def dipole_now(model, ws, line):
    """The dipole in the axes of the orbital frame [T m^3]."""
    node = line[LINE_NODE] - line[LINE_SPIN] * ws.ledger.time
    return in_frame(model, ws, line[LINE_DIPOLE], line[LINE_DIPOLE + 1], line[LINE_DIPOLE + 2], node)


@kernel
def dipole_field(d, r):
    """Field of a dipole d [T m^3] at r from its centre [T]."""
    square = r @ r
    return 1.0 / (square * math.sqrt(square)) * (3.0 * (d @ r) / square * r - d)


@kernel
def line_point(model, ws, q, v, line, k):
    """Point k of a line: marker, arm and rotation of it, place from the attracting centre (in no orbit, from the
    world's origin), velocity relative to the world, and length [m]."""
    at = LINE_POINTS + 2 * k
    m = int(line[at])
    body = model.markers[m].body
    r, R, V = marker_kinematics(model, ws, m, q, v)
    length = line[at + 1] * line_stretch(model, body, model.markers[m].station, q)
    return m, r, R, from_centre(ws, ws.bodies[body].p_WB + r), V, length


@kernel
def from_centre(ws, x):
    """A place in the orbital frame, from the attracting centre."""
    return Vec3(x.x + ws.ledger.radius, x.y, x.z)


@kernel
def cable_line_point(model, ws, body, R, motion, q, v, line, k):
    """Point k of a line on a cable, whose rotation is R and velocity `motion`: where its station is, arm, place from
    the attracting centre, velocity, and tangent times length [m]; all but the arm as `line_point` has them."""
    m = int(line[LINE_POINTS + 2 * k])
    at = model.markers[m].station
    x, u, G = line_station(model, body, at, q, v)
    r = R @ Vec3(x)
    velocity = motion.linear + (cross(motion.angular, r) + R @ Vec3(u))
    along = line[LINE_POINTS + 2 * k + 1] * (R @ Vec3(G))
    return at, r, from_centre(ws, ws.bodies[body].p_WB + r), velocity, along


@separate_kernel
def electromotive(model, ws, q, v, line):
    """int (u x B) . t ds along a line, from its root to its tip [V], after `kinematics`."""
    d = dipole_now(model, ws, line)
    pole = in_frame(model, ws, 0.0, 0.0, 1.0, 0.0)
    turning = ws.bodies[0].omega - line[LINE_SPIN] * pole
    emf = 0.0
    body = model.markers[int(line[LINE_POINTS])].body
    cable = has_line_stations(model, body)
    turn, motion = ws.bodies[body].R_WB, relative_motion(model, ws, body)
    for k in range(int(line[LINE_COUNT])):
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
    conducts = line[LINE_CODE] == CONDUCTS
    for k in range(int(line[LINE_COUNT])):
        at, r, place, velocity, along = cable_line_point(model, ws, body, R, motion, q, v, line, k)
        force = line[LINE_POINTS + 2 * k + 1] * f
        if conducts:
            force = current * cross(along, dipole_field(d, place))
        push_line_station(model, ws, body, at, tuple(R.T @ force))
        total += Wrench(cross(r, force), force)
        power += force @ velocity
    ws.bodies[body].bias_force -= total
    return power


@separate_kernel
def push_line(model, ws, axes, q, v, line, given):
    """Lets a load a length, (moment, force) in the axes of marker `axes` (-1: world's), or the force on a current
    given[0] [A] act along a line, after `kinematics`. Returns the power that it supplies [W]."""
    current = line[LINE_CODE] == CONDUCTS
    d = dipole_now(model, ws, line) if current else Vec3(0.0, 0.0, 0.0)
    n, f = Vec3(given[0], given[1], given[2]), Vec3(given[3], given[4], given[5])
    if axes >= 0:
        _, turn, _ = marker_kinematics(model, ws, axes, q, v)
        n, f = turn @ n, turn @ f
    body = model.markers[int(line[LINE_POINTS])].body
    if has_line_stations(model, body) and (current or n @ n == 0.0):
        return push_cable_line(model, ws, body, q, v, line, given[0], f, d)
    power = 0.0
    for k in range(int(line[LINE_COUNT])):
        m, r, R, place, V, length = line_point(model, ws, q, v, line, k)
        if current:
            push = Wrench(n.zero, (given[0] * length) * cross(R.x_axis, dipole_field(d, place)))
        else:
            push = Wrench(line[LINE_POINTS + 2 * k + 1] * n, line[LINE_POINTS + 2 * k + 1] * f)
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
