"""A server that shows all of the protocol, asked directly and through a gateway. Prints `done` if both say the same.

What is compared is what was on the wire: every answer, every question of the server, progress, and what was heard of
resources and logs. Not compared are ids and progress tokens, which each connection makes up; the order of an object's
fields; and what a list says about running a tool as a task, which the gateway does not offer. Made equal before
comparing: names and loggers, which the gateway writes a key in front of; times of day in texts and blobs; and the level
of messages that the server picks at random.
"""

import asyncio
import base64
import contextlib
import json
import os
import re
import sys
import warnings

import anyio
import httpx2
from mcp import Client, StdioServerParameters, stdio_client, types
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

KEY = "e"
APART = ("id", "jsonrpc", "progressToken", "execution")
ANSWER = {"name": "Ada", "check": True, "email": "ada@example.com", "integer": 7, "number": 2.5}
warnings.simplefilter("ignore")


class Wire:
    """Everything that passes, both ways, while a connection lasts."""

    def __init__(self):
        self.heard, self.asked, self.news = [], {}, asyncio.Event()

    @contextlib.asynccontextmanager
    async def tapped(self, transport):
        async with transport as (read, write), anyio.create_task_group() as group:
            to_client, from_server = anyio.create_memory_object_stream(0)
            to_server, from_client = anyio.create_memory_object_stream(0)
            group.start_soon(self.pass_on, read, to_client, self.receive)
            group.start_soon(self.pass_on, from_client, write, self.send)
            yield from_server, to_server
            group.cancel_scope.cancel()

    async def pass_on(self, source, target, note):
        async with target:
            async for item in source:
                if not isinstance(item, Exception):
                    note(item.message.model_dump(by_alias=True, mode="json", exclude_unset=True))
                await target.send(item)

    def send(self, message):
        if "method" in message and "id" in message:
            self.asked[message["id"]] = message["method"]

    def receive(self, message):
        if "method" not in message:
            message = {"answers": self.asked[message["id"]], **message}
        self.heard.append(message)
        self.news.set()

    async def hears(self, fits):
        """Waits until something was heard that fits, and takes everything up to it."""
        while True:
            for at, message in enumerate(self.heard):
                if fits(message):
                    taken, self.heard[:] = self.heard[: at + 1], self.heard[at + 1 :]
                    return taken
            self.news.clear()
            await self.news.wait()


def plain(value):
    """What is left when everything is gone that two connections may differ in."""
    if isinstance(value, dict):
        value = {name: plain(inner) for name, inner in value.items() if name not in APART}
        return {name: inner for name, inner in value.items() if (name, inner) != ("_meta", {})}
    if isinstance(value, list):
        return [plain(inner) for inner in value]
    if isinstance(value, str):
        with contextlib.suppress(ValueError, UnicodeDecodeError):
            inner = base64.b64decode(value, validate=True).decode()
            value = f"base64:{inner}" if "created at" in inner else value
        value = re.sub(r"created at [0-9:]+( [AP]M)?", "created at TIME", value)
        return read(value.removeprefix(f"{KEY}__"))
    return value


def read(text):
    """The order of an object's fields means nothing, also where an object stands in a text."""
    before, brace, after = text.partition("{")
    try:
        return [before, json.loads(brace + after)]
    except ValueError:
        return text


class Person:
    """Answers what the server asks of the client."""

    async def sample(self, context, params):
        spoken = types.TextContent(type="text", text=f"heard {params.messages[0].content.text}")
        return types.CreateMessageResult(role="assistant", model="test", content=spoken, stop_reason="endTurn")

    async def elicit(self, context, params):
        if params.mode == "url":
            return types.ElicitResult(action="decline")
        return types.ElicitResult(action="accept", content=ANSWER)

    async def roots(self, context):
        return types.ListRootsResult(roots=[types.Root(uri="file:///srv/one", name="one")])


