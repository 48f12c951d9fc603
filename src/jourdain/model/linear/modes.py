"""Natural frequencies, damping and mode shapes of a model about a state."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...basics.errors import ModelError
from ...basics.html_tables import html_table
from ...basics.warn import warn
from ..selection import internal_entries
from ..state import State
from .constrained import constrained
from .slow_modes import Direct, distinguished
from .tangent import Tangent, solve_mass, tangent

if TYPE_CHECKING:
    from ..model import Model

NOTHING = 1e-6
"""What counts as zero: an eigenvalue over the largest one, or on its own [rad/s]."""
ROUNDED = 1e-13
"""What is not symmetric in a stiffness, over the largest, by rounding."""
DIFFERENCES = 1e-8
"""What counts as zero in derivatives of contacts and laws, over the largest."""


class ModesWarning(UserWarning):
    """Motions of which it cannot be told whether they are free, slow or unstable."""


@dataclass(frozen=True, eq=False)
class Frequencies:
    """Modes of the motion near a state, slowest first; free motions, without a frequency, are counted and left out.

    rad            natural frequencies |lambda| (modes,) [rad/s]
    damping        ratios -Re(lambda) / |lambda| (modes,); negative where the motion grows. A motion that does not
                   oscillate is a mode for each of its real eigenvalues, with 1 or -1
    shapes         (nv, modes), of unit modal mass x^H M x = 1, largest entry positive, zero where held; real without
                   damping and velocity, else complex. Rows are displacements in the directions of `names`, those of
                   rotations and free joints in the axes of the held side. Not-a-number for a mode of internal states
                   in which nothing moves
    eigenvalues    lambda, imaginary part not negative (modes,) [rad/s]
    names          of the velocities
    rigid          number of free motions: displacements that nothing opposes
    model, state   that they are of
    undecided      names, for each motion that deforms something and has no more stiffness than rounding leaves, of the
                   velocities that it is most of: whether it is free, slow or grows cannot be told
    noise          the error of the real part of each eigenvalue (modes,) [1/s]
    """

    rad: np.ndarray
    damping: np.ndarray
    shapes: np.ndarray
    eigenvalues: np.ndarray
    names: tuple[str, ...]
    rigid: int
    model: Model | None = field(default=None, repr=False)
    state: State | None = field(default=None, repr=False)
    undecided: tuple[tuple[str, ...], ...] = ()
    noise: np.ndarray = field(default_factory=lambda: np.zeros(0), repr=False)

    def view(self, **given: Any) -> Any:
        """The modes as they swing, in the browser; takes what `model.view` takes besides the state."""
        if self.model is None or self.state is None:
            raise ModelError.at("view", "these modes are of no model; take those of model.frequencies(state)")
        return self.model.view(self.state, modes=self, **given)

    @property
    def hz(self) -> np.ndarray:
        """Natural frequencies (modes,) [Hz]."""
        return self.rad / (2.0 * np.pi)

    def __len__(self) -> int:
        return len(self.rad)

    def _repr_html_(self) -> str:
        """A table of the modes, for notebooks."""
        rows = [(i + 1, float(f), float(d)) for i, (f, d) in enumerate(zip(self.hz, self.damping))]
        return html_table(f"{len(self)} modes, {self._said}", ("mode", "frequency [Hz]", "damping"), rows)

    def __repr__(self) -> str:
        shown_hz = ", ".join(f"{f:.4g}" for f in self.hz[:6]) + (", ..." if len(self) > 6 else "")
        return f"<Frequencies: {len(self)} modes ({shown_hz} Hz), {self._said}>"

    @property
    def _said(self) -> str:
        left = f", {len(self.undecided)} that rounding hides" if self.undecided else ""
        return f"{self.rigid} free motions{left}"


def frequencies(model: Model, state: State, hold: Iterable[str] = (), controller: Any = None) -> Frequencies:
    """Natural frequencies, damping ratios and mode shapes of the motion near a state.

    hold          names of velocities that stay as they are, such as that of a rotating root: they do not accelerate,
                  and are left out of the modes. The name of a joint holds all its velocities
    controller    a law, or a list of laws, that acts

    The equations are those of `tangent`, with everything that acts in the state: gravity, velocity terms,
    springs, strain, drives, forces, laws and contacts that touch, the integrated states of the last two included; on
    the constraints where there are any, with the stiffness that the forces in the loops make. Stops
    and dry friction of joints count with the stiffness that they have there. A state that is no equilibrium is taken as
    it stands.
    """
    found = modes(tangent(model, state, None, hold, controller))
    if found.undecided:
        warn(f"{model.name}: {hidden(found)}", ModesWarning)
    return found


def hidden(found: Frequencies) -> str:
    """What to say of motions that cannot be told."""
    count = len(found.undecided)
    names = ", ".join(f'"{name}"' for name in found.undecided[0])
    more = f" and {count - 1} more" if count > 1 else ""
    return (
        f"a motion along {names}{more} deforms bodies and has no more stiffness than rounding leaves: whether it is "
        "free, slow or unstable cannot be told; give fewer elements, stiffnesses that are less far apart, or what "
        "holds a slack line (EI, a pretension)"
    )


def resting_frequencies(model: Model, q: np.ndarray, time: float = 0.0) -> Frequencies:
    """Modes of the mechanism at rest in a configuration, without laws and contacts.

    Of M u' + C u + K x = 0, C and K by central differences of `model.bias`, which a run has compiled or compiles in a
    moment, where the analytical derivatives behind `frequencies` take a minute when they are cold. Strain and springs
    are linear, so that the differences cost no digits that a table shows. With constraints it is `frequencies`. Shapes
    are in the directions of `names`, those of free joints in body axes.
    """
    if constrained(model):
        return frequencies(model, model.state(q=q, time=time))
    from ..displacement import moved_along

    n, step = model.nv, 1e-4
    K, C, rest = np.empty((n, n)), np.empty((n, n)), np.zeros(n)

    def bias(q: np.ndarray, v: np.ndarray) -> np.ndarray:
        return model.bias(model.state(q, v, time=time))

    for k in range(n):
        up, down = moved_along(model, q, k, step), moved_along(model, q, k, -step)
        K[:, k] = (bias(up, rest) - bias(down, rest)) / (2.0 * step)
        unit = np.eye(n)[k] * step
        C[:, k] = (bias(q, unit) - bias(q, -unit)) / (2.0 * step)
    found = of_matrices(model.mass_matrix(q), C, K, model.names.v)
    # differences do not know slow from free: no more is free than joints can move
    inside = internal_entries(model)
    hidden = found.rigid - (n - len(inside))
    if hidden <= 0:
        return found
    names = tuple(model.names.v[k] for k in sorted(inside)[:1])
    return replace(found, rigid=n - len(inside), undecided=(names,) * hidden)


def of_matrices(M: np.ndarray, C: np.ndarray, K: np.ndarray, names: tuple[str, ...]) -> Frequencies:
    """Frequencies of M x'' + C x' + K x = 0, with names of the entries of x."""
    from types import SimpleNamespace

    direct = _mechanical(SimpleNamespace(M=M, K=K, C=C, G=np.zeros_like(K)))  # type: ignore[arg-type]
    values, shapes, rigid = direct.values, direct.shapes, direct.rigid
    order = np.argsort(np.abs(values), kind="stable")
    rad = np.abs(values[order])
    return Frequencies(
        rad=rad,
        damping=0.0 - values[order].real / rad,
        shapes=shapes[:, order],
        eigenvalues=values[order],
        names=names,
        rigid=rigid,
    )


