"""The numbers of the validation pages put together: `python docs/validation_table.py` writes the summary of
validation/index.md, and `data` gives all rows to the page validation/numbers.md, when the documentation is built.

The pages are where numbers are written down, each in a table of its section, with what is odd about it in words. This
reads these tables and puts their rows together; a test sees to it that the summary was written.
"""

import re
from pathlib import Path
from typing import NamedTuple

DOCS = Path(__file__).resolve().parent
TESTS = DOCS.parent / "tests"
PAGES = ("rigid", "flexible", "solids", "contact", "volumetric", "implicit", "constraints", "loops", "parallel",
         "vehicles", "orbit", "identification", "control", "export", "human")  # fmt: skip
REFERENCE = ("source", "their", "digest", "theory", "against", "expected", "thesis", "others", "Whitney")
"""How headers of columns begin that have a number to compare with, or say whose it is."""
NAMED = re.compile(r"\btest_\w+|examples/[\w/]+\.py")
DEFAULTS = {
    ("implicit", "Observed orders"): "verification/test_implicit_orders.py",
    ("implicit", "Structure"): "verification/test_implicit_orders.py",
    ("implicit", "Contact"): "verification/test_implicit_contact.py",
    ("implicit", "A stiff arm in contact"): "verification/test_implicit_contact.py",
    ("flexible", "The Space Shuttle arm"): "verification/test_srms.py",
    ("orbit", "Spinning tether"): "verification/test_orbit.py",
}
"""Tests of sections that name none."""
UNIT = r"(?: (?:%|mm|m/s²|m/s|m|rad/s²|rad/s|rad|deg|N m|N s|N|J))?"
NUMBER = rf"\d[\d.e+-]*{UNIT}"
SMALL = r"\d[\d.]*e-\d+"
TOLD = re.compile(
    r"(?:relative error|relative|errors?|within|below|off by|less than|under|the same to) (?:error |below )?"
    rf"({NUMBER}(?:, {NUMBER})*(?: and {NUMBER})?)(?![\w./])(?: \([^)]*\) to ({SMALL}))?"
)
"""How pages say what the error is; a range has both of its ends."""
BARE = re.compile(rf"(?:to )?({SMALL}(?:(?:, | and |; ){SMALL})*{UNIT})(?![\w./])")
"""An error without a word."""
VAGUE = re.compile(r"\b(under|below|about|axis to|after|near|before|smaller|larger|least|grows|lower)\b")
"""A reference that is no number to be met."""
SAID = {
    ("contact", "lifted at 1 mm/s"): "",
    ("contact", "the same, rk4 at 20 µs / 1 µs: balance"): "1.0e-3 / below 1e-5",
    ("loops", "Bricard, 10 s: energy"): "2e-10 J; 4e-5",
    ("loops", "the same, 40 pieces that do not stretch"): "1e-4 m to 0.3 s, then 7e-3 m",
    ("volumetric", "contact from, to"): "1 ms, a sample",
    ("volumetric", "spin stops"): "from the digest: none in the digits given",
}
"""Deviations that a page says in other words."""
MARK = "<!-- the table: docs/validation_table.py -->\n"


class Row(NamedTuple):
    page: str
    section: str
    what: str
    reference: str
    ours: str
    deviation: str
    test: str


def cells(line: str) -> list[str]:
    return [one.strip() for one in re.split(r"(?<!\\)\|", line.strip())[1:-1]]


def homes() -> dict[str, str]:
    """File of every test, example and test function, by its name."""
    found = {}
    files = {path.relative_to(TESTS).as_posix(): path for path in sorted(TESTS.rglob("test_*.py"))}
    for name, path in files.items():
        for function in re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE):
            found.setdefault(function, name)
    found |= {path.stem: name for name, path in files.items()}
    for path in sorted((DOCS.parent / "examples").rglob("*.py")):
        name = path.relative_to(DOCS.parent).as_posix()
        found.setdefault(path.stem, name)
        found[name] = name
    return found


def numbers(text: str) -> list[float]:
    text = re.sub(r"\[[^]]*\]|\([^)]*[a-z]{2}[^)]*\)", "", text.replace("−", "-").replace(",", " ").replace("°", " "))
    return [float(one) for one in re.findall(r"(?<![\w.])[-+]?\d*\.?\d+(?:e[-+]?\d+)?(?![\w.])", text)]


def apart(reference: str, ours: str) -> str:
    """How far the numbers of two cells are apart, relative, where there are as many on either side."""
    theirs, mine = numbers(reference), numbers(ours)
    if not theirs or len(theirs) != len(mine) or VAGUE.search(reference):
        return ""
    worst = max(abs(a - b) / (abs(a) or 1.0) for a, b in zip(theirs, mine))
    if worst < 1e-12:
        return "none in the digits given"
    if worst > 0.25:  # other things than the same number twice
        return ""
    return f"{100 * worst:.2g} %" if worst >= 1e-3 else re.sub(r"e-0", "e-", f"{worst:.1e}")


