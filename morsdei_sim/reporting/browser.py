"""The browser of this machine: where it is, and a page printed with it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import IO

from morsdei_sim.cards.safe import os_reason, unwritable
from morsdei_sim.errors import UserError
from morsdei_sim.lang import _

__all__ = ["found", "needed", "print_pdf"]

NAMES = "chromium chromium-browser google-chrome google-chrome-stable microsoft-edge msedge chrome".split()
SECONDS = 120
"""How long printing may take; the shipped cards take 5."""

QUIET = (
    "--headless --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update "
    "--disable-sync --disable-extensions --no-pdf-header-footer"
).split()


def found() -> str | None:
    """A Chromium, Chrome or Edge, or None."""
    # Neither macOS nor Windows puts it on the PATH.
    usual = (
        Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"),
        Path(os.environ.get("ProgramFiles(x86)", "/")) / "Microsoft/Edge/Application/msedge.exe",
    )
    named = next((path for path in map(shutil.which, NAMES) if path), None)
    return named or next((str(path) for path in usual if path.is_file()), None)


def needed(target: Path) -> str:
    """The browser that a PDF is printed with; UserError where there is none."""
    browser = found()
    if browser is None:
        text = _(
            "{file}: no Chromium, Chrome or Edge was found to print with. Install one (Debian, Ubuntu: sudo apt "
            "install chromium), or leave --pdf out, open the page in any browser and print it there."
        )
        raise UserError(text.format(file=target))
    return browser


def print_pdf(page: Path, target: Path) -> None:
    """Print a page to a PDF file, as a whole or not at all; an older file is replaced.

    Raises
    ------
    UserError : there is no browser, it does not print, or the file cannot be written.
    """
    browser = needed(target)
    # In the folder of the file: there it is renamed at once, and a browser in a sandbox may see no other.
    temporary = target.with_name(f"printing-{os.getpid():x}.pdf")
    try:
        _run(browser, page, temporary, target)
        with temporary.open("r+b") as file:
            os.fsync(file.fileno())
        temporary.replace(target)
    except OSError as error:
        raise unwritable(target, error) from None
    finally:
        with suppress(OSError):
            temporary.unlink()


def _run(browser: str, page: Path, printed: Path, target: Path) -> None:
    """Let the browser print; UserError, naming the file that was wanted, where nothing comes of it."""
    superuser = hasattr(os, "geteuid") and os.geteuid() == 0
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        words = [
            browser, *QUIET, *(["--no-sandbox"] if superuser else []), f"--user-data-dir={profile}",
            f"--print-to-pdf={printed.resolve()}", page.resolve().as_uri(),
        ]  # fmt: skip
        errors, code = Path(profile) / "errors", 0
        try:
            with errors.open("wb") as file:
                code = _ended(words, file)
            said = errors.read_text("utf-8", "replace").strip().splitlines()
            reason = said[-1][:200] if said else _("exit code {code}").format(code=code)
        except subprocess.TimeoutExpired:
            reason = _("it took longer than {seconds} s").format(seconds=SECONDS)
        except OSError as error:
            reason = os_reason(error)
    if code or not (printed.is_file() and printed.read_bytes().startswith(b"%PDF-")):
        text = _("{file}: {browser} did not print the page: {reason}. Open {page} in a browser and print it there.")
        raise UserError(text.format(file=target, browser=browser, reason=reason, page=page))


def _ended(words: list[str], errors: IO[bytes]) -> int:
    """The exit code of a command that is given its time; whatever ends the waiting ends all its processes."""
    silent = subprocess.DEVNULL
    with subprocess.Popen(words, stdin=silent, stdout=silent, stderr=errors, start_new_session=True) as process:
        try:
            return process.wait(SECONDS)
        except BaseException:
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
            process.kill()
            raise
