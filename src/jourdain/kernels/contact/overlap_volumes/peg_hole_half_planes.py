"""Overlap of a peg and the wall of a hole, by half-planes through the axis of the hole.

In such a half-plane the peg is an ellipse between two lines, its end faces, and the wall is a line too: the part of the
peg beyond the wall is convex, and the corners of its boundary are roots of quadratic equations. Over the height it is
integrated by 4 Gauss-Legendre points between these corners, over the direction by 8 in the variable of `soft` between
the directions in which the corners leave the wall. Only these few directions are iterated.

In the axes of the hole; heights y are from the middle of the piece of wall.
"""

from __future__ import annotations

import math

from ...algebra import Vec3
from ...compiler import kernel, outlined_kernel
from ...fixed_size import CLASSES, FixedSize, number_property, operation
from .gauss_rules import GAUSS_8, soft
from .overlap_values import Moments
from .springs_hole import end_ray, no_rays, no_sums, ray_sums, volume_rays, wall_stretch
from .volume_moments import no_moments

GAUSS_4 = (
    (-0.8611363115940526, 0.34785484513745385), (-0.3399810435848563, 0.6521451548625461),
    (0.3399810435848563, 0.6521451548625461), (0.8611363115940526, 0.34785484513745385),
)  # fmt: skip
ROUNDS = 40  # largest number of iterations of a search for a direction
BEYOND = 1e-5  # of the width: how far past its limits the overlap is tested again
BROAD = 1.0  # largest width of a panel; broader ones are divided [rad]
WIDE = 1.6  # largest angle from the deepest direction; wider overlaps are left to slices across the hole [rad]


class Fan(FixedSize):
    """Integrals over the part of the peg beyond the wall in a half-plane, of rho times 1, e, e^2, y, e y, y^2; wall.

    e is the distance beyond the wall at its middle; the last one is the wall in the peg times its radius.
    """

    __slots__ = ()
    size = 7
    one, e, ee = number_property(0), number_property(1), number_property(2)
    y, ey, yy, wall = number_property(3), number_property(4), number_property(5), number_property(6)


CLASSES |= {"Fan": Fan}


@kernel
def _line(peg, wall, middle, c, s):
    """The wall in the direction (c, s): (alpha, beta, gamma, along, rise, away).

    r^2 less the squared distance from the peg's axis is D = -(alpha y^2 + 2 beta y + gamma); the coordinate of the wall
    along the axis of the peg, from its middle, is along + rise y; a radial ray of length 1 advances by `away`.
    """
    q, u, r, a, b = peg.middle, peg.axis, peg.radius, wall.a, wall.b
    w = a + b * middle
    g = Vec3(w * c, w * s, middle) - q
    away, along = c * u.x + s * u.y, g @ u
    rise = b * away + u.z
    x, y, z = b * s * u.z - u.y, u.x - b * c * u.z, b * (c * u.y - s * u.x)
    alpha = x * x + y * y + z * z
    beta = b * (g.x * c + g.y * s) + g.z - along * rise
    return alpha, beta, g @ g - along * along - r * r, along, rise, away


@outlined_kernel
def _edge(peg, wall, middle, end, angle):
    """(D, D', D'', growth, y) of the lower (end -1) or upper (1) end of the wall in the peg, or of its deepest point
    (0).

    D', D''    derivatives by the direction; the second with the height held where no end face moves it
    growth     derivative of D by the height
    """
    q, u, L = peg.middle, peg.axis, peg.half
    a, b, z0, z1 = wall.a, wall.b, wall.low, wall.high
    c, s = math.cos(angle), math.sin(angle)
    alpha, beta, gamma, along, rise, away = _line(peg, wall, middle, c, s)
    low, high = z0 - middle, z1 - middle
    # range of y between the end faces of the peg, and the y asked for
    bottom = min(max((-L - along) / rise, low), high)
    top = max(min((L - along) / rise, high), bottom)
    y = bottom if end < 0.0 else top
    if end == 0.0:
        y = -beta / alpha if alpha > 0.0 else math.copysign(math.inf, -beta)
        y = min(max(y, bottom), top)
    moves = (y == bottom or y == top) and low < y < high
    # derivatives by the direction at fixed y; then the term of an end face that moves y with it
    D = -((alpha * y + 2.0 * beta) * y + gamma)
    growth = -2.0 * (alpha * y + beta)
    w = a + b * (middle + y)
    h = w * (c * u.y - s * u.x)
    first = 2.0 * w * (q.y * c - q.x * s) + 2.0 * (along + rise * y) * h
    second = -2.0 * w * (c * q.x + s * q.y) + 2.0 * h * h - 2.0 * (along + rise * y) * w * away
    if moves:
        first -= growth * h / rise
        second += growth * w * away / rise
    return D, first, second, growth, y


