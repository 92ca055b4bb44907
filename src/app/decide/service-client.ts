/** The side of a run that talks to an approval service: files a request, waits for the decision, tells how the run goes. */
import type { ErrorBody, Filed, Progress, QuestionReply, RequestDetail } from "../../approve/index.ts";
import { ok, type Result } from "../../ir/index.ts";
import { type Failure, plainFailure } from "../failure.ts";

export interface ServiceAddress {
  /** `http://127.0.0.1:4173` */
  readonly url: string;
  /** The credential of an agent. */
  readonly credential: string;
}

/** LIMIT: how long a service that is gone is waited for, and how often it is asked. */
const goneMs = 120_000;
const againMs = 500;
const waitSeconds = 25;

class Gone extends Error {}

export class ServiceClient {
  readonly #to: ServiceAddress;
  readonly #nowMs: () => number;

  constructor(to: ServiceAddress, nowMs: () => number) {
    this.#to = to;
    this.#nowMs = nowMs;
  }

  /** A `NewRequest` as JSON. Not tried again once it may have arrived: nothing is filed twice. */
  async file(request: string): Promise<Result<string, Failure>> {
    const answer = await this.#ask("POST", "/api/requests", request).catch(goneIn);
    if (answer instanceof Gone) return this.#isGone();
    if (!answer.ok) return await refused(answer);
    // SAFETY: the service answers 201 with this; what does not have it is no id that anything is found by.
    const { id } = (await answer.json()) as Filed;
    return ok(String(id));
  }

  /**
   * Until it is decided, or nothing more can come of it; also while the service is started anew.
   *
   * @param asked hears that no rule has decided, so that a person has to
   */
  decision(id: string, signal: AbortSignal, asked: () => void): Promise<Result<RequestDetail, Failure>> {
    return this.#until(id, signal, ({ status }) => {
      if (status === "pending") asked();
      return status !== "proving" && status !== "pending";
    });
  }

  /** Until a worker has run it, or a person must resolve a call. */
  end(id: string, signal: AbortSignal): Promise<Result<RequestDetail, Failure>> {
    return this.#until(id, signal, ({ progress }) => progress !== null && progress.state !== "running");
  }

  async #until(
    id: string,
    signal: AbortSignal,
    isSo: (request: RequestDetail) => boolean,
  ): Promise<Result<RequestDetail, Failure>> {
    let revision = 0;
    let goneSince: number | undefined;
    for (;;) {
      const path = `/api/requests/${id}/wait?revision=${revision}&seconds=${waitSeconds}`;
      const answer = await this.#ask("GET", path, undefined, signal).catch(goneIn);
      if (signal.aborted) return plainFailure("FC9012", "the command was interrupted");
      if (answer instanceof Gone || answer.status >= 500 || answer.status === 429) {
        goneSince ??= this.#nowMs();
        if (this.#nowMs() - goneSince > goneMs) return this.#isGone();
        await new Promise((done) => setTimeout(done, againMs));
        continue;
      }
      goneSince = undefined;
      if (!answer.ok) return await refused(answer);
      // SAFETY: as the service publishes it; what is believed of it is the receipt, which is signed.
      const request = (await answer.json()) as RequestDetail;
      if (isSo(request)) return ok(request);
      ({ revision } = request);
    }
  }

  async receipt(id: string): Promise<Result<string, Failure>> {
    const answer = await this.#ask("GET", `/api/requests/${id}/receipt`).catch(goneIn);
    if (answer instanceof Gone) return this.#isGone();
    return answer.ok ? ok(await answer.text()) : await refused(answer);
  }

  /** Waits for a person's reply to a question of the run; undefined if the run is cut off, or nobody can reply any more. */
  async reply(id: string, secret: string, signal: AbortSignal): Promise<QuestionReply | undefined> {
    let revision = 0;
    let goneSince: number | undefined;
    while (!signal.aborted) {
      const headers = { "x-foreclaim-question": secret };
      const found = await this.#ask("GET", `/api/requests/${id}/answer`, undefined, signal, headers).catch(
        goneIn,
      );
      // SAFETY: as the service publishes it; the caller compares the question with its own.
      if (!(found instanceof Gone) && found.ok) return (await found.json()) as QuestionReply;
      const path = `/api/requests/${id}/wait?revision=${revision}&seconds=${waitSeconds}`;
      const changed = await this.#ask("GET", path, undefined, signal).catch(goneIn);
      if (changed instanceof Gone || changed.status >= 500 || changed.status === 429) {
        goneSince ??= this.#nowMs();
        if (this.#nowMs() - goneSince > goneMs) return undefined;
        await new Promise((done) => setTimeout(done, againMs));
        continue;
      }
      goneSince = undefined;
      if (!changed.ok) return undefined;
      // SAFETY: as above.
      ({ revision } = (await changed.json()) as RequestDetail);
    }
    return undefined;
  }

  /** Tells the service once; the next message replaces a lost one, and a run does not wait for it. */
  async tell(id: string, progress: Progress): Promise<void> {
    const body = JSON.stringify(progress);
    await this.#ask("PUT", `/api/requests/${id}/progress`, body).catch(goneIn);
  }

  async #ask(
    method: string,
    path: string,
    body?: string,
    signal?: AbortSignal,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    const { url, credential } = this.#to;
    const limit = AbortSignal.timeout((waitSeconds + 15) * 1000);
    try {
      return await fetch(new URL(path, url), {
        method,
        headers: { authorization: `Bearer ${credential}`, "content-type": "application/json", ...more },
        ...(body !== undefined && { body }),
        redirect: "error",
        signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
      });
    } catch (thrown) {
      throw new Gone(thrown instanceof Error ? thrown.message : "no response");
    }
  }

  #isGone() {
    const help = "start it with `foreclaim serve`, and give its address with --service";
    return plainFailure("FC9012", `the service at \`${this.#to.url}\` does not respond`, help);
  }
}

function goneIn(thrown: unknown): Gone {
  if (thrown instanceof Gone) return thrown;
  throw thrown;
}

async function refused(answer: Response) {
  const body: unknown = await answer.json().catch(() => undefined);
  // SAFETY: every refusal has this form; another one is told by its number.
  const error = (body as Partial<ErrorBody> | undefined)?.error;
  const why =
    typeof error?.message === "string" ? error.message : `it responded with status ${answer.status}`;
  const help = typeof error?.help === "string" ? error.help : undefined;
  return plainFailure("FC9012", `the service refused: ${why}`, help);
}
