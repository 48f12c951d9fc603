"""What cannot be a contact is refused, naming the pair, what is wrong, what is allowed and what to do."""

from __future__ import annotations

import math
import re
import subprocess
import sys

import numpy as np
import pytest

import jourdain as jd

BALL, GROUND = jd.Sphere(0.1), jd.Plane((0, 0, 1))
HERTZ = jd.HertzContact(stiffness=1e6)
STEEL = jd.Material(E=210e9, nu=0.3)
BOX = jd.Box((1.0, 1.0, 1.0))
NAN = math.nan


def dented_box():
    """A cube with one corner pushed to its middle."""
    vertices, triangles = BOX.to_mesh()
    vertices[0] = 0.1
    return vertices, triangles


def described(first=BALL, second=GROUND, normal=HERTZ, friction=None, at=("ball.origin", "world"), name="touch"):
    system = jd.System("s", gravity=(0, 0, -9.81))
    system.add(jd.RigidBody("ball", mass=2.0, inertia=(0.008, 0.008, 0.008), frames={"tip": (0, 0, 0.1)}), jd.Free("f"))
    system.add(jd.RigidBody("other", mass=1.0, inertia=(1, 1, 1)), jd.Free("g"))
    system.contact(name, first.at(at[0]), second.at(at[1]), normal=normal, friction=friction)
    return system


