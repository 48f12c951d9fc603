"""Layers: a sub-package imports from those below it only, never in a circle, imports within functions included; private
names stay in their module."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import jourdain as jd

SOURCE = Path(jd.__file__).parent
LAYERS = ("basics", "kernels", "describe", "model", "compile", "results", "run", "control", "methods", "export",
          "files", "cosimulation", "live", "view", "study", "train", "commands")  # fmt: skip
"""From the bottom to the top. Modules in the package itself are lazy import tables, above all of them."""
OFFERING_LATER_LAYERS = {"describe/system.py", "model/model.py", "results/run.py"}
"""`System`, `Model` and `Run` offer as methods what later layers do, by `basics.lazy_import.above`."""
READING_TABLES = {"describe", "model", "compile", "run", "results", "control", "methods", "export"}
"""Layers that fill the kernels' tables, or read what kernels wrote into them."""


def modules() -> dict[str, Path]:
    found = {}
    for path in SOURCE.rglob("*.py"):
        parts = ("jourdain", *path.relative_to(SOURCE).with_suffix("").parts)
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()


def imported(name: str) -> set[str]:
    """Modules of the package that one imports, those for types alone left out."""
    path = MODULES[name]
    here = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    found = set()

    def visit(node: ast.AST) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):  # nothing is imported within one
                continue
            if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test):
                continue
            if isinstance(child, ast.ImportFrom):
                base = here[: len(here) - child.level + 1] if child.level else []
                module = ".".join([*base, *([child.module] if child.module else [])])
                for one in child.names:
                    whole = f"{module}.{one.name}"
                    found.add(whole if whole in MODULES else module)
            elif isinstance(child, ast.Import):
                found.update(one.name for one in child.names)
            visit(child)

    visit(ast.parse(path.read_text(encoding="utf-8")))
    return {one for one in found if one in MODULES and one != name}


@cache
def graph() -> dict[str, set[str]]:
    """What every module imports; read when a test asks, since all workers collect this file."""
    return {name: imported(name) for name in MODULES}


def height(name: str) -> int:
    """Height of a module: that of its layer, or above all layers."""
    words = name.split(".")
    return LAYERS.index(words[1]) if len(words) > 1 and words[1] in LAYERS else len(LAYERS)


def test_no_import_points_up():
    assert sorted(set(LAYERS) - {path.name for path in SOURCE.iterdir() if path.is_dir()}) == []
    upward = [
        f"{name} -> {other}" for name, others in graph().items() for other in others if height(other) > height(name)
    ]
    assert upward == []


def test_no_import_goes_round_in_a_circle():
    left = {name: set(others) for name, others in graph().items()}
    while free := [name for name, others in left.items() if not others & left.keys()]:
        for name in free:
            del left[name]
    assert sorted(left) == []


def test_only_what_a_user_holds_offers_later_layers():
    found = {
        str(path.relative_to(SOURCE))
        for path in MODULES.values()
        if re.search(r"\babove\(\"", path.read_text(encoding="utf-8"))
    }
    assert found == OFFERING_LATER_LAYERS
    for name in OFFERING_LATER_LAYERS:
        for address in re.findall(r"above\(\"([\w.:]+)\"", (SOURCE / name).read_text(encoding="utf-8")):
            module, _, function = address.partition(":")
            assert f"jourdain.{module}" in MODULES, address
            assert re.search(rf"^def {function}\(", MODULES[f"jourdain.{module}"].read_text(encoding="utf-8"), re.M), (
                address
            )


def test_tables_of_the_kernels_are_read_only_where_they_are_filled():
    layouts = {
        name for name in MODULES if name.startswith("jourdain.kernels.") and name.endswith(("layout", "columns"))
    }
    readers = {name.split(".")[1] for name, others in graph().items() if others & layouts} - {"kernels"}
    assert readers <= READING_TABLES


TUPLE_METHODS = {"_replace", "_asdict", "_fields", "_make"}
"""Public methods of named tuples, and of `kernels.records.Record`."""


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name not in TUPLE_METHODS


