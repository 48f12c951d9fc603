"""Renders equations as MathML, which browsers draw by themselves: no script, no fonts from elsewhere, no network."""

import re

from docutils import nodes
from latex2mathml.converter import convert

_SPACED = re.compile(r"\\[,;:!]")
_PRIMED = re.compile(r"((?:\\[a-zA-Z]+|\w)'+)\^")
"""A primed symbol with a power, v''^2, which the converter takes only as {v''}^2."""


def to_mathml(latex: str, display: str) -> str:
    """The `<math>` element of an equation; the LaTeX is its alternative text."""
    latex = " ".join(latex.split())
    mathml = convert(_PRIMED.sub(r"{\1}^", latex), display=display)
    plain = _SPACED.sub(" ", latex).replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
    return mathml.replace("<math ", f'<math alttext="{plain}" ', 1)


def _inline(self, node: nodes.math) -> None:
    self.body.append(f'<span class="math">{to_mathml(node.astext(), "inline")}</span>')
    raise nodes.SkipNode


def _block(self, node: nodes.math_block) -> None:
    self.body.append(self.starttag(node, "div", CLASS="math"))
    if node["number"]:
        self.body.append(f'<span class="eqno">({node["number"]})</span>')
    self.body.append(to_mathml(node.astext(), "block"))
    self.body.append("</div>\n")
    raise nodes.SkipNode


def setup(app) -> dict:
    app.add_html_math_renderer("mathml", inline_renderers=(_inline, None), block_renderers=(_block, None))
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
