/**
 * One request. The card of its risks comes first, then the proof, and the agent's words come last, so that nobody approves by
 * them.
 */
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { RequestDetail } from "../../approve/wire.ts";
import { filterAddress, listAddress, requestAddress } from "../data/route.ts";
import { maySend, opened, trouble } from "../data/state.ts";
import { count, stateWords } from "../data/words.ts";
import { Age, TimeLeft } from "../parts/badges.tsx";
import { Fold } from "../parts/fold.tsx";
import { Prose, Shown } from "../parts/shown.tsx";
import { Card } from "./card.tsx";
import { Coverage } from "./coverage.tsx";
import { Decide } from "./decide.tsx";
import { Decided } from "./decided.tsx";
import { Edit, Edited } from "./edit.tsx";
import { Guarantees } from "./guarantees.tsx";
import { MayDoView } from "./may-do.tsx";
import { PolicyStops } from "./policy-stops.tsx";
import { Problems } from "./problems.tsx";
import { Question } from "./question.tsx";
import { Run } from "./run.tsx";
import { Since } from "./since.tsx";
import { Source } from "./source.tsx";
import { Stepper } from "./stepper.tsx";

export function Request(): JSX.Element {
  const request = opened.value;
  if (request === undefined)
    return (
      <main id="main" class="request-view">
        <p role="status">
          {trouble.value === undefined ? "Reading the request …" : <Prose text={trouble.value.message} />}
        </p>
        <a href={listAddress}>Back to the list</a>
      </main>
    );
  return <Shell key={request.id} request={request} />;
}

function Shell({ request }: { readonly request: RequestDetail }): JSX.Element {
  const title = useRef<HTMLHeadingElement>(null);
  // Screen readers announce that there is another one.
  useEffect(() => title.current?.focus(), []);
  const { proof, problems, progress, decided } = request;
  return (
    <div class="request-layout">
      <main id="main" class="request-view">
        <Head request={request} title={title} />
        <Question request={request} />
        {progress === null ? null : <Run run={progress} />}
        {decided === null ? null : <Decided decided={decided} proof={proof} />}
        {problems.length === 0 ? null : <Problems problems={problems} />}
        <Edited request={request} />
        {proof === null ? null : (
          <>
            <Guarantees proof={proof} />
            <PolicyStops stops={request.policyStops ?? []} />
            <Coverage coverage={proof.coverage} />
            <Since request={request} />
            <MayDoView mayDo={proof.mayDo} />
            <Stepper proof={proof} source={request.program.text} />
          </>
        )}
        <Given request={request} />
        <Source request={request} />
      </main>
      <Decide request={request} />
    </div>
  );
}

interface HeadProps {
  readonly request: RequestDetail;
  readonly title: { current: HTMLHeadingElement | null };
}

function Head({ request, title }: HeadProps): JSX.Element {
  const { file, agent, filedAt, expiresAt, status, proof, follows } = request;
  return (
    <header class="request-head">
      <a class="back" href={listAddress}>
        ← All requests
      </a>
      <h1 tabIndex={-1} ref={title}>
        <Shown text={file} />
      </h1>
      <p class="meta">
        <span class="state">{stateWords(request)}</span> · filed by{" "}
        <a href={filterAddress(agent)}>
          <Shown text={agent} />
        </a>{" "}
        <Age at={filedAt} />
        {" · "}
        <a href={filterAddress(agent, file)}>all of this program</a>
        {status === "decided" ? null : (
          <>
            {" · "}
            <TimeLeft at={expiresAt} />
          </>
        )}
      </p>
      {proof === null ? null : <Card proof={proof} />}
      {follows === null ? null : (
        <p class="meta">
          Follows <a href={requestAddress(follows)}>an earlier request</a> that was answered with a question.
        </p>
      )}
    </header>
  );
}

function Given({ request }: { readonly request: RequestDetail }): JSX.Element {
  const { inputs, budget, proof } = request;
  const names = Object.entries(inputs);
  return (
    <Fold id="given" title="Inputs and limits" look="given" note={givenNote(request)}>
      <dl class="pairs">
        {names.map(([name, value]) => (
          <div key={name}>
            <dt>
              input{" "}
              <code>
                <Shown text={name} />
              </code>
            </dt>
            <dd>
              <code>
                <Shown text={JSON.stringify(value)} />
              </code>
            </dd>
          </div>
        ))}
        {names.length === 0 ? (
          <div>
            <dt>inputs</dt>
            <dd>none</dd>
          </div>
        ) : null}
        <div>
          <dt>budget</dt>
          <dd>{budget === null ? "what the kernel has" : <Shown text={`at most ${budget}`} />}</dd>
        </div>
        {proof === null ? null : (
          <>
            <div>
              <dt>document</dt>
              <dd>
                <code class="hash">
                  <Shown text={proof.hash} />
                </code>
              </dd>
            </div>
            <div>
              <dt>tool modules</dt>
              <dd>
                <code class="hash">
                  <Shown text={proof.modules} />
                </code>
              </dd>
            </div>
          </>
        )}
      </dl>
      {request.status === "pending" && maySend() ? <Edit key={request.revision} request={request} /> : null}
    </Fold>
  );
}

function givenNote({ inputs, budget }: RequestDetail): string {
  return `${count(Object.keys(inputs).length, "input")}, ${budget === null ? "no budget" : `at most ${budget}`}`;
}
