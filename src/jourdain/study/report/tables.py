"""The parts of a report that are text and tables: key numbers, moments, modes, events, peaks, system, origin."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from ...basics.errors import JourdainError
from ...basics.markup import Markup, escape
from ...basics.storage import plain
from ...results.channels import Channels
from ...results.quantities import quantity
from .page import heading, jump, number, table

if TYPE_CHECKING:
    from ...results.run import Run
    from ..scenario.limits import Judgement

_MOST_MODES = 12
_MOST_DOFS = 400
"""Velocities of a model whose frequencies a report tells; their cost grows with the third power."""
_ORBITAL = 10.0
"""Modes below so many times the orbital rate are those of the orbit, not of the mechanism."""
_MOST_MOMENTS = 14
MOST_ROWS = 600
"""Rows that a table of bodies or coordinates has."""
LONGEST = 400_000
"""Characters of a description that a page holds."""
_LONG = 2000
"""Characters of a text in a description that a page shows."""


def scenario_of(run: Run) -> dict[str, Any]:
    """What the run's file says of its scenario; {} where it came from none."""
    stated = run.options.get("scenario")
    return stated if isinstance(stated, dict) else {}


def header(run: Run, title: str, kind: str) -> str:
    """Title, and what was run."""
    name = f"{run.model.name} · " if run.model.name != title else ""
    count = len(run.channels.q)
    about = f"{name}{count} coordinate{'' if count == 1 else 's'} · {run.duration:g} s simulated"
    variant = scenario_of(run).get("variant")
    if variant:
        about += f" · {variant}"
    return heading(kind, title, about)


def warning_box(warnings: Iterable[str]) -> str:
    """Warnings, where there are any."""
    lines = [f"<li>{escape(str(text))}</li>" for text in warnings]
    return f'<section class="warnings"><h2>Warnings</h2><ul>{"".join(lines)}</ul></section>' if lines else ""


def key_numbers(run: Run) -> str:
    """The cards."""
    time, energy = run.record.time, run.channels.energy
    method = str(run.options.get("method") or "")
    total = energy.column("total")
    cards = [
        ("simulated time", f"{run.duration:g} s", f"{time[0]:g} to {time[-1]:g} s"),
        ("samples", f"{len(run):,}", method),
        ("energy balance", f"{energy.error:.1e}", f"of {energy.scale:.3g} J that move"),
        (
            "total energy at the end",
            number(total[-1], energy.scale, ".6g", "J"),
            number(total[-1] - total[0], energy.scale, "+.3g", "J") + " since the start",
        ),
    ]
    for label, channels in (("fastest", run.channels.v), ("largest effort", run.channels.effort)):
        for unit, name, value, when in largest(channels):
            cards.append((label, f"{value:.4g} {unit}".strip(), f"{name} at {when:.4g} s"))
    return '<section class="cards">' + "".join(_card(*card) for card in cards) + "</section>"


def _card(label: str, value: str, detail: str) -> str:
    return (
        f'<div class="card"><div class="label">{escape(label)}</div><div class="value">{escape(value)}</div>'
        f'<div class="detail">{escape(detail)}</div></div>'
    )


def peak(values: np.ndarray) -> int:
    """The sample of largest magnitude; not-a-number does not count."""
    return int(np.argmax(np.nan_to_num(np.abs(values), nan=-1.0)))


def largest(channels: Channels) -> Iterator[tuple[str, str, float, float]]:
    """(unit, name, value, time) of the largest magnitude among channels of each unit; zeros are left out."""
    for unit in dict.fromkeys(channels.units):
        names = [n for n, u in zip(channels.names, channels.units, strict=True) if u == unit]
        block = np.column_stack([channels.column(n) for n in names])
        sample, i = divmod(peak(block.reshape(-1)), len(names))
        if block[sample, i] != 0.0:
            yield unit, names[i], float(block[sample, i]), float(channels.time[sample])


def moments(run: Run, judgements: Sequence[Judgement]) -> list[dict[str, Any]]:
    """Times worth a look, in order: worst moments of the limits, contacts, events, largest efforts."""
    found: dict[float, str] = {}
    for one in judgements:
        if np.isfinite(one.time) and np.isfinite(one.value):
            text = f"{one.limit.shown(one.value):.4g} {one.limit.unit or one.unit}".strip()
            found.setdefault(one.time, f"{one.limit.name}: {text}")
    for name in run.contact.display_names:
        force = run.contact[name].normal_force.values
        touching = np.flatnonzero(np.nan_to_num(force) > 0.0)
        if len(touching):
            at = peak(force)
            found.setdefault(float(run.record.time[at]), f"{name}: peak normal force {force[at]:.4g} N")
            found.setdefault(float(run.record.time[touching[0]]), f"{name}: first touch")
    for happening in run.events:
        found.setdefault(float(happening.time), f"event: {happening.name}")
    for unit, name, value, when in largest(run.channels.effort):
        found.setdefault(when, f"largest effort: {value:.4g} {unit} at {name}")
    # judgements come first in `found`: with too many moments they stay
    kept = list(found.items())[:_MOST_MOMENTS]
    return [{"time": time, "label": label} for time, label in sorted(kept)]


