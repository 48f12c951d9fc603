"""An instance of an FMU: its library, called through ctypes. `fmi2` and `fmi3` are the two versions of the interface.

Running an FMU is running machine code of whoever made it, with all rights of this process.
"""

from __future__ import annotations

import ctypes
import math
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from .archive import Archive, FmuError
from .fmi_description import FmuDescription, FmuVariable

EXCHANGE, COSIMULATION = "model exchange", "co-simulation"
SIZE, POINTER, DOUBLE, TEXT = ctypes.c_size_t, ctypes.c_void_p, ctypes.c_double, ctypes.c_char_p
STATUS = ("OK", "warning", "discard", "error", "fatal", "pending")
CTYPES: dict[str, Any] = {
    "Float64": ctypes.c_double, "Float32": ctypes.c_float, "Int8": ctypes.c_int8, "UInt8": ctypes.c_uint8,
    "Int16": ctypes.c_int16, "UInt16": ctypes.c_uint16, "Int32": ctypes.c_int32, "UInt32": ctypes.c_uint32,
    "Int64": ctypes.c_int64, "UInt64": ctypes.c_uint64, "String": ctypes.c_char_p,
}  # fmt: skip
ROUNDS = 100
"""Most rounds of one event before it is an error."""


def logged(messages: deque[str]) -> Callable[[bytes | None], None]:
    """What keeps the messages that an FMU logs; it holds no instance, so that one can go."""

    def keep(message: bytes | None) -> None:
        text = (message or b"").decode("utf-8", "replace")
        messages.append("".join(c if c.isprintable() else " " for c in text)[:300])

    return keep


class VariableBlock:
    """Some variables that are read or written together: their references and buffers for their values."""

    def __init__(self, references: Sequence[int]) -> None:
        self.count = len(references)
        self.references = (ctypes.c_uint32 * max(1, self.count))(*references)
        self.values = np.zeros(self.count)
        self.at = self.values.ctypes.data


