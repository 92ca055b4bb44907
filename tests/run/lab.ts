/** Programs for tests of runs: compiled from text, proved without a solver, approved, and run with tools that are functions. */
import { inputsDigest, newNonce, type Receipt, signReceipt } from "../../src/approve/index.ts";
import { compileProgram } from "../../src/frontend/index.ts";
import { type Checked, check, hashDocument, readInputs } from "../../src/ir/index.ts";
import { Kernel, type Log, MemoryLog, newKeys, type StoredEntry, verify } from "../../src/kernel/index.ts";
import { prove } from "../../src/prove/prove.ts";
import {
  type LoadedTool,
  type ProgramRun,
  type ProgramRunOptions,
  type ProgramRunResult,
  runProgram,
} from "../../src/run/index.ts";

export const home = `
import { contract, fluent, tool } from "foreclaim";
export const doorLocked = fluent<string, boolean>({ initial: true });
export const unlock = tool({
  requires: ({ door }) => door.length > 0,
  effects: ({ door }) => [doorLocked.set(door, false)],
  run: async ({ door }: { door: string }): Promise<void> => {},
});
export const lock = tool({
  effects: ({ door }) => [doorLocked.set(door, true)],
  run: async ({ door }: { door: string }): Promise<void> => {},
});
export const allDoorsLockedAtEnd = contract(() => doorLocked.final.all((d) => d.value));
export const onlyDoor = contract((door: string) => unlock.all((u) => u.door === door));
`;

export const bank = `
import { answer, contract, flowsFrom, tool } from "foreclaim";
export const balance = tool({
  reads: true,
  ensures: (result) => result >= 0 && result <= 1000,
  run: async ({ account }: { account: string }): Promise<number> => 0,
});
export const pay = tool({
  requires: ({ amount }) => amount >= 0,
  cost: ({ amount }) => amount,
  run: async ({ account, amount }: { account: string; amount: number }): Promise<string> => "",
});
export const atMost = contract((n: number) => pay.count() <= n);
export const silent = contract(() => answer.none());
export const keepsBalances = contract(() => answer.none((a) => flowsFrom(a.value, balance)));
export const maxSpend = contract((limit: number) => pay.sum((p) => p.amount) <= limit);
`;

export interface Program {
  readonly checked: Checked;
  readonly everywhere: ReadonlySet<number>;
}

/** A program with one module of each kind; it must be proved. */
export async function proved(text: string, mustProve = true): Promise<Program> {
  const files: Readonly<Record<string, string>> = {
    "/app/p.ts": text,
    "/app/tools/home.ts": home,
    "/app/tools/bank.ts": bank,
  };
  const compiled = compileProgram("/app/p.ts", { readFile: (path) => files[path] });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems, null, 1));
  const checked = check(compiled.value.document);
  if (!checked.ok) throw new Error("it does not check");
  const solver = () => Promise.reject(new Error("the solver was asked"));
  const { guarantees, obligations } = await prove(checked.value, {
    solver,
    limits: { timeoutMs: 1, resources: 1 },
  });
  const open = [...guarantees, ...obligations].filter(({ verdict }) => verdict.kind !== "proved");
  if (mustProve && open.length > 0) throw new Error("it is not proved");
  const everywhere = guarantees.flatMap(({ verdict, interruption }, i) =>
    verdict.kind === "proved" && interruption?.kind === "safe" ? [i] : [],
  );
  return { checked: checked.value, everywhere: new Set(everywhere) };
}

export function program(guarantees: string, body: string, parameter = ""): string {
  return `import { program } from "foreclaim";
import * as home from "./tools/home";
import * as bank from "./tools/bank";
export default program({ guarantees: [${guarantees}], async run(${parameter}) { ${body} } });`;
}

export async function kernelOn(
  ledger: Log = new MemoryLog(),
  more: { readonly policy?: unknown; readonly state?: unknown } = {},
): Promise<Kernel> {
  const opened = await Kernel.open({ ledger, clock: Date.now, ...more });
  if (!opened.ok) throw new Error(opened.problem.message);
  return opened.value;
}

/** Keys of this process, by default. */
export const keys: { publicKey: string; privateKey: string } = newKeys();

export interface Asked {
  readonly kernel?: Kernel;
  readonly inputs?: unknown;
  readonly receipt?: Partial<Receipt>;
  readonly options?: Partial<ProgramRunOptions>;
}

export async function receiptFor(
  { checked }: Program,
  kernel: Kernel,
  inputs: unknown = {},
  more: Partial<Receipt> = {},
): Promise<Receipt> {
  const read = readInputs(checked, inputs);
  if (!read.ok) throw new Error(read.problems[0]?.message);
  const { key: _, signature: __, ...changes } = { key: "", signature: "", ...more };
  return signReceipt(
    {
      program: hashDocument(checked.document),
      modules: checked.document.modules ?? "",
      inputs: inputsDigest(checked, read.value),
      kernel: (await kernel.entries(1, 1))[0]?.hash ?? "",
      budget: null,
      uses: 1,
      notBefore: 0,
      expires: 1_000,
      nonce: newNonce(),
      decision: "approved_once",
      by: "a test",
      ...changes,
    },
    keys.privateKey,
  );
}

/** Does nothing and says so; the tests put their own in its place. */
export class World {
  readonly done: string[] = [];
  /** The keys of calls that were made. */
  readonly keys = new Set<string>();
  readonly tools = new Map<string, LoadedTool>();

  constructor(own: Readonly<Record<string, LoadedTool["run"] | LoadedTool>> = {}) {
    const usual: Readonly<Record<string, unknown>> = { "bank.balance": 10, "bank.pay": "paid" };
    for (const name of ["home.unlock", "home.lock", "bank.balance", "bank.pay"]) {
      const given = own[name];
      const tool = typeof given === "function" ? { run: given } : given;
      this.tools.set(name, {
        ...tool,
        run: (args, call) => {
          this.keys.add(String(Reflect.get(Object(call), "key")));
          this.done.push(`${name} ${Object.values(Object(args)).join(" ")}`);
          return tool === undefined ? usual[name] : tool.run(args, call);
        },
      });
    }
  }
}

export async function tryRun(one: Program, world: World, asked: Asked = {}): Promise<ProgramRunResult> {
  const kernel = asked.kernel ?? (await kernelOn());
  const inputs = readInputs(one.checked, asked.inputs ?? {});
  if (!inputs.ok) throw new Error(inputs.problems[0]?.message);
  return runProgram(one.checked, {
    kernel,
    inputs: inputs.value,
    receipt: await receiptFor(one, kernel, asked.inputs, asked.receipt),
    publicKey: keys.publicKey,
    tools: world.tools,
    everywhere: one.everywhere,
    runId: "r1",
    wallMs: () => 500,
    ...asked.options,
  });
}

export async function ran(one: Program, world: World, asked: Asked = {}): Promise<ProgramRun> {
  const result = await tryRun(one, world, asked);
  if (!result.ok) throw new Error(result.problems.map(({ message }) => message).join("\n"));
  return result.value;
}

export async function codesOf(
  result: ProgramRunResult | Promise<ProgramRunResult>,
): Promise<readonly string[]> {
  const found = await result;
  return (found.ok ? found.value.problems : found.problems).map(({ code }) => code);
}

export async function entriesOf(kernel: Kernel): Promise<readonly StoredEntry[]> {
  return kernel.entries(1, 1_000);
}

/** Verifies the whole trace. */
export async function verified(kernel: Kernel): Promise<boolean> {
  return (await verify(await entriesOf(kernel))).ok;
}
