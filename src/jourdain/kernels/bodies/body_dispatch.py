"""Bodies: inertia, markers, strain and dissipation, by formulation; kinds that are added later are in `plugin_bodies`.

Kernels outside of `kernels/bodies` call these and ask for properties, such as `has_sparse_mass`, not for kinds.
"""

from __future__ import annotations

from ..algebra import Wrench, cross, rigid_inertia, rotated
from ..columns import (
    EV,
    FLEX,
    FLOATS,
    INTEGERS,
    KIND,
    OMEGA,
    PARENT,
    ROT,
    SIDE,
    VEL,
    E,
    N,
)
from ..compiler import kernel, optional_kernel
from ..flat_arrays import vec1
from ..kind_dispatch import chain
from ..kind_registry import ALE, DEPLOYING, MODAL, NODAL
from ..spatial import add, dot, mat, rotate_back, sub, vec
from .ale_cable import ale_attraction, ale_inertia, ale_station
from .ale_cable_forces import ale_dissipation, ale_strain
from .ancf_cable import cable_dissipation, cable_point, cable_station, cable_strain, cable_stretch, push_point
from .ancf_cable_forces import cable_inertia
from .ancf_shell import shell_dissipation, shell_station, shell_strain
from .deployable_beam import deploying_dissipation, deploying_inertia, deploying_station, deploying_strain
from .deployable_gravity_gradient import deploying_attraction
from .lumped_beam import INERTIA_CODE, SCHEME, TANGENT, UNDEFORMED, lumped_dissipation, lumped_strain, station
from .lumped_beam_inertia import lumped_attraction, lumped_inertia
from .modal_body import modal_attraction, modal_dissipation, modal_factor, modal_inertia, modal_station, modal_strain
from .nodal_body import nodal_attraction, nodal_dissipation, nodal_inertia, nodal_station, nodal_strain
from .nodal_layout import ELEMENTS, NODAL_B, RODS, SHELLS, STATION_COUNT, STATION_ENTRY, chosen
from .plugin_bodies import MODULES
from .rails import lumped_rail
from .rotation_schemes import NONE
from .simo_reissner_beam import rod_dissipation, rod_station, rod_strain


@kernel
def move_rigid_inertia(model, ws, i):
    """Inertia and bias force of a rigid body about its origin, in world axes.

    moment = J alpha + c x a + omega x J omega,  force = m a + alpha x c + omega x (omega x c), c the first moment.
    """
    body, own = ws.bodies[i], model.bodies[i]
    R_WB, omega = body.R_WB, body.omega
    c, J = R_WB @ own.first_moment, rotated(R_WB, own.inertia)
    body.first_moment, body.inertia = c, J
    body.bias_force = Wrench(cross(omega, J @ omega), cross(omega, cross(omega, c)))


@kernel
def own_inertia(model, ws, i):
    """Spatial inertia of body i about its origin, world axes, after `kinematics`."""
    return rigid_inertia(ws.bodies[i].inertia, ws.bodies[i].first_moment, model.bodies[i].mass)


KIND_OF = f"model.table[i, {KIND}]"


@kernel
def known_inertia(model, ws, i, q, v):
    """Inertia, bias and internal forces of a body with internal coordinates: rows of ws.work and its blocks of ws.flex.

    The blocks are M_re (n x 6: moment, force; world axes), M_ee (n x n) and the bias and internal force (n); nodal
    bodies have no M_ee there.
    """
    if model.table[i, KIND] == NODAL:
        if is_cable(model, i):
            cable_inertia(model, ws, i, q, v)
        else:
            nodal_inertia(model, ws, i, q, v)
    elif model.table[i, KIND] == MODAL:
        modal_inertia(model, ws, i, q, v)
    elif model.table[i, KIND] == DEPLOYING:
        deploying_inertia(model, ws, i, q, v)
    elif model.table[i, KIND] == ALE:
        ale_inertia(model, ws, i, q, v)
    else:
        lumped_inertia(model, ws, i, q, v)


flexible_inertia = chain("flexible_inertia", "inertia", "model, ws, i, q, v", KIND_OF, MODULES, known_inertia, __name__)


@kernel
def has_sparse_mass(model, i):
    """Whether the mass of the coordinates of body i is sparse, and constant."""
    return model.table[i, KIND] == NODAL


@kernel
def is_cable(model, i):
    """Whether nodal body i is a cable."""
    return chosen(model, i, ELEMENTS) > 0


@kernel
def has_banded_mass(model, i):
    """Whether the mass of the coordinates of a body that `has_sparse_mass` is a band, as that of a cable."""
    return is_cable(model, i)


