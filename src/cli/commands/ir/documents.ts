/** `ir check`, `print`, `json` and `hash`: documents without a run. */

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
import type { Ended } from "../../command-spec.ts";
import { fine } from "../../exit-code.ts";
import { paintOf, writeJson } from "../../failure.ts";
import type { Host, Output } from "../../host.ts";
import type { JsonOption } from "../../options.ts";
import { Progress } from "../../progress.ts";
import { jsonPieces } from "../../text/json-text.ts";

export function check(host: Host, path: string, options: JsonOption): Promise<Ended> {
  return withDocument(host, path, async ({ checked: { document } }, { stdout }) => {
    const hash = hashDocument(document);
    const counts = {
      tools: document.tools.length,
      fluents: document.fluents.length,
      calls: callsIn(document.program.body),
      guarantees: document.guarantees.length,
    };
    if (options.json) return writeJson(stdout, { ok: true, hash, ...counts });
    const { green } = paintOf(stdout);
    const said = [
      count(counts.tools, "tool"),
      count(counts.fluents, "fluent"),
      count(counts.calls, "call"),
      count(counts.guarantees, "guarantee"),
    ];
    return stdout.write(`${green("ok")}  ${hash}  ${said.join(", ")}\n`);
  });
}

export function print(host: Host, path: string, options: JsonOption): Promise<Ended> {
  return withDocument(host, path, async ({ checked: { document } }, { stdout }) => {
    const text = printDocument(document);
    if (options.json) return writeJson(stdout, { ok: true, hash: hashDocument(document), text });
    return stdout.write(text);
  });
}

export function json(
  host: Host,
  path: string,
  options: JsonOption & { readonly canonical?: boolean },
): Promise<Ended> {
  return withDocument(host, path, async (loaded, { stdout }) => {
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

export function hash(host: Host, path: string, options: JsonOption): Promise<Ended> {
  return withDocument(host, path, async ({ checked: { document } }, { stdout }) => {
    const text = hashDocument(document);
    return options.json ? writeJson(stdout, { ok: true, hash: text }) : stdout.write(`${text}\n`);
  });
}

async function withDocument(
  host: Host,
  path: string,
  tell: (document: LoadedDocument, host: Host) => Promise<void>,
): Promise<Ended> {
  const loaded = await loadDocument(host, path, new Progress(host));
  if (!loaded.ok) return loaded;
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
