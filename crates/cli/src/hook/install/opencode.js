// Written by `runward hook install --client opencode`: judges commands before OpenCode runs them.
import { spawnSync } from "node:child_process";

const PROGRAM = "RUNWARD";
const WORDS = ["HOOK"];

function ask(event) {
  const told = spawnSync(PROGRAM, WORDS, { input: JSON.stringify(event), encoding: "utf8", timeout: TIMEOUT_MS });
  // Whatever goes wrong is a no.
  if (told.error || told.status !== 0) {
    throw new Error((told.stderr || "").trim() || `runward: the hook did not answer: ${told.error ?? told.signal}`);
  }
  return told.stdout.trim() ? JSON.parse(told.stdout) : {};
}

export const Runward = async ({ directory }) => ({
  "tool.execute.before": async (input, output) => {
    const { sessionID, callID, tool } = input;
    const answer = ask({ event: "tool.execute.before", sessionID, callID, cwd: directory, tool, args: output.args });
    if (answer.args) {
      Object.assign(output.args, answer.args);
    }
  },
  "tool.execute.after": async (input, output) => {
    const { sessionID, callID, tool } = input;
    const args = input.args ?? {};
    if (typeof args.command === "string") {
      ask({ event: "tool.execute.after", sessionID, callID, cwd: directory, tool, args, output: { metadata: output.metadata } });
    }
  },
});
