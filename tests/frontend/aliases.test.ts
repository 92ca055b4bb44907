/** Random programs with several names for one object: compiled, they do what JavaScript does, or are refused. */
import { expect, it } from "vitest";
import { atLeast, runs, seed } from "../support/runs.ts";
import { aliasProgram } from "./alias-source.ts";
import { compileLab, runAsIr, runAsJavaScript, sourceOf } from "./lab.ts";

const count = 250;

it.each([
  ["with names, keys, choices and loops", false],
  ["with functions, closures, `try`, arrays out of objects, copies of lists and objects in objects", true],
])(
  "a change under one name is seen under every other, or refused: programs %s",
  async (_, isWide) => {
    let compiledPrograms = 0;
    const first = 1 + (seed() ?? 0) * count;
    for (let at = first; at < first + runs(count); at++) {
      const source = sourceOf(aliasProgram(at, isWide));
      const compiled = compileLab(source);
      if (!("document" in compiled)) continue;
      compiledPrograms++;
      for (const scenario of [0, 3, 5, 11]) {
        const inJavaScript = await runAsJavaScript(source, undefined, scenario);
        const inIr = await runAsIr(compiled.document, undefined, scenario);
        const shown = `program ${at}, scenario ${scenario}\n${inIr.end}\n${source}`;
        // Nothing was proved of what follows an obligation that stops the run.
        if (/may be `/.test(inIr.end)) {
          expect(inJavaScript.calls.slice(0, inIr.calls.length), shown).toEqual(inIr.calls);
          continue;
        }
        expect(inIr.calls, shown).toEqual(inJavaScript.calls);
        expect(inIr.result, shown).toEqual(inJavaScript.result);
      }
    }
    expect(compiledPrograms).toBeGreaterThan(atLeast(count / 4));
  },
  120_000,
);
