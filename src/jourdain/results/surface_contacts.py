"""What a contact by multipliers did during a run."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ..describe.contact.multipliers import Touching
from .named_results import history

if TYPE_CHECKING:
    import xarray as xr

    from .run import Run


def consistent_areas(x: np.ndarray, thickness: float) -> np.ndarray:
    """int N N^T dA over a facet with corners x (k, 3), k being 2, 3 or 4 (Kim 1999, appendix C) [m^2]."""
    k = len(x)
    if k < 4:
        size = np.linalg.norm(x[1] - x[0]) * thickness
        if k == 3:
            size = 0.5 * np.linalg.norm(np.cross(x[1] - x[0], x[2] - x[0]))
        return np.asarray(size / (k * (k + 1)) * (np.ones((k, k)) + np.eye(k)))
    out = np.zeros((4, 4))
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], float)
    for xi, eta in corners / np.sqrt(3.0):
        N = 0.25 * (1.0 + xi * corners[:, 0]) * (1.0 + eta * corners[:, 1])
        along = 0.25 * corners[:, 0] * (1.0 + eta * corners[:, 1]) @ x
        across = 0.25 * corners[:, 1] * (1.0 + xi * corners[:, 0]) @ x
        out += np.linalg.norm(np.cross(along, across)) * np.outer(N, N)
    return out


def consistent_rings(x: np.ndarray) -> np.ndarray:
    """int N N^T 2 pi r ds over an edge of a half section with nodes x, its ends and perhaps its middle [m^2]."""
    out = np.zeros((len(x), len(x)))
    for xi, weight in zip(*np.polynomial.legendre.leggauss(4), strict=True):
        N, slope = np.array([1.0 - xi, 1.0 + xi]) / 2.0, np.array([-0.5, 0.5])
        if len(x) == 3:
            N = np.array([xi * (xi - 1.0) / 2.0, xi * (xi + 1.0) / 2.0, 1.0 - xi * xi])
            slope = np.array([xi - 0.5, xi + 0.5, -2.0 * xi])
        out += weight * 2.0 * np.pi * (N @ x[:, 0]) * np.linalg.norm(slope @ x) * np.outer(N, N)
    return out


class SurfaceContactHistory:
    """A contact by multipliers over time; forces act on the first body named, in world axes."""

    def __init__(self, run: Run, number: int) -> None:
        self._run, self._number = run, number
        self._contact = Touching.from_dict(run.model.description["touching"][number], "touching")
        self.name = self._contact.name

    @cached_property
    def _own_nodes(self) -> np.ndarray:
        """Numbers of its nodes among all that touch by multipliers."""
        from ..kernels.surface_contact.surface_layout import SurfaceNode

        tables = self._run.model.touching or {}
        described = self._run.model.description["touching"]
        passes = [len(Touching.from_dict(one, "touching").roles()) for one in described]
        first = sum(passes[: self._number])
        pairs = tables["nodes"][:, SurfaceNode.columns.pair]
        return np.flatnonzero((pairs >= first) & (pairs < first + passes[self._number]))

    @cached_property
    def _latched(self) -> np.ndarray:
        """(nt, nodes, region, force, normal) of its nodes."""
        from ..kernels.surface_contact.surface_layout import LATCHED_NODE, SurfaceNode

        at = (self._run.model.touching or {})["nodes"][self._own_nodes, SurfaceNode.columns.latched]
        z = np.asarray(self._run.record.z)
        return np.stack([z[:, i : i + len(LATCHED_NODE)] for i in at], axis=1)

    @property
    def _signs(self) -> np.ndarray:
        """1 of nodes of the first side named, -1 of the second one's."""
        counts = [len(side.points) for side, _ in self._contact.roles()]
        signs = [1.0 if side is self._contact.first else -1.0 for side, _ in self._contact.roles()]
        return np.repeat(signs, counts)

    @property
    def nodes(self) -> np.ndarray:
        """Numbers of its nodes, (k,); those of a second pass behind the others."""
        return np.concatenate([side.nodes if len(side.nodes) else [0] for side, _ in self._contact.roles()])

    @property
    def areas(self) -> np.ndarray:
        """Areas that belong to them, (k,) [m^2]; not a number of a point or a ball."""
        return np.concatenate([side.areas if len(side.areas) else [np.nan] for side, _ in self._contact.roles()])

    def _array(self, what: str, values: np.ndarray, unit: str, *dims: str) -> xr.DataArray:
        known = {"axis": list("xyz"), "node": self.nodes}
        return history(self._run, f"{self.name}.{what}", values, unit, **{one: known[one] for one in dims})

    @property
    def forces(self) -> xr.DataArray:
        """Forces of its nodes on the first body, (time, node, axis) [N]."""
        return self._array("forces", self._signs[:, None] * self._latched[:, :, 1:4], "N", "node", "axis")

    @property
    def force(self) -> xr.DataArray:
        """Force on the first body, (time, axis) [N]; along the axis of a body of revolution, as rings are whole."""
        values = np.sum(self._signs[:, None] * self._latched[:, :, 1:4], axis=1)
        if self._contact.first.rings:
            record = self._run.record
            axis = self._run.model.pose(f"{self._contact.first.address}.origin", record.q[0]).rotation[:, 1]
            values = np.outer(values @ axis, axis)
        return self._array("force", values, "N", "axis")

    @property
    def _pressing(self) -> np.ndarray:
        return np.einsum("tna,tna->tn", self._latched[:, :, 1:4], self._latched[:, :, 4:7])

    @property
    def normal_force(self) -> xr.DataArray:
        """Sum of the normal forces of its nodes [N]."""
        return self._array("normal_force", self._pressing.sum(axis=1), "N")

    @property
    def friction_force(self) -> xr.DataArray:
        """Sum of the sizes of the friction forces of its nodes [N]."""
        along = self._latched[:, :, 1:4] - self._pressing[:, :, None] * self._latched[:, :, 4:7]
        return self._array("friction_force", np.linalg.norm(along, axis=2).sum(axis=1), "N")

    @property
    def pressure(self) -> xr.DataArray:
        """Normal force of each node over its area, (time, node) [Pa]; of the mortar form over the area that lies over
        the other surface. In two passes each surface bears a part of the whole."""
        areas = self._mortar_areas if self._contact.normal.form == "mortar" else self.areas
        values = np.divide(self._pressing, areas, out=np.zeros_like(self._pressing), where=self._pressing != 0.0)
        return self._array("pressure", values, "Pa", "node")

    @property
    def traction(self) -> xr.DataArray:
        """Tractions on the first body that make the forces of its nodes, linear or bilinear over every facet,
        (time, node, axis) [Pa]; Kim 1999, appendix C. Of a surface of one pass."""
        side, _ = self._contact.roles()[0]
        if not len(side.nodes) or len(self._contact.roles()) > 1:
            from ..basics.errors import JourdainError

            raise JourdainError(f"{self.name}: tractions are those of the surface of a solid, touched in one pass")
        forces = self.forces.values
        if self._contact.normal.form == "mortar":
            # its multipliers are tractions, times the area that they belong to
            values = np.divide(forces, self._mortar_areas[:, :, None], out=np.zeros_like(forces), where=forces != 0.0)
        else:
            values = np.einsum("ij,tja->tia", np.linalg.inv(self._consistent(side)), forces)
        return self._array("traction", values, "Pa", "node", "axis")

    def _consistent(self, side: Any) -> np.ndarray:
        """What tractions at the nodes do as forces, (k, k) [m^2]: Kim 1999, eq. C.3 to C.5."""
        body = self._body(side)
        number = {int(node): i for i, node in enumerate(side.nodes)}
        out = np.zeros((len(number), len(number)))
        if body.plane == "axisymmetric":
            for edge in body.mesh.sides[np.all(np.isin(body.mesh.sides, side.nodes), axis=1)]:
                at = [number[int(k)] for k in edge]
                out[np.ix_(at, at)] += consistent_rings(body.nodes[edge])
            return out
        for facet in side.facets:
            at = [number[k] for k in facet]
            out[np.ix_(at, at)] += consistent_areas(body.nodes[list(facet)], body.thickness or 1.0)
        return out

    def _body(self, side: Any) -> Any:
        from ..model.bodies import body_of

        return body_of(self._run.model, side.address)

    @cached_property
    def _mortar_areas(self) -> np.ndarray:
        """Areas of the nodes of a mortar form that lie over the other surface, (time, node) [m^2]."""
        from ..model.surface_contact import nodes_at

        record = self._run.record
        lengths = nodes_at(self._run.model, record.q, record.v, "area")[:, self._own_nodes]
        sides = [side for side, _ in self._contact.roles()]
        deep = [self._body(one).thickness if len(one.facets[0]) == 2 else 1.0 for one in sides]
        return lengths * np.repeat(deep, [len(one.points) for one in sides])

    @property
    def state(self) -> xr.DataArray:
        """What each node does, (time, node): 0 open, 1 stick, 2 just slipping, 3 sliding, 4 through a reversal."""
        return self._array("state", self._latched[:, :, 0].astype(int), "1", "node")

    @property
    def sites(self) -> xr.DataArray:
        """How many nodes touch."""
        return self._array("sites", np.sum(self._latched[:, :, 0] > 0.0, axis=1), "1")

    @cached_property
    def gaps(self) -> xr.DataArray:
        """Gap of each node, (time, node) [m]; infinite where nothing is near."""
        from ..model.surface_contact import gaps_of

        record = self._run.record
        return self._array("gaps", gaps_of(self._run.model, record.q, record.v)[:, self._own_nodes], "m", "node")

    @property
    def gap(self) -> xr.DataArray:
        """Gap of the nearest node [m]."""
        return self._array("gap", self.gaps.values.min(axis=1), "m")

    def __repr__(self) -> str:
        listed = "force, forces, normal_force, friction_force, pressure, traction, state, sites, gap, gaps"
        return f"<contact {self.name!r} of {len(self.nodes)} nodes by multipliers: {listed}>"
