/** JSON-RPC over a pair of streams: requests, their answers and cancellation, notifications. */
import type { Readable, Writable } from "node:stream";
import { FrameReader, frameOf } from "./frames.ts";

/** Codes of JSON-RPC and of the protocol. */
export const codes = {
  parse: -32700,
  invalid: -32600,
  noMethod: -32601,
  params: -32602,
  internal: -32603,
  notInitialized: -32002,
  cancelled: -32800,
} as const;

/** An error that the client is told. */
export class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export interface Handlers {
  readonly request: (method: string, params: unknown, signal: AbortSignal) => Promise<unknown>;
  readonly notification: (method: string, params: unknown) => void;
  /** Hears of messages that cannot be read, and of faults. */
  readonly told: (text: string) => void;
}

type Id = string | number;

/** LIMIT: of requests that wait for an answer at the same time. */
const mostOpen = 1_000;

export class Connection {
  readonly #output: Writable;
  readonly #handlers: Handlers;
  readonly #open = new Map<Id, AbortController>();
  readonly #reader = new FrameReader();
  /** Resolves when the input ends. */
  readonly ended: Promise<void>;

  constructor(input: Readable, output: Writable, handlers: Handlers) {
    this.#output = output;
    this.#handlers = handlers;
    output.on("error", () => {}); // a client that is gone reads nothing; the end of the input says so
    input.on("data", (chunk: Uint8Array) => this.#read(chunk));
    this.ended = new Promise((resolve) => {
      for (const event of ["end", "close", "error"]) input.on(event, () => resolve());
    });
  }

  notify(method: string, params: unknown): void {
    this.#send({ jsonrpc: "2.0", method, params });
  }

  #send(message: object): void {
    if (this.#output.writable) this.#output.write(frameOf(message));
  }

  #read(chunk: Uint8Array): void {
    for (const frame of this.#reader.push(chunk)) {
      if (frame.kind === "broken") this.#fail(null, codes.parse, frame.why);
      else this.#hear(frame.text);
    }
  }

  #fail(id: Id | null, code: number, message: string): void {
    if (id === null) this.#handlers.told(message);
    this.#send({ jsonrpc: "2.0", id, error: { code, message } });
  }

  #hear(text: string): void {
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      this.#fail(null, codes.parse, "the message is not JSON");
      return;
    }
    if (!isObject(message) || message.jsonrpc !== "2.0") {
      this.#fail(null, codes.invalid, "the message is not JSON-RPC 2.0");
      return;
    }
    const { id, method, params } = message;
    if (typeof method !== "string") {
      // An answer to us: this server asks nothing.
      if ("result" in message || "error" in message) return;
      this.#fail(isId(id) ? id : null, codes.invalid, "the message has no method");
      return;
    }
    if (!("id" in message)) {
      this.#notified(method, params);
      return;
    }
    if (!isId(id)) {
      this.#fail(null, codes.invalid, "the id is neither a number nor a text");
      return;
    }
    void this.#answer(id, method, params);
  }

  #notified(method: string, params: unknown): void {
    if (method === "$/cancelRequest") {
      if (isObject(params) && isId(params.id)) this.#open.get(params.id)?.abort();
      return;
    }
    try {
      this.#handlers.notification(method, params);
    } catch (thrown) {
      this.#handlers.told(wordsOf(thrown));
    }
  }

  async #answer(id: Id, method: string, params: unknown): Promise<void> {
    if (this.#open.has(id)) {
      this.#fail(id, codes.invalid, "the id belongs to an open request");
      return;
    }
    if (this.#open.size >= mostOpen) {
      this.#fail(id, codes.internal, "too many requests are open");
      return;
    }
    const controller = new AbortController();
    this.#open.set(id, controller);
    const cancelled = new Promise<never>((_, reject) => {
      controller.signal.addEventListener("abort", () =>
        reject(new RpcError(codes.cancelled, "the request was cancelled")),
      );
    });
    try {
      const result = await Promise.race([
        this.#handlers.request(method, params, controller.signal),
        cancelled,
      ]);
      this.#send({ jsonrpc: "2.0", id, result: result ?? null });
    } catch (thrown) {
      if (!(thrown instanceof RpcError)) this.#handlers.told(wordsOf(thrown));
      this.#fail(id, thrown instanceof RpcError ? thrown.code : codes.internal, wordsOf(thrown));
    } finally {
      this.#open.delete(id);
    }
  }
}

function isId(value: unknown): value is Id {
  return typeof value === "string" || (typeof value === "number" && Number.isFinite(value));
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function wordsOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
