/** Kernels that meet every rule, kept and broken, for the golden ledgers. */
import type { FunctionInvariant, Log } from "../../../src/kernel/index.ts";
import { act, set, withKernel } from "./steps.ts";

const rule = (name: string, fields: object, enforcement = "blocking") => ({
  name,
  enforcement,
  rule: name,
  ...fields,
});

/** Every ready rule, kept and broken, blocking and monitoring. */
export async function rules(ledger: Log): Promise<void> {
  const schema = {
    type: "object",
    required: ["name"],
    additionalProperties: false,
    properties: {
      name: { type: "string", minLength: 1, maxLength: 5, pattern: "^[a-z]+$" },
      age: { type: "integer", minimum: 0, maximum: 99, multipleOf: 3 },
      tags: {
        type: "array",
        uniqueItems: true,
        minItems: 1,
        maxItems: 3,
        items: { enum: ["a", "b", "c", "d"] },
      },
      any: { anyOf: [{ const: 1 }, { const: 2 }] },
      one: { oneOf: [{ exclusiveMinimum: 1 }, { exclusiveMaximum: 3 }] },
      not: { not: { type: "null" } },
      never: false,
    },
  };
  const policy = {
    budgets: { usd: "100" },
    rules: [
      rule("rateLimit", { key: "mails", max: 2 }),
      rule("ceiling", { key: "heat", max: "20.5" }),
      rule("range", { key: "n", min: 0, max: 10 }),
      rule("requiredKeys", { keys: ["needed"] }),
      rule("readOnly", { keys: ["fixed"] }),
      rule("allowedValues", { key: "mode", values: ["on", "off"] }),
      rule("monotoneIncreasing", { key: "up" }),
      rule("monotoneDecreasing", { key: "down" }),
      rule("listLength", { key: "list", max: 2 }),
      rule("noDuplicates", { key: "set" }),
      rule("stringLength", { key: "name", max: 3 }),
      rule("noDelete", { keys: ["stays"] }),
      rule("forbiddenText", { keys: ["said"], texts: ["Straße", "secret"] }),
      rule("noPii", { keys: ["said"] }),
      rule("jsonSchema", { key: "person", schema }),
      rule("ceiling", { name: "watched", key: "heat", max: "5" }, "monitoring"),
      { name: "absent", enforcement: "monitoring", rule: "ceiling", key: "nowhere", max: 1 },
      { name: "tidy", enforcement: "blocking", when: 'every(action.effects, (e) => e.key != "dirt")' },
      { name: "low", enforcement: "blocking", when: "history.steps < 40" },
      { name: "loud", enforcement: "blocking", when: 'toUpperCase(action.id) != "LOUD"' },
    ],
    emergencies: [{ id: "cool", effects: [set("heat", 0)] }],
  };
  const state = {
    mails: 0,
    heat: 1,
    n: 1,
    needed: 1,
    fixed: "f",
    mode: "on",
    up: 1,
    down: 9,
    list: [],
    set: [1],
    name: "ab",
    stays: 1,
    said: "",
    person: { name: "ann" },
  };
  const person = (more: object) => act(set("person", { name: "ann", ...more }));
  const tried: readonly object[] = [
    act({ key: "mails", op: "increment", value: 2 }),
    act({ key: "mails", op: "increment", value: 1 }),
    act(set("mails", 0)),
    act(set("heat", 21)),
    act(set("heat", 7)),
    act(set("heat", "hot")),
    act(set("n", -1)),
    act(set("n", 11)),
    act({ key: "needed", op: "delete" }),
    act(set("fixed", "g")),
    act(set("mode", "auto")),
    act(set("up", 0)),
    act(set("up", "x")),
    act({ key: "up", op: "delete" }),
    act(set("down", 10)),
    act(set("list", [1, 2, 3])),
    act(set("list", "no list")),
    act(set("set", [1, 1])),
    act(set("set", 5)),
    act(set("name", "abcd")),
    act(set("name", 5)),
    act({ key: "stays", op: "delete" }),
    act(set("said", "eine STRASSE")),
    act(set("said", "die Straße, mit Akzent: sécret")),
    act(set("said", "ＳＥＣＲＥＴ")),
    act(set("said", "grüße aus Zürich")),
    act(set("said", { to: ["ann@example.org"] })),
    act(set("said", "4111 1111 1111 1111")),
    act(set("said", "DE89 3704 0044 0532 0130 00")),
    act(set("said", "219-09-9999")),
    act(set("said", "+49 30 1234 5678")),
    act(set("person", 5)),
    act(set("person", {})),
    person({ name: "" }),
    person({ name: "longer" }),
    person({ name: "A1" }),
    person({ age: 1.5 }),
    person({ age: -3 }),
    person({ age: 102 }),
    person({ age: 4 }),
    person({ tags: [] }),
    person({ tags: ["a", "a"] }),
    person({ tags: ["a", "b", "c", "d"] }),
    person({ tags: ["z"] }),
    person({ any: 3 }),
    person({ one: 2 }),
    person({ not: null }),
    person({ never: 1 }),
    person({ extra: 1 }),
    person({ age: 33, tags: ["a"] }),
    act(set("dirt", 1)),
    { id: "loud", effects: [] },
    { id: "LOUD", effects: [] },
    { id: "lőud", effects: [] },
    { id: "cool" },
  ];
  await withKernel(
    ledger,
    "rules",
    async (kernel) => {
      for (const action of tried) await kernel.execute(action);
      const broken = await kernel.reserve(act(set("n", 5)), "settled in a broken state");
      await kernel.settle(broken.receipt ?? "");
      await kernel.reserve(act(set("n", 12)), "refused by a rule");
      for (let n = 0; n < 30; n++) await kernel.execute(act(set("said", `text ${n}`)));
    },
    { policy, state },
  );
}

