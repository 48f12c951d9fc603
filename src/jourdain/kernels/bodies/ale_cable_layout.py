"""Where the numbers of a cable on a winch stand; `ale_cable` says what they are."""

from __future__ import annotations

# integers
REEL_ELEMENTS, REEL_GRADIENTS, REEL_MASS_POINTS, REEL_STRAIN_POINTS = range(4)

# floats, behind the direction and the axes of the cable that a beam has too (12)
REEL_RADIUS, REEL_DENSITY, REEL_WHOLE, REEL_OUT, REEL_SPIN, REEL_ARMATURE = 12, 13, 14, 15, 16, 17
REEL_AXIS = 18
REEL_EA, REEL_EI, REEL_C, REEL_CB = 21, 22, 23, 24
REEL_STORED = 25
REEL_MASSES = 26
REEL_POINTS = 42

# a point of the mass: fraction of its element, weight, four functions, their first and second derivatives
MASS_POINT = 14
# a point of the strains: fraction, weights of stretch and of curvature, first, second and third derivatives
STRAIN_POINT = 15

# a station: element, fraction of it, 1 where its axes turn with the line, four functions, their derivatives
STATION_ELEMENT, STATION_FRACTION, STATION_TURNS, STATION_SHAPES, ALE_STATION_PARTIALS = 0, 1, 2, 3, 7
