"""A user's own normal and friction laws: ordinary Python that runs inside the compiled loop."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, overload

import numpy as np

from ...basics.arguments import checked
from ...basics.errors import ModelError, Problem
from ...basics.values import as_array, expect_keys, expect_list, expect_text, shown
from ...kernels.kind_registry import USER, USER_FRICTION
from ..laws import UserFunction
from ..shapes import Shape
from .friction import FrictionLaw
from .normal import NormalLaw

NORMAL_ARGUMENTS = ("depth", "rate", "impact_speed", "z", "p", "dz")
FRICTION_ARGUMENTS = ("load", "slip", "z", "p", "dz")


class ContactLaw(UserFunction):
    """What `@normal_law` and `@friction_law` make of a function; calling it with numbers binds them as p."""

    def __call__(self, *parameters: float) -> Any:
        kind = OwnNormal if self.arguments is NORMAL_ARGUMENTS else OwnFriction
        return kind(self, parameters)

    def __repr__(self) -> str:
        return f"contact law {self.name}"


class _Own(ABC):
    """A user's law with its parameters; `law` is None where a description was read back without it."""

    def __init__(self, law: ContactLaw | None, parameters: Sequence[float], name: str = "", states: int = 0) -> None:
        self.law = law
        self.name = name if law is None else law.name
        self.states = states if law is None else law.states
        self.parameters = np.atleast_1d(as_array(parameters, self.name)) if len(parameters) else np.zeros(0)

    def check(self, address: str) -> list[Problem]:
        """Everything wrong with it."""
        if not np.all(np.isfinite(self.parameters)):
            return [Problem(address, f"parameters of {self.name} are {self.parameters}; give finite numbers")]
        if self.law is None:
            return []
        try:
            self.try_out(self.law.function, np.zeros(self.states), self.parameters.copy(), np.zeros(self.states))
        except IndexError as error:
            counts = f"z and dz have {self.states} entries and p {len(self.parameters)}"
            return [Problem(address, f"law {self.name}: {error}; here {counts}: give states= or more parameters")]
        except Exception:  # whatever else is wrong, the compiler says better
            return []
        return []

    @abstractmethod
    def try_out(self, function: Callable, z: np.ndarray, p: np.ndarray, dz: np.ndarray) -> None:
        """Runs the law once in the interpreter: missing states or parameters are reported before a run."""

    def to_dict(self) -> dict[str, Any]:
        """The law's name, its parameters and the number of its states; not the law itself."""
        return {"kind": "own", "law": self.name, "states": self.states, "parameters": self.parameters.tolist()}

    @classmethod
    def from_dict(cls, data: Any, address: str = "law") -> Any:
        """What is left of a law in a description: everything but the law itself."""
        data = expect_keys(data, address, ("kind", "law", "states", "parameters"))
        states = data["states"]
        if not isinstance(states, int) or isinstance(states, bool) or states < 0:
            raise ModelError.at(address, f"states is {shown(states)}; give a whole number")
        parameters = expect_list(data["parameters"], f"{address}.parameters")
        return cls(None, parameters, expect_text(data["law"], f"{address}.law"), states)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.law, self.parameters, self.name, self.states)

    def __repr__(self) -> str:
        return f"{self.name}({', '.join(f'{x:g}' for x in self.parameters)})"


class OwnNormal(_Own, NormalLaw, known=False):
    """A user's normal law with its parameters."""

    kind = "own"
    code = USER

    def try_out(self, function: Callable, z: np.ndarray, p: np.ndarray, dz: np.ndarray) -> None:
        function(1e-6, 0.0, 1e-3, z, p, dz)

    @property
    def state_names(self) -> tuple[str, ...]:
        return tuple(f"normal[{i}]" for i in range(self.states))

    def numbers(self, first: Shape, second: Shape, address: str) -> np.ndarray:
        return self.parameters


class OwnFriction(_Own, FrictionLaw, known=False):
    """A user's friction law with its parameters."""

    kind = "own"
    code = USER_FRICTION

    def try_out(self, function: Callable, z: np.ndarray, p: np.ndarray, dz: np.ndarray) -> None:
        function(1.0, (1e-3, 0.0, 0.0), z, p, dz)

    @property
    def state_names(self) -> tuple[str, ...]:
        return tuple(f"friction[{i}]" for i in range(self.states))

    def numbers(self) -> np.ndarray:
        return self.parameters


@overload
def normal_law(function: Callable, *, states: int = 0) -> ContactLaw: ...
@overload
def normal_law(function: None = None, *, states: int = 0) -> Callable[[Callable], ContactLaw]: ...
@checked
def normal_law(function: Callable | None = None, *, states: int = 0) -> ContactLaw | Callable[[Callable], ContactLaw]:
    """Make a normal law of a function f(depth, rate, impact_speed, z, p, dz) that returns the force [N].

    depth           how far the shapes overlap [m], above zero
    rate            at which the depth grows [m/s]
    impact_speed    at touchdown [m/s]
    z, dz           its own states of the site and their rates, `states` of them
    p               its parameters, bound by calling the law: ``stiff(1e6)``
    """
    if function is None:
        return lambda f: ContactLaw(f, states, NORMAL_ARGUMENTS)
    return ContactLaw(function, states, NORMAL_ARGUMENTS)


@overload
def friction_law(function: Callable, *, states: int = 0) -> ContactLaw: ...
@overload
def friction_law(function: None = None, *, states: int = 0) -> Callable[[Callable], ContactLaw]: ...
@checked
def friction_law(function: Callable | None = None, *, states: int = 0) -> ContactLaw | Callable[[Callable], ContactLaw]:
    """Make a friction law of a function f(load, slip, z, p, dz) that returns the force on the first body, 3 numbers.

    load     normal force [N]
    slip     velocity of the first body over the second along the surface, 3 numbers, world axes [m/s]
    z, dz    its own states of the site and their rates, `states` of them
    p        its parameters, bound by calling the law
    """
    if function is None:
        return lambda f: ContactLaw(f, states, FRICTION_ARGUMENTS)
    return ContactLaw(function, states, FRICTION_ARGUMENTS)
