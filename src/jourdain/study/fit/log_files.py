"""Logs in files as columns: CSV and Parquet, bounded in what they hold, every fault an error that names its place."""

from __future__ import annotations

import csv
import re
from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from ...basics.errors import JourdainError, ModelError
from ...basics.spreadsheets import unguarded
from ...basics.values import shown

LARGEST = 200_000_000
"""Bytes of a log that is read at most."""
LARGEST_UNPACKED = 2_000_000_000
"""Bytes that a log may have when it is unpacked, all of it; it is never in memory at once."""
MOST_NUMBERS = 50_000_000
"""Numbers that are read of a log."""
MOST_COLUMNS = 10_000
"""Columns, or names of numbers, that a log may have."""
LONGEST_NAME = 1000
"""Characters of a name with its unit."""
LONGEST_LINE = 4_000_000
"""Characters of a line of a CSV file."""
LONGEST_NUMBER = 400
"""Characters of a number: more than the longest that a float is written with has no use."""

_NO_TEXT = re.compile("[\udc80-\udcff]")
"""What "surrogateescape" makes of bytes that are no UTF-8 (PEP 383)."""

NONE = np.zeros(0)
"""Times of a column that has none of its own."""

Columns = tuple[dict[str, tuple[np.ndarray, np.ndarray]], dict[str, str]]
"""Times and values by name, and the units that a file tells."""


@contextmanager
def foreign(place: str, kind: str) -> Iterator[None]:
    """Whatever a reader of another library raises of bytes that it does not understand is a fault of the file."""
    try:
        yield
    except (JourdainError, MemoryError):
        raise
    except Exception as error:
        stated = " ".join(str(error).split())[:200]
        raise ModelError.at(place, f"cannot be read as {kind}: {stated or type(error).__name__}") from None


def heads(cells: Sequence[str], place: str) -> tuple[list[str], dict[str, str]]:
    """Names of columns, and the units that stand behind them in brackets."""
    if len(cells) > MOST_COLUMNS:
        raise ModelError.at(place, f"has {len(cells)} columns; {MOST_COLUMNS} are read at most")
    names: dict[str, None] = {}
    units = {}
    for one in cells:
        if len(one) > LONGEST_NAME:
            raise ModelError.at(place, f"has a name of {len(one)} characters; {LONGEST_NAME} is the most")
        name, unit = head(one)
        if name in names:
            raise ModelError.at(name, "two columns have this name; give each its own")
        names[name] = None
        if unit is not None:
            units[name] = unit
    return list(names), units


def head(text: str) -> tuple[str, str | None]:
    """A name and the unit behind it, "elbow [deg]"; None where there is none, as in "boom.bending_z[0]"."""
    plain = unguarded(text.strip())
    if not plain.endswith("]"):
        return plain, None
    at = plain.find("[", plain.rfind("]", 0, -1) + 1)
    unit = plain[at + 1 : -1].strip()
    if at < 0 or (unit.isdecimal() and at > 0 and not plain[at - 1].isspace()):
        return plain, None
    return plain[:at].rstrip(), unit


def too_many(place: str, count: int) -> ModelError:
    """More numbers than are read."""
    return ModelError.at(place, f"has more than {count:,} numbers; cut it into parts, or leave columns out")


def read_csv(path: Path) -> Columns:
    """Columns and units of a CSV file; empty cells are not-a-number."""
    with path.open(newline="", encoding="utf-8-sig", errors="surrogateescape") as file:
        rows = _rows(file, path)
        line, first = next(rows, (0, []))
        names, units = heads(first, f"{path}:{line}")
        columns = [array("d") for _ in names]
        most = MOST_NUMBERS // max(1, len(names))
        for line, row in rows:
            if len(row) != len(names):
                raise ModelError.at(f"{path}:{line}", f"has {len(row)} cells, and there are {len(names)} names")
            if len(columns[0]) >= most:
                raise too_many(f"{path}:{line}", MOST_NUMBERS)
            for name, column, one in zip(names, columns, row, strict=True):
                text = one.strip()
                if not text:
                    column.append(np.nan)
                    continue
                try:
                    if "_" in text or len(text) > LONGEST_NUMBER:
                        raise ValueError
                    column.append(float(text))
                except ValueError:
                    raise ModelError.at(f"{path}:{line}", f"{name}: {shown(text)} is no number") from None
    if not columns or not columns[0]:
        raise ModelError.at(str(path), "has no rows of numbers below its names")
    return {name: (NONE, np.frombuffer(one)) for name, one in zip(names, columns, strict=True)}, units


def _rows(file: TextIO, path: Path) -> Iterator[tuple[int, list[str]]]:
    """Number and cells of each line that is no remark; what is no text, or no CSV, is an error at its line."""
    reader = csv.reader(_lines(file, path))
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise ModelError.at(f"{path}:{reader.line_num}", f"is no CSV: {error}") from None
        if row and not row[0].lstrip().startswith("#"):
            yield reader.line_num, row


def _lines(file: TextIO, path: Path) -> Iterator[str]:
    number = 0
    while line := file.readline(LONGEST_LINE):
        number += 1
        if len(line) == LONGEST_LINE:
            raise ModelError.at(f"{path}:{number}", f"has more than {LONGEST_LINE:,} characters; it is no table")
        if not line.isascii() and (strange := _NO_TEXT.search(line)):
            text = f"byte {ord(strange.group()) - 0xDC00:#04x} is no text in UTF-8; save it as UTF-8"
            raise ModelError.at(f"{path}:{number}", text)
        yield line


def read_parquet(path: Path) -> Columns:
    """Columns of numbers and times, and units, of a Parquet file; others are left out."""
    try:
        import pyarrow.parquet as pq
    except ImportError:
        raise JourdainError('Parquet files are read with pyarrow: pip install "jourdain[tables]"') from None
    place = str(path)
    with foreign(place, "Parquet"), pq.ParquetFile(path) as file:
        known, rows = [str(name) for name in file.schema_arrow.names], int(file.metadata.num_rows)
        names, units = heads(known, place)
        wanted = [i for i, one in enumerate(file.schema_arrow) if _is_number(one.type)]
        if rows * len(wanted) > MOST_NUMBERS:
            raise too_many(place, MOST_NUMBERS)
        if _unpacked(file.metadata) > LARGEST_UNPACKED:
            raise ModelError.at(place, f"unpacks to more than {LARGEST_UNPACKED:,} bytes; cut it into parts")
        parts: dict[int, list[np.ndarray]] = {i: [] for i in wanted}
        count = 0
        for batch in file.iter_batches(batch_size=65_536, columns=[known[i] for i in wanted]) if wanted else ():
            count += batch.num_rows
            if count > rows:
                raise ModelError.at(place, f"has more rows than the {rows} that it tells")
            for i in wanted:
                parts[i].append(batch.column(known[i]).to_numpy(zero_copy_only=False))
    if not count:
        raise ModelError.at(place, "has no rows of numbers")
    return {names[i]: (NONE, np.concatenate(some)) for i, some in parts.items()}, units


def _is_number(kind: Any) -> bool:
    import pyarrow.types as known

    checks = (known.is_integer, known.is_floating, known.is_boolean, known.is_timestamp, known.is_date,
              known.is_duration)  # fmt: skip
    return any(check(kind) for check in checks)


def _unpacked(metadata: Any) -> int:
    """Bytes of all columns when they are unpacked, as the file tells. Of a group as a whole: what a damaged file tells
    of a column ends the process (Arrow 26)."""
    return sum(metadata.row_group(i).total_byte_size for i in range(metadata.num_row_groups))
