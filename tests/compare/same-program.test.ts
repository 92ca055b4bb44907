/** Programs that differ in the names of their variables alone are one program, and no others are. */
import { expect, it } from "vitest";
import { isSameProgram } from "../../src/compare/same-program.ts";
import { readDocument } from "../../src/ir/index.ts";

function program(body: string, inputs = "any_v0: int, any_c0: int, names: list<int>") {
  const read = readDocument(
    `effect-ir 1\ntool t.pay(n: int) -> int\nprogram (${inputs}) {\n${body}\n}\nguarantee t.g(): true\n`,
  );
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.value.checked.document.program;
}

const loop = (x: string, i: string, sum: string, y: string) => `
  let ${x} = call t.pay(n: any_v0) catch bad_${x}
  for r_${x}, ${i} in names max 3 carry ${sum}: int = 1 {
    require any(names, ${y} => ${y} == ${i}) when ${sum} > 2: "few"
    next ${sum} = ${sum} + any_c0
  }
  parallel { branch { let p_${x} = call t.pay(n: ${sum}) } branch { let q_${x} = call t.pay(n: orElse(${x}, 1)) } }`;

it("takes other names of variables for the same program", () => {
  expect(isSameProgram(program(loop("a", "i", "s", "y")), program(loop("b", "k", "t", "z")))).toBe(true);
});

it.each([
  [
    "a bound name and an input that looks like its number",
    "any(names, x => x == any_v0)",
    "any(names, x => x == x)",
  ],
  ["another constant", "any(names, x => x == 1)", "any(names, x => x == 2)"],
  ["another input", "any_v0 > 1", "any_c0 > 1"],
])("does not take %s for the same", (_, first, second) => {
  const both = [first, second].map((condition) => program(`require ${condition}: "no"`));
  expect(isSameProgram(both[0]!, both[1]!)).toBe(false);
});

it("tells a variable from an input that looks like its number", () => {
  const first = program('let x = 1\n require x > 0: "no"');
  const second = program('let x = 1\n require any_c0 > 0: "no"');
  expect(isSameProgram(first, second)).toBe(false);
});
