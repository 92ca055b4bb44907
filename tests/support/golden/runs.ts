/** Runs of programs, and limits of policies, on the golden ledgers: done, compensated, and cut off. */
import {
  chargeLimits,
  inputsDigest,
  newNonce,
  type Receipt,
  signReceipt,
} from "../../../src/approve/index.ts";
import {
  type Checked,
  check,
  documentFromJsonText,
  hashDocument,
  readInputs,
} from "../../../src/ir/index.ts";
import { Kernel, type Log } from "../../../src/kernel/index.ts";
import { type LoadedTool, type ProgramRunResult, resumeProgram, runProgram } from "../../../src/run/index.ts";

class Gone extends Error {}

/** A ledger that answers so often, and keeps the last transaction without a word. */
function failingAfter(log: Log, count: number): Log {
  let left = count;
  return {
    read: (kernel, from, limit) => log.read(kernel, from, limit),
    transact: async (kernel, since, decide) => {
      if (left < 0) throw new Gone();
      await log.transact(kernel, since, decide);
      if (left-- === 0) throw new Gone();
    },
  };
}

async function kernelOn(ledger: Log, name: string, more: object = {}): Promise<Kernel> {
  const opened = await Kernel.open({ ledger, name, clock: () => 2_000, ...more });
  if (!opened.ok) throw new Error(opened.problem.message);
  return opened.value;
}

async function cutOff(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    if (thrown instanceof Gone) return;
    throw thrown;
  }
  throw new Error("it was not cut off");
}

// ── programs ─────────────────────────────────────────────────────────────────────────────────────────────

export interface GoldenProgram {
  readonly checked: Checked;
  readonly everywhere: ReadonlySet<number>;
}

export interface Keys {
  readonly publicKey: string;
  readonly privateKey: string;
}

export function programOf(json: unknown, everywhere: readonly number[]): GoldenProgram {
  const document = documentFromJsonText(JSON.stringify(json));
  const checked = document.ok ? check(document.value.document) : document;
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
  return { checked: checked.value, everywhere: new Set(everywhere) };
}

export const inputs = { limit: 5 };

async function receiptFor({ checked }: GoldenProgram, kernel: Kernel, keys: Keys): Promise<Receipt> {
  const read = readInputs(checked, inputs);
  if (!read.ok) throw new Error(read.problems[0]?.message);
  return signReceipt(
    {
      program: hashDocument(checked.document),
      modules: checked.document.modules ?? "",
      inputs: inputsDigest(checked, read.value),
      kernel: (await kernel.entries(1, 1))[0]?.hash ?? "",
      budget: "50",
      uses: 1,
      notBefore: 0,
      expires: 1_000,
      nonce: newNonce(),
      decision: "approved_once",
      by: "a person of the golden ledger",
    },
    keys.privateKey,
  );
}

/** Returns the tools of the program; `fails` names one that throws. */
export function programTools(calls: string[], fails = ""): ReadonlyMap<string, LoadedTool> {
  const usual: Readonly<Record<string, unknown>> = { "bank.balance": 10, "bank.pay": "paid" };
  const names = ["home.unlock", "home.lock", "bank.balance", "bank.pay"];
  return new Map(
    names.map((name): [string, LoadedTool] => [
      name,
      {
        run: (args: unknown) => {
          calls.push(`${name} ${Object.values(Object(args)).join(" ")}`);
          if (name === fails) throw new Error("the tool broke");
          return usual[name];
        },
        ...(name === "home.unlock" && { undo: () => calls.push(`undo ${name}`) }),
      },
    ]),
  );
}

async function run(
  one: GoldenProgram,
  kernel: Kernel,
  keys: Keys,
  runId: string,
  fails = "",
): Promise<ProgramRunResult> {
  const read = readInputs(one.checked, inputs);
  if (!read.ok) throw new Error(read.problems[0]?.message);
  return runProgram(one.checked, {
    kernel,
    inputs: read.value,
    receipt: await receiptFor(one, kernel, keys),
    publicKey: keys.publicKey,
    tools: programTools([], fails),
    everywhere: one.everywhere,
    runId,
    wallMs: () => 500,
  });
}

export function resumeGolden(
  one: GoldenProgram,
  kernel: Kernel,
  publicKey: string,
  runId: string,
  calls: string[],
): Promise<ProgramRunResult> {
  const { checked, everywhere } = one;
  const tools = programTools(calls);
  return resumeProgram(checked, { kernel, publicKey, tools, everywhere, runId, wallMs: () => 10_000 });
}

/** Each on a kernel of its own, since a run that was cut off holds its fluents. */
export const programRuns = [
  { name: "program done", runId: "p1", cutAfter: undefined, fails: "" },
  { name: "program failed", runId: "p2", cutAfter: undefined, fails: "bank.pay" },
  { name: "program cut off", runId: "p3", cutAfter: 6, fails: "" },
  { name: "program cut off in a call", runId: "p4", cutAfter: 5, fails: "" },
  { name: "program cut off while undone", runId: "p5", cutAfter: 10, fails: "bank.pay" },
] as const;

export async function programs(ledger: Log, one: GoldenProgram, keys: Keys): Promise<void> {
  const policy = { budgets: { usd: "100" } };
  for (const { name, runId, cutAfter, fails } of programRuns) {
    await (await kernelOn(ledger, name, { policy })).close();
    if (cutAfter === undefined) {
      const kernel = await kernelOn(ledger, name);
      const result = await run(one, kernel, keys, runId, fails);
      if (!result.ok) throw new Error(JSON.stringify(result.problems));
      await kernel.close();
      continue;
    }
    const cut = await kernelOn(failingAfter(ledger, cutAfter), name);
    await cutOff(() => run(one, cut, keys, runId, fails));
  }
}

/** Limits of a policy for approvals, charged in the state of a kernel. */
export async function limits(ledger: Log): Promise<void> {
  const kernel = await kernelOn(ledger, "limits");
  const charge = { limit: "mails per day", amount: 2, atMost: 5, windowMs: 86_400_000 };
  for (let n = 0; n < 3; n++) await chargeLimits(kernel, [charge], 1_000 * n);
  await kernel.close();
}
