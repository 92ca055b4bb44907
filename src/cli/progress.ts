/** One line on the terminal that tells a waiting person what is going on; nothing at all where nobody waits. */

import { count } from "../app/index.ts";
import { visibleText } from "../explain/index.ts";
import type { Host } from "./host.ts";
import { cut } from "./text/width.ts";

/** Reading this many code units takes about a second. */
const longText = 5_000_000;
const patienceMs = 1000;
const redrawMs = 100;
const barColumns = 24;

export class Progress {
  readonly #host: Host;
  readonly #startMs: number;
  #drawnMs: number | undefined;
  #waiting: { readonly timer: NodeJS.Timeout; text: string } | undefined;

  constructor(host: Host) {
    this.#host = host;
    this.#startMs = host.nowMs();
  }

  /** Before it starts, because nothing can be shown until it is over. */
  async reading(file: string, length: number): Promise<void> {
    if (length >= longText) await this.#draw(`reading ${file} ...`);
  }

  /** To be told of every call; draws seldom. */
  async calls(made: number): Promise<void> {
    const now = this.#host.nowMs();
    if (now - this.#startMs < patienceMs) return;
    if (this.#drawnMs !== undefined && now - this.#drawnMs < redrawMs) return;
    await this.#draw(`${count(made, "call")} made ...`);
  }

  /** To be told of every part that is done; draws a bar, seldom. Without a known end, only how far it is. */
  async part(done: number, all: number | undefined, words: string): Promise<void> {
    const now = this.#host.nowMs();
    if (now - this.#startMs < patienceMs) return;
    if (this.#drawnMs !== undefined && now - this.#drawnMs < redrawMs) return;
    const share = all === undefined || all === 0 ? undefined : Math.min(1, done / all);
    const filled = Math.floor((share ?? 0) * barColumns);
    const bar =
      share === undefined
        ? ""
        : `[${"#".repeat(filled)}${"-".repeat(barColumns - filled)}] ${Math.floor(share * 100)}%  `;
    await this.#draw(`${bar}${words} ...`);
  }

  /** To be told whenever something begins that others do; draws by itself while it takes long. */
  waiting(text: string): void {
    if (!this.#host.stderr.isTTY) return;
    if (this.#waiting !== undefined) this.#waiting.text = text;
    else this.#waiting = { timer: setInterval(() => void this.#tick(), 5 * redrawMs).unref(), text };
  }

  async #tick(): Promise<void> {
    const ms = this.#host.nowMs() - this.#startMs;
    if (ms < patienceMs || this.#waiting === undefined) return;
    await this.#draw(`${Math.floor(ms / 1000)} s  ${this.#waiting.text} ...`);
  }

  async clear(): Promise<void> {
    clearInterval(this.#waiting?.timer);
    this.#waiting = undefined;
    if (this.#drawnMs === undefined) return;
    this.#drawnMs = undefined;
    await this.#host.stderr.write("\r\u001b[K");
  }

  /** A terminal that does not know its width says 0. */
  async #draw(text: string): Promise<void> {
    const { stderr } = this.#host;
    if (!stderr.isTTY) return;
    this.#drawnMs = this.#host.nowMs();
    await stderr.write(`\r\u001b[K${cut(visibleText(text), (stderr.columns || 80) - 1, "...")}`);
  }
}