class Questions:
    """Asks everything, and keeps what came of each question."""

    def __init__(self, client, wire, prefix):
        self.client, self.wire, self.prefix, self.record = client, wire, prefix, {}

    def named(self, name):
        return f"{self.prefix}{name}"

    async def ask(self, title, question):
        self.wire.heard[:] = [one for one in self.wire.heard if "answers" not in one]
        with contextlib.suppress(MCPError):
            await question
        heard = await self.wire.hears(lambda message: "answers" in message)
        # Of the rest nobody says when it comes.
        kept = [one for one in heard if one.get("method") not in ASIDE]
        self.wire.heard[:0] = [one for one in heard if one.get("method") in ASIDE]
        self.keep(title, kept)

    async def note(self, title, fits):
        self.keep(title, (await self.wire.hears(fits))[-1:])

    def keep(self, title, heard):
        self.record[f"{len(self.record)} {title}"] = plain(heard)

    async def lists(self):
        for kind in ("tools", "prompts", "resources", "resource_templates"):
            await self.ask(f"list {kind}", getattr(self.client, f"list_{kind}")())

    async def call(self, tool, arguments=None):
        async def progress(done, total, message):
            pass

        call = self.client.call_tool(self.named(tool), arguments or {}, progress_callback=progress)
        await self.ask(f"call {tool} {json.dumps(arguments)}", call)

    async def get(self, prompt, arguments=None):
        await self.ask(f"get {prompt} {arguments}", self.client.get_prompt(self.named(prompt), arguments))

    async def read(self, uri):
        await self.ask(f"read {uri}", self.client.read_resource(uri))

    async def complete(self, ref, argument, given=None):
        asked = self.client.complete(ref, argument, given)
        await self.ask(f"complete {plain(ref.model_dump())} {argument} {given}", asked)


ASIDE = (
    "notifications/message", "notifications/resources/updated", "notifications/tools/list_changed",
    "notifications/resources/list_changed", "notifications/prompts/list_changed", "roots/list",
)
CALLS = {
    "echo": [{"message": "é\U0001f600\n"}, {}, {"message": 5}],
    "get-annotated-message": [{"messageType": "error", "includeImage": True}, {"messageType": "debug"}],
    "get-env": [{}],
    "get-resource-links": [{"count": 4}],
    "get-resource-reference": [{"resourceType": "Text", "resourceId": 1}, {"resourceType": "Blob", "resourceId": 2}, {"resourceId": -1}],
    "get-structured-content": [{"location": "Chicago"}, {"location": "Nowhere"}],
    "get-sum": [{"a": 1, "b": 2.5}, {"a": "x", "b": 1}],
    "get-tiny-image": [{}],
    "gzip-file-as-resource": [
        {"name": "a.gz", "data": "data:text/plain,hello", "outputType": "resource"},
        {"name": "b.gz", "data": "data:text/plain,hello", "outputType": "resourceLink"},
    ],
    "get-roots-list": [{}],
    "trigger-elicitation-request": [{}],
    "trigger-url-elicitation": [{"url": "https://example.com/a", "elicitationId": "one"}],
    "trigger-sampling-request": [{"prompt": "say it", "maxTokens": 20}],
    "trigger-long-running-operation": [{"duration": 0.2, "steps": 4}],
    # It can only be called as a task, which neither side is asked to do.
    "simulate-research-query": [{"topic": "python"}],
    # Asked for on their own: what follows is news.
    "toggle-simulated-logging": [],
    "toggle-subscriber-updates": [],
}
PROMPTS = {
    "simple-prompt": [None],
    "args-prompt": [{"city": "Paris"}, {"city": "Paris", "state": "Texas"}, {}],
    "completable-prompt": [{"department": "Sales", "name": "Eve"}],
    "resource-prompt": [{"resourceType": "Text", "resourceId": "3"}, {"resourceType": "Nothing", "resourceId": "3"}],
}


async def everything(questions):
    """Every tool, prompt, resource and template, and what belongs to each."""
    client = questions.client
    # What the server sees of the client decides what it offers; it has asked for roots once it says so.
    await questions.note("roots are taken", lambda one: "Roots updated" in json.dumps(one))
    await questions.lists()
    offered = [plain(tool.name) for tool in (await client.list_tools()).tools]
    check(sorted(offered) == sorted(CALLS), offered)
    for tool, calls in CALLS.items():
        for arguments in calls:
            await questions.call(tool, arguments)
            if arguments.get("outputType") == "resourceLink":
                # What an answer names can be read at once.
                await questions.read(f"demo://resource/session/{arguments['name']}")
    check([plain(one.name) for one in (await client.list_prompts()).prompts] == list(PROMPTS), PROMPTS)
    for prompt, gets in PROMPTS.items():
        for arguments in gets:
            await questions.get(prompt, arguments)
    for resource in (await client.list_resources()).resources:
        await questions.read(resource.uri)
    for template in (await client.list_resource_templates()).resource_templates:
        for number in ("7", "x"):
            await questions.read(template.uri_template.replace("{resourceId}", number))
        ref = types.ResourceTemplateReference(type="ref/resource", uri=template.uri_template)
        await questions.complete(ref, {"name": "resourceId", "value": "4"})
    await completions(questions)
    await news(questions)


