/** Random plans and states at the start: few keys and values, so that actions have to do with each other, and odd ones. */
import fc from "fast-check";
import {
  type Plan,
  readPlan,
  readState,
  type State,
  type VerifyOptions,
  verify,
} from "../../../src/plan/index.ts";
import { models } from "./tools.ts";

export interface ActionData {
  readonly id: string;
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface PlanData {
  readonly actions: readonly ActionData[];
}

export interface Case extends PlanData {
  /** True if the tools are those of the module. */
  readonly isDeclared: boolean;
  readonly state: Readonly<Record<string, unknown>>;
}

/** A number that JavaScript cannot write: it stands in the text of the plan as it is. */
const raw = (text: string) => `§${text}§`;

const values: readonly unknown[] = [0, 1, 2, 5, true, "a", ["a"], null, { n: 1 }, 0.5];
/** Values that are not kept, or that a tool cannot receive exactly, or that are huge. */
const oddValues: readonly unknown[] = [
  raw("-0"),
  raw("1e400"),
  "\ud800",
  raw("0.12345678901234567891"),
  raw("9007199254740993"),
  { n: raw("-0") },
  "$a.output",
  "x $s0.output",
];
const oddKeys = ["", "\ud800", "k".repeat(513), "k".repeat(512)];
const keys = ["x", "x", "y", "z"];
const cells = ["t.level[a]", "t.level[b]"];
const operators = ["eq", "neq", "gt", "lt", "gte", "lte", "exists", "not_exists", "contains"];

/** The text of a plan, with numbers as they are to be written. */
export function textOfPlan(data: PlanData): string {
  return written({ actions: data.actions });
}

function written(data: unknown): string {
  return JSON.stringify(data).replaceAll(/"§([^§"]*)§"/g, "$1");
}

export function planFrom(data: PlanData): Plan {
  const read = readPlan(textOfPlan(data));
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.value.plan;
}

export function anyCase(most: number, kind = fc.boolean()): fc.Arbitrary<Case> {
  return kind.chain((isDeclared) => {
    // Any of them may be omitted, so that a failure shrinks to those that it takes.
    const maybe = (i: number) =>
      fc.record({ isThere: fc.nat(9).map((n) => n > 2), action: anyAction(i, isDeclared) });
    return fc.record({
      isDeclared: fc.constant(isDeclared),
      state: anyState(isDeclared),
      actions: fc
        .tuple(...Array.from({ length: most }, (_, i) => maybe(i)))
        .map((all) => all.flatMap(({ isThere, action }) => (isThere ? [action] : [])))
        .map(withoutDangling),
    });
  });
}