@outlined_kernel
def _crest(peg, wall, middle, end, angle):
    """Direction near another in which an end of the wall is deepest in the peg, and (D, D'') there; Newton."""
    D, first, second, _growth, _y = _edge(peg, wall, middle, end, angle)
    for _ in range(12):
        step = -first / second if second < 0.0 else math.copysign(0.3, first)
        step = min(max(step, -0.5), 0.5)
        angle += step
        D, first, second, _growth, _y = _edge(peg, wall, middle, end, angle)
        if step * step < 1e-8:
            break
    return angle, D, second


@outlined_kernel
def _leaves(peg, wall, middle, end, inside, outside, guess):
    """The direction between two at which an end of the wall leaves the peg, by safeguarded Newton; nan if none."""
    angle = guess
    if not min(inside, outside) < angle < max(inside, outside):
        angle = 0.5 * (inside + outside)
    sure = False
    for _ in range(ROUNDS):
        D, first, _second, _growth, _y = _edge(peg, wall, middle, end, angle)
        if D > 0.0:
            inside = angle
        else:
            outside = angle
            sure = True
        new = angle - D / first if first != 0.0 else angle
        if not min(inside, outside) < new < max(inside, outside):
            new = 0.5 * (inside + outside)
        step = new - angle
        angle = new
        if step * step < 1e-13:
            break
    if not sure and _edge(peg, wall, middle, end, outside)[0] > 0.0:
        return math.nan
    return angle


@kernel
def _rim(D, g, k, lean, y):
    """Height of the rim of the peg, y - lean t with k t^2 + 2 g t = D, t along its end face from the wall at y."""
    return y - lean * D / (g + math.sqrt(g * g + k * D))


@kernel
def _ray(y, flank, L, cut):
    """(near, t): start and length of the part inside the peg of a radial ray from the wall at y; clipped by the end
    faces, or by the flank alone.

    flank    (alpha, beta, gamma, along, rise, away) of `_line`, and A, B, slope
    """
    alpha, beta, gamma, along, rise, away, A, B, slope = flank
    D = -((alpha * y + 2.0 * beta) * y + gamma)
    g = B + slope * y
    t = D / (g + math.sqrt(max(g * g + A * D, 0.0)))
    near = 0.0
    if cut:
        at = along + rise * y
        if away > 0.0:
            near, t = max(near, (-L - at) / away), min(t, (L - at) / away)
        elif away < 0.0:
            near, t = max(near, (L - at) / away), min(t, (-L - at) / away)
        elif at * at > L * L:
            t = 0.0
        t -= near
    return near, t


