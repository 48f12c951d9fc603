"""Tables for notebooks: plain markup that any notebook shows, on light and on dark pages."""

from __future__ import annotations

from collections.abc import Sequence

from .markup import escape

MOST = 60
"""Rows that are shown; what is left out is told."""


def html_table(caption: str, heads: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A table under a line of words; text is escaped, and numbers are shown with six digits."""
    cells = ["".join(f"<td>{_cell(one)}</td>" for one in row) for row in rows[:MOST]]
    if len(rows) > MOST:
        cells.append(f'<td colspan="{len(heads)}">and {len(rows) - MOST} more</td>')
    head = "".join(f"<th>{escape(one)}</th>" for one in heads)
    lines = "".join(f"<tr>{one}</tr>" for one in cells)
    body = f"<table><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>" if rows else ""
    return f"<div><p><b>{escape(caption)}</b></p>{body}</div>"


def _cell(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else escape(str(value))
