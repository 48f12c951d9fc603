"""A wheelset on a straight track: contact geometry from tables, creep forces by FASTSIM, a given load on each wheel."""

from __future__ import annotations

import math

from ..compiler import gate, kernel
from ..contact.fastsim import ROLL_NUMBERS, STRIP, patch_forces
from ..spatial import add, cross, dot, scale

# numbers of the law; then those of the patch (fastsim.ROLL_NUMBERS), strips, two tables over the shift of the wheelset
HALF_GAUGE, NOMINAL, LOAD, WHEELSET_STEPS, STRIPS, TABLE_FROM, TABLE_STEP, TABLE_COUNT = 0, 1, 2, 3, 4, 5, 6, 7
WHEELSET_PATCH = 8


@kernel
def spline(p, at, count, place):
    """A uniform cubic B-spline of `count` coefficients from `at` on; place in pieces, the ends go on."""
    i = min(max(int(math.floor(place)), 0), count - 4)
    t = place - i
    s = 1.0 - t
    a, b, c, d = p[at + i], p[at + i + 1], p[at + i + 2], p[at + i + 3]
    inner = (4.0 + t * t * (3.0 * t - 6.0)) * b + (4.0 + s * s * (3.0 * s - 6.0)) * c
    return (s * s * s * a + inner + t * t * t * d) / 6.0


@gate
def wheelset(t, q, v, z, s, p, effort, dz):
    """Moment and force on a wheelset about its middle, world axes; s: its marker, whose y is the axle.

    A point of a wheel moves with creepages against the rail, of which FASTSIM makes forces; spin is that of the wheel
    about the normal of the contact. x of the world is along the track, z up.
    """
    w, x, y, zq = s[3], s[4], s[5], s[6]
    axle = (2.0 * (x * y - w * zq), 1.0 - 2.0 * (x * x + zq * zq), 2.0 * (y * zq + w * x))
    per = 1.0 / math.sqrt(axle[0] * axle[0] + axle[1] * axle[1])
    forward = (axle[1] * per, -axle[0] * per, 0.0)
    up = cross(forward, axle)
    omega, velocity = (s[7], s[8], s[9]), (s[10], s[11], s[12])
    speed = dot(velocity, forward)
    if speed <= 0.0:
        return
    strips = int(p[STRIPS])
    table = WHEELSET_PATCH + ROLL_NUMBERS + STRIP * strips
    count = int(p[TABLE_COUNT])
    for side in (1.0, -1.0):
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
        xi_x, xi_y = dot(slip, forward) / speed, dot(slip, lateral) / speed
        phi = dot(omega, normal) / speed
        first = WHEELSET_PATCH + ROLL_NUMBERS
        pull_x, pull_y, _ = patch_forces(p, WHEELSET_PATCH, p, first, strips, xi_x, xi_y, phi, int(p[WHEELSET_STEPS]))
        force = add(scale(p[LOAD], normal), add(scale(-pull_x, forward), scale(-pull_y, lateral)))
        moment = cross(arm, force)
        for k in range(3):
            effort[k] += moment[k]
            effort[3 + k] += force[k]
