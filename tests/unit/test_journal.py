"""The journal of a long run: nothing that was appended is lost, nothing of another run is overwritten."""

import errno
import json
import os
import pickle
import subprocess
import sys
import textwrap
import warnings
import zipfile

import numpy as np
import pytest

from jourdain.basics.errors import JourdainError
from jourdain.basics.storage import WriteError, make_folder
from jourdain.results import journal as journal_module
from jourdain.results.journal import Journal, going_on, journal_folder, load_journal, reached, set_aside
from jourdain.results.load import load
from jourdain.results.run import Record
from jourdain.results.run_file import RunFileError, RunFileWarning


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run.nc"


@pytest.fixture
def chunks(make_record):
    return [make_record(4, start=float(start)) for start in (0, 1, 2)]


@pytest.fixture
def killed(path, fake_model, chunks):
    """The folder of a run that was killed after three chunks."""
    journal = Journal(path, fake_model, {"method": "rk4"})
    for chunk in chunks:
        journal.append(chunk)
    return journal.folder


def assert_record(run, chunks):
    whole = Record.concatenate(chunks)
    for name in ("time", "q", "v", "z", "effort", "energy"):
        np.testing.assert_array_equal(getattr(run.record, name), getattr(whole, name))


def age(path, by):
    stat = path.stat()
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns - int(by * 1e9)))


def test_finish_makes_the_run_file(path, fake_model, chunks):
    journal = Journal(path, fake_model, {"method": "rk4"})
    for chunk in chunks:
        journal.append(chunk)
        assert not path.exists()
    run = journal.finish()
    assert_record(run, chunks)
    assert os.listdir(path.parent) == ["run.nc"]
    back = load(path)
    assert_record(back, chunks)
    assert back.partial is False and back.options == {"method": "rk4"}


def test_finish_can_say_more(path, fake_model, chunks):
    journal = Journal(path, fake_model, {"method": "rk4"})
    journal.append(chunks[0])
    journal.finish({"method": "rk4", "steps": 40}, partial=True)
    back = load(path)
    assert back.partial is True and back.options["steps"] == 40


def test_a_killed_run_can_be_loaded(path, killed, chunks, fake_model):
    run = load(path)
    assert_record(run, chunks)
    assert run.partial is True and run.options == {"method": "rk4"} and run.model.hash == fake_model.hash
    assert run.versions["numpy"] == np.__version__


