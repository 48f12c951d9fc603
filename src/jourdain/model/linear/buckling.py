"""`model.buckling`: by what factor a load must grow until the stiffness under it vanishes in some direction.

With s the factor, x(s) the equilibrium under s times the load, and K(s) the stiffness to first order there, everything
that acts included, the load is critical where K(s) phi = 0. Near a factor a the path is x(a) + (s - a) x_1 and

    (K(a) + (s - a) K_1) phi = 0,    K_1 = d K / d s along the path:

the geometric stiffness of the stresses that a unit of the load makes, whatever kind of body bears them, and that of the
load itself (Timoshenko & Gere 1961, ch. 2; Bathe 2014, section 6.8.2). Linear buckling takes a = 0, and is exact where
nothing deforms before it buckles; with `exact=True` the least factor is followed, a = s again and again, to where the
stiffness does vanish.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ...basics.errors import ModelError
from ...basics.values import shown, suggestion
from .equilibrium import equilibrium
from .tangent import Tangent, tangent

if TYPE_CHECKING:
    from ..model import Model
    from ..state import State

NOTHING = 1e-9
"""Singular values over the largest that count as zero, and imaginary parts of factors."""
SMALL = 1e-6
"""How far the first look along the path moves a coordinate, in its own unit."""
PART = 1e-2
"""How far the second look goes, as a part of the least factor."""
CLOSE = 1e-7
"""Change of the factor, over the factor, at which following it ends."""


@dataclass(frozen=True, eq=False)
class Buckling:
    """Critical factors of a load, and how the model gives way.

    factors     by which the load must grow, the least first (modes,)
    shapes      (nv, modes), displacements in the directions of `names`, the largest entry 1
    reversed    factors of the opposite load, the least first
    stable      whether the stiffness without the load is nowhere negative; if not, the model has given way already
    names       of the velocities
    load        what was made to grow
    state       about which: the equilibrium without the load, or near the critical one where that was followed
    """

    factors: np.ndarray
    shapes: np.ndarray
    reversed: np.ndarray
    stable: bool
    names: tuple[str, ...]
    load: tuple[str, ...]
    state: State = field(repr=False)

    def __repr__(self) -> str:
        told = ", ".join(f"{s:.6g}" for s in self.factors[:4]) + (", ..." if len(self.factors) > 4 else "")
        fate = "" if self.stable else "; not stable without it"
        return f"<Buckling under {', '.join(self.load)}: {told or 'at no factor'}{fate}>"


def buckling(
    model: Model,
    state: State,
    load: str | Iterable[str] | None = None,
    hold: Iterable[str] = (),
    exact: bool = False,
    controller: Any = None,
) -> Buckling:
    """Factors by which a load must grow until an equilibrium gives way, and the shapes in which it does."""
    names = _named(model, load)
    path = _Path(model, state, names, tuple(hold), controller)
    about, least = 0.0, 0.0
    factors, shapes, point = path.critical(about)
    for _ in range(30 * exact):
        ahead = factors[factors > about]
        if not len(ahead) or abs(float(np.min(ahead)) - least) <= CLOSE * least:
            break
        # never onto the critical point itself, where equilibria branch off
        least = float(np.min(ahead))
        about += 0.9 * (least - about)
        factors, shapes, point = path.critical(about)
    order = np.argsort(np.where(factors > 0.0, factors, np.inf))[: int(np.sum(factors > 0.0))]
    opposite = np.sort(-factors[factors < 0.0])
    return Buckling(factors[order], shapes[:, order], opposite, path.stable, model.names.v, names, point)


def _named(model: Model, load: str | Iterable[str] | None) -> tuple[str, ...]:
    """What is to grow: "gravity" and names of constant forces; all of them where none are named."""
    known = _constant(model)
    if np.any(model.arrays.gravity[:3]) and not model.in_orbit:
        known = ("gravity", *known)
    if load is None:
        if not known:
            raise ModelError.at("buckling", "this model has neither gravity nor constant forces; add what is to grow")
        return known
    names = (load,) if isinstance(load, str) else tuple(load)
    for name in names:
        if name not in known:
            raise ModelError.at(
                "load", f"got {shown(name)}, no constant load of this model; {suggestion(str(name), known)}"
            )
    return names


def _constant(model: Model) -> tuple[str, ...]:
    """Names of the constant forces, in the order of their rows."""
    laws = {force.name for force in model.law_forces} | set(model.absent_forces)
    return tuple(str(one["name"]) for one in model.description["forces"] if one["name"] not in laws)


def _loaded(model: Model, names: tuple[str, ...], factor: float) -> Model:
    """The model under a factor times these loads, for its equations only: its description stays that of the load."""
    loads, gravity = model.arrays.loads.copy(), model.arrays.gravity.copy()
    for i, name in enumerate(_constant(model)):
        if name in names:
            loads[i] *= factor
    if "gravity" in names:
        gravity[:3] *= factor
    loads.flags.writeable = gravity.flags.writeable = False
    return model.with_arrays(model.arrays._replace(loads=loads, gravity=gravity))


class _Path:
    """Equilibria under a growing load, each found from the one before."""

    def __init__(
        self, model: Model, state: State, names: tuple[str, ...], hold: tuple[str, ...], controller: Any
    ) -> None:
        self.model, self.names, self.hold, self.controller = model, names, hold, controller
        self.state = state
        self.independent: tuple[str, ...] | None = None
        self.stable = True

    def at(self, factor: float) -> Tangent:
        """The equations to first order in the equilibrium under a factor times the load."""
        model = _loaded(self.model, self.names, factor)
        rest = equilibrium(model, self.state, None, self.hold, None, self.controller)
        near = tangent(model, rest.state, rest.effort, self.hold, self.controller, independent=self.independent)
        if len(near.chosen):
            raise ModelError.at("buckling", "knows no laws and contacts with states of their own; take them out")
        if len(near.placed) != len(near.free):
            raise ModelError.at("buckling", "knows no constraints of velocities alone; take them out")
        return near

    def critical(self, about: float) -> tuple[np.ndarray, np.ndarray, State]:
        """Real factors, shapes (nv, factors), and the state that they were looked for from."""
        middle = self.at(about)
        model = self.model
        self.state = middle.applied.state(middle.point)
        if model.constraint_names:
            self.independent = tuple(model.names.v[k] for k in middle.free)
        if about == 0.0:
            soft = np.linalg.eigvalsh(_by_mass(middle.M, 0.5 * (middle.K + middle.K.T)))
            self.stable = bool(np.all(soft >= -NOTHING * np.max(np.abs(soft), initial=0.0)))
        reach = self._reach(middle, about)
        found = np.zeros(0)
        for _ in range(2):
            up, down = self.at(about + reach), self.at(about - reach)
            K1 = (up.K - down.K) / (2.0 * reach)
            found, shapes = _vanishing(middle.M, middle.K, K1)
            if not len(found) or reach == 1.0:
                break
            reach = PART * float(np.min(np.abs(found)))
        whole = middle.X @ shapes
        whole = whole / whole[np.argmax(np.abs(whole), axis=0), np.arange(whole.shape[1])]
        return about + found, whole, self.state

    def _reach(self, middle: Tangent, about: float) -> float:
        """A change of the factor under which coordinates move by little, by the forces that it leaves unbalanced."""
        trial = tangent(
            _loaded(self.model, self.names, about + 1.0), self.state, middle.effort, self.hold, self.controller,
            independent=self.independent,
        )  # fmt: skip
        pushed = middle.M @ np.linalg.lstsq(middle.W, trial.acceleration, rcond=None)[0]
        L = np.linalg.cholesky(middle.M)
        answer = np.linalg.lstsq(_by_mass(middle.M, middle.K), np.linalg.solve(L, pushed), rcond=NOTHING)[0]
        moved = float(np.max(np.abs(middle.X @ np.linalg.solve(L.T, answer)), initial=0.0))
        return SMALL / moved if moved > SMALL else 1.0


def _vanishing(M: np.ndarray, K: np.ndarray, K1: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Real s other than zero, and phi (n, factors), of (K + s K1) phi = 0, in units of mass.

    Directions that neither stiffness knows are taken out; one that only the load holds or pushes, as the turning of a
    body that is free to turn, is s = 0 and no answer.
    """
    from scipy.linalg import eig

    n = len(K)
    if n == 0:
        return np.zeros(0), np.zeros((0, 0))
    L = np.linalg.cholesky(M)
    A, B = _by_mass(M, K), _by_mass(M, K1)
    a, b = np.linalg.norm(A, 2), np.linalg.norm(B, 2)
    if b <= NOTHING * NOTHING * a:
        return np.zeros(0), np.zeros((n, 0))
    left, right = _known(np.hstack([A / a, B / b]).T), _known(np.vstack([A / a, B / b]))
    if left.shape != right.shape:
        raise ModelError.at("buckling", "forces and stiffness leave different motions free; hold what drifts")
    A, B = left.T @ A @ right, left.T @ B @ right
    # by (A + c B)^-1 B, with c where A + c B is not singular: the least factors are the largest eigenvalues
    shift = 0.0 if np.linalg.cond(A) < 1e12 else -1e-3 * a / b
    values, vectors = eig(np.linalg.solve(A + shift * B, B))
    with np.errstate(divide="ignore", invalid="ignore"):
        factors = np.where(values == 0.0, np.inf, shift - 1.0 / values)
    size = np.abs(factors)
    kept = (size < 1e12 * a / b) & (np.abs(factors.imag) < 1e-7 * size) & (size > 1e-7 * np.abs(shift) + 1e-300)
    order = np.argsort(np.where(kept, size, np.inf))[: int(np.sum(kept))]
    return factors[order].real, np.linalg.solve(L.T, right @ vectors[:, order].real)


def _by_mass(M: np.ndarray, A: np.ndarray) -> np.ndarray:
    """L^-1 A L^-T with M = L L^T: a stiffness in units of mass."""
    L = np.linalg.cholesky(M)
    return np.linalg.solve(L, np.linalg.solve(L, A).T).T


def _known(A: np.ndarray) -> np.ndarray:
    """Orthonormal directions (n, rank) that a matrix (any, n) does not send to zero."""
    _, size, V = np.linalg.svd(A)
    return V[: int(np.sum(size > NOTHING * size[0]))].T
