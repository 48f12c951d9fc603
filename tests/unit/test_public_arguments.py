"""Every public name, called with junk: what it says is an error of Jourdain's own that names the argument.

A walk over all public functions, classes and their methods puts junk of every type into one argument after the other,
sound values into the rest. A call may work, or fail by Python's own check of the number and names of arguments; any
other bare error is a mistake of the package.
"""

from __future__ import annotations

import inspect
import os
import pathlib
import warnings
from collections.abc import Callable, Iterator
from enum import Enum
from typing import Any

import numpy as np
import pytest

import jourdain as jd
from jourdain.basics.annotations import value_type
from jourdain.basics.arguments import ArgumentError, checked
from jourdain.basics.errors import JourdainError


class Odd:
    """Of no type that anyone knows."""

    def __repr__(self) -> str:
        return "Odd()"


JUNK = [
    None, "x", "nan", b"x", 2, -1, 0, 1.5, float("nan"), float("inf"), 1e300, True, [], [1], ["a"], [[1], [2, 3]], {},
    {"a": 1}, Odd(), print, np.array([]), np.zeros((2, 2)), np.array(["a"]), 1j, {1}, int, pathlib.Path("nowhere"),
    (1, 2, 3), range(3), 10**400,
]  # fmt: skip
MODULES = (
    jd, jd.constraints, jd.contact, jd.control, jd.errors, jd.implicit, jd.mechanism, jd.shapes, jd.study, jd.worksites,
)  # fmt: skip
INNER = {
    "turned", "skeleton", "curvature", "apart", "moved", "index", "count", "places", "deflection", "strain", "shapes",
    "excesses", "tension", "vectors", "along", "numbers", "kernel_axes", "lay", "closing", "described_value",
}  # fmt: skip
"""Methods that only the package itself calls, with arrays that it made; and those of every tuple."""
OPENS = {"view"}
"""Methods that open a window or a server."""
ENDLESS = {
    ("simulate", "until"),
    ("assembly_modes", "tries"),
    ("assembly_modes", "length"),
    ("assembly_modes", "hold"),
    ("inverse_kinematics", "iterations"),
    ("grapple", "segments"),
    ("simulate", "watch"),
    ("Scenario.simulate", "watch"),
    ("certify", "jacobian"),
}
"""Arguments whose junk is a sound wish for much work, or a function that fails by itself."""


def pendulum() -> jd.System:
    arm = jd.System("arm", gravity=(0, 0, -9.81))
    link = {"inertia": (0.01, 0.2, 0.2), "com": (0.5, 0, 0), "frames": {"tip": (1, 0, 0)}}
    arm.add(jd.RigidBody("link", mass=2, **link), jd.Revolute("hinge", axis="y"))
    arm.add(jd.RigidBody("fore", mass=1, **link), jd.Revolute("elbow", axis="y"), to="link.tip")
    return arm


@pytest.fixture(scope="module")
def sound() -> dict[str, Any]:
    """Values that fit arguments by their names."""
    system = pendulum()
    model = system.compile()
    state = model.state()
    two = np.eye(2)
    return {
        "model": model, "state": state, "states": [state], "system": system, "name": "a", "path": "nowhere.nc",
        "run": jd.simulate(model, state, until=0.05, step=0.01), "until": 0.02, "step": 0.01,
        "joint": jd.Revolute("j"), "body": jd.RigidBody("b", 1.0, inertia=(1, 1, 1)), "axis": "z", "normal": "z",
        "length": 1.0, "radius": 0.1, "mass": 1.0, "to": 1.0, "duration": 1.0, "stiffness": 10.0, "damping": 1.0,
        "gear": 10.0, "rotor_inertia": 0.1, "lengths": (1.0, 1.0, 1.0), "amplitude": 1.0, "frequency": 1.0,
        "coefficients": [1.0], "times": [0.0, 1.0], "values": [0.0, 1.0], "E": 1e9, "nu": 0.3, "altitude": 4e5,
        "kinetic": 0.3, "mass_per_length": 1.0, "EA": 1e6, "EI": 1e3, "GJ": 1e3, "address": "link.tip",
        "at": "link.tip", "joints": ["hinge"], "kp": 10.0, "kd": 1.0, "q": state.q, "v": state.v, "effort": np.zeros(2),
        "numerator": [1.0], "denominator": [1.0, 1.0], "A": two, "B": two, "C": two, "Q": two, "R": two, "W": two,
        "V": two, "G": two, "period": 0.01, "horizon": 5, "penalty": 1.0, "start": (0.0, 0.0, 0.0), "pitch": 0.1,
        "points": [(0, 0, 0), (1, 1, 1), (2, 0, 0)], "quantity": "hinge", "time": 0.0, "target": (1.0, 0.0, 0.0),
        "twist": np.zeros(6), "names": ["hinge"], "matrix": [[1, 2], [0.5, 1]], "centre": (0, 0, 0),
        "vertices": np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]]), "force": np.zeros(3), "tries": 1,
        "triangles": np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]), "inputs": ["hinge", "elbow"],
        "linear": 1.0, "quadratic": 1.0, "co_contraction": 1.0, "transmission": np.ones((1, 2)),
        "gain": np.zeros((2, 4)), "drivers": {"hinge": jd.Sine(0.1, 1.0)}, "n1": (1, 0, 0), "n2": (0, 1, 0),
    }  # fmt: skip


