/** Ordinary programs of agents: as JavaScript, and as Effect IR. Those with two names for one object may be refused. */
import { describe, expect, it } from "vitest";
import { idioms, otherKinds } from "./idiom-programs.ts";
import { compileLab, type LabProgram, runAsIr, runAsJavaScript, sourceOf } from "./lab.ts";
import { ordinary } from "./ordinary-programs.ts";
import { twoNames } from "./two-names-programs.ts";

const seeds = Array.from({ length: 16 }, (_, i) => i);

async function expectSame(program: LabProgram, document: Parameters<typeof runAsIr>[0]): Promise<void> {
  const source = sourceOf(program);
  for (const seed of seeds) {
    for (const input of program.inputs ?? [undefined]) {
      const inJavaScript = await runAsJavaScript(source, input, seed);
      const inIr = await runAsIr(document, input, seed);
      const shown = `seed ${seed}\n${inJavaScript.end} | ${inIr.end}`;
      // Where the run stops at an obligation, nothing was proved of what follows.
      if (/may be `|must not be zero|is infinite|leave a gap/.test(inIr.end)) {
        expect(inJavaScript.calls.slice(0, inIr.calls.length), shown).toEqual(inIr.calls);
        continue;
      }
      expect(inIr.calls, shown).toEqual(inJavaScript.calls);
      expect(inIr.result, shown).toEqual(inJavaScript.result);
    }
  }
}

describe("an ordinary program does the same compiled as it does in JavaScript", () => {
  it.each(Object.entries({ ...ordinary, ...idioms }))("%s", async (_, program) => {
    const compiled = compileLab(sourceOf(program));
    if (!("document" in compiled)) throw new Error(JSON.stringify(compiled.problems, null, 1));
    await expectSame(program, compiled.document);
  });
});

describe("a program with two names for one object does the same, or is refused", () => {
  it.each(Object.entries(twoNames))("%s", async (_, program) => {
    const compiled = compileLab(sourceOf(program));
    if ("document" in compiled) await expectSame(program, compiled.document);
    else expect(compiled.problems.every(({ code }) => code.startsWith("FC23"))).toBe(true);
  });
});

describe("a program that throws as a run and not in JavaScript is refused", () => {
  it.each(otherKinds)("%s", (body) => {
    const compiled = compileLab(sourceOf({ body }));
    expect("problems" in compiled && compiled.problems.map(({ code }) => code)).toContain("FC2108");
  });
});
