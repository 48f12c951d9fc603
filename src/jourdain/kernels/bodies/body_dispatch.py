"""Bodies: inertia, markers, strain and dissipation, by formulation; kinds that are added later are in `plugin_bodies`.

Kernels outside of `kernels/bodies` call these and ask for properties, such as `has_sparse_mass`, not for kinds.
"""

from __future__ import annotations

from ..algebra import Mat3, Vec3, Wrench, cross, rigid_inertia, rotated
from ..body_data import numbers_at, wrenches_at
from ..compiler import kernel, optional_kernel
from ..kind_dispatch import chain
from ..kind_registry import ALE, DEPLOYING, MODAL, NODAL
from .ale_cable import ale_attraction, ale_inertia, ale_station
from .ale_cable_forces import ale_dissipation, ale_strain
from .ancf_cable import cable_dissipation, cable_point, cable_station, cable_strain, cable_stretch, push_point
from .ancf_cable_forces import cable_inertia
from .ancf_shell import shell_dissipation, shell_station, shell_strain
from .deployable_beam import deploying_dissipation, deploying_inertia, deploying_station, deploying_strain
from .deployable_gravity_gradient import deploying_attraction
from .lumped_beam import lumped_dissipation, lumped_strain, station
from .lumped_beam_inertia import lumped_attraction, lumped_inertia
from .lumped_layout import UNDEFORMED, lumped_body
from .modal_body import modal_attraction, modal_dissipation, modal_factor, modal_inertia, modal_station, modal_strain
from .nodal_body import nodal_attraction, nodal_dissipation, nodal_inertia, nodal_station, nodal_strain
from .nodal_layout import STATION_HEAD, nodal_body, station_entries_at, station_head_at
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


KIND_OF = "model.tree[i].kind"


@kernel
def known_inertia(model, ws, i, q, v):
    """Inertia, bias and internal forces of a body with internal coordinates: row i of ws.bodies, blocks of ws.flex.

    The blocks are M_re (n x 6: moment, force; world axes), M_ee (n x n) and the bias and internal force (n); nodal
    bodies have no M_ee there.
    """
    if model.tree[i].kind == NODAL:
        if is_cable(model, i):
            cable_inertia(model, ws, i, q, v)
        else:
            nodal_inertia(model, ws, i, q, v)
    elif model.tree[i].kind == MODAL:
        modal_inertia(model, ws, i, q, v)
    elif model.tree[i].kind == DEPLOYING:
        deploying_inertia(model, ws, i, q, v)
    elif model.tree[i].kind == ALE:
        ale_inertia(model, ws, i, q, v)
    else:
        lumped_inertia(model, ws, i, q, v)


any_inertia = chain("any_inertia", "inertia", "model, ws, i, q, v", KIND_OF, MODULES, known_inertia, __name__)


@optional_kernel("flexible")
def flexible_inertia(model, ws, i, q, v):
    """Inertia, bias and internal forces of a body with internal coordinates, of any kind."""
    any_inertia(model, ws, i, q, v)


@kernel
def has_sparse_mass(model, i):
    """Whether the mass of the coordinates of body i is sparse, and constant."""
    return model.tree[i].kind == NODAL


@kernel
def is_cable(model, i):
    """Whether nodal body i is a cable."""
    return nodal_body(model, i).elements > 0


@kernel
def has_banded_mass(model, i):
    """Whether the mass of the coordinates of a body that `has_sparse_mass` is a band, as that of a cable."""
    return is_cable(model, i)


@kernel
def is_shell(model, i):
    """Whether nodal body i is a shell."""
    return nodal_body(model, i).shells > 0


@kernel
def is_rod(model, i):
    """Whether nodal body i is a rod."""
    return nodal_body(model, i).rods > 0


@kernel
def internal_forces_at(model, i):
    """Where the bias and internal forces of body i begin in ws.flex."""
    node = model.tree[i]
    return node.flex + 6 * node.ne + (0 if node.kind == NODAL else node.ne * node.ne)


@kernel
def support(model, i, at):
    """How many coordinates move a station of body i whose numbers begin at model.floats[at], and where it tells which
    they are, for `supported`."""
    if model.tree[i].kind == NODAL:
        return station_head_at(model.floats, at).count, at + STATION_HEAD
    return model.tree[i].ne, -1


@kernel
def supported(model, where, j):
    """The coordinate whose shape is number j at a station, from what `support` tells."""
    return station_entries_at(model.floats, where)[j].k if where >= 0 else j


