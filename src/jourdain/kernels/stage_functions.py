"""What a run hands to the compiled loop as addresses of functions, and the signatures of these.

An absent stage is a null pointer: `given(stages.law)` tells, so that no empty function is compiled or called.
"""

from __future__ import annotations

from numba import types

from .model_arrays import ModelArrays, RunTables, Workspace
from .records import Function, NestedRecord, Record, i64

f, i, none = types.float64, types.int64, types.none
x, m = types.float64[::1], types.float64[:, ::1]
constants = types.Array(f, 1, "C", readonly=True)
vector = types.UniTuple(f, 3)

FINDER = Function(i, ModelArrays, Workspace, i, i)
PARTS = Function(i, ModelArrays, Workspace, i, x)
FOUNDATION = Function(types.UniTuple(f, 6), ModelArrays, Workspace, i, i, i, i, x, x, x)
NORMAL = Function(f, f, f, f, x, constants, x)
FRICTION = Function(vector, f, vector, x, constants, x)


class ContactFunctions(Record, name="U"):
    """What contact calls: the finders of the pairs, the law of patches, and users' laws by their number."""

    finders = i64(1)  # addresses of finders, FINDER or PARTS, by their code; 0 where the model has no such pair
    foundation = FOUNDATION
    normals = i64(1)  # addresses of users' normal laws, NORMAL, by their number
    frictions = i64(1)  # of users' friction laws, FRICTION


RATES = Function(none, ModelArrays, RunTables, "S", f, x, x, x, x, x, Workspace, x, x)
LAW = Function(none, ModelArrays, RunTables, f, x, x, x, x, Workspace, x, x)
CONTACT = Function(none, ModelArrays, ContactFunctions, x, x, x, x, Workspace, x)
ACCEPT = Function(none, ModelArrays, ContactFunctions, i, x, x, x, x, Workspace, x)
CHANGED = Function(i, ModelArrays, ContactFunctions, x, x, x, Workspace)
SAMPLE = Function(i, ModelArrays, RunTables, f, x, x, x, x, Workspace)
WATCH = Function(i, ModelArrays, RunTables, f, x, x, x, x, Workspace, i)
ADJUST = Function(none, ModelArrays, RunTables, f, x, x, Workspace)
CONSTRAIN = Function(none, ModelArrays, RunTables, f, x, x, Workspace, x, x)
SETTLE = Function(i, ModelArrays, RunTables, f, x, x, x, Workspace)
CLOSURE = Function(i, ModelArrays, RunTables, f, x, x, Workspace, i)
ACT = Function(none, ModelArrays, x, x, Workspace)

WITHOUT_MODEL = Function(none, f, x, x, x, x, x, x, x)
"""A law: f(t, q, v, z, s, p, effort, dz)."""
WITH_CONTROL_MODEL = Function(none, ModelArrays, Workspace, x, f, x, x, x, x, x, x, x)
"""A law that computes with a model of its own: f(model, ws, scratch, t, q, v, z, s, p, effort, dz)."""
CONDITION = Function(f, f, x, x, x, x, x)
"""A condition of an event: f(t, q, v, z, s, p), met when it rises above zero."""


class StageFunctions(Record, name="S"):
    """What a run calls, each None where there is nothing.

    rates      the right-hand side, which calls the others
    law        forces and controllers
    contact    forces of the contacts and rates of their states
    accept     what contacts remember, once an accepted step
    changed    whether contacts begin or end
    touch      what the three call
    sample     digital controllers, at their instants
    watch      conditions of events, once an accepted step
    adjust     coordinates and velocities that others determine, before anything is computed of a state
    constrain  accelerations and efforts as the constraints let them be, after those of the tree
    settle     brings an accepted state back to the constraints
    closure    looks whether it is there, and exchanges rows that have come to depend on others
    act        lets the forces that `constrain` found act on the bodies, for what joints transmit
    transmit   what each joint transmits, for the sensors of digital controllers
    """

    rates = RATES
    law = LAW
    contact = CONTACT
    accept = ACCEPT
    changed = CHANGED
    touch = NestedRecord(ContactFunctions)
    sample = SAMPLE
    watch = WATCH
    adjust = ADJUST
    constrain = CONSTRAIN
    settle = SETTLE
    closure = CLOSURE
    act = ACT
    transmit = RATES
