"""Records of measurements, of runs, run files, CSV files, datasets and plain arrays."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...basics.arguments import checked
from ...basics.errors import ModelError
from ...basics.values import shown, suggestion
from ...describe.motions import Motion, motion_from_dict
from ...methods.identification.experiment import Drive
from ...methods.identification.measured import Channel, Measured
from ...model.model import Model
from ...model.state import State
from ...results.load import load
from ...results.quantities import quantity, understand
from ...results.run import Run
from .logs import Log, factor, is_log, read_log, seconds


@checked
@dataclass(frozen=True, eq=False)
class Measurement:
    """A record of an experiment, for `jd.identify`.

    data          a `Run`, a run file, a CSV file whose first row has names ("time", "elbow [deg]"), a Parquet or MCAP
                  file, a `Log` (`jd.study.read_log` gives columns the names of quantities), an xarray Dataset over
                  time, or a dict: {"time": t, "elbow": y}, or {"elbow": (t, y)} where rates differ.
                  Names are those of `jd.quantity`; samples that are missing are not-a-number, or empty in a file
    state         where the system was at the first sample, from `model.state(...)`; of a Run its own first sample
    motions       profiles that prescribed coordinates; of a Run its own
    controller    what acted
    channels      names that are used; None for all, of a Run for its coordinates
    noise         standard deviations by channel; those not given are estimated
    name          for people
    """

    data: Any
    state: State | None = None
    motions: Mapping[str, Motion] | None = None
    controller: Any = None
    channels: Sequence[str] | None = None
    noise: Mapping[str, float] = field(default_factory=dict)
    name: str = ""

    def measured(self, model: Model, options: Mapping[str, Any]) -> Measured:
        """The channels of the record, for a model; options as `Drive` has them."""
        data = load(self.data) if _is_run_file(self.data) else self.data
        motions = self.motions
        state = self.state
        if isinstance(data, Run):
            state = _first(model, data) if state is None else state
            stated = data.options.get("motions") or {}
            motions = (
                {name: motion_from_dict(one, name) for name, one in stated.items()} if motions is None else motions
            )
            if data.options.get("laws") and self.controller is None and not model.law_forces:
                laws = ", ".join(data.options["laws"])
                raise ModelError.at(self.name or "record", f"laws acted in this run: {laws}; give controller=")
            names = list(self.channels) if self.channels is not None else _coordinates(model)
            found = {name: (data.record.time, quantity(data, name).values) for name in names}
        else:
            found = _columns(data, self.channels, model)
        if state is None:
            raise ModelError.at(self.name or "record", "state: is missing; give model.state(...) at its first sample")
        for name in self.noise:
            if name not in found:
                raise ModelError.at(name, f"noise: there is no such channel; {suggestion(name, found)}")
        units = dict(zip(model.names.q, model.units.q, strict=True))
        channels = tuple(
            Channel(name, *pair, self.noise.get(name), understand(model, name).unit or units.get(name, ""))
            for name, pair in found.items()
        )
        drive = Drive(motions=motions, controller=self.controller, **options)
        return Measured(channels, state, drive, self.name)


def as_measurement(given: Any, common: Mapping[str, Any], number: int) -> Measurement:
    """A record as it was given, completed with what is common to all."""
    import dataclasses

    if isinstance(given, Measurement):
        missing = {
            key: value
            for key, value in common.items()
            if value is not None and (getattr(given, key) is None or (key == "noise" and not given.noise))
        }
        return dataclasses.replace(given, **missing, name=given.name or f"record {number}")
    stated = {key: value for key, value in common.items() if value is not None}
    return Measurement(given, **stated, name=f"record {number}")


def _is_run_file(data: Any) -> bool:
    return isinstance(data, str | os.PathLike) and not is_log(data)


def _first(model: Model, run: Run) -> State:
    """The state at the first sample of a run, for a model of the same coordinates."""
    record = run.record
    if record.q.shape[1] != model.nq or record.v.shape[1] != model.nv:
        raise ModelError.at(run.model.name, "the run is of a model with other coordinates; give state= and channels=")
    z = record.z[0, : len(model.names.z)]
    return State(float(record.time[0]), record.q[0].copy(), record.v[0].copy(), z.copy())


def _coordinates(model: Model) -> list[str]:
    """Coordinates that are numbers by themselves, no parts of rotations."""
    return [name for i, name in enumerate(model.names.q) if np.any(model.arrays.q_index == i)]


def _columns(data: Any, channels: Sequence[str] | None, model: Model) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Time and values by name."""
    columns: dict[str, Any]
    if isinstance(data, str | os.PathLike | Log):
        log = data if isinstance(data, Log) else read_log(data)
        columns, units = dict(log.channels), dict(log.units)
    elif hasattr(data, "data_vars"):
        if "time" not in data.coords:
            raise ModelError.at(
                "record", f"the dataset has no coordinate time; it has {', '.join(map(str, data.coords))}"
            )
        names = [str(name) for name, one in data.data_vars.items() if one.dims == ("time",)]
        columns = {"time": np.asarray(data["time"].values)} | {name: np.asarray(data[name].values) for name in names}
        units = {name: str(data[name].attrs.get("units", "")) for name in names}
    elif isinstance(data, Mapping):
        columns, units = {str(key): value for key, value in data.items()}, {}
    else:
        raise ModelError.at("record", f"got {shown(data)}; give a Run, a file, a Dataset, a dict or a Measurement")
    clock = columns.pop("time", None)
    time = None if clock is None else seconds(clock)
    wanted = list(columns) if channels is None else list(channels)
    out = {}
    for name in wanted:
        if name not in columns:
            raise ModelError.at(name, f"the record has no such channel; {suggestion(name, columns)}")
        one = columns[name]
        own = isinstance(one, tuple) and len(one) == 2
        if not own and time is None:
            raise ModelError.at("record", 'it has no "time"')
        found = understand(model, name).unit or dict(zip(model.names.q, model.units.q, strict=True)).get(name, "")
        pair = one if own else (time, one)
        out[name] = (np.asarray(pair[0], float), np.asarray(pair[1], float) * factor(name, units.get(name, ""), found))
    return out
