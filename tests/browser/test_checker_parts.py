"""The checker's parts against vectors worked by hand, and against the documents' own."""

from __future__ import annotations

import csv
import hashlib
import json
import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from schemas import ruleset
from schemas.errors import InputError
from tests.support.checker import Checker

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.browser
VECTORS: Final = Path(__file__).parents[1] / "vectors"
#: What a test's function is begun with.
HEX: Final = "const hex = (text) => Bytes.unhex(text, 0, 1 << 20);"


def vectors(name: str) -> Any:  # noqa: ANN401 - a file's
    return json.loads((VECTORS / name).read_text(encoding="utf-8"))


# --------------------------------------------------------------------------------------- the shoe
def test_shoes_from_seeds(checker: Checker) -> None:
    for vector in vectors("shoes/shoes.json")["seeded"]:
        found = checker.evaluate(
            "async ({ shoe_id: shoe, server_seed, client_seed, beacon, decks }) => {" + HEX + """
                const [seed, client, public_] = [server_seed, client_seed, beacon].map(hex);
                const key = await Shoe.keyOf(shoe, seed, client, public_);
                const order = await Shoe.shuffled(key, decks);
                return [Bytes.hex(key), await Shoe.seedCommitment(shoe, seed), order];
            }""",
            vector,
        )  # fmt: skip
        key, commitment, order = found
        assert (key, commitment) == (vector["key"], vector["commitment"])
        assert " ".join(order).startswith(vector["first_cards"])
        assert len(order) == 52 * vector["decks"]


def test_another_number_from_the_seed(checker: Checker) -> None:
    """Words at the last whole multiple and above are refused: 65535 is no multiple of 40000."""
    key = bytes(range(32))
    for label, choices in (("reshuffle", 15), ("reshuffle", 40_000), ("x", 1), ("x", 65_536)):
        told = [key.hex(), label, choices]
        found = checker.evaluate(
            "async ([key, ...rest]) => Shoe.numberBelow(Bytes.unhex(key, 32, 32), ...rest)",
            told,
        )  # fmt: skip
        assert found == below(key, label, choices)


def below(key: bytes, label: str, choices: int) -> int:
    def words() -> Iterator[int]:
        for counter in range(99):
            message = label.encode() + b"\0" + counter.to_bytes(4, "big")
            block = hmac_sha256(key, message)
            yield from (int.from_bytes(block[at : at + 2], "big") for at in range(0, 32, 2))

    return next(word % choices for word in words() if word < 65_536 - 65_536 % choices)


def hmac_sha256(key: bytes, message: bytes) -> bytes:
    padded = key.ljust(64, b"\0")
    inner = hashlib.sha256(bytes(one ^ 0x36 for one in padded) + message).digest()
    return hashlib.sha256(bytes(one ^ 0x5C for one in padded) + inner).digest()


def test_bombs_worked_by_hand(checker: Checker) -> None:
    bombs = vectors("bombs/bombs.json")
    assert len(bombs["decks"]) > 1
    for deck in bombs["decks"]:
        bomb = {**deck, "min": 100 * deck["min"], "max": 100 * deck["max"]}
        order = checker.evaluate("(bomb) => Shoe.module(bomb)", bomb)
        assert " ".join(order[:10]) == deck["cards"]
        assert len(set(order)) == 52
    good = {"serial": "AB3CD7", "min": 1_000, "max": 100_000, "ports": [], "lit": [], "solved": 0,
            "colour": "red"}  # fmt: skip
    for field, value in (
        ("serial", ""), ("serial", "AB cd"), ("min", 999), ("min", 1_100), ("max", 900),
        ("ports", ["USB"]), ("colour", "pink"), ("colour", "toString"),
    ):  # fmt: skip
        assert checker.evaluate("(bomb) => Shoe.module(bomb)", {**good, field: value}) is None


