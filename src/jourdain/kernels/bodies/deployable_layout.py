"""Where the numbers of a deploying beam stand; `deploying` says what they are."""

from __future__ import annotations

# integers
(
    SLICES,
    DEPLOYED_BENDING_Y,
    DEPLOYED_BENDING_Z,
    DEPLOYED_AXIAL,
    DEPLOYED_TORSION,
    DEPLOYED_COUPLING,
    SLICES_AT,
    DEPLOYED_COUPLING_AT,
) = range(8)

# floats
FIXED_MASS, MASS_A_LENGTH, EMERGES, WHOLE, GYRATION, EXPONENTS = 12, 13, 14, 15, 16, 17
MATRICES = 21
