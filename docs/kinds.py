"""Write kinds of joints, bodies and shapes into the pages that list them: `python docs/kinds.py`.

The tables of study/scenario.md are those of the schema of files. Pages with text of their own about each kind
(reference/api_describe.md, reference/conventions.md) get a line for those that they lack, made of the docstring.
"""

import inspect
import re
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parent
sys.path.insert(0, str(DOCS.parent / "tests"))


def scenario(page: str) -> str:
    """The page on scenario files with its tables as the reader has them."""
    from scenario_words import tables

    for heading, rows in tables().items():
        table = "\n".join(rows)
        page = re.sub(rf"(### {heading}\n\n)(?:\|.*\n)+", lambda found, table=table: f"{found[1]}{table}\n", page)
    return page


def kinds() -> dict[str, list[type]]:
    """Headings of the page on descriptions, and the classes that belong under them."""
    from jourdain.describe.bodies import BODIES
    from jourdain.describe.joints import JOINTS
    from jourdain.describe.shapes import SHAPES

    return {
        "Bodies": BODIES.classes(),
        "Joints": JOINTS.classes(),
        "Shapes": [one for one in SHAPES.classes() if one.in_files],
    }


def descriptions(page: str) -> str:
    """The page on descriptions with all kinds; new ones at the end of the last list of their section."""
    for heading, classes in kinds().items():
        start = page.index(f"## {heading}\n")
        end = page.find("\n## ", start)
        section = page[start:end]
        missing = [one.__name__ for one in classes if f".. autoclass:: {one.__name__}\n" not in section]
        if missing:
            head, _, tail = section.rpartition("\n```")
            section = head + "".join(f"\n.. autoclass:: {name}" for name in missing) + "\n```" + tail
        page = page[:start] + section + page[end:]
    return page


def conventions(page: str) -> str:
    """The page on conventions with the coordinates of all joints."""
    rows = ""
    for joint in kinds()["Joints"]:
        if f"| `{joint.__name__}" not in page:
            q, v = ("`" + " ".join(names) + "`" for names in (joint.q_suffixes, joint.v_suffixes))
            q, v = (text if text != "``" else "(the name itself)" for text in (q, v))
            meaning = (inspect.getdoc(joint) or "").splitlines()[0]
            rows += f"| `{joint.__name__}` | {q} | {'same' if q == v else v} | {meaning} |\n"
    return page.replace("| `Weld` | none | none | |\n", f"{rows}| `Weld` | none | none | |\n")


PAGES = {
    "study/scenario.md": scenario,
    "reference/api_describe.md": descriptions,
    "reference/conventions.md": conventions,
}

if __name__ == "__main__":
    for name, write in PAGES.items():
        path = DOCS / name
        path.write_text(write(path.read_text(encoding="utf-8")), encoding="utf-8")
