"""Files that are damaged at random, and what may become of them: an error in words, or the same numbers.

As a program: `python fuzz.py KIND SEED COUNT FOLDER` damages so many files of a kind, one after the other, and prints a
line for each that was met with anything else. The one at hand is in the folder, so that a process that dies or hangs
leaves it behind.
"""

from __future__ import annotations

import io
import json
import random
import re
import resource
import signal
import struct
import sys
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from broken_imports import MJCF, PARTS, URDF
from broken_scenarios import SOUND as SCENARIO
from broken_studies import SOUND as STUDY
from studies import SCENARIO as PENDULUM

import jourdain as jd
from jourdain.basics.errors import JourdainError

LARGEST_MEMORY = 1e9
"""What a process may take that reads damaged files, itself and all libraries included [bytes]."""
PATIENCE = 120
"""Processor time that one file may take [s]; a sound one takes little, unless kernels are compiled for it."""
NUMBER = re.compile(rb"[-+]?[0-9]+\.?[0-9]*(?:[eE][-+]?[0-9]+)?")
NUMBERS = (
    b"nan",
    b"inf",
    b"-1",
    b"0",
    b"1e999",
    b"1e-320",
    b"99999999999999999999",
    b"",
    b"0x10",
    b"1_0",
    b"1 m",
    b"1e30",
    b"9" * 400,
    b"9" * 5000,
)
CORNERS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], float)
FACES = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
COLLADA = """<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="meter" meter="1"/></asset>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="pa" count="12">0 0 0 1 0 0 0 1 0 0 0 1</float_array></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="2"><input semantic="VERTEX" source="#v" offset="0"/><p>0 2 1 0 1 3</p></triangles>
<polylist count="1"><input semantic="VERTEX" source="#v" offset="0"/><vcount>4</vcount><p>0 3 2 1</p></polylist>
</mesh></geometry></library_geometries>
<library_nodes><node id="n"><instance_geometry url="#g"/></node></library_nodes>
<library_visual_scenes><visual_scene id="s"><node><matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</matrix>
<instance_node url="#n"/><node><rotate>0 0 1 90</rotate><instance_geometry url="#g"/></node></node></visual_scene>
</library_visual_scenes></COLLADA>
"""


class Hang(BaseException):
    """A file took too long."""


def damaged(raw: bytes, chance: random.Random) -> bytes:
    """The bytes with one to eight changes: of bits, of numbers, of words, of lines; pieces lost, doubled or moved."""
    data = bytearray(raw)
    for _ in range(chance.choice((1, 1, 1, 2, 3, 8))):
        if not data:
            return bytes(data)
        at = chance.randrange(len(data))
        size = chance.choice((1, 2, 8, 40, 400))
        what = chance.randrange(11)
        if what == 0:
            data[at] ^= 1 << chance.randrange(8)
        elif what == 1:
            data[at] = chance.choice((0, 255, 10, 32, 34, 60, 91, 123, chance.randrange(256)))
        elif what == 2:
            del data[at : at + size]
        elif what == 3:
            data[at:at] = data[at : at + size]
        elif what == 4:
            other = chance.randrange(len(data))
            data[at : at + size] = data[other : other + size]
        elif what == 5:
            data[at:at] = bytes(chance.randrange(256) for _ in range(min(size, 16)))
        elif what == 6:
            del data[chance.randrange(len(data)) :]
        elif what in (7, 8):
            found = list(NUMBER.finditer(data))
            if found:
                one = chance.choice(found)
                data[one.start() : one.end()] = chance.choice(NUMBERS)
        elif what == 9:
            lines = data.split(b"\n")
            one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
            lines[one], lines[other] = lines[other], lines[one] if chance.random() < 0.5 else lines[other]
            data = bytearray(b"\n".join(lines))
        else:
            words = list(re.finditer(rb"[A-Za-z_]+", data))
            if words:
                one, other = chance.choice(words), chance.choice(words)
                data[one.start() : one.end()] = other.group()
    return bytes(data)


def stl() -> bytes:
    """A tetrahedron."""
    out = b"\0" * 80 + struct.pack("<I", len(FACES))
    return out + b"".join(struct.pack("<12fH", 0, 0, 0, *CORNERS[face].ravel(), 0) for face in FACES)


