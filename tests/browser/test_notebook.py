"""A notebook that is executed without a screen, saved, and opened in a browser without a network."""

import sys

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")
pytestmark = pytest.mark.slow  # a process with its own kernel, and a browser

CELLS = (
    """import numpy as np
import jourdain as jd
system = jd.System("pendulum", gravity=(0, 0, -9.81))
bob = jd.RigidBody("bob", 1.0, (0.5, 0, 0), (0.01, 0.01, 0.01), shape=jd.Box((1, 0.1, 0.1)).at("origin", (0.5, 0, 0)))
system.add(bob, jd.Revolute("hinge", axis="y"))
system""",
    "model = system.compile()\nmodel",
    "state = model.state(q={'hinge': 0.3})\nstate",
    "run = jd.simulate(model, state, until=0.5)\nrun",
    "model.linearize(model.state(q={'hinge': np.pi / 2}))",
    "from jourdain.study.sweeps.study import Study\n"
    "Study('pendulum', None, (jd.study.Parameter('mass', values=[1.0, 2.0]),))",
    "run.q",
)
SAYS = (
    "System(&quot;pendulum&quot;)",
    "<td>hinge</td><td>rad</td>",
    "<td>0.3</td>",
    "<iframe sandbox",
    "<td>pole</td>",
    "<td>mass</td>",
    "xarray",
)


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """The notebook with its outputs, as a file."""
    from jupyter_client.kernelspec import KernelSpec
    from jupyter_client.manager import AsyncKernelManager

    diagnostics = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in CELLS])
    kernel = AsyncKernelManager()
    launch = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    kernel._kernel_spec = KernelSpec(argv=launch, display_name="this", language="python")
    folder = tmp_path_factory.mktemp("notebook")
    nbclient.NotebookClient(
        diagnostics, timeout=300, km=kernel, resources={"metadata": {"path": str(folder)}}
    ).execute()
    nbformat.write(diagnostics, folder / "pendulum.ipynb")
    return folder / "pendulum.ipynb"


def shown(path) -> list[str]:
    """The markup of every cell of a saved notebook."""
    diagnostics = nbformat.read(path, as_version=4)
    nbformat.validate(diagnostics)
    return [
        "".join(one.data.get("text/html", "") for one in cell.outputs if "data" in one) for cell in diagnostics.cells
    ]


def test_every_cell_shows_what_it_made(saved):
    for text, says in zip(shown(saved), SAYS, strict=True):
        assert says in text
    assert saved.stat().st_size < 3_000_000


def test_a_saved_notebook_opens_without_a_network(saved, chromium, tmp_path):
    """The replay comes alive inside of its cell, and nothing of it asks for an address outside."""
    path = tmp_path / "saved.html"
    path.write_text("<!doctype html><meta charset=utf-8>" + "<hr>".join(shown(saved)), encoding="utf-8")
    page = chromium.page(900, 700, scale=0.5)
    page.open(path)
    page.evaluate("document.querySelector('iframe').scrollIntoView()")
    page.pump(4.0)
    picture = page.screenshot()
    assert page.errors == [] and page.outside == []
    assert len(picture) > 10_000  # more than an empty window
