"""A report as PDF, printed by the browser of this machine; and what is said where there is none, or it fails."""

from __future__ import annotations

import os
import re
import sys
import time
from pathlib import Path

import pytest

import morsdei_sim
from morsdei_sim.errors import UserError
from morsdei_sim.lang import set_language
from morsdei_sim.reporting import browser
from tests.browsing import in_browser
from tests.report.conftest import squad

HALF = "import sys; open(sys.argv[-2].partition('=')[2], 'wb').write(b'%PDF-'); "


def pages(pdf: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


@pytest.mark.usefixtures("english")
class TestPrinted:
    pytestmark = in_browser

    def test_a_report(self, sweeps: dict[str, Path], tmp_path: Path) -> None:
        (tmp_path / "page.pdf").write_text("old")
        found = morsdei_sim.report(str(sweeps["exact"]), out=tmp_path / "page.html", lang="ru", pdf=True)
        assert found.pdf == tmp_path / "page.pdf"
        assert str(found.pdf) in str(found)
        assert found.to_dict()["pdf"] == str(found.pdf)
        content = found.pdf.read_bytes()
        assert content.startswith(b"%PDF-")
        assert pages(content) >= 2
        assert len(content) > 20_000
        assert sorted(path.name for path in tmp_path.iterdir()) == ["page.html", "page.pdf"]
        # The title of the document is not compressed: UTF-16, as PDF writes Cyrillic.
        assert "Метки".encode("utf-16-be").hex().upper().encode() in content or "Метки".encode("utf-16-be") in content


def test_no_browser_is_told_before_the_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browser, "found", lambda: None)
    with pytest.raises(UserError, match=r"page\.pdf: no Chromium, Chrome or Edge"):
        morsdei_sim.report(squad(tmp_path / "my.toml", "melee"), out=tmp_path / "page.html", pdf=True)
    assert [path.name for path in tmp_path.iterdir()] == ["my.toml"]
    set_language("ru")
    with pytest.raises(UserError, match="sudo apt install chromium"):
        browser.needed(tmp_path / "page.pdf")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("import sys; sys.exit('no display')", "no display"),
        ("import time; time.sleep(60)", "longer than 1 s"),
        ("pass", "exit code 0"),
        (HALF + "sys.exit(3)", "exit code 3"),
    ],
)
def test_a_browser_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str, said: str) -> None:
    """The page and an older PDF stay, and nothing else is left."""
    program = tmp_path / "browser"
    program.write_text(f"#!{sys.executable}\n{body}\n")
    program.chmod(0o755)
    monkeypatch.setattr(browser, "found", lambda: str(program))
    monkeypatch.setattr(browser, "SECONDS", 1)
    page, target = tmp_path / "page.html", tmp_path / "page.pdf"
    page.write_text("<p>Hello")
    target.write_text("old")
    with pytest.raises(UserError, match=said):
        browser.print_pdf(page, target)
    assert target.read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["browser", "page.html", "page.pdf"]


@pytest.mark.skipif(os.name == "nt", reason="processes have no groups there")
def test_no_process_outlives_its_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Chromium is started by a shell script on many machines: what the script started is stopped too."""
    program = tmp_path / "browser"
    program.write_text(f"#!/bin/sh\nsleep 60 &\necho $! > {tmp_path}/child\nwait\n")
    program.chmod(0o755)
    monkeypatch.setattr(browser, "found", lambda: str(program))
    monkeypatch.setattr(browser, "SECONDS", 1)
    with pytest.raises(UserError, match="longer than 1 s"):
        browser.print_pdf(tmp_path / "page.html", tmp_path / "page.pdf")
    child = int((tmp_path / "child").read_text())
    for _try in range(50):
        if not running(child):
            return
        time.sleep(0.1)
    pytest.fail("it is still running")


def running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{process}/stat")
    return not (status.exists() and status.read_text().rpartition(")")[2].split()[0] == "Z")
