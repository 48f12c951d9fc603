"""`jd.simulate_many(..., device="cuda")`: the cases of an ensemble on a GPU, a thread each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...basics.errors import ModelError
from ...kernels.integrate.method_names import FIXED
from ...model.run_stages import called_by_address
from ..loop import features, loop, needed
from . import cuda_driver

if TYPE_CHECKING:
    from ..plan import Plan
    from .case_program import Program

DEVICES = ("cpu", "cuda")
SHARE = 0.8
"""Part of the GPU's free memory that cases may take at once."""


def check_device(device: Any) -> None:
    """A `ModelError` where a device is not known."""
    if device is not None and device not in DEVICES:
        raise ModelError.at("device", f'got {device!r}; give "cpu" or "cuda"')


def check_plan(plan: Plan) -> None:
    """A `ModelError` where a run is not one for GPUs."""
    if not plan.fixed:
        known = ", ".join(FIXED)
        raise ModelError.at("method", f'"{plan.method}" does not run on a GPU; give step= and one of {known}')
    if plan.model.contacts.piles:
        raise ModelError.at("device", "piles of shapes do not run on a GPU; leave device= out")


def program_of(plan: Plan, parameters: np.ndarray) -> tuple[Program, frozenset[str]]:
    """The program of the cases of a plan, whose laws have these parameters, and the features that it needs."""
    from ...kernels.compiling.parallel_compilation import prepare
    from ...kernels.integrate.gpu_steps import device_case
    from .case_program import Program

    prepare(needed(plan))
    run = loop(plan, plan.workspace())._replace(p=np.array(parameters[0]))
    has = features(plan).union(*(control_model.arrays.features for control_model in plan.laws.control_workspaces))
    same = bool(np.all(parameters == parameters[0]))
    return Program(run, device_case.entry(), called_by_address(plan.model, plan.laws), same), has


class Cases:
    """Arrays of an ensemble by the names of a program's arguments, the case as first index.

    state     of each case, which becomes the one at its end
    kept      what contacts asked of the step, a row a case
    known     which accelerations are prescribed
    done      (cases, 2): steps that were made; 1 + the contact that sank, or 0
    seconds   that the GPU took
    """

    def __init__(self, plan: Plan, state: dict[str, np.ndarray], times: np.ndarray, columns: list[np.ndarray]) -> None:
        from .case_program import KEPT, TAPE

        self.plan, self.cases = plan, len(times)
        self.program, self.features = program_of(plan, state["p"])
        ws: Any = self.program.run.ws
        self.done = np.zeros((self.cases, 2), np.int64)
        self.kept = {name: np.zeros((self.cases, *getattr(ws, name).array.shape)) for name in KEPT}
        self.arrays = state | {f"tape_{name}": one for name, one in zip(TAPE, (times, *columns), strict=True)}
        self.arrays |= self.kept | {"done": self.done}
        self.known: np.ndarray = ws.known
        self.seconds = 0.0

    def numbers(self) -> tuple[Any, ...]:
        """Of the run, in the order of the program's arguments."""
        plan = self.plan
        return plan.start, plan.step, plan.steps, plan.every, self.arrays["tape_time"].shape[1]

    def run(self) -> None:
        """All cases on the GPU, as many at once as it has room for."""
        from .case_program import FLOATS
        from .code_generation import ENTRY, ptx, whole_text

        cuda_driver.driver()
        text = whole_text(self.program, self.features)
        floats = self.program.numbers
        loaded = cuda_driver.program(ptx(text, floats.size), ENTRY)
        loaded.fill(FLOATS, floats)
        each = sum(one.nbytes for one in self.arrays.values()) // max(self.cases, 1) + 1
        most = max(1, int(SHARE * cuda_driver.free_memory()) // each)
        for first in range(0, self.cases, most):
            self._part(loaded, slice(first, min(first + most, self.cases)))

    def _part(self, loaded: cuda_driver.Loaded, some: slice) -> None:
        from .case_program import ARRAYS

        arrays = {name: np.ascontiguousarray(one[some]) for name, one in self.arrays.items()}
        memory: dict[str, cuda_driver.DeviceArray] = {}
        try:
            memory = {name: cuda_driver.DeviceArray(one) for name, one in arrays.items()}
            given = (*self.numbers(), *(memory[name] for name in ARRAYS))
            self.seconds += cuda_driver.launch(loaded, len(arrays["done"]), given)
            for name in arrays:
                memory[name].fetch()
                self.arrays[name][some] = arrays[name]
        finally:
            for array in memory.values():
                array.release()
