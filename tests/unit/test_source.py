"""C source of model functions: it computes what the kernels do, compiles without a remark, and says what it cannot."""

import ctypes
import shutil
import subprocess

import numpy as np
import pytest

import jourdain as jd
from jourdain.export.expression_graph import Graph, cost, lines
from jourdain.model.displacement import displaced

CC = shutil.which("cc")
STRICT = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Wconversion", "-Werror"]
needs_compiler = pytest.mark.skipif(CC is None, reason="there is no C compiler")
DOUBLES = ctypes.POINTER(ctypes.c_double)


def arm(count: int) -> jd.Model:
    system = jd.System("arm", gravity=(0, 0, -9.81))
    for i in range(count):
        link = jd.RigidBody(f"l{i}", 1.0 + i, (0.1, 0.02, 0.3), (0.1, 0.12, 0.13), frames={"tip": (0, 0.1, 0.4)})
        joint = jd.Revolute(f"j{i}", axis="zy"[i % 2], damping=0.1 * i, stiffness=2.0)
        system.add(link, joint, to="world" if i == 0 else f"l{i - 1}.tip")
    return system.compile()


def flexible(environment: jd.Orbit | None = None) -> jd.Model:
    """A craft that floats, with a boom."""
    system = jd.System("boom", environment=environment) if environment else jd.System("boom", gravity=(0, 0, -9.81))
    system.add(jd.RigidBody("craft", 100.0, (0, 0, 0), (10, 12, 9), frames={"port": (1, 0, 0)}), jd.Free("flight"))
    modes = jd.Modes(bending=1, torsion=1)
    system.add(jd.Beam("boom", 2.0, 1.0, 1e5, 2e3, 1e3, modes=modes), jd.Revolute("hinge", axis="y"), to="craft.port")
    system.add(jd.RigidBody("load", 3.0, (0.1, 0, 0), (0.1, 0.1, 0.1)), jd.Spherical("ball"), to="boom.tip")
    return system.compile()


MODELS = {
    "arm": lambda: arm(3),
    "flexible": flexible,
    "orbit": lambda: flexible(jd.Orbit(altitude=500e3)),
}


class Code:
    """Compiled source of a model."""

    def __init__(self, model, folder, **options):
        self.model, self.folder = model, jd.export.source(model, folder, **options)
        subprocess.run(
            [CC, *STRICT, "-O1", "-shared", "-fPIC", "-o", "model.so", "model.c", "-lm"], cwd=folder, check=True
        )
        self.library = ctypes.CDLL(str(folder / "model.so"))

    def __call__(self, name, *arrays, shape):
        out = [np.zeros(one) for one in shape]
        given = [np.ascontiguousarray(one, float).ctypes.data_as(DOUBLES) for one in (*arrays, *out)]
        time = [ctypes.c_double(0.0)] if self.model.in_orbit else []
        assert getattr(self.library, f"jd_{name}")(*time, *given) == 0
        return out if len(out) > 1 else out[0]


def near(found, wanted, accuracy=1e-12):
    """The order of sums differs, nothing else."""
    assert np.max(np.abs(found - wanted)) <= accuracy * np.max(np.abs(wanted))


@needs_compiler
@pytest.mark.parametrize("kind", ["arm", "flexible", pytest.param("orbit", marks=pytest.mark.slow)])
def test_functions_are_those_of_python(kind, tmp_path, rng):
    model = MODELS[kind]()
    body = model.bodies[-1]
    code = Code(model, tmp_path, markers=[f"{body}.origin"])
    nv = model.nv
    for _ in range(3):
        q = displaced(model, model.state().q, 0.3 * rng.normal(size=nv))
        state = model.state(q=q, v=rng.normal(size=nv))
        given = rng.normal(size=nv)
        near(code("forward_dynamics", q, state.v, given, shape=[nv]), model.forward_dynamics(state, given))
        near(code("inverse_dynamics", q, state.v, given, shape=[nv]), model.inverse_dynamics(state, given))
        near(code("mass_matrix", q, shape=[(nv, nv)]), model.mass_matrix(q))
        address = f"{body}.origin"
        near(code(f"jacobian_{body}_origin", q, shape=[(6, nv)]), model.jacobian(address, q))
        moved = code(f"motion_{body}_origin", q, state.v, shape=[13])
        near(moved[:3], model.pose(address, q).position)


@pytest.mark.slow
@needs_compiler
def test_an_arm_of_seven_joints_with_two_booms(tmp_path, rng):
    """The example that the digest of Symofros suggests: two flexible booms, two modes a plane, on a fixed base."""
    system = jd.System("arm of a station", gravity=(0, 0, 0))
    at = "world"
    for i, axis in enumerate("zyyxyzx"):
        if i in (2, 3):
            link = jd.Beam(f"l{i}", 6.0, 10.0, 1e8, 5e5, 5e5, modes=jd.Modes(bending=2))
        else:
            link = jd.RigidBody(f"l{i}", 50.0, (0.2, 0, 0), (1.0, 2.0, 2.0), frames={"tip": (0.4, 0, 0)})
        system.add(link, jd.Revolute(f"j{i}", axis=axis), to=at)
        at = f"l{i}.tip"
    model = system.compile()
    code, nv = Code(model, tmp_path, markers=["l6.tip"]), model.nv
    for _ in range(3):
        q = np.where([one.startswith("j") for one in model.names.q], 1.0, 0.01) * rng.normal(size=nv)
        state, given = model.state(q=q, v=0.3 * rng.normal(size=nv)), rng.normal(size=nv)
        near(code("forward_dynamics", q, state.v, given, shape=[nv]), model.forward_dynamics(state, given))
        near(code("inverse_dynamics", q, state.v, given, shape=[nv]), model.inverse_dynamics(state, given))
        near(code("mass_matrix", q, shape=[(nv, nv)]), model.mass_matrix(q))
        near(code("jacobian_l6_tip", q, shape=[(6, nv)]), model.jacobian("l6.tip", q))


