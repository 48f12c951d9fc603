"""Fewer triangles for nearly the same surface: edges collapse where the quadric error is small.

M. Garland & P. Heckbert, Surface simplification using quadric error metrics, SIGGRAPH 1997. The quadric of a vertex is
the sum over the planes of the faces that it stands for of ``(n.p + d)^2``, unweighted: its root bounds the distance of
a vertex from every one of these planes. Edges are not kept in order; sweeps with a rising bound take what is below it,
each vertex once in a sweep, which needs no queue.
"""

from __future__ import annotations

from .compiler import entry_point, kernel
from .signatures import IntegerMatrix, Integers, Matrix, Vector

FIRST, RISE = 0.02, 1.4
"""Bound of the first sweep over the tolerance, and its growth from sweep to sweep."""
MOST_SWEEPS = 120
FLAT = 1e-3
"""Least height of a triangle over its longest edge that a collapse may leave."""


@kernel
def normal_of(a, b, c, places):
    """Twice the area of a triangle along its normal [m^2]."""
    ux, uy, uz = places[b, 0] - places[a, 0], places[b, 1] - places[a, 1], places[b, 2] - places[a, 2]
    vx, vy, vz = places[c, 0] - places[a, 0], places[c, 1] - places[a, 1], places[c, 2] - places[a, 2]
    return uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx


@kernel
def add_plane(quadrics, v, x, y, z, d):
    """Adds (x, y, z, d)(x, y, z, d)^T to the quadric of a vertex: xx xy xz xd yy yz yd zz zd dd."""
    quadrics[v, 0] += x * x
    quadrics[v, 1] += x * y
    quadrics[v, 2] += x * z
    quadrics[v, 3] += x * d
    quadrics[v, 4] += y * y
    quadrics[v, 5] += y * z
    quadrics[v, 6] += y * d
    quadrics[v, 7] += z * z
    quadrics[v, 8] += z * d
    quadrics[v, 9] += d * d


@kernel
def error_at(q, x, y, z):
    """The sum of squared distances [m^2] of a point from the planes of a quadric."""
    return (
        x * (q[0] * x + 2.0 * (q[1] * y + q[2] * z + q[3]))
        + y * (q[4] * y + 2.0 * (q[5] * z + q[6]))
        + z * (q[7] * z + 2.0 * q[8])
        + q[9]
    )


@kernel
def best_place(q, ax, ay, az, bx, by, bz):
    """Where the quadric is least, within an edge's length of its middle; else the best of its ends and its middle."""
    mx, my, mz = 0.5 * (ax + bx), 0.5 * (ay + by), 0.5 * (az + bz)
    c00, c01, c02 = q[4] * q[7] - q[5] * q[5], q[2] * q[5] - q[1] * q[7], q[1] * q[5] - q[2] * q[4]
    det = q[0] * c00 + q[1] * c01 + q[2] * c02
    trace = q[0] + q[4] + q[7]
    if det > 1e-6 * trace * trace * trace:
        c11, c12, c22 = q[0] * q[7] - q[2] * q[2], q[1] * q[2] - q[0] * q[5], q[0] * q[4] - q[1] * q[1]
        x = -(c00 * q[3] + c01 * q[6] + c02 * q[8]) / det
        y = -(c01 * q[3] + c11 * q[6] + c12 * q[8]) / det
        z = -(c02 * q[3] + c12 * q[6] + c22 * q[8]) / det
        away = (x - mx) ** 2 + (y - my) ** 2 + (z - mz) ** 2
        if away <= (ax - bx) ** 2 + (ay - by) ** 2 + (az - bz) ** 2:
            return x, y, z
    at_a, at_b, at_m = error_at(q, ax, ay, az), error_at(q, bx, by, bz), error_at(q, mx, my, mz)
    if at_m <= at_a and at_m <= at_b:
        return mx, my, mz
    if at_a <= at_b:
        return ax, ay, az
    return bx, by, bz


@kernel
def best_on_edge(q, ax, ay, az, bx, by, bz):
    """Where the quadric is least on the edge: a parabola along it."""
    at_a, at_b = error_at(q, ax, ay, az), error_at(q, bx, by, bz)
    middle = error_at(q, 0.5 * (ax + bx), 0.5 * (ay + by), 0.5 * (az + bz))
    bend = 2.0 * (at_a + at_b - 2.0 * middle)
    part = 0.5
    if bend > 0.0 and bend > 1e-9 * (at_a + at_b):
        part = min(max(0.5 - 0.5 * (at_b - at_a) / bend, 0.0), 1.0)
    elif at_a != at_b:
        part = 0.0 if at_a < at_b else 1.0
    return ax + part * (bx - ax), ay + part * (by - ay), az + part * (bz - az)


