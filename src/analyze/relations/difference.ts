/** What two versions of a program differ in: the tools that they call, how much they may do, and what they guarantee. */
import { isDeepStrictEqual } from "node:util";
import { type Checked, check } from "../../ir/check/index.ts";
import type { Command, Document, Guarantee } from "../../ir/document.ts";
import type { Num } from "../../ir/number.ts";
import { printExpr } from "../../ir/text/print-expr.ts";
import { type Proof, prove, type Verdict } from "../../prove/prove.ts";
import { boundsOf, type Measure, measuresIn } from "./bounds.ts";
import { type Answer, implies, type Layer, type RelateOptions } from "./implies.ts";

export interface Difference {
  readonly calls: { readonly added: readonly string[]; readonly removed: readonly string[] };
  readonly bounds: readonly BoundChange[];
  /** Of the first program, then of the second: those that the other does not promise, too. */
  readonly guarantees: readonly GuaranteeChange[];
  /** Guarantees that a program states and that were not shown of it. */
  readonly unproved: readonly { readonly side: "first" | "second"; readonly stated: Guarantee }[];
}

/** The most of something that a run may do; absent if none was found. */
export interface BoundChange {
  readonly of: Measure;
  readonly before?: Num;
  readonly after?: Num;
}

/**
 * `gone`, `weaker`: the first promises it, and the second something less, or nothing of the kind. `new`, `stronger`: the
 * other way round. `changed`: the same contract, of which neither implies the other, or it is not known.
 */
export interface GuaranteeChange {
  readonly change: "gone" | "weaker" | "changed" | "stronger" | "new";
  readonly stated: Guarantee;
  /** What the other program says with the same contract. */
  readonly other?: Guarantee;
  /** Why the other's guarantees do not imply it. */
  readonly answer: Answer;
  /** What was found of it for the other program, whatever that states. */
  readonly there: Verdict;
}

export type Differing =
  | { readonly kind: "compared"; readonly difference: Difference }
  /** The two mean different things by a name. */
  | { readonly kind: "apart"; readonly name: string };

export async function differ(
  first: Document,
  second: Document,
  layer: Layer,
  options: RelateOptions,
): Promise<Differing> {
  const named = [first, second, layer].map(({ tools, fluents }) => [...tools, ...fluents]);
  const odd = differentlyMeant(named.flat());
  if (odd !== undefined) return { kind: "apart", name: odd };
  const measures = measuresIn([first, second], called);
  const before = await lookAt(first, second, measures, options);
  const after = await lookAt(second, first, measures, options);
  if (before === undefined || after === undefined) return { kind: "apart", name: "program" };
  const bounds = measures.flatMap((of, i): BoundChange[] => {
    const [was, is] = [before.bounds[i], after.bounds[i]];
    if (isDeepStrictEqual(was, is)) return [];
    return [{ of, ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }) }];
  });
  const difference: Difference = {
    calls: {
      added: [...called(second)].filter((tool) => !called(first).has(tool)),
      removed: [...called(first)].filter((tool) => !called(second).has(tool)),
    },
    bounds,
    guarantees: [
      ...(await changes(first, second, after.others, layer, options, "gone")),
      ...(await changes(second, first, before.others, layer, options, "new")),
    ],
    unproved: [
      ...unprovedIn(before.own).map((stated) => ({ side: "first", stated }) as const),
      ...unprovedIn(after.own).map((stated) => ({ side: "second", stated }) as const),
    ],
  };
  return { kind: "compared", difference };
}

function unprovedIn(own: Proof["guarantees"]): Guarantee[] {
  return own.filter(({ verdict }) => verdict.kind !== "proved").map(({ guarantee }) => guarantee);
}

/** Of one program: its own guarantees, those of the other, and how much it may do. */
async function lookAt(
  document: Document,
  other: Document,
  measures: readonly Measure[],
  options: RelateOptions,
): Promise<
  | {
      readonly own: Proof["guarantees"];
      readonly others: readonly Verdict[];
      readonly bounds: readonly (Num | undefined)[];
    }
  | undefined
> {
  const whole = joined(document, other);
  if (whole === undefined) return undefined;
  const proof = await prove(whole, { ...options, stops: "left out" });
  const own = proof.guarantees.slice(0, document.guarantees.length);
  const others = proof.guarantees.slice(document.guarantees.length).map(({ verdict }) => verdict);
  return { own, others, bounds: await boundsOf(whole, measures, options) };
}

/** The program with what the other states as well. */
function joined(document: Document, other: Document): Checked | undefined {
  const distinct = <T extends { readonly name: string }>(all: readonly T[]) => [
    ...new Map(all.map((one) => [one.name, one])).values(),
  ];
  const checked = check({
    ...document,
    tools: distinct([...document.tools, ...other.tools]),
    fluents: distinct([...document.fluents, ...other.fluents]),
    guarantees: [...document.guarantees, ...other.guarantees],
  });
  return checked.ok ? checked.value : undefined;
}

/** What one program promises and the other does not. */
async function changes(
  { guarantees: mine }: Document,
  { guarantees: theirs }: Document,
  verdicts: readonly Verdict[],
  layer: Layer,
  options: RelateOptions,
  alone: "gone" | "new",
): Promise<GuaranteeChange[]> {
  const found: GuaranteeChange[] = [];
  const given = theirs.flatMap(({ formula }) => formula ?? []);
  for (const [i, stated] of mine.entries()) {
    const { formula: goal } = stated;
    if (goal === undefined || theirs.some((one) => textOf(one) === textOf(stated))) continue;
    const answer = await implies({ given, goal }, layer, options);
    if (answer.kind === "yes") continue;
    const there = verdicts[i] ?? { kind: "unknown", why: "it was not looked at" };
    const other = theirs.find(({ name }) => name === stated.name);
    if (other?.formula === undefined) {
      found.push({ change: alone, stated, answer, there });
      continue;
    }
    const less = await implies({ given: [goal], goal: other.formula }, layer, options);
    const change = less.kind === "yes" ? (alone === "gone" ? "weaker" : "stronger") : "changed";
    found.push({ change, stated, other, answer, there });
  }
  return found;
}

function textOf({ name, args }: Guarantee): string {
  return `${name}(${args.map(printExpr).join(", ")})`;
}

/** SOUNDNESS: what is said of a tool of one program must be of the very tool of the other, not of another of that name. */
function differentlyMeant(all: readonly { readonly name: string }[]): string | undefined {
  const byName = new Map<string, object>();
  for (const one of all) {
    const known = byName.get(one.name);
    if (known !== undefined && !isDeepStrictEqual(known, one)) return one.name;
    byName.set(one.name, one);
  }
  return undefined;
}

/** The tools that the program may call. */
export function called({ program }: Document): ReadonlySet<string> {
  const found = new Set<string>();
  const look = (body: readonly Command[]): void => {
    for (const command of body) {
      if (command.kind === "call") found.add(command.tool);
      if (command.kind === "for") look(command.body);
    }
  };
  look(program.body);
  return found;
}

export function isSame({ calls, bounds, guarantees }: Difference): boolean {
  return calls.added.length + calls.removed.length + bounds.length + guarantees.length === 0;
}
