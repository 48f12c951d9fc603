"""Writes the rows of the validation pages where the page validation/numbers.md reads them."""

import importlib.util
import json
from pathlib import Path


def write(app, error):
    """After the build: `_static/validation_data.js`."""
    if error or app.builder.format != "html":
        return
    path = Path(app.srcdir) / "validation_table.py"
    spec = importlib.util.spec_from_file_location("validation_table", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    rows = json.dumps(module.data(), ensure_ascii=False).replace("<", "\\u003c")
    (Path(app.outdir) / "_static" / "validation_data.js").write_text(f"const VALIDATION = {rows};\n", encoding="utf-8")


def setup(app):
    app.connect("build-finished", write)
    return {"parallel_read_safe": True}
