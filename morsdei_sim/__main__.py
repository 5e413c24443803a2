"""``python3 -m morsdei_sim``: the command line, which first sets itself up where its dependencies are missing.

Set up means: a virtual environment ``.venv`` in the checkout, ``requirements.lock`` installed into it with its hashes,
the project itself on top, and the same command again in there. The Python that was started is never written to, and the
index, proxy and certificates are whatever uv and pip are set up with. Everything here runs on Python 3.8.
"""

from __future__ import annotations

import os
import signal


def _vanish(*_signal: object) -> None:
    os._exit(130)


# While modules load, Ctrl-C ends the process in silence: a KeyboardInterrupt out of an import is a traceback.
if __name__ == "__main__" and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, _vanish)

import hashlib  # noqa: E402
import shutil  # noqa: E402
import subprocess  # noqa: E402
import sys  # noqa: E402
from importlib.util import find_spec  # noqa: E402
from typing import NoReturn, Sequence, Tuple  # noqa: E402

from morsdei_sim.lang import _, choose_language, set_language  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OLDEST, NEWEST = (3, 11), (3, 15)

# What the base dependencies of pyproject.toml are called when imported, and what the test verb needs besides.
IMPORTS = (
    "numpy numba pandas scipy matplotlib pydantic click rich tqdm pyarrow jinja2 babel platformdirs python_calamine "
    "xlsxwriter tomlkit"
).split()
TEST_IMPORTS = "pytest hypothesis nbmake icepool randomgen playwright importlinter jupyter_core papermill".split()

STAMP = "morsdei_sim.stamp"
UNFINISHED = "unfinished"
# Set for the re-run, so that an environment which stays incomplete ends in a message and not in a loop.
REPEATED = "MORSDEI_BOOTSTRAPPED"


class CannotSetUp(Exception):
    """Why this machine cannot be set up, with the remedy, in one line."""


def say(message: str) -> None:
    """One line on stderr, in any console encoding."""
    encoding = getattr(sys.stderr, "encoding", None) or "utf-8"
    print(message.encode(encoding, "replace").decode(encoding), file=sys.stderr, flush=True)


def missing(arguments: Sequence[str]) -> list[str]:
    """The modules that this command needs and this Python does not have. Looks for them without importing them."""
    verb = next((argument for argument in arguments if not argument.startswith("-")), "")
    return [name for name in IMPORTS + (TEST_IMPORTS if verb == "test" else []) if find_spec(name) is None]


def supported(version: Tuple[int, ...]) -> bool:
    """Whether the lock file covers this version of Python."""
    return OLDEST <= version[:2] <= NEWEST


def _wrong_version() -> str:
    return _(
        "morsdei_sim needs Python {oldest} to {newest}, and this is Python {this}: install one of those, "
        "then run the same command with it, for instance python{newest} -m morsdei_sim."
    ).format(oldest="%d.%d" % OLDEST, newest="%d.%d" % NEWEST, this="%d.%d" % sys.version_info[:2])


