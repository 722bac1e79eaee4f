"""What the loaders say of a text: plain values, as JSON has them."""

from __future__ import annotations

import dataclasses
from typing import Any, Dict, Mapping, Sequence

from ._feed import Chunk, Place

#: What a place says of itself, as `pensieve search --json` names it.
_KEYS = ("citation", "doc_uid", "relative_path", "format", "start", "end", "locator", "heading_path", "context")


def of_places(places: Sequence[Mapping[str, Any]], **facts: Any) -> Dict[str, Any]:
    """The metadata of a text: the facts, its first place by keys of its own, and all ``places``.

    ``source`` is the path of the file, as the frameworks have it; the bytes in that file are ``source_bytes``.
    """
    metadata: Dict[str, Any] = dict(facts)
    if places:
        first = places[0]
        metadata.update(source=first["path"], source_bytes=first["source"])
        metadata.update({key: first[key] for key in _KEYS})
    metadata["places"] = [dict(place) for place in places]
    return metadata


def of_chunk(chunk: Chunk) -> Dict[str, Any]:
    """The metadata of a chunk."""
    places = [_plain(place) for place in chunk.places]
    return of_places(places, content_hash=chunk.content_hash, tokens=chunk.tokens)


def _plain(place: Place) -> Dict[str, Any]:
    values = dataclasses.asdict(place)
    values["source"] = None if place.source is None else list(place.source)
    values["duplicates"] = list(values["duplicates"])
    return values


def of_hit(hit: Mapping[str, Any]) -> Dict[str, Any]:
    """The metadata of a hit of ``pensieve search``."""
    return of_places(hit["sources"], content_hash=hit["content_hash"], tokens=hit["tokens"], score=hit["score"])


def of_piece(piece: Mapping[str, Any]) -> Dict[str, Any]:
    """The metadata of a piece of ``pensieve pack``, whose one place is its citation's."""
    place = {key: value for key, value in piece.items() if key not in ("number", "text", "tokens")}
    return of_places([place], number=piece["number"], tokens=piece["tokens"])
