/** Compares two runs: they may differ only in values that the analysis marks. */
import type { Checked } from "../../src/ir/check/index.ts";
import type { Source } from "../../src/ir/document.ts";
import { Unknown } from "../../src/ir/eval/partly.ts";
import type { TraceEntry } from "../../src/ir/eval/trace.ts";
import type { Flow } from "../../src/ir/flow/flow.ts";
import type { Node } from "../../src/ir/flow/graph.ts";
import { asList, asOption, type Shape } from "../../src/ir/flow/shape.ts";
import type { Run } from "../../src/ir/run/options.ts";
import { equal, isList, isOption, isRecord, type Value, valueKey } from "../../src/ir/value.ts";

export interface Tally {
  /** Parts of values that were said not to carry it, and decisions that were said not to depend on it. */
  same: number;
  /** Parts that were said to carry it and really differ. */
  different: number;
}

/** Returns a difference that the analysis denies; undefined if there is none. */
export function wrongIn(
  { checked, flow, from }: { readonly checked: Checked; readonly flow: Flow; readonly from: Source },
  one: Run,
  other: Run,
  tally: Tally,
): string | undefined {
  const answers = new Map<Node, boolean>();
  const carries = (node: Node): boolean => {
    const known = answers.get(node);
    if (known !== undefined) return known;
    const found = node !== 0 && flow.into([node], from) !== undefined;
    answers.set(node, found);
    return found;
  };
  const comparison = new Comparison(carries, tally);
  const others = new Map(other.trace.map((entry) => [placeOf(entry), entry]));
  for (const entry of one.trace) {
    const twin = others.get(placeOf(entry));
    if (twin === undefined) continue;
    const { args, result } = flow.call(entry.id);
    const where = `${placeOf(entry)} of ${entry.tool}`;
    const inArguments = comparison.wrong(args, entry.args, twin.args);
    if (inArguments !== undefined) return `${where}: argument ${inArguments}`;
    if (entry.outcome.kind !== "returned" || twin.outcome.kind !== "returned") continue;
    const [a, b] = [entry.outcome.result, twin.outcome.result];
    const inResult = a === undefined || b === undefined ? undefined : comparison.wrong(result, a, b);
    if (inResult !== undefined) return `${where}: result ${inResult}`;
  }
  return wrongCalls(flow, from, one, other, tally) ?? wrongState(checked, flow, carries, one, other);
}

function placeOf({ id, indices }: TraceEntry): string {
  return `${id}@${indices.join()}`;
}

class Comparison {
  readonly #carries: (node: Node) => boolean;
  readonly #tally: Tally;

  constructor(carries: (node: Node) => boolean, tally: Tally) {
    this.#carries = carries;
    this.#tally = tally;
  }

  /** Finds a difference in an unmarked part. */
  wrong(shape: Shape, a: Value, b: Value): string | undefined {
    if (shape.kind === "whole") return this.#node(shape.node, equal(a, b));
    if (isOption(a) && isOption(b)) {
      const { present, value } = asOption(shape);
      return (
        under("?", this.#node(present, a.kind === b.kind)) ??
        (a.kind === "some" && b.kind === "some" ? under("!", this.wrong(value, a.value, b.value)) : undefined)
      );
    }
    if (isList(a) && isList(b)) {
      const { structure, element } = asList(shape);
      const length = this.#node(structure, a.length === b.length);
      if (length !== undefined) return under("length", length);
      for (const [i, item] of a.entries()) {
        const twin = b[i];
        const found = twin === undefined ? undefined : this.wrong(element, item, twin);
        if (found !== undefined) return under(`[${i}]`, found);
      }
      return undefined;
    }
    if (!isRecord(a) || !isRecord(b) || shape.kind !== "record") throw new TypeError("shapes do not fit");
    for (const [name, { present, value }] of shape.fields) {
      const [left, right] = [a.fields[name], b.fields[name]];
      const there = this.#node(present ?? 0, (left === undefined) === (right === undefined));
      const found =
        there ?? (left === undefined || right === undefined ? undefined : this.wrong(value, left, right));
      if (found !== undefined) return under(`.${name}`, found);
    }
    return undefined;
  }

  #node(node: Node, same: boolean): string | undefined {
    const carries = this.#carries(node);
    if (same && !carries) this.#tally.same++;
    if (!same && carries) this.#tally.different++;
    return same || carries ? undefined : "";
  }
}

function under(step: string, found: string | undefined): string | undefined {
  return found === undefined ? undefined : step + found;
}

/** The calls that are said not to be influenced are the same, as far as both runs get. */
function wrongCalls(flow: Flow, from: Source, one: Run, other: Run, tally: Tally): string | undefined {
  for (const id of flow.program.calls.keys()) {
    const [a, b] = [one, other].map(({ trace }) =>
      trace.filter((entry) => entry.id === id).map((entry) => `${placeOf(entry)} ${valueKey(entry.args)}`),
    );
    const influenced = flow.influenced(id, from) !== undefined;
    const same = isSame(a ?? [], b ?? [], one, other);
    if (same && !influenced) tally.same++;
    if (!same && influenced) tally.different++;
    if (!same && !influenced) return `calls of ${id}: ${a?.join("; ")} and ${b?.join("; ")}`;
  }
  return undefined;
}

/** A run that stopped has made only the first of them. */
function isSame(a: readonly string[], b: readonly string[], one: Run, other: Run): boolean {
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) if (a[i] !== b[i]) return false;
  if (a.length > shorter) return other.outcome.kind === "stopped";
  return b.length === shorter || one.outcome.kind === "stopped";
}

function wrongState(
  checked: Checked,
  { program }: Flow,
  carries: (node: Node) => boolean,
  one: Run,
  other: Run,
): string | undefined {
  if (one.outcome.kind === "stopped" || other.outcome.kind === "stopped") return undefined;
  for (const name of checked.fluents.keys()) {
    const [a, b] = [one, other].map(({ state }) =>
      Array.from(state.cells(name), ({ key, value }) => {
        return `${valueKey(key)}=${value instanceof Unknown ? "?" : valueKey(value)}`;
      }).sort(),
    );
    const node = program.fluents.get(name) ?? 0;
    if (a?.join() !== b?.join() && !carries(node)) return `fluent ${name}`;
  }
  return undefined;
}
