"""Conversations with the server through the official Python client. Prints `done` after the last part."""

import asyncio
import os
import sys

import httpx2
import yaml
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp.types import ElicitResult

ALL = [
    "execute_command", "execute_process", "start_command", "read_output", "write_input", "stop_command", "wait_command", "list_commands",
    "exec_command", "exec",
]
VERSIONS = {"legacy": "2025-11-25", "auto": "2026-07-28"}


def server(binary):
    agents = ["--flows", "agents"] if os.path.isdir("agents") else []
    return StdioServerParameters(command=binary, args=["mcp", "--profile", "all", *agents], env=dict(os.environ))


def text(result):
    check(not isinstance((result.structured_content or {}).get("error"), dict), result)
    return yaml.safe_load(result.content[0].text)


def check(held, what):
    if not held:
        raise SystemExit(f"not so: {what!r}")


async def refusal(client, tool, arguments):
    """The text and the error of an answer that is one."""
    result = await client.call_tool(tool, arguments)
    check(result.is_error, result)
    return result.content[0].text, result.structured_content["error"]


async def talk(client):
    tools = await client.list_tools()
    check([tool.name for tool in tools.tools] == ALL, tools)
    check(client.server_info.name == "runward", client.server_info)
    result = await client.call_tool("execute_command", {"command": "echo hi; echo oops >&2; exit 3"})
    check(list(text(result).items()) == [("exit_code", 3), ("stdout", "hi\n"), ("stderr", "oops\n")], result)
    check(not result.is_error and result.structured_content["stdout"] == "hi\n", result)
    result = await client.call_tool("execute_command", {"command": "cat"})
    check(text(result)["stdout"] == "", result)
    result = await client.call_tool("execute_command", {"command": "cat", "input": "hello world"})
    check(text(result)["stdout"] == "hello world", result)
    result = await client.call_tool("execute_command", {"command": "echo begun; sleep 60", "timeout_ms": 300})
    check(result.is_error and text(result)["exit_code"] == 124 and text(result)["stdout"] == "begun\n", result)
    check("Timed out after 300ms" in text(result)["error"] and "start_command" in text(result)["error"], result)
    try:
        await client.call_tool("no_such_tool", {})
        check(False, "a tool that does not exist was called")
    except MCPError as error:
        check("no_such_tool" in str(error), error)


async def refused(client):
    said, error = await refusal(client, "execute_command", {"command": "rm -rf x"})
    check(error["code"] == "policy.denied", error)
    check(error["message"] == 'Command "rm" is not allowed, allowed commands: ls, pwd', error)
    check(said.startswith(error["message"]) and len(said) > len(error["message"]) and "hint" not in error, said)
    said, _ = await refusal(client, "execute_command", {"command": "ls", "colour": "red"})
    check("`colour`" in said, said)
    _, error = await refusal(client, "exec_command", {"cwd": "/", "command": ["pwd"]})
    check(error["code"] == "SANDBOX_VIOLATION", error)
    _, error = await refusal(client, "exec", {"lang": "cobol", "code": "x"})
    check(error == "exec: Unsupported language 'cobol' (LANG_UNSUPPORTED)", error)
    said, _ = await refusal(client, "read_output", {"sessionId": "nobody"})
    check(said.startswith("Session not found: nobody"), said)


async def run(client):
    result = await client.call_tool("exec_command", {"cwd": ".", "command": ["echo", "a b", "$HOME"]})
    check(not result.is_error and result.structured_content["stdout"] == "a b $HOME\n", result)
    result = await client.call_tool("exec", {"lang": "python", "code": "print(6 * 7)"})
    check(result.structured_content == {"success": True, "exit_code": 0, "stdout": "42\n", "stderr": ""}, result)
    result = await client.call_tool("execute_command", {"command": "printf abcdefgh"})
    uri = f"runward://exec/{result.meta['runward/receipt']['id']}"
    read = await client.read_resource(f"{uri}/stdout")
    check(read.contents[0].text == "abcdefgh", read)
    read = await client.read_resource(f"{uri}/stdout?offset=2&length=3")
    check(read.contents[0].text == "cde", read)
    try:
        await client.read_resource("runward://exec/nobody/stdout")
        check(False, "a resource that does not exist was read")
    except MCPError as error:
        check("there is no resource" in str(error), error)


