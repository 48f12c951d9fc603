"""A run as one self-contained HTML page: key numbers first, then figures, the system, how to reproduce it.

No scripts and no outside resources: the page's security policy forbids both. Everything that came from a file
or a user passes through `html.escape`.
"""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..channels import Channels, Energy
from ..errors import JourdainError
from ..storage import atomic_write, plain
from ..view.plots import plot, plot_energy

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..run import Run

POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
_OPEN_ROWS = 14
_ROUNDING = 1e-13
"""A number this small beside what it is compared with is what rounding left of zero."""


def write_report(
    run: Run,
    path: str | Path,
    title: str | None = None,
    figures: Mapping[str, Figure | str | Sequence[str]] | None = None,
    notes: str | Iterable[str] = (),
) -> Path:
    """Write the report of a run.

    title    None: the system's name
    figures  caption -> a matplotlib Figure, or what `run.plot` takes as one name or several panels;
             None: the coordinates and velocities. The energy is always there.
    notes    paragraphs of plain text
    """
    title = title if title is not None else run.model.name
    paragraphs = [notes] if isinstance(notes, str) else list(notes)
    body = [
        _header(run, title),
        "".join(f"<p>{escape(text)}</p>" for text in paragraphs),
        _key_numbers(run),
        _figures(run, figures),
        _section("Peaks", _peaks(run)),
        _section("End state", _end_state(run)),
        _section("System", _system(run.model.description)),
        _section("To reproduce", _reproduce(run)),
    ]
    style = files("jourdain.study").joinpath("report.css").read_text(encoding="utf-8")
    page = (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(part for part in body if part)
        + "\n</main>\n</body>\n</html>\n"
    )
    with atomic_write(path) as temporary:
        temporary.write_text(page, encoding="utf-8", errors="replace")
    return Path(path)


def _header(run: Run, title: str) -> str:
    counts = f"{len(run.q)} coordinates, {len(run.v)} velocities"
    partial = '<p class="warning">This run did not reach its end.</p>' if run.partial else ""
    about = f"{escape(run.model.name)} &middot; {counts}"
    head = f'<p class="kind">Jourdain run</p><h1>{escape(title)}</h1><p class="about">{about}</p>'
    return f"<header>{head}</header>{partial}"


def _key_numbers(run: Run) -> str:
    time, energy = run.record.time, run.energy
    cards = [
        ("simulated time", f"{run.duration:g} s", f"{time[0]:g} to {time[-1]:g} s"),
        ("samples", f"{len(run):,}", str(run.options.get("method", ""))),
        ("energy balance", f"{energy.error:.1e}", f"of {energy.scale:.3g} J that moves"),
        ("total energy at the end", _number(energy.column("total")[-1], energy.scale, ".6g", "J"), _change(energy)),
    ]
    for label, channels in (("fastest", run.v), ("largest effort", run.effort)):
        for unit, name, value, when in _largest(channels):
            cards.append((label, f"{value:.4g} {unit}".strip(), f"{name} at {when:.4g} s"))
    return '<section class="cards">' + "".join(_card(*card) for card in cards) + "</section>"


def _card(label: str, value: str, detail: str) -> str:
    return (
        f'<div class="card"><div class="label">{escape(label)}</div><div class="value">{escape(value)}</div>'
        f'<div class="detail">{escape(detail)}</div></div>'
    )


def _change(energy: Energy) -> str:
    values = energy.column("total")
    return _number(values[-1] - values[0], energy.scale, "+.3g", "J") + " since the start"


def _number(value: float, scale: float, form: str, unit: str) -> str:
    """A number with its unit; "≈ 0" where it is rounding beside `scale`."""
    text = "≈ 0" if 0.0 < abs(value) < _ROUNDING * scale else f"{value:{form}}"
    return f"{text} {unit}".strip()


def _peak(values: np.ndarray) -> int:
    """The sample of largest magnitude; not-a-number does not count."""
    return int(np.argmax(np.nan_to_num(np.abs(values), nan=-1.0)))


def _largest(channels: Channels) -> Iterator[tuple[str, str, float, float]]:
    """(unit, name, value, time) of the largest magnitude among channels of each unit; zeros are left out."""
    for unit in dict.fromkeys(channels.units):
        names = [n for n, u in zip(channels.names, channels.units, strict=True) if u == unit]
        block = np.column_stack([channels.column(n) for n in names])
        sample, i = divmod(_peak(block.reshape(-1)), len(names))
        if block[sample, i] != 0.0:
            yield unit, names[i], float(block[sample, i]), float(channels.time[sample])


def _figures(run: Run, figures: Mapping[str, Figure | str | Sequence[str]] | None) -> str:
    wanted: dict[str, Any] = dict(figures) if figures is not None else {"Coordinates and velocities": ()}
    if figures is None and not len(run.q):
        wanted = {}
    parts = [_figure(run, caption, content) for caption, content in wanted.items()]
    parts.append(_picture("Energy", lambda figure, theme: plot_energy(run, figure=figure, theme=theme)))
    return _section("Figures", "".join(parts))


