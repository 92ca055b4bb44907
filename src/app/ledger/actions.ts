/**
 * Actions from a file or from standard input: JSON Lines, each an action or a list of them, told of as they come. One
 * JSON value that is laid out over several lines is read as well.
 */

import { isJsonArray, type Json, readJson } from "../../ir/index.ts";
import { type FileSystem, standardInput } from "../files/port.ts";
import { type Line, linesOf } from "../files/stream-lines.ts";

export type Given =
  | { readonly kind: "action"; readonly action: Json }
  /** No action, and not even JSON. */
  | { readonly kind: "unreadable"; readonly why: string };

export async function* actionsIn(fs: FileSystem, path: string): AsyncGenerator<Given> {
  const isFile = path !== standardInput;
  const lines = linesOf(fs.chunks(path));
  let number = 0;
  let isFirst = true;
  for await (const line of lines) {
    number++;
    if (line.kind === "text" && line.text.trim() === "") continue;
    const given = [...givenIn(line, number)];
    const [only] = given;
    if (isFirst && only?.kind === "unreadable" && line.kind === "text" && goesOn(line.text, isFile)) {
      yield* restOf(line.text, lines, number);
      return;
    }
    isFirst = false;
    yield* given;
  }
}

/** From a pipe nothing is awaited for the sake of a broken line: the writer may be waiting for an answer. */
function goesOn(text: string, isFile: boolean): boolean {
  return isFile ? /^\s*[[{]/.test(text) : /^\s*[[{](?:.*[[{,])?\s*$/.test(text);
}

/** All of it as one value, or else line by line after all. */
async function* restOf(first: string, others: AsyncIterable<Line>, number: number): AsyncGenerator<Given> {
  const lines: Line[] = [{ kind: "text", text: first }];
  for await (const line of others) lines.push(line);
  const texts = lines.map((line) => (line.kind === "text" ? line.text : ""));
  const whole = lines.every(({ kind }) => kind === "text") ? readJson(texts.join("\n")) : undefined;
  if (whole?.ok) yield* actionsOf(whole.value.value);
  else for (const [i, line] of lines.entries()) if (texts[i]?.trim() !== "") yield* givenIn(line, number + i);
}

function* givenIn(line: Line, number: number): Generator<Given> {
  if (line.kind === "unreadable") {
    yield { kind: "unreadable", why: `line ${number}: ${line.why}` };
    return;
  }
  const read = readJson(line.text);
  if (read.ok) yield* actionsOf(read.value.value);
  else yield { kind: "unreadable", why: `line ${number} is not JSON: ${read.problems[0]?.message ?? ""}` };
}

function* actionsOf(json: Json): Generator<Given> {
  for (const action of isJsonArray(json) ? json : [json]) yield { kind: "action", action };
}