async def completions(questions):
    team = types.PromptReference(type="ref/prompt", name=questions.named("completable-prompt"))
    await questions.complete(team, {"name": "department", "value": "S"})
    await questions.complete(team, {"name": "name", "value": ""}, {"department": "Sales"})
    kind = types.PromptReference(type="ref/prompt", name=questions.named("resource-prompt"))
    await questions.complete(kind, {"name": "resourceType", "value": ""})


async def news(questions):
    """Levels, messages, subscriptions and what comes of them."""
    client, uri = questions.client, "demo://resource/dynamic/text/1"
    wire = questions.wire
    wire.heard.clear()
    await questions.ask("level debug", client.set_logging_level("debug"))
    await questions.ask("subscribe", client.subscribe_resource(uri))
    await questions.note("it says so", lambda one: "Received Subscribe" in json.dumps(one))
    await questions.call("toggle-subscriber-updates")
    await questions.note("updated", lambda one: one.get("method") == "notifications/resources/updated")
    await questions.call("toggle-subscriber-updates")
    await questions.call("toggle-simulated-logging")
    await questions.note("log", lambda one: "evel" in json.dumps(one) and one.get("method") == "notifications/message")
    message = list(questions.record.values())[-1][0]["params"]
    check(message["level"] in message["data"].lower(), message)
    message["level"] = message["data"] = "ANY"
    await questions.call("toggle-simulated-logging")
    await questions.ask("level error", client.set_logging_level("error"))
    wire.heard.clear()
    await questions.ask("unsubscribe", client.unsubscribe_resource(uri))
    # Said before the answer, if at all.
    check(not any("Unsubscribe" in json.dumps(one) for one in wire.heard), wire.heard)


def check(held, what):
    if not held:
        raise SystemExit(f"not so: {what!r}")


def loggers(record):
    """The gateway says whose message it is."""
    for heard in record.values():
        for message in heard:
            params = message.get("params") or {}
            if message.get("method") == "notifications/message" and params["logger"].startswith(KEY):
                params["logger"] = params["logger"].removeprefix(KEY).removeprefix("/") or None
                if params["logger"] is None:
                    del params["logger"]
    return record


async def recorded(transport, prefix):
    wire, person = Wire(), Person()
    answers = {
        "sampling_callback": person.sample, "elicitation_callback": person.elicit, "list_roots_callback": person.roots,
    }
    async with Client(wire.tapped(transport), mode="legacy", **answers) as client:
        questions = Questions(client, wire, prefix)
        async with asyncio.timeout(60):
            await everything(questions)
        return questions.record


def started(command):
    """A server to start, with the very environment that this has but for the token, which no child of ours sees."""
    words, env = command.split("\n"), {name: value for name, value in os.environ.items() if name != "RUNWARD_TOKEN"}
    return stdio_client(StdioServerParameters(command=words[0], args=words[1:], env=env))


def reached(target):
    if not target.startswith("http://"):
        return started(f"{target}\ngateway")
    shown = {"Authorization": f"Bearer {os.environ['RUNWARD_TOKEN']}"}
    return streamable_http_client(target, http_client=httpx2.AsyncClient(headers=shown, timeout=60))


def differences(one, other, where=""):
    """Where two values differ, and in what."""
    if isinstance(one, dict) and isinstance(other, dict):
        for name in sorted(one.keys() | other.keys()):
            yield from differences(one.get(name, "(nothing)"), other.get(name, "(nothing)"), f"{where}.{name}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for at, pair in enumerate(zip(one, other)):
            yield from differences(*pair, f"{where}[{at}]")
    elif one != other:
        yield f"{where}: {one!r} is {other!r} through the gateway"


async def main(direct, through):
    one = await recorded(started(direct), "")
    other = loggers(await recorded(reached(through), f"{KEY}__"))
    check(list(one) == list(other), (list(one), list(other)))
    apart = {title: (one[title], other[title]) for title in one if one[title] != other[title]}
    if apart:
        raise SystemExit("\n".join(f"{title}: {line}" for title, pair in apart.items() for line in differences(*pair)))
    print(f"{len(one)} answers are equal", file=sys.stderr)
    print("done", flush=True)


asyncio.run(main(*sys.argv[1:]))
