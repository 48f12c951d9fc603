"""`model.buckling`: by what factor a load must grow until the stiffness under it vanishes in some direction.

With s the factor, x(s) the equilibrium under s times the load, and K(s) the stiffness to first order there, everything
that acts included, the load is critical where K(s) phi = 0. Near a factor a the path is x(a) + (s - a) x_1 and

    (K(a) + (s - a) K_1) phi = 0,    K_1 = d K / d s along the path:

the geometric stiffness of the stresses that a unit of the load makes, whatever kind of body bears them, and that of the
load itself (Timoshenko & Gere 1961, ch. 2; Bathe 2014, section 6.8.2). Linear buckling takes a = 0, and is exact where
nothing deforms before it buckles; with `exact=True` the least factor is followed, a = s again and again, to where the
stiffness does vanish.

Where the load turns sections before they buckle, the directions in which a body is stiff turn with them, and a K_1 of
coordinates that do not turn takes that for a loss of stiffness, as large as EA is. So displacements are told by
rotations of the sections of beams and cables that are there, not of those that were. What is left of the curvature of
the path is judged: where half the second derivative of K by s would change the stiffness of a shape, from a to its
factor, by more than `CURVED` of itself, the factor is not known, and an error says so.
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
WIDE = 0.1
"""How far the curvature of the path is looked for, as a part of the least factor."""
CURVED = 0.15
"""Part of the stiffness of a shape that the curvature of the path may change."""
GONE = 0.5
"""Part of its stiffness without load that a shape may have at most where its factor was followed to."""


@dataclass(frozen=True, eq=False)
class Buckling:
    """Critical factors of a load, and how the model buckles.

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
        stated = ", ".join(f"{s:.6g}" for s in self.factors[:4]) + (", ..." if len(self.factors) > 4 else "")
        fate = "" if self.stable else "; not stable without it"
        return f"<Buckling under {', '.join(self.load)}: {stated or 'at no factor'}{fate}>"


def buckling(
    model: Model,
    state: State,
    load: str | Iterable[str] | None = None,
    hold: Iterable[str] = (),
    exact: bool = False,
    controller: Any = None,
) -> Buckling:
    """Factors by which a load must grow until an equilibrium buckles, and the shapes in which it does."""
    names = _named(model, load)
    path = _Path(model, state, names, tuple(hold), controller)
    about, least = 0.0, 0.0
    factors, shapes, point = path.critical(about)
    if not exact:
        path.judge(factors)
    for _ in range(30 * exact):
        ahead = factors[factors > about]
        if not len(ahead) or abs(float(np.min(ahead)) - least) <= CLOSE * least:
            break
        # never onto the critical point itself, where equilibria branch off
        least = float(np.min(ahead))
        about += 0.9 * (least - about)
        factors, shapes, point = path.critical(about)
    else:
        if exact:
            raise _unknown(names, least, "following it does not come to an end")
    if exact and about > 0.0:
        path.judge_followed(factors, about)
    order = np.argsort(np.where(factors > 0.0, factors, np.inf))[: int(np.sum(factors > 0.0))]
    opposite = np.sort(-factors[factors < 0.0])
    return Buckling(
        factors=factors[order],
        shapes=shapes[:, order],
        reversed=opposite,
        stable=path.stable,
        names=model.names.v,
        load=names,
        state=point,
    )


def _unknown(names: tuple[str, ...], factor: float, why: str) -> ModelError:
    return ModelError.at(
        "buckling",
        f"the critical factor of {', '.join(names)} is not known: near {factor:.4g} {why}, since the load deforms or "
        "turns what bears it too far before that; let the load grow, each model.equilibrium from the one before, until "
        "it is no longer `stable`",
    )


def _named(model: Model, load: str | Iterable[str] | None) -> tuple[str, ...]:
    """What is to grow: "gravity" and names of constant forces; all of them where none are named."""
    known = _constant(model)
    if np.any(tuple(model.arrays.orbit.gravity)) and not model.in_orbit:
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
    loads, gravity = model.arrays.constant_loads.array.copy(), model.arrays.orbit.numbers.copy()
    for i, name in enumerate(_constant(model)):
        if name in names:
            loads[i] *= factor
    if "gravity" in names:
        gravity[:3] *= factor
    loads.flags.writeable = gravity.flags.writeable = False
    return model.with_arrays(model.arrays._replace(constant_loads=loads, orbit=gravity))


