/** Makes a kernel: the budgets, rules and state that a command line names, in a ledger that has no such kernel. */

import { isJsonArray, type Json, ok, type Result, readJson } from "../../ir/index.ts";
import {
  type Arg,
  Kernel,
  type KernelOptions,
  type Log,
  MemoryLog,
  type Problem,
  type Status,
} from "../../kernel/index.ts";
import type { Ledger } from "../../ledger/index.ts";
import { type Failure, plainFailure } from "../failure.ts";
import type { Clock, FileSystem } from "../files/port.ts";
import { loadJson } from "../load/documents.ts";
import { type KeyFiles, keyPathOf, keysAt } from "./keys.ts";
import { type Address, addressOf, firstBytes, type KernelChoice, withLedger } from "./open.ts";
export interface KernelInitOptions extends KernelChoice {
  readonly budget?: readonly string[];
  readonly minCost?: readonly string[];
  readonly maxSteps?: number;
  readonly state?: string;
  readonly rules?: string;
  readonly principals?: string;
  readonly emergency?: readonly string[];
  readonly key?: string;
}

export interface MadeKernel {
  readonly status: Status;
  readonly rules: number;
  readonly keys: KeyFiles | undefined;
}

/** Makes a kernel in a ledger, and keys beside it. A kernel that cannot be made leaves nothing behind. */
export async function makeKernel(
  fs: FileSystem & Clock,
  ledger: string,
  options: KernelInitOptions,
): Promise<Result<MadeKernel, Failure>> {
  const address = addressOf(ledger);
  if (!address.ok) return address;
  const asked = await askedFor(fs, options);
  if (!asked.ok) return asked;
  const { policy, rules } = asked.value;
  const kernel = { policy, state: asked.value.state, name: options.kernel, clock: fs.wallMs };
  // In memory first: what cannot be made leaves nothing behind.
  const tried = await Kernel.open({ ...kernel, ledger: new MemoryLog() });
  if (!tried.ok) return notMade(tried.problem);
  const free = await isFree(fs, address.value, options.kernel);
  if (!free.ok) return free;
  const keyPath = options.key ?? keyPathOf(address.value);
  const keys = keyPath === undefined ? undefined : await keysAt(fs, keyPath);
  if (keys?.ok === false) return keys;
  return withLedger(
    fs,
    address.value,
    async (opened) => {
      const status = await made(opened, kernel);
      if (status === undefined) return alreadyThere(address.value, options.kernel);
      return ok({ status, rules, keys: keys?.value });
    },
    "create",
  );
}

/** Checks that the name is free; a ledger that is not there yet is not made for the sake of looking. */
async function isFree(fs: FileSystem, address: Address, name: string): Promise<Result<true, Failure>> {
  if (address.file !== undefined) {
    const first = await firstBytes(fs, address.file);
    if (!first.ok) return first;
    if (first.value === undefined) return ok(true);
  }
  return withLedger(
    fs,
    address,
    async (ledger) => {
      const [first] = await ledger.read(name, 1, 1);
      return first === undefined ? ok(true) : alreadyThere(address, name);
    },
    "create",
  );
}

function notMade({ message, reason, args }: Problem): Failure {
  const mend = 'give the key with --state, or say `"missing": "ok"` in the rule; ';
  return plainFailure(
    "FC9009",
    message,
    `${reason === "initial state breaks" && isAbsence(args.why) ? mend : ""}nothing was made`,
  );
}

/** Returns true if a rule is broken by a key that is not there. */
function isAbsence(why: Arg | undefined): boolean {
  return typeof why === "object" && why !== null && "reason" in why && why.reason === "absent";
}

function alreadyThere(address: Address, name: string): Failure {
  const help = `see \`foreclaim kernel status ${address.shown}\`, or make another one with --kernel; nothing was changed`;
  return plainFailure("FC9008", `the kernel \`${name}\` is already in \`${address.shown}\``, help);
}

/** Undefined if someone else made it in the meantime. */
async function made(ledger: Ledger, options: Omit<KernelOptions, "ledger">): Promise<Status | undefined> {
  let wasMade = false;
  const watched: Log = {
    read: (name, from, limit) => ledger.read(name, from, limit),
    transact: (name, since, decide) =>
      ledger.transact(name, since, (after) => {
        const entries = decide(after);
        wasMade = entries.length > 0;
        return entries;
      }),
  };
  const opened = await Kernel.open({ ...options, ledger: watched });
  return opened.ok && wasMade ? opened.value.status() : undefined;
}

