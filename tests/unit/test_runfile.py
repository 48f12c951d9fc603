"""Run files: what is saved comes back; nothing hostile gets in; a crash leaves no half a file."""

import json
import os
import shutil
from pathlib import Path

import h5py
import numpy as np
import pytest

from jourdain.basics import storage
from jourdain.basics.errors import JourdainError
from jourdain.results import run_file as runfile
from jourdain.results.load import load
from jourdain.results.run import Run
from jourdain.results.run_file import RunFileError, RunFileWarning, save

FIELDS = ("time", "q", "v", "z", "effort", "energy")


def assert_same(one: Run, other: Run) -> None:
    for name in FIELDS:
        np.testing.assert_array_equal(getattr(one.record, name), getattr(other.record, name))
    assert one.model.description == other.model.description


def test_round_trip(fake_run, saved):
    run = load(saved)
    assert_same(run, fake_run)
    assert run.options == {"method": "rk4", "step": 2e-4, "seed": 3} and run.partial is False
    assert run.versions["numpy"] == np.__version__ and {"jourdain", "numba", "python"} <= set(run.versions)
    assert run.q.names == fake_run.q.names and run.v.units == fake_run.v.units
    np.testing.assert_array_equal(run.frame("fore.tip").position, fake_run.frame("fore.tip").position)


def test_round_trip_without_internal_states_and_of_one_sample(fake_model, make_record, tmp_path):
    run = Run(fake_model, make_record(1, nz=0), partial=True)
    back = load(run.save(tmp_path / "one.nc"))
    assert_same(run, back)
    assert back.partial is True and back.z.shape == (1, 0)


def test_not_a_number_in_the_samples_survives(fake_model, make_record, tmp_path):
    record = make_record()
    record.v[-1, 2] = np.nan
    assert np.isnan(load(save(Run(fake_model, record), tmp_path / "run.nc")).record.v[-1, 2])


def test_names_of_any_language(fake_model, make_model, make_record, tmp_path):
    run = Run(make_model(name="bras à deux axes", joint="épaule"), make_record())
    back = load(run.save(tmp_path / "run.nc"))
    assert back.model.name == "bras à deux axes" and "épaule" in back.q


def test_the_file_is_netcdf(fake_run, saved):
    xarray = pytest.importorskip("xarray")
    with xarray.open_dataset(saved, engine="h5netcdf") as data:
        np.testing.assert_array_equal(data.q.sel(coordinate="elbow"), fake_run.record.q[:, 7])
        np.testing.assert_array_equal(data.effort.sel(speed="free.vx"), fake_run.record.effort[:, 3])
        np.testing.assert_array_equal(data.energy.sel(term="work"), fake_run.record.energy[:, 5])
        np.testing.assert_array_equal(data.time, fake_run.record.time)
        assert data.time.dtype == np.float64 and data.time.attrs["units"] == "s"
        assert list(data.speed_units.values) == list(fake_run.v.units)
        assert list(data.effort_units.values) == list(fake_run.effort.units)
        assert json.loads(data.model_description.item())["name"] == "arm"
        assert json.loads(data.options.item())["method"] == "rk4"
        assert data.attrs["jourdain_format"] == 2 and data.attrs["model_hash"] == fake_run.model.hash
        assert json.loads(data.attrs["seeds"]) == 3 and "numba" in json.loads(data.attrs["versions"])


def test_options_that_json_cannot_hold_become_plain(fake_model, make_record, tmp_path):
    class Law:
        name = "brake"

    options = {"controller": Law(), "rtol": np.float64(1e-9), "gains": np.eye(2), "events": (1, 2)}
    back = load(Run(fake_model, make_record(), options).save(tmp_path / "run.nc"))
    assert back.options == {
        "controller": "Law brake",
        "rtol": 1e-9,
        "gains": [[1.0, 0.0], [0.0, 1.0]],
        "events": [1, 2],
    }


def test_a_large_description_fits(fake_run, tmp_path):
    fake_run.model.description["note"] = "x" * 300_000
    assert len(load(fake_run.save(tmp_path / "run.nc")).record) == 11


def test_another_hash_is_a_warning(fake_run, saved, monkeypatch):
    model = fake_run.model
    model.hash = "0" * 64
    monkeypatch.setattr(runfile, "rebuild_model", lambda description: model)
    with pytest.warns(RunFileWarning, match="another hash"):
        assert_same(load(saved), fake_run)


