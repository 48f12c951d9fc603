"""The shell of a report: one page with its script, its style and its numbers inside, and nothing from outside.

Its content policy lets run the one script and the one style sheet that it carries, known by their hashes, and forbids
the network. Text that came from a file or a user is escaped: `escape` in markup, `json_text` in data.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from ...basics.markup import Markup, escape
from ...basics.storage import atomic_write

LARGEST = 5_000_000
"""Bytes that a report has at most."""
_OPEN_ROWS = 14
_ESCAPES = {ord(character): f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"}


@cache
def player() -> tuple[str, str]:
    """(script, style) of the page."""
    home = files("jourdain.view").joinpath("player")
    style = files("jourdain.study.report").joinpath("report.css").read_text(encoding="utf-8")
    read = [home.joinpath(name).read_text(encoding="utf-8") for name in ("player.js", "player.css")]
    return read[0], f"{read[1]}{style}"


def policy() -> str:
    """The page's content policy: no network, no script and no style but its own."""
    script, style = (_hash(text) for text in player())
    return (
        f"default-src 'none'; script-src '{script}'; style-src '{style}'; img-src data: blob:; connect-src 'none'; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")


def json_text(data: Any) -> str:
    """JSON that no browser takes for markup."""
    return json.dumps(data, allow_nan=False, separators=(",", ":")).translate(_ESCAPES)


def page(title: str, body: Sequence[str], data: dict[str, Any], numbers: str) -> str:
    """The whole page: sections of markup, and what its script reads."""
    script, style = player()
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy()}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n<meta name="referrer" content="no-referrer">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(part for part in body if part)
        + f'\n</main>\n<script type="application/json" id="data">{json_text(data)}</script>\n'
        f'<script type="text/plain" id="numbers">{numbers}</script>\n<script>{script}</script>\n</body>\n</html>\n'
    )


def write_page(path: str | Path, text: str) -> Path:
    """Put a page in place, whole or not at all."""
    with atomic_write(path) as temporary:
        temporary.write_text(text, encoding="utf-8", errors="replace", newline="\n")
    return Path(path)


def heading(kind: str, title: str, about: str) -> str:
    """What a page is, its title, and a line about it; with the switch between light and dark."""
    theme = '<button type="button" id="theme" class="theme" hidden></button>'
    words = f'<p class="kind">{escape(kind)}</p><h1>{escape(title)}</h1><p class="about">{escape(about)}</p>'
    return f"<header><div>{words}</div>{theme}</header>"


def section(title: str, content: str, name: str = "") -> str:
    """A part of the page under a heading; nothing where there is no content."""
    mark = f' id="{name}"' if name else ""
    return f"<section{mark}><h2>{escape(title)}</h2>{content}</section>" if content else ""


def jump(time: float, text: str | None = None) -> str:
    """A button that takes the replay and the plots to a time [s]."""
    words = f"{time:.5g} s" if text is None else text
    return f'<button type="button" class="jump" data-time="{time!r}" disabled>{escape(words)}</button>'


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], kind: str = "", total: int | None = None) -> str:
    """A table; a long one is folded. Cells are text, but those that are `Markup`."""
    if not rows:
        return ""
    head = "".join(f"<th>{escape(text)}</th>" for text in heads)
    lines = "".join("<tr>" + "".join(f"<td>{_cell(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    whole = (
        f'<div class="wide"><table class="{kind}"><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table></div>'
    )
    count = len(rows) if total is None else total
    if count > len(rows):
        whole += f'<p class="about">{len(rows)} of {count}; the run has all of them.</p>'
    if count > _OPEN_ROWS:
        return f"<details><summary>{count} rows</summary>{whole}</details>"
    return whole


def _cell(cell: str) -> str:
    return str(cell) if isinstance(cell, Markup) else escape(str(cell))


def paragraphs(text: str) -> str:
    """Plain text as paragraphs, parted where a line is empty."""
    parts = [part.strip() for part in text.split("\n\n")]
    return "".join(f"<p>{escape(part)}</p>" for part in parts if part)


def number(value: float, scale: float, form: str, unit: str) -> str:
    """A number with its unit; "≈ 0" where it is rounding beside `scale`."""
    text = "≈ 0" if 0.0 < abs(value) < 1e-13 * scale else f"{value:{form}}"
    return f"{text} {unit}".strip()
