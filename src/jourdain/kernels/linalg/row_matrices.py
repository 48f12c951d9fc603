"""3x3 matrices by rows for derivatives: cross-product matrices and changes of axes."""

from __future__ import annotations

from ..compiler import kernel
from ..spatial import matmul


@kernel
def skew(a):
    """The cross-product matrix a~: a~ x = a x x."""
    return (0.0, -a[2], a[1], a[2], 0.0, -a[0], -a[1], a[0], 0.0)


@kernel
def skew_product(a, b):
    """The matrix of a x (b x .), a~ b~ = b a^T - (a . b) 1."""
    return (
        -a[1] * b[1] - a[2] * b[2],
        b[0] * a[1],
        b[0] * a[2],
        b[1] * a[0],
        -a[0] * b[0] - a[2] * b[2],
        b[1] * a[2],
        b[2] * a[0],
        b[2] * a[1],
        -a[0] * b[0] - a[1] * b[1],
    )


@kernel
def full(S):
    """A symmetric 6-tuple as a 3x3 matrix."""
    return (S[0], S[3], S[4], S[3], S[1], S[5], S[4], S[5], S[2])


@kernel
def transposed(A):
    """A^T."""
    return (A[0], A[3], A[6], A[1], A[4], A[7], A[2], A[5], A[8])


@kernel
def turned(R, A):
    """R A R^T."""
    return matmul(R, matmul(A, transposed(R)))
