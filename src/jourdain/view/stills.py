"""Pictures that stand still: a scene where there is no WebGL, a plot where there are no scripts."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..basics.markup import escape
from .colouring import SurfaceField, palette
from .staging import camera

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from .scene import Scene

_MANY = 20_000
"""Triangles above which a picture is drawn by the compiled painter: sorting them takes longer than compiling it."""
_WIDTH, _HEIGHT = 640.0, 190.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 62.0, 12.0, 10.0, 26.0


def scene_png(scene: Scene, staged: dict[str, Any], sample: int, width: int = 960, height: int = 600) -> bytes:
    """A scene at one sample, seen as the player shows it at first: faces sorted by distance, lit by one sun.

    staged    what `jourdain.view.staging.stage` says of it
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.collections import PolyCollection
    from matplotlib.figure import Figure

    if sum(len(part.faces) for part in scene.parts) > _MANY and not scene.fields:
        return _drawn_png(scene, staged, sample, width, height)
    dark = staged["orbit"] is not None
    dpi = 100
    figure = Figure(figsize=(width / dpi, height / dpi), dpi=dpi, facecolor="#0a0f1c" if dark else "#eef2f7")
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    poses = scene.magnified(staged["magnify"], slice(sample, sample + 1 or None))[0]
    polygons, colours, depths = _faces(scene, staged, poses, width / height, sample)
    order = np.argsort(-depths)
    shown = PolyCollection(list(polygons[order]), facecolors=colours[order], edgecolors=colours[order], linewidths=0.4)
    axes.add_collection(shown)
    axes.set_xlim(-width / height, width / height)
    axes.set_ylim(-1.0, 1.0)
    if scene.fields:
        _scale(figure, scene.fields[0], "#ffffff" if dark else "#1f2933")
    buffer = io.BytesIO()
    FigureCanvasAgg(figure).print_png(buffer, metadata={"Software": None})
    return buffer.getvalue()


def _drawn_png(scene: Scene, staged: dict[str, Any], sample: int, width: int, height: int) -> bytes:
    """The same of a scene of many triangles, by the compiled painter."""
    from PIL import Image

    from .drawing import Painter

    buffer = io.BytesIO()
    Image.fromarray(Painter(scene, staged, width, height).draw(sample)).save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


def _scale(figure: Figure, field: SurfaceField, ink: str) -> None:
    """What the colours of solids mean."""
    factor, unit = field.scale
    axes = figure.add_axes((0.03, 0.06, 0.02, 0.3))
    axes.imshow(palette()[::-1, None], aspect="auto", extent=(0.0, 1.0, factor * field.low, factor * field.high))
    axes.set_xticks([])
    axes.yaxis.tick_right()
    axes.tick_params(colors=ink, labelsize=8)
    axes.set_title(f"{field.label} [{unit}]", fontsize=8, color=ink, loc="left")


