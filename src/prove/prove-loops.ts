/**
 * Programs that loop over lists that are not known before the run: what is said of them is proved by induction, and
 * refuted by runs with short lists.
 * Part of what must be trusted.
 */
import type { Checked } from "../ir/check/index.ts";
import type { Guarantee } from "../ir/document.ts";
import { Budget } from "./budget.ts";
import type { Terms } from "./factory.ts";
import type { Obligation } from "./facts.ts";
import { ghostsFor } from "./formula.ts";
import { induce } from "./induction.ts";
import type { Progress } from "./progress.ts";
import { follow, followLater, isSame, notFollowed, Prover } from "./prover.ts";
import type { Script } from "./solver/port.ts";
import { type Total, totalsIn } from "./totals.ts";
import type { GuaranteeProof, ObligationProof, Proof, ProveOptions, Verdict } from "./verdict.ts";
import { walk } from "./walk.ts";

/** LIMIT: how long lists are made when a run is looked for, by likely values and by the solver. */
const likelyLengths = [1, 2, 0, 3, 4];
const askedLengths = [1, 2, 3, 4];
/** LIMIT: a guess that takes long to check is seldom worth it. */
const shareOfGuess = 8;

/** @param walked the walk in which nothing is assumed of the loops */
export async function proveLoops(
  checked: Checked,
  terms: Terms,
  walked: Progress,
  options: ProveOptions,
): Promise<Proof> {
  const budget = new Budget(options.solver, terms.effort, options.limits);
  const loops = new Loops(checked, terms, { ...options, solver: budget.solver }, budget);
  await loops.lookForRuns();
  const stated = checked.document.guarantees;
  const obligations: ObligationProof[] = [];
  for (const [i, obligation] of walked.obligations.entries()) {
    budget.next(stated.length + walked.obligations.length - i);
    obligations.push({ obligation, verdict: within(budget, await loops.obligation(obligation, i)) });
  }
  const unhindered = obligations.every(({ verdict }) => verdict.kind === "proved");
  const guarantees: GuaranteeProof[] = [];
  for (const [i, guarantee] of stated.entries()) {
    budget.next(stated.length - i);
    const proof = await loops.guarantee(guarantee, unhindered);
    const verdict = within(budget, proof.verdict);
    guarantees.push(verdict === proof.verdict ? proof : { guarantee, verdict });
  }
  return { guarantees, obligations, walk: walked };
}

/** SOUNDNESS: where the time was not enough for every question, one of those that guard a proof may be left open. */
function within(budget: Budget, verdict: Verdict): Verdict {
  const { spent } = budget;
  return spent === undefined || verdict.kind === "refuted" ? verdict : notFollowed(`not decided: ${spent}`);
}

interface Induced {
  readonly walked: Progress;
  readonly prover: Prover;
}

async function provedWith({ prover, walked }: Induced, obligation: Obligation, position: number) {
  const here = walked.obligations[position];
  if (here === undefined || !isSame(here, obligation))
    throw new TypeError("every walk meets the same obligations");
  return (await prover.obligation(here)).verdict;
}

class Loops {
  readonly #options: ProveOptions;
  readonly #budget: Budget;
  readonly #checked: Checked;
  readonly #terms: Terms;
  /** By what is counted and summed along the way. */
  readonly #walks = new Map<string, Induced>();
  readonly #short = new Map<number, Prover | undefined>();
  /** What was seen to be broken by likely values. */
  readonly #seen = new Map<Guarantee | Obligation, Verdict>();

  constructor(checked: Checked, terms: Terms, options: ProveOptions, budget: Budget) {
    this.#checked = checked;
    this.#terms = terms;
    this.#options = options;
    this.#budget = budget;
  }

  async lookForRuns(): Promise<void> {
    for (const length of likelyLengths) {
      if (this.#budget.isSpent) return;
      const open = this.#checked.document.guarantees.filter((one) => !this.#seen.has(one));
      const found = await this.#shortRuns(length)?.likely(open);
      for (const [about, verdict] of found ?? []) this.#seen.set(about, verdict);
    }
  }

  async obligation(obligation: Obligation, position: number): Promise<Verdict> {
    for (const [about, verdict] of this.#seen)
      if ("condition" in about && isSame(about, obligation)) return verdict;
    const { spent } = this.#budget;
    if (spent !== undefined) return notFollowed(spent);
    const induced = await followLater(() => this.#induced([]));
    const verdict = induced.ok
      ? await provedWith(induced.value, obligation, position)
      : notFollowed(induced.why);
    if (verdict.kind === "proved") return verdict;
    return (await this.#refuted((one) => one.anyObligation(obligation))) ?? verdict;
  }

  async guarantee(guarantee: Guarantee, unhindered: boolean): Promise<GuaranteeProof> {
    const seen = this.#seen.get(guarantee);
    if (seen !== undefined) return { guarantee, verdict: seen };
    const { spent } = this.#budget;
    if (spent !== undefined) return { guarantee, verdict: notFollowed(spent) };
    const totals = guarantee.formula === undefined ? [] : totalsIn(this.#checked, guarantee.formula);
    const found = await followLater(() => this.#induced(totals));
    const proof = found.ok
      ? await found.value.prover.guarantee(guarantee, unhindered)
      : { guarantee, verdict: notFollowed(found.why) };
    if (proof.verdict.kind === "proved") return proof;
    const refuted = await this.#refuted(async (one) => (await one.guarantee(guarantee)).verdict);
    return refuted === undefined ? proof : { guarantee, verdict: refuted };
  }

  /** The walk with what was shown of its loops. */
  async #induced(totals: readonly Total[]): Promise<Induced> {
    const key = totals.map(({ id }) => id).join("\n");
    const known = this.#walks.get(key);
    if (known !== undefined) return known;
    const { solver, limits } = this.#options;
    const resources = Math.max(1, Math.floor(limits.resources / shareOfGuess));
    const walked = await induce(this.#checked, this.#terms, {
      ask: async (script: Script) => (await solver()).check(script, { ...limits, resources }),
      ghosts: ghostsFor(this.#checked, this.#terms, totals),
      isSpent: () => this.#budget.isSpent,
    });
    const lists = { length: "any" } as const;
    const prover = new Prover(this.#checked, this.#terms, walked, this.#options, lists, totals);
    const found = { walked, prover };
    this.#walks.set(key, found);
    return found;
  }

  async #refuted(look: (one: Prover) => Promise<Verdict | undefined>): Promise<Verdict | undefined> {
    for (const length of askedLengths) {
      if (this.#budget.isSpent) return undefined;
      const prover = this.#shortRuns(length);
      const verdict = prover && (await look(prover));
      if (verdict?.kind === "refuted") return verdict;
      // What is too hard with shorter lists is not easier with longer ones.
      if (verdict?.kind === "unknown") return undefined;
    }
    return undefined;
  }

  #shortRuns(length: number): Prover | undefined {
    if (!this.#short.has(length)) {
      const found = follow(() => walk(this.#checked, this.#terms, { length }));
      const prover =
        found.ok && new Prover(this.#checked, this.#terms, found.value, this.#options, { length });
      this.#short.set(length, prover || undefined);
    }
    return this.#short.get(length);
  }
}