def modes(linear: Tangent) -> Frequencies:
    """Frequencies of first-order equations."""
    for matrix in (linear.K, linear.C, linear.M, linear.E, linear.Zx, linear.Zv, linear.Zz):
        if not np.all(np.isfinite(matrix)):
            raise ModelError.at("state", "its dynamics are not finite numbers; give finite coordinates and velocities")
    solve_mass(linear, np.zeros((len(linear.free), 0)))
    if len(linear.placed) != len(linear.free):
        direct = _rolling(linear)
    else:
        direct = _with_states(linear) if len(linear.chosen) else _mechanical(linear)
    found = distinguished(linear, direct)
    shapes = found.shapes if found.shapes is direct.shapes else _unit(linear, found.shapes)
    order = np.argsort(np.abs(found.values), kind="stable")
    values = found.values[order]
    rad = np.abs(values)
    about = State(linear.point.time, linear.point.q.copy(), linear.point.v.copy())
    names = linear.model.names.v
    undecided = tuple(_most(linear, one, names) for one in found.undecided.T)
    return Frequencies(
        rad=rad,
        damping=0.0 - values.real / rad,
        shapes=linear.X @ shapes[:, order],
        eigenvalues=values,
        names=names,
        rigid=found.rigid,
        model=linear.model,
        state=about,
        undecided=undecided,
        noise=found.noise[order],
    )


