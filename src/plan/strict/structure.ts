/** Checks the structure of a plan: ids, required fields, dependencies. An error here stops verification. */

import { closest, isJsonObject, quoted } from "../../ir/index.ts";
import { decidedError as error, type Finding } from "../findings.ts";
import { defaultPlanLimits } from "../limits.ts";
import { type Action, keyOf, type Plan } from "../plan.ts";
import { referenceIn } from "../references.ts";
import { isComparison, Keys } from "./access-sets.ts";
import { declaredEdges, type Graph, graphOf, rowOf } from "./graph.ts";
import type { CallModel, ReadCall, ToolBook } from "./tool-book.ts";

export type Structure =
  | {
      readonly kind: "sound";
      readonly graph: Graph;
      readonly keys: Keys;
      readonly numbers: ReadonlyMap<string, number>;
      /** Calls of declared tools. */
      readonly calls: ReadonlyMap<number, CallModel>;
    }
  | { readonly kind: "broken"; readonly findings: readonly Finding[] };

export interface StructureOptions {
  readonly maxActions?: number;
  /** Declarations of tool modules; without them every tool is undeclared. */
  readonly book?: ToolBook;
}

export function structureOf(plan: Plan, { maxActions, book }: StructureOptions): Structure {
  const { actions } = plan;
  return actions.length > (maxActions ?? defaultPlanLimits.actions)
    ? broken([tooMany(actions, maxActions ?? defaultPlanLimits.actions)])
    : structureWithin(actions, book);
}

function tooMany(actions: readonly Action[], most: number): Finding {
  const message = `the plan has ${actions.length} actions, more than ${most}`;
  const help = "split it, or allow more with `--max-actions`";
  return { ...error("FC3002", actions[0]?.id ?? "plan", message, ["actions"]), help };
}

function structureWithin(actions: readonly Action[], book: ToolBook | undefined): Structure {
  const findings: Finding[] = [];
  const numbers = numbersOf(actions, findings);
  for (let i = 0; i < actions.length; i++) {
    const action = actions[i];
    if (action !== undefined) checkAction(action, i, numbers, findings);
  }
  const calls = book === undefined ? noCalls : callsOf(actions, book, findings);
  if (findings.length > 0) return broken(findings);
  const declared = declaredEdges(actions, numbers);
  const row = rowOf(declared);
  if (row.kind === "circle") return broken([circleFinding(actions, row.circle)]);
  const keys = new Keys();
  const graph = graphOf(actions, declared, row.order, keys, calls);
  const unclear = graph.unclear.map(({ earlier, later, key }) =>
    unclearFinding(actions, earlier, later, keys.names[key] ?? ""),
  );
  return unclear.length > 0 ? broken(unclear) : { kind: "sound", graph, keys, numbers, calls };
}

const noCalls: ReadonlyMap<number, CallModel> = new Map();

/** Resolves calls against tool modules. A call of an unknown tool, or one with misfitting parameters, is an error. */
function callsOf(
  actions: readonly Action[],
  book: ToolBook,
  findings: Finding[],
): ReadonlyMap<number, CallModel> {
  const calls = new Map<number, CallModel>();
  for (const [i, action] of actions.entries()) {
    if (action.type !== "tool_call" || action.tool === undefined) continue;
    const read = book.read(action);
    if (read.kind === "modelled") calls.set(i, read.call);
    else findings.push(callFinding(action, i, read));
  }
  return calls;
}

function callFinding(action: Action, i: number, read: Exclude<ReadCall, { kind: "modelled" }>): Finding {
  const { id, tool = "" } = action;
  switch (read.kind) {
    case "unknown tool": {
      const found = error("FC3106", id, `${quoted(id)} calls ${quoted(tool)}, which is not a known tool`, [
        "actions",
        i,
        "tool",
      ]);
      return read.near === undefined ? found : { ...found, help: `did you mean ${quoted(read.near)}?` };
    }
    case "misfit": {
      const { parameter, message } = read;
      const which = parameter === undefined ? "the parameters" : `the parameter ${quoted(parameter)}`;
      const path = ["actions", i, "parameters", ...(parameter === undefined ? [] : [parameter])];
      return error(
        "FC3201",
        id,
        `${which} of ${quoted(id)} ${parameter === undefined ? "do" : "does"} not fit ${quoted(tool)}: ${message}`,
        path,
      );
    }
    case "unclear": {
      const message = `${quoted(id)} uses ${quoted(read.cell)}, and which key that is depends on the run`;
      return error("FC3205", id, message, ["actions", i, "parameters"]);
    }
  }
}

function broken(findings: readonly Finding[]): Structure {
  return { kind: "broken", findings };
}

function numbersOf(actions: readonly Action[], findings: Finding[]): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>();
  for (let i = 0; i < actions.length; i++) {
    const id = actions[i]?.id ?? "";
    if (numbers.has(id)) {
      findings.push(error("FC3003", id, `the id ${quoted(id)} is used twice`, ["actions", i, "id"]));
    } else numbers.set(id, i);
  }
  return numbers;
}

