/** The way that data takes in a run that breaks a promise about where values come from, step by step, for people. */
import {
  type Checked,
  defaultLimits,
  type Edge,
  type Expr,
  evaluateOn,
  type FlowPath,
  flowOf,
  LimitReached,
  nodesOf,
  type Path,
  type RecordedRun,
} from "../../ir/index.ts";

/** One step of the way. */
export interface FlowStep {
  readonly what: string;
  /** The command or expression, if it is one of the program. */
  readonly path?: Path;
}

/** Returns the path of the data to the forbidden place, if the run breaks a provenance guarantee. */
export function flowIn(checked: Checked, formula: Expr, run: RecordedRun): readonly FlowStep[] | undefined {
  let last: FlowPath | undefined;
  try {
    // The judge stops at the first thing that breaks the guarantee.
    evaluateOn(checked, formula, run, defaultLimits, (path) => {
      last = path;
    });
  } catch (thrown) {
    if (!(thrown instanceof LimitReached)) throw thrown;
  }
  return last && stepsOf(checked, last);
}

function stepsOf(checked: Checked, { start, edges }: FlowPath): FlowStep[] {
  const steps = [startOf(checked, start), ...edges.map((edge) => stepOf(checked, edge))];
  const texts = steps.map(({ what, path = [] }) => `${what} ${commandOf(path).join(".")}`);
  return steps.filter((_, i) => texts[i] !== texts[i - 1]);
}

/** Parts of one command need not be told apart. */
function commandOf(path: Path): Path {
  return path.slice(0, path.lastIndexOf("body") + 2);
}

function startOf(checked: Checked, start: number): FlowStep {
  const { calls, inputs } = flowOf(checked).program;
  for (const { tool, result, failed, at } of calls.values()) {
    if (nodesOf(result).includes(start)) return { what: `\`${tool.name}\` returns it`, path: at.path() };
    if (failed === start) return { what: `\`${tool.name}\` fails or does not`, path: at.path() };
  }
  for (const [name, shape] of inputs)
    if (nodesOf(shape).includes(start)) return { what: `it is the input \`${name}\`` };
  return { what: "it may come from anywhere" };
}

function stepOf(checked: Checked, { how, at }: Edge): FlowStep {
  const path = at.path();
  const { tool, argument } = commandAt(checked, path);
  const named = tool === undefined ? "the tool" : `\`${tool}\``;
  switch (how) {
    case "computed":
      return { what: "a value is computed from it", path };
    case "chosen":
      return { what: "it decides which value is taken", path };
    case "passed":
      return { what: `it is passed to ${named}${argument === undefined ? "" : ` as \`${argument}\``}`, path };
    case "decides":
      return { what: `it decides whether ${named} is called`, path };
    case "repeats":
      return { what: "it decides how often the loop goes round", path };
    case "visited":
      return { what: "the loop goes through it", path };
    case "carried":
      return { what: "the loop carries it on", path };
    case "answered":
      return { what: `${named} answers with it`, path };
    case "failed":
      return { what: `it shows in whether ${named} fails`, path };
    case "kept":
      return { what: tool === undefined ? "it is kept for the next iteration" : `${named} keeps it`, path };
    case "returned":
      return { what: `${named} returns what was kept`, path };
    case "set":
      return { what: `${named} sets a fluent from it`, path };
  }
}

/** The tool of the call that the path leads to or into, and which argument of it. */
function commandAt(
  { document }: Checked,
  path: Path,
): { readonly tool: string | undefined; readonly argument: string | undefined } {
  let [at, tool, argument]: [unknown, string | undefined, string | undefined] = [
    document,
    undefined,
    undefined,
  ];
  for (const step of path) {
    const inside = tool !== undefined;
    at = typeof at === "object" && at !== null ? Reflect.get(at, step) : undefined;
    if (typeof at !== "object" || at === null) break;
    if (Reflect.get(at, "kind") === "call") tool = String(Reflect.get(at, "tool"));
    else if (inside && argument === undefined && "name" in at && "value" in at) argument = String(at.name);
  }
  return { tool, argument };
}
