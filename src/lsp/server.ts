/** The language server: open documents, their proofs as they are typed, and answers about them. */

import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { posix } from "../app/index.ts";
import { Connection, codes, isObject, RpcError } from "./connection.ts";
import {
  type Diagnostic,
  diagnosticsOf,
  fixesIn,
  hoverAt,
  lensesOf,
  unprovedDiagnostic,
  uriOf,
} from "./present.ts";
import type { EditorProof } from "./proof.ts";
import { Prover } from "./prover.ts";
import { changed, mostText, positionOf, rangeOf, type TextDocument } from "./text-document.ts";

export interface LspSettings {
  readonly stdin: Readable;
  readonly stdout: Writable;
  /** The script that starts a process that proves. */
  readonly entry: string;
  readonly version: string;
  /** Folders of trusted tool modules, in place of the usual ones. */
  readonly tools: readonly string[] | undefined;
  /** For each question to the solver, and for a whole program. */
  readonly timeoutMs: number;
  readonly proveTimeoutMs: number;
  readonly told: (text: string) => void;
}

/** Typing goes on: the next change is likely within this time. */
const debounceMs = 40;
/** LIMIT: of open documents. */
const mostDocuments = 1_000;
const memoryMb = 2_048;

/** Serves until the client is gone. Returns true if it said goodbye first, as the protocol asks. */
export async function serveEditor(settings: LspSettings): Promise<boolean> {
  const server = new Server(settings);
  return server.ended();
}

/** An open document, with its proof as far as it is known. */
interface Open {
  document: TextDocument;
  timer: NodeJS.Timeout | undefined;
  /** Counts the texts and modules that it had; a proof of an earlier one is outdated. */
  revision: number;
  /** Undefined until the proof of the current revision is over; it may have ended without a proof. */
  outcome: { readonly proof: EditorProof | undefined } | undefined;
  /** Files that the last proof read; undefined until there was one. */
  files: ReadonlySet<string> | undefined;
  /** Those that wait for the proof of the current text. */
  readonly waiting: Set<(proof: EditorProof | undefined) => void>;
  /** Files that have diagnostics because of this document. */
  marked: ReadonlyMap<string, readonly Diagnostic[]>;
}

class Server {
  readonly #settings: LspSettings;
  readonly #connection: Connection;
  readonly #prover: Prover;
  readonly #open = new Map<string, Open>();
  #state: "new" | "running" | "shut" | "over" = "new";
  #exit: () => void = () => {};
  readonly #exited: Promise<void>;

