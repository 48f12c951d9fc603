"""Articulated inertias alone: the elimination of `articulated` without forces, of what multipliers can move."""

from __future__ import annotations

from ..algebra import dyad_subtracted, shift_back
from ..bodies.body_dispatch import own_inertia
from ..compiler import kernel, separate_kernel
from ..tree.articulated import is_lone
from ..tree.flexible import eliminate_internal, load_flexible_parent


@kernel
def eliminate_joint(model, ws, i, I):
    """Columns U and inverse inertias D of the entries of the joint of body i; returns the inertia that is left."""
    node = model.tree[i]
    for k in range(node.v + node.nv - 1, node.v - 1, -1):
        dof = ws.dofs[k]
        S = dof.S
        U = I @ S
        D = S @ U + model.bodies[i].armature
        dof.U = U
        if ws.known[k] == 0:
            D = 1.0 / D
            I = dyad_subtracted(I, U, D)
        dof.D = D
    return I


@kernel
def eliminate_lone(model, ws):
    """Eliminates the bodies with constraints that `articulated_accelerations` takes by themselves."""
    links = ws.solve_links
    for b in range(ws.layout.body_count):
        i = links[ws.layout.bodies + b]
        if is_lone(model.tree, ws.known, i):
            eliminate_joint(model, ws, i, own_inertia(model, ws, i))


@separate_kernel
def articulated_inertias(model, ws):
    """Leaves in ws.dofs and ws.flex what `articulated_accelerations` leaves there of inertias, after `kinematics`."""
    tree, links = model.tree, ws.solve_links
    for b in range(ws.layout.body_count - 1, -1, -1):
        i = links[ws.layout.bodies + b]
        node, body = tree[i], ws.bodies[i]
        I = own_inertia(model, ws, i)
        if node.branches or (i + 1 < len(tree) and tree[i + 1].parent == i):
            I += body.articulated
        if node.ne > 0:
            I, _ = eliminate_internal(model, ws, i, I, body.bias_force.zero, ws.effort, ws.effort)
        I = eliminate_joint(model, ws, i, I)
        if node.parent > 0:
            parent = ws.bodies[node.parent]
            if tree[node.parent].ne > 0:
                load_flexible_parent(model, ws, i, I)
            I = shift_back(I, body.p_PB)
            if not tree[node.parent].branches and node.parent == i - 1:
                # a carrier of which nothing else hangs, whose sums `kinematics` does not clear
                parent.articulated = I
            else:
                parent.articulated += I
