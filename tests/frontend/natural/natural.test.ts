/** Programs as agents naturally write them do the same compiled as in JavaScript. */
import { describe, expect, it } from "vitest";
import { printDocument } from "../../../src/ir/index.ts";
import { compileOffice, runAsIr, runAsJavaScript } from "./both.ts";
import { naturalPrograms } from "./programs.ts";

const seeds = Array.from({ length: 24 }, (_, i) => i);

describe("a natural program does the same compiled as it does in JavaScript", () => {
  it("is one of many", () => {
    expect(naturalPrograms.length).toBeGreaterThan(120);
    expect(new Set(naturalPrograms.map(({ name }) => name)).size).toBe(naturalPrograms.length);
  });

  it.each(naturalPrograms.map((one) => [one.name, one] as const))("%s", async (_, { source, inputs }) => {
    const compiled = compileOffice(source);
    if (!("document" in compiled)) throw new Error(JSON.stringify(compiled.problems, null, 1));
    for (const input of inputs) {
      for (const seed of seeds) {
        const [inJavaScript, inIr] = [
          await runAsJavaScript(source, input, seed),
          await runAsIr(compiled.document, input, seed),
        ];
        const shown = `seed ${seed}\n${printDocument(compiled.document)}\n${inJavaScript.end} | ${inIr.end}`;
        expect(inIr.calls, shown).toEqual(inJavaScript.calls);
        // A tool's failure that nobody catches stops the run; the program's own throw ends it.
        if (inIr.end.startsWith("FC1504")) expect(inJavaScript.end, shown).toBe("Error: broken");
        else expect(inIr.end, shown).toBe("done");
        expect(inJavaScript.end, shown).not.toMatch(/^(TypeError|ReferenceError)/);
      }
    }
  });
});