def refused(system):
    """What `compile` says; it names the contact, and `check` says the same."""
    with pytest.raises(jd.errors.ModelError) as caught:
        system.compile()
    assert list(caught.value.problems) == system.check()
    return str(caught.value)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        # shapes
        ({"first": jd.Sphere(-0.1)}, "sphere radius [m] is -0.1; it must be greater than 0"),
        ({"first": jd.Sphere(0.0)}, "sphere radius [m] is 0; it must be greater than 0"),
        ({"first": jd.Sphere(NAN)}, "sphere radius [m] is nan, which is not a finite number"),
        ({"second": jd.Cylinder(-1.0, 1.0, inside=True)}, "cylinder radius [m] is -1"),
        ({"second": jd.Capsule(1.0, -1.0)}, "capsule length [m] is -1"),
        ({"second": jd.Box((1, -1, 1))}, "box length along y [m] is -1"),
        ({"second": jd.Plane((0, 0, 0))}, "plane normal is (0, 0, 0), of zero length"),
        (
            {"second": jd.shapes.Edge((0, 0, 1), (0, 0, -1))},
            "are opposite, and nothing lies below both; turn one of them",
        ),
        ({"second": jd.shapes.ConvexMesh(*dented_box())}, "is not convex"),
        ({"second": jd.shapes.ConvexMesh(*dented_box())}, "give jd.Mesh, or several convex parts"),
        ({"second": jd.Mesh(BOX.to_mesh()[0], BOX.to_mesh()[1][:-1])}, "touch: mesh"),
        # pairs
        ({"first": BOX, "second": BOX}, "point contact does not know box with box; it knows a sphere with every shape"),
        ({"first": GROUND, "second": GROUND}, "point contact does not know plane with plane"),
        (
            {"first": jd.Capsule(0.1, 0.2), "second": jd.shapes.ConvexMesh(BOX.to_mesh()[0])},
            "does not know capsule with con",
        ),
        ({"first": jd.Cylinder(0.1, 0.2, inside=True)}, "point contact does not know cylinder with plane"),
        # addresses
        ({"at": ("bal.origin", "world")}, 'there is no body "bal"; did you mean "ball"?'),
        ({"at": ("ball.tipp", "world")}, 'body "ball" has no frame "tipp"; did you mean "tip"?'),
        ({"at": ("ball", "world")}, 'did you mean "ball.origin"?'),
        ({"at": (3, "world")}, "an address is text"),
        ({"at": ("ball.origin", "world.origin")}, 'write "world" and give a position'),
        ({"at": ("ball.origin", "ball.tip")}, 'both shapes are on "ball"; a body does not touch itself'),
        ({"at": ("world", "world")}, 'both shapes are on "world"; a body does not touch itself'),
        # normal laws
        ({"normal": jd.HertzContact(stiffness=1e6, restitution=0.0)}, "restitution is 0; no finite damping"),
        ({"normal": jd.HertzContact(stiffness=1e6, restitution=0)}, "give 0.01"),
        ({"normal": jd.HertzContact(stiffness=1e6, restitution=1.01)}, "restitution is 1.01; give at most 1"),
        ({"normal": jd.HertzContact(stiffness=1e6, restitution=-0.1)}, "restitution is -0.1; it must be greater than"),
        ({"normal": jd.HertzContact(stiffness=1e6, restitution=NAN)}, "restitution is nan"),
        ({"normal": jd.contact.HuntCrossleyContact(stiffness=1e6, restitution=0.0)}, "give 0.01"),
        ({"normal": jd.HertzContact()}, "give stiffness= [N/m^1.5] or material=(first, second), one of them"),
        ({"normal": jd.HertzContact(stiffness=1e6, material=(STEEL, STEEL))}, "one of them"),
        ({"normal": jd.HertzContact(stiffness=-1.0)}, "stiffness [N/m^p] is -1; it must be greater than 0"),
        ({"normal": jd.HertzContact(stiffness=NAN)}, "stiffness [N/m^p] is nan, which is not a finite number"),
        ({"normal": jd.HertzContact(stiffness=1e6, slow_speed=0.0)}, "slow_speed [m/s] is 0"),
        ({"normal": jd.HertzContact(stiffness=1e6, relaxation=-1.0)}, "relaxation [s] is -1"),
        ({"normal": jd.HertzContact(stiffness=1e6, exponent=0.5)}, "exponent is 0.5; it must be at least 1"),
        ({"normal": jd.HertzContact(material=STEEL)}, "give (jd.Material(E, nu), jd.Material(E, nu))"),
        ({"normal": jd.contact.LinearContact(stiffness=0.0)}, "stiffness [N/m] is 0"),
        (
            {"normal": jd.contact.LinearContact(stiffness=1.0, damping=-1.0)},
            "damping [N s/m] is -1; it must be at least 0",
        ),
        ({"normal": jd.contact.LinearContact(stiffness=1.0, relaxation=NAN)}, "relaxation [s] is nan"),
        # Hertz without a radius
        (
            {"first": BOX, "normal": jd.HertzContact(material=(STEEL, STEEL))},
            "Hertz has no radius; give stiffness= [N/m^1.5], or use volumetric contact",
        ),
        ({"first": jd.Capsule(0.1, 0.2), "normal": jd.HertzContact(material=(STEEL, STEEL))}, "Hertz has no radius"),
        ({"second": jd.Cone(0.3, 0.4), "normal": jd.HertzContact(material=(STEEL, STEEL))}, "cone changes along its"),
        # friction laws
        (
            {"friction": jd.BristleFriction(static=0.2, kinetic=0.3)},
            "static friction 0.2 is below the kinetic 0.3; give at least the kinetic one",
        ),
        ({"friction": jd.BristleFriction(kinetic=-0.3)}, "kinetic friction is -0.3"),
        ({"friction": jd.BristleFriction(kinetic=NAN)}, "kinetic friction is nan"),
        ({"friction": jd.BristleFriction(static=NAN)}, "static friction is nan"),
        ({"friction": jd.BristleFriction(stiffness=0.0)}, "bristle stiffness [1/m] is 0"),
        ({"friction": jd.BristleFriction(damping=-1.0)}, "bristle damping [s/m] is -1"),
        ({"friction": jd.BristleFriction(viscous=-1.0)}, "viscous friction [s/m] is -1"),
        ({"friction": jd.BristleFriction(stribeck=0.0)}, "stribeck [m/s] is 0"),
        ({"friction": jd.BristleFriction(dwell=0.0)}, "dwell [s] is 0"),
        ({"friction": jd.CoulombFriction(kinetic=0.0)}, "kinetic friction is 0"),
        ({"friction": jd.CoulombFriction(0.3, transition_speed=-1.0)}, "transition_speed [m/s] is -1"),
        # names
        ({"name": "a.b"}, 'contact name "a.b" has a dot'),
        ({"name": ""}, "contact name is empty"),
        ({"name": 3}, "contact name is 3; a name is text"),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else "",
)
def test_refused_when_compiled(options, says):
    message = refused(described(**options))
    assert says in message
    assert str(options.get("name", "touch")) in message


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: jd.Sphere("0.1"), "Sphere radius: got '0.1'; give real numbers"),
        (lambda: jd.HertzContact(stiffness="hard"), "HertzContact stiffness: got 'hard'; give real numbers"),
        (lambda: jd.HertzContact(stiffness=[1, 2]), "HertzContact stiffness: got [1, 2]; give one real number"),
        (lambda: jd.HertzContact(stiffness=1e6, restitution=None), "HertzContact restitution: got None"),
        (lambda: jd.HertzContact(stiffness=1e6, adhesive="no"), "HertzContact adhesive: got 'no'; give True or False"),
        (lambda: jd.contact.LinearContact(stiffness=None), "LinearContact stiffness: got None"),
        (
            lambda: jd.contact.LinearContact(stiffness=1.0, adhesive=1),
            "LinearContact adhesive: got 1; give True or False",
        ),
        (lambda: jd.BristleFriction(static="a"), "BristleFriction static: got 'a'"),
        (lambda: jd.CoulombFriction(kinetic=True), "CoulombFriction kinetic: got True"),
        (lambda: jd.Material(E=-1.0, nu=0.3), "Young's modulus E [Pa] is -1"),
        (lambda: jd.Material(E=1.0, nu=0.6), "Poisson's ratio nu is 0.6; it must be at most 0.5"),
        (lambda: described(normal=BALL), "touch: contact: normal is Sphere(radius=0.1); give a law such as Hertz"),
        (lambda: described(normal=None), "touch: contact: normal is None; give a law such as HertzContact(...)"),
        (lambda: described(normal=jd.CoulombFriction(0.3)), "touch: contact: normal is CoulombFriction("),
        (lambda: described(friction=HERTZ), "touch: contact: friction is HertzContact("),
        (lambda: described(friction=0.3), "touch: contact: friction is 0.3; give a law such as BristleFriction(...)"),
        (
            lambda: jd.System("s").contact("touch", BALL, GROUND.at("world"), normal=HERTZ),
            'touch: contact: the first shape is Sphere(radius=0.1); give one such as Sphere(0.1).at("ball.origin")',
        ),
        (
            lambda: jd.System("s").contact("t", BALL.at("b.origin"), "floor", normal=HERTZ),
            "the second shape is 'floor'",
        ),
        (
            lambda: jd.contact.normal_law(lambda x, v: 0.0),
            "the law takes (depth, rate, impact_speed, z, p, dz); this one takes",
        ),
        (
            lambda: jd.contact.friction_law(lambda x, v: 0.0),
            "the law takes (load, slip, z, p, dz); this one takes (x, v)",
        ),
        (lambda: jd.contact.normal_law(states=-1)(spring), "spring: states is -1; give a whole number, 0 or more"),
        (lambda: jd.contact.normal_law(spring)("stiff"), "spring: got "),
    ],
)
def test_refused_when_given(make, says):
    with pytest.raises(jd.errors.ModelError) as caught:
        make()
    assert says in str(caught.value)


