/** Tools of the adversary, their contracts, and one run of a program under Node with those contracts judged in JavaScript. */
import { stripTypes } from "../frontend/strip-types.ts";

export const moduleSource = `import { answer, contract, flowsFrom, fluent, influencedBy, type Int, mayRead, resultOf, tool, untrusted } from "foreclaim";
interface Row { id: string; name: string; amount: number; ok: boolean; note?: string; tags: string[] }
export const evil = tool({ run: async (): Promise<void> => {} });
export const log = tool({ run: async ({ n }: { n: number }): Promise<void> => {} });
export const say = tool({ stores: [], run: async ({ to, text }: { to: string; text: string }): Promise<void> => {} });
export const pay = tool({ stores: [], run: async ({ to, amount }: { to: string; amount: number }): Promise<void> => {} });
export const keep = tool({ stores: [], run: async ({ value }: { value: unknown }): Promise<void> => {} });
export const list = tool({ stores: [], run: async ({ items }: { items: string[] }): Promise<void> => {} });
export const text = tool({ source: "untrusted", stores: [], run: async (): Promise<string> => "" });
export const secret = tool({ labels: ["private"], stores: [], readers: () => ["me"], run: async (): Promise<string> => "" });
export const number = tool({ stores: [], run: async (): Promise<number> => 0 });
export const flag = tool({ stores: [], run: async (): Promise<boolean> => true });
export const maybe = tool({ stores: [], run: async (): Promise<string | undefined> => undefined });
export const data = tool({ stores: [], run: async (): Promise<unknown> => null });
export const words = tool({ stores: [], run: async (): Promise<string[]> => [] });
export const nums = tool({ stores: [], run: async (): Promise<number[]> => [] });
export const rows = tool({ stores: [], ensures: (r) => r.every((x) => x.amount >= 0 && x.amount <= 10), run: async (): Promise<Row[]> => [] });
export const page = tool({ stores: [], run: async ({ cursor }: { cursor?: string }): Promise<{ items: Row[]; next?: string }> => ({ items: [] }) });
export const ask = tool({ stores: [], run: async ({ about }: { about: string }): Promise<boolean> => true });
export const vet = tool({ stores: [], endorses: "untrusted", run: async ({ value }: { value: string }): Promise<boolean> => true });
export const open = fluent<string, boolean>({ initial: false });
export const unlock = tool({ stores: [], effects: ({ door }) => [open.set(door, true)], run: async ({ door }: { door: string }): Promise<void> => {} });
export const lock = tool({ stores: [], effects: ({ door }) => [open.set(door, false)], run: async ({ door }: { door: string }): Promise<void> => {} });
export const quiet = contract(() => evil.none());
export const once = contract(() => evil.count() <= 1);
export const loud = contract(() => evil.some());
export const logsBelow = contract((n: number) => log.all((e) => e.n < n));
export const logsAtMost = contract((n: number) => log.count() <= n);
export const logged = contract((n: number) => log.some((e) => e.n === n));
export const logsRise = contract(() => log.distinct((e) => e.n));
export const logSum = contract((n: number) => log.sum((e) => e.n) <= n);
export const only = contract((to: string[]) => say.all((e) => to.includes(e.to)));
export const short = contract((n: number) => say.all((e) => e.text.length <= n));
export const saysAtMost = contract((n: number) => say.count() <= n);
export const saysOnce = contract(() => say.distinct((e) => e.to));
export const capped = contract((n: number) => pay.all((p) => p.amount <= n));
export const spends = contract((n: number) => pay.sum((p) => p.amount) <= n);
export const paysAtMost = contract((n: number) => pay.count() <= n);
export const perPerson = contract((n: number) => pay.perKey((p) => p.to).sum((p) => p.amount) <= n);
export const asksFirst = contract(() => ask.before(pay));
export const asksSame = contract(() => ask.precedes(pay, (a, p) => a.about === p.to));
export const agreed = contract(() => ask.precedes(pay, (a, p) => a.about === p.to && resultOf(a) === true));
export const quietAfterPay = contract(() => say.neverAfter(pay));
export const closedAtEnd = contract(() => open.final.all((d) => !d.value));
export const neverOpen = contract(() => open.always.all((d) => !d.value));
export const ownRecipient = contract(() => say.none((e) => untrusted(e.to)));
export const ownWords = contract(() => say.none((e) => untrusted(e.text)));
export const unmoved = contract(() => say.none((e) => influencedBy(e, text)));
export const ownNumber = contract(() => log.none((e) => untrusted(e.n)));
export const discreet = contract(() => say.all((e) => mayRead(e.text, e.to)));
export const untold = contract(() => answer.none((a) => flowsFrom(a.value, text)));
export const blind = contract(() => answer.none((a) => influencedBy(a, text)));
`;

