"""What the recursions do for nodal bodies: their coordinates are eliminated by a constant sparse factor.

With A the mass of the coordinates of a body (constant, factored once), G = M_re its coupling with the frame and
b the forces, a body that it carries at a marker with shapes phi adds phi^T Q phi to A, Q its articulated inertia.
Children are taken one after another, each as an update of rank six (Woodbury), Q being singular where a joint is free:

    A_c^-1 = A_(c-1)^-1 - Z W Z^T,    Z = A_(c-1)^-1 phi^T,    W = (1 + Q phi Z)^-1 Q.

What the frame feels is the inertia less G^T A^-1 G, and the coordinates follow it: e'' = A^-1 (effort - b - G a).
"""

from __future__ import annotations

from ..algebra import Inertia, Motion, Wrench, symmetric_part_subtracted
from ..bodies.ancf_cable import mass_answer, rests
from ..bodies.ancf_cable_forces import cable_accelerations
from ..bodies.body_dispatch import has_banded_mass, support, supported
from ..bodies.nodal_body import frame_answer
from ..bodies.nodal_layout import FACTORED, MASS_FACTOR, floats_of, integers_of, nodal_blocks
from ..compiler import kernel, optional_kernel
from ..flat_arrays import motion_at, wrench_at
from ..linalg.supernodal_cholesky import substitute_sparse
from ..records import given


@kernel
def on_ground(model, i):
    """Whether body i is welded to the world: then nothing asks what its frame feels."""
    return model.tree[i].parent == 0 and model.tree[i].nv == 0


@kernel
def small_at(model, c):
    """Where the small matrix of body c, which a nodal body carries, begins in ws.flex: 6 rows of 12."""
    return model.tree[c].phi + 12 * model.tree[model.tree[c].parent].ne


@kernel
def carried_shape(model, ws, c, j, k):
    """Entry j (0 to 5) of shape number k of body c on its carrier."""
    return ws.flex[model.tree[c].phi + 6 * k + j]


@optional_kernel("nodal")
def keep_carried(model, ws, i, I):
    """Remembers the articulated inertia of body i, which a nodal body carries."""
    ws.bodies[i].articulated = I


@optional_kernel("nodal")
def carried_entries(model, ws, i, I, out):
    """Adds phi^T Q phi of body i to the entries of its carrier's coordinates in a mass matrix."""
    p, phi = model.tree[i].parent, model.tree[i].phi
    count, where = support(model, p, model.tree[i].station)
    ev = model.tree[p].ev
    for k in range(count):
        f = I @ motion_at(ws.flex, phi + 6 * k)
        for l in range(count):
            m = motion_at(ws.flex, phi + 6 * l) @ f
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
    spare = nodal_blocks(model, i).spare
    structure, values = integers_of(model, i, MASS_FACTOR), floats_of(model, i, FACTORED)
    substitute_sparse(model.integers, structure, model.floats, values, b, of, b, of, ws.flex, spare)


