/** Workers of a browser, from both sides. The types of this room are those of Node, which has other workers. */

interface Message {
  readonly data: unknown;
}

interface Failure {
  readonly message?: string;
}

export interface WebWorker {
  onmessage: (message: Message) => void;
  onerror: (failure: Failure) => void;
  postMessage(message: unknown): void;
  terminate(): void;
}

interface Scope {
  readonly Worker: new (address: string) => WebWorker;
  onmessage: (message: Message) => void;
  postMessage(message: unknown): void;
  importScripts(address: string): void;
  readonly initZ3?: unknown;
}

// SAFETY: it is only loaded in a worker of a browser, whose scope has these members.
export const scope = globalThis as unknown as Scope;

export const WebWorker: Scope["Worker"] = scope.Worker;
