"""A module's dealer is killed in mid-deck and between decks: the same two shoes are on record."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest

from schemas.address import EntryId, Shoe, Streams
from schemas.envelope import decode_event, decode_outcome
from schemas.events import RoundOpened, ShoeClosed, ShoeOpened
from schemas.instant import spell
from services.auditor.offline import audit_paths
from services.bettors.bets_file import parse_bets
from services.bettors.defuser import DefuserFold
from services.cli import wiring
from services.cli.options import software
from services.cli.whole_shoe import play_shoe
from services.cli.wiring import Simulation
from services.dealer.opening import House
from services.runtime.logging import configure
from services.runtime.process import run_async
from services.runtime.settings import Settings
from tests.support.crew import Crew
from tests.support.samples_ktane import BETS, BLUE, RED, SPOTS, START

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.crew import Worker

pytestmark = [pytest.mark.faults, pytest.mark.integration]

TABLE = "T7"
STREAMS = Streams(TABLE)
SEED = "0b" * 32
#: How often the player had spoken when the dealer was killed in mid-deck.
MID_DECK = (3, 6)


def player() -> DefuserFold:
    return DefuserFold(TABLE, "ktane", (RED, BLUE), parse_bets(BETS, SPOTS, "bets"))


def undisturbed(folder: Path) -> list[bytes]:
    configure(Settings.read({"SHOETRAIL_LOG_LEVEL": "critical"}))
    fold = player()
    path = run_async(
        lambda: play_shoe(
            Settings.read({}),
            Shoe(TABLE, 1),
            House("dealer", software()),
            list,
            folder,
            simulation=Simulation(bytes.fromhex(SEED), START),
            commands=[fold.open_deck(1, spell(START))],
            player=lambda journal: wiring.one_table(journal, fold, TABLE),
            last=lambda: fold.last_shoe,
        )
    )
    return [path.with_name(f"{shoe}.jsonl").read_bytes() for shoe in (1, 2)]


class Player:
    """Plays the module from outside, and kills the dealer before or after telling him something."""

    def __init__(self, crew: Crew, dealer: Worker) -> None:
        self.crew, self.dealer = crew, dealer
        self.client = crew.client()
        self.fold = player()
        self.kills = {"in mid-deck": 0, "between decks": 0}
        self.spoken = 0
        self._seen = {STREAMS.events: "0-0", STREAMS.outcomes: "0-0"}
        self._between = True
        self.say([*self.fold.resume(), self.fold.open_deck(1, spell(START))])

    def say(self, commands: list[bytes]) -> None:
        if not commands:
            return
        where = "between decks" if self._between else "in mid-deck"
        kill = self._between or self.spoken in MID_DECK
        before = self.spoken % 2 == 0
        self.spoken += 1
        if kill and before:
            self._kill(where)
        for command in commands:
            self.client.xadd(STREAMS.commands, {"__data__": command})
        if kill and not before:
            self._kill(where)

    def _kill(self, where: str) -> None:
        self.dealer.kill()
        self.dealer.start()
        self.kills[where] += 1

    def look(self) -> bool:
        """Hear what was said, and answer; true once both decks are played and audited."""
        for stream, seen in self._seen.items():
            rows = cast(
                "list[tuple[bytes, dict[bytes, bytes]]]", self.client.xrange(stream, f"({seen}")
            )
            for at, fields in rows:
                entry, data = EntryId.parse(at.decode()), fields[b"__data__"]
                self._seen[stream] = at.decode()
                if stream == STREAMS.outcomes:
                    self.say(self.fold.outcome(entry, decode_outcome(data)))
                    continue
                event = decode_event(data)
                if isinstance(event.data, ShoeClosed | ShoeOpened | RoundOpened):
                    self._between = isinstance(event.data, ShoeClosed)
                self.say(self.fold.event(entry, event))
        found = self.client.xrevrange(STREAMS.verdicts, "+", "2-0", 1)
        return self.fold.last_shoe == 2 and b'"shoe.audited"' in repr(found).encode()


@pytest.mark.timeout(120)
def test_killed_in_mid_deck_and_between_decks_the_shoes_are_the_same(tmp_path: Path) -> None:
    with Crew(tmp_path / "killed") as crew:
        for service in ("auditor", "resolver"):
            crew.hire(service, service)
        dealer = crew.hire(
            "dealer", "dealer", "--tables", TABLE, "--seed", SEED, "--start", spell(START)
        )
        crew.until_at_work(dealer)
        playing = Player(crew, dealer)
        crew.until(playing.look, "both decks to be played")
        logs = [crew.log_dir / TABLE / f"{shoe}.jsonl" for shoe in (1, 2)]
        assert [log.read_bytes() for log in logs] == undisturbed(tmp_path / "undisturbed")
    assert playing.kills == {"in mid-deck": 2, "between decks": 2}
    assert audit_paths(logs).verdict == "pass"
