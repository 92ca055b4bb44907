/** Random policies, states and commands. Most are ordinary; the rest are at bounds, in conflict or nonsense. */
import type { GivenAction, GivenCommand, GivenEffect, GivenPolicy, GivenRule, Json } from "./command-text.ts";

/** A source of chance that a seed repeats. */
export class Chance {
  #seed: number;

  constructor(seed: number) {
    this.#seed = Math.imul(seed + 1, 7919);
  }

  below(n: number): number {
    this.#seed = (Math.imul(this.#seed ^ (this.#seed >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    let x = this.#seed;
    x ^= x >>> 12;
    x = Math.imul(x, 0x297a2d39);
    x ^= x >>> 15;
    return (x >>> 0) % n;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  in100(percent: number): boolean {
    return this.below(100) < percent;
  }

  /** Different elements, at least and at most so many. */
  some<T>(list: readonly T[], least: number, most: number): T[] {
    const count = least + this.below(most - least + 1);
    return [...new Set(Array.from({ length: count }, () => this.pick(list)))];
  }
}

export const keys = ["n", "m", "list", "flag", "note", "ok", "q"] as const;

export function anyValue(chance: Chance, depth = 0): Json {
  switch (chance.below(depth > 1 ? 7 : 9)) {
    case 0:
    case 1:
    case 2:
      return chance.below(7) - 2;
    case 3:
      return chance.pick([0.5, 1.25, -0.1, 0.2]);
    case 4:
      return chance.in100(50);
    case 5:
      return chance.pick(["", "x", "hello"]);
    case 6:
      return null;
    case 7:
      return Array.from({ length: chance.below(3) }, () => anyValue(chance, depth + 1));
    default:
      return Object.fromEntries(
        chance.some(["a", "b"], 0, 2).map((name) => [name, anyValue(chance, depth + 1)]),
      );
  }
}

/** Every third kernel allows most steps: otherwise nothing is seen of what comes after many of them. */
export function anyPolicy(chance: Chance): GivenPolicy {
  if (chance.in100(30)) return lenient(chance);
  if (chance.in100(35)) return tight(chance);
  const quantum = chance.pick(["1", "0.5", "0.01", undefined]);
  const budgets = Array.from({ length: chance.below(4) }, (_, i) => ({
    name: `b${i}`,
    limit: String(chance.pick([0, 3, 7, 20, 20, 50, 1000])),
    ...(quantum === undefined ? {} : { quantum }),
    ...(i > 0 && chance.in100(50) ? { within: `b${chance.below(i)}` } : {}),
    ...(chance.in100(30) ? { windowMs: chance.pick([10, 25, 100]) } : {}),
    ...(chance.in100(15) ? { minCost: chance.pick(["1", "2"]) } : {}),
  }));
  return {
    budgets,
    rules: Array.from({ length: chance.pick([0, 0, 1, 1, 2, 3]) }, (_, i) => anyRule(chance, `r${i}`)),
    emergencies: chance.in100(60)
      ? [
          {
            id: "halt",
            effects: chance.some(keys, 0, 2).map((key) => ({ key, op: "set", value: anyValue(chance) })),
            cap: chance.below(4),
          },
        ]
      : [],
    protected: chance.in100(40) ? chance.some(keys, 0, 1) : [],
    ...(chance.in100(30) ? { maxSteps: chance.below(12) } : {}),
    undoSteps: chance.pick([0, 1, 2, 3, 5, 1000]),
    probes: chance.in100(50)
      ? [{ name: "p", keys: chance.some(keys, 1, 3), threshold: chance.pick([0, 1, "0.5"]) }]
      : [],
  };
}

function lenient(chance: Chance): GivenPolicy {
  return {
    budgets: [
      { name: "b0", limit: "1000", quantum: "1", ...(chance.in100(50) ? { windowMs: 25 } : {}) },
      ...(chance.in100(40) ? [{ name: "a0", limit: "2000", quantum: "1" }] : []),
    ],
    rules: [],
    emergencies: [{ id: "halt", effects: [{ key: "n", op: "set", value: 0 }], cap: 5 }],
    protected: [],
    undoSteps: chance.pick([4, 1000]),
    probes: [{ name: "p", keys: ["q", "n"], threshold: 1 }],
  };
}

/** Little in each window, and nothing else in the way. */
function tight(chance: Chance): GivenPolicy {
  return {
    budgets: [
      { name: "b0", limit: "4", quantum: "1", windowMs: chance.pick([10, 25]) },
      { name: "b1", limit: "9", quantum: "1", ...(chance.in100(50) ? { within: "b0" } : {}) },
    ],
    rules: chance.in100(50)
      ? [
          {
            name: "r0",
            enforcement: "blocking",
            rule: chance.pick(["rateLimit", "ceiling"]),
            key: "n",
            max: 4,
            missing: "ok",
          },
        ]
      : [],
    emergencies: [],
    protected: [],
    undoSteps: 3,
    probes: [],
  };
}

function anyRule(chance: Chance, name: string): GivenRule {
  const amount = () => chance.pick(["n", "m"]);
  const makers: readonly (() => Readonly<Record<string, Json>> & { readonly rule: string })[] = [
    () => ({ rule: "rateLimit", key: amount(), max: chance.below(6) }),
    () => ({ rule: "ceiling", key: chance.pick(["n", "m", "q"]), max: chance.pick([3, 5, "2.5"]) }),
    () => ({ rule: "range", key: amount(), min: -chance.below(3) - 1, max: 4 }),
    () => ({ rule: "requiredKeys", keys: chance.some(keys, 1, 2) }),
    () => ({ rule: "readOnly", keys: [chance.pick(keys)] }),
    () => ({ rule: "noDelete", keys: chance.some(keys, 1, 3) }),
    () => ({ rule: "allowedValues", key: chance.pick(keys), values: [0, 1, 2, true, "x", [], null, 0.5] }),
    () => ({ rule: "monotoneIncreasing", key: amount() }),
    () => ({ rule: "monotoneDecreasing", key: amount() }),
    () => ({ rule: "listLength", key: "list", max: chance.below(4) }),
    () => ({ rule: "noDuplicates", key: "list" }),
    () => ({ rule: "stringLength", key: "note", max: chance.below(6) }),
    () => ({ rule: "approvalGate", key: chance.pick(["ok", "flag"]) }),
    () => ({ rule: "terminalFlag", key: "flag" }),
    () => ({ rule: "timeWindow", max: chance.below(4), windowMs: chance.pick([5, 20, 50]) }),
  ];
  const rule = chance.pick(makers)();
  const missing = rule.rule !== "timeWindow" && chance.in100(70) ? { missing: "ok" } : {};
  return { name, enforcement: chance.in100(75) ? "blocking" : "monitoring", ...rule, ...missing };
}

export function anyState(chance: Chance): Readonly<Record<string, Json>> {
  return Object.fromEntries<Json>([
    ...["n", "m"].filter(() => chance.in100(80)).map((key): [string, Json] => [key, chance.below(3)]),
    ...(chance.in100(70) ? [["list", [1]] as [string, Json]] : []),
    ...(chance.in100(60) ? [["flag", chance.in100(10)] as [string, Json]] : []),
    ...(chance.in100(60) ? [["note", "x"] as [string, Json]] : []),
    ...(chance.in100(50) ? [["ok", chance.in100(70)] as [string, Json]] : []),
    ...(chance.in100(40) ? [["q", anyValue(chance)] as [string, Json]] : []),
  ]);
}

/** Parts of a run that commands refer to. */
export interface Past {
  readonly version: number;
  readonly steps: readonly string[];
  readonly reservations: readonly string[];
}

function tameEffect(chance: Chance): GivenEffect {
  return chance.pick<() => GivenEffect>([
    () => ({ key: "n", op: "increment", value: 1 }),
    () => ({ key: "m", op: "increment", value: 1 }),
    () => ({ key: "n", op: "decrement", value: 1 }),
    () => ({ key: chance.pick(["n", "m"]), op: "increment", value: 0 }),
    () => ({ key: "q", op: "set", value: chance.below(4) }),
    () => ({ key: `x${chance.below(4)}`, op: "set", value: chance.below(4) }),
    () => ({ key: `x${chance.below(4)}`, op: "set", value: "z" }),
    () => ({ key: "list", op: "append", value: chance.below(3) }),
    () => ({ key: "list", op: "remove", value: chance.below(3) }),
    () => ({ key: "note", op: "set", value: "y" }),
    () => ({ key: "list", op: "set", value: [2, 1, 2] }),
    () => ({ key: "m", op: "multiply", value: 0.5 }),
    () => ({ key: "q", op: "delete" }),
    () => ({ key: "n", op: "increment", value: 3 }),
    () => ({ key: "n", op: "decrement", value: 4 }),
    () => ({ key: "flag", op: "set", value: true }),
  ])();
}

function wildEffect(chance: Chance): GivenEffect {
  const op = chance.pick(["set", "set", "increment", "decrement", "multiply", "append", "remove", "delete"]);
  return { key: chance.pick(keys), op, ...(op === "delete" ? {} : { value: anyValue(chance) }) };
}

function anyAction(chance: Chance, policy: GivenPolicy, { version }: Past): GivenAction {
  const tame = chance.in100(70);
  const effects = Array.from({ length: chance.below(tame ? 3 : 4) }, () =>
    tame ? tameEffect(chance) : wildEffect(chance),
  );
  const cost: Record<string, string> = {};
  for (const { name } of policy.budgets) {
    if (chance.in100(60)) cost[name] = chance.pick(["0", "1", "1", "2", "0.5", "5", "2", "1", "-1"]);
  }
  return {
    id: chance.pick(["a", "b"]),
    effects,
    ...(policy.budgets.length > 0 && chance.in100(80) ? { cost } : {}),
    ...(chance.in100(15) ? { reads: Math.max(0, version - chance.below(2)) } : {}),
    ...(chance.in100(40) ? { tool: chance.pick(["t", "u"]) } : {}),
    ...(chance.in100(20) ? { undo: anyValue(chance) } : {}),
    ...(chance.in100(10) ? { args: anyValue(chance) } : {}),
    ...(chance.in100(10) ? { origin: anyValue(chance) } : {}),
  };
}

/** Mostly a key that grants may set. */
function grantedKey(chance: Chance, policy: GivenPolicy): string {
  const gates = policy.rules.filter(({ rule }) => rule === "approvalGate").map(({ key }) => String(key));
  const granted = [...policy.protected, ...gates];
  return granted.length > 0 && chance.in100(75) ? chance.pick(granted) : chance.pick(keys);
}

const noHash = "0".repeat(64);

export function anyCommand(chance: Chance, policy: GivenPolicy, past: Past): GivenCommand {
  const step = () =>
    past.steps.length > 0 && chance.in100(92)
      ? chance.pick(past.steps.slice(-4))
      : `s${1 + chance.below(3)}-${noHash}`;
  const reservation = () =>
    past.reservations.length > 0 && chance.in100(92)
      ? chance.pick(past.reservations.slice(-4))
      : chance.pick([
          `r2-${noHash}`,
          "nothing",
          `${past.reservations.at(-1)?.split("-")[0] ?? "r2"}-${noHash}`,
        ]);
  const action = (): Json => anyAction(chance, policy, past) as unknown as Json;
  // The same action again and again, but for its origin: keys are for that.
  const repeated = (): Json => ({
    id: chance.in100(10) ? "halt" : "c",
    ...(chance.in100(50) ? { origin: chance.below(3) } : {}),
    ...(chance.in100(25) ? { args: chance.below(2) } : {}),
  });
  const isLenient = policy.rules.length === 0 && policy.undoSteps >= 4;
  switch (isLenient && chance.in100(40) ? 6 : chance.below(20)) {
    case 0:
    case 1:
    case 2:
      return {
        kind: "reserve",
        input: chance.in100(20)
          ? { action: repeated(), key: "k3" }
          : { action: action(), ...(chance.in100(50) ? { key: chance.pick(["k1", "k2"]) } : {}) },
      };
    case 3:
    case 4: {
      const named = policy.budgets.filter(() => chance.in100(50)).map(({ name }) => name);
      const cost = Object.fromEntries(named.map((name) => [name, chance.pick(["0", "1", "2"])]));
      return {
        kind: "settle",
        input: {
          receipt: reservation(),
          ...(chance.in100(50) && policy.budgets.length > 0 ? { cost } : {}),
          ...(chance.in100(25) ? { drop: true } : {}),
        },
      };
    }
    case 5:
      return { kind: "release", input: { receipt: reservation(), reason: "no" } };
    case 6:
    case 7:
    case 13:
      return {
        kind: "rollback",
        input: chance.in100(50) ? { from: step() } : { from: step(), to: step() },
      };
    case 8:
      return { kind: "grant", input: { key: grantedKey(chance, policy), value: anyValue(chance) } };
    case 9: {
      const own = policy.probes[0]?.keys ?? [];
      const named = [
        ...own.filter(() => chance.in100(70)),
        ...chance.some(keys, 0, 1).filter(() => chance.in100(20)),
      ];
      return {
        kind: "observe",
        input: {
          probe: chance.in100(90) ? "p" : "none",
          values: Object.fromEntries(
            named.map((key) => [key, key === "n" && chance.in100(80) ? chance.below(5) : anyValue(chance)]),
          ),
          take: chance.in100(60),
        },
      };
    }
    case 10:
      return { kind: chance.in100(25) ? "stop" : "resume", input: { reason: "because" } };
    case 11: {
      const [first] = policy.budgets;
      return {
        kind: "execute",
        input: {
          action: {
            id: "halt",
            ...(chance.in100(10) ? { effects: [{ key: "n", op: "set", value: 1 }] } : {}),
            ...(chance.in100(10) && first !== undefined ? { cost: { [first.name]: "1" } } : {}),
          },
        },
      };
    }
    case 12:
      return { kind: chance.pick(["execute", "settle", "rollback"]), input: { nonsense: 1 } };
    default:
      return { kind: "execute", input: { action: action() } };
  }
}
