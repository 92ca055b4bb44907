/** The question that a run waits with. A reviewer answers it here, and the run gets the answer. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { QuestionAnswer, RequestDetail, RunQuestion } from "../../approve/wire.ts";
import type { Refusal } from "../data/answer.ts";
import { answerQuestion } from "../data/api.ts";
import { announced, loadRequest, maySend } from "../data/state.ts";
import { Prose, Sentence, Shown } from "../parts/shown.tsx";

type Reply = Omit<QuestionAnswer, "question">;

const no: Reply = { approved: false, chosen: [], words: null };

export function Question({ request }: { readonly request: RequestDetail }): JSX.Element | null {
  const { id, progress } = request;
  const problem = useSignal<Refusal | undefined>(undefined);
  const isBusy = useSignal(false);
  if (progress?.question === undefined || progress.state !== "running") return null;
  const { question, reply } = progress;
  const mayAnswer = maySend() && reply === undefined;
  const send = async (answer: Reply) => {
    if (isBusy.value) return;
    isBusy.value = true;
    const sent = await answerQuestion(id, { question, ...answer });
    isBusy.value = false;
    problem.value = sent.ok ? undefined : sent.refusal;
    if (sent.ok) announced.value = "Your answer was sent.";
    await loadRequest(id);
  };
  return (
    <section aria-labelledby="question" class="question">
      <h2 id="question">The run asks you</h2>
      <div class="card running">
        <p class="claim">
          <Shown text={question.what} />
        </p>
        {reply === undefined ? null : (
          <p role="status">
            <Shown text={reply.by} /> has answered.
          </p>
        )}
        <p class="problem" role="alert">
          {problem.value === undefined ? null : (
            <>
              <Sentence text={problem.value.message} />{" "}
              {problem.value.help === null ? null : <Prose text={problem.value.help} />}
            </>
          )}
        </p>
        <Asked key={question.id} question={question} mayAnswer={mayAnswer && !isBusy.value} send={send} />
      </div>
    </section>
  );
}

interface AskedProps {
  readonly question: RunQuestion;
  readonly mayAnswer: boolean;
  readonly send: (reply: Reply) => Promise<void>;
}

function Asked({ question, mayAnswer, send }: AskedProps): JSX.Element {
  const chosen = useSignal<readonly number[]>([]);
  const words = useSignal("");
  const { kind, items } = question;
  switch (kind) {
    case "approve":
      return (
        <>
          <pre class="asked-text">
            <Shown text={items[0] ?? ""} />
          </pre>
          <div class="choices">
            <button
              type="button"
              class="primary"
              disabled={!mayAnswer}
              onClick={() => void send({ ...no, approved: true })}
            >
              Approve this text
            </button>
            <button type="button" class="danger" disabled={!mayAnswer} onClick={() => void send(no)}>
              Refuse
            </button>
          </div>
        </>
      );
    case "approve_list":
      return (
        <>
          <fieldset disabled={!mayAnswer}>
            <legend>Which of them?</legend>
            {items.map((item, i) => (
              <label key={i} class="asked-item">
                <input
                  type="checkbox"
                  checked={chosen.value.includes(i)}
                  onChange={({ currentTarget }) => {
                    const others = chosen.value.filter((one) => one !== i);
                    chosen.value = currentTarget.checked ? [...others, i].sort((a, b) => a - b) : others;
                  }}
                />{" "}
                <Shown text={item} />
              </label>
            ))}
          </fieldset>
          <div class="choices">
            <button
              type="button"
              class="primary"
              disabled={!mayAnswer}
              onClick={() => void send({ ...no, chosen: chosen.value })}
            >
              Approve the chosen ones
            </button>
          </div>
        </>
      );
    case "ask":
      return (
        <>
          <label for="asked-words">Your answer</label>
          <textarea
            id="asked-words"
            rows={3}
            value={words.value}
            disabled={!mayAnswer}
            onInput={(event) => {
              words.value = event.currentTarget.value;
            }}
          />
          <div class="choices">
            <button
              type="button"
              class="primary"
              disabled={!mayAnswer || words.value.trim() === ""}
              onClick={() => void send({ ...no, words: words.value })}
            >
              Send
            </button>
            <button type="button" disabled={!mayAnswer} onClick={() => void send(no)}>
              Do not answer
            </button>
          </div>
        </>
      );
  }
}
