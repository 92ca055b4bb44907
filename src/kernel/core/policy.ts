/**
 * The policy: which budgets, limits, rules and emergency actions judge the steps. It is data, it is in the first entry
 * of the trace, and its digest is in every one. An unknown rule, field or word is refused.
 * Part of what must be trusted.
 */
import { compare, isRecord, list, type Num, ratio, record, type Value } from "../../ir/index.ts";
import { sha256 } from "../digest.ts";
import { limits } from "../limits.ts";
import { type Decoded, decoded, refuse } from "../problem.ts";
import type { Part } from "../reasons.ts";
import { readyRules } from "../rules/index.ts";
import { publicKeyOf } from "../signature.ts";
import { canonicalText } from "../values/canonical.ts";
import { nameOf, readValue } from "../values/decode.ts";
import { Fields } from "../values/fields.ts";
import { amountText, quantumOf, readAmount, unitsOf } from "../values/units.ts";
import { effectOf, effectValue, operationOf, type Tariff } from "./action.ts";
import type { BudgetPolicy } from "./budget.ts";
import type { Effect } from "./effects.ts";
import { expressionRule } from "./expression.ts";
import { type FunctionInvariant, functionRule } from "./function.ts";
import { digestOfFunction, functionsOf, readFunction, type StandIn } from "./functions.ts";
import { checkNames, enforcements, type Gated, type Invariant, invariant, isGate } from "./invariant.ts";
import { checkLease, type PrincipalPolicy } from "./principal.ts";
import { principalsValue, readPrincipals } from "./principals.ts";

export interface Policy extends Tariff {
  /** All of it as data; reading it again gives the same policy, but for its functions. */
  readonly body: Value;
  readonly digest: string;
  /** T2: at most so many steps, ever. */
  readonly maxSteps: number | undefined;
  readonly invariants: readonly Invariant[];
  readonly emergencies: ReadonlyMap<string, Emergency>;
  readonly protects: ReadonlySet<string>;
  readonly counters: ReadonlySet<string>;
  readonly probes: ReadonlyMap<string, Probe>;
  /** The invariants that ask for attestations. */
  readonly gates: readonly Gated[];
  readonly undoSteps: number;
  readonly windowSteps: number;
  readonly hasFunctions: boolean;
  /** True if Unicode tables may decide a rule; entries then name their version. */
  readonly restsOnTables: boolean;
  /** The same since the fourth form, in which rules on texts have tables of our own. */
  readonly restsOnNode: boolean;
  /** Undefined if the policy declares none: then everybody is welcome, and `local` is the operator. */
  readonly principals: ReadonlyMap<string, PrincipalPolicy> | undefined;
  /** The largest jump of the clock that is believed. */
  readonly maxJumpMs: number;
  /** Steps after which a warning stands in the checks. */
  readonly warnSteps: number | undefined;
  /** Lease of reservations for which the caller names none. */
  readonly leaseMs: number | undefined;
  /** Keys that sign checkpoints of the trace from here on, and how many of them must. */
  readonly signers: Signers | undefined;
  /** Reads another policy with the same functions; throws `Refused`. */
  readonly amended: (value: Value) => Policy;
}

export interface Signers {
  /** Ed25519, in PEM, each once. */
  readonly keys: readonly string[];
  readonly quorum: number;
}

/** Costs nothing and sets what is declared here, whatever the state: so it can always be done. */
export interface Emergency {
  readonly id: string;
  readonly effects: readonly Effect[];
  readonly cap: number;
}

/** Keys that are compared with the world. */
export interface Probe {
  readonly name: string;
  readonly keys: readonly string[];
  /** Tolerance of a numeric comparison. */
  readonly threshold: Num;
}

/** Reads a policy from anything; functions come apart, because they are no data. */
export function decodePolicy(
  input: unknown,
  functions: readonly FunctionInvariant[] = [],
  standIn: StandIn = functionRule,
): Decoded<Policy> {
  if (isDecoded(input)) return { ok: true, value: input };
  return decoded(() => {
    const given = checkedPolicy(input, functions, standIn);
    kept.set(given, checkedPolicy(input, functions, standIn));
    return given;
  });
}

