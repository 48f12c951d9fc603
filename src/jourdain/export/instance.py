"""`jd.export.Instance`: an exported model that runs in this process, as it would in a C program.

The interface is what `jd.export.c` writes, loaded by LLVM, so that no C compiler is needed, around the compiled kernels
that simulations run; it is called by the same functions. A step costs what it costs in C and a few microseconds for the
call.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..basics.arguments import HUGE, checked
from ..basics.errors import ModelError, SimulationError, StopReason
from ..basics.types import Controllers, KeptBy
from ..basics.values import suggestion
from ..describe.motions import Motion
from ..kernels.compiling.object_code import loader
from ..kernels.user_errors import last_stopped
from ..model.model import Model
from ..model.state import State
from ..run.error_reporting import index_error
from .c_abi import BAD_VALUE, FAILED
from .c_export import object_of
from .export_model import prepare
from .object_code import NATIVE, target_named

LONG, INT, DOUBLE, POINTER = ctypes.c_int64, ctypes.c_int32, ctypes.c_double, ctypes.c_void_p
FUNCTIONS = {
    "size": (LONG,),
    "init": (INT, POINTER),
    "copy": (INT, POINTER, POINTER),
    "step": (INT, POINTER, POINTER, LONG),
    "inputs": (INT, POINTER, POINTER),
    "get": (DOUBLE, POINTER, INT),
    "set": (INT, POINTER, INT, DOUBLE),
    "start": (INT, POINTER, DOUBLE, POINTER, POINTER, POINTER),
}
WHY = {
    2: "a number is no longer finite; the step is too long, or an input too large",
    4: "more pairs of a pile are near each other than its capacity",
    7: "the constraints could not be kept",
    9: "shapes are too deep in each other",
    FAILED: "a law raised an exception",
}


@checked
class Instance:
    """A model with its state and its controllers, ready to be stepped from outside.

    Arguments are those of `jd.export.c`. Its numbers are those of `jd.simulate` with the same step, to the last bit.

    names      of all variables, in their order: time, q, v, z, inputs, outputs
    units      of the same
    inputs     names of the inputs
    time       [s]
    """

    def __init__(
        self,
        model: Model,
        *,
        state: State | None = None,
        controller: Controllers | None = None,
        method: str = "rk4",
        step: float = 1e-3,
        motions: Mapping[str, Motion] | None = None,
        constraints: KeptBy | None = None,
        inputs: Sequence[str] | None = None,
        outputs: Sequence[str] | None = None,
    ) -> None:
        what = prepare(model, state, controller, method, step, motions, inputs, outputs, constraints)
        made = object_of(what, target_named(NATIVE), "jd", functions=(), resident=True)
        addresses = loader().load(made.code, made.imported, [f"jd_{name}" for name in FUNCTIONS])
        self._call: dict[str, Any] = {
            name: ctypes.CFUNCTYPE(*kinds)(addresses[f"jd_{name}"]) for name, kinds in FUNCTIONS.items()
        }
        self._get, self._step = self._call["get"], self._call["step"]
        self.model, self.step_size = model, float(step)
        self.names = [one.name for one in made.sheet.variables]
        self.units = [one.unit for one in made.sheet.variables]
        self.inputs = [one.name for one in made.sheet.variables if one.kind == "input"]
        self._index = {name: i for i, name in enumerate(self.names)}
        self._bytes = int(self._call["size"]())
        self._memory = self._new_memory()
        self._self = self._memory.ctypes.data
        self._values = np.zeros(max(1, len(self.inputs)))
        self._given, self._taken = self._values.ctypes.data, self._values[: len(self.inputs)]
        self._q, self._v = np.zeros(model.nq), np.zeros(model.nv)
        self._places = np.array([one.offset // 8 for one in made.sheet.variables])
        self.reset()

    def _new_memory(self) -> np.ndarray:
        """Memory for an instance, aligned as that of malloc."""
        return np.zeros((self._bytes + 15) // 16 * 2)

    def reset(self) -> None:
        """Back to the state that it was made with; inputs become zero."""
        self._check_status(self._call["init"](self._self))

    def _check_status(self, status: int) -> None:
        if status == BAD_VALUE:
            wrong = [i for i, value in enumerate(self._taken) if not abs(value) < HUGE]
            if not wrong:
                raise ModelError.at(self.model.name, "the number of steps is negative; give 0 or more")
            name, value = self.inputs[wrong[0]], float(self._taken[wrong[0]])
            raise ModelError.at(name, f"got {value!r}, no finite number that an input can be; nothing was changed")
        if status == FAILED:
            stopped = last_stopped()
            if stopped is not None and stopped.error is not None:
                time = self.time if math.isnan(stopped.time) else stopped.time
                raise index_error(self.model.name, stopped.error, stopped.law, time) from stopped.error
        if status != 0:
            why = WHY.get(status, f"status {status}")
            raise SimulationError(
                f"stopped in a step from t = {self.time:.9g} s on, where it stays: {why}",
                time=self.time,
                culprit=self.model.name,
                reason=StopReason.EXPORTED,
                model=self.model.name,
            )

    def index(self, name: str) -> int:
        """Number of a variable, for `get` and `set`."""
        if name not in self._index:
            raise ModelError.at(name, f"no such variable; {suggestion(name, self.names)}")
        return self._index[name]

    @property
    def time(self) -> float:
        """[s]."""
        return self._get(self._self, 0)

    def get(self, index: int) -> float:
        """A variable by its number."""
        return self._get(self._self, index)

    def some(self, indices: Sequence[int] | np.ndarray) -> np.ndarray:
        """Variables by their numbers, as many times as fast: they are brought up to date together, and read from the
        instance's memory."""
        self._get(self._self, len(self.names) - 1)
        return self._memory[self._places[indices]]

    def __getitem__(self, name: str) -> float:
        return self.get(self.index(name))

    def __setitem__(self, name: str, value: float) -> None:
        if self._call["set"](self._self, self.index(name), float(value)) != 0:
            raise ModelError.at(name, f"cannot be set to {value!r}; set time, a coordinate, a velocity or an input")

    def step(self, inputs: Sequence[float] | np.ndarray | None = None, steps: int = 1) -> None:
        """Steps of `step_size`, with inputs that hold meanwhile; None leaves them as they are."""
        if inputs is None:
            self._check_status(self._step(self._self, None, steps))
            return
        self._taken[:] = inputs
        self._check_status(self._step(self._self, self._given, steps))

    def apply(self, inputs: Sequence[float] | np.ndarray) -> None:
        """Sets all inputs, for outputs that follow from them at once."""
        self._taken[:] = inputs
        self._check_status(self._call["inputs"](self._self, self._given))

    def state(self) -> tuple[np.ndarray, np.ndarray]:
        """Coordinates and velocities; the same arrays every time."""
        nq, nv = len(self._q), len(self._v)
        first = self._places[1] if nq else 0
        self._q[:] = self._memory[first : first + nq]
        first = self._places[1 + nq] if nv else 0
        self._v[:] = self._memory[first : first + nv]
        return self._q, self._v

    def keep(self, kept: np.ndarray | None = None) -> np.ndarray:
        """The whole instance, to return to; into the buffer of one that was saved before."""
        memory = self._new_memory() if kept is None else kept
        self._check_status(self._call["copy"](memory.ctypes.data, self._self))
        return memory

    def back(self, kept: np.ndarray) -> None:
        """Returns to what was kept."""
        self._check_status(self._call["copy"](self._self, kept.ctypes.data))
