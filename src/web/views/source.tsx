/** The agent's program and its description. The description is not verified, so it comes last. */
import type { JSX } from "preact";
import type { RequestDetail } from "../../approve/wire.ts";
import { Fold } from "../parts/fold.tsx";
import { Shown } from "../parts/shown.tsx";
import { lineId, marked } from "./line-link.tsx";

export function Source({ request }: { readonly request: RequestDetail }): JSX.Element {
  const { program, words } = request;
  return (
    <Fold id="agent" title="Written by the agent" look="by-agent" note="not verified">
      <p class="lead">Nothing in this part is verified. You approve only what is proved above.</p>
      <h3>Source</h3>
      <pre class="source">
        {linesOf(program.text).map((text, i) => (
          <Line key={i} number={i + 1} text={text} isTarget />
        ))}
      </pre>
      {words === null || words === "" ? null : (
        <>
          <h3>The agent's description (not verified)</h3>
          <blockquote class="agent-words">
            <Shown text={words} layout />
          </blockquote>
        </>
      )}
    </Fold>
  );
}

/** The lines around one. */
export function Excerpt({ text, line }: { readonly text: string; readonly line: number }): JSX.Element {
  const around = 2;
  const from = Math.max(1, line - around);
  return (
    <figure class="excerpt">
      <figcaption class="small">Line {line} of the source</figcaption>
      <pre class="source">
        {linesOf(text)
          .slice(from - 1, line + around)
          .map((one, i) => (
            <Line key={from + i} number={from + i} text={one} isMarked={from + i === line} />
          ))}
      </pre>
    </figure>
  );
}

function linesOf(text: string): string[] {
  return text.replace(/\n$/, "").split("\n");
}

interface LineProps {
  readonly number: number;
  readonly text: string;
  readonly isMarked?: boolean;
  /** True for the line that links point to. */
  readonly isTarget?: boolean;
}

function Line({ number, text, isMarked, isTarget = false }: LineProps): JSX.Element {
  const isHere = isMarked ?? marked.value === number;
  return (
    <span
      class={isHere ? "line here" : "line"}
      id={isTarget ? lineId(number) : undefined}
      tabIndex={isTarget ? -1 : undefined}
    >
      <span class="line-number">{number}</span>
      <span class="line-text">
        <Shown text={text} layout />
        {"\n"}
      </span>
    </span>
  );
}
