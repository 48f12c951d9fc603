"""Conditions of events: coordinates that pass values, frames that come near, contacts that begin, and users' own."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from ..basics.arguments import checked
from ..basics.errors import ModelError
from ..basics.values import as_array, shown, suggestion
from .laws import UserFunction

if TYPE_CHECKING:
    from ..model.model import Model

ARGUMENTS = ("t", "q", "v", "z", "s", "p")


class Condition(UserFunction):
    """What `@jd.condition` makes of a function; calling it with numbers binds them as the parameters p."""

    article, kind = "a", "condition"

    def __init__(self, function: Callable, markers: Sequence[str], contacts: Sequence[str]) -> None:
        super().__init__(function, 0, ARGUMENTS)
        self.markers, self.contacts = tuple(markers), tuple(contacts)

    def __call__(self, *parameters: float) -> BoundCondition:
        return BoundCondition(self, parameters)

    def __repr__(self) -> str:
        return f"condition {self.name}"


class BoundCondition:
    """A condition with its parameters."""

    def __init__(self, condition: Condition, parameters: Sequence[float], words: Any = None) -> None:
        self.condition, self.name = condition, condition.name
        self.parameters = np.atleast_1d(as_array(parameters, self.name)) if len(parameters) else np.zeros(0)
        self.words = {"condition": self.name, "parameters": self.parameters.tolist()} if words is None else words
        if not np.all(np.isfinite(self.parameters)):
            raise ModelError.at(self.name, f"parameters are {self.parameters}; give finite numbers")

    def check(self, model: Model, t: float, q: np.ndarray, v: np.ndarray, z: np.ndarray) -> None:
        """Runs it once in the interpreter: compiled code does not look whether an index is in range."""
        one = self.condition
        sensed = [model.frame_path(address, q[None], v[None])[0] for address in one.markers]
        s = np.concatenate([np.zeros(0), *sensed, np.zeros(6 * len(one.contacts))])
        try:
            value = one.function(t, q.copy(), v.copy(), z.copy(), s, self.parameters.copy())
        except IndexError as error:
            sizes = f"q has {len(q)} entries, v {len(v)}, z {len(z)}, s {len(s)} and p {len(self.parameters)}"
            raise ModelError.at(self.name, f"{error}; here {sizes}") from error
        except Exception:  # whatever else is wrong, the compiler says better
            return
        if not isinstance(value, int | float | np.number | np.bool_) or not np.isfinite(value):
            raise ModelError.at(
                self.name, f"a condition returns a finite number, met above zero; at the start it is {value!r}"
            )


@overload
def condition(function: Callable, *, markers: Sequence[str] = (), contacts: Sequence[str] = ()) -> Condition: ...
@overload
def condition(
    function: None = None, *, markers: Sequence[str] = (), contacts: Sequence[str] = ()
) -> Callable[[Callable], Condition]: ...
@checked
def condition(
    function: Callable | None = None, *, markers: Sequence[str] = (), contacts: Sequence[str] = ()
) -> Condition | Callable[[Callable], Condition]:
    """Make a condition of a function f(t, q, v, z, s, p) that returns a number: it is met when this rises above zero.

    t       time [s]
    q, v    all coordinates and velocities
    z       the integrated states of the run: those of its contacts, then those of its laws
    s       what it senses, as in `law`: 13 numbers a marker, 6 a contact
    p       its parameters, bound by calling the condition: ``near(0.1)``
    """
    if function is None:
        return lambda f: Condition(f, markers, contacts)
    return Condition(function, markers, contacts)


def _passes(t, q, v, z, s, p):
    entry, direction, value = int(p[0]), p[1], p[2]
    return direction * (q[entry] - value)


PASSES = Condition(_passes, (), ())
"""Whether a coordinate has passed a value: p = (entry of q, direction, value)."""


def _nearer(t, q, v, z, s, p):
    direction, value = p[0], p[1]
    square = (s[13] - s[0]) ** 2 + (s[14] - s[1]) ** 2 + (s[15] - s[2]) ** 2
    return direction * (square - value * value)


def _slower(t, q, v, z, s, p):
    direction, value = p[0], p[1]
    square = (s[23] - s[10]) ** 2 + (s[24] - s[11]) ** 2 + (s[25] - s[12]) ** 2
    return direction * (square - value * value)


def _touches(t, q, v, z, s, p):
    direction, least = p[0], p[1]
    square = s[0] * s[0] + s[1] * s[1] + s[2] * s[2]
    if direction > 0.0:
        return square
    return 1.0 if square == 0.0 else (-1.0 if square > least * least else math.nan)  # neither met nor not met


class SensingCondition(Condition):
    """A condition of the package on frames or contacts of a model's; all of one function are compiled once."""

    def __init__(self, shared: Condition, markers: Sequence[str] = (), contacts: Sequence[str] = ()) -> None:
        super().__init__(shared.function, markers, contacts)
        self.shared = shared

    def compiled(self) -> Any:
        return self.shared.compiled()


