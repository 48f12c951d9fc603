"""Text in the cells of CSV files: as RFC 4180 writes it, and never as a formula.

A spreadsheet runs a cell that begins with =, +, -, @, a tab or a carriage return. Such text gets an apostrophe before
it (OWASP, CSV Injection), one more than it has where it has some, so that what is read back is what was written.
"""

from __future__ import annotations

import re

_FORMULA = re.compile(r"'*[=+\-@\t\r]")
_GUARDED = re.compile(r"'+[=+\-@\t\r]")


def guarded(text: str) -> str:
    """Text that no spreadsheet takes for a formula."""
    return f"'{text}" if _FORMULA.match(text) else text


def unguarded(text: str) -> str:
    """The text that `guarded` was given."""
    return text[1:] if _GUARDED.match(text) else text


def cell(text: str) -> str:
    """Text as a cell of a line, in quotes where it needs them."""
    plain = guarded(text)
    return '"' + plain.replace('"', '""') + '"' if any(c in plain for c in ',"\r\n') else plain
