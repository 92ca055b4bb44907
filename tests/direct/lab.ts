/** Documents linked against the tool modules of the examples, and what a prover asks about them. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { compileProgram, compileTools, type FrontResult } from "../../src/frontend/index.ts";
import { type Checked, type Document, documentFromJsonText, parseDocument } from "../../src/ir/index.ts";
import { type LinkResult, linkDocument, TrustedLayer } from "../../src/link/index.ts";
import type { Solver } from "../../src/prove/decide/solver/port.ts";
import { prove } from "../../src/prove/prove.ts";
import { type Example, folder } from "../examples/examples.ts";

export function readFile(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

const layers = new Map<string, TrustedLayer>();

export function rootOf(domain: string): string {
  return join(folder, domain, "tools");
}

export function modulesOf(domain: string): readonly string[] {
  const root = rootOf(domain);
  return readdirSync(root).map((name) => join(root, name));
}

/** An example as the command compiles it: also with the policies of modules that it does not import. */
export function compileExample({ path, domain }: Example): FrontResult {
  return compileProgram(path, { readFile, toolModules: () => modulesOf(domain) });
}

/** The tool modules of a domain, compiled once. */
export function layerOf(domain: string): TrustedLayer {
  const before = layers.get(domain);
  if (before !== undefined) return before;
  const root = rootOf(domain);
  const compiled = compileTools(modulesOf(domain), { readFile, tools: [root] });
  if (!compiled.ok) throw new Error(compiled.problems[0]?.message);
  const layer = new TrustedLayer([compiled.value]);
  layers.set(domain, layer);
  return layer;
}

export function link(domain: string, document: Document): LinkResult {
  return linkDocument(document, layerOf(domain), { readFile, tools: [rootOf(domain)] });
}

/** Links a document that must be valid, and throws its problems. */
export function linked(domain: string, document: Document) {
  const result = link(domain, document);
  if (result.kind === "linked") return result.linked;
  throw new Error(result.problems.map(({ code, message }) => `${code} ${message}`).join("\n"));
}

export function fromText(text: string): Document {
  const read = parseDocument(text);
  if (read.ok) return read.value.document;
  throw new Error(read.problems.map(({ code, message }) => `${code} ${message}`).join("\n"));
}

export function fromJson(text: string): Document {
  const read = documentFromJsonText(text);
  if (read.ok) return read.value.document;
  throw new Error(read.problems.map(({ code, message }) => `${code} ${message}`).join("\n"));
}

/** Answers nothing, so that every question is asked and none is waited for. */
const silent: Solver = {
  name: "silent",
  version: async () => "0",
  check: async () => ({ kind: "unknown", reason: "incomplete", detail: "" }),
  close: async () => {},
  [Symbol.asyncDispose]: async () => {},
};

/** Every question that is asked about the document, and the verdicts that need none. */
export async function questions(checked: Checked): Promise<unknown> {
  const asked: string[] = [];
  const { guarantees, obligations } = await prove(checked, {
    solver: async () => silent,
    limits: { timeoutMs: 600_000, resources: 1000 },
    stops: "omitted",
    search: "short",
    asking: ({ purpose, script }) => asked.push(`${purpose}\n${script}`),
  });
  const verdicts = [...guarantees, ...obligations].map(({ verdict }) => verdict.kind);
  return { asked, verdicts };
}