def obj() -> bytes:
    """A tetrahedron."""
    points = "".join(f"v {x} {y} {z}\n" for x, y, z in CORNERS)
    return (points + "".join(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in FACES)).encode()


def text_stl() -> bytes:
    """A tetrahedron."""
    lines = ["solid a"]
    for face in FACES:
        lines += ["facet normal 0 0 1", "outer loop", *(f"vertex {x} {y} {z}" for x, y, z in CORNERS[face])]
        lines += ["endloop", "endfacet"]
    return "\n".join([*lines, "endsolid a"]).encode()


def msh() -> bytes:
    """A tetrahedron."""
    return struct.pack("<4i", 4, 0, 0, 4) + CORNERS.astype("<f4").tobytes() + FACES.astype("<i4").tobytes()


Trial = Callable[[bytes], None]


def scenarios(folder: Path) -> tuple[list[bytes], Trial]:
    """Scenario files: checked, and loaded where nothing is wrong."""
    packaged = sorted((Path(jd.__file__).parent / "scenarios").glob("*.yaml"))
    path = folder / "task.yaml"

    def trial(data: bytes) -> None:
        path.write_bytes(data)
        if not jd.study.check_scenario(path):
            jd.load_scenario(path)

    return [SCENARIO.encode(), PENDULUM.encode(), *(one.read_bytes() for one in packaged)], trial


def studies(folder: Path) -> tuple[list[bytes], Trial]:
    """Study files: checked, and loaded where nothing is wrong."""
    (folder / "pendulum.yaml").write_text(PENDULUM)
    path = folder / "study.yaml"

    def trial(data: bytes) -> None:
        path.write_bytes(data)
        if not jd.study.check_study(path):
            jd.study.load_study(path)

    return [STUDY.encode()], trial


def robots(name: str, text: str) -> Callable[[Path], tuple[list[bytes], Trial]]:
    """URDF and MJCF files: read and compiled, with everything that is not carried over left out or not."""

    def made(folder: Path) -> tuple[list[bytes], Trial]:
        inside = folder / "small"
        (inside / "meshes").mkdir(parents=True, exist_ok=True)
        for where in ("link.stl", "wedge.stl", "meshes/link.stl", "meshes/wedge.stl"):
            (inside / where).write_bytes(stl())
        (inside / "parts.xml").write_text(PARTS)
        path = inside / name

        def trial(data: bytes) -> None:
            path.write_bytes(data)
            jd.System.load(path, ignore=data.count(b"a") % 2 == 0).compile()

        return [text.encode()], trial

    return made


def glb() -> bytes:
    """A tetrahedron, in a node that turns it, painted."""
    points, corners = CORNERS.astype("<f4").tobytes(), FACES.astype("<u2").tobytes()
    told = {
        "asset": {"version": "2.0"},
        "buffers": [{"byteLength": len(points + corners)}],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": len(points)},
            {"buffer": 0, "byteOffset": len(points), "byteLength": len(corners)},
        ],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": len(CORNERS), "type": "VEC3"},
            {"bufferView": 1, "componentType": 5123, "count": FACES.size, "type": "SCALAR"},
        ],
        "materials": [{"pbrMetallicRoughness": {"baseColorFactor": [1, 0.5, 0, 1], "metallicFactor": 0.1}}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "material": 0}]}],
        "nodes": [{"mesh": 0, "rotation": [0, 0, 0.6, 0.8], "scale": [1, 2, 3]}, {"children": [0]}],
        "scenes": [{"nodes": [1]}],
        "scene": 0,
    }
    text, data = json.dumps(told).encode(), points + corners
    text, data = text + b" " * (-len(text) % 4), data + bytes(-len(data) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(data), b"BIN\0") + data
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def mesh_files(folder: Path) -> tuple[list[bytes], Trial]:
    """Mesh files of all kinds; the first byte that is handed on says which."""
    from jourdain.files.imports.mesh_readers import read_any

    kinds = {b"o": ".obj", b"s": ".stl", b"c": ".dae", b"m": ".msh", b"g": ".glb"}
    sound = [b"o" + obj(), b"s" + stl(), b"s" + text_stl(), b"c" + COLLADA.encode(), b"m" + msh(), b"g" + glb()]

    def trial(data: bytes) -> None:
        path = folder / f"mesh{kinds.get(data[:1], '.dae')}"
        path.write_bytes(data[1:])
        vertices, triangles = read_any(path)
        assert vertices.ndim == triangles.ndim == 2 and triangles.min() >= 0 and triangles.max() < len(vertices)

    return sound, trial


