/** `lsp`: the language server, on standard input and output. */
import { visibleText } from "../../../explain/index.ts";
import { proveForEditor, serveEditor } from "../../../lsp/index.ts";
import { type ExitCode, fine, notSo } from "../../exit-code.ts";
import type { Host } from "../../host.ts";
import { entry } from "../../places.ts";

/** As long as an editor's user waits for a verdict at most. */
const proveTimeoutMs = 30_000;
const timeoutMs = 10_000;

export async function serve(
  host: Host,
  { tools }: { readonly tools?: readonly string[] },
  version: string,
): Promise<ExitCode> {
  const { stdin, stdout } = process;
  host.reserveStdout?.();
  const isPolite = await serveEditor({
    stdin,
    stdout,
    entry,
    version,
    tools,
    timeoutMs,
    proveTimeoutMs,
    told: (text) => void host.stderr.write(`foreclaim lsp: ${visibleText(text)}\n`),
  });
  host.abandon?.();
  return isPolite ? fine : notSo;
}

export function work(): Promise<never> {
  return proveForEditor();
}
