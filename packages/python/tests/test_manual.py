"""Executes the examples of the manual and of the README, and compares what they print with what the page shows."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from herald_client import Herald

from conftest import Running

REPOSITORY = Path(__file__).parents[3]
PAGE = REPOSITORY / "docs" / "manual" / "python.md"
URL = "http://127.0.0.1:3000"
#: Has the wheel and what it needs, and nothing of the tests.
PYTHON = os.environ.get("HERALD_EXAMPLES_PYTHON", sys.executable)


def test_the_examples_of_the_manual_do_what_it_says(running: Running, tmp_path: Path) -> None:
    blocks = re.findall(r"^```(python client|text output)\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    examples = [(code, blocks[at + 1]) for at, (kind, code) in enumerate(blocks) if kind == "python client"]
    assert len(examples) >= 4
    (tmp_path / ".data").mkdir()
    (tmp_path / ".data" / "api-key").write_text(f"{running.api_key}\n")
    for code, (kind, shown) in examples:
        assert kind == "text output", code
        (tmp_path / "example.py").write_text(code.replace(URL, running.url), "utf-8")
        result = subprocess.run([PYTHON, "example.py"], cwd=tmp_path, capture_output=True, text=True, timeout=60)
        assert (result.stdout, result.stderr) == (shown, ""), code


def test_the_example_of_the_readme_delivers(running: Running, herald: Herald, tmp_path: Path) -> None:
    name = "order-shipped"
    if all(one["triggers"][0]["identifier"] != name for one in herald.workflows.list_workflows()):
        herald.workflows.create_workflow(
            {"name": "Order shipped", "active": True, "steps": [{"template": {"type": "in_app", "content": "Sent."}}]}
        )
    (code,) = re.findall(r"^```python client\n(.*?)^```", (REPOSITORY / "README.md").read_text("utf-8"), re.MULTILINE | re.DOTALL)
    (tmp_path / "example.py").write_text(code.replace(URL, running.url), "utf-8")
    environment = {**os.environ, "HERALD_API_KEY": running.api_key}
    result = subprocess.run(
        [PYTHON, "example.py"], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60
    )
    assert "'completed': 1," in result.stdout and result.stderr == "", result
