/** Random programs: compiled, they do what JavaScript does. A failing seed is printed with its source. */
import { describe, expect, it } from "vitest";
import { runs } from "../support/runs.ts";
import { Source } from "./arbitrary-source.ts";
import { compileLab, runAsIr, runAsJavaScript, sourceOf } from "./lab.ts";

describe("a random program", () => {
  it("does the same compiled as it does in JavaScript", async () => {
    for (let seed = 1; seed <= runs(150); seed++) {
      const source = sourceOf(new Source(seed).program());
      const compiled = compileLab(source);
      if (!("document" in compiled)) {
        throw new Error(`seed ${seed}\n${JSON.stringify(compiled.problems, null, 1)}\n${source}`);
      }
      for (const scenario of [1, 2, 3]) {
        const inJavaScript = await runAsJavaScript(source, undefined, scenario);
        const inIr = await runAsIr(compiled.document, undefined, scenario);
        expect(inIr.calls, `seed ${seed}, scenario ${scenario}\n${inIr.end}\n${source}`).toEqual(
          inJavaScript.calls,
        );
      }
    }
  }, 120_000);
});
