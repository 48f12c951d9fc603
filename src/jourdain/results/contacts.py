"""What a contact did during a run."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ..basics.errors import JourdainError
from ..model.contact_states import touching
from ..model.shape_distances import ShapePair, gaps, pairs
from .named_results import NamedResults, history
from .patches import PartHistory, patch_values
from .surface_contacts import SurfaceContactHistory
from .surface_names import contact_names, node_of, surfaces
from .wheels import WheelHistory, wheels

if TYPE_CHECKING:
    import xarray as xr


WITHOUT_MODEL = {"force": (0, 3), "torque": (3, 3), "normal_force": (9, 1), "depth": (10, 1), "slip": (11, 1)}
"""Where the numbers of a contact begin in a row of its family, and how many there are."""


class ContactHistory:
    """One contact over time, all its sites together; forces act on the first body named, in world axes."""

    def __init__(self, family: ContactFamily, name: str, number: int) -> None:
        self.name = name
        self._family = family
        self._number = number

    def _directed(self, name: str, first: int, unit: str) -> xr.DataArray:
        if self._number in self._family.piles:
            raise JourdainError(
                f"{self.name}: a pile has no first body for {name} to act on; it has normal_force, depth, slip, sites "
                "and energy, and run.v the motion of its bodies"
            )
        return self._column(name, first, unit, 3)

    def _column(self, name: str, first: int, unit: str, width: int = 0) -> xr.DataArray:
        values = self._family.values[:, self._number, first : first + max(width, 1)]
        labels = {"axis": list("xyz")} if width else {}
        return history(self._family.run, f"{self.name}.{name}", values if width else values[:, 0], unit, **labels)

    def plain(self, what: str) -> np.ndarray:
        """The numbers of `force`, `depth` and the like without labels, which take long to import."""
        if what not in WITHOUT_MODEL or self._number in self._family.piles:
            return np.asarray(getattr(self, what).values)
        first, width = WITHOUT_MODEL[what]
        found = self._family.values[:, self._number, first : first + width]
        return found if width > 1 else found[:, 0]

    @property
    def force(self) -> xr.DataArray:
        """Force on the first body, (time, axis) [N]."""
        return self._directed("force", 0, "N")

    @property
    def torque(self) -> xr.DataArray:
        """Torque of that force about the origin of the first body's shape, (time, axis) [N m]."""
        return self._directed("torque", 3, "N m")

    @property
    def point(self) -> xr.DataArray:
        """Where the force acts: mean of the sites weighted by normal force; not-a-number without contact [m]."""
        found = self._directed("point", 6, "m")
        load = self._family.values[:, self._number, 9:10]
        with np.errstate(invalid="ignore", divide="ignore"):
            return found / np.where(load > 0.0, load, np.nan)

    @property
    def normal_force(self) -> xr.DataArray:
        """Sum of the normal forces of its sites [N]."""
        return self._column("normal_force", 9, "N")

    @property
    def depth(self) -> xr.DataArray:
        """Depth of the deepest site, zero without contact [m]."""
        return self._column("depth", 10, "m")

    @property
    def gap(self) -> xr.DataArray:
        """Signed distance of the two shapes, below zero where they overlap; of a pile the least of its near pairs [m].

        Between bodies of cells that do not overlap it is at most the distance.
        """
        return history(self._family.run, f"{self.name}.gap", self._family.gaps[:, self._number], "m")

    def pairs(self, i: int = -1, within: float = 0.0) -> list[ShapePair]:
        """The shapes that touch at sample i, or are nearer than `within` [m], nearest first: which two of a pile."""
        run = self._family.run
        return pairs(run.model, self.name, run.state(i), within)

    @property
    def slip(self) -> xr.DataArray:
        """Speed of the fastest slipping site [m/s]."""
        return self._column("slip", 11, "m/s")

    @property
    def patch(self) -> PartHistory:
        """All parts of a volumetric contact together: centroid, normal, area, pressure, stick and more."""
        first, slots = self._slots()
        return PartHistory(self._family, self.name, slice(first, first + slots))

    @property
    def parts(self) -> list[PartHistory]:
        """The parts of a volumetric contact one by one, as many as there can be at once."""
        first, slots = self._slots()
        if slots == 1:
            return [self.patch]
        return [PartHistory(self._family, f"{self.name}[{k}]", slice(first + k, first + k + 1)) for k in range(slots)]

    @property
    def remained(self) -> xr.DataArray:
        """Elastic work left over by parts of a volumetric contact that vanished so far; inside `dissipated` [J]."""
        self._slots()
        return self._family.run.z[f"{self.name}.remained"]

    @property
    def relaxed(self) -> xr.DataArray:
        """Work that the relaxation of a volumetric contact supplied so far; taken from `dissipated` [J]."""
        self._slots()
        return self._family.run.z[f"{self.name}.relaxed"]

    def _slots(self) -> tuple[int, int]:
        """Where the parts of a volumetric contact begin, and how many there can be."""
        from ..kernels.kind_registry import SPHERE_PLANE

        row = self._family.run.model.arrays.contacts[self._number]
        if row.family < SPHERE_PLANE:
            raise JourdainError(
                f"{self.name}: only a volumetric contact has patches; this one has sites, depth and slip"
            )
        return row.patches, row.slots

    @property
    def sites(self) -> xr.DataArray:
        """How many sites touch; of a volumetric contact, parts of the overlap."""
        return self._column("sites", 12, "1")

    @property
    def energy(self) -> xr.DataArray:
        """Energy that it holds, bristles included [J]."""
        return self._column("energy", 13, "J")

    def __repr__(self) -> str:
        return f"<contact {self.name!r}: force, torque, point, normal_force, depth, slip, sites, energy>"


