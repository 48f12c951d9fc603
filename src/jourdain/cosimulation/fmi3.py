"""FMI 3.0 of an FMU's library."""

from __future__ import annotations

import ctypes
import math
import os
from typing import Any

from .archive import FmuError
from .binary import CTYPES, DOUBLE, EXCHANGE, POINTER, SIZE, TEXT, Binary, VariableBlock, logged
from .fmi_description import FmuVariable

BOOL = ctypes.c_bool
LOG = ctypes.CFUNCTYPE(None, POINTER, ctypes.c_int, TEXT, TEXT)


class Binary3(Binary):
    """An instance of an FMU of version 3."""

    version = 3
    flag = BOOL

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        kept = logged(self.messages)
        self._log = LOG(lambda environment, status, category, message: kept(message))
        references = ctypes.POINTER(ctypes.c_uint32)
        self._floats = self.function("GetFloat64", POINTER, references, SIZE, POINTER, SIZE)
        self._put_floats = self.function("SetFloat64", POINTER, references, SIZE, POINTER, SIZE)
        self.bind_state()
        flag, number = ctypes.POINTER(BOOL), ctypes.POINTER(DOUBLE)
        if self.mode == EXCHANGE:
            self.bind_exchange()
            self._discrete = self.function("UpdateDiscreteStates", POINTER, *[flag] * 5, number)
        else:
            self._step = self.function("DoStep", POINTER, DOUBLE, DOUBLE, BOOL, flag, flag, flag, number)

    def instantiate(self) -> None:
        word = "ModelExchange" if self.mode == EXCHANGE else "CoSimulation"
        name = f"fmi3Instantiate{word}"
        make = getattr(self.library, name, None)
        if make is None:
            raise FmuError(f"{self.description.file}: its library has no function {name}")
        make.restype = POINTER
        folder = self.archive.folder / "resources"
        resources = f"{folder}{os.sep}".encode() if folder.is_dir() else None
        given = [self.name.encode(), self.description.token.encode(), resources, False, False]
        kinds: list[Any] = [TEXT, TEXT, TEXT, BOOL, BOOL]
        if self.mode == EXCHANGE:
            make.argtypes = [*kinds, POINTER, LOG]
            self.instance = make(*given, None, self._log)
        else:
            make.argtypes = [*kinds, BOOL, BOOL, POINTER, SIZE, POINTER, LOG, POINTER]
            self.instance = make(*given, False, False, None, 0, None, self._log, None)
        if not self.instance:
            said = "; ".join(self.messages)
            raise FmuError(f"{self.description.file}: {name} made no instance{': ' if said else ''}{said}")

    def enter_initialisation(self, t: float) -> None:
        enter = self.function("EnterInitializationMode", POINTER, BOOL, DOUBLE, DOUBLE, BOOL, DOUBLE)
        self.call("EnterInitializationMode", enter, False, 0.0, t, False, 0.0)

    def _get(self, channel: VariableBlock) -> None:
        self.call("GetFloat64", self._floats, channel.references, channel.count, channel.at, channel.count)

    def _set(self, channel: VariableBlock) -> None:
        self.call("SetFloat64", self._put_floats, channel.references, channel.count, channel.at, channel.count)

    def put(self, variable: FmuVariable, value: Any) -> None:
        own = self.turned(variable, value)
        kind = BOOL if variable.kind == "Boolean" else CTYPES[variable.kind]
        references = ctypes.POINTER(ctypes.c_uint32)
        name = f"Set{variable.kind}"
        function = self.function(name, POINTER, references, SIZE, POINTER, SIZE)
        self.call(name, function, (ctypes.c_uint32 * 1)(variable.reference), 1, ctypes.byref(kind(own)), 1)

    def step(self, t: float, h: float) -> None:
        event, terminate, early, last = BOOL(), BOOL(), BOOL(), DOUBLE()
        flags = [ctypes.byref(one) for one in (event, terminate, early, last)]
        self.call("DoStep", self._step, t, h, False, *flags)
        self.refuse_end(terminate.value)

    def discrete_step(self) -> tuple[bool, bool, bool, float]:
        again, terminate, nominals, values, timed, when = BOOL(), BOOL(), BOOL(), BOOL(), BOOL(), DOUBLE()
        found = [ctypes.byref(one) for one in (again, terminate, nominals, values, timed, when)]
        self.call("UpdateDiscreteStates", self._discrete, *found)
        return again.value, terminate.value, values.value, when.value if timed.value else math.inf
