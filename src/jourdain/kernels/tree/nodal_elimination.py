"""What the recursions do for nodal bodies: their coordinates are eliminated by a constant sparse factor.

With A the mass of the coordinates of a body (constant, factored once), G = M_re its coupling with the frame and
b the forces, a body that it carries at a marker with shapes phi adds phi^T Q phi to A, Q its articulated inertia.
Children are taken one after another, each as an update of rank six (Woodbury), Q being singular where a joint is free:

    A_c^-1 = A_(c-1)^-1 - Z W Z^T,    Z = A_(c-1)^-1 phi^T,    W = (1 + Q phi Z)^-1 Q.

What the frame feels is the inertia less G^T A^-1 G, and the coordinates follow it: e'' = A^-1 (effort - b - G a).
"""

from __future__ import annotations

from ..bodies.ancf_cable import mass_answer, rests
from ..bodies.ancf_cable_forces import cable_accelerations
from ..bodies.body_dispatch import has_banded_mass, support, supported
from ..bodies.nodal_body import frame_answer
from ..bodies.nodal_layout import (
    FACTORED,
    MASS_FACTOR,
    NODAL_ANSWER,
    NODAL_B,
    NODAL_COLUMN,
    NODAL_REST,
    NODAL_SPARE,
    floats_of,
    integers_of,
)
from ..columns import ART_H, ART_J, ART_M, DOFS, EV, FLEX, PARENT, PHI, STATION, N
from ..compiler import kernel, optional_kernel
from ..flat_arrays import accumulate, get, put, vec1
from ..linalg.supernodal_cholesky import substitute_sparse
from ..records import given
from ..spatial import add, dot, inertia_times, mat, put6, put9, scale, sym


@kernel
def on_ground(model, i):
    """Whether body i is welded to the world: then nothing asks what its frame feels."""
    return model.table[i, PARENT] == 0 and model.table[i, DOFS] == 0


@kernel
def small_at(model, c):
    """Where the small matrix of body c, which a nodal body carries, begins in ws.flex: 6 rows of 12."""
    return model.table[c, PHI] + 12 * model.table[model.table[c, PARENT], N]


@kernel
def carried_shape(model, ws, c, j, k):
    """Entry j (0 to 5) of shape number k of body c on its carrier."""
    return get(ws.flex, model.table[c, PHI] + 6 * k + j)


@optional_kernel("nodal")
def keep_carried(model, ws, i, J, H, M):
    """Remembers the articulated inertia of body i, which a nodal body carries."""
    put6(ws.work, i, ART_J, J)
    put9(ws.work, i, ART_H, H)
    put6(ws.work, i, ART_M, M)


@optional_kernel("nodal")
def carried_entries(model, ws, i, J, H, M, out):
    """Adds phi^T Q phi of body i to the entries of its carrier's coordinates in a mass matrix."""
    p, phi = model.table[i, PARENT], model.table[i, PHI]
    count, where = support(model, p, model.table[i, STATION])
    ev = model.table[p, EV]
    for k in range(count):
        t, f = inertia_times(J, H, M, vec1(ws.flex, phi + 6 * k), vec1(ws.flex, phi + 6 * k + 3))
        for l in range(count):
            m = dot(vec1(ws.flex, phi + 6 * l), t) + dot(vec1(ws.flex, phi + 6 * l + 3), f)
            out[ev + supported(model, where, k), ev + supported(model, where, l)] += m


@kernel
def answer_of(model, ws, i, b, of):
    """b[of ...] = A_0^-1 b[of ...] of body i, by its own factor, and by all threads where there are several."""
    if has_banded_mass(model, i):
        mass_answer(model, i, b, of, b, of)
    elif given(ws.solving):
        ws.solving.mass(model, ws, i, b, of)
    else:
        answer_alone(model, ws, i, b, of)


@answer_of.of_complex
def _answer_of(model, ws, i, b, of):
    if has_banded_mass(model, i):
        mass_answer(model, i, b, of, b, of)
    else:
        answer_alone(model, ws, i, b, of)


@kernel
def answer_alone(model, ws, i, b, of):
    """`answer_of` by one thread."""
    spare = model.table[i, FLEX] + NODAL_SPARE * model.table[i, N]
    structure, values = integers_of(model, i, MASS_FACTOR), floats_of(model, i, FACTORED)
    substitute_sparse(model.integers, structure, model.floats, values, b, of, b, of, ws.flex, spare)


