"""The columns of a run as xarray arrays that know their channels by name.

xarray takes half a second to import, so that this module is imported when a run is first asked for one; what the
package itself needs of a run it takes from `Run.channels`, which are plain.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import xarray as xr

from .channels import Channels, Energy, unknown

DIMS = ("coordinate", "speed", "internal", "term")
"""Dimensions whose labels are names of channels."""
EACH = "channel_units"
"""Attribute with the unit of each channel, "name: unit", where they differ."""


class ChannelArray(xr.DataArray):
    """An `xarray.DataArray` of dimensions ("time", "coordinate") or the like, whose channels have names.

    Besides all that xarray does, `run.q["elbow"]` is one channel, `run.q[["shoulder", "elbow"]]` are several, and
    `run.q["free"]` all of a joint, `free.x` to `free.qz`; `run.q.column("elbow")` is the plain array of one.
    """

    __slots__ = ()

    @property
    def _along(self) -> str:
        """The dimension of the channels; "" where one was taken already."""
        return next((str(dim) for dim in self.dims if dim in DIMS and dim in self.coords), "")

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the channels."""
        along = self._along
        return tuple(str(one) for one in self.get_index(along)) if along else ()

    @property
    def units(self) -> tuple[str, ...]:
        """The unit of every channel, "" where it is not known."""
        if EACH not in self.attrs:
            return (str(self.attrs.get("units", "")),) * len(self.names)
        known = dict(one.rpartition(": ")[::2] for one in self.attrs[EACH])
        return tuple(known.get(name, "") for name in self.names)

    def members(self, joint: str) -> tuple[str, ...]:
        """Names of the entries of a joint: `members("free")` is `("free.x", ...)`; it may have none."""
        return tuple(name for name in self.names if name.startswith(joint + "."))

    def column(self, name: str) -> np.ndarray:
        """The plain array of one channel."""
        return np.asarray(self[self._known(name)].values)

    def unit(self, name: str) -> str:
        """The unit of one channel, "" where it is not known."""
        return self.units[self.names.index(self._known(name))]

    def _known(self, name: object) -> str:
        if name not in self.names:
            raise unknown(f"{self.name} channel", name, self.names, "there are none")
        return str(name)

    def __contains__(self, name: Any) -> bool:
        if isinstance(name, str) and self._along:
            return name in self.names or bool(self.members(name))
        return bool(super().__contains__(name))

    def __getitem__(self, key: Any) -> Any:
        along = self._along
        if along and isinstance(key, str) and key not in self.coords:
            index = self.get_index(along)
            if key in index:
                return self._one(along, int(index.get_loc(key)), key)
            entries = self.members(key)
            return self._several(along, entries or (self._known(key),))
        if along and isinstance(key, list | tuple) and key and all(isinstance(one, str) for one in key):
            return self._several(along, [self._known(one) for one in key])
        return super().__getitem__(key)

    def _one(self, along: str, i: int, name: str) -> xr.DataArray:
        out = self.isel({along: i}, drop=True)
        out.name = name
        return self._described(out, (self.units[i] if EACH in self.attrs else str(self.attrs.get("units", "")),))

    def _several(self, along: str, names: Sequence[str]) -> xr.DataArray:
        out = self.sel({along: list(names)})
        units = dict(zip(self.names, self.units, strict=True))
        return self._described(out, [units[name] for name in names])

    def _described(self, out: xr.DataArray, units: Sequence[str]) -> xr.DataArray:
        out.attrs = {key: value for key, value in self.attrs.items() if key not in ("units", EACH)}
        if len(set(units)) == 1 and units[0]:
            out.attrs["units"] = units[0]
        return out


class EnergyArray(ChannelArray):
    """The energy ledger of a run [J]: kinetic, gravity, strain, contact, dissipated, work, their total and balance."""

    __slots__ = ()

    def _ledger(self) -> Energy:
        columns = np.stack([self.column(name) for name in self.names if name not in ("total", "balance")], axis=1)
        return Energy(columns, np.asarray(self["time"].values))

    @property
    def scale(self) -> float:
        """How much energy moves [J], to judge the balance by."""
        return self._ledger().scale

    @property
    def error(self) -> float:
        """Largest absolute balance over `scale`, without unit; 0 for a system at rest."""
        return self._ledger().error


def labelled(channels: Channels) -> ChannelArray:
    """Plain channels as an xarray; it shares their memory."""
    attrs: dict[str, Any] = {"kind": channels.kind}
    units: Mapping[str, str] = dict(zip(channels.names, channels.units, strict=True))
    if len(set(units.values())) == 1 and channels.units[0]:
        attrs["units"] = channels.units[0]
    elif any(units.values()):
        attrs[EACH] = [f"{name}: {unit}" for name, unit in units.items()]
    time = ("time", channels.time, {"units": "s", "long_name": "time"})
    kind = EnergyArray if isinstance(channels, Energy) else ChannelArray
    return kind(
        channels.values,
        dims=("time", channels.dim),
        coords={"time": time, channels.dim: np.array(channels.names, dtype=object)},
        name=channels.kind,
        attrs=attrs,
    )
