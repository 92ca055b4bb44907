/** Policies and commands for the model, made from the input of the kernel and not from what its decoders made of it. */
import {
  atom,
  type Exact,
  exact,
  flag,
  items,
  jsonValue,
  number,
  optional,
  quanta,
  receipt,
  whole,
} from "./model.ts";

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

export interface GivenEffect {
  readonly key: string;
  readonly op: string;
  readonly value?: Json;
}

export interface GivenAction {
  readonly id: string;
  readonly tool?: string;
  readonly args?: Json;
  readonly effects?: readonly GivenEffect[];
  readonly cost?: Readonly<Record<string, string>>;
  readonly reads?: number;
  readonly undo?: Json;
  readonly origin?: Json;
}

export interface GivenBudget {
  readonly name: string;
  readonly limit: string;
  readonly quantum?: string;
  readonly within?: string;
  readonly windowMs?: number;
  readonly minCost?: string;
}

export type GivenRule = {
  readonly name: string;
  readonly enforcement: string;
  readonly rule: string;
} & Readonly<Record<string, Json>>;

export interface GivenPolicy {
  readonly budgets: readonly GivenBudget[];
  readonly rules: readonly GivenRule[];
  readonly emergencies: readonly { id: string; effects: readonly GivenEffect[]; cap: number }[];
  readonly protected: readonly string[];
  readonly probes: readonly { name: string; keys: readonly string[]; threshold?: number | string }[];
  readonly undoSteps: number;
  readonly maxSteps?: number;
}

export interface GivenCommand {
  readonly kind:
    | "execute"
    | "reserve"
    | "settle"
    | "release"
    | "rollback"
    | "grant"
    | "observe"
    | "stop"
    | "resume";
  readonly input: Readonly<Record<string, Json>>;
}

export type { Json };

const quantumOf = ({ quantum = "0.000001" }: GivenBudget): Exact => exact(quantum);

export function policyText(policy: GivenPolicy, keepsKind = true): string {
  const at = (name: string) => policy.budgets.findIndex((budget) => budget.name === name);
  const around = ({ within }: GivenBudget): number[] => {
    const outer = within === undefined ? undefined : policy.budgets[at(within)];
    return outer === undefined ? [] : [at(outer.name), ...around(outer)];
  };
  const amount = (budget: GivenBudget, text: string) => {
    const units = quanta(text, quantumOf(budget));
    if (units === undefined) throw new TypeError(`${text} is no amount of ${budget.name}`);
    return whole(units);
  };
  return items(
    items(
      ...policy.budgets.map((budget) =>
        items(
          atom(budget.name),
          amount(budget, budget.limit),
          amount(budget, budget.minCost ?? "0"),
          optional(budget.windowMs, whole),
          items(...around(budget).map(atom)),
        ),
      ),
    ),
    optional(policy.maxSteps, whole),
    items(
      ...policy.rules.map((rule) =>
        items(
          atom(rule.name),
          flag(rule.enforcement === "blocking"),
          flag(rule.missing === "ok"),
          ruleText(rule, keepsKind),
        ),
      ),
    ),
    items(
      ...policy.emergencies.map(({ id, effects, cap }) =>
        items(atom(id), items(...effects.map(effectText)), whole(cap)),
      ),
    ),
    items(...policy.protected.map(atom)),
    items(
      ...policy.probes.map(({ name, keys, threshold = 0 }) =>
        items(atom(name), items(...keys.map(atom)), number(exact(threshold))),
      ),
    ),
    whole(policy.undoSteps),
  );
}

/** Names of the rules that the model has. */
export const modelledRules: ReadonlySet<string> = new Set([
  "rateLimit",
  "ceiling",
  "range",
  "requiredKeys",
  "readOnly",
  "noDelete",
  "allowedValues",
  "monotoneIncreasing",
  "monotoneDecreasing",
  "listLength",
  "noDuplicates",
  "stringLength",
  "approvalGate",
  "terminalFlag",
  "timeWindow",
]);

function ruleText(rule: GivenRule, keepsKind: boolean): string {
  const key = () => atom(String(rule.key));
  const keys = () => items(...(rule.keys as string[]).map(atom));
  const bound = (name: string) => number(exact(rule[name] as string | number));
  const count = (name: string) => whole(Number(rule[name]));
  switch (rule.rule) {
    case "rateLimit":
    case "ceiling":
      return items(atom(rule.rule), key(), bound("max"));
    case "range":
      return items(atom("range"), key(), bound("min"), bound("max"));
    case "requiredKeys":
    case "readOnly":
      return items(atom(rule.rule), keys());
    case "noDelete":
      return items(atom("noDelete"), flag(keepsKind), keys());
    case "allowedValues":
      return items(atom("allowedValues"), key(), items(...(rule.values as Json[]).map(jsonValue)));
    case "listLength":
    case "stringLength":
      return items(atom(rule.rule), key(), count("max"));
    case "timeWindow":
      return items(atom("timeWindow"), count("max"), count("windowMs"));
    default:
      return items(atom(rule.rule), key());
  }
}

function effectText({ key, op, value }: GivenEffect): string {
  return items(atom(key), atom(op), optional(value, jsonValue));
}

/** Units of each budget; undefined if the cost cannot be read. */
function costText(
  cost: Readonly<Record<string, string>> | undefined,
  { budgets }: GivenPolicy,
): string | undefined {
  const units = budgets.map((budget) => quanta(cost?.[budget.name] ?? "0", quantumOf(budget)));
  const stray = Object.keys(cost ?? {}).some((name) => !budgets.some((budget) => budget.name === name));
  if (stray || units.includes(undefined)) return undefined;
  return items(...units.map((one) => whole(one ?? 0n)));
}

function actionText(action: GivenAction, policy: GivenPolicy): string | undefined {
  const cost = costText(action.cost, policy);
  if (cost === undefined) return undefined;
  return items(
    atom(action.id),
    optional(action.tool, atom),
    optional(action.args, jsonValue),
    items(...(action.effects ?? []).map(effectText)),
    cost,
    optional(action.reads, whole),
    optional(action.undo, jsonValue),
  );
}

const malformed = items(atom("malformed"), atom("shape"));

/** A command for the model; a malformed one where the kernel must not understand the input. */
export function commandText({ kind, input }: GivenCommand, policy: GivenPolicy): string {
  if ("nonsense" in input) return malformed;
  switch (kind) {
    case "execute":
    case "reserve": {
      const action = actionText(input.action as unknown as GivenAction, policy);
      if (action === undefined) return malformed;
      if (kind === "execute") return items(atom(kind), action);
      return items(atom(kind), action, optional(input.key as string | undefined, atom));
    }
    case "settle": {
      if (input.cost === undefined)
        return items(atom(kind), receipt(input.receipt), items(), flag(input.drop === true));
      const cost = costText(input.cost as Record<string, string>, policy);
      if (cost === undefined) return malformed;
      return items(atom(kind), receipt(input.receipt), items(cost), flag(input.drop === true));
    }
    case "release":
      return items(atom(kind), receipt(input.receipt));
    case "rollback":
      return items(atom(kind), receipt(input.from), receipt(input.to ?? input.from));
    case "grant":
      return items(atom(kind), atom(String(input.key)), jsonValue(input.value));
    case "observe":
      return items(
        atom(kind),
        atom(String(input.probe)),
        items(
          ...Object.entries(input.values as object).map(([key, value]) => items(atom(key), jsonValue(value))),
        ),
        flag(input.take === true),
      );
    case "stop":
    case "resume":
      return items(atom(kind), atom(String(input.reason)));
  }
}
