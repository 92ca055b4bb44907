/** A plan with its state and its tools, as the commands of plans receive them. */
import { type LoadedPlan, loadBook, loadPlan, loadState } from "../../../app/index.ts";
import { ok } from "../../../ir/index.ts";
import { type OutputJson, outputText, type State, type ToolBook } from "../../../plan/index.ts";
import type { Ended } from "../../command-spec.ts";
import type { Host } from "../../host.ts";
import type { JsonOption } from "../../options.ts";

export interface PlanOptions extends JsonOption {
  readonly compat?: "car";
  readonly state?: string;
  readonly knownTools?: readonly string[];
  readonly maxActions?: number;
  readonly tools?: readonly string[];
}

export interface Given {
  readonly loaded: LoadedPlan;
  /** The state, the tools and the limits that were given, as the analyses take them. */
  readonly options: {
    readonly state?: State;
    readonly book?: ToolBook;
    readonly knownTools?: ReadonlySet<string>;
    readonly maxActions?: number;
  };
}

export async function withPlan(
  host: Host,
  file: string,
  given: PlanOptions,
  go: (given: Given) => Promise<Ended>,
): Promise<Ended> {
  const { compat, tools, knownTools, maxActions } = given;
  const loaded = await loadPlan(host, file, compat);
  if (!loaded.ok) return loaded;
  const state = given.state === undefined ? ok(undefined) : await loadState(host, given.state);
  if (!state.ok) return state;
  const book = tools === undefined ? ok(undefined) : await loadBook(host, tools);
  if (!book.ok) return book;
  const options = {
    ...(state.value && { state: state.value }),
    ...(book.value && { book: book.value }),
    ...(knownTools && { knownTools: new Set(knownTools) }),
    ...(maxActions !== undefined && { maxActions }),
  };
  return go({ loaded: loaded.value, options });
}

export async function say(
  host: Host,
  { json: wantsJson }: JsonOption,
  json: OutputJson,
  text: () => string,
): Promise<void> {
  await host.stdout.write(wantsJson ? outputText(json) : text());
}