@kernel
def gather(faces, count, start, around):
    """The faces around each vertex: ``around[start[v]:start[v + 1]]``."""
    n = start.shape[0] - 1
    for v in range(n + 1):
        start[v] = 0
    for f in range(count):
        for k in range(3):
            start[faces[f, k] + 1] += 1
    for v in range(n):
        start[v + 1] += start[v]
    for f in range(count - 1, -1, -1):
        for k in range(3):
            v = faces[f, k] + 1
            start[v] -= 1
            around[start[v]] = f
    for v in range(n):
        start[v] = start[v + 1]
    start[n] = 3 * count


@kernel
def faces_of_edge(a, b, faces, start, around):
    """How many faces have the edge, and whether they have one label."""
    found, label, one = 0, -1, True
    for i in range(start[a], start[a + 1]):
        f = around[i]
        if faces[f, 0] == b or faces[f, 1] == b or faces[f, 2] == b:
            found += 1
            if label >= 0 and faces[f, 3] != label:
                one = False
            label = faces[f, 3]
    return found, one


@kernel
def begin_quadrics(places, faces, count, start, around, quadrics):
    """Planes of the faces; at borders, of the surface or of a label, also planes upright on the face along the edge."""
    for f in range(count):
        a, b, c = faces[f, 0], faces[f, 1], faces[f, 2]
        x, y, z = normal_of(a, b, c, places)
        size = (x * x + y * y + z * z) ** 0.5
        if size <= 0.0:
            continue
        x, y, z = x / size, y / size, z / size
        d = -(x * places[a, 0] + y * places[a, 1] + z * places[a, 2])
        for k in range(3):
            v, w = faces[f, k], faces[f, (k + 1) % 3]
            add_plane(quadrics, v, x, y, z, d)
            found, one = faces_of_edge(v, w, faces, start, around)
            if found == 2 and one:
                continue
            ex, ey, ez = places[w, 0] - places[v, 0], places[w, 1] - places[v, 1], places[w, 2] - places[v, 2]
            sx, sy, sz = y * ez - z * ey, z * ex - x * ez, x * ey - y * ex
            long = (sx * sx + sy * sy + sz * sz) ** 0.5
            if long > 0.0:
                sx, sy, sz = sx / long, sy / long, sz / long
                s = -(sx * places[v, 0] + sy * places[v, 1] + sz * places[v, 2])
                add_plane(quadrics, v, sx, sy, sz, s)
                add_plane(quadrics, w, sx, sy, sz, s)


@kernel
def turns_over(v, other, x, y, z, places, faces, start, around):
    """Whether a face of v, but those that vanish with the edge to `other`, would turn over or become flat."""
    kx, ky, kz = places[v, 0], places[v, 1], places[v, 2]
    wrong = False
    for i in range(start[v], start[v + 1]):
        f = around[i]
        a, b, c = faces[f, 0], faces[f, 1], faces[f, 2]
        if a == other or b == other or c == other:
            continue
        px, py, pz = normal_of(a, b, c, places)
        places[v, 0], places[v, 1], places[v, 2] = x, y, z
        qx, qy, qz = normal_of(a, b, c, places)
        long = 0.0
        for k in range(3):
            s, t = faces[f, k], faces[f, (k + 1) % 3]
            edge = (places[s, 0] - places[t, 0]) ** 2 + (places[s, 1] - places[t, 1]) ** 2
            long = max(long, edge + (places[s, 2] - places[t, 2]) ** 2)
        places[v, 0], places[v, 1], places[v, 2] = kx, ky, kz
        before, after = (px * px + py * py + pz * pz) ** 0.5, (qx * qx + qy * qy + qz * qz) ** 0.5
        if px * qx + py * qy + pz * qz < 0.3 * before * after or (after < FLAT * long and after < before):
            wrong = True
            break
    return wrong


@kernel
def shared_neighbours(a, b, faces, start, around, marks):
    """How many vertices are next to both ends of an edge; more than faces there would pinch the surface."""
    for i in range(start[a], start[a + 1]):
        for k in range(3):
            marks[faces[around[i], k]] = 1
    found = 0
    for i in range(start[b], start[b + 1]):
        for k in range(3):
            v = faces[around[i], k]
            if marks[v] == 1 and v != a and v != b:
                marks[v] = 2
                found += 1
    for i in range(start[a], start[a + 1]):
        for k in range(3):
            marks[faces[around[i], k]] = 0
    return found


