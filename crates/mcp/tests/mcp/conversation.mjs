// Conversations with the server through the official TypeScript client. Prints `done` after the last part.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

// The packages are in a folder that is not above this file.
const { PACKAGES, RUNWARD_TOKEN, ...env } = process.env;
const need = createRequire(`${PACKAGES}/`);
const { Client, StreamableHTTPClientTransport } = need("@modelcontextprotocol/client");
const { StdioClientTransport } = need("@modelcontextprotocol/client/stdio");

const ALL = [
  "execute_command", "execute_process", "start_command", "read_output", "write_input", "stop_command", "wait_command", "list_commands",
  "exec_command", "exec",
];
const VERSIONS = { legacy: "2025-11-25", auto: "2026-07-28" };

const heard = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

const call = (client, name, args = {}, options = {}) => client.callTool({ name, arguments: args }, options);

/** The fields of an answer that is no error. The client has held them against the tool's schema. */
async function fields(client, name, args, options) {
  const result = await call(client, name, args, options);
  assert.equal(result.isError ?? false, false, JSON.stringify(result));
  return result.structuredContent;
}

/** The text and the error of an answer that is one. */
async function refusal(client, name, args) {
  const result = await call(client, name, args);
  assert.equal(result.isError, true, JSON.stringify(result));
  return [result.content[0].text, result.structuredContent.error];
}

async function talk(client) {
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map((tool) => tool.name), ALL);
  assert.equal(client.getServerVersion().name, "runward");
  const result = await call(client, "execute_command", { command: "echo hi; echo oops >&2; exit 3" });
  assert.equal(result.isError ?? false, false);
  assert.equal(result.content[0].text, "exit_code: 3\nstdout: |\n  hi\nstderr: |\n  oops\n");
  assert.equal(result.structuredContent.exit_code, 3);
  assert.equal((await fields(client, "execute_command", { command: "echo hi" })).stdout, "hi\n");
  assert.equal((await fields(client, "execute_command", { command: "cat" })).stdout, "");
  const given = await fields(client, "execute_command", { command: "cat", input: "hello world" });
  assert.equal(given.stdout, "hello world");
  const late = await call(client, "execute_command", { command: "echo begun; sleep 60", timeout_ms: 300 });
  assert.equal(late.isError, true);
  assert.match(late.content[0].text, /^exit_code: 124\ntimed_out: true\nstdout: \|\n {2}begun\n[^]*Timed out after 300ms[^]*start_command/);
  assert.equal(late.structuredContent.timed_out, true);
  await assert.rejects(call(client, "no_such_tool"), /no_such_tool/);
}

async function refused(client) {
  const [text, error] = await refusal(client, "execute_command", { command: "rm -rf x" });
  assert.equal(error.code, "policy.denied");
  assert.equal(error.message, 'Command "rm" is not allowed, allowed commands: ls, pwd');
  assert.ok(text.startsWith(error.message) && text.length > error.message.length && !("hint" in error), text);
  const [unknown] = await refusal(client, "execute_command", { command: "ls", colour: "red" });
  assert.match(unknown, /`colour`/);
  const [, outside] = await refusal(client, "exec_command", { cwd: "/", command: ["pwd"] });
  assert.equal(outside.code, "SANDBOX_VIOLATION");
  const [, language] = await refusal(client, "exec", { lang: "cobol", code: "x" });
  assert.equal(language, "exec: Unsupported language 'cobol' (LANG_UNSUPPORTED)");
  const [nobody] = await refusal(client, "read_output", { sessionId: "nobody" });
  assert.match(nobody, /^Session not found: nobody/);
}

async function run(client) {
  const ran = await fields(client, "exec_command", { cwd: ".", command: ["echo", "a b", "$HOME"] });
  assert.deepEqual([ran.stdout, ran.exit_code, ran.timed_out], ["a b $HOME\n", 0, false]);
  const code = await fields(client, "exec", { lang: "python", code: "print(6 * 7)" });
  assert.deepEqual(code, { success: true, exit_code: 0, stdout: "42\n", stderr: "" });
  const printed = await call(client, "execute_command", { command: "printf abcdefgh" });
  const { id } = printed._meta["runward/receipt"];
  const read = async (tail) => (await client.readResource({ uri: `runward://exec/${id}/${tail}` })).contents[0].text;
  assert.equal(await read("stdout"), "abcdefgh");
  assert.equal(await read("stdout?offset=2&length=3"), "cde");
  assert.equal(JSON.parse(await read("receipt")).exit_code, 0);
  await assert.rejects(client.readResource({ uri: "runward://exec/nobody/stdout" }), /there is no resource/);
}

