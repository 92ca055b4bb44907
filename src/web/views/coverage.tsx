/** Effects that no guarantee covers, the most severe gap first. */
import type { JSX } from "preact";
import type { CoverageView } from "../../approve/wire.ts";
import { coverageMeaning, coverageOrder, coverageWords } from "../data/words.ts";
import { CoverageBadge } from "../parts/badges.tsx";
import { Fold } from "../parts/fold.tsx";
import { Sentence, Shown } from "../parts/shown.tsx";

/**
 * A required contract that the agent did not state, and that Foreclaim added and proved, is no gap for the person who
 * decides.
 */
export function isHeld({
  status,
  missingRequired,
  missingRecommended,
  enforced,
  openAtStops,
}: CoverageView): boolean {
  return (
    status === "required_gap" &&
    missingRequired.length > 0 &&
    missingRequired.every((one) => enforced.includes(one)) &&
    missingRecommended.length === 0 &&
    (openAtStops ?? []).length === 0
  );
}

export function Coverage({ coverage }: { readonly coverage: readonly CoverageView[] }): JSX.Element | null {
  if (coverage.length === 0) return null;
  const loud = (one: CoverageView) => (isHeld(one) ? 0 : coverageOrder.indexOf(one.status));
  const sorted = [...coverage].sort((a, b) => loud(b) - loud(a));
  return (
    <Fold id="coverage" title="Coverage" note={noteOf(sorted)}>
      <ul class="cards">
        {sorted.map((one) => (
          <li key={one.domain} class={`card ${isHeld(one) ? "covered" : one.status}`}>
            <div class="card-head">
              {isHeld(one) ? (
                <span class="badge covered">required, added and proved</span>
              ) : (
                <CoverageBadge status={one.status} />
              )}
              <strong>
                <Shown text={one.domain} />
              </strong>
            </div>
            <p>
              <Sentence text={one.text === "" ? coverageMeaning[one.status] : one.text} />
            </p>
            <dl class="pairs">
              <Names title="required, missing" names={one.missingRequired} />
              <Names title="added by Foreclaim" names={one.enforced} />
              <Names title="may not hold if the run stops early" names={one.openAtStops ?? []} />
              <Names title="recommended, missing" names={one.missingRecommended} />
              <Names title="stated" names={one.mentioned} />
              <Names title="follows from the stated guarantees" names={one.entailed} />
            </dl>
          </li>
        ))}
      </ul>
    </Fold>
  );
}

/** The worst status, in words. */
function noteOf([worst]: readonly CoverageView[]): string {
  return worst === undefined || isHeld(worst) ? coverageWords.covered : coverageWords[worst.status];
}

interface NamesProps {
  readonly title: string;
  readonly names: readonly string[];
}

function Names({ title, names }: NamesProps): JSX.Element | null {
  if (names.length === 0) return null;
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        {names.map((name) => (
          <code key={name} class="chip">
            <Shown text={name} />
          </code>
        ))}
      </dd>
    </div>
  );
}
