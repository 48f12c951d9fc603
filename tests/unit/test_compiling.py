"""Compiled kernels on disk: damaged files, folders that cannot be written, many processes at once, one that is
killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from jourdain.kernels import compiler
from jourdain.kernels.compiling import disk_cache as storage
from jourdain.kernels.compiling.disk_cache import Descriptor, LoweredKernel, Store, Unit
from jourdain.kernels.compiling.parallel_compilation import every, prepare
from jourdain.kernels.compiling.type_strings import read, spelt
from jourdain.kernels.integrate.runge_kutta import explicit_finish

FINISH = "from jourdain.kernels.integrate import runge_kutta as rk; print(rk.explicit_finish.ready().address > 0)"


def fresh(cache: Path, code: str = FINISH, **more: str) -> subprocess.CompletedProcess[str]:
    """Runs code in a new interpreter whose cache is there."""
    environment = os.environ | {"JOURDAIN_CACHE_DIR": str(cache), "JOURDAIN_AHEAD": "off"} | more
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done


@pytest.fixture(scope="module")
def compiled(tmp_path_factory) -> Path:
    """A cache with one unit."""
    cache = tmp_path_factory.mktemp("cache")
    told = fresh(cache).stderr
    assert told.count("jourdain: compiling explicit_finish; cached") == 1
    return cache


@pytest.fixture
def again(compiled, monkeypatch, capfd):
    """Loads that unit anew in this process, as one that has not met it does; what is said."""

    def load() -> str:
        kept = Store(unit_of(compiled).parent)
        with monkeypatch.context() as patch:
            patch.setattr(compiler, "store", lambda: kept)
            capfd.readouterr()
            one = compiler.Overload(explicit_finish, explicit_finish.entry().arguments)
            one.load()
        assert one.address > 0
        return capfd.readouterr().err

    return load


def unit_of(cache: Path) -> Path:
    (found,) = cache.rglob("*explicit_finish*.unit")
    return found


def test_what_is_kept_is_not_compiled_again(compiled):
    before = unit_of(compiled).stat().st_mtime_ns
    assert fresh(compiled).stderr == ""
    assert unit_of(compiled).stat().st_mtime_ns == before


DAMAGE = {
    "truncated": lambda data: data[: len(data) // 2],
    "a bit": lambda data: data[:-9] + bytes([data[-9] ^ 4]) + data[-8:],
    "foreign": lambda data: b"something else\n" * 20,
    "empty": lambda data: b"",
}


@pytest.mark.parametrize("what", DAMAGE)
def test_a_damaged_file_is_told_of_and_made_again(compiled, again, what):
    path = unit_of(compiled)
    whole = path.read_bytes()
    path.write_bytes(DAMAGE[what](whole))
    assert "is damaged, or of another program" in again()
    assert unit_of(compiled).read_bytes() == whole


def test_another_process_tells_of_a_damaged_file_too(compiled):
    path = unit_of(compiled)
    whole = path.read_bytes()
    path.write_bytes(DAMAGE["truncated"](whole))
    told = fresh(compiled).stderr
    assert "is damaged, or of another program" in told and "compiling explicit_finish" in told
    assert unit_of(compiled).read_bytes() == whole


def forged(path: Path, code: bytes) -> bytes:
    """A file whose hash fits, with other code in it."""
    symbol = path.name.removesuffix(".unit")
    kept = storage.unpacked(path.read_bytes(), symbol, Unit)
    return storage.packed(symbol, kept._replace(code=code))


FORGED = {"no code": b"", "noise": b"\x7fnoise" * 100, "half a file": None}


@pytest.mark.parametrize("what", FORGED)
def test_code_that_does_not_load_is_told_of_and_made_again(compiled, again, what):
    """Its hash fits, but no machine can run it."""
    path = unit_of(compiled)
    whole = path.read_bytes()
    code = storage.unpacked(whole, path.name.removesuffix(".unit"), Unit).code
    path.write_bytes(forged(path, code[: len(code) // 2] if FORGED[what] is None else FORGED[what]))
    assert "is damaged, or of another program" in again()
    assert unit_of(compiled).read_bytes() == whole


def test_a_file_under_the_name_of_another_is_told_of_and_made_again(compiled):
    both = FINISH + "; print(rk.explicit_between.ready().address > 0)"
    fresh(compiled, both)
    (other,) = compiled.rglob("*explicit_between*.unit")
    path = unit_of(compiled)
    whole = path.read_bytes()
    path.write_bytes(other.read_bytes())
    done = fresh(compiled, both)
    assert done.stdout.split() == ["True", "True"] and "is damaged, or of another program" in done.stderr
    assert unit_of(compiled).read_bytes() == whole


def test_a_folder_in_the_place_of_a_file_and_a_file_in_that_of_the_locks(compiled):
    path = unit_of(compiled)
    whole = path.read_bytes()
    path.unlink()
    (path / "inside").mkdir(parents=True)
    locks = path.parent / "locks"
    for one in locks.iterdir():
        one.unlink()
    locks.rmdir()
    locks.write_text("no folder")
    done = fresh(compiled)
    assert done.stdout.split() == ["True"] and "is damaged, or of another program" in done.stderr
    assert unit_of(compiled).read_bytes() == whole and locks.is_dir()
    assert fresh(compiled).stderr == ""


def test_lowered_kernel_that_is_no_bitcode_is_made_again(compiled):
    between = FINISH.replace("explicit_finish", "explicit_between")
    fresh(compiled, between)
    (path,) = (one for one in compiled.rglob("*explicit_between*.bc") if one.parent.name != "locks")
    whole, symbol = path.read_bytes(), path.name.removesuffix(".bc")
    kept = storage.unpacked(whole, symbol, LoweredKernel)
    path.write_bytes(storage.packed(symbol, kept._replace(code=b"noise")))
    path.with_suffix(".unit").unlink()
    done = fresh(compiled, between)
    assert done.stdout.split() == ["True"] and "is damaged, or of another program" in done.stderr
    assert path.read_bytes() == whole
    assert fresh(compiled, between).stderr == ""


def test_a_folder_that_cannot_be_written_is_told_of_once(tmp_path):
    blocked = tmp_path / "a file"
    blocked.write_text("")
    code = FINISH + "; rk.explicit_between.ready()"
    told = fresh(blocked / "cache", code).stderr
    assert told.count("cannot be cached in") == 1 and "every process compiles them anew" in told


def test_five_processes_on_an_empty_cache(tmp_path):
    environment = os.environ | {"JOURDAIN_CACHE_DIR": str(tmp_path), "JOURDAIN_AHEAD": "off"}
    quiet = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    all_five = [subprocess.Popen([sys.executable, "-c", FINISH], env=environment, text=True, **quiet) for _ in range(5)]
    told = [one.communicate(timeout=300) for one in all_five]
    assert all(out.strip() == "True" for out, _ in told), told
    assert sum("compiling explicit_finish" in err for _, err in told) == 1
    assert not list(tmp_path.rglob("*.part"))


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_a_process_that_is_killed_while_it_compiles_leaves_no_lock(tmp_path):
    environment = os.environ | {"JOURDAIN_CACHE_DIR": str(tmp_path), "JOURDAIN_AHEAD": "off"}
    code = "from jourdain.kernels.integrate.runge_kutta import explicit_between; explicit_between.ready()"
    one = subprocess.Popen([sys.executable, "-c", code], env=environment, stderr=subprocess.DEVNULL)
    until = time.monotonic() + 120.0
    while not list(tmp_path.rglob("locks/*")) and time.monotonic() < until:
        time.sleep(0.02)
    one.send_signal(signal.SIGKILL)
    one.wait()
    assert not list(tmp_path.rglob("*explicit_between*.unit"))
    fresh(tmp_path, code)
    assert list(tmp_path.rglob("*explicit_between*.unit"))


def test_a_helper_compiles_the_other_half(tmp_path):
    code = """
