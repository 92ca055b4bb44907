/**
 * Verifies a trace: every hash is computed again, every entry follows the one before, every checkpoint is met, and
 * every decision is made again by the kernel and comes out the same. Part of what must be trusted.
 */
import type { FunctionInvariant } from "../core/function.ts";
import type { StandIn } from "../core/functions.ts";
import type { Policy } from "../core/policy.ts";
import type { KernelState } from "../core/state.ts";
import { answerThen } from "../core/written.ts";
import { type Checkpoint, isSignedBy } from "./checkpoint.ts";
import { again, type StoredEntry } from "./read.ts";

export interface VerifyOptions {
  /** The functions of the policy. Without them, what they answered is taken from the trace. */
  readonly functions?: readonly FunctionInvariant[];
  /** The policy, if it was read already. */
  readonly known?: Policy;
  readonly checkpoints?: readonly Checkpoint[];
  /** Keys of checkpoints; those that the policy names at a checkpoint take their place for later ones. */
  readonly publicKey?: string;
  readonly publicKeys?: readonly string[];
  /** Number of different keys that must have signed each checkpoint, 1 by default. */
  readonly quorum?: number;
}

export interface Verification {
  readonly ok: boolean;
  /** Entries that are fine. */
  readonly entries: number;
  readonly head: string;
  readonly problem?: { readonly seq: number; readonly what: string };
  /**
   * Rules whose answers were taken from the trace: functions that are not at hand, and rules on texts that the tables of
   * Unicode of this process decide otherwise than those of then.
   */
  readonly notReplayed: readonly string[];
}

export async function verify(
  entries: AsyncIterable<StoredEntry> | Iterable<StoredEntry>,
  options: VerifyOptions = {},
): Promise<Verification> {
  const verifier = new Verifier(options);
  for await (const stored of entries) {
    if (!verifier.add(stored)) break;
  }
  return verifier.end();
}

export class Verifier {
  readonly #options: VerifyOptions;
  readonly #checkpoints = new Map<number, Checkpoint[]>();
  readonly #notReplayed = new Set<string>();
  /** Keys that the next checkpoint is checked with, and how many of them must have signed it. */
  #trusted: readonly string[];
  #quorum: number;
  #state: KernelState | undefined;
  #problem: { seq: number; what: string } | undefined;

  constructor(options: VerifyOptions = {}) {
    this.#options = options;
    const { publicKey, publicKeys = [], quorum = 1 } = options;
    this.#trusted = publicKey === undefined ? publicKeys : [publicKey, ...publicKeys];
    this.#quorum = quorum;
    for (const checkpoint of options.checkpoints ?? []) {
      const others = this.#checkpoints.get(checkpoint.length) ?? [];
      this.#checkpoints.set(checkpoint.length, [...others, checkpoint]);
    }
  }

  get state(): KernelState | undefined {
    return this.#state;
  }

  /** Takes the next entry; false once there is a problem. */
  add(stored: StoredEntry): boolean {
    if (this.#problem !== undefined) return false;
    const seq = (this.#state?.seq ?? 0) + 1;
    if (stored.seq !== seq) return this.#fail(seq, `there is no entry ${seq}, entry ${stored.seq} follows`);
    const { functions, known } = this.#options;
    const differs = this.#differs;
    const reading = functions === undefined ? { standIn: this.#standIn, differs } : { functions, differs };
    const step = again(this.#state, stored, known === undefined ? reading : { ...reading, known });
    if (!step.ok) return this.#fail(seq, step.problem.message);
    this.#state = step.value.state;
    return this.#meets(this.#checkpoints.get(seq) ?? [], step.value.state);
  }

  end(): Verification {
    const length = this.#state?.seq ?? 0;
    const beyond = [...this.#checkpoints.keys()].filter((one) => one > length);
    for (const one of beyond) this.#checkSigned(one, this.#checkpoints.get(one) ?? []);
    if (this.#problem === undefined && beyond.length > 0) {
      this.#fail(
        length + 1,
        `a checkpoint has ${beyond.reduce((most, one) => Math.max(most, one))} entries, and the trace has ${length}`,
      );
    }
    if (this.#problem === undefined && length === 0) this.#fail(1, "the trace is empty");
    const result = {
      ok: this.#problem === undefined,
      entries: length,
      head: this.#state?.head ?? "",
      notReplayed: [...this.#notReplayed],
    };
    return this.#problem === undefined ? result : { ...result, problem: this.#problem };
  }

  /** For functions that are not at hand: they answer what the entry says that they answered. */
  readonly #standIn: StandIn = ({ name, over }) => {
    this.#notReplayed.add(name);
    const answer = () => answerThen(name);
    return over === "step" ? { step: answer } : { state: answer };
  };

  readonly #differs = (rule: string): void => {
    this.#notReplayed.add(rule);
  };

  #meets(checkpoints: readonly Checkpoint[], { seq, head, name, policy }: KernelState): boolean {
    if (checkpoints.length === 0) return true;
    const fits = checkpoints.every((one) => one.head === head && one.kernel === name);
    if (!this.#checkSigned(seq, checkpoints)) return false;
    if (!fits) return this.#fail(seq, "the entry is not the one that the checkpoint was made of");
    // SOUNDNESS: only what trusted keys have signed says which keys are trusted from here on.
    if (policy.signers !== undefined) {
      this.#trusted = policy.signers.keys;
      this.#quorum = policy.signers.quorum;
    }
    return true;
  }

  /** Every signature must be that of a trusted key, and enough different keys must have signed. */
  #checkSigned(seq: number, checkpoints: readonly Checkpoint[]): boolean {
    const signers = checkpoints.map((one) => this.#trusted.find((key) => isSignedBy(one, key)));
    if (signers.includes(undefined)) return this.#fail(seq, "the checkpoint has no valid signature");
    const count = new Set(signers).size;
    if (count >= this.#quorum) return true;
    return this.#fail(seq, `${count} of ${this.#quorum} keys have signed the checkpoint`);
  }

  #fail(seq: number, what: string): false {
    this.#problem ??= { seq, what };
    return false;
  }
}
