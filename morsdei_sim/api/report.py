"""The verb `report`: everything about the balance of some cards, as one HTML file."""

from __future__ import annotations

import hashlib
import html
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from morsdei_sim.api.answer import SCHEMA_VERSION, decimal
from morsdei_sim.api.command import command, of_ruleset
from morsdei_sim.errors import UserError
from morsdei_sim.lang import LANGUAGES, _, language
from morsdei_sim.paths import profiles_dir

if TYPE_CHECKING:
    from morsdei_sim.sweep import Collection, Plan

__all__ = ["Report", "report"]

ENDINGS = (".html", ".htm")
MOST_CARDS = 60
"""Everything is asked about every pair, so time and memory grow with the square: on 2 cores 30 cards took 2 minutes and
0.7 GB, 60 cards 16 minutes (beside other work) and 1.7 GB."""


@dataclass(frozen=True)
class Report:
    """A written report.

    Attributes
    ----------
    path : the file.
    lang : the language in which it opens; it holds both.
    size : its bytes.
    seconds : how long it took.
    collection : the frames behind it; `collection.frames()` by name.
    """

    path: Path
    lang: str
    size: int
    seconds: float
    collection: Collection

    def to_dict(self) -> dict[str, Any]:
        """The JSON document of the verb (docs/json.md): where the file is, and how to get the same numbers again."""
        known = self.collection.provenance
        return {
            "schema_version": SCHEMA_VERSION,
            "verb": "report",
            "path": str(self.path),
            "lang": self.lang,
            "bytes": self.size,
            "seconds": round(self.seconds, 3),
            "ruleset": known["ruleset"],
            "ruleset_version": known["version"],
            "engine": known["engine"],
            "trials": known["trials"],
            "seed": known["seed"],
            "cards_digest": known["cards_digest"],
            "command": known["command"],
            "games": _games(self.collection),
            "rows": {name: len(frame) for name, frame in self.collection.frames().items()},
        }

    def __str__(self) -> str:
        return self.__repr__()

    def __repr__(self) -> str:
        text = _("{path} ({size} kB, {seconds} s)")
        return text.format(path=self.path, size=round(self.size / 1000), seconds=decimal(f"{self.seconds:.1f}"))

    def _repr_html_(self) -> str:
        """The page itself in a frame of its own, so that a notebook shows it without a file server."""
        page = html.escape(self.path.read_text(encoding="utf-8"))
        frame = f'<iframe srcdoc="{page}" width="100%" height="700" style="border:1px solid #888"></iframe>'
        return f"<p>{html.escape(str(self.path))}</p>{frame}"


