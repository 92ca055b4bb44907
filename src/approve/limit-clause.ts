/** The clause of a limit: a contract with its arguments, one of which is `?`. */

/**
 * Returns which argument `?` is, from 0, or undefined if it is none of its own: in a text it would stay a text, and
 * whatever is proved with it would limit nothing.
 */
export function limitArgument(clause: string): number | undefined {
  if (clause.split("?").length !== 2) return undefined;
  const plain = clause.replace(texts, '""');
  const [, given] = /^[^(]*\(([\s\S]*)\)\s*$/.exec(plain) ?? [];
  const at = given === undefined ? -1 : split(given).findIndex((arg) => arg.trim() === "?");
  return at < 0 ? undefined : at;
}

/** In double or in single quotes. */
const texts = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/gsu;

/** At the commas that stand in no list and no record. */
function split(given: string): string[] {
  const parts = [""];
  let depth = 0;
  for (const sign of given) {
    if ("([{".includes(sign)) depth++;
    if (")]}".includes(sign)) depth--;
    if (sign === "," && depth === 0) parts.push("");
    else parts.push((parts.pop() ?? "") + sign);
  }
  return parts;
}