@needs_compiler
def test_derivatives_are_those_of_python(tmp_path, rng):
    model = arm(3)
    code = Code(model, tmp_path, functions=["forward_derivatives", "inverse_derivatives"])
    state, given = model.state(q=rng.normal(size=3), v=rng.normal(size=3)), rng.normal(size=3)
    for found, wanted in zip(code("forward_derivatives", state.q, state.v, given, shape=[(3, 3)] * 3),
                             model.forward_dynamics_derivatives(state, given), strict=True):  # fmt: skip
        near(found, wanted)
    for found, wanted in zip(code("inverse_derivatives", state.q, state.v, given, shape=[(3, 3)] * 3),
                             model.inverse_dynamics_derivatives(state, given), strict=True):  # fmt: skip
        near(found, wanted)


@needs_compiler
def test_sanitizers_find_nothing(tmp_path):
    model = arm(2)
    folder = jd.export.source(model, tmp_path, prefix="two")
    (folder / "main.c").write_text(
        '#include <stdio.h>\n#include "model.h"\nint main(void)\n{\n    double q[2] = {0.1, 0.2}, v[2] = {0.3, 0.4};\n'
        "    double effort[2] = {0.0, 1.0}, out[2];\n    int bad = two_forward_dynamics(q, v, effort, out);\n"
        '    printf("%.17g %.17g\\n", out[0], out[1]);\n    return bad;\n}\n'
    )
    flags = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-O1"]
    subprocess.run([CC, *STRICT, *flags, "-o", "main", "main.c", "model.c", "-lm"], cwd=folder, check=True)
    told = subprocess.run([folder / "main"], check=True, capture_output=True, text=True).stdout.split()
    near(np.array(told, float), model.forward_dynamics(model.state(q=[0.1, 0.2], v=[0.3, 0.4]), [0.0, 1.0]))
    text = (folder / "model.c").read_text()
    assert not any(word in text for word in ("for ", "while", "goto", "malloc", "static"))


def test_seven_axes_cost_less_than_the_recursions_of_the_textbook(tmp_path):
    """Counts for an open chain of n revolute joints: Newton-Euler 150 n - 48 products and 131 n - 48 sums (Luh, Walker
    and Paul 1980, in the form of Craig 2005, 6.8), articulated bodies 300 n - 267 and 279 n - 259 (Brandl, Johanni and
    Otter 1986)."""
    readme = (jd.export.source(arm(7), tmp_path) / "README.md").read_text()
    counts = {line.split("`")[1]: [int(n) for n in line.split("|")[3:8]] for line in readme.splitlines() if "`" in line}
    products, sums, divisions, functions, choices = counts["jd_inverse_dynamics"]
    assert products < 150 * 7 - 48 and sums < 131 * 7 - 48 and functions == 14 and choices == divisions == 0
    products, sums, divisions, *_ = counts["jd_forward_dynamics"]
    assert products < 300 * 7 - 267 and sums < 279 * 7 - 259 and divisions == 7


def test_what_cannot_be_is_said(tmp_path):
    model = arm(1)
    with pytest.raises(jd.errors.ModelError, match="did you mean"):
        jd.export.source(model, tmp_path, functions=["forward_dynamic"])
    with pytest.raises(jd.errors.ModelError, match="a letter first"):
        jd.export.source(model, tmp_path, prefix="1")
    with pytest.raises(jd.errors.ModelError, match="no formulas"):
        jd.export.source(flexible(jd.Orbit(altitude=500e3)), tmp_path, functions=["forward_derivatives"])
    with pytest.raises(jd.errors.ModelError, match="give a Model"):
        jd.export.source("arm", tmp_path)


def test_nothing_stands_twice():
    graph = Graph()
    x, y = graph.input("x"), graph.input("y")
    assert graph.add(x, y) is graph.add(y, x) and graph.multiply(x, 0.0) == 0.0 and graph.multiply(1.0, x) is x
    assert graph.negative(graph.negative(x)) is x and graph.subtract(x, x) == 0.0
    assert graph.add(x, graph.negative(y)) is graph.subtract(x, y)
    assert graph.multiply(graph.negative(x), graph.negative(y)) is graph.multiply(x, y)
    truth = graph.compare("<", x, 1.0)
    assert graph.select(truth, y, y) is y and graph.inverse(graph.inverse(truth)) is truth
    product = graph.multiply(graph.add(x, y), graph.add(x, y))
    assert cost([product]) == (1, 1, 0, 0, 0)
    first, last = lines({"out": product})
    name = first.split()[2]
    assert first == f"const double {name} = x + y;" and last == f"out = {name} * {name};"