@kernel
def mass_factor(model, i):
    """Where the factor of the mass of the internal coordinates of body i begins in model.floats, -1 where it has none:
    that is constant in modal bodies, unless a child adds to it."""
    node, last = model.tree[i], i + 1 == len(model.tree)
    if node.kind != MODAL or node.branches or (not last and model.tree[i + 1].parent == i):
        return -1
    return modal_factor(model, i)


@kernel
def known_attraction(model, ws, i, q, v, G):
    """What the gradient G of a field does to the internal coordinates of body i."""
    if model.tree[i].kind == NODAL:
        nodal_attraction(model, ws, i, G)
    elif model.tree[i].kind == MODAL:
        modal_attraction(model, ws, i, q, G)
    elif model.tree[i].kind == DEPLOYING:
        deploying_attraction(model, ws, i, q, v, G)
    elif model.tree[i].kind == ALE:
        ale_attraction(model, ws, i, q, G)
    else:
        lumped_attraction(model, ws, i, q, v, G)


attraction = chain("attraction", "attraction", "model, ws, i, q, v, G", KIND_OF, MODULES, known_attraction, __name__)


@optional_kernel("flexible")
def internal_attraction(model, ws, i, q, v, g, G):
    """Lets a field of force per mass g + G r, r from the body's origin, act on the internal coordinates of body i.

    G is symmetric and has no trace; both in world axes. On e_k acts int psi_k dm . g + int psi_k . G r dm.
    """
    n, coupling = model.tree[i].ne, wrenches_at(ws.flex, model.tree[i].flex)
    b = numbers_at(ws.flex, internal_forces_at(model, i))
    for k in range(n):
        b[k] -= coupling[k].force @ g
    attraction(model, ws, i, q, v, G)


@kernel
def unturned(ws, i, motion):
    """Motion of a station whose elastic rotation is neglected: Damaren & Sharf 1995, section 2.4, scheme (a).

    What it carries has the angular velocity omega + w, but axes that do not follow w. Differentiating its components
    as they do (eq. 28) leaves w x velocity more in the linear acceleration and omega x w less in the angular one.
    """
    r, R, u, w, a, alpha = motion
    R_WB = ws.bodies[i].R_WB
    omega = R_WB.T @ ws.bodies[i].omega
    velocity = R_WB.T @ ws.bodies[i].velocity + (cross(omega, r) + u)
    return r, R, u, w, a + cross(w, velocity), alpha - cross(omega, w)


@optional_kernel("lumped", returns=(Vec3, Mat3, Vec3, Vec3, Vec3, Vec3))
def lumped_station(model, ws, i, at, q, v, base):
    """`flexible_station` of a body of slices."""
    node, body = model.tree[i], lumped_body(model, i)
    s, g = 0.5 * body.twice_s, 0.0 if body.inertia == UNDEFORMED else 1.0
    motion = station(model.floats, at, node.floats, body.scheme, s, g, node.ne, q, node.e, v, node.ev, ws.flex, base)
    return unturned(ws, i, motion) if body.scheme == NONE else motion


@kernel
def known_station(model, ws, i, at, q, v):
    """A marker on a body with internal coordinates, its numbers beginning at model.floats[at], in the body's frame.

    Returns position, rotation, velocity, angular velocity and the accelerations (linear, angular) that remain when
    those of the internal coordinates are zero. Its shapes (theta, psi), of the coordinates of its `support`, begin 6 n
    numbers before the end of ws.flex.
    """
    node, floats, flex = model.tree[i], model.floats, ws.flex
    n, e, ev, base = node.ne, node.e, node.ev, flex.size - 6 * node.ne
    if node.kind == NODAL:
        if is_cable(model, i):
            return cable_station(floats, at, q, e, v, ev, flex, base)
        if is_shell(model, i):
            return shell_station(floats, at, q, e, v, ev, flex, base)
        if is_rod(model, i):
            return rod_station(floats, at, q, e, v, ev, flex, base)
        return nodal_station(floats, at, q, e, v, ev, flex, base)
    if node.kind == MODAL:
        return modal_station(floats, at, n, q, e, v, ev, flex, base)
    if node.kind == DEPLOYING:
        return deploying_station(model, i, at, q, v, flex, base)
    if node.kind == ALE:
        return ale_station(model, i, at, q, v, flex, base)
    return lumped_station(model, ws, i, at, q, v, base)


any_station = chain("any_station", "station", "model, ws, i, at, q, v", KIND_OF, MODULES, known_station, __name__)


