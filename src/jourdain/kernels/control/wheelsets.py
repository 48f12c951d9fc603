"""A wheelset on a straight track: contact geometry from tables, creep forces by FASTSIM, a given load on each wheel."""

from __future__ import annotations

import math

from ..compiler import entry_point, kernel
from ..contact.laws.fastsim import ROLL_NUMBERS, STRIP, patch_forces
from ..signatures import Matrix, Vector
from ..spatial import add, cross, dot, scale

# numbers of the law; then those of the patch (fastsim.ROLL_NUMBERS), strips, two tables over the shift of the wheelset
HALF_GAUGE, NOMINAL, LOAD, WHEELSET_STEPS, STRIPS, TABLE_FROM, TABLE_STEP, TABLE_COUNT, WHEEL_SLOW_SPEED = range(9)
WHEELSET_PATCH = 9
# what a wheel tells: force and point of it, world axes; creepages along, across and spin, and the speed of slip in the
# axes of the wheelset; rolling radius, tangent of the contact angle, part of the patch that slips
(
    WHEEL_FORCE,
    WHEEL_TORQUE,
    WHEEL_POINT,
    WHEEL_CREEPAGE,
    WHEEL_SLIP,
    WHEEL_RADIUS,
    WHEEL_SLOPE,
    WHEEL_SLIDING,
) = (0, 3, 6, 9, 12, 14, 15, 16)
WHEEL_REPORTED = 17


@kernel
def spline(p, at, count, place):
    """A uniform cubic B-spline of `count` coefficients from `at` on; place in pieces, the ends go on."""
    i = min(max(int(math.floor(place)), 0), count - 4)
    t = place - i
    s = 1.0 - t
    a, b, c, d = p[at + i], p[at + i + 1], p[at + i + 2], p[at + i + 3]
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
def wheel_on_rail(p, s, side):
    """(force, arm, creepages, slips, radius, slope, part that slips) of the wheel on the left (1.0) or right (-1.0).

    A point of a wheel moves with creepages against the rail, of which FASTSIM makes forces; spin is that of the wheel
    about the normal of the contact. Profiles and strips are those of the left side: the wheel on the right is its
    mirror image across the track, and a wheel that rolls backwards the image along it, of one that rolls forward:
    creepages across and spin, or along and spin, change their signs, and so do forces.
    """
    w, x, y, zq = s[3], s[4], s[5], s[6]
    axle = (2.0 * (x * y - w * zq), 1.0 - 2.0 * (x * x + zq * zq), 2.0 * (y * zq + w * x))
    per = 1.0 / math.sqrt(axle[0] * axle[0] + axle[1] * axle[1])
    forward = (axle[1] * per, -axle[0] * per, 0.0)
    up = cross(forward, axle)
    omega, velocity = (s[7], s[8], s[9]), (s[10], s[11], s[12])
    speed = dot(velocity, forward)
    direction = 1.0 if speed >= 0.0 else -1.0
    reference, turned = rolling_speed(speed, p[WHEEL_SLOW_SPEED])
    strips = int(p[STRIPS])
    table = WHEELSET_PATCH + ROLL_NUMBERS + STRIP * strips
    count = int(p[TABLE_COUNT])
    # where the wheel stands: its radius there, and the angle of the contact
    place = (side * s[1] - p[TABLE_FROM]) / p[TABLE_STEP]
    radius = p[NOMINAL] + spline(p, table, count, place)
    slope = spline(p, table + count, count, place)
    cosine = 1.0 / math.sqrt(1.0 + slope * slope)
    sine = slope * cosine
    normal = add(scale(-side * sine, axle), scale(cosine, up))
    lateral = add(scale(cosine, axle), scale(side * sine, up))
    arm = add(scale(side * p[HALF_GAUGE], axle), scale(-radius, up))
    # creepages of its point that touches
    slip = add(velocity, cross(omega, arm))
    along, across, spin = dot(slip, forward), dot(slip, lateral), dot(omega, normal)
    xi_x, xi_y, phi = direction * along / reference, side * across / reference, side * spin * turned
    first, steps = WHEELSET_PATCH + ROLL_NUMBERS, int(p[WHEELSET_STEPS])
    pull_x, pull_y, sliding = patch_forces(p, WHEELSET_PATCH, p, first, strips, xi_x, xi_y, phi, steps)
    force = add(scale(-direction * pull_x, forward), scale(-side * pull_y, lateral))
    force = add(scale(p[LOAD], normal), force)
    creepages = (along / reference, across / reference, spin / reference)
    return force, arm, creepages, (along, across), radius, slope, sliding


@entry_point
def wheelset(t: float, q: Vector, v: Vector, z: Vector, s: Vector, p: Vector, effort: Vector, dz: Vector) -> None:
    """Moment and force on a wheelset about its middle, world axes; s: its marker, whose y is the axle.

    x of the world is along the track, z up. The load presses in whatever direction and however slowly it rolls.
    """
    for side in (1.0, -1.0):
        force, arm, _, _, _, _, _ = wheel_on_rail(p, s, side)
        moment = cross(arm, force)
        for k in range(3):
            effort[k] += moment[k]
            effort[3 + k] += force[k]


@entry_point
def wheel_contacts(p: Vector, path: Matrix, out: Matrix) -> None:
    """What both wheels do on the way of their marker (nt, 13), left then right, into out (nt, 2 WHEEL_REPORTED)."""
    for i in range(path.shape[0]):
        for j in range(2):
            side = 1.0 - 2.0 * j
            force, arm, creepages, slips, radius, slope, sliding = wheel_on_rail(p, path[i], side)
            moment = cross(arm, force)
            at = j * WHEEL_REPORTED
            for k in range(3):
                out[i, at + WHEEL_FORCE + k] = force[k]
                out[i, at + WHEEL_TORQUE + k] = moment[k]
                out[i, at + WHEEL_POINT + k] = path[i, k] + arm[k]
                out[i, at + WHEEL_CREEPAGE + k] = creepages[k]
            out[i, at + WHEEL_SLIP], out[i, at + WHEEL_SLIP + 1] = slips[0], slips[1]
            out[i, at + WHEEL_RADIUS], out[i, at + WHEEL_SLOPE] = radius, slope
            out[i, at + WHEEL_SLIDING] = sliding
