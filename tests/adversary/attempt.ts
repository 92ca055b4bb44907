/** Runs a program under Node and under the interpreter, and tries to prove what Node has broken, without a search for runs. */
import { compileProgram } from "../../src/frontend/index.ts";
import { toJs } from "../../src/ir/convert/to-js.ts";
import { judge } from "../../src/ir/eval/formula.ts";
import {
  type Checked,
  check,
  isBuiltin,
  readInputs,
  readingHandlers,
  run,
  type ToolHandler,
} from "../../src/ir/index.ts";
import { recordOf } from "../../src/ir/type.ts";
import type { Solver } from "../../src/prove/decide/solver/port.ts";
import { prove } from "../../src/prove/prove.ts";
import { type Call, fails, moduleSource, type Results, scripted } from "./world.ts";

export interface Attack {
  readonly guarantee: string;
  readonly body: string;
  /** Code above the program. */
  readonly top?: string;
  /** The parameter of `run` with its type, as written. */
  readonly input?: string;
}

export function sourceOf({ guarantee, body, top = "", input = "" }: Attack): string {
  return `import { program } from "foreclaim";
import * as t from "./tools/t";
${top}
export default program({
  guarantees: [t.${guarantee}],
  async run(${input}) {
${body}
  },
});
`;
}

/** The compiled program, or the codes of its refusal. */
export function compiled(source: string): Checked | readonly string[] {
  const files: Readonly<Record<string, string>> = { "tools/t.ts": moduleSource, "program.ts": source };
  const result = compileProgram("program.ts", { readFile: (path) => files[path] });
  if (!result.ok) return [...new Set(result.problems.map((problem) => `${problem.code}`))];
  const checked = check(result.value.document);
  if (!checked.ok) throw new Error(`${JSON.stringify(checked.problems)}\n${source}`);
  return checked.value;
}

export interface IrRun {
  readonly calls: readonly Call[];
  /** `done`, or code and sentence of the stop. */
  readonly end: string;
  /** Judged by the interpreter's own reading of the formula. */
  readonly broken: boolean;
}

export async function runCompiled(checked: Checked, input: unknown, results: Results): Promise<IrRun> {
  const inputs = readInputs(checked, input ?? {});
  if (!inputs.ok) throw new Error(JSON.stringify(inputs.problems));
  const counts = new Map<string, number>();
  const handler = (name: string): ToolHandler => ({
    run: (args) => {
      const tool = name.slice(2);
      const nth = counts.get(tool) ?? 0;
      counts.set(tool, nth + 1);
      const value = scripted(results, tool, args, nth);
      if (value === fails) throw new Error("failed");
      return value;
    },
  });
  const readings = readingHandlers({
    nowMs: () => Date.UTC(2024, 1, 29),
    random: () => 0.5,
    pause: async () => {},
  });
  const tools = new Map(
    checked.document.tools.map(({ name }) => [name, readings.get(name) ?? handler(name)]),
  );
  const { trace, outcome } = await run(checked, { inputs: inputs.value, tools });
  const calls = trace
    .filter(({ tool }) => !isBuiltin(tool))
    .map((entry): Call => {
      const args = toJs(entry.args, recordOf(checked.tools.get(entry.tool)?.params ?? []));
      if (!args.ok) throw new Error("arguments");
      // SAFETY: arguments are a record.
      return { tool: entry.tool.slice(2), args: args.value as Readonly<Record<string, unknown>> };
    });
  const recorded = { inputs: inputs.value, initial: [], trace };
  const broken = checked.document.guarantees.some(
    ({ formula }) => formula !== undefined && judge(checked, formula, recorded).kind === "violated",
  );
  const end = outcome.kind === "completed" ? "done" : `${outcome.problem.code} ${outcome.problem.message}`;
  return { calls, end, broken };
}

export interface Attempted {
  /** The verdict of the guarantee alone. */
  readonly guarantee: string;
  /** `proved` only if the guarantee and everything that the run needs is. */
  readonly all: string;
}

export async function attempt(checked: Checked, solver: Solver): Promise<Attempted> {
  const proof = await prove(checked, {
    solver: async () => solver,
    limits: { timeoutMs: 600_000, workMs: 2_000, resources: 300_000 },
    likely: "omitted",
    stops: "omitted",
  });
  const kinds = [...proof.guarantees, ...proof.obligations].map(({ verdict }) => verdict.kind);
  return {
    guarantee: proof.guarantees[0]?.verdict.kind ?? "none",
    all: kinds.includes("refuted") ? "refuted" : kinds.includes("unknown") ? "unknown" : "proved",
  };
}