import os
from jourdain.kernels.compiling import parallel_compilation
from jourdain.kernels.integrate.generalized_alpha import alpha_between, alpha_finish
from jourdain.kernels.integrate.runge_kutta import explicit_between, explicit_finish
parallel_compilation.cores = lambda: 2
needed = [one.entry() for one in (explicit_finish, alpha_finish, alpha_between, explicit_between)]
parallel_compilation.prepare([(one, frozenset()) for one in needed])
print(len(parallel_compilation._HELPERS), all(one.find() for one in needed))
"""
    done = fresh(tmp_path, code, JOURDAIN_AHEAD="on")
    assert done.stdout.split() == ["1", "True"]
    assert done.stderr.count("jourdain: compiling") == 1


def test_a_helper_does_not_see_the_current_folder(tmp_path):
    (tmp_path / "llvmlite.py").write_text("raise SystemExit('imported from the current folder')")
    code = """
from jourdain.kernels.compiling import parallel_compilation
from jourdain.kernels.integrate.runge_kutta import explicit_finish
import os
os.chdir(os.environ["ELSEWHERE"])
parallel_compilation.start_helper([(explicit_finish.entry(), frozenset())])
print(parallel_compilation._HELPERS[0].wait())
"""
    assert fresh(tmp_path / "cache", code, ELSEWHERE=str(tmp_path)).stdout.split() == ["0"]


def test_threads_that_need_the_same_kernels_at_once(compiled):
    """One of them loads and fills in the parts; no other runs before that is done."""
    code = """
