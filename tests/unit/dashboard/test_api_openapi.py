"""The OpenAPI document says what routes there are, and nothing else; AsyncAPI is shown escaped."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any, get_args

import msgspec
import pytest
from starlette.routing import Route

from schemas import asyncapi
from schemas.address import EntryId
from schemas.publish import FOLDER
from schemas.verdicts import Finding
from services.dashboard.board.answers import Fault
from services.dashboard.board.round_shapes import Phase, Why
from services.dashboard.board.shapes import Lamp
from services.dashboard.board.shoe_board import Change
from services.dashboard.live.hub import Hub
from services.dashboard.live.message import lobby_message, reset_message, table_message
from services.dashboard.live.stream_routes import LOBBY, TABLE, stream_routes
from services.dashboard.live.weave import Told
from services.dashboard.web import asyncapi_page, openapi
from services.dashboard.web.described import MEANS
from services.dashboard.web.routes import ADDRESSES, EVENTS
from tests.support.asked_board import ask
from tests.support.boards import board_app, board_of

if TYPE_CHECKING:
    from collections.abc import Iterator

DOCUMENT = openapi.document()


class _NoHub(Hub):
    """Streams are not asked for here."""

    def __init__(self) -> None:
        pass


def test_each_described_route_is_there_and_each_route_described() -> None:
    routes = [*board_app().routes, *stream_routes(_NoHub())]
    paths = {one.path for one in routes if isinstance(one, Route)}
    data = {path for path in paths if path.startswith(("/api/", "/public/api/"))}
    assert data == set(DOCUMENT["paths"])


def test_nothing_but_reading_is_described() -> None:
    assert {tuple(path) for path in DOCUMENT["paths"].values()} == {("get",)}
    for route in (*board_app().routes, *stream_routes(_NoHub())):
        assert isinstance(route, Route)
        assert route.methods == {"GET", "HEAD"}


def test_it_is_served_as_it_is_made() -> None:
    assert ask(board_app(), "/api/openapi.json").json() == DOCUMENT


def test_its_public_part_is_served_in_public_whatever_the_token() -> None:
    app = board_app(token="t" * 16)
    assert ask(app, "/api/openapi.json").status == 401
    told = ask(app, "/public/api/openapi.json").json()
    assert set(told["paths"]) == {path for path in DOCUMENT["paths"] if path.startswith("/public")}
    assert "FindingsAnswer" not in told["components"]["schemas"]
    wanted = {reference.rpartition("/")[2] for reference in _references(told)}
    assert wanted <= {name for part in told["components"].values() for name in part}


def test_what_fields_mean_is_said_of_fields_that_there_are() -> None:
    schemas = DOCUMENT["components"]["schemas"]
    for shape, fields in MEANS.items():
        for field, says in fields.items():
            assert schemas[shape]["properties"][field]["description"] == says


@pytest.mark.parametrize(
    ("shape", "field", "kind"),
    [("Reason", "why", Why), ("RoundShape", "phase", Phase), ("ShoeShape", "lamp", Lamp)],
)
def test_each_word_of_a_choice_is_explained(shape: str, field: str, kind: Any) -> None:  # noqa: ANN401
    says = DOCUMENT["components"]["schemas"][shape]["properties"][field]["description"]
    for word in get_args(kind):
        assert re.search(rf"(?<![\w-]){word}(?![\w-])", says), word


def test_amounts_say_that_they_are_minor_units() -> None:
    amounts = {"amount", "stake", "net", "other", "won", "commission", "returned", "bankroll",
               "owed", "house"}  # fmt: skip
    for shape, schema in DOCUMENT["components"]["schemas"].items():
        for field in amounts & set(schema["properties"]):
            if "integer" in str(schema["properties"][field]):
                says = schema["properties"][field].get("description", "")
                assert "minor units" in says, (shape, field)


def test_each_reference_leads_somewhere() -> None:
    for reference in _references(DOCUMENT):
        at: Any = DOCUMENT
        for name in reference.removeprefix("#/").split("/"):
            at = at[name]


def _references(part: object) -> Iterator[str]:
    if isinstance(part, dict):
        for key, value in part.items():
            if key == "$ref":
                yield value
            else:
                yield from _references(value)
    elif isinstance(part, list):
        for value in part:
            yield from _references(value)


def test_each_place_in_a_path_is_a_parameter() -> None:
    names = [said["get"]["operationId"] for said in DOCUMENT["paths"].values()]
    assert len(set(names)) == len(names)
    for path, said in DOCUMENT["paths"].items():
        placed = {one["name"] for one in said["get"]["parameters"] if one["in"] == "path"}
        assert placed == set(re.findall(r"{(\w+)}", path))


def test_each_field_of_an_answer_is_said_to_be_there() -> None:
    schema = DOCUMENT["components"]["schemas"]["Fault"]
    assert set(schema["required"]) == {field.name for field in msgspec.structs.fields(Fault)}
    result = DOCUMENT["components"]["schemas"]["ResultShape"]
    assert set(result["required"]) == set(result["properties"])
    assert "default" not in str(result)


@pytest.mark.parametrize("address", [one for one in ADDRESSES if one.media == EVENTS])
def test_streams_are_described_as_streams(address: Any) -> None:  # noqa: ANN401
    said = DOCUMENT["paths"][address.path]["get"]
    assert set(said["responses"]["200"]["content"]) == {"text/event-stream"}
    assert {one["name"] for one in said["parameters"]} >= {"after", "Last-Event-ID"}


def test_a_streams_messages_are_described_as_they_are_sent() -> None:
    board = board_of("CLEAN", 1)
    finding = Finding("wrong-card", "CLEAN/1-3", 1, "KS", "QS", 0, "rule", "fault")
    told = Told("events", EntryId(1, 1), None, b"")
    change = Change(("round", "roads"), board.view().results[:1])
    sent = {
        "TableMessage": table_message("c", board, told, change),
        "LobbyMessage": lobby_message("c", "at", "type", None, board.tile(), (finding,)),
        "ResetMessage": reset_message("why"),
    }
    schemas = DOCUMENT["components"]["schemas"]
    for name, message in sent.items():
        data = msgspec.json.decode(message.partition(b"data: ")[2])
        assert set(data) == set(schemas[name]["properties"]) == set(schemas[name]["required"])
    assert schemas["TableMessage"]["properties"]["view"]["$ref"].endswith("/ViewChange")
    assert schemas["ViewChange"]["properties"] == schemas["TableView"]["properties"]
    assert schemas["ViewChange"]["required"] == []
    for path, name in ((LOBBY, "LobbyMessage"), (TABLE, "TableMessage")):
        for before in ("", "/public"):
            said = DOCUMENT["paths"][before + path]["get"]["responses"]["200"]["content"][EVENTS]
            kinds = [one["properties"]["data"] for one in said["x-itemSchema"]["oneOf"]]
            named = [one["contentSchema"]["$ref"].rpartition("/")[2] for one in kinds]
            assert named == [name, "ResetMessage"]


class _Tags(HTMLParser):
    """Keeps which tags there are, and the text."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.text: list[str] = []

    def handle_starttag(self, tag: str, _attrs: object) -> None:
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def test_the_asyncapi_page_shows_every_message() -> None:
    answer = ask(board_app(), "/asyncapi")
    assert answer.headers["content-type"].startswith("text/html")
    page = _Tags()
    page.feed(answer.body.decode())
    assert not page.tags & {"script", "style", "iframe", "img"}
    said = " ".join(page.text)
    document = asyncapi.document()
    for channel in document["channels"].values():
        assert channel["address"] in said
        assert channel["description"] in said
        for name in channel["messages"]:
            assert name in said
    published = (FOLDER / "asyncapi.json").read_bytes()
    assert ask(board_app(), "/asyncapi.json").body == published


def test_texts_of_the_document_are_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    document = asyncapi.document()
    document["info"]["title"] = "<script>alert(1)</script>\"'"
    next(iter(document["channels"].values()))["description"] = "<img src=x onerror=alert(1)>"
    monkeypatch.setattr(asyncapi, "document", lambda: document)
    asyncapi_page.page_bytes.cache_clear()
    try:
        page = asyncapi_page.page_bytes()
    finally:
        asyncapi_page.page_bytes.cache_clear()
    assert b"<script" not in page
    assert b"<img" not in page
    assert b"&lt;script&gt;" in page
