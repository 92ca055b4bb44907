/** A run as it goes: a line for each thing that has happened, and on a terminal one that tells what is going on. */

import { visibleText } from "../../../explain/index.ts";
import type { CallProgress } from "../../../run/index.ts";
import { paintOf } from "../../failure.ts";
import type { Host } from "../../host.ts";
import type { Paint } from "../../text/paint.ts";
import { cut } from "../../text/width.ts";

const redrawMs = 100;
const barColumns = 20;
/** The longest of the words at the beginning of a line, and two blanks. */
const wordColumns = 13;

export type LiveProgress =
  | CallProgress
  | {
      readonly kind: "ended";
      readonly actionId: string;
      readonly status: "done" | "failed" | "in doubt";
      /** The number of calls that have ended, and of all. */
      readonly ended: number;
      readonly all: number;
      readonly reason?: string;
    };

export class LiveRun {
  readonly #host: Host;
  readonly #lines: boolean;
  readonly #paint: Paint;
  readonly #running = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #isDrawn = false;
  #isOver = false;
  #isAside = false;
  #share: readonly [ended: number, all: number];
  /** Keeps the output in order. */
  #written: Promise<void> = Promise.resolve();

  /** Without lines, standard output is for something else. */
  constructor(host: Host, actions: number, lines: boolean) {
    this.#host = host;
    this.#lines = lines;
    this.#paint = paintOf(host.stdout);
    this.#share = [0, actions];
    if (host.stderr.isTTY) this.#timer = setInterval(() => this.#draw(), redrawMs).unref();
  }

  readonly hear = (progress: LiveProgress): undefined => {
    switch (progress.kind) {
      case "begun":
        this.#running.set(progress.actionId, this.#host.nowMs());
        return;
      case "retrying": {
        const { actionId, attempt, waitMs, reason } = progress;
        this.#running.delete(actionId);
        const wait = `try ${attempt} in ${(waitMs / 1000).toFixed(1)} s`;
        return this.#line(this.#paint.yellow, "retry", actionId, `${wait}: ${reason}`);
      }
      case "ended": {
        const { actionId, status, ended, all, reason } = progress;
        this.#running.delete(actionId);
        this.#share = [ended, all];
        const colour = status === "done" ? this.#paint.green : this.#paint.yellow;
        return this.#line(colour, status, actionId, reason);
      }
      case "late":
        return this.#line(
          this.#paint.yellow,
          "too late",
          progress.actionId,
          "its result came after the time limit",
        );
    }
  };

  /** Something besides what the run tells. */
  say(text: string, to: "stdout" | "stderr" = "stderr"): void {
    this.#put(`${text}\n`, to);
  }

  /** Draws nothing while somebody is asked something. */
  async aside<T>(work: () => Promise<T>): Promise<T> {
    this.#isAside = true;
    this.#put("", "stderr");
    await this.#written;
    try {
      return await work();
    } finally {
      this.#isAside = false;
    }
  }

  async end(): Promise<void> {
    clearInterval(this.#timer);
    this.#put("", "stdout");
    this.#isOver = true;
    await this.#written;
  }

  #line(
    colour: (text: string) => string,
    word: string,
    actionId: string,
    more: string | undefined,
  ): undefined {
    if (!this.#lines) return;
    const rest = more === undefined ? "" : `  ${this.#paint.dim(visibleText(more))}`;
    this.#put(`${colour(word.padEnd(wordColumns))}${visibleText(actionId)}${rest}\n`, "stdout");
  }

  #put(text: string, to: "stdout" | "stderr"): void {
    if (this.#isOver) return; // what comes now would stand behind the last word
    const clears = this.#isDrawn;
    this.#isDrawn = false;
    this.#written = this.#written.then(async () => {
      if (clears) await this.#host.stderr.write("\r\u001b[K");
      if (text !== "") await this.#host[to].write(text);
    });
  }

  /** Only once something takes long enough to be seen. */
  #draw(): void {
    if (this.#isAside) return;
    const now = this.#host.nowMs();
    const slow = [...this.#running].filter(([, begunMs]) => now - begunMs >= redrawMs);
    if (slow.length === 0) return;
    const [ended, all] = this.#share;
    const filled = all === 0 ? 0 : Math.floor((ended / all) * barColumns);
    const bar = `[${"#".repeat(filled)}${"-".repeat(barColumns - filled)}] ${ended}/${all}`;
    const names = slow.slice(0, 4).map(([id, begunMs]) => `${id} ${Math.floor((now - begunMs) / 1000)} s`);
    const more = slow.length > 4 ? ` and ${slow.length - 4} more` : "";
    const text = cut(
      visibleText(`${bar}  ${names.join(", ")}${more}`),
      (this.#host.stderr.columns || 80) - 1,
      "...",
    );
    this.#isDrawn = true;
    this.#written = this.#written.then(() => this.#host.stderr.write(`\r\u001b[K${text}`));
  }
}
