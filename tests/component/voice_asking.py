"""Recordings sent to `POST /chat/audio` in the tests, and what came back."""

from __future__ import annotations

import io
from typing import Any

from web_house import House

WAV = {"Content-Type": "audio/wav"}
PCM = {"Content-Type": "audio/pcm"}


async def said(house: House, body: Any, headers: dict[str, str] = WAV, query: str = "") -> dict[str, Any]:
    data = io.BytesIO(body) if isinstance(body, bytes) else body
    status, answer = await house.ask("POST", f"/chat/audio{query}", headers=headers, data=data)
    assert status == 200, answer
    return answer


async def refused(house: House, body: Any, headers: dict[str, str] = WAV, query: str = "") -> tuple[int, str]:
    status, answer = await house.ask("POST", f"/chat/audio{query}", headers=headers, data=io.BytesIO(body))
    assert status >= 400
    assert answer["error"]["message"]
    assert answer["error"]["hint"]
    return status, answer["error"]["code"]
