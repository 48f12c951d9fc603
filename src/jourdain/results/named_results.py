"""Parts of a run by name: `run.contact["touch"]`, `run.reaction["elbow"]`, `run.constraint["pin"]`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from .channels import unknown

if TYPE_CHECKING:
    import xarray as xr

    from .run import Run


def history(run: Run, name: str, values: Any, unit: str, **labels: Any) -> xr.DataArray:
    """Values over the time of a run, (time, ...) with the dimensions of `labels`; those along "axis" in world axes."""
    import xarray as xr

    attrs = {"units": unit} | ({"axes": "world"} if "axis" in labels else {})
    return xr.DataArray(values, dims=("time", *labels), coords={"time": run.time} | labels, name=name, attrs=attrs)


class NamedResults(ABC):
    """What one kind of part did during a run, by name; worked out when first looked at."""

    one: ClassVar[str]
    """What a part is called."""

    def __init__(self, run: Run) -> None:
        self.run = run

    @property
    @abstractmethod
    def names(self) -> Sequence[str]:
        """The names that there are."""

    @abstractmethod
    def part(self, name: str) -> Any:
        """What a part did."""

    def __getitem__(self, name: str) -> Any:
        if name not in self.names:
            raise unknown(self.one, name, self.names, f"the run of {self.run.model.name!r} has no {self.one}s")
        return self.part(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def __repr__(self) -> str:
        return f"<{self.one}s of {self.run.model.name!r}: {', '.join(self.names)}>"
