"""Conversations with the server through the official Python client. Each part prints `done` at its end."""

import asyncio
import os
import sys

import httpx2
import yaml
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp.types import ElicitResult

TERMINAL = [
    "execute_command", "start_command", "read_output", "write_input", "stop_command", "wait_command", "list_commands",
]


def server(binary):
    return StdioServerParameters(command=binary, args=["mcp"], env=dict(os.environ))


def text(result):
    check((result.structured_content or {}).get("error") is None, result)
    return yaml.safe_load(result.content[0].text)


def check(held, what):
    if not held:
        raise SystemExit(f"not so: {what!r}")


async def talk(client):
    tools = await client.list_tools()
    check([tool.name for tool in tools.tools] == TERMINAL, tools)
    result = await client.call_tool("execute_command", {"command": "echo hi; echo oops >&2; exit 3"})
    check(list(text(result).items()) == [("exit_code", 3), ("stdout", "hi\n"), ("stderr", "oops\n")], result)
    check(not result.is_error and result.structured_content["stdout"] == "hi\n", result)
    result = await client.call_tool("execute_command", {"command": "cat"})
    check(text(result)["stdout"] == "", result)
    result = await client.call_tool("execute_command", {"command": "cat", "input": "hello world"})
    check(text(result)["stdout"] == "hello world", result)
    result = await client.call_tool("execute_command", {"command": "ls", "colour": "red"})
    check(result.is_error and "`colour`" in result.content[0].text, result)
    result = await client.call_tool("execute_command", {"command": "sleep 60", "timeout_ms": 300})
    check(result.is_error and text(result)["exit_code"] == 124, result)
    check("Timed out after 300ms" in text(result)["error"] and "start_command" in text(result)["error"], result)
    try:
        await client.call_tool("no_such_tool", {})
        check(False, "a tool that does not exist was called")
    except MCPError as error:
        check("no_such_tool" in str(error), error)
    heard = []

    async def progress(number, total, message):
        heard.append((number, message))

    command = "for i in 1 2 3; do echo line $i; sleep 0.15; done"
    await client.call_tool("execute_command", {"command": command}, progress_callback=progress)
    check([message for _, message in heard][0] == "line 1" and len(heard) >= 2, heard)


async def live(client):
    started = await client.call_tool("start_command", {"command": "python3 -q -i", "pty": True})
    session = {"sessionId": text(started)["sessionId"]}
    met = await client.call_tool("wait_command", {**session, "until": {"input": True}})
    check(text(met)["state"] == "line_editor", met)
    await client.call_tool("write_input", {**session, "input": "1+1", "keys": ["enter"]})
    met = await client.call_tool("wait_command", {**session, "until": {"output": "(?m)^2"}})
    check(text(met)["met"] == "output" and "\n2" in text(met)["stdout"].replace("\r", ""), met)
    secret = await client.call_tool("start_command", {"command": "read -s x; echo got it", "pty": True})
    secret = {"sessionId": text(secret)["sessionId"]}
    met = await client.call_tool("wait_command", {**secret, "until": {"input": True}})
    check(text(met)["state"] == "waiting_password", met)
    await client.call_tool("write_input", {**secret, "input": "hush", "newline": True})
    met = await client.call_tool("wait_command", {**secret, "until": {"exit": True}})
    check("got it" in text(met)["stdout"] and "hush" not in text(met)["stdout"], met)
    stopped = await client.call_tool("stop_command", session)
    check(text(stopped)["success"] is True, stopped)
    listed = await client.call_tool("list_commands", {})
    check([one["state"] for one in text(listed)["commands"]] == ["exited", "exited"], listed)
    found = await client.call_tool("read_output", {"sessionId": "nobody"})
    check(found.is_error and found.content[0].text.startswith("Session not found: nobody"), found)


async def cancel(client, mark):
    call = asyncio.create_task(client.call_tool("execute_command", {"command": f"setsid sleep {mark} & sleep {mark}"}))
    await asyncio.to_thread(sys.stdin.readline)
    call.cancel()
    try:
        await call
    except asyncio.CancelledError:
        pass
    print("cancelled", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    result = await client.call_tool("execute_command", {"command": "echo alive"})
    check(text(result)["stdout"] == "alive\n", result)


async def hold(client, mark):
    tree = f"setsid sleep {mark} & (sleep {mark} &); trap '' TERM; sleep {mark}; sleep {mark}"
    await client.call_tool("start_command", {"command": tree, "pty": True})
    await client.call_tool("execute_command", {"command": tree})


async def approve(client, answers):
    """Runs the same command twice under each answer of the person, and a longer one at the end."""
    asked = answers.asked
    for answer in ["decline", "cancel", "no", "once"]:
        answers.say = answer
        result = await client.call_tool("execute_command", {"command": "touch made"})
        if answer == "once":
            check(text(result)["exit_code"] == 0, result)
        else:
            check(result.structured_content["error"]["code"] == "policy.declined", result)
        check(os.path.exists("made") == (answer == "once"), answer)
    check(len(asked) == 4 and "command  touch made" in asked[0], asked)
    answers.say = "always"
    check(text(await client.call_tool("execute_command", {"command": "touch made"}))["exit_code"] == 0, "always")
    check(len(asked) == 5, asked)
    answers.say = "decline"
    check(text(await client.call_tool("execute_command", {"command": "touch made"}))["exit_code"] == 0, "unasked")
    check(len(asked) == 5, asked)
    result = await client.call_tool("execute_command", {"command": "touch made more"})
    check(result.structured_content["error"]["code"] == "policy.declined" and len(asked) == 6, result)


class Answers:
    """A person who says one thing, and what they were shown."""

    def __init__(self):
        self.say, self.asked = "decline", []

    async def __call__(self, context, params):
        self.asked.append(params.message)
        if self.say in ("decline", "cancel"):
            return ElicitResult(action=self.say)
        return ElicitResult(action="accept", content={"answer": self.say})


def reached(target):
    """A binary to start, or the address of a server that runs."""
    if not target.startswith("http://"):
        return server(target)
    shown = {"Authorization": f"Bearer {os.environ['RUNWARD_TOKEN']}"}
    return streamable_http_client(target, http_client=httpx2.AsyncClient(headers=shown, timeout=60))


async def main(part, mode, target, *rest):
    if part == "approve":
        answers = Answers()
        async with Client(reached(target), mode=mode, elicitation_callback=answers) as client:
            await approve(client, answers)
        return print("done", flush=True)
    async with Client(reached(target), mode=mode) as client:
        await {"talk": talk, "live": live, "cancel": cancel, "hold": hold}[part](client, *rest)
    print("done", flush=True)


asyncio.run(main(*sys.argv[1:]))
