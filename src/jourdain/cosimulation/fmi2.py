"""FMI 2.0 of an FMU's library."""

from __future__ import annotations

import ctypes
import math
from typing import Any

from ..basics.platforms import c_library
from .archive import FmuError
from .binary import CTYPES, DOUBLE, EXCHANGE, POINTER, SIZE, TEXT, Binary, VariableBlock, logged
from .fmi_description import FmuVariable

INT = ctypes.c_int
LOGGER = ctypes.CFUNCTYPE(None, POINTER, TEXT, INT, TEXT, TEXT)
ALLOCATE = ctypes.CFUNCTYPE(POINTER, SIZE, SIZE)
FREE = ctypes.CFUNCTYPE(None, POINTER)
FINISHED = ctypes.CFUNCTYPE(None, POINTER, INT)


class Callbacks(ctypes.Structure):
    """fmi2CallbackFunctions."""

    _fields_ = [
        ("logger", LOGGER),
        ("allocate", ALLOCATE),
        ("free", FREE),
        ("finished", FINISHED),
        ("environment", POINTER),
    ]


class EventInfo(ctypes.Structure):
    """fmi2EventInfo."""

    _fields_ = [
        ("again", INT),
        ("terminate", INT),
        ("nominals", INT),
        ("values", INT),
        ("timed", INT),
        ("next", DOUBLE),
    ]


class Binary2(Binary):
    """An instance of an FMU of version 2."""

    version = 2
    flag = INT

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        libc = c_library()
        kept = logged(self.messages)
        self._callbacks = Callbacks(
            LOGGER(lambda environment, name, status, category, message: kept(message)),
            ctypes.cast(libc.calloc, ALLOCATE),
            ctypes.cast(libc.free, FREE),
            FINISHED(lambda environment, status: None),
            None,
        )
        references = ctypes.POINTER(ctypes.c_uint32)
        self._reals = self.function("GetReal", POINTER, references, SIZE, POINTER)
        self._put_reals = self.function("SetReal", POINTER, references, SIZE, POINTER)
        self.bind_state()
        if self.mode == EXCHANGE:
            self.bind_exchange()
            self._discrete = self.function("NewDiscreteStates", POINTER, ctypes.POINTER(EventInfo))
        else:
            self._step = self.function("DoStep", POINTER, DOUBLE, DOUBLE, INT)

    def instantiate(self) -> None:
        make = getattr(self.library, "fmi2Instantiate", None)
        if make is None:
            raise FmuError(f"{self.description.file}: its library has no function fmi2Instantiate")
        make.restype = POINTER
        make.argtypes = (TEXT, INT, TEXT, TEXT, ctypes.POINTER(Callbacks), INT, INT)
        resources = (self.archive.folder / "resources").as_uri()
        kind = 0 if self.mode == EXCHANGE else 1
        self.instance = make(
            self.name.encode(),
            kind,
            self.description.token.encode(),
            resources.encode(),
            ctypes.byref(self._callbacks),
            0,
            0,
        )
        if not self.instance:
            said = "; ".join(self.messages)
            raise FmuError(f"{self.description.file}: fmi2Instantiate made no instance{': ' if said else ''}{said}")

    def enter_initialisation(self, t: float) -> None:
        setup = self.function("SetupExperiment", POINTER, INT, DOUBLE, DOUBLE, INT, DOUBLE)
        self.call("SetupExperiment", setup, 0, 0.0, t, 0, 0.0)
        self.call("EnterInitializationMode", self.function("EnterInitializationMode", POINTER))

    def _get(self, channel: VariableBlock) -> None:
        self.call("GetReal", self._reals, channel.references, channel.count, channel.at)

    def _set(self, channel: VariableBlock) -> None:
        self.call("SetReal", self._put_reals, channel.references, channel.count, channel.at)

    def put(self, variable: FmuVariable, value: Any) -> None:
        own = self.turned(variable, value)
        word = {"Float64": "Real", "Int32": "Integer"}.get(variable.kind, variable.kind)
        kind = INT if variable.kind == "Boolean" else CTYPES[variable.kind]
        references = ctypes.POINTER(ctypes.c_uint32)
        function = self.function(f"Set{word}", POINTER, references, SIZE, POINTER)
        self.call(f"Set{word}", function, (ctypes.c_uint32 * 1)(variable.reference), 1, ctypes.byref(kind(own)))

    def step(self, t: float, h: float) -> None:
        self.call("DoStep", self._step, t, h, 0)

    def discrete_step(self) -> tuple[bool, bool, bool, float]:
        info = EventInfo()
        self.call("NewDiscreteStates", self._discrete, ctypes.byref(info))
        return bool(info.again), bool(info.terminate), bool(info.values), info.next if info.timed else math.inf