def spring(depth, rate, impact_speed, z, p, dz):
    return p[0] * depth


def test_laws_of_ones_own_that_cannot_be():
    bare = jd.contact.normal_law(spring)
    message = refused(described(normal=bare))
    assert "touch: law spring: index 0 is out of bounds" in message and "p 0" in message
    assert "give finite numbers" in refused(described(normal=bare(NAN)))

    @jd.contact.friction_law
    def flat(load, slip, z, p, dz):
        return (load, 0.0)

    model = described(friction=flat).compile()
    with pytest.raises(jd.errors.ModelError, match="flat: the law does not compile"):
        jd.simulate(model, model.state(), until=0.1, step=0.1)


def test_everything_wrong_is_said_at_once():
    normal, friction = jd.HertzContact(stiffness=-1.0, restitution=2.0), jd.BristleFriction(kinetic=-1.0, dwell=-1.0)
    system = described(first=jd.Sphere(-1.0), at=("bal.origin", "world"), normal=normal, friction=friction)
    assert len(system.check()) == 6
    assert all(problem.address == "touch" for problem in system.check())


def test_names_that_clash():
    system = described()
    system.contact("touch", BALL.at("other.origin"), GROUND.at("world"), normal=HERTZ)
    assert 'contact name "touch" is used 2 times; every contact needs a name of its own' in refused(system)
    system = described(first=BOX, name="feet")
    system.contact("feet[3]", BALL.at("other.origin"), GROUND.at("world"), normal=HERTZ)
    assert 'feet[3]: contact "feet" has a site "feet[3]" already; rename one' in refused(system)
    system = described(name="ball")  # bodies, joints and contacts have names of their own
    assert system.check() == []


