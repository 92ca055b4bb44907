/** Documents that are big in one direction only: nothing may cost more than its share in any of them. */

import * as ir from "../src/ir/index.ts";
import { bench, type Case } from "./harness.ts";

const SIZES = [1_000, 10_000, 100_000];

const names = (n: number, name: (i: number) => string) => Array.from({ length: n }, (_, i) => name(i));
const program = (body: string) => `program (a: int, s: string) {\n${body}\n}\n`;

const shapes: Record<string, (n: number) => string> = {
  "one long sum": (n) => program(`let x = ${names(n, (i) => `a * ${i}`).join(" + ")}`),
  "one long list": (n) => program(`let x = [${names(n, (i) => `"${i}"`).join(", ")}]`),
  "list of records": (n) => program(`let x = [${names(n, (i) => `{id: "${i}", n: ${i}}`).join(", ")}]`),
  "unlike records": (n) => program(names(n, (i) => `let x${i} = {f${i}: a}`).join("\n")),
  "chain of lets": (n) =>
    program(names(n, (i) => `let x${i} = ${i === 0 ? "a" : `x${i - 1} + 1`}`).join("\n")),
  "wide record": (n) =>
    program(`let r = {${names(n, (i) => `f${i}: a`).join(", ")}}\nlet x = r.f0 + r.f${n - 1}`),
  "many tools": (n) => names(n, (i) => `tool m.t${i}(x: int)\n  labels "l", "l${i}"`).join("\n"),
  "many arguments": (n) =>
    `tool m.t(${names(n, (i) => `p${i}: int`).join(", ")})\n${program(`call m.t(${names(n, (i) => `p${i}: ${i}`).join(", ")})`)}`,
  "wide enum": (n) =>
    `tool m.t(x: enum{${names(n, (i) => `"v${i}"`).join(", ")}})\n${program(names(n, (i) => `call m.t(x: "v${i}")`).join("\n"))}`,
  "wide result": (n) =>
    `tool m.t() -> record{${names(n, (i) => `f${i}: int`).join(", ")}}\ntool m.u(x: int)\n${program(
      `let r = call m.t()\n${names(n, (i) => `call m.u(x: r.f${i})`).join("\n")}`,
    )}`,
  "many guarantees": (n) =>
    `tool m.t(x: int)\n  labels "l"\n${names(n, (i) => `guarantee m.g(${i}): count(c in label "l" where c.x > ${i}) <= ${i}`).join("\n")}`,
  "one long string": (n) => program(`let x = s ++ "${"x".repeat(n)}"`),
};

const cases: Case[] = [];
for (const [shape, write] of Object.entries(shapes)) {
  for (const size of SIZES) {
    const text = `effect-ir 1\n${write(size)}`;
    const read = ir.readDocument(text);
    if (!read.ok) throw new Error(`${shape}: ${JSON.stringify(read.problems.slice(0, 2))}`);
    const { document } = read.value.checked;
    const run = () => {
      const again = ir.readDocument(ir.printDocument(document));
      return [again, ir.hashDocument(document)];
    };
    cases.push({ name: shape, size, run });
  }
}
await bench("print, read, check and hash, by shape", cases);