@kernel
def with_carried(model, ws, i, before, x, of, stride):
    """Takes what bodies on body i, with rows below `before`, do off an answer x[of + stride k] without them."""
    flex, n = ws.flex, model.table[i, N]
    for c in range(i + 1, before):
        if model.table[c, PARENT] != i:
            continue
        count, where = support(model, i, model.table[c, STATION])
        zero = 0.0 * flex[0]
        w, u = (zero, zero, zero), (zero, zero, zero)
        for k in range(count):
            y = get(x, of + stride * supported(model, where, k))
            w = add(w, scale(y, vec1(flex, model.table[c, PHI] + 6 * k)))
            u = add(u, scale(y, vec1(flex, model.table[c, PHI] + 6 * k + 3)))
        small, z = small_at(model, c) + 6, model.table[c, PHI] + 6 * n
        for j in range(6):
            row = small + 12 * j
            y = dot(vec1(flex, row), w) + dot(vec1(flex, row + 3), u)
            for k in range(n):
                accumulate(x, of + stride * k, -y * get(flex, z + 6 * k + j))


@kernel
def solve_six(flex, at):
    """Solves the six equations whose rows are flex[at + 12 j ...], six coefficients and six right sides each, by rows
    with pivots; the solutions are in the place of the right sides."""
    for k in range(6):
        best = k
        for i in range(k + 1, 6):
            if abs(flex[at + 12 * i + k]) > abs(flex[at + 12 * best + k]):
                best = i
        for j in range(k, 12):
            flex[at + 12 * k + j], flex[at + 12 * best + j] = flex[at + 12 * best + j], flex[at + 12 * k + j]
        inverse = 1.0 / flex[at + 12 * k + k]
        for j in range(k, 12):
            flex[at + 12 * k + j] *= inverse
        for i in range(6):
            x = flex[at + 12 * i + k]
            if i != k and x != 0.0:
                for j in range(k, 12):
                    flex[at + 12 * i + j] -= x * flex[at + 12 * k + j]


@optional_kernel("nodal")
def lay_carried(model, ws, i, c):
    """Z and W of body c, which body i carries; those of the bodies between them are there."""
    flex, n = ws.flex, model.table[i, N]
    count, where = support(model, i, model.table[c, STATION])
    column, z, small = model.table[i, FLEX] + NODAL_COLUMN * n, model.table[c, PHI] + 6 * n, small_at(model, c)
    J, H, M = sym(ws.work, c, ART_J), mat(ws.work, c, ART_H), sym(ws.work, c, ART_M)
    zero = 0.0 * flex[0]
    for j in range(6):
        for k in range(n):
            put(flex, column + k, zero)
        for k in range(count):
            put(flex, column + supported(model, where, k), carried_shape(model, ws, c, j, k))
        answer_of(model, ws, i, flex, column)
        with_carried(model, ws, i, c, flex, column, 1)
        w, u = (zero, zero, zero), (zero, zero, zero)
        for k in range(count):
            y = get(flex, column + supported(model, where, k))
            w = add(w, scale(y, vec1(flex, model.table[c, PHI] + 6 * k)))
            u = add(u, scale(y, vec1(flex, model.table[c, PHI] + 6 * k + 3)))
        t, f = inertia_times(J, H, M, w, u)  # column j of Q phi Z
        for l in range(3):
            flex[small + 12 * l + j], flex[small + 12 * (l + 3) + j] = t[l], f[l]
        flex[small + 12 * j + j] += 1.0
        unit = (zero + (j == 0), zero + (j == 1), zero + (j == 2))
        other = (zero + (j == 3), zero + (j == 4), zero + (j == 5))
        t, f = inertia_times(J, H, M, unit, other)
        for l in range(3):
            flex[small + 12 * l + 6 + j], flex[small + 12 * (l + 3) + 6 + j] = t[l], f[l]
        for k in range(n):
            put(flex, z + 6 * k + j, get(flex, column + k))
    solve_six(flex, small)


@optional_kernel("nodal", returns=(6, 9, 6, 3, 3))
def eliminate_nodal(model, ws, i, J, H, M, moment, force, effort):
    """What is left of the inertia and the bias force of a nodal body when its coordinates are eliminated."""
    table, flex = model.table, ws.flex
    n, o, ev = table[i, N], table[i, FLEX], table[i, EV]
    b, rest, column, answer = o + NODAL_B * n, o + NODAL_REST * n, o + NODAL_COLUMN * n, o + NODAL_ANSWER * n
    bodies, carries = table.shape[0], False
    for c in range(i + 1, bodies):
        if table[c, PARENT] == i:
            lay_carried(model, ws, i, c)
            carries = True
    if on_ground(model, i):
        return J, H, M, moment, force
    for k in range(n):
        put(flex, rest + k, get(effort, ev + k) - get(flex, b + k))
    answer_of(model, ws, i, flex, rest)
    with_carried(model, ws, i, bodies, flex, rest, 1)
    if not carries:
        frame_answer(model, ws, i, answer)
    for j in range(6 if carries else 0):
        for k in range(n):
            put(flex, column + k, get(flex, o + 6 * k + j))
        answer_of(model, ws, i, flex, column)
        with_carried(model, ws, i, bodies, flex, column, 1)
        for k in range(n):
            put(flex, answer + 6 * k + j, get(flex, column + k))
    for k in range(n):
        a, l = vec1(flex, o + 6 * k), vec1(flex, o + 6 * k + 3)
        x, y = vec1(flex, answer + 6 * k), vec1(flex, answer + 6 * k + 3)
        step = get(flex, rest + k)
        J, H, M = less(J, H, M, a, l, x, y)
        moment = add(moment, scale(step, a))
        force = add(force, scale(step, l))
    return J, H, M, moment, force


