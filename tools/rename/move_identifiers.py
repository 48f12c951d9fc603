"""Renames parts of identifiers (snake_case) in Python, in strings that are identifiers, and in back ticks."""

import io
import re
import subprocess
import tokenize
from pathlib import Path

HERE = Path(__file__).resolve().parent
PARTS = {}
WHOLE = {}
for l in open(str(HERE / "identifiers.txt")):
    l = l.split("#")[0].strip()
    if not l:
        continue
    a, b = [x.strip() for x in l.split("=")]
    if a.startswith("*"):
        PARTS[a[1:]] = b
    else:
        WHOLE[a] = b


def new(name):
    if name in WHOLE:
        return WHOLE[name]
    if re.match(r"BOOKS?(_|$)", name):
        name = re.sub(r"^BOOKS?", "LEDGER", name)
    if re.match(r"SUM_(SUNK|BEGUN)", name):
        name = name.replace("SUNK", "PENETRATION_EXCEEDED").replace("BEGUN", "STARTED")
    if not any(p in name.lower() for p in PARTS):
        return name
    if re.fullmatch(r"[A-Z0-9_]+", name):
        return "_".join(PARTS.get(x.lower(), x).upper() if x.lower() in PARTS else x for x in name.split("_"))
    return "_".join(PARTS.get(x, x) for x in name.split("_"))


ident = re.compile(r"[A-Za-z_]\w*")


def in_string(body):
    if re.fullmatch(r"[A-Za-z_]\w*(?:[.:][A-Za-z_]\w*)*", body) and (
        "_" in body or body in WHOLE or "." in body or ":" in body
    ):
        return ident.sub(lambda m: new(m[0]), body)
    return re.sub(r"`([A-Za-z_][\w.]*)`", lambda m: "`" + ident.sub(lambda k: new(k[0]), m[1]) + "`", body)


for g in subprocess.run(["git", "ls-files", "*.py", "*.md"], capture_output=True, text=True).stdout.split():
    p = Path(g)
    if not p.is_file():
        continue
    text = p.read_text(encoding="utf-8")
    if p.suffix == ".md":
        out = re.sub(r"`([A-Za-z_][\w.]*)`", lambda m: "`" + ident.sub(lambda k: new(k[0]), m[1]) + "`", text)
    else:
        lines = text.splitlines(keepends=True)
        starts = [0]
        for l in lines:
            starts.append(starts[-1] + len(l))
        edits = []
        for t in tokenize.generate_tokens(io.StringIO(text).readline):
            a = starts[t.start[0] - 1] + t.start[1]
            b = starts[t.end[0] - 1] + t.end[1]
            if t.type == tokenize.NAME:
                n = new(t.string)
            elif t.type == tokenize.STRING:
                q = re.match(r'[A-Za-z]*("""|\'\'\'|"|\')', t.string)
                body = t.string[q.end() : len(t.string) - len(q[1])]
                if "f" in t.string[: q.start(1)].lower():
                    body = re.sub(r"(?<!\{)\{[^{}]*\}", lambda m: ident.sub(lambda k: new(k[0]), m[0]), body)
                n = t.string[: q.end()] + in_string(body) + q[1]
            elif t.type == tokenize.COMMENT:
                n = re.sub(r"`([A-Za-z_][\w.]*)`", lambda m: "`" + ident.sub(lambda k: new(k[0]), m[1]) + "`", t.string)
            else:
                continue
            if n != t.string:
                edits.append((a, b, n))
        out = []
        last = 0
        for a, b, n in edits:
            out += [text[last:a], n]
            last = b
        out.append(text[last:])
        out = "".join(out)
    if out != text:
        p.write_text(out, encoding="utf-8")
