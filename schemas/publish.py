"""Writes ``schemas/published``: the language as JSON Schemas and AsyncAPI. Edits nothing by hand.

``python -m schemas.publish`` makes the folder what the types say, and takes away what is no more.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from schemas import asyncapi, json_schemas
from schemas.envelope import dump

FOLDER: Final = Path(__file__).parent / "published"


def files() -> dict[str, bytes]:
    """Give every published file by its path in the folder."""
    documents = {**json_schemas.documents(), "asyncapi.json": asyncapi.document()}
    return {path: dump(document, indent=True) + b"\n" for path, document in documents.items()}


def write(folder: Path = FOLDER) -> None:
    """Make the folder hold these files and no other JSON."""
    made = files()
    for path in folder.rglob("*.json"):
        if path.relative_to(folder).as_posix() not in made:
            path.unlink()
    for name, data in made.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


if __name__ == "__main__":
    write()
