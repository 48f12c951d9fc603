"""Passive effort of one-axis joints: spring, damper, dry friction that holds, stops, drives; energy and dissipation.

Friction is elastic up to the Coulomb effort and slides beyond it: the anchor of the elastic part is a latched value
that moves only when a step is accepted (return mapping), so that within a step the effort is a function of the
state, a joint that sticks stays where it is, and a sliding joint adds no stiffness.
A stop pushes with k depth (1 + c rate), never pulling (Hunt & Crossley 1975 with exponent one).
"""

from __future__ import annotations

from ..columns import (
    FRICTION_DAMPING,
    FRICTION_STIFFNESS,
    HIGH,
    LIMIT_DAMPING,
    LIMIT_STIFFNESS,
    LOW,
    REST,
    SPRING_DAMPING,
    SPRING_FRICTION,
    SPRING_STIFFNESS,
)
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

    The first rows of model.springs are the joints with friction; their anchors are the first of
    the latched values, and without those friction is left out.
    """
    dissipated = drive_efforts(model, q, v, effort)
    for i in range(model.springs.shape[0]):
        p = model.springs[i]
        j, k = model.spring_index[i, 0], model.spring_index[i, 1]
        x, rate = q[j], v[k]
        damper = p[SPRING_DAMPING] * rate
        effort[k] -= p[SPRING_STIFFNESS] * (x - p[REST]) + damper
        dissipated += damper * rate
        if i < latched.size and p[SPRING_FRICTION] > 0.0:
            limit = p[SPRING_FRICTION]
            elastic = clip(p[FRICTION_STIFFNESS] * (x - latched[i]), -limit, limit)
            total = clip(elastic + p[FRICTION_DAMPING] * rate, -limit, limit)
            effort[k] -= total
            dissipated += total * rate
        if p[LIMIT_STIFFNESS] > 0.0:
            up, down = x - p[HIGH], p[LOW] - x
            high = stop_effort(up, rate, p[LIMIT_STIFFNESS], p[LIMIT_DAMPING])
            low = stop_effort(down, -rate, p[LIMIT_STIFFNESS], p[LIMIT_DAMPING])
            effort[k] += low - high
            dissipated += (high - p[LIMIT_STIFFNESS] * positive(up)) * rate
            dissipated -= (low - p[LIMIT_STIFFNESS] * positive(down)) * rate
    return dissipated


@kernel
def move_anchors(model, q, latched):
    """After an accepted step: the anchor of a sliding joint follows at the distance that the Coulomb effort holds."""
    for i in range(min(latched.size, model.springs.shape[0])):
        p = model.springs[i]
        if p[SPRING_FRICTION] == 0.0:
            break
        x = q[model.spring_index[i, 0]]
        reach = p[SPRING_FRICTION] / p[FRICTION_STIFFNESS]
        if x - latched[i] > reach:
            latched[i] = x - reach
        elif latched[i] - x > reach:
            latched[i] = x + reach


@kernel
def friction_energy(model, q, latched):
    """Energy stored in sticking friction [J]."""
    energy = 0.0 * q[0] if q.size > 0 else 0.0
    for i in range(min(latched.size, model.springs.shape[0])):
        p = model.springs[i]
        if p[SPRING_FRICTION] == 0.0:
            break
        x = q[model.spring_index[i, 0]]
        elastic = clip(p[FRICTION_STIFFNESS] * (x - latched[i]), -p[SPRING_FRICTION], p[SPRING_FRICTION])
        energy += 0.5 * elastic * elastic / p[FRICTION_STIFFNESS]
    return energy


@kernel
def passive_energy(model, q, latched):
    """Energy stored in springs, stops, drives and sticking friction [J]."""
    energy = friction_energy(model, q, latched) + drive_energy(model, q)
    for i in range(model.springs.shape[0]):
        p = model.springs[i]
        x = q[model.spring_index[i, 0]]
        energy += 0.5 * p[SPRING_STIFFNESS] * (x - p[REST]) ** 2
        if p[LIMIT_STIFFNESS] > 0.0:
            energy += 0.5 * p[LIMIT_STIFFNESS] * (positive(x - p[HIGH]) ** 2 + positive(p[LOW] - x) ** 2)
    return energy
