"""Logs of machines: columns over time from CSV, Parquet and MCAP files, under the names of quantities."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ...basics.arguments import checked
from ...basics.errors import ModelError
from ...basics.units import UnknownUnitError, fits, unit
from ...basics.values import shown, suggestion
from ...describe.motions import Table
from .log_files import LARGEST, read_csv, read_parquet
from .log_mcap import read_mcap

ENDINGS = (".csv", ".parquet", ".mcap")
TIMES = ("time", "t", "stamp", "timestamp")
"""What a column of times may be called where no map says it."""
LARGEST_MAP = 4 * 2**20
"""Bytes of a map that is read."""
_WORDS = ("column", "unit", "gain", "offset", "delay")


@checked
@dataclass(frozen=True, eq=False)
class Log:
    """What a file recorded: `log["elbow"]` gives its times [s] and values.

    channels    times and values by name, (n,) each
    units       as the file or the map told them; what they do not tell is SI
    name        for people
    """

    channels: Mapping[str, tuple[np.ndarray, np.ndarray]]
    units: Mapping[str, str] = field(default_factory=dict)
    name: str = "log"

    def __getitem__(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        if name not in self.channels:
            raise ModelError.at(name, f"{self.name} has no such channel; {suggestion(name, self.channels)}")
        return self.channels[name]

    def __repr__(self) -> str:
        ends = [(t[0], t[-1]) for t, _ in self.channels.values() if len(t)]
        span = f", {min(a for a, _ in ends):g} to {max(b for _, b in ends):g} s" if ends else ""
        return f"<Log {self.name!r}: {', '.join(list(self.channels)[:8])}{span}>"

    def motions(self, *names: str) -> dict[str, Table]:
        """Profiles for `jd.simulate(motions=...)` that follow the log: splines through its samples.

        The speeds at their ends are those of "v:elbow" where the log has it, else the slopes of the first and of the
        last two samples; the state that a run starts from has to have them too.
        """
        found = {}
        for name in names or tuple(self.channels):
            time, values = self[name]
            good = np.isfinite(time) & np.isfinite(values)
            time, values = time[good], values[good]
            if len(time) < 2 or np.any(np.diff(time) <= 0.0):
                raise ModelError.at(name, f"{self.name}: give two samples or more, at times that increase")
            ends = (values[1] - values[0]) / (time[1] - time[0]), (values[-1] - values[-2]) / (time[-1] - time[-2])
            if f"v:{name}" in self.channels:
                speed = self.channels[f"v:{name}"][1]
                ends = float(speed[0]), float(speed[-1])
            found[name] = Table(time, values, ends)
        return found


def is_log(path: Any) -> bool:
    """Whether a path has the ending of a log."""
    return isinstance(path, str | os.PathLike) and Path(path).suffix.lower() in ENDINGS


@checked
def read_log(path: str | os.PathLike[str], names: str | os.PathLike[str] | Mapping[str, Any] | None = None) -> Log:
    """Read a log: `.csv` with names in its first row ("elbow [deg]"), `.parquet`, or `.mcap`.

    names    which column is which quantity, a mapping or a YAML file of one:
             {"time": "t_ms", "elbow": "q1", "effort:elbow": {"column": "i1", "unit": "N m", "gain": 3.1}}.
             Of a column: its unit, a gain and an offset (value = gain x + offset), the delay of its sensor [s].
             None: columns keep their names

    MCAP files hold messages as JSON, or as ROS 2 messages where `mcap-ros2-support` is installed; numbers are named
    "topic.field", and messages that have name, position, velocity and effort are joints: "elbow", "v:elbow".

    Times have to be finite and must not go back. A `ModelError` names the file and the line, byte or sample that is at
    fault. What is read is bounded (`log_files`): bytes, packed and unpacked, columns and numbers.
    """
    where = _path(path)
    if not where.is_file():
        raise ModelError.at(str(path), "there is no such file")
    if where.stat().st_size > LARGEST:
        raise ModelError.at(str(path), f"is larger than {LARGEST} bytes; cut it into parts")
    ending = where.suffix.lower()
    if ending not in _READERS:
        raise ModelError.at(str(path), f"is no log; give a file that ends with {', '.join(ENDINGS)}")
    try:
        channels, units = _READERS[ending](where)
    except MemoryError:
        raise ModelError.at(str(path), "needs more memory than there is; cut it into parts") from None
    except OSError as error:
        raise ModelError.at(str(path), f"cannot be read: {error.strerror or error}") from None
    raw = Log(channels, units, where.name)
    log = _timed(raw) if names is None else _named(raw, _map(names))
    for name, (time, _) in log.channels.items():
        _in_order(time, f"{path}: {name}")
    return log


def _path(given: Any) -> Path:
    try:
        return Path(given)
    except TypeError:
        raise ModelError.at("log", f"got {shown(given)}; give the name of a file") from None


def _in_order(time: np.ndarray, place: str) -> None:
    """Times of a channel: finite, none before the one before it."""
    bad = np.flatnonzero(~np.isfinite(time))
    if len(bad):
        raise ModelError.at(place, f"sample {bad[0] + 1} has no time; take it out")
    back = np.flatnonzero(time[1:] < time[:-1])
    if len(back):
        k = int(back[0])
        text = f"the time goes back, from {time[k]:.9g} s of sample {k + 1} to {time[k + 1]:.9g} s"
        raise ModelError.at(place, f"{text}; put the samples in order, or give each recording a file of its own")


def factor(name: str, written: str, wanted: str) -> float:
    """From the unit of a column to that of the quantity; a `ModelError` where they do not fit."""
    if not written:
        return 1.0
    try:
        one = unit(written)
    except UnknownUnitError as error:
        raise ModelError.at(name, str(error)) from None
    if wanted and not fits(one, (wanted,)):
        raise ModelError.at(name, f'the record has it in "{written}", and it is in {wanted}')
    return one.factor


def seconds(time: Any) -> np.ndarray:
    """Times as seconds; dates as seconds since the first."""
    values = np.asarray(time)
    if values.dtype.kind in "mM":
        return (values - values[0]) / np.timedelta64(1, "s") if len(values) else np.zeros(0)
    return np.asarray(values, float)


def _timed(raw: Log) -> Log:
    """A log whose columns share a column of times, unless each has its own."""
    units = dict(raw.units)
    own = {key: pair for key, pair in raw.channels.items() if len(pair[0])}
    table = {key: pair[1] for key, pair in raw.channels.items() if not len(pair[0])}
    if table:
        clock = next((key for key in table if key.lower() in TIMES), None)
        if clock is None:
            raise ModelError.at(raw.name, f'it has no "time"; it has {", ".join(list(table)[:8])}; give a map')
        time = seconds(table.pop(clock)) * factor(clock, units.pop(clock, ""), "s")
        own |= {key: (time, np.asarray(one, float)) for key, one in table.items()}
    return Log(own, units, raw.name)


def _named(raw: Log, names: Mapping[str, Any]) -> Log:
    """The log under the names of quantities, each as its entry of the map says."""
    stated = dict(names)
    clock = _entry("time", stated.pop("time", None))
    time = None
    if clock is not None:
        time = seconds(raw[clock["column"]][1])
        time = time * factor("time", clock.get("unit") or raw.units.get(clock["column"], ""), "s")
        time = time * clock.get("gain", 1.0) + clock.get("offset", 0.0)
    elif any(not len(pair[0]) for pair in raw.channels.values()):
        raw = _timed(raw)
    channels: dict[str, tuple[np.ndarray, np.ndarray]] = {}
    for name, given in stated.items():
        entry = _entry(name, given)
        if entry is None:
            raise ModelError.at(name, 'map: it has no column; write "elbow: column"')
        times, values = raw[entry["column"]]
        times = time if time is not None and not len(times) else times
        written = entry.get("unit") or raw.units.get(entry["column"], "")
        scale = factor(name, written, "")
        values = np.asarray(values, float) * scale * entry.get("gain", 1.0) + entry.get("offset", 0.0)
        channels[name] = (times - entry.get("delay", 0.0), values)
    if not channels:
        raise ModelError.at("map", 'it names no quantity; write "elbow: column"')
    return Log(channels, {}, raw.name)


def _entry(name: str, given: Any) -> dict[str, Any] | None:
    """An entry of a map, checked: a column, or a mapping that says more of it."""
    if given is None:
        return None
    stated = {"column": given} if isinstance(given, str) else given
    if not isinstance(stated, Mapping) or not isinstance(stated.get("column"), str):
        raise ModelError.at(name, f'map: got {shown(given)}; give the name of a column, or {{"column": ..., ...}}')
    for key, value in stated.items():
        if key not in _WORDS:
            raise ModelError.at(name, f'map: there is no "{key}"; {suggestion(str(key), _WORDS)}')
        if key in ("gain", "offset", "delay") and not _is_finite(value):
            raise ModelError.at(name, f"map: {key} is {shown(value)}; give a finite number")
        if key == "unit" and not isinstance(value, str):
            raise ModelError.at(name, f'map: unit is {shown(value)}; give text, "deg"')
    return dict(stated)


def _is_finite(value: Any) -> bool:
    """Whether it is a number that a float can be."""
    try:
        return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(float(value))
    except OverflowError:
        return False


def _map(given: Any) -> Mapping[str, Any]:
    """A map, read from its file where it is one."""
    if isinstance(given, Mapping):
        wrong = next((key for key in given if not isinstance(key, str)), None)
        if wrong is not None:
            raise ModelError.at("map", f"has {shown(wrong)} for a name; a name is text")
        return given
    from ...files.problems import ScenarioError
    from ...files.yaml import decode, read_yaml

    path = _path(given)
    if not path.is_file():
        raise ModelError.at(str(given), "there is no such file")
    try:
        with path.open("rb") as file:
            text = file.read(LARGEST_MAP + 1)
    except OSError as error:
        raise ModelError.at(str(given), f"cannot be read: {error.strerror or error}") from None
    node, mistakes = read_yaml(decode(text, path.name), path.name)
    if mistakes:
        raise ScenarioError(mistakes)
    if not node.is_map:
        raise ModelError.at(str(given), f"is {node.shown()}; write lines like elbow: column")
    plain: Mapping[str, Any] = node.plain()
    return plain


_READERS = {".csv": read_csv, ".parquet": read_parquet, ".mcap": read_mcap}