@kernel
def is_shell(model, i):
    """Whether nodal body i is a shell."""
    return chosen(model, i, SHELLS) > 0


@kernel
def is_rod(model, i):
    """Whether nodal body i is a rod."""
    return chosen(model, i, RODS) > 0


@kernel
def internal_forces_at(model, i):
    """Where the bias and internal forces of body i begin in ws.flex."""
    n = model.table[i, N]
    return model.table[i, FLEX] + (NODAL_B * n if model.table[i, KIND] == NODAL else 6 * n + n * n)


@kernel
def support(model, i, at):
    """How many coordinates move a station of body i whose numbers begin at model.floats[at], and where it tells which
    they are, for `supported`."""
    if model.table[i, KIND] == NODAL:
        return int(model.floats[at + STATION_COUNT]), at + STATION_COUNT + 1
    return int(model.table[i, N]), -1


@kernel
def supported(model, where, j):
    """The coordinate whose shape is number j at a station, from what `support` tells."""
    return int(model.floats[where + STATION_ENTRY * j]) if where >= 0 else j


@kernel
def mass_factor(model, i):
    """Where the factor of the mass of the internal coordinates of body i begins in model.floats, -1 where it has none:
    that is constant in modal bodies, unless a child adds to it."""
    table = model.table
    if table[i, KIND] != MODAL or table[i, SIDE] == 1 or (i + 1 < table.shape[0] and table[i + 1, PARENT] == i):
        return -1
    return modal_factor(model, i)


@kernel
def known_attraction(model, ws, i, q, v, G):
    """What the gradient G of a field does to the internal coordinates of body i."""
    if model.table[i, KIND] == NODAL:
        nodal_attraction(model, ws, i, G)
    elif model.table[i, KIND] == MODAL:
        modal_attraction(model, ws, i, q, G)
    elif model.table[i, KIND] == DEPLOYING:
        deploying_attraction(model, ws, i, q, v, G)
    elif model.table[i, KIND] == ALE:
        ale_attraction(model, ws, i, q, G)
    else:
        lumped_attraction(model, ws, i, q, v, G)


attraction = chain("attraction", "attraction", "model, ws, i, q, v, G", KIND_OF, MODULES, known_attraction, __name__)


@optional_kernel("flexible")
def internal_attraction(model, ws, i, q, v, g, G):
    """Lets a field of force per mass g + G r, r from the body's origin, act on the internal coordinates of body i.

    G is symmetric and has no trace; both in world axes. On e_k acts int psi_k dm . g + int psi_k . G r dm.
    """
    n, o = model.table[i, N], model.table[i, FLEX]
    be = internal_forces_at(model, i)
    for k in range(n):
        ws.flex[be + k] -= dot(vec1(ws.flex, o + 6 * k + 3), g)
    attraction(model, ws, i, q, v, G)


@kernel
def unturned(ws, i, motion):
    """Motion of a station whose elastic rotation is neglected: Damaren & Sharf 1995, section 2.4, scheme (a).

    What it carries has the angular velocity omega + w, but axes that do not follow w. Differentiating its components
    as they do (eq. 28) leaves w x velocity more in the linear acceleration and omega x w less in the angular one.
    """
    r, R, u, w, a, alpha = motion
    R_WB = mat(ws.work, i, ROT)
    omega = rotate_back(R_WB, vec(ws.work, i, OMEGA))
    velocity = add(rotate_back(R_WB, vec(ws.work, i, VEL)), add(cross(omega, r), u))
    return r, R, u, w, add(a, cross(w, velocity)), sub(alpha, cross(omega, w))


@optional_kernel("lumped", returns=(3, 9, 3, 3, 3, 3))
def lumped_station(model, ws, i, at, q, v, base):
    """`flexible_station` of a body of slices."""
    table = model.table
    own = table[i, INTEGERS]
    scheme = model.integers[own + SCHEME]
    s = 0.5 * model.integers[own + TANGENT]
    g = 0.0 if model.integers[own + INERTIA_CODE] == UNDEFORMED else 1.0
    motion = station(
        model.floats, at, table[i, FLOATS], scheme, s, g, table[i, N], q, table[i, E], v, table[i, EV], ws.flex, base
    )
    return unturned(ws, i, motion) if scheme == NONE else motion