  constructor(settings: LspSettings) {
    this.#settings = settings;
    const { entry, proveTimeoutMs, told } = settings;
    this.#prover = new Prover({ entry, timeoutMs: proveTimeoutMs, memoryMb, told });
    this.#exited = new Promise((resolve) => {
      this.#exit = resolve;
    });
    this.#connection = new Connection(settings.stdin, settings.stdout, {
      request: (method, params) => this.#answer(method, params),
      notification: (method, params) => this.#hear(method, params),
      told,
    });
  }

  async ended(): Promise<boolean> {
    await Promise.race([this.#connection.ended, this.#exited]);
    const isPolite = this.#state === "shut";
    this.#state = "over";
    for (const one of this.#open.values()) this.#forget(one);
    this.#prover.close();
    return isPolite;
  }

  // ── requests ───────────────────────────────────────────────────────────────────────────────────────────

  async #answer(method: string, params: unknown): Promise<unknown> {
    if (method === "initialize") return this.#initialize();
    if (this.#state === "new") throw new RpcError(codes.notInitialized, "the server is not initialized");
    if (this.#state !== "running") throw new RpcError(codes.invalid, "the server was shut down");
    switch (method) {
      case "shutdown":
        this.#state = "shut";
        return null;
      case "textDocument/codeLens": {
        const { open, proof } = await this.#proofFor(params);
        return proof === undefined ? [] : lensesOf(open.document, proof);
      }
      case "textDocument/hover": {
        const position = positionOf(isObject(params) ? params.position : undefined);
        if (position === undefined) throw new RpcError(codes.params, "`position` is not a position");
        const { open, proof } = await this.#proofFor(params);
        return proof && hoverAt(open.document, proof, position);
      }
      case "textDocument/codeAction": {
        const range = rangeOf(isObject(params) ? params.range : undefined);
        if (range === undefined) throw new RpcError(codes.params, "`range` is not a range");
        const { open, proof } = await this.#proofFor(params);
        return proof === undefined ? [] : fixesIn(open.document, proof, range);
      }
      default:
        throw new RpcError(codes.noMethod, `there is no method \`${method.slice(0, 100)}\``);
    }
  }

  #initialize(): unknown {
    if (this.#state !== "new") throw new RpcError(codes.invalid, "the server is initialized already");
    this.#state = "running";
    return {
      capabilities: {
        positionEncoding: "utf-16",
        textDocumentSync: { openClose: true, change: 2, save: true },
        codeLensProvider: { resolveProvider: false },
        hoverProvider: true,
        codeActionProvider: { codeActionKinds: ["quickfix"] },
      },
      serverInfo: { name: "foreclaim", version: this.#settings.version },
    };
  }

  /** Waits for the proof of the current text. */
  async #proofFor(
    params: unknown,
  ): Promise<{ readonly open: Open; readonly proof: EditorProof | undefined }> {
    const open = this.#open.get(uriIn(params));
    if (open === undefined) throw new RpcError(codes.params, "the document is not open");
    if (open.outcome !== undefined) return { open, proof: open.outcome.proof };
    if (!isProgram(open.document)) return { open, proof: undefined };
    const proof = await new Promise<EditorProof | undefined>((resolve) => open.waiting.add(resolve));
    return { open, proof };
  }

  // ── notifications ──────────────────────────────────────────────────────────────────────────────────────

  #hear(method: string, params: unknown): void {
    if (method === "exit") {
      this.#exit();
      return;
    }
    if (this.#state !== "running") return;
    switch (method) {
      case "textDocument/didOpen":
        this.#opened(params);
        return;
      case "textDocument/didChange":
        this.#changed(params);
        return;
      case "textDocument/didClose":
        this.#closed(params);
        return;
      case "textDocument/didSave":
      case "workspace/didChangeWatchedFiles":
        // A module may have changed that no editor has open.
        for (const one of this.#open.values()) if (isProgram(one.document)) this.#outdate(one);
        return;
      default:
        return; // Others are for servers that can more.
    }
  }

  #opened(params: unknown): void {
    const given = isObject(params) ? params.textDocument : undefined;
    if (!isObject(given)) {
      this.#ignored("didOpen without a document");
      return;
    }
    const { uri, version, text } = given;
    const file = typeof uri === "string" ? fileOf(uri) : undefined;
    if (typeof uri !== "string" || typeof text !== "string" || typeof version !== "number") {
      this.#ignored("didOpen without a text");
      return;
    }
    if (file === undefined) return; // a text that is in no folder has no tools
    if (this.#open.size >= mostDocuments && !this.#open.has(uri)) {
      this.#ignored("too many documents");
      return;
    }
    const before = this.#open.get(uri);
    if (before !== undefined) this.#forget(before);
    const document = { uri, file, version, text };
    const open: Open = {
      document,
      timer: undefined,
      revision: 0,
      outcome: undefined,
      files: undefined,
      waiting: new Set(),
      marked: new Map(),
    };
    this.#open.set(uri, open);
    this.#outdateWith(open);
  }

  #changed(params: unknown): void {
    const open = this.#open.get(uriIn(params));
    if (open === undefined || !isObject(params)) return;
    const { document } = open;
    const text = changed(document.text, params.contentChanges);
    if (text === undefined) {
      this.#ignored("didChange without a change");
      return;
    }
    const given = isObject(params.textDocument) ? params.textDocument.version : undefined;
    const version = typeof given === "number" ? given : document.version + 1;
    open.document = { ...document, version, text };
    this.#outdateWith(open);
  }

  #closed(params: unknown): void {
    const uri = uriIn(params);
    const open = this.#open.get(uri);
    if (open === undefined) return;
    this.#open.delete(uri);
    this.#forget(open);
    this.#mark(open, new Map());
    this.#outdateReaders(open.document.file);
  }

  #ignored(why: string): void {
    this.#settings.told(`ignored: ${why}`);
  }

  // ── proofs ─────────────────────────────────────────────────────────────────────────────────────────────

  /** Outdates the proof of a document, and those of the documents that read it. */
  #outdateWith(open: Open): void {
    if (isProgram(open.document)) this.#outdate(open);
    else {
      this.#forget(open);
      this.#mark(open, new Map());
    }
    this.#outdateReaders(open.document.file);
  }

  #outdateReaders(file: string): void {
    for (const one of this.#open.values())
      if (one.document.file !== file && isProgram(one.document) && one.files?.has(file) !== false)
        this.#outdate(one);
  }

  #outdate(open: Open): void {
    clearTimeout(open.timer);
    open.revision++;
    open.outcome = undefined;
    open.timer = setTimeout(() => void this.#prove(open), debounceMs);
  }

  #forget(open: Open): void {
    clearTimeout(open.timer);
    open.revision++;
    this.#prover.forget(open.document.file);
    this.#settle(open, undefined);
  }

  #settle(open: Open, proof: EditorProof | undefined): void {
    open.outcome = { proof };
    for (const resolve of open.waiting) resolve(proof);
    open.waiting.clear();
  }

  async #prove(open: Open): Promise<void> {
    const { document, revision } = open;
    if (document.text.length > mostText) {
      const tooLong = unprovedDiagnostic(
        { ...document, text: "" },
        `the text is longer than ${mostText} characters`,
      );
      this.#settle(open, undefined);
      this.#mark(open, new Map([[document.file, [tooLong]]]));
      return;
    }
    const { tools, timeoutMs } = this.#settings;
    const texts = [...this.#open.values()].map(({ document: { file, text } }) => [file, text] as const);
    const outcome = await this.#prover.prove({ file: document.file, texts, tools: tools ?? null, timeoutMs });
    // A later revision has a proof of its own under way.
    if (outcome.kind === "outdated" || open.revision !== revision) return;
    const proof = outcome.kind === "proved" ? outcome.proof : undefined;
    open.files = proof && new Set(proof.files);
    this.#settle(open, proof);
    if (outcome.kind === "proved") this.#mark(open, diagnosticsOf(document, outcome.proof));
    else this.#mark(open, new Map([[document.file, [unprovedDiagnostic(document, outcome.why)]]]));
  }

  /** Publishes the diagnostics of a document, and clears those of before. */
  #mark(open: Open, marked: ReadonlyMap<string, readonly Diagnostic[]>): void {
    const files = new Set([...open.marked.keys(), ...marked.keys()]);
    open.marked = marked;
    for (const file of files) this.#publish(file);
  }

  /** Several programs may have the same problem in a tool module. */
  #publish(file: string): void {
    const all = [...this.#open.values()].flatMap(({ marked }) => marked.get(file) ?? []);
    const diagnostics = [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
    const own = [...this.#open.values()].find(({ document }) => document.file === file)?.document;
    this.#connection.notify("textDocument/publishDiagnostics", {
      uri: own?.uri ?? uriOf(file),
      ...(own && { version: own.version }),
      diagnostics,
    });
  }
}

/** True for texts that are proved: programs in TypeScript, and documents of the Effect IR. */
function isProgram({ file, text }: TextDocument): boolean {
  if (file.endsWith(".eir")) return true;
  return (
    /\.tsx?$/.test(file) &&
    /\bfrom\s*["']foreclaim["']/.test(text) &&
    /\bexport\s+default\s+program\b/.test(text)
  );
}

function uriIn(params: unknown): string {
  const document = isObject(params) ? params.textDocument : undefined;
  return isObject(document) && typeof document.uri === "string" ? document.uri : "";
}

/** Returns the path of a file; undefined for other addresses. */
function fileOf(uri: string): string | undefined {
  try {
    return uri.startsWith("file:") ? posix(fileURLToPath(uri)) : undefined;
  } catch {
    return undefined; // of another machine
  }
}