def _unit(linear: Tangent, shapes: np.ndarray) -> np.ndarray:
    """Shapes (nx, modes) of unit modal mass, their largest entry real and positive."""
    X = linear.V.T @ shapes if len(linear.placed) != len(linear.free) else shapes
    with np.errstate(invalid="ignore", divide="ignore"):
        shapes = shapes / np.sqrt(np.sum(np.abs(np.linalg.cholesky(linear.M).T @ X) ** 2, axis=0))
        if not shapes.size:
            return shapes
        largest = shapes[np.argmax(np.abs(shapes), axis=0), np.arange(shapes.shape[1])]
        shapes = shapes * (np.abs(largest) / largest)
    return shapes.real if np.all(np.abs(shapes.imag) == 0.0) else shapes


def _most(linear: Tangent, shape: np.ndarray, names: tuple[str, ...]) -> tuple[str, ...]:
    """Velocities with most of the kinetic energy of a displacement (nx,)."""
    whole = linear.X @ shape
    mass = np.zeros(len(names))
    mass[linear.free] = np.diag(linear.M)
    part = np.abs(whole) * np.sqrt(np.where(mass > 0.0, mass, np.max(mass)))
    return tuple(names[k] for k in np.argsort(-part)[:3] if part[k] > 0.3 * np.max(part) > 0.0)


def _mechanical(linear: Tangent) -> Direct:
    """Modes of x' = u + G x, M u' + C u + K x = 0."""
    from scipy.linalg import eig, eigh, solve_triangular

    K, C, G = linear.K, linear.C, linear.G
    n = len(K)
    if n == 0:
        return Direct(np.zeros(0, complex), np.zeros((0, 0)), 0, np.zeros(0), 0.0)
    L = np.linalg.cholesky(linear.M)

    def weighed(A: np.ndarray) -> np.ndarray:
        return solve_triangular(L, solve_triangular(L, A, lower=True).T, lower=True).T

    K, C = weighed(K), weighed(C)
    G = L.T @ solve_triangular(L, G.T, lower=True).T
    fastest = max(np.sqrt(np.linalg.norm(K, 2)), np.linalg.norm(C, 2), np.linalg.norm(G, 2))
    nothing = NOTHING * max(fastest, 1.0)
    if np.max(np.abs(C)) <= NOTHING * fastest and not np.any(G):
        if np.max(np.abs(K - K.T)) <= NOTHING * fastest**2:
            squares, X = eigh(0.5 * (K + K.T))
            keep = squares > nothing**2
            # beside a slow motion, what is little damping or little of a follower force may be much
            slowest = np.sqrt(np.min(squares[keep], initial=fastest**2))
            damps = np.max(np.abs(C)) > NOTHING * slowest
            follows = np.max(np.abs(K - K.T)) > max(NOTHING * slowest**2, ROUNDED * fastest**2)
            if np.all(squares > -(nothing**2)) and not damps and not follows:
                every = np.repeat(np.sqrt(np.abs(squares)), 2)
                return Direct(1j * np.sqrt(squares[keep]), _turned(L, X[:, keep]), int(np.sum(~keep)), every, nothing)
    scale = max(fastest, 1.0)
    A = np.block([[G / scale, np.eye(n)], [-K / scale**2, -C / scale]])
    values, X = eig(A)
    values = scale * values
    keep = (np.abs(values) > nothing) & (values.imag >= 0.0)
    still = np.linalg.svd(K - C @ G, compute_uv=False) <= nothing**2
    return Direct(values[keep], _turned(L, X[:n, keep]), int(np.sum(still)), np.abs(values), nothing)


