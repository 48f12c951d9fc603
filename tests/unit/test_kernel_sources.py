"""Compiled code is kept under hashes of what it is made of, so kernels must not import what those do not see."""

from __future__ import annotations

import ast

from jourdain.kernels.compiling import disk_cache

HARMLESS = ("basics.lazy_import", "basics.errors", "basics.platforms", "basics.version")
"""Names, errors, files and locks: no compiled code depends on them."""


def test_kernels_import_nothing_that_the_hash_does_not_see():
    for path in disk_cache.KERNELS.rglob("*.py"):
        depth = len(path.relative_to(disk_cache.KERNELS).parts)
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom):
                outside = node.level > depth and node.module not in HARMLESS
                assert not outside, f"{path.name} imports from outside kernels, line {node.lineno}"
                assert node.module is None or not node.module.startswith("jourdain"), path.name


def test_the_cache_folder_is_named_by_the_kernels_and_the_machine():
    assert (disk_cache.KERNELS / "compiler.py").exists()
    first, second = disk_cache.folder_of("one processor"), disk_cache.folder_of("another")
    assert first != second
    assert first.name.startswith(disk_cache.source_hash()) and second.name.startswith(disk_cache.source_hash())


def imported(path):
    """Files of the kernels that the statements of a file import, found by Python's own parser."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = path.parents[node.level - 1].joinpath(*(node.module or "").split("."))
            for place in (base, *(base / one.name for one in node.names)):
                found |= {one for one in (place.with_suffix(".py"), place / "__init__.py") if one.is_file()}
    return {one for one in found if disk_cache.KERNELS in one.parents}


def test_the_hash_of_a_module_sees_all_that_it_imports():
    for path in disk_cache.KERNELS.rglob("*.py"):
        assert imported(path) <= disk_cache.transitive_imports(path), path.name
    seen = disk_cache.transitive_imports(disk_cache.KERNELS / "surface_contact" / "saddle_point.py")
    assert (
        disk_cache.KERNELS / "tree" / "joints.py" in seen and disk_cache.KERNELS / "integrate" / "radau.py" not in seen
    )


def test_a_changed_record_makes_new_symbols_of_kernels_that_take_it(monkeypatch):
    from jourdain.kernels import compiler
    from jourdain.kernels.tree.model_functions import energy

    arguments = energy.entry().arguments
    first = compiler.Overload(energy, arguments).symbol
    assert compiler.Overload(energy, arguments).symbol == first
    told = compiler.module_hash
    monkeypatch.setattr(
        compiler, "module_hash", lambda module: told(module) + ("x" if module == "model_arrays" else "")
    )
    assert compiler.Overload(energy, arguments).symbol != first
