"""Rows of the laws of a run: what `RunTables.laws`, `.samplers` and `.watches` say of each."""

from __future__ import annotations

from .parameter_rows import Parameters
from .rows import Row, Span


class LawRow(Row):
    """A law, or a condition: its function, and where what is its own begins and ends."""

    address: int
    control_model: int  # its row of Workspace.control_workspaces, -1 without
    scratch: Span  # in Workspace.control; of a force along a line the numbers of that (tree/lines.py)
    states: Span  # in z
    sensed: Span  # in Workspace.sensed
    parameters: Span  # in p


class ActingLaw(LawRow):
    """A force or a controller."""

    marker: int  # where a force acts, ALONG a line; -1 of a controller
    axes: int  # marker in whose axes the force is given


class Sampler(LawRow):
    """A digital controller: spans of Workspace.control, then of its own states and parameters."""

    read_q: Span  # q, v and s as its sensors read them
    read_v: Span
    read_s: Span
    asked: Span  # the effort that it asks for
    rates: Span  # of its states
    own: Span  # its states among those of the sampled controller
    behind: Span  # its parameters among those of the sampled controller
    way: int  # COMPILED, PYTHON or COMPLIES


class Watch(LawRow):
    """A condition of an event."""

    memory: int  # where in Workspace.control it is remembered


ALONG = -2
COMPILED, PYTHON, COMPLIES = 0, 1, 2
"""A compiled law; a C function that calls a Python function (`PythonParameters`); joints that comply
(`ComplianceParameters`)."""


class PythonParameters(Parameters):
    """Parameters of a Python function."""

    number: int


class ComplianceParameters(Parameters):
    """Parameters of joints that comply at instants."""

    share: float  # of what is left
