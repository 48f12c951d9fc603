"""Mass matrix by the composite rigid body algorithm (CRBA): Walker & Orin 1982, method 3; Featherstone 2008, chapter
6.

H_kj = S_j^T F_k with F_k = I_i S_k the force of the composite body i. Forces and columns of joints are referred to the
origin of the tree's root instead of moving F from body to body. World axes: as in `articulated`.
"""

from __future__ import annotations

from ..algebra import shift, shift_back
from ..bodies.body_dispatch import has_sparse_mass, own_inertia, support, supported
from ..bodies.nodal_body import nodal_entries
from ..compiler import kernel, optional_kernel, separate_kernel
from ..flat_arrays import motion_at, wrench_at
from .flexible import load_flexible_parent
from .nodal_elimination import carried_entries


@kernel
def about_root(ws, i, root, f):
    """A force about the origin of body `root`, of one about that of body i."""
    return shift_back(f, ws.bodies[i].p_WB - ws.bodies[root].p_WB)


@kernel
def inboard_entries(model, ws, i, run, k, f, out):
    """Entries of column k with its own joint and all coordinates inboard of body i, from the force f about the
    origin of its root. Columns of joints are referred to that point too (`refer_columns`), so that an entry is one
    product. Bodies from `run` to i have their entries in a row (`run_of`).
    """
    tree = model.tree
    b, first, end = run, tree[run].v, tree[i].v + tree[i].nv
    while b > 0:
        for j in range(first, end):
            m = ws.dofs[j].S_root @ f
            out[j, k] = m
            out[k, j] = m
        node = tree[b]
        p = node.parent
        if tree[p].ne > 0:
            root = root_of(model, b)
            about_b = shift_back(f, ws.bodies[root].p_WB - ws.bodies[b].p_WB)
            count, where = support(model, p, node.station)
            for s in range(count):
                m = motion_at(ws.flex, node.phi + 6 * s) @ about_b
                j = tree[p].ev + supported(model, where, s)
                out[j, k] = m
                out[k, j] = m
        b = p
        first, end = tree[b].v, tree[b].v + tree[b].nv


@kernel
def run_of(model, i):
    """The first of the rigid bodies before body i that carry each other up to it, their entries of v in a row."""
    tree = model.tree
    while tree[i].parent == i - 1 and i > 1 and tree[i - 1].ne == 0:
        if tree[i].v != tree[i - 1].v + tree[i - 1].nv:
            break
        i -= 1
    return i


@kernel
def root_of(model, i):
    """The body on the world that body i hangs on."""
    while model.tree[i].parent > 0:
        i = model.tree[i].parent
    return i


@optional_kernel("flexible")
def internal_entries(model, ws, i, root, out):
    """Entries of the internal coordinates of body i: with each other, with its joint, and with all inboard of it."""
    node, flex, run = model.tree[i], ws.flex, run_of(model, i)
    size, ev, o = node.ne, node.ev, node.flex
    sparse = has_sparse_mass(model, i)
    if sparse:
        nodal_entries(model, i, out)
    for k in range(size):
        if not sparse:
            for j in range(size):
                out[ev + j, ev + k] = flex[o + 6 * size + size * j + k]
        f = about_root(ws, i, root, wrench_at(flex, o + 6 * k))
        inboard_entries(model, ws, i, run, ev + k, f, out)


@kernel
def refer_columns(model, ws):
    """Columns of the joints about the root of their tree, so that pairs of entries are one product each."""
    root = 0
    for i in range(1, len(model.tree)):
        node = model.tree[i]
        if node.branches:
            ws.bodies[i].articulated = ws.bodies[i].articulated.zero
        if node.parent != i - 1 or node.parent == 0:
            root = root_of(model, i)
        r = ws.bodies[root].p_WB - ws.bodies[i].p_WB
        for k in range(node.v, node.v + node.nv):
            ws.dofs[k].S_root = shift(ws.dofs[k].S, r)


@separate_kernel
def composite_mass_matrix(model, ws, out):
    """Mass matrix (nv, nv), after `kinematics`; entries of coordinates of which neither is inboard of the other are
    exactly zero. The rows of `ws.dofs` that `articulated` has for U, D and u are overwritten."""
    tree = model.tree
    for a in range(out.shape[0]):
        for b in range(out.shape[1]):
            out[a, b] = 0.0
    refer_columns(model, ws)
    # composite inertia of what hangs on a body: the next one hands it over, others leave it in its row
    none = ws.bodies[0].articulated.zero
    I, root, run = none, 0, len(tree)
    for i in range(len(tree) - 1, 0, -1):
        node = tree[i]
        # the body's own inertia and that of what it carries
        I += own_inertia(model, ws, i)
        if node.branches:
            I += ws.bodies[i].articulated
        if i == len(tree) - 1 or tree[i + 1].parent != i:
            root, run = root_of(model, i), run_of(model, i)
        elif i < run:
            run = run_of(model, i)
        # rows of its joint against all that is inboard
        for k in range(node.v, node.v + node.nv):
            inboard_entries(model, ws, i, run, k, about_root(ws, i, root, I @ ws.dofs[k].S), out)
            out[k, k] += model.bodies[i].armature
        if node.ne > 0:
            internal_entries(model, ws, i, root, out)
        # handed inward
        p = node.parent
        if p == 0:
            I = none
            continue
        if tree[p].ne > 0:
            load_flexible_parent(model, ws, i, I)
            if has_sparse_mass(model, p):
                carried_entries(model, ws, i, I, out)
        I = shift_back(I, ws.bodies[i].p_PB)
        if p != i - 1:
            ws.bodies[p].articulated += I
            I = none
