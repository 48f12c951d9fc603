"""A peg in a round hole by slices across the hole, for overlaps that reach far around it.

A slice is an ellipse, clipped by the end faces of the peg, outside of a disc: a crescent. Seen from the axis of the
hole it covers a range of directions, radially from the wall to the far side of the peg. Slices are integrated by 6
Gauss-Legendre points over that range, or over each piece of it between the rims of the peg, and along the hole by 8
points a panel in the variable of `soft`, between the heights where the crescent begins, where a rim passes through the
wall and where the wall changes its slope. The crescent is integrated directly, not as a difference of two large
volumes. All in the axes of the hole.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ...algebra import Vec3
from ...compiler import kernel, outlined_kernel
from ...fixed_size import operation
from .gauss_rules import GAUSS_6, GAUSS_8, soft
from .overlap_values import Moments, Wall
from .springs_hole import end_ray, no_sums, ray_sums, volume_ray, wall_ray
from .volume_moments import no_moments

LOOKS = 24  # samples along a rim in the search for its passages through the wall
BISECTIONS = 24
PASSAGES = 6  # heights at which rims pass through the wall


class Peg(NamedTuple):
    """A cylindrical peg in the axes of the hole: its middle, unit vector of its axis, radius and half length."""

    middle: Any
    axis: Any
    radius: float
    half: float


class Border(NamedTuple):
    """What the springs need to know of the ends of a piece of wall."""

    sprung: bool  # whether springs are needed
    top: float  # height of the upper face of the solid
    at_low: bool  # whether the lower and the upper height are ends of the piece
    at_high: bool
    face_low: bool  # and whether they are ends of the hole
    face_high: bool


@kernel
def _depth(peg, w, z, angle):
    """(D, D', D''): r^2 less the squared distance of a point of the wall from the peg's axis, and its derivatives.

    w, z   radius and height of the wall there
    """
    q, u, r = peg.middle, peg.axis, peg.radius
    c, s = math.cos(angle), math.sin(angle)
    g = Vec3(w * c, w * s, z) - q
    gu, hu, ku = g @ u, w * (c * u.y - s * u.x), -w * (c * u.x + s * u.y)
    D = r * r - g @ g + gu * gu
    first = 2.0 * w * (g.x * s - g.y * c) + 2.0 * gu * hu
    second = -2.0 * w * (c * q.x + s * q.y) + 2.0 * hu * hu + 2.0 * gu * ku
    return D, first, second


@outlined_kernel
def _peak(peg, w, z, angle):
    """Direction near another in which the wall is deepest in the peg, by Newton; (D, D'', angle) there."""
    D, first, second = _depth(peg, w, z, angle)
    for _ in range(6):
        step = -first / second if second < 0.0 else math.copysign(0.3, first)
        step = min(max(step, -0.5), 0.5)
        angle += step
        D, first, second = _depth(peg, w, z, angle)
        if step * step < 1e-8:
            break
    return D, second, angle


@outlined_kernel
def _limit(peg, w, z, peak, D, second, side):
    """The direction on one side of the deepest at which the wall leaves the peg; half a turn away where it does not."""
    inside, outside = peak, peak + side * math.pi
    # Newton iteration safeguarded by bisection, from the parabola D + D'' x^2 / 2 at the deepest direction
    guess = math.sqrt(-2.0 * D / second) if second < 0.0 else 3.0
    if guess > 1.0 and _depth(peg, w, z, outside)[0] > 0.0:
        return outside
    angle = peak + side * min(guess, 3.0)
    for _ in range(BISECTIONS):
        value, slope, _curve = _depth(peg, w, z, angle)
        if value > 0.0:
            inside = angle
        else:
            outside = angle
        step = -value / slope if slope != 0.0 else 0.0
        new = angle + step
        if step == 0.0 or not min(inside, outside) < new < max(inside, outside):
            new = 0.5 * (inside + outside)
        step = new - angle
        angle = new
        if step * step < 1e-12:
            break
    return angle


@kernel
def _reach(peg, c, s, z):
    """Range of distances from the axis of the hole inside the peg at a height z, in the direction (c, s)."""
    q, u, r, L = peg.middle, peg.axis, peg.radius, peg.half
    g = Vec3(0.0, 0.0, z) - q
    # squared distance from the axis of the peg along the ray: A rho^2 + 2 B rho + C = 0 on its flank
    du, gu, gd = c * u.x + s * u.y, g @ u, c * g.x + s * g.y
    A, B, C = 1.0 - du * du, gd - gu * du, g @ g - gu * gu - r * r
    near, far = 0.0, (-B + math.sqrt(max(B * B - A * C, 0.0))) / A
    # clipped by the two end faces
    if du > 0.0:
        near, far = (-L - gu) / du, min(far, (L - gu) / du)
    elif du < 0.0:
        near, far = (L - gu) / du, min(far, (-L - gu) / du)
    elif gu * gu > L * L:
        far = 0.0
    return near, far


@kernel
def _near(angle, to):
    """The angle, modulo 2 pi, within half a turn of another."""
    return angle - 2.0 * math.pi * math.floor((angle - to) / (2.0 * math.pi) + 0.5)


@outlined_kernel
def end_angles(peg, w, z, end, peak):
    """Directions, near another, in which an end of the peg changes a slice; infinities where it does not.

    Two in which the rim is at that height, and two in which the wall passes the end face.
    """
    q, u, r, L = peg.middle, peg.axis, peg.radius, peg.half
    none = math.inf
    k = math.sqrt(u.x * u.x + u.y * u.y)
    h = q.z + end * L * u.z - z
    reach = max(r, w + math.sqrt(q.x * q.x + q.y * q.y) + L * k)
    if not math.fabs(h) < 2.0 * reach * k:
        return none, none, none, none
    tx, ty = u.x / k, u.y / k
    a = b = c = d = none
    # points of the rim at this height: h = r k sin(phase)
    s = h / (r * k)
    if -1.0 < s < 1.0:
        x, y = q.x + end * L * u.x, q.y + end * L * u.y
        f, g = s * u.z * r, r * math.sqrt(1.0 - s * s)
        a = _near(math.atan2(y + f * ty + g * tx, x + f * tx - g * ty), peak)
        b = _near(math.atan2(y + f * ty - g * tx, x + f * tx + g * ty), peak)
    # the wall in the plane of the end face: (point - middle) . u = end L is an equation for the cosine of the direction
    s = (end * L - (z - q.z) * u.z + q.x * u.x + q.y * u.y) / (w * k)
    if -1.0 < s < 1.0:
        lean, half = math.atan2(ty, tx), math.acos(s)
        c, d = _near(lean + half, peak), _near(lean - half, peak)
    return a, b, c, d


@outlined_kernel
def crescent(m, N, sums, peg, slope, w, z, v, face, angle, o, border):
    """Adds the slice at a height, of thickness v, about a direction; returns (moments, N, sums, the deepest direction).

    slope    of the wall, whose radius is w
    face     1, -1 for the area of an end of the solid, which adds to N only, or of a piece, else 0
    border   see `wall_moments` of peg_hole.py; with a face it tells whether that adds to the sums
    """
    D, second, peak = _peak(peg, w, z, angle)
    if not D > 0.0:
        return m, N, sums, peak
    # range of directions in which the peg is beyond the wall, with breaks where an end of the peg begins
    first, last = _limit(peg, w, z, peak, D, second, -1.0), _limit(peg, w, z, peak, D, second, 1.0)
    low, high = end_angles(peg, w, z, -1.0, peak), end_angles(peg, w, z, 1.0, peak)
    start = first
    for _ in range(9):
        stop = last
        for k in range(4):
            if start < low[k] < stop:
                stop = low[k]
            if start < high[k] < stop:
                stop = high[k]
        if not stop > start:
            break
        middle, half = 0.5 * (start + stop), 0.5 * (stop - start)
        start = stop
        # 6 Gauss-Legendre directions: rays from the wall, or the near side of the peg, to its far side
        for i in range(6):
            x, y = GAUSS_6[i]
            x = middle + half * x
            c, s = math.cos(x), math.sin(x)
            near, far = _reach(peg, c, s, z)
            near = max(near, w)
            t = far - near
            if not t > 0.0:
                continue
            y *= half
            # an end adds its area and its pressure; else the ray adds volume, and wall where it starts on the wall
            if face != 0.0:
                N += Vec3(0.0, 0.0, face * y * t * (near + 0.5 * t))
                if border.sprung:
                    end = border.face_low if face < 0.0 else border.face_high
                    sums += ray_sums(y, end_ray(face, slope, w, near - w, t, border.top - z, end), c, s)
            else:
                y *= v
                m += _ray_moments(y, near, t, c, s, z, o)
                if border.sprung:
                    rays = volume_ray(1.0, slope, w, z, near - w, t)
                    if near == w:
                        rays += wall_ray(1.0, slope, w, z, border.top)
                    sums += ray_sums(y, rays, c, s)
                if near == w:
                    N -= y * w * Vec3(c, s, -slope)
    return m, N, sums, peak


@operation
def _ray_moments(w, r, t, c, s, z, o):
    """Moments about o of a ray of length t outside of radius r, of weight w: integrals of rho d rho."""
    i0 = w * t * (r + 0.5 * t)
    i1 = w * t * t * (0.5 * r + t / 3.0)
    i2 = w * t * t * t * (r / 3.0 + 0.25 * t)
    x, y, z = r * c - o.x, r * s - o.y, z - o.z
    mx, my = i0 * x + i1 * c, i0 * y + i1 * s
    return Moments(
        i0,
        mx,
        my,
        i0 * z,
        i0 * x * x + 2.0 * i1 * x * c + i2 * c * c,
        i0 * y * y + 2.0 * i1 * y * s + i2 * s * s,
        i0 * z * z,
        i0 * x * y + i1 * (x * s + y * c) + i2 * c * s,
        mx * z,
        my * z,
    )


@outlined_kernel
def _passage(peg, wall, end, phase):
    """(squared distance of a point of the rim from the axis of the hole less that of the wall, its height)."""
    q, u, r, L = peg.middle, peg.axis, peg.radius, peg.half
    k = math.sqrt(u.x * u.x + u.y * u.y)
    tx, ty = (u.x / k, u.y / k) if k > 0.0 else (1.0, 0.0)
    s, c = math.sin(phase), math.cos(phase)
    x = q.x + end * L * u.x + r * (s * u.z * tx - c * ty)
    y = q.y + end * L * u.y + r * (s * u.z * ty + c * tx)
    z = q.z + end * L * u.z - r * s * k
    w = wall.a + wall.b * z
    return x * x + y * y - w * w, z


@kernel
def _insert(six, z):
    """Six sorted numbers with another one sorted in; the largest drops out."""
    a, b, c, d, e, f = six
    if z < a:
        return z, a, b, c, d, e
    if z < b:
        return a, z, b, c, d, e
    if z < c:
        return a, b, z, c, d, e
    if z < d:
        return a, b, c, z, d, e
    if z < e:
        return a, b, c, d, z, e
    if z < f:
        return a, b, c, d, e, z
    return six


@outlined_kernel
def _passages(peg, wall):
    """Heights, sorted, at which rims pass through the wall between its ends; infinities for those that do not exist."""
    found = (math.inf, math.inf, math.inf, math.inf, math.inf, math.inf)
    q, u, r, L = peg.middle, peg.axis, peg.radius, peg.half
    k = math.sqrt(max(1.0 - u.z * u.z, 0.0))
    for end in (-1.0, 1.0):
        h = q.z + end * L * u.z
        if h + r * k < wall.low or h - r * k > wall.high:
            continue
        # sign changes along the rim, by false position (Illinois)
        before, phase = _passage(peg, wall, end, 0.0)[0], 0.0
        for i in range(LOOKS):
            after = _passage(peg, wall, end, (i + 1) * (2.0 * math.pi / LOOKS))[0]
            if before * after < 0.0:
                low, high, at = phase, (i + 1) * (2.0 * math.pi / LOOKS), before
                flow, fhigh = before, after
                side = 0
                z = 0.0
                for _ in range(12):
                    x = (low * fhigh - high * flow) / (fhigh - flow)
                    at, z = _passage(peg, wall, end, x)
                    if at * fhigh < 0.0:
                        low, flow = x, at
                        fhigh = 0.5 * fhigh if side == -1 else fhigh
                        side = -1
                    else:
                        high, fhigh = x, at
                        flow = 0.5 * flow if side == 1 else flow
                        side = 1
                    if at * at < 1e-30 * r**4:
                        break
                if wall.low < z < wall.high:
                    found = _insert(found, z)
            before, phase = after, (i + 1) * (2.0 * math.pi / LOOKS)
    return found


@outlined_kernel
def _rim_end(peg, wall, end, way):
    """Height of the lowest (way 1) or highest (-1) point of a rim if it is outside of the wall, else infinity."""
    beyond, z = _passage(peg, wall, end, 0.5 * math.pi * way)
    return z if beyond > 0.0 else math.inf


@outlined_kernel
def _face_end(peg, wall, end, way):
    """Height at which an end face of the peg begins (way 1) or ceases (-1) to cut the wall, else infinity."""
    q, u, L = peg.middle, peg.axis, peg.half
    k = way * math.sqrt(u.x * u.x + u.y * u.y)
    if k == 0.0:
        return math.inf
    z = (end * L + q @ u - wall.a * k) / (u.z + wall.b * k)
    inside = _depth(peg, wall.a + wall.b * z, z, math.atan2(way * u.y, way * u.x))[0] > 0.0
    return z if inside else math.inf


@outlined_kernel
def _begins(peg, wall, inside, outside, angle):
    """The height between two at which the wall leaves the flank of the peg, by bisection."""
    for _ in range(BISECTIONS):
        z = 0.5 * (inside + outside)
        D, _second, peak = _peak(peg, wall.a + wall.b * z, z, angle)
        if D > 0.0:
            inside, angle = z, peak
        else:
            outside = z
    return inside


@outlined_kernel
def face_area(N, peg, w, z, way, angle):
    """N with the area of an end face of the solid that is in the peg, at a height where the radius of the wall is w.

    way    1 for the upper end, -1 for the lower one
    """
    peak = _peak(peg, w, z, angle)
    if not (peak[0] > 0.0 and math.cos(peak[2] - angle) > 0.0):
        return N
    o, none = Vec3(0.0, 0.0, z), Border(False, 0.0, False, False, False, False)
    return crescent(no_moments(), N, no_sums(), peg, 0.0, w, z, 0.0, way, peak[2], o, none)[1]


@outlined_kernel
def slice_moments(peg, wall, angle, o, border):
    """(moments about o, N, sums) of a peg and one piece of a wall, on one side; see `wall_moments` of peg_hole.py."""
    m, N, sums = no_moments(), o.zero, no_sums()
    a, b, low, high = wall.a, wall.b, wall.low, wall.high
    # whether the peg penetrates the wall at either end of the piece
    first, last = _peak(peg, a + b * low, low, angle), _peak(peg, a + b * high, high, angle)
    at_low = first[0] > 0.0 and math.cos(first[2] - angle) > 0.0
    at_high = last[0] > 0.0 and math.cos(last[2] - angle) > 0.0
    if not (at_low or at_high):
        return m, N, sums
    # pressure on the ends of this piece; then the height where the penetration begins, if it is within the piece
    if border.sprung and border.at_low and at_low:
        sums = crescent(m, N, sums, peg, b, a + b * low, low, 0.0, -1.0, first[2], o, border)[2]
    if border.sprung and border.at_high and at_high:
        sums = crescent(m, N, sums, peg, b, a + b * high, high, 0.0, 1.0, last[2], o, border)[2]
    if not at_low:
        low = _begins(peg, wall, high, low, last[2])
    elif not at_high:
        high = _begins(peg, wall, low, high, first[2])
    angle = first[2] if at_low else last[2]
    # breaks: heights at which crescents change their form
    passages = _passages(peg, Wall(a, b, low, high))
    rims = (
        _rim_end(peg, wall, -1.0, 1.0),
        _rim_end(peg, wall, -1.0, -1.0),
        _rim_end(peg, wall, 1.0, 1.0),
        _rim_end(peg, wall, 1.0, -1.0),
        _face_end(peg, wall, -1.0, 1.0),
        _face_end(peg, wall, -1.0, -1.0),
        _face_end(peg, wall, 1.0, 1.0),
        _face_end(peg, wall, 1.0, -1.0),
    )
    # panels of 8 Gauss-Legendre points in the variable of `soft`
    start = low
    for _ in range(PASSAGES + 9):
        stop = high
        for z in passages:
            if start < z < stop:
                stop = z
        for z in rims:
            if start < z < stop:
                stop = z
        if stop > start:
            middle, half = 0.5 * (start + stop), 0.5 * (stop - start)
            for i in range(8):
                x, v = GAUSS_8[i]
                x, slope = soft(x)
                z = middle + half * x
                v *= half * slope
                m, N, sums, angle = crescent(m, N, sums, peg, b, a + b * z, z, v, 0.0, angle, o, border)
        start = stop
    return m, N, sums