def moment_list(found: Sequence[dict[str, Any]]) -> str:
    """Buttons that go to the moments."""
    items = "".join(
        f'<li><button type="button" class="jump" data-time="{one["time"]!r}" disabled><b>{one["time"]:.4g} s</b> '
        f"{escape(one['label'])}</button></li>"
        for one in found
    )
    return f'<ul class="moments" aria-label="Key moments">{items}</ul>' if items else ""


def modes(run: Run) -> str:
    """Natural frequencies at rest in the first configuration, without a controller."""
    from ...model.linear.modes import resting_frequencies

    if run.model.nv > _MOST_DOFS:
        text = f"No frequencies: the model has {run.model.nv} velocities; model.frequencies(state) finds them."
        return f'<p class="about">{escape(text)}</p>'
    try:
        found = resting_frequencies(run.model, run.state(0).q, float(run.record.time[0]))
    except (JourdainError, np.linalg.LinAlgError) as error:
        return f'<p class="about">No frequencies: {escape(str(error))}</p>'
    shown = np.flatnonzero(found.rad > _ORBITAL * _orbital_rate(run))
    rows: list[list[str]] = []
    for i in shown[:_MOST_MODES]:
        shape = np.abs(np.nan_to_num(found.shapes[:, i]))
        most = [found.names[k] for k in np.argsort(-shape, kind="stable")[:3] if shape[k] > 0.05 * shape.max()]
        rows.append([str(len(rows) + 1), f"{found.hz[i]:.5g} Hz", f"{100 * found.damping[i]:.3g} %", ", ".join(most)])
    more = f" The first {_MOST_MODES} of {len(shown)} are shown." if len(shown) > _MOST_MODES else ""
    more += " Motions as slow as the orbit are left out." if len(shown) < len(found) else ""
    if found.undecided:
        hidden = f"{len(found.undecided)} that are slow beside the fastest are left out"
        more += f" {hidden}; model.frequencies(state) finds them."
    text = f"Of the mechanism at rest in its first configuration, without control and contact.{more}"
    return f'<p class="about">{escape(text)}</p>' + table(("mode", "frequency", "damping", "moves most"), rows)


def _orbital_rate(run: Run) -> float:
    """Mean motion of the orbit [rad/s]; zero where there is none."""
    from ...describe.environment import Orbit

    given = run.model.description.get("environment")
    return 0.0 if given is None else Orbit.from_dict(given).mean_motion


def events(run: Run) -> str:
    """Events that happened."""
    rows = []
    for one in run.events:
        found = [f"{name}: {value:.4g}" for name, value in one.impulse.items()]
        found += [f"{name}: {math.hypot(*values[3:]):.4g} N s" for name, values in one.wrench.items()]
        impulses = ", ".join(found)
        rows.append([Markup(jump(float(one.time))), one.name, impulses, f"{one.loss:.4g} J"])
    return table(("at", "event", "impulses", "energy lost"), rows)


def contacts(run: Run) -> str:
    """What touched: when first, and the peaks of its force and, on a surface of a solid, of its pressure."""
    rows, time = [], run.record.time
    for name in run.contact.display_names:
        touch = run.contact[name]
        pile = name in run.contact.names and run.contact.names.index(name) in run.contact.piles
        force = touch.normal_force.values if pile else np.linalg.norm(np.nan_to_num(touch.force.values), axis=1)
        touching = np.flatnonzero(np.nan_to_num(touch.normal_force.values) > 0.0)
        if not len(touching):
            rows.append([name, "never", "", "", "", "", ""])
            continue
        at = peak(force)
        row: list[str] = [
            name,
            Markup(jump(float(time[touching[0]]))),
            f"{force[at]:.5g} N",
            Markup(jump(float(time[at]))),
        ]
        if name in run.contact.surfaces:
            most = quantity(run, f"contact:{name}.pressure")
            at = peak(most.values)
            row += [f"{most.values[at]:.5g} Pa", Markup(jump(float(time[at]))), most.place(at)]
        rows.append(row + [""] * (7 - len(row)))
    surfaces = bool(run.contact.surfaces)
    heads = ("contact", "first touch", "peak force", "at", "peak pressure", "at", "where")
    return table(heads if surfaces else heads[:4], [row if surfaces else row[:4] for row in rows])


def peaks(run: Run) -> str:
    """Largest speed and effort of every coordinate."""
    rows = []
    scale = [
        {unit: abs(value) for unit, _, value, _ in largest(channels)}
        for channels in (run.channels.v, run.channels.effort)
    ]
    for name, v_unit, e_unit in islice(
        zip(run.channels.v.names, run.channels.v.units, run.channels.effort.units, strict=True), MOST_ROWS
    ):
        row: list[str] = [name]
        for channels, unit, scales in ((run.channels.v, v_unit, scale[0]), (run.channels.effort, e_unit, scale[1])):
            values = channels.column(name)
            at = peak(values)
            when = Markup(jump(float(run.record.time[at]))) if values[at] != 0.0 else ""
            row += [number(values[at], scales.get(unit, 0.0), ".5g", unit), when]
        rows.append(row)
    return table(("coordinate", "peak speed", "at", "peak effort", "at"), rows, total=len(run.channels.v.names))


