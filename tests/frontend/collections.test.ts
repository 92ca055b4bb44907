/** One-line programs over collections, each compiled and compared with JavaScript. */
import { describe, expect, it } from "vitest";
import { collectionProgram } from "./collection-program.ts";
import { snippets } from "./collections.ts";
import { compileLab, runAsIr, runAsJavaScript } from "./lab.ts";

const seeds = Array.from({ length: 12 }, (_, i) => i);

describe("does the same compiled as it does in JavaScript", () => {
  it.each(snippets)("%s", async (snippet) => {
    const source = collectionProgram(snippet);
    const compiled = compileLab(source);
    if (!("document" in compiled))
      throw new Error(compiled.problems.map(({ code, message }) => `${code} ${message}`).join("\n"));
    for (const seed of seeds) {
      const inJavaScript = await runAsJavaScript(source, undefined, seed);
      const inIr = await runAsIr(compiled.document, undefined, seed);
      expect(inIr.calls, `seed ${seed}: ${inIr.end}`).toEqual(inJavaScript.calls);
      expect(inIr.end).toBe("done");
    }
  });
});
