"""Maps and histograms of a study as drawings in its page: over two parameters a cell for each pair of values."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...basics.markup import escape
from ..sweeps.criteria import SUCCESS
from ..sweeps.statistics import coded_values, influences, ranked, wilson
from ..sweeps.store import BAD, DONE, WAITING
from .page import number

if TYPE_CHECKING:
    import xarray as xr

    from ..sweeps.study import Study

BINS = 8
"""Cells along a parameter that has any number of values."""
MOST_VALUES = 24
"""Values of a parameter that get a cell each."""
MOST_MAPPED = 5
"""Parameters whose pairs are mapped unless the study says which: the most influential ones."""
RAMP = ((68, 1, 84), (59, 82, 139), (33, 145, 140), (94, 201, 98), (253, 231, 37))
GOOD = ((180, 35, 24), (240, 200, 120), (21, 115, 71))
NOTHING = "#8883"
_TOP, _RIGHT = 8.0, 8.0
_LINE, _LETTER = 14.0, 6.6
"""Height of a line of text and width of a letter, at most, at the size that maps are written in [px]."""
_SLANT = 35.0
"""Labels that are too long for their columns are turned by so much [deg]."""


class MapCell(NamedTuple):
    """One cell of a map: its place, its variants, and the one that it opens, the worst of them."""

    column: int
    row: int
    variants: tuple[int, ...]
    variant: int


class MapAxis(NamedTuple):
    """One side of a map: the name of the parameter, the cell of each variant, and what stands at the cells."""

    name: str
    place: np.ndarray
    labels: list[str]


def pairs(study: Study, data: xr.Dataset) -> list[tuple[str, str]]:
    """The maps of a report: those asked for, or all pairs of the most influential parameters."""
    if study.layout.maps:
        return [(pair[0], pair[1]) for pair in study.layout.maps]
    names = [one.name for one in study.parameters]
    if len(names) > MOST_MAPPED:
        found = influences(study, data, shown(study)[-1])
        names = sorted(names, key=lambda one: -abs(np.nan_to_num(found[one].rank)))[:MOST_MAPPED]
        names = [one.name for one in study.parameters if one.name in names]
    return list(combinations(names, 2))


def first_map(study: Study, data: xr.Dataset) -> tuple[str, str] | None:
    """The first map, None with one parameter."""
    found = pairs(study, data)
    return found[0] if found else None


def shown(study: Study) -> list[str]:
    """Variables that the report maps: those asked for, or success, the limits' values and the criteria."""
    if study.layout.show:
        return list(study.layout.show)
    limits = [one.name for one in study.limits]
    return ([SUCCESS] if limits else []) + limits[:3] + [one.name for one in study.criteria][:3] or [SUCCESS]


def axis(study: Study, data: xr.Dataset, name: str) -> MapAxis:
    """The cells along a parameter: one a value where they are few, else bins."""
    one = next(p for p in study.parameters if p.name == name)
    values = coded_values(study, data, name)
    if one.choices is not None and len(one.choices) <= MOST_VALUES:
        order = sorted(range(len(one.choices)), key=lambda i: float(one.choices[i]) if one.numeric else i)  # type: ignore[index]
        levels = [float(one.choices[i]) if one.numeric else float(i) for i in order]
        place = np.array([int(np.argmin(np.abs(np.array(levels) - value))) for value in values], int)
        labels = [_label(one.choices[i]) for i in order]
        return MapAxis(name, place, labels)
    low, high = float(np.min(values)), float(np.max(values))
    log = one.scale == "log" and low > 0.0
    edges = np.geomspace(low, high, BINS + 1) if log else np.linspace(low, high, BINS + 1)
    place = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, BINS - 1)
    middles = np.sqrt(edges[:-1] * edges[1:]) if log else 0.5 * (edges[:-1] + edges[1:])
    return MapAxis(name, place, [f"{x:.3g}" for x in middles])


def cells(study: Study, data: xr.Dataset, across: str, up: str) -> list[MapCell]:
    """The cells of a map that have variants which were run."""
    x, y = axis(study, data, across), axis(study, data, up)
    ranks = {number: i for i, number in enumerate(ranked(study, data))}
    numbers, status = data["variant"].values, data["status"].values
    found: dict[tuple[int, int], list[int]] = {}
    for i, (a, b) in enumerate(zip(x.place, y.place)):
        if status[i] != WAITING:
            found.setdefault((int(a), int(b)), []).append(int(numbers[i]))
    return [
        MapCell(a, b, tuple(some), min(some, key=lambda n: ranks.get(n, len(ranks))))
        for (a, b), some in sorted(found.items())
    ]