@optional_kernel("flexible", returns=(Vec3, Mat3, Vec3, Vec3, Vec3, Vec3))
def flexible_station(model, ws, i, at, q, v):
    """A marker on a body with internal coordinates, of any kind: see `known_station`."""
    return any_station(model, ws, i, at, q, v)


@kernel
def line_stretch(model, i, at, q):
    """Length that the line of body i has at a station, of one that it has without deformation; that of beams, whose
    strains are small, is left out."""
    if model.tree[i].ne > 0 and model.tree[i].kind == NODAL and is_cable(model, i):
        return cable_stretch(model.floats, at, q, model.tree[i].e)
    return 1.0


@kernel
def has_line_stations(model, i):
    """Whether stations of body i have positions and gradients by `line_station`, without rotations."""
    return model.tree[i].ne > 0 and model.tree[i].kind == NODAL and is_cable(model, i)


@kernel
def line_station(model, i, at, q, v):
    """Position, velocity and gradient of the line of body i at a station, body axes."""
    return cable_point(model.floats, at, q, model.tree[i].e, v, model.tree[i].ev)


@kernel
def push_line_station(model, ws, i, at, force):
    """Lets a force, in the axes of body i, act on its coordinates at a station."""
    push_point(model.floats, at, force, ws.flex, internal_forces_at(model, i))


@optional_kernel("rail", returns=(Vec3, Mat3, Vec3, Vec3, Vec3, Vec3))
def travelling_station(model, ws, i, q, v):
    """The marker that the rail joint of body i moves along its parent, as `flexible_station`, with the joint's motion.

    The joint's column, in the parent's frame, goes to ws.dofs. Only lumped bodies bear rails.
    """
    return lumped_rail(model, ws, i, q, v)


@kernel
def known_strain(model, i, q):
    """Energy stored inside body i [J]."""
    if model.tree[i].kind == NODAL:
        if is_shell(model, i):
            return shell_strain(model, i, q)
        if is_rod(model, i):
            return rod_strain(model, i, q)
        return cable_strain(model, i, q) if is_cable(model, i) else nodal_strain(model, i, q)
    if model.tree[i].kind == MODAL:
        return modal_strain(model, i, q)
    if model.tree[i].kind == DEPLOYING:
        return deploying_strain(model, i, q)
    if model.tree[i].kind == ALE:
        return ale_strain(model, i, q)
    return lumped_strain(model, i, q)


@kernel
def known_dissipation(model, i, q, v):
    """Power dissipated inside body i [W]."""
    if model.tree[i].kind == NODAL:
        if is_shell(model, i):
            return shell_dissipation(model, i, q, v)
        if is_rod(model, i):
            return rod_dissipation(model, i, q, v)
        return cable_dissipation(model, i, q, v) if is_cable(model, i) else nodal_dissipation(model, i, v)
    if model.tree[i].kind == MODAL:
        return modal_dissipation(model, i, v)
    if model.tree[i].kind == DEPLOYING:
        return deploying_dissipation(model, i, q, v)
    if model.tree[i].kind == ALE:
        return ale_dissipation(model, i, q, v)
    return lumped_dissipation(model, i, v)


strain = chain("strain", "strain", "model, i, q", KIND_OF, MODULES, known_strain, __name__)
dissipation = chain("dissipation", "dissipation", "model, i, q, v", KIND_OF, MODULES, known_dissipation, __name__)


@optional_kernel("flexible", returns=1)
def stored_inside(model, q):
    """`strain_energy` of a model with flexible bodies."""
    energy = 0.0 * q[0]
    for k in range(model.flexible.size):
        energy += strain(model, model.flexible[k], q)
    return energy


@kernel
def strain_energy(model, q):
    """Energy stored inside the bodies [J]."""
    if model.flexible.size > 0:
        return stored_inside(model, q)
    return 0.0 * q[0] if q.size > 0 else 0.0


@optional_kernel("flexible", returns=1)
def lost_inside(model, q, v):
    """`internal_dissipation` of a model with flexible bodies."""
    power = 0.0 * v[0]
    for k in range(model.flexible.size):
        power += dissipation(model, model.flexible[k], q, v)
    return power


@kernel
def internal_dissipation(model, q, v):
    """Power dissipated inside the bodies [W]."""
    if model.flexible.size > 0:
        return lost_inside(model, q, v)
    return 0.0 * v[0] if v.size > 0 else 0.0
