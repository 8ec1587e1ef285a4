from __future__ import annotations

import stat
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.errors import InputError, ShoetrailError, Unavailable, Unproven
from services.ledger import keys
from services.ledger.keys import key_at, make_key, parse_vkeys, read_key, rotate_key, vkeys
from services.ledger.note import Signer


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "signing.key"


def test_a_key_is_made_once_and_read_again(path: Path) -> None:
    made = make_key(path, "casino.example")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.read_text() == made.private_text() + "\n"
    assert read_key(path).verifier == made.verifier
    assert key_at(path).verifier == made.verifier
    assert made.name == "casino.example"
    with pytest.raises(InputError, match="there is a key already"):
        make_key(path, "casino.example")
    assert read_key(path).verifier == made.verifier
    assert [one.name for one in path.parent.iterdir()] == ["signing.key"]


def test_one_is_made_at_first_use_where_asked(path: Path) -> None:
    made = key_at(path)
    assert made.name == keys.SITE
    assert key_at(path, "another.example").verifier == made.verifier


def test_a_replaced_key_stays_beside_the_new_one(path: Path) -> None:
    first = make_key(path, "casino.example")
    second = rotate_key(path)
    third = rotate_key(path)
    assert read_key(path).verifier == third.verifier
    assert third.name == "casino.example"
    assert len({one.verifier for one in (first, second, third)}) == 3
    assert vkeys(path)[0] == third.verifier
    assert set(vkeys(path)) == {one.verifier for one in (first, second, third)}
    kept = path.with_name(f"signing.key.{first.verifier.key_id.hex()}")
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert kept.read_text() == first.private_text() + "\n"


def test_a_crash_between_keeping_and_replacing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = make_key(path, "casino.example")
    with monkeypatch.context() as dies:
        dies.setattr(keys, "_place", _dies)
        with pytest.raises(KeyboardInterrupt):
            rotate_key(path)
    assert vkeys(path) == [first.verifier]
    second = rotate_key(path)
    assert vkeys(path) == [second.verifier, first.verifier]


def _dies(*_: object, **__: object) -> bool:
    raise KeyboardInterrupt


def test_another_key_in_the_old_ones_place_is_not_overwritten(path: Path) -> None:
    first = make_key(path, "casino.example")
    kept = path.with_name(f"signing.key.{first.verifier.key_id.hex()}")
    other = make_key(kept, "eve.example")
    with pytest.raises(InputError, match="another key is kept here"):
        rotate_key(path)
    assert read_key(path).verifier == first.verifier
    assert read_key(kept).verifier == other.verifier


def test_many_who_rotate_at_once_lose_no_key(path: Path) -> None:
    made = [make_key(path, "casino.example")]
    threads = [threading.Thread(target=lambda: made.append(rotate_key(path))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(vkeys(path)) == {one.verifier for one in made}
    assert len(made) == 9


def test_without_randomness_no_key_is_made(path: Path) -> None:
    def none(_size: int) -> bytes:
        raise NotImplementedError

    for random in (none, lambda _size: b"few"):
        with pytest.raises(Unavailable, match="no randomness"):
            make_key(path, "casino.example", random)
    assert not path.exists()


@pytest.mark.parametrize(
    "name", ["", "a b", "a+b", "/a", "a/", "a//b", "é", "a\n", "x" * 101, ".."]
)
def test_names_of_no_site(path: Path, name: str) -> None:
    with pytest.raises(InputError, match="names no site"):
        make_key(path, name)


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o620])
def test_a_key_that_others_may_read_is_refused(path: Path, mode: int) -> None:
    make_key(path)
    path.chmod(mode)
    with pytest.raises(InputError, match="others may read this private key; chmod 600"):
        read_key(path)


GOOD = Signer("casino.example", bytes(range(32))).private_text().encode()
BAD = {
    "empty": b"",
    "a newline": b"\n",
    "half": GOOD[: len(GOOD) // 2],
    "CRLF": GOOD + b"\r\n",
    "BOM": b"\xef\xbb\xbf" + GOOD,
    "two lines": GOOD + b"\n" + GOOD + b"\n",
    "UTF-16": GOOD.decode().encode("utf-16"),
    "loose base64": GOOD[:-1] + b"B",
    "a vkey": Signer("casino.example", bytes(32)).verifier.vkey.encode(),
    "huge": b"x" * 100_000,
    "PEM": b"-----BEGIN PRIVATE KEY-----\nMC4CAQAw\n-----END PRIVATE KEY-----\n",
}


@pytest.mark.parametrize("what", BAD)
def test_bad_key_files_are_not_quoted(path: Path, what: str) -> None:
    path.parent.mkdir(mode=0o700)
    path.write_bytes(BAD[what])
    path.chmod(0o600)
    for use in (read_key, vkeys, key_at, rotate_key):
        with pytest.raises(Unproven) as caught:
            use(path)
        said = str(caught.value)
        assert str(path) in said
        assert "\n" not in said
        assert ";" in said
        assert "QIDBAUG" not in said


@given(st.binary(max_size=150) | st.builds(GOOD.__add__, st.binary(max_size=5)))
def test_any_key_file_is_one_or_one_error(data: bytes) -> None:
    if data not in {GOOD, GOOD + b"\n"}:
        with pytest.raises(ShoetrailError):
            Signer.parse(data.decode("ascii", "replace").removesuffix("\n"))


def test_files_that_are_none(tmp_path: Path) -> None:
    for path in (tmp_path / "none", tmp_path, tmp_path / "a" / "b"):
        with pytest.raises(InputError, match="key"):
            read_key(path)
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(InputError, match="cannot keep the key"):
        make_key(tmp_path / "file" / "signing.key")


# ------------------------------------------------------------------------------------------- vkeys

ONE = Signer("a.example", bytes(range(32))).verifier
TWO = Signer("a.example", bytes(32)).verifier


def test_vkeys_are_given_as_text_lines_or_files(tmp_path: Path) -> None:
    both = f"{ONE.vkey}\n{TWO.vkey}\n"
    file = tmp_path / "keys+of+ours.txt"
    file.write_text("# ours\n\n" + both)
    assert parse_vkeys([ONE.vkey], "--key") == [ONE]
    assert parse_vkeys([ONE.vkey, TWO.vkey, ONE.vkey], "--key") == [ONE, TWO]
    assert parse_vkeys([both], "--key") == [ONE, TWO]
    assert parse_vkeys([str(file)], "--key") == [ONE, TWO]


@pytest.mark.parametrize(
    "text", ["", "\n", "# none", "nowhere.txt", "a+b", "\0", "x" * 5000, ONE.vkey + "\r", "\udcff"]
)
def test_texts_that_are_no_vkeys(text: str, tmp_path: Path) -> None:
    with pytest.raises(Unproven, match="--key"):
        parse_vkeys([text], "--key")
    file = tmp_path / "keys"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(Unproven, match="--key"):
        parse_vkeys([str(file)], "--key")
