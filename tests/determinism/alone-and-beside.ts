/** Proofs of examples as data, made alone, beside busy processes, and at the same time on several solver engines. */
import { type ChildProcess, spawn } from "node:child_process";
import type { Solver } from "../../src/prove/decide/solver/port.ts";
import { z3Wasm } from "../../src/prove/decide/solver/z3-wasm.ts";
import { type Example, find } from "../examples/examples.ts";

const busyWork = "for (let x = 1n; ; x = (x * 6364136223846793005n + 1n) % (1n << 64n));";

/** Runs the work beside processes that do nothing but take the machine's time. */
export async function besideBusy<T>(count: number, work: () => Promise<T>): Promise<T> {
  const busy: ChildProcess[] = Array.from({ length: count }, () =>
    spawn(process.execPath, ["-e", busyWork], { stdio: "ignore" }),
  );
  try {
    return await work();
  } finally {
    for (const one of busy) one.kill("SIGKILL");
  }
}

/** Verdicts, evidence and counterexamples of each example, one after the other. */
export async function proofsOf(examples: readonly Example[], solver: Solver): Promise<readonly string[]> {
  const proofs: string[] = [];
  for (const example of examples) proofs.push(await proofOf(example, solver));
  return proofs;
}

/** The same, all at once. */
export async function proofsAtOnce(
  examples: readonly Example[],
  engines: number,
): Promise<readonly string[]> {
  const solver = z3Wasm({ engines });
  try {
    return await Promise.all(examples.map((example) => proofOf(example, solver)));
  } finally {
    await solver.close();
  }
}

async function proofOf(example: Example, solver: Solver): Promise<string> {
  const { expected, proof } = await find(example, solver);
  const verdicts = [...(proof?.guarantees ?? []), ...(proof?.obligations ?? [])].map(
    ({ verdict }) => verdict,
  );
  const text = JSON.stringify([expected, verdicts], (_, value) =>
    typeof value === "bigint" ? `${value}n` : value,
  );
  return `${example.domain}/${example.name}: ${text}`;
}