/**
 * The policy for a kernel, from anything.
 * SOUNDNESS: of one that was decoded before, the kernel takes a copy that nobody else has: its maps and sets can be changed by
 * their holder, and its digest would still be the old one.
 */
export function policyForKernel(
  input: unknown,
  functions: readonly FunctionInvariant[] = [],
): Decoded<Policy> {
  const own = isDecoded(input) ? kept.get(input) : undefined;
  if (own !== undefined) return { ok: true, value: own };
  return decoded(() => checkedPolicy(input, functions, functionRule));
}

/** From the body that a policy was written with. */
export function policyOfBody(
  body: Value,
  functions: readonly FunctionInvariant[],
  standIn: StandIn = functionRule,
): Decoded<Policy> {
  return decoded(() => Object.freeze(readPolicy(body, functions, standIn)));
}

function checkedPolicy(input: unknown, functions: readonly FunctionInvariant[], standIn: StandIn): Policy {
  const policy = readPolicy(orderedBudgets(readValue(input)), functions, standIn);
  for (const { rule } of policy.invariants) rule.objection?.();
  return Object.freeze(policy);
}

/** A second copy of each policy that was handed out. */
const kept = new WeakMap<Policy, Policy>();

function isDecoded(input: unknown): input is Policy {
  // SAFETY: only policies are in there.
  return typeof input === "object" && input !== null && kept.has(input as Policy);
}

/** Fields of an object have an order that its canonical text has not, so named budgets become a list. */
function orderedBudgets(value: Value): Value {
  if (!isRecord(value)) return value;
  const { budgets } = value.fields;
  if (budgets === undefined || !isRecord(budgets)) return value;
  const named = Object.entries(budgets.fields).map(([name, budget]) =>
    record(
      isRecord(budget)
        ? [...Object.entries(budget.fields), ["name", name]]
        : [
            ["name", name],
            ["limit", budget],
          ],
    ),
  );
  return record([...Object.entries(value.fields), ["budgets", list(named)]]);
}

function readPolicy(value: Value, fromCaller: readonly FunctionInvariant[], standIn: StandIn): Policy {
  const functions = fromCaller.map(readFunction);
  const fields = new Fields(value, "policy");
  const given = fields.optionalList("budgets").map(readBudget);
  const budgets = withMinCost(nested(given), fields.optional("minCost"));
  const rules = fields.optionalList("rules");
  if (rules.length + functions.length > limits.rules)
    refuse("too many of", { what: "rules", most: limits.rules });
  const invariants = [
    ...rules.map((rule) => readRule(rule, budgets)),
    ...functions.map((one) => invariant(one.name, one.enforcement, standIn(one))),
  ];
  checkNames(
    invariants.map(({ name }) => name),
    "rules",
  );
  const emergencies = fields.optionalList("emergencies").map(readEmergency);
  if (emergencies.length > limits.emergencies)
    refuse("too many of", { what: "emergency actions", most: limits.emergencies });
  checkNames(
    emergencies.map(({ id }) => id),
    "emergency actions",
  );
  const protects = fields.optionalList("protected").map((key) => nameOf(key, "protected key"));
  const probes = fields.optionalList("probes").map(readProbe);
  checkNames(
    probes.map(({ name }) => name),
    "probes",
  );
  const maxSteps = fields.optionalCount("maxSteps");
  const undoSteps = fields.optionalCount("undoSteps") ?? 1_000;
  if (undoSteps > limits.undoSteps) refuse("is above", { field: "undoSteps", most: limits.undoSteps });
  const digests = checkFunctions(fields.optional("functions"), functionsOf(value), functions);
  const principals = readPrincipals(fields.optional("principals"), fields, budgets);
  const maxJumpMs = fields.optionalCount("maxJumpMs");
  const warnSteps = fields.optionalCount("warnSteps");
  const leaseMs = fields.optionalCount("leaseMs");
  if (leaseMs !== undefined) checkLease(leaseMs);
  const signers = readSigners(fields.optional("checkpoints"));
  fields.end();
  const body = policyBody({
    budgets,
    given,
    rules,
    functions,
    digests,
    emergencies,
    protects,
    probes,
    maxSteps,
    undoSteps,
    principals,
    maxJumpMs,
    warnSteps,
    leaseMs,
    signers,
  });
  const ruleParts = invariants.map(({ rule }) => rule);
  return {
    body,
    digest: sha256(canonicalText(body)),
    budgets,
    maxSteps: stepLimit(budgets, maxSteps),
    invariants,
    emergencies: new Map(emergencies.map((one) => [one.id, one])),
    protects: new Set([...protects, ...ruleParts.flatMap((rule) => rule.protects ?? [])]),
    counters: new Set(ruleParts.flatMap((rule) => rule.counters ?? [])),
    probes: new Map(probes.map((one) => [one.name, one])),
    gates: invariants.filter(isGate),
    undoSteps,
    windowSteps: Math.max(0, ...ruleParts.map((rule) => rule.windowSteps ?? 0)),
    hasFunctions: functions.length > 0,
    restsOnTables: ruleParts.some((rule) => rule.restsOnTables !== undefined),
    restsOnNode: ruleParts.some((rule) => rule.restsOnTables !== undefined && rule.ownTables !== true),
    principals: principals && new Map(principals.map((one) => [one.name, one])),
    maxJumpMs: maxJumpMs ?? limits.jumpMs,
    warnSteps,
    leaseMs,
    signers,
    amended: (other) => {
      const policy = readPolicy(orderedBudgets(other), fromCaller, standIn);
      for (const { rule } of policy.invariants) rule.objection?.();
      return Object.freeze(policy);
    },
  };
}