import sys, threading
import jourdain as jd
from jourdain.kernels.integrate.generalized_alpha import alpha_finish
from jourdain.kernels.integrate.runge_kutta import explicit_between, explicit_finish
from jourdain.kernels.tree.model_functions import centre_of_mass
sys.setswitchinterval(1e-6)
together, addresses = threading.Barrier(8), []
def work():
    together.wait()
    for kernel in (centre_of_mass, alpha_finish, explicit_between, explicit_finish):
        one = kernel.ready(["flexible"])
        addresses.append((kernel.__name__, one.address, frozenset(["flexible"]) in one.ready_for))
team = [threading.Thread(target=work) for _ in range(8)]
for one in team: one.start()
for one in team: one.join()
print(len(addresses), len(set(addresses)))
"""
    for _ in range(2):  # with an empty cache, then from files
        assert fresh(compiled, code).stdout.split() == ["32", "4"]


def test_types_are_spelt_and_read_back():
    records = "{jourdain.kernels.model_arrays:M}{jourdain.kernels.model_arrays:Wc}"
    text = f"fibc<f1><f2!><i1><f1A>(fff)(f(ii))n{records}{{jourdain.kernels.integrate.loop_records:L}}"
    assert "".join(spelt(one) for one in read(text)) == text


def test_what_a_store_keeps_comes_back(tmp_path):
    store = Store(tmp_path)
    unit = Unit(b"code", ["a"], ["sin"], [Descriptor("m:f", "f", "s")], [], "f")
    lines = LoweredKernel(b"lines", [], [], "n")
    store.write("one", unit)
    store.write("one", lines)
    assert store.read("one", Unit) == unit and store.read("one", LoweredKernel) == lines
    assert store.read("other", Unit) is None and "one" in store and "other" not in store


def test_symbols_and_the_cache_of_the_flagship_are_short():
    """Every unit that the flagship needs, and the lines that they were linked from."""
    from jourdain.kernels.compiler import linked_overloads
    from jourdain.kernels.compiling.descriptors import store
    from jourdain.run.loop import needed
    from jourdain.study.demo import shipped

    wanted = needed(shipped().plan())
    prepare(wanted)
    size, symbols, every_one = 0, set(), every(wanted)
    for one in every_one:
        symbols |= {one.symbol, *one.unit.imported, *one.unit.exported}
        size += (store().folder / f"{one.symbol}.unit").stat().st_size
    inner = {other.symbol for one in every_one for other in linked_overloads(one)}
    size += sum(path.stat().st_size for path in (store().folder / f"{name}.bc" for name in inner) if path.exists())
    assert len(every_one) > 20
    assert max(map(len, symbols)) < 2000
    assert size < 15e6


def test_the_folder_of_kernels_is_the_one_that_is_hashed():
    assert (storage.KERNELS / "records.py").exists()
