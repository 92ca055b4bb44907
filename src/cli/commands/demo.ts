/** `foreclaim demo`: a document, a run of it, and a run in which a tool fails. Everything is fixed. */
import { hashDocument, type Json, readDocument, readInputs, readJson, run } from "../../ir/index.ts";
import { type ExitCode, fine } from "../exit-code.ts";
import { columnsOf, lookOf, writeJson } from "../failure.ts";
import type { LoadedDocument } from "../load.ts";
import { MockTools } from "../mock/mock-tools.ts";
import { readMocks } from "../mock/mocks-file.ts";
import { type FinishedRun, finish, runBody, runToJson } from "../run-report.ts";
import type { Output, Terminal } from "../terminal.ts";
import { type Paint, paintFor } from "../text/paint.ts";
import { wrap } from "../text/width.ts";
import { demoDocument, demoInputs, demoMocks, demoMocksFailing } from "./demo-document.ts";
import type { DocumentOptions } from "./documents.ts";

export async function demo({ stdout }: Terminal, options: DocumentOptions): Promise<ExitCode> {
  const document = loaded();
  const well = await runWith(document, demoMocks);
  const failing = await runWith(document, demoMocksFailing);
  if (options.json) {
    const runs = [well, failing].map(runToJson);
    await writeJson(stdout, { ok: true, hash: hashOf(document), text: demoDocument, runs });
  } else {
    await stdout.write(story(document, well, failing, stdout));
  }
  return fine;
}

function story(document: LoadedDocument, well: FinishedRun, failing: FinishedRun, output: Output): string {
  const paint = paintFor(lookOf(output));
  const width = Math.min(columnsOf(output), 80);
  const say = (text: string) => wrap(text, width).join("\n");
  const title = (text: string) => paint.bold(text);
  return `${[
    title("Foreclaim: know what an agent's program will do before any of it runs"),
    say(
      "An agent wrote this document. It names the tools that it uses, what it does with them, and at the end what it guarantees. A person approves the guarantees; what runs is this document and nothing else.",
    ),
    numbered(demoDocument, paint),
    `${paint.dim("its hash")}  ${hashOf(document)}`,
    title("A run with mock tools, and a budget of 300"),
    runBody(well, output).trimEnd(),
    say("The rent did not fit the budget, so it was not paid. Both guarantees hold on this run."),
    title("The same run, but the bank does not answer when the card is to be frozen again"),
    runBody(failing, output).trimEnd(),
    say(
      "The spending limit holds all the same. Whether the card is frozen cannot be known, so it is not said to be: unknown is never taken for holds.",
    ),
    `${paint.dim("try next")}  foreclaim ir --help`,
  ].join("\n\n")}\n`;
}

/** The text with line numbers, so that the place of a problem is easily found. */
function numbered(text: string, paint: Paint): string {
  return text
    .trimEnd()
    .split("\n")
    .map(
      (line, i) => `${paint.dim(`${String(i + 1).padStart(4)} ${paint.signs.bar}`)} ${coloured(line, paint)}`,
    )
    .map((line) => line.trimEnd())
    .join("\n");
}

function coloured(line: string, paint: Paint): string {
  if (/^\s*\/\//.test(line)) return paint.dim(line);
  return line.replace(
    /^(\s*)([a-z-]+)( [\w]+ = call\b)?/,
    (_, indent: string, word: string, rest: string | undefined) =>
      indent + paint.cyan(word) + (rest?.replace(/call$/, paint.cyan("call")) ?? ""),
  );
}

// ── the fixed parts ──────────────────────────────────────────────────────────────────────────────────────

function loaded(): LoadedDocument {
  const read = readDocument(demoDocument);
  if (!read.ok) throw new TypeError(read.problems[0]?.message);
  return { ...read.value, file: "pay-card.eir", text: demoDocument };
}

async function runWith(document: LoadedDocument, mocksText: string): Promise<FinishedRun> {
  const { checked } = document;
  const inputs = readInputs(checked, jsonOf(demoInputs));
  const mocks = readMocks(checked, jsonOf(mocksText));
  if (!inputs.ok || !mocks.ok) throw new TypeError("the demo does not fit its document");
  const tools = new MockTools(checked, { mocks: mocks.value, seed: 1 });
  const ended = await run(checked, {
    inputs: inputs.value,
    tools: tools.handlers,
    hook: { before: (call) => tools.before(call) },
  });
  return finish(document, { inputs: inputs.value, trace: [] }, ended);
}

function jsonOf(text: string): Json {
  const read = readJson(text);
  if (!read.ok) throw new TypeError(read.problems[0]?.message);
  return read.value.value;
}

function hashOf({ checked }: LoadedDocument): string {
  return hashDocument(checked.document);
}
