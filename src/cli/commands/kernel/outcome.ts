/** `kernel rollback` and `kernel resolve`: what becomes of a step or of a reservation, by its receipt. */

import { addressOf, type Failure, type KernelChoice, plainFailure, withKernel } from "../../../app/index.ts";
import { visibleText } from "../../../explain/index.ts";
import { isList, isRecord, type Json, ok, type Result, readJson } from "../../../ir/index.ts";
import { canonicalText, type Kernel, type Outcome } from "../../../kernel/index.ts";
import type { ExitCode } from "../../exit-code.ts";
import type { Host } from "../../host.ts";
import { answered, exitCodeOf, judgedJson, judgedText } from "./render.ts";

export interface RollbackOptions extends KernelChoice {
  readonly to?: string;
}

export interface ResolveOptions extends KernelChoice {
  readonly settle?: boolean;
  readonly release?: string;
  readonly cost?: readonly string[];
  readonly outcome?: string;
  readonly dropEffects?: boolean;
}

export function rollbackStep(
  host: Host,
  ledger: string,
  receipt: string,
  options: RollbackOptions,
): Promise<ExitCode> {
  return decided(host, ledger, "rollback", options, (kernel) =>
    kernel.rollback(receipt, options.to ?? receipt),
  );
}

export async function resolveReservation(
  host: Host,
  ledger: string,
  receipt: string,
  options: ResolveOptions,
): Promise<ExitCode> {
  const how = howToSettle(options);
  if (!how.ok) return answered(host, how, options.json);
  const { release } = options;
  if (release !== undefined)
    return decided(host, ledger, "release", options, (kernel) => kernel.release(receipt, release));
  return decided(host, ledger, "settle", options, (kernel) => kernel.settle(receipt, how.value));
}

async function decided(
  host: Host,
  ledger: string,
  what: string,
  { kernel: name, json }: KernelChoice,
  decide: (kernel: Kernel) => Promise<Outcome>,
): Promise<ExitCode> {
  const address = addressOf(ledger);
  if (!address.ok) return answered(host, address, json);
  const { stdout } = host;
  const told = await withKernel(host, address.value, name, async (kernel) => {
    const outcome = await decide(kernel);
    const place = `entry ${outcome.seq}, version ${outcome.version}`;
    const text = json ? judgedJson(outcome) : judgedText(what, outcome, place, stdout) + undoText(outcome);
    await stdout.write(text);
    return ok(exitCodeOf(outcome));
  });
  return answered(host, told, json);
}

/** The kernel undoes its own state; what happened in the world is for whoever asked. */
function undoText({ result }: Outcome): string {
  const undo = result !== undefined && isRecord(result) ? result.fields.undo : undefined;
  if (undo === undefined || !isList(undo) || undo.length === 0) return "";
  const lines = undo.map((one) => `  ${visibleText(canonicalText(one))}\n`);
  return `\nthe state is as it was; to make up for what happened in the world, newest first:\n${lines.join("")}`;
}

interface HowToSettle {
  readonly cost?: Json | Readonly<Record<string, string>>;
  readonly outcome?: Json;
  readonly drop?: boolean;
}

function howToSettle({
  settle,
  release,
  cost,
  outcome,
  dropEffects,
}: ResolveOptions): Result<HowToSettle, Failure> {
  const wrong = (message: string, help: string) => plainFailure("FC9001", message, help);
  if ((settle === true) === (release !== undefined)) {
    const help = "`--settle` if it happened, `--release <reason>` if it did not";
    return wrong("say what became of it: either `--settle` or `--release`", help);
  }
  if (release !== undefined && (cost !== undefined || outcome !== undefined || dropEffects === true)) {
    return wrong(
      "`--cost`, `--outcome` and `--drop-effects` are for `--settle`",
      "what is released costs nothing",
    );
  }
  const said = outcome === undefined ? undefined : readJson(outcome);
  if (said?.ok === false) return wrong("`--outcome` is not JSON", "a text is written `'\"sent\"'`");
  const amounts = cost === undefined ? undefined : costOf(cost);
  if (amounts?.ok === false) return amounts;
  return ok({
    ...(amounts === undefined ? {} : { cost: amounts.value }),
    ...(said === undefined ? {} : { outcome: said.value.value }),
    ...(dropEffects === true ? { drop: true } : {}),
  });
}

/** `1.50` of the first budget, or `usd=1.50` by name. */
function costOf(given: readonly string[]): Result<Json | Readonly<Record<string, string>>, Failure> {
  const [first = ""] = given;
  if (given.length === 1 && !first.includes("=")) return ok(first);
  const named = given.map((text) => /^([^=]+)=(.+)$/s.exec(text));
  if (named.every((match) => match !== null)) {
    return ok(Object.fromEntries(named.map((match) => [match[1] ?? "", match[2] ?? ""])));
  }
  return plainFailure(
    "FC9001",
    "`--cost` is given several times without the names of budgets",
    "write `--cost usd=1.50 --cost calls=1`",
  );
}
