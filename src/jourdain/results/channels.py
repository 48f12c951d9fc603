"""Named time histories: the columns of a run, handed out as labelled xarray arrays.

xarray takes seconds to import, so nothing here touches it until a channel is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ..basics.errors import JourdainError
from ..basics.values import suggestion

if TYPE_CHECKING:
    import xarray as xr

ENERGY = ("kinetic", "gravity", "strain", "contact", "dissipated", "work")
"""Columns of `Record.energy`, all in joules; `dissipated` and `work` are integrals that start at zero."""

STORED = ("kinetic", "gravity", "strain", "contact")
"""The columns whose sum is the total energy of the system."""


class UnknownNameError(JourdainError, KeyError):
    """A name that the run does not have; the message lists the nearest ones."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


def unknown(what: str, name: object, known: Iterable[str], empty: str) -> UnknownNameError:
    """The error for `name`: what it could have meant, or `empty` when there is nothing to choose from."""
    known = tuple(known)
    return UnknownNameError(f'no {what} "{name}"; {suggestion(str(name), known) if known else empty}')


class Channels:
    """Columns of one array by name: `channels["elbow"]`, `channels[["shoulder", "elbow"]]`.

    names   one for every column
    values  (nt, n) array in SI units and radians; the memory of the record, not a copy
    time    (nt,) [s]
    units   the unit of every column, "" where it is not known

    A joint with several entries can be asked for by its own name: `run.q["free"]` has `free.x` to `free.qz`.
    """

    def __init__(
        self,
        kind: str,
        names: Sequence[str],
        values: np.ndarray,
        time: np.ndarray,
        *,
        dim: str = "coordinate",
        units: Sequence[str] | None = None,
        empty: str = "this run has none",
    ) -> None:
        self.kind = kind
        self.names = tuple(names)
        self.values = values
        self.dim = dim
        self.units = tuple(units) if units is not None else ("",) * len(self.names)
        self.time = time
        self._empty = empty
        if values.shape != (len(time), len(self.names)) or len(self.units) != len(self.names):
            raise JourdainError(
                f"{kind}: got an array of shape {values.shape} with {len(self.units)} units for "
                f"{len(time)} samples of {len(self.names)} channels"
            )

    @cached_property
    def _column(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and (name in self._column or bool(self.members(name)))

    def keys(self) -> tuple[str, ...]:
        """The names."""
        return self.names

    def items(self) -> Iterator[tuple[str, xr.DataArray]]:
        """Pairs of name and labelled array."""
        return ((name, self[name]) for name in self.names)

    def members(self, joint: str) -> tuple[str, ...]:
        """Names of the entries of a joint: `members("free")` is `("free.x", ...)`; it may have none."""
        return tuple(name for name in self.names if name.startswith(joint + "."))

    def column(self, name: str) -> np.ndarray:
        """The plain (nt,) column of one name."""
        return self.values[:, self._find(name)]

    def unit(self, name: str) -> str:
        """The unit of one channel, "" where it is not known."""
        return self.units[self._find(name)]

    def _find(self, name: object) -> int:
        try:
            return self._column[name]  # type: ignore[index]
        except (KeyError, TypeError):
            raise unknown(f"{self.kind} channel", name, self.names, self._empty) from None

    def __getitem__(self, name: str | Sequence[str]) -> xr.DataArray:
        if isinstance(name, str):
            if name in self._column:
                return self._one(name)
            entries = self.members(name)
            if not entries:
                self._find(name)
            return self._several(entries)
        return self._several(tuple(name))

    def _one(self, name: str) -> xr.DataArray:
        import xarray as xr

        attrs = self._attrs(self.unit(name))
        return xr.DataArray(self.column(name), dims="time", coords=self._coords(), name=name, attrs=attrs)

    def _several(self, names: tuple[str, ...]) -> xr.DataArray:
        import xarray as xr

        columns = [self._find(name) for name in names]
        units = {self.units[i] for i in columns}
        return xr.DataArray(
            self.values[:, columns],
            dims=("time", self.dim),
            coords=self._coords() | {self.dim: np.array(names, dtype=object)},
            name=self.kind,
            attrs=self._attrs(units.pop() if len(units) == 1 else ""),
        )

    def _attrs(self, unit: str) -> dict[str, str]:
        return {"kind": self.kind} | ({"units": unit} if unit else {})

    def _coords(self) -> dict[str, Any]:
        return {"time": ("time", self.time, {"units": "s", "long_name": "time"})}

    def to_xarray(self) -> xr.DataArray:
        """All channels as one DataArray of dimensions ("time", `dim`)."""
        return self._several(self.names)

    def __repr__(self) -> str:
        return repr(self.to_xarray())

    def _repr_html_(self) -> str:
        """For notebooks: as xarray shows it."""
        return str(self.to_xarray()._repr_html_())


class Energy(Channels):
    """The energy bookkeeping of a run [J]: the columns of `ENERGY`, and

    total    kinetic + gravity + strain + contact
    balance  total - total[0] - work + dissipated: zero but for the error of the integration
    """

    def __init__(self, columns: np.ndarray, time: np.ndarray) -> None:
        by_name = dict(zip(ENERGY, columns.T, strict=True))
        total = sum(by_name[name] for name in STORED)
        balance = total - total[0] - by_name["work"] + by_name["dissipated"]
        values = np.column_stack([columns, total, balance])
        names = (*ENERGY, "total", "balance")
        super().__init__("energy", names, values, time, dim="term", units=("J",) * len(names))

    @cached_property
    def scale(self) -> float:
        """How much energy moves in this run [J], to judge the balance by.

        The largest of kinetic energy, work, dissipation, and swing of a potential, whose level is arbitrary.
        """
        by_name = {name: self.column(name) for name in ENERGY}
        swings = [np.ptp(by_name[name]) for name in ("gravity", "strain", "contact")]
        peaks = [np.max(np.abs(by_name[name])) for name in ("kinetic", "dissipated", "work")]
        return float(np.max(swings + peaks))

    @cached_property
    def error(self) -> float:
        """Largest absolute balance over `scale`, without unit; 0 for a system at rest."""
        worst = float(np.max(np.abs(self.column("balance"))))
        return worst / self.scale if self.scale > 0.0 or worst > 0.0 else 0.0