class Binary(ABC):
    """An instance.

    description    what the FMU says of itself
    mode           "co-simulation" or "model exchange"
    messages       the last things that it logged
    """

    version: int
    flag: Any
    """How the version passes true and false."""
    next_time: float = math.inf
    """In model exchange: when the next event is due that the FMU announced at its start."""

    def __init__(self, archive: Archive, description: FmuDescription, mode: str, name: str) -> None:
        self.archive, self.description, self.mode, self.name = archive, description, mode, name
        self.messages: deque[str] = deque(maxlen=20)
        self.instance: int | None = None
        self.way = description.way(mode)
        path = archive.library(self.way.identifier)
        try:
            self.library = ctypes.CDLL(str(path))
        except OSError as error:
            raise FmuError(f"{description.file}: its library does not load: {error}") from error
        self.states = np.zeros(len(description.states))
        self.derivatives = np.zeros(len(description.states))
        self.signs = np.zeros(description.indicators)

    # what the two versions do differently

    @abstractmethod
    def instantiate(self) -> None:
        """Makes the instance."""

    @abstractmethod
    def enter_initialisation(self, t: float) -> None:
        """Begins its initialisation at a time [s]."""

    @abstractmethod
    def put(self, variable: FmuVariable, value: Any) -> None:
        """Sets a variable of any type."""

    @abstractmethod
    def step(self, t: float, h: float) -> None:
        """A communication step from t [s] by h [s]."""

    @abstractmethod
    def discrete_step(self) -> tuple[bool, bool, bool, float]:
        """One round of an event: whether it goes on, the FMU ends the simulation, states changed; the next time [s]."""

    # what they share

    def function(self, name: str, *arguments: Any) -> Any:
        """A function of the library that returns a status, by its name without "fmi2" or "fmi3"."""
        whole = f"fmi{self.version}{name}"
        try:
            found = getattr(self.library, whole)
        except AttributeError:
            raise FmuError(f"{self.description.file}: its library has no function {whole}") from None
        found.restype, found.argtypes = ctypes.c_int, arguments
        return found

    def call(self, name: str, function: Any, *arguments: Any) -> None:
        """Calls a function with the instance; an error where it does not return OK or a warning."""
        if self.instance is None:
            raise FmuError(f"{self.description.file}: the instance {self.name!r} is closed")
        status = function(self.instance, *arguments)
        if status > 1:
            word = STATUS[status] if 0 <= status < len(STATUS) else str(status)
            said = f": {'; '.join(list(self.messages)[-3:])}" if self.messages else ""
            raise FmuError(f"{self.description.file}: fmi{self.version}{name} returned {word}{said}")

    def begin(self, t: float, parameters: Mapping[str, Any], channel: VariableBlock | None = None) -> None:
        """A new instance, initialised at a time [s], with parameters by name and inputs."""
        self.close()
        self.instantiate()
        for name, value in parameters.items():
            self.put(self.description.variable(name), value)
        self.initialise(t, channel)

    def read(self, channel: VariableBlock) -> np.ndarray:
        """The values of a channel, as they are now."""
        if channel.count:
            self._get(channel)
        return channel.values

    def write(self, channel: VariableBlock) -> None:
        """Sets the variables of a channel to its values."""
        if not np.all(np.isfinite(channel.values)):
            raise FmuError(f"{self.description.file}: an input is not a finite number; the run has left what it can do")
        if channel.count:
            self._set(channel)

    def initialise(self, t: float, channel: VariableBlock | None) -> None:
        """Initialises it at a time [s], with inputs; in model exchange its first event is over then."""
        self.enter_initialisation(t)
        if channel is not None:
            self.write(channel)
        self.call("ExitInitializationMode", self.function("ExitInitializationMode", POINTER))
        if self.mode == EXCHANGE:
            self.next_time = self._iterate()[1]

    def event(self) -> tuple[bool, float]:
        """Lets events happen until none is left: whether states changed, and the time of the next one, or inf."""
        self.call("EnterEventMode", self._event)
        return self._iterate()

    def _iterate(self) -> tuple[bool, float]:
        changed = False
        for _ in range(ROUNDS):
            again, terminate, values, when = self.discrete_step()
            changed = changed or values
            self.refuse_end(terminate)
            if not again:
                break
        else:
            raise FmuError(f"{self.description.file}: an event goes on after {ROUNDS} rounds")
        self.call("EnterContinuousTimeMode", self._continue)
        return changed, when

    def completed(self) -> bool:
        """Reports that a step was accepted; whether an event is due."""
        event, terminate = self.flag(), self.flag()
        self.call("CompletedIntegratorStep", self._completed, False, ctypes.byref(event), ctypes.byref(terminate))
        self.refuse_end(terminate.value)
        return bool(event.value)

    def refuse_end(self, terminate: Any) -> None:
        """An error where the FMU asks to end the simulation."""
        if terminate:
            raise FmuError(f"{self.description.file}: it asks to end the simulation")

    @abstractmethod
    def _get(self, channel: VariableBlock) -> None: ...

    @abstractmethod
    def _set(self, channel: VariableBlock) -> None: ...

    def bind_exchange(self) -> None:
        """Functions of model exchange, which both versions have with the same arguments."""
        pointer = ctypes.POINTER(self.flag)
        self._event = self.function("EnterEventMode", POINTER)
        self._continue = self.function("EnterContinuousTimeMode", POINTER)
        self._completed = self.function("CompletedIntegratorStep", POINTER, self.flag, pointer, pointer)
        rates = "GetDerivatives" if self.version == 2 else "GetContinuousStateDerivatives"
        self._time = self.function("SetTime", POINTER, DOUBLE)
        self._put_states = self.function("SetContinuousStates", POINTER, POINTER, SIZE)
        self._get_states = self.function("GetContinuousStates", POINTER, POINTER, SIZE)
        self._rates = self.function(rates, POINTER, POINTER, SIZE)
        self._indicators = self.function("GetEventIndicators", POINTER, POINTER, SIZE)

    def put_states(self, t: float, x: np.ndarray | None) -> None:
        """Time and continuous states of model exchange."""
        self.call("SetTime", self._time, t)
        if x is not None and len(self.states):
            self.states[:] = x
            self.call("SetContinuousStates", self._put_states, self.states.ctypes.data, len(self.states))

    def get_states(self) -> np.ndarray:
        """The continuous states."""
        if len(self.states):
            self.call("GetContinuousStates", self._get_states, self.states.ctypes.data, len(self.states))
        return self.states

    def rates(self) -> np.ndarray:
        """Rates of the continuous states, where `put_states` and `write` brought it."""
        if len(self.states):
            self.call("GetDerivatives", self._rates, self.derivatives.ctypes.data, len(self.states))
        return self.derivatives

    def indicators(self) -> np.ndarray:
        """Event indicators, where `put_states` and `write` brought it."""
        if len(self.signs):
            self.call("GetEventIndicators", self._indicators, self.signs.ctypes.data, len(self.signs))
        return self.signs

    def bind_state(self) -> None:
        """Functions that keep and return to a state, where the FMU has them."""
        if self.way.keeps_state:
            word = "FMUstate" if self.version == 2 else "FMUState"
            self._keep, self._back, self._free = (
                self.function(f"{verb}{word}", POINTER, kind)
                for verb, kind in (("Get", POINTER), ("Set", POINTER), ("Free", POINTER))
            )

    def keep(self, kept: Any = None) -> Any:
        """The whole state, to return to; into the buffer of one that was saved before."""
        if not self.way.keeps_state:
            raise FmuError(
                f"{self.description.file}: it cannot return to a state (canGetAndSetFMUState is not true), so that a "
                "step cannot be made again; leave out iterations and step control"
            )
        kept = ctypes.c_void_p() if kept is None else kept
        self.call("GetFMUState", self._keep, ctypes.byref(kept))
        return kept

    def back(self, kept: Any) -> None:
        """Returns to a state."""
        self.call("SetFMUState", self._back, kept)

    def forget(self, kept: Any) -> None:
        """Gives the memory of a kept state back."""
        if self.instance is not None and kept is not None and kept.value:
            self.call("FreeFMUState", self._free, ctypes.byref(kept))

    def close(self) -> None:
        """Ends the instance; it can be initialised again."""
        if self.instance is not None:
            instance, self.instance = self.instance, None
            free = getattr(self.library, f"fmi{self.version}FreeInstance")
            free.restype, free.argtypes = None, (POINTER,)
            free(instance)

    def __del__(self) -> None:
        if getattr(self, "instance", None) is not None:
            self.close()

    def turned(self, variable: FmuVariable, value: Any) -> Any:
        """A value as the variable's type has it; an error where it does not fit."""
        where = f"{self.description.file}: {variable.name}"
        if variable.array:
            raise FmuError(f"{where}: it is an array, and arrays cannot be set here; leave it as it is")
        if variable.kind == "String":
            if not isinstance(value, str):
                raise FmuError(f"{where}: got {value!r}; give a text")
            return value.encode()
        if variable.kind == "Boolean":
            if not isinstance(value, bool | np.bool_):
                raise FmuError(f"{where}: got {value!r}; give True or False")
            return bool(value)
        if variable.kind not in CTYPES:
            raise FmuError(f"{where}: variables of type {variable.kind} cannot be set here; leave it as it is")
        number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
        if not number or not math.isfinite(value):
            raise FmuError(f"{where}: got {value!r}; give a finite number")
        if variable.kind.startswith("Float"):
            return float(value)
        if int(value) != value or CTYPES[variable.kind](int(value)).value != int(value):
            raise FmuError(f"{where}: got {value!r}; give a whole number that {variable.kind} holds")
        return int(value)
