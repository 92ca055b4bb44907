/** Other inputs, or a smaller budget: the service proves other inputs again before anyone can approve them. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { RequestDetail } from "../../approve/wire.ts";
import type { Refusal } from "../data/answer.ts";
import { edit } from "../data/api.ts";
import { announced, loadRequest } from "../data/state.ts";
import { Sentence, Shown } from "../parts/shown.tsx";

export function Edited({ request }: { readonly request: RequestDetail }): JSX.Element | null {
  const { edited } = request;
  if (edited === undefined) return null;
  const { by, problem, inputs, budget } = edited;
  return (
    <div class="notice">
      {problem === null ? (
        <p>
          Edited by <Shown text={by} />. The agent asked for{" "}
          <code>
            <Shown text={JSON.stringify(inputs)} />
          </code>{" "}
          and {budget === null ? "no budget" : `a budget of ${budget}`}.
        </p>
      ) : (
        <p>
          The edit of <Shown text={by} /> was not taken: <Sentence text={problem} />
        </p>
      )}
    </div>
  );
}

export function Edit({ request }: { readonly request: RequestDetail }): JSX.Element {
  const { id, revision, inputs, budget } = request;
  const text = useSignal(JSON.stringify(inputs, null, 2));
  const most = useSignal(budget ?? "");
  const problem = useSignal<Refusal | undefined>(undefined);
  const send = async () => {
    const given = objectIn(text.value);
    if (given === undefined) {
      problem.value = { status: 0, message: "the inputs are not an object in JSON", help: null };
      return;
    }
    const wanted = most.value.trim();
    const answer = await edit(id, { inputs: given, budget: wanted === "" ? null : wanted, revision });
    problem.value = answer.ok ? undefined : answer.refusal;
    if (!answer.ok) return;
    announced.value = "The values are changed. Read the request again before you approve it.";
    await loadRequest(id);
  };
  return (
    <details class="edit">
      <summary>Edit inputs and budget</summary>
      <label for="edit-inputs">Inputs</label>
      <textarea
        id="edit-inputs"
        class="code"
        rows={Math.min(12, text.value.split("\n").length + 1)}
        spellcheck={false}
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
        }}
      />
      <label for="edit-budget">Budget (at most what the agent asked for)</label>
      <input
        id="edit-budget"
        inputMode="decimal"
        value={most.value}
        onInput={(event) => {
          most.value = event.currentTarget.value;
        }}
      />
      <p class="problem" role="alert">
        {problem.value === undefined ? null : <Sentence text={problem.value.message} />}
      </p>
      <button type="button" onClick={() => void send()}>
        Use these values
      </button>
    </details>
  );
}

function objectIn(text: string): RequestDetail["inputs"] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    // SAFETY: what JSON gives, and no list.
    return value as RequestDetail["inputs"];
  } catch {
    return undefined;
  }
}
