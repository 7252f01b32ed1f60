"""What a tool's own machine report says: names, `file:line` and messages. Never read from the output that is recorded."""

import json
import re
import xml.etree.ElementTree as ET


def lines_of(text):
    for line in text.splitlines():
        try:
            yield json.loads(line)
        except ValueError:
            continue


def first_line(text):
    return next((line.strip() for line in str(text or "").splitlines() if line.strip()), "")


def libtest(text):
    """`--format json`: the names that failed, and where they panicked."""
    for event in lines_of(text):
        if event.get("type") == "test" and event.get("event") == "failed":
            yield event["name"]
            said = event.get("stdout", "")
            place = re.search(r"panicked at (\S+:\d+):\d+:\n(.*)", said)
            if place:
                yield from place.groups()
            yield from re.findall(r"^ *(?:left|right): .*$", said, re.M)


def rustc(text):
    """`--message-format=json`: every error and warning."""
    for event in lines_of(text):
        message = event.get("message")
        if event.get("reason") == "compiler-message" and message.get("spans"):
            yield message["message"]
            span = next(s for s in message["spans"] if s["is_primary"])
            yield f"{span['file_name']}:{span['line_start']}:{span['column_start']}"


def junit(text):
    for case in ET.fromstring(text).iter("testcase"):
        for bad in [*case.findall("failure"), *case.findall("error")]:
            yield case.get("name")
            yield first_line(bad.get("message") or bad.text)


def eslint(text):
    for file in json.loads(text):
        for message in file["messages"]:
            yield message["message"].removesuffix(".")
            yield f"{message['line']}:{message['column']}"


def ruff(text):
    for found in json.loads(text):
        yield found["message"]
        yield f"{found['location']['row']}:{found['location']['column']}"


def mypy(text):
    for found in lines_of(text):
        yield f"{found['file']}:{found['line']}"
        yield found["message"]


def gcc(text):
    for line in text.splitlines():
        if line.startswith("["):
            for found in json.loads(line):
                yield found["message"]
                caret = found["locations"][0]["caret"]
                yield f"{caret['file']}:{caret['line']}:{caret['column']}"


def jest(text):
    """jest `--json` and vitest `--reporter=json`."""
    for suite in json.loads(text)["testResults"]:
        if suite["status"] == "failed" and not suite["assertionResults"]:
            yield suite["name"].rsplit("/", 1)[-1]
            yield first_line(suite["message"])
        for case in suite["assertionResults"]:
            if case["status"] == "failed":
                yield case["title"]
                yield first_line(case["failureMessages"][0]).removeprefix("AssertionError: ").removeprefix("Error: ")


def go(text):
    """`go test -json`: what the failing tests said."""
    failed = {(e.get("Package"), e.get("Test")) for e in lines_of(text) if e.get("Action") == "fail"}
    yield from (test for _, test in failed if test)
    for event in lines_of(text):
        if event.get("Test") and (event.get("Package"), event["Test"]) in failed and event["Action"] == "output":
            said = event["Output"].strip()
            if said and not said.startswith(("=== ", "--- ")) and "_test.go:" in said:
                yield said


def rspec(text):
    for example in json.loads(text)["examples"]:
        if example["status"] == "failed":
            yield example["full_description"]
            yield f"{example['file_path'].removeprefix('./')}:{example['line_number']}"
            yield first_line(example["exception"]["message"])


def playwright(text):
    """`--reporter=json`: the title, the place and the message of what did not pass."""

    def of(suite):
        for spec in suite.get("specs", []):
            if not spec["ok"]:
                yield spec["title"]
                yield f"{spec['file']}:{spec['line']}:{spec['column']}"
                plain = re.sub(r"\x1b\[[0-9;]*m", "", spec["tests"][0]["results"][0]["error"]["message"])
                yield from (line for line in plain.splitlines() if line)
        for inner in suite.get("suites", []):
            yield from of(inner)

    for suite in json.loads(text)["suites"]:
        yield from of(suite)


def terraform(text):
    """`-json`: every diagnostic, and where it is."""
    for event in lines_of(text):
        said = event.get("diagnostic")
        if said:
            yield said["summary"]
            yield said["address"]
            yield f"on {said['range']['filename']} line {said['range']['start']['line']}"
            yield from (line for line in said["detail"].splitlines()[-1:] if line)
