"""Passive effort of one-axis joints: spring, damper, dry friction that holds, stops, drives; energy and dissipation.

Friction is elastic up to the Coulomb effort and slides beyond it: the anchor of the elastic part is a latched value
that moves only when a step is accepted (return mapping), so that within a step the effort is a function of the
state, a joint that sticks stays where it is, and a sliding joint adds no stiffness.
A stop pushes with k depth (1 + c rate), never pulling (Hunt & Crossley 1975 with exponent one).
"""

from __future__ import annotations

from ..compiler import kernel
from ..scalar import clip, positive
from .drives import drive_efforts, drive_energy


@kernel
def stop_effort(depth, rate, stiffness, damping):
    """Effort of a stop pressed by `depth` at `rate` [rad/s or m/s]; zero when it is not pressed."""
    return positive(stiffness * positive(depth) * (1.0 + damping * rate))


@kernel
def passive_efforts(model, q, v, latched, effort):
    """Adds the passive efforts to `effort`. Returns the power that they dissipate, or that friction stores [W].

    The first rows of model.joint_springs are the joints with friction; their anchors are the first of
    the latched values, and without those friction is left out.
    """
    dissipated = drive_efforts(model, q, v, effort)
    for i in range(len(model.joint_springs)):
        p = model.joint_springs[i]
        j, k = model.spring_entries[i].q, model.spring_entries[i].v
        x, rate = q[j], v[k]
        damper = p.damping * rate
        effort[k] -= p.stiffness * (x - p.rest) + damper
        dissipated += damper * rate
        if i < latched.size and p.friction > 0.0:
            limit = p.friction
            elastic = clip(p.friction_stiffness * (x - latched[i]), -limit, limit)
            total = clip(elastic + p.friction_damping * rate, -limit, limit)
            effort[k] -= total
            dissipated += total * rate
        if p.limit_stiffness > 0.0:
            up, down = x - p.high, p.low - x
            high = stop_effort(up, rate, p.limit_stiffness, p.limit_damping)
            low = stop_effort(down, -rate, p.limit_stiffness, p.limit_damping)
            effort[k] += low - high
            dissipated += (high - p.limit_stiffness * positive(up)) * rate
            dissipated -= (low - p.limit_stiffness * positive(down)) * rate
    return dissipated


@kernel
def move_anchors(model, q, latched):
    """After an accepted step: the anchor of a sliding joint follows at the distance that the Coulomb effort holds."""
    for i in range(min(latched.size, len(model.joint_springs))):
        p = model.joint_springs[i]
        if p.friction == 0.0:
            break
        x = q[model.spring_entries[i].q]
        reach = p.friction / p.friction_stiffness
        if x - latched[i] > reach:
            latched[i] = x - reach
        elif latched[i] - x > reach:
            latched[i] = x + reach


@kernel
def friction_energy(model, q, latched):
    """Energy stored in sticking friction [J]."""
    energy = 0.0 * q[0] if q.size > 0 else 0.0
    for i in range(min(latched.size, len(model.joint_springs))):
        p = model.joint_springs[i]
        if p.friction == 0.0:
            break
        x = q[model.spring_entries[i].q]
        elastic = clip(p.friction_stiffness * (x - latched[i]), -p.friction, p.friction)
        energy += 0.5 * elastic * elastic / p.friction_stiffness
    return energy


@kernel
def passive_energy(model, q, latched):
    """Energy stored in springs, stops, drives and sticking friction [J]."""
    energy = friction_energy(model, q, latched) + drive_energy(model, q)
    for i in range(len(model.joint_springs)):
        p = model.joint_springs[i]
        x = q[model.spring_entries[i].q]
        energy += 0.5 * p.stiffness * (x - p.rest) ** 2
        if p.limit_stiffness > 0.0:
            energy += 0.5 * p.limit_stiffness * (positive(x - p.high) ** 2 + positive(p.low - x) ** 2)
    return energy
