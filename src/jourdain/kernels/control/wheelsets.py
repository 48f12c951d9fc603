"""A wheelset on a straight track: contact geometry from tables, creep forces by FASTSIM, a given load on each wheel."""

from __future__ import annotations

import math

from ..algebra import Vec3, Wrench, cross
from ..compiler import entry_point, kernel
from ..contact.laws.fastsim import patch_forces, patch_strips, rolling_patch
from ..flat_arrays import add_value, motion_at, quaternion_at, vector_at
from ..parameter_rows import Block, Parameters
from ..signatures import Matrix, Vector


class WheelsetParameters(Parameters):
    """A wheelset; profiles and strips are those of the left side."""

    half_gauge: float  # [m]
    radius: float  # nominal [m]
    load: float  # on each wheel [N]
    steps: int  # of a strip
    first: float  # shift at which the tables begin [m]
    step: float  # between their coefficients [m]
    slow_speed: float  # see `rolling_speed` [m/s]
    patch: Block[float]  # a `RollingPatch`
    strips: Block[float]  # a `PatchStrip` each
    radii: Block[float]  # a spline over the shift: what is added to the nominal rolling radius [m]
    slopes: Block[float]  # the same of the tangent of the contact angle


class WheelReport(Parameters):
    """What a wheel tells."""

    force: Vec3  # world axes [N]
    torque: Vec3  # about the middle of the wheelset [N m]
    point: Vec3  # of contact, world axes [m]
    creepage: Vec3  # along, across, and spin [1/m]
    slip_along: float  # speed of slip in the axes of the wheelset [m/s]
    slip_across: float
    radius: float  # of rolling [m]
    slope: float  # tangent of the contact angle
    sliding: float  # part of the patch that slips


WHEEL_REPORTED = WheelReport.size


@kernel
def spline(data, place):
    """A uniform cubic B-spline; place in pieces, the ends go on."""
    i = min(max(int(math.floor(place)), 0), data.size - 4)
    t = place - i
    s = 1.0 - t
    a, b, c, d = data[i], data[i + 1], data[i + 2], data[i + 3]
    inner = (4.0 + t * t * (3.0 * t - 6.0)) * b + (4.0 + s * s * (3.0 * s - 6.0)) * c
    return (s * s * s * a + inner + t * t * t * d) / 6.0


@kernel
def rolling_speed(speed, slow):
    """(what slips are divided by, what spin is multiplied by) for creepages; speed has the sign of the direction.

    Creepage is of steady rolling, and without a speed not defined. Below `slow` the reference is (V^2 + slow^2) / 2
    slow instead of |V|, of which the value and the slope meet at `slow`: creep forces become those of a viscous
    friction with the coefficient of the reference speed. Forces by spin come of the way through the patch, change sign
    with its direction, and go to zero with V over the square of the reference.
    """
    size = abs(speed)
    if size >= slow:
        return size, 1.0 / speed
    reference = (speed * speed + slow * slow) / (2.0 * slow)
    return reference, speed / (reference * reference)


@kernel
def wheel_on_rail(law, s, side):
    """(force, arm, creepages, slips, radius, slope, part that slips) of the wheel on the left (1.0) or right (-1.0).

    A point of a wheel moves with creepages against the rail, of which FASTSIM makes forces; spin is that of the wheel
    about the normal of the contact. Profiles and strips are those of the left side: the wheel on the right is its
    mirror image across the track, and a wheel that rolls backwards the image along it, of one that rolls forward:
    creepages across and spin, or along and spin, change their signs, and so do forces.
    """
    q, V = quaternion_at(s, 3), motion_at(s, 7)
    axle = Vec3(2.0 * (q.x * q.y - q.w * q.z), 1.0 - 2.0 * (q.x * q.x + q.z * q.z), 2.0 * (q.y * q.z + q.w * q.x))
    per = 1.0 / math.sqrt(axle.x * axle.x + axle.y * axle.y)
    forward = Vec3(axle.y * per, -axle.x * per, 0.0)
    up = cross(forward, axle)
    speed = V.linear @ forward
    direction = 1.0 if speed >= 0.0 else -1.0
    reference, turned = rolling_speed(speed, law.slow_speed)
    # where the wheel stands: its radius there, and the angle of the contact
    place = (side * s[1] - law.first) / law.step
    radius = law.radius + spline(law.radii, place)
    slope = spline(law.slopes, place)
    cosine = 1.0 / math.sqrt(1.0 + slope * slope)
    sine = slope * cosine
    normal = -side * sine * axle + cosine * up
    lateral = cosine * axle + side * sine * up
    arm = side * law.half_gauge * axle - radius * up
    # creepages of its point that touches
    slip = V.linear + cross(V.angular, arm)
    along, across, spin = slip @ forward, slip @ lateral, V.angular @ normal
    xi_x, xi_y, phi = direction * along / reference, side * across / reference, side * spin * turned
    patch, strips = rolling_patch(law.patch), patch_strips(law.strips, 0)
    pull_x, pull_y, sliding = patch_forces(patch, strips, xi_x, xi_y, phi, law.steps)
    force = law.load * normal + (-direction * pull_x * forward - side * pull_y * lateral)
    creepages = Vec3(along / reference, across / reference, spin / reference)
    return force, arm, creepages, (along, across), radius, slope, sliding


@entry_point
def wheelset(t: float, q: Vector, v: Vector, z: Vector, s: Vector, p: Vector, effort: Vector, dz: Vector) -> None:
    """Moment and force on a wheelset about its middle, world axes; s: its marker, whose y is the axle.

    x of the world is along the track, z up. The load presses in whatever direction and however slowly it rolls.
    """
    law = WheelsetParameters(p)
    for side in (1.0, -1.0):
        force, arm, _, _, _, _, _ = wheel_on_rail(law, s, side)
        add_value(effort, 0, Wrench(cross(arm, force), force))


@entry_point
def wheel_contacts(p: Vector, path: Matrix, out: Matrix) -> None:
    """What both wheels do on the way of their marker (nt, 13), left then right, into out (nt, 2 WHEEL_REPORTED)."""
    law = WheelsetParameters(p)
    for i in range(path.shape[0]):
        for j in range(2):
            side = 1.0 - 2.0 * j
            force, arm, creepages, slips, radius, slope, sliding = wheel_on_rail(law, path[i], side)
            wheel = WheelReport(out[i][j * WHEEL_REPORTED :])
            wheel.force, wheel.torque, wheel.creepage = force, cross(arm, force), creepages
            wheel.point = vector_at(path[i], 0) + arm
            wheel.slip_along, wheel.slip_across = slips
            wheel.radius, wheel.slope, wheel.sliding = radius, slope, sliding