function checkAction(
  action: Action,
  i: number,
  numbers: ReadonlyMap<string, number>,
  findings: Finding[],
): void {
  const { id, type, tool, dependencies, references, compensation } = action;
  if (type === "tool_call") {
    if (tool === undefined) {
      const message = `\`tool_call\` ${quoted(id)} names no tool`;
      findings.push(error("FC3005", id, message, ["actions", i]));
    }
  } else checkParameters(action, i, findings);
  for (let j = 0; j < dependencies.length; j++) {
    const other = dependencies[j] ?? "";
    if (!numbers.has(other)) {
      findings.push(noSuch(other, id, "depends on", ["actions", i, "dependencies", j], numbers));
    }
  }
  for (const other of references) {
    if (!numbers.has(other)) {
      findings.push(noSuch(other, id, "refers to the output of", ["actions", i, "parameters"], numbers));
    }
  }
  if (compensation?.type === "action_ref" && !numbers.has(compensation.actionId)) {
    const path = ["actions", i, "compensation", "action_id"];
    findings.push(noSuch(compensation.actionId, id, "is compensated by", path, numbers));
  }
}

function checkParameters(action: Action, i: number, findings: Finding[]): void {
  const { id, type, parameters, preconditions } = action;
  const missing = (name: string, why: string): void => {
    const message = `\`${type}\` ${quoted(id)} ${why}`;
    findings.push({ ...error("FC3004", id, message, ["actions", i, "parameters", name]), help: needs(type) });
  };
  if (keyOf(action) === undefined) {
    const saysElsewhere = type === "assertion" && preconditions.length > 0 && parameters.key === undefined;
    if (!saysElsewhere) missing("key", "has no `key` among its parameters");
  } else if (action.references.length > 0 && referenceIn(keyOf(action) ?? "") !== undefined) {
    // Who waits for whom has to be known before the run.
    missing("key", "has a reference as its `key`");
  } else if (type === "assertion") {
    const { operator = "eq" } = parameters;
    if (!isComparison(operator)) missing("operator", "has an operator that is not known");
    else if (operator !== "exists" && operator !== "not_exists" && !hasValue(action)) {
      missing("value", "has no `value` among its parameters");
    }
  }
}

/** LIMIT: in a longer list the name that was meant is not looked for. */
const mostCompared = 1_000;

function noSuch(
  other: string,
  id: string,
  verb: string,
  path: readonly (string | number)[],
  numbers: ReadonlyMap<string, number>,
): Finding {
  const message = `${quoted(id)} ${verb} ${quoted(other)}, which is not an action of the plan`;
  const found = error("FC3006", id, message, path);
  const near = numbers.size <= mostCompared ? closest(other, numbers.keys()) : undefined;
  return near === undefined ? found : { ...found, help: `did you mean ${quoted(near)}?` };
}

function hasValue({ parameters }: Action): boolean {
  return (
    isJsonObject(parameters) && (Object.hasOwn(parameters, "value") || Object.hasOwn(parameters, "expected"))
  );
}

function needs(type: Action["type"]): string {
  switch (type) {
    case "assertion":
      return 'say what is asserted, as in `"parameters": {"key": "ready", "operator": "eq", "value": true}`';
    case "state_write":
      return 'say what is written, as in `"parameters": {"key": "ready", "value": true}`';
    case "state_read":
    case "tool_call":
      return 'say which key is read, as in `"parameters": {"key": "ready"}`';
  }
}

/** LIMIT: a circle can be as long as the plan, and nobody reads that. */
const mostShown = 12;

function circleFinding(actions: readonly Action[], circle: readonly number[]): Finding {
  const ids = circle.map((i) => actions[i]?.id ?? "");
  const shown = ids.slice(0, mostShown).map(quoted);
  const rest = ids.length > mostShown ? ` → … ${ids.length - mostShown} more` : "";
  const [first = ""] = ids;
  const message =
    ids.length === 1
      ? `${quoted(first)} waits for itself`
      : `cyclic dependencies: ${shown.join(" → ")}${rest} → ${quoted(first)}`;
  return error("FC3007", first, message, ["actions", circle[0] ?? 0]);
}

function unclearFinding(actions: readonly Action[], earlier: number, later: number, key: string): Finding {
  const [first, second] = [actions[later]?.id ?? "", actions[earlier]?.id ?? ""];
  const message = `${quoted(first)} is listed before ${quoted(second)} and both use ${quoted(key)}, but what ${quoted(first)} depends on puts it behind`;
  const help = `list ${quoted(second)} first, or add it to the \`dependencies\` of ${quoted(first)}`;
  return { ...error("FC3008", first, message, ["actions", later, "dependencies"]), key, help };
}
