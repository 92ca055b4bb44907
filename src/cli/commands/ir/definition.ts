/** The commands of `foreclaim ir`: documents of the Effect IR. */
import type { CommandSpec } from "../../command-spec.ts";
import { jsonOption, mostCounted, option, whole } from "../../options.ts";

const document = [["<file>", "document; - is standard input"]] as const;

const check: CommandSpec = {
  name: "check",
  description: "Check the names, types and structure of a document.",
  summary: "check a document",
  arguments: document,
  options: [jsonOption],
  examples: [
    ["foreclaim ir check pay.eir", "one line for a well-formed document"],
    ["foreclaim ir check pay.eir --json", "problems as data, with lines and columns"],
    ["cat pay.eir | foreclaim ir check -", "from standard input"],
  ],
  load: async () => (await import("./documents.ts")).check,
};

const print: CommandSpec = {
  name: "print",
  description: "Print a document in text form.",
  summary: "print it in text form",
  arguments: document,
  options: [jsonOption],
  examples: [
    ["foreclaim ir print pay.json", "the JSON form as text"],
    ["foreclaim ir print pay.eir > clean.eir", "with the usual layout"],
  ],
  load: async () => (await import("./documents.ts")).print,
};

const json: CommandSpec = {
  name: "json",
  description: "Print a document in JSON form.",
  summary: "print it in JSON form",
  arguments: document,
  options: [
    option("--canonical", "print exactly the bytes that the hash covers", { conflicts: "json" }),
    jsonOption,
  ],
  examples: [
    ["foreclaim ir json pay.eir > pay.json", "for other programs"],
    ["foreclaim ir json pay.eir --canonical | sha256sum", "recompute the hash"],
  ],
  load: async () => (await import("./documents.ts")).json,
};

const hash: CommandSpec = {
  name: "hash",
  description: "Print the hash that identifies a document in receipts, certificates and traces.",
  summary: "print its hash",
  arguments: document,
  options: [jsonOption],
  examples: [
    ["foreclaim ir hash pay.eir", "the same for the text and the JSON form"],
    ["foreclaim ir hash pay.eir --json", "as data"],
  ],
  load: async () => (await import("./documents.ts")).hash,
};

const run: CommandSpec = {
  name: "run",
  description: "Run a document with mock tools, and evaluate its guarantees on that one run.",
  summary: "run it with mock tools",
  arguments: document,
  options: [
    option("-i, --input <file>", "inputs of the program, a JSON object", { conflicts: "resume" }),
    option("-m, --mock <file>", "results of the tools, a JSON object"),
    option("-s, --seed <n>", "seed of generated results", { default: 1, parse: whole(0, mostCounted) }),
    option("-r, --resume <file>", "resume a run that -o wrote"),
    option("-o, --output <file>", "write the run to this file, as --json prints it"),
    jsonOption,
  ],
  notes: `Mocks:
  {"bank.balance": {"returns": 320.5},
   "mail.send": [{"fails": "timeout"}, {"returns": null}]}
  One object serves every call; from an array each call takes the next.
  A tool without a mock returns a generated value that meets its \`ensures\`.`,
  examples: [
    ["foreclaim ir run pay.eir --input in.json", "with generated results"],
    ["foreclaim ir run pay.eir -i in.json -m mocks.json -o run.json", ""],
    ["foreclaim ir run pay.eir --resume run.json", "makes the remaining calls"],
  ],
  load: async () => (await import("./run.ts")).runDocument,
};

const evaluate: CommandSpec = {
  name: "eval",
  description: "Evaluate the guarantees, or an expression, on a recorded run.",
  summary: "evaluate its guarantees on a recorded run",
  arguments: document,
  options: [
    option("-t, --trace <file>", "run that `ir run -o` wrote; its calls are not checked again"),
    option("-i, --input <file>", "inputs, for a run without calls", { conflicts: "trace" }),
    option("-e, --expr <expression>", "evaluate this expression over the inputs and the trace"),
    jsonOption,
  ],
  examples: [
    ["foreclaim ir eval pay.eir --trace run.json", "every guarantee"],
    ["foreclaim ir eval pay.eir -t run.json -e 'count(p in card.pay)'", ""],
    ["foreclaim ir eval pay.eir -i in.json -e 'budget / 3'", ""],
  ],
  load: async () => (await import("./eval.ts")).evaluateDocument,
};

export const ir: CommandSpec = {
  name: "ir",
  description: "Work with documents of the Effect IR, in text or JSON form.",
  summary: "work with documents of the Effect IR",
  examples: [
    ["foreclaim ir check pay.eir", "is it well-formed?"],
    ["foreclaim ir run pay.eir --input in.json", "run it with mock tools"],
    ["foreclaim ir json pay.eir | foreclaim ir print -", "to JSON and back"],
  ],
  commands: [check, print, json, hash, run, evaluate],
};