def _faces(
    scene: Scene, staged: dict[str, Any], poses: np.ndarray, aspect: float, sample: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Triangles on the picture (m, 3, 2), their colours (m, 4) and their distances (m,), those turned away left out."""
    from matplotlib.colors import to_rgb

    axes, middle, distance, slope = camera(staged, aspect)
    polygons, colours, depths = [], [], []
    sun = np.array(staged["sun"])
    for part in scene.parts:
        if part.shown is not None and not part.shown[sample]:
            continue
        seen = (scene.skinned(part, poses) - middle) @ axes.T
        away = distance - seen[:, 2]
        flat = seen[:, :2] / (np.maximum(away, 1e-3 * distance)[:, None] * slope)
        a, b, c = (seen[part.faces[:, i]] for i in range(3))
        normals = np.cross(b - a, c - a)
        sizes = np.linalg.norm(normals, axis=1)
        eye = np.array([0.0, 0.0, distance])
        keep = (np.einsum("ij,ij->i", normals, eye - a) > 0.0) & (sizes > 0.0) & (away[part.faces] > 0.0).all(axis=1)
        normals = normals[keep] / sizes[keep, None]
        light = 0.42 + 0.58 * np.clip(normals @ (axes @ sun), 0.0, 1.0)
        polygons.append(flat[part.faces[keep]])
        depths.append(away[part.faces[keep]].mean(axis=1))
        own: np.ndarray = np.array(to_rgb(part.colour))
        if scene.fields and part.columns is not None:
            shares = scene.fields[0].shares(part.body, sample)[part.columns]
            own = palette()[np.rint(255.0 * shares[part.faces[keep]].mean(axis=1)).astype(int)] / 255.0
        shade = np.clip(light[:, None] * own, 0.0, 1.0)
        colours.append(np.column_stack([shade, np.full(len(shade), part.opacity)]))
    return np.concatenate(polygons), np.concatenate(colours), np.concatenate(depths)


def data_address(data: bytes, kind: str) -> str:
    """An image inside the page."""
    return f"data:image/{kind};base64," + base64.b64encode(data).decode("ascii")


def figure_svg(figure: Figure) -> str:
    """A matplotlib figure as a data address; the same figure gives the same text."""
    import matplotlib as mpl

    buffer = io.BytesIO()
    with mpl.rc_context({"svg.hashsalt": "jourdain", "svg.fonttype": "path"}):
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    return data_address(buffer.getvalue(), "svg+xml")


def chart_svg(time: np.ndarray, lines: Sequence[tuple[str, str, np.ndarray]], unit: str) -> str:
    """A small plot without scripts: lines (label, colour, values) over time [s]."""
    finite = np.concatenate([values[np.isfinite(values)] for _, _, values in lines] or [np.zeros(0)])
    low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 0.0)
    if low == high:
        low, high = low - 1.0, high + 1.0
    low, high = low - 0.06 * (high - low), high + 0.06 * (high - low)
    start, end = float(time[0]), float(time[-1]) if time[-1] > time[0] else float(time[0]) + 1.0

    def x(t: Any) -> Any:
        return _LEFT + (t - start) / (end - start) * (_WIDTH - _LEFT - _RIGHT)

    def y(v: Any) -> Any:
        return _HEIGHT - _BOTTOM - (v - low) / (high - low) * (_HEIGHT - _TOP - _BOTTOM)

    ink = 'font-family="sans-serif" font-size="11" fill="#616e7c"'
    parts = []
    levels, times = _ticks(low, high, 4), _ticks(start, end, 8)
    for v, label in zip(levels, tick_labels(levels)):
        parts.append(f'<path d="M{_LEFT:g} {y(v):.1f}H{_WIDTH - _RIGHT:g}" stroke="#e4e7eb"/>')
        parts.append(f'<text x="{_LEFT - 6:g}" y="{y(v) + 4:.1f}" text-anchor="end" {ink}>{label}</text>')
    for t, label in zip(times, tick_labels(times)):
        parts.append(f'<text x="{x(t):.1f}" y="{_HEIGHT - 8:g}" text-anchor="middle" {ink}>{label} s</text>')
    for label, colour, values in lines:
        points = np.column_stack([x(time), y(values)])[np.isfinite(values)]
        track = " ".join(f"{a:.1f},{b:.1f}" for a, b in points)
        name = f"<title>{escape(label)} [{escape(unit)}]</title>"
        parts.append(f'<polyline points="{track}" fill="none" stroke="{colour or "#1f2933"}">{name}</polyline>')
    space = 'xmlns="http://www.w3.org/2000/svg"'
    return f'<svg {space} viewBox="0 0 {_WIDTH:g} {_HEIGHT:g}" stroke-width="1.3">{"".join(parts)}</svg>'


def tick_labels(ticks: np.ndarray) -> list[str]:
    """Ticks as text: the fewest digits that say where each of them is."""
    step = float(np.min(np.diff(ticks))) if len(ticks) > 1 else 1.0
    for digits in range(1, 17):
        labels = [f"{x:.{digits}g}" for x in ticks]
        if all(abs(float(label) - x) <= 1e-3 * step for label, x in zip(labels, ticks)):
            break
    return [label.replace("e+0", "e").replace("e-0", "e-").replace("-", "−") for label in labels]


def _ticks(low: float, high: float, count: int) -> np.ndarray:
    """Round numbers between two, about so many."""
    rough = (high - low) / count
    power = 10.0 ** np.floor(np.log10(rough))
    step = power * min((1.0, 2.0, 5.0, 10.0), key=lambda n: abs(n * power - rough))
    ticks = step * np.arange(np.ceil(low / step), np.floor(high / step) + 1)
    return np.where(np.abs(ticks) < 1e-9 * step, 0.0, ticks)