export type Results = Readonly<Record<string, unknown>>;

export interface Call {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly failed?: boolean;
}

export interface NodeRun {
  readonly calls: readonly Call[];
  readonly end: string;
  readonly told: readonly unknown[];
  /** Stated guarantees that the run breaks, by the contracts' own code. Those about provenance are not judged here. */
  readonly broken: boolean;
}

/** A result that makes the call fail. */
export const fails = Symbol("fails");

const defaults: Results = {
  text: "",
  secret: "",
  number: 0,
  flag: true,
  maybe: undefined,
  data: null,
  words: [],
  nums: [],
  rows: [],
  page: { items: [] },
  ask: true,
  vet: true,
};

/** Returns the result of the call, by the scenario: a value, a function of arguments and number of calls, or `fails`. */
export function scripted(results: Results, tool: string, args: unknown, nth: number): unknown {
  const script = tool in results ? results[tool] : defaults[tool];
  const value: unknown = typeof script === "function" ? script(args, nth) : script;
  return value === fails ? fails : structuredClone(value);
}

/** LIMIT: a program that makes more calls than this is cut off. */
const mostCalls = 300;

/** Runs the source as JavaScript. */
export async function runUnderNode(source: string, input: unknown, results: Results): Promise<NodeRun> {
  const calls: Call[] = [];
  const told: unknown[] = [];
  const t = worldOf(async (tool, args) => {
    if (calls.length >= mostCalls) throw new Error("cut off");
    const nth = calls.filter((call) => call.tool === tool).length;
    const result = scripted(results, tool, args, nth);
    const plain = args === undefined ? {} : JSON.parse(JSON.stringify(args));
    calls.push({ tool, args: plain, result, ...(result === fails && { failed: true }) });
    if (result === fails) throw new Error("failed");
    return result;
  }, calls);
  const code = `"use strict";\n${stripTypes(source).replace("export default", "return")}`;
  const console = { log: (...said: readonly unknown[]) => void told.push(...said) };
  const program = (options: unknown) => options;
  // The test's own programs, never a user's.
  const made = new Function("t", "program", "console", "invariant", code)(t, program, console, () => {});
  let end = "done";
  try {
    const returned: unknown = await made.run(input);
    if (returned !== undefined) told.push(JSON.parse(JSON.stringify(returned)));
  } catch (thrown) {
    end = thrown instanceof Error ? thrown.message : String(thrown);
  }
  const broken = made.guarantees.some((stated: () => unknown) => stated() === false);
  return { calls, end, told, broken };
}

type Handler = (tool: string, args: unknown) => Promise<unknown>;

