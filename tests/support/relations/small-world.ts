/** Tools so small that all short traces of them can be gone through, and formulas about them made by chance. */
import { expect } from "vitest";
import { callEnvironment, firstBroken, writesOf } from "../../../src/ir/eval/clauses.ts";
import { Meter } from "../../../src/ir/eval/meter.ts";
import { State } from "../../../src/ir/eval/state.ts";
import {
  type Checked,
  check,
  defaultLimits,
  type Expr,
  judge,
  parseDocument,
  type RecordedRun,
  record,
  type TraceEntry,
  type Value,
} from "../../../src/ir/index.ts";

const declarations = `effect-ir 1
fluent t.open[string]: bool = false
tool t.pay(to: enum{"x", "y"}, n: int)
  labels "l"
  requires n >= 0
tool t.ask(to: enum{"x", "y"}) -> int
  labels "l"
  ensures result >= 0
  ensures result <= 1 or to == "y"
tool t.lift(to: enum{"x", "y"})
  sets t.open[to] = true
tool t.lower(to: enum{"x", "y"})
  requires now t.open[to]
  sets t.open[to] = false
`;

/** Formulas side by side in one document, by their texts. */
export function worldWith(texts: readonly string[]): {
  readonly checked: Checked;
  readonly formulas: readonly Expr[];
} {
  const stated = texts.map((text, i) => `guarantee t.g${i}(): ${text}`).join("\n");
  const read = parseDocument(declarations + stated);
  if (!read.ok) throw new Error(`${JSON.stringify(read.problems[0])}\n${stated}`);
  const checked = check(read.value.document);
  if (!checked.ok) throw new Error(`${JSON.stringify(checked.problems[0])}\n${stated}`);
  const formulas = checked.value.document.guarantees.flatMap(({ formula }) => formula ?? []);
  expect(formulas).toHaveLength(texts.length);
  return { checked: checked.value, formulas };
}

export type Chance = (below: number) => number;

