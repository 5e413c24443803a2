"""A small FTP server over one folder, so that sweeps meet a real protocol: uploads and renames through sockets."""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from socket import create_server
from typing import Any


class Server(socketserver.ThreadingTCPServer):
    """Serves `folder` to whoever says the password.

    Attributes
    ----------
    read_only, hang_up : forbid all writing; hang up at so many of the next uploads.
    watched : called amid each upload ("STOR") and before each rename ("RNTO").
    """

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, folder: Path) -> None:
        self.folder, self.read_only, self.hang_up = folder, False, 0
        self.watched: Callable[[str], None] = lambda _word: None
        super().__init__(("127.0.0.1", 0), Session)

    @property
    def url(self) -> str:
        return f"ftp://user:secret@127.0.0.1:{self.server_address[1]}"


class Session(socketserver.StreamRequestHandler):
    """One client; a command is a method."""

    server: Server

    def handle(self) -> None:
        self.offset, self.renamed = 0, Path()
        self.data = create_server(("127.0.0.1", 0))
        self.answer(220, "ready")
        with suppress(OSError):
            for line in self.rfile:
                word, _space, rest = line.decode().strip().partition(" ")
                if word == "STOR" and self.server.hang_up:
                    self.server.hang_up -= 1
                    return
                try:
                    getattr(self, word.lower(), self.unknown)(rest)
                except OSError as error:
                    self.answer(550, error.strerror or "failed")

    def finish(self) -> None:
        self.data.close()
        with suppress(OSError):
            super().finish()

    def answer(self, code: int, text: str) -> None:
        self.wfile.write(f"{code} {text}\r\n".encode())

    def path(self, name: str) -> Path:
        return self.server.folder / name.lstrip("/")

    def unknown(self, _rest: str) -> None:
        self.answer(502, "not done here")

    def user(self, _rest: str) -> None:
        self.answer(331, "password?")

    def pass_(self, rest: str) -> None:
        self.answer(230, "welcome") if rest == "secret" else self.answer(530, "wrong password")

    def type(self, _rest: str) -> None:
        self.answer(200, "binary")

    def pasv(self, _rest: str) -> None:
        self.data.close()  # whoever was told of the last one may have hung up
        self.data = create_server(("127.0.0.1", 0))
        port = self.data.getsockname()[1]
        self.answer(227, f"(127,0,0,1,{port >> 8},{port & 255})")

    def rest(self, rest: str) -> None:
        self.offset = int(rest)
        self.answer(350, "from there")

    def mlsd(self, rest: str) -> None:
        lines = []
        for one in self.path(rest).iterdir():
            kind = "dir" if one.is_dir() else "file"
            lines.append(f"type={kind};size={one.stat().st_size}; {one.name}\r\n")
        self.sent("".join(lines).encode())

    def retr(self, rest: str) -> None:
        self.sent(self.path(rest).read_bytes()[self.offset :])

    def sent(self, content: bytes) -> None:
        with self.opened() as stream:
            stream.sendall(content)

    def stor(self, rest: str) -> None:
        self.may_write()
        with self.path(rest).open("r+b" if self.offset else "wb") as file, self.opened() as stream:
            file.seek(self.offset)
            while block := stream.recv(1000):  # in place, and in small pieces: a kill leaves half a file
                file.write(block)
                file.flush()
                self.server.watched("STOR")

    @contextmanager
    def opened(self) -> Iterator[Any]:
        self.answer(150, "here it comes")
        with self.data.accept()[0] as stream:
            yield stream
        self.offset = 0
        self.answer(226, "done")

    def rnfr(self, rest: str) -> None:
        self.renamed = self.path(rest)
        self.answer(350, "to what?")

    def rnto(self, rest: str) -> None:
        self.may_write()
        self.server.watched("RNTO")
        self.renamed.replace(self.path(rest))
        self.answer(250, "done")

    def dele(self, rest: str) -> None:
        self.may_write()
        self.path(rest).unlink()
        self.answer(250, "done")

    def mkd(self, rest: str) -> None:
        self.may_write()
        self.path(rest).mkdir()
        self.answer(257, f'"{rest}"')

    def may_write(self) -> None:
        if self.server.read_only:
            raise PermissionError(1, "Permission denied")


setattr(Session, "pass", Session.pass_)  # the word of the protocol is one of Python's


@contextmanager
def serving(folder: Path) -> Iterator[Server]:
    """A server of that folder on a free port."""
    with Server(folder) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()
