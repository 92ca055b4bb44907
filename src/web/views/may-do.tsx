/** Possible effects of the program: every call that any run can make, on a line from the first to the last. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { MayCall, MayDo, MayTell } from "../../approve/wire.ts";
import { count, statements } from "../data/words.ts";
import { Fold } from "../parts/fold.tsx";
import { Prose, Sentence, Shown } from "../parts/shown.tsx";
import { LineLink } from "./line-link.tsx";
import { type Lane, lanesOf, Rail } from "./rail.tsx";

export function MayDoView({ mayDo }: { readonly mayDo: MayDo }): JSX.Element {
  const { calls, fluents, answers, told = [] } = mayDo;
  const lanes = lanesOf(mayDo);
  return (
    <Fold id="may-do" title="Possible effects" note={count(calls.length, "call")}>
      <p class="lead">
        Nothing else can happen: these are all the calls that any run can make, in the order of the program.
      </p>
      {answers.length === 0 ? null : (
        <dl class="answers">
          {answers.map(({ question, answer }) => (
            <div key={question}>
              <dt>
                <Sentence text={question} />
              </dt>
              <dd>
                <ul>
                  {answer.map((one) => (
                    <li key={one}>
                      <Answer text={one} />
                    </li>
                  ))}
                </ul>
              </dd>
            </div>
          ))}
        </dl>
      )}
      {calls.length === 0 ? <p class="notice">It calls nothing.</p> : <Calls calls={calls} lanes={lanes} />}
      <Told told={told} />
      {fluents.length === 0 ? null : (
        <>
          <h3>State that may change</h3>
          <dl class="pairs fluents">
            {fluents.map(({ fluent, text }, i) => (
              <div key={fluent}>
                <dt>
                  {lanes[i] === undefined ? null : <span class="lane-name">{lanes[i].letter}</span>}
                  <code>
                    <Shown text={fluent} />
                  </code>
                </dt>
                <dd>
                  <ul class="plain">
                    {statements(text).map((part) => (
                      <li key={part}>
                        <Prose text={part} />
                      </li>
                    ))}
                  </ul>
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </Fold>
  );
}

/** Messages to the person who started the run. */
function Told({ told }: { readonly told: readonly MayTell[] }): JSX.Element | null {
  if (told.length === 0) return null;
  return (
    <>
      <h3>Messages to the person who started the run</h3>
      <ul class="told">
        {told.map(({ kind, value, isConstant, when, each, line }) => (
          <li key={`${line} ${kind} ${value}`}>
            it {kind === "answer" ? "answers with" : "notes"}{" "}
            {isConstant ? (
              <code>
                <Shown text={value} />
              </code>
            ) : (
              <Prose text={value} />
            )}{" "}
            <LineLink line={line} />
            {when === null ? null : (
              <p class="when">
                {/^(?:never|depending on)\b/.test(when) ? null : <strong>only if </strong>}
                <Prose text={when} />
              </p>
            )}
            {each === null ? null : (
              <p class="when">
                for <Prose text={each} />
              </p>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

/** Highlights an unconstrained value. */
function Answer({ text }: { readonly text: string }): JSX.Element {
  const any = "any value";
  if (!text.startsWith(any)) return <Prose text={text} />;
  return (
    <>
      <strong class="any">{any}</strong>
      <Prose text={text.slice(any.length)} />
    </>
  );
}

interface CallsProps {
  readonly calls: readonly MayCall[];
  readonly lanes: readonly Lane[];
}

/** LIMIT: of calls that are shown at once; the others are there on demand. */
const mostAtOnce = 12;

function Calls({ calls, lanes }: CallsProps): JSX.Element {
  const shown = useSignal(mostAtOnce);
  const rows = (from: number, to: number) =>
    calls
      .slice(from, to)
      .map((call, i) => (
        <Row
          key={call.number}
          call={call}
          previous={calls[from + i - 1]}
          next={calls[from + i + 1]}
          lanes={lanes}
        />
      ));
  return (
    <>
      <Legend lanes={lanes} calls={calls} />
      <ol class="timeline">{rows(0, shown.value)}</ol>
      {calls.length > shown.value ? (
        <button
          type="button"
          onClick={() => {
            shown.value += 5 * mostAtOnce;
          }}
        >
          {count(calls.length - shown.value, "more call")}
        </button>
      ) : null}
    </>
  );
}

function Legend({ lanes, calls }: CallsProps): JSX.Element {
  return (
    <ul class="legend" aria-label="Signs">
      <li>
        <svg class="legend-sign" viewBox="0 0 16 16" aria-hidden="true">
          <circle class="node changes" cx="8" cy="8" r="5" />
        </svg>
        changes something
      </li>
      {calls.some(({ reads }) => reads) ? (
        <li>
          <svg class="legend-sign" viewBox="0 0 16 16" aria-hidden="true">
            <circle class="node reads" cx="8" cy="8" r="5" />
          </svg>
          only reads
        </li>
      ) : null}
      {calls.some(({ when }) => when !== null) ? (
        <li>
          <svg class="legend-sign" viewBox="0 0 16 16" aria-hidden="true">
            <path class="branch" d="M3 1 V15 M3 8 H8" />
            <circle class="node changes" cx="11" cy="8" r="4" />
          </svg>
          only if
        </li>
      ) : null}
      {calls.some(({ each }) => each !== null) ? (
        <li>
          <svg class="legend-sign" viewBox="0 0 16 16" aria-hidden="true">
            <rect class="loop" x="3" y="1.5" width="10" height="13" rx="4" />
          </svg>
          in a loop
        </li>
      ) : null}
      {lanes.length > 0 ? (
        <li class="lanes">
          <svg class="legend-sign" viewBox="0 0 16 16" aria-hidden="true">
            <path class="lane" d="M8 0 V16" />
            <rect class="mark" x="4" y="4" width="8" height="8" transform="rotate(45 8 8)" />
          </svg>
          sets a fluent
        </li>
      ) : null}
    </ul>
  );
}

interface RowProps {
  readonly call: MayCall;
  readonly previous: MayCall | undefined;
  readonly next: MayCall | undefined;
  readonly lanes: readonly Lane[];
}

function Row({ call, previous, next, lanes }: RowProps): JSX.Element {
  const { number, tool, args, when, each, beside = [], reads, line } = call;
  const isFirstOfLoop = each !== null && previous?.each !== each;
  return (
    <li class={reads ? "reads" : "changes"}>
      <Rail call={call} previous={previous} next={next} lanes={lanes} />
      <div class="call">
        {isFirstOfLoop ? (
          <p class="each">
            for <Prose text={each} />
          </p>
        ) : null}
        <p class="call-name">
          <span class="number">{number}</span>
          <code>
            <Shown text={tool} />
          </code>{" "}
          <span class="small">{reads ? "reads" : "changes"}</span> <LineLink line={line} />
        </p>
        {when === null ? null : (
          <p class="when">
            {/^(?:never|depending on)\b/.test(when) ? null : <strong>only if </strong>}
            <Prose text={when} />
          </p>
        )}
        {beside.length === 0 ? null : (
          <p class="when">
            at the same time as {beside.length === 1 ? "call" : "calls"} {beside.join(", ")}
          </p>
        )}
        {args.length === 0 ? null : (
          <dl class="args">
            {args.map((arg) => (
              <div key={arg.name}>
                <dt>
                  <Shown text={arg.name} />
                </dt>
                <dd>
                  {arg.isConstant ? (
                    <code>
                      <Shown text={arg.value} />
                    </code>
                  ) : (
                    <span class="varies">
                      <Prose text={arg.value} />
                    </span>
                  )}
                </dd>
              </div>
            ))}
          </dl>
        )}
      </div>
    </li>
  );
}