function withoutDangling(actions: readonly ActionData[]): readonly ActionData[] {
  const kept: ActionData[] = [];
  for (const action of actions) {
    const names = JSON.stringify(action).match(/(?<=["$])s\d(?=["."])/g) ?? [];
    if (names.every((id) => id === action.id || kept.some((one) => one.id === id))) kept.push(action);
  }
  return kept;
}

/** Also with numbers that no tool can receive, and with keys of which it is not known what they hold. */
function anyState(isDeclared: boolean): fc.Arbitrary<Readonly<Record<string, unknown>>> {
  const value = seldom(
    fc.constantFrom(...values),
    fc.constantFrom(raw("0.12345678901234567891"), raw("9007199254740993")),
    12,
  );
  const plain = fc.dictionary(fc.constantFrom(...keys), value, { maxKeys: 3 });
  const mark = fc.tuple(
    fc.constantFrom(...(isDeclared ? [...keys, ...cells] : keys)).map((key) => `unknown ${key}`),
    fc.constantFrom(
      "nobody knows",
      { why: "a call failed", may: [1] },
      { why: "a call failed", may: [2, 5] },
    ),
  );
  const levels = isDeclared
    ? fc.dictionary(fc.constantFrom(...cells), fc.constantFrom(0, 1, 2, 5), { maxKeys: 2 })
    : fc.constant({});
  return fc.tuple(plain, levels, few(mark, 8)).map(([some, others, marks]) => ({
    ...some,
    ...others,
    ...Object.fromEntries(marks),
  }));
}

export function stateFrom(data: Readonly<Record<string, unknown>>): State {
  const read = readState(written(data));
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.value;
}

// ── one action ───────────────────────────────────────────────────────────────────────────────────────────

function anyAction(i: number, isDeclared: boolean): fc.Arbitrary<ActionData> {
  const key = seldom(
    fc.constantFrom(...(isDeclared ? [...keys, ...cells] : keys)),
    fc.constantFrom(...oddKeys),
    60,
  );
  const ownKey = seldom(fc.constantFrom(...keys), fc.constantFrom(...oddKeys), 30);
  const value =
    i === 0 ? constant : weighted([5, constant], [2, anyReference(i)], [1, around(anyReference(i))]);
  const common = {
    id: fc.constant(`s${i}`),
    preconditions: few(anyCondition(key, constant), 2),
    state_dependencies: few(key, 6),
    dependencies: i === 0 ? fc.constant([]) : few(earlier(i), 5),
    read_set: few(key, 9),
    write_set: few(ownKey, 12),
    failure_behavior: fc.constantFrom("abort", "retry", "skip", "skip"),
    max_retries: fc.integer({ min: 0, max: 2 }),
    idempotent: seldom(fc.constant(false), fc.constant(true), 6),
    timeout_ms: seldom<number | null>(fc.constant(null), fc.constant(50), 4),
  };
  const effects = weighted(
    [3, fc.constant({})],
    [2, fc.dictionary(ownKey, value, { minKeys: 1, maxKeys: 2 })],
  );
  const call = fc.record({
    ...common,
    type: fc.constant("tool_call"),
    ...(isDeclared ? {} : { tool: fc.constantFrom("p", "q", "r") }),
    parameters: weighted([1, fc.constant({})], [5, fc.record({ v: value })]),
    expected_effects: effects,
    compensation: seldom<unknown>(fc.constant(null), anyCompensation(i, isDeclared), 7),
  });
  const declared = weighted(
    ...Object.entries(models).map(([tool, { parameters }]) => {
      const given = Object.entries(parameters).map(([name, type]) => [name, argument(name, type, i)]);
      const fitting: fc.Arbitrary<object> = fc.record(Object.fromEntries(given));
      const weight = tool === "t.pay" ? 3 : 1;
      return [
        weight,
        fc.tuple(call, fitting).map(([one, args]) => ({ ...one, tool, parameters: args })),
      ] as const;
    }),
  );
  return weighted<ActionData>(
    [6, isDeclared ? declared : call],
    [
      3,
      fc.record({
        ...common,
        type: fc.constant("state_write"),
        parameters: fc.record({ key: ownKey, value }),
        expected_effects: seldom(fc.constant({}), effects, 6),
      }),
    ],
    [2, fc.record({ ...common, type: fc.constant("state_read"), parameters: fc.record({ key }) })],
    [2, fc.record({ ...common, type: fc.constant("assertion"), parameters: anyAssertion(i, key) })],
  ).map(withoutDefaults);
}

/** So that a failure is short. */
function withoutDefaults(action: object): ActionData {
  const isDefault = (name: string, value: unknown) =>
    value === null ||
    value === false ||
    (name === "failure_behavior" && value === "abort") ||
    (name !== "parameters" && typeof value === "object" && Object.keys(value).length === 0);
  const entries = Object.entries(action).filter(([name, value]) => !isDefault(name, value));
  const kept = Object.fromEntries(entries);
  if (kept.failure_behavior !== "retry") delete kept.max_retries;
  return { id: "", type: "", ...kept };
}

const constant = seldom(fc.constantFrom(...values), fc.constantFrom(...oddValues), 10);

function anyCondition(key: fc.Arbitrary<string>, value: fc.Arbitrary<unknown>): fc.Arbitrary<object> {
  return fc.record({ key, operator: fc.constantFrom(...operators), value });
}

/** Also about an output. */
function anyAssertion(i: number, key: fc.Arbitrary<string>): fc.Arbitrary<object> {
  const about = anyCondition(key, constant);
  if (i === 0) return about;
  const compared = fc.record({
    key: fc.constantFrom("x", "y"),
    operator: fc.constantFrom("eq", "neq", "neq", "gte"),
    value: weighted(
      [3, earlier(i).map((id): unknown => `$${id}.output`)],
      [1, anyReference(i)],
      [1, around(anyReference(i))],
    ),
  });
  return weighted([1, about], [1, compared]);
}

function earlier(i: number): fc.Arbitrary<string> {
  return fc.nat(i - 1).map((j) => `s${j}`);
}

function anyReference(i: number): fc.Arbitrary<string> {
  const field = weighted(
    [5, fc.constant("")],
    [4, fc.constantFrom(".id", ".n", ".more", ".more.n", ".0", ".1.n", ".nothing")],
  );
  return fc.tuple(earlier(i), field).map(([id, rest]) => `$${id}.output${rest}`);
}

function around(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return value.map((inner) => ({ n: inner }));
}

/** One that fits, or a reference that may fit, or anything. */
function argument(name: string, type: string, i: number): fc.Arbitrary<unknown> {
  const fitting: fc.Arbitrary<unknown> =
    type === "string"
      ? fc.constantFrom("a", "b")
      : type === "int"
        ? fc.constantFrom(1, 2, 5)
        : fc.constantFrom(1, 2, 3, 0.5, raw("0.12345678901234567891"), raw("1e30"));
  const other = weighted([8, fitting], [1, constant]);
  return i === 0 || name === "at" ? other : weighted([3, other], [2, anyReference(i)]);
}

function anyCompensation(i: number, isDeclared: boolean): fc.Arbitrary<unknown> {
  const given = i === 0 ? constant : weighted([2, constant], [1, anyReference(i)]);
  const tool: fc.Arbitrary<unknown> = fc.record({
    type: fc.constant("tool"),
    tool: fc.constant(isDeclared ? "t.pay" : "undo"),
    parameters: isDeclared ? fc.record({ amount: fc.constantFrom(1, 2) }) : fc.record({ v: given }),
  });
  if (i === 0 || isDeclared) return tool;
  return weighted([3, tool], [1, fc.record({ type: fc.constant("action_ref"), action_id: earlier(i) })]);
}

function weighted<T>(...of: readonly (readonly [number, fc.Arbitrary<T>])[]): fc.Arbitrary<T> {
  return fc.oneof(...of.map(([weight, arbitrary]) => ({ weight, arbitrary })));
}

function seldom<T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>, once: number): fc.Arbitrary<T> {
  return weighted([once - 1, usual], [1, odd]);
}

/** Mostly none, once in so many times one. */
function few<T>(arbitrary: fc.Arbitrary<T>, once: number): fc.Arbitrary<T[]> {
  return seldom(
    fc.constant([]),
    arbitrary.map((one) => [one]),
    once,
  );
}

// ── plans that verification takes ────────────────────────────────────────────────────────────────────────

/** The plan without whatever verification says is wrong with it: a condition, or else the action. */
export function mended(data: PlanData, options: VerifyOptions): PlanData | undefined {
  let { actions } = data;
  for (let round = 0; round < 12 && actions.length > 0; round++) {
    const { valid, findings } = verify(planFrom({ actions }), options);
    if (valid) return { actions };
    const errors = findings.filter(({ severity }) => severity === "error");
    const lost = new Set<string>();
    const kept = actions.flatMap((action, i) => {
      const here = errors.filter(({ path, actionId }) => path[1] === i || actionId === action.id);
      const listed = here.filter(({ path }) => isListed(path[2]) && typeof path[3] === "number");
      if (here.length === 0) return [action];
      if (listed.length === here.length)
        return [
          withoutItems(
            action,
            listed.map(({ path }) => path),
          ),
        ];
      lost.add(action.id);
      return [];
    });
    actions = kept.filter((action) => !namesOne(action, lost));
    if (errors.every(({ path }) => path[1] === undefined)) return undefined;
  }
  return undefined;
}

function isListed(field: unknown): boolean {
  return field === "preconditions" || field === "state_dependencies";
}

function withoutItems(action: ActionData, paths: readonly (readonly unknown[])[]): ActionData {
  const changed: Record<string, unknown> = {};
  for (const field of ["preconditions", "state_dependencies"]) {
    const list = action[field];
    if (!Array.isArray(list)) continue;
    changed[field] = list.filter((_, j) => !paths.some((path) => path[2] === field && path[3] === j));
  }
  return { ...action, ...changed };
}

function namesOne(action: ActionData, lost: ReadonlySet<string>): boolean {
  const text = JSON.stringify({ ...action, id: "" });
  return [...lost].some((id) => text.includes(`"${id}"`) || text.includes(`$${id}.`));
}
