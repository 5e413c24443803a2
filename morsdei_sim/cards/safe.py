"""Untrusted files: sizes are checked before anything is parsed, and archives are really unpacked under a limit.

Card files come by mail and chat. A header that promises a small size proves nothing, so a spreadsheet is inflated here,
counted, and packed anew; the spreadsheet reader only ever sees that copy.
"""

from __future__ import annotations

import difflib
import errno
import io
import os
import shlex
import stat
import subprocess
import zipfile
import zlib
from pathlib import Path
from xml.parsers import expat

from morsdei_sim.cards.encodings import READ, likelier
from morsdei_sim.errors import CardFaults, Fault, UserError
from morsdei_sim.lang import N_, _

__all__ = [
    "MAX_COLUMNS",
    "MAX_ROWS",
    "MAX_SHEET",
    "MAX_TEXT",
    "fail",
    "neighbour",
    "os_reason",
    "quoted",
    "read_bytes",
    "read_text",
    "spot",
    "unpacked",
    "unreadable",
    "unwritable",
]

MAX_TEXT = 2_000_000
MAX_SHEET = 5_000_000
MAX_UNPACKED = 32_000_000
MAX_MEMBERS = 500
MAX_LINE = 5_000
MAX_CSV_LINE = 20_000  # all texts of a row at their longest
MAX_ROWS = 5_000
MAX_COLUMNS = 200


def fail(file: str, message: str, hint: str = "", place: str = "", value: str = "") -> CardFaults:
    """One fault of a whole file, ready to raise."""
    return CardFaults([Fault(file, place, "", value, message, hint)])


_OS_REASONS = {
    errno.ENOENT: N_("no such file or folder"),
    errno.EACCES: N_("permission denied"),
    errno.EPERM: N_("permission denied"),
    errno.EROFS: N_("the disk is read-only"),
    errno.ENOSPC: N_("no space left on the disk"),
    errno.EISDIR: N_("it is a folder"),
    errno.ENOTDIR: N_("a part of the path is no folder"),
    errno.ENAMETOOLONG: N_("the name is too long"),
    errno.EEXIST: N_("it already exists"),
    errno.EIO: N_("the disk reports an error"),
    errno.ELOOP: N_("the links lead in a circle"),
    errno.EFBIG: N_("the file is larger than is allowed"),
    errno.EDQUOT: N_("the disk quota is used up"),
    errno.ECONNREFUSED: N_("nobody answers there"),
}


def os_reason(error: OSError) -> str:
    """What the system complains of, in the language of the messages; its own words where they are not known here."""
    known = _OS_REASONS.get(error.errno or 0)
    return _(known) if known else error.strerror or str(error)


def unreadable(file: Path | str, error: OSError) -> UserError:
    """What to tell of something that cannot be read."""
    return UserError(_("{file}: cannot be read: {reason}").format(file=file, reason=os_reason(error)))


def unwritable(file: Path | str, error: OSError) -> UserError:
    """What to tell of something that cannot be written."""
    return UserError(_("{file}: cannot be written: {reason}").format(file=file, reason=os_reason(error)))


def quoted(*words: object) -> str:
    """Words as they are typed into the system's shell: a path with a space stays one word."""
    texts = [str(word) for word in words]
    return subprocess.list2cmdline(texts) if os.name == "nt" else shlex.join(texts)


def spot(place: str) -> str:
    """The place of a fault as it is said within a sentence."""
    return _("line {line}").format(line=place[5:]) if place.startswith("line ") else place


