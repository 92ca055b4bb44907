/** Tells a service how a run goes: the whole of it each time, one after the other, and never more than one behind. */
import type { Progress, RunCall, RunQuestion } from "../../approve/index.ts";
import { printValue, type Result } from "../../ir/index.ts";
import type { ProgramRun, RunProgress } from "../../run/index.ts";
import type { Failure } from "../failure.ts";
import type { Finished } from "../run.ts";

/** LIMIT: of a text, and of calls that are told one by one. */
const mostText = 300;
const mostCalls = 500;
const mostNotes = 200;
/** LIMIT: of the text of an answer; a longer one is not told to the service. */
const mostAnswer = 200_000;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export class RunTeller {
  readonly #run: string;
  readonly #send: (view: Progress) => Promise<void>;
  readonly #calls = new Map<string, Mutable<RunCall>>();
  #question: RunQuestion | undefined;
  #sending: Promise<void> | undefined;
  #isStale = false;

  /** @param before what an earlier process told of the run */
  constructor(
    run: string,
    send: (view: Progress) => Promise<void>,
    before?: Pick<Progress, "calls" | "question">,
  ) {
    this.#run = run;
    this.#send = send;
    this.#question = before?.question;
    // A call that was under way is told again, if it is made again.
    for (const call of before?.calls.filter(({ state }) => state !== "running") ?? [])
      this.#calls.set(`earlier ${this.#calls.size + 1}`, { ...call, number: this.#calls.size + 1 });
  }

  readonly hear = (progress: RunProgress): void => {
    const { kind, actionId } = progress;
    const known = this.#calls.get(actionId);
    if (kind === "calling" && this.#calls.size < mostCalls) {
      const number = this.#calls.size + 1;
      const args = printValue(progress.args, mostText);
      this.#calls.set(actionId, { number, tool: progress.tool, args, state: "running", result: null });
    } else if (kind === "ended" && known !== undefined) {
      const { status, reason, result } = progress;
      known.state = status === "done" || status === "undone" ? status : "failed";
      known.result =
        result !== undefined ? printValue(result, mostText) : (reason?.slice(0, mostText) ?? null);
    } else if (kind === "undoing" && known !== undefined) known.state = "undone";
    else return;
    this.#tell();
  };

  /** Shows a question until another one, or none, is given. */
  readonly ask = (question: RunQuestion | undefined): void => {
    this.#question = question;
    this.#tell();
  };

  /** @param send sends the end, where a failure to send it must be known */
  readonly end = async (end: RunEnd, send: (view: Progress) => Promise<void> = this.#send): Promise<void> => {
    this.#isStale = false;
    this.#question = undefined;
    await this.#sending;
    await send({ ...this.#view(), ...end });
  };

  #tell(): void {
    this.#isStale = true;
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
  }

  async #sendAll(): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false;
      await this.#send(this.#view());
    }
  }

  #view(): Progress {
    return {
      run: this.#run,
      state: "running",
      calls: [...this.#calls.values()],
      text: null,
      ...(this.#question && { question: this.#question }),
    };
  }
}

export type RunEnd = Pick<Progress, "state" | "text" | "answer" | "notes">;

/** Says how a run ended, for those who watch it. */
export function endOf(finished: Result<Finished, Failure>): RunEnd {
  const run = finished.ok && finished.value.kind === "ran" ? finished.value.run : undefined;
  return { ...stateOf(finished), ...(run && toldIn(run)) };
}

function toldIn({ result, notes }: ProgramRun): Pick<Progress, "answer" | "notes"> {
  const isShort = result !== undefined && JSON.stringify(result).length <= mostAnswer;
  return {
    ...(isShort && { answer: { value: result } }),
    ...(notes.length > 0 && { notes: notes.slice(0, mostNotes).map((note) => note.slice(0, mostText)) }),
  };
}

function stateOf(finished: Result<Finished, Failure>): Pick<Progress, "state" | "text"> {
  if (!finished.ok) return { state: "stopped", text: finished.problems[0]?.message ?? null };
  if (finished.value.kind !== "ran") return { state: "stopped", text: "no call was made" };
  const { run } = finished.value;
  const text = run.endedBy?.message ?? null;
  switch (run.kind) {
    case "done":
      return { state: "done", text };
    case "in doubt":
      return { state: "in_doubt", text };
    case "stopped": {
      const isUndone = run.notUndone.length === 0 && run.calls.some(({ status }) => status === "undone");
      return { state: isUndone ? "undone" : "stopped", text };
    }
  }
}