def _version_of(python: str) -> tuple[int, ...]:
    code = "import sys; print(*sys.version_info[:2])"
    try:
        answer = subprocess.run([python, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=60)
        return tuple(int(word) for word in answer.stdout.split()) if answer.returncode == 0 else ()
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return ()


def find_python() -> str:
    """A supported Python: this one, or one on the PATH, or one that uv knows of."""
    if supported(sys.version_info[:2]):
        # The one below a virtual environment: the environment may be the very one that is about to be rebuilt.
        return getattr(sys, "_base_executable", None) or sys.executable
    # A name on the PATH may be a shim without a Python behind it, so each candidate is asked.
    for minor in range(NEWEST[1], OLDEST[1] - 1, -1):
        found = shutil.which("python3.%d" % minor)
        if found and supported(_version_of(found)):
            return found
    uv = shutil.which("uv")
    if uv:
        wanted = ">=%d.%d,<%d.%d" % (*OLDEST, NEWEST[0], NEWEST[1] + 1)
        answer = subprocess.run(
            [uv, "python", "find", "--no-python-downloads", wanted], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        if answer.returncode == 0:
            return answer.stdout.decode().strip()
    raise CannotSetUp(_wrong_version())


def venv_python(folder: str) -> str:
    """The interpreter of a virtual environment."""
    return os.path.join(folder, "Scripts", "python.exe") if os.name == "nt" else os.path.join(folder, "bin", "python")


def wanted_stamp(root: str) -> str:
    """What a finished environment is stamped with: this lock file, in this place (an environment cannot be moved)."""
    with open(os.path.join(root, "requirements.lock"), "rb") as lock:
        return hashlib.sha256(lock.read() + os.fsencode(root)).hexdigest()


def _stamp(folder: str) -> str | None:
    try:
        with open(os.path.join(folder, STAMP), encoding="ascii") as stamp:
            return stamp.read().strip()
    except (OSError, ValueError):
        return None


def _write_stamp(folder: str, text: str) -> None:
    with open(os.path.join(folder, STAMP), "w", encoding="ascii") as stamp:
        stamp.write(text + "\n")


def _has_everything(python: str) -> bool:
    code = "import sys; from importlib.util import find_spec as f; sys.exit(any(f(n) is None for n in sys.argv[1:]))"
    return subprocess.run([python, "-c", code, *IMPORTS, *TEST_IMPORTS]).returncode == 0


def state(folder: str, root: str) -> str:
    """What is to be done with ``.venv``: nothing ("ready"), "build" it anew, or "fill" one that somebody else made."""
    python = venv_python(folder)
    stamp = _stamp(folder)
    if stamp is not None:
        return "ready" if stamp == wanted_stamp(root) and os.path.exists(python) else "build"
    if not supported(_version_of(python)):
        return "build"
    return "ready" if _has_everything(python) else "fill"


def _run(command: Sequence[str], root: str) -> str | None:
    """Run one step of the installation: None when it went well, otherwise all it said."""
    step = subprocess.run(command, cwd=root, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return None if step.returncode == 0 else step.stdout.decode("utf-8", "replace") or "exit code %d" % step.returncode


def _remedy(output: str) -> str:
    """The remedy that goes with what an installer said."""
    text = output.lower()
    unreachable = ("connection", "name or service", "name resolution", "dns error", "timed out", "unreachable", "proxy")
    if "hash" in text and ("mismatch" in text or "do not match" in text):
        return _("A downloaded package does not match requirements.lock: clear the installer's cache and try again.")
    if any(word in text for word in unreachable):
        return _(
            "The package index cannot be reached: check the network, the proxy (HTTPS_PROXY) and the index set up for "
            "pip (python3 -m pip config list), then run the same command again."
        )
    if "no space left" in text:
        return _("The disk is full: about 1 GB is needed.")
    if "no matching distribution" in text or "no solution found" in text:
        return _(
            "The package index set up on this machine lacks a package of requirements.lock: ask whoever runs it, or "
            "set another one up for pip."
        )
    return _("Run the same command again; if it fails in the same place, the lines above say why.")


def _can_make_venvs(python: str) -> bool:
    probe = [python, "-c", "import venv, ensurepip"]
    return subprocess.run(probe, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


def _installers(python: str) -> list[str]:
    """What can install here, best first. uv does not read pip's configuration, so pip stays as the second try."""
    uv = shutil.which("uv")
    found = ([uv] if uv else []) + (["pip"] if _can_make_venvs(python) else [])
    if not found:
        raise CannotSetUp(
            _(
                "This Python ({python}) cannot make virtual environments: install its venv module "
                "(Debian, Ubuntu: sudo apt install python3-venv) or uv, then run the same command again."
            ).format(python=python)
        )
    return found


def _steps(tool: str, doing: str, python: str, folder: str) -> list[list[str]]:
    """The three steps: environment, locked packages, the project itself without looking for anything more."""
    inside = venv_python(folder)
    lock, project = ["--require-hashes", "-r", "requirements.lock"], ["--no-deps", "--no-build-isolation", "-e", "."]
    if tool == "pip":
        pip = [inside, "-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check"]
        make = [python, "-m", "venv", folder] if doing == "build" else [inside, "-m", "ensurepip"]
        return [make, pip + lock, pip + project]
    into = [tool, "pip", "install", "--quiet", "--python", inside]
    make = [tool, "venv", "--quiet", "--allow-existing", "--python", python, folder]
    return ([make] if doing == "build" else []) + [into + lock, into + project]


def _install(steps: Sequence[Sequence[str]], root: str) -> str | None:
    for step in steps:
        output = _run(step, root)
        if output is not None:
            return output
    return None


def _clear(folder: str) -> None:
    """An empty folder that says it is not finished, in place of whatever was there."""
    if os.path.isdir(folder) and not os.path.islink(folder):
        shutil.rmtree(folder)
    elif os.path.lexists(folder):
        os.remove(folder)
    os.makedirs(folder)
    _write_stamp(folder, UNFINISHED)


def set_up(root: str, doing: str, python: str) -> None:
    """Make ``.venv`` complete. Whatever interrupts this, the next run sees the stamp "unfinished" and starts over."""
    folder = os.path.join(root, ".venv")
    for place, tool in enumerate(_installers(python)):
        if place:
            say(_("uv could not install the packages; trying pip."))
        if doing == "build":
            _clear(folder)
        output = _install(_steps(tool, doing, python, folder), root)
        if output is None:
            _write_stamp(folder, wanted_stamp(root))
            return
        complaint = output
    for line in complaint.strip().splitlines()[-6:]:
        say("  " + line)
    raise CannotSetUp(_remedy(complaint))


def run_again(python: str, arguments: Sequence[str]) -> NoReturn:
    """The same command in the environment that is complete."""
    environment = dict(os.environ, **{REPEATED: "1"})
    command = [python, "-m", "morsdei_sim", *arguments]
    if os.name == "nt":  # there, exec would return to the prompt before the command is done
        sys.exit(subprocess.call(command, env=environment))
    os.execve(python, command, environment)


def _install_by_hand() -> str:
    if os.path.exists(os.path.join(ROOT, "requirements.lock")):
        return (
            "python -m pip install --require-hashes -r requirements.lock && "
            "python -m pip install --no-deps --no-build-isolation -e ."
        )
    return "python -m pip install --upgrade morsdei-sim"


def bootstrap(arguments: Sequence[str], lacking: Sequence[str], refused: bool) -> NoReturn:
    """Set up ``.venv`` in the checkout if need be, and run the command there."""
    in_checkout = os.path.exists(os.path.join(ROOT, "requirements.lock"))
    if refused or not in_checkout or os.environ.get(REPEATED):
        if not supported(sys.version_info[:2]):
            raise CannotSetUp(_wrong_version())
        raise CannotSetUp(
            _("This Python ({python}) lacks {modules}. To install them: {command}").format(
                python=sys.executable, modules=", ".join(lacking), command=_install_by_hand()
            )
        )
    folder = os.path.join(ROOT, ".venv")
    doing = state(folder, ROOT)
    if doing != "ready":
        python = find_python()
        if not os.access(ROOT, os.W_OK):
            raise PermissionError(ROOT)
        plan = _("morsdei_sim sets itself up once: it makes {folder} and installs requirements.lock (a minute or two).")
        say(plan.format(folder=folder))
        set_up(ROOT, doing, python)
    run_again(venv_python(folder), arguments)


def _heed_interrupts() -> None:
    """From here on Ctrl-C is an exception again, and somebody catches it."""
    if signal.getsignal(signal.SIGINT) is _vanish:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def start(arguments: list[str]) -> None:
    """Run the command line here if everything is there, otherwise where it is."""
    set_language(choose_language(arguments))
    refused = "--no-bootstrap" in arguments
    arguments = [argument for argument in arguments if argument != "--no-bootstrap"]
    lacking = missing(arguments)
    if not lacking and supported(sys.version_info[:2]):
        from morsdei_sim.cli import main

        _heed_interrupts()
        try:
            main(arguments)
        except KeyboardInterrupt:  # before or after the part of `main` that explains it
            sys.exit(130)
        return
    try:
        _heed_interrupts()
        bootstrap(arguments, lacking, refused)
    except CannotSetUp as reason:
        say(str(reason))
    except PermissionError as reason:
        say(
            _(
                "{path} cannot be written to, so no .venv can be made there: copy the checkout to your own folder, "
                "or install into an environment of your own: {command}"
            ).format(path=reason.filename or reason, command=_install_by_hand())
        )
    except OSError as reason:
        say(_("Setting up failed: {reason}. Mend that and run the same command again.").format(reason=reason))
    except KeyboardInterrupt:
        say(_("Stopped. The same command starts the set-up again."))
        sys.exit(130)
    sys.exit(2)


def entry() -> None:
    """The script `morsdei-sim`."""
    start(sys.argv[1:])


if __name__ == "__main__":
    entry()