def calls(sound: dict[str, Any]) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Every public function, constructor and method by its name."""
    known = {"Model": sound["model"], "State": sound["state"], "Run": sound["run"]}
    for module in MODULES:
        for name in module.__all__:
            thing = getattr(module, name)
            if not isinstance(thing, type):
                if callable(thing):
                    yield name, thing
                continue
            if issubclass(thing, BaseException | Enum):
                continue
            if name not in known:
                yield name, thing
            yield from methods(name, thing, known.get(name) or made(thing, sound))


def made(thing: type, sound: dict[str, Any]) -> Any:
    """An object of a class from sound arguments; None where there are none that fit."""
    try:
        needed = (one for one in inspect.signature(thing).parameters.values() if one.default is one.empty)
        return thing(**{one.name: sound[one.name] for one in needed if one.kind == one.POSITIONAL_OR_KEYWORD})
    except (JourdainError, KeyError, TypeError, ValueError):
        return None


def methods(name: str, thing: type, one: Any) -> Iterator[tuple[str, Callable[..., Any]]]:
    for method, found in inspect.getmembers(thing):
        if method.startswith("_") or not callable(found) or isinstance(found, type) or method in INNER | OPENS:
            continue
        plain = isinstance(inspect.getattr_static(thing, method), classmethod | staticmethod)
        if one is not None or plain:
            yield f"{name}.{method}", getattr(thing if one is None else one, method)


def try_junk(call: Callable[..., Any], bad: inspect.Parameter, junk: Any, sound: dict[str, Any]) -> None:
    """Call it with one junk argument, and sound ones where it needs more."""
    placed, named = [], {}
    for one in inspect.signature(call).parameters.values():
        if one.name == bad.name:
            value = junk
        elif one.default is one.empty and one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD):
            value = sound.get(one.name, 1.0)
        else:
            continue
        if one.kind in (one.POSITIONAL_ONLY, one.VAR_POSITIONAL) or (
            bad.kind == bad.VAR_POSITIONAL and one.kind == one.POSITIONAL_OR_KEYWORD
        ):
            placed.append(value)
        else:
            named[one.name] = value
    call(*placed, **named)


def complaint(name: str, call: Callable[..., Any], bad: inspect.Parameter, junk: Any, sound: dict[str, Any]) -> str:
    """What is wrong with how junk is met; empty where nothing is."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try_junk(call, bad, junk, sound)
    except ArgumentError as error:
        if error.__cause__ is None or not all(one.address and one.message for one in error.problems):
            return f"{name}({bad.name}={junk!r}): says nothing: {error}"
    except JourdainError as error:
        if not str(error):
            return f"{name}({bad.name}={junk!r}): says nothing"
    except Exception as error:
        own = isinstance(error, TypeError) and depth(error) <= 2
        if not own and not isinstance(error, OSError):
            return f"{name}({bad.name}={junk!r}): {type(error).__name__}: {error}"
    return ""


