"""Renders the docstrings of this project, which are plain aligned text, not reStructuredText.

A paragraph of prose becomes a paragraph, a list of dashes a list, and whatever is indented or aligned in
columns (arguments, equations) is kept as it stands, but for back-quotes. Text between back-quotes is code.
"""

import re

_CODE = re.compile(r"(:[a-z:]+:`[^`]+`|``[^`]+``|`[^`]+`)")
_SPECIAL = re.compile(r"([\\*_|`])")
_COLUMNS = re.compile(r"\S {2,}\S")


def _escape(line: str) -> str:
    """Marks code as code and escapes what reStructuredText would read in the rest."""
    parts = _CODE.split(line)
    for i, part in enumerate(parts):
        if i % 2 == 0:
            parts[i] = _SPECIAL.sub(r"\\\1", part)
        elif not part.startswith((":", "``")):
            parts[i] = f"`{part}`"
    return "".join(parts)


def _is_list(block: list[str]) -> bool:
    return block[0].startswith("- ") and all(line.startswith(("- ", "  ")) for line in block)


def _is_prose(block: list[str]) -> bool:
    return not any(line.startswith(" ") or _COLUMNS.search(line.replace(".  ", ". ")) for line in block)


def to_rst(lines: list[str]) -> list[str]:
    """The reStructuredText of a docstring given as dedented lines."""
    blocks: list[list[str]] = [[]]
    for line in lines:
        if line.strip():
            blocks[-1].append(line.rstrip())
        elif blocks[-1]:
            blocks.append([])
    result: list[str] = []
    for block in filter(None, blocks):
        if _is_list(block):
            result += _list_items(block)
        elif _is_prose(block):
            result += [_escape(line) for line in block]
        else:
            result += ["::", "", *("    " + line.replace("`", "") for line in block)]
        result.append("")
    return result


def _list_items(block: list[str]) -> list[str]:
    """Each item on one line, so that any continuation's indentation is right."""
    items: list[str] = []
    for line in block:
        if line.startswith("- "):
            items.append(line)
        else:
            items[-1] += " " + line.strip()
    return ["- " + _escape(item[2:].strip()) for item in items]


def _process(app, what, name, obj, options, lines) -> None:
    lines[:] = to_rst(lines)


def setup(app) -> dict:
    app.connect("autodoc-process-docstring", _process)
    return {"version": "1", "parallel_read_safe": True}
