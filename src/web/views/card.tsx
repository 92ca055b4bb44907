/** The request on one card: its headline by the worst risk, then risks, then effects. */
import type { JSX } from "preact";
import type { ProofView, RiskCard } from "../../approve/wire.ts";
import { riskSigns, riskWords } from "../data/words.ts";
import { VerdictBadge } from "../parts/badges.tsx";
import { isPhone } from "../parts/fold.tsx";
import { Prose } from "../parts/shown.tsx";

type Fact = RiskCard["facts"][number];

/** LIMIT: of items that are shown at once; the others fold. */
const [most, mostOnPhone] = [3, 1];

export function Card({ proof }: { readonly proof: ProofView }): JSX.Element {
  const { card } = proof;
  // An earlier version proved it: its verdict is all that is known at a glance.
  if (card === undefined)
    return (
      <p class={`verdict-line ${proof.verdict}`}>
        <VerdictBadge verdict={proof.verdict} />
      </p>
    );
  return (
    <section class={`risk-card ${card.level}`} aria-labelledby="headline">
      <p id="headline" class="headline">
        <span class={`badge risk ${card.level}`}>
          <span class="sign" aria-hidden="true">
            {riskSigns[card.level]}
          </span>
          {riskWords[card.level]}
        </span>
        <span>
          <Prose text={card.headline} />
        </span>
      </p>
      <dl class="risk-facts">
        {card.facts.map((one, i) => (
          <FactView key={i} fact={isPhone.value ? unsaidBy(card.headline, one) : one} />
        ))}
      </dl>
    </section>
  );
}

/** The fact without what the headline says of it; undefined if nothing is left. */
function unsaidBy(headline: string, fact: Fact): Fact | undefined {
  const [first, ...others] = fact.items;
  if (first === undefined) return headline.startsWith(fact.title) ? undefined : fact;
  if (!headline.includes(first)) return fact;
  return others.length === 0 ? undefined : { ...fact, items: others };
}

function FactView({ fact }: { readonly fact: Fact | undefined }): JSX.Element | null {
  if (fact === undefined) return null;
  const { level, title, items } = fact;
  const shown = isPhone.value ? mostOnPhone : most;
  const folded = items.length - shown;
  return (
    <div class={`risk-fact ${level}`}>
      <dt class="risk-title">
        {level === "green" ? null : (
          <span class="sign" aria-hidden="true">
            {riskSigns[level]}{" "}
          </span>
        )}
        <Prose text={startsUpper(title)} />
      </dt>
      <dd>
        <Items items={items.slice(0, shown)} />
        {folded <= 0 ? null : (
          <details>
            <summary>show {folded} more</summary>
            <Items items={items.slice(shown)} />
          </details>
        )}
      </dd>
    </div>
  );
}

function startsUpper(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function Items({ items }: { readonly items: readonly string[] }): JSX.Element | null {
  if (items.length === 0) return null;
  return (
    <ul class="plain">
      {items.map((item, i) => (
        <li key={i}>
          <Prose text={item} />
        </li>
      ))}
    </ul>
  );
}
