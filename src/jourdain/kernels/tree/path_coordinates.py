"""Path coordinates: rotations in q that no entry of v drives, because they depend on the way a body deformed.

Such a rotation is that of a station, R' = omega~ R, with the angular velocity omega that its body gives it
(`flexible_station`), as a unit quaternion in body axes. A row of `model.paths`: entry in q, body, where the numbers of
the station begin, and those of the rotation from the kernel frame to body axes. Within a step R = exp(theta) R_0, and
the increments theta, three a path, are the last entries of what a stepper integrates.

`model.without_velocity` lists all entries of q that no velocity drives: first the paths, then wrenches of compliant
joints (giving.py), which are constant but for samples. One comparison asks for both.
"""

from __future__ import annotations

from ..algebra import Mat3, Quaternion
from ..bodies.body_dispatch import flexible_station
from ..compiler import kernel, optional_kernel
from ..flat_arrays import put_value, vector_at
from ..rotations import rotation_vector_rate, turned_quaternion


@kernel
def path_velocity(model, ws, p, q, v):
    """Angular velocity of path p, body axes."""
    _, _, _, w, _, _ = flexible_station(model, ws, model.paths[p, 1], model.paths[p, 2], q, v)
    f, a = model.floats, model.paths[p, 3]
    M = Mat3(f[a], f[a + 1], f[a + 2], f[a + 3], f[a + 4], f[a + 5], f[a + 6], f[a + 7], f[a + 8])
    return M @ w


@kernel
def turn_path(model, p, theta, q, out):
    """The quaternion of path p turned by a rotation vector in body axes, from the left."""
    j = model.paths[p, 0]
    p = turned_quaternion(Quaternion(q[j], -q[j + 1], -q[j + 2], -q[j + 3]), -theta)
    put_value(out, j, Quaternion(p.w, -p.x, -p.y, -p.z))


@optional_kernel("paths")
def rates_of_paths(model, ws, q, v, increment, rate):
    """Rates of the increments of all paths, into the last entries of `rate`: the inverse tangent map from the left."""
    count = model.paths.shape[0]
    for p in range(count):
        at = increment.size - 3 * (count - p)
        w = path_velocity(model, ws, p, q, v)
        put_value(rate, at, -rotation_vector_rate(-vector_at(increment, at), -w))


@kernel
def keep_wrenches(model, q, out):
    """Copies the wrenches of compliant joints."""
    for n in range(model.paths.shape[0], model.without_velocity.shape[0]):
        j = model.without_velocity[n, 1]
        for c in range(6):
            out[j + c] = q[j + c]


@optional_kernel("without_velocity")
def move_without_velocity(model, q, increment, out):
    """Turns all paths by the last entries of `increment`; wrenches stay."""
    count = model.paths.shape[0]
    for p in range(count):
        turn_path(model, p, vector_at(increment, increment.size - 3 * (count - p)), q, out)
    keep_wrenches(model, q, out)


@optional_kernel("without_velocity")
def move_without_velocity_scalar(model, ws, q, increment, out):
    """Turns all paths by what an increment (nv,) of the tangent space does along the straight way; wrenches stay."""
    for p in range(model.paths.shape[0]):
        turn_path(model, p, path_velocity(model, ws, p, q, increment), q, out)
    keep_wrenches(model, q, out)


@optional_kernel("without_velocity")
def rates_without_velocity(model, ws, q, v, out):
    """dq/dt of the entries that no velocity drives: quaternions of paths turn, wrenches stay."""
    for p in range(model.paths.shape[0]):
        j = model.paths[p, 0]
        w, x, y, z = q[j], q[j + 1], q[j + 2], q[j + 3]
        turn = 0.5 * path_velocity(model, ws, p, q, v)
        a, b, c = turn.x, turn.y, turn.z
        out[j] = -x * a - y * b - z * c
        out[j + 1] = w * a - y * c + z * b
        out[j + 2] = w * b - z * a + x * c
        out[j + 3] = w * c - x * b + y * a
    for n in range(model.paths.shape[0], model.without_velocity.shape[0]):
        for c in range(6):
            out[model.without_velocity[n, 1] + c] = 0.0


@kernel
def path_rates(model, ws, q, v, increment, rate):
    """`rates_of_paths`, where there are any."""
    if model.paths.shape[0] > 0:
        rates_of_paths(model, ws, q, v, increment, rate)


@kernel
def displace_without_velocity(model, q, increment, out):
    """`move_without_velocity`, where there is any."""
    if model.without_velocity.shape[0] > 0:
        move_without_velocity(model, q, increment, out)


@kernel
def displace_without_velocity_scalar(model, ws, q, increment, out):
    """`move_without_velocity_scalar`, where there is any."""
    if model.without_velocity.shape[0] > 0:
        move_without_velocity_scalar(model, ws, q, increment, out)