@pytest.mark.parametrize(
    ("first", "second", "height", "fine"),
    [
        (BALL, GROUND, 0.05, 0.09),
        (BALL, jd.Sphere(0.3), 0.35, 0.39),
        (BALL, jd.Mesh(*BOX.to_mesh()), 0.55, 0.59),
        (jd.Box((0.2, 0.2, 0.2)), GROUND, 0.0, 0.09),
        (jd.Capsule(0.1, 0.2), GROUND, 0.1, 0.19),
    ],
)
def test_shapes_that_start_deep_inside_each_other(first, second, height, fine):
    model = described(first, second).compile()
    said = r"touch: the shapes at \S+ and \S+ start 0\.\d+ m inside each other.*move them apart"
    with pytest.raises(jd.errors.ModelError, match=said):
        jd.simulate(model, model.state(q={"f": jd.Pose((0, 0, height))}), until=0.1, step=0.1)
    jd.simulate(model, model.state(q={"f": jd.Pose((0, 0, fine))}), until=1e-7, step=1e-7)


@pytest.mark.parametrize(
    ("normal", "friction", "names"),
    [
        (jd.HertzContact(stiffness=1e9, restitution=1.0), None, "normal stiffness"),
        (jd.HertzContact(stiffness=1e5, restitution=0.01), None, "normal damping"),
        (jd.contact.LinearContact(stiffness=2e5, damping=1.0), None, "normal stiffness"),
        (jd.contact.LinearContact(stiffness=1e4, damping=2e4), None, "normal damping"),
        (jd.contact.LinearContact(1e4, 10.0), jd.BristleFriction(kinetic=0.5, stribeck=1e-6), "damping of friction"),
        (jd.contact.LinearContact(1e4, 10.0), jd.BristleFriction(kinetic=0.5, damping=1e3), "damping of friction"),
        (jd.contact.LinearContact(1e4, 10.0), jd.CoulombFriction(0.5, transition_speed=1e-5), "damping of friction"),
    ],
)
@pytest.mark.parametrize("method", ["rk4", "heun", "rk3"])
def test_a_step_too_long_is_refused_with_one_that_would_do(normal, friction, names, method):
    """The error names the contact, a warning instead points at the caller, and with the step given there is neither."""
    model = described(normal=normal, friction=friction).compile()
    hertz = isinstance(normal, jd.HertzContact)
    depth = (2.0 * 9.81 / normal.stiffness) ** (2 / 3 if hertz else 1.0)
    state = model.state(q={"f": jd.Pose((0, 0, 0.1 - depth)), "g": jd.Pose((5, 0, 0))}, v={"f": [0, 0, 0, 1e-4, 0, 0]})
    with pytest.raises(jd.errors.SimulationError) as refused:
        jd.simulate(model, state, until=0.2, step=0.01, method=method)
    assert refused.value.culprit == "touch" and 'step_check="warn"' in str(refused.value)
    with pytest.warns(UserWarning) as caught:
        try:
            jd.simulate(model, state, until=0.2, step=0.01, method=method, step_check="warn")
        except jd.errors.SimulationError:
            pass
    told = [one for one in caught if issubclass(one.category, jd.contact.StepWarning)]
    assert len(told) == 1 and told[0].filename == __file__
    message = str(told[0].message)
    assert message.startswith('s: contact "touch" is too stiff for the step: its ')
    assert names in message and names in str(refused.value)
    step = float(re.search(r"give step=([\d.e-]+),", message).group(1))
    assert 0.0 < step < 0.01
    for steps in (1, 200):
        jd.simulate(model, state, until=steps * step, step=step, method=method)


