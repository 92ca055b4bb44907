/**
 * A document that somebody wrote, put together with the trusted tool modules: tools, fluents and the formulas of contracts
 * are the modules', the commands and what is stated are the document's.
 * SOUNDNESS: nothing that the document says of tools, fluents and contracts is taken over; what it says is compared.
 */

import {
  type Compiled,
  compileWritten,
  type Host,
  type SourceDiagnostic,
  type WrittenGuarantee,
} from "../frontend/index.ts";
import {
  answerLabel,
  answerTool,
  append,
  type Checked,
  check,
  closest,
  type Document,
  type Guarantee,
  isBuiltin,
  noteTool,
  type Path,
  printExpr,
  referencesIn,
} from "../ir/index.ts";
import { givenTo } from "./arguments.ts";
import { claimProblems, quoted, unknownFluent, unknownTool } from "./claims.ts";
import type { LinkProblem } from "./codes.ts";
import { firstDifference } from "./difference.ts";
import type { TrustedLayer } from "./layer.ts";
import { callsIn, type Mention, mentionsIn } from "./mentions.ts";

export interface Linked {
  readonly compiled: Compiled;
  readonly checked: Checked;
  /** Guarantees that no contract states: their formulas are the agent's own words. */
  readonly own: ReadonlySet<number>;
}

export type LinkResult =
  | { readonly kind: "linked"; readonly linked: Linked }
  /** Something is wrong with the document. */
  | { readonly kind: "wrong"; readonly problems: readonly LinkProblem[] }
  /** Something is wrong with the tool modules. */
  | {
      readonly kind: "modules";
      readonly problems: readonly SourceDiagnostic[];
      readonly sources: ReadonlyMap<string, string>;
    };

export function linkDocument(
  document: Document,
  layer: TrustedLayer,
  host: Host & { readonly tools: readonly string[] },
): LinkResult {
  const named = new Naming(document, layer);
  if (named.problems.length > 0) return wrong(named.problems);
  const { guarantees } = named;
  const result = compileWritten(
    {
      program: document.program,
      guarantees,
      tools: [...named.tools],
      fluents: [...named.fluents],
      modules: [...named.files],
    },
    { ...host, toolModules: () => layer.modules },
  );
  if (!result.ok) return { kind: "modules", problems: result.problems, sources: result.sources };
  const compiled = result.value;
  const problems = differences(document, compiled);
  if (problems.length > 0) return wrong(problems);
  const checked = check(compiled.document);
  if (!checked.ok) return { kind: "wrong", problems: checked.problems };
  const own = new Set(guarantees.flatMap(({ given }, i) => (given === undefined ? [i] : [])));
  return { kind: "linked", linked: { compiled, checked: checked.value, own } };
}

/** LIMIT: of problems that are told; a document that is wrong everywhere need not be told so more often. */
const mostProblems = 100;

function wrong(problems: readonly LinkProblem[]): LinkResult {
  return { kind: "wrong", problems: problems.slice(0, mostProblems) };
}

/** Reports problems that show only once the contracts have their formulas. */
function differences(document: Document, compiled: Compiled): LinkProblem[] {
  const problems: LinkProblem[] = [];
  if (document.modules !== undefined && document.modules !== compiled.modules)
    problems.push({
      code: "FC2607",
      message: "the document was compiled against other tool modules",
      path: ["modules"],
      help: `leave the line \`modules\` out, or write \`${compiled.modules}\``,
    });
  document.guarantees.forEach(({ name, formula }, i) => {
    const trusted = compiled.document.guarantees[i]?.formula;
    const difference = formula === undefined ? undefined : firstDifference(formula, trusted);
    if (difference === undefined || trusted === undefined) return;
    problems.push({
      code: "FC2606",
      message: `the formula of ${quoted(name)} is not that of the contract`,
      path: ["guarantees", i, "formula", ...difference],
      help: `leave it out, or write \`${printExpr(trusted)}\`; a statement of your own needs another name`,
    });
  });
  return problems;
}