def test_a_crash_while_saving_keeps_the_old_file(fake_run, saved, monkeypatch):
    before = saved.read_bytes()

    def crash(*arguments):
        raise RuntimeError("disk full")

    monkeypatch.setattr(runfile, "_write_characters", crash)
    with pytest.raises(RuntimeError, match="disk full"):
        fake_run.save(saved)
    assert saved.read_bytes() == before and os.listdir(saved.parent) == ["run.nc"]


def test_a_crash_at_the_rename_keeps_the_old_file(fake_run, saved, monkeypatch):
    before = saved.read_bytes()

    def crash(source, target):
        raise OSError("gone")

    monkeypatch.setattr(storage.os, "replace", crash)
    with pytest.raises(OSError, match="gone"):
        fake_run.save(saved)
    assert saved.read_bytes() == before and os.listdir(saved.parent) == ["run.nc"]


def test_the_target_is_absent_until_it_is_whole(tmp_path):
    target = tmp_path / "file"
    with storage.atomic_write(target) as temporary:
        temporary.write_text("half")
        assert not target.exists() and temporary.parent == tmp_path
    assert target.read_text() == "half" and os.listdir(tmp_path) == ["file"]


def test_saving_through_a_link_keeps_the_link(fake_run, saved):
    link = saved.parent / "latest.nc"
    link.symlink_to(saved.name)
    saved.write_bytes(b"old")
    fake_run.save(link)
    assert link.is_symlink() and len(load(saved)) == 11


def test_bad_places_to_save(fake_run, tmp_path):
    with pytest.raises(JourdainError, match="folder does not exist"):
        fake_run.save(tmp_path / "no" / "run.nc")
    with pytest.raises(JourdainError, match="it is a folder"):
        fake_run.save(tmp_path)


def test_a_description_that_is_not_json_is_refused(fake_run, tmp_path):
    fake_run.model.description["law"] = object()
    with pytest.raises(JourdainError, match="description of 'arm' cannot be saved"):
        fake_run.save(tmp_path / "run.nc")
    assert not os.listdir(tmp_path)


def refused(path, says, culprit=None, **options):
    with pytest.raises(RunFileError, match=says) as caught:
        load(path, **options)
    assert str(path) in str(caught.value)
    if culprit is not None:
        assert caught.value.culprit == culprit


def forge(file):
    """Makes the digest of an edited file fit again, as a hostile author would."""
    told, stored = runfile._gather(file, Path(file.filename), runfile.LIMIT)
    file.attrs["digest"] = np.bytes_(runfile.digest(told, stored).encode())


def test_no_such_file(tmp_path):
    refused(tmp_path / "run.nc", "no such file")
    (tmp_path / "folder.nc").mkdir()
    refused(tmp_path / "folder.nc", "not a regular file")


def test_external_link(saved, tmp_path):
    shutil.copy(saved, tmp_path / "other.nc")
    with h5py.File(saved, "a") as file:
        del file["q"]
        file["q"] = h5py.ExternalLink("other.nc", "/q")
    refused(saved, "external link", "q")


@pytest.mark.parametrize("target", ["/v", "/nowhere", "../../etc"])
def test_soft_link(saved, target):
    with h5py.File(saved, "a") as file:
        file["sly"] = h5py.SoftLink(target)
    refused(saved, "soft link", "sly")


def test_soft_link_through_an_external_one(saved):
    with h5py.File(saved, "a") as file:
        file["out"] = h5py.ExternalLink("other.nc", "/")
        del file["effort"]
        file["effort"] = h5py.SoftLink("/out/effort")
    refused(saved, "is an? (soft|external) link")


def test_external_storage(saved, tmp_path):
    (tmp_path / "secret").write_bytes(b"s" * 8 * 11)
    with h5py.File(saved, "a") as file:
        del file["time"]
        file.create_dataset("time", shape=(11,), dtype="f8", external=[(str(tmp_path / "secret"), 0, 88)])
    refused(saved, "external file", "time")


def test_virtual_dataset(saved, tmp_path):
    shutil.copy(saved, tmp_path / "other.nc")
    layout = h5py.VirtualLayout(shape=(11, 9), dtype="f8")
    layout[:] = h5py.VirtualSource(str(tmp_path / "other.nc"), "q", shape=(11, 9))
    with h5py.File(saved, "a") as file:
        del file["q"]
        file.create_virtual_dataset("q", layout)
    refused(saved, "virtual dataset", "q")


