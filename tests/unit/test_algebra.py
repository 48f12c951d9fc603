"""Vectors, matrices, spatial quantities and rows: compiled and interpreted, real and complex, against NumPy."""

from __future__ import annotations

import pickle
from typing import Annotated

import numpy as np
import pytest
from numba import typeof

from jourdain.kernels.algebra import (
    Inertia,
    Mat3,
    Motion,
    Quaternion,
    Sym3,
    Vec3,
    Wrench,
    about_centre,
    cross,
    dyad_subtracted,
    rigid_inertia_added,
    rodrigues,
    rotated,
    rotation_matrix,
    shift,
    shift_back,
    solve,
    symmetric_product,
    turned_z,
)
from jourdain.kernels.compiler import entry_point, kernel, optional_kernel
from jourdain.kernels.compiling.type_strings import read, spelt
from jourdain.kernels.flat_arrays import add_value, motion_at, put_value, quaternion_at, vector_at, wrench_at
from jourdain.kernels.records import Record, f64, row, rows
from jourdain.kernels.rotations import matrix_quaternion, turned_quaternion
from jourdain.kernels.rows import Row, copy_row, table_of


class Operands(Row):
    """What the operators are tried on."""

    a: Vec3
    b: Vec3
    A: Mat3
    B: Mat3
    S: Sym3
    T: Sym3
    p: Quaternion
    q: Quaternion
    m: Motion
    f: Wrench
    I: Inertia
    s: float
    t: float


class Results(Row):
    """What they give; each is named as its case below."""

    plus: Vec3
    minus: Vec3
    negative: Mat3
    scaled: Motion
    scaled_behind: Sym3
    divided: Wrench
    in_place: Inertia
    inner: float
    matrix_vector: Vec3
    transposed: Vec3
    matrix_matrix: Mat3
    by_rows: Mat3
    symmetric: Vec3
    hamilton: Quaternion
    power: float
    power_back: float
    wrench: Wrench
    vector_product: Vec3
    shifted_motion: Motion
    shifted_wrench: Wrench
    shifted_inertia: Inertia
    with_rigid: Inertia
    eliminated: Inertia
    centred: Sym3
    solution: Vec3
    contraction: float
    turned: Sym3
    about_z: Mat3
    about_axis: Mat3
    of_quaternion: Mat3
    members: Motion
    entries: Vec3
    nothing: Inertia
    from_tuple: Wrench
    mixed: Vec3


class Pair(Record, name="XA", complexes=True):
    given = row(Operands)
    made = row(Results)


@entry_point
def everything(pair):
    """Every operator once."""
    x, y = pair.given, pair.made
    a, b, A, B, S, T, I = x.a, x.b, x.A, x.B, x.S, x.T, x.I
    y.plus, y.minus, y.negative = a + b, a - b, -A
    y.scaled, y.scaled_behind, y.divided = x.s * x.m, S * x.s, x.f / x.t
    y.in_place = I
    y.in_place += I
    y.in_place *= 2
    y.inner, y.matrix_vector, y.transposed, y.matrix_matrix = a @ b, A @ a, A.T @ a, A @ B
    y.by_rows = Mat3(A.z_axis, tuple(A.x_axis), A.y_axis)
    y.symmetric, y.hamilton, y.power, y.power_back = S @ a, x.p @ x.q, x.m @ x.f, x.f @ x.m
    y.wrench, y.vector_product = I @ x.m, cross(a, b)
    y.shifted_motion, y.shifted_wrench, y.shifted_inertia = shift(x.m, a), shift_back(x.f, a), shift_back(I, a)
    y.with_rigid, y.eliminated = rigid_inertia_added(I, S, a, x.s), dyad_subtracted(I, x.f, x.s)
    y.centred, y.solution, y.contraction = about_centre(S, a, x.s), solve(S, b), symmetric_product(S, T)
    y.turned, y.about_z, y.about_axis = rotated(A, S), turned_z(A, x.s, x.t), rodrigues(a, x.s, x.t)
    y.of_quaternion = rotation_matrix(x.p)
    y.members = Motion(x.f.force, x.m.angular)
    y.entries = Vec3(a.z, B[5], I.H[7] + I.J.xz + I.M[3])
    y.nothing = I.zero
    y.from_tuple = tuple(x.m)
    y.mixed = Mat3(1.0, 0, 0, 0, 2.0, 0, 0, 0, 3.0) @ a + Vec3((1.0, 2.0, 3.0))
    return 0.0


def full(S):
    """A symmetric matrix in NumPy."""
    xx, yy, zz, xy, xz, yz = S
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def packed(S):
    return np.array([S[0, 0], S[1, 1], S[2, 2], S[0, 1], S[0, 2], S[1, 2]])


def skew(r):
    x, y, z = r
    return np.array([[0 * x, -z, y], [z, 0 * x, -x], [-y, x, 0 * x]])


