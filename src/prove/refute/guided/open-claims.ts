/** Looks for runs that break the claims of a document, as far as they are open. */
import type { Checked, Guarantee } from "../../../ir/index.ts";
import type { Obligation } from "../../symbolic/call-events.ts";
import type { GuaranteeProof, ObligationProof, Proof, Verdict } from "../../verdict.ts";
import { Search } from "./search.ts";

/** LIMIT: of runs, and of their steps together: at first, and once nothing else decides a claim. */
const early = { runs: 400, steps: 300_000 };
const full = { runs: 3_000, steps: 2_500_000 };

/**
 * One search for all claims of a proof. The runs that it makes depend on the document alone, and not on the claims that
 * are open: so no verdict depends on its neighbors.
 */
export class Hunt {
  readonly #checked: Checked;
  readonly #found = new Map<Guarantee | Obligation, Verdict>();
  #search: Search | undefined;
  #isEarlyDone = false;

  constructor(checked: Checked) {
    this.#checked = checked;
  }

  /** The run that is known to break it. */
  known(about: Guarantee | Obligation): Verdict | undefined {
    return this.#found.get(about);
  }

  /** A run that breaks it, if one is found soon; those that break the others are kept. */
  async soon(
    about: Guarantee | Obligation,
    all: readonly (Guarantee | Obligation)[],
  ): Promise<Verdict | undefined> {
    if (!this.#isEarlyDone) await this.#look(all, early);
    this.#isEarlyDone = true;
    return this.known(about);
  }

  /** The proof with each unknown claim refuted that a run was found to break. */
  async rest(proof: Proof): Promise<Proof> {
    const open = [
      ...proof.obligations.flatMap(({ obligation, verdict }) =>
        verdict.kind === "unknown" ? [obligation] : [],
      ),
      ...proof.guarantees.flatMap(({ guarantee, verdict }) =>
        verdict.kind === "unknown" ? [guarantee] : [],
      ),
    ];
    await this.#look(
      open.filter((one) => !this.#found.has(one)),
      full,
    );
    const better = <T extends GuaranteeProof | ObligationProof>(claim: T): T => {
      const verdict = this.known("guarantee" in claim ? claim.guarantee : claim.obligation);
      return verdict === undefined || claim.verdict.kind !== "unknown" ? claim : { ...claim, verdict };
    };
    return {
      ...proof,
      guarantees: proof.guarantees.map(better),
      obligations: proof.obligations.map(better),
    };
  }

  async #look(claims: readonly (Guarantee | Obligation)[], limits: typeof full): Promise<void> {
    if (claims.length === 0) return;
    this.#search ??= new Search(this.#checked);
    for (const [about, verdict] of await this.#search.refute(claims, limits)) this.#found.set(about, verdict);
  }
}