@kernel
def with_carried(model, ws, i, before, x, of, stride):
    """Takes what bodies on body i, with rows below `before`, do off an answer x[of + stride k] without them."""
    flex, n = ws.flex, model.tree[i].ne
    for c in range(i + 1, before):
        if model.tree[c].parent != i:
            continue
        phi = model.tree[c].phi
        count, where = support(model, i, model.tree[c].station)
        s = Motion(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        for k in range(count):
            s += x[of + stride * supported(model, where, k)] * motion_at(flex, phi + 6 * k)
        small, z = small_at(model, c) + 6, phi + 6 * n
        for j in range(6):
            y = wrench_at(flex, small + 12 * j) @ s
            for k in range(n):
                x[of + stride * k] -= y * flex[z + 6 * k + j]


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


@kernel
def unit_motion(j):
    """Unit motion j: about and along x, y and z."""
    return Motion(1.0 * (j == 0), 1.0 * (j == 1), 1.0 * (j == 2), 1.0 * (j == 3), 1.0 * (j == 4), 1.0 * (j == 5))


@kernel
def lay_column(flex, at, f):
    """Writes a wrench down a column of rows of 12 numbers."""
    n, m = f.moment, f.force
    flex[at], flex[at + 12], flex[at + 24] = n.x, n.y, n.z
    flex[at + 36], flex[at + 48], flex[at + 60] = m.x, m.y, m.z


@optional_kernel("nodal")
def lay_carried(model, ws, i, c):
    """Z and W of body c, which body i carries; those of the bodies between them are there."""
    flex, n, phi = ws.flex, model.tree[i].ne, model.tree[c].phi
    count, where = support(model, i, model.tree[c].station)
    column, z, small = nodal_blocks(model, i).column, phi + 6 * n, small_at(model, c)
    Q = ws.bodies[c].articulated
    zero = 0.0 * flex[0]
    for j in range(6):
        for k in range(n):
            flex[column + k] = zero
        for k in range(count):
            flex[column + supported(model, where, k)] = carried_shape(model, ws, c, j, k)
        answer_of(model, ws, i, flex, column)
        with_carried(model, ws, i, c, flex, column, 1)
        s = Motion(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        for k in range(count):
            s += flex[column + supported(model, where, k)] * motion_at(flex, phi + 6 * k)
        lay_column(flex, small + j, Q @ s)  # column j of Q phi Z
        flex[small + 12 * j + j] += 1.0
        lay_column(flex, small + 6 + j, Q @ unit_motion(j))
        for k in range(n):
            flex[z + 6 * k + j] = flex[column + k]
    solve_six(flex, small)


@optional_kernel("nodal", returns=(Inertia, Wrench))
def eliminate_nodal(model, ws, i, I, p, effort):
    """What is left of the inertia and the bias force of a nodal body when its coordinates are eliminated."""
    tree, flex = model.tree, ws.flex
    n, o, ev = tree[i].ne, tree[i].flex, tree[i].ev
    at = nodal_blocks(model, i)
    b, rest, column, answer = at.b, at.rest, at.column, at.answer
    bodies, carries = len(tree), False
    for c in range(i + 1, bodies):
        if tree[c].parent == i:
            lay_carried(model, ws, i, c)
            carries = True
    if on_ground(model, i):
        return I, p
    for k in range(n):
        flex[rest + k] = effort[ev + k] - flex[b + k]
    answer_of(model, ws, i, flex, rest)
    with_carried(model, ws, i, bodies, flex, rest, 1)
    if not carries:
        frame_answer(model, ws, i, answer)
    for j in range(6 if carries else 0):
        for k in range(n):
            flex[column + k] = flex[o + 6 * k + j]
        answer_of(model, ws, i, flex, column)
        with_carried(model, ws, i, bodies, flex, column, 1)
        for k in range(n):
            flex[answer + 6 * k + j] = flex[column + k]
    for k in range(n):
        U = wrench_at(flex, o + 6 * k)
        I = symmetric_part_subtracted(I, U, wrench_at(flex, answer + 6 * k))
        p += flex[rest + k] * U
    return I, p


@optional_kernel("nodal")
def nodal_accelerations(model, ws, i, a, effort, acceleration):
    """Accelerations of the coordinates of a nodal body from that of its frame, after `eliminate_nodal`. Where forces
    are asked for (ws.flags.cable_forces), those on a cable that rests on the world are in their place."""
    n, o, ev = model.tree[i].ne, model.tree[i].flex, model.tree[i].ev
    at = nodal_blocks(model, i)
    rest, answer, b = at.rest, at.answer, at.b
    if on_ground(model, i):
        resting = has_banded_mass(model, i) and rests(model, i)
        if resting:
            cable_accelerations(model, ws, i, a.linear, effort, acceleration)
            if ws.flags.cable_forces:
                return
        for k in range(0 if resting else n):
            inertial = wrench_at(ws.flex, o + 6 * k) @ a
            acceleration[ev + k] = effort[ev + k] - ws.flex[b + k] - inertial
        answer_of(model, ws, i, acceleration, ev)
        with_carried(model, ws, i, len(model.tree), acceleration, ev, 1)
        return
    for k in range(n):
        inertial = wrench_at(ws.flex, answer + 6 * k) @ a
        acceleration[ev + k] = ws.flex[rest + k] - inertial


@optional_kernel("nodal", returns=Wrench)
def sweep_nodal(model, ws, i, y, out, share, f):
    """Takes the coordinates of a nodal body out of a row, ws.solve[y ...], whose share A^-1 y goes to out[share ...];
    returns what is left of its wrench."""
    n, o = model.tree[i].ne, model.tree[i].flex
    for k in range(n):
        out[share + k] = ws.solve[y + k]
    answer_of(model, ws, i, out, share)
    with_carried(model, ws, i, len(model.tree), out, share, 1)
    for k in range(n):
        f += -out[share + k] * wrench_at(ws.flex, o + 6 * k)
    return f


@optional_kernel("nodal")
def respond_nodal(model, ws, i, s, rest, delta):
    """How the coordinates of a nodal body move where its frame does by s and efforts are ws.solve[rest ...]."""
    n, o = model.tree[i].ne, model.tree[i].flex
    for k in range(n):
        inertial = wrench_at(ws.flex, o + 6 * k) @ s
        ws.solve[delta + k] = ws.solve[rest + k] - inertial
    answer_of(model, ws, i, ws.solve, delta)
    with_carried(model, ws, i, len(model.tree), ws.solve, delta, 1)
