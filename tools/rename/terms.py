"""Standard names into the first lines of docstrings."""

import re
from pathlib import Path

S = Path("src/jourdain")


def first(path, old, new):
    p = S / path
    s = p.read_text()
    if new in s:
        return
    if old not in s:
        print("not there:", path, repr(s[:160]))
        return
    p.write_text(s.replace(old, new, 1))


first(
    "kernels/tree/articulated.py",
    '"""Forward dynamics by articulated inertias, O(N)',
    '"""Forward dynamics by the articulated-body algorithm (ABA), O(N)',
)
first(
    "kernels/tree/composite.py",
    '"""Mass matrix by composite inertias:',
    '"""Mass matrix by the composite rigid body algorithm (CRBA):',
)
first(
    "kernels/tree/newton_euler.py",
    '"""Inverse dynamics, recursive Newton-Euler, O(N)',
    '"""Inverse dynamics by the recursive Newton-Euler algorithm (RNEA), O(N)',
)
for path, add in {
    "kernels/surface_contact/complementarity.py": "The linear complementarity problem (LCP) of the nodes that may touch.",
    "kernels/bodies/ancf_cable.py": "Absolute nodal coordinate formulation (ANCF).",
    "kernels/bodies/ale_cable.py": "Arbitrary Lagrangian-Eulerian (ALE) description of a cable.",
    "describe/bodies/floating_frame/craig_bampton.py": None,
    "kernels/optimal/multifrontal.py": "They are the Karush-Kuhn-Tucker (KKT) systems of an optimal control problem, factored by a multifrontal method.",
    "kernels/constraints/constraint_jacobian.py": "These rows are the constraint Jacobian A of A v + c = 0.",
    "kernels/derivatives/hessian.py": "With weights w these are the Hessian of w . R.",
    "kernels/linalg/supernodal_cholesky.py": None,
    "run/gpu/cases.py": None,
    "kernels/parallel/thread_pool.py": "The thread pool of one run.",
    "run/contact_steps.py": "A time step is stable with contact where it is small enough for stiffness and damping of what touches.",
    "cosimulation/master.py": "Co-simulation: Jacobi or Gauss-Seidel, with or without iteration.",
    "kernels/bodies/lumped_beam.py": "A formulation in a floating frame of reference (FFR), its mass lumped at stations.",
    "kernels/constraints/schur_complement.py": "S is the Schur complement of the mass matrix in the KKT system.",
    "kernels/contact/broad_phase.py": "The broad phase of contact.",
    "kernels/surface_contact/active_set.py": "The active set: which nodes touch, and which of these stick.",
    "kernels/surface_contact/mortar_3d.py": None,
}.items():
    if add is None:
        continue
    p = S / path
    s = p.read_text()
    if add in s:
        continue
    m = re.match(r'"""(.*?)"""', s, re.S)
    body = m[1]
    para, sep, rest = body.partition("\n\n")
    new = '"""' + para.rstrip() + "\n\n" + add + ("\n" + rest if sep else "\n") + '"""'
    if sep:
        new = '"""' + para + "\n\n" + add + "\n\n" + rest + '"""'
    p.write_text(s.replace(m[0], new, 1))