@pytest.mark.parametrize(
    "dtype",
    [
        h5py.ref_dtype,
        h5py.regionref_dtype,
        h5py.vlen_dtype(np.float64),
        np.dtype([("a", "f8"), ("b", "i4")]),
        np.dtype("V8"),
        h5py.enum_dtype({"A": 1}),
        np.dtype(("f8", (3,))),
    ],
    ids=["reference", "region", "vlen", "compound", "opaque", "enum", "array"],
)
def test_types_that_a_run_never_holds(saved, dtype):
    with h5py.File(saved, "a") as file:
        type_id = h5py.h5t.py_create(dtype, logical=True)
        h5py.h5d.create(file.id, b"odd", type_id, h5py.h5s.create_simple((2,)))
    refused(saved, "only numbers and strings", "odd")


def test_an_object_as_an_attribute(saved):
    with h5py.File(saved, "a") as file:
        file["q"].attrs.create("pointer", file["v"].ref, dtype=h5py.ref_dtype)
    refused(saved, "as attributes", "q@pointer")


def test_text_in_the_heap_is_not_read(saved):
    with h5py.File(saved, "a") as file:
        del file.attrs["versions"]
        file.attrs["versions"] = "{}"
    refused(saved, "fixed length", "versions")


def test_strings_beside_the_run_are_harmless(fake_run, saved):
    with h5py.File(saved, "a") as file:
        file["note"] = "kept by a colleague"
        file.attrs["comment"] = "fine"
    assert_same(load(saved), fake_run)


def test_group_inside(saved):
    with h5py.File(saved, "a") as file:
        file.create_group("more")["loop"] = file["/"]
    refused(saved, "is a group", "more")


def test_named_type_inside(saved):
    with h5py.File(saved, "a") as file:
        file["kind"] = np.dtype("f8")
    refused(saved, "is a datatype", "kind")


def test_unknown_filter(saved):
    with h5py.File(saved, "a") as file:
        del file["q"]
        file.create_dataset("q", data=np.zeros((11, 9)), compression="lzf")
    refused(saved, "unknown filter", "q")


def test_deflated_data_is_read(fake_run, saved):
    with h5py.File(saved, "a") as file:
        data = file["effort"][()]
        del file["effort"]
        file.create_dataset("effort", data=data, compression="gzip", shuffle=True)
    assert_same(load(saved), fake_run)


@pytest.mark.parametrize("name", [*FIELDS, "coordinate", "speed", "model_description", "options"])
def test_missing_variable(saved, name):
    with h5py.File(saved, "a") as file:
        del file[name]
    refused(saved, "is missing", name)


ATTRIBUTES = ("jourdain_format", "model_hash", "versions", "partial", "n_time", "n_q", "n_v", "n_z")


@pytest.mark.parametrize("name", ATTRIBUTES)
def test_missing_attribute(saved, name):
    with h5py.File(saved, "a") as file:
        del file.attrs[name]
    refused(saved, "is missing", name)


@pytest.mark.parametrize("name", FIELDS)
def test_wrong_shape(saved, name):
    with h5py.File(saved, "a") as file:
        shape = file[name].shape
        del file[name]
        file[name] = np.zeros((shape[0] + 1, *shape[1:]))
    refused(saved, "of shape", name)


def test_wrong_number_type(saved):
    with h5py.File(saved, "a") as file:
        del file["q"]
        file["q"] = np.zeros((11, 9), dtype="i8")
    refused(saved, "must be float64", "q")


@pytest.mark.parametrize("value", [3, 0, -1, 1.0, "1", [1, 1]])
def test_unknown_format(saved, value):
    with h5py.File(saved, "a") as file:
        file.attrs["jourdain_format"] = value
    refused(saved, "reads format 2|whole number|0 or more|single value", "jourdain_format")


@pytest.mark.parametrize(
    ("times", "says"),
    [
        ([0.0, np.nan], "not a finite number"),
        ([0.0, np.inf], "not a finite number"),
        ([1.0, 0.5], "not increase"),
    ],
)
def test_bad_time(saved, times, says):
    with h5py.File(saved, "a") as file:
        file["time"][3:5] = times
        forge(file)
    refused(saved, says)


def test_more_than_the_limit(saved):
    refused(saved, "at most 1000 are read|1 sample to 1000 bytes", limit=1000)


def test_huge_claims_are_refused_before_anything_is_read(saved):
    with h5py.File(saved, "a") as file:
        file.attrs["n_time"] = np.int64(10**12)
    refused(saved, "samples", "n_time")


