/**
 * Calls that one program may make and another never makes: of a tool that the other does not call, or with a value that it
 * never gives to an argument.
 * SOUNDNESS: what the other gives to an argument is known only where all that can stand there is; where that is any value,
 * nothing is said to be new. A new call is omitted only where it is proved that it never happens.
 */

import {
  Constants,
  type Possible,
  type PossibleValue,
  textOf,
  union,
  valueIn,
  anyOf as wordsFor,
} from "../explain/index.ts";
import {
  type CallCommand,
  type Checked,
  check,
  commandsIn,
  type Document,
  type Expr,
  type Field,
  isNum,
  type TraceEntry,
  type Value,
} from "../ir/index.ts";
import { type GuaranteeProof, type Proof, type ProveOptions, prove } from "../prove/index.ts";
import { anyOf, negated, no } from "./logic.ts";
import { freshPrefix } from "./names.ts";

export interface NewCall {
  readonly tool: string;
  /** The argument that distinguishes it; absent if the other program does not call the tool. */
  readonly given?: NewValue;
  /** A call of a run that makes it, if one was found. */
  readonly call?: TraceEntry;
}

export interface NewValue {
  readonly argument: string;
  /** Its values that never occur in the other program; without values, anything but `not`. */
  readonly values: Possible;
  /** All that it can be in the other program. */
  readonly not: Possible;
}

/** A program, with what was proved of it. */
export interface Looked {
  readonly checked: Checked;
  readonly proof: Proof;
}

/** LIMIT: of questions to the prover; what is not asked is told without a call that shows it. */
const mostAsked = 40;

/** Finds the calls that `here` may make and `there` never makes. Both declare the tools of both. */
export async function newCalls(here: Looked, there: Looked, options: ProveOptions): Promise<NewCall[]> {
  const asked = candidates(here, there);
  const { document } = here.checked;
  const name = `${freshPrefix([document])}v0`;
  const questions = asked.slice(0, mostAsked).map((one) => never(one, name));
  const proofs = await proofsOf(document, questions, options);
  const found = new Map<string, NewCall>();
  for (const [i, one] of asked.entries()) {
    const { verdict, interruption } = proofs[i] ?? {};
    // SOUNDNESS: a run that makes the call and then stops has made it.
    if (verdict?.kind === "proved" && interruption?.kind === "safe") continue;
    const call =
      verdict?.kind === "refuted" ? verdict.run.trace.find((entry) => isSuch(one, entry)) : undefined;
    const key = JSON.stringify([one.tool, one.given?.argument ?? null]);
    found.set(key, joined(found.get(key), one, call));
  }
  return [...found.values()];
}

/** LIMIT: of values in one sentence. */
const mostWords = 8;

/** `"a", "b" or "c"`, and how many more there are. */
export function wordsOf(values: Possible): string {
  const more = values.length - mostWords;
  if (more <= 0) return wordsFor(values);
  return `one of ${values.length} values: ${values.slice(0, mostWords).map(textOf).join(", ")}, … and ${more} more`;
}

/** The tools that the program may call, as far as its commands say. */
export function called({ program }: Document): ReadonlyMap<string, readonly CallCommand[]> {
  const found = new Map<string, CallCommand[]>();
  for (const command of commandsIn(program.body))
    if (command.kind === "call") found.set(command.tool, [...(found.get(command.tool) ?? []), command]);
  return found;
}

interface Candidate {
  readonly tool: string;
  readonly param?: Field;
  readonly given?: NewValue;
}

function candidates(here: Looked, there: Looked): Candidate[] {
  const theirs = called(there.checked.document);
  const constants = { here: new Constants(here.proof), there: new Constants(there.proof) };
  return [...called(here.checked.document)].flatMap(([tool, commands]): Candidate[] => {
    const other = (theirs.get(tool) ?? []).filter((command) => constants.there.of(command).most > 0);
    if (other.length === 0) return [{ tool }];
    const params = here.checked.tools.get(tool)?.params ?? [];
    return params.filter(isPlain).flatMap((param): Candidate[] => {
      const not = possibleIn(constants.there, other, param);
      const may = possibleIn(constants.here, commands, param);
      const { name: argument } = param;
      if (not === undefined) return [];
      if (may === undefined) return [{ tool, param, given: { argument, values: [], not } }];
      const known = new Set(not.map(keyOf));
      const values = may.filter((one) => !known.has(keyOf(one)));
      return values.map((one) => ({ tool, param, given: { argument, values: [one], not } }));
    });
  });
}

/** The types with constants that can be written and compared as they are. */
function isPlain({ type }: Field): boolean {
  return ["bool", "int", "real", "string", "enum"].includes(type.kind);
}

function possibleIn(
  constants: Constants,
  commands: readonly CallCommand[],
  { name }: Field,
): Possible | undefined {
  return union(
    commands.map((command): Possible | undefined => {
      const arg = command.args.find((one) => one.name === name);
      return arg === undefined ? [{ kind: "absent" }] : constants.of(command).args(arg);
    }),
  );
}

function keyOf(one: PossibleValue): string {
  return one.kind === "absent" ? "" : one.key;
}

/** Returns the formula that no call of the program is such a one. */
function never({ tool, param, given }: Candidate, name: string): Expr {
  const body =
    param === undefined || given === undefined
      ? no
      : given.values.length > 0
        ? negated(isOneOf(name, param, given.values))
        : isOneOf(name, param, given.not);
  return { kind: "quantifier", quantifier: "forall", over: { var: name, in: { kind: "calls", tool } }, body };
}

/** @param call the name that the call is bound to */
function isOneOf(call: string, { name, optional }: Field, values: Possible): Expr {
  const field: Expr = { kind: "field", of: { kind: "var", name: call }, name };
  const literals = values.map((one): Expr => {
    if (one.kind === "absent") return { kind: "none" };
    const literal = literalOf(one.value);
    return optional ? { kind: "op", op: "some", args: [literal] } : literal;
  });
  return anyOf(literals.map((literal) => ({ kind: "op", op: "==", args: [field, literal] })));
}

function literalOf(value: Value): Expr {
  if (typeof value === "string") return { kind: "string", value };
  if (typeof value === "boolean") return { kind: "bool", value };
  if (isNum(value)) return { kind: "number", value };
  throw new TypeError("a value of a plain type is a constant");
}

async function proofsOf(
  document: Document,
  formulas: readonly Expr[],
  options: ProveOptions,
): Promise<readonly GuaranteeProof[]> {
  if (formulas.length === 0) return [];
  const guarantees = formulas.map((formula) => ({ name: "never", args: [], formula }));
  const checked = check({ ...document, guarantees });
  if (!checked.ok) throw new TypeError(`a made-up formula does not check: ${checked.problems[0]?.message}`);
  return (await prove(checked.value, options)).guarantees;
}

function isSuch({ tool, given }: Candidate, entry: TraceEntry): boolean {
  if (entry.tool !== tool) return false;
  if (given === undefined) return true;
  const key = keyOf(valueIn(entry.args, given.argument));
  const isIn = (set: Possible) => set.some((one) => keyOf(one) === key);
  return given.values.length > 0 ? isIn(given.values) : !isIn(given.not);
}

function joined(before: NewCall | undefined, { tool, given }: Candidate, call?: TraceEntry): NewCall {
  const shown = before?.call ?? call;
  const values = [...(before?.given?.values ?? []), ...(given?.values ?? [])];
  return {
    tool,
    ...(given !== undefined && { given: { ...given, values } }),
    ...(shown !== undefined && { call: shown }),
  };
}
