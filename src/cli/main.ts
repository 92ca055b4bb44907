#!/usr/bin/env node
/** The `foreclaim` command: the one place that touches the process. */
import { readFileSync } from "node:fs";
import { fault } from "./exit-code.ts";
import { runProgram } from "./program.ts";
import { processTerminal } from "./terminal.ts";

const terminal = processTerminal(process);
try {
  // The code is set and the process ends by itself, so that what was written is written to the end.
  process.exitCode = await runProgram(process.argv.slice(2), terminal, version());
} catch (thrown) {
  process.exitCode = fault;
  const trace = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  await terminal.stderr.write(
    `this is a fault of foreclaim itself; please report it with what follows\n${trace}\n`,
  );
}

function version(): string {
  const file: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  const said = typeof file === "object" && file !== null && "version" in file ? file.version : undefined;
  return typeof said === "string" ? said : "unknown";
}
