/** What two versions of a program differ in: the tools that they call, how much they may do, and what they guarantee. */
import { isDeepStrictEqual } from "node:util";
import { type Checked, check } from "../../ir/check/index.ts";
import type { Document, Guarantee } from "../../ir/document.ts";
import type { Num } from "../../ir/number.ts";
import { printExpr } from "../../ir/text/print-expr.ts";
import { type Proof, prove, type Verdict } from "../../prove/prove.ts";
import { boundsOf, type Measure, measuresIn, measureWords } from "./bounds.ts";
import { type Answer, implies, type Layer, type RelateOptions } from "./implies.ts";
import { type NewCall, newCalls } from "./new-calls.ts";

export interface Difference {
  /** What only the second program may do, and what only the first. */
  readonly calls: { readonly added: readonly NewCall[]; readonly removed: readonly NewCall[] };
  readonly bounds: readonly BoundChange[];
  /** Of the first program, then of the second: those that the other does not promise, too. */
  readonly guarantees: readonly GuaranteeChange[];
  /** Guarantees that a program states and that were not shown of it. */
  readonly unproved: readonly { readonly side: "first" | "second"; readonly stated: Guarantee }[];
}

/** The most of something that a run may do; absent if none was found. */
export interface BoundChange {
  readonly of: Measure;
  /** What it is, in English. */
  readonly words: string;
  readonly before?: Num;
  readonly after?: Num;
}

/**
 * `gone`, `weaker`: the first promises it, and the second something less, or nothing of the kind. `new`, `stronger`: the
 * other way round. `changed`: the same contract, of which neither implies the other, or it is not known.
 */
export interface GuaranteeChange {
  /** The program that states it. */
  readonly side: "first" | "second";
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
  const measures = measuresIn([first, second]);
  const before = await lookAt(first, second, measures, options);
  const after = await lookAt(second, first, measures, options);
  if (before === undefined || after === undefined) return { kind: "apart", name: "program" };
  const bounds = measures.flatMap((of, i): BoundChange[] => {
    const [was, is] = [before.bounds[i], after.bounds[i]];
    if (isDeepStrictEqual(was, is)) return [];
    const words = measureWords(of, before.checked);
    return [{ of, words, ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }) }];
  });
  const difference: Difference = {
    calls: {
      added: await newCalls(after, before, options),
      removed: await newCalls(before, after, options),
    },
    bounds,
    guarantees: [
      ...(await changes(first, second, after.others, layer, options, "first")),
      ...(await changes(second, first, before.others, layer, options, "second")),
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
      readonly checked: Checked;
      readonly proof: Proof;
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
  return { checked: whole, proof, own, others, bounds: await boundsOf(whole, measures, options) };
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
  side: "first" | "second",
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
      found.push({ side, change: side === "first" ? "gone" : "new", stated, answer, there });
      continue;
    }
    const less = await implies({ given: [goal], goal: other.formula }, layer, options);
    const change = less.kind === "yes" ? (side === "first" ? "weaker" : "stronger") : "changed";
    found.push({ side, change, stated, other, answer, there });
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

export function isSame({ calls, bounds, guarantees }: Difference): boolean {
  return calls.added.length + calls.removed.length + bounds.length + guarantees.length === 0;
}
