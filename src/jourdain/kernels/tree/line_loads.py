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

from ..bodies.body_dispatch import has_line_stations, line_station, line_stretch, push_line_station
from ..columns import FORCE, INCLINATION, OMEGA, PERIGEE, POS, ROT
from ..compiler import entry_point, kernel, separate_kernel
from ..model_arrays import ModelArrays, Workspace
from ..signatures import Vector
from ..spatial import accumulate3, add, cross, dot, mat, rotate, rotate_back, scale, sub, vec
from .markers import marker_frame, push_marker
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
    gravity = model.gravity
    _, _, _, _, anomaly = keplerian(gravity, ws.ledger.time)
    c, s = math.cos(node), math.sin(node)
    x, y = c * x + s * y, c * y - s * x
    c, s = math.cos(gravity[INCLINATION]), math.sin(gravity[INCLINATION])
    y, z = c * y + s * z, c * z - s * y
    c, s = math.cos(gravity[PERIGEE] + anomaly), math.sin(gravity[PERIGEE] + anomaly)
    return (c * x + s * y, c * y - s * x, z)


@kernel
def dipole_now(model, ws, line):
    """The dipole in the axes of the orbital frame [T m^3]."""
    node = line[LINE_NODE] - line[LINE_SPIN] * ws.ledger.time
    return in_frame(model, ws, line[LINE_DIPOLE], line[LINE_DIPOLE + 1], line[LINE_DIPOLE + 2], node)


@kernel
def dipole_field(d, r):
    """Field of a dipole d [T m^3] at r from its centre [T]."""
    square = dot(r, r)
    return scale(1.0 / (square * math.sqrt(square)), sub(scale(3.0 * dot(d, r) / square, r), d))


@kernel
def line_point(model, ws, q, v, line, k):
    """Point k of a line: marker, arm and rotation of it, place from the attracting centre (in no orbit, from the
    world's origin), velocity (angular, linear) relative to the world, and length [m]."""
    at = LINE_POINTS + 2 * k
    m = int(line[at])
    body = model.marker_index[m, 0]
    r, R, omega, velocity = marker_frame(model, ws, m, q, v)
    length = line[at + 1] * line_stretch(model, body, model.marker_index[m, 1], q)
    x = add(vec(ws.work, body, POS), r)
    return m, r, R, (x[0] + ws.ledger.radius, x[1], x[2]), omega, velocity, length


@kernel
def cable_line_point(model, ws, body, R, motion, q, v, line, k):
    """Point k of a line on a cable, whose rotation is R and motion (angular, linear): where its station is, arm, place
    from the attracting centre, velocity, and tangent times length [m]; all but the arm as `line_point` has them."""
    m = int(line[LINE_POINTS + 2 * k])
    at = model.marker_index[m, 1]
    r, u, G = line_station(model, body, at, q, v)
    r = rotate(R, r)
    velocity = add(motion[1], add(cross(motion[0], r), rotate(R, u)))
    x = add(vec(ws.work, body, POS), r)
    place = (x[0] + ws.ledger.radius, x[1], x[2])
    return at, r, place, velocity, scale(line[LINE_POINTS + 2 * k + 1], rotate(R, G))


@separate_kernel
def electromotive(model, ws, q, v, line):
    """int (u x B) . t ds along a line, from its root to its tip [V], after `kinematics`."""
    d = dipole_now(model, ws, line)
    pole = in_frame(model, ws, 0.0, 0.0, 1.0, 0.0)
    turning = sub(vec(ws.work, 0, OMEGA), scale(line[LINE_SPIN], pole))
    emf = 0.0
    body = model.marker_index[int(line[LINE_POINTS]), 0]
    cable = has_line_stations(model, body)
    turn, motion = mat(ws.work, body, ROT), relative_motion(model, ws, body)
    for k in range(int(line[LINE_COUNT])):
        if cable:
            _, _, place, velocity, along = cable_line_point(model, ws, body, turn, motion, q, v, line, k)
        else:
            _, _, R, place, _, velocity, length = line_point(model, ws, q, v, line, k)
            along = scale(length, (R[0], R[3], R[6]))
        u = add(velocity, cross(turning, place))
        u = (u[0] + ws.ledger.radius_rate, u[1], u[2])
        emf += dot(cross(u, dipole_field(d, place)), along)
    return emf


@kernel
def push_cable_line(model, ws, body, q, v, line, current, f, d):
    """`push_line` of forces alone on a cable: rotations of its sections are not asked for, and what its frame feels is
    summed first."""
    R, motion = mat(ws.work, body, ROT), relative_motion(model, ws, body)
    total, moment, power = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.0
    conducts = line[LINE_CODE] == CONDUCTS
    for k in range(int(line[LINE_COUNT])):
        at, r, place, velocity, along = cable_line_point(model, ws, body, R, motion, q, v, line, k)
        force = scale(line[LINE_POINTS + 2 * k + 1], f)
        if conducts:
            force = scale(current, cross(along, dipole_field(d, place)))
        push_line_station(model, ws, body, at, rotate_back(R, force))
        total, moment = add(total, force), add(moment, cross(r, force))
        power += dot(force, velocity)
    accumulate3(ws.work, body, FORCE, scale(-1.0, moment))
    accumulate3(ws.work, body, FORCE + 3, scale(-1.0, total))
    return power


@separate_kernel
def push_line(model, ws, axes, q, v, line, given):
    """Lets a load a length, (moment, force) in the axes of marker `axes` (-1: world's), or the force on a current
    given[0] [A] act along a line, after `kinematics`. Returns the power that it supplies [W]."""
    current = line[LINE_CODE] == CONDUCTS
    d = dipole_now(model, ws, line) if current else (0.0, 0.0, 0.0)
    n, f = (given[0], given[1], given[2]), (given[3], given[4], given[5])
    if axes >= 0:
        _, turn, _, _ = marker_frame(model, ws, axes, q, v)
        n, f = rotate(turn, n), rotate(turn, f)
    body = model.marker_index[int(line[LINE_POINTS]), 0]
    if has_line_stations(model, body) and (current or dot(n, n) == 0.0):
        return push_cable_line(model, ws, body, q, v, line, given[0], f, d)
    power = 0.0
    for k in range(int(line[LINE_COUNT])):
        m, r, R, place, omega, velocity, length = line_point(model, ws, q, v, line, k)
        if current:
            moment = (0.0, 0.0, 0.0)
            force = scale(given[0] * length, cross((R[0], R[3], R[6]), dipole_field(d, place)))
        else:
            moment, force = scale(line[LINE_POINTS + 2 * k + 1], n), scale(line[LINE_POINTS + 2 * k + 1], f)
        push_marker(model, ws, m, r, moment, force)
        power += dot(moment, omega) + dot(force, velocity)
    return power


@entry_point
def line_emf(model: ModelArrays, ws: Workspace, q: Vector, v: Vector, line: Vector) -> float:
    """`electromotive`, after `begin`."""
    return electromotive(model, ws, q, v, line)


@entry_point
def add_along(model: ModelArrays, ws: Workspace, line: Vector, axes: int, q: Vector, v: Vector, given: Vector) -> None:
    """`push_line`, after `begin`."""
    push_line(model, ws, axes, q, v, line, given)
