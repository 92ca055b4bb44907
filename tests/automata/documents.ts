/** Documents with automata, in text form. */
import type { Checked } from "../../src/ir/check/index.ts";
import { readDocument } from "../../src/ir/read.ts";

export function checkedOf(text: string): Checked {
  const read = readDocument(text);
  if (!read.ok) throw new Error(`${JSON.stringify(read.problems)}\n${text}`);
  return read.value.checked;
}
