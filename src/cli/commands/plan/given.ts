/** A plan with its state and its tools, as the commands of plans receive them, and how they answer. */
import {
  type Failure,
  type LoadedPlan,
  loadBook,
  loadPlan,
  loadState,
  plainFailure,
  systemWords,
} from "../../../app/index.ts";
import { ok } from "../../../ir/index.ts";
import { type OutputJson, outputText, type State, type ToolBook } from "../../../plan/index.ts";
import type { ExitCode } from "../../exit-code.ts";
import { reportFailure } from "../../failure.ts";
import type { Host } from "../../host.ts";

export interface PlanOptions {
  readonly compat?: "car";
  readonly state?: string;
  readonly knownTools?: readonly string[];
  readonly maxActions?: number;
  readonly tools?: readonly string[];
  readonly json?: boolean;
}

export interface Given {
  readonly loaded: LoadedPlan;
  readonly state: State | undefined;
  readonly book: ToolBook | undefined;
}

export async function withPlan(
  host: Host,
  file: string,
  options: Pick<PlanOptions, "compat" | "state" | "tools" | "json">,
  go: (given: Given) => Promise<ExitCode>,
): Promise<ExitCode> {
  const loaded = await loadPlan(host, file, options.compat);
  if (!loaded.ok) return fail(host, options, loaded);
  const state = options.state === undefined ? ok(undefined) : await loadState(host, options.state);
  if (!state.ok) return fail(host, options, state);
  const book = options.tools === undefined ? ok(undefined) : await loadBook(host, options.tools);
  if (!book.ok) return fail(host, options, book);
  return go({ loaded: loaded.value, state: state.value, book: book.value });
}

export async function say(
  host: Host,
  options: Pick<PlanOptions, "json">,
  json: OutputJson,
  text: () => string,
): Promise<void> {
  await host.stdout.write(options.json ? outputText(json) : text());
}

export async function written(host: Host, file: string, text: string): Promise<Failure | undefined> {
  const code = await host.writeFile(file, [text]);
  if (code === undefined) return undefined;
  return plainFailure("FC9004", `cannot write \`${file}\`: ${systemWords(code)}`);
}

export function fail(host: Host, options: Pick<PlanOptions, "json">, failure: Failure): Promise<ExitCode> {
  return reportFailure(host, failure, options.json === true);
}