/** The tool module as JavaScript: tools that are called and looked back at, contracts that are judged when asked. */
function worldOf(call: Handler, calls: readonly Call[]): Record<string, unknown> {
  const code = stripTypes(moduleSource)
    .replaceAll("export const", "exports.$ =")
    .replaceAll(/^exports\.\$ = (\w+) =/gm, "const $1 = exports.$1 =");
  const exports: Record<string, unknown> = {};
  const names = [...moduleSource.matchAll(/export const (\w+) = tool/g)].map((match) => match[1] ?? "");
  const declared = names.values();
  const fluents = [...moduleSource.matchAll(/export const (\w+) = fluent/g)]
    .map((match) => match[1] ?? "")
    .values();
  const effects = new Map<string, (args: unknown) => readonly Change[]>();
  const tool = (options: { effects?: (args: unknown) => readonly Change[] }) => {
    const name = declared.next().value ?? "";
    if (options.effects) effects.set(name, options.effects);
    return Object.assign(
      (args: unknown) => call(name, args),
      relation(() => rowsOf(calls, name)),
    );
  };
  const fluent = () => fluentOf(fluents.next().value ?? "", calls, effects);
  const contract =
    (formula: (...args: readonly unknown[]) => unknown) =>
    (...args: readonly unknown[]) =>
    () =>
      formula(...args);
  const cannotBeJudged = () => false;
  const answer = relation(() => []);
  const given = {
    tool,
    fluent,
    contract,
    answer,
    flowsFrom: cannotBeJudged,
    influencedBy: cannotBeJudged,
    untrusted: cannotBeJudged,
    mayRead: () => true,
    resultOf: (row: Placed) => row[result],
    exports,
  };
  new Function(...Object.keys(given), code)(...Object.values(given));
  return exports;
}

const place = Symbol("place");
const result = Symbol("result");
type Placed = Readonly<Record<string | symbol, unknown>> & { readonly [place]: number };

function rowsOf(calls: readonly Call[], name: string): readonly Placed[] {
  return calls.flatMap((call, at) =>
    call.tool === name ? [{ ...call.args, [place]: at, [result]: call.result }] : [],
  );
}

type Test = (row: Placed) => boolean;
type Measure = (row: Placed) => number;

function relation(rows: () => readonly Placed[]) {
  const always = () => true;
  return {
    all: (p: Test) => rows().every((row) => p(row)),
    some: (p: Test = always) => rows().some((row) => p(row)),
    none: (p: Test = always) => !rows().some((row) => p(row)),
    count: (p: Test = always) => rows().filter((row) => p(row)).length,
    sum: (f: Measure) => rows().reduce((sum, row) => sum + f(row), 0),
    distinct: (f: Measure) => new Set(rows().map((row) => f(row))).size === rows().length,
    perKey: (key: Measure) => ({
      sum: (f: Measure) => {
        const sums = new Map<unknown, number>();
        for (const row of rows()) sums.set(key(row), (sums.get(key(row)) ?? 0) + f(row));
        return Math.max(0, ...sums.values());
      },
    }),
    before: (other: Relation) => other.rows().every((b) => rows().some((a) => a[place] < b[place])),
    precedes: (other: Relation, p: (a: Placed, b: Placed) => boolean) =>
      other.rows().every((b) => rows().some((a) => a[place] < b[place] && p(a, b))),
    neverAfter: (other: Relation) => !other.rows().some((b) => rows().some((a) => a[place] > b[place])),
    rows,
  };
}

interface Relation {
  readonly rows: () => readonly Placed[];
}

interface Change {
  readonly key: unknown;
  readonly value: unknown;
}

function fluentOf(
  _name: string,
  calls: readonly Call[],
  effects: ReadonlyMap<string, (args: unknown) => readonly Change[]>,
) {
  const states = () => {
    const cells = new Map<unknown, unknown>();
    const all = [[...cells].map(([key, value]) => ({ key, value }))];
    for (const { tool, args, failed } of calls) {
      if (failed) continue;
      for (const { key, value } of effects.get(tool)?.(args) ?? []) cells.set(key, value);
      all.push([...cells].map(([key, value]) => ({ key, value })));
    }
    return all;
  };
  return {
    set: (key: unknown, value: unknown): Change => ({ key, value }),
    final: { all: (p: (cell: Change) => boolean) => (states().at(-1) ?? []).every(p) },
    always: { all: (p: (cell: Change) => boolean) => states().every((cells) => cells.every(p)) },
  };
}