def depth(error: BaseException) -> int:
    """How many calls below this file an error arose: Python's own about a signature arises in none."""
    found = [frame.filename for frame in inspect.getinnerframes(error.__traceback__)]  # type: ignore[arg-type]
    return sum(name != __file__ and not name.endswith("arguments.py") for name in found)


def walk(sound: dict[str, Any], some: slice | None) -> list[str]:
    """Complaints about all calls; `some` chooses from the junk of each argument, beginning elsewhere for each."""
    found, count = [], 0
    for name, call in calls(sound):
        try:
            parameters = inspect.signature(call).parameters.values()
        except (TypeError, ValueError):
            continue
        for k, bad in enumerate(parameters):
            if bad.kind == bad.VAR_KEYWORD or (name, bad.name) in ENDLESS:
                continue
            turned = [*JUNK[k % len(JUNK) :], *JUNK[: k % len(JUNK)]]
            for junk in turned if some is None else turned[some]:
                count += 1
                found.append(complaint(name, call, bad, junk, sound))
    assert count > 2000
    return [one for one in found if one]


def test_junk_in_any_argument_is_an_error_in_words(sound, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert walk(sound, slice(1, None, 15)) == []


@pytest.mark.slow
def test_all_junk_in_any_argument_is_an_error_in_words(sound, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert walk(sound, None) == []


def test_public_classes_and_functions_are_checked_where_they_are_defined():
    """Nothing changes a class when it is handed out: its methods look at their arguments from the beginning."""
    unchecked = set()
    for module in MODULES:
        for name in module.__all__:
            thing = getattr(module, name)
            if inspect.isfunction(thing):
                unchecked |= set() if hasattr(thing, "checks_arguments") else {name}
            elif isinstance(thing, type) and not issubclass(thing, BaseException | Enum):
                unchecked |= {
                    f"{owner.__name__}.{method}"
                    for owner in thing.__mro__
                    if owner.__module__.startswith("jourdain.")
                    for method, found in vars(owner).items()
                    if inspect.isfunction(found) and not method.startswith("_")
                    if not hasattr(found, "checks_arguments") and not hasattr(found, "__isabstractmethod__")
                }
    assert unchecked == set()


FOUND = {
    "time": lambda sound: sound["model"].state(time="nan"),
    "states": lambda sound: jd.simulate_many(sound["model"], states="x", until=1.0, step=0.1),
    "partition": lambda sound: jd.constraints.Projection(partition=2),
    "run": lambda sound: jd.study.judge(None),
    "state": lambda sound: sound["model"].mobility("x"),
    "record": lambda sound: jd.contact.identify_contact(3),
    "names": lambda sound: jd.constraints.reduce_to_independent(sound["model"], sound["state"], 2),
    "restarts": lambda sound: jd.control.inverse_kinematics(
        sound["model"], "link.tip", (1, 0, 0), sound["state"], restarts=-1
    ),
}


@pytest.mark.parametrize("argument", FOUND)
def test_the_argument_is_named(sound, argument):
    with pytest.raises(JourdainError) as caught:
        FOUND[argument](sound)
    assert argument in str(caught.value)


def test_the_signature_of_python_stays():
    with pytest.raises(TypeError, match="missing 3 required positional arguments: 'model', 'state', and 'until'"):
        jd.simulate()
    with pytest.raises(TypeError, match="unexpected keyword argument 'speed'"):
        jd.Revolute("a", speed=1.0)
    assert list(inspect.signature(jd.Sphere).parameters) == ["radius"]


ANNOTATIONS = [
    ("float", 1.0, "a"),
    ("float", np.float32(1), True),
    ("float", np.array(1.0), np.array([1.0])),
    ("int", 3.0, 3.5),
    ("int | None", None, "3"),
    ("str", "a", b"a"),
    ("bool", False, 0),
    ("np.ndarray", [[1, 2], [3, 4]], [[1], [2, 3]]),
    ("Sequence[str]", ("a", "b"), "ab"),
    ("Sequence[str]", ["a"], [1]),
    ("str | Sequence[str]", "ab", 2),
    ("Iterable[str]", {"a"}, "a"),
    ("Mapping[str, float] | None", {"a": 1.0}, [1.0]),
    ("tuple[float, float, float]", (1, 2, 3), (1, 2)),
    ("str | os.PathLike[str]", pathlib.Path("a"), 3),
    ("Callable | None", print, 3),
    ("Odd", Odd(), object()),
    ("Elsewhere", type("Elsewhere", (), {})(), Odd()),
    ("Sequence[Odd]", [Odd()], [3]),
    ("int | Anything", 3, None),
    ("ArrayLike", [[1, 2], [3, 4]], [1j]),
    ("ArrayLike | None", np.float32(1), "1"),
    ('Literal["a", "b"] | None', "b", "c"),
    ("VectorLike", (1, 2, 3), {1, 2, 3}),
    ("AxisLike", "x", "w"),
    ("ByName | None", {"a": 1.0}, "a"),
    ("Controllers", type("Law", (), {})(), print),
    ("Controllers", [type("PID", (type("Controller", (), {}),), {})()], [3]),
]


@pytest.mark.parametrize(
    "annotation, good, bad", ANNOTATIONS, ids=[f"{k}-{a}" for k, (a, *_) in enumerate(ANNOTATIONS)]
)
def test_what_fits_an_annotation(annotation, good, bad):
    from collections.abc import Callable, Iterable, Mapping, Sequence

    known = {"np": np, "os": os, "Sequence": Sequence, "Iterable": Iterable, "Mapping": Mapping, "Callable": Callable}
    found = value_type(annotation, known | {"Odd": Odd})
    assert found.accepts(good) and not found.accepts(bad) and found.words(python=True)


def test_everything_fits_any():
    assert value_type("Any", {"Any": Any}) is None and value_type("float | Any", {"Any": Any}) is None


def test_an_error_of_a_function_that_the_user_gave_stays_what_it_is(sound):
    def broken(time: float) -> None:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        jd.simulate(sound["model"], sound["state"], until=0.05, step=0.01, progress=broken)


def test_a_fault_stays_a_fault():
    @checked
    def faulty(number: float, more: str = "") -> float:
        return {}[number]

    with pytest.raises(KeyError):
        faulty(1.0)
    with pytest.raises(ArgumentError, match=r"^number: got 'a'; faulty takes a number$") as caught:
        faulty("a")
    assert isinstance(caught.value.__cause__, KeyError)
    with pytest.raises(ArgumentError, match="^more: got 3; faulty takes text$"):
        faulty(1.0, more=3)


@pytest.mark.parametrize("endless", [range(10**12), range(0, -(10**30), -1), [range(10**12)] * 3])
def test_a_range_that_no_memory_holds_is_an_error_in_words(endless):
    """Of it as a vector, an array was made: a bare `MemoryError`."""
    with pytest.raises(JourdainError, match="more numbers than fit into memory"):
        jd.RigidBody("b", 1.0, inertia=endless)
    with pytest.raises(JourdainError, match="more numbers than fit into memory"):
        jd.System("s", gravity=endless)
    model = pendulum().compile()
    with pytest.raises(JourdainError, match="got .*range"):
        model.state(q={"hinge": endless})
    if isinstance(endless, range):  # it was gone through, name by name
        with pytest.raises(ArgumentError, match="inputs: got range.* more numbers than fit into memory"):
            model.linearize(model.state(), inputs=endless)


def test_what_runs_out_of_memory_names_the_range():
    @checked
    def grown(values: Any) -> None:
        np.zeros(10**18)

    with pytest.raises(ArgumentError, match=r"values: got range\(0, 1000000000000\), more numbers than fit"):
        grown(range(10**12))
    with pytest.raises(ArgumentError, match=r"values: got \[range\(0, 1000000000000\)\], more numbers than fit"):
        grown([range(10**12)])
    with pytest.raises(MemoryError):
        grown(range(3))


def test_a_method_of_another_object_is_an_error_in_words():
    """`jd.System.compile(body)`: an `AttributeError` of what is inside."""
    body = jd.RigidBody("b", 1.0, inertia=(1, 1, 1))
    with pytest.raises(ArgumentError, match=r"self: got RigidBody.*System.compile is a method of a System"):
        jd.System.compile(body)
    with pytest.raises(ArgumentError, match=r"self: got 3; System.add is a method of a System"):
        jd.System.add(3, body)
