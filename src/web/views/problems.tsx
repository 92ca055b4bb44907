/** Why a program does not compile. */
import type { JSX } from "preact";
import type { ProblemView } from "../../approve/wire.ts";
import { Sentence, Shown } from "../parts/shown.tsx";
import { LineLink } from "./line-link.tsx";

export function Problems({ problems }: { readonly problems: readonly ProblemView[] }): JSX.Element {
  return (
    <section aria-labelledby="problems">
      <h2 id="problems">Why it cannot be approved</h2>
      <ul class="cards">
        {problems.map((problem, i) => (
          <li key={i} class="card refuted">
            <p class="claim">
              <Sentence text={problem.message} />
            </p>
            {problem.help === null ? null : (
              <p>
                <Sentence text={problem.help} />
              </p>
            )}
            <p class="small">
              <code>
                <Shown text={problem.code} />
              </code>{" "}
              <LineLink line={problem.line} />
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
