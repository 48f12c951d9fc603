"""Edges along which a shell is folded: a spring between the two elements, over the length of the edge.

With t the tangent along the edge and v_1, v_2 the tangents across it in the two elements, w_i = v_i less its part along
t, and phi the angle about t from w_1 to w_2, the energy over the length is k (1 - cos(phi - phi_0)) and the moment
k sin(phi - phi_0). The angle of w_i changes by (m_i . v_i' - (v_i . t) m_i . t' / |t|^2) / |w_i|, m_i = t x w_i /
|t x w_i|, and what is common to both cancels.
"""

from __future__ import annotations

from ..compiler import kernel, outlined_kernel
from ..flat_arrays import accumulate31, get, vec1
from ..scalar import root
from ..spatial import add, cross, dot, scale, sub
from .nodal_layout import (
    FOLD_HEAD,
    FOLD_POINTS,
    FOLDS,
    NODAL_FIRST,
    NODAL_LINE,
    NODAL_PLACES,
    SHELL_CB,
    SHELL_FOLD,
    SHELL_ROW,
    SHELL_TABLE,
    SHELLS,
    WAYS,
    chosen,
    floats_of,
    integers_of,
)


@kernel
def fold_row(model, i, k):
    """Where the row of fold k begins: behind those of the elements."""
    return integers_of(model, i, SHELL_TABLE) + SHELL_ROW * (chosen(model, i, SHELLS) + k)


@kernel
def side_of(t, g, v):
    """w / |w|, m, 1 / |w| and v . t / |t| of a tangent v across an edge with the direction t and |tangent| = g."""
    along = dot(v, t)
    w = sub(v, scale(along, t))
    per = 1.0 / root(dot(w, w))
    w = scale(per, w)
    return w, cross(t, w), per, along / g


@kernel
def folded(floats, at, t, v1, v2):
    """sin(phi - phi_0), cos(phi - phi_0), and the derivatives of phi by t, v1 and v2."""
    g = root(dot(t, t))
    t = scale(1.0 / g, t)
    w1, m1, per1, along1 = side_of(t, g, v1)
    w2, m2, per2, along2 = side_of(t, g, v2)
    c, s = dot(w1, w2), dot(t, cross(w1, w2))
    c0, s0 = get(floats, at + 1), get(floats, at + 2)
    by1, by2 = scale(-per1, m1), scale(per2, m2)
    by_t = add(scale(-along1, by1), scale(-along2, by2))
    return s * c0 - c * s0, c * c0 + s * s0, by_t, by1, by2


@kernel
def edge_rates(model, vectors, count, s, flex, rate):
    """The rates of t, v1 and v2 for velocities flex[rate + 3 a] of the vectors."""
    zero = 0.0 * flex[0]
    t, v1, v2 = (zero, zero, zero), (zero, zero, zero), (zero, zero, zero)
    for j in range(count):
        y = vec1(flex, rate + 3 * model.integers[vectors + j])
        t = add(t, scale(get(model.floats, s + j), y))
        v1 = add(v1, scale(get(model.floats, s + count + j), y))
        v2 = add(v2, scale(get(model.floats, s + 2 * count + j), y))
    return t, v1, v2


@outlined_kernel
def edge_of(model, i, vectors, count, s, x, of, whole):
    """t, v1 and v2 straight from coordinates x[of ...]; whole: 0 for rates."""
    first, ways, places = (
        integers_of(model, i, NODAL_FIRST),
        floats_of(model, i, WAYS),
        floats_of(model, i, NODAL_PLACES),
    )
    integers, floats = model.integers, model.floats
    zero = 0.0 * get(x, of)
    t, v1, v2 = (zero, zero, zero), (zero, zero, zero), (zero, zero, zero)
    for j in range(count):
        a = integers[vectors + j]
        y = add(scale(1.0 * whole, vec1(floats, places + 3 * a)), (zero, zero, zero))
        for k in range(integers[first + a], integers[first + a + 1]):
            y = add(y, scale(get(x, of + k), vec1(floats, ways + 3 * k)))
        t = add(t, scale(get(floats, s + j), y))
        v1 = add(v1, scale(get(floats, s + count + j), y))
        v2 = add(v2, scale(get(floats, s + 2 * count + j), y))
    return t, v1, v2


