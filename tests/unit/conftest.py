"""A stand-in for a compiled model, so that runs, files and reports are tested without the dynamics."""

import hashlib
import json
import shutil
import threading
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from jourdain.model.coordinate_units import model_units
from jourdain.results import run_file as runfile
from jourdain.results.run import Record, Run


class FakeModel:
    """A free-floating base with a revolute and a prismatic joint; its frames move as the numbers say."""

    def __init__(self, name: str = "arm", joint: str = "elbow") -> None:
        self.name, self.scratch = name, threading.local()
        self.description = {
            "format": 1,
            "name": name,
            "gravity": [0.0, 0.0, -9.81],
            "bodies": [
                _attached("base", "free", "free", "world"),
                _attached("upper", "revolute", joint, "base.origin"),
                _attached("fore", "prismatic", "slide", "upper.origin"),
            ],
            "forces": [],
        }
        q = [f"free.{n}" for n in ("x", "y", "z", "qw", "qx", "qy", "qz")] + [joint, "slide"]
        v = [f"free.{n}" for n in ("wx", "wy", "wz", "vx", "vy", "vz")] + [joint, "slide"]
        self.names = SimpleNamespace(q=tuple(q), v=tuple(v), z=())
        self.index = SimpleNamespace(**{kind: {n: i for i, n in enumerate(of)} for kind, of in (("q", q), ("v", v))})
        self.units = model_units(q, v, self.description)
        self.hash = hashlib.sha256(json.dumps(self.description).encode()).hexdigest()
        self.frame_names = ("world", "base.origin", "upper.origin", "fore.origin", "fore.tip")
        self.contacts, self.law_forces = SimpleNamespace(names=()), ()
        self.arrays = SimpleNamespace(
            drive_entries=(), joint_drives=(), bodies=SimpleNamespace(columns=SimpleNamespace(mass=np.ones(3)))
        )
        self.constraints = SimpleNamespace(names=())
        self.connections = SimpleNamespace(names=(), ways={}, closed={})
        self.calls = 0

    @classmethod
    def from_description(cls, description: dict) -> "FakeModel":
        return cls(description["name"], description["bodies"][1]["joint"]["name"])

    def frame_path(self, address: str, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        self.calls += 1
        one = np.column_stack([q[:, :7], v[:, :6]])
        return one if isinstance(address, str) else np.stack([one] * len(address), axis=1)


def _attached(body: str, kind: str, joint: str, to: str) -> dict:
    return {
        "body": {"kind": "rigid", "name": body, "mass": 2.0, "com": [0.1, 0.0, 0.0]},
        "joint": {"kind": kind, "name": joint},
        "to": to,
    }


def _record(nt: int = 11, nz: int = 1, start: float = 0.0) -> Record:
    rng = np.random.default_rng(7)
    time = start + 0.1 * np.arange(nt)
    energy = np.abs(rng.normal(size=(nt, 6)))
    energy[:, 4] = np.cumsum(energy[:, 4]) - energy[:1, 4]
    energy[:, 5] = energy[:, :4].sum(1) - energy[:1, :4].sum() + energy[:, 4]
    return Record(time, *(rng.normal(size=(nt, n)) for n in (9, 8, nz)), effort=rng.normal(size=(nt, 8)), energy=energy)


@pytest.fixture
def fake_model(monkeypatch: pytest.MonkeyPatch) -> FakeModel:
    """The model; loading rebuilds its like."""
    monkeypatch.setattr(runfile, "rebuild_model", FakeModel.from_description)
    return FakeModel()


@pytest.fixture(scope="session")
def make_model() -> type[FakeModel]:
    """The class of the model, for other names."""
    return FakeModel


@pytest.fixture(scope="session")
def make_record():
    """A record of nt samples with nz internal states, starting at a time; its energy balance is zero."""
    return _record


@pytest.fixture
def fake_run(fake_model: FakeModel) -> Run:
    """Eleven samples, 0 to 1 s."""
    return Run(fake_model, _record(), {"method": "rk4", "step": 2e-4, "seed": 3})


@pytest.fixture(scope="session")
def written(tmp_path_factory):
    """A good run file, for copies."""
    run = Run(FakeModel(), _record(), {"method": "rk4", "step": 2e-4, "seed": 3})
    return run.save(tmp_path_factory.mktemp("written") / "run.nc")


@pytest.fixture
def saved(fake_model: FakeModel, written, tmp_path):
    """The path of a good run file."""
    return Path(shutil.copy(written, tmp_path / "run.nc"))