def map_svg(study: Study, data: xr.Dataset, across: str, up: str, name: str, links: dict[int, str]) -> str:
    """One variable over two parameters; a cell is a link to the replay of its worst variant.

    links    addresses of replays by variant; a cell without one leads to its line in the list of cases
    """
    x, y, some = axis(study, data, across), axis(study, data, up), cells(study, data, across, up)
    at = {int(n): i for i, n in enumerate(data["variant"].values)}
    values, status = np.asarray(data[name].values, float), data["status"].values
    unit = str(data[name].attrs.get("units", ""))
    means = {}
    for cell in some:
        inside = np.array([values[at[n]] for n in cell.variants])
        known = inside[np.isfinite(inside)] if name != SUCCESS else inside
        means[cell] = float(np.mean(known)) if len(known) else np.nan
    finite = [one for one in means.values() if np.isfinite(one)]
    low, high = (0.0, 1.0) if name == SUCCESS else (min(finite, default=0.0), max(finite, default=1.0))
    texts = {cell: _text(mean, name) for cell, mean in means.items()}
    frame = _Frame.of(x.labels, y.labels, list(texts.values()))
    size, height = frame.size, frame.height
    out = []
    for cell, mean in means.items():
        share = 0.5 if high == low else (mean - low) / (high - low)
        fill = NOTHING if not np.isfinite(mean) else colour(share, GOOD if name == SUCCESS else RAMP)
        each = [float(values[at[n]]) for n in cell.variants]
        failed = sum(status[at[n]] in BAD for n in cell.variants)
        stated = _stated(study, cell, x, y, name, unit, mean, each, failed)
        text = texts[cell]
        left, top = frame.left + size * cell.column, _TOP + size * (len(y.labels) - 1 - cell.row)
        ink = "dark" if np.isfinite(mean) and _light(fill) else "light"
        to = escape(links.get(cell.variant, f"#case-{cell.variant}"), quote=True)
        out.append(
            f'<a href="{to}"><title>{escape(stated)}</title>'
            f'<rect x="{left:.1f}" y="{top:.1f}" width="{size - 2:.1f}" height="{size - 2:.1f}" rx="3" fill="{fill}"/>'
            f'<text class="{ink}" x="{left + size / 2 - 1:.1f}" y="{top + size / 2 + 3:.1f}">{escape(text)}</text></a>'
        )
    below = _TOP + size * len(y.labels) + _LINE
    for i, label in enumerate(x.labels):
        at_x = frame.left + size * (i + 0.5)
        if frame.slanted:
            turn = f'transform="translate({at_x:.1f} {below:.1f}) rotate(-{_SLANT:g})"'
            out.append(f'<text class="tick-label end" {turn}>{escape(label)}</text>')
        else:
            out.append(f'<text class="tick-label" x="{at_x:.1f}" y="{below:.1f}">{escape(label)}</text>')
    for i, label in enumerate(y.labels):
        at_y = _TOP + size * (len(y.labels) - i - 0.5) + 3
        out.append(f'<text class="tick-label end" x="{frame.left - 6:.1f}" y="{at_y:.1f}">{escape(label)}</text>')
    across, up = _cut(across, frame.width), _cut(up, height)
    middle = 0.5 * (frame.left + frame.width - _RIGHT)
    middle = min(max(middle, 0.5 * _LETTER * len(across)), frame.width - 0.5 * _LETTER * len(across))
    out.append(f'<text class="axis-label" x="{middle:.1f}" y="{height - 8:.1f}">{escape(across)}</text>')
    middle = max(_TOP + size * len(y.labels) / 2, 0.5 * _LETTER * len(up))
    out.append(f'<text class="axis-label" transform="translate(14 {middle:.1f}) rotate(-90)">{escape(up)}</text>')
    return _drawing(name, _with_unit(name, unit), frame.width, height, out)


class _Frame(NamedTuple):
    """Where the parts of a map are, so that no text runs into another [px].

    left       where its cells begin
    size       of a cell
    slanted    whether the labels below are turned
    """

    left: float
    size: float
    width: float
    height: float
    slanted: bool

    @classmethod
    def of(cls, across: Sequence[str], up: Sequence[str], inside: Sequence[str]) -> _Frame:
        """Room for the labels of columns and of rows, and for what is written in the cells."""
        longest, beside, within = (_LETTER * max(map(len, some), default=0) for some in (across, up, inside))
        size = max(34.0, within + 4.0, min(64.0, 420.0 / max(len(across), len(up))))
        slanted = longest > size - 4.0
        turn = np.deg2rad(_SLANT)
        space = _LINE + (longest * np.sin(turn) if slanted else 0.0)
        left = max(2.0 * _LINE + beside + 6.0, longest * np.cos(turn) - 0.5 * size if slanted else 0.0)
        width = max(left + size * len(across) + _RIGHT, left + 130.0)
        height = max(_TOP + size * len(up) + space + 2.0 * _LINE, 90.0)
        return cls(left, size, width, height, slanted)


