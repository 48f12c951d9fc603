"""Inverse dynamics in identification form: efforts are linear in the inertial numbers of rigid bodies.

    tau = Y(q, v, a) p + rest,    p of a body = (m, m c, I about its origin), ten numbers in its own axes,

the rest being all that does not depend on these: springs, drives, forces, flexible bodies. The columns of Y come from
the compiled recursion itself, which is linear in the tables that it reads: body after body gets a unit of each number
and no other body any mass (Atkeson, An & Hollerbach 1986; Khalil & Dombre 2002, 12.3).

Not all numbers matter: those that never do, and those that do only together, are found by orthogonalising the columns
of Y at many random states (Gautier 1991, J. Robotic Systems 8(4)). What is left are the *base parameters*, sums

    b = p_1 + B p_2,    Y p = Y_1 b.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...basics.errors import ModelError
from ...basics.types import ByName, OneOrManyStates
from ...basics.values import random_from
from ...compile.tree_tables import Tree
from ...compile.variation import described_system
from ...kernels.kind_registry import RIGID
from ...kernels.tree.tree_rows import BodyParameters
from ...model.model import Model

WORDS = ("mass", "moment.x", "moment.y", "moment.z") + tuple(
    f"inertia_about_origin.{ij}" for ij in ("xx", "yy", "zz", "xy", "xz", "yz")
)
"""The ten numbers of a body, as they follow in its column."""
BODY = BodyParameters.columns
TABLE = tuple(np.r_[BODY.mass, BODY.first_moment, BODY.inertia].tolist())
"""Where they stand in the table of bodies, in kernel axes."""
RANK = 1e-9
"""Size of a column, over the largest, below which nothing depends on it."""
ALONE = 1e-7
"""Part of a column that others do not have, over all of it, below which it depends on them."""
SAMPLES = 60
"""Random states at which dependences are looked for."""


@dataclass(frozen=True, eq=False)
class Regressor:
    """Efforts as a linear function of inertial numbers.

    matrix    (nv, p), or (N, nv, p) of many states
    rest      (nv,) or (N, nv), efforts that do not depend on them
    names     of the p columns: "link1.mass", "link1.moment.x" (mass times centre), "link1.inertia_about_origin.xx"
    """

    matrix: np.ndarray
    rest: np.ndarray
    names: tuple[str, ...]

    def efforts(self, values: np.ndarray) -> np.ndarray:
        """matrix @ values + rest."""
        return self.matrix @ values + self.rest


def rigid_bodies(model: Model) -> list[str]:
    """Names of the bodies whose ten numbers enter linearly."""
    return [name for i, name in enumerate(model.bodies) if model.arrays.tree.columns.kind[i + 1] == RIGID]


def inertial_numbers(model: Model) -> np.ndarray:
    """The numbers p of a model's rigid bodies, (10 a body,), in the order of the regressor's columns."""
    bodies = {item["body"]["name"]: item["body"] for item in model.description["bodies"]}
    out = []
    for name in rigid_bodies(model):
        m, c, I = bodies[name]["mass"], np.array(bodies[name]["com"]), np.array(bodies[name]["inertia"])
        about = I + m * (c @ c * np.eye(3) - np.outer(c, c))
        out += [m, *(m * c), *about[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]]
    return np.array(out)


def regressor(model: Model, state: OneOrManyStates, acceleration: ByName | None = None) -> Regressor:
    """Y and the rest of inverse dynamics at a state or many, with accelerations as `inverse_dynamics` takes them."""
    if model.in_orbit:
        raise ModelError.at("model", "in an orbit gravity is no linear function of inertial numbers")
    bodies = rigid_bodies(model)
    if not bodies:
        raise ModelError.at("model", "it has no rigid bodies")
    system = described_system(model)
    held = Tree(system).held
    data = np.array(model.arrays.bodies.array)
    rows = [model.bodies.index(name) + 1 for name in bodies]
    for row in rows:
        data[row, list(TABLE)] = 0.0
    rest = _with_data(model, data).inverse_dynamics(state, acceleration)
    columns = []
    for name, row in zip(bodies, rows, strict=True):
        axes = held[name]
        for k in range(10):
            numbers = np.zeros(10)
            numbers[k] = 1.0
            one = data.copy()
            one[row, list(TABLE)] = _in_kernel_axes(numbers, axes.rotation, axes.position)
            columns.append(_with_data(model, one).inverse_dynamics(state, acceleration) - rest)
    names = tuple(f"{name}.{word}" for name in bodies for word in WORDS)
    return Regressor(np.stack(columns, axis=-1), rest, names)


def _with_data(model: Model, data: np.ndarray) -> Model:
    """The model with another table of bodies; nothing else of it is looked at."""
    out = type(model).__new__(type(model))
    data.flags.writeable = False
    out.__setstate__(model.__getstate__() | {"arrays": model.arrays._replace(bodies=data)})
    return out


def _in_kernel_axes(numbers: np.ndarray, R: np.ndarray, r: np.ndarray) -> np.ndarray:
    """(m, m c, I) about the origin of a frame at r with axes R of a body's: I' = R' (I about r) R, all linear."""
    m, h = numbers[0], numbers[1:4]
    xx, yy, zz, xy, xz, yz = numbers[4:]
    about = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    # about r: I - 2 (h.r) + h r' + r h' + m (r.r - r r')
    about = (
        about - 2.0 * (h @ r) * np.eye(3) + np.outer(h, r) + np.outer(r, h) + m * (r @ r * np.eye(3) - np.outer(r, r))
    )
    turned = R.T @ about @ R
    return np.array([m, *(R.T @ (h - m * r)), *turned[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]])


