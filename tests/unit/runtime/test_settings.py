from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from schemas.errors import InputError
from services.runtime.settings import Settings, mask_url


def test_nothing_need_be_set() -> None:
    assert Settings.read({"HOME": "/home/ann"}) == Settings(
        redis_url=None,
        log_dir=Path("replay_logs"),
        state_dir=Path("/home/ann/.local/state/shoetrail"),
        log_level="info",
        log_format="auto",
    )


def test_all_can_be_set() -> None:
    assert Settings.read(
        {
            "SHOETRAIL_REDIS_URL": " redis://redis:6379/0 ",
            "SHOETRAIL_LOG_DIR": "/logs",
            "SHOETRAIL_STATE_DIR": "/state",
            "SHOETRAIL_KEY": "/keys/casino.key",
            "SHOETRAIL_LOG_LEVEL": "DEBUG",
            "SHOETRAIL_LOG_FORMAT": "json",
        }
    ) == Settings(
        redis_url="redis://redis:6379/0",
        log_dir=Path("/logs"),
        state_dir=Path("/state"),
        key_file=Path("/keys/casino.key"),
        log_level="debug",
        log_format="json",
    )


def test_the_environment_is_read_where_no_mapping_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOETRAIL_LOG_DIR", "/from/the/environment")
    assert Settings.read().log_dir == Path("/from/the/environment")


def test_a_board_s_token_is_read_and_shown_nowhere() -> None:
    token = "for-the-board-0123456789"  # noqa: S105 - a made-up one
    settings = Settings.read({"SHOETRAIL_DASHBOARD_TOKEN": f" {token}\n"})
    assert settings.dashboard_token == token
    assert token not in repr(settings)
    assert Settings.read({"SHOETRAIL_DASHBOARD_TOKEN": " "}).dashboard_token is None


@pytest.mark.parametrize(
    "token", ["short", "with spaces in the middle of it", "ünspeakable-in-a-header"]
)
def test_a_token_that_no_header_can_carry_is_refused_and_not_quoted(token: str) -> None:
    with pytest.raises(InputError, match="SHOETRAIL_DASHBOARD_TOKEN: this is no token") as caught:
        Settings.read({"SHOETRAIL_DASHBOARD_TOKEN": token})
    assert token not in str(caught.value)


def test_a_key_itself_is_refused_and_not_quoted() -> None:
    key = "PRIVATE+KEY+casino.example+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr"
    with pytest.raises(InputError, match=r"SHOETRAIL_KEY: this is a key, not .* 0600") as caught:
        Settings.read({"SHOETRAIL_KEY": f" {key}\n"})
    assert "AYEK" not in str(caught.value)


@pytest.mark.parametrize(
    ("env", "state"),
    [
        ({"XDG_STATE_HOME": "/xdg", "HOME": "/h"}, "/xdg/shoetrail"),
        ({"XDG_STATE_HOME": "relative", "HOME": "/h"}, "/h/.local/state/shoetrail"),
        ({"XDG_STATE_HOME": "", "HOME": "/h"}, "/h/.local/state/shoetrail"),
        ({"SHOETRAIL_STATE_DIR": "/told", "XDG_STATE_HOME": "/xdg"}, "/told"),
        ({"SHOETRAIL_STATE_DIR": "", "XDG_STATE_HOME": "/xdg"}, "/xdg/shoetrail"),
        ({}, str(Path.home() / ".local/state/shoetrail")),
    ],
)
def test_state_lies_where_xdg_says(env: dict[str, str], state: str) -> None:
    assert Settings.read(env).state_dir == Path(state)


@pytest.mark.parametrize(
    "url",
    [
        "redis://h",
        "rediss://u:p@h:6380/1?ssl_cert_reqs=none",
        "redis+cluster://u:p@h:7000",
        "unix:///run/r.sock?db=0",
    ],
)
def test_each_kind_of_address_is_taken(url: str) -> None:
    assert Settings.read({"SHOETRAIL_REDIS_URL": url}).redis_url == url


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SHOETRAIL_REDIS_URL", "localhost:6379"),
        ("SHOETRAIL_REDIS_URL", "http://h"),
        ("SHOETRAIL_REDIS_URL", "redis://"),
        ("SHOETRAIL_REDIS_URL", "redis://a b"),
        ("SHOETRAIL_LOG_LEVEL", "loud"),
        ("SHOETRAIL_LOG_FORMAT", "xml"),
    ],
)
def test_a_bad_value_is_one_line_that_names_the_variable(name: str, value: str) -> None:
    with pytest.raises(InputError) as told:
        Settings.read({name: value})
    assert told.value.where == name
    assert told.value.mend
    assert "\n" not in str(told.value)


def test_a_password_is_shown_neither_in_an_error_nor_in_the_settings() -> None:
    with pytest.raises(InputError) as told:
        Settings.read({"SHOETRAIL_REDIS_URL": "http://ann:hunter2@h"})
    assert "hunter2" not in str(told.value)
    assert "hunter2" not in repr(Settings(redis_url="redis://ann:hunter2@h"))


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("redis://:pw@h:1/0", "redis://:***@h:1/0"),
        ("at redis://ann:p%40w@h, then", "at redis://ann:***@h, then"),
        ("unix:///s?db=0&password=pw", "unix:///s?db=0&password=***"),
        ("redis://h:6379/0", "redis://h:6379/0"),
        ("T7/12-45: nothing@all", "T7/12-45: nothing@all"),
    ],
)
def test_masking(text: str, masked: str) -> None:
    assert mask_url(text) == masked


def test_settings_are_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Settings().log_level = "error"  # type: ignore[misc]
