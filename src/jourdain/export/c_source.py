"""A model as C source: straight-line C99 of its functions, for targets whose own compiler must see the code."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..basics.arguments import checked
from ..basics.errors import ModelError
from ..basics.storage import make_folder
from ..basics.values import suggestion
from ..basics.version import __version__
from ..kernels.derivatives.dynamics_derivatives import forward_derivatives, inverse_derivatives
from ..kernels.ledger import Ledger
from ..kernels.tree import model_functions as kernels
from ..model.model import Model
from .c_export import check_prefix, write
from .expression_graph import Graph, OperationCount, Value, cost, lines
from .header import plain
from .ir_reader import IrListing
from .ir_tracing import Trace, Unknown

NAMES = ("forward_dynamics", "inverse_dynamics", "mass_matrix", "forward_derivatives", "inverse_derivatives")


class FunctionPlan(NamedTuple):
    """How a function is called.

    kernel     which one
    about      one line for the header
    inputs     name and length of what is given
    outputs    name and shape of what is computed
    whole      integers that come first
    partials   whether it takes the scratch of the derivatives
    latched    whether it takes latched values, of which there are none here
    more       length of an array that it writes and that is not an output
    """

    kernel: Any
    about: str
    inputs: dict[str, int]
    outputs: Mapping[str, tuple[int, ...]]
    whole: tuple[int, ...] = ()
    partials: bool = False
    latched: bool = False
    more: int = 0


class CFunction(NamedTuple):
    """A function as it is written: its plan, statements of C, and what they cost."""

    name: str
    plan: FunctionPlan
    body: list[str]
    cost: OperationCount


@checked
def source(
    model: Model,
    folder: str | Path,
    *,
    functions: Sequence[str] = ("forward_dynamics", "inverse_dynamics", "mass_matrix"),
    markers: Sequence[str] = (),
    prefix: str = "jd",
) -> Path:
    """Write functions of a model as C99 source that any compiler takes, and return the folder.

    The folder has model.c, model.h, CMakeLists.txt and a README with all names, units and operation counts. The code
    has no loops, no memory of its own and no calls but of math.h: the operations of the same kernels that Python runs,
    one after the other, each once, with all numbers of the model in them. Motors, springs, dampers, struts and gravity
    are in it; forces of contacts, friction and laws are not.

    folder      to write into; made where it does not exist
    functions   out of "forward_dynamics", "inverse_dynamics", "mass_matrix", "forward_derivatives",
                "inverse_derivatives"
    markers     frames, "link2.tip" say, of each of which the motion and the Jacobian are written
    prefix      of all names in C, so that several models can be in one program
    """
    check_prefix(prefix)
    _check(model, functions)
    written = [traced(model, name, plan) for name, plan in _plans(model, functions, markers).items()]
    out = make_folder(Path(folder))
    timed = bool(model.in_orbit)
    write(out / "model.h", _header(model, prefix, written, timed))
    write(out / "model.c", _code(model, prefix, written, timed))
    write(out / "CMakeLists.txt", CMAKE)
    write(out / "README.md", _readme(model, prefix, written))
    return out


def _check(model: Model, functions: Sequence[str]) -> None:
    from ..model.derivatives import analytical

    if not isinstance(model, Model):
        raise ModelError.at("model", f"got {type(model).__name__}; give a Model, from system.compile()")
    if isinstance(functions, str):
        raise ModelError.at("functions", f'got "{functions}"; give a list of names')
    for name in functions:
        if name not in NAMES:
            raise ModelError.at(str(name), f"no such function; {suggestion(str(name), NAMES)}")
        if name.endswith("derivatives") and not analytical(model):
            raise ModelError.at(name, "there are no formulas of the derivatives of this model; leave it out")
    if model.law_forces or model.latched:
        raise ModelError.at(
            model.name, "C source has no friction and no laws that push on frames; take them out, or use jd.export.c"
        )
    if model.constraint_names:
        raise ModelError.at(model.name, "C source has no loops that are closed; use jd.export.c, which has them")


def _plans(model: Model, functions: Sequence[str], markers: Sequence[str]) -> dict[str, FunctionPlan]:
    nq, nv = model.nq, model.nv
    both, square = {"q": nq, "v": nv}, (nv, nv)
    partials = {"by_q": square, "by_v": square}
    known = {
        "forward_dynamics": FunctionPlan(kernels.forward_state, "Accelerations under efforts.", both | {"effort": nv},
                                 {"acceleration": (nv,)}, latched=True),
        "inverse_dynamics": FunctionPlan(kernels.inverse_state, "Efforts that give accelerations.",
                                         both | {"acceleration": nv}, {"effort": (nv,)}, latched=True),
        "mass_matrix": FunctionPlan(kernels.mass_matrix, "Mass matrix, row by row.", {"q": nq}, {"mass": square}),
        "forward_derivatives": FunctionPlan(
            forward_derivatives, "Accelerations by displacements, velocities and efforts; row by row.",
            both | {"effort": nv}, partials | {"by_effort": square}, partials=True, latched=True, more=nv),
        "inverse_derivatives": FunctionPlan(
            inverse_derivatives, "Efforts by displacements, velocities and accelerations; row by row.",
            both | {"acceleration": nv}, partials | {"by_acceleration": square}, partials=True, latched=True),
    }  # fmt: skip
    plans = {name: known[name] for name in functions}
    for address in markers:
        word = "".join(letter if letter.isalnum() else "_" for letter in address)
        at = (model.marker(address),)
        motion = f"Position, quaternion, angular velocity and velocity of {address}, world axes."
        plans[f"motion_{word}"] = FunctionPlan(kernels.marker_motion, motion, both, {"motion": (13,)}, at)
        jacobian = f"Jacobian of {address}: (angular, linear) velocity, world axes, by v; row by row."
        plans[f"jacobian_{word}"] = FunctionPlan(kernels.jacobian, jacobian, {"q": nq}, {"jacobian": (6, nv)}, at)
    return plans


def traced(model: Model, name: str, plan: FunctionPlan) -> CFunction:
    """The operations of a function."""
    one, graph = plan.kernel.entry(), Graph()
    trace = Trace(IrListing(one, model.features), graph, f"{model.name}: {name}")
    ws = model.workspace()
    memory: dict[int, Any] = {}
    if model.in_orbit:
        memory[ws.ledger.numbers.ctypes.data + 8 * Ledger.columns.time] = graph.input("time")
    arguments: list[int] = [model.arrays.__dict__["address_M"], ws.__dict__["address_W"]]
    if plan.partials:
        from ..model.kernel_calls import derivative_scratch

        scratch = derivative_scratch(model)
        arguments.append(next(value for key, value in scratch.__dict__.items() if key.startswith("address_")))
    arguments += plan.whole
    given: dict[str, np.ndarray] = {key: np.zeros(size) for key, size in plan.inputs.items()}
    for key, array in given.items():
        memory |= {array.ctypes.data + 8 * i: graph.input(f"{key}[{i}]") for i in range(array.size)}
    made: dict[str, np.ndarray] = {key: np.zeros(shape) for key, shape in plan.outputs.items()}
    extra = [np.zeros(0)] if plan.latched else []
    extra += [np.zeros(plan.more)] if plan.more else []
    for array in (*given.values(), *extra, *made.values()):
        arguments += [array.ctypes.data, *array.shape]
    try:
        after = trace.run(one.symbol, arguments, memory)
    except Unknown as why:
        raise ModelError.at(
            model.name, f"{name} cannot be written as straight-line C: {why}; jd.export.c gives object code of it"
        ) from None
    values: dict[str, Value] = {}
    for k, (truth, _) in enumerate(trace.checks):
        values[f"const int holds{k}"] = truth
    for key, array in made.items():
        values |= {f"{key}[{i}]": _number(after.get(array.ctypes.data + 8 * i, 0.0)) for i in range(array.size)}
    return CFunction(name, plan, list(lines(values)), cost(values.values()))


def _number(value: Value) -> Value:
    """What memory holds, as a float or node: zeros may have been written as bytes."""
    return float(value) if isinstance(value, int) else value


def _signature(prefix: str, one: CFunction, timed: bool) -> str:
    given = [f"const double {key}[{max(size, 1)}]" for key, size in one.plan.inputs.items()]
    made = [f"double {key}[{max(int(np.prod(shape)), 1)}]" for key, shape in one.plan.outputs.items()]
    both = ", ".join([*(["double time"] if timed else []), *given, *made])
    return f"int {prefix}_{one.name}({both})"


def _wrapped(text: str) -> str:
    return "\n".join(textwrap.wrap(text, 110, subsequent_indent="    ", break_long_words=False))


def _header(model: Model, prefix: str, written: Sequence[CFunction], timed: bool) -> str:
    guard = f"{prefix.upper()}_SOURCE_H"
    names = {"q": model.names.q, "v": model.names.v}
    lists = "\n".join(f" *   {key}[{i}]  {plain(name)}" for key, group in names.items() for i, name in enumerate(group))
    text = "\n".join(
        f"/* {plain(one.plan.about)} {one.cost.total} operations. */\n"
        f"{_wrapped(_signature(prefix, one, timed) + ';')}\n"
        for one in written
    )
    time = " `time` [s] is that of the orbit." if timed else ""
    return (
        f"/* {plain(model.name)}: functions of the model, written by Jourdain {__version__}.\n *\n"
        f" * SI units, radians, unit quaternions (w, x, y, z).{time} Arrays of the caller; nothing is kept. Each\n"
        " * returns 0, or 1 where a matrix cannot be factored or a direction has no length.\n *\n"
        f"{lists}\n */\n#ifndef {guard}\n#define {guard}\n\n#define {prefix.upper()}_NQ {model.nq}\n"
        f'#define {prefix.upper()}_NV {model.nv}\n\n#ifdef __cplusplus\nextern "C" {{\n#endif\n\n{text}\n'
        "#ifdef __cplusplus\n}\n#endif\n\n#endif\n"
    )


def _code(model: Model, prefix: str, written: Sequence[CFunction], timed: bool) -> str:
    parts = [f'/* {plain(model.name)}. See model.h. */\n#include "model.h"\n\n#include <math.h>\n']
    for one in written:
        body = "\n".join("    " + _wrapped(line).replace("\n", "\n    ") for line in one.body)
        text = " ".join(one.body)
        unused = [key for key in one.plan.inputs if f"{key}[" not in text]
        unused += ["time"] if timed and "time" not in text else []
        silent = "".join(f"    (void){key};\n" for key in unused)
        checks = " && ".join(f"holds{k}" for k in range(sum(line.startswith("const int holds") for line in one.body)))
        end = f"    return ({checks}) ? 0 : 1;" if checks else "    return 0;"
        parts.append(f"{_wrapped(_signature(prefix, one, timed))}\n{{\n{silent}{body}\n{end}\n}}\n")
    return "\n".join(parts)


CMAKE = """\
cmake_minimum_required(VERSION 3.10)
project(model C)
set(CMAKE_C_STANDARD 99)
add_library(model STATIC model.c)
target_include_directories(model PUBLIC .)
if(UNIX)
  target_link_libraries(model PUBLIC m)
endif()
"""


def _readme(model: Model, prefix: str, written: Sequence[CFunction]) -> str:
    rows = "\n".join(
        f"| `{prefix}_{one.name}` | {one.plan.about} | {one.cost.products} | {one.cost.sums} | {one.cost.divisions} "
        f"| {one.cost.functions} | {one.cost.choices} |"
        for one in written
    )
    return (
        f"# {model.name}\n\nFunctions of the model as C99 without loops, allocation or state; model.h has the names "
        "of all coordinates. Compile with\n\n    cc -std=c99 -O2 -c model.c\n\n"
        "and link with the library of mathematics.\n\n"
        "| function | what it gives | products | sums | divisions | functions | choices |\n"
        "|---|---|---|---|---|---|---|\n"
        f"{rows}\n"
    )
