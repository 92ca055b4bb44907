/**
 * Stands before a server and cuts a connection at a chosen word: before the server gets to see it, as soon as it was
 * sent on, or after the server has answered.
 */

import { connect, createServer, type Server, type Socket } from "node:net";

interface Cut {
  readonly word: string;
  readonly when: "before" | "sent" | "after";
  /** Whether the way to the server stays closed. */
  readonly stay: boolean;
}

export class CuttingProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #cut: Cut | undefined;
  #isDown = false;

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
        if (cut === undefined || !chunk.includes(cut.word)) return server.write(chunk);
        this.#cut = undefined;
        this.#isDown = cut.stay;
        if (cut.when === "before") return client.destroy();
        // The server does what it was asked; its answer is the sign that it has, and goes no further.
        silent = true;
        if (cut.when === "sent") client.destroy();
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
  cut(word: string, when: "before" | "sent" | "after", { stay = false } = {}): void {
    this.#cut = { word, when, stay };
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
