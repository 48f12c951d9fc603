"""Pictures and films that are drawn without a browser."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.kernels.rasterizer import fill_triangles, shrink

SIZE = (40, 60)
"""Height and width of the pictures [px]."""
FACE = np.array([[0, 2, 1]])


def blank():
    return np.zeros((SIZE[0], 3 * SIZE[1]), np.uint8), np.zeros(SIZE, np.float32)


def corners(*places, near=1.0):
    return np.array([(x, y, near) for x, y in places], float)


def flat(value):
    return np.full((3, 3), float(value))


def drawn(picture):
    return picture.reshape(*SIZE, 3)[:, :, 0]


def test_a_triangle_covers_the_places_whose_middles_are_inside():
    picture, nearest = blank()
    points = corners((5.3, 4.1), (50.7, 9.9), (20.2, 36.3))
    fill_triangles(points, flat(200), FACE[:, ::-1].copy(), 1.0, picture, nearest)
    fill_triangles(points, flat(200), FACE, 1.0, picture, nearest)
    y, x = np.mgrid[: SIZE[0], : SIZE[1]] + 0.5
    side = [
        (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])
        for a, b in zip(points, np.roll(points, -1, axis=0), strict=True)
    ]
    inside = np.all(np.array(side) >= 0.0, axis=0) | np.all(np.array(side) <= 0.0, axis=0)
    np.testing.assert_array_equal(drawn(picture) == 200, inside)


def test_one_that_looks_away_is_not_drawn():
    picture, nearest = blank()
    points = corners((5.0, 4.0), (50.0, 9.0), (20.0, 36.0))
    one, other = FACE, FACE[:, ::-1].copy()
    fill_triangles(points, flat(9), one, 1.0, picture, nearest)
    first = np.count_nonzero(picture)
    fill_triangles(points, flat(9), other, 1.0, *blank())
    assert first > 0
    picture, nearest = blank()
    fill_triangles(points, flat(9), other, 1.0, picture, nearest)
    assert not picture.any()


def test_the_nearest_is_seen_whatever_is_drawn_first():
    far, near = corners((2, 2), (55, 2), (2, 38), near=0.5), corners((2, 2), (55, 2), (2, 38), near=0.8)
    pictures = []
    for order in ((far, near), (near, far)):
        picture, nearest = blank()
        for points in order:
            fill_triangles(points, flat(100 if points is far else 200), FACE, 1.0, picture, nearest)
        pictures.append(picture)
    np.testing.assert_array_equal(*pictures)
    assert set(np.unique(pictures[0])) == {0, 200}


def test_distances_are_those_of_points_in_space():
    """1 / distance is linear over the picture: a plane that slants away hides what is behind it, and no more."""
    picture, nearest = blank()
    slanted = np.array([(2.0, 2.0, 1.0), (58.0, 2.0, 0.1), (2.0, 38.0, 1.0)])
    fill_triangles(slanted, flat(50), FACE, 1.0, picture, nearest)
    x, y = 29, 5
    assert nearest[y, x] == pytest.approx(1.0 - 0.9 * (x + 0.5 - 2.0) / 56.0, rel=1e-5)


def test_what_is_translucent_lets_what_is_behind_shine_through():
    picture, nearest = blank()
    points = corners((2, 2), (55, 2), (2, 38))
    fill_triangles(points, flat(100), FACE, 1.0, picture, nearest)
    before = nearest.copy()
    points[:, 2] = 2.0
    fill_triangles(points, flat(200), FACE, 0.25, picture, nearest)
    assert drawn(picture)[10, 10] == 125
    np.testing.assert_array_equal(nearest, before)


def test_what_is_behind_the_camera_is_not_drawn():
    picture, nearest = blank()
    points = corners((2, 2), (55, 2), (2, 38))
    points[0, 2] = -1.0
    fill_triangles(points, flat(100), FACE, 1.0, picture, nearest)
    assert not picture.any()


def test_half_the_size_is_the_mean_of_four(rng):
    picture = rng.integers(0, 256, (8, 3 * 12), dtype=np.uint8)
    out = np.zeros((4, 3 * 6), np.uint8)
    shrink(picture, out)
    mean = picture.reshape(4, 2, 6, 2, 3).astype(float).mean(axis=(1, 3))
    np.testing.assert_array_equal(out.reshape(4, 6, 3), np.floor(mean + 0.5))


@pytest.fixture(scope="module")
def swing():
    """A pendulum with a ball that is drawn."""
    system = jd.System("swing", gravity=(0.0, 0.0, -9.81))
    ball = jd.RigidBody("ball", mass=1.0, inertia=(0.1, 0.1, 0.1), com=(0.5, 0, 0), shape=jd.Box((1.0, 0.1, 0.1)))
    system.add(ball, joint=jd.Revolute("hinge", axis="y"))
    model = system.compile()
    return jd.simulate(model, model.state(), until=0.5, output=0.01, progress=False)


@pytest.mark.parametrize("kind", ["gif", "webp"])
def test_a_moving_picture_shows_the_run_from_beginning_to_end(swing, tmp_path, kind):
    from PIL import Image

    path = swing.animate(tmp_path / f"swing.{kind}", size=(96, 64), frames_per_second=20.0)
    with Image.open(path) as film:
        assert film.size == (96, 64) and film.n_frames == 11
        first = np.asarray(film.convert("RGB"), float)
        assert film.info["duration"] == 50 and film.info["loop"] == 0
        film.seek(10)
        last = np.asarray(film.convert("RGB"), float)
    assert np.abs(last - first).mean() > 1.0


@pytest.mark.parametrize("kind", ["mp4", "webm"])
def test_a_film_has_its_pictures_and_its_duration(swing, tmp_path, kind):
    av = pytest.importorskip("av", reason='films are written with PyAV: pip install "jourdain[video]"')
    told = []
    path = swing.animate(
        tmp_path / f"swing.{kind}", size=(96, 64), speed=0.5, progress=lambda done, of: told.append((done, of))
    )
    with av.open(str(path)) as film:
        pictures = [one.to_ndarray(format="rgb24") for one in film.decode(video=0)]
    assert len(pictures) == 31 and pictures[0].shape == (64, 96, 3) and told[-1] == (31, 31)
    assert np.abs(pictures[-1].astype(float) - pictures[0]).mean() > 1.0


@pytest.mark.parametrize(("joint", "speed", "follow"), [("Prismatic", 9.0, 1), ("Revolute", 7.0, -1)])
def test_the_camera_follows_what_leaves_not_what_swings(joint, speed, follow):
    """A ball that flies 9 m is followed; one that swings about a hinge 1 m away is not, and its circle is seen."""
    from jourdain.view.scene import scene
    from jourdain.view.staging import stage

    system = jd.System("ball")
    system.add(
        jd.RigidBody(
            "ball", mass=1.0, com=(1, 0, 0), inertia=(0.1, 0.1, 0.1), shape=jd.Sphere(0.1).at("origin", (1, 0, 0))
        ),
        joint=getattr(jd, joint)("axis", axis="z"),
    )
    model = system.compile()
    run = jd.simulate(model, model.state(v={"axis": speed}), until=1.0, output=0.05, progress=False)
    staged = stage([scene(run)], {})
    low, high = np.array(staged["box"])
    assert staged["follow"] == follow
    np.testing.assert_allclose(high - low, (0.2, 0.2, 0.2) if follow == 1 else (2.2, 2.2, 0.2), atol=0.12)


def test_a_body_is_drawn_where_it_is():
    """The middle of what is no sky is the middle of a ball, projected."""
    from jourdain.view.drawing import Painter
    from jourdain.view.scene import scene
    from jourdain.view.staging import stage, visible

    system = jd.System("slide")
    ball = jd.RigidBody("ball", mass=1.0, inertia=(0.1, 0.1, 0.1), shape=jd.Sphere(0.1))
    system.add(ball, joint=jd.Prismatic("slider", axis=(1, 0, 1)))
    model = system.compile()
    run = jd.simulate(model, model.state(v={"slider": 0.3}), until=1.0, output=0.1, progress=False)
    shown = visible(scene(run, times=np.array([0.0, 1.0])))
    painter = Painter(shown, stage([shown], {}) | {"floor": None}, 320, 240)
    sky = painter._sky.reshape(480, 640, 3)[::2, ::2].astype(int)
    for i, place in enumerate((0.0, 0.3)):
        rows, columns = np.nonzero(np.abs(painter.draw(i).astype(int) - sky).sum(axis=2) > 12)
        axes, centre, distance, slope = painter.camera
        seen = axes @ (place * np.array([1.0, 0.0, 1.0]) / np.sqrt(2.0) - centre)
        away = distance - seen[2]
        scale = 120.0 / slope * away / (away**2 - 0.1**2)  # the middle of the ellipse that a ball is seen as
        expected = 160.0 + scale * seen[0], 120.0 - scale * seen[1]
        assert len(rows) == pytest.approx(np.pi * (0.1 * scale) ** 2, rel=0.06)
        assert np.hypot(columns.mean() + 0.5 - expected[0], rows.mean() + 0.5 - expected[1]) < 1.0


@pytest.mark.parametrize(
    ("name", "given", "match"),
    [
        ("film.mov", {}, 'no film of kind ".mov"'),
        ("film.gif", {"size": (95, 64)}, "two even numbers"),
        ("film.gif", {"speed": 0.0}, "must be above 0"),
        ("film.gif", {"speed": 1e-6}, "20000 are written at most. Give speed="),
    ],
)
def test_what_cannot_be_drawn_is_said(swing, tmp_path, name, given, match):
    with pytest.raises(jd.JourdainError, match=match):
        swing.animate(tmp_path / name, **given)
    assert not list(tmp_path.iterdir())
