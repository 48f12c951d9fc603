"""The samples of a simulation, as plain arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from .channels import ENERGY


@dataclass
class Record:
    """The samples of a simulation, plain NumPy, SI and radians.

    time    (nt,)     strictly increasing [s]
    q       (nt, nq)  coordinates
    v       (nt, nv)  velocities
    z       (nt, nz)  internal states of laws, friction, drives and controllers
    effort  (nt, nv)  what controllers, drives and motions supply
    energy  (nt, 6)   the columns of `ENERGY` [J]
    """

    time: np.ndarray
    q: np.ndarray
    v: np.ndarray
    z: np.ndarray
    effort: np.ndarray
    energy: np.ndarray

    def __post_init__(self) -> None:
        for field in fields(self):
            setattr(self, field.name, np.ascontiguousarray(getattr(self, field.name), dtype=np.float64))

    def __len__(self) -> int:
        return len(self.time)

    def problem(self, nq: int, nv: int, nz: int | None = None) -> str | None:
        """What is wrong with the shapes or the time axis, in one line; None when all is well."""
        if self.time.ndim != 1 or not len(self.time):
            return f"time has shape {self.time.shape}; it must be (nt,) with at least one sample"
        nt = len(self.time)
        if nz is None:
            nz = self.z.shape[1] if self.z.ndim == 2 else 0
        wanted = {"q": nq, "v": nv, "z": nz, "effort": nv, "energy": len(ENERGY)}
        for name, n in wanted.items():
            shape = getattr(self, name).shape
            if shape != (nt, n):
                return f"{name} has shape {shape}; it must be ({nt}, {n})"
        if not np.all(np.isfinite(self.time)):
            return f"time[{int(np.argmin(np.isfinite(self.time)))}] is not a finite number"
        steps = np.diff(self.time)
        if np.any(steps <= 0.0):
            i = int(np.argmax(steps <= 0.0))
            return f"time does not increase: time[{i}] = {self.time[i]}, time[{i + 1}] = {self.time[i + 1]}"
        return None

    @classmethod
    def concatenate(cls, chunks: Sequence[Record]) -> Record:
        """One record from consecutive ones."""
        return cls(**{f.name: np.concatenate([getattr(c, f.name) for c in chunks]) for f in fields(cls)})
