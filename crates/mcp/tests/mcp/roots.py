"""A client with roots, through the official Python client. Prints `done` at its end."""

import asyncio
import os
import sys
from pathlib import Path

import httpx2
from mcp import Client, StdioServerParameters, types
from mcp.client.streamable_http import streamable_http_client


def reached(target):
    """A binary to start, or the address of a server that runs."""
    if not target.startswith("http://"):
        return StdioServerParameters(command=target, args=["mcp", "--profile", "toolkit"], env=dict(os.environ))
    shown = {"Authorization": f"Bearer {os.environ['RUNWARD_TOKEN']}"}
    return streamable_http_client(target, http_client=httpx2.AsyncClient(headers=shown, timeout=60))


async def pwd(client, cwd):
    result = await client.call_tool("exec_command", {"cwd": str(cwd), "command": ["pwd"]})
    return result.structured_content.get("error", {}).get("code") or result.structured_content["stdout"].strip()


def check(held, what):
    if not held:
        raise SystemExit(f"not so: {what!r}")


async def main(target, mode):
    one, two = (Path.cwd() / "space in it", Path.cwd() / "two")
    for folder in (one, two):
        folder.mkdir(exist_ok=True)
    asked, roots = [], [one]

    async def listed(context):
        asked.append(mode)
        return types.ListRootsResult(roots=[types.Root(uri=folder.as_uri()) for folder in roots])

    async with Client(reached(target), mode=mode, list_roots_callback=listed) as client:
        if mode == "auto":
            # Without a handshake the server asks nothing back: the operator's folder counts.
            check((await pwd(client, one), await pwd(client, two)) == (str(one), str(two)), asked)
            check(asked == [], asked)
        else:
            check(await pwd(client, one) == str(one), asked)
            check(await pwd(client, two) == "SANDBOX_VIOLATION", asked)
            known = len(asked)
            roots[:] = [two]
            await client.send_roots_list_changed()
            while len(asked) == known:
                await asyncio.sleep(0.01)
            check((await pwd(client, one), await pwd(client, two)) == ("SANDBOX_VIOLATION", str(two)), asked)
    print("done", flush=True)


asyncio.run(main(*sys.argv[1:]))
