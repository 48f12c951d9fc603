"""A kind of joint, body or shape is a row of `kernels.kind_registry`, and all else follows from it."""

import importlib.util
from pathlib import Path
from types import SimpleNamespace

import pytest

import jourdain as jd
from jourdain.describe.bodies import BODIES
from jourdain.describe.joints import JOINTS
from jourdain.describe.shapes import SHAPES
from jourdain.files import system_schema  # noqa: F401  (registers them)
from jourdain.files.schema_entry import table
from jourdain.kernels import kind_dispatch, kind_registry
from jourdain.kernels.compiler import kernel
from jourdain.kernels.compiling import disk_cache
from jourdain.kernels.kind_registry import ROD

ROOT = Path(__file__).resolve().parents[2]
SORTS = {
    "joints": (kind_registry.JOINTS, kind_registry.ADDED_JOINTS, JOINTS),
    "bodies": (kind_registry.BODIES, kind_registry.ADDED_BODIES, BODIES),
    "shapes": (kind_registry.SHAPES, kind_registry.ADDED_SHAPES, SHAPES),
}


@pytest.mark.parametrize("sort", SORTS)
def test_the_place_of_a_word_is_its_code(sort):
    rows, added, known = SORTS[sort]
    assert len(set(rows)) == len(rows)
    for code, word in enumerate(rows[:added]):
        assert getattr(kind_registry, word.upper()) == code
    assert len(rows) >= added
    for code, word in enumerate(rows[added:], added):
        assert known[word].__module__ == f"jourdain.describe.{sort}.{word}"
        assert code in importlib.import_module(f"jourdain.kernels.{sort}.others").MODULES


def test_codes_of_joints_end_below_those_of_other_constraints():
    assert len(kind_registry.JOINTS) <= ROD


def test_words_of_files_are_those_of_the_registries():
    assert set(table("joint")) == {one.__name__ for one in JOINTS.classes()}
    assert {name for name in table("body") if "." not in name} == {one.__name__ for one in BODIES.classes()}
    assert {name for name in table("shape") if "." not in name} == {
        one.__name__ for one in SHAPES.classes() if one.in_files
    }
    closing = {one.__name__ for one in JOINTS.classes() if one.closes}
    assert closing == {"Revolute", "Prismatic", "Screw", "Cylindrical", "Universal", "Spherical", "Planar", "Weld"} | {
        JOINTS[word].__name__ for word in kind_registry.JOINTS[kind_registry.ADDED_JOINTS :] if JOINTS[word].closes
    }


@pytest.mark.parametrize("sort", SORTS)
def test_compiled_code_is_made_anew_where_a_kind_changes(sort):
    folder = disk_cache.KERNELS / sort
    assert set(folder.glob("*.py")) <= disk_cache.transitive_imports(folder / f"plugin_{sort}.py")
    assert folder / f"plugin_{sort}.py" in disk_cache.transitive_imports(
        disk_cache.KERNELS / "surface_contact" / "gap_functions.py"
    )


def test_doors_find_kinds_that_they_do_not_show():
    class Cross(JOINTS["weld"]):
        kind = "cross"

    try:
        assert jd.Cross.__name__ == "Cross" and "Cross" not in dir(jd)
    finally:
        del JOINTS._known["cross"]
    with pytest.raises(AttributeError, match="did you mean Revolute"):
        _ = jd.Revolut


def test_branches_are_written_from_the_table():
    """Each kind gets those of the arguments that it names; without kinds there is only what was known before."""

    @kernel
    def known(a, b):
        return "known", a, b

    @kernel
    def one(b):
        return "one", b

    @kernel
    def two(a):
        return "two", a

    kinds = {7: SimpleNamespace(go=one), 9: SimpleNamespace(go=two), 11: SimpleNamespace(stay=two)}
    made = kind_dispatch.chain("choose", "go", "a, b", "a + 1", kinds, known, __name__)
    assert made.__name__ == "choose" and made.__module__ == __name__
    made = made.py_func
    made.__globals__.update({name: one.py_func for name, one in made.__globals__.items() if hasattr(one, "py_func")})
    assert [made(a, 2) for a in (6, 8, 10)] == [("one", 2), ("two", 8), ("known", 10, 2)]
    assert kind_dispatch.chain("choose", "go", "a, b", "a", {11: kinds[11]}, known, __name__) is known
    assert [kind_dispatch.among("small", (1, 3), __name__).py_func(k) for k in range(4)] == [False, True, False, True]


def test_a_kind_that_lacks_a_kernel_is_named():
    with pytest.raises(ImportError, match="jourdain.kernels.joints.tabled does not define pose, rows"):
        kind_dispatch.plugin_modules(
            "jourdain.kernels.joints", kind_registry.JOINTS, kind_registry.TABLED, ("table_pose", "pose", "rows")
        )


def test_pages_list_every_kind():
    """`python docs/kinds.py` writes them."""
    spec = importlib.util.spec_from_file_location("kinds_of_pages", ROOT / "docs" / "kinds.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name, write in module.PAGES.items():
        page = (ROOT / "docs" / name).read_text(encoding="utf-8")
        assert write(page) == page, name
