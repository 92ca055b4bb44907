/** The fluents that a program may change, by which calls, and to what. */
import { type Checked, type Expr, type Fluent, printExpr, type Update } from "../../ir/index.ts";
import { codeText } from "../visible.ts";
import { anyOf } from "./constants.ts";
import type { FoundCall, MayChange } from "./effects.ts";

/** LIMIT: of changes that are told one by one, and of values that are. */
const mostTold = 8;

export function fluentsOf(checked: Checked, calls: readonly FoundCall[]): MayChange[] {
  return [...checked.fluents.values()].flatMap((fluent) => {
    const by = calls.filter(({ of, most }) => most > 0 && of.sets.some((set) => set.fluent === fluent.name));
    if (by.length === 0) return [];
    const same = new Map<string, number[]>();
    for (const call of by) {
      const words = callWords(call, fluent);
      same.set(words, [...(same.get(words) ?? []), call.number]);
    }
    const told = Array.from(same, ([words, numbers]) => `${callsText(numbers)} may set it to ${words}`);
    const more = told.length > mostTold ? ["other calls may change it in other ways"] : [];
    return [
      {
        fluent: fluent.name,
        changedBy: by.map(({ number }) => number),
        text: [start(fluent), ...told.slice(0, mostTold), ...more].join("; "),
      },
    ];
  });
}

function start({ initial }: Fluent): string {
  return initial === undefined
    ? "nothing is assumed of what it holds at first"
    : `it is ${codeText(printExpr(initial))} at first`;
}

function callWords(call: FoundCall, { name }: Fluent): string {
  const sets = call.of.sets.filter(({ fluent }) => fluent === name).map((set) => setWords(call, set));
  const failing = call.command.catch === undefined ? "" : " (any value if the call fails)";
  return `${[...new Set(sets)].join(", and to ")}${failing}`;
}

function callsText(numbers: readonly number[]): string {
  return numbers.length === 1
    ? `call ${numbers.join()}`
    : `calls ${numbers.slice(0, -1).join(", ")} and ${numbers.slice(-1).join()}`;
}

function setWords(call: FoundCall, { key, value, when }: Update): string {
  const maybe = when === undefined ? "" : " in some cases";
  return `${words(call, value)} for ${words(call, key)}${maybe}`;
}

/** A parameter is what the call is given for it; anything else is in the words of the tool. */
function words(call: FoundCall, expr: Expr): string {
  if (expr.kind !== "var") return codeText(printExpr(expr));
  const possible = call.possible.get(expr.name);
  if (possible !== undefined && possible.length > 0 && possible.length <= mostTold) return anyOf(possible);
  const given = call.args.find(({ name }) => name === expr.name);
  return given === undefined ? codeText(expr.name) : given.value;
}