/**
 * The digests of functions as the policy holds them. SOUNDNESS: another function of the same name would decide otherwise than
 * the one of the kernel, and its entries would break the ledger for everyone else.
 */
function checkFunctions(
  written: Value | undefined,
  named: readonly FunctionInvariant[],
  functions: readonly FunctionInvariant[],
): readonly (string | undefined)[] {
  const digestOf = (one: FunctionInvariant) => one.digest ?? digestOfFunction(one);
  if (written === undefined) return functions.map(digestOf);
  if (named.map(({ name }) => name).join() !== functions.map(({ name }) => name).join())
    refuse("functions not given");
  return named.map(({ name, digest }, i) => {
    const given = functions[i];
    if (digest === undefined || given === undefined) return digest;
    return digestOf(given) === digest ? digest : refuse("another function", { name });
  });
}

/** ⌊B₀/ε⌋, exactly, for each budget that has a least cost and does not start afresh. */
function stepLimit(budgets: readonly BudgetPolicy[], maxSteps: number | undefined): number | undefined {
  const bounds = budgets
    .filter(({ minCost, windowMs }) => minCost > 0n && windowMs === undefined)
    .map(({ limit, minCost }) => limit / minCost);
  if (bounds.length === 0) return maxSteps;
  // Counts of steps are JavaScript's numbers: a bound beyond the greatest safe one is that one, and never none.
  const most = BigInt(maxSteps ?? Number.MAX_SAFE_INTEGER);
  return Number(bounds.reduce((a, b) => (a < b ? a : b), most));
}

// ── budgets ──────────────────────────────────────────────────────────────────────────────────────────────

interface GivenBudget extends Omit<BudgetPolicy, "around"> {
  readonly within?: string;
}

const defaultQuantum = ratio(1n, 1_000_000n);

function readBudget(value: Value): GivenBudget {
  const fields = new Fields(value, "budget");
  const name = fields.name("name");
  const what: Part = ["the budget", name];
  const given = fields.optional("quantum");
  const size = given === undefined ? defaultQuantum : readAmount(given, ["quantum", what]);
  const quantum = quantumOf(size, ["quantum", what]);
  const limit = unitsOf(fields.required("limit"), quantum, ["limit", what]);
  const gross = fields.optional("maxGross");
  const maxGross = gross === undefined ? undefined : unitsOf(gross, quantum, ["maxGross", what]);
  const soft = fields.optional("warnAt");
  const warnAt = soft === undefined ? undefined : unitsOf(soft, quantum, ["warnAt", what]);
  const least = fields.optional("minCost");
  const minCost = least === undefined ? 0n : unitsOf(least, quantum, ["minCost", what]);
  const within = fields.optionalName("within");
  const windowMs = fields.optionalCount("windowMs");
  if (windowMs === 0) refuse("is empty", { what: ["window", what] });
  fields.end();
  return {
    name,
    costPart: ["the cost", name],
    limit,
    quantum,
    minCost,
    ...(within === undefined ? {} : { within }),
    ...(windowMs === undefined ? {} : { windowMs }),
    ...(maxGross === undefined ? {} : { maxGross }),
    ...(warnAt === undefined ? {} : { warnAt }),
  };
}