async def progress(client):
    """The command goes on only when its line was told, so each was told while it ran."""
    told = asyncio.Queue()

    async def tell(number, total, message):
        await told.put((number, message))

    # Held open for writing too: or the end of the first writer could be read as the end of the second.
    command = {"command": "exec 3<>gate; for i in 1 2; do echo line $i; read x <&3; done"}
    call = asyncio.create_task(client.call_tool("execute_command", command, progress_callback=tell))
    steps = []
    for _ in range(2):
        steps.append(await told.get())
        await client.call_tool("execute_command", {"command": "echo > gate"})
    result = await call
    check(text(result)["stdout"] == "line 1\nline 2\n", result)
    check([message for _, message in steps] == ["line 1", "line 2"] and steps[0][0] < steps[1][0], steps)


async def live(client):
    started = await client.call_tool("start_command", {"command": "python3 -q -i", "pty": True})
    session = {"sessionId": text(started)["sessionId"]}
    met = await client.call_tool("wait_command", {**session, "until": {"input": True}})
    check(text(met)["state"] == "waiting_input", met)
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
    after = await client.call_tool("read_output", session)
    check(text(after)["state"] == "exited", after)


async def cancelled(client, tool, arguments):
    """Calls a tool, and no longer wants its answer when it is told so."""
    call = asyncio.create_task(client.call_tool(tool, arguments))
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


async def cancel(client, mark):
    await cancelled(client, "execute_command", {"command": f"setsid sleep {mark} & sleep {mark}"})


async def hold(client, mark):
    tree = f"setsid sleep {mark} & (sleep {mark} &); trap '' TERM; sleep {mark}; sleep {mark}"
    await client.call_tool("start_command", {"command": tree, "pty": True})
    await client.call_tool("execute_command", {"command": tree})


async def approve(client, answers):
    """Runs a command under each answer of the person, then once more unasked, and a longer one at the end."""
    asked, made = answers.asked, f"made-{client.protocol_version}"
    for answer in ["decline", "cancel", "no", "once"]:
        answers.say = answer
        result = await client.call_tool("execute_command", {"command": f"touch {made}"})
        if answer == "once":
            check(text(result)["exit_code"] == 0, result)
        else:
            # What is closed is no answer: the question waits for the operator, who does not come.
            code = "policy.needs-approval" if answer == "cancel" else "policy.declined"
            check(result.structured_content["error"]["code"] == code, result)
        check(os.path.exists(made) == (answer == "once"), answer)
    check(len(asked) == 4 and f"command  touch {made}" in asked[0], asked)
    for answer, questions in [("always", 5), ("decline", 5)]:
        answers.say = answer
        result = await client.call_tool("execute_command", {"command": f"touch {made}"})
        check(text(result)["exit_code"] == 0 and len(asked) == questions, result)
    result = await client.call_tool("execute_command", {"command": f"touch {made} more"})
    check(result.structured_content["error"]["code"] == "policy.declined" and len(asked) == 6, result)


async def agents(client):
    """Markdown agents: listed, expanded, called."""
    prompts = (await client.list_prompts()).prompts
    check([prompt.name for prompt in prompts] == ["greet", "script"], prompts)
    check([(one.name, one.required) for one in prompts[0].arguments] == [("who", True), ("times", False)], prompts)
    got = await client.get_prompt("greet", {"who": "you", "times": "3"})
    check(len(got.messages) == 1 and got.messages[0].role == "user", got)
    check(got.messages[0].content.text == "hooked\nhello you 3 inline step for you", got)
    try:
        await client.get_prompt("greet", {})
        check(False, "a prompt was expanded without what it needs")
    except MCPError as error:
        check("Missing required template variable: who" in str(error), error)
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    check(list(tools) == [*ALL, "greet", "script"], tools)
    check(tools["greet"].input_schema["required"] == ["who"], tools["greet"])
    result = await client.call_tool("greet", {"who": "you", "times": 2})
    check(not result.is_error and text(result)["stdout"] == "hooked\nhello you 2 inline step for you\n", result)
    check(result.structured_content["exit_code"] == 0 and result.structured_content["command"] == "echo", result)
    _, error = await refusal(client, "greet", {"who": "you", "times": 9})
    check(error["code"] == "flow.bad-input", error)


async def cancel_agent(client, mark):
    await cancelled(client, "script", {"mark": mark})


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


PARTS = {
    "talk": talk, "refused": refused, "run": run, "progress": progress, "live": live, "cancel": cancel, "hold": hold,
    "approve": approve, "agents": agents, "cancel_agent": cancel_agent,
}


async def main(parts, modes, target, *rest):
    for mode in modes.split(","):
        asked = {"elicitation_callback": Answers()} if parts == "approve" else {}
        async with Client(reached(target), mode=mode, **asked) as client:
            check(client.protocol_version == VERSIONS[mode], client.protocol_version)
            for part in parts.split(","):
                await PARTS[part](client, *asked.values(), *rest)
    print("done", flush=True)


asyncio.run(main(*sys.argv[1:]))
