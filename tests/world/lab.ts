/** Programs on fluents of every kind, a world that the tests change, and runs that compare both. */
import { compileProgram } from "../../src/frontend/index.ts";
import { type Checked, check } from "../../src/ir/index.ts";
import type { Kernel } from "../../src/kernel/index.ts";
import {
  type LoadedProbe,
  type LoadedTool,
  type ProgramRunResult,
  type ReconcileHow,
  realClock,
  reconcile,
  resumeProgram,
  runProgram,
} from "../../src/run/index.ts";
import { kernelOn, keys, receiptFor } from "../run/lab.ts";

/** A fluent of each kind: its type, its initial value, and the value that `set` of its module sets. */
const kinds = {
  locked: ["string", "boolean", "true", "false"],
  level: ["string", "number", "0", "7"],
  owner: ["string", "string", '""', '"ann"'],
  rank: ["number", '"low" | "high"', '"low"', '"high"'],
  item: ["string", "{ name: string; count: number }", '{ name: "", count: 0 }', '{ name: "pen", count: 2 }'],
  tags: ["string", "string[]", "[]", '["a", "b"]'],
  maybe: ["string", "string | null", "null", '"x"'],
  seen: ["string", "boolean", "unknown", "true"],
} as const;

export type Kind = keyof typeof kinds;
export const allKinds = Object.keys(kinds).filter((name): name is Kind => Object.hasOwn(kinds, name));

const modules = Object.fromEntries(
  Object.entries(kinds).map(([name, [key, value, initial, set]]) => [
    `/app/tools/${name}.ts`,
    `import { contract, fluent, tool, unknown } from "foreclaim";
export const cell = fluent<${key}, ${value}>({ initial: ${initial} });
export const set = tool({
  effects: ({ key }) => [cell.set(key, ${set})],
  run: async ({ key }: { key: ${key} }): Promise<void> => {},
});
export const use = tool({
  requires: ({ key }) => cell.get(key) === cell.get(key),
  run: async ({ key }: { key: ${key} }): Promise<void> => {},
});
export const few = contract(() => use.count() <= 100);`,
  ]),
);

/** A program that uses the fluents, with these calls. */
export function programOn(uses: readonly Kind[], body: string): Checked {
  const imports = uses.map((kind) => `import * as ${kind} from "./tools/${kind}";`).join("\n");
  const text = `import { program } from "foreclaim";\n${imports}
export default program({ guarantees: [${uses[0]}.few()], async run() { ${body} } });`;
  const files: Readonly<Record<string, string>> = { ...modules, "/app/p.ts": text };
  const known = compiledBefore.get(text);
  if (known !== undefined) return known;
  const compiled = compileProgram("/app/p.ts", { readFile: (path) => files[path] });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems, null, 1));
  const checked = check(compiled.value.document);
  if (!checked.ok) throw new Error("it does not check");
  compiledBefore.set(text, checked.value);
  return checked.value;
}

const compiledBefore = new Map<string, Checked>();

type Cells = Readonly<Record<string, unknown>>;

/** The world: what it holds at `locked[front]`, and what its probes do. */
export class World {
  /** By `kind[key]`. */
  readonly cells = new Map<string, unknown>();
  readonly done: string[] = [];
  readonly tools = new Map<string, LoadedTool>();
  readonly probes = new Map<string, LoadedProbe>();
  /** Called when a tool has done its work. */
  after: (call: string) => void | Promise<void> = () => {};

  constructor(cells: Cells = {}, probes: Partial<Record<Kind, Partial<LoadedProbe>>> = {}) {
    for (const [cell, value] of Object.entries(cells)) this.cells.set(cell, value);
    for (const kind of allKinds) {
      const run = (tool: string) => async (args: unknown) => {
        const call = `${kind}.${tool} ${Reflect.get(Object(args), "key")}`;
        this.done.push(call);
        await this.after(call);
      };
      this.tools.set(`${kind}.set`, { run: run("set") });
      this.tools.set(`${kind}.use`, { run: run("use") });
      this.probes.set(`${kind}.cell`, {
        probe: (key) => this.cells.get(`${kind}[${key}]`),
        keys: () =>
          [...this.cells.keys()]
            .filter((cell) => cell.startsWith(`${kind}[`))
            .map((cell) => keyIn(kind, cell)),
        takes: false,
        ...probes[kind],
      });
    }
  }
}

function keyIn(kind: Kind, cell: string): string | number {
  const text = cell.slice(kind.length + 1, -1);
  return kind === "rank" ? Number(text) : text;
}

export interface RunAsked {
  readonly kernel?: Kernel;
  readonly when?: "start" | "calls";
  readonly runId?: string;
}

/** LIMIT: how long a probe of these tests may take; those that answer do so at once. */
const timeoutMs = 30;

/** Hands the real timer out only to probes that hang: a busy machine must not end one that answers. */
export async function runOn(checked: Checked, world: World, asked: RunAsked = {}): Promise<ProgramRunResult> {
  const kernel = asked.kernel ?? (await kernelOn());
  const receipt = await receiptFor({ checked, everywhere: new Set() }, kernel);
  return runProgram(checked, {
    ...common(kernel, world, asked),
    inputs: { kind: "record", fields: {} },
    receipt,
  });
}

export function resumeOn(
  checked: Checked,
  world: World,
  kernel: Kernel,
  runId = "r1",
): Promise<ProgramRunResult> {
  return resumeProgram(checked, common(kernel, world, { runId }));
}

function common(kernel: Kernel, world: World, { when = "start", runId = "r1" }: RunAsked) {
  return {
    kernel,
    publicKey: keys.publicKey,
    tools: world.tools,
    everywhere: new Set<number>(),
    runId,
    wallMs: () => 500,
    world: { probes: world.probes, when, timeoutMs },
  };
}

export function reconcileOn(checked: Checked, world: World, kernel: Kernel, how: ReconcileHow = {}) {
  const signal = new AbortController().signal;
  return reconcile(
    { checked, kernel, probes: world.probes, how: { clock: realClock, timeoutMs, signal } },
    how,
  );
}