@outlined_kernel
def _fan(peg, wall, middle, rho, c, s, border):
    """`Fan` of a half-plane, `rho` being the radius of the wall at its middle, and rays of the springs
    (springs_hole.py)."""
    q, u, r, L = peg.middle, peg.axis, peg.radius, peg.half
    a, b, z0, z1 = wall.a, wall.b, wall.low, wall.high
    rays = no_rays()
    none = Fan(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0), rays
    alpha, beta, gamma, along, rise, away = _line(peg, wall, middle, c, s)
    # heights at which the wall is in the flank of the peg: roots of alpha y^2 + 2 beta y + gamma
    bottom, top = -math.inf, math.inf
    disc = beta * beta - alpha * gamma
    if disc > 0.0:
        k = -(beta + math.copysign(math.sqrt(disc), beta))
        bottom, top = k / alpha if alpha > 0.0 else math.copysign(math.inf, k), gamma / k
        bottom, top = min(bottom, top), max(bottom, top)
    elif gamma >= 0.0:
        return none
    low, high = max(bottom, z0 - middle), min(top, z1 - middle)
    # heights at which the end faces cut the wall; A, B, slope: quadratic of the flank along a ray
    below, above = (-L - along) / rise, (L - along) / rise
    if not high > low or below >= top or above <= bottom:
        return none
    w = a + b * middle
    A = 1.0 - away * away
    B, slope = w - q.x * c - q.y * s - along * away, b - rise * away
    lean = away / u.z
    far = 2.0 * r * math.fabs(lean)  # bound of the distance of a rim from where its face cuts the wall
    # heights of the rims: between first and last the flank alone bounds the peg
    first, last = low, high
    wall_low, wall_high = max(low, below), min(high, above)
    if below > max(bottom, low - far):
        D = -((alpha * below + 2.0 * beta) * below + gamma)
        g = w + b * below - q.x * c - q.y * s - (middle + below - q.z) * lean
        edge = _rim(D, g, 1.0 + lean * lean, lean, below)
        low, first = max(low, min(below, edge)), max(below, edge)
    if above < min(top, high + far):
        D = -((alpha * above + 2.0 * beta) * above + gamma)
        g = w + b * above - q.x * c - q.y * s - (middle + above - q.z) * lean
        edge = _rim(D, g, 1.0 + lean * lean, lean, above)
        high, last = min(high, max(above, edge)), min(above, edge)
    # the three pieces in order, within the overlap
    if not high > low:
        return none
    first, last = min(max(first, low), high), min(max(last, low), high)
    plain = first <= last
    first, last = min(first, last), max(first, last)
    # three smooth pieces of heights, by 4 Gauss-Legendre points: ray from the wall to the far side of the peg
    flank = (alpha, beta, gamma, along, rise, away, A, B, slope)
    s0 = s1 = s2 = s3 = s4 = s5 = 0.0
    start = low
    for part in range(3):
        stop = first if part == 0 else last if part == 1 else high
        half, mean = 0.5 * (stop - start), 0.5 * (stop + start)
        start = stop
        if not half > 0.0:
            continue
        for i in range(4):
            y, v = GAUSS_4[i]
            y = mean + half * y
            # in the outer pieces an end face clips the ray
            near, t = _ray(y, flank, L, part != 1 or not plain)
            if not t > 0.0:
                continue
            # integrals over the ray from `near`, of length t
            near += w + b * y
            e = near - rho
            v *= half * t
            i0 = v * (near + 0.5 * t)
            i1 = v * t * (0.5 * near + t / 3.0)
            i2 = v * t * t * (near / 3.0 + 0.25 * t)
            s0 += i0
            s1 += e * i0 + i1
            s2 += e * (e * i0 + 2.0 * i1) + i2
            s3 += i0 * y
            s4 += (e * i0 + i1) * y
            s5 += i0 * y * y
    area = 0.0
    if wall_high > wall_low:
        area = (wall_high - wall_low) * (w + 0.5 * b * (wall_low + wall_high))
    # springs of the wall, and pressure on the ends of this piece
    if border.sprung:
        top = border.top
        rays = volume_rays(b, w, middle, s0, s1, s3)
        if wall_high > wall_low:
            rays += wall_stretch(b, w, wall_low, wall_high, middle, top)
        for k in range(2):
            if (k == 0 and border.at_low and low == z0 - middle) or (k == 1 and border.at_high and high == z1 - middle):
                y = low if k == 0 else high
                near, t = _ray(y, flank, L, True)
                if t > 0.0:
                    face = border.face_low if k == 0 else border.face_high
                    rays += end_ray(2.0 * k - 1.0, b, w + b * y, near, t, top - middle - y, face)
    return Fan(s0, s1, s2, s3, s4, s5, area), rays


@operation
def _fan_moments(f, rho, c, s, middle, o):
    """Moments about o of a half-plane in the direction (c, s), from the integrals of `_fan` times its weight."""
    x, y, z = rho * c - o.x, rho * s - o.y, middle - o.z
    mx, my = f.one * x + f.e * c, f.one * y + f.e * s
    return Moments(
        f.one,
        mx,
        my,
        f.one * z + f.y,
        f.one * x * x + 2.0 * f.e * x * c + f.ee * c * c,
        f.one * y * y + 2.0 * f.e * y * s + f.ee * s * s,
        f.one * z * z + 2.0 * f.y * z + f.yy,
        f.one * x * y + f.e * (x * s + y * c) + f.ee * c * s,
        mx * z + f.y * x + f.ey * c,
        my * z + f.y * y + f.ey * s,
    )


