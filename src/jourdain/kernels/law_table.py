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
from .control.sampling import act, look, samples_taken
from .interpreter import call_at, interpreted_as
from .model_arrays import ModelArrays, RunTables, Workspace
from .records import record_at
from .signatures import Vector
from .stage_functions import CONDITION, WITH_CONTROL_MODEL, WITHOUT_MODEL
from .tree.joint_compliance import give_way
from .tree.line_loads import CONDUCTS, LINE_CODE, LINE_SENSED, electromotive, push_line
from .tree.markers import apply_marker_wrench

# What all rows begin with: the function, its control model (a row of Workspace.control_workspaces) or -1, and where its
# scratch, its states, what it senses and its parameters lie, from and to
ADDRESS, CONTROL_MODEL, SCRATCH, LAW_STATES, SENSED, PARAMETERS = 0, 1, 2, 4, 6, 8
# RunTables.laws
LAW_MARKER, LAW_AXES = 10, 11  # of a force: where it acts, and whose axes it is given in; -1 of a controller
ALONG = -2  # in the place of the marker: it acts along a line, whose numbers (tree/lines.py) are its scratch
LAW_ROW = 12
# RunTables.samplers, from and to: q, v and s as its sensors read them, the effort it asks for, rates of its states (all
# in Workspace.control); its states and its parameters among those of the sampled controller
READ_Q, READ_V, READ_S, SAMPLER_ASKED, OWN_RATES, LAW_OWN, LAW_BEHIND = 10, 12, 14, 16, 18, 20, 22
# 1 where the address is that of a C function, which calls the Python function number p[0]; 2 where nothing is asked and
# joints comply, by the share p[0]
PYTHON = 24
GIVES = 2
SAMPLER_ROW = 25
# RunTables.watches
MEMORY = 10  # where in Workspace.control it is remembered
WATCH_ROW = 11

WATCH_ABOVE, WATCH_BELOW, DONE, MET = 0.0, 1.0, 2.0, 3.0
"""What is remembered of a condition: above zero and not to be counted, below zero, past, just met."""


@kernel
def speak(model, row, t, q, v, z, s, p, ws, effort, dz):
    """Calls the law of a row with what is its own."""
    if row[CONTROL_MODEL] < 0:
        WITHOUT_MODEL(row[ADDRESS])(t, q, v, z, s, p, effort, dz)
        return
    control = record_at(model, ws.control_workspaces[row[CONTROL_MODEL], 0])
    own = record_at(ws, ws.control_workspaces[row[CONTROL_MODEL], 1])
    own.ledger.time = ws.ledger.time  # where an orbit is
    WITH_CONTROL_MODEL(row[ADDRESS])(
        control, own, ws.control[row[SCRATCH] : row[SCRATCH + 1]], t, q, v, z, s, p, effort, dz
    )


@kernel
def apply_law(model, row, t, q, v, z, p, ws, effort, dz):
    """The law of a row: an effort is added to `effort`, a force acts on its body."""
    own = z[row[LAW_STATES] : row[LAW_STATES + 1]]
    rates = dz[row[LAW_STATES] : row[LAW_STATES + 1]]
    sensed = ws.sensed[row[SENSED] : row[SENSED + 1]]
    numbers = p[row[PARAMETERS] : row[PARAMETERS + 1]]
    if row[LAW_MARKER] < 0:
        speak(model, row, t, q, v, own, sensed, numbers, ws, effort, rates)
        return
    wrench = ws.scratch[:6]
    for k in range(6):
        wrench[k] = 0.0
    speak(model, row, t, q, v, own, sensed, numbers, ws, wrench, rates)
    ws.ledger.work_rate += apply_marker_wrench(model, ws, row[LAW_MARKER], row[LAW_AXES], q, v, wrench, 0)


@entry_point
def apply_laws(
    model: ModelArrays, task: RunTables, t: float, q: Vector, v: Vector, z: Vector, p: Vector, ws: Workspace,
    effort: Vector, dz: Vector,
) -> None:  # fmt: skip
    """Forces first, then controllers: efforts are added to `effort`, forces act on the bodies."""
    for i in range(task.laws.shape[0]):
        apply_law(model, task.laws[i], t, q, v, z, p, ws, effort, dz)


