"""Logs of machines: columns over time from CSV, Parquet and MCAP files, under the names of quantities."""

from __future__ import annotations

import csv
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ..basics.errors import JourdainError, ModelError
from ..basics.values import shown, suggestion
from ..describe.motions import Table
from ..files.units import UnknownUnitError, fits, unit

LARGEST = 200_000_000
"""Bytes of a log that is read at most."""
ENDINGS = (".csv", ".parquet", ".mcap")
TIMES = ("time", "t", "stamp", "timestamp")
"""What a column of times may be called where no map says it."""
_HEAD = re.compile(r"(.*?)\s*\[([^\]]*)\]\s*\Z")
_DEEPEST = 6
_WORDS = ("column", "unit", "gain", "offset", "delay")
_JOINTS = {"position": "", "velocity": "v:", "effort": "effort:"}
"""Fields of a message on joints with the prefix of the quantity that each is."""


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


def read_log(path: str | os.PathLike[str], names: str | os.PathLike[str] | Mapping[str, Any] | None = None) -> Log:
    """Read a log: `.csv` with names in its first row ("elbow [deg]"), `.parquet`, or `.mcap`.

    names    which column is which quantity, a mapping or a YAML file of one:
             {"time": "t_ms", "elbow": "q1", "effort:elbow": {"column": "i1", "unit": "N m", "gain": 3.1}}.
             Of a column: its unit, a gain and an offset (value = gain x + offset), the delay of its sensor [s].
             None: columns keep their names

    MCAP files hold messages as JSON, or as ROS 2 messages where `mcap-ros2-support` is installed; numbers are named
    "topic.field", and messages that have name, position, velocity and effort are joints: "elbow", "v:elbow".
    """
    where = Path(path)
    if not where.is_file():
        raise ModelError.at(str(path), "there is no such file")
    if where.stat().st_size > LARGEST:
        raise ModelError.at(str(path), f"is larger than {LARGEST} bytes; cut it into parts")
    ending = where.suffix.lower()
    if ending not in _READERS:
        raise ModelError.at(str(path), f"is no log; give a file that ends with {', '.join(ENDINGS)}")
    channels, units = _READERS[ending](where)
    if names is not None:
        return _named(Log(channels, units, where.name), _map(names))
    return _timed(channels, units, where.name)


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
        return (values - values[0]) / np.timedelta64(1, "s")
    return np.asarray(values, float)


Columns = tuple[dict[str, tuple[np.ndarray, np.ndarray]], dict[str, str]]


def _timed(channels: Mapping[str, Any], units: dict[str, str], name: str) -> Log:
    """A log whose columns share a column of times, unless each has its own."""
    own = {key: pair for key, pair in channels.items() if len(pair[0])}
    table = {key: pair[1] for key, pair in channels.items() if not len(pair[0])}
    if table:
        clock = next((key for key in table if key.lower() in TIMES), None)
        if clock is None:
            raise ModelError.at(name, f'it has no "time"; it has {", ".join(list(table)[:8])}; give a map')
        time = seconds(table.pop(clock)) * factor(clock, units.pop(clock, ""), "s")
        own |= {key: (time, np.asarray(one, float)) for key, one in table.items()}
    return Log(own, units, name)


def _named(raw: Log, names: Mapping[str, Any]) -> Log:
    """The log under the names of quantities, each as its entry of the map says."""
    told = dict(names)
    clock = _entry("time", told.pop("time", None))
    time = None
    if clock is not None:
        time = seconds(raw[clock["column"]][1])
        time = time * factor("time", clock.get("unit") or raw.units.get(clock["column"], ""), "s")
        time = time * clock.get("gain", 1.0) + clock.get("offset", 0.0)
    elif any(not len(pair[0]) for pair in raw.channels.values()):
        raw = _timed(raw.channels, dict(raw.units), raw.name)
    channels: dict[str, tuple[np.ndarray, np.ndarray]] = {}
    for name, given in told.items():
        entry = _entry(name, given)
        assert entry is not None
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
    told = {"column": given} if isinstance(given, str) else given
    if not isinstance(told, Mapping) or not isinstance(told.get("column"), str):
        raise ModelError.at(name, f'map: got {shown(given)}; give the name of a column, or {{"column": ..., ...}}')
    for key, value in told.items():
        if key not in _WORDS:
            raise ModelError.at(name, f'map: there is no "{key}"; {suggestion(str(key), _WORDS)}')
        numeric = isinstance(value, int | float) and not isinstance(value, bool) and np.isfinite(value)
        if key in ("gain", "offset", "delay") and not numeric:
            raise ModelError.at(name, f"map: {key} is {shown(value)}; give a finite number")
        if key == "unit" and not isinstance(value, str):
            raise ModelError.at(name, f'map: unit is {shown(value)}; give text, "deg"')
    return dict(told)


def _map(given: Any) -> Mapping[str, Any]:
    """A map, read from its file where it is one."""
    if isinstance(given, Mapping):
        return given
    from ..files.mistakes import ScenarioError
    from ..files.yaml import decode, read_yaml

    path = Path(given)
    if not path.is_file():
        raise ModelError.at(str(given), "there is no such file")
    node, mistakes = read_yaml(decode(path.read_bytes(), path.name), path.name)
    if mistakes:
        raise ScenarioError(mistakes)
    if not node.is_map:
        raise ModelError.at(str(given), f"is {node.shown()}; write lines like elbow: column")
    return node.plain()


NONE = np.zeros(0)
"""Times of a column that has none of its own."""