def report(
    cards: Sequence[str] | str | None = None,
    ruleset: str = "morsdei",
    out: str | Path | None = None,
    lang: str | None = None,
    *,
    field: Sequence[str] | str | None = None,
    engine: str = "auto",
    trials: int | None = None,
    target_error: float | None = None,
    seed: int = 1,
    jobs: int | None = None,
    rules: dict[str, int | str | bool] | None = None,
    games: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Report:
    """Write a report on the balance of some cards: one HTML file that needs no network.

    Parameters
    ----------
    cards : squads, files, folders or `squad/fighter`, at most 60 cards; all cards of the room when none are named.
    ruleset : the room.
    out : the file to write, replacing an older one; otherwise ``reports/<cards>.html`` under this folder, named
        after the cards, or after the ruleset when none are named.
    lang : {"en", "ru"}, the language in which the page opens; otherwise that of the messages. It holds both.
    field : reference targets, named like cards; otherwise the room's own.
    engine, trials, target_error, seed, jobs, rules : as of the verb `shoot`; where whole games are played, rules of
        the whole game too, as of `battle`.
    games : of each pairing of squads, where whole squads are named in a room that plays whole games: each against each
        other; or one, if it has 3 fighters or more, against itself and those that come with the room. 0: none;
        otherwise about 4,000 in all.
    progress : called with (done, planned), first of questions and then of games.

    Returns
    -------
    Report
        With `path`, `collection`, `to_dict`; a notebook shows the page.

    Raises
    ------
    UserError
        No cards or too many, an unknown word, or a file that cannot be written.
    CardFaults
        Cards that cannot be read.

    Examples
    --------
    >>> import morsdei_sim, pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "two.html"
    >>> morsdei_sim.report(["line/sergeant", "mirror"], out=file).path == file
    True
    """
    from morsdei_sim.cards.output import save
    from morsdei_sim.reporting.page import page
    from morsdei_sim.sweep import collect, play_all, rules_of_exchanges

    started = time.perf_counter()
    chosen_language = _language(lang)
    names, targets = _several(cards), _several(field)
    _check_number(ruleset, names, targets)
    meeting = _plan(ruleset, names, games)
    target = _target(out, ruleset, names)
    of_exchanges = rules if meeting is None or rules is None else rules_of_exchanges(meeting, rules)
    found = collect(
        ruleset, names, targets, of_exchanges,
        engine=engine, trials=trials, target_error=target_error, seed=seed, jobs=jobs, progress=progress,
    )  # fmt: skip
    if meeting is not None:
        played = play_all(meeting, rules, seed=seed, jobs=jobs or None, progress=progress)
        commands = [_battle(pair, played.provenance) for pair in played.pairings()]
        found = replace(found, battles=replace(played, provenance=played.provenance | {"commands": commands}))
        games = meeting.games or games
    line = _command(found, names, targets, rules, games, chosen_language)
    found = replace(found, provenance=found.provenance | {"command": line})
    content = page(found, chosen_language).encode("utf-8", "xmlcharrefreplace")
    save(target, content, True)
    return Report(target, chosen_language, len(content), time.perf_counter() - started, found)


def _several(words: Sequence[str] | str | None) -> list[str] | None:
    if isinstance(words, str):
        return [words]
    return [str(word) for word in words] if words else None


def _language(lang: str | None) -> str:
    if lang is not None and lang not in LANGUAGES:
        raise UserError(
            _("There is no language {lang!r}; there are: {known}.").format(lang=lang, known=", ".join(LANGUAGES))
        )
    return lang or language()


def _check_number(ruleset: str, cards: list[str] | None, field: list[str] | None) -> None:
    """Too many cards are refused at once, and not when the memory is full."""
    from morsdei_sim.rulesets import room
    from morsdei_sim.sweep.roster import field_of, roster

    chosen = room(ruleset)
    count = len({one.ref for one in (*roster(chosen, cards), *(field_of(chosen, field) if field else ()))})
    if count > MOST_CARDS:
        text = _(
            "{count} cards are too many for one report, which asks about every pair: at most {most}. Name fewer cards, "
            "or let {matrix} compare them in one figure."
        )
        raise UserError(text.format(count=count, most=MOST_CARDS, matrix=command("matrix", *(cards or []))))


def _plan(ruleset: str, cards: list[str] | None, games: int | None) -> Plan | None:
    """Who plays whole games against whom."""
    from morsdei_sim.api.games import check_games
    from morsdei_sim.sweep import plan

    return plan(ruleset, cards, check_games(games, 0) if games else games)


def _name(ruleset: str, cards: list[str] | None) -> str:
    """The page's name, after the cards; a long list is cut, and told apart from others by a few digits."""
    from morsdei_sim.cards import locate
    from morsdei_sim.cards.text import slug

    words = []
    for card in cards or []:
        whole = Path(card.strip())
        file, fighter = (whole.resolve(), "") if whole.is_dir() else locate(card.strip(), profiles_dir() / ruleset)
        words += [slug(file.name if whole.is_dir() else file.stem), slug(fighter)]
    name = "-".join(word for word in words if word) or ruleset
    return name if len(name) <= 80 else f"{name[:71]}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"


def _target(out: str | Path | None, ruleset: str, cards: list[str] | None) -> Path:
    """Where the page goes, checked before the work and not after it."""
    from morsdei_sim.cards.output import check_destination

    target = Path(out) if out is not None else Path("reports") / f"{_name(ruleset, cards)}.html"
    if target.suffix.lower() not in ENDINGS:  # above all: never replace a card file
        message = _("{file}: the name must end in {kinds}")
        raise UserError(message.format(file=target, kinds=", ".join(ENDINGS)))
    if out is None:
        _make_reports(target)
    check_destination(target, True)
    return target


def _make_reports(target: Path) -> None:
    """The folder that nobody named is made; one that somebody named is not (a slip of the pen)."""
    from morsdei_sim.cards.safe import os_reason

    try:
        target.parent.mkdir(exist_ok=True)
    except OSError as error:
        raise UserError(_("{file}: cannot be written: {reason}").format(file=target, reason=os_reason(error))) from None


def _command(
    found: Collection,
    cards: list[str] | None,
    field: list[str] | None,
    rules: dict[str, int | str | bool] | None,
    games: int | None,
    lang: str,
) -> str:
    """The command line that writes the same page."""
    known = found.provenance
    words = ["report", *(cards or [])]
    for one in field or []:
        words += ["--field", one]
    words += of_ruleset(known["ruleset"])
    for name, number in (rules or {}).items():
        words += ["--rule", f"{name}={number}"]
    if known["engine"] == "sample":
        stop = ["--trials", str(known["trials"])] if known["trials"] else ["--target-error", str(known["target_error"])]
        words += ["--engine", "sample", *stop]
    if games is not None:
        words += ["--games", str(games)]
    if known["engine"] == "sample" or found.battles is not None:
        words += ["--seed", str(known["seed"] if found.battles is None else found.battles.provenance["seed"])]
    return command(*words, "--lang", lang)


def _battle(pair: tuple[str, str], facts: dict[str, Any]) -> str:
    """The command line that plays one pairing again."""
    words = [*pair, "--board", facts["board"], "--bots", facts["bot"], "--games", facts["games"]]
    for name, number in facts["rules"].items():
        words += ["--rule", f"{name}={number}"]
    return command("battle", *map(str, words), "--seed", str(facts["seed"]))


def _games(found: Collection) -> dict[str, Any] | None:
    """What was played, for the JSON document."""
    if found.battles is None:
        return None
    facts = found.battles.provenance
    return {
        "bots": [facts["bot"]] * 2,
        "board": facts["board"],
        "games": facts["games"],
        "seed": facts["seed"],
        "pairings": [list(pair) for pair in found.battles.pairings()],
        "notes": list(found.battles.notes),
        "commands": facts["commands"],
    }
