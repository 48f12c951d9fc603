"""Tables of poses over one or two inputs, and the splines through them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ...basics.arguments import checked
from ...basics.errors import ModelError, Problem
from ...basics.fields import Described
from ...basics.values import as_array, shown
from .joint import Joint

LEAST = 4
"""Values of an input at least: the fewest that a cubic spline goes through."""
CHANNELS = 7
"""Position and quaternion."""


@checked
@dataclass(frozen=True, eq=False)
class PoseTable(Described):
    """Poses over a grid of one or two inputs, joined by cubic splines (tensor products of two), twice differentiable.

    Ends of the splines are "not a knot": cubic polynomials are met exactly. Beyond the grid the last piece goes on.

    grids       increasing values of each input, 4 at least: ``(z1,)`` or ``(z1, z2)``, each (n,) [m or rad]
    position    of the frame, (n1, 3) or (n1, n2, 3) [m]
    rotation    its quaternion (w, x, y, z), (n1, 4) or (n1, n2, 4); only directions count, and where neighbours have
                opposite signs one of them is turned round
    compliance  how the frame yields to a wrench on it: a matrix (6, 6), or one at each point of the grid, (n1, 6, 6)
                or (n1, n2, 6, 6); rows: small rotation [rad], displacement [m], columns: moment [N m] about the
                frame, force [N], all in the axes of the table. None for a frame that does not
    """

    grids: Sequence[ArrayLike]
    position: ArrayLike
    rotation: ArrayLike
    compliance: ArrayLike | None = None
    optional_fields: ClassVar[tuple[str, ...]] = ("compliance",)

    def __post_init__(self) -> None:
        put = object.__setattr__
        if isinstance(self.grids, str) or not isinstance(self.grids, Sequence) or len(self.grids) not in (1, 2):
            raise ModelError.at("table: grids", f"got {shown(self.grids)}; give the values of one or two inputs")
        grids = tuple(_frozen(one, f"table: grids[{i}]") for i, one in enumerate(self.grids))
        for i, one in enumerate(grids):
            if one.ndim != 1 or len(one) < LEAST or not np.all(np.diff(one) > 0.0) or not np.all(np.isfinite(one)):
                raise ModelError.at(
                    f"table: grids[{i}]",
                    f"has the shape {one.shape}; give {LEAST} values at least, finite and increasing: "
                    "a joint needs two continuous derivatives, which straight lines between values have not",
                )
        sizes = tuple(len(one) for one in grids)
        position, rotation = _frozen(self.position, "table: position"), _frozen(self.rotation, "table: rotation")
        for what, given, last in (("position", position, 3), ("rotation", rotation, 4)):
            if given.shape != (*sizes, last) or not np.all(np.isfinite(given)):
                raise ModelError.at(
                    f"table: {what}", f"has the shape {given.shape}; give finite numbers of the shape {(*sizes, last)}"
                )
        if np.any(np.linalg.norm(rotation, axis=-1) < 1e-3):
            raise ModelError.at("table: rotation", "has a quaternion of length nearly 0; give (w, x, y, z)")
        rotation = _of_one_sign(rotation)
        put(self, "grids", grids)
        put(self, "position", position)
        put(self, "rotation", rotation)
        put(self, "compliance", None if self.compliance is None else _compliance(self.compliance, sizes))

    def described_value(self, name: str) -> Any:
        value = super().described_value(name)
        return value.tolist() if name == "compliance" and value is not None else value

    @property
    def gives(self) -> bool:
        """Whether the frame yields to a wrench on it."""
        return self.compliance is not None

    @property
    def inputs(self) -> int:
        """How many inputs it has, 1 or 2."""
        return len(self.grids)

    @cached_property
    def _splines(self) -> tuple[list[np.ndarray], list[np.ndarray], np.ndarray]:
        """Of each input where pieces begin and end, and the pieces of its basis (pieces, 4, 4), rising powers of the
        way from where a piece begins; coefficients (1 + layers, n1, n2, 7), a layer for each entry of a wrench."""
        from scipy.interpolate import BSpline, make_interp_spline

        c = np.stack([np.concatenate([self.position, self.rotation], axis=-1), *self._layers()], axis=-2)
        breaks, pieces = [], []
        for axis, x in enumerate(np.asarray(one) for one in self.grids):
            spline, n = make_interp_spline(x, np.moveaxis(c, axis, 0), k=3), len(x)
            c, t = np.moveaxis(spline.c, 0, axis), spline.t
            every = BSpline(t, np.eye(n), 3)
            powers = [every(t[3:n], m) / f for m, f in enumerate((1.0, 1.0, 2.0, 6.0))]  # (power, piece, basis)
            breaks.append(t[3 : n + 1])
            pieces.append(np.array([[one[j, j : j + 4] for one in powers] for j in range(n - 3)]).transpose(0, 2, 1))
        return breaks, pieces, np.moveaxis(c.reshape(len(c), -1, *c.shape[-2:]), 2, 0)

    def _layers(self) -> list[np.ndarray]:
        """What a unit of each entry of a wrench adds to position and quaternion: for a small rotation t it is
        (0, t) Q / 2, which is across Q, so that its length changes in the second order."""
        if self.compliance is None:
            return []
        C, Q = np.asarray(self.compliance), np.asarray(self.rotation)
        out = []
        for j in range(C.shape[-1]):
            turn = np.broadcast_to(C[..., :3, j], (*Q.shape[:-1], 3))
            w = -np.sum(turn * Q[..., 1:], axis=-1, keepdims=True)
            xyz = turn * Q[..., :1] + np.cross(turn, Q[..., 1:])
            shift = np.broadcast_to(C[..., 3:, j], turn.shape)
            out.append(np.concatenate([shift, 0.5 * w, 0.5 * xyz], axis=-1))
        return out

    def floats(self) -> np.ndarray:
        """Its numbers for the kernels, `kernels.joints.tabled` has what stands where."""
        breaks, pieces, c = self._splines
        counts = [len(one) - 1 for one in breaks] + [0] * (2 - self.inputs) + [len(c) - 1]
        return np.concatenate([counts, *breaks, *(one.ravel() for one in pieces), c.ravel()]).astype(float)

    def motion(self, z: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """Position (3,) with rotation matrix (3, 3) beneath it, (4, 3), and the columns (6, inputs) that rates of the
        inputs move the frame by: (angular, linear), axes in which the table is given."""
        z = np.atleast_1d(as_array(z, "z"))
        if z.shape != (self.inputs,):
            raise ModelError.at("z", f"has the shape {z.shape}; the table has {self.inputs} inputs")
        f, partials = self._evaluated(z)
        w, u = f[3], f[4:]
        n = f[3:] @ f[3:]
        skew = np.array([[0, -u[2], u[1]], [u[2], 0, -u[0]], [-u[1], u[0], 0]])
        R = np.eye(3) + 2.0 * (w * skew + skew @ skew) / n
        turning = [2.0 * (w * d[4:] - d[3] * u - np.cross(d[4:], u)) / n for d in partials]
        return np.vstack([f[:3], R]), np.column_stack([np.concatenate([t, d[:3]]) for t, d in zip(turning, partials)])

    def _evaluated(self, z: np.ndarray) -> tuple[np.ndarray, list[np.ndarray]]:
        """The seven channels, and their derivatives by each input."""
        breaks, pieces, layers = self._splines
        c, rows = layers[0], []
        for x, b, piece in zip(z, breaks, pieces):
            i = int(np.clip(np.searchsorted(b, x, "right") - 1, 0, len(b) - 2))
            s = x - b[i]
            powers = np.array([[1.0, s, s * s, s**3], [0.0, 1.0, 2 * s, 3 * s * s]])
            rows.append((i, powers @ piece[i].T))
        i, B = rows[0]
        part = np.tensordot(B, c[i : i + 4], 1)  # (derivative, n2, 7)
        if self.inputs == 1:
            return part[0, 0], [part[1, 0]]
        j, C = rows[1]
        part = np.einsum("ab,dbc->dac", C, part[:, j : j + 4])
        return part[0, 0], [part[1, 0], part[0, 1]]

    def check(self, address: str) -> list[Problem]:
        """Everything wrong with the splines, reported at ``address``: a column that vanishes leaves an input without
        motion."""
        middles = [np.array([0.5 * (one[0] + one[-1])]) for one in (np.asarray(g) for g in self.grids)]
        columns = self.motion(np.concatenate(middles))[1]
        if np.linalg.matrix_rank(columns) < self.inputs:
            return [Problem(address, "the inputs of the table do not move the frame independently in its middle")]
        return []

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PoseTable) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash(np.asarray(self.position).tobytes())


def _frozen(given: Any, address: str) -> np.ndarray:
    out = np.array(as_array(given, address), float)
    out.flags.writeable = False
    return out


def _compliance(given: Any, sizes: tuple[int, ...]) -> np.ndarray:
    """A compliance of the whole table or of each of its points."""
    out = _frozen(given, "table: compliance")
    if out.shape not in ((6, 6), (*sizes, 6, 6)) or not np.all(np.isfinite(out)):
        raise ModelError.at(
            "table: compliance",
            f"has the shape {out.shape}; give finite numbers of the shape (6, 6) or {(*sizes, 6, 6)}",
        )
    # what yields stores energy and gives it back: 1/2 s C s of the wrench s
    if np.max(np.abs(out - out.swapaxes(-1, -2))) > 1e-6 * np.max(np.abs(out)):
        raise ModelError.at("table: compliance", "is not symmetric; rows and columns are both (moment, force)")
    if np.min(np.linalg.eigvalsh(out)) < -1e-9 * np.max(np.abs(out)):
        raise ModelError.at("table: compliance", "has a negative eigenvalue: it would move against the wrench")
    return out


def _of_one_sign(quaternions: np.ndarray) -> np.ndarray:
    """The same rotations, the sign of each nearest to that of its neighbours before it."""
    out = quaternions.copy()
    for axis in range(out.ndim - 1):
        rows = np.moveaxis(out, axis, 0)
        for i in range(1, len(rows)):
            near = np.sum(rows[i] * rows[i - 1], axis=-1, keepdims=True)
            rows[i] *= np.where(near < 0.0, -1.0, 1.0)
    out.flags.writeable = False
    return out


WRENCH = (".mx", ".my", ".mz", ".fx", ".fy", ".fz")
"""Names of what a compliant joint last carried: moment about its frame, force."""


@checked
@dataclass(frozen=True, eq=False)
class TableJoint(Joint):
    """Moves its frame as splines through a table of poses say, over one or two inputs, which are its coordinates.

    A suspension, a hinge with a four-bar or any mechanism of one or two degrees of freedom becomes one joint: no loop
    is left to
    close. Motion columns are the first derivatives of the splines, and the second ones give the acceleration that is
    there without accelerations of the inputs (Tobolář 2003, eqs. 6 to 8).

    Where the table has a compliance, the frame is moved by it times a wrench, whose six entries are coordinates too,
    ``"NAME.mx"`` to ``"NAME.fz"`` [N m, N], in the axes of the table. They have no velocities: they stay as the state
    says, or follow what the joint carries, one sample late, under `jd.control.LaggedCompliance` (eqs. 2, 3 and 9).

    name      unique in its system
    inputs    names of the coordinates, which are ``"NAME.INPUT"``, in the order of the table's grids
    table     `jd.mechanism.PoseTable`, or its arguments as a mapping: grids, position, rotation
    """

    name: str
    inputs: Sequence[str] = ("heave", "steer")
    table: PoseTable = None  # type: ignore[assignment]
    kind: ClassVar[str] = "tabled"
    closes: ClassVar[bool] = False

    def __post_init__(self) -> None:
        put = object.__setattr__
        table: Any = self.table
        if isinstance(table, dict):
            table = PoseTable.from_dict(table, f"{self.name}.table")
        if not isinstance(table, PoseTable):
            raise ModelError.at(
                self.name, f"table is {shown(table)}; give jd.mechanism.PoseTable(grids, position, rotation)", "table"
            )
        names = (self.inputs,) if isinstance(self.inputs, str) else tuple(self.inputs)
        if not all(isinstance(one, str) and one.isidentifier() for one in names) or len(set(names)) < len(names):
            raise ModelError.at(
                self.name, f"inputs are {shown(names)}; give different names of letters and digits", "inputs"
            )
        if len(names) != table.inputs:
            raise ModelError.at(
                self.name,
                f"has {len(names)} inputs, {', '.join(names)}, and a table of {table.inputs}; name each grid once",
            )
        put(self, "inputs", names)
        put(self, "table", table)

    @property
    def q_suffixes(self) -> tuple[str, ...]:  # type: ignore[override]
        """Its coordinates are named by its inputs; behind them is the wrench of a compliant joint."""
        return (*self.v_suffixes, *(WRENCH if self.table.gives else ()))

    @property
    def v_suffixes(self) -> tuple[str, ...]:  # type: ignore[override]
        """Those of the inputs."""
        return tuple(f".{one}" for one in self.inputs)

    def motion_subspace(self) -> np.ndarray:
        """Columns where both inputs are in the middle of their grids."""
        middle = [0.5 * (one[0] + one[-1]) for one in (np.asarray(grid) for grid in self.table.grids)]
        return self.table.motion(middle)[1]

    def floats(self) -> np.ndarray:
        return self.table.floats()

    def check(self, address: str) -> list[Problem]:
        return super().check(address) + self.table.check(address)
