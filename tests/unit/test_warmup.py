"""One list of what is compiled: warmup and the wheel work from it, and nothing that Python calls is missing from it."""

from __future__ import annotations

import importlib
import pkgutil
import runpy
import zipfile
from pathlib import Path

from typer.testing import CliRunner

import jourdain.kernels
from jourdain.commands.cli import app
from jourdain.kernels import entries
from jourdain.kernels.compiler import FEATURES, Kernel
from jourdain.kernels.compiling import disk_cache as storage
from jourdain.kernels.compiling.descriptors import store
from jourdain.kernels.compiling.disk_cache import Store, Unit
from jourdain.kernels.compiling.object_code import BASELINE
from jourdain.kernels.compiling.parallel_compilation import walk

ROOT = Path(__file__).resolve().parents[2]


def test_every_entry_point_is_listed():
    listed = {one.kernel.address for one, _ in entries.everything()}
    found = set()
    for module in pkgutil.walk_packages(jourdain.kernels.__path__, "jourdain.kernels."):
        names = vars(importlib.import_module(module.name)).values()
        found |= {one.address for one in names if isinstance(one, Kernel) and one.linkage == "entry point"}
    assert found == listed and len(found) > 200
    assert {"flexible", "orbit", "contact", "laws"} <= FEATURES


def test_warmup_compiles_what_the_scenarios_need():
    from jourdain.commands.warmup import of_scenarios

    told = CliRunner().invoke(app, ["warmup"])
    assert told.exit_code == 0 and "kernels are compiled, in" in told.stdout and str(store().folder) in told.stdout
    assert list(walk(of_scenarios(), build=False)) == []


def test_units_that_came_with_the_package_are_taken_where_versions_agree(tmp_path, monkeypatch):
    monkeypatch.setattr(storage, "SHIPPED", tmp_path / "shipped")
    assert storage.shipped_for(BASELINE) is None
    folder = tmp_path / "shipped" / storage.name_of(BASELINE)
    unit = Unit(b"code", ["a"], [], [], [], "f")
    Store(folder).write("one", unit)
    shipped = storage.shipped_for(BASELINE)
    assert shipped == folder and Store(tmp_path / "own", shipped).read("one", Unit) == unit
    (folder / "one.unit").write_bytes(b"damaged")
    assert Store(tmp_path / "own", shipped).read("one", Unit) is None and (folder / "one.unit").exists()
    monkeypatch.setattr(storage, "toolchain", lambda: "another Numba")
    assert storage.shipped_for(BASELINE) is None


def test_a_wheel_with_units_says_for_what_they_are(tmp_path):
    """As the wheel of the source has it, files are recorded with their hashes, the tag names Python and platform."""
    make = runpy.run_path(str(ROOT / "tools" / "wheel.py"))
    plain = tmp_path / "jourdain-1.0-py3-none-any.whl"
    with zipfile.ZipFile(plain, "w") as file:
        file.writestr("jourdain/__init__.py", "x = 1\n")
        head = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        file.writestr("jourdain-1.0.dist-info/WHEEL", head)
        file.writestr("jourdain-1.0.dist-info/RECORD", "")
    made = make["with_units"](plain, {"jourdain/kernels/shipped/a/one.unit": b"code"})
    assert made.name == f"jourdain-1.0-{make['tag']()}.whl" and "any" not in made.name
    with zipfile.ZipFile(made) as file:
        record = file.read("jourdain-1.0.dist-info/RECORD").decode().splitlines()
        assert {line.split(",")[0] for line in record} == set(file.namelist())
        assert make["recorded"]("jourdain/kernels/shipped/a/one.unit", b"code") in record
        head = file.read("jourdain-1.0.dist-info/WHEEL").decode()
    assert f"Tag: {make['tag']()}" in head and "Purelib: false" in head and "py3-none-any" not in head
