/** Clauses that rules of the policy ask for, and that may not hold if the run stops early. */
import type { JSX } from "preact";
import type { PolicyStopView } from "../../approve/wire.ts";
import { count } from "../data/words.ts";
import { Fold } from "../parts/fold.tsx";
import { Sentence, Shown } from "../parts/shown.tsx";

export function PolicyStops({ stops }: { readonly stops: readonly PolicyStopView[] }): JSX.Element | null {
  if (stops.length === 0) return null;
  return (
    <Fold
      id="policy-stops"
      title="Policy clauses that may fail if the run stops early"
      note={count(stops.length, "clause")}
    >
      <ul class="cards">
        {stops.map((one, i) => (
          <li key={i} class="card unknown">
            <p class="claim">
              The rule <Code text={one.rule} /> asks for <Code text={one.clause} />, which is proved for
              completed runs.
            </p>
            <p class="why">
              <Sentence text={one.text} />
            </p>
            <p class="small">
              {one.counts
                ? "The rule accepts that: it relies on completed runs."
                : "So it does not count for this rule."}
            </p>
          </li>
        ))}
      </ul>
    </Fold>
  );
}

function Code({ text }: { readonly text: string }): JSX.Element {
  return (
    <code>
      <Shown text={text} />
    </code>
  );
}
