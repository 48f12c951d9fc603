"""Text that comes from files and users, made harmless for a page: the one place where it is escaped.

Whatever builds markup takes `escape` from here, or puts plain text into what takes plain text (`table`, `html_table`, a
`Panel` of the viewer). Numbers in data for a script are `json_text` of `study/report/page.py`.
"""

from __future__ import annotations

import html
import re

_SPACES = re.compile(r"[\x00-\x20\x7f\x85\u2028\u2029]+")
_MARKDOWN = re.compile(r"([\\`*{}\[\]#!|~])")


class Markup(str):
    """Text that is markup already, in which all that is not ours is escaped."""


def escape(text: object, quote: bool = True) -> Markup:
    """Text as markup that shows it; inside an attribute too, where this stands in quotes."""
    return Markup(html.escape(str(text), quote))


def markdown(text: object) -> str:
    """Text as a line of Markdown that shows it: no markup, no HTML, no link, no cell of a table."""
    return _MARKDOWN.sub(r"\\\1", escape(_SPACES.sub(" ", str(text)), quote=False))


def code_span(text: object) -> str:
    """Text as code in a line of Markdown, also in a table; what would end it is written in another way."""
    return f"`{_SPACES.sub(' ', str(text)).replace('`', chr(39)).replace('|', '¦')}`"
