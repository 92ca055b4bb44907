/** The run as its runner reports it, call by call as it happens. */
import type { JSX } from "preact";
import type { RunView } from "../../approve/wire.ts";
import { callWords, count, runWords } from "../data/words.ts";
import { Sentence, Shown } from "../parts/shown.tsx";

export function Run({ run }: { readonly run: RunView }): JSX.Element {
  const { state, calls, text, answer, notes = [] } = run;
  const look = state === "done" ? "proved" : state === "running" ? "running" : "refuted";
  return (
    <section aria-labelledby="run">
      <h2 id="run">The run</h2>
      <div class={`card ${look}`}>
        <p class="claim" role="status">
          <span class="run-state">{runWords[state]}</span>
          {`, ${count(calls.length, "call")}`}
        </p>
        {text === null ? null : (
          <p>
            <Sentence text={text} />
          </p>
        )}
        <ol class="run-calls">
          {calls.map(({ number, tool, args, state: callState, result }) => (
            <li key={number} class={callState}>
              <span class="call-state">{callWords[callState]}</span>
              <span class="call-text">
                <code>
                  <Shown text={tool} />({/* as it was given */}
                  <Shown text={args} />)
                </code>
                {result === null ? null : (
                  <>
                    {" "}
                    →{" "}
                    <code>
                      <Shown text={result} />
                    </code>
                  </>
                )}
              </span>
            </li>
          ))}
        </ol>
        {notes.length === 0 ? null : (
          <ul class="told">
            {notes.map((note, i) => (
              <li key={i}>
                note: <Shown text={note} />
              </li>
            ))}
          </ul>
        )}
        {answer === undefined ? null : (
          <p>
            answer:{" "}
            <code>
              <Shown text={JSON.stringify(answer.value)} />
            </code>
          </p>
        )}
      </div>
    </section>
  );
}
