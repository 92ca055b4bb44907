/** Random programs: compiled, they do what JavaScript does. A failing seed is printed with its source. */
import { describe, expect, it } from "vitest";
import { atLeast, runs } from "../support/runs.ts";
import { Source } from "./arbitrary-source.ts";
import { compileLab, runAsIr, runAsJavaScript, sourceOf } from "./lab.ts";

describe("a random program", () => {
  it("does the same compiled as it does in JavaScript", async () => {
    let [answers, notes, refused] = [0, 0, 0];
    for (let seed = 1; seed <= runs(150); seed++) {
      const source = sourceOf(new Source(seed).program());
      const compiled = compileLab(source);
      if (!("document" in compiled)) {
        refused++;
        // A list that is returned before a `finally` may still be changed there.
        if (compiled.problems.every(({ code }) => code === "FC2312") && source.includes("finally")) continue;
        throw new Error(`seed ${seed}\n${JSON.stringify(compiled.problems, null, 1)}\n${source}`);
      }
      for (const scenario of [1, 2, 3]) {
        const inJavaScript = await runAsJavaScript(source, undefined, scenario);
        const inIr = await runAsIr(compiled.document, undefined, scenario);
        expect(inIr.calls, `seed ${seed}, scenario ${scenario}\n${inIr.end}\n${source}`).toEqual(
          inJavaScript.calls,
        );
        expect(inIr.notes, `seed ${seed}, scenario ${scenario}\n${inIr.end}\n${source}`).toEqual(
          inJavaScript.notes,
        );
        expect(inIr.result, `seed ${seed}, scenario ${scenario}\n${inIr.end}\n${source}`).toEqual(
          inJavaScript.result,
        );
        if (inIr.result !== undefined) answers++;
        notes += inIr.notes.length;
      }
    }
    expect(Math.min(answers, notes)).toBeGreaterThan(atLeast(20));
    expect(refused).toBeLessThanOrEqual(Math.ceil(runs(150) / 20));
  }, 120_000);
});