def test_import_stays_light():
    """Describing contacts needs NumPy only."""
    code = (
        "import sys\n"
        "import jourdain as jd\n"
        "s = jd.System('s')\n"
        "s.add(jd.RigidBody('b', mass=1.0, inertia=(1, 1, 1)), jd.Free('f'))\n"
        "s.contact('t', jd.Sphere(0.1).at('b.origin'), jd.Plane((0, 0, 1)).at('world'),\n"
        "          normal=jd.HertzContact(stiffness=1e6), friction=jd.BristleFriction())\n"
        "import jourdain.model.contact_start, jourdain.results.contacts, jourdain.compile.contact_tables\n"
        "import jourdain.describe.shapes.meshes\n"
        "heavy = {'numba', 'scipy', 'xarray', 'pandas', 'matplotlib'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    assert np.isfinite(HERTZ.stiffness)


@pytest.mark.filterwarnings("error::jourdain.contact.StepWarning")
def test_no_step_is_too_long_for_what_is_moved_by_hand():
    """A prescribed coordinate feels no force, however stiff the contact."""
    system = jd.System("rig")
    system.add(jd.RigidBody("ball", 1.0, inertia=(1, 1, 1)), jd.Prismatic("press", axis="z"))
    normal = jd.HertzContact(stiffness=1e12, restitution=0.5)
    system.contact("touch", jd.Sphere(0.05).at("ball.origin"), jd.Plane((0, 0, 1)).at("world"), normal, friction=None)
    model = system.compile()
    motions = {"press": jd.Cycloid(to=0.0499, duration=0.5)}
    run = jd.simulate(model, model.state(q={"press": 0.0501}), until=1.0, step=1e-3, motions=motions)
    assert run.contact["touch"].normal_force.values[-1] == pytest.approx(1e12 * 1e-4**1.5, rel=1e-9)


def test_what_a_contact_asks_is_judged_where_the_body_has_gone(monkeypatch):
    """A plate lands and slides away; where it landed is long behind it when the step is judged."""
    from jourdain.run import contact_steps as steps

    plate = jd.Box((0.3, 0.2, 0.05))
    system = jd.System("plate", gravity=(0, 0, -9.81))
    system.add(jd.RigidBody.from_shape("plate", plate, density=2.0 / plate.volume), jd.Free("free"))
    normal = jd.VolumetricContact(stiffness=1e8, restitution=0.5, slow_speed=0.05)
    floor = jd.Cells([jd.Box((9.0, 1.0, 0.2)).moved((0, 0, -0.1))])
    system.contact("floor", plate.at("plate.origin"), floor.at("world"), normal)
    model = system.compile()
    state = model.state(q={"free": jd.Pose((0.0, 0, 0.025))}, v={"free": (0, 0, 0, 50.0, 0, -0.1)})
    felt = []
    mobility = steps.mobility
    monkeypatch.setattr(steps, "mobility", lambda *given: felt.append(mobility(*given)) or felt[-1])
    jd.simulate(model, state, until=0.05, step=2.5e-4)
    assert felt
    assert all(1.0 / along == pytest.approx(2.0, rel=1e-2) for along, _ in felt)
