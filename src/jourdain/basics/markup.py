"""Text that comes from files and users, made harmless for a page: the one place where it is escaped.

Whatever builds markup takes `escape` from here, or puts plain text into what takes plain text (`table`, `html_table`, a
`Panel` of the viewer). Numbers in data for a script are `json_text` of `study/report_page.py`.
"""

from __future__ import annotations

import html


class Markup(str):
    """Text that is markup already, in which all that is not ours is escaped."""


def escape(text: object, quote: bool = True) -> Markup:
    """Text as markup that shows it; inside an attribute too, where this stands in quotes."""
    return Markup(html.escape(str(text), quote))
