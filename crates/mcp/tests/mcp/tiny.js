// A server of few words, in node without any package: it says where it runs, and under which name it was started.
const answers = {
  initialize: () => ({
    protocolVersion: "2025-11-25",
    capabilities: { tools: {} },
    serverInfo: { name: "tiny", version: "1" },
  }),
  ping: () => ({}),
  "tools/list": () => ({
    tools: ["where", "pid"].map((name) => ({ name, inputSchema: { type: "object" } })),
  }),
  "tools/call": ({ name }) => ({
    content: [{ type: "text", text: name === "pid" ? String(process.pid) : process.execPath }],
  }),
};

function hear(line) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = answers[method];
  const said = answer
    ? { result: answer(params) }
    : { error: { code: -32601, message: `${method} is not known here` } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...said })}\n`);
}

let rest = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (text) => {
  const lines = (rest + text).split("\n");
  rest = lines.pop();
  lines.filter((line) => line.trim() !== "").forEach(hear);
});
process.stdin.on("end", () => process.exit(0));
