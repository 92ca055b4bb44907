/** A program around a line: a list of records, a list of texts and a text of the run, and `keep` to show a value. */
import { sourceOf } from "./lab.ts";

export function collectionProgram(snippet: string): string {
  const body = `const rows = await lab.rows(); const word = await lab.word(); const more = await lab.rows();
    const xs = more.map((r) => r.id); const k = word === "" ? "a" : word === "a" ? "b" : "zz";
    ${shown(snippet)}`;
  return sourceOf({ body });
}

/** Writes each `keep(value)` as a call of the tool that shows it. */
function shown(snippet: string): string {
  const at = snippet.search(/\bkeep\(/);
  if (at < 0) return snippet;
  const start = at + "keep(".length;
  let end = start;
  for (let open = 1; open > 0; end++) open += snippet[end] === "(" ? 1 : snippet[end] === ")" ? -1 : 0;
  const value = snippet.slice(start, end - 1);
  return `${snippet.slice(0, at)}await lab.keep({ value: ${value} })${shown(snippet.slice(end))}`;
}