def _text(mean: float, name: str) -> str:
    """What is written in a cell."""
    if not np.isfinite(mean):
        return "–"
    return f"{100 * mean:.0f} %" if name == SUCCESS else f"{mean:.3g}".replace("e+0", "e").replace("e-0", "e-")


def _cut(text: str, space: float) -> str:
    """As much of a text as there is room for [px]."""
    most = max(4, int(space / _LETTER))
    return text if len(text) <= most else text[: most - 1] + "…"


def _with_unit(name: str, unit: str) -> str:
    return f"{escape(name)} <span class=unit>[{escape(unit)}]</span>" if unit else escape(name)


def _drawing(name: str, caption: str, width: float, height: float, shapes: Sequence[str]) -> str:
    box = f'viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}"'
    drawn = f'<svg class="map" {box} role="img" aria-label="{escape(name, quote=True)}">{"".join(shapes)}</svg>'
    return f"<figure><figcaption>{caption}</figcaption>{drawn}</figure>"


def _stated(
    study: Study,
    cell: MapCell,
    x: MapAxis,
    y: MapAxis,
    name: str,
    unit: str,
    mean: float,
    inside: Sequence[float],
    failed: int,
) -> str:
    """What a cell says when one points at it: its values, and the command that replays its worst variant."""
    lines = [f"{x.name} {x.labels[cell.column]}, {y.name} {y.labels[cell.row]}: {len(cell.variants)} variants"]
    if name == SUCCESS:
        share = wilson(int(np.nansum(inside)), len(inside))
        lines.append(f"success {share.rate:.0%}, {share.low:.0%} to {share.high:.0%} with 95 % confidence")
    elif np.isfinite(mean):
        low, high = np.nanmin(inside), np.nanmax(inside)
        lines.append(f"{name}: mean {number(mean, 0, '.4g', unit)}, {low:.4g} to {high:.4g}")
    if failed:
        lines.append(f"{failed} failed")
    return "\n".join([*lines, f"worst: variant {cell.variant}", study.command(cell.variant)])


def histogram_svg(data: xr.Dataset, name: str) -> str:
    """How the values of a variable are spread over the variants that were done."""
    values = np.asarray(data[name].values, float)
    values = values[(data["status"].values == DONE) & np.isfinite(values)]
    if not len(values):
        return ""
    unit = str(data[name].attrs.get("units", ""))
    counts, edges = np.histogram(values, bins=min(30, max(5, int(np.sqrt(len(values))))))
    width, height, left, floor = 420.0, 170.0, 34.0, 140.0
    step = (width - left - 8) / len(counts)
    out = []
    for i, count in enumerate(counts):
        tall = (floor - 10.0) * count / max(counts)
        text = f"{edges[i]:.4g} to {edges[i + 1]:.4g} {unit}: {count} variants"
        out.append(
            f'<rect class="bar" x="{left + step * i:.1f}" y="{floor - tall:.1f}" width="{max(step - 1, 0.5):.1f}" '
            f'height="{tall:.1f}"><title>{escape(text)}</title></rect>'
        )
    for share in (0.0, 0.5, 1.0):
        value = edges[0] + share * (edges[-1] - edges[0])
        anchor = {0.0: " start", 1.0: " end"}.get(share, "")
        out.append(
            f'<text class="tick-label{anchor}" x="{left + share * (width - left - 8):.1f}" y="158">{value:.4g}</text>'
        )
    out.append(f'<text class="tick-label end" x="{left - 4:.0f}" y="16">{max(counts)}</text>')
    quarter = np.percentile(values, [5, 50, 95])
    about = f"median {quarter[1]:.4g}, 5 % to 95 %: {quarter[0]:.4g} to {quarter[2]:.4g}"
    return _drawing(name, f"{_with_unit(name, unit)}: {about}", width, height, out)


def colour(share: float, ramp: Sequence[tuple[int, int, int]]) -> str:
    """A colour of a ramp, from 0 to 1."""
    place = min(max(share, 0.0), 1.0) * (len(ramp) - 1)
    i = min(int(place), len(ramp) - 2)
    mixed = [round(a + (place - i) * (b - a)) for a, b in zip(ramp[i], ramp[i + 1])]
    return f"#{mixed[0]:02x}{mixed[1]:02x}{mixed[2]:02x}"


def _light(fill: str) -> bool:
    r, g, b = (int(fill[i : i + 2], 16) for i in (1, 3, 5))
    return 0.299 * r + 0.587 * g + 0.114 * b > 140.0


def _label(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, int | float) and not isinstance(value, bool) else str(value)[:14]
