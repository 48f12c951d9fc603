"""Where a ball or a capsule touches another shape."""

from __future__ import annotations

import math

from ..compiler import gate, kernel
from ..spatial import add, cross, dot, mat, put3, rotate, rotate_back, scale, sub, vec
from .distance import distance, from_centre, hole_across, plane_distance, three
from .layout import (
    CAPSULE,
    CONE,
    CYLINDER,
    GAP,
    PLANE,
    ROLE,
    SHAPE_CODE,
    SHAPE_FLOATS,
    SHAPE_P,
    SHAPE_R,
    SITE_NORMAL,
    SITE_POINT,
    SPHERE,
)

SPREAD = 1e-3  # how far apart, of the sum of the radii, the axes of two capsules may come between their sites


@kernel
def is_simple(model, a, b):
    """Whether a pair is a ball with a plane or a ball: the commonest, which kernels find without a call."""
    second = model.shape_index[b, SHAPE_CODE]
    return model.shape_index[a, SHAPE_CODE] == SPHERE and (second == PLANE or second == SPHERE)


@kernel
def find_simple(model, ws, a, b):
    """The site of a pair that `is_simple`, as `find_round` finds it; 1."""
    f, at = model.shape_floats, model.shape_index[b, SHAPE_FLOATS]
    radius = f[model.shape_index[a, SHAPE_FLOATS]]
    centre = vec(ws.shapes, a, SHAPE_P)
    p = sub(centre, vec(ws.shapes, b, SHAPE_P))
    if model.shape_index[b, SHAPE_CODE] == PLANE:
        n = rotate(mat(ws.shapes, b, SHAPE_R), three(f, at))
        _put_ball(ws, 0, centre, radius, dot(n, p) - f[at + 3], n)
    else:
        x = (ws.shapes[b, SHAPE_R], ws.shapes[b, SHAPE_R + 3], ws.shapes[b, SHAPE_R + 6])
        length, n = from_centre(p, x)
        _put_ball(ws, 0, centre, radius, length - f[at], n)
    return 1


@gate
def find_round(model, ws, a, b):
    """Sites of a ball with any shape that `distance` knows, or of a capsule with a plane or a capsule; their number.

    A ball has one site, in a round hole two; a capsule has two. The first shape is the ball where there is one, else
    the capsule.
    """
    if model.shape_index[a, SHAPE_CODE] == SPHERE:
        radius = model.shape_floats[model.shape_index[a, SHAPE_FLOATS]]
        centre = vec(ws.shapes, a, SHAPE_P)
        R = mat(ws.shapes, b, SHAPE_R)
        p = rotate_back(R, sub(centre, vec(ws.shapes, b, SHAPE_P)))
        d, n = distance(model, b, p)
        _put_ball(ws, 0, centre, radius, d, rotate(R, n))
        shape, i = model.shape_index[b, SHAPE_CODE], model.shape_index[b, SHAPE_FLOATS]
        if (shape != CONE and shape != CYLINDER) or model.shape_floats[i + 2] == 0.0:
            return 1
        d, n = hole_across(model.shape_floats, i, 1 if shape == CONE else 0, p)
        _put_ball(ws, 1, centre, radius, d, rotate(R, n))
        return 2
    if model.shape_index[b, SHAPE_CODE] == CAPSULE:
        return _two_capsules(model, ws, a, b)
    return _capsule_on_plane(model, ws, a, b)


@kernel
def _put_ball(ws, role, centre, radius, d, n):
    """The site of a ball whose centre has the distance d, along the normal n (Gonthier 2007, eq. 3.1 and 3.2)."""
    ws.sites[role, ROLE] = role
    ws.sites[role, GAP] = d - radius
    put3(ws.sites, role, SITE_NORMAL, n)
    put3(ws.sites, role, SITE_POINT, sub(centre, scale(radius, n)))


@kernel
def _axis(ws, row):
    """Direction of a shape's z axis."""
    return (ws.shapes[row, SHAPE_R + 2], ws.shapes[row, SHAPE_R + 5], ws.shapes[row, SHAPE_R + 8])