def pendulum_run() -> jd.Run:
    """A short run."""
    arm = jd.System("arm", gravity=(0, 0, -9.81))
    arm.add(jd.RigidBody("link", mass=2, com=(0.5, 0, 0), inertia=(0.01, 0.2, 0.2)), jd.Revolute("hinge", axis="y"))
    model = arm.compile()
    return jd.simulate(model, model.state(q={"hinge": 0.3}), until=0.2, step=0.01, output=0.01)


def same(run: jd.Run, whole: jd.Run, part: bool = False) -> None:
    """No number, name or option of a run has changed; with `part` it may end early."""
    for name in ("time", "q", "v", "z", "effort", "energy"):
        kept = getattr(whole.record, name)[: len(run)] if part else getattr(whole.record, name)
        assert getattr(run.record, name).tobytes() == kept.tobytes(), f"{name} has changed"
    assert run.options == whole.options and run.model.hash == whole.model.hash, "options or model have changed"


def run_files(folder: Path) -> tuple[list[bytes], Trial]:
    """Run files."""
    path = folder / "run.nc"
    pendulum_run().save(path)
    whole = jd.load(path)

    def trial(data: bytes) -> None:
        path.write_bytes(data)
        same(jd.load(path), whole)

    return [path.read_bytes()], trial


def journals(folder: Path) -> tuple[list[bytes], Trial]:
    """The files of a journal, one after the other; the first byte that is handed on says which."""
    from jourdain.results.journal import Journal
    from jourdain.results.run import Record

    run = pendulum_run()
    journal = Journal(folder / "run.nc", run.model, {"method": "rk4"}, overwrite=True)
    fields = ("time", "q", "v", "z", "effort", "energy")
    for rows in (slice(0, 7), slice(7, 14), slice(14, None)):
        journal.append(Record(*(getattr(run.record, name)[rows] for name in fields)))
    journal.release()
    files = sorted(journal.folder.iterdir())
    sound = {bytes([65 + k]): path for k, path in enumerate(files)}
    kept = {path: path.read_bytes() for path in files}
    whole = jd.load(folder / "run.nc")

    def trial(data: bytes) -> None:
        path = sound.get(data[:1], files[0])
        path.write_bytes(data[1:])
        try:
            with warnings.catch_warnings(record=True) as told:
                warnings.simplefilter("always")
                run = jd.load(folder / "run.nc")
            same(run, whole, part=bool(told))
        finally:
            path.write_bytes(kept[path])

    return [key + kept[path] for key, path in sound.items()], trial


def caches(folder: Path) -> tuple[list[bytes], Trial]:
    """Files of the kernel cache."""
    from jourdain.kernels.compiling.disk_cache import Descriptor, Store, Unit

    unit = Unit(bytes(range(256)) * 8, ["jd.a"], ["sin"], [Descriptor("a", "b", "c")], [], "f8")
    store = Store(folder / "cache")
    store.write("jd.a", unit)
    path = folder / "cache" / "jd.a.unit"

    def trial(data: bytes) -> None:
        path.write_bytes(data)
        found = store.read("jd.a", Unit)
        assert found in (None, unit), "the code has changed"
        assert found is not None or not path.exists(), "a damaged file is still there"

    return [path.read_bytes()], trial