def _with_states(linear: Tangent) -> Direct:
    """The same with internal states w. A displacement that bristles would follow, and so oppose, is not free: free are
    those x that with some w make no force and no rate, and none as w follows them, E Z_v x = 0."""
    from scipy.linalg import eig, solve_triangular

    n, nz = len(linear.free), len(linear.chosen)
    L = np.linalg.cholesky(linear.M) if n else np.zeros((0, 0))

    def left(A: np.ndarray) -> np.ndarray:
        return solve_triangular(L, A, lower=True) if n else A

    def right(A: np.ndarray) -> np.ndarray:
        return left(A.T).T

    K, C, G, E = left(right(linear.K)), left(right(linear.C)), L.T @ right(linear.G), left(linear.E)
    Zx, Zv, Zz = right(linear.Zx), right(linear.Zv), linear.Zz
    follow = E @ Zv
    sizes = [np.sqrt(_norm(K)), np.sqrt(_norm(follow)), _norm(C), _norm(G), _norm(Zz), 1.0]
    fastest = max(sizes)
    # w in units in which it pushes, or moves, as x does
    unit = np.linalg.norm(np.vstack([E / fastest**2, Zz / fastest]), axis=0)
    unit = 1.0 / np.where(unit > 0.0, unit, 1.0)
    E, Zx, Zv, Zz = E * unit, Zx / unit[:, None], Zv / unit[:, None], Zz * unit / unit[:, None]
    A = np.block(
        [
            [G / fastest, np.eye(n), np.zeros((n, nz))],
            [-K / fastest**2, -C / fastest, E / fastest**2],
            [Zx / fastest, Zv, Zz / fastest],
        ]
    )
    values, X = eig(A)
    values = fastest * values
    keep = (np.abs(values) > NOTHING * fastest) & (values.imag >= 0.0)
    rate = np.hstack([Zx - Zv @ G, Zz]) / fastest
    size = np.linalg.norm(np.hstack([rate, Zv]), axis=1, keepdims=True)
    push = np.hstack([K - C @ G, -E]) / fastest**2
    held = np.hstack([follow, np.zeros((n, nz))]) / fastest**2
    whole = np.vstack([push, rate / np.where(size > 0.0, size, 1.0), held])
    rigid = _nullity(whole) - _nullity(whole[:, n:])
    return Direct(values[keep], _turned(L, X[:n, keep]), rigid, np.abs(values), NOTHING * fastest)


def _rolling(linear: Tangent) -> Direct:
    """The same where constraints bind velocities and leave displacements: places that it can stay in are free."""
    from scipy.linalg import eig

    A = linear.first_order
    nx, n = len(linear.placed), len(linear.free)
    values, X = eig(A)
    nothing = NOTHING * max(1.0, float(np.max(np.abs(values), initial=0.0)))
    keep = (np.abs(values) > nothing) & (values.imag >= 0.0)
    shapes = X[:nx, keep]
    modal = np.sqrt(
        np.maximum(np.sum(np.abs(np.linalg.cholesky(linear.M).T @ (linear.V.T @ shapes)) ** 2, axis=0), 1e-300)
    )
    shapes = shapes / modal
    if shapes.size:
        largest = shapes[np.argmax(np.abs(shapes), axis=0), np.arange(shapes.shape[1])]
        shapes = shapes * (np.abs(largest) / largest)
    still = np.linalg.svd(np.vstack([linear.K, linear.Zx]), compute_uv=False) <= nothing**2
    return Direct(values[keep], shapes, nx - n + int(np.sum(still)), np.abs(values), nothing)


def _norm(A: np.ndarray) -> float:
    return float(np.linalg.norm(A, 2)) if A.size else 0.0


def _nullity(A: np.ndarray) -> int:
    """Dimension of the null space; what differences leave of a zero counts as zero."""
    return A.shape[1] - int(np.sum(np.linalg.svd(A, compute_uv=False) > DIFFERENCES)) if A.size else A.shape[1]


def _turned(L: np.ndarray, X: np.ndarray) -> np.ndarray:
    """Shapes in the model's own coordinates, of unit modal mass, their largest entry real and positive."""
    from scipy.linalg import solve_triangular

    with np.errstate(invalid="ignore", divide="ignore"):
        shapes = solve_triangular(L, X / np.linalg.norm(X, axis=0), lower=True, trans="T", check_finite=False)
        if not shapes.size:
            return shapes
        largest = shapes[np.argmax(np.abs(shapes), axis=0), np.arange(shapes.shape[1])]
        return shapes * (np.abs(largest) / largest)