@outlined_kernel
def _inside(peg, wall, middle, end, angle, faces):
    """The first and the last direction known in which an end of the wall is in the peg, and the square root of -2 D/D''
    at the first and at the last; infinities where there is none.

    Where an end face of the peg cuts the end of the wall, the wall is deepest at the cut, on one side or on both, with
    a minimum between them: `faces` are four directions of each face in which it may.
    """
    first, last, before, after = math.inf, -math.inf, WIDE, WIDE
    crest, D, second = _crest(peg, wall, middle, end, angle)
    if D > 0.0 and math.cos(crest - angle) > 0.0:
        first = last = crest
        before = after = math.sqrt(-2.0 * D / second) if second < 0.0 else WIDE
    for four in faces:
        for x in four:
            if math.isfinite(x) and not first <= x <= last and math.cos(x - angle) > 0.0:
                D, _first, second, _growth, _y = _edge(peg, wall, middle, end, x)
                if D > 0.0:
                    guess = math.sqrt(-2.0 * D / second) if second < 0.0 else 0.1
                    first, before = (x, guess) if x < first else (first, before)
                    last, after = (x, guess) if x > last else (last, after)
    return first, last, before, after


@outlined_kernel
def _range(peg, wall, middle, angle, faces):
    """Directions between which the peg is beyond the wall, then those between them at which the overlap changes its
    form.

    The latter are where the lower and the upper end of the wall leave the peg; infinities stand for those that do not
    exist. Nothing overlaps where the second is not above the first; nan is the first where this is too wide for
    half-planes.
    """
    none = math.inf
    low, high = none, -none
    changes = (none, none, none, none)
    # range of each end of the wall
    for k in range(2):
        end = -1.0 if k == 0 else 1.0
        cuts = (faces[0], faces[1]) if k == 0 else (faces[2], faces[3])
        first, last, left, right = _inside(peg, wall, middle, end, angle, cuts)
        if not last >= first:
            continue
        before = _leaves(peg, wall, middle, end, first, first - WIDE, first - left)
        after = _leaves(peg, wall, middle, end, last, last + WIDE, last + right)
        low, high = min(low, before), max(high, after)
        if not after >= before:
            return math.nan, high, changes
        changes = (before, after, none, none) if k == 0 else (changes[0], changes[1], before, after)
    if not high > low:
        return low, high, changes
    # past both ends' ranges the interior of the wall may still be in the peg: extend by its deepest point
    width = high - low
    for k in range(2):
        way = -1.0 if k == 0 else 1.0
        at = low if k == 0 else high
        if _edge(peg, wall, middle, 0.0, at + way * BEYOND * width)[0] > 0.0:
            at = _leaves(peg, wall, middle, 0.0, at, at + way * WIDE, at + way * 0.1)
            low, high = (at, high) if k == 0 else (low, at)
            if not high >= low:
                return math.nan, high, changes
    return low, high, changes


@outlined_kernel
def fan_moments(peg, wall, angle, o, faces, border):
    """(done, moments about o, N, sums) of a peg and one piece of a wall, on one side; see `wall_moments` of
    peg_hole.py.

    faces    four times four directions in which an end face of the peg passes an end of the piece
    done     False where the peg reaches too far around for half-planes
    """
    a, b, z0, z1 = wall.a, wall.b, wall.low, wall.high
    m, N, sums = no_moments(), o.zero, no_sums()
    middle = 0.5 * (z0 + z1)
    rho = a + b * middle
    low, high, changes = _range(peg, wall, middle, angle, faces)
    if math.isnan(low):
        return False, m, N, sums
    # panels between the directions at which the overlap changes its form
    start = low
    for _ in range(21):
        stop = high
        for x in changes:
            if start < x < stop:
                stop = x
        for four in faces:
            for x in four:
                if start < x < stop:
                    stop = x
        if not stop > start:
            break
        # broad panels in equal parts, so that a symmetric overlap has symmetric points; 8 Gauss-Legendre points each
        parts = 1 + int((stop - start) / BROAD)
        half = 0.5 * (stop - start) / parts
        for k in range(parts):
            mean = start + (2 * k + 1) * half
            for i in range(8):
                x, v = GAUSS_8[i]
                x, slope = soft(x)
                x = mean + half * x
                v *= half * slope
                c, s = math.cos(x), math.sin(x)
                f, rays = _fan(peg, wall, middle, rho, c, s, border)
                m += _fan_moments(v * f, rho, c, s, middle, o)
                if border.sprung:
                    sums += ray_sums(v, rays, c, s)
                N -= v * f.wall * Vec3(c, s, -b)
        start = stop
    return True, m, N, sums
