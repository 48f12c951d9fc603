"""Nodes and matrices of scikit-fem, in the order of nodes."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....basics.errors import ModelError
from .matrices import as_matrix


def from_basis(name: str, basis: Any, mass_matrix: Any, stiffness_matrix: Any) -> tuple[np.ndarray, Any, Any]:
    """Nodes (N, 3) of a basis of a vector element, and its matrices with the degrees of freedom of each together.

    Nodes 0, 1, ... are the mesh's; those that quadratic elements add on edges, facets and inside come behind.
    """
    order, places = [], []
    for dofs in (basis.nodal_dofs, basis.edge_dofs, basis.facet_dofs, basis.interior_dofs):
        if dofs is None or not dofs.size:
            continue
        d = len(basis.doflocs)
        if d not in (2, 3) or len(dofs) % d:
            raise ModelError.at(
                f"{name}: basis",
                f"has {len(dofs)} degrees of freedom at a place in {d} dimensions; give a vector element in two or "
                "three, such as ElementVector(ElementTetP1())",
            )
        each = dofs.reshape(-1, d, dofs.shape[1]).transpose(2, 0, 1).reshape(-1, d)
        order.append(each.ravel())
        places.append(basis.doflocs[:, each[:, 0]].T)
    index = np.concatenate(order)
    given = {"mass_matrix": mass_matrix, "stiffness_matrix": stiffness_matrix}
    for what, matrix in given.items():
        given[what] = as_matrix(matrix, f"{name}: {what}")
        if given[what].shape != (len(index), len(index)):
            raise ModelError.at(
                f"{name}: {what}",
                f"has shape {given[what].shape}; the basis has {len(index)} degrees of freedom: assemble it there",
            )
    M, K = (matrix[index][:, index] for matrix in given.values())
    nodes = np.concatenate(places)
    if nodes.shape[1] == 2:
        nodes = np.hstack([nodes, np.zeros((len(nodes), 1))])
    return nodes, M, K
