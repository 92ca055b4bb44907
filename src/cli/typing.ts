/** Lines that a person types. What is typed while nobody asks answers no question, and is dropped. */
import { standardInput } from "../app/index.ts";
import type { Host } from "./host.ts";

/** LIMIT: of a line that somebody types. */
const longestLine = 10_000;

export class Typing {
  readonly #host: Host;
  #leave: (() => void) | undefined;
  #hear: ((text: string | undefined) => void) | undefined;
  #isOver = false;

  constructor(host: Host) {
    this.#host = host;
  }

  /** Returns the next line that is typed; undefined if there is none, or somebody stops waiting. */
  async line(signal?: AbortSignal): Promise<string | undefined> {
    if (this.#host.onTyped === undefined) return firstLine(this.#host);
    if (this.#isOver || signal?.aborted === true) return undefined;
    return new Promise((resolve) => {
      let text = "";
      const end = (line: string | undefined): void => {
        this.#hear = undefined;
        signal?.removeEventListener("abort", stop);
        resolve(line);
      };
      const stop = (): void => end(undefined);
      signal?.addEventListener("abort", stop, { once: true });
      this.#hear = (more) => {
        if (more === undefined) return end(undefined);
        text += more;
        if (text.includes("\n") || text.length > longestLine) end(text.split("\n")[0] ?? "");
      };
      this.#listen();
    });
  }

  /** Lets go of the keyboard. */
  close(): void {
    this.#leave?.();
    this.#leave = undefined;
  }

  #listen(): void {
    this.#leave ??= this.#host.onTyped?.((text) => {
      if (text === undefined) this.#isOver = true;
      this.#hear?.(text);
    });
  }
}

async function firstLine(host: Host): Promise<string | undefined> {
  let text = "";
  for await (const chunk of host.chunks(standardInput)) {
    text += Buffer.from(chunk).toString("utf8");
    if (text.includes("\n") || text.length > longestLine) break;
  }
  return text.split("\n")[0];
}
