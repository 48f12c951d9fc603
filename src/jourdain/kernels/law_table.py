"""Laws in the compiled loop: forces, controllers, digital controllers and conditions, called by their addresses.

Each is a row of a table of the run's `RunTables`: where its function is, and where its states, what it senses and its
parameters begin and end. So a run compiles no function of its own: the package's laws are compiled once, a user's
once a process.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types

from .compiler import entry_point, kernel
from .constraints.constraint_layout import Stabilization
from .control.sampling import SampledParameters, act, look, samples_taken
from .flat_arrays import wrench_at
from .interpreter import call_at, interpreted_as
from .law_rows import ALONG, COMPILED, COMPLIES, ActingLaw, ComplianceParameters, PythonParameters, Sampler, Watch
from .model_arrays import ModelArrays, RunTables, Workspace
from .records import record_at
from .signatures import Vector
from .stage_functions import CONDITION, WITH_CONTROL_MODEL, WITHOUT_MODEL
from .tree.joint_compliance import give_way
from .tree.line_loads import Line, electromotive, push_line
from .tree.markers import apply_marker_wrench

WATCH_ABOVE, WATCH_BELOW, DONE, MET = 0.0, 1.0, 2.0, 3.0
"""What is remembered of a condition: above zero and not to be counted, below zero, past, just met."""


@kernel
def speak(model, row, t, q, v, z, s, p, ws, effort, dz):
    """Calls the law of a row with what is its own."""
    if row.control_model < 0:
        WITHOUT_MODEL(row.address)(t, q, v, z, s, p, effort, dz)
        return
    control = record_at(model, ws.control_workspaces[row.control_model, 0])
    own = record_at(ws, ws.control_workspaces[row.control_model, 1])
    own.ledger.time = ws.ledger.time  # where an orbit is
    WITH_CONTROL_MODEL(row.address)(control, own, ws.control[row.scratch], t, q, v, z, s, p, effort, dz)


@kernel
def apply_law(model, row, t, q, v, z, p, ws, effort, dz):
    """The law of a row: an effort is added to `effort`, a force acts on its body."""
    own = z[row.states]
    rates = dz[row.states]
    sensed = ws.sensed[row.sensed]
    numbers = p[row.parameters]
    if row.marker < 0:
        speak(model, row, t, q, v, own, sensed, numbers, ws, effort, rates)
        return
    wrench = ws.scratch[:6]
    for k in range(6):
        wrench[k] = 0.0
    speak(model, row, t, q, v, own, sensed, numbers, ws, wrench, rates)
    ws.ledger.work_rate += apply_marker_wrench(model, ws, row.marker, row.axes, q, v, wrench_at(wrench, 0))


@entry_point
def apply_laws(
    model: ModelArrays, task: RunTables, t: float, q: Vector, v: Vector, z: Vector, p: Vector, ws: Workspace,
    effort: Vector, dz: Vector,
) -> None:  # fmt: skip
    """Forces first, then controllers: efforts are added to `effort`, forces act on the bodies."""
    for i in range(len(task.laws)):
        apply_law(model, task.laws[i], t, q, v, z, p, ws, effort, dz)


@entry_point
def apply_laws_along(
    model: ModelArrays, task: RunTables, t: float, q: Vector, v: Vector, z: Vector, p: Vector, ws: Workspace,
    effort: Vector, dz: Vector,
) -> None:  # fmt: skip
    """`apply_laws` of a run in which some forces act along lines."""
    for i in range(len(task.laws)):
        row = task.laws[i]
        if row.marker != ALONG:
            apply_law(model, row, t, q, v, z, p, ws, effort, dz)
            continue
        line = ws.control[row.scratch]
        own = z[row.states]
        rates = dz[row.states]
        sensed = ws.sensed[row.sensed]
        if Line(line).conducts:
            sensed[sensed.size - 1] = electromotive(model, ws, q, v, line) if Line(line).sensed else 0.0
        given = ws.scratch[:6]
        for k in range(6):
            given[k] = 0.0
        WITHOUT_MODEL(row.address)(t, q, v, own, sensed, p[row.parameters], given, rates)
        ws.ledger.work_rate += push_line(model, ws, row.axes, q, v, line, given)


@interpreted_as(call_at)
def call_back(typingctx, address, number, t):
    """Calls the C function int64 (int64, double) at an address."""

    def codegen(context, builder, signature, args):
        kind = ir.FunctionType(ir.IntType(64), [ir.IntType(64), ir.DoubleType()])
        return builder.call(builder.inttoptr(args[0], kind.as_pointer()), args[1:])

    return types.int64(types.int64, types.int64, types.float64), codegen


@entry_point
def sample_laws(
    model: ModelArrays, task: RunTables, t: float, q: Vector, v: Vector, z: Vector, p: Vector, ws: Workspace
) -> int:
    """Lets the digital controllers whose instant is t sample and act; how many asked to stop."""
    stops = 0
    c, rows = ws.control, task.samplers
    for i in range(len(rows)):
        row = rows[i]
        own, numbers = z[row.states], p[row.parameters]
        qm, vm = c[row.read_q], c[row.read_v]
        sm = c[row.read_s]
        effort, rates = c[row.asked], c[row.rates]
        sensed = ws.sensed[row.sensed]
        due = look(t, q, v, sensed, own, numbers, ws, qm, vm, sm, effort)
        if due == 1:
            inner = numbers[row.behind]
            if row.way == COMPILED:
                speak(model, row, t, qm, vm, own[row.own], sm, inner, ws, effort, rates)
            elif row.way == COMPLIES:
                share = ComplianceParameters(inner).share
                give_way(model, ws, q, v, z, share, samples_taken(own, SampledParameters(numbers)))
            else:
                stops += call_back(row.address, PythonParameters(inner).number, t)
        act(t, own, numbers, ws, due, effort, rates)
    return stops


@entry_point
def watch_conditions(
    model: ModelArrays, task: RunTables, t: float, q: Vector, v: Vector, z: Vector, p: Vector, ws: Workspace, mark: int
) -> int:
    """How many conditions are met that were not at the last accepted step; mark is 1 to remember it."""
    found = 0
    memory, rows = ws.control, task.watches
    for i in range(len(rows)):
        row = rows[i]
        at = row.memory
        if memory[at] == DONE:
            continue
        s, numbers = ws.sensed[row.sensed], p[row.parameters]
        value = CONDITION(row.address)(t, q, v, z[: z.size - 2], s, numbers)
        if value > 0.0:
            if memory[at] == WATCH_BELOW or (mark == 0 and memory[at] == MET):
                found += 1
                if mark == 1:
                    memory[at] = MET
        elif mark == 1 and memory[at] == WATCH_ABOVE and value <= 0.0:
            memory[at] = WATCH_BELOW
    return found


def run_tables(
    motion_index: Any = (),
    motion_data: Any = (),
    sensors: Any = (),
    stabilization: Any = None,
    laws: Any = (),
    samplers: Any = (),
    watches: Any = (),
) -> RunTables:
    """The tables of a run with the dtypes and flags that kernels take."""
    return RunTables.frozen(
        motions=np.array(motion_index, np.int64).reshape(-1, 3),
        motion_data=np.array(motion_data, np.float64).reshape(-1),
        sensed_quantities=np.array(sensors, np.int64).reshape(-1, 3),
        stabilization=np.zeros(Stabilization.size) if stabilization is None else np.array(stabilization, np.float64),
        laws=np.array(laws, np.int64).reshape(-1, ActingLaw.size),
        samplers=np.array(samplers, np.int64).reshape(-1, Sampler.size),
        watches=np.array(watches, np.int64).reshape(-1, Watch.size),
    )