NEARER = Condition(_nearer, (), ())
"""Whether the distance of two frames has passed a value: p = (direction, value [m])."""
SLOWER = Condition(_slower, (), ())
"""Whether the velocity of one frame's origin against another's has passed a value: p = (direction, value [m/s])."""
TOUCHES = Condition(_touches, (), ())
"""Whether a contact has a force, p = (1, 0), or none any more after more than a least one, p = (-1, it [N])."""
LEAST_FORCE = 1e-6
"""Least force of a contact that can end [N]: what is found of one that has just begun is below."""
PAIRS = {"<": (NEARER, -1.0), ">": (NEARER, 1.0), "slower": (SLOWER, -1.0), "faster": (SLOWER, 1.0)}
"""Keywords between two frames and a number."""
TOUCH = {"touches": 1.0, "parts": -1.0}
"""Keywords behind a contact."""
FORMS = (
    '("elbow", ">", 1.57), (("hand.tip", "payload.handle"), "<", 0.01), ("touch", "touches"), or a condition made by '
    "@jd.condition"
)


def bound_condition(when: Any, model: Model, event: str) -> BoundCondition:
    """What an event's `when` says, bound to the model; event: its name, for messages."""
    if isinstance(when, Condition):
        return when()
    if isinstance(when, BoundCondition):
        return when
    if isinstance(when, tuple) and len(when) == 2 and when[1] in TOUCH:
        if when[0] not in (one["name"] for one in model.description.get("touching", ())):
            model.contact(when[0])
        return BoundCondition(SensingCondition(TOUCHES, contacts=(when[0],)), (TOUCH[when[1]], LEAST_FORCE), list(when))
    if not isinstance(when, tuple) or len(when) != 3 or not isinstance(when[1], str):
        raise ModelError.at(event, f"when is {shown(when)}; give {FORMS}", "when")
    what, word, value = when
    if not isinstance(value, int | float | np.number) or not np.isfinite(value):
        raise ModelError.at(
            event,
            f"when: {what if isinstance(what, str) else shown(what)} is compared with {value!r}; give a finite number",
            "when",
        )
    value = float(value)
    if isinstance(what, tuple | list) and len(what) == 2 and word in PAIRS:
        for address in what:
            model.marker(address)
        if value < 0.0:
            raise ModelError.at(
                event, f"when: a distance or a speed is compared with {value:g}; give zero or more", "when"
            )
        shared, sign = PAIRS[word]
        return BoundCondition(SensingCondition(shared, tuple(what)), (sign, value), [list(what), word, value])
    if word not in (">", "<"):
        raise ModelError.at(event, f"when is {shown(when)}; give {FORMS}", "when")
    if what not in model.index.q:
        raise ModelError.at(str(what), f"when: no such coordinate; {suggestion(str(what), model.index.q)}", "when")
    return BoundCondition(PASSES, (model.index.q[what], 1.0 if word == ">" else -1.0, value), [what, word, value])
