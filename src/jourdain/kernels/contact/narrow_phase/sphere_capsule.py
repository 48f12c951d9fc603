"""Narrow phase: a sphere or a capsule with any convex shape, by signed distance functions.

A is the sphere or capsule and B the other shape; points of contact are in world axes.
"""

from __future__ import annotations

import math

from ...algebra import Vec3, cross
from ...compiler import entry_point, kernel
from ...flat_arrays import vector_at
from ...kind_registry import CAPSULE, CONE, CYLINDER, PLANE, SPHERE
from ...model_arrays import ModelArrays, Workspace
from .signed_distance import capsule_distance, distance, hole_across, plane_distance
from .unit_vectors import from_centre

TURN = 1e-3  # largest difference of the unit normals at the two sites of a capsule on a solid
SEARCH = 100  # largest number of iterations of false position
FLAT = 1e-11  # its tolerance: relative to the half length, and of the slope or difference of normals
SPREAD = 1e-3  # lateral distance of the axes of two capsules at their sites, over the sum of the radii


@kernel
def is_simple(model, a, b):
    """Whether a pair is a sphere with a plane or a sphere: the commonest, found without an indirect call."""
    second = model.shapes[b].code
    return model.shapes[a].code == SPHERE and (second == PLANE or second == SPHERE)


@kernel
def find_simple(model, ws, a, b):
    """The one site of a pair that `is_simple`, as `find_sphere_capsule` finds it; returns 1."""
    f, at, B = model.shape_floats, model.shapes[b].floats, ws.shapes[b]
    radius = f[model.shapes[a].floats]
    centre = ws.shapes[a].p_WS
    p = centre - B.p_WS
    if model.shapes[b].code == PLANE:
        n = B.R_WS @ vector_at(f, at)
        _put_ball(ws, 0, centre, radius, n @ p - f[at + 3], n)
    else:
        length, n = from_centre(p, B.R_WS.x_axis)
        _put_ball(ws, 0, centre, radius, length - f[at], n)
    return 1


@entry_point
def find_sphere_capsule(model: ModelArrays, ws: Workspace, a: int, b: int) -> int:
    """Sites of a sphere or a capsule with any shape that has a signed distance; returns how many.

    A sphere has one site, in a round hole two; a capsule has two. The first shape is the sphere where there is one,
    else the capsule.
    """
    if model.shapes[a].code == SPHERE:
        radius = model.shape_floats[model.shapes[a].floats]
        centre = ws.shapes[a].p_WS
        # centre C of the sphere in the axes of B, p_BoC_B = R_WB^T (p_WoC - p_WoBo)
        B = ws.shapes[b]
        R = B.R_WS
        p = R.T @ (centre - B.p_WS)
        shape, i = model.shapes[b].code, model.shapes[b].floats
        if shape == CAPSULE:
            d, n = capsule_distance(model.shape_floats[i], _half(model, ws, b), p)
        else:
            d, n = distance(model, b, p)
        _put_ball(ws, 0, centre, radius, d, R @ n)
        if (shape != CONE and shape != CYLINDER) or model.shape_floats[i + 2] == 0.0:
            return 1
        d, n = hole_across(model.shape_floats, i, 1 if shape == CONE else 0, p)
        _put_ball(ws, 1, centre, radius, d, R @ n)
        return 2
    if model.shapes[b].code == CAPSULE:
        return _two_capsules(model, ws, a, b)
    if model.shapes[b].code == PLANE:
        return _capsule_on_plane(model, ws, a, b)
    return _capsule_on_solid(model, ws, a, b)


@kernel
def _put_ball(ws, role, centre, radius, d, n):
    """Site of a sphere whose centre has the distance d from the other shape, normal n (Gonthier 2007,
    eqs. 3.1 and 3.2).
    """
    site = ws.sites[role]
    site.role, site.gap, site.normal, site.point = role, d - radius, n, centre - radius * n


@kernel
def _half(model, ws, row):
    """Half the length of the axis of a capsule [m]; that of a cable segment varies."""
    if model.shapes[row].link > 0:
        return ws.shapes[row].half_length
    return model.shape_floats[model.shapes[row].floats + 1]


