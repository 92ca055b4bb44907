/** `ir check`, `print`, `json` and `hash`: what can be said of a document without running it. */

import { count, type LoadedDocument, loadDocument } from "../../../app/index.ts";
import {
  type Command,
  commandsIn,
  documentToJson,
  hashDocument,
  type PlainJson,
  printDocument,
  sourceMapToJson,
  writeCanonicalJson,
} from "../../../ir/index.ts";
import { type ExitCode, fine } from "../../exit-code.ts";
import { lookOf, reportFailure, writeJson } from "../../failure.ts";
import type { Host, Output } from "../../host.ts";
import { Progress } from "../../progress.ts";
import { jsonPieces } from "../../text/json-text.ts";
import { paintFor } from "../../text/paint.ts";

export interface DocumentOptions {
  readonly json?: boolean;
}

export function check(host: Host, path: string, options: DocumentOptions): Promise<ExitCode> {
  return withDocument(host, path, options, async ({ checked: { document } }, { stdout }) => {
    const hash = hashDocument(document);
    const counts = {
      tools: document.tools.length,
      fluents: document.fluents.length,
      calls: callsIn(document.program.body),
      guarantees: document.guarantees.length,
    };
    if (options.json) return writeJson(stdout, { ok: true, hash, ...counts });
    const { green } = paintFor(lookOf(stdout));
    const said = [
      count(counts.tools, "tool"),
      count(counts.fluents, "fluent"),
      count(counts.calls, "call"),
      count(counts.guarantees, "guarantee"),
    ];
    return stdout.write(`${green("ok")}  ${hash}  ${said.join(", ")}\n`);
  });
}

export function print(host: Host, path: string, options: DocumentOptions): Promise<ExitCode> {
  return withDocument(host, path, options, async ({ checked: { document } }, { stdout }) => {
    const text = printDocument(document);
    if (options.json) return writeJson(stdout, { ok: true, hash: hashDocument(document), text });
    return stdout.write(text);
  });
}

export function json(
  host: Host,
  path: string,
  options: DocumentOptions & { readonly canonical?: boolean },
): Promise<ExitCode> {
  return withDocument(host, path, options, async (loaded, { stdout }) => {
    const { document } = loaded.checked;
    if (options.canonical) {
      const pieces: string[] = [];
      writeCanonicalJson(documentToJson(document), (piece) => pieces.push(piece));
      return writePieces(stdout, pieces);
    }
    if (options.json) {
      return writeJson(stdout, { ok: true, hash: hashDocument(document), document: interchange(loaded) });
    }
    return writePieces(stdout, jsonPieces(interchange(loaded)));
  });
}

export function hash(host: Host, path: string, options: DocumentOptions): Promise<ExitCode> {
  return withDocument(host, path, options, async ({ checked: { document } }, { stdout }) => {
    const text = hashDocument(document);
    return options.json ? writeJson(stdout, { ok: true, hash: text }) : stdout.write(`${text}\n`);
  });
}

async function withDocument(
  host: Host,
  path: string,
  options: DocumentOptions,
  tell: (document: LoadedDocument, host: Host) => Promise<void>,
): Promise<ExitCode> {
  const loaded = await loadDocument(host, path, new Progress(host));
  if (!loaded.ok) return reportFailure(host, loaded, options.json === true);
  await tell(loaded.value, host);
  return fine;
}

/** A source map stays with its document: it is no part of it, but to lose it would help nobody. */
function interchange({ checked, sourceMap }: LoadedDocument): PlainJson {
  const document = documentToJson(checked.document);
  if (sourceMap === undefined || typeof document !== "object" || document === null) return document;
  return { ...document, sourceMap: sourceMapToJson(sourceMap) };
}

async function writePieces(output: Output, pieces: Iterable<string>): Promise<void> {
  for (const piece of pieces) await output.write(piece);
}

function callsIn(commands: readonly Command[]): number {
  let calls = 0;
  for (const command of commandsIn(commands)) if (command.kind === "call") calls++;
  return calls;
}
