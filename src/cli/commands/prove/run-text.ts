/** A run for people, step by step: numbered calls, what they gave, what they changed. */

import {
  argumentsText,
  type Change,
  count,
  type LoadedDocument,
  type SourceMap,
  type Step,
  stepsOf,
  valueText,
} from "../../../app/index.ts";
import { readingText, visibleText } from "../../../explain/index.ts";
import { isReading, printName, type RecordedRun, Unknown, type Value, valueKey } from "../../../ir/index.ts";
import type { Paint } from "../../text/paint.ts";
import { columnsOf, cut, pad, wrap } from "../../text/width.ts";

/** LIMIT: of a longer run, people see the beginning and the end; `--json` has all of it. */
const mostSteps = 40;
/** LIMIT: of one value, in lines. */
const mostLines = 4;

/** Lines, without their ends. */
export function runLines(
  document: LoadedDocument,
  run: RecordedRun,
  places: SourceMap,
  width: number,
  paint: Paint,
): string[] {
  const writer = new Writer(places, width, paint);
  return [...writer.start(run), ...writer.steps(stepsOf(document.checked, run).steps)];
}

class Writer {
  readonly #places: SourceMap;
  readonly #width: number;
  readonly #paint: Paint;

  constructor(places: SourceMap, width: number, paint: Paint) {
    this.#places = places;
    this.#width = width;
    this.#paint = paint;
  }

