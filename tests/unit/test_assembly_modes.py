"""Assembly modes of parallel robots: one for each pose of the platform, as an independent formulation finds them."""

from __future__ import annotations

import numpy as np
import pytest
from oracle import quaternion_turn

import jourdain as jd

LENGTHS = {"leg0": 0.05, "leg1": -0.03, "leg2": 0.04, "leg3": 0.0, "leg4": 0.02, "leg5": -0.05}
# Dietmaier 1998, The Stewart-Gough platform of general geometry can have 40 real postures: joints of base and platform
BASE = np.array([(0, 0, 0), (1.107915, 0, 0), (0.549094, 0.756063, 0), (0.735077, -0.223935, 0.525991),
                 (0.514188, -0.526063, -0.368418), (0.590473, 0.094733, -0.205018)])  # fmt: skip
PLATFORM = np.array([(0, 0, 0), (0.542805, 0, 0), (0.956919, -0.528915, 0), (0.665885, -0.353482, 1.402538),
                     (0.478359, 1.158742, 0.107672), (-0.137087, -0.235121, 0.353913)])  # fmt: skip
LEGS = np.array([1.0, 0.645275, 1.086284, 1.503439, 1.281933, 0.771071])


def poses_by_distances(base, platform, legs, tries, size, seed=0):
    """Poses (position, rotation) of a platform whose joints have these distances: six equations
    |p + R b - a|^2 = l^2 in six unknowns, by Newton's method from random poses; no joints, no legs, no trees."""
    numbers = np.random.default_rng(seed)
    found: list[np.ndarray] = []
    for _ in range(tries):
        p, q = numbers.uniform(-size, size, 3), numbers.normal(size=4)
        q /= np.linalg.norm(q)
        for _ in range(60):
            arm = platform @ quaternion_turn(q).T
            u = p + arm - base
            left = np.einsum("ij,ij->i", u, u) - legs**2
            if np.max(np.abs(left)) < 1e-13:
                pose = np.concatenate([p, quaternion_turn(q).ravel()])
                if not any(np.max(np.abs(pose - one)) < 1e-6 for one in found):
                    found.append(pose)
                break
            step = np.linalg.lstsq(np.hstack([2 * u, 2 * np.cross(arm, u)]), -left, rcond=None)[0]
            step *= min(1.0, 0.5 / np.max(np.abs(step)))
            half, w = 0.5 * np.linalg.norm(step[3:]), step[3:]
            turn = np.sinc(half / np.pi) * 0.5 * w
            q = np.concatenate(
                [[np.cos(half) * q[0] - turn @ q[1:]], np.cos(half) * q[1:] + q[0] * turn + np.cross(turn, q[1:])]
            )
            q, p = q / np.linalg.norm(q), p + step[:3]
    return np.array(found)


def poses_of(modes, model):
    places = [model.pose("platform.origin", mode.state) for mode in modes]
    return np.array([np.concatenate([one.position, np.asarray(one.rotation).ravel()]) for one in places])


def same_sets(one, other):
    apart = np.max(np.abs(one[:, None] - other[None]), axis=2)
    return len(one) == len(other) and apart.min(axis=0).max() < 1e-6 and apart.min(axis=1).max() < 1e-6


def test_a_hexapod_has_one_mode_for_each_pose_of_its_platform():
    """Eight, as six distances say, each a solution; with turned legs told apart there are many for each."""
    model = jd.mechanism.hexapod().compile()
    modes = jd.mechanism.assembly_modes(model, LENGTHS, tries=15, length=12.0)
    found = poses_of(modes, model)
    low, high = jd.mechanism.hexapod_joints(0.5, 0.3, 0.35)
    rest = np.linalg.norm(high + [0, 0, 0.6] - low, axis=1)
    wanted = poses_by_distances(low, high, rest + list(LENGTHS.values()), 150, 0.8)
    assert len(wanted) == 8 and same_sets(found, wanted)
    for mode in modes:
        assert np.max(np.abs(model.constraints.residual(mode.state.q))) < 1e-9
        assert [mode.state.q[model.index.q[name]] for name in LENGTHS] == pytest.approx(
            list(LENGTHS.values()), abs=1e-12
        )
    # both sides of the base are mirror images of each other, in circuits of their own
    mirrored = found * np.array([1, 1, -1, 1, 1, -1, 1, 1, -1, -1, -1, 1])
    assert same_sets(found, mirrored)


@pytest.mark.parametrize(("marked", "turned", "count"), [(False, False, 2), (False, True, 4), (True, False, 4)])
def test_a_link_between_a_universal_and_a_ball_joint_counts_once(marked, turned, count):
    """R-U-S-R of Bernier, Dequidt & Valdes 2002: two outputs, each with its link in two ways, which a frame beside the
    line through the joints tells apart."""
    Pair, frames = jd.mechanism.Pair, {"mark": (0.0, 0.05, 0.0)} if marked else {}

    def bar(name, **more):
        return jd.RigidBody(name, 1.0, inertia=(0.01, 0.01, 0.01), **more)

    table = [
        Pair(bar("1"), "revolute", joint="q1"),
        Pair(bar("2", frames=frames), "universal", alpha=np.pi / 2, d=0.10, joint="q2"),
        Pair(bar("3"), "spherical", d=0.40, joint="q3"),
        Pair("4", "fixed", d=0.30),
        Pair(bar("5"), to="world", epsilon=0.0, gamma=0.0, alpha=np.pi / 3, d=0.45, r=0.05, joint="q5"),
    ]
    system = jd.mechanism.from_dh("RUSR", table)
    system.connect(jd.Weld("closure"), "4.origin", "5.origin")
    model = system.compile()
    modes = jd.mechanism.assembly_modes(model, {"q1": 0.5}, tries=20, length=7.0, turned=turned)
    outputs = np.unique(np.round([np.angle(np.exp(1j * one.state.q[model.index.q["q5"]])) for one in modes], 6))
    assert len(modes) == count and outputs == pytest.approx([-1.308882, 1.176725], abs=1e-6)


@pytest.mark.slow
def test_the_platform_of_dietmaier_has_forty():
    """Published: 40 real postures, the most that there can be; the same set as six distances give."""
    system = jd.System("Dietmaier")
    corners = {f"corner{i}": tuple(one) for i, one in enumerate(PLATFORM)}
    system.add(jd.RigidBody("platform", 1.0, inertia=(1, 1, 1), frames=corners), jd.Free("pose"))
    for i, (foot, length) in enumerate(zip(BASE, LEGS, strict=True)):
        rod = jd.constraints.Rod(f"rod{i}", length=length)
        system.connect(rod, f"platform.corner{i}", "world", position=tuple(foot))
    model = system.compile()
    modes = jd.mechanism.assembly_modes(model, tries=4000)
    wanted = poses_by_distances(BASE, PLATFORM, LEGS, 4000, 1.2)
    assert len(wanted) == 40 and same_sets(poses_of(modes, model), wanted)