def test_a_process_that_is_killed_leaves_its_chunks(path, fake_model, make_record):
    code = """
        import os, sys
        from types import SimpleNamespace
        import numpy as np
        from jourdain.results.journal import Journal
        from jourdain.results.run import Record
        names = SimpleNamespace(q=("a",), v=("a",))
        model = SimpleNamespace(name="arm", hash="0", description={}, names=names)
        journal = Journal(sys.argv[1], model)
        for i in range(3):
            one = np.ones((2, 1))
            journal.append(Record(np.array([2.0 * i, 2.0 * i + 1.0]), one, one, one, one, np.ones((2, 6))))
        os.kill(os.getpid(), 9)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code), str(path)], check=False)
    assert done.returncode == -9
    assert sorted(os.listdir(journal_folder(path))) == [
        "chunk-000001.npz",
        "chunk-000002.npz",
        "chunk-000003.npz",
        "header.json",
    ]


@pytest.mark.parametrize("keep", [0, 30, 500, -1])
def test_a_truncated_last_chunk_is_left_out(path, killed, chunks, keep):
    last = killed / "chunk-000003.npz"
    last.write_bytes(last.read_bytes()[:keep])
    with pytest.warns(RunFileWarning, match="chunk-000003.npz"):
        run = load(path)
    assert_record(run, chunks[:2])


def test_a_flipped_byte_in_the_last_chunk_is_seen(path, killed, chunks):
    last = killed / "chunk-000003.npz"
    raw = bytearray(last.read_bytes())
    raw[len(raw) // 2] ^= 0xFF
    last.write_bytes(raw)
    with pytest.warns(RunFileWarning, match="chunk-000003.npz.*damaged"):
        assert_record(load(path), chunks[:2])


def test_a_damaged_chunk_before_the_last_is_an_error(path, killed):
    (killed / "chunk-000002.npz").write_bytes(b"")
    with pytest.raises(RunFileError, match="chunk-000002.npz"):
        load(path)


def test_a_missing_chunk_is_an_error(path, killed):
    (killed / "chunk-000002.npz").unlink()
    with pytest.raises(RunFileError, match="chunk 2 is missing"):
        load(path)


def test_a_half_written_temporary_file_is_no_chunk(path, killed, chunks):
    (killed / ".chunk-000004.npz.0a1b2c3d4e5f.tmp").write_bytes(b"half")
    assert_record(load(path), chunks)


def test_a_crash_while_appending_loses_only_that_chunk(path, fake_model, chunks, monkeypatch):
    journal = Journal(path, fake_model)
    journal.append(chunks[0])
    before = sorted(os.listdir(journal.folder))
    monkeypatch.setattr(journal_module.np, "savez", lambda *a, **k: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        journal.append(chunks[1])
    monkeypatch.undo()
    assert sorted(os.listdir(journal.folder)) == before
    journal.append(chunks[1])
    assert_record(journal.finish(), chunks[:2])


def test_a_crash_while_finishing_keeps_the_journal(path, fake_model, chunks, monkeypatch):
    journal = Journal(path, fake_model)
    journal.append(chunks[0])
    with monkeypatch.context() as patch:
        patch.setattr(journal_module, "save", lambda *a: (_ for _ in ()).throw(OSError("disk full")))
        with pytest.raises(OSError, match="disk full"):
            journal.finish()
    assert not path.exists()
    assert_record(load(path), chunks[:1])


def test_a_journal_is_never_overwritten_silently(path, killed, fake_model, chunks):
    with pytest.raises(JourdainError, match="is there already.*overwrite=True"):
        Journal(path, fake_model)
    assert_record(load(path), chunks)
    journal = Journal(path, fake_model, overwrite=True)
    journal.append(chunks[1])
    assert_record(journal.finish(), chunks[1:2])


def test_what_is_overwritten_stays_until_the_new_run_is_whole(path, killed, fake_model, chunks):
    journal = Journal(path, fake_model, overwrite=True)
    kept = path.with_name("run-unfinished.nc")
    assert_record(load(kept), chunks)
    journal.append(chunks[1])
    journal.finish(partial=True)
    assert_record(load(kept), chunks)
    journal = Journal(path, fake_model, overwrite=True)
    journal.append(chunks[1])
    journal.release()
    journal = Journal(path, fake_model, overwrite=True)
    journal.append(chunks[2])
    journal.finish()
    assert_record(load(kept), chunks)
    assert sorted(os.listdir(path.parent)) == ["run-unfinished.nc.journal", "run.nc"]


def test_overwrite_removes_nothing_but_a_journal(path, killed, fake_model):
    (killed / "thesis.tex").write_text("do not lose")
    with pytest.raises(JourdainError, match="thesis.tex"):
        Journal(path, fake_model, overwrite=True)
    assert len(os.listdir(killed)) == 5


def test_overwrite_does_not_follow_a_link(path, tmp_path, fake_model):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "header.json").write_text("{}")
    journal_folder(path).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(JourdainError, match="left alone"):
        Journal(path, fake_model, overwrite=True)
    assert (tmp_path / "elsewhere" / "header.json").exists()


def test_the_file_wins_over_an_older_journal(path, killed, fake_run, recwarn):
    for entry in killed.iterdir():
        age(entry, 100)
    fake_run.save(path)
    assert len(load(path)) == 11 and not recwarn.list


def test_a_newer_journal_wins_with_a_warning(path, killed, chunks, fake_run):
    fake_run.save(path)
    age(path, 100)
    with pytest.warns(RunFileWarning, match="older than the journal"):
        assert_record(load(path), chunks)


def test_one_can_say_which(path, killed, chunks, fake_run, recwarn):
    fake_run.save(path)
    age(path, 100)
    assert len(load(path, partial=False)) == 11
    assert_record(load(path, partial=True), chunks)
    assert not recwarn.list


def test_a_journal_without_chunks_does_not_hide_the_file(path, fake_run, fake_model, recwarn):
    fake_run.save(path)
    age(path, 100)
    Journal(path, fake_model)
    assert len(load(path)) == 11 and not recwarn.list


def test_a_run_killed_at_once_has_nothing(path, fake_model):
    journal = Journal(path, fake_model)
    with pytest.raises(RunFileError, match="no whole chunk"):
        load(path)
    with pytest.raises(JourdainError, match="nothing was appended"):
        journal.finish()
    (journal.folder / "header.json").unlink()
    with pytest.raises(RunFileError, match="header.json: is missing"):
        load(path)


def test_chunks_must_follow_each_other(path, fake_model, make_record):
    journal = Journal(path, fake_model)
    journal.append(make_record(3))
    journal.append(make_record(0))
    with pytest.raises(JourdainError, match="does not come after 0.2"):
        journal.append(make_record(3, start=0.2))
    with pytest.raises(JourdainError, match="z has shape"):
        journal.append(make_record(3, nz=2, start=1.0))
    assert "1 chunks" in repr(journal)


def test_no_folder_to_write_in(tmp_path, fake_model):
    with pytest.raises(JourdainError, match="folder does not exist"):
        Journal(tmp_path / "no" / "run.nc", fake_model)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"journal_format": 3}, "journal_format is 3"),
        ({"names": {"q": [1], "v": []}}, "names of q"),
        ({"names": None}, "names is missing"),
        ({"model_description": []}, "model_description is missing"),
        ({"names": {"q": ["a"], "v": ["b"]}}, "q has shape"),
    ],
)
def test_a_hostile_header(path, killed, change, says):
    header = json.loads((killed / "header.json").read_text()) | change
    (killed / "header.json").write_text(json.dumps(header | {"digest": journal_module.digest(header)}))
    for name in ("chunk-000002.npz", "chunk-000003.npz"):
        (killed / name).unlink()
    with pytest.raises(RunFileError, match="no whole chunk" if "shape" in says else says):
        if "shape" in says:
            with pytest.warns(RunFileWarning, match=says):
                load(path)
        else:
            load(path)


def test_a_damaged_journal_is_refused_told_of_or_the_same(path, killed, chunks, rng):
    """Bytes are changed in the header and in the chunks; none of them gives another number or option unnoticed."""
    whole = load(path)
    files = sorted(killed.iterdir())
    noticed = 0
    for k in range(150):
        file = files[k % len(files)]
        raw = file.read_bytes()
        bad = bytearray(raw)
        bad[rng.integers(len(bad))] ^= rng.integers(1, 256)
        file.write_bytes(bad)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error", RunFileWarning)
                run = load(path)
        except (RunFileError, RunFileWarning):
            noticed += 1
        else:
            assert_record(run, chunks)
            assert run.options == whole.options and run.model.description == whole.model.description
        file.write_bytes(raw)
    assert noticed > 75


def test_a_journal_of_the_first_format_has_no_digest_and_says_so(path, killed):
    header = json.loads((killed / "header.json").read_text()) | {"journal_format": 1}
    (killed / "header.json").write_text(json.dumps(header))
    with pytest.raises(RunFileError, match="not what was written"):
        load(path)
    del header["digest"]
    (killed / "header.json").write_text(json.dumps(header))
    with pytest.warns(RunFileWarning, match="before journals had a digest"):
        load(path)


def test_a_header_that_is_not_json(path, killed):
    (killed / "header.json").write_text("[" * 1000)
    with pytest.raises(RunFileError, match="nested"):
        load(path)


class Trap:
    """Unpickling this would leave a file behind."""

    def __init__(self, mark):
        self.mark = mark

    def __reduce__(self):
        return (open, (self.mark, "w"))


def test_pickles_are_never_opened(path, killed, tmp_path):
    first = killed / "chunk-000001.npz"
    arrays = dict(np.load(first))
    arrays["q"] = np.array([Trap(str(tmp_path / "mark"))], dtype=object)
    np.savez(first, **arrays)
    with pytest.raises(RunFileError, match="q.npy"):
        load(path)
    first.write_bytes(pickle.dumps(Trap(str(tmp_path / "mark"))))
    with pytest.raises(RunFileError, match="damaged"):
        load(path)
    assert not (tmp_path / "mark").exists()


def _rewrite(chunk, name, raw, compression=zipfile.ZIP_STORED):
    with zipfile.ZipFile(chunk) as archive:
        members = {member: archive.read(member) for member in archive.namelist()}
    members[name] = raw
    with zipfile.ZipFile(chunk, "w", compression) as archive:
        for member, data in members.items():
            archive.writestr(member, data)


def test_a_huge_claim_in_a_chunk(path, killed):
    header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000, 9), }\n"
    raw = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header
    _rewrite(killed / "chunk-000001.npz", "q.npy", raw)
    with pytest.raises(RunFileError, match=r"q.npy is float64 of shape \(1000000000, 9\)"):
        load(path)


def test_a_compressed_chunk(path, killed):
    _rewrite(killed / "chunk-000001.npz", "q.npy", b"\0" * 10_000_000, zipfile.ZIP_DEFLATED)
    with pytest.raises(RunFileError, match="compressed"):
        load(path)


def test_a_foreign_member_in_a_chunk(path, killed):
    _rewrite(killed / "chunk-000001.npz", "../evil.npy", b"")
    with pytest.raises(RunFileError, match="nothing else"):
        load(path)


def test_a_chunk_that_is_a_link(path, killed, tmp_path):
    moved = tmp_path / "moved.npz"
    (killed / "chunk-000001.npz").rename(moved)
    (killed / "chunk-000001.npz").symlink_to(moved)
    with pytest.raises(RunFileError, match="not a regular file"):
        load(path)


def test_more_than_the_limit(killed):
    with pytest.raises(RunFileError, match="pass a larger limit"):
        load_journal(killed, limit=100)


def test_a_partial_run_does_not_take_the_place_of_a_whole_one(path, fake_model, fake_run, chunks):
    fake_run.save(path)
    for _ in range(2):
        journal = Journal(path, fake_model)
        journal.append(chunks[0])
        run = journal.finish(partial=True)
        assert run.path == path.with_name("run-partial.nc")
        assert not load(path).partial and load(run.path).partial
    assert sorted(os.listdir(path.parent)) == ["run-partial.nc", "run.nc"]


def test_a_partial_run_takes_the_place_of_a_partial_one(path, fake_model, chunks):
    for chunk in chunks[:2]:
        journal = Journal(path, fake_model)
        journal.append(chunk)
        assert journal.finish(partial=True).path == path
    assert_record(load(path), chunks[1:2])


def test_a_journal_says_whether_its_run_goes_on_and_how_far_it_came(path, fake_model, chunks):
    journal = Journal(path, fake_model)
    assert going_on(journal.folder) and reached(journal.folder) is None
    journal.append(chunks[0])
    journal.append(chunks[1])
    assert reached(journal.folder) == chunks[1].time[-1]
    with pytest.raises(JourdainError, match="another run is writing there now"):
        set_aside(path)
    journal.release()
    assert not going_on(journal.folder)
    (journal.folder / "chunk-000002.npz").write_bytes(b"half")
    assert reached(journal.folder) == chunks[0].time[-1]


def test_a_journal_that_was_left_is_set_aside_and_can_be_loaded(path, killed, chunks, fake_model):
    assert set_aside(path) == path.with_name("run-unfinished.nc")
    assert not killed.exists()
    assert_record(load(path.with_name("run-unfinished.nc")), chunks)
    again = Journal(path, fake_model)
    again.append(chunks[0])
    again.release()
    assert set_aside(path) == path.with_name("run-unfinished-2.nc")
    assert_record(load(path.with_name("run-unfinished-2.nc.journal")), chunks[:1])
    Journal(path, fake_model).release()
    assert set_aside(path) is None and not journal_folder(path).exists()


def test_a_full_disk_is_said_in_words(path, fake_model, fake_run, chunks, monkeypatch):
    journal = Journal(path, fake_model)
    fake_run.save(path)
    before = path.read_bytes()

    def full(*args, **kwargs):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(journal_module.np, "savez", full)
    with pytest.raises(WriteError, match=r"chunk-000001.npz': the disk is full; free some space"):
        journal.append(chunks[0])
    monkeypatch.setattr("jourdain.basics.storage.os.fsync", full)
    with pytest.raises(WriteError, match="run.nc': the disk is full") as caught:
        fake_run.save(path)
    assert path.read_bytes() == before and str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    monkeypatch.undo()
    journal.discard()
    assert os.listdir(path.parent) == ["run.nc"]


def test_a_folder_that_cannot_be_made_is_said_in_words(tmp_path):
    (tmp_path / "file").write_text("mine")
    for name, words in (
        ("file", "a file, not a folder"),
        ("file/out", "a file, not a folder"),
        ("n" * 300, "too long"),
    ):
        with pytest.raises(WriteError, match=words):
            make_folder(tmp_path / name)
    make_folder(tmp_path / "a" / "b")
    assert os.listdir(tmp_path / "a") == ["b"] and not os.listdir(tmp_path / "a" / "b")
