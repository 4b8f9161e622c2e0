"""Executes the examples of the page in the manual, in its order, and compares what they print with what the page shows."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from conftest import Running

REPOSITORY = Path(__file__).parents[3]
PAGE = REPOSITORY / "docs" / "manual" / "python.md"
URL = "http://127.0.0.1:3000"


def test_the_examples_of_the_manual_do_what_it_says(running: Running, tmp_path: Path) -> None:
    blocks = re.findall(r"^```(python client|text output)\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    examples = [(code, blocks[at + 1]) for at, (kind, code) in enumerate(blocks) if kind == "python client"]
    assert len(examples) >= 4
    (tmp_path / ".data").mkdir()
    (tmp_path / ".data" / "api-key").write_text(f"{running.api_key}\n")
    for code, (kind, shown) in examples:
        assert kind == "text output", code
        (tmp_path / "example.py").write_text(code.replace(URL, running.url), "utf-8")
        result = subprocess.run([sys.executable, "example.py"], cwd=tmp_path, capture_output=True, text=True, timeout=60)
        assert (result.stdout, result.stderr) == (shown, ""), code
