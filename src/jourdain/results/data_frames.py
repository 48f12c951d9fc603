"""A run as one table: a column for each quantity, for spreadsheets, data frames and other programs."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..basics.errors import JourdainError
from ..basics.spreadsheets import cell
from ..basics.storage import atomic_write
from .channels import ENERGY
from .quantities import Quantity, quantity
from .surface_names import contact_names

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

    from .run import Run

PARQUET = 'to_parquet writes with pyarrow: pip install "jourdain[tables]"'


def usual(run: Run) -> list[str]:
    """The columns of a table where none are asked for: coordinates, velocities, efforts, energies, contact forces."""
    model = run.model
    names = [*model.names.q, *(f"v:{one}" for one in model.names.v), *(f"effort:{one}" for one in model.names.v)]
    names += [f"energy:{one}" for one in (*ENERGY, "balance")]
    return names + [f"contact:{one}.force" for one in contact_names(model)]


def columns(run: Run, quantities: Iterable[str] | None) -> list[Quantity]:
    """What the table holds, each once; an `UnknownNameError` says which names exist."""
    if isinstance(quantities, str):
        quantities = [quantities]
    wanted = usual(run) if quantities is None else list(quantities)
    return [quantity(run, name) for name in dict.fromkeys(wanted)]


def to_dataset(run: Run, quantities: Iterable[str] | None = None) -> xr.Dataset:
    """A variable for each quantity over `time`, with `units` and `long_name` among its attributes."""
    import xarray as xr

    found = columns(run, quantities)
    data = {one.name: ("time", one.values, {"units": one.unit, "long_name": one.label}) for one in found}
    return xr.Dataset(data, coords={"time": ("time", run.record.time, {"units": "s"})}, attrs={"model": run.model.name})


def to_frame(run: Run, quantities: Iterable[str] | None = None) -> pd.DataFrame:
    """A pandas DataFrame, a row for each sample; units stand in the heads of the columns: "elbow [rad]"."""
    import pandas as pd

    found = columns(run, quantities)
    return pd.DataFrame({"time [s]": run.record.time} | {_head(one): one.values for one in found})


def to_csv(run: Run, path: str | Path, quantities: Iterable[str] | None = None) -> Path:
    """A text file with commas: heads with units, then a line for each sample, with all digits.

    A name that a spreadsheet would take for a formula has an apostrophe before it; `jd.study.read_log` takes it off.
    """
    found = columns(run, quantities)
    heads = ["time [s]", *map(_head, found)]
    table = np.column_stack([run.record.time, *(one.values for one in found)])
    with atomic_write(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        file.write(",".join(map(cell, heads)) + "\r\n")
        for row in table.tolist():
            file.write(",".join("" if x != x else repr(x) for x in row) + "\r\n")
    return Path(path)


def to_parquet(run: Run, path: str | Path, quantities: Iterable[str] | None = None) -> Path:
    """An Apache Parquet file with the columns of `to_csv`."""
    try:
        import pyarrow  # noqa: F401  # type: ignore[import-not-found]
    except ImportError:
        raise JourdainError(PARQUET) from None
    frame = to_frame(run, quantities)
    with atomic_write(path) as temporary:
        frame.to_parquet(temporary, engine="pyarrow", index=False)
    return Path(path)


def _head(one: Quantity) -> str:
    return f"{one.name} [{one.unit}]" if one.unit else one.name
