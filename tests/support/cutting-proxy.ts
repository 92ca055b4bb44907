/**
 * Stands before a server and cuts a connection at a chosen word: before the server gets to see it, as soon as it was
 * sent on, or after the server has answered. Or it keeps what was sent for later, as a slow way to the server would.
 */

import { connect, createServer, type Server, type Socket } from "node:net";

type When = "before" | "sent" | "after" | "late";

interface Cut {
  readonly word: string;
  readonly when: When;
  /** True to keep the way to the server closed. */
  readonly stay: boolean;
}

export class CuttingProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #cut: Cut | undefined;
  #isDown = false;
  #late: (() => Promise<void>) | undefined;
  #watched = "";
  #seen = 0;

  private constructor(target: number) {
    this.#server = createServer((client) => {
      if (this.#isDown) return client.destroy();
      const server = connect(target, "127.0.0.1");
      for (const socket of [client, server]) {
        this.#sockets.add(socket);
        socket.on("error", () => {});
        socket.on("close", () => this.#sockets.delete(socket));
      }
      let silent = false;
      server.on("close", () => client.destroy());
      // Where the server is to go on alone, it must not notice.
      client.on("close", () => silent || server.destroy());
      client.on("data", (chunk) => {
        const cut = this.#cut;
        if (this.#watched !== "" && chunk.includes(this.#watched)) this.#seen++;
        if (cut === undefined || !chunk.includes(cut.word)) return server.write(chunk);
        this.#cut = undefined;
        this.#isDown = cut.stay;
        if (cut.when === "before") return client.destroy();
        // The server does what it was asked; its answer is the sign that it has, and goes no further.
        silent = true;
        if (cut.when === "sent" || cut.when === "late") client.destroy();
        if (cut.when === "late") {
          this.#late = async () => {
            const answered = new Promise((resolve) => server.once("close", resolve));
            server.write(chunk);
            await answered;
          };
          return;
        }
        return server.write(chunk);
      });
      server.on("data", (chunk) => {
        if (!silent) return client.write(chunk);
        client.destroy();
        return server.destroy();
      });
      return undefined;
    });
  }

  static async before(target: number): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(target);
    await new Promise<void>((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  }

  /** The next time a client sends this word, its connection ends. */
  cut(word: string, when: When, { stay = false } = {}): void {
    this.#cut = { word, when, stay };
  }

  /** Sends on what was kept for later, and resolves when the server has answered it. */
  async deliver(): Promise<void> {
    if (this.#late === undefined) throw new Error("nothing was kept for later");
    const late = this.#late;
    this.#late = undefined;
    await late();
  }

  /** Counts from now on how often clients send this word. */
  watch(word: string): void {
    [this.#watched, this.#seen] = [word, 0];
  }

  get seen(): number {
    return this.#seen;
  }

  get isDown(): boolean {
    return this.#isDown;
  }

  /** Lets connections through again. */
  mend(): void {
    this.#isDown = false;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
