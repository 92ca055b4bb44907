/** Small signs with their words: never a color alone. */
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { CoverageStatus } from "../../approve/wire.ts";
import { now } from "../data/state.ts";
import { age, coverageWords, signs, timeLeft, type Verdict } from "../data/words.ts";

export function VerdictBadge({ verdict }: { readonly verdict: Verdict }): JSX.Element {
  return (
    <span class={`badge ${verdict}`}>
      <span class="sign" aria-hidden="true">
        {signs[verdict]}
      </span>
      {verdict}
    </span>
  );
}

const coverageSigns: Readonly<Record<CoverageStatus, string>> = {
  covered: "●",
  recommended_gap: "◐",
  silent_gap: "○",
  required_gap: "!",
};

export function CoverageBadge({ status }: { readonly status: CoverageStatus }): JSX.Element {
  return (
    <span class={`badge ${status}`}>
      <span class="sign" aria-hidden="true">
        {coverageSigns[status]}
      </span>
      {coverageWords[status]}
    </span>
  );
}

/** Made once: a formatter takes longer than what it formats. */
const whole = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

export function Age({ at }: { readonly at: number }): JSX.Element {
  const [iso, title] = useMemo(() => [new Date(at).toISOString(), whole.format(at)], [at]);
  return (
    <time dateTime={iso} title={title}>
      {age(at, now.value)}
    </time>
  );
}

export function TimeLeft({ at }: { readonly at: number }): JSX.Element {
  const isShort = at - now.value < 300_000;
  return <span class={isShort ? "soon" : undefined}>{timeLeft(at, now.value)}</span>;
}
