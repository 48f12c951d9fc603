"""Natural frequencies, damping and mode shapes of a model about a state."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .errors import ModelError
from .model import State
from .values import shown, suggestion

if TYPE_CHECKING:
    from .model import Model

STEP = 1e-4
"""Step of the differences [rad, m, and rates]: fourth order, so that its error is far below that of rounding."""
NOTHING = 1e-6
"""What counts as zero: an eigenvalue over the largest one, or on its own [rad/s]."""


@dataclass(frozen=True, eq=False)
class Frequencies:
    """Modes of the motion near a state, slowest first; free motions, without a frequency, are left out.

    rad            natural frequencies |lambda| (modes,) [rad/s]
    damping        ratios -Re(lambda) / |lambda| (modes,); negative where the motion grows. A motion that does not
                   oscillate is a mode for each of its real eigenvalues, with 1 or -1
    shapes         (nv, modes), of unit modal mass x^H M x = 1, largest entry positive, zero where held; real without
                   damping and velocity, else complex. Rows are displacements in the directions of `names`, those of
                   rotations and free joints in the axes of the held side
    eigenvalues    lambda, imaginary part not negative (modes,) [rad/s]
    names          of the velocities
    rigid          number of free motions: displacements that nothing opposes
    """

    rad: np.ndarray
    damping: np.ndarray
    shapes: np.ndarray
    eigenvalues: np.ndarray
    names: tuple[str, ...]
    rigid: int

    @property
    def hz(self) -> np.ndarray:
        """Natural frequencies (modes,) [Hz]."""
        return self.rad / (2.0 * np.pi)

    def __len__(self) -> int:
        return len(self.rad)

    def __repr__(self) -> str:
        shown_hz = ", ".join(f"{f:.4g}" for f in self.hz[:6]) + (", ..." if len(self) > 6 else "")
        return f"<Frequencies: {len(self)} modes ({shown_hz} Hz), {self.rigid} free motions>"


def frequencies(model: Model, state: State, hold: Iterable[str] = ()) -> Frequencies:
    """Natural frequencies, damping ratios and mode shapes of the motion near a state.

    hold    names of velocities that stay as they are, such as that of a rotating root: they do not accelerate, and are
            left out of the modes. The name of a joint holds all its velocities

    With x the displacement in the tangent space, seen from the moving state, and u the change of velocity,

        x' = u + G x,    M u' + C u + K x = 0,    C = d f / d v,    K = d f / d x

    where f is inverse dynamics at the state's own acceleration, with everything that acts in it: gravity, velocity
    terms, springs, strain, forces and laws (their states kept). C and K are central differences; stops and dry friction
    count with the stiffness that they have there. A state that is no equilibrium is taken as it stands.
    """
    if not isinstance(state, State):
        raise ModelError.at("state", f"got {type(state).__name__}; give a State, from model.state(...)")
    free = np.setdiff1d(np.arange(model.nv), _held(model, hold))
    held = {name: 0.0 for i, name in enumerate(model.names.v) if i not in free}
    acceleration = model.hybrid_dynamics(state, None, held).acceleration
    K, C = _differences(model, state, acceleration, free)
    M = model.mass_matrix(state)[np.ix_(free, free)]
    values, shapes, rigid = _modes(M, C, K, _transport(model, state)[np.ix_(free, free)])
    order = np.argsort(np.abs(values), kind="stable")
    values = values[order]
    whole = np.zeros((model.nv, len(order)), shapes.dtype)
    whole[free] = shapes[:, order]
    rad = np.abs(values)
    return Frequencies(rad, 0.0 - values.real / rad, whole, values, model.names.v, rigid)


def _held(model: Model, hold: Iterable[str]) -> list[int]:
    if isinstance(hold, str) or not isinstance(hold, Iterable):
        raise ModelError.at("hold", f'got {shown(hold)}; give a tuple of names, such as hold=("root",)')
    out: list[int] = []
    for name in hold:
        found = [i for i, entry in enumerate(model.names.v) if entry == name]
        if not found and name in model.joints:
            found = [i for i, entry in enumerate(model.names.v) if entry.startswith(f"{name}.")]
        if not found:
            raise ModelError.at(str(name), f"hold: no such velocity; {suggestion(str(name), model.index.v)}")
        out += found
    return out


def _rotations(model: Model, state: State) -> Iterable[tuple[int, bool, np.ndarray]]:
    """First velocity, whether it is a free joint, and rotation of each joint with a quaternion."""
    from .pose import Pose

    for j, k, free in model.arrays.groups:
        j = j + 3 * free
        yield int(k), bool(free), Pose(rotation=state.q[j : j + 4]).rotation


def _transport(model: Model, state: State) -> np.ndarray:
    """G: displacements are seen from axes that move with the state: x' = u - ad(v) x for rotations and free joints."""
    G = np.zeros((model.nv, model.nv))
    for k, free, _ in _rotations(model, state):
        turn = -_cross(state.v[k : k + 3])
        G[k : k + 3, k : k + 3] = turn
        if free:
            G[k + 3 : k + 6, k + 3 : k + 6] = turn
            G[k + 3 : k + 6, k : k + 3] = -_cross(state.v[k + 3 : k + 6])
    return G