@kernel
def _capsule_on_plane(model, ws, a, b):
    """The two end balls of a capsule: role 0 at -z, role 1 at +z."""
    i = model.shape_index[a, SHAPE_FLOATS]
    radius, half = model.shape_floats[i], model.shape_floats[i + 1]
    R, origin = mat(ws.shapes, b, SHAPE_R), vec(ws.shapes, b, SHAPE_P)
    middle, axis = vec(ws.shapes, a, SHAPE_P), _axis(ws, a)
    for role in range(2):
        centre = add(middle, scale((2.0 * role - 1.0) * half, axis))
        p = rotate_back(R, sub(centre, origin))
        d, n = plane_distance(model.shape_floats, model.shape_index[b, SHAPE_FLOATS], p)
        _put_ball(ws, role, centre, radius, d, rotate(R, n))
    return 2


@kernel
def _clip(x, low, high):
    return min(max(x, low), high)


@kernel
def closest_on_segments(w, u, v, hu, hv):
    """(s, t) of the nearest points s u and -w + t v of two segments, |s| <= hu and |t| <= hv.

    w is from the middle of the second to that of the first, u and v are unit. Ericson, Real-Time Collision Detection
    (2005), section 5.1.9. Of parallel segments it is the nearest to the middle of the first.
    """
    c, n = dot(u, v), cross(u, v)
    wu, wv = dot(w, u), dot(w, v)
    sine2 = dot(n, n)
    s = 0.0 * wu
    if sine2 > 0.0:
        s = _clip((c * wv - wu) / sine2, -hu, hu)
    t = _clip(c * s + wv, -hv, hv)
    s = _clip(c * t - wu, -hu, hu)
    return s, t


@kernel
def _two_capsules(model, ws, a, b):
    """Two sites on the axis of the first capsule: role 0 towards its -z, role 1 towards its +z.

    They lie on either side of the nearest points of the two axes, as far out as the capsules run beside each other, but
    not beyond where the axes have come apart sideways by l = SPREAD (Ra + Rb); where the lines of the axes come nearest
    beyond an end, by as much farther. So parallel and tilted capsules touch at the ends of their overlap, with both or
    with one, as a capsule on a plane does, and lie still; crossed ones touch twice at one place, to l^2 / 2 (Ra + Rb)
    in depth. There is no switch between one site and two, and the force is continuous. It does the work that its
    springs store, but for what one spring stores as a crossing goes over an end, and for a part of the order of the
    tilt where the end of the second capsule slides on the flank of the first. Like the two balls of a capsule on a
    plane, each site has the whole stiffness of the law, so crossed capsules feel it twice.
    """
    i, j = model.shape_index[a, SHAPE_FLOATS], model.shape_index[b, SHAPE_FLOATS]
    ra, ha = model.shape_floats[i], model.shape_floats[i + 1]
    rb, hb = model.shape_floats[j], model.shape_floats[j + 1]
    u, v = _axis(ws, a), _axis(ws, b)
    middle = vec(ws.shapes, a, SHAPE_P)
    w = sub(middle, vec(ws.shapes, b, SHAPE_P))
    s = closest_on_segments(w, u, v, ha, hb)[0]

    c, n = dot(u, v), cross(u, v)
    wu, wv = dot(w, u), dot(w, v)
    reach = math.sqrt(c * c) * hb
    low, high = _clip(-wu - reach, -ha, ha), _clip(-wu + reach, -ha, ha)
    sine = math.sqrt(dot(n, n))
    if sine * 2.0 * ha > SPREAD * (ra + rb):
        crossing = (c * wv - wu) / (sine * sine)
        apart = SPREAD * (ra + rb) / sine + max(0.0, crossing - high, low - crossing)
        low, high = max(low, s - apart), min(high, s + apart)
    aside = from_centre(n, _perpendicular(u))[1]
    for role in range(2):
        x = high if role == 1 else low
        t = _clip(c * x + wv, -hb, hb)
        d, normal = from_centre(sub(add(w, scale(x, u)), scale(t, v)), aside)
        _put_ball(ws, role, add(middle, scale(x, u)), ra, d - rb, normal)
    return 2


@kernel
def _perpendicular(u):
    """A unit vector across u."""
    if u[0] * u[0] < 0.5:
        k = 1.0 / math.sqrt(u[1] * u[1] + u[2] * u[2])
        return (0.0 * k, -k * u[2], k * u[1])
    k = 1.0 / math.sqrt(u[0] * u[0] + u[1] * u[1])
    return (-k * u[1], k * u[0], 0.0 * k)
