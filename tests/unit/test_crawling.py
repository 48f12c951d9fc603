"""Quasi-static crawling against Figurina 2002 (NATO ASI, part A, section 11) and the conditions of friction."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd


def test_velocities_of_two_links():
    """At 0.3 rad, links of 1 and 0.4; the line of the moving end is m0 l1 / m2 = 1 away from the end at rest."""
    slide = jd.mechanism.Crawler((1.0, 0.4), (1.0, 1.0, 1.0)).slide((np.pi, 0.3), (0.0, 1.0))
    wanted = [[0.0, -0.217838], [0.0, 0.0], [-0.092458, 0.081053]]
    np.testing.assert_allclose(slide.velocity, wanted, atol=6e-7)
    end, along = np.array([1.0 + 0.4 * np.cos(0.3), 0.4 * np.sin(0.3)]), slide.velocity[2]
    distance = abs(end[0] * along[1] - end[1] * along[0]) / np.hypot(*along)
    assert distance == pytest.approx(1.0, abs=1e-8)
    heavy = jd.mechanism.Crawler((1.0, 0.4), (0.9, 1.0, 0.8)).slide((np.pi, 0.1), (0.0, 1.0))
    along, end = heavy.velocity[2], np.array([1.0 + 0.4 * np.cos(0.1), 0.4 * np.sin(0.1)])
    assert not heavy.moves[1] and abs(end[0] * along[1] - end[1] * along[0]) / np.hypot(*along) == pytest.approx(1.125)


def test_phases_of_two_links():
    """II, III, I with limits pi/3 - acos(l1 / 2 l2) and 2 pi/3 - acos(l2 / l1); II, I at acos(1 - l2 / l1)."""
    limits = {0.8: (8.6822, 83.1301), 0.6: (26.4427, 66.8699), 0.4: (53.1301, 53.1301)}
    for short, (first, second) in limits.items():
        two = jd.mechanism.Crawler((1.0, short), (1.0, 1.0, 1.0))

        def moves(angle, two=two):
            return two.slide((np.pi, np.radians(angle)), (0.0, 1.0)).moves.tolist()

        assert moves(first - 0.01) == [True, False, True]
        assert moves(second + 0.01) == [False, False, True]
        if short > 0.5:
            assert moves(first + 0.01) == moves(second - 0.01) == [True, True, True]
            slide = two.slide((np.pi, 0.8), (0.0, 1.0))  # lines of motion meet in one point: forces do
            lines = [[*f, two.points((1, 0), (np.pi, 0.8))[i] @ (f[1], -f[0])] for i, f in enumerate(slide.force)]
            assert abs(np.linalg.det(lines)) < 1e-9


def test_star_of_three_links():
    """The third link rests up to 2 asin((1 + mu) / 2); the centre goes sqrt((1 - c) / (1 + c)), c = (1 + mu) / 2."""
    for mu in (0.3, 0.7):
        star = jd.mechanism.Crawler((1.0, 1.0, 1.0), (mu, 1.0, 1.0, 1.0))
        half, c = np.arcsin((1 + mu) / 2), (1 + mu) / 2
        for more, moving in ((-1e-3, False), (1e-3, True)):
            slide = star.slide((np.pi, half + more, -half - more), (0.0, 1.0, -1.0))
            assert slide.moves.tolist() == [moving, moving, True, True]
        misses = []
        for steps in (10, 40):
            way = star.crawl(np.pi + np.array([[-half, half], [-np.pi / 2, np.pi / 2]]), steps=steps, heading=np.pi)
            misses.append(abs(way.points[-1, 0, 0] - np.sqrt((1 - c) / (1 + c))))
            line = np.diff(way.points[:, 2], axis=0)
            np.testing.assert_allclose(line[:, 1] / line[:, 0], line[0, 1] / line[0, 0], rtol=1e-2)  # straight
        assert misses[1] < 1e-4 and misses[1] < misses[0] / 8


def test_centre_that_stays():
    """One link turned: the centre stays while the angle to a neighbour is at most 2 asin(mu / 2), always if
    mu >= sqrt(3); from mu = 2 on nothing moves it. Whatever moves, forces are in balance."""
    numbers = np.random.default_rng(3)
    for mu in (0.4, 1.0, 1.75, 2.05):
        star = jd.mechanism.Crawler((1.0, 1.0, 1.0), (mu, 1.0, 1.0, 1.0))
        for _ in range(6):
            way = numbers.uniform(0, 2 * np.pi, 3)
            gap = np.min(np.abs((way[1:] - way[0] + np.pi) % (2 * np.pi) - np.pi))
            one = star.slide(way, (1.0, 0.0, 0.0))
            if mu >= np.sqrt(3) or gap <= 2 * np.arcsin(min(1.0, mu / 2)):
                assert one.moves.tolist() == [False, True, False, False]
            any_ = star.slide(way, numbers.normal(size=3))
            assert not any_.moves[0] or mu < 2.0
        if mu != 1.0:  # two links that open beyond 2 asin((1 + mu) / 2) move it, which for mu > 1 is no angle
            assert star.slide((np.pi, 1.5, -1.5), (0.0, 1.0, -1.0)).moves[0] == (mu < 1.0)
            for slide in (one, any_):
                places = star.points((0.0, 0.0), way)
                assert np.max(np.abs(slide.force.sum(axis=0))) < 1e-8
                assert abs(np.sum(places[:, 0] * slide.force[:, 1] - places[:, 1] * slide.force[:, 0])) < 1e-8


def test_what_is_refused():
    bad = [((1.0,), (1.0, 1.0)), ((1.0, 0.4), (1.0, 1.0)), ((1.0, -0.4), (1.0, 1.0, 1.0))]
    for lengths, masses in bad:
        with pytest.raises(jd.JourdainError):
            jd.mechanism.Crawler(lengths, masses)
    star = jd.mechanism.Crawler((1.0, 1.0), (1.0, 1.0, 1.0))
    with pytest.raises(jd.JourdainError, match="gait"):
        star.crawl([[0.0, 1.0]])
    with pytest.raises(jd.JourdainError, match="rates"):
        star.slide((0.0, 1.0), (1.0,))


def rubbing(address):
    """Friction of a unit mass, rounded off at the speed p[0]."""

    @jd.law(markers=(address,))
    def rub(t, q, v, z, s, p, effort, dz):
        speed = (s[10] ** 2 + s[11] ** 2 + p[0] ** 2) ** 0.5
        effort[3] -= s[10] / speed
        effort[4] -= s[11] / speed

    return rub


@pytest.mark.slow
def test_slow_dynamics_tend_to_it():
    """Two links with inertia, driven at 0.01 rad/s, friction rounded off: the error falls with the rounding."""
    rate, misses = 1e-2, []
    for rounding in (1e-3, 2.5e-4):
        system = jd.System("two links")
        small = {"inertia": (1e-6, 1e-6, 1e-6)}
        system.add(jd.RigidBody("a0", 1.0, **small), jd.Planar("plane", normal="z"))
        for name, x, joint in (("a1", -1.0, jd.Weld("held")), ("a2", 0.4, jd.Revolute("bend", axis="z"))):
            system.add(jd.RigidBody(name, 1.0, (x, 0, 0), frames={"end": (x, 0, 0)}, **small), joint, to="a0.origin")
        places = ("a0.origin", "a1.end", "a2.end")
        for place in places:
            system.force(f"on {place[:2]}", at=place, force=rubbing(place)(rounding * rate))
        model = system.compile()
        drive = {"bend": jd.Polynomial([0.25, rate])}
        state = model.state(q={"bend": 0.25}, v={"bend": rate})
        options = {"method": "radau", "rtol": 1e-7, "atol": 1e-9, "motions": drive}
        run = jd.simulate(model, state, 0.05 / rate, output=0.05 / rate, **options)
        arm = run.frame("a1.end").position.values[-1] - run.frame("a0.origin").position.values[-1]
        way = np.arctan2(arm[1], arm[0])
        wanted = jd.mechanism.Crawler((1.0, 0.4), (1.0, 1.0, 1.0)).slide((way, way - np.pi + 0.3), (0.0, 1.0))
        found = [run.frame(place).velocity.values[-1, :2] / rate for place in places]
        misses.append(np.max(np.abs(np.array(found) - wanted.velocity)))
    assert misses[0] < 2e-3 and misses[1] < misses[0] / 3