@entry_point
def apply_laws_along(
    model: ModelArrays, task: RunTables, t: float, q: Vector, v: Vector, z: Vector, p: Vector, ws: Workspace,
    effort: Vector, dz: Vector,
) -> None:  # fmt: skip
    """`apply_laws` of a run in which some forces act along lines."""
    for i in range(task.laws.shape[0]):
        row = task.laws[i]
        if row[LAW_MARKER] != ALONG:
            apply_law(model, row, t, q, v, z, p, ws, effort, dz)
            continue
        line = ws.control[row[SCRATCH] : row[SCRATCH + 1]]
        own = z[row[LAW_STATES] : row[LAW_STATES + 1]]
        rates = dz[row[LAW_STATES] : row[LAW_STATES + 1]]
        sensed = ws.sensed[row[SENSED] : row[SENSED + 1]]
        if line[LINE_CODE] == CONDUCTS:
            sensed[sensed.size - 1] = electromotive(model, ws, q, v, line) if line[LINE_SENSED] == 1.0 else 0.0
        given = ws.scratch[:6]
        for k in range(6):
            given[k] = 0.0
        WITHOUT_MODEL(row[ADDRESS])(t, q, v, own, sensed, p[row[PARAMETERS] : row[PARAMETERS + 1]], given, rates)
        ws.ledger.work_rate += push_line(model, ws, row[LAW_AXES], q, v, line, given)


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
    for i in range(rows.shape[0]):
        row = rows[i]
        own, numbers = z[row[LAW_STATES] : row[LAW_STATES + 1]], p[row[PARAMETERS] : row[PARAMETERS + 1]]
        qm, vm = c[row[READ_Q] : row[READ_Q + 1]], c[row[READ_V] : row[READ_V + 1]]
        sm = c[row[READ_S] : row[READ_S + 1]]
        effort, rates = c[row[SAMPLER_ASKED] : row[SAMPLER_ASKED + 1]], c[row[OWN_RATES] : row[OWN_RATES + 1]]
        sensed = ws.sensed[row[SENSED] : row[SENSED + 1]]
        due = look(model, t, q, v, sensed, own, numbers, ws, qm, vm, sm, effort)
        if due == 1:
            inner = numbers[row[LAW_BEHIND] : row[LAW_BEHIND + 1]]
            if row[PYTHON] == 0:
                speak(model, row, t, qm, vm, own[row[LAW_OWN] : row[LAW_OWN + 1]], sm, inner, ws, effort, rates)
            elif row[PYTHON] == GIVES:
                give_way(model, ws, q, v, z, inner[0], samples_taken(own, numbers))
            else:
                stops += call_back(row[ADDRESS], int(inner[0]), t)
        act(t, own, numbers, ws, due, effort, rates)
    return stops


@entry_point
def watch_conditions(
    model: ModelArrays, task: RunTables, t: float, q: Vector, v: Vector, z: Vector, p: Vector, ws: Workspace, mark: int
) -> int:
    """How many conditions are met that were not at the last accepted step; mark is 1 to remember it."""
    found = 0
    memory, rows = ws.control, task.watches
    for i in range(rows.shape[0]):
        row = rows[i]
        at = row[MEMORY]
        if memory[at] == DONE:
            continue
        s, numbers = ws.sensed[row[SENSED] : row[SENSED + 1]], p[row[PARAMETERS] : row[PARAMETERS + 1]]
        value = CONDITION(row[ADDRESS])(t, q, v, z[: z.size - 2], s, numbers)
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
    arrays = (
        np.array(motion_index, np.int64).reshape(-1, 3),
        np.array(motion_data, np.float64).reshape(-1),
        np.array(sensors, np.int64).reshape(-1, 3),
        np.zeros(Stabilization.size) if stabilization is None else np.array(stabilization, np.float64),
        np.array(laws, np.int64).reshape(-1, LAW_ROW),
        np.array(samplers, np.int64).reshape(-1, SAMPLER_ROW),
        np.array(watches, np.int64).reshape(-1, WATCH_ROW),
    )
    return RunTables.frozen(*arrays)
