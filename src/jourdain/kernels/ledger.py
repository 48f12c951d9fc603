"""Rows of a workspace that all kernels share: what is supplied and dissipated, and what a step has to say of itself."""

from __future__ import annotations

from .algebra import Vec3
from .rows import Row


class Ledger(Row):
    """`Workspace.ledger`: power, energy, time and the orbital frame."""

    work_rate: float  # power of forces, laws and motions [W]
    loss_rate: float  # power dissipated [W]
    kinetic: float  # [J]
    gravity: float  # [J]
    strain: float  # [J]
    contact: float  # [J]
    held: float  # the part of the strain energy that is in sticking friction [J]
    time_to_contact: float  # until the next touchdown at the present speeds [s]
    step: float  # the step taken last [s]
    max_safe_step: float  # the longest step in which no shapes can have passed through each other [s]
    next_sample: float  # time of the next sample of a digital controller [s]
    time: float  # [s], set by whoever calls `kinematics`; an orbit needs it
    radius: float  # of the origin of the orbital frame [m]
    radius_rate: float  # [m/s]
    pole: Vec3  # axis of the attracting body, in the frame's axes


class Flags(Row):
    """`Workspace.flags`: what a step found, and what is wanted of the kernels."""

    energies_wanted: bool
    brief: bool  # while only what accelerations need is wanted of the motion
    bare: bool  # while nobody asks for the motion columns of bodies that float by themselves
    cable_forces: bool  # while cables that rest on the world give forces where others give accelerations
    contact_changed: bool  # where a contact began or ended at the last accepted state
    laid: bool  # where shapes were laid through others: skins, strands
    stopped: bool  # where a controller asked to stop
    capacity_exceeded: int  # 1 where the list of pairs, 2 where the slots of a pile had no room
    penetration_exceeded: int  # 1 + the number of a contact whose shapes are too deep in each other
    unclosed: int  # 1 where constraints could not be met at the end of a step, 2 where the run has left them
    cached: int  # 1 where what a method keeps of the last accepted state is of the present one, -1 where a run starts
    sampled: int  # 1 where the run has digital controllers, 2 where one of them senses what a joint transmits
    watched: int  # 1 where the run waits for conditions, 2 where one of them senses markers or contacts