def read_bytes(path: Path, limit: int) -> bytes:
    """All bytes of an ordinary file of at most `limit` bytes."""
    name = str(path)
    try:
        # A pipe or device would block or never end.
        if not stat.S_ISREG(path.stat().st_mode):
            raise fail(name, _("is a folder, not a card file") if path.is_dir() else _("is not an ordinary file"))
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except FileNotFoundError:
        raise fail(name, _("no such file"), neighbour(path)) from None
    except PermissionError:
        raise fail(name, _("may not be read: permission denied")) from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        reason = os_reason(error) if isinstance(error, OSError) else str(error)
        raise fail(name, _("cannot be read: {reason}").format(reason=reason)) from None
    if len(data) > limit:
        raise fail(
            name, _("is too large: at most {size} MB are allowed for a card file").format(size=limit // 1_000_000)
        )
    if not data.strip():
        raise fail(name, _("is empty"))
    return data


def neighbour(path: Path) -> str:
    """The hint "did you mean" among the files beside it, or nothing."""
    try:
        names = [one.name for one in list(path.parent.iterdir())[:1000]]
    except (OSError, ValueError):
        return ""
    close = difflib.get_close_matches(path.name, names, n=1, cutoff=0.6)
    return _('did you mean "{word}"?').format(word=path.parent / close[0]) if close else ""


def read_text(path: Path, legacy: bool) -> str:
    """The text of a file in UTF-8 or UTF-16 with a mark; `legacy` allows the Russian Windows code page too."""
    data = read_bytes(path, MAX_TEXT)
    text = _decoded(path, data, legacy)
    most = MAX_CSV_LINE if legacy else MAX_LINE
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > most:
            long = _("the line is longer than {most} characters").format(most=most)
            raise fail(str(path), long, place=f"line {number}")
    return text


def _decoded(path: Path, data: bytes, legacy: bool) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        try:
            return data.decode("utf-16")
        except UnicodeDecodeError:
            raise fail(str(path), _("is not a text file")) from None
    if b"\x00" in data or data.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0")):
        hint = _("save it as CSV UTF-8, or as .xlsx") if legacy else ""
        if data.startswith((b"PK", b"\xd0\xcf")):
            hint = _("spreadsheets must keep their ending, .xlsx or .ods")
        raise fail(str(path), _("is a binary file, not text"), hint)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
    try:
        text = data.decode(READ)
        if any(ord(letter) < 32 and letter not in "\t\r\n" for letter in text):
            raise fail(str(path), _("is not a text file"), place=f"line {line}")
    except UnicodeDecodeError:
        raise fail(str(path), _("is not a text file"), place=f"line {line}") from None
    if not legacy:
        raise fail(str(path), _("is not in UTF-8"), _("save it with the encoding UTF-8"), place=f"line {line}")
    other = likelier(data)
    if other:
        text = _("seems to be in the encoding {encoding}, which is not read").format(encoding=other)
        raise fail(str(path), text, _("save it as CSV UTF-8, or as .xlsx"), place=f"line {line}")
    return text


def unpacked(path: Path) -> io.BytesIO:
    """A bounded, freshly packed copy of an .xlsx or .ods file."""
    data = read_bytes(path, MAX_SHEET)
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        raise fail(str(path), _("is an old or password-protected workbook"), _("save it as .xlsx without a password"))
    copy = io.BytesIO()
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive, zipfile.ZipFile(copy, "w") as bounded:
            left = MAX_UNPACKED
            members = archive.infolist()
            if len(members) > MAX_MEMBERS:
                raise fail(str(path), _("is not a usable spreadsheet: too many parts inside"))
            for member in members:
                content = _inflate(path, data, member, left)
                left -= len(content)
                if member.filename == "META-INF/manifest.xml" and b"encryption-data" in content:
                    raise fail(str(path), _("is protected by a password"), _("save it without a password"))
                if member.filename.lower().endswith((".xml", ".rels")):
                    _check_size(path, content)
                bounded.writestr(zipfile.ZipInfo(member.filename), content)
    except (
        zipfile.BadZipFile,
        zlib.error,
        ValueError,
        NotImplementedError,
        EOFError,
        OSError,
        UnicodeError,
        LookupError,  # also of an XML in an encoding that does not exist
    ):
        hint = "" if data.startswith(b"PK") or b"\0" in data[:1000] else _("a text file must keep its ending, .csv")
        raise fail(str(path), _("is not a spreadsheet (.xlsx or .ods), or it is damaged"), hint) from None
    copy.seek(0)
    return copy


def _inflate(path: Path, data: bytes, member: zipfile.ZipInfo, limit: int) -> bytes:
    """The content of one member, whatever sizes its headers claim."""
    if member.flag_bits & 1:
        raise fail(str(path), _("is protected by a password"), _("save it without a password"))
    start = member.header_offset
    if data[start : start + 4] != b"PK\x03\x04":
        raise zipfile.BadZipFile
    names = int.from_bytes(data[start + 26 : start + 28], "little") + int.from_bytes(
        data[start + 28 : start + 30], "little"
    )
    start += 30 + names
    if member.compress_type == zipfile.ZIP_STORED:
        content = data[start : start + member.compress_size]
    elif member.compress_type == zipfile.ZIP_DEFLATED:
        content = zlib.decompressobj(-15).decompress(memoryview(data)[start:], limit + 1)
    else:
        raise zipfile.BadZipFile
    if len(content) > limit:
        most = MAX_UNPACKED // 1_000_000
        raise fail(str(path), _("unpacks to more than {most} MB: this is no card file").format(most=most))
    return content


def _check_size(path: Path, xml: bytes) -> None:
    """Refuse a sheet whose few cells span millions: readers allocate the whole rectangle."""
    counter = _Counter()
    parser = expat.ParserCreate()
    parser.StartElementHandler = counter.element
    parser.StartDoctypeDeclHandler = counter.doctype
    try:
        parser.Parse(xml, True)
    except expat.ExpatError:
        raise zipfile.BadZipFile from None
    except OverflowError:
        most = _("at most {rows} rows and {columns} columns are allowed").format(rows=MAX_ROWS, columns=MAX_COLUMNS)
        raise fail(str(path), _("the sheet is too large"), most) from None


class _Counter:
    """Rows and columns that a sheet spans; both spreadsheet formats name them by attributes."""

    def __init__(self) -> None:
        self.row = self.column = 0
        self.repeat = 0

    def doctype(self, *_: object) -> None:
        raise zipfile.BadZipFile  # entity bombs

    def element(self, tag: str, attributes: dict[str, str]) -> None:
        name = tag.rpartition(":")[2]
        if name == "c" and "r" in attributes:
            letters = attributes["r"].rstrip("0123456789")
            column = 0
            for letter in letters.upper()[:8]:
                column = column * 26 + ord(letter) - 64
            self.within(int(attributes["r"][len(letters) :] or 1), column)
        elif name == "row" and "r" in attributes:
            self.within(int(attributes["r"]), 1)
        elif name == "table":
            self.row = self.column = self.repeat = 0
        elif name == "table-row":
            self.row += self.repeat
            self.column, self.repeat = 0, _repeats(attributes, "rows")
        elif name in ("table-cell", "covered-table-cell"):
            self.column += _repeats(attributes, "columns")
            # LibreOffice ends a sheet with a blank cell repeated a million times: only cells that hold something count.
            if any(key.endswith(("value-type", "formula")) for key in attributes):
                self.within(self.row + self.repeat, self.column)

    def within(self, row: int, column: int) -> None:
        if row > MAX_ROWS or column > MAX_COLUMNS:
            raise OverflowError


def _repeats(attributes: dict[str, str], what: str) -> int:
    return next((int(text) for key, text in attributes.items() if key.endswith(f"number-{what}-repeated")), 1)