/** The command goes on only when its line was told, so each was told while it ran. */
async function progress(client) {
  const [told, opened] = [[], []];
  // Held open for writing too: or the end of the first writer could be read as the end of the second.
  const command = "exec 3<>gate; for i in 1 2; do echo line $i; read x <&3; done";
  const onprogress = (step) => {
    told.push(step);
    opened.push(fields(client, "execute_command", { command: "echo > gate" }));
  };
  assert.equal((await fields(client, "execute_command", { command }, { onprogress })).stdout, "line 1\nline 2\n");
  await Promise.all(opened);
  assert.deepEqual(told.map(({ message }) => message), ["line 1", "line 2"]);
  assert.ok(told[0].progress < told[1].progress, JSON.stringify(told));
}

async function live(client) {
  const { sessionId } = await fields(client, "start_command", { command: "python3 -q -i", pty: true });
  const python = { sessionId };
  const ready = await fields(client, "wait_command", { ...python, until: { input: true } });
  assert.deepEqual([ready.met, ready.state], ["input", "waiting_input"]);
  await fields(client, "write_input", { ...python, input: "1+1", keys: ["enter"] });
  const answer = await fields(client, "wait_command", { ...python, until: { output: "(?m)^2" } });
  assert.equal(answer.met, "output");
  assert.match(answer.stdout.replaceAll("\r", ""), /\n2\n/);
  await password(client);
  const stopped = await fields(client, "stop_command", python);
  assert.deepEqual([stopped.success, stopped.stopped], [true, "caller"]);
  const { commands } = await fields(client, "list_commands");
  assert.deepEqual(commands.map(({ state }) => state), ["exited", "exited"]);
  assert.equal(commands[0].sessionId, sessionId);
  const after = await fields(client, "read_output", python);
  assert.equal(after.state, "exited");
}

async function password(client) {
  const started = await fields(client, "start_command", { command: "read -s x; echo got it", pty: true });
  const secret = { sessionId: started.sessionId };
  const asked = await fields(client, "wait_command", { ...secret, until: { input: true } });
  assert.equal(asked.state, "waiting_password");
  await fields(client, "write_input", { ...secret, input: "hush", newline: true });
  const ended = await fields(client, "wait_command", { ...secret, until: { exit: true } });
  assert.match(ended.stdout, /got it/);
  assert.doesNotMatch(ended.stdout, /hush/);
}

async function cancel(client, mark) {
  const control = new AbortController();
  const command = `setsid sleep ${mark} & sleep ${mark}`;
  const running = assert.rejects(call(client, "execute_command", { command }, { signal: control.signal }));
  await heard.next();
  control.abort("a test");
  await running;
  console.log("cancelled");
  await heard.next();
  assert.equal((await fields(client, "execute_command", { command: "echo alive" })).stdout, "alive\n");
}

async function hold(client, mark) {
  const command = `setsid sleep ${mark} & (sleep ${mark} &); trap '' TERM; sleep ${mark}; sleep ${mark}`;
  await fields(client, "start_command", { command, pty: true });
  await call(client, "execute_command", { command });
}

/** A binary to start, or the address of a server that runs. */
function reached(target) {
  if (!target.startsWith("http://")) {
    return new StdioClientTransport({ command: target, args: ["mcp", "--profile", "all"], env });
  }
  const headers = { Authorization: `Bearer ${RUNWARD_TOKEN}` };
  return new StreamableHTTPClientTransport(new URL(target), { requestInit: { headers } });
}

const PARTS = { talk, refused, run, progress, live, cancel, hold };

async function main(parts, modes, target, ...rest) {
  for (const mode of modes.split(",")) {
    const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
    await client.connect(reached(target));
    assert.equal(client.getNegotiatedProtocolVersion(), VERSIONS[mode]);
    for (const part of parts.split(",")) await PARTS[part](client, ...rest);
    await client.close();
  }
  console.log("done");
  process.exit(0);
}

await main(...process.argv.slice(2));
