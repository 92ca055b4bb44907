/**
 * Whether what was proved implies a contract, on every trace whatsoever of the tools, whatever the program is. Asked of
 * the prover as a guarantee of a document made for it, in two ways, each of which is enough:
 * - of any values of the sums, counts and statements about calls that the formulas are made of;
 * - of all traces of so few calls as it takes to break the contract (`witness.ts`).
 * SOUNDNESS: undecided is not entailed. `requires` and `ensures` of tools are left out, so nothing is assumed of calls.
 */
import { check } from "../../ir/check/index.ts";
import type { CallCommand, Document, Expr, Fluent, Tool } from "../../ir/document.ts";
import type { Field } from "../../ir/type.ts";
import { holdsBefore } from "../../prove/prefix.ts";
import { type ProveOptions, prove } from "../../prove/prove.ts";
import { namesIn } from "../rename.ts";
import { speaksOf, spokenIn, toolsIn } from "../spoken.ts";
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
  for (const document of [byParts(near, contract, declared), byCalls(near, contract, declared)]) {
    const checked = document && check(document);
    // A name of one formula may be taken in another; then nothing is known this way.
    if (checked?.ok !== true) continue;
    const { guarantees } = await prove(checked.value, options);
    if (guarantees.length > 0 && guarantees.every(({ verdict }) => verdict.kind === "proved")) return true;
  }
  return false;
}

/** LIMIT: of guarantees that are looked at together; with fewer of them less follows. */
const mostGiven = 40;

/** Formulas about different things do not follow from one another, and need not be asked about. */
function areNear(one: Expr, other: Expr, tools: readonly Tool[]): boolean {
  const [a, b] = [spokenIn(one), spokenIn(other)];
  return (
    tools.some((tool) => speaksOf(a, tool) && speaksOf(b, tool)) ||
    [...a.fluents].some((fluent) => b.fluents.has(fluent))
  );
}

function byParts(
  proved: readonly Expr[],
  { params, formula }: OpenFormula,
  { fluents }: Declared,
): Document | undefined {
  const opaque = new Opaque(fluents, freshPrefix([...proved, formula], params));
  const given = proved.map((one) => opaque.of(one, new Set()));
  const goal = opaque.of(formula, new Set(params.map(({ name }) => name)));
  const inGoal = namesIn(goal);
  const parts = opaque.inputs.filter(({ name }) => inGoal.has(name));
  const inGiven = new Set(given.flatMap((one) => [...namesIn(one)]));
  // With no part in common, what is known says nothing about the contract, and need not be asked about.
  if (!opaque.isWhole || (parts.length > 0 && !parts.some(({ name }) => inGiven.has(name)))) return undefined;
  return {
    effectIr: 1,
    fluents: [],
    tools: [],
    program: { inputs: [...params, ...opaque.inputs], body: [] },
    guarantees: [{ name: "coverage", args: [], formula: implied([...opaque.known, ...given], goal) }],
  };
}

/** LIMIT: of calls in a document that is made up. */
const mostCalls = 16;

function byCalls(
  proved: readonly Expr[],
  { params, formula }: OpenFormula,
  { tools }: Declared,
): Document | undefined {
  const enough = callsToBreak(formula);
  if (enough === undefined || !isAboutCallsOnly(formula)) return undefined;
  const called = toolsIn(formula, tools);
  if (enough * called.length > mostCalls) return undefined;
  const given = proved.filter((one) => isAboutCallsOnly(one) && holdsBefore(one, () => false));
  if (given.length === 0) return undefined;
  const prefix = freshPrefix([...given, formula], params);
  const inputs: Field[] = [...params];
  const input = (field: Omit<Field, "name">): Expr => {
    const name = `${prefix}${inputs.length}`;
    inputs.push({ ...field, name });
    return { kind: "var", name };
  };
  const body: CallCommand[] = [];
  for (const tool of called) {
    for (let i = 0; i < enough; i++) {
      const when = input({ type: { kind: "bool" } });
      const args = tool.params.map(({ name, ...field }) =>
        field.optional
          ? { name, value: input(field), optional: true as const }
          : { name, value: input(field) },
      );
      body.push({ kind: "call", id: `c${body.length + 1}`, tool: tool.name, args, when });
    }
  }
  return {
    effectIr: 1,
    fluents: [],
    tools: tools.map(({ name, params: own, labels }) => ({
      name,
      params: own,
      labels,
      requires: [],
      ensures: [],
      sets: [],
    })),
    program: { inputs, body },
    guarantees: [{ name: "coverage", args: [], formula: implied(given, formula) }],
  };
}

function implied(given: readonly Expr[], goal: Expr): Expr {
  const [first, second] = given;
  if (first === undefined) return goal;
  const all: Expr = second === undefined ? first : { kind: "op", op: "and", args: given };
  return { kind: "op", op: "implies", args: [all, goal] };
}

/** How no name in them begins. */
function freshPrefix(formulas: readonly Expr[], params: readonly Field[]): string {
  const taken = [...formulas.flatMap((one) => [...namesIn(one)]), ...params.map(({ name }) => name)];
  let prefix = "any_";
  while (taken.some((name) => name.startsWith(prefix))) prefix = `${prefix}_`;
  return prefix;
}