def imported_names(name: str) -> Iterator[tuple[str, ast.alias]]:
    """What a module of the package imports from others of it: module, and the name there."""
    path = MODULES[name]
    here = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    for node in ast.walk(tree(name)):
        if isinstance(node, ast.ImportFrom):
            base = here[: len(here) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            yield from ((module, one) for one in node.names if module.split(".")[0] == "jourdain")


@cache
def tree(name: str) -> ast.Module:
    return ast.parse(MODULES[name].read_text(encoding="utf-8"))


def defined(name: str) -> set[str]:
    """Functions, classes, methods and attributes that a module gives names to."""
    found = set()
    for node in ast.walk(tree(name)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
            found.add(node.id if isinstance(node, ast.Name) else node.attr)
    return found


def test_no_module_imports_private_names_of_another():
    wrong = [
        f"{name}: {module}.{one.name}"
        for name in MODULES
        for module, one in imported_names(name)
        if is_private(one.name)
    ]
    assert wrong == []


def test_no_module_reads_private_attributes_of_another():
    """Not `module._name`, and not `thing._name` where the package gives that name elsewhere only."""
    own = {name: defined(name) for name in MODULES}
    of_package = set().union(*own.values())
    wrong = []
    for name in MODULES:
        modules = {one.asname or one.name for module, one in imported_names(name) if f"{module}.{one.name}" in MODULES}
        for node in ast.walk(tree(name)):
            if not isinstance(node, ast.Attribute) or not is_private(node.attr):
                continue
            owner = node.value
            if isinstance(owner, ast.Name) and owner.id in modules:
                wrong.append(f"{name}:{node.lineno}: {owner.id}.{node.attr}")
            elif isinstance(owner, ast.Name) and owner.id in ("self", "cls"):
                continue
            elif isinstance(owner, ast.Call) and ast.unparse(owner.func) == "super":
                continue
            elif node.attr in of_package - own[name]:
                wrong.append(f"{name}:{node.lineno}: {ast.unparse(node)}")
    assert wrong == []


def test_kernels_ask_bodies_for_properties_and_not_for_kinds():
    """`is_cable` and its like are asked in `kernels/bodies`, and where the tangent of each is factorised."""
    asking = {
        name.removeprefix("jourdain.kernels.")
        for name in MODULES
        if not name.startswith("jourdain.kernels.bodies.")
        for module, one in imported_names(name)
        if module == "jourdain.kernels.bodies.body_dispatch" and one.name.startswith("is_")
    }
    assert asking == {"integrate.partitioned.partitioned_solver"}


def test_the_public_api():
    assert len([name for name in jd.__all__ if not isinstance(getattr(jd, name), type(jd))]) <= 66
    assert not {"Any", "importlib", "annotations", "TYPE_CHECKING"} & set(dir(jd))
    for namespace in (
        "constraints",
        "contact",
        "control",
        "cosimulation",
        "errors",
        "export",
        "implicit",
        "mechanism",
        "shapes",
        "study",
        "worksites",
    ):
        module = getattr(jd, namespace)
        assert dir(module) == sorted(module.__all__)
        for name in module.__all__:
            assert getattr(module, name).__name__ == name


@pytest.mark.parametrize(
    ("home", "old", "new"), [("human", "felt", "exposure"), ("optimal", "ShotTrajectory", "ShootingTrajectory")]
)
def test_renamed_public_names_still_work_and_warn(home, old, new):
    namespace = getattr(jd, home)
    with pytest.warns(DeprecationWarning, match=f"jourdain.{home}.{old} is {new} now") as caught:
        assert getattr(namespace, old) is getattr(namespace, new)
    assert caught[0].filename == __file__ and old not in namespace.__all__


MOST_LINES, LONGEST, LONGEST_KERNEL, MOST_ARGUMENTS = 600, 80, 120, 10
MANY_ARGUMENTS = {
    "what a user writes, each argument by its name": """
        control/accommodation.py:ForceMomentAccommodation.__init__ control/state_feedback.py:StateFeedback.__init__
        control/state_feedback.py:LQR.__init__ control/state_feedback.py:LQG.__init__
        control/impedance.py:Cartesian.__init__ control/impedance.py:Impedance.__init__ control/paths.py:Circle.__init__
        control/hand_controller.py:HandController.__init__ control/predictive.py:Predictive.__init__
        control/pid.py:PID.__init__ cosimulation/master.py:Master.__init__
        describe/bodies/floating_frame/beam.py:Beam.__init__
        describe/bodies/nodal_coordinates/cable.py:Cable.__init__
        describe/bodies/floating_frame/deployable_beam.py:DeployableBeam.__init__
        describe/bodies/floating_frame/reduced_body.py:ReducedBody.__init__
        describe/bodies/nodal_coordinates/nodal_beam.py:NodalBeam.__init__
        describe/bodies/nodal_coordinates/shell.py:Shell.__init__ describe/bodies/finite_element/solid.py:Solid.__init__
        describe/contact/volumetric.py:VolumetricContact.__init__ describe/contact/wheel_rail.py:wheelset
        methods/optimal/problem.py:Problem.__init__ control/kinematics.py:inverse_kinematics
        control/kinematics.py:resolved_rate export/c_export.py:c export/fmu_archive.py:fmu
        methods/identification/excitation.py:excite methods/identification/sensitivity.py:sensitivity
        methods/optimal/slews.py:slew run/ensemble.py:simulate_many run/simulate.py:simulate
        study/sweeps/design_optimum.py:optimise_design study/fit/model_fit.py:identify study/sweeps/sweep.py:sweep""",
    "options of `problem.solve`": """
        methods/optimal/collocation.py:collocation methods/optimal/ddp.py:ddp
        methods/optimal/multiple_shooting.py:shooting""",
    "options of a command, one argument each": """
        commands/export.py:export commands/live.py:live commands/run.py:run commands/sweep.py:sweep""",
    "called by IPOPT": "methods/optimal/ipopt.py:_Calls.hessian",
}
"""Functions outside kernels with more than ten arguments, and why they may."""


@cache
def functions() -> list[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """All functions of the package: `layer/file.py:Class.name`, and the function."""
    found = []

    def visit(node: ast.AST, name: str, parts: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                found.append((f"{name}:{parts}{child.name}", child))
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                visit(child, name, f"{parts}{child.name}.")
            elif isinstance(child, ast.stmt):
                visit(child, name, parts)

    for path in sorted(MODULES.values()):
        visit(ast.parse(path.read_text(encoding="utf-8")), path.relative_to(SOURCE).as_posix(), "")
    return found


def length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return (function.end_lineno or 0) - function.lineno + 1


def test_files_and_functions_are_short():
    files = {
        path.relative_to(SOURCE).as_posix(): len(path.read_text(encoding="utf-8").splitlines())
        for path in MODULES.values()
    }
    assert {name: lines for name, lines in files.items() if lines > MOST_LINES} == {}
    most = {True: LONGEST_KERNEL, False: LONGEST}
    long = {name: length(one) for name, one in functions() if length(one) > most[name.startswith("kernels/")]}
    assert long == {}


def test_more_than_ten_arguments_only_where_a_user_or_another_program_gives_them():
    many = set()
    for name, one in functions():
        names = [*one.args.posonlyargs, *one.args.args, *one.args.kwonlyargs]
        own = [argument for argument in names if argument.arg not in ("self", "cls")]
        if len(own) > MOST_ARGUMENTS and not name.startswith("kernels/"):
            many.add(name)
    assert many == {name for names in MANY_ARGUMENTS.values() for name in names.split()}


def test_a_long_kernel_says_what_its_blocks_do():
    """In kernels of more than 40 lines no more than 25 statements follow each other without a comment."""
    silent = {}
    for name, one in functions():
        if not name.startswith("kernels/") or length(one) <= 40:
            continue
        lines = (SOURCE / name.split(":")[0]).read_text(encoding="utf-8").splitlines()
        begins = {node.lineno for node in ast.walk(one) if isinstance(node, ast.stmt)}
        commented = {
            k for k in range(one.lineno, (one.end_lineno or 0) + 1) if re.search(r"(^|\s)# (?!fmt|noqa)", lines[k - 1])
        }
        longest = run = 0
        for k in range(one.body[0].lineno, (one.end_lineno or 0) + 1):
            run = 0 if k in commented else run + (k in begins)
            longest = max(longest, run)
        if longest > 25:
            silent[name] = longest
    assert silent == {}
