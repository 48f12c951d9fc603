"""Slow modes beside fast ones, and which motions are free: what a dense eigensolver loses in rounding.

An eigensolver of M^-1 K is right to the rounding of its largest eigenvalue. Of a slender or finely divided body, whose
fastest frequency is 1e6 times its lowest or more, that leaves nothing of the slow modes. Here they are eigenvalues of
the inverse: with D the diagonal that makes the rows of D K D alike in size, the errors of the slow modes are those of a
factor of D K D, whose condition does not know how much stiffer a body is against stretching than against bending
(Barlow & Demmel 1990; Demmel & Veselic 1992). With damping and velocity terms they are eigenvalues of the pencil
(A - s E)^-1 E of the first-order equations, rows and columns scaled, with a shift s where there are free motions.

Free motions are found by the rank of D K D among displacements of which it is known that they deform nothing: those of
joints, of bodies of nodes as a whole, and of coordinates that no stiffness knows. What deforms something and
has no more stiffness than rounding leaves is neither a mode nor a free motion: it cannot be told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from .tangent import Tangent

FREE = 1e-12
"""Stiffness of a motion of joints alone, over that of its coordinates, which counts as none."""
DEFORMS = 1e-2
"""Part of a drift's kinetic energy that must be in coordinates of bodies for it to deform anything."""
DIFFERENCES = 1e-9
"""Error of derivatives of laws and contacts, over their entries: some are differences."""
ROUNDING = 4.0 * float(np.finfo(float).eps)
"""Error of all others."""
SLOW = 1e-5
"""Frequency over the fastest below which modes are found by the inverse."""
GROWS = 1e-9
"""Real part of an eigenvalue over the largest that counts as growth."""
BRAKES = 1e-6
"""Damping of a free motion, over that of its coordinates, that counts as none."""
REACH = 1e5
"""Frequency over the slowest up to which the inverse is right."""
SURE = 100.0
"""Errors that are allowed for where it is known that nothing deforms."""
DRIFT = 1e-3
"""Eigenvalue over the shift that cannot be told from the zeros of free motions."""


class Direct(NamedTuple):
    """What an eigensolver of the whole finds.

    values    eigenvalues that are no zeros, imaginary part not negative (modes,)
    shapes    displacements of each, of unit modal mass (nx, modes)
    rigid     number of free motions
    every     sizes of all eigenvalues of the first-order equations (nx + n + nz,)
    cut       size up to which they count as zero
    """

    values: np.ndarray
    shapes: np.ndarray
    rigid: int
    every: np.ndarray
    cut: float


class Found(NamedTuple):
    """Modes, slow ones and fast ones.

    values       as of `Direct`
    shapes       displacements of each, of any size (nx, modes)
    noise        errors of the real parts (modes,)
    rigid        number of free motions
    undecided    displacements that cannot be told from free motions (nx, k)
    """

    values: np.ndarray
    shapes: np.ndarray
    noise: np.ndarray
    rigid: int
    undecided: np.ndarray


class Null(NamedTuple):
    """The null space of a scaled matrix S = rows A columns.

    S, rows, columns    (n, n), (n,), (n,)
    free                a basis of what is known to be free, in scaled units (n, r)
    doubtful            of what has no more than rounding besides (n, k)
    """

    S: np.ndarray
    rows: np.ndarray
    columns: np.ndarray
    free: np.ndarray
    doubtful: np.ndarray

    @property
    def whole(self) -> np.ndarray:
        return np.hstack([self.free, self.doubtful])


def distinguished(linear: Tangent, direct: Direct) -> Found:
    """The modes that an eigensolver found, those that are slow beside the fastest by the inverse."""
    fastest = float(np.max(direct.every, initial=0.0))
    rounded = len(direct.every) * ROUNDING * fastest**2 / np.maximum(np.abs(direct.values), 1e-300)
    noise = GROWS * max(fastest, 1.0) + rounded
    found = Found(direct.values, direct.shapes, noise, direct.rigid, np.zeros((len(linear.placed), 0)))
    slow = direct.every < max(SLOW * fastest, direct.cut)
    if not linear.model.flexible or not len(linear.free) or not np.any(slow):
        return found
    K, error = _stiffness(linear)
    still = not len(linear.chosen) and not np.any(linear.G) and not np.any(linear.C)
    low = (_undamped if still and _symmetric(K) else _damped)(linear, direct, K, error, int(np.sum(slow)))
    if low is None:
        return found
    high = np.abs(direct.values) >= max(SLOW * fastest, direct.cut)
    fast = direct.values[high]
    if still and _symmetric(K):  # squares are real
        grows = np.abs(fast.real) > np.abs(fast.imag)
        fast = np.where(grows, fast.real + 0j, 1j * np.abs(fast.imag))
    return low._replace(
        values=np.concatenate([low.values, fast]),
        shapes=np.hstack([low.shapes, direct.shapes[:, high]]),
        noise=np.concatenate([low.noise, noise[high]]),
    )


