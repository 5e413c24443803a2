"""The verb `report`: everything about the balance of some cards, as one HTML file."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from morsdei_sim.api.arguments import checked
from morsdei_sim.api.command import command, of_ruleset, several
from morsdei_sim.api.report_study import StudyReport, study_report, sweep_of
from morsdei_sim.api.written import Destination, Written
from morsdei_sim.errors import UserError
from morsdei_sim.lang import _
from morsdei_sim.paths import profiles_dir

if TYPE_CHECKING:
    import pandas as pd

    from morsdei_sim.sweep import Collection, Plan

__all__ = ["Report", "report"]

MOST_CARDS = 60
"""Everything is asked about every pair, so time and memory grow with the square: on 2 cores 30 cards took 2 minutes and
0.7 GB, 60 cards 16 minutes (beside other work) and 1.7 GB."""


@dataclass(frozen=True, repr=False)
class Report(Written):
    """A written report on some cards.

    Attributes
    ----------
    collection : the frames behind it; `collection.frames()` by name.
    """

    collection: Collection

    def to_dict(self) -> dict[str, Any]:
        """The JSON document of the verb (docs/json.md): where the file is, and how to get the same numbers again."""
        known = self.collection.provenance
        return self.written("report") | {
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

    def to_frame(self) -> pd.DataFrame:
        """The figures of shooting; `collection.frames()` holds all."""
        return self.collection.shots


@checked
def report(
    cards: Sequence[str] | str | None = None,
    ruleset: str = "morsdei",
    out: str | Path | None = None,
    lang: str | None = None,
    *,
    pdf: bool = False,
    figure: str | None = None,
    field: Sequence[str] | str | None = None,
    engine: str = "auto",
    trials: int | None = None,
    target_error: float | None = None,
    seed: int = 1,
    jobs: int | None = None,
    rules: dict[str, int | str | bool] | None = None,
    games: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Report | StudyReport:
    """Write a report on the balance of some cards, or on a sweep: one HTML file that needs no network.

    Parameters
    ----------
    cards : squads, files, folders or `squad/fighter`, at most 60 cards; all cards of the room when none are named. Or
        one sweep: its folder, complete or not, or the study beside which the folder lies; it is shown and not asked
        anew, so of what follows only `out`, `lang`, `pdf` and `figure` are for it.
    ruleset : the room.
    out : the file to write, replacing an older one; otherwise ``reports/<cards>.html`` under this folder, named
        after the cards, or after the ruleset when none are named.
    lang : {"en", "ru"}, the language in which the page opens; otherwise that of the messages. It holds both.
    pdf : write the same as PDF beside it, printed by an installed Chromium, Chrome or Edge.
    figure : of a sweep, the one that is shown; otherwise the one that matters most.
    field : reference targets, named like cards; otherwise the room's own.
    engine, trials, target_error, seed, jobs, rules : as of the verb `shoot`; where whole games are played, rules of
        the whole game too, as of `battle`.
    games : of each pairing of squads, where whole squads are named in a room that plays whole games: each against each
        other; or one, if it has 3 fighters or more, against itself and those that come with the room. 0: none;
        otherwise about 4,000 in all.
    progress : called with (done, planned), first of questions and then of games.

    Returns
    -------
    Report, of a sweep StudyReport
        With `path`, `to_dict`, `to_frame`, and `collection` or `sweep`; a notebook shows the page.

    Raises
    ------
    UserError
        No cards or too many, an unknown word, a file that cannot be written, no browser to print with.
    CardFaults
        Cards that cannot be read.

    Examples
    --------
    >>> import morsdei_sim, pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "two.html"
    >>> morsdei_sim.report(["line/sergeant", "mirror"], out=file).path == file
    True
    """
    from morsdei_sim.reporting.page import page
    from morsdei_sim.sweep import collect, play_all, rules_of_exchanges

    names, targets = several(cards), several(field)
    if folder := _sweep(names):
        _check_options(folder, field, engine, trials, target_error, rules, games)
        return study_report(folder, out, lang, pdf, figure)
    if figure is not None:
        raise UserError(_("Only the report of a sweep shows one figure; a report on cards shows all."))
    _check_number(ruleset, names, targets)
    meeting = _plan(ruleset, names, games)
    target = Destination(out, lambda: _name(ruleset, names), lang, pdf)
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
    line = _command(found, names, targets, rules, games, target.lang)
    found = replace(found, provenance=found.provenance | {"command": line})
    return Report(*target.write(page(found, target.lang)), found)


def _sweep(words: list[str] | None) -> Path | str | None:
    """The folder of the one sweep that is meant, or None."""
    from morsdei_sim.sweep.places import public

    found = [folder for folder in map(sweep_of, words or ()) if folder is not None]
    if found and len(words or ()) > 1:
        raise UserError(_("{folder}: a report is of one sweep; name nothing beside it").format(folder=public(found[0])))
    return found[0] if found else None


def _check_options(folder: Path | str, *options: Any) -> None:
    """A sweep is not asked anew: what would change its numbers is refused, not ignored."""
    from morsdei_sim.sweep.places import public

    if any(option not in (None, "auto", {}, [], ()) for option in options):
        text = _("{folder}: a sweep is shown as it is; only --out, --lang, --pdf and --figure are for it")
        raise UserError(text.format(folder=public(folder)))


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
