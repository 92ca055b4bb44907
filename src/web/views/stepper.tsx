/** Runs that break a guarantee, step by step: the call, what it changed, what holds then, and where it stands. */
import { signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { CounterexampleView, ProofView, StepView } from "../../approve/wire.ts";
import { visibleText } from "../../explain/visible.ts";
import { count } from "../data/words.ts";
import { Fold } from "../parts/fold.tsx";
import { onKeys } from "../parts/keys.ts";
import { Prose, Sentence, Shown } from "../parts/shown.tsx";
import { marked } from "./line-link.tsx";
import { Excerpt } from "./source.tsx";

interface Broken {
  readonly claim: string;
  readonly run: CounterexampleView;
}

interface StepperProps {
  readonly proof: ProofView;
  readonly source: string;
}

const chosen = signal(0);

export function Stepper({ proof, source }: StepperProps): JSX.Element | null {
  const broken = brokenIn(proof);
  const one = broken[Math.min(chosen.value, broken.length - 1)];
  if (one === undefined) return null;
  return (
    <Fold
      id="counterexample"
      title="Counterexample"
      look="stepper"
      note={count(one.run.steps.length, "step")}
    >
      {broken.length > 1 ? (
        <label class="which">
          Of{" "}
          <select
            value={String(chosen.value)}
            onChange={(event) => {
              chosen.value = Number(event.currentTarget.value);
            }}
          >
            {broken.map(({ claim }, i) => (
              <option key={i} value={String(i)}>
                {visibleText(claim)}
              </option>
            ))}
          </select>
        </label>
      ) : (
        <p class="lead">
          of <Prose text={one.claim} />
        </p>
      )}
      <Steps key={chosen.value} broken={one} source={source} />
    </Fold>
  );
}

function brokenIn({ guarantees, obligations }: ProofView): Broken[] {
  const all = [
    ...guarantees.map(({ name, counterexample }) => ({ claim: `\`${name}\``, run: counterexample })),
    ...obligations.map(({ text, counterexample }) => ({ claim: text, run: counterexample })),
  ];
  return all.flatMap(({ claim, run }) => (run === null ? [] : [{ claim, run }]));
}

function Steps({ broken, source }: { readonly broken: Broken; readonly source: string }): JSX.Element {
  const { run } = broken;
  const at = useSignal(0);
  // Before the first call, after each, and what that shows.
  const last = run.steps.length;
  const move = (by: number) => {
    at.value = Math.min(last, Math.max(0, at.value + by));
  };
  useEffect(() => onKeys({ n: () => move(1), p: () => move(-1) }), [last]);
  const step = run.steps[at.value - 1];
  useEffect(() => {
    if (step?.line != null) marked.value = step.line;
  }, [step]);
  const onArrow = (event: KeyboardEvent) => {
    if (event.key !== "ArrowRight" && event.key !== "ArrowLeft") return;
    event.preventDefault();
    move(event.key === "ArrowRight" ? 1 : -1);
  };
  return (
    <fieldset class="card refuted" onKeyDown={onArrow}>
      <legend class="unseen">Steps of the run</legend>
      <div class="step-bar">
        <button type="button" onClick={() => move(-1)} disabled={at.value === 0}>
          ← Previous
        </button>
        <span class="step-at" aria-live="polite">
          {at.value === 0 ? "before the first call" : `step ${at.value} of ${last}`}
        </span>
        <button type="button" onClick={() => move(1)} disabled={at.value === last}>
          Next →
        </button>
        {last > 3 ? (
          <button type="button" onClick={() => move(last)} disabled={at.value === last}>
            Last
          </button>
        ) : null}
      </div>
      <progress class="step-progress" aria-label="Steps" value={at.value} max={Math.max(1, last)} />
      <div class="step-body">
        <div aria-live="polite">
          {step === undefined ? <Start run={run} /> : <Step step={step} />}
          {at.value === last ? (
            <p class="why">
              <strong>This breaks the guarantee:</strong> <Sentence text={run.why} />
            </p>
          ) : null}
        </div>
        <Held steps={run.steps} at={at.value} />
        {step?.line == null ? null : <Excerpt text={source} line={step.line} />}
      </div>
    </fieldset>
  );
}

function Start({ run }: { readonly run: CounterexampleView }): JSX.Element {
  const inputs = Object.entries(run.inputs);
  if (inputs.length === 0) return <p>The program starts. It has no inputs.</p>;
  return (
    <>
      <p>The program starts with these inputs:</p>
      <dl class="args">
        {inputs.map(([name, value]) => (
          <div key={name}>
            <dt>
              <Shown text={name} />
            </dt>
            <dd>
              <code>
                <Shown text={JSON.stringify(value)} />
              </code>
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function Step({ step }: { readonly step: StepView }): JSX.Element {
  const { tool, args, result, failed } = step;
  return (
    <>
      <p class="call-name">
        <code>
          <Shown text={tool} />
        </code>{" "}
        is called
      </p>
      {args.length === 0 ? null : (
        <dl class="args">
          {args.map(({ name, value }) => (
            <div key={name}>
              <dt>
                <Shown text={name} />
              </dt>
              <dd>
                <code>
                  <Shown text={value} />
                </code>
              </dd>
            </div>
          ))}
        </dl>
      )}
      {failed ? (
        <p class="outcome">
          and <strong>fails</strong>
          {result === null ? null : (
            <>
              : <Shown text={result} />
            </>
          )}
        </p>
      ) : result === null ? null : (
        <p class="outcome">
          and returns{" "}
          <code>
            <Shown text={result} />
          </code>
        </p>
      )}
    </>
  );
}

interface Cell {
  readonly fluent: string;
  readonly key: string;
  readonly value: string;
  readonly isNew: boolean;
}

/** Returns the value of each touched cell after a number of steps. */
function cellsAt(steps: readonly StepView[], at: number): Cell[] {
  const cells = new Map<string, Cell>();
  for (const [i, { changes }] of steps.entries()) {
    for (const { fluent, key, from, to } of changes) {
      const name = JSON.stringify([fluent, key]);
      const known = cells.get(name);
      if (i < at) cells.set(name, { fluent, key, value: to, isNew: i === at - 1 });
      else if (known === undefined) cells.set(name, { fluent, key, value: from, isNew: false });
    }
  }
  return [...cells.values()];
}

function Held({
  steps,
  at,
}: {
  readonly steps: readonly StepView[];
  readonly at: number;
}): JSX.Element | null {
  const cells = cellsAt(steps, at);
  if (cells.length === 0) return null;
  return (
    <div class="table-frame">
      <table class="cells">
        <caption>{at === 0 ? "State at the start" : "State after this call"}</caption>
        <thead>
          <tr>
            <th scope="col">fluent</th>
            <th scope="col">of</th>
            <th scope="col">is</th>
          </tr>
        </thead>
        <tbody>
          {cells.map(({ fluent, key, value, isNew }) => (
            <tr key={`${fluent} ${key}`} class={isNew ? "changed" : undefined}>
              <td>
                <code>
                  <Shown text={fluent} />
                </code>
              </td>
              <td>
                <code>
                  <Shown text={key} />
                </code>
              </td>
              <td>
                <code>
                  <Shown text={value} />
                </code>
                {isNew ? <span class="small"> changed</span> : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