def _stiffness(linear: Tangent) -> tuple[np.ndarray, np.ndarray]:
    """The stiffness K - C G of displacements that stay, without what is left of loads on joints that cancel, and the
    errors of its entries. (M s^2 + (C - M G) s + K - C G) x = 0.)"""
    from ..selection import internal_entries

    inside = list(internal_entries(linear.model))
    row, column = (~np.isin(one, inside) for one in (linear.free, linear.placed))
    K, terms = linear.K.copy(), np.abs(linear.K)
    floor = ROUNDING * terms
    if linear.G.shape == linear.C.shape:
        K, terms = K - linear.C @ linear.G, terms + np.abs(linear.C) @ np.abs(linear.G)
        # what forces in a body do on a joint that carries it is a sum of them that cancels but for rounding, and what
        # is left turns with the joint
        carried = np.abs(linear.M) / np.diag(linear.M)
        carried[np.outer(row, row) | ~row[:, None]] = 0.0
        across = carried @ terms
        left = np.max(np.sum(across, axis=1), initial=0.0)
        floor = np.where(row[:, None], across, 0.0) + np.where(column, (terms + across) @ carried.T, 0.0)
        floor = ROUNDING * (terms + floor + (row[:, None] | column) * left)
    error = ROUNDING * terms + DIFFERENCES * np.abs(linear.K_applied)
    nothing = np.all(np.abs(K) <= floor, axis=1)[:, None] | np.all(np.abs(K) <= floor, axis=0)
    return np.where(nothing, 0.0, K), np.where(nothing, 0.0, error)


def _symmetric(K: np.ndarray) -> bool:
    d = _alike(K)
    return bool(np.max(np.abs(d[:, None] * (K - K.T) * d), initial=0.0) <= 1e-12)