def matrix(I):
    """An inertia as 6 x 6."""
    H = np.reshape(I[6:15], (3, 3))
    return np.block([[full(I[:6]), H], [H.T, full(I[15:])]])


def flat(I):
    return np.concatenate([packed(I[:3, :3]), I[:3, 3:].ravel(), packed(I[3:, 3:])])


def hamilton(p, q):
    w = p[0] * q[0] - p[1:] @ q[1:]
    return np.array([w, *(p[0] * q[1:] + q[0] * p[1:] + np.cross(p[1:], q[1:]))])


def quaternion_rotation(q):
    w, v = q[0], q[1:]
    return np.eye(3) + 2.0 * (w * skew(v) + skew(v) @ skew(v)) / (q @ q)


def expected(x):
    """By NumPy, of the operands as arrays."""
    a, b, A, B, S, T = x["a"], x["b"], x["A"].reshape(3, 3), x["B"].reshape(3, 3), full(x["S"]), full(x["T"])
    m, f, I, s, t = x["m"], x["f"], matrix(x["I"]), x["s"], x["t"]
    X = np.block([[np.eye(3), np.zeros((3, 3))], [-skew(a), np.eye(3)]])  # motion of the point at a
    rigid = np.block([[S, skew(a)], [-skew(a), s * np.eye(3)]])
    return {
        "plus": a + b,
        "minus": a - b,
        "negative": -A,
        "scaled": s * m,
        "scaled_behind": x["S"] * s,
        "divided": f / t,
        "in_place": 4.0 * x["I"],
        "inner": a @ b,
        "matrix_vector": A @ a,
        "transposed": A.T @ a,
        "matrix_matrix": A @ B,
        "by_rows": np.array([A[:, 2], A[:, 0], A[:, 1]]),
        "symmetric": S @ a,
        "hamilton": hamilton(x["p"], x["q"]),
        "power": m @ f,
        "power_back": m @ f,
        "wrench": I @ m,
        "vector_product": np.cross(a, b),
        "shifted_motion": X @ m,
        "shifted_wrench": X.T @ f,
        "shifted_inertia": flat(X.T @ I @ X),
        "with_rigid": flat(I + rigid),
        "eliminated": flat(I - s * np.outer(f, f)),
        "centred": packed(S - s * ((a @ a) * np.eye(3) - np.outer(a, a))),
        "solution": np.linalg.solve(S, b),
        "contraction": np.sum(S * T),
        "turned": packed(A @ S @ A.T),
        "about_z": A @ np.array([[t, -s, 0 * s], [s, t, 0 * s], [0, 0, 1]]),
        "about_axis": t * np.eye(3) + s * skew(a) + (1.0 - t) * np.outer(a, a),
        "of_quaternion": quaternion_rotation(x["p"]),
        "members": np.concatenate([f[3:], m[:3]]),
        "entries": np.array([a[2], B[1, 2], x["I"][13] + x["I"][4] + x["I"][18]]),
        "nothing": np.zeros(21),
        "from_tuple": m,
        "mixed": np.array([1.0, 2.0, 3.0]) * (a + 1.0),
    }


@pytest.mark.parametrize("dtype", [float, complex])
@pytest.mark.parametrize("way", ["compiled", "interpreted"])
def test_every_operator_is_that_of_the_matrices(dtype, way):
    rng = np.random.default_rng(3)
    given = rng.normal(size=Operands.size).astype(dtype)
    if dtype is complex:
        given += 0.3j * rng.normal(size=given.shape)
    pair = Pair(given=given, made=np.full(Results.size, np.nan, dtype))
    (everything if way == "compiled" else everything.py_func)(pair)
    wanted = expected({key: given[field.place] for key, field in Operands.fields.items()})
    assert wanted.keys() == Results.fields.keys()
    for key, field in Results.fields.items():
        found = np.ravel(pair.__dict__["made"][field.place])
        np.testing.assert_allclose(found, np.ravel(wanted[key]), rtol=1e-12, atol=1e-13, err_msg=key)


@entry_point
def turn(x, theta, out):
    """A quaternion turned by a rotation vector, and that of its matrix."""
    q = turned_quaternion(Quaternion(x[0], x[1], x[2], x[3]), Vec3(theta[0], theta[1], theta[2]))
    p = matrix_quaternion(rotation_matrix(q))
    out[0], out[1], out[2], out[3] = q.w, q.x, q.y, q.z
    out[4], out[5], out[6], out[7] = p.w, p.x, p.y, p.z
    return 0