@kernel
def _capsule_on_plane(model, ws, a, b):
    """Two sites at the ends of the axis of a capsule: role 0 at -z, role 1 at +z."""
    i = model.shapes[a].floats
    radius, half = model.shape_floats[i], _half(model, ws, a)
    R, origin = ws.shapes[b].R_WS, ws.shapes[b].p_WS
    middle, axis = ws.shapes[a].p_WS, ws.shapes[a].R_WS.z_axis
    for role in range(2):
        centre = middle + (2.0 * role - 1.0) * half * axis
        p = R.T @ (centre - origin)
        d, n = plane_distance(model.shape_floats, model.shapes[b].floats, p)
        _put_ball(ws, role, centre, radius, d, R @ n)
    return 2


@kernel
def _between(low, high, below, above):
    """False position: zero of the line through (low, below) and (high, above), kept off the ends; below < 0 < above."""
    part = -below / (above - below)
    return low + min(max(part, 1e-3), 1.0 - 1e-3) * (high - low)


@kernel
def _slope(model, b, middle, u, s):
    """Derivative n . u of the distance from shape b along the line middle + s u, in the axes of b."""
    return distance(model, b, middle + s * u)[1] @ u


@kernel
def _nearest(model, b, middle, u, half):
    """s of the point middle + s u, |s| <= half, that is nearest to the convex shape b, in the axes of b.

    The distance from a convex solid is a convex function along a line, inside as well: its derivative n . u is
    non-decreasing. Its zero is found by false position with the Illinois modification (Dowell & Jarratt 1971): the
    value at an end that stays is halved.
    """
    below, above = _slope(model, b, middle, u, -half), _slope(model, b, middle, u, half)
    if below >= 0.0:
        return -half
    if above <= 0.0:
        return half
    low, high, side = -half, half, 0
    for _ in range(SEARCH):
        s = _between(low, high, below, above)
        x = _slope(model, b, middle, u, s)
        if abs(x) < FLAT or high - low < FLAT * half:
            return s
        if x > 0.0:
            high, above = s, x
            below = 0.5 * below if side == 1 else below
            side = 1
        else:
            low, below = s, x
            above = 0.5 * above if side == -1 else above
            side = -1
    return 0.5 * (low + high)


@kernel
def _turned(model, b, middle, u, x, n):
    """Difference of the normal of shape b at middle + x u from n, less TURN."""
    apart = distance(model, b, middle + x * u)[1] - n
    return math.sqrt(apart @ apart) - TURN


@kernel
def _beside(model, b, middle, u, s, end):
    """Parameter up to which, from s towards `end`, the normal of shape b stays the same to TURN; Illinois method."""
    n = distance(model, b, middle + s * u)[1]
    above = _turned(model, b, middle, u, end, n)
    if above <= 0.0:
        return end
    inner, outer, below, side = s, end, -TURN, 0
    for _ in range(SEARCH):
        x = _between(inner, outer, below, above)
        turn = _turned(model, b, middle, u, x, n)
        if abs(turn) < FLAT or abs(outer - inner) < FLAT * abs(end):
            return x
        if turn > 0.0:
            outer, above = x, turn
            below = 0.5 * below if side == 1 else below
            side = 1
        else:
            inner, below = x, turn
            above = 0.5 * above if side == -1 else above
            side = -1
    return inner