def _undamped(linear: Tangent, direct: Direct, K: np.ndarray, error: np.ndarray, slow: int) -> Found | None:
    """The slow modes of M x'' + K x = 0; None where the eigensolver has them all."""
    d = _alike(K)
    null = null_space(0.5 * (K + K.T), error, *harmless(linear, K), d, d)
    zeros = 2 * null.whole.shape[1]
    if slow == zeros and not null.doubtful.shape[1] and direct.rigid == null.free.shape[1]:
        return None
    squares, shapes = inverse(linear.M, null, max(slow - zeros, 0) // 2)
    size = np.abs(shapes)
    allowed = np.sqrt(len(K)) * np.sum(size * (error @ size), axis=0)
    hidden = np.abs(squares) * np.sum(shapes * (linear.M @ shapes), axis=0) <= allowed
    undecided = np.hstack([null.columns[:, None] * null.doubtful, _deforming(linear, shapes[:, hidden])])
    squares, shapes = squares[~hidden], shapes[:, ~hidden]
    roots = np.sqrt(np.abs(squares))
    grows = squares < 0.0
    values = np.concatenate([np.where(grows, roots + 0j, 1j * roots), -roots[grows] + 0j])
    return Found(
        values, np.hstack([shapes, shapes[:, grows]]), np.zeros(len(values)), null.free.shape[1], undecided
    )  # fmt: skip


def _damped(linear: Tangent, direct: Direct, K: np.ndarray, error: np.ndarray, slow: int) -> Found | None:
    """Those of the first-order equations; None where the eigensolver has them all."""
    nx, n, nz = len(linear.placed), len(linear.free), len(linear.chosen)
    A = np.block(
        [[linear.G, linear.V, np.zeros((nx, nz))], [-linear.K, -linear.C, linear.E], [linear.Zx, linear.Zv, linear.Zz]]
    )
    E = np.eye(len(A))
    E[nx : nx + n, nx : nx + n] = linear.M
    errors = ROUNDING * np.abs(A)
    errors[nx : nx + n, :nx] = error
    if not linear.applied.nothing:
        errors[nx:, nx:] += DIFFERENCES * np.abs(A[nx:, nx:])
        errors[nx + n :, :nx] += DIFFERENCES * np.abs(linear.Zx)
    joints, whole = harmless(linear, K)
    if nz or nx != n:
        free = np.zeros((len(A), joints.shape[1] + n + nz))
        free[:nx, : joints.shape[1]] = joints
        free[nx:, joints.shape[1] :] = np.eye(n + nz)
        whole = np.vstack([whole, np.zeros((n + nz, whole.shape[1]))])
        null = null_space(A, errors, free, whole, *equilibrated(A))
        zeros = _zeros(null, E)
    else:
        null = null_space(K, error, joints, whole, *equilibrated(K))
        zeros = _zeros(null, linear.C - linear.M @ linear.G)
    rigid = direct.rigid if nz else null.free.shape[1]
    if slow == zeros and not null.doubtful.shape[1] and direct.rigid == rigid:
        return None
    about = _slowest(linear, K, error) if zeros else 0.0
    values, Y, noise, lost = pencil(A, E, errors, zeros, max(slow - zeros, 0), about)
    keep = np.flatnonzero(values.imag >= 0.0)
    undecided = np.hstack([null.columns[:nx, None] * null.doubtful[:nx], _deforming(linear, lost[:nx])])
    return Found(values[keep], Y[:nx, keep], noise[keep], rigid, undecided)


def harmless(linear: Tangent, K: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Displacements that deform nothing, as columns: those of joints and of what has no stiffness, (nx, k), and those
    in which bodies of nodes that nothing holds move as a whole besides, (nx, m)."""
    from ..bodies import body_of
    from ..selection import internal_entries

    model = linear.model
    inside = np.array(sorted(internal_entries(model)), int)
    joints = np.delete(np.eye(model.nv), inside, axis=1)
    unknown = ~np.any(K, axis=0) & ~np.any(K, axis=1) if K.shape[0] == K.shape[1] else np.zeros(K.shape[1], bool)
    alone = np.hstack([_within(linear.X, joints), np.eye(K.shape[1])[:, unknown]])
    bodies = []
    for i in model.arrays.flexible if model.features & {"cable", "rod", "shell"} else ():
        body = body_of(model, model.bodies[i - 1])
        nodal = getattr(body, "nodal", None)
        if body is None or nodal is None or nodal.shapes.shape[0] != nodal.shapes.shape[1]:
            continue
        moved = np.zeros((model.nv, 6))
        names = body.coordinate_names()
        deformed = linear.point.q[[model.index.q[one] for one in names]]
        moved[[model.index.v[one] for one in names]] = nodal.as_a_whole(deformed)
        bodies.append(moved)
    if not bodies:
        return alone, np.zeros((K.shape[1], 0))
    return alone, _within(linear.X, np.hstack([joints, *bodies]))


def _deforming(linear: Tangent, shapes: np.ndarray) -> np.ndarray:
    """Those of some displacements (nx, k) that deform something."""
    from ..selection import internal_entries

    weight = np.zeros(linear.model.nv)
    weight[linear.free] = np.diag(linear.M)
    part = weight[:, None] * (linear.X @ shapes) ** 2
    inside = np.sum(part[sorted(internal_entries(linear.model))], axis=0)
    return shapes[:, inside > DEFORMS * np.sum(part, axis=0)]


def _within(X: np.ndarray, span: np.ndarray) -> np.ndarray:
    """The combinations of the columns of X (nv, nx) that lie in a span (nv, k), as columns (nx, m)."""
    size, scale = np.linalg.norm(span, axis=0), np.linalg.norm(X, axis=0)
    if not span.shape[1]:
        return np.zeros((X.shape[1], 0))
    Q = np.linalg.qr(span[:, size > 0.0] / size[size > 0.0])[0]
    X = X / scale
    _, s, V = np.linalg.svd(X - Q @ (Q.T @ X))
    out = np.zeros(len(V))
    out[: len(s)] = s
    return V[out < 1e-9].T / scale[:, None]


def equilibrated(A: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Factors of the rows and of the columns, powers of two, after which both have entries of about one at most."""
    rows, columns = np.ones(len(A)), np.ones(A.shape[1])
    for _ in range(8):
        for axis, factors in ((1, rows), (0, columns)):
            largest = np.max(np.abs(A) * rows[:, None] * columns, axis=axis, initial=0.0)
            factors *= np.exp2(-np.round(0.5 * np.log2(np.where(largest > 0.0, largest, 1.0))))
    return rows, columns


def _alike(K: np.ndarray) -> np.ndarray:
    """The same factor for rows and columns, of a matrix that is symmetric."""
    d = np.ones(len(K))
    for _ in range(8):
        largest = np.max(np.abs(K) * d[:, None] * d, axis=1, initial=0.0)
        d *= np.exp2(-np.round(0.5 * np.log2(np.where(largest > 0.0, largest, 1.0))))
    return d


def null_space(
    A: np.ndarray, error: np.ndarray, free: np.ndarray, whole: np.ndarray, rows: np.ndarray, columns: np.ndarray
) -> Null:
    """The null space of a matrix with errors of its entries.

    free     displacements among which all that has no stiffness is free (n, k)
    whole    those among which it is free where the stiffness is rounding (n, m)
    """
    S, error = rows[:, None] * A * columns, rows[:, None] * error * columns
    among = _basis(free / columns[:, None])
    _, s, V = np.linalg.svd(S @ among, full_matrices=False)
    known = among @ V[(s < FREE) | _rounded(S, error, among @ V.T, s, SURE)].T
    if whole.shape[1]:
        among = _basis(np.hstack([free, whole]) / columns[:, None])
        _, s, V = np.linalg.svd(S @ among, full_matrices=False)
        known = among @ V[_rounded(S, error, among @ V.T, s, SURE)].T
    rest = _across(known)
    _, s, V = np.linalg.svd(S @ rest, full_matrices=False)
    nothing = _rounded(S, error, rest @ V.T, s)
    return Null(S, rows, columns, known, rest @ V[nothing].T)


def _rounded(S: np.ndarray, error: np.ndarray, Y: np.ndarray, s: np.ndarray, sure: float = 1.0) -> np.ndarray:
    """Which of some displacements (n, k) a matrix opposes in no row by more than its errors; s is by how much."""
    out = np.zeros(len(s), bool)
    for k in np.flatnonzero(s < 1e-6):
        allowed = sure * (np.sqrt(len(S)) * (error @ np.abs(Y[:, k])) + ROUNDING)
        out[k] = np.all(np.abs(S @ Y[:, k]) <= allowed)
    return out | (s == 0.0)


def _basis(A: np.ndarray) -> np.ndarray:
    """An orthonormal basis of the columns."""
    from scipy.linalg import qr

    if not A.shape[1]:
        return A
    Q, R, _ = qr(A / np.maximum(np.linalg.norm(A, axis=0), 1e-300), mode="economic", pivoting=True)
    size = np.abs(np.diag(R))
    return Q[:, : int(np.sum(size > 1e-9 * size[0]))]


def _across(basis: np.ndarray) -> np.ndarray:
    """An orthonormal basis of what is at right angles to orthonormal columns."""
    n, r = basis.shape
    return np.linalg.qr(basis, mode="complete")[0][:, r:] if r else np.eye(n)


def inverse(M: np.ndarray, null: Null, count: int) -> tuple[np.ndarray, np.ndarray]:
    """The slowest eigenvalues w^2 of M x'' + K x = 0, both symmetric, and shapes (n, count), on what is not free.

    On what is at right angles, in the metric of M = R^T R, to motions that are known, x = W y, they are 1 over
    eigenvalues of R W (W^T K W)^-1 W^T R^T. Those within `REACH` of the slowest are right; the others are looked for
    again, at right angles to these.
    """
    R, d = np.linalg.cholesky(M).T, null.columns
    known = d[:, None] * null.whole
    squares = np.zeros(0)
    shapes = np.zeros((len(d), 0))
    while len(squares) < count:
        W = _across(_basis(d[:, None] * (M @ np.hstack([known, shapes]))))
        H = (R * d) @ W
        G = H @ np.linalg.solve(W.T @ null.S @ W, H.T)
        mu, Z = np.linalg.eigh(0.5 * (G + G.T))
        order = np.argsort(-np.abs(mu), kind="stable")[: count - len(squares)]
        order = order[np.abs(mu[order]) >= np.abs(mu[order[0]]) / REACH**2]
        squares = np.concatenate([squares, 1.0 / mu[order]])
        shapes = np.hstack([shapes, np.linalg.solve(R, Z[:, order])])
    return squares, shapes


def _zeros(null: Null, braking: np.ndarray) -> int:
    """How many eigenvalues are zero: one for a free motion that something brakes, else two, since it drifts."""
    N = null.whole
    r = N.shape[1]
    if not r:
        return 0
    left = np.linalg.svd(null.S)[0][:, len(null.S) - r :]
    size = np.abs(null.rows[:, None] * braking * null.columns) @ np.abs(N)
    image = null.rows[:, None] * (braking @ (null.columns[:, None] * N))
    met = np.linalg.svd(left.T @ (image / np.maximum(np.linalg.norm(size, axis=0), 1e-300)), compute_uv=False)
    return 2 * r - int(np.sum(met > BRAKES))


def _slowest(linear: Tangent, K: np.ndarray, error: np.ndarray) -> float:
    """The frequency of the slowest motion without damping, roughly [rad/s]."""
    top = float(np.sqrt(np.max(np.abs(K)) / np.min(np.diag(linear.M))))
    if len(linear.placed) != len(linear.free):
        return SLOW * top
    K = 0.5 * (K + K.T)
    d = _alike(K)
    squares, _ = inverse(linear.M, null_space(K, error, *harmless(linear, K), d, d), 1)
    return max(float(np.sqrt(np.abs(squares[0]))) if len(squares) else 1.0, 1e-9 * SLOW * top)


def pencil(
    A: np.ndarray, E: np.ndarray, errors: np.ndarray, zeros: int, count: int, about: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The slowest eigenvalues of A y = lambda E y besides some zeros, their vectors (n, count), errors of the
    eigenvalues, and the displacements (n, k) of those that cannot be told from zero.

    errors    of the entries of A. An eigenvalue has |w|^T errors |y| / |w^T E y| of it, w its left vector
    about     frequency of the slowest motion, roughly; 0 where nothing is free [rad/s]
    """
    values, vectors, noise = np.zeros(0, complex), np.zeros((len(A), 0), complex), np.zeros(0)
    drifts, shift = np.zeros((len(A), 0)), 0.3 * about
    while len(values) + drifts.shape[1] < count:
        taken = zeros + len(values) + drifts.shape[1]
        found, Y, error = _near(A, E, errors, shift)
        order = np.argsort(np.abs(found), kind="stable")[taken : zeros + count]
        if not len(values):
            lost = np.abs(found[order]) < DRIFT * shift
            drifts, order = Y[:, order[lost]].real, order[~lost]
        reach = REACH * max(float(np.min(np.abs(found[order]), initial=np.inf)), shift)
        order = order[np.abs(found[order]) <= reach]
        if not len(order):
            break
        values, vectors = np.concatenate([values, found[order]]), np.hstack([vectors, Y[:, order]])
        noise, shift = np.concatenate([noise, error[order]]), reach
    least = min(1.0, float(np.max(np.abs(values), initial=0.0)))
    return values, vectors, noise + GROWS * np.maximum(np.abs(values), least), drifts


def _near(A: np.ndarray, E: np.ndarray, errors: np.ndarray, shift: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Eigenvalues of A y = lambda E y, right near a shift, their vectors and their errors."""
    from scipy.linalg import eig

    rows, columns = equilibrated(A - shift * E)
    S = rows[:, None] * (A - shift * E) * columns
    nu, Z, Y = eig(np.linalg.solve(S, rows[:, None] * E * columns), left=True)
    Y, left = columns[:, None] * Y, rows[:, None] * np.linalg.solve(S.T, Z.conj())
    with np.errstate(divide="ignore", invalid="ignore"):
        values = np.where(nu == 0.0, np.inf, shift + 1.0 / nu)
        met = np.abs(np.sum(left * (E @ Y), axis=0))
        error = np.sum(np.abs(left) * (errors @ np.abs(Y)), axis=0) / np.maximum(met, 1e-300)
        error = error + ROUNDING * len(A) * np.max(np.abs(nu)) * np.abs(values - shift) ** 2
    return values, Y, error