def test_quaternions_turn_and_come_back_from_their_matrices():
    rng, out = np.random.default_rng(5), np.zeros(8)
    for q, theta in zip(rng.normal(size=(40, 4)), rng.normal(size=(40, 3)), strict=True):
        q[0] *= 0.01
        angle = np.linalg.norm(theta)
        wanted = hamilton(q, np.array([np.cos(0.5 * angle), *(theta * np.sin(0.5 * angle) / angle)]))
        wanted /= np.linalg.norm(wanted)
        turn(q, theta, out)
        np.testing.assert_allclose(out[:4], wanted, atol=1e-14)
        np.testing.assert_allclose(out[4:], wanted * np.sign(wanted[0]), atol=1e-14)


WRONG = {
    "a motion and a wrench": lambda: Motion(*range(6)) + Wrench(*range(6)),
    "a vector and a number": lambda: Vec3(1, 2, 3) + 1.0,
    "a matrix of a vector": lambda: Vec3(1, 2, 3) @ Mat3(*range(9)),
    "two vectors": lambda: Vec3(1, 2, 3) * Vec3(1, 2, 3),
    "two motions": lambda: Motion(*range(6)) @ Motion(*range(6)),
    "too few numbers": lambda: Vec3(1, 2),
    "a part in a wrong place": lambda: Inertia(Mat3(*range(9)), Sym3(*range(6)), Sym3(*range(6))),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_has_no_meaning_is_refused(what):
    with pytest.raises(TypeError):
        WRONG[what]()


def test_a_number_of_numpys_is_a_factor():
    found = np.float64(2.0) * Vec3(1.0, 2.0, 3.0)
    assert isinstance(found, Vec3) and tuple(found) == (2.0, 4.0, 6.0)
    assert (np.complex128(2j) * Vec3(1.0, 2.0, 3.0)).is_complex


class Mixed(Row):
    """Whole numbers and truths in a row of floats, and an array."""

    place: Vec3
    count: int
    on: bool
    knots: Annotated[np.ndarray, 3]


class Indices(Row):
    """A row of whole numbers."""

    parent: int
    last: bool
    edges: Annotated[np.ndarray, 2, int]


class Tables(Record, name="XT", complexes=True):
    mixed = rows(Mixed, columns="old")
    indices = rows(Indices)
    x = f64(1)


class Constants(Record, name="XK", readonly=True):
    mixed = rows(Mixed)


def tables(dtype=float):
    indices = np.array([[0, 0, 0, 0], [0, 0, 0, 0], [1, 1, 0, 0]])
    return Tables(mixed=np.zeros((3, Mixed.size), dtype), indices=indices, x=np.zeros(1, dtype))


@kernel
def moved(row, by):
    row.place += by
    return row


@entry_point
def walk(ws):
    for i in range(len(ws.mixed)):
        row, index = moved(ws.mixed[i], Vec3(1.0, 2.0, 3.0)), ws.indices[i]
        row.count += 2 + index.parent
        row.on = index.last
        row.knots[1] = row.count + row.knots.size
        index.parent += 1
        index.edges[1] = index.parent >> 1
        row.place = row.place + ws.mixed[0].place
    ws.old[2, 0] += 0.5
    return ws.x[0]


@pytest.mark.parametrize("dtype", [float, complex])
@pytest.mark.parametrize("way", ["compiled", "interpreted"])
def test_rows_are_read_and_written_by_names(dtype, way, monkeypatch):
    ws = tables(dtype)
    if way == "interpreted":
        monkeypatch.setitem(walk.py_func.__globals__, "moved", moved.py_func)
    (walk if way == "compiled" else walk.py_func)(ws)
    assert [one.count for one in ws.mixed] == [2, 2, 3] and [one.on for one in ws.mixed] == [False, False, True]
    assert tuple(ws.mixed[1].place) == (3.0, 6.0, 9.0) and tuple(ws.mixed[2].place) == (3.5, 6.0, 9.0)
    np.testing.assert_array_equal(ws.mixed.columns.knots[:, 1], [5, 5, 6])
    np.testing.assert_array_equal(ws.indices.columns.parent, [1, 1, 2])
    np.testing.assert_array_equal(ws.indices.columns.edges, [[0, 0], [0, 0], [0, 1]])
    assert Indices.whole and not Mixed.whole
    np.testing.assert_array_equal(ws.old[:, Mixed.columns.place], ws.mixed.columns.place)
    assert len(ws.mixed) == 3 and ws.old.shape == (3, Mixed.size) and ws.old.dtype == dtype


def test_python_writes_rows_too():
    ws = tables()
    row = ws.mixed[1]
    row.place, row.count, row.on = Vec3(1.0, 2.0, 3.0), 7, True
    row.knots[:] = 4.0
    np.testing.assert_array_equal(ws.old[1], [1, 2, 3, 7, 1, 4, 4, 4])
    assert repr(row).startswith("Mixed(place=Vec3(1.0, 2.0, 3.0), count=7, on=True")
    with pytest.raises(AttributeError):
        row.plce = 1.0


@entry_point
def writes_a_constant(model):
    model.mixed[0].count = 1
    return 0


@entry_point
def reads_a_constant(model, i):
    return model.mixed[i].place @ model.mixed[i].place + model.mixed[i].knots[2]


def test_rows_of_a_model_are_read_only():
    array = np.arange(2.0 * Mixed.size).reshape(2, -1)
    model = Constants.frozen(mixed=array)
    assert reads_a_constant(model, 1) == 8.0**2 + 9.0**2 + 10.0**2 + 15.0
    with pytest.raises(Exception, match=r"Mixed\.count is not to be written"):
        writes_a_constant(model)
    with pytest.raises(ValueError, match="read-only"):
        model.mixed[0].count = 1


def test_a_table_of_another_width_is_refused():
    with pytest.raises(TypeError, match=r"Tables\.mixed has rows of 4 numbers; Mixed has 8"):
        tables()._replace(mixed=np.zeros((3, 4)))


def test_the_other_name_of_a_table_makes_it_too():
    ws = tables()
    other = ws._replace(old=np.ones((3, Mixed.size)))
    assert other.mixed[0].count == 1 and pickle.loads(pickle.dumps(other)).mixed[2].on


class Overlaid(Row):
    """The numbers of `force` are those of `motion` too, and `number` is a whole one over `factor`."""

    force: Wrench
    motion: Annotated[Motion, "force"]
    factor: float
    number: Annotated[int, "factor"]


overlaid = table_of(Overlaid)


@entry_point
def overlay(table, flat):
    rows = overlaid(table)
    rows[1].motion = rows[0].motion + rows[0].motion
    rows[1].number = rows[0].number + 1
    copy_row(rows[2], rows[1])
    overlaid(flat).force = rows[2].force
    return len(rows)


@pytest.mark.parametrize("dtype", [float, complex])
@pytest.mark.parametrize("way", ["compiled", "interpreted"])
def test_fields_over_each_other_and_rows_of_any_array(dtype, way):
    table, flat = np.zeros((3, Overlaid.size), dtype), np.zeros(Overlaid.size, dtype)
    table[0] = [1, 2, 3, 4, 5, 6, 7]
    assert Overlaid.size == 7 and (overlay if way == "compiled" else overlay.py_func)(table, flat) == 3
    np.testing.assert_array_equal(table[1:], [[2, 4, 6, 8, 10, 12, 8]] * 2)
    np.testing.assert_array_equal(flat, [2, 4, 6, 8, 10, 12, 0])


@entry_point
def flatten(a, out):
    put_value(out, 1, vector_at(a, 0) + vector_at(a, 1))
    put_value(out, 4, quaternion_at(a, 2))
    add_value(out, 8, motion_at(a, 0))
    add_value(out, 8, Motion(1.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    out[0] = wrench_at(a, 0) @ motion_at(a, 1)
    return 0


@pytest.mark.parametrize("dtype", [float, complex])
@pytest.mark.parametrize("way", ["compiled", "interpreted"])
def test_values_lie_in_flat_arrays(dtype, way):
    a, out = np.arange(1.0, 8.0).astype(dtype), np.ones(14, dtype)
    (flatten if way == "compiled" else flatten.py_func)(a, out)
    np.testing.assert_array_equal(out, [a[:6] @ a[1:7], 3, 5, 7, 3, 4, 5, 6, 3, 3, 4, 5, 6, 7])


@kernel
def either(x, way):
    value = Vec3(1.0, 0.0, 0.0)
    if way > 0:
        value = x * value
    return value


@optional_kernel("rare algebra", returns=(Motion, Vec3, 1))
def promised(m):
    return m + m, m.angular, m.linear.x


@entry_point
def join(x, out):
    value = either(x[0], out.size)
    out[0] = value @ value
    m, a, s = promised(Motion(value, value))
    out[1] = m.angular @ a + s
    return 0


def test_values_go_from_kernel_to_kernel_and_from_real_to_complex():
    for dtype in (float, complex):
        x, out = np.array([2.0]).astype(dtype), np.zeros(2, dtype)
        join.overload((typeof(x), typeof(out))).ready(frozenset({"rare algebra"})).python(x, out)
        np.testing.assert_array_equal(out, [4.0, 10.0])


def test_types_have_names_on_disk():
    vec3, inertia, motion = (f"[{one.__module__}:{one.__name__}." for one in (Vec3, Inertia, Motion))
    values = (f"{vec3}f]", f"{inertia}c]f", f"({vec3}f]{motion}c])")
    for text in (*values, *(f"[{__name__}:{own}]" for own in ("Mixed:", "Mixedc", "Mixed!", "Indices!:"))):
        kinds = read(text)
        assert "".join(map(spelt, kinds)) == text and kinds == read(text)
