/** The graph grows with the program, and not with its square. */
import { expect, test } from "vitest";
import { flowOf } from "../../src/ir/flow/flow.ts";
import { readDocument } from "../../src/ir/read.ts";

const tools = `
tool get() -> record{a: string, b: string, c: list<string>}
  untrusted reads stores "disk"
tool put(a: string, b: string, c: list<string>)
  stores "disk", "mail"
tool any(text: string) -> string
`;

const repeat = (n: number, line: (i: number) => string) =>
  Array.from({ length: n }, (_, i) => line(i)).join("\n");

test.each<[what: string, body: (n: number) => string]>([
  [
    "calls that keep and return",
    (n) => repeat(n, (i) => `let r${i} = call get()\ncall put(a: r${i}.a, b: r${i}.b, c: r${i}.c)`),
  ],
  [
    "calls that may keep anywhere",
    (n) => `let a0 = ""\n${repeat(n, (i) => `let a${i + 1} = call any(text: a${i})`)}`,
  ],
  [
    "guards",
    (n) => `let g = call get()\n${repeat(n, (i) => `call put(a: "", b: "${i}", c: []) when g.a == "${i}"`)}`,
  ],
  [
    "choices",
    (n) => `let r0 = call get()\n${repeat(n, (i) => `let r${i + 1} = if r${i}.a == "" then r${i} else r0`)}`,
  ],
  [
    "a list that is built up",
    (n) => `let r = call get()\nlet l0 = r.c\n${repeat(n, (i) => `let l${i + 1} = l${i} ++ [r.a]`)}`,
  ],
  [
    "loops",
    (n) =>
      `let r = call get()\n${repeat(n, (i) => `for x${i} in r.c carry s${i}: string = "" { let a${i} = call any(text: x${i})\nnext s${i} = s${i} ++ a${i} }`)}`,
  ],
  [
    "wide records",
    (n) =>
      `let r0 = { ${Array.from({ length: n }, (_, i) => `f${i}: ""`).join(", ")} }\n${repeat(n, (i) => `let r${i + 1} = if r${i}.f0 == "" then r${i} else r0`)}`,
  ],
])("%s", (_, body) => {
  const [small, large] = [edgesIn(body(50)), edgesIn(body(200))];
  expect(large / small).toBeLessThan(4.5);
});

function edgesIn(body: string): number {
  const read = readDocument(
    `effect-ir 1\n${tools}\nprogram () {\n${body}\n}\nguarantee g(): forall p in put: not flows(p.a, untrusted)\n`,
  );
  if (!read.ok) throw new Error(read.problems.map(({ message }) => message).join("\n"));
  const { graph, calls } = flowOf(read.value.checked).program;
  return graph.edges.length + graph.size + calls.size;
}
