#!/usr/bin/env node
// Finds the binary of this platform and becomes it, or starts it and ends as it ends. Nothing else is done here: no
// download, no install script, no dependency.
"use strict";

const { spawn } = require("node:child_process");

function platform() {
  const name = `${process.platform}-${process.arch}`;
  if (process.platform !== "linux") return name;
  // Names of network neighbours would be looked up for nothing.
  process.report.excludeNetwork = true;
  const header = process.report.getReport().header;
  return header.glibcVersionRuntime ? name : `${name}-musl`;
}

function find(name) {
  const program = process.platform === "win32" ? "runward.exe" : "runward";
  try {
    return require.resolve(`@runward/${name}/bin/${program}`);
  } catch {
    return null;
  }
}

function none(name) {
  console.error(
    [
      `runward: there is no binary for ${name} here`,
      `hint: Install again with optional packages: npm install --include=optional runward`,
      `hint: Or take an archive: https://github.com/runward/runward/releases`,
      `hint: Or build it: cargo install runward`,
    ].join("\n"),
  );
  process.exit(125);
}

function become(file, words) {
  // Since Node 22.15, and not on Windows. Node warns that it is new; the binary's user asked for no warning.
  if (typeof process.execve !== "function" || process.platform === "win32") return;
  const warn = process.emitWarning;
  process.emitWarning = () => {};
  try {
    process.execve(file, [file, ...words], process.env);
  } catch {
    process.emitWarning = warn;
  }
}

function start(file, words) {
  const child = spawn(file, words, { stdio: "inherit", windowsHide: true });
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => {
    console.error(`runward: ${file} could not be started: ${error.message}`);
    process.exit(125);
  });
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code);
    for (const name of signals) process.removeAllListeners(name);
    process.kill(process.pid, signal);
  });
}

const name = platform();
const file = find(name);
if (file === null) none(name);
const words = process.argv.slice(2);
become(file, words);
start(file, words);
