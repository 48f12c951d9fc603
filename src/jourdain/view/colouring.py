"""Fields over the surfaces of solids, as colours: values at the drawn nodes, and one scale for a whole run.

Colours are those of viridis, whose lightness rises evenly: equal steps of a field look equal, on paper without colour
and to most who see few colours too.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from ..results.solid_fields import in_pieces
from .sampling import nearest

if TYPE_CHECKING:
    from ..describe.bodies import Body
    from ..results.run import Run

MOST = 3_000_000
"""Values that a field of a scene has at most: of larger ones only some of the pictures are kept."""
MAP = "viridis"
DRAWN = {"von_mises": ("von Mises stress", "Pa"), "displacement": ("displacement", "m")}
"""Fields that are drawn: label and unit."""
PRESSURE = "contact pressure"
_PREFIXES = ((1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n"))


@dataclass(frozen=True, eq=False)
class SurfaceField:
    """A number over the surfaces of some bodies.

    label     in words
    unit      SI
    low       least value over the run and all bodies
    high      largest
    samples   pictures that it is known at (k,); between them it is read along a line
    values    of every body at the nodes that are drawn of it, (k, nodes) float32
    """

    label: str
    unit: str
    low: float
    high: float
    samples: np.ndarray
    values: dict[str, np.ndarray]

    def shares(self, body: str, picture: float) -> np.ndarray:
        """Values at the nodes of a body from 0 (low) to 1 (high), at a picture or between two."""
        values = self.values[body]
        place = float(np.interp(picture, self.samples, np.arange(len(self.samples))))
        i = min(int(place), len(values) - 1)
        j = min(i + 1, len(values) - 1)
        now = values[i] + np.float32(place - i) * (values[j] - values[i])
        return np.clip((now - self.low) / (self.high - self.low), 0.0, 1.0)

    @property
    def scale(self) -> tuple[float, str]:
        """A factor and a unit in which the range is easy to read: 1e-6, "MPa"."""
        size = max(abs(self.low), abs(self.high))
        factor, prefix = next((one for one in _PREFIXES if size >= one[0]), _PREFIXES[-1])
        return 1.0 / factor, f"{prefix}{self.unit}"

    def words(self, value: float) -> str:
        """A value with its unit, as a person reads it."""
        factor, unit = self.scale
        return f"{factor * value:.3g} {unit}"


def fields(run: Run, times: np.ndarray, drawn: dict[str, tuple[Body, np.ndarray, np.ndarray]]) -> list[SurfaceField]:
    """Fields of a scene whose pictures are at some times [s]; those that are zero throughout are left out.

    drawn    by name: a body with a mesh, its coordinates at these times (nt, n), the nodes that are drawn of it
    """
    if not drawn:
        return []
    samples = _some(len(times), sum(len(nodes) for _, _, nodes in drawn.values()))
    found = [
        _field(label, unit, samples, {name: _values(*one, what, samples) for name, one in drawn.items()})
        for what, (label, unit) in DRAWN.items()
    ]
    pressed = {name: _pressure(run, times[samples], name, nodes) for name, (_, _, nodes) in drawn.items()}
    found.append(_field(PRESSURE, "Pa", samples, pressed))
    return [one for one in found if one.high > one.low]


def _some(pictures: int, nodes: int) -> np.ndarray:
    """Pictures at which a field is kept, the last among them."""
    step = max(1, -(-pictures * nodes // MOST))
    return np.unique(np.append(np.arange(0, pictures, step), pictures - 1))


def _values(body: Body, e: np.ndarray, nodes: np.ndarray, what: str, samples: np.ndarray) -> np.ndarray:
    out = np.zeros((len(samples), len(nodes)), np.float32)
    for some, values in in_pieces(body, e[samples], what):
        mine = values[:, nodes]
        out[some] = np.linalg.norm(mine, axis=2) if mine.ndim == 3 else mine
    return np.nan_to_num(out, nan=0.0, posinf=0.0, neginf=0.0)


def _pressure(run: Run, times: np.ndarray, body: str, nodes: np.ndarray) -> np.ndarray:
    """Pressure on the nodes of a body by all contacts of its surfaces, as recorded nearest to the times."""
    out = np.zeros((len(times), len(nodes)), np.float32)
    here = nearest(run.record.time, times)
    for name in run.contact.surfaces:
        touch = run.contact[name]
        if touch.body == body:
            known = np.isin(touch.nodes, nodes)
            out[:, np.searchsorted(nodes, touch.nodes[known])] += touch.pressure.values[here][:, known]
    return np.nan_to_num(out)


def _field(label: str, unit: str, samples: np.ndarray, values: dict[str, np.ndarray]) -> SurfaceField:
    low = min((float(one.min(initial=0.0)) for one in values.values()), default=0.0)
    high = max((float(one.max(initial=0.0)) for one in values.values()), default=0.0)
    return SurfaceField(label, unit, low, high, samples, values)


@cache
def palette() -> np.ndarray:
    """Colours from low to high, (256, 3) bytes."""
    from matplotlib import colormaps

    table = colormaps[MAP](np.linspace(0.0, 1.0, 256))[:, :3]
    return np.rint(255.0 * table).astype(np.uint8)