def stores(folder: Path) -> tuple[list[bytes], Trial]:
    """The files of the results of a sweep, one after the other; the first byte that is handed on says which."""
    from jourdain.study.sweeps.store import DONE, Result, ResultStore

    (folder / "pendulum.yaml").write_text(PENDULUM)
    (folder / "study.yaml").write_text(
        "jourdain: 1\nname: a\nscenario: pendulum.yaml\nparameters:\n"
        "  mass: {at: system.bodies.link.mass, values: [1, 2, 3]}\ncriteria: {end: {quantity: hinge, take: final}}\n"
    )
    study = jd.study.load_study(folder / "study.yaml")
    store = ResultStore(study, folder, overwrite=True)
    store.put("parameters", 0, np.array([[1.0], [2.0], [3.0]]))
    store.put_units(["m"] * len(study.columns))
    store.keep(0, [Result(DONE, [float(k)] * len(study.columns)) for k in range(3)])
    names = ("parameters", "values", "status", "reason", "places")
    whole = {name: store.get(name) for name in names}
    store.close()
    files = sorted(path for path in (folder / "results.zarr").rglob("*") if path.is_file())
    sound = {bytes([65 + k]): path for k, path in enumerate(files)}
    kept = {path: path.read_bytes() for path in files}

    def trial(data: bytes) -> None:
        path = sound.get(data[:1], files[0])
        path.write_bytes(data[1:])
        try:
            store = ResultStore(study, folder)
            try:
                for name, array in whole.items():
                    assert np.array_equal(store.get(name), array, equal_nan=array.dtype.kind == "f"), name
                assert store.units == ["m"] * len(study.columns), "units have changed"
            finally:
                store.close()
        finally:
            path.write_bytes(kept[path])

    return [key + kept[path] for key, path in sound.items()], trial


def tables() -> list[tuple[str, bytes]]:
    """Logs as CSV and, where there is what writes them, as Parquet."""
    head = b'# bench\ntime [s],elbow [deg],"v:elbow, raw [deg/s]",n\n'
    rows = b"".join(b"%.4g,%.6g,%d,\n" % (0.01 * i, np.sin(0.1 * i), i) for i in range(40))
    found = [(".csv", head + rows)]
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        return found
    columns = {"time": np.arange(40) * 0.01, "elbow [deg]": np.sin(np.arange(40)), "name": ["a"] * 40}
    for packing in ("none", "snappy", "zstd"):
        out = io.BytesIO()
        pq.write_table(pa.table(columns), out, compression=packing)
        found.append((".parquet", out.getvalue()))
    return found


def recordings() -> list[tuple[str, bytes]]:
    """Logs as MCAP, packed in every way, without checksums too, so that what is inside is reached."""
    try:
        from mcap.writer import CompressionType, Writer
    except ImportError:
        return []
    found = []
    for packing in CompressionType:
        for chunked, checked in ((True, True), (True, False), (False, False)):
            out = io.BytesIO()
            writer = Writer(out, compression=packing, use_chunking=chunked, enable_crcs=checked, chunk_size=600)
            writer.start()
            schema = writer.register_schema("a", "jsonschema", b"{}")
            joints = writer.register_channel("/joint_states", "json", schema, {"unit:elbow": "rad"})
            other = writer.register_channel("/rig/state", "json", schema)
            for i in range(12):
                told = {"name": ["elbow", "wrist"], "position": [0.1 * i, -1.0], "velocity": [1, 2], "effort": []}
                writer.add_message(joints, 10**9 + i, json.dumps(told).encode(), 0)
                told = {"a": {"b": [1, 2.5, True, None, "text"]}, "c": -1e-3 * i}
                writer.add_message(other, 10**9 + 2 * i, json.dumps(told).encode(), 0)
            writer.finish()
            found.append((".mcap", out.getvalue()))
    return found


def logs(folder: Path) -> tuple[list[bytes], Trial]:
    """Logs of all kinds; the first byte that is handed on says which."""
    sound = [*tables(), *recordings()]
    endings = {bytes([65 + k]): ending for k, (ending, _) in enumerate(sound)}

    def trial(data: bytes) -> None:
        path = folder / f"log{endings.get(data[:1], '.csv')}"
        path.write_bytes(data[1:])
        log = jd.study.read_log(path)
        for name, (time, values) in log.channels.items():
            assert len(time) == len(values) and not np.any(np.diff(time) < 0.0), name
        repr(log)

    return [key + data for key, (_, data) in zip(endings, sound)], trial


