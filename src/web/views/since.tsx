/** The changes since the last approved request of the agent with this file name. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { Comparison, RequestDetail } from "../../approve/wire.ts";
import { readComparison } from "../data/api.ts";
import { requestAddress } from "../data/route.ts";
import { count, decisionWords } from "../data/words.ts";
import { Age } from "../parts/badges.tsx";
import { Fold } from "../parts/fold.tsx";
import { Prose, Shown } from "../parts/shown.tsx";

export function Since({ request }: { readonly request: RequestDetail }): JSX.Element | null {
  const { id, revision } = request;
  const found = useSignal<Comparison | undefined>(undefined);
  useEffect(() => {
    let isGone = false;
    void readComparison(id).then((answer) => {
      if (answer.ok && !isGone) found.value = answer.value;
    });
    return () => {
      isGone = true;
    };
  }, [id, revision]);
  const comparison = found.value;
  if (comparison === undefined || comparison.against === null) return null;
  const { against, guarantees, calls, values, source, isSameProgram } = comparison;
  const changes = guarantees.length + calls.length + values.length;
  const note = isSameProgram
    ? changes === 0
      ? "nothing changed"
      : `same program, ${count(changes, "change")}`
    : `another program, ${count(changes, "change")}`;
  return (
    <Fold id="since" title="Since the last approval" note={note}>
      <p class="lead">
        Compared with <a href={requestAddress(against.id)}>the request</a> that was{" "}
        {decisionWords[against.decision]} by <Shown text={against.by} />, <Age at={against.at} />.
      </p>
      {isSameProgram ? <p>The program is the same, with all its guarantees.</p> : null}
      <Changes
        title="Guarantees"
        changes={guarantees.map(({ change, text, before }) => ({
          change,
          text: before === null ? text : `${text} (before: ${before})`,
        }))}
      />
      <Changes title="Calls" changes={calls} />
      <Changes
        title="Values"
        changes={values.map(({ name, before, after }) => ({
          change: "changed",
          text: `${name}: ${after ?? "none"} (before: ${before ?? "none"})`,
        }))}
      />
      {source.length === 0 ? null : (
        <>
          <h3>Source</h3>
          <pre class="source diff">
            {source.map(({ kind, line, text }, i) => (
              <span key={i} class={`line ${kind}`}>
                <span class="line-number">{kind === "skipped" ? "⋯" : (line ?? "")}</span>
                <span class="line-text">
                  <span class="unseen">{kind === "added" || kind === "removed" ? `${kind}: ` : ""}</span>
                  <span aria-hidden="true">{kind === "added" ? "+ " : kind === "removed" ? "− " : "  "}</span>
                  <Shown text={text} layout />
                  {"\n"}
                </span>
              </span>
            ))}
          </pre>
        </>
      )}
    </Fold>
  );
}

interface ChangesProps {
  readonly title: string;
  readonly changes: readonly { readonly change: "added" | "removed" | "changed"; readonly text: string }[];
}

function Changes({ title, changes }: ChangesProps): JSX.Element | null {
  if (changes.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul class="plain changes">
        {changes.map(({ change, text }, i) => (
          <li key={i}>
            <strong class={change}>
              {change === "removed" ? "no longer" : change === "added" ? "new" : change}
            </strong>{" "}
            <Prose text={text} />
          </li>
        ))}
      </ul>
    </>
  );
}
