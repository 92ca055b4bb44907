/** The same program as JavaScript and as Effect IR, with the same mock tools: the traces must be the same. */
import { describe, expect, it } from "vitest";
import { printDocument } from "../../src/ir/index.ts";
import { ambient } from "./ambient-programs.ts";
import { compileLab, type LabProgram, runAsIr, runAsJavaScript, sourceOf, type Time } from "./lab.ts";
import { programs } from "./programs.ts";
import { sugar } from "./sugar.ts";

const seeds = Array.from({ length: 24 }, (_, i) => i);

describe("a program does the same compiled as it does in JavaScript", () => {
  const all: Readonly<Record<string, LabProgram & { readonly time?: Time }>> = {
    ...programs,
    ...sugar,
    ...ambient,
  };
  it.each(Object.entries(all))("%s", async (_, program) => {
    const source = sourceOf(program);
    const compiled = compileLab(source);
    if (!("document" in compiled)) throw new Error(JSON.stringify(compiled.problems, null, 1));
    for (const input of program.inputs ?? [undefined]) {
      for (const seed of seeds) {
        const [inJavaScript, inIr] = [
          await runAsJavaScript(source, input, seed, false, program.time),
          await runAsIr(compiled.document, input, seed, program.time),
        ];
        const shown = `seed ${seed}\n${printDocument(compiled.document)}\n${inJavaScript.end} | ${inIr.end}`;
        expect(inIr.calls, shown).toEqual(inJavaScript.calls);
        expect(inIr.notes, shown).toEqual(inJavaScript.notes);
        expect(inIr.result, shown).toEqual(inJavaScript.result);
        // A tool's failure that nobody catches stops the run; the program's own throw ends it.
        if (inIr.end.startsWith("FC1504")) expect(inJavaScript.end, shown).toBe("broken");
        else expect(inIr.end, shown).toBe("done");
      }
    }
  });
});