@dataclass(frozen=True, eq=False)
class BaseParameters:
    """The combinations of inertial numbers on which efforts depend.

    matrix    (count, p): b = matrix @ p; a row has a 1 at its own number
    columns   (count,) numbers of the columns of the regressor that they belong to
    names     of all p inertial numbers
    """

    matrix: np.ndarray
    columns: np.ndarray
    names: tuple[str, ...]

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.columns)

    @property
    def unseen(self) -> tuple[str, ...]:
        """Numbers that no effort depends on."""
        return tuple(name for i, name in enumerate(self.names) if not np.any(np.abs(self.matrix[:, i]) > 1e-8))

    def expressions(self) -> tuple[str, ...]:
        """Each as text: "link1.moment.x + 0.4 link2.mass"."""
        out = []
        for row, own in zip(self.matrix, self.columns, strict=True):
            parts = [self.names[own]]
            for i in np.flatnonzero(np.abs(row) > 1e-8):
                if i != own:
                    size = "" if abs(abs(row[i]) - 1.0) < 1e-9 else f"{abs(row[i]):.6g} "
                    parts.append(f"{'-' if row[i] < 0 else '+'} {size}{self.names[i]}")
            out.append(" ".join(parts))
        return tuple(out)

    def estimate(
        self, found: Regressor, efforts: np.ndarray, noise: Sequence[float] | float | None = None
    ) -> BaseEstimate:
        """Their values from efforts (N, nv) at the states of a regressor, with errors; by weighted least squares.

        noise    standard deviation of the efforts, one or one a coordinate; None: estimated, coordinate by coordinate
        """
        tau = np.asarray(efforts, float) - found.rest
        if tau.shape != found.rest.shape or tau.ndim != 2:
            raise ModelError.at("efforts", f"shape {np.shape(efforts)}; give {found.rest.shape}, one row a state")
        Y = found.matrix[:, :, self.columns]
        nv = tau.shape[1]
        given = noise is not None
        spread = np.broadcast_to(1.0 if noise is None else np.asarray(noise, float), (nv,)).astype(float)
        samples, values = tau.size, np.zeros(self.count)
        if samples <= self.count:
            raise ModelError.at("efforts", f"{samples} numbers for {self.count} base parameters; give more samples")
        for _ in range(1 if given else 8):
            W = (Y / spread[:, None]).reshape(-1, self.count)
            size = np.linalg.norm(W, axis=0)
            if np.any(size == 0.0):
                lost = self.names[self.columns[int(np.argmin(size))]]
                raise ModelError.at(lost, "no sample shows it; take other motions")
            values = np.linalg.lstsq(W / size, (tau / spread).ravel(), rcond=None)[0] / size
            if not given:
                left = tau - Y @ values
                freedom = samples - self.count
                spread = np.sqrt(np.sum(left**2, axis=0) / (freedom / nv))
                spread = np.maximum(spread, 1e-12 * (1.0 + np.max(np.abs(tau), axis=0)))
        W = (Y / spread[:, None]).reshape(-1, self.count)
        size = np.linalg.norm(W, axis=0)
        s, Vt = np.linalg.svd(W / size, full_matrices=False)[1:]
        root = (Vt.T / s) / size[:, None]
        condition = float(s[0] / s[-1])
        return BaseEstimate(values, root @ root.T, spread, condition, self, samples - self.count, given)


