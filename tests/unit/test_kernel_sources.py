"""Compiled code is kept under a hash of the kernels, so they must not import what the hash does not see."""

from __future__ import annotations

import ast

from jourdain.kernels.compiling import store


def test_kernels_import_nothing_that_the_hash_does_not_see():
    for path in store.KERNELS.rglob("*.py"):
        depth = len(path.relative_to(store.KERNELS).parts)
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom):
                outside = node.level > depth and node.module != "basics.door"
                assert not outside, f"{path.name} imports from outside kernels, line {node.lineno}"
                assert node.module is None or not node.module.startswith("jourdain"), path.name


def test_the_cache_folder_is_named_by_the_kernels_and_the_machine():
    assert (store.KERNELS / "compiler.py").exists()
    first, second = store.folder_of("one processor"), store.folder_of("another")
    assert first != second
    assert first.name.startswith(store.source_hash()) and second.name.startswith(store.source_hash())