# -------------------------------------------------------------------------------------- the rules
@pytest.mark.parametrize("name", sorted(ruleset.published()))
def test_the_printed_charts(checker: Checker, name: str) -> None:
    """Every reachable pair of totals and third card, against the chart typed from its document."""
    with (VECTORS / "charts" / "player.csv").open(encoding="utf-8") as file:
        player = {row["rules"]: {*map(int, row["draws"])} for row in csv.DictReader(file)}[name]
    chart = {}
    for line in (VECTORS / "charts" / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        total, stood, thirds = re.split(r"[: ]+", line)
        chart[int(total)] = (stood == "D", {*map(int, thirds.replace("-", ""))})
    found = checker.evaluate(
        """(text) => {
            const { rules } = Rules.read(text);
            const card = (value) => (value ? "A23456789"[value - 1] : "K") + "S";
            const hand = (total) => [card(0), card(total)];
            const all = [...Array(10).keys()];
            const pairs = all.flatMap((p) => all.map((b) => [p, b]));
            return [
                pairs.map(([p, b]) => rules.due(hand(p), hand(b))),
                pairs.map(([p, b]) =>
                    all.map((third) => rules.due([...hand(p), card(third)], hand(b)))),
            ];
        }""",
        ruleset.named(name).text,
    )  # fmt: skip
    for number, (after_four, after_third) in enumerate(zip(*found, strict=True)):
        p, b = divmod(number, 10)
        if max(p, b) > 7:
            assert after_four is None
            assert set(after_third) == {None}
            continue
        stood = "banker" if chart[b][0] else None
        assert after_four == ("player" if p in player else stood)
        if p in player:
            assert {third for third in range(10) if after_third[third]} == chart[b][1]


def test_bets_worked_by_hand(checker: Checker) -> None:
    with (VECTORS / "settlements" / "bets.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) > 50
    texts = {name: rules.text for name, rules in ruleset.published().items()}
    found = checker.evaluate(
        """([texts, rows]) => rows.map((row) => {
            const { rules } = Rules.read(texts[row.rules]);
            const facts = rules.facts(row.player.split(" "), row.banker.split(" "));
            const paid = rules.settle(row.spot, BigInt(row.stake), facts);
            const { result, odds, won, commission, returned } = paid;
            return [result, odds ?? "", ...[won, commission, returned].map(String)];
        })""",
        [texts, rows],
    )  # fmt: skip
    names = ("result", "odds", "won", "commission", "returned")
    for row, said in zip(rows, found, strict=True):
        assert said == [row[name] for name in names], row


def test_fractions_become_whole_in_the_direction_that_is_said(checker: Checker) -> None:
    cases = [
        (101, 2, 1, "down", 50), (101, 2, 1, "up", 51), (101, 2, 1, "half-even", 50),
        (103, 2, 1, "half-even", 52), (101, 2, 5, "down", 50), (101, 2, 5, "up", 55),
        (75, 2, 25, "half-even", 50), (100, 2, 1, "up", 50), (-1, 2, 1, "down", -1),
        (9007199254740991 * 19, 20, 1, "down", 9007199254740991 * 19 // 20),
    ]  # fmt: skip
    told = [[*map(str, case[:3]), case[3]] for case in cases]
    found = checker.evaluate(
        """(cases) => cases.map(([over, under, unit, direction]) =>
            String(Rules.rounded(BigInt(over), BigInt(under), { unit, direction })))""",
        told,
    )
    assert found == [str(case[4]) for case in cases]


def test_the_reader_of_rule_sets_reads_as_toml_is_read(checker: Checker) -> None:
    texts = [rules.text for rules in ruleset.published().values()]
    texts += [
        'a = 1\nb.c = "x"\n[d.e]\nf = true\n[d]\ng = [1, [2, "3"], ]\n',
        "[[a]]\nb = 1\n[[a]]\n[a.c]\nd = {e = 1, f.g = 'h#'}\n",
        '"a b" = "\\u00e9\\n\\"" # c\r\n\'c\' = -0\n_-1 = 1_000\n',
        "a = [\n  1, # one\n\n  2\n]\n", "", "# only\n", "a = {}\n[b]\n", "x.y.z = 1\nx.y.w = 2\n",
        '__proto__ = 1\nconstructor.prototype = "x"\n',
    ]  # fmt: skip
    read = "(texts) => texts.map((text) => JSON.stringify(Toml.read(text)))"
    for text, found in zip(texts, checker.evaluate(read, texts), strict=True):
        assert json.loads(found) == tomllib.loads(text), text


def test_what_is_no_toml_is_refused_in_a_line(checker: Checker) -> None:
    bad = [
        "a", "a =", "= 1", "a = 1 2", "a = 1\na = 2", "[a]\n[a]", "a = 1\n[a]", "[a]\nb = 1\n[a.b]",
        "a = {b = 1}\n[a.c]", "a = {b = 1}\na.c = 1", "a = [1]\n[[a]]", "[[a]]\n[a]",
        "a.b = 1\n[a]",
        'a = "x', 'a = "\\q"', 'a = "\\ud800"', "a = [1", "a = {b = 1,}", "a = 01", "a = 1__0",
        "a = tru", "[a", "[]", "a = 'x\ny'", "a = \x00", "a = 1 # \x01",
        "[a]\nb.c = 1\n[a.b]\nd = 1",
        "a = {b = 1, b = 2}", "[a.b]\n[a]\nb = 1", "a = " + "[" * 99 + "]" * 99,
    ]  # fmt: skip
    for text in bad[:-1]:
        with pytest.raises(tomllib.TOMLDecodeError):
            tomllib.loads(text)
    # these are TOML, and no part of a rule set
    bad += ["a = 1.5", "a = 2026-11-30", 'a = """x"""', "a = inf", "a = 99999999999999999999"]
    found = checker.evaluate("(texts) => texts.map((text) => Rules.read(text).wrong ?? '')", bad)
    for text, said in zip(bad, found, strict=True):
        assert re.search(r" in line \d+$", said), text


def test_rule_sets_that_no_table_could_play(checker: Checker) -> None:
    """Whatever the model refuses, the page refuses; each is one change to a good text."""
    good = ruleset.named("punto-banco").text
    changes = [
        ("decks = 8", "decks = 0"), ("decks = 8", "decks = 17"), ("decks = 8", 'decks = "8"'),
        ("decks = 8", ""), ("decks = 8", "decks = 8\nmore = 1"),
        ('name = "punto', 'name = "-punto'),
        ("9, 0, 0, 0, 0]", "9, 0, 0, 0]"), ("9, 0, 0, 0, 0]", "9, 0, 0, 0, 10]"),
        ("naturals = [8, 9]", "naturals = [8, 10]"), ('"banker", "player", "banker"]', '"player"]'),
        ("maximum = 500000", "maximum = 1"), ('odds = "8/1"', 'odds = "16/2"'),
        ('odds = "8/1"', 'odds = "8"'), ('odds = "8/1"', 'result = "push", odds = "8/1"'),
        (', odds = "8/1"', ""), ('result = "push"', 'result = "maybe"'), ("step = 100", "step = 0"),
        ('rate = "1/20"', 'rate = "0.05"'), ('spots = ["banker"]', 'spots = ["bank"]'),
        ('on = "winnings"', 'on = "turnover"'), ("unit = 1,", "unit = 0,"),
        ("exclusive = []", 'exclusive = [["x"]]'),
        ('kind = "cut-card"', 'kind = "cut"'), ("hands_after = 1", ""),
        ("main = true", "main = false"),
        ("[burn]", "[burnt]"), ('tie"]', 'ties"]'), ("hands_after = 1", "hands_after = true"),
    ]  # fmt: skip
    texts = [good.replace(old, new) for old, new in changes]
    found = checker.evaluate("(texts) => texts.map((text) => Rules.read(text).wrong ?? '')", texts)
    for text, change, said in zip(texts, changes, found, strict=True):
        assert text != good, change
        with pytest.raises(InputError):
            ruleset.parse(text)
        assert said, change
    assert checker.evaluate("(text) => Rules.read(text).wrong ?? null", good) is None


# --------------------------------------------------------------------------------------- the seal
def test_trees_and_notes_of_the_documents(checker: Checker) -> None:
    trees = vectors("merkle/rfc6962.json")
    for size, wanted in trees["roots"].items():
        leaves = trees["leaves"][: int(size)]
        found = checker.evaluate(
            "async (leaves) => {" + HEX + """
                const hashed = await Promise.all(leaves.map(hex).map(Seal.leaf));
                return Bytes.hex(await Seal.root(hashed));
            }""",
            leaves,
        )  # fmt: skip
        assert found == wanted
    for vector in vectors("notes/notes.json")["notes"]:
        check = """async ([vkey, note]) => {
            const parts = Seal.note(Bytes.utf8(note));
            return [parts.text ?? "", await Seal.signed(parts, [await Seal.vkey(vkey)])];
        }"""
        name = vector["vkey"].partition("+")[0]
        text, signed = checker.evaluate(check, [vector["vkey"], vector["note"]])
        assert (text, signed) == (vector["text"], {"by": [name]})
        changed = vector["note"].replace("e", "a", 1)
        _, signed = checker.evaluate(check, [vector["vkey"], changed])
        assert "is not one of this text" in signed["wrong"]


def test_ed25519_by_hand_says_what_the_library_says(checker: Checker) -> None:
    order = 2**252 + 27742317777372353535851937790883648493
    cases = []
    for number in range(4):
        key = Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32)
        public = key.public_key().public_bytes_raw()
        message = bytes(range(number * 37))
        signature = key.sign(message)
        scalar = int.from_bytes(signature[32:], "little")
        cases += [
            (public, message, signature, True),
            (public, message + b"x", signature, False),
            (public, message, signature[:32] + bytes(32), False),
            (public, message, signature[:31] + bytes([signature[31] ^ 1]) + signature[32:], False),
            (public, message, signature[:32] + (scalar + order).to_bytes(32, "little"), False),
            (b"\xff" * 32, message, signature, False),
            (b"\x02" + bytes(31), message, signature, False),
        ]
    # RFC 8032, 7.1, test 2
    seed = "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"
    rfc = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(seed))
    said = (
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
        "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
    )
    cases.append((rfc.public_key().public_bytes_raw(), b"\x72", bytes.fromhex(said), True))
    told = [[part.hex() for part in case[:3]] for case in cases]
    found = checker.evaluate(
        "async (cases) => {" + HEX + """
            const all = cases.map((case_) => case_.map(hex));
            const hand = await Promise.all(all.map((parts) => Ed25519.byHand(...parts)));
            return [hand, await Promise.all(all.map((parts) => Ed25519.verify(...parts)))];
        }""",
        told,
    )  # fmt: skip
    assert found == [[case[3] for case in cases]] * 2