  start({ inputs, initial = [] }: RecordedRun): string[] {
    const given = argumentsText(inputs, 10 * this.#width);
    const before = initial.map(
      ({ fluent, key, value }) => `before the run: ${this.#cell(fluent, key)} is ${this.#value(value)}`,
    );
    return [...(given === "" ? [] : [`inputs: ${given}`]), ...before].flatMap((text) =>
      this.#wrapped(text, 2),
    );
  }

  steps(steps: readonly Step[]): string[] {
    if (steps.length === 0) return [this.#paint.dim("  no calls")];
    const half = mostSteps / 2;
    const folded = foldedSteps(steps);
    const isCut = folded.length > mostSteps;
    const groups = isCut ? [...folded.slice(0, half), ...folded.slice(-half)] : folded;
    const left = steps.length - groups.reduce((sum, { length }) => sum + length, 0);
    const shown = groups.flatMap(([first]) => first ?? []);
    const labels = groups.map(positionsOf);
    const numbers = Math.max(String(steps.length).length, ...labels.map(columnsOf));
    const wheres = shown.map(({ entry }) => this.#where(entry.id));
    const whereWidth = Math.max(...wheres.map(columnsOf));
    const room = this.#width - numbers - 4 - (whereWidth === 0 ? 0 : whereWidth + 2);
    const calls = shown.map(({ entry }) => {
      const { tool, args } = entry;
      const call = `${printName(tool)}(${argumentsText(args, 10 * this.#width)})`;
      return this.#lines(readingText(entry) ?? call, room);
    });
    const callWidth = Math.max(...calls.flat().map(columnsOf));
    const lines = shown.map((step, i) => {
      const [first = "", ...others] = calls[i] ?? [];
      const where = wheres[i] ?? "";
      const number = (labels[i] ?? "").padStart(numbers);
      const indent = numbers + 4;
      return [
        `  ${this.#paint.dim(number)}  ${where === "" ? first : `${pad(first, callWidth)}  ${this.#paint.dim(where)}`}`,
        ...others.map((line) => " ".repeat(indent) + line),
        ...this.#beside(step, indent),
        ...this.#outcome(step, indent),
        ...step.changes.flatMap((change) => this.#change(change, indent)),
      ];
    });
    if (isCut)
      lines.splice(half, 0, [this.#paint.dim(`  ${count(left, "call")} not shown; --json has them all`)]);
    return lines.flat();
  }

  #where(id: string): string {
    const place = this.#places.call(id);
    return place === undefined ? "" : visibleText(this.#places.words(place));
  }

  /** A call ends where the next one starts, unless this says otherwise. */
  #beside({ beside }: Step, indent: number): string[] {
    if (beside === undefined) return [];
    const { kind, entry } = beside;
    const what = `call ${entry.position + 1} has ${kind === "start" ? "started" : "ended"}`;
    return this.#wrapped(`ends after ${what}`, indent).map(this.#paint.dim);
  }

  #outcome({ entry: { tool, outcome }, took, changes }: Step, indent: number): string[] {
    const { red, signs } = this.#paint;
    if (isReading(tool)) return [];
    switch (outcome.kind) {
      case "returned":
        if (outcome.result === undefined) return [];
        return this.#wrapped(`${signs.arrow} ${valueText(outcome.result, 10 * this.#width)}`, indent);
      case "failed":
        return this.#wrapped(`fails here${failureWords(took, changes.length > 0)}`, indent).map(red);
      case "broken":
        return this.#wrapped(`broken off: it ${visibleText(outcome.reason)}`, indent).map(red);
    }
  }

  #change({ fluent, key, before, after }: Change, indent: number): string[] {
    const { signs, cyan } = this.#paint;
    const [was, is] = [this.#value(before), this.#value(after)];
    const text = was === is ? `stays ${is}` : `${was} ${signs.arrow} ${is}`;
    return this.#wrapped(`${this.#cell(fluent, key)}: ${text}`, indent).map(cyan);
  }

  #cell(fluent: string, key: Value | undefined): string {
    return `${printName(fluent)}[${key === undefined ? "some key" : valueText(key, this.#width)}]`;
  }

  #value(value: Value | Unknown): string {
    return value instanceof Unknown ? "unknown" : valueText(value, this.#width);
  }

  #wrapped(text: string, indent: number): string[] {
    return this.#lines(text, this.#width - indent).map((line) => " ".repeat(indent) + line);
  }

  #lines(text: string, width: number): string[] {
    const lines = wrap(visibleText(text), Math.max(20, width));
    if (lines.length <= mostLines) return lines;
    const rest = lines.slice(mostLines - 1).join(" ");
    return [...lines.slice(0, mostLines - 1), cut(rest, Math.max(20, width), this.#paint.signs.cut)];
  }
}

/** LIMIT: fewer equal steps in a row are shown one by one. */
const leastFolded = 4;

/** Steps in a row that differ in nothing but their numbers, together; the others each alone. */
function foldedSteps(steps: readonly Step[]): readonly (readonly Step[])[] {
  const groups: Step[][] = [];
  let before = "";
  for (const step of steps) {
    const key = foldingKey(step);
    const last = groups.at(-1);
    if (last !== undefined && key !== undefined && key === before) last.push(step);
    else groups.push([step]);
    before = key ?? "";
  }
  return groups.flatMap((group) => (group.length < leastFolded ? group.map((step) => [step]) : [group]));
}

/** Equal for steps that read alike; none for those that are beside others. */
function foldingKey({ entry, took, changes, beside }: Step): string | undefined {
  const { id, args, outcome } = entry;
  if (beside !== undefined || changes.length > 0) return undefined;
  const told = outcome.kind === "returned" ? outcome.result : `${outcome.kind} ${outcome.reason} ${took}`;
  return `${id} ${valueKey(args)} ${outcome.kind} ${told === undefined ? "" : valueKey(told)}`;
}

/** The numbers of the first and the last call. */
function positionsOf(group: readonly Step[]): string {
  const [first, last] = [group[0], group.at(-1)];
  if (first === undefined || last === undefined) return "";
  const from = `${first.entry.position + 1}`;
  return first === last ? from : `${from}–${last.entry.position + 1}`;
}

/** Words the outcome of a failed call. Counting as made says nothing about its fluents, which may have any value. */
function failureWords(took: boolean | undefined, sets: boolean): string {
  if (took === undefined) return ", and may have had its effect";
  if (!sets) return took ? ", having had its effect" : ", without effect";
  const counts = took ? " and counts as made" : " and does not count as made";
  return `${counts}; its fluents may have any value afterwards`;
}
