"""A user's law: ordinary Python that runs inside the compiled loop, at every stage of the method."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from ..basics.arguments import checked
from ..basics.errors import ModelError
from ..basics.values import as_array, shown

if TYPE_CHECKING:
    from ..model.model import Model


def as_law(value: Any, what: str, model: Model | None = None) -> BoundLaw:
    """A law with its parameters; a bare law is one without parameters, and a controller is bound to the model."""
    if isinstance(value, BoundLaw):
        return value
    if isinstance(value, Law):
        return value()
    if model is not None and hasattr(value, "bind"):
        return value.bind(model)
    if model is not None and callable(value):
        raise ModelError.at(
            what, "got a Python function; say how often it is called: jd.control.Sampled(function, period=1e-3)"
        )
    raise ModelError.at(
        what, f"got {type(value).__name__}; give a law, such as @jd.law def brake(t, q, v, z, s, p, effort, dz)"
    )


ARGUMENTS = ("t", "q", "v", "z", "s", "p", "effort", "dz")


class AnyLaw:
    """What a bound law calls: a user's function, one of the package's own, or a function of Python.

    name          in run files and error messages
    uses_model    whether it takes a control model, its workspace and scratch in front of what every law takes
    discrete      whether it writes the next values of its states instead of their rates, for digital use only
    pointer       address of what is called instead of a compiled function, None where there is one
    """

    name: str
    uses_model: bool = False
    discrete: bool = False
    pointer: int | None = None

    def compiled(self) -> Any:
        """The compiled function."""
        raise NotImplementedError


class ControlLaw(AnyLaw):
    """A law of the package's own, compiled once for all its uses.

    name          in run files and error messages
    kernel        of `jourdain.kernels.control`; it uses a model where it takes one, its workspace and scratch first
    discrete      whether it writes the next values of its states instead of their rates, for digital use only
    """

    def __init__(self, name: str, kernel: Any, discrete: bool = False) -> None:
        self.name, self.kernel, self.discrete = name, kernel, discrete
        self.uses_model = kernel.py_func.__code__.co_varnames[0] != "t"

    def compiled(self) -> Any:
        """The compiled function, as `kernels.law_table` calls it."""
        return self.kernel.entry()

    def _key(self) -> tuple[Any, ...]:
        return self.name, self.kernel, self.discrete

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ControlLaw) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"control law {self.name}"


class BoundLaw:
    """A law with its parameters, ready to be a controller or a force.

    name          of the function
    parameters    (np,) float64
    states        how many states z it has
    start         what these begin with (states,)
    markers       addresses that it senses
    contacts      contacts that it senses
    model         the control model of a law that uses one
    scratch       how many floats of scratch such a law wants
    inner         of a digital controller: the law that it asks at its instants, None for any other
    """

    is_law = True
    inner: BoundLaw | None = None
    extra: int = 0
    """How many sensors of a digital controller read what is not sensed otherwise."""
    loaded: bool = False
    """Whether a sensor of a digital controller measures what a joint transmits."""
    seed: int | None = None
    """Of the noise of a digital controller."""
    fitted: tuple[tuple[str, str], ...] = ()
    """Sensors of a digital controller: "pose" or "force" and the address where it is, "joint" and its name."""
    inputs: Mapping[str, tuple[int, str]] = MappingProxyType({})
    """Parameters that whoever steps an exported model sets between steps: place and unit by name."""
    outside: bool = False
    """Whether it calls what is not compiled here: a Python function, an FMU."""
    error: BaseException | None = None
    """What such a call raised."""

    gives: bool = False
    """Whether, in the place of a law at its instants, joints comply (`control.compliance`)."""

    more: int = 0
    """How many numbers it senses behind those of markers and contacts: one, the emf, where it is that of a current."""

    @property
    def state_names(self) -> tuple[str, ...]:
        """Names of its states in a run."""
        return tuple(f"{self.name}.z[{i}]" for i in range(self.states))

    @property
    def recorded(self) -> Mapping[str, Any]:
        """What a run file says of it besides its name and its parameters: entries of the run's options."""
        return {}

    def __init__(
        self,
        law: AnyLaw,
        parameters: Sequence[float] | np.ndarray,
        *,
        states: int | None = None,
        start: Sequence[float] | np.ndarray | None = None,
        markers: Sequence[str] | None = None,
        contacts: Sequence[str] | None = None,
        model: Model | None = None,
        scratch: int = 0,
    ) -> None:
        self.law = law
        self.name = law.name
        self.states = getattr(law, "states", 0) if states is None else states
        self.markers = tuple(getattr(law, "markers", ()) if markers is None else markers)
        self.contacts = tuple(getattr(law, "contacts", ()) if contacts is None else contacts)
        self.parameters = np.atleast_1d(as_array(parameters, law.name)) if len(parameters) else np.zeros(0)
        self.start = np.zeros(self.states) if start is None else np.asarray(start, float)
        self.model, self.scratch = model, scratch
        if not np.all(np.isfinite(self.parameters)):
            raise ModelError.at(law.name, f"parameters are {self.parameters}; give finite numbers")
        if self.start.shape != (self.states,):
            raise ModelError.at(law.name, f"its {self.states} states begin with {self.start.shape} numbers")

    def with_parameters(self, parameters: Sequence[float] | np.ndarray) -> BoundLaw:
        """The same law with other parameters."""
        return BoundLaw(
            self.law,
            parameters,
            states=self.states,
            start=self.start,
            markers=self.markers,
            contacts=self.contacts,
            model=self.model,
            scratch=self.scratch,
        )

    def evaluate(
        self,
        model: Model,
        t: float,
        q: np.ndarray,
        v: np.ndarray,
        z: np.ndarray,
        size: int,
        contact_wrenches: np.ndarray | None = None,
    ) -> np.ndarray:
        """The effort (size,) that the law gives to a state, with contact wrenches (contacts, 6) or None."""
        return self.speak(
            t, q, v, z, np.append(self.sensed_at(model, q, v, contact_wrenches), np.zeros(self.more)), size
        )[0]

    def sensed_at(
        self, model: Model, q: np.ndarray, v: np.ndarray, contact_wrenches: np.ndarray | None = None
    ) -> np.ndarray:
        """What the law senses of markers and contacts at a state, with contact wrenches (contacts, 6) or None."""
        sensed = [model.frame_path(address, q[None], v[None])[0] for address in self.markers]
        touch = [
            np.zeros(6) if contact_wrenches is None else contact_wrenches[model.contact(name)] for name in self.contacts
        ]
        return np.concatenate([np.zeros(0), *sensed, *touch])

    def speak(
        self, t: float, q: np.ndarray, v: np.ndarray, z: np.ndarray, s: np.ndarray, size: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Effort (size,) and rates of the states (states,), evaluated once; s as the law senses it."""
        effort, dz = np.zeros(size), np.zeros(self.states)
        arrays = [np.ascontiguousarray(one, float) for one in (q, v, z, s)]
        self.caller()(float(t), *arrays, effort, dz)
        return effort, dz

    def caller(self) -> Callable[..., None]:
        """The law as a function (t, q, v, z, s, effort, dz) of arrays, with scratch that is made once."""
        parameters = self.parameters
        if isinstance(self.law, Law):
            written = self.law.function
            return lambda t, q, v, z, s, effort, dz: written(t, q, v, z, s, parameters, effort, dz)
        head: tuple[Any, ...] = ()
        if self.law.uses_model:
            from ..kernels.model_arrays import workspace

            assert self.model is not None
            head = (self.model.arrays, workspace(self.model.arrays), self.initial_scratch())
        law = self.law.compiled().ready(self.features()).python
        return lambda t, q, v, z, s, effort, dz: law(*head, t, q, v, z, s, parameters, effort, dz)

    def features(self) -> frozenset[str]:
        """Features of its control model, whose parts it needs compiled."""
        return frozenset() if self.model is None else self.model.arrays.features

    def needed(self) -> list[Any]:
        """What of the package it needs compiled, for `kernels.compiling.parallel_compilation`."""
        return [(self.law.compiled(), self.features())] if isinstance(self.law, ControlLaw) else []

    def initial_scratch(self) -> np.ndarray:
        """What its scratch begins with (scratch,)."""
        return np.zeros(self.scratch)

    def begin(self, t: float, z: np.ndarray) -> None:
        """A run begins at a time [s], with its states z (states,) where the run will have them."""

    def fit(self, step: float) -> None:
        """Says whether the law can be had at fixed steps of this size [s]; only digital ones care."""

    def check(self, model: Model, t: float, q: np.ndarray, v: np.ndarray, size: int) -> None:
        """Runs a user's law once in the interpreter: wrong indices at the start are reported before a run."""
        if not isinstance(self.law, Law):
            return
        try:
            self.evaluate(model, t, q.copy(), v.copy(), np.zeros(self.states), size)
        except IndexError as error:
            raise ModelError.at(
                self.name,
                f"{error}; here q has {len(q)} entries, v {len(v)}, z {self.states}, "
                f"s {13 * len(self.markers) + 6 * len(self.contacts) + self.more}, "
                f"p {len(self.parameters)} and effort {size}",
            ) from error
        except Exception:  # whatever else is wrong, the compiler says better
            return

    def __reduce__(self) -> tuple[Any, ...]:
        state = {"start": self.start, "model": self.model, "scratch": self.scratch}
        return _bound, (self.law, self.parameters, self.states, self.markers, self.contacts, state)

    def __repr__(self) -> str:
        return f"{self.name}({', '.join(f'{x:g}' for x in self.parameters)})"


def _bound(law: Any, parameters: np.ndarray, states: int, markers: Any, contacts: Any, more: dict) -> BoundLaw:
    return BoundLaw(law, parameters, states=states, markers=markers, contacts=contacts, **more)


class UserFunction:
    """A user's function that the loop calls: compiled on first use, pickled by where it was written."""

    article, kind = "the", "law"

    def __init__(self, function: Callable, states: int, arguments: tuple[str, ...]) -> None:
        try:
            names = tuple(inspect.signature(function).parameters)
            self.name = function.__name__
        except (TypeError, ValueError, AttributeError):
            stated = f"got {shown(function)}; give a function of ({', '.join(arguments)})"
            raise ModelError.at("function", stated) from None
        if len(names) != len(arguments):
            takes = f"{self.article} {self.kind} takes ({', '.join(arguments)}); this one takes ({', '.join(names)})"
            raise ModelError.at(self.name, takes)
        if not isinstance(states, int) or states < 0:
            raise ModelError.at(self.name, f"states is {states!r}; give a whole number, 0 or more")
        self.function, self.states, self.arguments = function, states, arguments
        self._compiled: Any = None

    def compiled(self) -> Any:
        """The function, compiled on first use; what does not compile is a `ModelError` that names it."""
        if self._compiled is None:
            from ..kernels.user_functions import user_function

            try:
                self._compiled = user_function(self.function, self.arguments)
            except Exception as error:
                from numba.core.errors import NumbaError

                if not isinstance(error, NumbaError):
                    raise
                raise ModelError.at(
                    self.name,
                    f"the {self.kind} does not compile; it may use numbers, arrays and the math module only.\n{error}",
                ) from error
        return self._compiled

    def __reduce__(self) -> tuple[Any, ...]:
        return _law_of, (self.function.__module__, self.function.__qualname__)


class Law(UserFunction, AnyLaw):
    """What `@jd.law` makes of a function; calling it with numbers binds them as the parameters p."""

    article = "a"
    is_law = True

    def __init__(self, function: Callable, states: int, markers: Sequence[str], contacts: Sequence[str]) -> None:
        super().__init__(function, states, ARGUMENTS)
        self.markers = tuple(markers)
        self.contacts = tuple(contacts)

    def __call__(self, *parameters: float) -> BoundLaw:
        return BoundLaw(self, parameters)

    def __repr__(self) -> str:
        return f"law {self.name}"


def _law_of(module: str, qualname: str) -> UserFunction:
    """The law of that name: a pickled law is found again where it was written, never unpacked from the pickle."""
    found: Any = importlib.import_module(module)
    for part in qualname.split("."):
        found = getattr(found, part)
    return found


@overload
def law(function: Callable, *, states: int = 0, markers: Sequence[str] = (), contacts: Sequence[str] = ()) -> Law: ...
@overload
def law(
    function: None = None, *, states: int = 0, markers: Sequence[str] = (), contacts: Sequence[str] = ()
) -> Callable[[Callable], Law]: ...
@checked
def law(
    function: Callable | None = None, *, states: int = 0, markers: Sequence[str] = (), contacts: Sequence[str] = ()
) -> Law | Callable[[Callable], Law]:
    """Make a law of a function f(t, q, v, z, s, p, effort, dz).

    t          time [s]
    q, v       all coordinates and velocities
    z, dz      its own states and their rates, `states` of them; dz is zero where it is not set
    s          what it senses: for each marker 13 numbers (position, quaternion, angular velocity, velocity),
               for each contact 6 (force on its first body, torque about the origin of that body's shape), world axes
    p          its parameters, bound by calling the law: ``brake(5.0)``
    effort     to be added to, never assigned: (nv,) as a controller; as a force the six numbers (moment, force)

    Indices are those of Python: v[-1] is the last velocity, and one outside its array stops the run. So it is in
    functions that the law calls, compiled by `numba.njit`.
    """
    if function is None:
        return lambda f: Law(f, states, markers, contacts)
    return Law(function, states, markers, contacts)
