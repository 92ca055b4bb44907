/** Programs about texts, numbers in them and dates do the same compiled as they do in JavaScript. */
import { describe, expect, it } from "vitest";
import { printDocument } from "../../src/ir/index.ts";
import { compileLab, type LabProgram, runAsIr, runAsJavaScript, sourceOf } from "./lab.ts";
import { datePrograms, matchPrograms, numberPrograms, textPrograms } from "./text-programs.ts";

const all: readonly (readonly [string, LabProgram])[] = Object.entries({
  ...matchPrograms,
  ...numberPrograms,
  ...textPrograms,
  ...datePrograms,
});

describe("a program about texts does the same compiled as it does in JavaScript", () => {
  it.each(all)("%s", async (_, program) => {
    const source = sourceOf(program);
    const compiled = compileLab(source);
    if (!("document" in compiled)) throw new Error(JSON.stringify(compiled.problems, null, 1));
    for (const input of program.inputs ?? [undefined]) {
      const [inJavaScript, inIr] = [
        await runAsJavaScript(source, input, 1),
        await runAsIr(compiled.document, input, 1),
      ];
      const shown = `${JSON.stringify(input)}\n${printDocument(compiled.document)}\n${inJavaScript.end} | ${inIr.end}`;
      expect(inIr.calls, shown).toEqual(inJavaScript.calls);
      expect(inIr.end, shown).toBe("done");
    }
  });
});
