/** The words around a guarantee: its statement, the obligations of a program, stopping points, calls. */
import {
  type Checked,
  type Expr,
  type Guarantee,
  type Path,
  printExpr,
  printName,
  type TraceEntry,
} from "../ir/index.ts";
import type { Obligation, StoppingPoint } from "../prove/index.ts";
import { clause } from "./clause.ts";
import { sentence, spoken } from "./english.ts";
import { codeWords, stringWords, valueWords } from "./literal.ts";
import { phrase, predicateOf } from "./predicate.ts";
import { readingText } from "./reading.ts";
import { namesIn } from "./rename.ts";
import { type Binding, fieldWord, nameWord, type Scene, type SentenceOptions } from "./scene.ts";
import { atom, finished, joined, mostCharacters, say, type Text } from "./text.ts";
import { visibleText } from "./visible.ts";

export interface DescribedGuarantee {
  /** The contract with its arguments, in text form between backquotes. */
  readonly stated: string;
  /** Its meaning. */
  readonly sentence: string;
}

export function describeGuarantee(
  { name, args, formula }: Guarantee,
  checked: Checked,
  options: SentenceOptions = {},
): DescribedGuarantee {
  const stated = codeWords(`${printName(name)}(${args.map(printExpr).join(", ")})`, options);
  return {
    stated: told(stated, options),
    sentence:
      formula === undefined
        ? "what the trusted contract of that name says; its formula is not here"
        : sentence(formula, checked, options),
  };
}

/** Words the condition that must hold at one place of the program for it to continue. */
export function describeObligation(
  { kind, condition, fact, path }: Pick<Obligation, "kind" | "condition" | "fact" | "path">,
  checked: Checked,
  options: SentenceOptions = {},
): string {
  return spoken(condition, checked, options, (scene) => {
    if (kind === "max") return loopBound(checked, path);
    if (kind === "cost" && fact !== undefined)
      return say`${nameWord(fact.tool.name)} never costs less than 0`;
    if (condition === undefined) return "what the program needs here holds";
    if (kind === "require")
      return say`where the program requires it, ${clause(condition, locals(scene, condition)).text}`;
    if (fact === undefined) return clause(condition, locals(scene, condition)).text;
    const names = new Map<string, Binding>(fact.tool.params.map(({ name }) => [name, { kind: "param" }]));
    return requirement(fact.tool.name, condition, { ...scene, names, now: "before" });
  });
}

function requirement(tool: string, condition: Expr, scene: Scene): Text {
  const said = predicateOf(condition, "call", scene);
  if (said !== undefined) return say`${nameWord(tool)} is only called ${phrase(said, "with")}`;
  return say`${nameWord(tool)} is only called when ${clause(condition, scene).text}`;
}

/** Names of the program stand for themselves. */
function locals(scene: Scene, condition: Expr): Scene {
  const names = new Map(scene.names);
  for (const name of namesIn(condition)) if (!names.has(name)) names.set(name, { kind: "local" });
  return { ...scene, names };
}

function loopBound({ document }: Checked, path: Path): Text {
  let at: unknown = document;
  for (const step of path) at = typeof at === "object" && at !== null ? Reflect.get(at, step) : undefined;
  const max = typeof at === "object" && at !== null ? Reflect.get(at, "max") : undefined;
  const name = typeof at === "object" && at !== null ? Reflect.get(at, "var") : undefined;
  if (typeof max !== "number" || typeof name !== "string")
    return "the list of a loop is not longer than its `max`";
  return say`the list that the loop over ${fieldWord([name])} goes through has at most ${String(max)} element${max === 1 ? "" : "s"}`;
}

/** `place`: where a part of the program stands, as people say it: `line 7`. */
export function describeStop(
  {
    after,
    certain,
  }: Pick<StoppingPoint, "certain"> & {
    readonly after:
      | (Pick<NonNullable<StoppingPoint["after"]>, "tool" | "indices" | "path"> &
          Partial<Pick<NonNullable<StoppingPoint["after"]>, "lanes">>)
      | undefined;
  },
  place: (path: Path) => string | undefined = () => undefined,
): string {
  const open = certain ? "there are runs in which this does not hold" : "this may not hold";
  if (after === undefined) return `if the run stops before its first call, ${open}`;
  const at = place(after.path);
  const rounds = after.indices.map((index) => String(index + 1));
  // One that stands for any iteration has an index below zero.
  const which = after.indices.some((index) => index < 0) ? "some round" : `round ${rounds.join(", ")}`;
  const round = rounds.length === 0 ? "" : ` in ${which} of its loop${rounds.length === 1 ? "" : "s"}`;
  const where = at === undefined ? "" : say` at ${atom(visibleText(at))}`;
  // Other branches may be anywhere then, and go on if this call has failed.
  const beside = (after.lanes?.length ?? 0) > 0 ? " while calls beside it are under way" : "";
  return told(
    say`if the run stops right after ${nameWord(after.tool.name)}${where}${round}${beside}, ${open}`,
    {},
  );
}

/** One call of a run that was recorded or worked out. */
export function describeCall(
  { tool, args, outcome }: Pick<TraceEntry, "tool" | "args" | "outcome">,
  options: SentenceOptions = {},
): string {
  const reading = readingText({ tool, args, outcome });
  if (reading !== undefined) return reading;
  const given = Object.entries(args.fields).map(
    ([name, value]) => say`${fieldWord([name])} ${valueWords(value, options)}`,
  );
  const call =
    given.length === 0
      ? say`${nameWord(tool)} is called`
      : say`${nameWord(tool)} is called with ${joined(given, ", ", " and ")}`;
  return told(say`${call}${outcomeWords(outcome, options)}`, options);
}

function outcomeWords(outcome: TraceEntry["outcome"], options: SentenceOptions): Text {
  switch (outcome.kind) {
    case "returned":
      return outcome.result === undefined ? "" : say`, and returns ${valueWords(outcome.result, options)}`;
    case "failed":
      return say`, and fails with the reason ${stringWords(outcome.reason, options)}; it may or may not have had its effect`;
    case "broken":
      return say`, and answers what it must not, with the reason ${stringWords(outcome.reason, options)}; it may or may not have had its effect`;
  }
}

function told(text: Text, { full }: SentenceOptions): string {
  return finished(text, new Set(), full ? Number.POSITIVE_INFINITY : mostCharacters);
}
