/** What agents and reviewers send, read strictly. */
import type { FiledRequest } from "../requests/record.ts";
import type { Decide, RunState, RunView } from "../wire.ts";
import { Fields, type TextRule } from "./fields.ts";
import { serviceLimits as limits } from "./limits.ts";

const line = /^[^\p{Cc}\p{Cf}]+$/u;
const requestId: TextRule = { longest: 40, pattern: /^r[0-9a-f]{24}$/, says: "the id of a request" };

export function newRequestIn(body: string): FiledRequest {
  const known = ["program", "inputs", "budget", "kernel", "words", "follows"];
  const fields = Fields.read(body, "a request", known);
  const program = fields.inner("program", ["file", "text"]);
  return {
    program: {
      file: program.text("file", { longest: limits.fileLength, pattern: line, says: "a name on one line" }),
      text: program.text("text", { longest: limits.programLength }),
    },
    inputs: fields.data("inputs", limits.inputsLength),
    budget: fields.textOrNull("budget", {
      longest: 60,
      pattern: /^(?:0|[1-9][0-9]{0,29})(?:\.[0-9]{1,18})?$/,
      says: "an amount such as `12.50`, or null",
    }),
    kernel: fields.text("kernel", {
      longest: 64,
      pattern: /^[0-9a-f]{64}$/,
      says: "the hash of the first entry of a kernel",
    }),
    words: fields.textOrNull("words", { longest: limits.wordsLength }),
    follows: fields.textOrNull("follows", requestId),
  };
}

export function decideIn(body: string): Decide {
  const fields = Fields.read(body, "a decision", ["decision", "text", "revision"]);
  const decision = fields.oneOf("decision", [
    "approved_once",
    "approved_remember",
    "rejected",
    "request_more",
  ]);
  const text = fields.textOrNull("text", { longest: limits.textLength });
  return { decision, revision: fields.whole("revision"), ...(text !== null && { text }) };
}

export function credentialIn(body: string): string {
  return Fields.read(body, "a sign-in", ["credential"]).text("credential", { longest: 200 });
}

const states: readonly RunState[] = ["running", "done", "stopped", "undone", "in_doubt"];

export function progressIn(body: string): RunView {
  const fields = Fields.read(body, "the progress of a run", ["run", "state", "calls", "text"]);
  const short: TextRule = { longest: limits.progressText };
  return {
    run: fields.text("run", { longest: 100, pattern: /^[A-Za-z0-9._-]+$/, says: "the id of a run" }),
    state: fields.oneOf("state", states),
    calls: fields
      .each("calls", limits.progressCalls, ["number", "tool", "args", "state", "result"])
      .map((call) => ({
        number: call.whole("number"),
        tool: call.text("tool", { longest: 300 }),
        args: call.text("args", short),
        state: call.oneOf("state", ["running", "done", "failed", "undone"]),
        result: call.textOrNull("result", short),
      })),
    text: fields.textOrNull("text", short),
  };
}

export function isRequestId(text: string): boolean {
  return requestId.pattern?.test(text) === true;
}
