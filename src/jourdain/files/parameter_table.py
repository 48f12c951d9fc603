"""The parameters of a model as a table: address, value and unit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ..basics.registry import Kinds
from ..basics.units import units_of
from ..describe.bodies.body import BODIES
from ..describe.constraints.connections import LINKS
from ..describe.contact.friction import FRICTION_LAWS
from ..describe.contact.normal import NORMAL_LAWS
from ..describe.drives import Drive
from ..describe.environment import Orbit
from ..describe.joints import JOINTS
from ..describe.parameters import Address, addresses, find, read
from ..describe.shapes import SHAPES

if TYPE_CHECKING:
    from ..model.model import Model

_REGISTRIES: dict[str, Kinds[Any]] = {
    "body": BODIES,
    "joint": JOINTS,
    "normal law": NORMAL_LAWS,
    "friction law": FRICTION_LAWS,
    "shape": SHAPES,
    "connection": LINKS,
}
_PLAIN = {"place": "m", "gravity": "m/s^2", "coupling": "1"}
_FORCES = {"force": "N", "moment": "N m"}
_SLIDING = ("prismatic", "rail")


class Parameters(Mapping[str, float]):
    """Every parameter of a model by address: its value, and its unit in `units`.

    Shown, it is a table. `model.with_parameters({"fore.EI": 480.0})` is the model with other values.
    """

    def __init__(self, model: Model) -> None:
        self._description = model.description
        self._places = addresses(model.description)
        self._kinds = {item["joint"]["name"]: item["joint"]["kind"] for item in model.description.get("bodies", ())}

    def __getitem__(self, address: str) -> float:
        return read(self._description, find(self._description, address, self._places))

    def __contains__(self, address: object) -> bool:
        return address in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    @property
    def units(self) -> dict[str, str]:
        """Unit of each parameter, "" where its class does not say."""
        return {address: self.unit(address) for address in self._places}

    def unit(self, address: str) -> str:
        """Unit of a parameter, "" where its class does not say."""
        place: Address = find(self._description, address, self._places)
        what, kind, word = place.kind
        if what in _PLAIN:
            return _PLAIN[what]
        if what == "force":
            return _FORCES.get(word, "")
        if what in ("drive", "environment"):
            known = units_of(Drive if what == "drive" else Orbit).get(word, ())
        else:
            registry = _REGISTRIES.get(what)
            known = units_of(registry[kind]).get(word, ()) if registry is not None and kind in registry else ()
        if len(known) > 1 and what in ("joint", "drive"):
            joint = kind if what == "joint" else self._kinds.get(address.partition(":")[2] or address.split(".")[0], "")
            return known[-1] if joint in _SLIDING else known[0]
        return known[0] if known else ""

    def __repr__(self) -> str:
        rows = [(address, f"{self[address]:.6g}", self.unit(address)) for address in self]
        widths = [max((len(row[i]) for row in rows), default=0) for i in range(2)]
        return "\n".join(f"{a:<{widths[0]}}  {b:>{widths[1]}}  {c}".rstrip() for a, b, c in rows)


def parameters_of(model: Model) -> Parameters:
    """The table of a model's parameters."""
    return Parameters(model)