/** Rules on whether a step may happen at all. */
export async function gates(ledger: Log): Promise<void> {
  const policy = {
    rules: [
      rule("approvalGate", { key: "approved" }),
      rule("timeWindow", { max: 2, windowMs: 1_000 }),
      rule("terminalFlag", { key: "over" }),
    ],
  };
  await withKernel(
    ledger,
    "gates",
    async (kernel, clock) => {
      await kernel.execute(act(set("n", 1)));
      await kernel.grant("approved", true, "ann");
      await kernel.execute(act(set("n", 1)));
      await kernel.execute(act(set("n", 2)));
      await kernel.execute(act(set("n", 3)));
      clock.now += 1_000;
      await kernel.execute(act(set("over", "yes")));
      await kernel.execute(act(set("over", true)));
      await kernel.execute(act(set("n", 4)));
      await kernel.grant("approved", false);
    },
    { policy, state: { approved: false, over: false } },
  );
}

/** Rules that are functions; a verifier has them or not. */
export const functions: readonly FunctionInvariant[] = [
  { name: "holds", enforcement: "blocking", check: () => true },
  { name: "small", enforcement: "blocking", check: (after) => Number(after.get("n") ?? 0) < 5 },
  {
    name: "moody",
    enforcement: "blocking",
    over: "step",
    version: "2",
    check: (after) => {
      if (after.get("mood") === "throws") throw new Error("a secret of the function");
      if (after.get("mood") === "null") return null;
      if (after.get("mood") === "nothing") return undefined;
      return after.get("mood") === "text" ? "yes" : true;
    },
  },
  { name: "watches", enforcement: "monitoring", check: (after) => after.get("n") !== 3 },
  {
    name: "apart",
    enforcement: "blocking",
    over: "step",
    check: { module: worker('(after) => after.get("slow") !== true || hang()'), timeoutMs: 2_000 },
  },
  {
    name: "nowhere",
    enforcement: "monitoring",
    over: "step",
    check: { module: "data:text/javascript,throw 1", timeoutMs: 100 },
  },
  {
    name: "unnamed",
    enforcement: "monitoring",
    over: "step",
    check: { module: worker("() => true"), export: "other", timeoutMs: 2_000 },
  },
];

function worker(source: string): string {
  const hang = "const hang = () => { for (;;); };";
  return `data:text/javascript,${encodeURIComponent(`${hang} export default ${source};`)}`;
}

export async function functionKernel(ledger: Log): Promise<void> {
  await withKernel(
    ledger,
    "functions",
    async (kernel) => {
      await kernel.execute(act(set("n", 1)));
      await kernel.execute(act(set("n", 7)));
      await kernel.execute(act(set("n", 3)));
      for (const mood of ["throws", "null", "nothing", "text", "fine"])
        await kernel.execute(act(set("mood", mood)));
      await kernel.execute(act(set("slow", true)));
      await kernel.execute({ id: "halt" });
    },
    { policy: { emergencies: [{ id: "halt", effects: [set("n", 0)] }] }, state: { n: 0 }, functions },
  );
}