class _Path:
    """Equilibria under a growing load, each found from the one before."""

    def __init__(
        self, model: Model, state: State, names: tuple[str, ...], hold: tuple[str, ...], controller: Any
    ) -> None:
        self.model, self.names, self.hold, self.controller = model, names, hold, controller
        self.state = state
        self.independent: tuple[str, ...] | None = None
        self.stable = True
        self.own: tuple[np.ndarray, np.ndarray, np.ndarray] | None = None
        self.first: np.ndarray | None = None

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
        here = turning(model, middle)
        M, K = here.T @ middle.M @ here, here.T @ middle.K @ here
        self.first = K if self.first is None else self.first
        found, own = np.zeros(0), np.zeros((len(K), 0))
        for _ in range(2):
            K1 = (self._stiffness(about + reach) - self._stiffness(about - reach)) / (2.0 * reach)
            found, own = _vanishing(M, K, K1)
            if not len(found) or reach == 1.0:
                break
            reach = PART * float(np.min(np.abs(found)))
        self.own = K, found, own
        whole = middle.X @ here @ own
        whole = whole / whole[np.argmax(np.abs(whole), axis=0), np.arange(whole.shape[1])]
        return about + found, whole, self.state

    def _stiffness(self, factor: float) -> np.ndarray:
        """That of displacements told by rotations of the sections as they are."""
        near = self.at(factor)
        turned = turning(self.model, near)
        return np.asarray(turned.T @ near.K @ turned)

    def judge(self, factors: np.ndarray) -> None:
        """An error where the least factors are not those of a path that is straight."""
        assert self.own is not None
        K, found, own = self.own
        if not len(found):
            return
        least = float(np.min(np.abs(found)))
        step = WIDE * least
        try:
            K2 = (self._stiffness(step) + self._stiffness(-step) - 2.0 * K) / step**2
        except ModelError:
            raise _unknown(self.names, least, "no equilibrium is found under a tenth of it") from None
        for k in np.flatnonzero(np.abs(found) <= 1.5 * least):
            x = own[:, k]
            if abs(0.5 * (x @ K2 @ x) * found[k] ** 2) > CURVED * abs(x @ K @ x):
                raise _unknown(self.names, float(found[k]), "the stiffness does not fall along with the load")

    def judge_followed(self, factors: np.ndarray, about: float) -> None:
        """An error where the stiffness is not gone where the least factor was followed to."""
        assert self.own is not None and self.first is not None
        K, found, own = self.own
        ahead = np.flatnonzero(found > 0.0)
        if len(ahead):
            k = ahead[np.argmin(found[ahead])]
            x = own[:, k]
            if abs(x @ K @ x) > GONE * abs(x @ self.first @ x):
                raise _unknown(self.names, about + float(found[k]), "the stiffness is still there")

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


def turning(model: Model, near: Tangent) -> np.ndarray:
    """Displacements of the entries of `near` (n, n) for unit rotations of the sections of beams and cables, for their
    strains, and for units of all other entries: gradients along d turn by e x d, as they are in the state."""
    from ..bodies import body_of

    out = np.eye(len(near.free))
    place = {int(k): i for i, k in enumerate(near.free)}
    for i in model.arrays.flexible if model.features & {"cable", "rod"} else ():
        body: Any = body_of(model, model.bodies[i - 1])
        if body is None or body.kind not in ("cable", "nodal-beam"):
            continue
        names = body.coordinate_names()
        e = near.point.q[[model.index.q[name] for name in names]]
        vectors = body.nodal.nodes + np.asarray(body.nodal.shapes @ e).reshape(-1, 3)
        entries = dict(zip(body.internal, (model.index.v[name] for name in names), strict=True))
        every = ("_dy", "_dz") if body.kind == "nodal-beam" else ("",)
        width = len(every) + 1
        for node in range(len(vectors) // width):
            words = [f"{a}{one}[{node}]" for one in every for a in "xyz"]
            if body.kind == "cable":
                words = [f"d{one}" for one in words]
            at = [place.get(entries.get(word, -1), -1) for word in words]
            if min(at) >= 0:
                own = vectors[width * node + 1 : width * node + width]
                own = own / np.linalg.norm(own, axis=1)[:, None]  # what is only stretched has not turned
                out[np.ix_(at, at)] = _of_triad(*own) if width == 3 else _of_gradient(own[0], body.nodal.nodes[1])
    return out


def _of_triad(d: np.ndarray, e: np.ndarray) -> np.ndarray:
    """Changes (6, 6) of two gradients across a beam by three rotations, two stretches and a shear of its section."""
    out = np.zeros((6, 6))
    for k, axis in enumerate(np.eye(3)):
        out[:3, k], out[3:, k] = np.cross(axis, d), np.cross(axis, e)
    out[:3, 3], out[3:, 4] = d, e
    out[:3, 5], out[3:, 5] = e, d
    return out


def _of_gradient(d: np.ndarray, first: np.ndarray) -> np.ndarray:
    """Changes (3, 3) of the gradient of a cable by two rotations across it as it was without load, and its stretch."""
    ways = np.linalg.svd(first[None])[2][1:]
    return np.column_stack([np.cross(ways[0], d), np.cross(ways[1], d), d])


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
