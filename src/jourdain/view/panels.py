"""Text on a page of viser: a panel that shows text as text, whatever stands in it.

viser's Markdown renders the HTML in it, scripts included, so that it is not used anywhere; its HTML takes `Markup` here
alone, in which all that comes from a model or a file is escaped.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..basics.markup import Markup, escape

_PADDING = "padding: 0 0.75em 0.5em; font-size: 0.8em"
_CODE = "white-space: pre-wrap; overflow-wrap: anywhere; user-select: all; margin: 0.5em 0"
_LINE = "overflow-wrap: anywhere; margin: 0.5em 0"


class Panel:
    """Text or a small picture beside the controls; nothing where there is nothing to show."""

    def __init__(self, gui: Any) -> None:
        self._handle = gui.add_html("", visible=False)
        self.content = Markup()

    def show(self, content: Markup) -> None:
        """Show markup in place of what was there."""
        if not isinstance(content, Markup):
            raise TypeError(f"a panel takes Markup, got {type(content).__name__}; escape() makes it of text")
        if content != self.content:
            self.content = content
            self._handle.content, self._handle.visible = str(content), bool(content)


def lines(text: Iterable[str], code: Iterable[str] = ()) -> Markup:
    """Blocks of code to be copied, then lines of words."""
    blocks = [f'<pre style="{_CODE}">{escape(one)}</pre>' for one in code]
    blocks += [f'<p style="{_LINE}">{escape(one)}</p>' for one in text]
    return Markup(f'<div style="{_PADDING}">{"".join(blocks)}</div>')
