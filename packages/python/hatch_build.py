"""Before a package is built from the repository, writes what it takes from openapi.json (ADR 25)."""

import importlib.util
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FOLDER = Path(__file__).parent
GENERATOR = FOLDER / "tools" / "generate.py"


class GeneratedSources(BuildHookInterface[Any]):
    # The sdist has the generated files, and neither the generator nor the document.
    def dependencies(self) -> list[str]:
        return ["datamodel-code-generator==0.89.0"] if GENERATOR.exists() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if not GENERATOR.exists():
            return
        spec = importlib.util.spec_from_file_location("generate", GENERATOR)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        module.generate(FOLDER.parent.parent / "openapi.json", FOLDER / "src" / "herald_client")
