/** Automata on recorded runs, with failed calls of unknown effect. */
import { expect, it } from "vitest";
import { judge, type RecordedRun } from "../../src/ir/eval/formula.ts";
import type { TraceEntry } from "../../src/ir/eval/trace.ts";
import { record } from "../../src/ir/value.ts";
import { checkedOf } from "./documents.ts";

const head = `effect-ir 1
tool t.ask() labels "talk"
tool t.tell() labels "talk"
tool t.pay(amount: int)
program (limit: int) {}
`;

const asked =
  'automaton(states "idle", "asked", "bad" start "idle" on "idle" p in t.pay where p.amount > limit -> "bad" on "idle" a in t.ask -> "asked" on "asked" p in t.pay -> "idle" error "bad")';

/** One call each: `ask`, `tell`, `pay 3`; with `?` for one that failed, and then `+` or `-` for how it is taken. */
function runOf(text: string): RecordedRun {
  const words = text.split(", ").filter((word) => word !== "");
  const took = new Map<number, boolean>();
  const trace = words.map((word, position): TraceEntry => {
    const [, tool, amount, failed, way] = /^(\w+)(?: (\d+))?(\?)?([+-])?$/.exec(word) ?? [];
    if (way !== undefined) took.set(position, way === "+");
    return {
      position,
      id: `c${position}`,
      indices: [],
      tool: `t.${tool}`,
      args: record(amount === undefined ? [] : [["amount", BigInt(amount)]]),
      outcome: failed === undefined ? { kind: "returned" } : { kind: "failed", reason: "no" },
    };
  });
  const inputs = record([["limit", 2n]]);
  if (took.size === 0) return { inputs, trace };
  return {
    inputs,
    trace,
    resolution: { took: (position) => took.get(position) === true, left: () => undefined },
  };
}

function verdictOf(formula: string, run: string): string {
  const checked = checkedOf(`${head}guarantee g(): ${formula}\n`);
  return judge(checked, checked.document.guarantees[0]!.formula!, runOf(run)).kind;
}

it.each([
  [asked, "", "holds"],
  [asked, "pay 2", "holds"],
  [asked, "pay 3", "violated"],
  [asked, "ask, pay 3", "holds"],
  [asked, "ask, pay 3, pay 3", "violated"],
  [asked, "ask, ask, pay 3, pay 3", "violated"],
  [asked, "pay 3, ask", "violated"],
  // A failed call may have been made or not.
  [asked, "ask?, pay 3", "unknown"],
  [asked, "ask?+, pay 3", "holds"],
  [asked, "ask?-, pay 3", "violated"],
  [asked, "ask?, pay 2", "holds"],
  [asked, "pay 3?", "unknown"],
  [asked, "ask, pay 3?, pay 3", "unknown"],
  [asked, "ask, pay 3?, pay 3, pay 3", "violated"],
  [asked, "ask?, pay 3?, pay 3", "unknown"],
  [asked, "ask?, pay 3, pay 3", "violated"],
  [`not ${asked}`, "ask?, pay 3", "unknown"],
  [`not ${asked}`, "pay 3", "holds"],
  // The first transition that takes the call counts, and an error state is not left again.
  [
    'automaton(states "s", "t", "u" start "s" on "s" p in t.pay where p.amount > 5 -> "t" on "s" p in t.pay -> "u" error "u")',
    "pay 6, pay 1",
    "holds",
  ],
  [
    'automaton(states "s", "t", "u" start "s" on "s" p in t.pay -> "t" on "s" q in t.pay where q.amount > 5 -> "u" error "u")',
    "pay 6",
    "holds",
  ],
  [
    'automaton(states "s", "u" start "s" on "s" a in t.ask -> "u" on "u" a in t.ask -> "s" error "u")',
    "ask, ask",
    "violated",
  ],
  [
    'automaton(states "s", "u" start "s" on "s" a in label "talk" -> "u" error "u")',
    "pay 1, tell",
    "violated",
  ],
  ['automaton(states "s", "u" start "s" on "s" a in label "talk" -> "u" error "u")', "pay 1", "holds"],
  ['automaton(states "s", "u" start "s" error "u")', "ask, pay 1", "holds"],
  // A state that it starts in is entered.
  ['automaton(states "s", "u" start "s" on "s" a in t.ask -> "u" error "s")', "", "violated"],
])("%s on [%s]: %s", (formula, run, expected) => {
  expect(verdictOf(formula, run)).toBe(expected);
});