def _read_csv(path: Path) -> Columns:
    """Columns and units of a CSV file; empty cells are not-a-number."""
    with path.open(newline="", encoding="utf-8-sig") as file:
        reader = csv.reader(file)
        lines = [(reader.line_num, row) for row in reader if row and not row[0].lstrip().startswith("#")]
    if len(lines) < 2:
        raise ModelError.at(str(path), "has no rows of numbers below its names")
    names, units = _heads(lines[0][1])
    columns: dict[str, list[float]] = {name: [] for name in names}
    for line, row in lines[1:]:
        if len(row) != len(names):
            raise ModelError.at(f"{path}:{line}", f"has {len(row)} cells, and there are {len(names)} names")
        for name, cell in zip(names, row, strict=True):
            text = cell.strip()
            try:
                columns[name].append(float(text) if text else np.nan)
            except ValueError:
                raise ModelError.at(f"{path}:{line}", f"{name}: {shown(text)} is no number") from None
    return {name: (NONE, np.array(values)) for name, values in columns.items()}, units


def _heads(cells: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """Names of columns, and the units that stand behind them in brackets."""
    names, units = [], {}
    for cell in cells:
        found = _HEAD.match(cell.strip())
        name = found.group(1) if found else cell.strip()
        if name in names:
            raise ModelError.at(name, "two columns have this name; give each its own")
        names.append(name)
        if found:
            units[name] = found.group(2).strip()
    return names, units


def _read_parquet(path: Path) -> Columns:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise JourdainError('Parquet files are read with pyarrow: pip install "jourdain[tables]"') from None
    try:
        table = pq.read_table(path)
    except (pa.ArrowException, OSError) as error:
        raise ModelError.at(str(path), f"cannot be read as Parquet: {error}") from None
    heads = [str(name) for name in table.column_names]
    names, units = _heads(heads)
    columns = {}
    for head, name in zip(heads, names, strict=True):
        values = table.column(head).to_numpy()
        if values.dtype.kind in "iufmMb":
            columns[name] = (NONE, values)
    return columns, units


def _read_mcap(path: Path) -> Columns:
    """Numbers of all messages, at the times at which they were logged, counted from the first [s]."""
    try:
        from mcap.exceptions import McapError
        from mcap.reader import make_reader
    except ImportError:
        raise JourdainError('MCAP files are read with mcap: pip install "jourdain[logs]"') from None
    found: dict[str, tuple[list[int], list[float]]] = {}
    homes: dict[str, str] = {}
    units: dict[str, str] = {}
    decoders = _ros_decoders()
    unread: set[str] = set()
    try:
        with path.open("rb") as file:
            for schema, channel, message in make_reader(file, validate_crcs=True).iter_messages():
                data = _decoded(schema, channel, message, decoders)
                if data is None:
                    unread.add(f"{channel.topic} ({channel.message_encoding})")
                    continue
                units |= {key[5:]: text for key, text in channel.metadata.items() if key.startswith("unit:")}
                for name, value in _leaves(channel.topic, data):
                    if homes.setdefault(name, channel.topic) != channel.topic:
                        continue  # a joint that another topic tells too
                    times, values = found.setdefault(name, ([], []))
                    times.append(message.log_time)
                    values.append(value)
    except (McapError, ValueError, OSError, EOFError) as error:
        raise ModelError.at(str(path), f"cannot be read as MCAP: {error}") from None
    if not found:
        more = f"; {', '.join(sorted(unread)[:4])} need mcap-ros2-support" if unread else ""
        raise ModelError.at(str(path), f"has no message with numbers{more}")
    first = min(times[0] for times, _ in found.values())
    return {name: ((np.array(times) - first) * 1e-9, np.array(values)) for name, (times, values) in found.items()}, {
        name: text for name, text in units.items() if name in found
    }


def _ros_decoders() -> Any:
    try:
        from mcap_ros2.decoder import DecoderFactory
    except ImportError:
        return None
    return DecoderFactory()


def _decoded(schema: Any, channel: Any, message: Any, ros: Any) -> Any:
    """A message as plain values; None where nothing reads it."""
    if channel.message_encoding == "json":
        return json.loads(message.data)
    decode = ros.decoder_for(channel.message_encoding, schema) if ros is not None else None
    return decode(message.data) if decode is not None else None


def _leaves(topic: str, data: Any) -> Iterator[tuple[str, float]]:
    """(name, number) of all that a message holds."""
    names = _field(data, "name")
    if isinstance(names, list | tuple) and names and all(isinstance(one, str) for one in names):
        for key, prefix in _JOINTS.items():
            values = _field(data, key)
            if values is not None and len(values) == len(names):
                yield from ((prefix + name, float(x)) for name, x in zip(names, values))
        return
    yield from _numbers(topic.strip("/").replace("/", "."), data, 0)


def _field(data: Any, key: str) -> Any:
    return data.get(key) if isinstance(data, Mapping) else getattr(data, key, None)


def _numbers(name: str, data: Any, depth: int) -> Iterator[tuple[str, float]]:
    if isinstance(data, bool | int | float):
        yield name, float(data)
    elif isinstance(data, Mapping) and depth < _DEEPEST:
        plain = name == "quantities"
        for key, value in data.items():
            yield from _numbers(str(key) if plain else f"{name}.{key}", value, depth + 1)
    elif isinstance(data, list | tuple) and depth < _DEEPEST:
        for i, value in enumerate(data):
            yield from _numbers(f"{name}.{i}", value, depth + 1)
    elif hasattr(data, "__slots__") and depth < _DEEPEST:
        for key in data.__slots__:
            yield from _numbers(f"{name}.{key}", getattr(data, key), depth + 1)


_READERS = {".csv": _read_csv, ".parquet": _read_parquet, ".mcap": _read_mcap}
