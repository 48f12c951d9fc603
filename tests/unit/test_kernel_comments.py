"""Long kernels have a comment over each block: the equation or the reason."""

import ast
from pathlib import Path

import jourdain

KERNELS = Path(jourdain.__file__).parent / "kernels"
LONG = 40
"""Lines of a kernel, docstring included, from which on it needs comments."""
LINES_PER_COMMENT = 20
"""Lines of its body, docstring excluded, that share one comment line."""


def body_lines(kernel: ast.FunctionDef) -> tuple[int, int]:
    """First and last line of the body of a kernel, its docstring excluded."""
    statements = kernel.body[1:] if ast.get_docstring(kernel) and len(kernel.body) > 1 else kernel.body
    end = kernel.end_lineno or 0
    after_docstring = (kernel.body[0].end_lineno or 0) + 1 if statements is not kernel.body else statements[0].lineno
    return after_docstring, end


def uncommented(source: str) -> dict[str, tuple[int, int]]:
    """Decorated functions of more than LONG lines with too few comments: (lines of the body, comment lines)."""
    lines = source.splitlines()
    found = {}
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.FunctionDef) or not node.decorator_list:
            continue
        if (node.end_lineno or 0) - node.lineno + 1 <= LONG:
            continue
        first, last = body_lines(node)
        comments = sum(line.lstrip().startswith("#") for line in lines[first - 1 : last])
        if comments * LINES_PER_COMMENT < last - first + 1:
            found[node.name] = (last - first + 1, comments)
    return found


def test_long_kernels_have_a_comment_over_each_block():
    silent = {
        f"{path.relative_to(KERNELS).as_posix()}:{name}": counts
        for path in sorted(KERNELS.rglob("*.py"))
        for name, counts in uncommented(path.read_text(encoding="utf-8")).items()
    }
    assert silent == {}


def test_a_kernel_without_comments_is_found():
    body = "\n".join(f"    x = {i}" for i in range(50))
    assert uncommented(f'@kernel\ndef f():\n    """Says what."""\n{body}\n') == {"f": (50, 0)}
    assert uncommented(f"def f():\n{body}\n") == {}
    assert uncommented("@kernel\ndef f():\n" + "    # why\n    x = 0\n" * 25) == {}