export function chanceFrom(seed: number): Chance {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const keys = ["x", "y"];

function oneOf<T>(chance: Chance, all: readonly T[]): T {
  const found = all[chance(all.length)];
  if (found === undefined) throw new Error("nothing to choose from");
  return found;
}

/** A formula as text. */
export function formula(chance: Chance, depth = 2): string {
  const again = () => formula(chance, depth - 1);
  const kinds = depth > 0 ? 16 : 13;
  const rel = oneOf(chance, ["t.pay", "t.ask", "t.pay", "t.lift", 'label "l"']);
  const sums = "sum(x in t.pay{w}: x.n)";
  const bound = () => String(chance(4));
  const op = () => oneOf(chance, ["<=", "<", ">=", ">", "==", "!="]);
  const where = () => (chance(3) === 0 ? ` where ${said(chance, "x", rel)}` : "");
  switch (chance(kinds)) {
    case 0:
    case 1:
      return `(forall x in ${rel}${where()}: ${said(chance, "x", rel)})`;
    case 2:
      return `(exists x in ${rel}${where()}: ${said(chance, "x", rel)})`;
    case 3:
    case 4:
      return `(count(x in ${rel}${where()}) ${op()} ${bound()})`;
    case 5: {
      const chosen = chance(3) === 0 ? ` where ${said(chance, "x", "t.pay")}` : "";
      return `(${sums.replace("{w}", chosen)} ${op()} ${bound()})`;
    }
    case 6:
      return `distinct(x in ${rel}${where()}: x.to)`;
    case 7:
      return `(${chance(2) === 0 ? "forall" : "exists"} n = count(x in ${rel}${where()} by x.to): n ${op()} ${bound()})`;
    case 8:
      return `(${oneOf(chance, ["min", "max"])}(x in t.pay: x.n else ${bound()}) ${op()} ${bound()})`;
    case 9: {
      const other = oneOf(chance, ["t.pay", "t.ask", "t.lift"]);
      const same = chance(2) === 0 ? "" : " and x.to == y.to";
      return chance(2) === 0
        ? `(forall x in ${rel}: exists y in ${other}: precedes(y, x)${same})`
        : `(forall x in ${rel}: forall y in ${other}: not precedes(y, x))`;
    }
    case 10:
      return `(final t.open[${JSON.stringify(oneOf(chance, keys))}] == ${chance(2) === 0})`;
    case 11:
      return oneOf(chance, [
        "(forall c in final t.open: not c.value)",
        '(exists c in final t.open: c.value and c.key != "x")',
        `(count(c in final t.open where c.value) ${op()} ${chance(3)})`,
        '(forall c in final t.open: not c.value or c.key == "y")',
      ]);
    case 12:
      return oneOf(chance, [
        "always(forall c in now t.open: not c.value)",
        'always(not now t.open["x"])',
        'always(not now t.open["x"] or not now t.open["y"])',
        "(forall x in t.lift: not final t.open[x.to])",
        "(forall x in t.pay: final t.open[x.to])",
        "(count(x in t.pay) <= count(y in t.ask))",
        "(sum(x in t.pay: x.n) >= count(x in t.pay))",
      ]);
    case 13:
      return `(${again()} and ${again()})`;
    case 14:
      return `(${again()} or ${again()})`;
    default:
      return chance(2) === 0 ? `(not ${again()})` : `(${again()} implies ${again()})`;
  }
}

/** Generates a formula about one row. */
function said(chance: Chance, x: string, rel: string, depth = 1): string {
  const again = () => said(chance, x, rel, depth - 1);
  switch (chance(depth > 0 ? 6 : 3)) {
    case 0:
    case 1:
      return `${x}.to == ${JSON.stringify(oneOf(chance, keys))}`;
    case 2:
      if (rel === "t.pay") return `${x}.n ${oneOf(chance, ["<=", ">=", "=="])} ${chance(3)}`;
      return rel === "t.ask" ? `result(${x}) == some(${chance(2)})` : `${x}.to != "y"`;
    case 3:
      return `(${again()} and ${again()})`;
    case 4:
      return `(${again()} or ${again()})`;
    default:
      return `not (${again()})`;
  }
}

interface Step {
  readonly tool: string;
  readonly args: Readonly<Record<string, Value>>;
  readonly result?: Value;
  /** A failure, and its effects. */
  readonly failed?: { readonly took: boolean; readonly left: boolean };
}

const steps: readonly Step[] = keys.flatMap((to): Step[] => [
  ...[0n, 1n, 2n].map((n) => ({ tool: "t.pay", args: { to, n } })),
  { tool: "t.pay", args: { to, n: 1n }, failed: { took: to === "x", left: false } },
  ...[0n, 1n].map((result) => ({ tool: "t.ask", args: { to }, result })),
  { tool: "t.ask", args: { to }, failed: { took: true, left: false } },
  { tool: "t.lift", args: { to } },
  { tool: "t.lift", args: { to }, failed: { took: to === "y", left: to === "x" } },
  { tool: "t.lower", args: { to } },
]);

/** Fewer of them, of every kind, so that all traces of three can be gone through. */
const fewSteps: readonly Step[] = [
  { tool: "t.pay", args: { to: "x", n: 1n } },
  { tool: "t.pay", args: { to: "y", n: 2n } },
  { tool: "t.pay", args: { to: "x", n: 1n }, failed: { took: true, left: false } },
  { tool: "t.ask", args: { to: "x" }, result: 0n },
  { tool: "t.ask", args: { to: "y" }, result: 1n },
  { tool: "t.lift", args: { to: "x" } },
  { tool: "t.lift", args: { to: "y" }, failed: { took: true, left: true } },
  { tool: "t.lower", args: { to: "x" } },
];

/** Every trace of up to two steps, every one of three of fewer steps, and others of up to five. */
export function traces(checked: Checked, chance: Chance, more: number): RecordedRun[] {
  const found: Step[][] = [
    [],
    ...steps.map((one) => [one]),
    ...steps.flatMap((a) => steps.map((b) => [a, b])),
    ...fewSteps.flatMap((a) => fewSteps.flatMap((b) => fewSteps.map((c) => [a, b, c]))),
  ];
  for (let i = 0; i < more; i++)
    found.push(Array.from({ length: 3 + chance(3) }, () => oneOf(chance, steps)));
  return found.map(runOf).filter((run) => isAllowed(checked, run));
}

function runOf(made: readonly Step[]): RecordedRun {
  const trace = made.map(
    ({ tool, args, result, failed }, position): TraceEntry => ({
      position,
      id: `c${position}`,
      indices: [],
      tool,
      args: record(Object.entries(args)),
      outcome:
        failed !== undefined
          ? { kind: "failed", reason: "" }
          : result === undefined
            ? { kind: "returned" }
            : { kind: "returned", result },
    }),
  );
  const resolution = {
    took: (position: number) => made[position]?.failed?.took === true,
    left: (position: number) => made[position]?.failed?.left ?? false,
  };
  return { inputs: record([]), trace, initial: [], resolution };
}

/** Returns true if every call of it may be made, and has an allowed result. */
export function isAllowed(checked: Checked, run: RecordedRun): boolean {
  const meter = new Meter(defaultLimits);
  const state = State.initial(checked, run.initial);
  return run.trace.every(({ tool: name, args, outcome, position }) => {
    const tool = checked.tools.get(name);
    if (tool === undefined) return false;
    const result = outcome.kind === "returned" ? outcome.result : undefined;
    const before = callEnvironment(checked, tool, args, state, meter);
    const after = callEnvironment(checked, tool, args, state, meter, result);
    const isFine =
      firstBroken(tool.requires, before) === undefined &&
      (outcome.kind !== "returned" || firstBroken(tool.ensures, after) === undefined);
    for (const write of writesOf(tool, before)) {
      if (outcome.kind === "returned") state.write(write);
      else state.writeMaybe(write, run.resolution?.left(position, write.update));
    }
    return isFine;
  });
}

/** On which of the traces it holds; each must be decided. */
export function holdsOn(checked: Checked, one: Expr, all: readonly RecordedRun[]): boolean[] {
  return all.map((run) => {
    const verdict = judge(checked, one, run);
    if (verdict.kind === "unknown") throw new Error(verdict.why);
    return verdict.kind === "holds";
  });
}
