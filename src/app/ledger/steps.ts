/** Gives actions to a kernel, one after the other, and each verdict to a listener, in order. */
import { isJsonObject, ok, type Result } from "../../ir/index.ts";
import { type Check, type Kernel, type Outcome, problem, type Status } from "../../kernel/index.ts";
import { type Attest, type AttestorFiles, attestorsOf } from "../attest/attestors.ts";
import { type Failure, plainFailure } from "../failure.ts";
import type { FileSystem } from "../files/port.ts";
import { systemCode, systemWords } from "../files/system-words.ts";
import { actionsIn, type Given } from "./actions.ts";
import { addressOf, type KernelChoice, withKernel } from "./open.ts";

/** A verdict. For a dry run, `seq` and `hash` are those of the last entry. */
export type JudgedAction = Omit<Outcome, "checks"> & { readonly checks?: readonly Check[] };

export interface StepCounts {
  allowed: number;
  refused: number;
  unreadable: number;
}

/** LIMIT: actions in progress; they share transactions, and their verdicts wait for each other. */
const mostUnderWay = 256;

const exampleAction = '`{"id": "pay", "effects": [], "cost": "1.50"}`';

export async function stepKernel(
  fs: FileSystem & Parameters<typeof withKernel>[0],
  ledger: string,
  path: string,
  { kernel: name, principal, principalKey, attestation }: KernelChoice & AttestorFiles,
  what: "execute" | "evaluate",
  tell: (name: string, judged: JudgedAction) => Promise<void>,
): Promise<Result<StepCounts, Failure>> {
  const address = addressOf(ledger);
  if (!address.ok) return address;
  const attest = await attestorsOf(fs, { attestation }, () => {});
  if (!attest.ok) return attest;
  return withKernel(
    fs,
    address.value,
    name,
    async (kernel) => {
      const steps = new Steps(kernel, what, tell, attest.value);
      try {
        for await (const given of actionsIn(fs, path)) {
          await steps.add(given);
          if (steps.hasFailed) break;
        }
      } catch (thrown) {
        await steps.end();
        const message = `cannot read \`${path}\`: ${systemWords(systemCode(thrown))}`;
        return plainFailure("FC9002", message, `an action is ${exampleAction}`);
      }
      const counts = await steps.end();
      if (counts.allowed + counts.refused > 0) return ok(counts);
      return plainFailure(
        "FC9002",
        "there is no action in the input",
        `give one on each line: ${exampleAction}`,
      );
    },
    {
      ...(principal === undefined ? {} : { principal }),
      ...(principalKey === undefined ? {} : { principalKey }),
    },
  );
}

class Steps {
  readonly #kernel: Kernel;
  readonly #what: "execute" | "evaluate";
  readonly #tell: (name: string, judged: JudgedAction) => Promise<void>;
  readonly #attest: Attest | undefined;
  readonly #counts: StepCounts = { allowed: 0, refused: 0, unreadable: 0 };
  #status: Status | undefined;
  #underWay = 0;
  #told: Promise<void> = Promise.resolve();
  #failure: { readonly thrown: unknown } | undefined;

  constructor(
    kernel: Kernel,
    what: "execute" | "evaluate",
    tell: (name: string, judged: JudgedAction) => Promise<void>,
    attest: Attest | undefined,
  ) {
    this.#kernel = kernel;
    this.#what = what;
    this.#tell = tell;
    this.#attest = attest;
  }

  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  async add(given: Given): Promise<void> {
    const judged = this.#judged(given);
    // Its turn comes later; until then its failure must not count as one that nobody handles.
    judged.catch(() => undefined);
    this.#underWay++;
    this.#told = this.#told.then(() => this.#write(given, judged));
    if (this.#underWay >= mostUnderWay) await this.#told;
  }

  async end(): Promise<StepCounts> {
    await this.#told;
    if (this.#failure !== undefined) throw this.#failure.thrown;
    return this.#counts;
  }

  async #judged(given: Given): Promise<JudgedAction> {
    // Without attestations nothing is waited for, so that all is asked in its order.
    const attestations =
      given.kind === "action" && this.#attest !== undefined
        ? await this.#attestations(given.action)
        : undefined;
    if (this.#what === "execute")
      return given.kind === "action"
        ? this.#kernel.execute(given.action, attestations)
        : this.#kernel.refuse(given.why);
    // A dry run changes nothing, so the first status stays true.
    this.#status ??= this.#kernel.status();
    const { seq, head: hash, version } = this.#status;
    if (given.kind === "action") return { ...this.#kernel.evaluate(given.action, attestations), seq, hash };
    return { verdict: "refused", reasons: [problem("said", { text: given.why })], version, seq, hash };
  }

  async #attestations(action: unknown): Promise<readonly unknown[] | undefined> {
    const request = this.#attest && this.#kernel.attestationsFor(action);
    if (this.#attest === undefined || request === undefined || request.gates.length === 0) return undefined;
    return this.#attest(request);
  }

  async #write(given: Given, judging: Promise<JudgedAction>): Promise<void> {
    if (this.#failure !== undefined) return;
    try {
      const judged = await judging;
      this.#counts[judged.verdict]++;
      if (given.kind === "unreadable") this.#counts.unreadable++;
      await this.#tell(nameOf(given), judged);
    } catch (thrown) {
      this.#failure = { thrown };
    } finally {
      this.#underWay--;
    }
  }
}

function nameOf(given: Given): string {
  if (given.kind === "unreadable" || !isJsonObject(given.action)) return "(no action)";
  const { id } = given.action;
  return typeof id === "string" ? id : "(no id)";
}
