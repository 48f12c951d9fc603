"""Compiled code is kept under a hash of the kernels, so they must not import what the hash does not see."""

from __future__ import annotations

import ast
from pathlib import Path

from jourdain.kernels import compiler


def test_kernels_import_nothing_that_the_hash_does_not_see():
    for path in compiler.KERNELS.rglob("*.py"):
        depth = len(path.relative_to(compiler.KERNELS).parts)
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom):
                outside = node.level > depth and node.module != "bodies.base"
                assert not outside, f"{path.name} imports from outside kernels, line {node.lineno}"
                assert node.module is None or not node.module.startswith("jourdain"), path.name


def test_the_cache_folder_is_named_by_the_kernels_alone():
    assert Path(compiler.__file__).parent == compiler.KERNELS
    assert compiler.cache_folder().name == compiler.source_hash()
