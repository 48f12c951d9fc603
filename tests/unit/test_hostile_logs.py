"""Logs that are made to do harm, or are merely broken: an error that names the file and the place, at once and in
little memory. `tests/fuzz.py` has thousands more."""

from __future__ import annotations

import io
import json
import struct
import tracemalloc

import numpy as np
import pytest

import jourdain as jd
from jourdain.errors import JourdainError
from jourdain.study.fit import log_files, log_mcap
from jourdain.study.fit.log_files import head
from jourdain.study.fit.logs import read_log

MEGABYTE = 2**20


def told(path, words: str) -> None:
    """An error of the package, with these words and the name of the file."""
    with pytest.raises(JourdainError) as found:
        read_log(path)
    assert words in str(found.value) and path.name in str(found.value)
    assert len(str(found.value)) < 1000


def table(tmp_path, raw: bytes | str):
    path = tmp_path / "log.csv"
    path.write_bytes(raw if isinstance(raw, bytes) else raw.encode())
    return path


BROKEN = {
    "no text": (b"time,a\n0,1\n1,\xff\n", "log.csv:3: byte 0xff is no text in UTF-8"),
    "UTF-16": ("time,a\n0,1\n".encode("utf-16"), "is no text in UTF-8"),
    "an open quote": (b'time,a\n0,1\n"' + b"x" * 200_000, "is no CSV: field larger than"),
    "a NUL": (b"time,a\n0,\x000\n", "log.csv:2"),
    "nothing": (b"", "has no rows of numbers"),
    "names alone": (b"time,a\n", "has no rows of numbers"),
    "remarks alone": (b"# one\n# two\n", "has no rows of numbers"),
    "a row that is short": (b"time,a\n0,1\n1\n", "log.csv:3: has 1 cells, and there are 2 names"),
    "a number with an underscore": (b"time,a\n0,1_0\n", "'1_0' is no number"),
    "a number of 5000 digits": (b"time,a\n0," + b"1" * 5000 + b"\n", "is no number"),
    "a name of 5000 characters": (b"time," + b"a" * 5000 + b"\n0,1\n", "has a name of 5000 characters"),
    "many columns": (b",".join(b"a%d" % i for i in range(20_000)) + b"\n", "has 20000 columns"),
    "two of a name": (b"time,a,a\n0,1,2\n", "two columns have this name"),
    "time goes back": (b"time,a\n0,1\n1,2\n0.5,3\n", "from 1 s of sample 2 to 0.5 s"),
    "a sample without a time": (b"time,a\n0,1\n,2\n", "sample 2 has no time"),
    "time that is not finite": (b"time,a\n0,1\ninf,2\n", "sample 2 has no time"),
    "a unit that there is not": (b"time [parsec],a\n0,1\n", "parsec"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_table_is_told_with_its_place(tmp_path, what):
    raw, words = BROKEN[what]
    path = table(tmp_path, raw)
    if "two columns" in words or "parsec" in words:
        with pytest.raises(JourdainError, match=words):
            read_log(path)
    else:
        told(path, words)


def test_a_line_without_end_is_not_read_to_its_end(tmp_path, monkeypatch):
    monkeypatch.setattr(log_files, "LONGEST_LINE", 1000)
    told(table(tmp_path, b"time,a\n" + b"1" * 2000), "log.csv:2: has more than 1,000 characters")


def test_heads_are_read_in_one_pass():
    """A name with 120,000 spaces took minutes."""
    steps = []

    class Counted(str):
        def strip(self, *given):
            return Counted(str.strip(self, *given))

        def find(self, *given):
            steps.append("find")
            return str.find(self, *given)

        def rfind(self, *given):
            steps.append("rfind")
            return str.rfind(self, *given)

    assert head(Counted("a" + " " * 120_000 + "b]")) == ("a" + " " * 120_000 + "b]", None)
    assert steps == ["rfind", "find"]


@pytest.mark.parametrize(
    ("text", "name", "unit"),
    [
        ("elbow [deg]", "elbow", "deg"),
        ("elbow[deg]", "elbow", "deg"),
        (" elbow  [ deg ] ", "elbow", "deg"),
        ("elbow", "elbow", None),
        ("boom.bending_z[0]", "boom.bending_z[0]", None),
        ("boom.bending_z[0] [m]", "boom.bending_z[0]", "m"),
        ("a [b] [c]", "a [b]", "c"),
        ("a [x[y]", "a", "x[y"),
        ("[m]", "", "m"),
        ("a]", "a]", None),
        ("]", "]", None),
        ("", "", None),
        ("'=cmd [m]", "=cmd", "m"),
    ],
)
def test_a_head_is_a_name_and_a_unit(text, name, unit):
    assert head(text) == (name, unit)


def test_more_numbers_than_are_read(tmp_path, monkeypatch):
    monkeypatch.setattr(log_files, "MOST_NUMBERS", 10)
    path = table(tmp_path, "time,a\n" + "".join(f"{i},0\n" for i in range(6)))
    told(path, "log.csv:7: has more than 10 numbers")


def test_a_table_takes_no_more_memory_than_its_numbers(tmp_path):
    """Rows were kept as text: fifty times as much."""
    path = table(tmp_path, "time,a\n" + "".join(f"{i},0\n" for i in range(100_000)))
    tracemalloc.start()
    log = read_log(path)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(log["a"][1]) == 100_000 and most < 8 * MEGABYTE


def test_a_table_that_spreadsheets_do_not_run(tmp_path):
    """Names that begin a formula get an apostrophe, and are the same when they are read back."""
    names = ["=cmd|'x'!A1", "+a", "-a", "@a", "'=a", "''+a", "'a", 'b,"c', "d"]
    system = jd.System("s")
    for name in names:
        system.add(jd.RigidBody(f"b {name}", 1.0, inertia=(1, 1, 1)), joint=jd.Revolute(name, axis="z"))
    model = system.compile()
    run = jd.simulate(model, model.state(v={"d": 1.0}), until=0.02, step=0.01, output=0.01, progress=False)
    path = run.to_csv(tmp_path / "run.csv", names)
    first = path.read_text().splitlines()[0]
    assert first == (
        "time [s],'=cmd|'x'!A1 [rad],'+a [rad],'-a [rad],'@a [rad],''=a [rad],'''+a [rad],'a [rad],"
        '"b,""c [rad]",d [rad]'
    )
    log = read_log(path)
    assert list(log.channels) == names
    np.testing.assert_array_equal(log["d"][1], run.q["d"].values)


def test_the_table_of_published_numbers_has_no_formulas(tmp_path):
    from pathlib import Path

    from jourdain.study.published import Case, CaseOutcome, PublishedNumber
    from jourdain.study.reproduction import write_reproduction

    case = Case(Path("=a.py"), "numbers", "gonthier", "=HYPERLINK(1)", True)
    outcome = CaseOutcome(
        case, [PublishedNumber("@quantity", "-m", -1.0, -1.0, 0.1, "theory", "+reason", -1.0)], "", 1.0
    )
    text = write_reproduction([outcome], tmp_path)["csv"].read_text()
    assert ",-1.0,-1.0," in text and "'=HYPERLINK" in text and "'@quantity" in text and "'+reason" in text
    assert not any(cell[:1] in "=+@\t\r" for line in text.splitlines() for cell in line.split(",") if cell)


def test_a_map_with_numbers_that_are_none(tmp_path):
    path = table(tmp_path, "time,a\n0,1\n1,2\n")
    for given, words in (
        ({"elbow": {"column": "a", "gain": 10**400}}, "give a finite number"),
        ({"elbow": None}, "it has no column"),
        ({3: "a"}, "a name is text"),
        (7, "give the name of a file"),
        (tmp_path / "none.yaml", "there is no such file"),
        ({"time": {"column": "time", "gain": -1.0}, "elbow": "a"}, "the time goes back"),
    ):
        with pytest.raises(JourdainError, match=words):
            read_log(path, given)
    with pytest.raises(JourdainError, match="give the name of a file"):
        read_log(3)


# MCAP: https://mcap.dev/spec

HEADER = 1


def record(kind: int, body: bytes) -> bytes:
    return struct.pack("<BQ", kind, len(body)) + body


def text(words: str | bytes) -> bytes:
    raw = words if isinstance(words, bytes) else words.encode()
    return struct.pack("<I", len(raw)) + raw


def channel(topic: str | bytes = "/a", encoding: str = "json", number: int = 1) -> bytes:
    return record(log_mcap.CHANNEL, struct.pack("<HH", number, 0) + text(topic) + text(encoding) + text(b""))


def message(data: bytes, number: int = 1, when: int = 0) -> bytes:
    return record(log_mcap.MESSAGE, struct.pack("<HIQQ", number, 0, when, 0) + data)


def chunk(inner: bytes, size: int | None = None, packing: str = "zstd", checksum: int = 0) -> bytes:
    packed = inner
    if packing == "zstd":
        packed = pytest.importorskip("zstandard").compress(inner)
    elif packing == "lz4":
        packed = pytest.importorskip("lz4.frame").compress(inner)
    head = struct.pack("<QQQI", 0, 0, len(inner) if size is None else size, checksum) + text(packing)
    return record(log_mcap.CHUNK, head + struct.pack("<Q", len(packed)) + packed)


def recording(tmp_path, *records: bytes):
    path = tmp_path / "log.mcap"
    end = record(log_mcap.FOOTER, bytes(20)) + log_mcap.MAGIC
    path.write_bytes(log_mcap.MAGIC + record(HEADER, text("") + text("")) + b"".join(records) + end)
    return path


def test_a_recording_is_read(tmp_path):
    """Chunks of every packing, messages out of order, and what is no message."""
    other = record(0x0A, b"metadata") + record(0x80, b"of a writer")
    inner = channel() + message(b'{"x": 3}', when=3 * 10**9)
    path = recording(
        tmp_path, other, chunk(inner), chunk(message(b'{"x": 1}', when=10**9), packing="lz4"),
        chunk(message(b'{"x": 2}', when=2 * 10**9), packing=""), message(b'{"x": 4}', when=4 * 10**9),
    )  # fmt: skip
    time, values = read_log(path)["a.x"]
    assert list(time) == [0.0, 1.0, 2.0, 3.0] and list(values) == [1.0, 2.0, 3.0, 4.0]


DEEP = b"[" * 2000 + b"]" * 2000
HOSTILE = {
    "cut off in a record": (lambda: (channel() + message(b"1"))[:-1], "cut off, or no record has"),
    "a record of 2^63 bytes": (lambda: struct.pack("<BQ", 9, 2**63), "no record has"),
    "zeros": (lambda: bytes(400), "no record begins with 0"),
    "a message of no channel": (lambda: message(b"1", 7), "is of channel 7; there is none"),
    "a channel that ends": (lambda: record(log_mcap.CHANNEL, b"\1\0\0\0\xff\xff\xff\xff"), "ends before what it says"),
    "a topic that is no text": (lambda: channel(b"\xff\xfe"), "cannot be read as text in UTF-8"),
    "JSON that is none": (lambda: channel() + message(b"{"), "not valid JSON"),
    "JSON that is no text": (lambda: channel() + message(b'"\xff"'), "not valid JSON"),
    "JSON that is deep": (lambda: channel() + message(DEEP), "nested 2000 deep"),
    "a number of 400 digits": (lambda: channel() + message(b"1" * 400), "beyond the largest float"),
    "a number of 5000 digits": (lambda: channel() + message(b"1" * 5000), "not valid JSON"),
    "a name of 5000 characters": (
        lambda: channel() + message(json.dumps({"a" * 5000: 1}).encode()),
        "has a name of 5002 characters",
    ),
    "many names": (lambda: channel() + message(json.dumps([0] * 20_000).encode()), "names of numbers"),
    "no numbers": (lambda: channel() + message(b'{"a": "b"}'), "has no message with numbers"),
    "another packing": (lambda: chunk(b"", packing="zip"), "is packed by 'zip'; zstd and lz4 are read"),
    "a wrong checksum": (lambda: chunk(channel(), checksum=7), "a chunk is not what its checksum says"),
    "a chunk that says less": (lambda: chunk(bytes(4000), size=100), "a chunk is not what its checksum says"),
    "a chunk that says more": (lambda: chunk(bytes(100), size=4000), "a chunk is not what its checksum says"),
    "a chunk that says far more": (lambda: chunk(bytes(100), size=2**62), "unpacks to more than is read"),
    "a chunk of noise": (lambda: chunk(channel()).replace(b"(\xb5/\xfd", b"noiz"), "cannot be read as MCAP (zstd)"),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_recording_is_told_with_its_place(tmp_path, what):
    made, words = HOSTILE[what]
    path = recording(tmp_path, made())
    if what == "cut off in a record":
        path.write_bytes(path.read_bytes()[: -len(log_mcap.MAGIC) - 29])
    told(path, words)
    if words != "has no message with numbers":
        with pytest.raises(JourdainError, match=r"log\.mcap: byte \d+"):
            read_log(path)


def test_a_small_recording_unpacks_to_no_large_one(tmp_path):
    """98 kB that were three gigabytes: refused before the first of them, and when many chunks add up to them."""
    zstandard = pytest.importorskip("zstandard")
    packer = zstandard.ZstdCompressor(level=1).compressobj()
    packed = b"".join(packer.compress(bytes(MEGABYTE)) for _ in range(3072)) + packer.flush()
    head = struct.pack("<QQQI", 0, 0, 3072 * MEGABYTE, 0) + text("zstd")
    path = recording(tmp_path, record(log_mcap.CHUNK, head + struct.pack("<Q", len(packed)) + packed))
    assert path.stat().st_size < 400_000
    tracemalloc.start()
    told(path, "unpacks to more than is read")
    many = recording(tmp_path, channel(), *[chunk(message(b" " * 4 * MEGABYTE + b"1"))] * 40)
    told(many, "unpacks to more than is read")
    assert tracemalloc.get_traced_memory()[1] < 50 * MEGABYTE
    tracemalloc.stop()


def test_a_frame_that_lies_about_its_size(tmp_path):
    """The frame of zstd says two gigabytes, the chunk a hundred bytes: as much is unpacked as the chunk says."""
    zstandard = pytest.importorskip("zstandard")
    packer = zstandard.ZstdCompressor().compressobj(size=2048 * MEGABYTE)
    packed = b"".join(packer.compress(bytes(MEGABYTE)) for _ in range(2048)) + packer.flush()
    head = struct.pack("<QQQI", 0, 0, 100, 0) + text("zstd")
    tracemalloc.start()
    told(
        recording(tmp_path, record(log_mcap.CHUNK, head + struct.pack("<Q", len(packed)) + packed)),
        "a chunk is not what its checksum says",
    )
    assert tracemalloc.get_traced_memory()[1] < 20 * MEGABYTE
    tracemalloc.stop()


def test_what_is_large_and_no_number_is_left_out(tmp_path, monkeypatch):
    """Pictures of a camera do not stop the joints from being read."""
    monkeypatch.setattr(log_mcap, "LARGEST_MESSAGE", 100)
    camera = channel("/camera", number=2) + message(b"[" + b"1," * 200 + b"1]", number=2)
    path = recording(tmp_path, camera, channel(), message(b'{"x": 1}'))
    assert list(read_log(path).channels) == ["a.x"]


def test_ros_definitions_that_would_fill_the_memory(tmp_path):
    """A sequence of messages that take no bytes: as many as four bytes say."""
    pytest.importorskip("mcap_ros2")
    definition = b"b[] x\n" + b"=" * 80 + b"\nMSG: a/b\nuint8[0] y\n"
    schema = record(log_mcap.SCHEMA, struct.pack("<H", 1) + text("a/A") + text("ros2msg") + text(definition))
    about = record(log_mcap.CHANNEL, struct.pack("<HH", 1, 1) + text("/a") + text("cdr") + text(b""))
    path = recording(tmp_path, schema, about, message(b"\0\1\0\0" + struct.pack("<I", 2**32 - 1)))
    told(path, "has no message with numbers")


def test_ros_messages_are_read(tmp_path):
    pytest.importorskip("mcap_ros2")
    definition = b"float64 x\nint32[] y\n"
    schema = record(log_mcap.SCHEMA, struct.pack("<H", 1) + text("a/A") + text("ros2msg") + text(definition))
    about = record(log_mcap.CHANNEL, struct.pack("<HH", 1, 1) + text("/a") + text("cdr") + text(b""))
    data = b"\0\1\0\0" + struct.pack("<dIii", 2.5, 2, 3, 4)
    log = read_log(recording(tmp_path, schema, about, message(data)))
    assert {name: values[0] for name, (_, values) in log.channels.items()} == {"a.x": 2.5, "a.y.0": 3.0, "a.y.1": 4.0}
    told(recording(tmp_path, schema, about, message(data[:9])), "cannot be read as a message in cdr")


def parquet(tmp_path, **columns):
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "log.parquet"
    pq.write_table(pa.table(columns), path)
    return path


def test_parquet_is_bounded_too(tmp_path, monkeypatch):
    n = 1000
    path = parquet(tmp_path, **{"time": np.arange(n) * 1e-3, "a.b [deg]": np.arange(n), "name": ["x"] * n})
    log = read_log(path)
    assert list(log.channels) == ["a.b"] and log.units == {"a.b": "deg"} and len(log["a.b"][0]) == n
    monkeypatch.setattr(log_files, "LARGEST_UNPACKED", 1000)
    told(path, "unpacks to more than 1,000 bytes")
    monkeypatch.setattr(log_files, "MOST_NUMBERS", 1000)
    told(path, "has more than 1,000 numbers")
    raw = bytearray(path.read_bytes())
    raw[len(raw) // 2 :] = bytes(len(raw) - len(raw) // 2)
    path.write_bytes(raw)
    told(path, "cannot be read as Parquet")


def test_parquet_with_dates_and_gaps(tmp_path):
    stamps = np.array(["2026-01-01T00:00:00", "2026-01-01T00:00:02"], "M8[ms]")
    log = read_log(parquet(tmp_path, time=stamps, a=np.array([1.0, np.nan]), b=stamps))
    assert list(log["a"][0]) == [0.0, 2.0] and np.isnan(log["a"][1][1])
    path = parquet(tmp_path, time=np.array([stamps[0], np.datetime64("NaT")]), a=[1.0, 2.0])
    told(path, "sample 2 has no time")
    told(parquet(tmp_path, time=np.zeros(0), a=np.zeros(0)), "has no rows of numbers")


def test_a_log_that_needs_more_memory_than_there_is(tmp_path, monkeypatch):
    from jourdain.study.fit import logs

    def full(path):
        raise MemoryError

    monkeypatch.setitem(logs._READERS, ".csv", full)
    told(table(tmp_path, "time,a\n0,1\n"), "needs more memory than there is")


def test_a_recording_of_the_library_is_read(tmp_path):
    """What others write: `mcap.writer`, with all of its records."""
    Writer = pytest.importorskip("mcap.writer").Writer
    out = io.BytesIO()
    writer = Writer(out, chunk_size=200)
    writer.start()
    schema = writer.register_schema("a", "jsonschema", b"{}")
    about = writer.register_channel("/rig/a", "json", schema, {"unit:rig.a.x": "deg"})
    for i in range(20):
        writer.add_message(about, i * 10**8, json.dumps({"x": i}).encode(), 0)
    writer.add_attachment(0, 0, "name", "text/plain", b"data")
    writer.add_metadata("m", {"a": "b"})
    writer.finish()
    path = tmp_path / "log.mcap"
    path.write_bytes(out.getvalue())
    log = read_log(path)
    np.testing.assert_allclose(log["rig.a.x"][0], 0.1 * np.arange(20), atol=1e-12)
    assert log.units == {"rig.a.x": "deg"} and list(log["rig.a.x"][1]) == list(range(20))