@kernel
def known_station(model, ws, i, at, q, v):
    """A marker on a body with internal coordinates, its numbers beginning at model.floats[at], in the body's frame.

    Returns position, rotation, velocity, angular velocity and the accelerations (linear, angular) that remain when
    those of the internal coordinates are zero. Its shapes (theta, psi), of the coordinates of its `support`, begin 6 n
    numbers before the end of ws.flex.
    """
    table = model.table
    n = table[i, N]
    base = ws.flex.size - 6 * n
    if table[i, KIND] == NODAL:
        if is_cable(model, i):
            return cable_station(model.floats, at, q, table[i, E], v, table[i, EV], ws.flex, base)
        if is_shell(model, i):
            return shell_station(model.floats, at, q, table[i, E], v, table[i, EV], ws.flex, base)
        if is_rod(model, i):
            return rod_station(model.floats, at, q, table[i, E], v, table[i, EV], ws.flex, base)
        return nodal_station(model.floats, at, q, table[i, E], v, table[i, EV], ws.flex, base)
    if table[i, KIND] == MODAL:
        return modal_station(model.floats, at, n, q, table[i, E], v, table[i, EV], ws.flex, base)
    if table[i, KIND] == DEPLOYING:
        return deploying_station(model, i, at, q, v, ws.flex, base)
    if table[i, KIND] == ALE:
        return ale_station(model, i, at, q, v, ws.flex, base)
    return lumped_station(model, ws, i, at, q, v, base)


flexible_station = chain(
    "flexible_station", "station", "model, ws, i, at, q, v", KIND_OF, MODULES, known_station, __name__
)


@kernel
def line_stretch(model, i, at, q):
    """Length that the line of body i has at a station, of one that it has without deformation; that of beams, whose
    strains are small, is left out."""
    if model.table[i, N] > 0 and model.table[i, KIND] == NODAL and is_cable(model, i):
        return cable_stretch(model.floats, at, q, model.table[i, E])
    return 1.0


@kernel
def has_line_stations(model, i):
    """Whether stations of body i have positions and gradients by `line_station`, without rotations."""
    return model.table[i, N] > 0 and model.table[i, KIND] == NODAL and is_cable(model, i)


@kernel
def line_station(model, i, at, q, v):
    """Position, velocity and gradient of the line of body i at a station, body axes."""
    return cable_point(model.floats, at, q, model.table[i, E], v, model.table[i, EV])


@kernel
def push_line_station(model, ws, i, at, force):
    """Lets a force, in the axes of body i, act on its coordinates at a station."""
    push_point(model.floats, at, force, ws.flex, internal_forces_at(model, i))


@optional_kernel("rail", returns=(3, 9, 3, 3, 3, 3))
def travelling_station(model, ws, i, q, v):
    """The marker that the rail joint of body i moves along its parent, as `flexible_station`, with the joint's motion.

    The joint's column, in the parent's frame, goes to ws.dof. Only lumped bodies bear rails.
    """
    return lumped_rail(model, ws, i, q, v)


@kernel
def known_strain(model, i, q):
    """Energy stored inside body i [J]."""
    if model.table[i, KIND] == NODAL:
        if is_shell(model, i):
            return shell_strain(model, i, q)
        if is_rod(model, i):
            return rod_strain(model, i, q)
        return cable_strain(model, i, q) if is_cable(model, i) else nodal_strain(model, i, q)
    if model.table[i, KIND] == MODAL:
        return modal_strain(model, i, q)
    if model.table[i, KIND] == DEPLOYING:
        return deploying_strain(model, i, q)
    if model.table[i, KIND] == ALE:
        return ale_strain(model, i, q)
    return lumped_strain(model, i, q)


@kernel
def known_dissipation(model, i, q, v):
    """Power dissipated inside body i [W]."""
    if model.table[i, KIND] == NODAL:
        if is_shell(model, i):
            return shell_dissipation(model, i, q, v)
        if is_rod(model, i):
            return rod_dissipation(model, i, q, v)
        return cable_dissipation(model, i, q, v) if is_cable(model, i) else nodal_dissipation(model, i, v)
    if model.table[i, KIND] == MODAL:
        return modal_dissipation(model, i, v)
    if model.table[i, KIND] == DEPLOYING:
        return deploying_dissipation(model, i, q, v)
    if model.table[i, KIND] == ALE:
        return ale_dissipation(model, i, q, v)
    return lumped_dissipation(model, i, v)


strain = chain("strain", "strain", "model, i, q", KIND_OF, MODULES, known_strain, __name__)
dissipation = chain("dissipation", "dissipation", "model, i, q, v", KIND_OF, MODULES, known_dissipation, __name__)


@kernel
def strain_energy(model, q):
    """Energy stored inside the bodies [J]."""
    energy = 0.0
    for k in range(model.flexible.size):
        energy += strain(model, model.flexible[k], q)
    return energy


@kernel
def internal_dissipation(model, q, v):
    """Power dissipated inside the bodies [W]."""
    power = 0.0
    for k in range(model.flexible.size):
        power += dissipation(model, model.flexible[k], q, v)
    return power
