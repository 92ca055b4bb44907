/** Clauses that rules of the policy ask for, and that may not hold if the run stops early. */
import type { JSX } from "preact";
import type { PolicyStopView } from "../../approve/wire.ts";
import { Sentence, Shown } from "../parts/shown.tsx";

export function PolicyStops({ stops }: { readonly stops: readonly PolicyStopView[] }): JSX.Element | null {
  if (stops.length === 0) return null;
  return (
    <section aria-labelledby="policy-stops">
      <h2 id="policy-stops">Policy clauses that may fail if the run stops early</h2>
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
    </section>
  );
}

function Code({ text }: { readonly text: string }): JSX.Element {
  return (
    <code>
      <Shown text={text} />
    </code>
  );
}
