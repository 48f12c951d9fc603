"""Sphinx configuration. `make docs` builds with warnings as errors."""

import os
import sys
from importlib.metadata import version as _version
from pathlib import Path

os.environ["MPLBACKEND"] = "Agg"
sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "Jourdain"
author = "The Jourdain developers"
copyright = "The Jourdain developers"
release = _version("jourdain")
version = release

extensions = [
    "sphinx.ext.autodoc",
    "myst_parser",
    "sphinx_gallery.gen_gallery",
    "gallery_pages",
    "mathml",
    "plain_docstrings",
    "validation_data",
]
exclude_patterns = ["_build", "gallery/**/*.ipynb", "gallery/**/GALLERY_HEADER.rst"]
source_suffix = {".rst": "restructuredtext", ".md": "markdown"}

myst_enable_extensions = ["dollarmath", "colon_fence"]
myst_heading_anchors = 3
html_math_renderer = "mathml"

autodoc_mock_imports: list[str] = []
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {"members": True}

# What examples share does not end with a figure, as they do.
_files = sorted((Path(__file__).parents[1] / "examples").glob("*/*.py"))
imported = [path.stem for path in _files if not path.read_text(encoding="utf-8").rstrip().endswith("plt.show()")]
sphinx_gallery_conf = {
    "examples_dirs": ["../examples"],
    "gallery_dirs": ["gallery"],
    # Every example is run but the modules that others import.
    "filename_pattern": rf"/(?!({'|'.join(imported)})\.py$)\w+\.py$",
    "ignore_pattern": r"__init__\.py|conftest\.py|/published/",
    "download_all_examples": False,
    "show_memory": False,
    "write_computation_times": False,
    "show_signature": False,
    "remove_config_comments": True,
    "image_scrapers": ("matplotlib", "gallery_pages"),
    "within_subsection_order": "gallery_pages.ExamplesFirst",
    "default_thumb_file": str(Path(__file__).parent / "_static" / "module.png"),
}

html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["jourdain.css"]
# Literal blocks of docstrings are prose in columns; snippets name their language.
highlight_language = "text"
html_title = f"Jourdain {release}"
html_show_sphinx = False
# Summaries of what is found are fetched, which browsers refuse to pages that are files: the search works without.
html_show_search_summary = False