/** Every name that the document uses, looked up. */
class Naming {
  readonly problems: LinkProblem[] = [];
  readonly tools = new Set<string>();
  readonly fluents = new Set<string>();
  readonly files = new Set<string>();
  readonly guarantees: readonly WrittenGuarantee[];
  readonly #layer: TrustedLayer;
  readonly #said = new Set<string>();

  constructor(document: Document, layer: TrustedLayer) {
    this.#layer = layer;
    append(this.problems, claimProblems(document, layer));
    if (document.guarantees.length === 0)
      this.problems.push({
        code: "FC2608",
        message: "the document states no guarantee",
        path: [],
        help: "state at least one contract of a tool module, such as `guarantee bank.maxSpend(500)`",
      });
    const declaredTools = document.tools.map(({ name }, i) => ({ name, path: ["tools", i, "name"] }));
    const declaredFluents = document.fluents.map(({ name }, i) => ({ name, path: ["fluents", i, "name"] }));
    for (const one of [...declaredTools, ...callsIn(document)]) this.#tool(one);
    for (const one of declaredFluents) this.#fluent(one);
    this.guarantees = document.guarantees.map((one, i) => this.#guarantee(one, ["guarantees", i]));
  }

  #guarantee(guarantee: Guarantee, path: Path): WrittenGuarantee {
    const { name, formula } = guarantee;
    const contract = this.#layer.contracts.get(name);
    if (contract !== undefined) {
      this.#file("contract", name, contract.file, [...path, "name"]);
      const given = givenTo(contract.value, guarantee, path);
      if (given.ok) return { guarantee, given: given.value };
      append(this.problems, given.problems);
    } else if (formula !== undefined) {
      const { tools, fluents } = mentionsIn(formula, [...path, "formula"]);
      for (const one of tools) this.#tool(one);
      if (referencesIn(formula).labels.has(answerLabel))
        for (const { name } of [answerTool, noteTool]) this.tools.add(name);
      for (const one of fluents) this.#fluent(one);
    } else {
      const near = closest(name, this.#layer.contracts.keys());
      this.problems.push({
        code: "FC2604",
        message: `no tool module has a contract ${quoted(name)}, and no formula is written out`,
        path: [...path, "name"],
        help:
          near === undefined
            ? "`foreclaim tools` lists the contracts there are; or say what you state, after a `:`"
            : `did you mean ${quoted(near)}?`,
      });
    }
    return { guarantee };
  }

  #tool({ name, path }: Mention): void {
    if (isBuiltin(name)) {
      this.tools.add(name);
      return;
    }
    const found = this.#layer.tools.get(name);
    if (found === undefined) this.#once(unknownTool(name, path, this.#layer));
    else {
      this.#file("tool", name, found.file, path);
      this.tools.add(name);
    }
  }

  #fluent({ name, path }: Mention): void {
    const found = this.#layer.fluents.get(name);
    if (found === undefined) this.#once(unknownFluent(name, path, this.#layer));
    else {
      this.#file("fluent", name, found.file, path);
      this.fluents.add(name);
    }
  }

  #file(kind: "tool" | "fluent" | "contract", name: string, file: string, path: Path): void {
    const rivals = this.#layer.rivals(kind, name);
    this.files.add(file);
    if (rivals.length === 0) return;
    this.#once({
      code: "FC2609",
      message: `several tool modules declare the ${kind} ${quoted(name)}`,
      path,
      help: "name the folder that is meant with --tools, or in `foreclaim.json`",
    });
  }

  /** A name that is wrong is said to be so where it stands first. */
  #once(problem: LinkProblem): void {
    const key = `${problem.code} ${problem.message}`;
    if (this.#said.size === 0) for (const one of this.problems) this.#said.add(`${one.code} ${one.message}`);
    if (this.#said.has(key)) return;
    this.#said.add(key);
    this.problems.push(problem);
  }
}
