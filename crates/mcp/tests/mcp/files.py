"""A client with roots, and a server of files behind a gateway. Prints `done` at its end."""

import asyncio
import os
import sys
import warnings
from pathlib import Path

import httpx2
from mcp import Client, StdioServerParameters, types
from mcp.client.streamable_http import streamable_http_client

warnings.simplefilter("ignore")


def reached(target):
    """A binary to start, or the address of a server that runs."""
    if not target.startswith("http://"):
        return StdioServerParameters(command=target, args=["gateway"], env=dict(os.environ))
    shown = {"Authorization": f"Bearer {os.environ['RUNWARD_TOKEN']}"}
    return streamable_http_client(target, http_client=httpx2.AsyncClient(headers=shown, timeout=60))


def check(held, what):
    if not held:
        raise SystemExit(f"not so: {what!r}")


async def main(target):
    one, two = (Path.cwd() / "space in it", Path.cwd() / "two")
    for folder in (one, two):
        folder.mkdir(exist_ok=True)
    roots = [one]

    async def listed(context):
        return types.ListRootsResult(roots=[types.Root(uri=folder.as_uri()) for folder in roots])

    async with Client(reached(target), mode="legacy", list_roots_callback=listed) as client:

        async def call(tool, **arguments):
            return await client.call_tool(f"files__{tool}", arguments)

        async def allowed(folder):
            """Waits until the server knows the roots, which it asks for in its own time."""
            expected = f"Allowed directories:\n{folder}"
            async with asyncio.timeout(30):
                while (await call("list_allowed_directories")).content[0].text != expected:
                    await asyncio.sleep(0.01)

        await allowed(one)
        text = "é\n" * 1000
        written = await call("write_file", path=str(one / "a.txt"), content=text)
        check(not written.is_error and (one / "a.txt").read_text() == text, written)
        read = await call("read_text_file", path=str(one / "a.txt"))
        check(read.content[0].text == text and read.structured_content == {"content": text}, read)
        refused = await call("read_text_file", path=str(two / "a.txt"))
        check(refused.is_error and "outside allowed directories" in refused.content[0].text, refused)
        roots[:] = [two]
        await client.send_roots_list_changed()
        await allowed(two)
        refused = await call("read_text_file", path=str(one / "a.txt"))
        check(refused.is_error, refused)
    print("done", flush=True)


asyncio.run(main(*sys.argv[1:]))
