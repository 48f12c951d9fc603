"""Direct collocation as a sparse nonlinear program: unknowns are states and inputs at all nodes, T and parameters.

With the matrices of `schemes.TimeMesh`, rates F and quantities Y at the nodes, and T the time that the whole takes,

    minimise    T sum w_k l(Y_k) + phi(Y_n, T)
    such that   C X - T D F = 0,   path bounds on Y,   bounds and equations at the ends.

All blocks of the derivatives are those of one call of `NumericProblem.partials` over all nodes, each put where it
belongs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from .numeric_problem import NumericProblem
from .plants import Nodes
from .schemes import TimeMesh

HESSIANS = ("exact", "gauss-newton", "l-bfgs")


@dataclass
class DecisionVariables:
    """What a trajectory is in numbers: states (n, nx), inputs (n, nu), final time [s], parameters (np,)."""

    X: np.ndarray
    U: np.ndarray
    T: float
    p: np.ndarray


class Transcription:
    """A phase of a trajectory as a nonlinear program (`ipopt.NonlinearProgram`), in scaled unknowns.

    task, mesh    what and where
    size          (unknowns,) what an unknown of one stands for
    hessian       "exact": cost and dynamics, "gauss-newton": cost alone, squares by their gradients; "l-bfgs": IPOPT
    """

    def __init__(self, task: NumericProblem, mesh: TimeMesh, size: np.ndarray, hessian: str) -> None:
        self.task, self.mesh, self.size, self.hessian_kind = task, mesh, size, hessian
        nx, nu, n = task.nx, task.nu, mesh.size
        self.stride = nx + nu
        self.globals = n * self.stride + np.arange(1 + task.parameters)
        self.count = n * self.stride + 1 + task.parameters
        self.timed = bool(task.duration[0] < task.duration[1])  # a time that is given has no derivatives
        self._bound_unknowns()
        self.limited = np.flatnonzero(np.isfinite(task.path).any(axis=1))
        self.ended = np.flatnonzero(np.isfinite(task.end).any(axis=1))
        self.ruled = np.flatnonzero(mesh.ruled)
        self._bound_rows()
        self._lay_jacobian()
        self._lay_hessian()
        self._seen: dict[str, tuple[bytes, object]] = {}

    def _bound_unknowns(self) -> None:
        task, n = self.task, self.mesh.size
        low, high = np.empty(self.count), np.empty(self.count)
        for k, out in enumerate((low, high)):
            inner = out[: n * self.stride].reshape(n, self.stride)
            inner[:, : task.nx] = task.x[:, k]
            inner[:, task.nx :] = task.u[:, k]
            narrow = np.maximum if k == 0 else np.minimum
            inner[0, : task.nx] = narrow(task.x_start[:, k], task.x[:, k])
            inner[-1, : task.nx] = narrow(task.x_end[:, k], task.x[:, k])
            fixed = np.isfinite(task.x_start).all(1) & (task.x_start[:, 0] == task.x_start[:, 1])
            inner[0, : task.nx][fixed] = task.x_start[fixed, k]
            if not self.mesh.scheme.shared:
                inner[0, task.nx :] = 0.0
            out[self.globals] = [task.duration[k], *task.p[:, k]]
        self.x_low, self.x_high = low / self.size, high / self.size

    def _bound_rows(self) -> None:
        """Scales and bounds of the constraints, in the order defects, path, end, end rows, periodic."""
        task, mesh = self.task, self.mesh
        self.defects = mesh.rows * task.nx
        state_size = self.size[: task.nx]
        path = np.tile(task.path[self.limited], (len(self.ruled), 1)).reshape(-1, 2)
        more = sum(len(one.names) for one in task.end_rows)
        bounds = [np.zeros((self.defects, 2)), path, task.end[self.ended].reshape(-1, 2)]
        bounds += [np.zeros((more + len(task.periodic), 2))]
        self.first = np.cumsum([0, *(len(one) for one in bounds[:3])])
        both = np.concatenate(bounds)
        self.row_size = np.ones(len(both))
        self.row_size[: self.defects] = np.tile(state_size, mesh.rows)
        of_path = np.tile([_row_size(pair) for pair in task.path[self.limited]], len(self.ruled))
        self.row_size[self.first[1] : self.first[2]] = of_path
        ends = slice(self.first[2], self.first[2] + len(self.ended))
        self.row_size[ends] = [_row_size(pair) for pair in task.end[self.ended]]
        self.g_low, self.g_high = (both / self.row_size[:, None]).T

    def _lay_jacobian(self) -> None:
        task, mesh, nx, stride = self.task, self.mesh, self.task.nx, self.stride
        rows, columns = [], []
        r, k, self.state_number = mesh.state_at
        i = np.arange(nx)
        rows.append((r[:, None] * nx + i).ravel())
        columns.append((k[:, None] * stride + i).ravel())
        row_of, self.node_of, self.rate_number = mesh.rate_at
        kept = np.nonzero(task.plant.pattern)
        rows.append((row_of[:, None] * nx + kept[0]).ravel())
        columns.append((self.node_of[:, None] * stride + kept[1]).ravel())
        self.kept = kept[0] * (stride + len(self.globals)) + kept[1]
        shape = (mesh.rows, mesh.size)
        self.of_rates = csr_array((self.rate_number, (row_of, self.node_of)), shape)
        self.of_states = csr_array((self.state_number, (r, k)), shape)
        every = np.arange(self.defects)
        for column in self.globals[0 if self.timed else 1 :]:
            rows.append(every)
            columns.append(np.full(self.defects, column))
        self._lay_others(rows, columns)

    def _lay_others(self, rows: list[np.ndarray], columns: list[np.ndarray]) -> None:
        """Places of the derivatives of all rows but the defects, after those of the defects."""
        task, mesh, nx, stride = self.task, self.mesh, self.task.nx, self.stride
        at, width, extra = self.first[1], len(self.limited), len(self.globals)
        own = np.arange(stride)
        if width:
            places = at + np.arange(len(self.ruled) * width).reshape(len(self.ruled), width)
            shape = (len(self.ruled), width, stride + extra)
            rows.append(np.broadcast_to(places[:, :, None], shape).ravel())
            columns.append(np.broadcast_to(self._columns(self.ruled)[:, None, :], shape).ravel())
        last = self._columns(np.array([mesh.size - 1]))[0]
        for place in self.first[2] + np.arange(len(self.ended)):
            rows.append(np.full(len(last), place))
            columns.append(last)
        at = self.first[2] + len(self.ended)
        for one in task.end_rows:
            m = len(one.names)
            rows.append(np.repeat(at + np.arange(m), nx))
            columns.append(np.tile((mesh.size - 1) * stride + own[:nx], m))
            at += m
        for place, state in enumerate(task.periodic):
            rows.append(np.array([at + place, at + place]))
            columns.append(np.array([(mesh.size - 1) * stride + state, state]))
        self.jacobian_at = np.concatenate(rows), np.concatenate(columns)
        self.jacobian_scale = self.size[self.jacobian_at[1]] / self.row_size[self.jacobian_at[0]]

    def _columns(self, nodes: np.ndarray) -> np.ndarray:
        """Unknowns (len, stride + globals) that local ones of nodes are, T and parameters behind."""
        own = nodes[:, None] * self.stride + np.arange(self.stride)
        return np.concatenate([own, np.broadcast_to(self.globals, (len(nodes), len(self.globals)))], axis=1)

    def _lay_hessian(self) -> None:
        """Lower triangles of the blocks of nodes, rows of the globals, and their own triangle."""
        if self.hessian_kind == "l-bfgs":
            self.hessian_at = None
            return
        n, stride = self.mesh.size, self.stride
        self.columns = np.array([-1 if one.column is None else one.column for one in self.task.quantities], int)
        self.low = np.nonzero(np.tril(self.task.bent))
        base = np.arange(n)[:, None] * stride
        rows, columns = [(base + self.low[0]).ravel()], [(base + self.low[1]).ravel()]
        for row in self.globals[0 if self.timed else 1 :]:
            rows.append(np.full(n * stride, row))
            columns.append(np.arange(n * stride))
        self.global_low = np.tril_indices(len(self.globals))
        rows.append(self.globals[self.global_low[0]])
        columns.append(self.globals[self.global_low[1]])
        self.hessian_at = np.concatenate(rows), np.concatenate(columns)
        self.hessian_scale = self.size[self.hessian_at[0]] * self.size[self.hessian_at[1]]

    def point(self, x: np.ndarray) -> DecisionVariables:
        """Unknowns as a trajectory."""
        full = x * self.size
        inner = full[: self.mesh.size * self.stride].reshape(self.mesh.size, self.stride)
        nx = self.task.nx
        X, U = np.ascontiguousarray(inner[:, :nx]), np.ascontiguousarray(inner[:, nx:])
        return DecisionVariables(X, U, float(full[self.globals[0]]), full[self.globals[1:]])

    def unknowns(self, point: DecisionVariables) -> np.ndarray:
        """A trajectory as unknowns."""
        inner = np.concatenate([point.X, point.U], axis=1).ravel()
        return np.concatenate([inner, [point.T], point.p]) / self.size

    def nodes(self, point: DecisionVariables) -> Nodes:
        """The nodes of a trajectory, at their times."""
        return Nodes(self.task.begin + point.T * self.mesh.times, point.X, point.U, point.p)

    def _kept(self, what: str, x: np.ndarray, compute: object) -> object:
        """What was computed at the same unknowns, or is now."""
        found, key = self._seen.get(what), x.tobytes()
        if found is None or found[0] != key:
            found = self._seen[what] = (key, compute())  # type: ignore[operator]
        return found[1]

    def _values(self, x: np.ndarray) -> tuple[DecisionVariables, np.ndarray, np.ndarray]:
        def compute() -> tuple[DecisionVariables, np.ndarray, np.ndarray]:
            point = self.point(x)
            return point, *self.task.values(self.nodes(point))

        return self._kept("values", x, compute)  # type: ignore[return-value]

    def _partials(self, x: np.ndarray) -> tuple[DecisionVariables, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        def compute() -> tuple[DecisionVariables, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
            point = self.point(x)
            found = self.task.partials(self.nodes(point))
            self._seen["values"] = (x.tobytes(), (point, found[0], found[1]))
            return point, *found

        return self._kept("partials", x, compute)  # type: ignore[return-value]

    def value(self, x: np.ndarray) -> float:
        point, _, Y = self._values(x)
        return point.T * float(self.mesh.weights @ self.task.running(Y)) + self.task.final(Y[-1], point.T)

    def gradient(self, x: np.ndarray) -> np.ndarray:
        point, _, Y, _, YJ = self._partials(x)
        along, end = self._cost_weights(Y)
        W = point.T * self.mesh.weights[:, None] * along
        W[-1] += end
        G = np.einsum("nr,nrl->nl", W, YJ)
        out = self._gathered(G)
        out[self.globals[0]] += self.mesh.weights @ self.task.running(Y) + self.task.time_weight
        return out * self.size

    def _cost_weights(self, Y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Derivatives of the cost by the quantities: a second along (n, rows), and at the end (rows,)."""
        task = self.task
        along = task.linear + 2.0 * task.squared * (Y - task.target)
        return along, task.end_linear + 2.0 * task.end_squared * (Y[-1] - task.end_target)

    def _gathered(self, G: np.ndarray) -> np.ndarray:
        """Sums of derivatives by local unknowns (n, local) as one by all unknowns; times are begin + tau T."""
        out = np.zeros(self.count)
        out[: self.mesh.size * self.stride] = G[:, : self.stride].ravel()
        out[self.globals[0]] = self.mesh.times @ G[:, -1]
        out[self.globals[1:]] = G[:, self.stride : -1].sum(0)
        return out

    def constraints(self, x: np.ndarray) -> np.ndarray:
        point, F, Y = self._values(x)
        defects = self.of_states @ point.X - point.T * (self.of_rates @ F)
        return np.concatenate([defects.ravel(), *self._others(point, Y)]) / self.row_size

    def _others(self, point: DecisionVariables, Y: np.ndarray) -> list[np.ndarray]:
        """All rows but the defects."""
        parts = [Y[np.ix_(self.ruled, self.limited)].ravel()] if len(self.limited) else []
        parts.append(Y[-1, self.ended])
        parts += [one.values(point.X[-1]) for one in self.task.end_rows]
        parts.append(point.X[-1, self.task.periodic] - point.X[0, self.task.periodic])
        return parts

    def jacobian(self, x: np.ndarray) -> np.ndarray:
        point, F, _, FJ, YJ = self._partials(x)
        mesh, task, nx = self.mesh, self.task, self.task.nx
        parts = [np.repeat(self.state_number, nx)]
        blocks = FJ.reshape(mesh.size, -1).take(self.kept, axis=1).take(self.node_of, axis=0)
        blocks *= -point.T * self.rate_number[:, None]
        parts.append(blocks.ravel())
        by_global = [point.T * FJ[:, :, self.stride + j] for j in range(task.parameters)]
        if self.timed:
            by_global.insert(0, F + point.T * mesh.times[:, None] * FJ[:, :, -1])
        for column in by_global:
            parts.append(-(self.of_rates @ column).ravel())
        return np.concatenate([*parts, *self._other_partials(point, YJ)]) * self.jacobian_scale

    def _other_partials(self, point: DecisionVariables, YJ: np.ndarray) -> list[np.ndarray]:
        """Derivatives of all rows but the defects."""
        parts: list[np.ndarray] = []
        local = self._local(YJ) if len(self.limited) or len(self.ended) else YJ
        if len(self.limited):
            parts.append(local[np.ix_(self.ruled, self.limited)].ravel())
        parts += [local[-1, k] for k in self.ended]
        parts += [one.partials(point.X[-1]).ravel() for one in self.task.end_rows]
        parts.append(np.tile([1.0, -1.0], len(self.task.periodic)))
        return parts

    def _local(self, YJ: np.ndarray) -> np.ndarray:
        """Derivatives of quantities by own unknowns, T and parameters (n, rows, stride + globals)."""
        by_time = YJ[:, :, -1:] * self.mesh.times[:, None, None]
        return np.concatenate([YJ[:, :, : self.stride], by_time, YJ[:, :, self.stride : -1]], axis=2)

    def hessian(self, x: np.ndarray, sigma: float, multipliers: np.ndarray) -> np.ndarray:
        point, F, Y, FJ, YJ = self._partials(x)
        mesh, task = self.mesh, self.task
        scaled = multipliers / self.row_size
        pull = -(self.of_rates.T @ scaled[: self.defects].reshape(mesh.rows, task.nx))
        along, end = self._cost_weights(Y)
        timed = sigma * mesh.weights[:, None] * along
        rows = point.T * timed
        if len(self.limited):
            path = scaled[self.first[1] : self.first[2]].reshape(len(self.ruled), -1)
            rows[np.ix_(self.ruled, self.limited)] += path
        rows[-1] += sigma * end
        rows[-1, self.ended] += scaled[self.first[2] : self.first[2] + len(self.ended)]
        if self.hessian_kind == "exact":
            H = task.curvature(self.nodes(point), point.T * pull, rows)
        else:
            H = np.zeros((mesh.size, YJ.shape[2], YJ.shape[2]))
        squares = sigma * point.T * mesh.weights[:, None] * (2.0 * task.squared)
        squares[-1] += sigma * 2.0 * task.end_squared
        used = [k for k in np.flatnonzero(np.any(squares != 0.0, axis=0)) if self.columns[k] < 0]
        if used:
            taken = YJ[:, used]
            H += np.matmul((taken * squares[:, used, None]).swapaxes(1, 2), taken)
        for k in np.flatnonzero(self.columns >= 0):
            H[:, self.columns[k], self.columns[k]] += squares[:, k]
        # terms of time and its products: everything that T multiplies, once more
        G = np.zeros(H.shape[:2])
        if self.timed:
            G += np.einsum("nr,nrl->nl", timed, YJ)
            if self.hessian_kind == "exact":
                G += np.einsum("nr,nrl->nl", pull, FJ)
        return self._laid(H, G) * self.hessian_scale

    def _laid(self, H: np.ndarray, G: np.ndarray) -> np.ndarray:
        """Numbers of the Hessian from blocks (n, local, local) and derivatives (n, local) of what T multiplies."""
        stride, tau = self.stride, self.mesh.times
        places = self.low[0] * H.shape[2] + self.low[1]
        parts = [H.reshape(len(H), -1).take(places, axis=1).ravel()]
        if self.timed:
            parts.append((tau[:, None] * H[:, -1, :stride] + G[:, :stride]).ravel())
        for j in range(self.task.parameters):
            parts.append(H[:, stride + j, :stride].ravel())
        own = np.zeros((len(self.globals), len(self.globals)))
        own[0, 0] = tau**2 @ H[:, -1, -1] + 2.0 * tau @ G[:, -1]
        own[1:, 0] = own[0, 1:] = tau @ H[:, -1, stride:-1] + G[:, stride:-1].sum(0)
        own[1:, 1:] = H[:, stride:-1, stride:-1].sum(0)
        parts.append(own[self.global_low])
        return np.concatenate(parts)


def _row_size(pair: np.ndarray) -> float:
    """In what limits of a quantity are counted: in a unit of their own where they are far from one."""
    size = float(np.max(np.abs(pair[np.isfinite(pair)]), initial=0.0))
    return 1.0 if size == 0.0 or 1e-2 <= size <= 1e2 else float(np.exp2(np.round(np.log2(size))))
