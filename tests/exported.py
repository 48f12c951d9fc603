"""Exported models, called from Python through ctypes, and compared with what `jd.simulate` makes of the same."""

from __future__ import annotations

import ctypes
from pathlib import Path

import numpy as np

import jourdain as jd

LONG, INT, DOUBLE, POINTER, TEXT = ctypes.c_int64, ctypes.c_int32, ctypes.c_double, ctypes.c_void_p, ctypes.c_char_p


class Library:
    """The shared library of an exported model; `lib.step(self, inputs, steps)` is its jd_step."""

    ARGUMENTS = {
        "size": (LONG,),
        "init": (INT, POINTER),
        "copy": (INT, POINTER, POINTER),
        "step": (INT, POINTER, POINTER, LONG),
        "inputs": (INT, POINTER, POINTER),
        "get": (DOUBLE, POINTER, INT),
        "set": (INT, POINTER, INT, DOUBLE),
        "find": (INT, TEXT),
        "marker": (INT, TEXT),
        "name": (TEXT, INT),
        "unit": (TEXT, INT),
        "state": (INT, *[POINTER] * 4),
        "start": (INT, POINTER, DOUBLE, POINTER, POINTER, POINTER),
        "accept": (INT, POINTER, INT),
        "changes": (INT, POINTER),
        "rates": (INT, POINTER, DOUBLE, *[POINTER] * 6),
        "forward_dynamics": (INT, *[POINTER] * 5),
        "inverse_dynamics": (INT, *[POINTER] * 5),
        "bias": (INT, *[POINTER] * 4),
        "mass_matrix": (INT, *[POINTER] * 3),
        "jacobian": (INT, POINTER, INT, POINTER, POINTER),
        "marker_motion": (INT, POINTER, INT, *[POINTER] * 3),
        "marker_acceleration": (INT, POINTER, INT, *[POINTER] * 4),
        "momentum": (INT, *[POINTER] * 5),
        "centre_of_mass": (INT, *[POINTER] * 3),
        "linearize": (INT, *[POINTER] * 8),
    }

    def __init__(self, folder: Path, prefix: str = "jd") -> None:
        self.lib = ctypes.CDLL(str(folder / "libmodel.so"))
        for name, (returns, *arguments) in self.ARGUMENTS.items():
            function = getattr(self.lib, f"{prefix}_{name}", None)
            if function is not None:
                function.restype, function.argtypes = returns, arguments
                setattr(self, name, function)

    def __getattr__(self, name: str):
        raise AttributeError(name)


class Instance:
    """An instance in memory of its own."""

    def __init__(self, lib: Library) -> None:
        self.lib = lib
        self.memory = np.full(lib.size() // 8 + 1, np.nan)
        self.self = self.memory.ctypes.data
        assert lib.init(self.self) == 0

    def step(self, count: int, inputs: np.ndarray | None = None) -> int:
        return self.lib.step(self.self, None if inputs is None else inputs.ctypes.data, count)

    def state(self, model: jd.Model, states: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """q, v and the integrated states, of which there are so many; 0 leaves them out."""
        q, v, z = np.zeros(model.nq), np.zeros(model.nv), np.zeros(states)
        assert self.lib.state(self.self, q.ctypes.data, v.ctypes.data, z.ctypes.data if states else None) == 0
        return q, v, z

    def __getitem__(self, name: str) -> float:
        index = self.lib.find(name.encode())
        assert index >= 0, name
        return self.lib.get(self.self, index)

    def __setitem__(self, name: str, value: float) -> None:
        index = self.lib.find(name.encode())
        assert index >= 0, name
        assert self.lib.set(self.self, index, value) == 0

    def call(self, name: str, *arguments):
        """A model function; arrays are handed by their address."""
        given = [one.ctypes.data if isinstance(one, np.ndarray) else one for one in arguments]
        assert getattr(self.lib, name)(self.self, *given) == 0


STEPS, STEP = 200, 2.0**-10


def simulated(model, state, steps=STEPS, step=STEP, **options):
    """A run of so many steps; what only exports know is left out."""
    options = {key: value for key, value in options.items() if key not in ("inputs", "outputs", "linearize")}
    return jd.simulate(model, state, until=state.time + steps * step, step=step, output=steps * step, **options)


def ends(model, run):
    """(q, v, z) at the end of a run, z without what contacts have latched."""
    return run.record.q[-1], run.record.v[-1], run.record.z[-1][model.latched :]


def both(folder: Path, model, state, steps=STEPS, step=STEP, target="native", pieces=1, **options):
    """(q, v, z) at the end of an exported run and of a simulated one; the exported one in pieces."""
    exported = {key: value for key, value in options.items() if key != "step_check"}
    run = simulated(model, state, steps, step, **options)
    jd.export.c(model, folder, state=state, step=step, target=target, **exported)
    one = Instance(Library(folder))
    for k in range(pieces):
        assert one.step(steps * (k + 1) // pieces - steps * k // pieces) == 0
    last = ends(model, run)
    return one, one.state(model, len(last[2])), last, run
