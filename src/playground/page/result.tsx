/** The result: the verdict, then what is behind it, the worst first. */
import type { JSX } from "preact";
import type { ProofView } from "../../approve/wire.ts";
import {
  Card,
  Coverage,
  Guarantees,
  MayDoView,
  marked,
  Sentence,
  Shown,
  Stepper,
  VerdictBadge,
} from "../../web/index.ts";
import type { PlaygroundProblem } from "../messages.ts";
import { open, pane, project, type Result, result, stage, stop, textOf } from "./state.ts";

export function ResultPane(): JSX.Element {
  const { value } = result;
  const isOld = value !== undefined && value.project !== project.value;
  return (
    <section class={isOld ? "result old" : "result"} aria-label="Result">
      <Status />
      {value === undefined ? null : <Body value={value} />}
    </section>
  );
}

export function Status(): JSX.Element {
  const { value } = result;
  const isProving = stage.value !== "idle";
  return (
    <div class="status">
      <div role="status" class="status-text">
        {value === undefined || isProving ? (
          <span class="working">{working[stage.value]}</span>
        ) : (
          <>
            <Verdict value={value} />
            <span class="small">{howLong(value)}</span>
          </>
        )}
      </div>
      {stage.value === "solver" || stage.value === "proving" ? (
        <button type="button" class="quiet" onClick={stop}>
          Stop
        </button>
      ) : null}
    </div>
  );
}

const working = {
  idle: "",
  waiting: "Waiting for you to pause …",
  proving: "Proving …",
  solver: "Asking the solver …",
} as const;

function Verdict({ value }: { readonly value: Result }): JSX.Element {
  const { outcome } = value;
  switch (outcome.kind) {
    case "proof":
      return (
        <>
          <VerdictBadge verdict={outcome.view.verdict} />
          <span>{countWords(outcome.view)}</span>
        </>
      );
    case "invalid":
      return (
        <>
          <span class="badge refuted">
            <span class="sign" aria-hidden="true">
              ✗
            </span>
            invalid
          </span>
          <span>{outcome.problems.length === 1 ? "one problem" : `${outcome.problems.length} problems`}</span>
        </>
      );
    case "failed":
      return <span class="badge unknown">not proved</span>;
  }
}

function countWords({ guarantees }: ProofView): string {
  const proved = guarantees.filter(({ verdict }) => verdict === "proved").length;
  if (guarantees.length === 0) return "no guarantee is stated";
  if (proved === guarantees.length)
    return proved === 1 ? "the guarantee holds" : `all ${proved} guarantees hold`;
  return `${proved} of ${guarantees.length} guarantees hold`;
}

function howLong({ ms, askedSolver }: Result): string {
  const time = ms < 1_000 ? `${Math.max(1, Math.round(ms))} ms` : `${(ms / 1_000).toFixed(1)} s`;
  return `${time}, ${askedSolver ? "with the solver" : "without the solver"}`;
}

function Body({ value }: { readonly value: Result }): JSX.Element {
  const { outcome, report } = value;
  switch (outcome.kind) {
    case "failed":
      return (
        <p class="notice">
          <Sentence text={outcome.message} />
        </p>
      );
    case "invalid":
      return (
        <>
          <Problems problems={outcome.problems} />
          <Report report={report} />
        </>
      );
    case "proof": {
      const { view } = outcome;
      const source = textOf(value.project, value.project.entry);
      return (
        <>
          <Card proof={view} />
          <Stepper proof={view} source={source} />
          <Guarantees proof={view} />
          <MayDoView mayDo={view.mayDo} />
          <Coverage coverage={view.coverage} />
          <Report report={report} />
        </>
      );
    }
  }
}

function Problems({ problems }: { readonly problems: readonly PlaygroundProblem[] }): JSX.Element {
  return (
    <section aria-labelledby="problems">
      <h2 id="problems">Why it is not proved</h2>
      <ul class="cards">
        {problems.map((problem, i) => (
          <li key={i} class="card refuted">
            <p class="claim">
              <Sentence text={problem.message} />
            </p>
            {problem.help === null ? null : (
              <p>
                <strong>Help:</strong> <Sentence text={problem.help} />
              </p>
            )}
            <p class="small">
              <code>
                <Shown text={problem.code} />
              </code>{" "}
              <Place problem={problem} />
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Place({ problem: { place } }: { readonly problem: PlaygroundProblem }): JSX.Element | null {
  if (place === null) return null;
  const show = () => {
    marked.value = place.start.line;
    open.value = place.file;
    pane.value = "code";
  };
  return (
    <button type="button" class="line-link" onClick={show}>
      <Shown text={place.file} />, line {place.start.line}
    </button>
  );
}

function Report({ report }: { readonly report: unknown }): JSX.Element {
  return (
    <details class="report">
      <summary>As data</summary>
      <p class="small">
        <code>foreclaim prove --json</code> prints the same, with the time that it took.
      </p>
      <pre class="source">
        <Shown text={JSON.stringify(report, null, 2)} layout />
      </pre>
    </details>
  );
}
