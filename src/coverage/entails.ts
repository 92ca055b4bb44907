/**
 * Decides entailment: the proved guarantees imply a contract on every trace of the tools, for every program. The query is
 * a guarantee of a document built for it, asked in two ways, each of which suffices:
 * - for all values of the sums, counts and call formulas that the formulas contain (`opaque.ts`);
 * - for all traces of as many calls as it takes to break the contract (`witness.ts`): a small-model argument.
 * SOUNDNESS: undecided is not entailed. `requires` and `ensures` of tools are omitted, so nothing is assumed of calls.
 */

import { namesIn, speaksOf, toolsIn } from "../explain/index.ts";
import {
  type Argument,
  append,
  type CallCommand,
  check,
  type Document,
  type Expr,
  type Field,
  type Fluent,
  referencesIn,
  type Tool,
} from "../ir/index.ts";
import { holdsBefore, type ProveOptions, prove } from "../prove/index.ts";
import { Opaque } from "./opaque.ts";
import { callsToBreak, isAboutCallsOnly } from "./witness.ts";

/** A formula with its parameters left open: it is entailed if it is for all their values. */
export interface OpenFormula {
  readonly params: readonly Field[];
  readonly formula: Expr;
}

export interface Declared {
  readonly tools: readonly Tool[];
  readonly fluents: readonly Fluent[];
}

export async function entails(
  proved: readonly Expr[],
  contract: OpenFormula,
  declared: Declared,
  options: ProveOptions,
): Promise<boolean> {
  const near = proved.filter((one) => areNear(one, contract.formula, declared.tools)).slice(0, mostGiven);
  for (const documents of [byParts(near, contract, declared), byCalls(near, contract, declared)])
    if (documents.length > 0 && (await areProved(documents, options))) return true;
  return false;
}

async function areProved(documents: readonly Document[], options: ProveOptions): Promise<boolean> {
  for (const document of documents) {
    const checked = check(document);
    // A name of one formula may be taken in another; then nothing is known this way.
    if (!checked.ok) return false;
    const { guarantees } = await prove(checked.value, { ...options, stops: "omitted", search: "short" });
    if (guarantees.length === 0 || guarantees.some(({ verdict }) => verdict.kind !== "proved")) return false;
  }
  return true;
}

/** LIMIT: of guarantees that are looked at together; with fewer of them less follows. */
const mostGiven = 40;

/** Formulas about different things do not follow from one another, and need not be asked about. */
function areNear(one: Expr, other: Expr, tools: readonly Tool[]): boolean {
  const [a, b] = [referencesIn(one), referencesIn(other)];
  return (
    tools.some((tool) => speaksOf(a, tool) && speaksOf(b, tool)) ||
    [...a.fluents].some((fluent) => b.fluents.has(fluent))
  );
}

function byParts(
  proved: readonly Expr[],
  { params, formula }: OpenFormula,
  { fluents }: Declared,
): Document[] {
  const opaque = new Opaque(fluents, freshPrefix([...proved, formula], params));
  const given = proved.map((one) => opaque.of(one, new Set()));
  const goal = opaque.of(formula, new Set(params.map(({ name }) => name)));
  const inGoal = namesIn(goal);
  const parts = opaque.inputs.filter(({ name }) => inGoal.has(name));
  const inGiven = new Set(given.flatMap((one) => [...namesIn(one)]));
  // With no part in common, what is known says nothing about the contract, and need not be asked about.
  if (!opaque.isWhole || (parts.length > 0 && !parts.some(({ name }) => inGiven.has(name)))) return [];
  const whole = implied([...opaque.known, ...given], goal);
  return [documentOf([], { inputs: [...params, ...opaque.inputs], body: [] }, whole)];
}

/** LIMIT: of documents that are built for one query. */
const mostDocuments = 60;

/** One for each choice of so many calls of each tool; which calls are made is then plain, and their arguments are any. */
function byCalls(proved: readonly Expr[], { params, formula }: OpenFormula, { tools }: Declared): Document[] {
  const enough = callsToBreak(formula);
  if (enough === undefined || !isAboutCallsOnly(formula)) return [];
  const given = proved.filter(
    (one) =>
      isAboutCallsOnly(one) &&
      // The traces are any, of calls one after the other: those at the same time have some order too.
      holdsBefore(one, { onlyAdds: () => false, comesFirst: () => false, isApart: () => true }),
  );
  if (given.length === 0) return [];
  const choices = choicesOf(toolsIn(formula, tools), enough);
  if (choices.length > mostDocuments) return [];
  const prefix = freshPrefix([...given, formula], params);
  // SOUNDNESS: requirements and effects of tools are omitted, so that nothing is assumed of a call.
  const bare = tools.map(({ name, params: own, labels }): Tool => {
    return { name, params: own, labels, requires: [], ensures: [], sets: [] };
  });
  return choices.map((calls) => documentOf(bare, callingAll(calls, params, prefix), implied(given, formula)));
}

/** Every list of tools, up to their order, that is no longer than this; the long ones first, which tend to fail. */
function choicesOf([first, ...others]: readonly Tool[], length: number): Tool[][] {
  if (first === undefined) return [[]];
  const found: Tool[][] = [];
  for (let n = length; n >= 0 && found.length <= mostDocuments; n--) {
    const calls = Array.from({ length: n }, () => first);
    append(
      found,
      choicesOf(others, length - n).map((rest) => [...calls, ...rest]),
    );
  }
  return found;
}

function callingAll(tools: readonly Tool[], params: readonly Field[], prefix: string): Document["program"] {
  const inputs: Field[] = [...params];
  const body = tools.map((tool, i): CallCommand => {
    const args = tool.params.map(({ name, ...field }): Argument => {
      const input = `${prefix}${inputs.length}`;
      inputs.push({ ...field, name: input });
      const value: Expr = { kind: "var", name: input };
      return field.optional ? { name, value, optional: true } : { name, value };
    });
    return { kind: "call", id: `c${i + 1}`, tool: tool.name, args };
  });
  return { inputs, body };
}

function documentOf(tools: readonly Tool[], program: Document["program"], formula: Expr): Document {
  return { effectIr: 1, fluents: [], tools, program, guarantees: [{ name: "coverage", args: [], formula }] };
}

function implied(given: readonly Expr[], goal: Expr): Expr {
  const [first, second] = given;
  if (first === undefined) return goal;
  const all: Expr = second === undefined ? first : { kind: "op", op: "and", args: given };
  return { kind: "op", op: "implies", args: [all, goal] };
}

/** Returns a prefix that no name in the formulas has. */
function freshPrefix(formulas: readonly Expr[], params: readonly Field[]): string {
  const taken = [...formulas.flatMap((one) => [...namesIn(one)]), ...params.map(({ name }) => name)];
  let prefix = "any_";
  while (taken.some((name) => name.startsWith(prefix))) prefix = `${prefix}_`;
  return prefix;
}
