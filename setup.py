"""The examples are a folder of the repository; a built package carries a copy of them, for `jourdain examples`."""

from pathlib import Path
from shutil import copytree, ignore_patterns, rmtree

from setuptools import setup
from setuptools.command.build_py import build_py


class BuildWithExamples(build_py):
    """Copies examples/ to jourdain/_examples in what is built; an editable install reads the repository's folder."""

    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return
        target = Path(self.build_lib) / "jourdain" / "_examples"
        rmtree(target, ignore_errors=True)
        copytree(Path(__file__).parent / "examples", target, ignore=ignore_patterns("__pycache__", "*.pyc"))


setup(cmdclass={"build_py": BuildWithExamples})