def end_state(run: Run) -> str:
    """The last sample."""
    rows = []
    for label, channels in (("q", run.channels.q), ("v", run.channels.v), ("z", run.channels.z)):
        for name, unit in islice(zip(channels.names, channels.units, strict=True), MOST_ROWS):
            rows.append([label, name, f"{channels.column(name)[-1]:.9g}", unit])
    return table(
        ("", "name", "value", "unit"),
        rows,
        total=sum(len(one.names) for one in (run.channels.q, run.channels.v, run.channels.z)),
    )


def system(description: object) -> str:
    """Bodies and joints; then whatever else the description says in a word."""
    if not isinstance(description, dict):
        raise JourdainError(f"the model's description is a {type(description).__name__}; it must be a dict")
    rows, rest, count = [], [], 0
    for key, value in description.items():
        if key in ("format", "name"):
            continue
        attached = [item for item in value if _is_attachment(item)] if isinstance(value, list) else []
        if attached:
            rows += [_attachment_row(item) for item in attached[:MOST_ROWS]]
            count = len(attached)
        elif isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
            rest += [[key, brief({k: v for k, v in item.items() if v is not None})] for item in _stated(value)]
        elif value not in (None, [], {}):
            rest.append([key, brief(value)])
    heads = ("body", "kind", "mass [kg]", "centre of mass [m]", "joint", "kind", "on")
    return table(heads, rows, total=count) + table(("", ""), rest)


def _stated(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Parts of a description; of the nodes of a surface that touch one stands for all."""
    counts = Counter(one.get("group") for one in items)
    first = {one["group"]: one for one in reversed(items) if "group" in one}
    parts = ("first", "second", "normal", "friction")
    whole = {name: {"name": name, "nodes": counts[name]} | {k: one[k] for k in parts} for name, one in first.items()}
    stated = [whole[one["group"]] if "group" in one else one for one in items]
    return list({id(one): one for one in stated}.values())


def _is_attachment(item: object) -> bool:
    return isinstance(item, dict) and isinstance(item.get("body"), dict) and isinstance(item.get("joint"), dict)


def _attachment_row(item: dict[str, Any]) -> list[str]:
    body, joint = item["body"], item["joint"]
    cells = (body.get("name"), body.get("kind"), body.get("mass"), body.get("com"))
    return [brief(cell) for cell in (*cells, joint.get("name"), joint.get("kind"), item.get("to", "world"))]


def brief(value: object) -> str:
    """A value in a table cell: numbers as a person writes them, nothing longer than a line or two."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, list) and len(value) <= 9 and all(isinstance(x, (int, float)) for x in value):
        return "(" + ", ".join(f"{x:.6g}" for x in value) + ")"
    text = value if isinstance(value, str) else json.dumps(plain(value), ensure_ascii=False)
    return text if len(text) <= 160 else text[:157] + "..."


def _without_meshes(value: Any) -> Any:
    """A description without the numbers of meshes and pictures that are only looked at; the run file has them."""
    if isinstance(value, dict):
        return {key: _without_meshes(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_without_meshes(one) for one in value]
    if isinstance(value, str) and len(value) > _LONG:
        return f"{value[:20]}... ({len(value)} characters, which the run file has)"
    return value


def reproduction(run: Run) -> str:
    """Versions, hashes, options, seeds, the command, and the sources."""
    scenario = scenario_of(run)
    facts = [["model hash", run.model.hash], *([name, version] for name, version in run.versions.items())]
    if scenario:
        facts.insert(0, ["scenario hash", str(scenario.get("hash", ""))])
        if scenario.get("file"):
            variant = f" --variant {scenario['variant']!r}" if scenario.get("variant") else ""
            facts.insert(0, ["command", str(run.options.get("command") or f"jourdain run {scenario['file']}{variant}")])
    options = [[str(key), brief(value)] for key, value in plain(run.options).items() if key != "scenario"]
    text = json.dumps(_without_meshes(plain(run.model.description)), ensure_ascii=False, indent=1)
    if len(text) > LONGEST:
        text = f"{text[:LONGEST]}\n... and {len(text) - LONGEST} characters more; the run file has all of them"
    sources = [("Description of the system", text)]
    if scenario.get("text"):
        sources.insert(0, (f"Scenario {scenario.get('file') or ''}".strip(), str(scenario["text"])))
    folded = "".join(f"<details><summary>{escape(t)}</summary><pre>{escape(s)}</pre></details>" for t, s in sources)
    return table(("software", ""), facts) + table(("option", "value"), options) + folded
