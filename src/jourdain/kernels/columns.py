"""Columns of the tables of bodies and joints, for kernels that do not read them by name yet (`tree/tree_rows.py`)."""

from __future__ import annotations

from .tree.tree_rows import SENSES_MARKER, BodyParameters, BodyState, DofState, TreeNode

__all__ = ["SENSES_MARKER"]

# ModelArrays.tree
PARENT, DOFS, KIND, N, EV, V, STATION = (TreeNode.fields[key].first for key in "parent nv kind ne ev v station".split())
# ModelArrays.bodies
MASS = BodyParameters.fields["mass"].first
# Workspace.bodies
ROT, POS, OMEGA, VEL, ART_J, FORCE, ACC, MC, JW = (
    BodyState.fields[key].first
    for key in "R_WB p_WB omega velocity articulated bias_force acceleration first_moment inertia".split()
)
ART_H, ART_M = ART_J + 6, ART_J + 15
# Workspace.dofs
S = DofState.fields["S"].first
