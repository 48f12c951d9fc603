"""What muscles did during a run: `run.muscle["biceps"].force`, worked out from recorded states when first looked at."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ...results.named_results import NamedResults
from ...results.quantities import MUSCLE
from .muscles import Muscle

if TYPE_CHECKING:
    import xarray as xr

    from ...model.model import Model
    from ...results.run import Run


class MuscleHistory:
    """One muscle over time."""

    def __init__(self, family: MuscleFamily, name: str) -> None:
        self.name = name
        self._family = family

    def plain(self, what: str) -> np.ndarray:
        """The numbers (nt,) of `force`, `length` and the like, without labels."""
        return self._family.values(self.name)[what]

    def _array(self, what: str) -> xr.DataArray:
        import xarray as xr

        return xr.DataArray(
            self.plain(what),
            dims="time",
            coords={"time": self._family.run.time},
            name=f"{self.name}.{what}",
            attrs={"units": MUSCLE[what]},
        )

    @property
    def force(self) -> xr.DataArray:
        """Force along the path, pulling, active and passive together [N]."""
        return self._array("force")

    @property
    def active_force(self) -> xr.DataArray:
        """Part of the force that is activation, f_l and f_v [N]."""
        return self._array("active_force")

    @property
    def passive_force(self) -> xr.DataArray:
        """Part of the force that is stretch of the fibres [N]."""
        return self._array("passive_force")

    @property
    def length(self) -> xr.DataArray:
        """From origin to insertion, tendon included [m]."""
        return self._array("length")

    @property
    def velocity(self) -> xr.DataArray:
        """Rate of the length, above 0 where it lengthens [m/s]."""
        return self._array("velocity")

    @property
    def fibre_length(self) -> xr.DataArray:
        """The length less the slack of the tendon [m]."""
        return self._array("fibre_length")

    @property
    def activation(self) -> xr.DataArray:
        """Its state, 0 to 1."""
        return self._array("activation")

    @property
    def excitation(self) -> xr.DataArray:
        """What the activation follows, 0 to 1."""
        return self._array("excitation")

    @property
    def power(self) -> xr.DataArray:
        """What it gives to the motion, - force times velocity [W]."""
        return self._array("power")

    def __repr__(self) -> str:
        return f"<muscle {self.name!r}: {', '.join(MUSCLE)}>"


class MuscleFamily(NamedResults):
    """The muscles of a run by name: ``run.muscle["biceps"].force``."""

    one = "muscle"

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self._known: dict[str, dict[str, np.ndarray]] = {}

    @cached_property
    def stated(self) -> dict[str, tuple[Muscle, list[Any]]]:
        """Muscles and their excitations (code, numbers) by name, as the run's options hold them."""
        found = {}
        for i, group in enumerate(self.run.options.get("muscles") or ()):
            for j, (one, excited) in enumerate(zip(group["muscles"], group["excitation"], strict=True)):
                muscle = Muscle.from_dict(one, f"muscles[{i}].muscles[{j}]")
                found[muscle.name] = muscle, excited
        return found

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.stated)

    def part(self, name: str) -> MuscleHistory:
        return MuscleHistory(self, name)

    def values(self, name: str) -> dict[str, np.ndarray]:
        """All results of a muscle, (nt,) each."""
        if name not in self._known:
            self._known[name] = self._values(name)
        return self._known[name]

    def _values(self, name: str) -> dict[str, np.ndarray]:
        from ...kernels.control import muscles as k
        from ...kernels.tree.motions import profile

        run, (one, (code, numbers)) = self.run, self.stated[name]
        length, rate = lengths_and_rates(run.model, one, run.record.q, run.record.v)
        fibre = (length - one.slack) / one.optimal_length
        speed = rate / (one.optimal_length * one.fastest)
        curve = {what: np.vectorize(getattr(k, what).py_func, otypes=[float]) for what in CURVES}
        a = np.clip(run.channels.z.column(f"{name}.activation"), 0.0, 1.0)
        active = one.strength * a * curve["length_factor"](fibre) * curve["speed_factor"](speed)
        passive = one.strength * curve["passive_factor"](fibre)
        excitation = [profile.py_func(int(code), np.array(numbers, float), 0, t)[0] for t in run.record.time]
        return {
            "force": active + passive,
            "active_force": active,
            "passive_force": passive,
            "length": length,
            "velocity": rate,
            "fibre_length": length - one.slack,
            "activation": a,
            "excitation": np.clip(excitation, 0.0, 1.0),
            "power": -(active + passive) * rate,
        }


def muscles_of(run: Run) -> MuscleFamily:
    """The muscles of a run."""
    return MuscleFamily(run)


CURVES = ("length_factor", "speed_factor", "passive_factor")
"""Kernels of the curves."""


def lengths_and_rates(model: Model, one: Muscle, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Length of a muscle and its rate at states (nt, ...): of straight pieces, and of one round the cylinder, whose
    points move with it."""
    wrap = one.wrap
    frames = model.frame_path([*one.path, *([] if wrap is None else [wrap.at])], q, v)
    length, rate = np.zeros(len(q)), np.zeros(len(q))
    for i in range(len(one.path) - 1):
        a, b = frames[:, i], frames[:, i + 1]
        apart, moving = b[:, :3] - a[:, :3], b[:, 10:] - a[:, 10:]
        piece = np.linalg.norm(apart, axis=1)
        pace = np.einsum("ti,ti->t", apart, moving) / np.where(piece > 1e-12, piece, np.inf)
        if wrap is not None and wrap.behind == i:
            for t in range(len(q)):
                found = _wrapped(a[t], b[t], frames[t, -1], wrap.radius, wrap.way)
                if found is not None:
                    piece[t], pace[t] = found
        length, rate = length + piece, rate + pace
    return length, rate


def _wrapped(a: np.ndarray, b: np.ndarray, c: np.ndarray, radius: float, way: int) -> tuple[float, float] | None:
    """Length and rate round a cylinder, of the states (13,) of two points and of its frame; None where it is not in
    the way."""
    from ...basics.pose import as_rotation
    from ...kernels.algebra import Vec3
    from ...kernels.control.muscles import wrapped

    R = as_rotation(c[3:7], "wrap")
    inner, outer = R.T @ (a[:3] - c[:3]), R.T @ (b[:3] - c[:3])
    touches, meets, leaves, long = wrapped.py_func(Vec3(*inner), Vec3(*outer), radius, way)
    if not touches:
        return None
    rate = 0.0
    for tip, local in ((a, meets), (b, leaves)):
        arm = R @ np.array(local)
        e = tip[:3] - c[:3] - arm
        rate += e @ (tip[10:] - c[10:] - np.cross(c[7:10], arm)) / np.linalg.norm(e)
    return long, rate