function nested(given: readonly GivenBudget[]): BudgetPolicy[] {
  if (given.length > limits.budgets) refuse("too many of", { what: "budgets", most: limits.budgets });
  checkNames(
    given.map(({ name }) => name),
    "budgets",
  );
  return given.map((budget) => {
    const around: number[] = [];
    for (let outer = budget.within; outer !== undefined; ) {
      const at = given.findIndex(({ name }) => name === outer);
      const found = given[at];
      if (found === undefined) return refuse("no budget around", { budget: budget.name, within: outer });
      if (around.includes(at) || found === budget) refuse("within itself", { budget: budget.name });
      // One unit must be the same amount everywhere that it is charged.
      if (compare(found.quantum.size, budget.quantum.size) !== 0) {
        refuse("different quanta", { budget: budget.name, within: outer });
      }
      around.push(at);
      outer = found.within;
    }
    const { within: _, ...rest } = budget;
    return { ...rest, around };
  });
}

/** The least cost of steps may be said once for the first budget, or for several by name. */
function withMinCost(budgets: readonly BudgetPolicy[], value: Value | undefined): BudgetPolicy[] {
  if (value === undefined) return [...budgets];
  const named = isRecord(value) ? Object.entries(value.fields) : [[budgets[0]?.name ?? "", value] as const];
  const result = [...budgets];
  for (const [name, amount] of named) {
    const at = result.findIndex((budget) => budget.name === name);
    const budget = result[at];
    if (budget === undefined) return refuse("least cost of no budget", { budget: name });
    result[at] = {
      ...budget,
      minCost: unitsOf(amount, budget.quantum, "min cost"),
    };
  }
  return result;
}

// ── rules, emergency actions, probes ─────────────────────────────────────────────────────────────────────

function readRule(value: Value, budgets: readonly BudgetPolicy[]): Invariant {
  const name = new Fields(value, "rule").name("name");
  const fields = new Fields(value, ["the rule", name]);
  fields.optional("name");
  const enforcement = fields.oneOf("enforcement", enforcements);
  const when = fields.optional("when");
  const ready = fields.optionalName("rule");
  if ((when === undefined) === (ready === undefined)) {
    return refuse("rule or when", { rule: name });
  }
  if (ready === undefined) {
    fields.end();
    if (typeof when !== "string")
      return refuse("not a text", { what: ["field", "when", ["the rule", name]] });
    return invariant(name, enforcement, expressionRule(when, budgets));
  }
  const read = readyRules.get(ready);
  if (read === undefined) return refuse("no such rule", { rule: ready });
  const missing =
    fields.optional("missing") === undefined ? "violation" : fields.oneOf("missing", ["violation", "ok"]);
  const rule = read(fields, missing);
  fields.end();
  return invariant(name, enforcement, rule);
}

function readSigners(value: Value | undefined): Signers | undefined {
  if (value === undefined) return undefined;
  const what: Part = ["field", "checkpoints", "policy"];
  const fields = new Fields(value, what);
  const keys = fields.list("keys").map((key) => {
    if (typeof key === "string" && publicKeyOf(key) !== undefined) return key;
    return refuse("not a public key", { what: ["item", what] });
  });
  const quorum = fields.optionalCount("quorum") ?? 1;
  fields.end();
  if (keys.length > limits.principals) refuse("is above", { field: "checkpoints", most: limits.principals });
  const isKnown = new Set(keys).size === keys.length;
  if (!isKnown || quorum < 1 || quorum > keys.length) refuse("quorum of keys", { keys: keys.length });
  return Object.freeze({ keys: Object.freeze(keys), quorum });
}

