"""A place in a table of the kernels has one name, and the name one value: columns carry the prefix of their table."""

from __future__ import annotations

import ast
from collections import defaultdict

from jourdain.kernels.compiling.disk_cache import KERNELS


def numbers(target: ast.expr, value: ast.expr) -> list[tuple[str, int]]:
    """Names and whole numbers that an assignment gives them."""
    if isinstance(target, ast.Name):
        if isinstance(value, ast.Constant) and type(value.value) is int:
            return [(target.id, value.value)]
        return []
    if not isinstance(target, ast.Tuple):
        return []
    if isinstance(value, ast.Tuple):
        return [pair for one, its in zip(target.elts, value.elts, strict=True) for pair in numbers(one, its)]
    if isinstance(value, ast.Call) and ast.unparse(value.func) == "range":
        begin = 0 if len(value.args) == 1 else ast.literal_eval(value.args[0])
        return [(one.id, begin + k) for k, one in enumerate(target.elts) if isinstance(one, ast.Name)]
    return []


def test_a_name_of_a_place_has_one_value():
    found: dict[str, dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
    for path in sorted(KERNELS.rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Assign):
                for name, value in numbers(node.targets[0], node.value):
                    found[name][value].append(path.relative_to(KERNELS).as_posix())
    several = {name: dict(values) for name, values in found.items() if len(values) > 1}
    assert several == {}