def deviation(values: dict[str, str], ours: str) -> str:
    """How far ours is from the reference: as the page says it, else from the numbers.

    values    what there is to compare with, by the header of its column
    """
    told = TOLD.search(ours)
    if told:
        return told.group(1).strip(" ,.") + (f" to {told.group(2)}" if told.group(2) else "")
    if percent := re.search(r"\((\d[\d.]* %)\)", ours):
        return percent.group(1)
    if not any(any(numbers(value)) for value in values.values()) and (bare := BARE.match(ours)):
        return bare.group(1)
    if re.search(r"all digits|same digits|the same|all of them", ours):
        return "none in the digits given"
    parts = {name: off for name, value in values.items() if (off := apart(value, ours))}
    alone = len([value for value in values.values() if value]) == 1
    return "; ".join(
        f"from the digest: {off}" if name == "digest" and not alone else off for name, off in parts.items()
    )


def rows_of(page: str, known: dict[str, str]) -> list[Row]:
    """The rows of a page's tables, in their order."""
    found: list[Row] = []
    text = (DOCS / "validation" / f"{page}.md").read_text(encoding="utf-8")
    section = top = first = test = default = ""
    head: list[str] = []
    tests: list[str] = []
    for line in text.splitlines():
        if line.startswith("#"):
            section, tests = line.lstrip("# "), []
            top = section if line.startswith("## ") else top
            default = DEFAULTS.get((page, top), default)
        if not line.startswith("|"):
            head = []
            tests += [known[one] for one in re.findall(r"\btest_\w+|examples/published/\w+\.py", line) if one in known]
            if tests and (page, top) not in DEFAULTS:
                default = ", ".join(dict.fromkeys(tests))
        elif not head:
            head, first, test = cells(line), "", default
        elif not set(line) <= set("|-: "):
            row = dict(zip(head, cells(line)))
            first = row.pop(head[0]) or first
            named = [known[one] for one in NAMED.findall(row.pop("test", "")) if one in known]
            test = ", ".join(dict.fromkeys(named)) or test
            reference, ours, off = compared(row)
            found.append(Row(page, section, first, reference, ours, SAID.get((page, first), off), test))
    return found


def compared(row: dict[str, str]) -> tuple[str, str, str]:
    """(reference, ours, deviation) from the cells of a row by their headers."""
    row = {name: cell for name, cell in row.items() if cell}
    theirs = {name: cell for name, cell in row.items() if name.startswith(REFERENCE)}
    rest = {name: cell for name, cell in row.items() if name not in theirs}
    digest = len(theirs) > 1 and "digest" in theirs
    reference = "; ".join(f"digest: {cell}" if digest and name == "digest" else cell for name, cell in theirs.items())
    ours = "; ".join(cell if name == "ours" else f"{name}: {cell}" for name, cell in rest.items())
    values = {name: cell for name, cell in theirs.items() if name not in ("source", "against")}
    if "ours" in row:
        return reference, ours, deviation(values, row["ours"])
    errors = all(re.fullmatch(SMALL, cell) for cell in rest.values())
    return reference, ours, ", ".join(rest.values()) if errors else ""


def data() -> list[list[str]]:
    """All rows for the page that searches and sorts them: subject, section, its address, and the fields of `Row`."""
    known, found = homes(), []
    for page in PAGES:
        for row in rows_of(page, known):
            anchor = re.sub(r"[^\w\- ]", "", row.section.lower()).replace(" ", "-")
            address = f"{page}.html#{anchor}"
            found.append([page, row.section, address, row.what, row.reference, row.ours, row.deviation, row.test])
    return found


def summary() -> str:
    """The table of validation/index.md: how many numbers there are of each subject, and where they are tested."""
    out = ["| subject | rows | with a reference | test files |", "|---|---|---|---|"]
    rows = data()
    for page in PAGES:
        own = [row for row in rows if row[0] == page]
        tests = {test for row in own for test in row[7].split(", ")}
        out.append(f"| [{page}]({page}.md) | {len(own)} | {sum(bool(row[4]) for row in own)} | {len(tests)} |")
    out.append(f"| all | {len(rows)} | {sum(bool(row[4]) for row in rows)} | |")
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    index = DOCS / "validation" / "index.md"
    before, _, _ = index.read_text(encoding="utf-8").partition(MARK)
    index.write_text(before + MARK + "\n" + summary(), encoding="utf-8")