def units_of_others(folder: Path) -> tuple[list[bytes], Trial]:
    """FMUs, packed in every way; after a first byte "x" the description alone, in an archive that is sound."""
    from foreign_fmus import description2, description3

    from jourdain.cosimulation.archive import DESCRIPTION, Archive, platforms
    from jourdain.cosimulation.fmi_description import read_description

    names, ending = platforms()
    texts = [description2(True).encode(), description3(True).encode()]
    sound = [b"x" + text for text in texts]
    for text in texts:
        for packing in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
            out = io.BytesIO()
            with zipfile.ZipFile(out, "w", packing) as packed:
                packed.writestr(DESCRIPTION, text)
                packed.writestr(f"binaries/{names[0]}/servo{ending}", bytes(range(256)) * 8)
                packed.writestr("resources/a/table.csv", b"1,2\n" * 50)
            sound.append(b"z" + out.getvalue())

    def trial(data: bytes) -> None:
        path = folder / "unit.fmu"
        path.write_bytes(data[1:])
        if data[:1] == b"x":
            with zipfile.ZipFile(path, "w") as packed:
                packed.writestr(DESCRIPTION, data[1:])
        archive = Archive(path)
        told = read_description(archive.description, "unit.fmu")
        for mode in ("co-simulation", "model exchange"):
            archive.library(told.way(mode).identifier)
        inside = archive.folder.resolve()
        assert all(inside in one.resolve().parents for one in archive.folder.rglob("*")), "written elsewhere"

    def alone(data: bytes) -> None:
        try:
            trial(data)
        except JourdainError as error:
            if "has no library" not in str(error):  # of an archive that has nothing but its description
                raise

    return sound, alone


KINDS: dict[str, tuple[int, Callable[[Path], tuple[list[bytes], Trial]]]] = {
    "scenario": (2000, scenarios),
    "study": (1000, studies),
    "urdf": (1500, robots("arm.urdf", URDF)),
    "mjcf": (1500, robots("arm.xml", MJCF)),
    "mesh": (1500, mesh_files),
    "run": (1300, run_files),
    "journal": (500, journals),
    "cache": (500, caches),
    "store": (200, stores),
    "log": (5000, logs),
    "fmu": (5000, units_of_others),
}
"""How many files of each kind are damaged, and how they are tried."""


def fuzz(kind: str, seed: int, count: int, folder: Path) -> list[str]:
    """Complaints about so many damaged files of a kind."""
    sound, trial = KINDS[kind][1](folder)
    for data in sound:
        trial(data)  # what is not damaged is read
    complaints = []
    for number in range(seed, seed + count):
        chance = random.Random(number)
        data = damaged(chance.choice(sound), chance)
        (folder / "at hand").write_bytes(data)
        signal.setitimer(signal.ITIMER_PROF, PATIENCE)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                trial(data)
        except JourdainError as error:
            if not str(error).strip():
                complaints.append(f"{kind} {number}: says nothing")
        except Hang:
            complaints.append(f"{kind} {number}: takes more than {PATIENCE} s")
        except Exception as error:
            complaints.append(f"{kind} {number}: {type(error).__name__}: {error}")
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
    return complaints


def largest_memory() -> int:
    """The most memory that this program had [bytes]: of Linux by its status, since `getrusage` also counts what the
    process that started it had at that time."""
    status = Path("/proc/self/status")
    if status.is_file():
        (line,) = (one for one in status.read_text().splitlines() if one.startswith("VmHWM"))
        return int(line.split()[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def main() -> None:
    """The program."""

    def late(*_: Any) -> None:
        raise Hang

    signal.signal(signal.SIGPROF, late)
    kind, seed, count, folder = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4])
    found = fuzz(kind, seed, count, folder)
    most = largest_memory()
    if most > LARGEST_MEMORY:
        found.append(f"{kind} {seed}...: took {most / 1e6:.0f} MB of memory")
    for line in found:
        print(" ".join(line.split())[:400])
    print(f"{most / 1e6:.0f} MB of memory, {len(found)} complaints")


if __name__ == "__main__":
    main()
