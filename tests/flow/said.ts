/** Renders the analysis of the calls of a program for a table. */
import { check } from "../../src/ir/check/index.ts";
import type { Source } from "../../src/ir/document.ts";
import { flowOf } from "../../src/ir/flow/flow.ts";
import { nodesOf } from "../../src/ir/flow/shape.ts";
import { readDocument } from "../../src/ir/read.ts";

/** Tools that most of the programs are made of. */
export const tools = `
tool get() -> string
  reads untrusted stores none
tool secret() -> record{key: string, id: string, n: int}
  reads stores none labels "private"
tool rows() -> list<record{who: string, text: string, n: int, ok: bool}>
  reads stores none labels "private"
tool send(to: string, body: string, copy?: list<string>)
  stores none
tool log(line: string)
  stores "log"
tool size() -> int
  reads stores "log"
tool write(path: string, text: string)
  stores "disk"
tool load(path: string) -> string
  reads stores "disk"
tool anything(text: string) -> string
tool ask(question: string) -> string
  reads stores none
tool clean(text: string) -> string
  reads stores none endorses untrusted
tool declassify(text: string) -> string
  reads stores none endorses label "private"
`;

/**
 * By `call.argument`, and by `call!` for what influences the call: the sources, in order. Only what is not empty.
 * Of `get`, `secret` and `rows`, by field where they have any, and of the inputs.
 */
export function flowsIn(body: string, declared = tools): Record<string, string> {
  const read = readDocument(`effect-ir 1\n${declared}\nprogram (name: string, most: int) {\n${body}\n}\n`);
  if (!read.ok) throw new Error(read.problems.map(({ message }) => message).join("\n"));
  const checked = check(read.value.checked.document);
  if (!checked.ok) throw new Error("it was checked before");
  const flow = flowOf(checked.value);
  const said: Record<string, string> = {};
  const say = (place: string, ways: (from: Source) => boolean) => {
    const found = sources.filter(([, from]) => ways(from)).map(([name]) => name);
    if (found.length > 0) said[place] = found.join(" ");
  };
  for (const [id, { args }] of flow.program.calls) {
    for (const [name, { present, value }] of args.fields) {
      const nodes = [...nodesOf(value), ...(present === undefined ? [] : [present])];
      say(`${id}.${name}`, (from) => flow.into(nodes, from) !== undefined);
    }
    say(`${id}!`, (from) => flow.influenced(id, from) !== undefined);
  }
  return said;
}

const field = (tool: string, name: string): [string, Source] => [
  `${tool}.${name}`,
  { kind: "tool", tool, field: name },
];

const sources: readonly (readonly [string, Source])[] = [
  ["get", { kind: "tool", tool: "get" }],
  ["secret", { kind: "tool", tool: "secret" }],
  field("secret", "key"),
  field("secret", "id"),
  field("secret", "n"),
  ["rows", { kind: "tool", tool: "rows" }],
  field("rows", "who"),
  field("rows", "text"),
  field("rows", "n"),
  field("rows", "ok"),
  ["name", { kind: "input", input: "name" }],
  ["most", { kind: "input", input: "most" }],
];