def test_data_that_are_declared_but_not_there(saved):
    with h5py.File(saved, "a") as file:
        n = 2_000_000
        file.attrs["n_time"] = np.int64(n)
        for name in FIELDS:
            shape = (n, *file[name].shape[1:])
            del file[name]
            file.create_dataset(name, shape=shape, dtype="f8")
    refused(saved, "declares 16000000 bytes but stores 0", "time")


@pytest.mark.parametrize("name", ["model_description", "options"])
@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"[" * 100_000, "nested 100000 deep"),
        (b'{"a": ' * 70 + b"1" + b"}" * 70, "nested 70 deep"),
        (b'{"a": }', "not valid JSON"),
        (b"[1]", "object was expected"),
        (b'{"a": "\xff"}', "not valid JSON"),
        (b'{"a": ' + b"9" * 5000 + b"}", "not valid JSON"),
        (b'"' + rb"\"" * 200_000, "not valid JSON"),
    ],
    ids=["deep", "closed", "broken", "list", "bytes", "digits", "quotes"],
)
def test_hostile_json(saved, name, text, says):
    with h5py.File(saved, "a") as file:
        del file[name]
        file[name] = np.frombuffer(text, dtype="S1")
        forge(file)
    refused(saved, f"{name}: .*{says}")


def test_json_too_large(saved, monkeypatch):
    monkeypatch.setattr(runfile, "TEXT_LIMIT", 100)
    refused(saved, "at most 100 characters", "model_description")


def test_brackets_in_strings_are_not_depth():
    assert storage.from_json(b'{"a": "[[[\\"[[{{' + b"[" * 99 + b'"}', "text")["a"].startswith("[[[")


def test_a_description_that_makes_no_model(saved, monkeypatch):
    def fail(description):
        raise KeyError("bodies")

    monkeypatch.setattr(runfile, "rebuild_model", fail)
    refused(saved, "no model can be made of it", "model_description")


def test_names_that_do_not_fit_the_description(saved):
    with h5py.File(saved, "a") as file:
        file["coordinate"][7, 0] = b"E"
        forge(file)
    refused(saved, "'Elbow' does not fit the description", "coordinate")


@pytest.mark.parametrize("keep", [0.0, 0.05, 0.5, 0.95])
def test_truncated_file(saved, keep):
    raw = saved.read_bytes()
    saved.write_bytes(raw[: int(keep * len(raw))])
    refused(saved, "damaged, or not a run file")


def test_not_hdf5(tmp_path):
    (tmp_path / "run.nc").write_bytes(b"import os" * 1000)
    refused(tmp_path / "run.nc", "damaged, or not a run file")


def test_a_damaged_file_is_refused_or_is_the_same_run(saved, rng):
    """Of one damaged byte anywhere, and of several, none gives another number, time, name or option."""
    raw, whole = saved.read_bytes(), load(saved)
    refused_ones = 0
    for k in range(200):
        bad = bytearray(raw)
        for at in rng.integers(0, len(raw), size=1 + 3 * (k % 2)):
            bad[at] ^= rng.integers(1, 256)
        saved.write_bytes(bad)
        try:
            run = load(saved)
        except JourdainError:
            refused_ones += 1
            continue
        for name in FIELDS:
            assert getattr(run.record, name).tobytes() == getattr(whole.record, name).tobytes()
        assert (run.options, run.partial, run.versions) == (whole.options, whole.partial, whole.versions)
        assert run.model.description == whole.model.description
    assert refused_ones > 100


@pytest.mark.parametrize("name", [*FIELDS, "coordinate", "speed_units", "options", "model_description"])
def test_a_change_of_anything_that_is_read_is_noticed(saved, name):
    with h5py.File(saved, "a") as file:
        at = (0,) * file[name].ndim
        file[name][at] = file[name][at] + 1e-12 if file[name].dtype.kind == "f" else b"~"
    refused(saved, "not what was written", "digest")


def test_a_file_of_the_first_format_has_no_digest_and_says_so(saved):
    with h5py.File(saved, "a") as file:
        file.attrs["jourdain_format"] = np.int64(1)
    refused(saved, "not what was written", "digest")
    with h5py.File(saved, "a") as file:
        del file.attrs["digest"]
    with pytest.warns(RunFileWarning, match="before run files had a digest"):
        assert len(load(saved)) == 11
    with h5py.File(saved, "a") as file:
        file.attrs["jourdain_format"] = np.int64(2)
    refused(saved, "is missing", "digest")