class SurfaceHistory:
    """The contact of a surface of a solid over time, all its nodes together; forces act on the first body named."""

    def __init__(self, family: ContactFamily, name: str, members: list[int]) -> None:
        self.name, self._family, self._members = name, family, members

    def _described(self) -> list[dict[str, Any]]:
        return [self._family.run.model.description["contacts"][i] for i in self._members]

    @property
    def body(self) -> str:
        """The solid whose surface it is."""
        return node_of(self._described()[0])[0]

    @property
    def nodes(self) -> np.ndarray:
        """Numbers of its nodes, (k,)."""
        return np.array([node_of(one)[1] for one in self._described()])

    @property
    def areas(self) -> np.ndarray:
        """Areas that belong to them, (k,) [m^2]."""
        return np.array([one["area"] for one in self._described()])

    def _array(self, what: str, values: np.ndarray, unit: str, *dims: str) -> xr.DataArray:
        known = {"axis": list("xyz"), "node": self.nodes}
        return history(self._family.run, f"{self.name}.{what}", values, unit, **{one: known[one] for one in dims})

    def _columns(self, first: int, width: int = 1) -> np.ndarray:
        return self._family.values[:, self._members, first : first + width]

    @property
    def force(self) -> xr.DataArray:
        """Force on the first body, (time, axis) [N]."""
        return self._array("force", self._columns(0, 3).sum(axis=1), "N", "axis")

    @property
    def forces(self) -> xr.DataArray:
        """Forces of its nodes on the first body, (time, node, axis) [N]."""
        return self._array("forces", self._columns(0, 3), "N", "node", "axis")

    @property
    def point(self) -> xr.DataArray:
        """Where the force acts: mean of its nodes weighted by normal force; not-a-number without contact [m]."""
        load = self._columns(9).sum(axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            found = self._columns(6, 3).sum(axis=1) / np.where(load > 0.0, load, np.nan)
        return self._array("point", found, "m", "axis")

    @property
    def points(self) -> xr.DataArray:
        """Where the forces of its nodes act, (time, node, axis) [m]; not-a-number without contact."""
        load = self._columns(9)
        with np.errstate(invalid="ignore", divide="ignore"):
            found = self._columns(6, 3) / np.where(load > 0.0, load, np.nan)
        return self._array("points", found, "m", "node", "axis")

    @property
    def normal_force(self) -> xr.DataArray:
        """Sum of the normal forces of its nodes [N]."""
        return self._array("normal_force", self._columns(9).sum(axis=(1, 2)), "N")

    @property
    def pressure(self) -> xr.DataArray:
        """Normal force of each node over its area, (time, node) [Pa]."""
        return self._array("pressure", self._columns(9)[:, :, 0] / self.areas, "Pa", "node")

    @property
    def depth(self) -> xr.DataArray:
        """Depth of the deepest node, zero without contact [m]."""
        return self._array("depth", self._columns(10).max(axis=(1, 2)), "m")

    @property
    def slip(self) -> xr.DataArray:
        """Speed of the fastest slipping node [m/s]."""
        return self._array("slip", self._columns(11).max(axis=(1, 2)), "m/s")

    @property
    def gap(self) -> xr.DataArray:
        """Signed distance of the nearest node, below zero where it is inside [m]."""
        return self._array("gap", self._family.gaps[:, self._members].min(axis=1), "m")

    @property
    def sites(self) -> xr.DataArray:
        """How many nodes touch."""
        return self._array("sites", self._columns(12).sum(axis=(1, 2)), "1")

    @property
    def energy(self) -> xr.DataArray:
        """Energy that it holds, bristles included [J]."""
        return self._array("energy", self._columns(13).sum(axis=(1, 2)), "J")

    def __repr__(self) -> str:
        listed = "force, forces, point, points, normal_force, pressure, depth, slip, gap, sites, energy"
        return f"<contact {self.name!r} of {len(self._members)} nodes: {listed}>"


class ContactFamily(NamedResults):
    """The contacts of a run by name: ``run.contact["touch"].force``; a surface of a solid has a name for all its nodes
    and one for each."""

    one = "contact"

    @property
    def names(self) -> tuple[str, ...]:
        return self.run.model.contacts.names

    @cached_property
    def values(self) -> np.ndarray:
        """(nt, contacts, columns), worked out when first looked at."""
        record = self.run.record
        return touching(self.run.model, record.q, record.v, record.z)

    @cached_property
    def gaps(self) -> np.ndarray:
        """(nt, contacts) signed distances [m]."""
        r = self.run.record
        rows = [gaps(self.run.model, r.q[i], r.v[i], r.z[i]) for i in range(len(r))]
        return np.array(rows)

    @cached_property
    def patches(self) -> np.ndarray:
        """(nt, parts, columns) of the volumetric contacts."""
        record = self.run.record
        return patch_values(self.run.model, record.q, record.v, record.z)

    @property
    def piles(self) -> range:
        """Numbers of the contacts that are piles."""
        return range(len(self.run.model.description["contacts"]), len(self))

    @cached_property
    def surfaces(self) -> dict[str, list[int]]:
        """Contacts of surfaces of solids: numbers of the contacts of their nodes."""
        return surfaces(self.run.model)

    @property
    def display_names(self) -> list[str]:
        """Names as people know them: a surface of a solid has one, and not those of its nodes."""
        return contact_names(self.run.model)

    @cached_property
    def multipliers(self) -> dict[str, int]:
        """Contacts by multipliers: their numbers."""
        return {one["name"]: i for i, one in enumerate(self.run.model.description.get("touching", []))}

    @cached_property
    def wheels(self) -> dict[str, WheelHistory]:
        """Wheels on rails by their names."""
        return {name: WheelHistory(self.run, name) for name in wheels(self.run.model)}

    def __getitem__(self, name: str) -> Any:
        if name in self.wheels:
            return self.wheels[name]
        if name in self.multipliers:
            return SurfaceContactHistory(self.run, self.multipliers[name])
        if name in self.surfaces:
            return SurfaceHistory(self, name, self.surfaces[name])
        return super().__getitem__(name)

    def __contains__(self, name: object) -> bool:
        return name in self.multipliers or name in self.surfaces or name in self.wheels or super().__contains__(name)

    def part(self, name: str) -> ContactHistory:
        return ContactHistory(self, name, self.names.index(name))
