"""Derivatives of the passive efforts of one-axis joints (tree/joint_springs.py) and of drives (tree/drives.py), by
branch."""

from __future__ import annotations

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
    limit = p.friction
    elastic = p.friction_stiffness * (x - anchor)
    held = -limit <= elastic <= limit
    elastic = elastic if held else (limit if elastic > 0.0 else -limit)
    total = elastic + p.friction_damping * rate
    if total < -limit or total > limit:
        return 0.0, 0.0
    return (p.friction_stiffness if held else 0.0), p.friction_damping


@kernel
def passive_partials(model, q, v, latched, K, C):
    """Adds the derivatives of passive efforts, with the sign of inverse dynamics, to K and C."""
    for i in range(len(model.joint_drives)):
        drive, entry = model.joint_drives[i], model.drive_entries[i]
        joint, motor, ratio = entry.joint_v, entry.motor_v, 1.0 / drive.gear
        for out, k in ((K, drive.stiffness), (C, drive.damping)):
            out[joint, joint] += k
            out[joint, motor] -= ratio * k
            out[motor, joint] -= ratio * k
            out[motor, motor] += ratio * ratio * k
    for i in range(len(model.joint_springs)):
        p, k = model.joint_springs[i], model.spring_entries[i].v
        # spring and damper, then friction at its anchor, then the two stops
        x, rate = q[model.spring_entries[i].q], v[k]
        K[k, k] += p.stiffness
        C[k, k] += p.damping
        if i < latched.size and p.friction > 0.0:
            stiff, damp = friction_partials(x, rate, latched[i], p)
            K[k, k] += stiff
            C[k, k] += damp
        if p.limit_stiffness > 0.0:
            stiff, damp = stop_partials(x - p.high, rate, p.limit_stiffness, p.limit_damping)
            K[k, k] += stiff
            C[k, k] += damp
            stiff, damp = stop_partials(p.low - x, -rate, p.limit_stiffness, p.limit_damping)
            K[k, k] += stiff
            C[k, k] += damp