def _figure(run: Run, caption: str, content: Any) -> str:
    if hasattr(content, "savefig"):
        return _frame(caption, f'<img class="paper" alt="{escape(caption)}" src="{_svg(content)}">')
    names = (content,) if isinstance(content, str) else tuple(content)
    return _picture(caption, lambda figure, theme: plot(run, *names, figure=figure, theme=theme))


def _picture(caption: str, make: Callable[[Figure, str], Figure]) -> str:
    """A figure drawn twice, for light and for dark screens; print takes the light one."""
    from matplotlib.figure import Figure

    light, dark = (_svg(make(Figure(), theme)) for theme in ("light", "dark"))
    source = f'<source media="screen and (prefers-color-scheme: dark)" srcset="{dark}">'
    return _frame(caption, f'<picture>{source}<img alt="{escape(caption)}" src="{light}"></picture>')


def _frame(caption: str, image: str) -> str:
    return f"<figure>{image}<figcaption>{escape(caption)}</figcaption></figure>"


def _svg(figure: Figure) -> str:
    """The figure as a data address; the same figure gives the same text."""
    import matplotlib as mpl

    buffer = io.BytesIO()
    with mpl.rc_context({"svg.hashsalt": "jourdain", "svg.fonttype": "path"}):
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    return "data:image/svg+xml;base64," + base64.b64encode(buffer.getvalue()).decode("ascii")


def _section(title: str, content: str) -> str:
    return f"<section><h2>{escape(title)}</h2>{content}</section>" if content else ""


def _peaks(run: Run) -> str:
    rows = []
    largest = [{unit: abs(value) for unit, _, value, _ in _largest(channels)} for channels in (run.v, run.effort)]
    for name, v_unit, e_unit in zip(run.v.names, run.v.units, run.effort.units, strict=True):
        row = [name]
        for channels, unit, scales in ((run.v, v_unit, largest[0]), (run.effort, e_unit, largest[1])):
            values = channels.column(name)
            at = _peak(values)
            row += [_number(values[at], scales.get(unit, 0.0), ".5g", unit), f"{run.record.time[at]:.5g} s"]
        rows.append(row)
    return _table(("coordinate", "peak speed", "at", "peak effort", "at"), rows)


def _end_state(run: Run) -> str:
    rows = []
    for label, channels in (("q", run.q), ("v", run.v), ("z", run.z)):
        for name, unit in zip(channels.names, channels.units, strict=True):
            rows.append([label, name, f"{channels.column(name)[-1]:.9g}", unit])
    return _table(("", "name", "value", "unit"), rows)


def _system(description: object) -> str:
    """Bodies and joints; then whatever else the description says in a word."""
    if not isinstance(description, dict):
        raise JourdainError(f"the model's description is a {type(description).__name__}; it must be a dict")
    rows, rest = [], []
    for key, value in description.items():
        if key in ("format", "name"):
            continue
        attached = [item for item in value if _is_attachment(item)] if isinstance(value, list) else []
        if attached:
            rows += [_attachment_row(item) for item in attached]
        elif isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
            rest += [[key, _brief({k: v for k, v in item.items() if v is not None})] for item in value]
        elif value not in (None, [], {}):
            rest.append([key, _brief(value)])
    heads = ("body", "kind", "mass [kg]", "centre of mass [m]", "joint", "kind", "on")
    tables = _table(heads, rows) if rows else ""
    return tables + (_table(("", ""), rest) if rest else "")


def _is_attachment(item: object) -> bool:
    return isinstance(item, dict) and isinstance(item.get("body"), dict) and isinstance(item.get("joint"), dict)


def _attachment_row(item: dict[str, Any]) -> list[str]:
    body, joint = item["body"], item["joint"]
    cells = (body.get("name"), body.get("kind"), body.get("mass"), body.get("com"))
    return [_brief(cell) for cell in (*cells, joint.get("name"), joint.get("kind"), item.get("to", "world"))]


def _brief(value: object) -> str:
    """A value in a table cell: numbers as a person writes them, nothing longer than a line or two."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, list) and len(value) <= 9 and all(isinstance(x, (int, float)) for x in value):
        return "(" + ", ".join(f"{x:.6g}" for x in value) + ")"
    text = value if isinstance(value, str) else json.dumps(plain(value), ensure_ascii=False)
    return text if len(text) <= 160 else text[:157] + "..."


def _reproduce(run: Run) -> str:
    facts = [["model hash", run.model.hash], *([name, version] for name, version in run.versions.items())]
    options = [[str(key), _brief(value)] for key, value in plain(run.options).items()]
    text = json.dumps(plain(run.model.description), ensure_ascii=False, indent=1)
    source = f"<details><summary>Description of the system</summary><pre>{escape(text)}</pre></details>"
    return _table(("software", ""), facts) + (_table(("option", "value"), options) if options else "") + source


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table; a long one is folded after its first rows' worth."""
    if not rows:
        return ""
    head = "".join(f"<th>{escape(text)}</th>" for text in heads)
    lines = "".join("<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    table = f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table></div>'
    if len(rows) > _OPEN_ROWS:
        return f"<details><summary>{len(rows)} rows</summary>{table}</details>"
    return table
