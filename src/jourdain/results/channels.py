"""Named time histories: the columns of a run as plain arrays, for the package itself.

What a user has in `run.q` and the like are xarray arrays, `results.labelled`; nothing here imports xarray.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ..basics.errors import JourdainError
from ..basics.values import suggestion

if TYPE_CHECKING:
    from ..model.model import Model
    from .samples import Record

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
    """Columns of one array by name: `channels.column("elbow")`.

    names   one for every column
    values  (nt, n) array in SI units and radians; the memory of the record, not a copy
    time    (nt,) [s]
    units   the unit of every column, "" where it is not known
    dim     the name of the dimension of its columns
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


class RunChannels:
    """The columns of a run: q, v, z, effort and energy, each by names."""

    def __init__(self, model: Model, record: Record, options: Mapping[str, Any]) -> None:
        self._model, self._record, self._options = model, record, options

    @cached_property
    def q(self) -> Channels:
        """Coordinates [rad, m]."""
        return self._channels("q", self._model.names.q, "coordinate", self._model.units.q)

    @cached_property
    def v(self) -> Channels:
        """Velocities [rad/s, m/s]."""
        return self._channels("v", self._model.names.v, "speed", self._model.units.v)

    @cached_property
    def effort(self) -> Channels:
        """What controllers, drives and motions supply, power-dual of `v` [N m, N]."""
        return self._channels("effort", self._model.names.v, "speed", self._model.units.effort)

    @cached_property
    def z(self) -> Channels:
        """Internal states: those of joints and contacts by `model.names.z`, then those of laws by the names that they
        have: "biceps.activation", "filtered.z[0]"; `z[i]` where a file does not say."""
        own, count = self._model.names.z, self._record.z.shape[1]
        names = tuple(str(one) for one in self._options.get("z_names") or ())
        if len(names) != count or len(set(names)) < count or names[: len(own)] != tuple(own):
            names = (*own, *(f"z[{i}]" for i in range(len(own), count)))
        return self._channels("z", names, "internal", None)

    @cached_property
    def energy(self) -> Energy:
        """The energy ledger [J]."""
        return Energy(self._record.energy, self._record.time)

    def _channels(self, kind: str, names: Iterable[str], dim: str, units: Sequence[str] | None) -> Channels:
        values, empty = getattr(self._record, kind), f"the run of {self._model.name!r} has no such channels"
        return Channels(kind, tuple(names), values, self._record.time, dim=dim, units=units, empty=empty)
