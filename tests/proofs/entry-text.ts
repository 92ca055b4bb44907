/** Compares the text of an entry with the model: the numbers that an entry holds are those of the model's states. */
import type { KernelState } from "../../src/kernel/index.ts";
import type { GivenPolicy } from "./command-text.ts";
import { exact, quanta, type Tree } from "./model.ts";

interface EntryJson {
  readonly seq: number;
  readonly prev: string;
  readonly time: number;
  readonly kind: string;
  readonly verdict: string;
  readonly cost: Readonly<Record<string, string>>;
  readonly checks: readonly (string | { readonly check: string; readonly result: string })[];
  readonly budgets: Readonly<
    Record<string, Readonly<Record<"gross" | "net" | "reserved" | "spent", string>>>
  >;
  readonly version: { readonly before: number; readonly after: number };
}

const numberIn = (tree: Tree | undefined): bigint => {
  const text = String(tree);
  return text.startsWith("-") ? -BigInt(`0b${text.slice(1)}`) : BigInt(`0b${text}`);
};

/** Names the first part of an entry that differs from the model's answer; undefined if there is none. */
export function entryProblem(
  text: string,
  answer: readonly Tree[],
  before: Pick<KernelState, "head" | "version">,
  given: Pick<GivenPolicy, "budgets">,
): string | undefined {
  const entry: EntryJson = JSON.parse(text);
  const [kind, allowed, checks, cost, , , state] = answer as [
    Tree,
    Tree,
    Tree[][],
    Tree[],
    Tree,
    Tree,
    Tree[],
  ];
  const [seq, , time, version, , budgets] = state as [Tree, Tree, Tree, Tree, Tree, Tree[][]];
  if (entry.kind !== kind) return `entry: kind ${entry.kind}`;
  if ((entry.verdict === "allowed") !== (allowed === "1")) return `entry: verdict ${entry.verdict}`;
  if (BigInt(entry.seq) !== numberIn(seq)) return `entry: seq ${entry.seq}`;
  if (entry.prev !== before.head) return `entry: prev ${entry.prev}`;
  if (BigInt(entry.time) !== numberIn(time)) return `entry: time ${entry.time}`;
  if (entry.version.before !== before.version || BigInt(entry.version.after) !== numberIn(version)) {
    return `entry: version ${JSON.stringify(entry.version)}`;
  }
  const names = entry.checks.map((one) => (typeof one === "string" ? [one, "ok"] : [one.check, one.result]));
  const modelled = checks.map(([name, result]) => [String(name), String(result?.[0])]);
  if (JSON.stringify(names) !== JSON.stringify(modelled)) return `entry: checks ${JSON.stringify(names)}`;
  for (const [i, budget] of given.budgets.entries()) {
    const size = exact(budget.quantum ?? "0.000001");
    const units = (amount: string | undefined) => quanta(amount ?? "-1", size);
    if (units(entry.cost[budget.name]) !== numberIn(cost[i])) return `entry: cost of ${budget.name}`;
    const [gross = "0", refunded = "0", spent = "0", reserved = "0", window = "0"] = budgets[i] ?? [];
    const now = budget.windowMs === undefined ? 0n : numberIn(time) / BigInt(budget.windowMs);
    const wanted = {
      gross: numberIn(gross),
      net: numberIn(gross) - numberIn(refunded),
      reserved: numberIn(reserved),
      spent: now === numberIn(window) ? numberIn(spent) : 0n,
    };
    const told = entry.budgets[budget.name];
    for (const name of ["gross", "net", "reserved", "spent"] as const) {
      if (units(told?.[name]) !== wanted[name]) return `entry: ${name} of ${budget.name} is ${told?.[name]}`;
    }
  }
  return undefined;
}
