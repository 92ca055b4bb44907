/** The differences of two versions of a program: the tools that they call, how much they may do, and their guarantees. */
import { isDeepStrictEqual } from "node:util";
import {
  type Checked,
  check,
  compare,
  type Document,
  type Guarantee,
  type Num,
  printExpr,
} from "../ir/index.ts";
import { type GuaranteeProof, type Proof, prove, type Verdict } from "../prove/index.ts";
import { type Bound, boundsOf, type Measure, measuresIn, measureWords } from "./bounds.ts";
import { type Answer, implies, type Layer, type RelateOptions } from "./implies.ts";
import { freshPrefix, inlined, normal, withNames } from "./names.ts";
import { type NewCall, newCalls } from "./new-calls.ts";
import { isSameProgram } from "./same-program.ts";

export interface Difference {
  /** The calls that only the second program may make, and those that only the first may make. */
  readonly calls: { readonly added: readonly NewCall[]; readonly removed: readonly NewCall[] };
  readonly bounds: readonly BoundChange[];
  /** Guarantees of the first program, then of the second, that the other does not state. */
  readonly guarantees: readonly GuaranteeChange[];
  /** Guarantees that a program states and that were not shown of it. */
  readonly unproved: readonly { readonly side: "first" | "second"; readonly stated: Guarantee }[];
  /** Guarantees that both keep in runs that end, and only the other one wherever a run may stop. */
  readonly stops: readonly { readonly side: "first" | "second"; readonly stated: Guarantee }[];
}

/** The most of something that a run may do; absent if none was found. */
export interface BoundChange {
  readonly of: Measure;
  /** Its meaning, in English. */
  readonly words: string;
  readonly before?: Num;
  readonly after?: Num;
  /** `unknown`: no bound was found for either, or one for both of which it is not known that runs of both reach it. */
  readonly change: "changed" | "unknown";
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
  /** The guarantee of the other program with the same contract. */
  readonly other?: Guarantee;
  /** Why the other's guarantees do not imply it. */
  readonly answer: Answer;
  /** The verdict on it for the other program. */
  readonly there: Verdict;
  /** True if the other program also keeps it wherever a run may stop. */
  readonly thereEverywhere: boolean;
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
  const isOneProgram = isSameProgram(first.program, second.program);
  const bounds = measures.flatMap((of, i): BoundChange[] => {
    const [was, is] = [before.bounds[i], after.bounds[i]];
    const change = boundChange(was, is);
    if (isOneProgram || change === "none") return [];
    const most = { ...(was && { before: was.most }), ...(is && { after: is.most }) };
    return [{ of, words: measureWords(of, before.checked), change, ...most }];
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
    stops: stopsIn(before, after),
  };
  return { kind: "compared", difference };
}

/** SOUNDNESS: two bounds that were not found, or that no run is known to reach, may be any two numbers below them. */
function boundChange(was: Bound | undefined, is: Bound | undefined): BoundChange["change"] | "none" {
  if (was === undefined && is === undefined) return "unknown";
  if (was === undefined || is === undefined || compare(was.most, is.most) !== 0) return "changed";
  return was.isReached && is.isReached ? "none" : "unknown";
}

/** Returns the guarantees that both keep, and only one wherever a run may stop. */
function stopsIn(before: LookedAt, after: LookedAt): Difference["stops"] {
  const pairs = [
    ...before.own.map((mine, i) => [mine, after.others[i]] as const),
    ...after.own.map((mine, i) => [before.others[i], mine] as const),
  ];
  const found = new Map<string, Difference["stops"][number]>();
  for (const [was, is] of pairs) {
    if (was?.verdict.kind !== "proved" || is?.verdict.kind !== "proved") continue;
    if (isEverywhere(was) === isEverywhere(is)) continue;
    const { guarantee: stated } = was;
    found.set(textOf(stated), { side: isEverywhere(was) ? "second" : "first", stated });
  }
  return [...found.values()];
}

function isEverywhere(proof: GuaranteeProof | undefined): boolean {
  return proof?.verdict.kind === "proved" && proof.interruption?.kind === "safe";
}

function unprovedIn(own: Proof["guarantees"]): Guarantee[] {
  return own.filter(({ verdict }) => verdict.kind !== "proved").map(({ guarantee }) => guarantee);
}

/** Decides for one program: its own guarantees, those of the other, and its bounds. */
interface LookedAt {
  readonly checked: Checked;
  readonly proof: Proof;
  readonly own: Proof["guarantees"];
  readonly others: Proof["guarantees"];
  readonly bounds: readonly (Bound | undefined)[];
}

async function lookAt(
  document: Document,
  other: Document,
  measures: readonly Measure[],
  options: RelateOptions,
): Promise<LookedAt | undefined> {
  const whole = joined(document, other);
  if (whole === undefined) return undefined;
  const proof = await prove(whole, options);
  const own = proof.guarantees.slice(0, document.guarantees.length);
  const others = proof.guarantees.slice(document.guarantees.length);
  return { checked: whole, proof, own, others, bounds: await boundsOf(whole, measures, options) };
}

/** The program with what the other states as well. */
function joined(document: Document, other: Document): Checked | undefined {
  const distinct = <T extends { readonly name: string }>(all: readonly T[]) => [
    ...new Map(all.map((one) => [one.name, one])).values(),
  ];
  const prefix = freshPrefix([document, other]);
  const checked = check({
    ...document,
    tools: distinct([...document.tools, ...other.tools]),
    fluents: distinct([...document.fluents, ...other.fluents]),
    // The other program may bind a name that is an input here.
    guarantees: [...document.guarantees, ...other.guarantees.map((one) => withNames(one, prefix))],
  });
  return checked.ok ? checked.value : undefined;
}

/** Finds the guarantees that one program states and the other does not. */
async function changes(
  { guarantees: mine }: Document,
  { guarantees: theirs }: Document,
  proofs: readonly GuaranteeProof[],
  layer: Layer,
  options: RelateOptions,
  side: "first" | "second",
): Promise<GuaranteeChange[]> {
  const found: GuaranteeChange[] = [];
  const given = theirs.flatMap(({ formula }) => formula ?? []);
  for (const [i, stated] of mine.entries()) {
    const { formula: goal } = stated;
    // SOUNDNESS: what two documents call by one name need not be one formula. What has none is not proved, and is told so.
    if (goal === undefined || theirs.some((one) => isSameGuarantee(one, stated))) continue;
    const answer = await implies({ given, goal }, layer, options);
    if (answer.kind === "yes") continue;
    const there = proofs[i]?.verdict ?? { kind: "unknown", why: "it was not looked at" };
    const thereEverywhere = isEverywhere(proofs[i]);
    const other = theirs.find(({ name }) => name === stated.name);
    if (other?.formula === undefined) {
      found.push({ side, change: side === "first" ? "gone" : "new", stated, answer, there, thereEverywhere });
      continue;
    }
    const less = await implies({ given: [goal], goal: other.formula }, layer, options);
    const change = less.kind === "yes" ? (side === "first" ? "weaker" : "stronger") : "changed";
    found.push({ side, change, stated, other, answer, there, thereEverywhere });
  }
  return found;
}

function isSameGuarantee(a: Guarantee, b: Guarantee): boolean {
  if (textOf(a) !== textOf(b) || a.formula === undefined || b.formula === undefined) return false;
  return printExpr(normal(inlined(a.formula))) === printExpr(normal(inlined(b.formula)));
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

export function isSame({ calls, bounds, guarantees, stops }: Difference): boolean {
  return [calls.added, calls.removed, bounds, guarantees, stops].every((list) => list.length === 0);
}