function readEmergency(value: Value): Emergency {
  const fields = new Fields(value, "emergency");
  const id = fields.name("id");
  const effects = Object.freeze(fields.optionalList("effects").map(readEffect));
  if (effects.some(({ op }) => op !== "set")) {
    refuse("may only set", { id });
  }
  const cap = fields.optionalCount("cap") ?? 100;
  fields.end();
  return { id, effects, cap };
}

function readEffect(value: Value): Effect {
  const fields = new Fields(value, "effect");
  const effect = effectOf(fields.name("key"), operationOf(fields.required("op")), fields.optional("value"));
  fields.end();
  return Object.freeze(effect);
}

function readProbe(value: Value): Probe {
  const fields = new Fields(value, "probe");
  const name = fields.name("name");
  const keys = fields.names("keys");
  const given = fields.optional("threshold");
  const threshold = given === undefined ? 0n : readAmount(given, "threshold");
  if (compare(threshold, 0n) < 0) refuse("is negative", { what: "threshold" });
  fields.end();
  return { name, keys, threshold };
}

// ── the policy as data ───────────────────────────────────────────────────────────────────────────────────

interface Parts {
  readonly budgets: readonly BudgetPolicy[];
  readonly given: readonly GivenBudget[];
  readonly rules: readonly Value[];
  readonly functions: readonly FunctionInvariant[];
  readonly emergencies: readonly Emergency[];
  readonly protects: readonly string[];
  readonly probes: readonly Probe[];
  readonly maxSteps: number | undefined;
  readonly undoSteps: number;
  readonly digests: readonly (string | undefined)[];
  readonly principals: readonly PrincipalPolicy[] | undefined;
  readonly maxJumpMs: number | undefined;
  readonly warnSteps: number | undefined;
  readonly leaseMs: number | undefined;
  readonly signers: Signers | undefined;
}

function policyBody(parts: Parts): Value {
  const count = (number: number | undefined) => (number === undefined ? undefined : BigInt(number));
  return fieldsValue({
    budgets: list(
      parts.budgets.map(({ name, limit, quantum, minCost, windowMs, maxGross, warnAt }, i) =>
        fieldsValue({
          maxGross: maxGross === undefined ? undefined : amountText(maxGross, quantum),
          warnAt: warnAt === undefined ? undefined : amountText(warnAt, quantum),
          name,
          limit: amountText(limit, quantum),
          quantum: amountText(1n, quantum),
          minCost: minCost === 0n ? undefined : amountText(minCost, quantum),
          within: parts.given[i]?.within,
          windowMs: count(windowMs),
        }),
      ),
    ),
    rules: list(parts.rules),
    functions: list(
      parts.functions.map(({ name, enforcement, version, over }, i) =>
        fieldsValue({ name, enforcement, version, over: over ?? "state", digest: parts.digests[i] }),
      ),
    ),
    emergencies: list(
      parts.emergencies.map(({ id, effects, cap }) =>
        fieldsValue({ id, effects: list(effects.map(effectValue)), cap: count(cap) }),
      ),
    ),
    protected: list(parts.protects),
    probes: list(
      parts.probes.map(({ name, keys, threshold }) => fieldsValue({ name, keys: list(keys), threshold })),
    ),
    maxSteps: count(parts.maxSteps),
    undoSteps: count(parts.undoSteps),
    // Fields that later forms brought are there only if they are given, so that earlier policies keep their digest.
    principals: principalsValue(parts.principals, parts.budgets),
    maxJumpMs: count(parts.maxJumpMs),
    warnSteps: count(parts.warnSteps),
    leaseMs: count(parts.leaseMs),
    checkpoints:
      parts.signers === undefined
        ? undefined
        : fieldsValue({ keys: list(parts.signers.keys), quorum: BigInt(parts.signers.quorum) }),
  });
}

/** A record without the fields that are absent. */
export function fieldsValue(fields: Readonly<Record<string, Value | undefined>>): Value {
  const there: [string, Value][] = [];
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) there.push([name, value]);
  return record(there);
}