@kernel
def _capsule_on_solid(model, ws, a, b):
    """Two sites on the axis of a capsule A beside a convex solid B: role 0 towards its -z, role 1 towards its +z.

    They lie on either side of the point of the axis nearest to B, as far out as the normal of B stays the same to TURN:
    along a face, as for a capsule on a plane, at the ends of the capsule or of the face; across an edge or a flank both
    at one place. Each has the whole stiffness of the law.
    """
    i = model.shapes[a].floats
    radius, half = model.shape_floats[i], _half(model, ws, a)
    R, origin = ws.shapes[b].R_WS, ws.shapes[b].p_WS
    centre, axis = ws.shapes[a].p_WS, ws.shapes[a].R_WS.z_axis
    # axis of A in the axes of B: p_BoAo_B and R_WB^T u_W; the search is needed only near B
    middle, u = R.T @ (centre - origin), R.T @ axis
    low, high = -half, half
    if distance(model, b, middle)[0] < radius + 1.5 * half:
        s = _nearest(model, b, middle, u, half)
        low, high = _beside(model, b, middle, u, s, -half), _beside(model, b, middle, u, s, half)
    for role in range(2):
        x = high if role == 1 else low
        d, n = distance(model, b, middle + x * u)
        _put_ball(ws, role, centre + x * axis, radius, d, R @ n)
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
    c, n = u @ v, cross(u, v)
    wu, wv = w @ u, w @ v
    sine2 = n @ n
    s = 0.0 * wu
    if sine2 > 0.0:
        s = _clip((c * wv - wu) / sine2, -hu, hu)
    t = _clip(c * s + wv, -hv, hv)
    s = _clip(c * t - wu, -hu, hu)
    return s, t


@kernel
def _two_capsules(model, ws, a, b):
    """Two sites on the axis of the first capsule: role 0 towards its -z, role 1 towards its +z.

    They lie on either side of the point nearest to the second axis, as far out as the capsules overlap along their
    axes, but not beyond where the axes have diverged sideways by l = SPREAD (Ra + Rb); where the lines of the axes are
    nearest beyond an end, by as much farther. So parallel and tilted capsules touch at the ends of their overlap, both
    or one, as a capsule on a plane does, and rest stably; crossed capsules have both sites at one place, to
    l^2 / 2 (Ra + Rb) in depth. There is no switch between one site and two, and the force is continuous. It is
    conservative but for the energy of one spring as a crossing passes an end, and for a part of the order of the tilt
    where the end of the second capsule slides on the flank of the first. Each site has the whole stiffness of the law,
    as for the two ends of a capsule on a plane, so crossed capsules have twice that.
    """
    i, j = model.shapes[a].floats, model.shapes[b].floats
    ra, ha = model.shape_floats[i], _half(model, ws, a)
    rb, hb = model.shape_floats[j], _half(model, ws, b)
    u, v = ws.shapes[a].R_WS.z_axis, ws.shapes[b].R_WS.z_axis
    middle = ws.shapes[a].p_WS
    w = middle - ws.shapes[b].p_WS
    s = closest_on_segments(w, u, v, ha, hb)[0]

    # overlap [low, high] of the two axes, projected on the first
    c, n = u @ v, cross(u, v)
    wu, wv = w @ u, w @ v
    reach = math.sqrt(c * c) * hb
    low, high = _clip(-wu - reach, -ha, ha), _clip(-wu + reach, -ha, ha)
    sine = math.sqrt(n @ n)
    # limited to where the axes have diverged by SPREAD (Ra + Rb), from their crossing
    if sine * 2.0 * ha > SPREAD * (ra + rb):
        crossing = (c * wv - wu) / (sine * sine)
        apart = SPREAD * (ra + rb) / sine + max(0.0, crossing - high, low - crossing)
        low, high = max(low, s - apart), min(high, s + apart)
    aside = from_centre(n, _perpendicular(u))[1]
    # each site: nearest point of the second axis, distance and normal from B to A
    for role in range(2):
        x = high if role == 1 else low
        t = _clip(c * x + wv, -hb, hb)
        d, normal = from_centre(w + x * u - t * v, aside)
        _put_ball(ws, role, middle + x * u, ra, d - rb, normal)
    return 2


@kernel
def _perpendicular(u):
    """A unit vector perpendicular to u."""
    if u.x * u.x < 0.5:
        k = 1.0 / math.sqrt(u.y * u.y + u.z * u.z)
        return Vec3(0.0 * k, -k * u.z, k * u.y)
    k = 1.0 / math.sqrt(u.x * u.x + u.y * u.y)
    return Vec3(-k * u.y, k * u.x, 0.0 * k)