def _cross(a: np.ndarray) -> np.ndarray:
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


def _differences(
    model: Model, state: State, acceleration: np.ndarray, free: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """K and C (free, free), by differences of inverse dynamics in the tangent space."""
    from .functions import displaced

    axes = {k: R for k, is_free, R in _rotations(model, state) if is_free}

    def moved(i: int, by: float) -> State:
        step = np.zeros(model.nv)
        step[i] = by
        for k, R in axes.items():
            step[k + 3 : k + 6] = R @ step[k + 3 : k + 6]
        return State(state.time, displaced(model, state.q, step), state.v, state.z)

    def faster(i: int, by: float) -> State:
        v = np.array(state.v, float)
        v[i] += by
        return State(state.time, state.q, v, state.z)

    def slope(change: object, i: int) -> np.ndarray:
        f = [model.inverse_dynamics(change(i, s * STEP), acceleration)[free] for s in (-2, -1, 1, 2)]  # type: ignore[operator]
        return (8.0 * (f[2] - f[1]) - (f[3] - f[0])) / (12.0 * STEP)

    n = len(free)
    K, C = np.zeros((n, n)), np.zeros((n, n))
    for column, i in enumerate(free):
        K[:, column] = slope(moved, i)
        C[:, column] = slope(faster, i)
    return K, C


def _modes(M: np.ndarray, C: np.ndarray, K: np.ndarray, G: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
    """Eigenvalues, shapes and the number of free motions of x' = u + G x, M u' + C u + K x = 0."""
    from scipy.linalg import eig, eigh, solve_triangular

    n = len(M)
    if n == 0:
        return np.zeros(0, complex), np.zeros((0, 0)), 0
    try:
        L = np.linalg.cholesky(M)
    except np.linalg.LinAlgError:
        raise ModelError.at("state", "the mass matrix is singular there; move the state off the singular one") from None
    if not np.all(np.isfinite(K)) or not np.all(np.isfinite(C)):
        raise ModelError.at("state", "its dynamics are not finite numbers; give finite coordinates and velocities")

    def weighed(A: np.ndarray) -> np.ndarray:
        return solve_triangular(L, solve_triangular(L, A, lower=True).T, lower=True).T

    K, C = weighed(K), weighed(C)
    G = L.T @ solve_triangular(L, G.T, lower=True).T
    fastest = max(np.sqrt(np.linalg.norm(K, 2)), np.linalg.norm(C, 2), np.linalg.norm(G, 2))
    nothing = NOTHING * max(fastest, 1.0)
    if np.max(np.abs(C)) <= NOTHING * fastest and not np.any(G):
        if np.max(np.abs(K - K.T)) <= NOTHING * fastest**2:
            squares, X = eigh(0.5 * (K + K.T))
            if np.all(squares > -(nothing**2)):
                keep = squares > nothing**2
                return 1j * np.sqrt(squares[keep]), _turned(L, X[:, keep]), int(np.sum(~keep))
    scale = max(fastest, 1.0)
    A = np.block([[G / scale, np.eye(n)], [-K / scale**2, -C / scale]])
    values, X = eig(A)
    values = scale * values
    keep = (np.abs(values) > nothing) & (values.imag >= 0.0)
    still = np.linalg.svd(K - C @ G, compute_uv=False) <= nothing**2
    return values[keep], _turned(L, X[:n, keep]), int(np.sum(still))


def _turned(L: np.ndarray, X: np.ndarray) -> np.ndarray:
    """Shapes in the model's own coordinates, of unit modal mass, their largest entry real and positive."""
    from scipy.linalg import solve_triangular

    shapes = solve_triangular(L, X / np.linalg.norm(X, axis=0), lower=True, trans="T")
    if not shapes.size:
        return shapes
    largest = shapes[np.argmax(np.abs(shapes), axis=0), np.arange(shapes.shape[1])]
    return shapes * (np.abs(largest) / largest)
