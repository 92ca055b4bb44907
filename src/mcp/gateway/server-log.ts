/** The standard error of a server, line by line, without its secrets: a server may print its own token. */
import { StringDecoder } from "node:string_decoder";
import { withoutSecrets } from "./secrets.ts";

/** LIMIT: of one line; the rest of a longer one is dropped. */
const longest = 64 * 1024;

export class ServerLog {
  readonly #secrets: readonly string[];
  readonly #write: (text: string) => void;
  readonly #decoder = new StringDecoder("utf8");
  #line = "";
  #isDropping = false;

  constructor(secrets: readonly string[], write: (text: string) => void) {
    this.#secrets = secrets;
    this.#write = write;
  }

  add(chunk: Buffer): void {
    const [first = "", ...others] = this.#decoder.write(chunk).split("\n");
    this.#extend(first);
    for (const next of others) {
      this.#endLine();
      this.#extend(next);
    }
  }

  /** Writes a line that has begun. */
  end(): void {
    if (this.#line !== "") this.#endLine();
  }

  #endLine(): void {
    if (!this.#isDropping) this.#write(`${withoutSecrets(this.#line, this.#secrets)}\n`);
    this.#line = "";
    this.#isDropping = false;
  }

  #extend(text: string): void {
    if (this.#isDropping) return;
    this.#line += text;
    if (this.#line.length <= longest) return;
    // The end may be the first part of a secret; the longest one stands first.
    const unsure = Math.max(0, (this.#secrets[0]?.length ?? 0) - 1);
    const shown = withoutSecrets(this.#line, this.#secrets);
    this.#write(`${shown.slice(0, Math.min(longest, shown.length - unsure))} …\n`);
    this.#line = "";
    this.#isDropping = true;
  }
}
