"""Machine code is taken from a cache that is this user's own alone, and never from the current folder."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from jourdain.basics import platforms
from jourdain.basics.platforms import PrivateFolder, UntrustedError, named_folder
from jourdain.kernels.compiling import disk_cache as storage
from jourdain.kernels.compiling.disk_cache import Store, Unit

UNIT = Unit(b"code", ["a"], ["sin"], [], [], "f")
POSIX = pytest.mark.skipif(os.name != "posix", reason="owners and modes of files")
WHERE = "from jourdain.kernels.compiling.disk_cache import folder_of; print(folder_of('one'))"


def belongs_to_another(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Gives a file to another user; who may not is another user from now on."""
    if os.geteuid() == 0:
        os.chown(path, 12345, -1)
    else:
        another = os.geteuid() + 1
        monkeypatch.setattr(platforms.os, "geteuid", lambda: another)


@pytest.mark.parametrize("given", ["", ".", "cache", "./cache", "../cache", "~nobody-of-this-name/cache"])
@pytest.mark.parametrize("variable", ["XDG_CACHE_HOME", "JOURDAIN_CACHE_DIR"])
@POSIX
def test_empty_and_relative_folders_count_as_unset(tmp_path, monkeypatch, variable, given):
    monkeypatch.delenv("JOURDAIN_CACHE_DIR", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    usual = storage.root()
    assert tmp_path in usual.parents
    monkeypatch.setenv(variable, given)
    assert named_folder(variable) is None
    assert storage.root() == usual


@pytest.mark.parametrize("home", ["", ".", "somewhere"])
@POSIX
def test_a_home_that_is_no_absolute_path_is_not_the_current_folder(tmp_path, monkeypatch, home):
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", home)
    monkeypatch.chdir(tmp_path)
    assert platforms.user_cache().is_absolute() and tmp_path not in platforms.user_cache().parents
    monkeypatch.setattr(platforms, "_registered_home", lambda: None)
    assert platforms.user_cache().is_absolute() and tmp_path not in platforms.user_cache().parents


@pytest.mark.parametrize("given", ["", ".", "local"])
def test_on_windows_too(tmp_path, monkeypatch, given):
    monkeypatch.setattr(platforms, "WINDOWS", True)
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", given)
    assert platforms.user_cache() == tmp_path / "AppData" / "Local"


@pytest.mark.parametrize("variable", ["XDG_CACHE_HOME", "JOURDAIN_CACHE_DIR"])
def test_a_program_that_starts_in_a_hostile_folder_takes_nothing_from_it(tmp_path, variable):
    hostile = tmp_path / "hostile"
    hostile.mkdir()
    environment = {name: value for name, value in os.environ.items() if name != "JOURDAIN_CACHE_DIR"}
    environment |= {variable: "", "HOME": str(tmp_path / "home"), "USERPROFILE": str(tmp_path / "home")}
    done = subprocess.run(
        [sys.executable, "-c", WHERE], cwd=hostile, env=environment, capture_output=True, text=True, check=True
    )
    assert Path(done.stdout.strip()).is_absolute() and hostile not in Path(done.stdout.strip()).parents


def test_a_relative_folder_is_told_of(monkeypatch, capsys):
    storage._warn_once.cache_clear()
    monkeypatch.setenv("JOURDAIN_CACHE_DIR", "cache")
    assert storage.root() == storage.root() and storage.root().is_absolute()
    assert capsys.readouterr().err.count("JOURDAIN_CACHE_DIR is 'cache', which is no absolute path") == 1


def test_what_comes_with_the_package_is_looked_for_there_alone(tmp_path, monkeypatch):
    """Wherever a program starts, and whatever the environment says."""
    for name in ("XDG_CACHE_HOME", "JOURDAIN_CACHE_DIR", "HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.chdir(tmp_path)
    planted = tmp_path / "shipped" / storage.name_of("x86-64-v3")
    planted.mkdir(parents=True)
    assert storage.SHIPPED == Path(storage.__file__).resolve().parents[1] / "shipped"
    assert storage.shipped_for("x86-64-v3") in (None, storage.SHIPPED / planted.name)


@POSIX
def test_what_is_made_is_this_users_alone(tmp_path):
    before = os.umask(0)
    try:
        store = Store(tmp_path / "some" / "where" / "cache" / "units")
        store.write("one", UNIT)
        with store.exclusive("one"):
            assert store.locked("one")
    finally:
        os.umask(before)
    assert store.read("one", Unit) == UNIT and not store.locked("one")
    found = [tmp_path / "some", *(tmp_path / "some").rglob("*")]
    assert len(found) == 7
    assert {stat.S_IMODE(path.stat().st_mode) for path in found} == {0o700, 0o600}


@pytest.fixture
def kept(tmp_path) -> tuple[Store, Path]:
    """A store with one unit, and the folder of the whole cache."""
    cache = tmp_path / "cache"
    store = Store(cache / "units")
    store.write("one", UNIT)
    return store, cache


PLACES = {"cache": ".", "folder": "units", "file": "units/one.unit"}


@POSIX
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("how", ["group", "others", "another user"])
def test_what_others_could_have_written_is_not_read(kept, monkeypatch, capfd, place, how):
    store, cache = kept
    path = cache / PLACES[place]
    if how == "another user":
        belongs_to_another(path, monkeypatch)
    else:
        path.chmod(path.stat().st_mode | {"group": 0o020, "others": 0o002}[how])
    assert store.read("one", Unit) is None
    assert store.read("one", Unit) is None
    told = capfd.readouterr().err
    assert told.count("no machine code is taken from") == 1 and str(path.resolve()) in told
    assert ("belongs to another user" if how == "another user" else "can be written by others") in told
    assert path.exists()
    if place != "file":  # as if it were not there
        assert not store.forget("one", Unit) and "one" not in store
        store.write("two", UNIT)
        with store.exclusive("two"):
            assert not store.locked("two")
        assert not (cache / "units" / "two.unit").exists() and not (cache / "units" / "locks").exists()
    elif how != "another user" or os.geteuid() == 0:  # what is compiled takes its place
        store.write("one", UNIT)
        assert store.read("one", Unit) == UNIT and stat.S_IMODE(path.stat().st_mode) == 0o600


@POSIX
def test_the_advice_of_a_folder_that_others_can_write_helps(kept, capfd):
    store, cache = kept
    cache.chmod(0o777)
    assert store.read("one", Unit) is None
    advice = capfd.readouterr().err.split("(")[-1].split(",")[0]
    subprocess.run(advice, shell=True, check=True)
    assert advice.startswith("chmod go-w ") and Store(store.folder).read("one", Unit) == UNIT


@POSIX
@pytest.mark.parametrize("place", ["folder", "file", "locks"])
def test_links_are_not_followed(kept, tmp_path, place):
    """Of the whole cache alone: it may lie on another disk."""
    store, cache = kept
    elsewhere = tmp_path / "elsewhere"
    if place == "locks":
        elsewhere.mkdir()
        (elsewhere / "one").write_text("a file of mine")
        (cache / "units" / "locks").symlink_to(elsewhere)
        with store.exclusive("one"):
            assert store.locked("one")
        assert (elsewhere / "one").read_text() == "a file of mine" and (cache / "units" / "locks").is_dir()
        return
    path = cache / PLACES[place]
    path.rename(elsewhere)
    path.symlink_to(elsewhere)
    assert store.read("one", Unit) is None
    assert elsewhere.exists()


@POSIX
def test_the_whole_cache_may_be_a_link(kept, tmp_path):
    store, cache = kept
    cache.rename(tmp_path / "disk")
    cache.symlink_to(tmp_path / "disk")
    assert store.read("one", Unit) == UNIT


@POSIX
def test_a_lock_that_is_a_link_empties_no_file(kept, tmp_path):
    store, _ = kept
    (tmp_path / "mine").write_text("text")
    (store.folder / "locks").mkdir(mode=0o700)
    (store.folder / "locks" / "one").symlink_to(tmp_path / "mine")
    with store.exclusive("one"):
        pass
    assert (tmp_path / "mine").read_text() == "text"


@POSIX
def test_a_pipe_in_the_place_of_a_file_is_not_waited_for(kept):
    store, _ = kept
    (store.folder / "one.unit").unlink()
    os.mkfifo(store.folder / "one.unit")
    assert store.read("one", Unit) is None
    store.write("one", UNIT)
    assert store.read("one", Unit) == UNIT


@POSIX
def test_a_file_is_judged_as_it_is_read(kept, monkeypatch):
    """Between the question and the reading nobody can put another in its place: what is open is asked."""
    store, _ = kept
    path = store.folder / "one.unit"
    hostile = path.with_name("hostile")
    hostile.write_bytes(path.read_bytes())
    hostile.chmod(0o666)
    opened = os.open

    def swap(name, *told, **more):
        if name == path.name:
            os.replace(hostile, path)
        return opened(name, *told, **more)

    monkeypatch.setattr(platforms.os, "open", swap)
    assert store.read("one", Unit) is None and not hostile.exists()


@POSIX
def test_no_number_of_a_file_is_left_open(kept):
    store, cache = kept
    count = len(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").exists() else 0
    for path in (cache, cache / "units", cache / "units" / "one.unit"):
        before = path.stat().st_mode
        path.chmod(0o777)
        with pytest.raises(UntrustedError), PrivateFolder(cache / "units", own=2) as folder:
            folder.read("one.unit")
        store.read("one", Unit)
        path.chmod(before)
    assert count in (0, len(os.listdir("/proc/self/fd")))


def test_on_windows_a_folder_is_as_private_as_the_one_above(tmp_path, monkeypatch):
    monkeypatch.setattr(platforms, "WINDOWS", True)
    store = Store(tmp_path / "cache" / "units")
    assert store.read("one", Unit) is None
    store.write("one", UNIT)
    assert store.read("one", Unit) == UNIT and "one" in store


@pytest.mark.parametrize("place", ["path", "CUDA_HOME", "CUDA_PATH"])
def test_code_of_the_graphics_card_is_not_taken_from_the_current_folder(tmp_path, monkeypatch, place):
    """It is compiled into programs: `sys.path` of `python -c` begins with "", a variable may be "."."""
    from jourdain.basics.errors import ModelError
    from jourdain.run.gpu.code_generation import libdevice

    planted = tmp_path / ("nvidia" if place == "path" else ".") / "nvvm" / "libdevice" / "libdevice.10.bc"
    planted.parent.mkdir(parents=True)
    planted.write_bytes(b"planted")
    monkeypatch.chdir(tmp_path)
    if place == "path":
        monkeypatch.setattr(sys, "path", ["", *sys.path])
    else:
        monkeypatch.setenv(place, ".")
    found = None
    with suppress(ModelError):  # none on this machine
        found = libdevice()
    assert found is None or found.is_absolute()


@POSIX
def test_warmup_says_that_nothing_is_kept(kept, monkeypatch):
    from typer.testing import CliRunner

    from jourdain.commands import warmup
    from jourdain.commands.cli import app
    from jourdain.kernels.compiling import descriptors

    store, cache = kept
    cache.chmod(0o777)
    monkeypatch.setattr(descriptors, "store", lambda: store)
    monkeypatch.setattr(warmup, "of_scenarios", lambda: store.read("one", Unit) or [])
    done = CliRunner().invoke(app, ["warmup"])
    told = f"{done.output}{done.exception}"
    assert done.exit_code != 0 and "nothing is cached" in told and "can be written by others" in told
