"""What goes into a page comes out of it, to within the errors that are stated."""

import base64
import zlib
from types import SimpleNamespace

import numpy as np
import pytest

import jourdain as jd
from jourdain.basics import quaternions as Q
from jourdain.results.run import Record, Run
from jourdain.view.packing import FLOOR, POSITION, ROTATION, Packer, pack_scene
from jourdain.view.scene import scene

KINDS = {"u8": "<u1", "u16": "<u2", "u32": "<u4", "f32": "<f4", "f64": "<f8"}


class Unpacked:
    """Reads what the page's script reads, the same way."""

    def __init__(self, packer: Packer) -> None:
        self.data = zlib.decompress(base64.b64decode(packer.text()))

    def array(self, ref: dict) -> np.ndarray:
        return np.frombuffer(self.data, KINDS[ref["kind"]], ref["n"], ref["at"])

    def channels(self, ref: dict) -> np.ndarray:
        low, step, bits = (self.array(ref[name]) for name in ("low", "step", "bits"))
        out = np.tile(low, (ref["count"], 1))
        for width, name in ((16, "narrow"), (32, "wide")):
            mine = np.flatnonzero(bits == width)
            codes = self.array(ref[name]).reshape(len(mine), ref["count"]).astype(np.int64)
            out[:, mine] += step[mine] * (np.cumsum(codes, axis=1) % 2**width).T
        return out


def made(rng, drift: float = 0.0, nt: int = 200):
    """A root bone that turns right round and wanders, and an elastic one on it that trembles by micrometres."""
    s = np.linspace(0.0, 1.0, nt)
    axis = rng.normal(size=3)
    axis /= np.linalg.norm(axis)
    half = 2.5 * np.pi * s[:, None]
    root = np.column_stack([3.0 * np.sin(7.0 * s), drift * s, np.cos(3.0 * s), np.cos(half), np.sin(half) * axis])
    rest = np.array([2.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
    tremble = 1e-6 * np.sin(60.0 * s)
    local = np.column_stack([2.0 + 0 * s, tremble, 0 * s, np.cos(tremble), 0 * s, 0 * s, np.sin(tremble)])
    poses = np.stack([root, Q.compose(root, local)], axis=1)
    bones = SimpleNamespace(
        parent=np.array([-1, 0]),
        elastic=np.array([False, True]),
        rest=np.stack([Q.IDENTITY, rest]),
        bound=None,
        poses=poses,
    )
    bones.bound = bones.rest
    scene = SimpleNamespace(time=s, bones=bones, parts=[], arrows=[], frames=[], fields=[])
    return scene, local


@pytest.mark.parametrize("drift", [0.0, 5e4])
def test_poses_come_back(rng, drift):
    scene, local = made(rng, drift)
    size, packer = 6.0, Packer()
    packed = pack_scene(scene, packer, size)
    back = Unpacked(packer).channels(packed["bones"]["poses"]).reshape(-1, 2, 7)
    # half a unit in the last place of float64 at the drift, beside the bound that is stated
    assert np.abs(back[:, 0, :3] - scene.bones.poses[:, 0, :3]).max() <= POSITION * size + 1e-11 * drift
    for stored, wanted in ((back[:, 0], scene.bones.poses[:, 0]), (back[:, 1], local)):
        turn = Q.multiply(Q.conjugate(wanted[:, 3:]), stored[:, 3:] / np.linalg.norm(stored[:, 3:], axis=1)[:, None])
        assert 2.0 * np.arcsin(np.linalg.norm(turn[:, 1:], axis=1).max()) <= ROTATION
    # the elastic bone, in the axes of its root: half a step of its own range, or the floor
    assert np.abs(back[:, 1, :3] - local[:, :3]).max() <= max(2e-6 / 65535, FLOOR * size)


def test_a_bone_that_stays_costs_nothing_and_the_same_array_is_kept_once(rng):
    scene, _ = made(rng)
    scene.bones.poses[:] = scene.bones.poses[:1]
    packer = Packer()
    packed = pack_scene(scene, packer, 6.0)
    assert packed["bones"]["poses"]["narrow"]["n"] == packed["bones"]["poses"]["wide"]["n"] == 0
    length = len(packer.text())
    assert pack_scene(scene, packer, 6.0, ghost=True)["bones"] == packed["bones"] and len(packer.text()) == length


def test_numbers_that_are_none_repeat_the_last(rng):
    values = rng.normal(size=(30, 2))
    values[10:, 1] = np.nan
    values[:3, 0] = np.inf
    packer = Packer()
    ref = packer.channels(values, np.full(2, 1e-4), np.full(2, 1e-9))
    back = Unpacked(packer).channels(ref)
    assert np.all(np.isfinite(back)) and np.abs(back[9:, 1] - values[9, 1]).max() < 1e-4
    assert np.abs(back[:3, 0]).max() < 1e-4


def test_arrays_are_aligned():
    packer = Packer()
    refs = [packer.array(np.arange(n), kind) for n, kind in ((3, "u8"), (5, "u16"), (2, "f64"), (1, "f32"))]
    assert all(ref["at"] % 8 == 0 for ref in refs)
    assert [Unpacked(packer).array(ref).tolist() for ref in refs] == [[0, 1, 2], [0, 1, 2, 3, 4], [0.0, 1.0], [0.0]]


def test_many_bodies_alike_share_their_arrays_and_are_stored_no_finer_than_one_can_see(rng):
    system = jd.System("balls")
    for i in range(30):
        system.add(jd.RigidBody.from_shape(f"b{i}", jd.Sphere(0.05), mass=1.0), jd.Free(f"f{i}"))
    model = system.compile()
    q = np.tile(model.neutral, (20, 1))
    places = [model.index.q[f"f{i}.{axis}"] for i in range(30) for axis in "xyz"]
    q[:, places] = np.cumsum(rng.normal(scale=0.01, size=(20, 90)), axis=0)
    rest = np.zeros((20, model.nv))
    run = Run(model, Record(0.1 * np.arange(20), q, rest, np.zeros((20, 0)), rest, np.zeros((20, 6))))
    shown = scene(run, times=run.record.time)
    assert len({id(part.vertices) for part in shown.parts}) == 1
    assert [int(part.bones[0, 0]) for part in shown.parts] == list(range(1, 31))
    packer = Packer()
    packed = pack_scene(shown, packer, 1.0)
    (part,) = packed["parts"]
    assert part["copies"]["bodies"] == [f"b{i}" for i in range(30)]
    stored = Unpacked(packer).channels(packed["bones"]["poses"]).reshape(20, 31, 7)
    assert np.abs(stored[..., :3] - shown.bones.poses[..., :3]).max() <= POSITION * (1.0 + 1e-6)
