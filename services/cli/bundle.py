"""``shoetrail bundle``: a shoe's record in one file, for an inspector. Judges nothing of it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, NamedTuple, cast

import msgspec
import typer

from schemas.address import Shoe, is_name
from schemas.envelope import Message, Said, decode_line
from schemas.errors import InputError, Unreadable
from schemas.events import ShoeClosed, ShoeOpened
from schemas.outcomes import Outcome
from schemas.ruleset import sha256_of
from services.auditor.files import LogFile, logs
from services.cli import output
from services.cli.bundle_files import Source, beside, checker, file, measured, pack, raw_lines
from services.cli.files import check_free
from services.cli.options import settings_for
from services.cli.sealing import known_keys
from services.ledger.merkle import TreeBuilder
from services.office.inspection import Facts, readme
from services.runtime.settings import Settings


class Bundled(msgspec.Struct, frozen=True):
    """A bundle: its place, its SHA-256 (hex), what is in it, and what could not be put in."""

    shoe: str
    path: str
    sha256: str
    files: tuple[str, ...]
    missing: tuple[str, ...]


def bundle(
    shoe: Annotated[str, typer.Argument(help="A shoe, like T7/12.")],
    log_dir: Annotated[Path | None, typer.Option(help="Where the replay logs are.")] = None,
    key: Annotated[
        list[str] | None,
        typer.Option(help="A vkey, or a file of some; the house's own unless told."),
    ] = None,
    to: Annotated[
        Path | None, typer.Option(help="A .zip file; <table>-<shoe>.zip unless told.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Pack a shoe's record into one file.

    For an inspector: log, checkpoint, vkeys, verdicts, disputes, rules, the checker's page and a
    README that says how to check it all. The same record gives the same bytes. No private key, and
    no seed that is not revealed yet, is in it.

    For example:

      shoetrail bundle T7/12

      shoetrail bundle CLEAN/1 --to clean.zip --json
    """
    settings = settings_for(log_dir)
    named = Shoe.parse(shoe)
    place = _place(to or Path(f"{named.table}-{named.number}.zip"), force=force)
    log = _log(settings.log_dir, named)
    found = _record(log, named, settings, key)
    pack(place, f"{named.table}-{named.number}", found.sources)
    sha256 = measured(Source(place.name, "", place, size=place.stat().st_size)).sha256
    names = tuple(one.name for one in found.sources)
    told = Bundled(str(named), str(place), sha256, names, tuple(found.missing))
    if json:
        output.document(told)
        return
    output.facts(f"Bundle of {named}", {"file": str(place), "sha256": sha256})
    output.table("In it", ["file"], [[name] for name in names])
    for what in found.missing:
        output.note(f"Not in it: {what}")


class _Found(NamedTuple):
    sources: list[Source]
    missing: list[str]


def _place(path: Path, *, force: bool) -> Path:
    if path.suffix.lower() != ".zip":
        raise InputError(f"{path.name!r} is no .zip file", "--to", "name one")
    check_free(path, force=force)
    return path


def _log(log_dir: Path, shoe: Shoe) -> LogFile:
    path = log_dir / shoe.table / f"{shoe.number}.jsonl"
    if not path.is_file():
        raise InputError(f"there is no log of {shoe}", str(path), "see --log-dir")
    log = logs([path])[0]
    if (log.table, log.shoe) != shoe:
        what = f"this is the log of {log.table}/{log.shoe}"
        raise InputError(what, str(path), "put it where it belongs")
    return log


def _record(log: LogFile, shoe: Shoe, settings: Settings, key: list[str] | None) -> _Found:
    """Find all there is; what is signed is taken before the log, which may still grow."""
    others, missing = beside(log.path.parent, shoe)
    taken = file(f"logs/{shoe.table}/{shoe.number}.jsonl", "the log", log.path)
    if taken is None:
        raise InputError(f"there is no log of {shoe}", str(log.path), "see --log-dir")
    facts, whole, rules = _facts(shoe, taken)
    sources = [taken._replace(size=whole), *others]
    keys = [one.vkey for one in known_keys(settings, key)]
    if keys:
        text = "".join(f"{vkey}\n" for vkey in keys)
        sources.append(Source("house.vkeys", "the house's public keys", data=text.encode()))
    else:
        missing.append("the house's public keys (see --key)")
    # The name stands in the log, and names no file of ours until it is looked at.
    named = facts.rules if is_name(facts.rules) else "rules"
    sources.append(Source(f"rules/{named}.toml", "the rules it was played by", data=rules))
    page = checker()
    if page is None:
        missing.append("the page that checks a log in a browser (checker.html)")
    else:
        sources.append(page)
    text = readme(facts, [measured(one) for one in sources], missing, keys=bool(keys))
    return _Found([Source("README.txt", "", data=text.encode()), *sources], missing)


def _facts(shoe: Shoe, log: Source) -> tuple[Facts, int, bytes]:
    """Read the log as far as it is packed; give also its size in whole lines, and its rules.

    A log that cannot be read is what an inspector may have to see: only its first line has to be.
    """
    tree = TreeBuilder()
    opened: Message[ShoeOpened] | None = None
    closed: str | None = None
    rounds = lines = torn = 0
    for line, whole in raw_lines(log):
        if not whole:
            torn = len(line)
            break
        lines += 1
        tree.add_line(line)
        message = _read(line)
        if opened is None:
            if message is None or not isinstance(message.data, ShoeOpened):
                raise InputError("this is no readable shoe.opened", f"{log.path}, line 1")
            opened = cast("Message[ShoeOpened]", message)
        elif message is not None and isinstance(message.data, ShoeClosed):
            closed = message.time
        rounds += message is not None and isinstance(message.data, Outcome)
    if opened is None:
        raise InputError("the file is empty", str(log.path))
    told = opened.data
    facts = Facts(
        shoe=str(shoe),
        opened=opened.time,
        closed=closed,
        rules=told.rules.name,
        rules_sha256=sha256_of(told.rules.text),
        software=told.software,
        dealer=told.dealer,
        rounds=rounds,
        lines=lines,
        root=tree.root().hex(),
    )
    # A last line of an open shoe that has no end is still being written; else it is evidence.
    return facts, log.size if closed else log.size - torn, told.rules.text.encode()


def _read(line: bytes) -> Message[Said] | None:
    try:
        return decode_line(line)
    except Unreadable:
        return None
