"""Models keep their hashes from version to version, so that run files are known again."""

from __future__ import annotations

import jourdain as jd


def ball() -> jd.System:
    system = jd.System("drop")
    system.add(jd.RigidBody("ball", mass=2.0, inertia=(0.5, 0.5, 0.5)), jd.Free("fly"))
    return system


def test_a_model_without_contact_has_the_hash_that_it_always_had():
    assert ball().compile().hash[:16] == "b98f68fcc7ebf19e"


def test_columns_that_a_table_got_later_do_not_change_the_hash_of_models_that_use_none():
    system = ball()
    looks, ground = jd.Sphere(0.25).at("ball.origin"), jd.Plane((0, 0, 1)).at("world")
    system.contact("touch", looks, ground, normal=jd.HertzContact(restitution=0.5, stiffness=1e6))
    assert system.compile().hash[:16] == "1db1bec89faf4557"