@kernel
def try_edge(a, b, bound, places, uv, fixed, faces, start, around, quadrics, marks, sum_):
    """Collapses b into a, if the error stays below the bound; how many faces vanish."""
    if fixed[a] + fixed[b] == 2:
        return 0
    for k in range(10):
        sum_[k] = quadrics[a, k] + quadrics[b, k]
    ax, ay, az = places[a, 0], places[a, 1], places[a, 2]
    bx, by, bz = places[b, 0], places[b, 1], places[b, 2]
    if fixed[a] == 1:
        x, y, z = ax, ay, az
    elif fixed[b] == 1:
        x, y, z = bx, by, bz
    elif uv.shape[0] > 0:  # places in a picture are known along the edge only
        x, y, z = best_on_edge(sum_, ax, ay, az, bx, by, bz)
    else:
        x, y, z = best_place(sum_, ax, ay, az, bx, by, bz)
    if error_at(sum_, x, y, z) > bound * bound:
        return 0
    found, one = faces_of_edge(a, b, faces, start, around)
    if shared_neighbours(a, b, faces, start, around, marks) != found:
        return 0
    if turns_over(a, b, x, y, z, places, faces, start, around) or turns_over(
        b, a, x, y, z, places, faces, start, around
    ):
        return 0
    way = (bx - ax) ** 2 + (by - ay) ** 2 + (bz - az) ** 2
    part = ((x - ax) * (bx - ax) + (y - ay) * (by - ay) + (z - az) * (bz - az)) / way if way > 0.0 else 0.0
    part = min(max(part, 0.0), 1.0)
    if uv.shape[0] > 0:
        for k in range(2):
            uv[a, k] += part * (uv[b, k] - uv[a, k])
    places[a, 0], places[a, 1], places[a, 2] = x, y, z
    fixed[a] = max(fixed[a], fixed[b])
    for k in range(10):
        quadrics[a, k] = sum_[k]
    for i in range(start[b], start[b + 1]):
        for k in range(3):
            if faces[around[i], k] == b:
                faces[around[i], k] = a
    return found


@kernel
def sweep(bound, target, count, places, uv, fixed, faces, start, around, quadrics, marks, touched, sum_):
    """One pass over all edges; how many faces are left, which move to the front."""
    gather(faces, count, start, around)
    for v in range(touched.shape[0]):
        touched[v] = 0
    left = count
    for f in range(count):
        if left <= target:
            break
        for k in range(3):
            a, b = faces[f, k], faces[f, (k + 1) % 3]
            if a == b or touched[a] == 1 or touched[b] == 1:
                continue
            gone = try_edge(a, b, bound, places, uv, fixed, faces, start, around, quadrics, marks, sum_)
            if gone > 0:
                left -= gone
                # what is around either end has other faces now than `around` says
                for v in (a, b):
                    for i in range(start[v], start[v + 1]):
                        for j in range(3):
                            touched[faces[around[i], j]] = 1
                break
    kept = 0
    for f in range(count):
        if faces[f, 0] != faces[f, 1] and faces[f, 1] != faces[f, 2] and faces[f, 2] != faces[f, 0]:
            for k in range(4):
                faces[kept, k] = faces[f, k]
            kept += 1
    return kept


@entry_point
def simplify(
    places: Matrix, uv: Matrix, fixed: Integers, faces: IntegerMatrix, tolerance: float, most: int, furthest: float,
    start: Integers, around: Integers, quadrics: Matrix, marks: Integers, touched: Integers, sum_: Vector,
    reached: Vector,
) -> int:  # fmt: skip
    """Collapses edges while the error is below the tolerance, and above it while there are too many faces.

    places       (n, 3) [m], moved; uv (n, 2) moves along, or has no rows
    fixed        (n,) 1 for vertices that stay where they are
    faces        (m, 4) three vertices and a label; the first of them are what is left
    tolerance    up to which edges collapse anyhow [m]
    most         faces that are wanted; above them the bound rises on, up to `furthest` [m]
    reached      (1,) the last bound [m]

    The rest is room: start (n + 1,), around (3 m,), quadrics (n, 10) of zeros, marks (n,) of zeros, touched (n,), sum_
    (10,). Returns how many faces are left.
    """
    count = faces.shape[0]
    gather(faces, count, start, around)
    begin_quadrics(places, faces, count, start, around, quadrics)
    bound = FIRST * tolerance
    reached[0] = 0.0
    for _ in range(MOST_SWEEPS):
        target = 0 if bound <= tolerance else most
        left = sweep(bound, target, count, places, uv, fixed, faces, start, around, quadrics, marks, touched, sum_)
        reached[0] = bound
        few = count - left <= count // 100
        count = left
        if few and bound >= furthest:
            break
        if bound >= tolerance and count <= most and (few or bound > tolerance):
            break
        if bound < tolerance:
            bound = min(RISE * bound, tolerance)
        elif few and count > most:
            bound = min(RISE * bound, furthest)
    return count
