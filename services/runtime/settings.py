"""Settings from the environment, read once and frozen; does not look at files or at the network."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeVar, get_args

from schemas.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

LogLevel = Literal["debug", "info", "warning", "error", "critical"]
LogFormat = Literal["auto", "json", "console"]

Word = TypeVar("Word", bound=str)

_URL = re.compile(r"(redis(?:s|\+cluster)?://[^\s/]+|unix:///\S+)\S*")
_PASSWORD = re.compile(r"(?P<user>[A-Za-z][A-Za-z0-9+.-]*://[^\s/@:]*):(?P<password>[^\s/@]+)@")
_TOKEN = re.compile(r"[A-Za-z0-9._~+/-]+=*", re.ASCII)
_SHORTEST_TOKEN, _LONGEST_TOKEN = 16, 512
_QUERY = re.compile(r"(?P<name>[?&](?:password|username)=)[^\s&]+")


def mask_url(text: str) -> str:
    """Replace the password in each URL of a text by ``***``; other text is left as it is."""
    return _QUERY.sub(r"\g<name>***", _PASSWORD.sub(r"\g<user>:***@", text))


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What a process is told by its surroundings; each has a default that needs no set-up."""

    redis_url: str | None = field(default=None, repr=False)
    log_dir: Path = Path("replay_logs")
    state_dir: Path = Path(".shoetrail")
    key_file: Path | None = None
    log_level: LogLevel = "info"
    log_format: LogFormat = "auto"
    #: What the board has to be shown, by all but the public pages; None: it is open.
    dashboard_token: str | None = field(default=None, repr=False)

    @classmethod
    def read(cls, environ: Mapping[str, str] | None = None) -> Settings:
        """Read ``SHOETRAIL_*``; an empty variable counts as absent, a bad one is ``InputError``."""
        env = os.environ if environ is None else environ
        return cls(
            redis_url=_redis_url(env.get("SHOETRAIL_REDIS_URL", "").strip()),
            log_dir=Path(env.get("SHOETRAIL_LOG_DIR") or "replay_logs").expanduser(),
            state_dir=_state_dir(env),
            key_file=_key_file(env.get("SHOETRAIL_KEY", "").strip()),
            log_level=_one_of(env, "SHOETRAIL_LOG_LEVEL", "info", get_args(LogLevel)),
            log_format=_one_of(env, "SHOETRAIL_LOG_FORMAT", "auto", get_args(LogFormat)),
            dashboard_token=_token(env.get("SHOETRAIL_DASHBOARD_TOKEN", "").strip()),
        )


def _redis_url(text: str) -> str | None:
    if not text:
        return None
    if not _URL.fullmatch(text):
        raise InputError(
            f"{mask_url(text)!r} is no address of a Redis",
            "SHOETRAIL_REDIS_URL",
            "write redis://HOST:PORT/DB, rediss:// for TLS, redis+cluster://HOST:PORT or"
            " unix:///PATH?db=DB",
        )
    return text


def _state_dir(env: Mapping[str, str]) -> Path:
    if told := env.get("SHOETRAIL_STATE_DIR"):
        return Path(told).expanduser()
    # The XDG rules: a relative XDG_STATE_HOME is to be ignored.
    xdg = Path(env.get("XDG_STATE_HOME", ""))
    home = Path(env["HOME"]) if env.get("HOME") else Path.home()
    return (xdg if xdg.is_absolute() else home / ".local" / "state") / "shoetrail"


def _key_file(text: str) -> Path | None:
    if text.startswith("PRIVATE+KEY"):  # it would be shown in messages as if it were a path
        mend = "put it in a file of mode 0600, and name that"
        raise InputError("this is a key, not the name of its file", "SHOETRAIL_KEY", mend)
    return Path(text).expanduser() if text else None


def _token(text: str) -> str | None:
    """Take a bearer token (RFC 6750); what is wrong with it is said without showing it."""
    if not text:
        return None
    if not _TOKEN.fullmatch(text) or not _SHORTEST_TOKEN <= len(text) <= _LONGEST_TOKEN:
        raise InputError(
            "this is no token that a browser can send",
            "SHOETRAIL_DASHBOARD_TOKEN",
            "take 16 to 512 of A-Z a-z 0-9 - . _ ~ + / =, such as `openssl rand -hex 24` gives",
        )
    return text


def _one_of(env: Mapping[str, str], name: str, default: str, words: tuple[Word, ...]) -> Word:
    told = (env.get(name) or default).strip().lower()
    for word in words:
        if word == told:
            return word
    raise InputError(f"{told!r} is unknown", name, f"say one of {', '.join(words)}")
