"""Rasterisation of triangles with a z-buffer: the animations that are drawn without a browser.

Pictures are (height, 3 width) bytes, red, green and blue of each pixel; positions are (x, y) with y downwards [px].
"""

from __future__ import annotations

from .compiler import entry_point, kernel
from .signatures import Bytes, IntegerMatrix, Matrix, Singles


@kernel
def turned(a, b, c, points):
    """Twice the area of a triangle on the picture [px^2]: positive where it faces the camera."""
    return (points[c, 0] - points[a, 0]) * (points[b, 1] - points[a, 1]) - (points[b, 0] - points[a, 0]) * (
        points[c, 1] - points[a, 1]
    )


@kernel
def limits(a, b, c, points, axis, size):
    """First and last pixel that a triangle may cover along an axis, clipped to the picture."""
    low = min(points[a, axis], points[b, axis], points[c, axis])
    high = max(points[a, axis], points[b, axis], points[c, axis])
    return max(int(low), 0), min(int(high) + 1, size - 1)


@entry_point
def fill_triangles(
    points: Matrix, colours: Matrix, faces: IntegerMatrix, opacity: float, picture: Bytes, nearest: Singles
) -> None:
    """Draws the faces that face the camera, where nothing nearer was drawn before.

    points     (n, 3) position and 1 / distance, which is linear over the picture; 1 / distance <= 0: behind the camera
    colours    (n, 3) 0 to 255, interpolated over each face
    opacity    1: opaque. Less: blended with what is behind, and the z-buffer stays as it was
    nearest    (height, width) z-buffer: 1 / distance of the visible surface
    """
    height, width = nearest.shape
    solid = opacity >= 1.0
    for f in range(faces.shape[0]):
        a, b, c = faces[f, 0], faces[f, 1], faces[f, 2]
        if points[a, 2] <= 0.0 or points[b, 2] <= 0.0 or points[c, 2] <= 0.0:
            continue
        area = turned(a, b, c, points)
        if area <= 1e-9:
            continue
        left, right = limits(a, b, c, points, 0, width)
        top, bottom = limits(a, b, c, points, 1, height)
        # barycentric weights of b and c are linear over the picture: values at the first pixel centre, and their steps
        step_b = -(points[c, 1] - points[a, 1]) / area, (points[c, 0] - points[a, 0]) / area
        step_c = (points[b, 1] - points[a, 1]) / area, -(points[b, 0] - points[a, 0]) / area
        x, y = left + 0.5 - points[a, 0], top + 0.5 - points[a, 1]
        row_b, row_c = x * step_b[0] + y * step_b[1], x * step_c[0] + y * step_c[1]
        near, near_b, near_c = points[a, 2], points[b, 2] - points[a, 2], points[c, 2] - points[a, 2]
        for i in range(top, bottom + 1):
            wb, wc = row_b, row_c
            for j in range(left, right + 1):
                if wb >= 0.0 and wc >= 0.0 and wb + wc <= 1.0:
                    # depth test against the z-buffer, then interpolated colour
                    depth = near + wb * near_b + wc * near_c
                    if depth > nearest[i, j]:
                        for k in range(3):
                            own = (
                                colours[a, k]
                                + wb * (colours[b, k] - colours[a, k])
                                + wc * (colours[c, k] - colours[a, k])
                            )
                            behind = picture[i, 3 * j + k]
                            picture[i, 3 * j + k] = int(own if solid else opacity * own + (1.0 - opacity) * behind)
                        if solid:
                            nearest[i, j] = depth
                wb += step_b[0]
                wc += step_c[0]
            row_b += step_b[1]
            row_c += step_c[1]


@entry_point
def shrink(picture: Bytes, out: Bytes) -> None:
    """A picture of half the size, each pixel the mean of four (antialiasing)."""
    height, width = out.shape[0], out.shape[1] // 3
    for i in range(height):
        for j in range(width):
            for k in range(3):
                at = 6 * j + k
                upper = int(picture[2 * i, at]) + int(picture[2 * i, at + 3])
                lower = int(picture[2 * i + 1, at]) + int(picture[2 * i + 1, at + 3])
                out[i, 3 * j + k] = (upper + lower + 2) // 4
