/** One line on the terminal that tells a waiting person what is going on; nothing at all where nobody waits. */
import type { Terminal } from "./terminal.ts";
import { cut, visible } from "./text/width.ts";
import { count } from "./text/words.ts";

/** Reading this many code units takes about a second. */
const longText = 5_000_000;
const patienceMs = 1000;
const redrawMs = 100;

export class Progress {
  readonly #terminal: Terminal;
  readonly #startMs: number;
  #drawnMs: number | undefined;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    this.#startMs = terminal.nowMs();
  }

  /** Before it starts, because nothing can be shown until it is over. */
  async reading(file: string, length: number): Promise<void> {
    if (length >= longText) await this.#draw(`reading ${file} ...`);
  }

  /** To be told of every call; draws seldom. */
  async calls(made: number): Promise<void> {
    const now = this.#terminal.nowMs();
    if (now - this.#startMs < patienceMs) return;
    if (this.#drawnMs !== undefined && now - this.#drawnMs < redrawMs) return;
    await this.#draw(`${count(made, "call")} made ...`);
  }

  async clear(): Promise<void> {
    if (this.#drawnMs === undefined) return;
    this.#drawnMs = undefined;
    await this.#terminal.stderr.write("\r\u001b[K");
  }

  async #draw(text: string): Promise<void> {
    const { stderr } = this.#terminal;
    if (!stderr.isTTY) return;
    this.#drawnMs = this.#terminal.nowMs();
    await stderr.write(`\r\u001b[K${cut(visible(text), (stderr.columns ?? 80) - 1, "...")}`);
  }
}