@dataclass(frozen=True, eq=False)
class BaseEstimate:
    """Base parameters from efforts.

    values        (count,)
    covariance    (count, count)
    noise         (nv,) deviations of the efforts, given or estimated
    condition     of the scaled regressor: how evenly the samples show them
    """

    values: np.ndarray
    covariance: np.ndarray
    noise: np.ndarray
    condition: float
    base: BaseParameters
    freedom: int
    known: bool

    @property
    def errors(self) -> np.ndarray:
        """Standard errors (count,)."""
        return np.sqrt(np.diag(self.covariance))

    @property
    def intervals(self) -> np.ndarray:
        """95 % confidence intervals (count, 2)."""
        from scipy.stats import norm, t

        k = norm.ppf(0.975) if self.known else t.ppf(0.975, self.freedom)
        return np.stack([self.values - k * self.errors, self.values + k * self.errors], axis=1)

    def __str__(self) -> str:
        rows = zip(self.base.expressions(), self.values, self.errors, strict=True)
        return "\n".join(f"{value:<13.6g} +- {error:<9.2g} {words}" for words, value, error in rows)


def base_parameters(model: Model, seed: int = 0, samples: int = SAMPLES) -> BaseParameters:
    """The base parameters of a model's rigid bodies, from random states: nearly all others show the same."""
    from ...model.displacement import displaced

    rng = random_from(seed)
    states = []
    for _ in range(samples):
        q = displaced(model, model.neutral, rng.uniform(-2.0, 2.0, model.nv))
        states.append(model.state(q, rng.normal(size=model.nv)))
    found = regressor(model, states, rng.normal(size=(samples, model.nv)))
    return dependences(found)


def dependences(found: Regressor) -> BaseParameters:
    """The base parameters that a regressor at many states shows."""
    from scipy.linalg import qr, solve_triangular

    W = found.matrix.reshape(-1, len(found.names))
    size = np.linalg.norm(W, axis=0)
    largest = np.max(size)
    scaled = W / np.where(size > RANK * largest, size, 1.0)
    scaled[:, size <= RANK * largest] = 0.0
    # of columns that depend on each other moments and inertias are kept rather than masses, and the outer ones of these
    number = np.arange(scaled.shape[1])
    order = np.lexsort((-number, number % 10 == 0))
    own = order[_first_independent(scaled[:, order])]
    rest = np.setdiff1d(np.arange(scaled.shape[1]), own)
    Q, R = qr(scaled[:, own], mode="economic")
    B = solve_triangular(R, Q.T @ scaled[:, rest])
    matrix = np.zeros((len(own), scaled.shape[1]))
    matrix[np.arange(len(own)), own] = 1.0
    matrix[:, rest] = B * size[rest] / size[own][:, None]
    matrix[np.abs(matrix) < 1e-9] = 0.0
    back = np.argsort(own)
    return BaseParameters(matrix[back], own[back], found.names)


def _first_independent(W: np.ndarray) -> list[int]:
    """Columns that do not depend on those before them (Gram-Schmidt, twice)."""
    basis: list[np.ndarray] = []
    kept = []
    for i in range(W.shape[1]):
        x = W[:, i].copy()
        before = float(np.linalg.norm(x))
        for _ in range(2):
            for b in basis:
                x -= (b @ x) * b
        after = float(np.linalg.norm(x))
        if before > 0.0 and after > ALONE * before:
            basis.append(x / after)
            kept.append(i)
    return kept
