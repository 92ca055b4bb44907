/** An editor: the protocol's own client library, connected to the built command. */
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";
import type {
  CodeAction,
  CodeLens,
  Diagnostic,
  Hover,
  PublishDiagnosticsParams,
} from "vscode-languageserver-protocol";
import { root } from "../cli/built.ts";

export function startServer(cwd: string, args: readonly string[] = []): ChildProcess {
  return spawn(process.execPath, [join(root, "dist/cli/main.js"), "lsp", "--stdio", ...args], { cwd });
}

export class Editor {
  readonly process: ChildProcess;
  readonly connection: MessageConnection;
  readonly exited: Promise<number | null>;
  /** The last diagnostics of each document, with the version that they are about. */
  readonly published = new Map<string, PublishDiagnosticsParams>();
  readonly #versions = new Map<string, number>();
  readonly #listeners = new Set<() => void>();

  constructor(cwd: string, args: readonly string[] = []) {
    this.process = startServer(cwd, args);
    const { stdout, stdin } = this.process;
    if (stdout === null || stdin === null) throw new TypeError("the server has no streams");
    this.connection = createMessageConnection(
      new StreamMessageReader(stdout),
      new StreamMessageWriter(stdin),
    );
    this.connection.onNotification("textDocument/publishDiagnostics", (params: PublishDiagnosticsParams) => {
      this.published.set(params.uri, params);
      for (const listener of [...this.#listeners]) listener();
    });
    this.connection.listen();
    this.exited = new Promise((resolve) => this.process.on("exit", resolve));
  }

  async initialize(): Promise<unknown> {
    const result = await this.connection.sendRequest("initialize", {
      processId: process.pid,
      rootUri: null,
      capabilities: {},
    });
    await this.connection.sendNotification("initialized", {});
    return result;
  }

  async open(file: string, text: string): Promise<string> {
    const uri = pathToFileURL(file).href;
    this.#versions.set(uri, 1);
    await this.connection.sendNotification("textDocument/didOpen", {
      textDocument: { uri, languageId: "typescript", version: 1, text },
    });
    return uri;
  }

  async change(uri: string, contentChanges: readonly object[]): Promise<void> {
    const version = (this.#versions.get(uri) ?? 0) + 1;
    this.#versions.set(uri, version);
    await this.connection.sendNotification("textDocument/didChange", {
      textDocument: { uri, version },
      contentChanges,
    });
  }

  /** Waits for diagnostics of the current text. */
  async diagnostics(uri: string): Promise<readonly Diagnostic[]> {
    const version = this.#versions.get(uri);
    await this.until(() => this.published.get(uri)?.version === version);
    return this.published.get(uri)?.diagnostics ?? [];
  }

  until(isSo: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!isSo()) return;
        this.#listeners.delete(look);
        resolve();
      };
      this.#listeners.add(look);
      look();
    });
  }

  lenses(uri: string): Promise<CodeLens[]> {
    return this.connection.sendRequest("textDocument/codeLens", { textDocument: { uri } });
  }

  hover(uri: string, line: number, character: number): Promise<Hover | null> {
    return this.connection.sendRequest("textDocument/hover", {
      textDocument: { uri },
      position: { line, character },
    });
  }

  fixes(uri: string, line: number): Promise<CodeAction[]> {
    return this.connection.sendRequest("textDocument/codeAction", {
      textDocument: { uri },
      range: { start: { line, character: 0 }, end: { line, character: 200 } },
      context: { diagnostics: [] },
    });
  }

  async close(): Promise<number | null> {
    await this.connection.sendRequest("shutdown");
    await this.connection.sendNotification("exit");
    const code = await this.exited;
    this.connection.dispose();
    return code;
  }
}
