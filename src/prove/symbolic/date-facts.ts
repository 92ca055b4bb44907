/**
 * Facts about dates: times are counts of milliseconds, so that what programs do with hours and days is arithmetic. Of
 * the calendar nothing is known but that a month of a year begins on one day. Part of what must be trusted.
 */
import type { Terms } from "../terms/factory.ts";
import type { Term } from "../terms/term.ts";
import type { Scene } from "./compile.ts";
import { type Symbolic, scalar } from "./symbolic-value.ts";

/** As in `ir/time.ts`. */
const lastTime = 8_640_000_000_000_000n;
const [mostYears, mostMonths] = [1_000_000n, 10_000_000n];
const msOfDay = 86_400_000n;

function within(terms: Terms, term: Term, most: bigint): Term {
  return terms.and(terms.apply("<=", terms.int(-most), term), terms.apply("<=", term, terms.int(most)));
}

/** The time, if a date can have it. */
export function timeWithin(terms: Terms, time: Term): Symbolic {
  return { kind: "option", present: within(terms, time, lastTime), value: scalar(time) };
}

function sumOf(terms: Terms, parts: readonly (readonly [bigint, Term])[]): Term {
  return terms.sum(
    parts.map(([factor, term]) => terms.apply("*", terms.int(factor), term)),
    "Int",
  );
}

/** The time of year, month, day of the month, hours, minutes, seconds and milliseconds. */
export function timeOfParts(terms: Terms, args: readonly Term[]): Symbolic | undefined {
  const [year, month, date, hours, minutes, seconds, milliseconds] = args;
  if (
    year === undefined ||
    month === undefined ||
    date === undefined ||
    hours === undefined ||
    minutes === undefined ||
    seconds === undefined ||
    milliseconds === undefined ||
    args.some(({ sort }) => sort !== "Int")
  )
    return undefined;
  const time = sumOf(terms, [
    [msOfDay, terms.unknown("month@begins", [year, month], "Int")],
    [msOfDay, date],
    [3_600_000n, hours],
    [60_000n, minutes],
    [1000n, seconds],
    [1n, milliseconds],
  ]);
  const present = terms.and(
    within(terms, year, mostYears),
    within(terms, month, mostMonths),
    within(terms, time, lastTime),
  );
  return { kind: "option", present, value: scalar(time) };
}

/** The time that a text stands for, where the text was made of a time. */
export function timeOfText({ terms, count }: Scene, text: Term): Symbolic | undefined {
  const [time] = text.kind === "apply" && text.op === "timeText" ? text.args : [];
  if (time === undefined) return undefined;
  const last = terms.constant(`last@${count()}`, "Int");
  return {
    kind: "option",
    present: terms.true,
    value: scalar(terms.ite(within(terms, time, lastTime), time, last)),
  };
}

const bounds: ReadonlyMap<string, readonly [bigint, bigint]> = new Map([
  ["year", [-mostYears, mostYears]],
  ["month", [0n, 11n]],
  ["date", [1n, 31n]],
  ["day", [0n, 6n]],
  ["hours", [0n, 23n]],
  ["minutes", [0n, 59n]],
  ["seconds", [0n, 59n]],
  ["milliseconds", [0n, 999n]],
]);

/** Facts about the parts of a time. */
export function partsFacts(terms: Terms, time: Term, made: Symbolic): readonly Term[] {
  if (made.kind !== "record") return [];
  const facts: Term[] = [];
  const parts = new Map<string, Term>();
  for (const [name, { value }] of made.fields) {
    const [least, most] = bounds.get(name) ?? [];
    if (value.kind !== "scalar" || least === undefined || most === undefined) continue;
    parts.set(name, value.term);
    facts.push(terms.apply("<=", terms.int(least), value.term));
    facts.push(terms.apply("<=", value.term, terms.int(most)));
  }
  const names = ["year", "month", "date", "hours", "minutes", "seconds", "milliseconds"];
  const args = names.flatMap((name) => parts.get(name) ?? []);
  const whole = args.length === names.length ? timeOfParts(terms, args) : undefined;
  if (whole?.kind === "option" && whole.value?.kind === "scalar")
    facts.push(terms.implies(within(terms, time, lastTime), terms.equal(time, whole.value.term)));
  return facts;
}