// ── what was asked for ───────────────────────────────────────────────────────────────────────────────────

interface Asked {
  readonly policy: { readonly [field: string]: unknown };
  readonly state: unknown;
  readonly rules: number;
}

async function askedFor(fs: FileSystem, options: KernelInitOptions): Promise<Result<Asked, Failure>> {
  const budgets = parts(options.budget, "--budget", (name, limit) => ({ name, limit }));
  if (!budgets.ok) return budgets;
  const emergencies = parts(options.emergency, "--emergency", undefined);
  if (!emergencies.ok) return emergencies;
  const minCost = leastCost(options.minCost, budgets.value.length);
  if (!minCost.ok) return minCost;
  const rules = options.rules === undefined ? undefined : await loadJson(fs, options.rules);
  if (rules?.ok === false) return rules;
  if (rules !== undefined && !isJsonArray(rules.value.value)) {
    const help =
      '`[{"name": "few", "enforcement": "blocking", "rule": "rateLimit", "key": "sent", "max": 3}]`';
    return plainFailure("FC9009", `\`${options.rules}\` is not a list of rules`, help);
  }
  const principals = options.principals === undefined ? undefined : await loadJson(fs, options.principals);
  if (principals?.ok === false) return principals;
  const state = options.state === undefined ? undefined : await loadJson(fs, options.state);
  if (state?.ok === false) return state;
  const list = rules?.value.value;
  return ok({
    policy: {
      budgets: budgets.value,
      emergencies: emergencies.value,
      ...(minCost.value === undefined ? {} : { minCost: minCost.value }),
      ...(options.maxSteps === undefined ? {} : { maxSteps: options.maxSteps }),
      ...(list === undefined ? {} : { rules: list }),
      ...(principals === undefined ? {} : { principals: principals.value.value }),
    },
    state: state?.value.value ?? {},
    rules: list !== undefined && isJsonArray(list) ? list.length : 0,
  });
}

/** `usd=10`, an id, or all that can be said of it as JSON. */
function parts(
  given: readonly string[] | undefined,
  option: string,
  pair: ((name: string, value: string) => object) | undefined,
): Result<readonly unknown[], Failure> {
  const read: unknown[] = [];
  for (const text of given ?? []) {
    const json: Json | undefined = text.startsWith("{") ? jsonOf(text) : undefined;
    const [, name, value] = /^([^={}]+)=(.+)$/s.exec(text) ?? [];
    if (json !== undefined) read.push(json);
    else if (text.startsWith("{")) return plainFailure("FC9009", `\`${option} ${text}\` is not JSON`);
    else if (pair === undefined) read.push({ id: text });
    else if (name !== undefined && value !== undefined) read.push(pair(name, value));
    else
      return plainFailure(
        "FC9009",
        `\`${option} ${text}\` is not a name and an amount`,
        `write \`${option} usd=10\``,
      );
  }
  return ok(read);
}

function jsonOf(text: string): Json | undefined {
  const read = readJson(text);
  return read.ok ? read.value.value : undefined;
}

/** One amount for the first budget, or `usd=1` for those that are named. */
function leastCost(given: readonly string[] | undefined, budgets: number): Result<unknown, Failure> {
  if (given === undefined) return ok(undefined);
  if (budgets === 0)
    return plainFailure(
      "FC9009",
      "`--min-cost` is an amount of a budget, and there is none",
      "add one with `--budget usd=10`",
    );
  const [first = ""] = given;
  if (given.length === 1 && !first.includes("=")) return ok(first);
  const named = given.map((text) => /^([^=]+)=(.+)$/s.exec(text));
  if (named.some((match) => match === null)) {
    return plainFailure(
      "FC9009",
      "`--min-cost` is given several times without the names of budgets",
      "write `--min-cost usd=1 --min-cost calls=1`",
    );
  }
  return ok(Object.fromEntries(named.map((match) => [match?.[1] ?? "", match?.[2] ?? ""])));
}
