/** Stands before a server and cuts a connection at a chosen word, before or after the server gets to see it. */

import { connect, createServer, type Server, type Socket } from "node:net";

export class CuttingProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #cut: { readonly word: string; readonly when: "before" | "after" } | undefined;

  private constructor(target: number) {
    this.#server = createServer((client) => {
      const server = connect(target, "127.0.0.1");
      for (const socket of [client, server]) {
        this.#sockets.add(socket);
        socket.on("error", () => {});
        socket.on("close", () => {
          client.destroy();
          server.destroy();
          this.#sockets.delete(socket);
        });
      }
      let silent = false;
      client.on("data", (chunk) => {
        const cut = this.#cut;
        if (cut === undefined || !chunk.includes(cut.word)) return server.write(chunk);
        this.#cut = undefined;
        if (cut.when === "before") return client.destroy();
        // The server does what it was asked; its answer is the sign that it has, and goes no further.
        silent = true;
        return server.write(chunk);
      });
      server.on("data", (chunk) => (silent ? client.destroy() : client.write(chunk)));
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
  cut(word: string, when: "before" | "after"): void {
    this.#cut = { word, when };
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
