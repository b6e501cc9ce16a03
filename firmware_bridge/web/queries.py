"""What stands in the address of a request: the query and the parts of the path, validated and documented at once."""

from __future__ import annotations

from typing import Annotated, TypeVar

from aiohttp import web
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from edge_memory.memory import MOST_ROWS
from edge_memory.records import Kind, Layer, Ranker, Status
from edge_memory.store.records import MOST_ID
from firmware_bridge.web.bodies import Id, parse

_LONGEST_WAIT_SECONDS = 60.0
REPLY_RATES = (8_000, 16_000, 22_050, 24_000, 44_100, 48_000)
Q = TypeVar("Q", bound=BaseModel)
Limit = Annotated[int, Field(ge=1, le=MOST_ROWS)]


class _Query(BaseModel):
    model_config = ConfigDict(extra="ignore")  # proxies and browsers add members of their own


class RecordPath(_Query):
    id: int = Field(ge=0, le=MOST_ID, description="the record's id in this file")


class TurnPath(_Query):
    id: Id = Field(description="the turn's id")


class SoundPath(_Query):
    turn_id: str = Field(description="the id of the turn whose reply it is")


class NamePath(_Query):
    name: str = Field(description="the name, as it was given")


class WhichQuery(_Query):
    status: Status | None = Field(None, description="only records of this status")
    layer: Layer | None = Field(None, description="only records of this layer")
    kind: Kind | None = Field(None, description="only records of this kind")
    scope: str | None = Field(None, description="only records of this scope")
    session_id: str | None = Field(None, description="as this conversation sees it")


class RecordsQuery(WhichQuery):
    limit: Limit = Field(50, description="records, newest first")
    offset: int = Field(0, ge=0, le=MOST_ID, description="how many to leave out")


class SearchQuery(WhichQuery):
    q: str = Field(min_length=1, pattern=r"\S", description="some words")
    k: Limit = Field(10, description="records, and as many turns")
    ranker: Ranker = Field(Ranker.FUSED, description="how they are ranked")


class TurnsQuery(_Query):
    session_id: str | None = Field(None, description="only turns of this conversation")
    turn_id: str | None = Field(None, description="only this turn")
    limit: Limit = Field(20, description="turns, the newest")


class DeviceQuery(_Query):
    device_id: Id | None = Field(None, description="the device that it is about; a device's token names its own")


class SeriesQuery(DeviceQuery):
    since: float = Field(0.0, allow_inf_nan=False, description="Unix time from which on")
    name: str | None = Field(None, description="only readings of this name")


class WaitQuery(_Query):
    wait: float = Field(0.0, ge=0.0, le=_LONGEST_WAIT_SECONDS, description="seconds to wait for the answer")


class EventsQuery(DeviceQuery):
    wait: float = Field(  # clients on microcontrollers give up after five
        4.0, ge=0.0, le=_LONGEST_WAIT_SECONDS, description="seconds that a poll waits for an event"
    )
    receipt: str | None = Field(None, description="of the answer to the last poll; empty where none has arrived")


def _known_rate(rate: int) -> int:
    if rate not in REPLY_RATES:
        raise ValueError(f"use one of {', '.join(map(str, REPLY_RATES))}")
    return rate


class ReplyQuery(_Query):
    reply_rate: Annotated[int, AfterValidator(_known_rate)] | None = Field(
        None, description="samples a second of the reply's sound", json_schema_extra={"enum": [*REPLY_RATES, None]}
    )


class AudioQuery(_Query):
    rate: int | None = Field(None, ge=8_000, le=96_000, description="samples a second of raw samples")
    channels: int | None = Field(None, ge=1, le=2, description="channels of raw samples")
    live: bool | None = Field(None, description="false: a chunked body is a whole recording")
    goes_on: bool | None = Field(
        None, description="true: a live body goes on, without the reply's sound, while that is streamed"
    )


class ChatAudioQuery(ReplyQuery, AudioQuery, DeviceQuery):
    session_id: Id | None = Field(None, description="the conversation that it belongs to; a device has its own")
    turn_id: Id | None = Field(None, description="the client's id of this turn; sent again, it is told again, not run")


def read_query(model: type[Q], request: web.Request) -> Q:
    """The first of each member counts. Raises BadRequest that names the first wrong one."""
    return parse(model, {name: request.query[name] for name in request.query})


def read_path(model: type[Q], request: web.Request) -> Q:
    """Raises BadRequest."""
    return parse(model, dict(request.match_info))
