"""The routes in OpenAI's form, through the real `openai` client, against the real companion with the tiny model."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import openai
import pytest
from companion_process import Companion

pytestmark = pytest.mark.weights

NAMED_BY_OTHERS: set[str] = set()
COLOURS = {"type": "object", "properties": {"colour": {"enum": ["red", "blue"]}}, "required": ["colour"]}


@pytest.fixture(scope="module")
def companion(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Companion]:
    with Companion(tmp_path_factory.mktemp("openai") / "data") as running:
        running.wait_for(lambda health: health["status"] == "ok")
        yield running


@pytest.fixture(scope="module")
def client(companion: Companion) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(base_url=f"{companion.url}/v1", api_key="none", max_retries=0) as client:
        yield client


def asked(client: openai.OpenAI, text: str = "Say hello.", **options: Any) -> Any:
    given = {"messages": [{"role": "user", "content": text}], "max_tokens": 12, "temperature": 0} | options
    return client.chat.completions.create(model="gpt-4o-mini", **given)


def test_a_completion_has_text_usage_and_an_end(client: openai.OpenAI, companion: Companion) -> None:
    answer = asked(client)
    assert answer.object == "chat.completion"
    assert answer.id.startswith("chatcmpl-")
    assert abs(answer.created - time.time()) < 60
    assert answer.model == companion.health()["models"]["chat"]["name"]
    assert answer.choices[0].message.role == "assistant"
    assert answer.choices[0].message.content
    usage = answer.usage
    assert usage.prompt_tokens > 5
    assert 0 < usage.completion_tokens <= 12
    assert usage.total_tokens == usage.prompt_tokens + usage.completion_tokens
    assert asked(client).usage.prompt_tokens_details.cached_tokens == usage.prompt_tokens - 1


def test_the_given_messages_are_the_whole_prompt_and_nothing_is_kept(
    client: openai.OpenAI, companion: Companion
) -> None:
    short = asked(client, "Hi").usage.prompt_tokens
    longer = asked(client, messages=[{"role": "developer", "content": "Be brief."}, {"role": "user", "content": "Hi"}])
    assert short < longer.usage.prompt_tokens < 60  # no persona, no examples
    parts = [{"type": "text", "text": "Hi"}]
    assert asked(client, messages=[{"role": "user", "content": parts}]).usage.prompt_tokens == short
    assert companion.get("/memory/turns")[1] == {"turns": []}


def test_a_stream_says_the_same_as_the_whole(client: openai.OpenAI) -> None:
    whole = asked(client)
    *chunks, last = list(asked(client, stream=True, stream_options={"include_usage": True}))
    assert chunks[0].choices[0].delta.role == "assistant"
    assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks) == whole.choices[0].message.content
    assert [chunk.choices[0].finish_reason for chunk in chunks if chunk.choices[0].finish_reason] == [
        whole.choices[0].finish_reason
    ]
    assert last.choices == []
    assert last.usage.completion_tokens == whole.usage.completion_tokens
    assert all(chunk.usage is None for chunk in asked(client, stream=True))


def test_limits_and_stops(client: openai.OpenAI) -> None:
    cut = asked(client, "Count from one to fifty.", max_tokens=3)
    assert (cut.choices[0].finish_reason, cut.usage.completion_tokens) == ("length", 3)
    assert asked(client, "Count.", max_completion_tokens=2, max_tokens=9).usage.completion_tokens == 2
    whole = asked(client, "Say hello to the world.", max_tokens=20).choices[0].message.content
    word = whole.split()[1]
    stopped = asked(client, "Say hello to the world.", max_tokens=20, stop=word)
    assert stopped.choices[0].message.content == whole[: whole.index(word)]
    assert stopped.choices[0].finish_reason == "stop"
    assert asked(client, max_tokens=10**6, stop=["\n", "."]).choices[0].message.content


def test_json_on_demand(client: openai.OpenAI) -> None:
    schema = {"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": COLOURS}}
    for temperature in (0, 1.5):
        answer = asked(client, "The sky is?", response_format=schema, max_tokens=40, temperature=temperature)
        assert json.loads(answer.choices[0].message.content)["colour"] in ("red", "blue")
        assert answer.choices[0].finish_reason == "stop"
    free = asked(client, "Give JSON: the name is Al.", response_format={"type": "json_object"}, max_tokens=200)
    text = free.choices[0].message.content
    assert text.lstrip().startswith("{")
    assert free.choices[0].finish_reason == "length" or isinstance(json.loads(text), dict)
    assert asked(client, response_format={"type": "text"}).choices[0].message.content


def test_a_named_session_has_memory(client: openai.OpenAI, companion: Companion) -> None:
    for text, options in (
        ("my cat is called Zorro", {"user": "desk"}),
        ("what is my cat called", {"extra_headers": {"X-Lobug-Session": "elsewhere"}}),
    ):
        answer = asked(client, text, **options)
        companion.wait_until_digested()
    assert "Zorro" in answer.choices[0].message.content
    turn = answer.model_extra["lobug"]
    assert turn["session_id"] == "elsewhere"
    assert turn["memories"]
    kept = companion.get("/memory/turns?session_id=desk")[1]["turns"]
    assert [one["heard"] for one in kept] == ["my cat is called Zorro"]
    chunks = list(asked(client, "what is my cat called", user="third", stream=True))
    assert "Zorro" in "".join(chunk.choices[0].delta.content or "" for chunk in chunks)
    assert chunks[-1].model_extra["lobug"]["session_id"] == "third"
    assert "Zorro" not in asked(client, "what is my cat called").choices[0].message.content


def test_any_name_of_a_user_names_a_session_of_its_own(client: openai.OpenAI, companion: Companion) -> None:
    users = ("alex@example.org", "Zoë's desk", "x" * 300, "alex@example.org")
    named = [asked(client, "timer ten minutes", user=user).model_extra["lobug"]["session_id"] for user in users]
    assert named[0] == named[3]
    assert len(set(named)) == 3
    for session, turns in zip(named, (2, 1, 1), strict=False):
        assert len(companion.get(f"/memory/turns?session_id={session}")[1]["turns"]) == turns
    NAMED_BY_OTHERS.update(named)


def test_embeddings_in_both_encodings(client: openai.OpenAI) -> None:
    texts = ["a cat", "a kitten", "the stock market"]
    answer = client.embeddings.create(model="any", input=texts)  # the client asks for base64 and decodes it
    cat, kitten, market = (one.embedding for one in answer.data)
    assert [one.index for one in answer.data] == [0, 1, 2]
    assert len(cat) == 384
    near, far = (sum(a * b for a, b in zip(cat, other, strict=True)) for other in (kitten, market))
    assert near > far + 0.3
    assert answer.usage.prompt_tokens == answer.usage.total_tokens > 6
    plain = client.embeddings.create(model="any", input="a cat", encoding_format="float")
    assert plain.data[0].embedding == pytest.approx(cat, abs=1e-5)


def test_models_are_listed(client: openai.OpenAI) -> None:
    names = [model.id for model in client.models.list()]
    assert len(names) == 2
    assert client.models.retrieve(names[0]).id == names[0]
    with pytest.raises(openai.NotFoundError) as refused:
        client.models.retrieve("gpt-4o")
    assert refused.value.code == "model_not_found"


@pytest.mark.speech
def test_what_is_spoken_is_understood(client: openai.OpenAI) -> None:
    words = "The kettle is on and the tea is nearly ready."
    spoken = client.audio.speech.create(model="tts-1", voice="alloy", input=words, response_format="wav")
    heard = client.audio.transcriptions.create(model="whisper-1", file=("kettle.wav", spoken.content))
    understood = SequenceMatcher(None, words.lower().split(), heard.text.lower().split()).ratio()
    assert understood >= 0.7, heard.text  # a voice never says a sentence twice alike, and "cattle" is near


USER = {"role": "user", "content": "hi"}
DEEP: dict[str, Any] = {"type": "string"}
for _ in range(40):
    DEEP = {"type": "array", "items": DEEP}


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"messages": []}, "bad_request"),
        ({"messages": "hi"}, "bad_request"),
        ({"messages": [{"role": "wizard", "content": "hi"}]}, "bad_request"),
        ({"messages": [{"content": "hi"}]}, "bad_request"),
        ({"messages": [{"role": "user", "content": 5}]}, "bad_request"),
        (
            {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]}]},
            "bad_request",
        ),
        ({"messages": [{"role": "tool", "tool_call_id": "1", "content": "4"}]}, "bad_request"),
        ({"messages": [USER] * 1_000}, "context_length_exceeded"),
        ({"messages": [{"role": "user", "content": "word " * 9_000}]}, "context_length_exceeded"),
        ({"max_tokens": 0}, "bad_request"),
        ({"max_tokens": "many"}, "bad_request"),
        ({"temperature": 3}, "bad_request"),
        ({"n": 2}, "bad_request"),
        ({"logprobs": True}, "bad_request"),
        ({"stop": ["a"] * 99}, "bad_request"),
        ({"tool_choice": "required", "tools": []}, "bad_request"),
        ({"modalities": ["audio"]}, "bad_request"),
        ({"response_format": {"type": "xml"}}, "bad_request"),
        ({"response_format": {"type": "json_schema"}}, "bad_request"),
        ({"user": "desk", "messages": [{"role": "user", "content": " "}]}, "bad_text"),
        ({"user": "desk", "messages": [USER, {"role": "assistant", "content": "yes"}]}, "bad_request"),
        ({"user": "desk", "response_format": {"type": "json_object"}}, "bad_request"),
    ],
)
@pytest.mark.parametrize("stream", [False, True])
def test_bad_requests_are_told_in_openais_form(
    client: openai.OpenAI, options: dict[str, Any], code: str, stream: bool
) -> None:
    with pytest.raises(openai.BadRequestError) as refused:
        asked(client, stream=stream, **options)
    assert (refused.value.code, refused.value.type) == (code, "invalid_request_error")
    assert refused.value.body["hint"]
    assert refused.value.body["hint"] in refused.value.body["message"]


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "array", "items": {"type": "string"}, "maxItems": 10**9},
        {"type": "string", "pattern": "^(a*)*$"},
        {"$ref": "https://evil.example/schema"},
        {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}},
        {"type": "bogus"},
        {"properties": 5},
        {"anyOf": []},
        {"type": "integer", "minimum": -(10**400)},
        DEEP,
        {"enum": ["x" * 30_000]},
    ],
)
def test_schemas_that_cannot_be_held_to_are_refused(client: openai.OpenAI, schema: dict[str, Any]) -> None:
    with pytest.raises(openai.BadRequestError) as refused:
        asked(client, response_format={"type": "json_schema", "json_schema": {"name": "x", "schema": schema}})
    assert refused.value.code == "schema_unusable"


@pytest.mark.parametrize(
    "options",
    [
        {"input": []},
        {"input": ""},
        {"input": [1, 2, 3]},
        {"input": [[1, 2], [3]]},
        {"input": None},
        {"input": ["x"] * 3_000},
        {"input": "x", "dimensions": 12},
        {"input": "x", "encoding_format": "hex"},
    ],
)
def test_bad_inputs_have_no_embedding(client: openai.OpenAI, options: dict[str, Any]) -> None:
    with pytest.raises(openai.BadRequestError) as refused:
        client.embeddings.create(model="any", **options)
    assert refused.value.code == "bad_request"


def test_unknown_fields_and_tools_that_may_go_unused_are_no_reason_to_refuse(client: openai.OpenAI) -> None:
    tool = {"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}
    answer = asked(
        client, tools=[tool], tool_choice="auto", top_p=0.5, seed=1, frequency_penalty=1, extra_body={"mirostat": 2}
    )
    assert answer.choices[0].message.content
    assert answer.choices[0].message.tool_calls is None


@pytest.mark.parametrize(
    ("raw", "status", "code"),
    [
        (b"{", 400, "bad_json"),
        (b'{"messages": "' + b"x" * 300_000 + b'"}', 413, "body_too_large"),
        (b"[" * 50_000, 400, "bad_json"),
    ],
)
def test_what_no_client_of_theirs_sends(companion: Companion, raw: bytes, status: int, code: str) -> None:
    for path in ("/v1/chat/completions", "/v1/embeddings"):
        got, answer = companion.post(path, None, raw=raw)
        assert (got, answer["error"]["code"]) == (status, code)
        assert answer["error"].keys() == {"message", "type", "param", "code", "hint"}
    assert companion.get("/v1/nothing")[1]["error"]["type"] == "invalid_request_error"


def test_half_a_character_is_answered(companion: Companion) -> None:
    raw = b'{"max_tokens": 2, "input": "\\ud800", "messages": [{"role": "user", "content": "\\ud800"}]}'
    assert companion.post("/v1/chat/completions", None, raw=raw)[0] == 200
    assert companion.post("/v1/embeddings", None, raw=raw)[0] == 200


def test_the_lane_is_free_after_a_listener_has_left(client: openai.OpenAI, companion: Companion) -> None:
    stream = asked(client, "Tell me a very long story about the sea.", max_tokens=1_000, stream=True)
    assert len(list(itertools.islice(stream, 12))) == 12
    stream.close()
    while 'lobug_lane_work{priority="rest"} 0.0' not in companion.text("/metrics"):
        time.sleep(0.05)
    assert asked(client).choices[0].message.content


def test_many_clients_at_once_get_their_own_answers(client: openai.OpenAI) -> None:
    def word(number: int) -> tuple[str, int]:
        schema = {"type": "json_schema", "json_schema": {"name": "x", "schema": {"const": f"word{number}"}}}
        answer = asked(client, f"Say word{number}", response_format=schema, max_tokens=20)
        return json.loads(answer.choices[0].message.content), number

    with ThreadPoolExecutor(6) as pool:
        assert [text for text, _ in pool.map(word, range(6))] == [f"word{number}" for number in range(6)]


def test_the_stateless_routes_kept_nothing(companion: Companion) -> None:
    sessions = {turn["session_id"] for turn in companion.get("/memory/turns?limit=100")[1]["turns"]}
    assert sessions - NAMED_BY_OTHERS == {"desk", "elsewhere", "third"}


def test_a_model_that_is_not_there_is_told_as_unavailable(tmp_path: Path) -> None:
    settings = {"LOBUG_MODEL__CHAT": str(tmp_path / "no.gguf"), "LOBUG_MODEL__EMBEDDER": str(tmp_path / "no.gguf")}
    with (
        Companion(tmp_path / "data", environment=settings) as companion,
        openai.OpenAI(base_url=f"{companion.url}/v1", api_key="none", max_retries=0) as client,
    ):
        ruled = asked(client, "timer ten minutes", user="desk")
        assert "timer" in ruled.choices[0].message.content.lower(), "rules need no model"
        for ask in (
            lambda: asked(client),
            lambda: asked(client, user="desk"),
            lambda: client.embeddings.create(model="any", input="x"),
        ):
            with pytest.raises(openai.InternalServerError) as refused:
                ask()
            assert (refused.value.status_code, refused.value.type) == (503, "server_error")
            assert refused.value.code == "weights_missing"
            assert refused.value.response.headers["Retry-After"]