@kernel
def less(J, H, M, a, b, x, y):
    """Spatial inertia less the products of (a, b) and (x, y), of a sum that is symmetric."""
    J = (
        J[0] - a[0] * x[0],
        J[1] - a[1] * x[1],
        J[2] - a[2] * x[2],
        J[3] - 0.5 * (a[0] * x[1] + a[1] * x[0]),
        J[4] - 0.5 * (a[0] * x[2] + a[2] * x[0]),
        J[5] - 0.5 * (a[1] * x[2] + a[2] * x[1]),
    )
    H = (
        H[0] - a[0] * y[0],
        H[1] - a[0] * y[1],
        H[2] - a[0] * y[2],
        H[3] - a[1] * y[0],
        H[4] - a[1] * y[1],
        H[5] - a[1] * y[2],
        H[6] - a[2] * y[0],
        H[7] - a[2] * y[1],
        H[8] - a[2] * y[2],
    )
    M = (
        M[0] - b[0] * y[0],
        M[1] - b[1] * y[1],
        M[2] - b[2] * y[2],
        M[3] - 0.5 * (b[0] * y[1] + b[1] * y[0]),
        M[4] - 0.5 * (b[0] * y[2] + b[2] * y[0]),
        M[5] - 0.5 * (b[1] * y[2] + b[2] * y[1]),
    )
    return J, H, M


@optional_kernel("nodal")
def nodal_accelerations(model, ws, i, alpha, a, effort, acceleration):
    """Accelerations of the coordinates of a nodal body from that of its frame, after `eliminate_nodal`. Where forces
    are asked for (BOOK_FORCES), those on a cable that rests on the world are in their place."""
    n, o, ev = model.table[i, N], model.table[i, FLEX], model.table[i, EV]
    rest, answer = o + NODAL_REST * n, o + NODAL_ANSWER * n
    if on_ground(model, i):
        b = o + NODAL_B * n
        resting = has_banded_mass(model, i) and rests(model, i)
        if resting:
            cable_accelerations(model, ws, i, a, effort, acceleration)
            if ws.flags.cable_forces:
                return
        for k in range(0 if resting else n):
            felt = dot(vec1(ws.flex, o + 6 * k), alpha) + dot(vec1(ws.flex, o + 6 * k + 3), a)
            put(acceleration, ev + k, get(effort, ev + k) - get(ws.flex, b + k) - felt)
        answer_of(model, ws, i, acceleration, ev)
        with_carried(model, ws, i, model.table.shape[0], acceleration, ev, 1)
        return
    for k in range(n):
        felt = dot(vec1(ws.flex, answer + 6 * k), alpha) + dot(vec1(ws.flex, answer + 6 * k + 3), a)
        put(acceleration, ev + k, get(ws.flex, rest + k) - felt)


@optional_kernel("nodal", returns=(3, 3))
def sweep_nodal(model, ws, i, y, out, share, moment, force):
    """Takes the coordinates of a nodal body out of a row, ws.solve[y ...], whose share A^-1 y goes to out[share ...];
    returns what is left of its wrench."""
    n, o = model.table[i, N], model.table[i, FLEX]
    for k in range(n):
        put(out, share + k, get(ws.solve, y + k))
    answer_of(model, ws, i, out, share)
    with_carried(model, ws, i, model.table.shape[0], out, share, 1)
    for k in range(n):
        g = get(out, share + k)
        moment = add(moment, scale(-g, vec1(ws.flex, o + 6 * k)))
        force = add(force, scale(-g, vec1(ws.flex, o + 6 * k + 3)))
    return moment, force


@optional_kernel("nodal")
def respond_nodal(model, ws, i, w, u, rest, delta):
    """How the coordinates of a nodal body move where its frame does by (w, u) and efforts are ws.solve[rest ...]."""
    n, o = model.table[i, N], model.table[i, FLEX]
    for k in range(n):
        felt = dot(vec1(ws.flex, o + 6 * k), w) + dot(vec1(ws.flex, o + 6 * k + 3), u)
        put(ws.solve, delta + k, get(ws.solve, rest + k) - felt)
    answer_of(model, ws, i, ws.solve, delta)
    with_carried(model, ws, i, model.table.shape[0], ws.solve, delta, 1)
