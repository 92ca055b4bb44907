/** The guarantees in plain English, each with its verdict and evidence. */
import type { JSX } from "preact";
import type { GuaranteeView, ObligationView, ProofView } from "../../approve/wire.ts";
import { count, howShown, type Verdict } from "../data/words.ts";
import { VerdictBadge } from "../parts/badges.tsx";
import { Fold, reveal } from "../parts/fold.tsx";
import { Prose, Sentence, Shown } from "../parts/shown.tsx";
import { LineLink } from "./line-link.tsx";

/** The worst first: a person stops reading. */
const order: readonly Verdict[] = ["refuted", "unknown", "proved"];

/** LIMIT: of guarantees that are shown at once; proved ones beyond it fold. */
const most = 6;

export function Guarantees({ proof }: { readonly proof: ProofView }): JSX.Element {
  const { guarantees, obligations } = proof;
  const of = (verdict: Verdict) => guarantees.filter((one) => one.verdict === verdict);
  const sorted = order.flatMap(of);
  const note = order.flatMap((verdict) => {
    const n = of(verdict).length;
    return n === 0 ? [] : [`${n} ${verdict}`];
  });
  // Proved ones look alike; a person who reads them all asks for them.
  const shown = Math.max(most, of("refuted").length + of("unknown").length);
  const folded = sorted.slice(shown);
  return (
    <Fold id="guarantees" title="Guarantees" note={note.join(", ")}>
      {sorted.length === 0 ? (
        <p class="notice">
          Warning: the program states no guarantee. Read its possible effects below before you approve it.
        </p>
      ) : null}
      <ul class="cards">
        {sorted.slice(0, shown).map((one, i) => (
          <Guarantee key={i} guarantee={one} />
        ))}
      </ul>
      {folded.length === 0 ? null : (
        <details>
          <summary>show {folded.length} more, all proved</summary>
          <ul class="cards">
            {folded.map((one, i) => (
              <Guarantee key={i} guarantee={one} />
            ))}
          </ul>
        </details>
      )}
      <Obligations obligations={obligations} />
    </Fold>
  );
}

function Guarantee({ guarantee }: { readonly guarantee: GuaranteeView }): JSX.Element {
  const { name, text, doc, verdict, by, enforced, interruption, why, line } = guarantee;
  return (
    <li class={`card ${verdict}`}>
      <div class="card-head">
        <VerdictBadge verdict={verdict} />
        {enforced ? <span class="badge enforced">{enforcedWords(guarantee)}</span> : null}
      </div>
      <p class="claim">
        <Sentence text={text} />
      </p>
      {why === null || verdict === "proved" ? null : (
        <p class="why">
          <Sentence text={why} /> {guarantee.counterexample === null ? null : <ToSteps />}
        </p>
      )}
      {interruption === null ? null : (
        <p class={interruption.safe ? "small" : "why"}>
          {interruption.safe ? (
            "Also holds if the run stops early."
          ) : (
            <>
              <strong>Not if the run stops early:</strong>{" "}
              <Sentence text={interruption.text ?? "this may not hold"} />
            </>
          )}
        </p>
      )}
      {doc === null ? null : (
        <blockquote class="doc">
          <Shown text={doc} layout />
          <footer>author's note (not verified)</footer>
        </blockquote>
      )}
      <p class="small">
        <code>
          <Shown text={name} />
        </code>{" "}
        · <Shown text={howShown(verdict, by, interruption?.safe !== true)} />{" "}
        {enforced ? null : <LineLink line={line} />}
      </p>
    </li>
  );
}

function ToSteps(): JSX.Element {
  return (
    <button type="button" class="line-link" onClick={() => reveal(document.getElementById("counterexample"))}>
      See it step by step
    </button>
  );
}

function enforcedWords({ verdict, interruption }: GuaranteeView): string {
  switch (verdict) {
    case "proved":
      return interruption?.safe === true
        ? "added by Foreclaim, proved"
        : "added by Foreclaim, proved for completed runs";
    case "refuted":
      return "added by Foreclaim, refuted";
    case "unknown":
      return "added by Foreclaim, not proved";
  }
}

/** Obligations of the program itself; only the open ones are expanded. */
function Obligations({
  obligations,
}: {
  readonly obligations: readonly ObligationView[];
}): JSX.Element | null {
  if (obligations.length === 0) return null;
  const open = obligations.filter(({ verdict }) => verdict !== "proved");
  const proved = obligations.filter(({ verdict }) => verdict === "proved");
  return (
    <>
      {open.length === 0 ? null : (
        <>
          <h3>Obligations that are not proved</h3>
          <ul class="cards">
            {open.map((one, i) => (
              <li key={i} class={`card ${one.verdict}`}>
                <VerdictBadge verdict={one.verdict} />
                <p class="claim">
                  <Sentence text={one.text} />
                </p>
                {one.why === null ? null : (
                  <p class="why">
                    <Sentence text={one.why} />
                  </p>
                )}
                <p class="small">
                  <LineLink line={one.line} />
                </p>
              </li>
            ))}
          </ul>
        </>
      )}
      {proved.length === 0 ? null : (
        <details>
          <summary>{count(proved.length, "obligation")} of the program, proved too</summary>
          <ul class="plain">
            {proved.map((one, i) => (
              <li key={i}>
                <span class="tick" aria-hidden="true">
                  ✓
                </span>{" "}
                <Prose text={one.text} /> <LineLink line={one.line} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
