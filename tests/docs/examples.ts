/** Checks documents on a page: their problems, and the verdicts of their guarantees on a run. */

import {
  type Checked,
  type Diagnostic,
  defaultLimits,
  judge,
  type Limits,
  printExpr,
  type ReadDocument,
  readDocument,
  readInputs,
  readJson,
  run,
} from "../../src/ir/index.ts";
import { MockTools } from "../../src/run/mock/mock-tools.ts";
import { readMocks } from "../../src/run/mock/mocks-file.ts";
import type { Block } from "./pages.ts";

/** A document on a page, with the answers of its tools and its inputs if it is also run. */
export interface Example {
  readonly document: Block;
  readonly mocks?: Block;
  readonly inputs?: Block;
}

export interface Findings {
  readonly problems: readonly (Diagnostic & { readonly title?: string })[];
  /** Expected and actual verdicts of the guarantees that name one in a comment. */
  readonly verdicts: readonly { readonly guarantee: string; readonly said: string; readonly found: string }[];
}

/** Documents that say `ok` or `fails`; mocks and inputs belong to the document above them. */
export function examplesOf(blocks: readonly Block[]): Example[] {
  const examples: Example[] = [];
  for (const block of blocks) {
    const { language, words } = block;
    const last = examples.at(-1);
    if (language === "json" && words.has("mocks") && last)
      examples[examples.length - 1] = { ...last, mocks: block };
    else if (language === "json" && words.has("inputs") && last)
      examples[examples.length - 1] = { ...last, inputs: block };
    else if (
      (language === "eir" || (language === "json" && !words.has("plan") && !words.has("lint"))) &&
      (words.has("ok") || words.has("fails"))
    )
      examples.push({ document: block });
  }
  return examples;
}

export async function tryOut({ document, mocks, inputs }: Example): Promise<Findings> {
  const limits = limitsOf(document);
  const read = readDocument(document.text, limits);
  if (!read.ok) return { problems: read.problems, verdicts: [] };
  if (mocks === undefined) return { problems: [], verdicts: [] };
  const { checked } = read.value;
  const given = readInputs(checked, inputs === undefined ? {} : jsonOf(inputs));
  if (!given.ok) return { problems: given.problems, verdicts: [] };
  const mocked = readMocks(checked, jsonOf(mocks));
  if (!mocked.ok) return { problems: mocked.problems, verdicts: [] };
  const tools = new MockTools(checked, { mocks: mocked.value, seed: 1 });
  const { outcome, trace } = await run(checked, {
    inputs: given.value,
    tools: tools.handlers,
    hook: { before: (call) => tools.before(call) },
    limits,
  });
  const recorded = { inputs: given.value, trace };
  const problems = outcome.kind === "stopped" ? [stopOf(read.value, outcome.problem)] : [];
  return {
    problems,
    verdicts: verdictsOf(document.text, checked, (formula) => judge(checked, formula, recorded, limits).kind),
  };
}

/** Returns the problem that stopped the run, with its place in the document. */
function stopOf({ locate }: ReadDocument, problem: Diagnostic): Findings["problems"][number] {
  const span = locate(problem.path);
  return { title: "stopped", ...problem, ...(span === undefined ? {} : { span }) };
}

type Formula = NonNullable<Checked["document"]["guarantees"][number]["formula"]>;

/** A guarantee says what it should be in a comment at its end: `// holds`. */
function verdictsOf(
  text: string,
  checked: Checked,
  verdict: (formula: Formula) => string,
): Findings["verdicts"] {
  const said = [...text.matchAll(/^guarantee ([\w.]+)\([^\n]*\/\/ (holds|violated|unknown)$/gm)];
  return said.map(([, name = "", word = ""]) => {
    const guarantee = checked.document.guarantees.find((one) => one.name === name);
    if (guarantee?.formula === undefined) throw new Error(`there is no formula for ${name}`);
    return {
      guarantee: `${name}: ${printExpr(guarantee.formula)}`,
      said: word,
      found: verdict(guarantee.formula),
    };
  });
}

export function limitsOf({ words }: Block): Limits {
  const changed: Record<string, number> = {};
  for (const [word, value] of words) {
    const [, name] = /^limits\.(\w+)$/.exec(word) ?? [];
    if (name === undefined) continue;
    if (!Object.hasOwn(defaultLimits, name)) throw new Error(`there is no limit ${name}`);
    changed[name] = Number(value);
  }
  return { ...defaultLimits, ...changed };
}

function jsonOf(block: Block) {
  const read = readJson(block.text);
  if (!read.ok) throw new Error(`${block.page}:${block.line}: ${read.problems[0]?.message}`);
  return read.value.value;
}
