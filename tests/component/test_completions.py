"""A stateless reply in OpenAI's form, over a real socket."""

from __future__ import annotations

from pathlib import Path

from web_house import open_house, until


async def test_a_listener_who_leaves_ends_a_stateless_reply(tmp_path: Path) -> None:
    async with open_house(tmp_path, lambda messages: "one two three four") as house:
        house.replies.hold(after_words=2)
        body = {"messages": [{"role": "user", "content": "count"}], "stream": True}
        async with house.session.post(f"{house.url}/v1/chat/completions", json=body) as stream:
            told = b""
            while b"two" not in told:
                told += await stream.content.readany()
            assert house.replies.under_way == 1
        await until(lambda: not house.replies.under_way)
        house.replies.go_on()
        body["stream"] = False
        status, answer = await house.ask("POST", "/v1/chat/completions", json=body)
        assert (status, answer["choices"][0]["message"]["content"].split()[-1]) == (200, "four")
