import re
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
table = []
for l in open(str(HERE / "phrases.txt")):
    if "||" in l:
        a, b = l.rstrip("\n").split("||")
        table.append((a, b))
table.sort(key=lambda t: -len(t[0]))
skip = ("CHANGELOG.md",)
for g in subprocess.run(
    [
        "git",
        "ls-files",
        "src/*.py",
        "src/*.yaml",
        "docs/*.md",
        "docs/*.py",
        "tests/*.py",
        "examples/*",
        "README.md",
        "CONTRIBUTING.md",
        "paper/*.md",
        "benchmarks/*.py",
    ],
    capture_output=True,
    text=True,
).stdout.split():
    p = Path(g)
    if not p.is_file() or p.name in skip or "page/" in g or p.suffix in (".js",):
        continue
    try:
        s = o = p.read_text()
    except UnicodeDecodeError:
        continue
    for a, b in table:
        if b == "@FREEDOMS":
            s = (
                re.sub(r'(?<!degrees of)(?<![\w"]) freedoms\b(?!\s*=)', " degrees of freedom", s)
                if p.suffix == ".md"
                else re.sub(r'(?<!degrees of) freedoms\b(?=[ .,;:)"\'\]\n?])(?! =)', " degrees of freedom", s)
            )
        elif a != b:
            # also across a line break of the source
            pat = (
                r"(?<!\w)" * (a[0].isalnum())
                + r"\s+".join(re.escape(w) for w in a.split(" "))
                + r"(?!\w)" * (a[-1].isalnum())
                if " " in a
                else r"(?<!\w)" + re.escape(a) + r"(?!\w)"
            )

            def put(m):
                nl = re.findall(r"\n\s*", m[0])
                if not nl:
                    return b
                i = b.find(" ")
                return b[:i] + nl[0] + b[i + 1 :] if i > 0 else b + nl[0].rstrip(" ")

            s = re.sub(pat, put, s)
    if s != o:
        p.write_text(s)
