"""Derivatives of the passive efforts of one-axis joints (tree/joint_springs.py) and of drives (tree/drives.py), by
branch."""

from __future__ import annotations

from ..columns import (
    DRIVE_DAMPING,
    DRIVE_STIFFNESS,
    FRICTION_DAMPING,
    FRICTION_STIFFNESS,
    GEAR,
    HIGH,
    LIMIT_DAMPING,
    LIMIT_STIFFNESS,
    LOW,
    SPRING_DAMPING,
    SPRING_FRICTION,
    SPRING_STIFFNESS,
)
from ..compiler import kernel


@kernel
def stop_partials(depth, rate, stiffness, damping):
    """Derivatives of `stop_effort` by depth and rate; zero where the stop is not in contact."""
    if depth <= 0.0 or 1.0 + damping * rate <= 0.0:
        return 0.0, 0.0
    return stiffness * (1.0 + damping * rate), stiffness * depth * damping


@kernel
def friction_partials(x, rate, anchor, p):
    """Derivatives by position and rate of friction with an elastic anchor: zero where it slides."""
    limit = p[SPRING_FRICTION]
    elastic = p[FRICTION_STIFFNESS] * (x - anchor)
    held = -limit <= elastic <= limit
    elastic = elastic if held else (limit if elastic > 0.0 else -limit)
    total = elastic + p[FRICTION_DAMPING] * rate
    if total < -limit or total > limit:
        return 0.0, 0.0
    return (p[FRICTION_STIFFNESS] if held else 0.0), p[FRICTION_DAMPING]


@kernel
def passive_partials(model, q, v, latched, K, C):
    """Adds the derivatives of passive efforts, with the sign of inverse dynamics, to K and C."""
    for i in range(model.drives.shape[0]):
        p, entry = model.drives[i], model.drive_index[i]
        joint, motor = entry[1], entry[3]
        ratio = 1.0 / p[GEAR]
        for out, k in ((K, p[DRIVE_STIFFNESS]), (C, p[DRIVE_DAMPING])):
            out[joint, joint] += k
            out[joint, motor] -= ratio * k
            out[motor, joint] -= ratio * k
            out[motor, motor] += ratio * ratio * k
    for i in range(model.springs.shape[0]):
        p = model.springs[i]
        j, k = model.spring_index[i, 0], model.spring_index[i, 1]
        # spring and damper, then friction at its anchor, then the two stops
        x, rate = q[j], v[k]
        K[k, k] += p[SPRING_STIFFNESS]
        C[k, k] += p[SPRING_DAMPING]
        if i < latched.size and p[SPRING_FRICTION] > 0.0:
            stiff, damp = friction_partials(x, rate, latched[i], p)
            K[k, k] += stiff
            C[k, k] += damp
        if p[LIMIT_STIFFNESS] > 0.0:
            stiff, damp = stop_partials(x - p[HIGH], rate, p[LIMIT_STIFFNESS], p[LIMIT_DAMPING])
            K[k, k] += stiff
            C[k, k] += damp
            stiff, damp = stop_partials(p[LOW] - x, -rate, p[LIMIT_STIFFNESS], p[LIMIT_DAMPING])
            K[k, k] += stiff
            C[k, k] += damp
