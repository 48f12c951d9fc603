"""Names that become text of pages, of Markdown and of C: no more than text."""

import re
import shutil
import subprocess

import pytest

from jourdain.basics.markup import Markup, code_span, escape, markdown
from jourdain.export.header import plain

NAMES = [
    "<script>alert(1)</script>",
    "[x](javascript:alert(1))",
    "![x](x)",
    "a | b",
    "a\n\n# b",
    "`a`",
    "``` a",
    "a `</code>`",
    "&lt;b&gt;",
    "*/ int evil; /*",
    "/*/ int evil; /*/",
    "*/*/ int evil;",
    "**//",
    "*\\\n/ int evil;",
    "*\r/ int evil;",
    "*\x00/ int evil;",
    "a\\",
    "a*",
    "?" + "?/",
    "% \" ' \\n",
]


@pytest.mark.parametrize("name", NAMES)
def test_markup_and_markdown_of_a_name(name):
    shown = escape(name)
    assert isinstance(shown, Markup) and not re.search("[<>\"']", shown)
    line = markdown(name)
    assert not re.search(r"[<>\n\r]", line) and not re.search(r"(?<!\\)[\[\]`|!#]", line)
    span = code_span(name)
    assert span.count("`") == 2 and span[0] == span[-1] == "`" and not re.search(r"[|\n\r]", span)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_does_not_end_a_comment_of_c(name):
    text = plain(name)
    assert "*/" not in text and "/*" not in text and not re.search(r"[\x00-\x1f]", text)


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
def test_a_compiler_sees_no_name_of_a_comment(tmp_path):
    """One comment a line, as the header has them; what is left is what was not in them."""
    code = "".join(f"/* markers\n   {plain(name)}\n   end */\nint ok{i};\n" for i, name in enumerate(NAMES))
    (tmp_path / "a.c").write_text(code)
    done = subprocess.run(
        ["cc", "-std=c99", "-E", "-P", "-w", str(tmp_path / "a.c")], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == [word for i in range(len(NAMES)) for word in ("int", f"ok{i};")]
