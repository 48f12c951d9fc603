"""Joints that were added after those of tree/joints.py, each in a file of its own in this folder.

A file, named by the word of the joint in `kind_registry.JOINTS`, defines these kernels as optional kernels under
that word (`compiler.optional_kernel`), so that other models compile and call nothing of them. They may leave out
arguments.

    pose(model, i, R_WM, q, circle, k)           rotation of the body and displacement of its origin from the carrying
                                                 marker, world axes; k the first entry in q
    motion(model, i, R_WM, R, q, v, k, dof)      writes its columns from row k of `dof` on; returns its velocity
                                                 (angular, linear) and what the columns' own motion adds to
                                                 accelerations, less omega_carrier x velocity
    rows(model, ws, c, t, d, R_A, V_A, R_B, V_B)
                                                 where it closes a loop: lays its rows by what is in
                                                 constraints/constraint_equations.py; d from the first frame A to the
                                                 second one B
    rate(model, ws, i, k, v)                     dS_k/dt of column k, a Motion, where not all columns turn with
                                                 the body
    WITH_BODY                                    True where all of several columns turn with the body, as those of a
                                                 ball do; otherwise they are those of joints in a row
    OWN_COLUMNS                                  True where they change with the coordinates in a way of their own: then
                                                 derivatives are by a complex step, and momenta its velocities
"""

from __future__ import annotations

from ..kind_dispatch import among, plugin_modules
from ..kind_registry import ADDED_JOINTS, FREE, JOINTS, RAIL, SPHERICAL, TABLED

MODULES = plugin_modules(__package__, JOINTS, ADDED_JOINTS, ("pose", "motion"))
OWN_COLUMNS = (TABLED, *(code for code, one in MODULES.items() if getattr(one, "OWN_COLUMNS", False)))
WITH_BODY = tuple(code for code, one in MODULES.items() if getattr(one, "WITH_BODY", False))

has_own_columns = among("has_own_columns", OWN_COLUMNS, __name__)
keeps_velocity = among("keeps_velocity", (RAIL, *OWN_COLUMNS), __name__)
turns_with_body = among("turns_with_body", (SPHERICAL, FREE, *WITH_BODY), __name__)
