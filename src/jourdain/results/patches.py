"""What the parts of a volumetric contact did during a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .named_results import history

if TYPE_CHECKING:
    import xarray as xr

    from ..model.model import Model
    from .contacts import ContactFamily


def patch_values(model: Model, q: np.ndarray, v: np.ndarray, z: np.ndarray) -> np.ndarray:
    """What every part of the volumetric contacts does in states (nt, ...): (nt, slots, PatchResult.size)."""
    from ..kernels.contact.contact_rows import PatchResult
    from ..kernels.contact.memory.recorded_states import patch_history
    from ..model.contact_states import split_states
    from ..model.run_stages import assemble

    ws = model.workspace()
    out = np.zeros((len(q), len(ws.patches), PatchResult.size))
    stages = assemble(model)
    latched, states = split_states(model, z)
    q, v = np.ascontiguousarray(q, float), np.ascontiguousarray(v, float)
    patch_history.ready(model.features).python(
        model.arrays, stages, q, v, states, latched, ws, np.zeros(states.shape[1]), out
    )
    return out


def half_axes(inertia: np.ndarray, normal: np.ndarray, area: np.ndarray) -> np.ndarray:
    """Half axes (nt, 2, 3) of the ellipses that stand for patches, the longer first [m].

    inertia    of the overlap about its centroid, without density, xx yy zz xy xz yz (nt, 6) [m^5]
    normal     unit (nt, 3)
    area       (nt,) [m^2]

    With S = tr(J) / 2 - J the second moments, of which s_1 >= s_2 are the principal ones across the normal, the half
    axes are those with a / b = sqrt(s_1 / s_2) and pi a b = area: those of an even ellipse and of a cap on one. The
    long one does not turn back from one sample to the next; where s_1 is within a thousandth of s_2, it is across a
    fixed direction.
    """
    J = inertia[:, [[0, 3, 4], [3, 1, 5], [4, 5, 2]]]
    S = 0.5 * np.trace(J, axis1=1, axis2=2)[:, None, None] * np.eye(3) - J
    across = np.eye(3) - normal[:, :, None] * normal[:, None, :]
    size, directions = np.linalg.eigh(across @ S @ across)
    axis = np.where(np.abs(normal[:, :1]) < 0.9, [[1.0, 0.0, 0.0]], [[0.0, 1.0, 0.0]])
    steady = np.cross(normal, axis)
    steady /= np.maximum(np.linalg.norm(steady, axis=1, keepdims=True), 1e-300)
    long = np.where((size[:, 1] < 0.999 * size[:, 2])[:, None], directions[:, :, 2], steady)
    flips = np.where(np.einsum("ti,ti->t", long[1:], long[:-1]) < 0.0, -1.0, 1.0)
    long = long * np.cumprod(np.append(1.0, flips))[:, None]
    there = (area > 0.0) & (size[:, 1] > 0.0)
    ratio = np.sqrt(np.where(there, size[:, 2], 1.0) / np.where(there, size[:, 1], 1.0))
    round_ = np.sqrt(np.where(there, area, 0.0) / np.pi)
    half = round_ * np.sqrt(ratio), round_ / np.sqrt(ratio)
    return np.stack([half[0][:, None] * long, half[1][:, None] * np.cross(normal, long)], axis=1)


class PartHistory:
    """One part of a volumetric contact over time, or all of them together; forces act on the first body named.

    A part has its number from when it appears until it vanishes; then another may have it.
    """

    def __init__(self, family: ContactFamily, name: str, slots: slice) -> None:
        self.name = name
        self._family = family
        self._slots = slots

    def values(self, column: int, width: int = 1) -> np.ndarray:
        """(nt, parts, width) of the columns of `kernels.contact.contact_layout`."""
        return self._family.patches[:, self._slots, column : column + width]

    def _array(self, what: str, values: np.ndarray, unit: str) -> xr.DataArray:
        labels = {"axis": list("xyz")} if values.ndim == 2 else {}
        return history(self._family.run, f"{self.name}.{what}", values, unit, **labels)

    def _mean(self, column: int, width: int) -> np.ndarray:
        """Mean over the parts weighted by normal force; not-a-number without contact."""
        load = self.values(15)
        total = load.sum(axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            return (load * self.values(column, width)).sum(axis=1) / np.where(total > 0.0, total, np.nan)

    @property
    def force(self) -> xr.DataArray:
        """Force on the first body, (time, axis) [N]."""
        return self._array("force", self.values(0, 3).sum(axis=1), "N")

    @property
    def torque(self) -> xr.DataArray:
        """Rolling resistance and spinning friction on the first body, about the centroid, (time, axis) [N m]."""
        return self._array("torque", self.values(3, 3).sum(axis=1), "N m")

    @property
    def point(self) -> xr.DataArray:
        """Centroid of the overlap, where the force acts; of several parts the mean weighted by normal force [m]."""
        return self._array("point", self._mean(6, 3), "m")

    @property
    def normal(self) -> xr.DataArray:
        """Unit normal, out of the second body; of several parts the direction of the sum of their normal forces."""
        with np.errstate(invalid="ignore", divide="ignore"):
            mean = self._mean(9, 3)
            return self._array("normal", mean / np.linalg.norm(mean, axis=1, keepdims=True), "1")

    @property
    def volume(self) -> xr.DataArray:
        """Volume of the overlap [m^3]."""
        return self._array("volume", self.values(12).sum(axis=(1, 2)), "m^3")

    @property
    def area(self) -> xr.DataArray:
        """Area of the surface of contact [m^2]."""
        return self._array("area", self.values(13).sum(axis=(1, 2)), "m^2")

    @property
    def axes(self) -> xr.DataArray:
        """Half axes of the ellipse with the area of the surface and the ratio of its second moments, world axes, the
        longer first, (time, side, axis) [m]; of several parts those of the largest, zero without contact."""
        area = self.values(13)[..., 0]
        each = np.arange(len(area)), area.argmax(axis=1)
        found = half_axes(self.values(22, 6)[each], self.values(9, 3)[each], area[each])
        return history(self._family.run, f"{self.name}.axes", found, "m", side=["long", "short"], axis=list("xyz"))

    @property
    def depth(self) -> xr.DataArray:
        """Depth of the deepest part [m]."""
        return self._array("depth", self.values(14).max(axis=(1, 2)), "m")

    @property
    def normal_force(self) -> xr.DataArray:
        """Sum of the normal forces [N]."""
        return self._array("normal_force", self.values(15).sum(axis=(1, 2)), "N")

    @property
    def pressure(self) -> xr.DataArray:
        """Mean pressure of the foundation, normal force over area; zero without contact [Pa]."""
        load, area = self.values(15).sum(axis=(1, 2)), self.values(13).sum(axis=(1, 2))
        return self._array("pressure", load / np.where(area > 0.0, area, 1.0), "Pa")

    @property
    def peak_pressure(self) -> xr.DataArray:
        """Largest pressure of the foundation, where the overlap is deepest [Pa]."""
        return self._array("peak_pressure", self.values(17).max(axis=(1, 2)), "Pa")

    @property
    def stick(self) -> xr.DataArray:
        """1 where it sticks, 0 where it slides or does not touch; of several parts the mean weighted by force."""
        return self._array("stick", np.nan_to_num(self._mean(18, 1)[:, 0]), "1")

    @property
    def slip(self) -> xr.DataArray:
        """Speed of the centroid along the surface; of several parts the fastest [m/s]."""
        return self._array("slip", self.values(19).max(axis=(1, 2)), "m/s")

    @property
    def spin(self) -> xr.DataArray:
        """Relative angular velocity about the normal; of several parts the mean weighted by force [rad/s]."""
        return self._array("spin", np.nan_to_num(self._mean(20, 1)[:, 0]), "rad/s")

    @property
    def energy(self) -> xr.DataArray:
        """Elastic work done on the foundation so far, and what the bristles hold [J]."""
        return self._array("energy", self.values(21).sum(axis=(1, 2)), "J")

    @property
    def touching(self) -> xr.DataArray:
        """How many parts touch."""
        return self._array("touching", (self.values(12) > 0.0).sum(axis=(1, 2)), "1")

    def __repr__(self) -> str:
        words = "force, torque, point, normal, volume, area, axes, depth, normal_force, pressure, peak_pressure, stick"
        return f"<patch {self.name!r}: {words}, slip, spin, energy, touching>"