@kernel
def fold_forces(model, i, q, e, flex, rate, out):
    """Adds the forces of the folds to vectors flex[out + 3 a]; those of flex[rate + 3 a] are their velocities."""
    floats, integers = model.floats, model.integers
    sheet, rows = floats_of(model, i, NODAL_LINE), integers_of(model, i, SHELL_TABLE)
    stiff, damped = floats[sheet + SHELL_FOLD], floats[sheet + SHELL_CB]
    for k in range(chosen(model, i, FOLDS)):
        row = fold_row(model, i, k)
        at, count, vectors = sheet + integers[row], integers[row + 1], rows + integers[row + 2]
        for _ in range(FOLD_POINTS):
            s = at + FOLD_HEAD
            t, v1, v2 = edge_of(model, i, vectors, count, s, q, e, 1)
            sine, _, by_t, by1, by2 = folded(floats, at, t, v1, v2)
            moment = sine
            if damped != 0.0:
                dt, d1, d2 = edge_rates(model, vectors, count, s, flex, rate)
                moment += damped * (dot(by_t, dt) + dot(by1, d1) + dot(by2, d2))
            moment *= stiff * get(floats, at)
            for j in range(count):
                f = scale(get(floats, s + j), by_t)
                f = add(f, scale(get(floats, s + count + j), by1))
                f = add(f, scale(get(floats, s + 2 * count + j), by2))
                accumulate31(flex, out + 3 * integers[vectors + j], scale(moment, f))
            at += FOLD_HEAD + 3 * count


@kernel
def fold_energy(model, i, q, e):
    """Energy in the folds [J]."""
    sheet, rows, integers = floats_of(model, i, NODAL_LINE), integers_of(model, i, SHELL_TABLE), model.integers
    energy = 0.0 * get(q, e)
    for k in range(chosen(model, i, FOLDS)):
        row = fold_row(model, i, k)
        at, count, vectors = sheet + integers[row], integers[row + 1], rows + integers[row + 2]
        for _ in range(FOLD_POINTS):
            t, v1, v2 = edge_of(model, i, vectors, count, at + FOLD_HEAD, q, e, 1)
            sine, cosine, _, _, _ = folded(model.floats, at, t, v1, v2)
            # 1 - cos without the loss of digits where the angle is small
            less = sine * sine / (1.0 + cosine) if cosine.real > 0.0 else 1.0 - cosine
            energy += model.floats[sheet + SHELL_FOLD] * model.floats[at] * less
            at += FOLD_HEAD + 3 * count
    return energy


@kernel
def fold_dissipation(model, i, q, e, v, ev):
    """Power dissipated in the folds [W]."""
    floats, integers = model.floats, model.integers
    sheet, rows = floats_of(model, i, NODAL_LINE), integers_of(model, i, SHELL_TABLE)
    power = 0.0 * get(q, e) * get(v, ev)
    for k in range(chosen(model, i, FOLDS)):
        row = fold_row(model, i, k)
        at, count, vectors = sheet + integers[row], integers[row + 1], rows + integers[row + 2]
        for _ in range(FOLD_POINTS):
            s = at + FOLD_HEAD
            t, v1, v2 = edge_of(model, i, vectors, count, s, q, e, 1)
            dt, d1, d2 = edge_of(model, i, vectors, count, s, v, ev, 0)
            _, _, by_t, by1, by2 = folded(floats, at, t, v1, v2)
            rate = dot(by_t, dt) + dot(by1, d1) + dot(by2, d2)
            power += floats[sheet + SHELL_FOLD] * floats[sheet + SHELL_CB] * floats[at] * rate * rate
            at += FOLD_HEAD + 3 * count
    return power
