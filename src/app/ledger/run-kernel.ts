/** The kernel of a run: on a ledger that exists, on one that the run makes, or in memory. */
import type { Result } from "../../ir/index.ts";
import type { Kernel } from "../../kernel/index.ts";
import type { Failure } from "../failure.ts";
import type { Clock, FileSystem } from "../files/port.ts";
import type { LoadedProgram } from "../load/typescript.ts";
import { openMemoryKernel } from "./memory-kernel.ts";
import { NewLedger } from "./new-ledger.ts";
import { type Address, absentFile, noLedger, withKernel } from "./open.ts";

export interface RunKernelChoice {
  readonly address: Address | undefined;
  readonly kernel: string;
  readonly budget?: string | undefined;
  /** The file with the initial state of a plan. */
  readonly state?: string | undefined;
  readonly resumes: boolean;
  /** Set if a new ledger gets keys of its own. */
  readonly hasKeys: boolean;
}

/** Works with the kernel and closes it. The ledger that the run makes appears when the run begins. */
export async function withRunKernel<T>(
  fs: FileSystem & Clock,
  document: LoadedProgram,
  choice: RunKernelChoice,
  work: (kernel: Kernel, made?: NewLedger) => Promise<Result<T, Failure>>,
): Promise<Result<T, Failure>> {
  const { address, kernel: name, budget, state, resumes, hasKeys } = choice;
  if (address === undefined) {
    const opened = await openMemoryKernel(fs, document, state, fs);
    return opened.ok ? work(opened.value) : opened;
  }
  const absent = await absentFile(fs, address);
  if (!absent.ok) return absent;
  if (absent.value === undefined || resumes) return withKernel(fs, address, name, (kernel) => work(kernel));
  if (budget === undefined) return noLedger(address, ", or give `--budget 10`, and the run makes it");
  const opened = await NewLedger.open(fs, absent.value, { name, budget, hasKeys });
  if (!opened.ok) return opened;
  const { ledger, kernel } = opened.value;
  try {
    return await work(kernel, ledger);
  } finally {
    await kernel.close().catch(() => undefined);
    await ledger.close();
  }
}
