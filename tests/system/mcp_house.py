"""The official MCP client, with `lobug mcp` as its server."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from companion_process import LOBUG
from mcp import Client, StdioServerParameters, stdio_client

WITHOUT_WEIGHTS = {"LOBUG_MODEL__EMBEDDER": "/nowhere/embedder.gguf"}


@asynccontextmanager
async def over_stdio(data_dir: Path, more: Mapping[str, str] = WITHOUT_WEIGHTS) -> AsyncIterator[Client]:
    command = StdioServerParameters(
        command=LOBUG, args=["mcp", "--data-dir", str(data_dir)], env={**os.environ, **more}
    )
    async with Client(stdio_client(command)) as client:
        yield client


async def call(client: Client, tool: str, **arguments: Any) -> Any:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    return result.structured_content
