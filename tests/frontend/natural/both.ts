/** A program of the office, run as JavaScript and as Effect IR with the same mock tools. */
import { compileProgram, type SourceDiagnostic } from "../../../src/frontend/index.ts";
import { toJs } from "../../../src/ir/convert/to-js.ts";
import { check, type Document, isBuiltin, readInputs, run, type ToolHandler } from "../../../src/ir/index.ts";
import { recordOf } from "../../../src/ir/type.ts";
import { stripTypes } from "../strip-types.ts";
import { mockResult, officeModules } from "./office.ts";

export function compileOffice(
  source: string,
): { document: Document } | { problems: readonly SourceDiagnostic[] } {
  const files = officeFiles(source);
  const result = compileProgram("program.ts", { readFile: (path) => files[path] });
  return result.ok ? { document: result.value.document } : { problems: result.problems };
}

export function officeFiles(source: string): Record<string, string> {
  const tools = Object.entries(officeModules).map(([name, text]) => [`tools/${name}.ts`, text]);
  return { "program.ts": source, ...Object.fromEntries(tools) };
}

interface Call {
  readonly tool: string;
  readonly args: unknown;
}

export interface Trace {
  readonly calls: readonly Call[];
  /** End of the run: `done`, or the reason. */
  readonly end: string;
}

/** As data: a field that is `undefined` is one that is not there. */
function plain(value: unknown): unknown {
  return value === undefined ? {} : JSON.parse(JSON.stringify(value));
}

export async function runAsJavaScript(source: string, input: unknown, seed: number): Promise<Trace> {
  const calls: Call[] = [];
  const names = Object.keys(officeModules);
  const modules = Object.entries(officeModules).map(([module, text]) => {
    const exports: Record<string, unknown> = { anything: () => true };
    for (const [, name] of text.matchAll(/export const (\w+) = tool/g)) {
      const tool = `${module}.${name}`;
      exports[name ?? ""] = async (args: unknown) =>
        mockResult(tool, seed, calls.push({ tool, args: plain(args) }) - 1);
    }
    return exports;
  });
  const code = stripTypes(source).replace("export default", "return");
  // The test's own programs, never a user's.
  const made = new Function(...names, "program", code)(...modules, (options: unknown) => options);
  try {
    await made.run(input);
    return { calls, end: "done" };
  } catch (thrown) {
    return { calls, end: String(thrown) };
  }
}

export async function runAsIr(document: Document, input: unknown, seed: number): Promise<Trace> {
  const checked = check(document);
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
  const inputs = readInputs(checked.value, input ?? {});
  if (!inputs.ok) throw new Error(JSON.stringify(inputs.problems));
  let made = 0;
  const tools = new Map<string, ToolHandler>(
    document.tools.map((tool) => [tool.name, { run: () => mockResult(tool.name, seed, made++) }]),
  );
  const { trace, outcome } = await run(checked.value, { inputs: inputs.value, tools });
  const calls = trace
    .filter(({ tool }) => !isBuiltin(tool))
    .map((entry) => {
      const args = toJs(entry.args, recordOf(checked.value.tools.get(entry.tool)?.params ?? []));
      if (!args.ok) throw new Error("arguments");
      return { tool: entry.tool, args: args.value };
    });
  const end = outcome.kind === "completed" ? "done" : `${outcome.problem.code} ${outcome.problem.message}`;
  return { calls, end };
}
